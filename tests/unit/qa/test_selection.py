import random

from tasks.contracts.questions import Lexicon, TargetCount
from tasks.qa.candidates import Candidate
from tasks.qa.lexicon import Frequencies
from tasks.qa.selection import Picker, draw
from tasks.qa.stays import Cite


def candidate(target: str, *, family: str = "discharge_dose", fallback: bool = False) -> Candidate:
    return Candidate(
        family, {"target": target}, ("target",), "drug", "40 mg", (Cite(0, 2),), fallback=fallback
    )


def frequencies(**lacking: int) -> Frequencies:
    return Frequencies(
        Lexicon(
            admissions=10,
            targets=tuple(
                TargetCount(
                    kind="discharge_dose",
                    label=label,
                    having=10 - count,
                    lacking=count,
                )
                for label, count in lacking.items()
            ),
        )
    )


def test_a_draw_follows_the_weights_and_never_takes_a_weight_of_zero():
    rng = random.Random(1)
    drawn = [draw("abc", [0, 3, 1], rng) for _ in range(400)]
    assert drawn.count("a") == 0
    assert 260 <= drawn.count("b") <= 340


def test_targets_that_many_patients_lack_are_asked_for_first():
    known = frequencies(rare=9, common=1)
    first = [
        Picker([candidate("rare"), candidate("common")], known, random.Random(seed)).pick()
        for seed in range(200)
    ]
    rare = sum(one is not None and one.slots["target"] == "rare" for one in first)
    assert 180 <= rare <= 199


def test_what_every_patient_has_comes_later_and_fallbacks_last():
    known = frequencies(rare=5, everywhere=0)
    picker = Picker(
        [candidate("spare", fallback=True), candidate("everywhere"), candidate("rare")],
        known,
        random.Random(1),
    )
    order = [picker.pick(filler=True) for _ in range(4)]
    assert [one and one.slots["target"] for one in order] == ["rare", "everywhere", "spare", None]


def test_a_kept_candidate_can_be_picked_again():
    picker = Picker([candidate("rare")], frequencies(rare=5), random.Random(1))
    assert picker.pick(keep=True) == picker.pick() == candidate("rare")
    assert picker.pick() is None


def test_fillers_are_handed_out_only_where_wanted_and_after_all_others():
    filler = Candidate("stay_count", {}, (), "calendar", "2", (Cite(0, 1),), filler=True)
    picker = Picker([filler, candidate("spare", fallback=True)], frequencies(), random.Random(1))
    assert [picker.pick(), picker.pick()] == [candidate("spare", fallback=True), None]
    assert picker.pick(filler=True) == filler


def test_rare_answers_about_a_target_are_asked_for_as_often_as_common_ones():
    known = frequencies(rare=5)
    pair = [candidate("rare"), candidate("rare"), candidate("rare")]
    triple = Candidate("discharge_dose", {"target": "rare"}, ("target",), "drug", "3", ())
    first = [Picker([*pair, triple], known, random.Random(seed)).pick() for seed in range(400)]
    assert 160 <= sum(one == triple for one in first) <= 240


def test_an_answer_given_before_becomes_less_likely():
    known = frequencies(one=5, other=5, third=5)
    different = Candidate("discharge_dose", {"target": "third"}, ("target",), "drug", "5 mg", ())
    second = 0
    for seed in range(400):
        picker = Picker([candidate("one"), candidate("other"), different], known,
                        random.Random(seed))  # fmt: skip
        if picker.pick() == different:
            continue
        second += picker.pick() == different
    assert second > 160
