"""A program over HTTP as a player. For each decision it receives its seat's view as JSON:

    {"game": "feint", "options": {...}, "rules": "2", "seat": 0, "prompt": "Play a card.",
     "actions": [{"id": "patriot@5", "text": "Play Patriot to 5."}, ...],
     "board": {...}, "table": ["...", ...], "log": ["...", ...], "seed": 4711}

and answers `{"action": "patriot@5"}`. `board` and `actions` are those of the API of tables, `table` is the board in
words. The figures of a program are reproducible if it takes all chance from `seed` and keeps no data between decisions.
"""

from __future__ import annotations

import json
import socket
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from time import monotonic
from typing import Final
from urllib.parse import SplitResult, urlsplit

from gonfalon.bots.outside import messages
from gonfalon.bots.outside.faults import FaultError
from gonfalon.bots.outside.program import Limits, ProgramBot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice, Fault
from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.picture import write_table
from gonfalon.core.rules.state import State

LIMITS: Final = Limits()
"""The limits of a program over HTTP."""
STATUS_OK: Final = 200
"""HTTP status of an answer."""


class RemoteBot(ProgramBot):
    """A bot that sends its decisions to a program."""

    limits = LIMITS

    def __init__(self, name: str, game: Game) -> None:
        """Check the address of the program.

        Raises:
            OptionError: The name is not an address.
        """
        super().__init__(name, game)
        self.address = parse_address(name)

    def ask(self, view: State, budget: Budget, seed: int) -> Choice:
        answer = self.answer(self.question(view, seed))
        try:
            action = self.game.parse(answer)
        except NotationError as error:
            raise FaultError(Fault.UNREADABLE, f"{answer[:40]!r}: {error}") from None
        if action not in view.legal(view.viewer):
            raise FaultError(Fault.ILLEGAL, messages.NOT_LEGAL.format(action=answer[:40]))
        return Choice(action, messages.PROGRAM_CHOSE)

    def question(self, view: State, seed: int) -> dict[str, object]:
        """Return the request, which follows from the view alone."""
        game, names = self.game, self.game.seat_names()
        return {
            "game": game.name,
            "options": game.shown_options(),
            "rules": game.rules_version,
            "seat": view.viewer,
            "prompt": game.prompt(view, names),
            "actions": [
                {"id": game.notation(one), "text": game.describe(view, one)} for one in view.legal(view.viewer)
            ],
            "board": game.board(view),
            "table": write_table(game, view),
            "log": [line["text"] for line in list_lines(game, view, names)],
            "seed": seed,
        }

    def answer(self, question: dict[str, object]) -> str:
        """Return the notation in the program's answer.

        Raises:
            FaultError: The program does not answer with an action.
        """
        text = self.post(json.dumps(question).encode())
        if len(text) > self.limits.answer_bytes:
            raise FaultError(Fault.TOO_LONG)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not isinstance(found.get("action"), str):
            raise FaultError(Fault.UNREADABLE, messages.NOT_JSON)
        answer: str = found["action"]
        return answer

    def post(self, body: bytes) -> bytes:
        """Return the program's answer.

        Raises:
            FaultError: The program does not answer in time, or with an error.
        """
        seconds = self.limits.seconds
        end = monotonic() + seconds
        status, answer, why = 0, b"", ""
        try:
            status, answer = self.exchange(body, end)
        except (OSError, HTTPException) as error:
            why = str(error) or type(error).__name__
        # The timer may have cut the connection, which looks like another error.
        if monotonic() >= end:
            raise FaultError(Fault.SLOW, messages.NO_ANSWER.format(seconds=seconds), ended=True)
        if why:
            raise FaultError(Fault.CRASHED, why, ended=True)
        if status != STATUS_OK:
            raise FaultError(Fault.CRASHED, messages.STATUS.format(status=status))
        return answer

    def exchange(self, body: bytes, end: float) -> tuple[int, bytes]:
        """Return the status and the body of the answer.

        The request uses no proxy and follows no redirect, because the view is meant for its seat alone.

        Raises:
            OSError: The connection failed.
            HTTPException: The answer is not HTTP.
        """
        kind = HTTPSConnection if self.address.scheme == "https" else HTTPConnection
        path = (self.address.path or "/") + (f"?{self.address.query}" if self.address.query else "")
        with closing(kind(self.address.hostname or "", self.address.port, timeout=self.limits.seconds)) as connection:
            connection.connect()
            # A socket's timeout restarts with each byte, so this timer limits the whole exchange.
            clock = Timer(end - monotonic(), shut_down, [connection.sock])
            clock.daemon = True
            clock.start()
            try:
                connection.request("POST", path, body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                return response.status, response.read(self.limits.answer_bytes + 1)
            finally:
                clock.cancel()


def parse_address(text: str) -> SplitResult:
    """Return the parts of an address.

    Raises:
        OptionError: It is not the address of a program.
    """
    try:
        found = urlsplit(text)
        # Control characters in an address could add lines to the head of the request.
        if text.isascii() and text.isprintable() and found.hostname and found.port != 0:
            return found
    except ValueError:
        pass
    raise OptionError(messages.BAD_ADDRESS.format(text=f"{text!r:.60}"))


def shut_down(line: socket.socket) -> None:
    """Shut down a connection in use."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
