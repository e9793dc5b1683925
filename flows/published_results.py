"""Results published for MedLoCoMo, on its own data and judge: shown beside ours, never mixed in."""

from __future__ import annotations

from typing import NamedTuple


class FullContextResult(NamedTuple):
    """A published system with the whole conversation in its prompt; all in percent."""

    system: str
    f1: float
    judge: float
    abstention: float
    score: float


class MemoryResult(NamedTuple):
    """A published memory or retrieval strategy with Gemma3-27B; scores in percent."""

    strategy: str
    score: float
    single_admission: float
    cross_admission: float


FULL_CONTEXT = (
    FullContextResult("GPT-5.1", 21.1, 64.2, 90.2, 72.8),
    FullContextResult("Qwen3.5-27B", 26.1, 56.1, 92.3, 68.1),
    FullContextResult("Qwen3.5-9B", 24.4, 58.4, 38.8, 51.8),
    FullContextResult("Gemma3-27B", 19.4, 33.9, 53.0, 40.3),
    FullContextResult("MedGemma-27B", 10.2, 25.1, 64.6, 38.2),
    FullContextResult("Lingshu-32B", 9.8, 24.8, 0.0, 16.5),
)

MEMORY = (
    MemoryResult("mem0", 57.6, 64.2, 50.9),
    MemoryResult("mem0-star", 57.6, 65.1, 50.1),
    MemoryResult("mem-alpha", 52.1, 55.0, 49.3),
    MemoryResult("bm25", 44.9, 47.9, 42.0),
    MemoryResult("dense", 43.6, 44.3, 43.0),
)
