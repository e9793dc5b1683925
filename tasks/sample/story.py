"""What a stay's notes will tell: the plan between the record and the text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tasks.adapters.mimic_hosp import HospStay
from tasks.sample.cultures import Culture
from tasks.sample.examination import Examination
from tasks.sample.laboratory import LabStory
from tasks.sample.prescriptions import Change, Prescription
from tasks.sample.problems import Problem
from tasks.sample.studies import Study
from tasks.sample.vocabulary import Allergy


@dataclass(frozen=True)
class PastStay:
    """The previous stay as the next history remembers it."""

    principal: str
    discharged: datetime


@dataclass(frozen=True)
class Story:
    """Everything that a stay's notes say, before it is put into words."""

    stay: HospStay
    problems: tuple[Problem, ...]
    complaint: str
    symptoms: tuple[str, ...]
    denials: tuple[str, ...]
    past: tuple[str, ...]
    family_history: str
    allergy: Allergy
    home: tuple[Prescription, ...]
    discharge: tuple[Prescription, ...]
    changes: tuple[Change, ...]
    previous: PastStay | None
    admission_exam: Examination
    discharge_exam: Examination
    labs: LabStory
    studies: tuple[Study, ...]
    cultures: tuple[Culture, ...]
    procedures: frozenset[str]
    follow_up: tuple[str, ...]
    advice: tuple[str, ...]

    @property
    def acute(self) -> tuple[Problem, ...]:
        """Problems of this stay; the leading problem counts even where it is a lasting one."""
        return tuple(p for i, p in enumerate(self.problems) if p.kind == "acute" or i == 0)

    @property
    def lasting(self) -> tuple[Problem, ...]:
        """Lasting problems beside the leading one."""
        return tuple(p for i, p in enumerate(self.problems) if p.kind == "chronic" and i > 0)
