"""The sessions that are open in this process, found by what they ask."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from tasks.contracts.errors import SettingError


class Named(Protocol):
    """A specification of a model, by which its session is found."""

    @property
    def model(self) -> str:
        """Name of the model."""
        ...


Spec = TypeVar("Spec", bound=Named)
Session = TypeVar("Session")


class OpenSessions(Generic[Spec, Session]):
    """One session a specification; safe to use from several threads.

    ``kind`` and ``opener`` are what messages call them and what opens one.
    """

    def __init__(self, kind: str, opener: str) -> None:
        self._kind = kind
        self._opener = opener
        self._held: dict[Spec, Session] = {}
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, spec: Spec, session: Session) -> Generator[Session]:
        """Have a session found until the end; raises SettingError where there is one already."""
        with self._lock:
            if spec in self._held:
                raise SettingError(
                    f"a session of the {self._kind} {spec.model} is open in this process"
                )
            self._held[spec] = session
        try:
            yield session
        finally:
            with self._lock:
                del self._held[spec]

    def of(self, spec: Spec) -> Session:
        """The open session of a specification; raises SettingError where there is none."""
        with self._lock:
            session = self._held.get(spec)
        if session is None:
            raise SettingError(
                f"no session of the {self._kind} {spec.model!r} is open in this process: an "
                "endpoint needs its key and limits beside the specification, which a flow gives "
                f"{self._opener}"
            )
        return session
