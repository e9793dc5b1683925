"""A headless Chromium, driven over its DevTools protocol: no driver to install, no network."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect
from websockets.sync.connection import Connection

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
    "--window-size=1400,1600",
    "--remote-debugging-port=0",
)
START_SECONDS = 60.0
SHOW_SECONDS = 45.0


class Page:
    """One page of the browser."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._number = 0
        self._session: str | None = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]

    def open(self, address: str) -> None:
        """Go to an address."""
        self._call("Page.navigate", url=address)

    def text(self) -> str:
        """What a reader sees of the page, title first."""
        return str(self._evaluate("document.title + '\\n' + (document.body?.innerText ?? '')"))

    def wait_for(self, *parts: str) -> str:
        """The page's text, once it holds every part."""
        deadline = time.monotonic() + SHOW_SECONDS
        while True:
            text = self.text()
            missing = [part for part in parts if part not in text]
            if not missing:
                return text
            if time.monotonic() > deadline:
                raise AssertionError(f"the page does not show {missing}; it shows:\n{text}")
            time.sleep(0.1)

    def click(self, label: str) -> None:
        """Click the innermost visible element whose text is ``label``, once there is one."""
        found = (
            "[...document.body.querySelectorAll('*')]"
            ".filter(one => one.checkVisibility())"
            f".filter(one => one.innerText?.trim() === {json.dumps(label)}).at(-1)"
        )
        deadline = time.monotonic() + SHOW_SECONDS
        while not self._evaluate(f"(() => {{ const it = {found}; it?.click(); return !!it }})()"):
            if time.monotonic() > deadline:
                raise AssertionError(f"nothing to click reads {label!r}:\n{self.text()}")
            time.sleep(0.1)

    def drawings(self) -> list[tuple[int, int]]:
        """Width and height of every drawing as it is shown, in pixels."""
        sizes = (
            "[...document.querySelectorAll('svg')].map(one => one.getBoundingClientRect())"
            ".map(one => [Math.round(one.width), Math.round(one.height)])"
        )
        return [(width, height) for width, height in self._evaluate(sizes)]

    def fetched(self) -> list[str]:
        """Addresses that the page asked for beside its own."""
        return list(self._evaluate("performance.getEntriesByType('resource').map(one => one.name)"))

    def save(self, picture: Path) -> None:
        """Save what the page looks like."""
        picture.write_bytes(base64.b64decode(self._call("Page.captureScreenshot")["data"]))

    def _evaluate(self, expression: str) -> Any:
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._connection.send(json.dumps(message))
        while True:
            # Events come in between and are of no interest.
            answer = json.loads(self._connection.recv(timeout=START_SECONDS))
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']['message']}")
                return answer["result"]


def chromium() -> str:
    """The browser's path; a machine without one fails the test that needs it."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise AssertionError(
        "Chromium is needed to look at Prefect's pages and was not found: "
        "install Debian's package (apt-get install chromium); .ci/run does"
    )


@contextmanager
def browsing(folder: Path) -> Generator[Page]:
    """A page of a browser that keeps its profile in ``folder`` and ends with the block."""
    command = [chromium(), *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    with (folder / "chromium.log").open("wb") as log:
        browser = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        address = _address(folder, browser)
        with connect(address, max_size=None, proxy=None, open_timeout=START_SECONDS) as connection:
            yield Page(connection)
    finally:
        browser.terminate()
        try:
            browser.wait(timeout=20)
        except subprocess.TimeoutExpired:
            browser.kill()
            browser.wait()


def _address(folder: Path, browser: subprocess.Popen[bytes]) -> str:
    """Where the browser listens; it writes the port and the path into its profile."""
    noted = folder / "DevToolsActivePort"
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and browser.poll() is None:
        lines = noted.read_text().split() if noted.exists() else []
        if len(lines) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(0.05)
    log = (folder / "chromium.log").read_text(errors="replace")
    raise AssertionError(f"Chromium did not start:\n{log[-2000:]}")
