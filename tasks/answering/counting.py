"""Counts the replies that a system's model gave."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest, Reply
from tasks.contracts.errors import ModelFailed

_REPLIED = ("truncated", "invalid", "refused", "filtered", "prompt_cut")
"""Failures that are replies all the same: they took tokens."""


@dataclass
class CountedModel:
    """A model and the number of its replies, kept ones and unusable ones too."""

    model: ChatModel
    replies: int = 0

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """Answer one request; raises as the model does."""
        try:
            reply = self.model.complete(request)
        except ModelFailed as failure:
            self.replies += failure.outcome in _REPLIED
            raise
        self.replies += 1
        return reply
