"""Dialogues, the replies they come from, and a patient's timeline (spec sections 5, 6 and 8)."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from tasks.contracts.base import Contract
from tasks.contracts.clock import Timestamp
from tasks.contracts.evidence import AdmissionEvidence
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, AdmissionSummary

Speaker = Literal["Doctor", "Patient"]


class ConversationLine(Contract):
    """One published turn."""

    turn_number: int = Field(ge=1, description="Position in the admission's dialogue, from 1")
    time: Timestamp = Field(description="When it is said; never decreases, inside the stay")
    speaker: Speaker = Field(description="Doctor or Patient")
    text: str = Field(min_length=1, description="What is said")


class SourcedLine(ConversationLine):
    """A turn with the facts it states, and those it speaks of without stating them in full.

    Both hold a ``fact_id`` of the record, or ``previous:N`` for the problem at position N, from 0,
    of the previous admission's summary.
    """

    sources: tuple[str, ...] = Field(
        default=(), description="fact_id of every fact this turn states in full"
    )
    touches: tuple[str, ...] = Field(
        default=(), description="fact_id of every fact it speaks of in part or in other words"
    )

    def published(self) -> ConversationLine:
        """The turn as a release shows it: without its sources."""
        return ConversationLine(
            turn_number=self.turn_number, time=self.time, speaker=self.speaker, text=self.text
        )


class DialogueReply(Contract):
    """What a provider returns for one admission: dialogue and summary."""

    conversation_lines: tuple[SourcedLine, ...] = Field(description="The turns in order")
    summary: AdmissionSummary = Field(description="The stay in one paragraph and its problems")


class DialogueInput(Contract):
    """What a provider is given for one admission."""

    record: AdmissionRecord = Field(
        description="The admission; its bundle carries the previous admission's summary"
    )
    minimum_turns: int = Field(description="Fewest turns for a stay of this length")
    maximum_turns: int = Field(description="Most turns for a stay of this length")


class Conversation(Contract):
    """``conversation.json``: one admission's published dialogue."""

    subject_id: str = Field(description="MIMIC patient id")
    hadm_id: str = Field(description="MIMIC admission id")
    admission_start: Timestamp = Field(description="Start of the stay")
    admission_end: Timestamp = Field(description="End of the stay")
    conversation_lines: tuple[ConversationLine, ...] = Field(description="The turns in order")


class TokenUsage(Contract):
    """Tokens a request and its reply took, as reported by the provider; null where none were."""

    input_tokens: int | None = Field(default=None, description="Prompt tokens")
    output_tokens: int | None = Field(default=None, description="Completion tokens")


class ShortenedSource(Contract):
    """What was left out of a message so that the model could read it; formed_packet.json has it."""

    radiology_notes: int = Field(ge=0, description="Radiology notes left out, the latest ones")
    microbiology: int = Field(ge=0, description="Microbiology rows left out, the latest ones")


class CodeMends(Contract):
    """What code set or left out in a language model's reply before it was taken."""

    times_set: bool = Field(
        default=False,
        description="Numbers and times of the turns and the summary's stay were set by rule",
    )
    sentences_left_out: int = Field(
        default=0, ge=0, description="Sentences at fault that turns lost, keeping others"
    )
    turns_left_out: int = Field(
        default=0, ge=0, description="Turns left out: those at fault with their exchanges"
    )
    summary_parts_left_out: int = Field(
        default=0, ge=0, description="Sentences and problems of the summary left out"
    )


class PromptRecord(Contract):
    """``prompt_record.json``: how an admission's dialogue was made."""

    provider: str = Field(description="programmatic or openai")
    model: str = Field(description="Model name, for the programmatic provider its version")
    temperature: float | None = Field(description="Sampling temperature; null where none applies")
    request_timestamp: str | None = Field(description="UTC time asked; null if programmatic")
    system_message: str = Field(description="System message handed to the provider")
    task_message: str = Field(description="Task message handed to the provider")
    previous_admission_summary: AdmissionSummary | None = Field(
        description="Summary of the previous admission that was used"
    )
    stay_days: float = Field(description="Length of stay in days, to two decimals")
    recommended_turn_range: tuple[int, int] = Field(description="Fewest and most turns asked for")
    api_usage: TokenUsage = Field(description="Tokens used")
    response_id: str | None = Field(description="Provider's id of the reply; null if programmatic")
    latency_ms: int | None = Field(description="Milliseconds to the reply; null if programmatic")
    structured_reply: DialogueReply = Field(description="The accepted reply")
    shortened: ShortenedSource | None = Field(
        default=None, description="What the task message leaves out; null where it is whole"
    )
    mended: CodeMends | None = Field(
        default=None, description="What code mended; null where the reply is as the model wrote it"
    )


class AdmissionDialogue(Contract):
    """A staged, accepted dialogue: all that is released of an admission but its questions."""

    bundle: AdmissionBundle = Field(description="With the previous summary filled in")
    lines: tuple[SourcedLine, ...] = Field(description="The turns with the facts they state")
    summary: AdmissionSummary = Field(description="The stay's summary")
    prompt_record: PromptRecord = Field(description="How it was made")
    evidence: AdmissionEvidence = Field(description="What in the record is behind each turn")

    def conversation(self) -> Conversation:
        """The dialogue as ``conversation.json`` holds it."""
        return Conversation(
            subject_id=self.bundle.subject_id,
            hadm_id=self.bundle.hadm_id,
            admission_start=self.bundle.admission_start,
            admission_end=self.bundle.admission_end,
            conversation_lines=tuple(line.published() for line in self.lines),
        )


class PreviousDialogue(Contract):
    """What the patient's next dialogue needs of a staged one; the rest of it is left unread."""

    model_config = ConfigDict(extra="ignore")

    summary: AdmissionSummary = Field(description="The stay's summary")


class TimelineAdmission(Contract):
    """One session of a patient's timeline."""

    hadm_id: str = Field(description="MIMIC admission id")
    admission_start: Timestamp = Field(description="Start of the stay")
    admission_end: Timestamp = Field(description="End of the stay")
    conversation_lines: tuple[ConversationLine, ...] = Field(description="The turns in order")


class Timeline(Contract):
    """``combined_conversation.json``: a patient's sessions by (admission_start, hadm_id)."""

    subject_id: str = Field(description="MIMIC patient id")
    processed_hadm_ids: tuple[str, ...] = Field(description="The sessions' admissions, in order")
    admissions: tuple[TimelineAdmission, ...] = Field(description="The sessions, in order")


class SkippedAdmission(Contract):
    """An admission that has no session, and why."""

    hadm_id: str = Field(description="MIMIC admission id")
    reason: str = Field(description="A reason code such as zero_length_stay")


class CallStats(Contract):
    """Tokens that the patient's dialogues took; null where the provider reports none."""

    mean_input_tokens: float | None = Field(description="Mean over admissions")
    total_input_tokens: int | None = Field(description="Sum over admissions")
    mean_output_tokens: float | None = Field(description="Mean over admissions")
    total_output_tokens: int | None = Field(description="Sum over admissions")


class ConversationStats(Contract):
    """Size of a patient's conversation (tokens over ``turn | time | speaker | text`` lines)."""

    mean_turns: float = Field(description="Mean turns a session")
    total_turns: int = Field(description="Turns of all sessions")
    mean_tokens: float = Field(description="Mean tokens a session")
    total_tokens: int = Field(description="Tokens of all sessions")
    tokenizer: str = Field(description="Name of the tokenizer, o200k_base")


class PatientSummary(Contract):
    """``patient_summary.json``: what was processed and skipped, and its size."""

    subject_id: str = Field(description="MIMIC patient id")
    eligible_admissions: int = Field(description="Admissions with at least one discharge note")
    processed_admissions: int = Field(description="Admissions with a session")
    processed_hadm_ids: tuple[str, ...] = Field(description="Their ids, in time order")
    skipped_admissions: tuple[SkippedAdmission, ...] = Field(description="The others, with reasons")
    llm_call_stats: CallStats = Field(description="Tokens of the dialogue requests")
    conversation_stats: ConversationStats = Field(description="Size of the conversation")
