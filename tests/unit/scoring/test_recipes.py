import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.evaluation import Recipe
from tasks.scoring.recipes import overlap, published_normal_form, tokens

CASES = Path(__file__).resolve().parents[4] / "shared/cases"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="../shared is missing: no cases")

RECIPES: tuple[Recipe, ...] = ("medlocomo", "clinical")
PIECES = (
    "a an the and cough 5 mg 5mg 2.5 -2 1-2 120/80 hepatitis A B no , ; . 咳嗽 기침이 is of µg "
    "June 1 2150 1/6/2150 12:00:00 2:00 pm every two twenty one day 24 h hour hrs 年 月 日 th"
)
WORDS = st.sampled_from(PIECES.split())
ANSWERS = st.one_of(
    st.text(max_size=30),
    st.lists(WORDS, max_size=10).map(" ".join),
)


def f1(recipe: Recipe, gold: str, candidate: str) -> float:
    return overlap(recipe, gold, candidate).f1


@pytest.mark.parametrize(
    ("gold", "candidate", "precision", "recall", "f1_expected"),
    [
        # Case, punctuation and the four words don't count.
        ("The Lisinopril.", "lisinopril", 1, 1, 1),
        ("cough and fever", "a cough, fever", 1, 1, 1),
        # 2 of 4 tokens, all 2 of the gold answer: F1 = 2 x 0.5 x 1 / 1.5.
        ("pulmonary edema", "edema of pulmonary origin", 0.5, 1, 2 / 3),
        # Repeated tokens count as often as both sides have them.
        ("pain pain", "pain", 1, 0.5, 2 / 3),
        # Punctuation becomes a blank: 2.5 is 2, 5; shared 5, mg of 3 and 2.
        ("2.5 mg", "25 mg", 0.5, 1 / 3, 0.4),
        ("120/80", "12080", 0, 0, 0),
        ("aspirin", "warfarin", 0, 0, 0),
        ("", "aspirin", 0, 0, 0),
        ("aspirin", "", 0, 0, 0),
        ("", "", 1, 1, 1),
        ("the", "a", 1, 1, 1),
        (",", "aspirin", 0, 0, 0),
    ],
)
def test_the_published_recipe_on_worked_examples(
    gold: str, candidate: str, precision: float, recall: float, f1_expected: float
):
    score = overlap("medlocomo", gold, candidate)
    assert score.precision == pytest.approx(precision)
    assert score.recall == pytest.approx(recall)
    assert score.f1 == pytest.approx(f1_expected)


def test_the_published_recipe_takes_parts_where_they_score_better():
    # Tokens: shared 3 (heart, failure, atrial) of 5 and 4: P 0.6, R 0.75, F1 2/3.
    # Parts: "heart failure" 1, "atrial fibrillation" against "atrial flutter" 1/2, "new" 0:
    # recall (1 + 1/2) / 2 = 3/4, precision (1 + 1/2 + 0) / 3 = 1/2, F1 3/5: tokens are better.
    score = overlap(
        "medlocomo", "heart failure, atrial fibrillation", "atrial flutter, heart failure, new"
    )
    assert (score.precision, score.recall) == pytest.approx((0.6, 0.75))
    # Tokens: shared 1 of 3 and 3: F1 1/3. Parts: "sepsis" 1, "ards x" 0 against "sepsis", "flu a b"
    # less one: "sepsis" 1, "flu b" 0: recall 1/2, precision 1/2, F1 1/2: parts are better.
    score = overlap("medlocomo", "sepsis, ards x", "sepsis, flu b")
    assert (score.precision, score.recall, score.f1) == pytest.approx((0.5, 0.5, 0.5))


def test_parts_count_also_where_only_the_answer_has_commas():
    # Tokens: shared 2 of 4 and 2: F1 2/3. Parts: best F1 of "heart failure" is 1: recall 1; of
    # the answer's parts 1 and 0: precision 1/2; F1 2/3.
    score = overlap("medlocomo", "heart failure", "heart failure, kidney injury")
    assert (score.precision, score.recall, score.f1) == pytest.approx((0.5, 1, 2 / 3))


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        ("5 mg", "5mg"),
        ("5 mg", "5-mg"),
        ("0.5 mg", ".5 mg"),
        ("5 mg", "5.0 mg"),
        ("2,500 units", "2500 units"),
        ("75 mcg", "75 µg"),
        ("75 μg", "75 µg"),
        ("1\u20132 tablets", "1-2 tablets"),
        ("\u22122", "-2"),
        ("130 / 85", "130/85"),
        ("7 %", "7%"),
        ("\uff11\uff12\uff10/\uff18\uff10", "120/80"),
        ("\uff21\uff22\uff23", "abc"),
        ("cafe\u0301", "café"),
        ("three-day", "three day"),
        ("a cough", "cough"),
        ("because of a fall", "because of fall"),
        ("cough and a fever", "fever and cough"),
        ("Crohn's disease", "Crohn disease"),
        ("B-12", "B12"),
        ("HIV+", "HIV positive"),
        ("guaiac (-)", "guaiac negative"),
        ("头痛。", "头痛"),
        ("10 mg\uff0c每日", "10mg 每日"),
        ("on June 1, 2150", "on 2150-06-01"),
        ("the 1st of June, 2150", "2150-06-01"),
        ("Feb. 29th, 2152", "2152-02-29"),
        ("06/01/2150", "2150-06-01"),
        ("2150年6月1日", "2150-06-01"),
        ("\uff12\uff11\uff15\uff10年\uff16月\uff11日", "2150-06-01"),
        ("2150년 6월 1일", "2150-06-01"),
        ("2150-06-01T12:00:00", "2150-06-01 12:00"),
        ("12:00:00", "12:00"),
        ("2:05 p.m.", "14:05"),
        ("12:30 AM", "00:30"),
        ("two hospitalizations", "2 hospitalizations"),
        ("one day", "1 day"),
        ("a two-week course", "2 week course"),
        ("twenty-two days", "22 days"),
        ("24 h", "24 hours"),
        ("24hrs", "24 hours"),
        ("every six hours", "q6h"),
        ("5 milligrams", "5 mg"),
    ],
)
def test_the_clinical_recipe_sees_that_spellings_are_the_same(gold: str, candidate: str):
    assert f1("clinical", gold, candidate) == f1("clinical", candidate, gold) == 1


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        ("1.5 mg", "15 mg"),
        ("0.25 mg", "25 mg"),
        ("20", "2.0"),
        ("1.25", "125"),
        ("-3", "3"),
        ("+3", "3"),
        ("3+", "3"),
        ("130/85", "13085"),
        ("130/85", "130 85"),
        ("2-3 tablets", "23 tablets"),
        ("2-3 tablets", "2 3 tablets"),
        ("10:30", "1030"),
        ("1,000 mL", "1 mL"),
        ("1,000 mL", "1.000 mL"),
        ("10⁹/L", "109/L"),
        ("1½", "11/2"),
        ("5 mg", "5 g"),
        ("5 mcg", "5 mg"),
        ("5 mg/kg", "5 mg"),
        ("5%", "5"),
        ("<5", "5"),
        ("<5", ">5"),
        ("hepatitis A", "hepatitis"),
        ("hepatitis a", "hepatitis b"),
        ("vitamin K", "vitamin"),
        ("blood group A", "blood group"),
        ("A positive", "positive"),
        ("T1", "T2"),
        ("B12", "B1"),
        ("no", "no fever"),
        ("pain", "no pain"),
        ("pain", "w/o pain"),
        ("2150-06-01", "2150-06-10"),
        ("June 1, 2150", "2150-01-06"),
        ("June 31, 2150", "2150-07-01"),
        ("June 2150", "2150-06-01"),
        ("2:00 pm", "02:00"),
        ("12:00:30", "12:00"),
        ("no one", "no 1"),
        ("twenty", "22"),
        ("every 6 hours", "every 8 hours"),
        ("+", "-"),
        ("Rh+", "Rh-"),
        ("A+", "A-"),
        ("+ve", "-ve"),
    ],
)
def test_the_clinical_recipe_tells_things_apart(gold: str, candidate: str):
    assert f1("clinical", gold, candidate) == f1("clinical", candidate, gold) < 1


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        ("", "5 mg"),
        ("5 mg", ""),
        ("a", "c"),
        ("no", "yes"),
        ("发热", "咳嗽"),
        ("-2", "2"),
        ("+", "-"),
    ],
)
def test_the_clinical_recipe_gives_nothing_for_nothing(gold: str, candidate: str):
    assert f1("clinical", gold, candidate) == 0


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        ("患者发热五天", "发热五天"),
        ("두통이 심해요", "두통"),
        ("頭が痛い", "頭 痛"),
    ],
)
def test_a_part_of_an_unspaced_sentence_scores_in_between(gold: str, candidate: str):
    assert 0 < f1("clinical", gold, candidate) < 1


def test_the_clinical_recipe_on_a_worked_example():
    # furosemide, 80, mg against 80, mg: 2 of 2 and 2 of 3.
    score = overlap("clinical", "furosemide 80mg", "80 mg")
    assert (score.precision, score.recall) == pytest.approx((1, 2 / 3))
    assert score.f1 == pytest.approx(0.8)


def test_two_texts_without_a_token_are_the_same_in_both_recipes():
    assert [f1(recipe, "", "") for recipe in RECIPES] == [1, 1]
    assert [f1(recipe, " ", "") for recipe in RECIPES] == [1, 1]


@needs_cases
@pytest.mark.parametrize("name", ["F5_f1_pairs.json", "G5_cjk_pairs.json"])
def test_the_clinical_recipe_meets_every_reported_pair(name: str):
    pairs: dict[str, list[list[str]]] = json.loads((CASES / name).read_text(encoding="utf-8"))

    def scores(kind: str) -> list[float]:
        return [f1("clinical", one, other) for one, other in pairs.get(kind, [])]

    assert all(score == 1 for score in scores("must_be_1") + scores("exactly_1"))
    assert all(score < 1 for score in scores("must_be_below_1"))
    assert all(score == 0 for score in scores("must_be_0") + scores("exactly_0"))
    assert all(score > 0 for score in scores("above_0"))


@pytest.mark.parametrize("recipe", RECIPES)
@given(gold=ANSWERS, candidate=ANSWERS)
def test_f1_is_symmetric_and_within_bounds(recipe: Recipe, gold: str, candidate: str):
    one, other = overlap(recipe, gold, candidate), overlap(recipe, candidate, gold)
    assert one.f1 == other.f1
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert min(one.precision, one.recall) <= one.f1 + 1e-12
    assert one.f1 <= max(one.precision, one.recall) + 1e-12


@pytest.mark.parametrize("recipe", RECIPES)
@given(answer=ANSWERS)
def test_an_answer_overlaps_itself_in_full(recipe: Recipe, answer: str):
    assert f1(recipe, answer, answer) == 1


@pytest.mark.parametrize("recipe", RECIPES)
@given(answer=ANSWERS)
def test_normalizing_again_changes_nothing(recipe: Recipe, answer: str):
    once = tokens(recipe, answer)
    assert tokens(recipe, " ".join(once)) == once


@given(gold=ANSWERS, parts=st.lists(ANSWERS, min_size=2, max_size=4), data=st.data())
def test_the_order_of_parts_does_not_matter(gold: str, parts: list[str], data: st.DataObject):
    shuffled = data.draw(st.permutations(parts))
    assert f1("medlocomo", gold, ",".join(parts)) == f1("medlocomo", gold, ",".join(shuffled))


def test_the_published_normal_form():
    assert published_normal_form("The Question is NOT answerable.") == "question is not answerable"
