"""A place of its own for processes: homes, temporary folder, working folder, outputs, server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.live.command import SECONDS

PLUGINS = Path(__file__).parent / "plugins"
CHECKOUT = Path(__file__).parents[2]
ANAMNESIS = (sys.executable, "-m", "flows.cli")
_FOLDERS = {
    "HOME": "home",
    "PREFECT_HOME": "prefect",
    "TMPDIR": "tmp",
    "XDG_CACHE_HOME": "xdg/cache",
    "XDG_CONFIG_HOME": "xdg/config",
    "XDG_DATA_HOME": "xdg/data",
}
_OF_THE_TESTS = ("PREFECT_", "ANAMNESIS_", "XDG_", "PYTHON", "GX_", "MPL", "DO_NOT_TRACK")


@dataclass
class Site:
    """Folders below ``root``; ``told`` collects what processes wrote to their streams."""

    root: Path
    patience_seconds: float = SECONDS
    """How long a command may take."""
    told: list[Path] = field(default_factory=list[Path])

    def __post_init__(self) -> None:
        for name in (*_FOLDERS.values(), "cwd", "told"):
            (self.root / name).mkdir(parents=True)

    def environment(self, **others: str) -> dict[str, str]:
        """This machine's environment with the site's folders and nothing else of these tests."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(_OF_THE_TESTS)
        }
        folders = {name: str(self.root / folder) for name, folder in _FOLDERS.items()}
        return {**kept, **folders, "PYTHONPATH": f"{PLUGINS}{os.pathsep}{CHECKOUT}", **others}

    def anamnesis(self, *arguments: str, **others: str) -> int:
        """Run the command line in the site's working folder; its exit code."""
        return self.run((*ANAMNESIS, *arguments), self.root / "cwd", others)

    def run(self, command: Iterable[str], folder: Path, others: dict[str, str]) -> int:
        """Run a command and keep what it says; its exit code."""
        log = self.root / "told" / f"{len(self.told)}.log"
        self.told.append(log)
        with log.open("wb") as stream:
            return subprocess.run(
                list(command),
                env=self.environment(**others),
                cwd=folder,
                stdout=stream,
                stderr=stream,
                stdin=subprocess.DEVNULL,
                timeout=self.patience_seconds,
                check=False,
            ).returncode

    def last_words(self) -> str:
        """What the last command wrote."""
        return self.told[-1].read_text(encoding="utf-8", errors="replace")

    def files_outside(self, *allowed: str) -> Iterator[Path]:
        """Every file of the site that isn't below a folder of one of the names in ``allowed``."""
        for path in sorted(self.root.rglob("*")):
            if path.is_file() and not set(path.relative_to(self.root).parts) & set(allowed):
                yield path
