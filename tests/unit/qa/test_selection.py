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
    order = [picker.pick() for _ in range(4)]
    assert [one and one.slots["target"] for one in order] == ["rare", "everywhere", "spare", None]


def test_a_kept_candidate_can_be_picked_again():
    picker = Picker([candidate("rare")], frequencies(rare=5), random.Random(1))
    assert picker.pick(keep=True) == picker.pick() == candidate("rare")
    assert picker.pick() is None
