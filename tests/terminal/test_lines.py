"""A server's tables line by line through pipes: typed lines play a game, and arrivals and departures are announced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.terminal.test_joined import Friend, opened
from tests.web.served import Served, serving

pytestmark = pytest.mark.extended
CLI = "import sys; from gonfalon.cli import main; sys.exit(main())"


@pytest.fixture
def served(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path, free_port()) as served:
        yield served


class Typed:
    """A command with input from a pipe and output to a file."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.path = folder / f"said-{time.monotonic_ns()}"
        env = {**os.environ, "XDG_DATA_HOME": str(folder / "home")}
        env.pop("PYTHONUNBUFFERED", None)
        call = [sys.executable, "-c", CLI, *words]
        with self.path.open("w") as out:
            self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=out, stderr=out, env=env)

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    @property
    def said(self) -> str:
        return self.path.read_text()

    def wait(self, what: str) -> None:
        """Wait until the output contains a text."""
        deadline = time.monotonic() + 30
        while what not in self.said:
            assert time.monotonic() < deadline, self.said
            assert self.process.poll() is None or what in self.said, self.said
            time.sleep(0.02)

    def end(self) -> int:
        code = self.process.wait(30)
        with suppress(BrokenPipeError):
            self.process.__exit__(None, None, None)
        return code


def test_a_pipe_plays_a_game_to_its_end(served: Served, tmp_path: Path) -> None:
    """All lines are in the pipe before any question, and each waits for its question."""
    key, token, link = opened(served)
    friend = Friend(served, key, token)
    friend.start()
    ada = Typed(tmp_path, "join", link, "--plain", "--name", "Ada")
    ada.type("say hello", *["1"] * 400)
    assert ada.end() == 0
    friend.join(20)
    said = ada.said
    assert "\x1b" not in said
    assert "(Bo is here)" in said
    assert "Traceback" not in said
    assert said.count("Round 1") > 2
    assert friend.over
    assert "Victory." in said or "Defeat." in said


def test_typed_lines_get_answers_and_the_table_waits(served: Served, tmp_path: Path) -> None:
    key, token, link = opened(served, "feint")
    ada = Typed(tmp_path, "join", link, "--plain", "--name", "Ada")
    ada.wait("* ")
    _, view, _ = served.ask("GET", f"/api/tables/{key}", None, token)
    assert view["names"] == ["Bo", "Ada"]
    friend = Friend(served, key, token)
    while (view := served.ask("GET", f"/api/tables/{key}", None, token)[1])["decision"]:
        body = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
        assert served.ask("POST", f"{friend.path}/actions", body, token)[0] == 200
    ada.wait(" 1  ")
    ada.type("why not 1", "who", "help")
    for said in ("This is legal. Type it to choose it.", "why not ACTION", "(Bo is"):
        ada.wait(said)
    assert served.ask("POST", f"{friend.path}/emotes", {"emote": "well"}, token)[0] == 200
    ada.wait("Bo: Well played!")
    served.stop(signal.SIGKILL)
    ada.wait("(connection lost, reconnecting)")
    served.start()
    ada.wait("(the connection is back)")
    ada.type("quit")
    assert ada.end() == 0
    assert "Return with `gonfalon join" in ada.said
