"""Everything a user can set about generating and evaluating rubrics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, cast, get_args

from pydantic import Field, field_validator, model_validator
from pydantic_settings import NoDecode

from flows.model_settings import EndpointSettings
from flows.rubric_output import usable_output
from flows.rubric_role_settings import USUAL, role_setting
from flows.run_settings import RunSettings, as_parameter, read_settings, required, split_names
from tasks.adapters.models import ModelSpec
from tasks.contracts.rubric_measures import Measure
from tasks.contracts.rubrics import CONTROLS, Variant
from tasks.rubrics.retrieval.searching import TAVILY_URL

MEASURES: tuple[Measure, ...] = get_args(Measure)
WITHOUT: Mapping[str, Variant] = {
    "nothing": "full",
    "router": "without-router",
    "atomic": "without-atomic",
    "intent": "without-intent",
    "audit": "without-audit",
}


class RubricSettings(RunSettings):
    """Queries and models of both flows.

    ``OTHERS`` names what other flows leave in their output folder, ``PUBLISHED`` the files that
    this one writes.
    """

    OTHERS: ClassVar[Mapping[str, str]] = {"release": "a build"}
    PUBLISHED: ClassVar[tuple[str, ...]] = ("report.html", "report.md")

    queries: Path | None = Field(
        default=None, description="Queries: JSON lines, or text with index<TAB>query a line"
    )
    model: str | None = Field(default=None, description="Model of every role without its own")
    temperature: float = Field(default=0.1, ge=0, le=2, description="Of roles without their own")
    output_tokens: int = Field(default=4_096, ge=16, description="Tokens that one reply takes")
    role: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="ROLE.SETTING=VALUE with the settings model, temperature, top_p; in the "
        "environment separated by commas",
    )

    @field_validator("role", mode="before")
    @classmethod
    def _read_roles(cls, value: object) -> object:
        given = split_names(value)
        if isinstance(given, tuple):
            for one in cast("tuple[object, ...]", given):
                role_setting(str(one))
        return cast("object", given)

    @model_validator(mode="after")
    def _fit_the_provider(self) -> Self:
        if self.provider == "programmatic":
            unused = set(EndpointSettings.model_fields) - {"provider"} | {"model", "role"}
            if given := self.changed(unused):
                raise ValueError(
                    f"{' and '.join(given)}: not used by the programmatic provider; language "
                    "models are asked with --provider openai"
                )
            return self
        if not self.model:
            raise ValueError("model is not set: give the model's name as --model (ANAMNESIS_MODEL)")
        self.refuse_unusable_endpoint()
        return self

    @property
    def asks_a_model(self) -> bool:
        """Whether roles are played by a language model."""
        return self.provider != "programmatic"

    def role_spec(self, role: str, model: str | None = None) -> ModelSpec:
        """Who plays a role, and how it is asked; the model programmatic stands for the rules."""
        own = dict(USUAL.get(role, {})) | {
            name: value for named, name, value in map(role_setting, self.role) if named == role
        }
        named = str(own.pop("model", self.model or ""))
        if "programmatic" in (self.provider, model or named):
            return ModelSpec(provider="programmatic")
        return self.endpoint_spec(model or named).model_copy(update=own)

    def output(self) -> Path:
        """The output folder; raises SettingError for one that can't be used."""
        out = required(self.out, "out", "the folder for rubrics, report and cache")
        return usable_output(out, self.OTHERS, self.PUBLISHED)


class GenerationSettings(RubricSettings):
    """What rubrics are generated for, from which evidence, by which variants."""

    OTHERS: ClassVar[Mapping[str, str]] = {
        **RubricSettings.OTHERS,
        "measures.json": "an evaluation of rubrics",
    }
    PUBLISHED: ClassVar[tuple[str, ...]] = (
        *RubricSettings.PUBLISHED,
        "rubrics.jsonl",
        "manifest.json",
    )

    release: Path | None = Field(
        default=None, description="A release whose questions are the queries, in place of queries"
    )
    search: Literal["corpus", "tavily"] = Field(
        default="corpus", description="Where evidence is searched for"
    )
    corpus: Path | None = Field(
        default=None, description="Folder of pages; a small example where not given"
    )
    ranking: Literal["bm25", "dense"] = Field(
        default="bm25", description="How passages of a corpus are ranked"
    )
    tavily_url: str = Field(default=TAVILY_URL, description="Address of Tavily's API")
    without: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Ablations: router, atomic, intent, audit; nothing for the whole"
    )
    baseline: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Baselines: generic, direct"
    )

    @field_validator("without", "baseline", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        return split_names(value)

    @model_validator(mode="after")
    def _refuse_unknown(self) -> Self:
        for name, given, known in (
            ("without", self.without, tuple(WITHOUT)),
            ("baseline", self.baseline, ("generic", "direct")),
        ):
            if unknown := [one for one in given if one not in known]:
                raise ValueError(f"{name}: found {unknown[0]!r}, expected {', '.join(known)}")
        if self.queries is not None and self.release is not None:
            raise ValueError("queries and release are both given: leave one of them out")
        return self

    @property
    def variants(self) -> tuple[Variant, ...]:
        """What is generated; the whole pipeline where nothing else is asked for."""
        baselines: tuple[Variant, ...] = ("generic", "direct")
        named: list[Variant] = []
        named.extend(WITHOUT[one] for one in self.without)
        named.extend(one for one in baselines if one in self.baseline)
        whole: tuple[Variant, ...] = ("full",)
        return tuple(dict.fromkeys(named)) or whole


class RubricEvaluationSettings(RubricSettings):
    """Which rubrics are evaluated, against what, by which judges."""

    OTHERS: ClassVar[Mapping[str, str]] = {
        **RubricSettings.OTHERS,
        "rubrics.jsonl": "generated rubrics",
    }
    PUBLISHED: ClassVar[tuple[str, ...]] = (*RubricSettings.PUBLISHED, "measures.json")

    rubrics: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="NAME=FILE or FILE of rubrics; separated by commas"
    )
    reference: Path | None = Field(default=None, description="Gold rubrics, or checklists")
    answers: Path | None = Field(default=None, description="Reference answers, for discrimination")
    base: Path | None = Field(
        default=None, description="Answers to refine; the role base answers where not given"
    )
    measure: Annotated[tuple[Measure, ...], NoDecode] = Field(
        default=MEASURES, description="coverage, discrimination, refinement"
    )
    compare_with: str | None = Field(
        default=None, description="Set that McNemar's test compares with; the first if not given"
    )
    judge: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Models that judge pairs, programmatic for rules; the role judge if not given",
    )

    @field_validator("rubrics", "measure", "judge", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        return split_names(value)

    @model_validator(mode="after")
    def _refuse_unknown(self) -> Self:
        if not self.measure:
            raise ValueError(f"measure: found nothing, expected one of {', '.join(MEASURES)}")
        names = list(self.sets)
        if len(names) != len(self.rubrics):
            raise ValueError("rubrics: two sets have one name; name them as NAME=FILE")
        if reserved := CONTROLS & set(names):
            raise ValueError(f"rubrics: {min(reserved)!r} names a control; use another name")
        if self.compare_with is not None and self.compare_with not in names:
            raise ValueError(f"compare_with: found {self.compare_with!r}, expected one of {names}")
        if self.provider == "programmatic" and set(self.judge) - {"programmatic"}:
            raise ValueError("judge: language models judge with --provider openai")
        return self

    @property
    def sets(self) -> dict[str, Path]:
        """Files of rubrics by name."""
        named = [_named(one) for one in self.rubrics]
        return {name or Path(path).stem: Path(path) for name, path in named}

    def judge_specs(self) -> tuple[ModelSpec, ...]:
        """The judges of pairs; the first also judges coverage and answers."""
        if not self.judge:
            return (self.role_spec("judge"),)
        return tuple(self.role_spec("judge", one) for one in self.judge)


def _named(given: str) -> tuple[str, str]:
    """NAME and FILE; an equals sign after a slash belongs to the path."""
    name, sign, path = given.partition("=")
    return (name, path) if sign and not set(name) & {"/", os.sep} else ("", given)


_NO_PARAMETERS = ("failed_share_limit", "data_class", "lock_wait_seconds", "history_wait_seconds")

GENERATION_PARAMETERS = tuple(
    name for name in GenerationSettings.model_fields if name not in _NO_PARAMETERS
)
EVALUATION_PARAMETERS = tuple(
    name for name in RubricEvaluationSettings.model_fields if name not in _NO_PARAMETERS
)


def load_generation_settings(**given: Any) -> GenerationSettings:
    """The settings from what is given, else the environment; raises SettingError."""
    return read_settings(GenerationSettings, given)


def load_rubric_evaluation_settings(**given: Any) -> RubricEvaluationSettings:
    """The settings from what is given, else the environment; raises SettingError."""
    return read_settings(RubricEvaluationSettings, given)


def parameters_of(settings: RubricSettings, names: Iterable[str]) -> dict[str, Any]:
    """Settings as parameters of their flow."""
    return {name: as_parameter(getattr(settings, name)) for name in names}
