"""What a server and a model's family take, and what is learnt of them from their refusals."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace

from tasks.adapters.llm.servers import Family, Server

_log = logging.getLogger(__name__)

_LOWER_FORMAT = {"json_schema": "json_object", "json_object": "none"}
_OTHER_PARAMETER = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}


@dataclass(frozen=True)
class Dialect:
    """What the server and the model's family take; ``changed`` names what was learnt of them."""

    server: Server
    family: Family
    changed: frozenset[str] = frozenset()

    @property
    def changeable(self) -> tuple[str, ...]:
        """Parameters that can be left out or sent otherwise."""
        names = [self.family.output_parameter]
        names += ["temperature"] if self.family.temperature else []
        names += ["seed"] if self.family.seed else []
        names += ["response_format"] if self.server.response_format != "none" else []
        return tuple(names)

    def without(self, parameter: str) -> Dialect | None:
        """The dialect that does without a parameter; None where that was tried before."""
        # A level of response_format each time; every other parameter once.
        if parameter not in self.changeable or parameter in self.changed:
            return None
        changed = self.changed | {parameter}
        if parameter == "response_format":
            lower = _LOWER_FORMAT[self.server.response_format]
            server = self.server.model_copy(update={"response_format": lower})
            return replace(self, server=server)
        if parameter in _OTHER_PARAMETER:
            other = _OTHER_PARAMETER[parameter]
            family = self.family.model_copy(update={"output_parameter": other})
            return replace(self, family=family, changed=changed | {other})
        family = self.family.model_copy(update={parameter: False})
        return replace(self, family=family, changed=changed)


class Dialects:
    """The dialect of a session: configured once, changed where the model refuses a parameter."""

    def __init__(self, configured: Dialect) -> None:
        self.configured = configured
        self._current = configured
        self._lock = threading.Lock()

    @property
    def current(self) -> Dialect:
        """What requests are made by now."""
        return self._current

    def refused(self, used: Dialect, parameter: str) -> bool:
        """A request made by ``used`` was refused for a parameter; whether to ask again."""
        with self._lock:
            if used != self._current:
                return True
            changed = used.without(parameter)
            if changed is None:
                return False
            self._current = changed
        setting = "server" if parameter == "response_format" else "model_family"
        _log.warning(
            "the model doesn't take %s as it was sent: it is left out or sent otherwise from now "
            "on. Choose a %s that says so (now %r) to save the refused request",
            parameter,
            setting,
            used.server.name if setting == "server" else used.family.name,
        )
        return True
