import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.terminology.splitting import is_number, split_words

SPELLINGS = (
    "5 2.5 .5 1,000 -2 +2 2+ 1-2 1\u20132 120/80 ½ 1½ 10⁹ ≥5 <= mg µg MCG \uff15\uff4d A b12 B-12 "
    "b.i.d. a.m. patient's s's don't café cafe\u0301 咳嗽 咳が三日 기침이 아 ß İ w/o w/ % percent "
    "HIV+ (-) +ve K+ Rh- - + / : , . ( ) x² 2150-06-01 10:30 ___ μ \u00b4 ` ไข้ हिन्दी \u0665 -> "
    "> < = ' 1e-3 1E+3 e3 e q h hr q12h q.4-6h x ray x-rays 2150/06/01 uL microgram "
    "na\u00efve i\u0308"
)
PIECES = st.sampled_from(SPELLINGS.split())
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(PIECES, max_size=12).flatmap(
        lambda pieces: st.sampled_from(["", " ", "-"]).map(lambda between: between.join(pieces))
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 mg", ["5", "mg"]),
        ("5mg", ["5", "mg"]),
        ("5-mg tablets", ["5", "mg", "tablets"]),
        ("(2.5 MG).", ["2.5", "mg"]),
        (".5 mg", ["0.5", "mg"]),
        ("-.5", ["-0.5"]),
        ("5.0", ["5"]),
        ("2.50", ["2.5"]),
        ("10", ["10"]),
        ("1,000 mL", ["1000", "ml"]),
        ("1,250,000.5", ["1250000.5"]),
        ("12,34", ["12", "34"]),
        ("10 mg,5 mg", ["10", "mg", "5", "mg"]),
        ("5 µg", ["5", "μg"]),
        ("5 μg", ["5", "μg"]),
        ("5mcg", ["5", "μg"]),
        ("5 percent", ["5", "%"]),
        ("5%", ["5", "%"]),
        ("mg/kg", ["mg", "kg"]),
        ("38 ℃", ["38", "c"]),
        ("half: ½", ["half", "1/2"]),
        ("1½ tablets", ["1", "1/2", "tablets"]),
        ("10⁹/L", ["10^9", "l"]),
        ("109/L", ["109", "l"]),
    ],
)
def test_numbers_and_units_are_words_of_their_own(text: str, expected: list[str]):
    assert split_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-2", ["-2"]),
        ("\u22122", ["-2"]),
        ("(-2)", ["-2"]),
        ("5 -2", ["5", "-2"]),
        ("+2", ["+2"]),
        ("2+ edema", ["2+", "edema"]),
        ("1-2 tablets", ["1-2", "tablets"]),
        ("1\u20132 tablets", ["1-2", "tablets"]),
        ("1 - 2 tablets", ["1-2", "tablets"]),
        ("120/80", ["120/80"]),
        ("120 / 80", ["120/80"]),
        ("10:30", ["10:30"]),
        ("2150-06-01", ["2150-06-01"]),
        ("2150-06-01 - 2150-06-03", ["2150-06-01", "2150-06-03"]),
        ("<5", ["<", "5"]),
        (">= 5", ["≥", "5"]),
        ("40 -> 80 mg", ["40", "80", "mg"]),
    ],
)
def test_signs_ranges_ratios_and_dates_are_kept(text: str, expected: list[str]):
    assert split_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HIV+", ["hiv", "positive"]),
        ("HIV-, Rh+.", ["hiv", "negative", "rh", "positive"]),
        ("blood group A-", ["blood", "group", "a", "negative"]),
        ("guaiac (-)", ["guaiac", "negative"]),
        ("guaiac +", ["guaiac", "positive"]),
        ("Coombs \u2212", ["coombs", "negative"]),
        ("-ve", ["negative"]),
        ("+", ["positive"]),
        ("K+ 4.5, Cl- 100", ["k", "4.5", "cl", "100"]),
        ("pre- and post-operative", ["pre", "and", "post", "operative"]),
        ("gram- or acid-fast", ["gram", "or", "acid", "fast"]),
        ("aspirin + clopidogrel", ["aspirin", "clopidogrel"]),
        ("- 5 mg", ["5", "mg"]),
        ("pain\u2014it", ["pain", "it"]),
    ],
)
def test_a_sign_that_is_a_result_is_a_word(text: str, expected: list[str]):
    assert split_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two-week", ["two", "week"]),
        ("Crohn's", ["crohn"]),
        ("the patient\u2019s", ["the", "patient"]),
        ("didn't", ["didn't"]),
        ("b.i.d.", ["bid"]),
        ("B-12", ["b12"]),
        ("B12", ["b12"]),
        ("1 L", ["1", "l"]),
        ("L1", ["l1"]),
        ("COVID-19", ["covid", "19"]),
        ("covid19", ["covid", "19"]),
        ("w/o pain", ["without", "pain"]),
        ("hepatitis A", ["hepatitis", "a"]),
        ("cafe\u0301", ["cafe"]),
        ("ｃａｆé", ["cafe"]),
        ("___", []),
        ("", []),
    ],
)
def test_words_have_one_form_in_all_their_spellings(text: str, expected: list[str]):
    assert split_words(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10 uL", "10 µL"),
        ("5 microgram", "5 mcg"),
        ("5 micrograms", "5 µg"),
        ("q12h", "q 12 h"),
        ("Q12 H", "q 12h"),
        ("q 12 hours", "q12hr"),
        ("q4-6h", "q 4-6 h"),
        ("2150/06/01", "2150-06-01"),
        ("2150/06/01 - 2150/06/03", "2150-06-01 - 2150-06-03"),
        ("x-ray", "xray"),
        ("Chest X Rays", "chest x-rays"),
        ("naïve", "naive"),
        ("Sjögren's", "Sjogren's"),
        ("1e3", "1E+3"),
        ("1.0e-3", "1e-3"),
    ],
)
def test_spellings_of_the_same_are_not_told_apart(one: str, other: str):
    assert split_words(one) == split_words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1e-3", "1e3"),
        ("q12h", "q6h"),
        ("q12h", "12 h"),
        ("2150/06/01", "2150/06/02"),
        ("120/80", "120-80"),
        ("10 mL", "10 uL"),
        ("2 x rate", "2 xrate"),
        ("й", "и"),
        ("が", "か"),
    ],
)
def test_what_differs_is_told_apart(one: str, other: str):
    assert split_words(one) != split_words(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1e3mg", ["1e3", "mg"]),
        ("x-ray q 6 h", ["xray", "q6h"]),
        ("q 12, h", ["q12h"]),
        ("2e5/L", ["2e5", "l"]),
        ("x", ["x"]),
        ("q", ["q"]),
    ],
)
def test_powers_of_ten_and_abbreviations_are_one_word(text: str, expected: list[str]):
    assert split_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("咳嗽。", ["咳", "嗽"]),
        ("服用\uff15\uff4d\uff47", ["服", "用", "5", "mg"]),
        ("咳が三日", ["咳", "が", "三", "日"]),
        ("ｱｽﾋﾟﾘﾝ", ["ア", "ス", "ピ", "リ", "ン"]),
        ("기침이", ["기침", "침이"]),
        ("기침", ["기침"]),
        ("약", ["약"]),
        ("ไข้", ["ไ", "ข", "้"]),
    ],
)
def test_scripts_without_blanks_are_split_below_the_sentence(text: str, expected: list[str]):
    assert split_words(text) == expected


@given(TEXTS)
def test_splitting_again_changes_nothing(text: str):
    words = split_words(text)
    assert split_words(" ".join(words)) == words


@given(TEXTS)
def test_words_hold_no_blank_and_are_never_empty(text: str):
    assert all(word and not word[0].isspace() and " " not in word for word in split_words(text))


@pytest.mark.parametrize(
    ("word", "expected"), [("5", True), ("-2", True), ("1-2", True), ("b12", False), ("mg", False)]
)
def test_numbers_are_told_from_words(word: str, expected: bool):
    assert is_number(word) is expected
