"""A server that restarts when the package of a game changes; its tables survive."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from gonfalon import cli
from tests.new.installed import new_game, surroundings

pytest.importorskip("watchfiles")

NAME = "border_war"
PROMPT, OTHER_PROMPT = "Choose a card; both are shown at once.", "Pick a card."


class Reloading:
    """A server with `--reload`, and the lines that it prints."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def wait_for(self, text: str) -> None:
        assert self.process.stdout is not None
        assert any(text in line for line in iter(self.process.stdout.readline, ""))

    def ask(self, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
        """Return an answer. While no process serves, the request waits at the listening socket."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
            return json.loads(connection.getresponse().read())

    def ask_until(self, good: Callable[[Any], bool], path: str, token: str = "") -> Any:
        """Ask until a good answer arrives. The process before a restart may still answer, or drop the connection."""
        for _ in range(600):
            try:
                if good(answer := self.ask(path, token=token)):
                    return answer
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError("no such answer")


@contextmanager
def reloading(folder: Path, port: int) -> Iterator[Reloading]:
    command = [sys.executable, "-m", "gonfalon", "serve", "--reload", "--port", str(port)]
    command += ["--database", f"sqlite:///{folder / 'tables.db'}"]
    process = subprocess.Popen(command, env=surroundings(folder, NAME), stdout=subprocess.PIPE, text=True)
    try:
        yield Reloading(process, port)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@pytest.mark.extended
def test_a_change_is_loaded_and_the_table_survives(tmp_path: Path, free_port: Callable[[], int]) -> None:
    words = new_game(NAME, tmp_path) / NAME / "face" / "words.py"
    text = words.read_text("utf-8")
    assert PROMPT in text
    with reloading(tmp_path, free_port()) as server:
        server.wait_for(f"/{NAME}")
        opened = server.ask("/api/tables", {"game": NAME, "seats": ["me", "bot:random"]})
        path, token = f"/api/tables/{opened['table']}", opened["seats"][0]["token"]
        assert server.ask(path, token=token)["decision"]["text"] == PROMPT
        words.write_text(text.replace(PROMPT, OTHER_PROMPT), "utf-8")
        server.wait_for("words.py has changed: the server restarts.")
        view = server.ask_until(lambda found: found["decision"]["text"] == OTHER_PROMPT, path, token)
        assert view["viewer"] == 0
        # Without the broken game the server still has the others.
        words.write_text("CARDS = (", "utf-8")
        server.wait_for("words.py has changed: the server restarts.")
        listed = server.ask_until(lambda found: len(found["games"]) == 4, "/api/games")
        assert NAME not in [game["name"] for game in listed["games"]]
        words.write_text(text, "utf-8")
        view = server.ask_until(lambda found: "decision" in found, path, token)
        assert view["decision"]["text"] == PROMPT


@pytest.mark.parametrize("option", ["--workers=2", "--metrics=9100"])
def test_several_processes_and_metrics_are_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--reload", option]) == cli.BAD_INPUT
    assert "With --reload the server is one process" in capsys.readouterr().err
