"""A server that sends invalid answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from gonfalon.core.text.untrusted import printable
from gonfalon.terminal.games.server import MAX_ANSWER_BYTES
from tests.cli.conftest import Run, own_folder, run

__all__ = ["own_folder", "run"]

HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnitirw\u2066"
VIEW: dict[str, Any] = {
    "game": "nothing-here",
    "title": HOSTILE,
    "version": 1,
    "viewer": "spectator",
    "stage": "over",
    "names": [HOSTILE, "Bo"],
    "seats": [{"seat": 0, "asked": False}, {"seat": 1, "asked": False}],
    "board": {},
    "prompt": HOSTILE,
    "decision": None,
    "request": None,
    "log": [{"n": number, "text": f"{HOSTILE} {number}", "indent": 0} for number in range(3)],
    "over": {"text": HOSTILE, "ended": None},
    "moments": 0,
    "clock": None,
    "can_take_back": False,
    "can_ask_back": False,
}
COMPANY = {"seats": ["here", HOSTILE], "says": [None, None], "watching": 1}


def encode_answer(found: object, **headers: str) -> bytes:
    """Return a complete answer with this value as JSON."""
    body = found if isinstance(found, bytes) else json.dumps(found).encode()
    lines = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    head = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
    return f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + body


def encode_refusal(detail: str) -> bytes:
    """Return a refusal with a sentence."""
    return encode_answer({"detail": detail}).replace(b"200 OK", b"403 Forbidden", 1)


@contextmanager
def answering(answer: Callable[[str], bytes]) -> Iterator[str]:
    """Serve these bytes for each path and yield the link of a table."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.wfile.write(answer(self.path))
            self.close_connection = True

        do_POST = do_GET  # noqa: N815 (the name that is called)

        def log_message(self, format: str, *args: object) -> None:
            """Suppress the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/t/table/watch/"
        finally:
            server.shutdown()
            thread.join()


def check_output(said: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return the terminal's output after checking that it holds no control sequence."""
    for text in said[1:]:
        assert printable(text) == text
        assert "Traceback" not in text
    return said


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_server_text_cannot_control_the_terminal(run: Run, plain: list[str]) -> None:
    def answer(path: str) -> bytes:
        if "/stream" in path:
            return encode_answer(json.dumps({"company": COMPANY}).encode() + b"\n" + json.dumps(VIEW).encode() + b"\n")
        return encode_answer({"text": HOSTILE} if path.endswith("/words") else VIEW)

    with answering(answer) as link:
        code, out, err = check_output(run("watch", *plain, link))
    assert (code, err) == (0, "")
    assert out.count("\ufffd[2J") > 5


def test_a_refusal_steers_no_terminal(run: Run) -> None:
    with answering(lambda path: encode_refusal(HOSTILE)) as link:
        code, out, err = check_output(run("join", "--plain", link))
    assert (code, out) == (2, "")
    assert err.startswith("gonfalon: \ufffd[2J")


@pytest.mark.parametrize(
    "found",
    [
        [],
        "text",
        None,
        {},
        {"game": 3},
        {"game": ["feint"], "viewer": {}},
        b"[" * 100_000,
        VIEW | {"game": "feint", "board": {"cards": HOSTILE}},
        VIEW | {"names": None},
        VIEW | {"version": "one", "moments": 1},
        VIEW | {"moments": 1e400, "stage": "playing"},
        VIEW | {"over": {"text": [], "ended": [1]}, "names": [1, 2]},
        VIEW | {"clock": {"seats": [{"left": "x", "since": "y"}]}},
    ],
)
def test_a_malformed_answer_gives_one_sentence(run: Run, found: object) -> None:
    def answer(path: str) -> bytes:
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        return encode_answer(body + b"\n" if "/stream" in path else body)

    with answering(answer) as link:
        code, _, err = check_output(run("watch", "--plain", link))
    assert code == 2
    assert "cannot be read" in err


@pytest.mark.parametrize("path", ["/api", "/stream"])
def test_an_answer_without_an_end_is_left_at_the_limit(run: Run, path: str) -> None:
    whole = encode_answer(b"[" * (MAX_ANSWER_BYTES + 2), **{"X-Long": "yes"})

    with answering(lambda asked: whole if path in asked else encode_answer(VIEW)) as link:
        code, _, err = check_output(run("watch", "--plain", link))
    assert (code, err) == (2, "gonfalon: The server's answer is larger than 8 MB.\n")
