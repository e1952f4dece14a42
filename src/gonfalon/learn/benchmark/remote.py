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

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.bot import BotError
from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.picture import write_table
from gonfalon.core.rules.state import State

MAX_SECONDS: float = 60.0
"""Maximum time for a decision, in seconds."""
MAX_ANSWER_BYTES: Final = 65536
"""Maximum size of an answer, in bytes."""
STATUS_OK: Final = 200
"""HTTP status of an answer."""


class RemoteBot(Bot):
    """A bot that sends its decisions to a program."""

    def __init__(self, name: str, game: Game) -> None:
        """Check the address of the program.

        Raises:
            OptionError: The name is not an address.
        """
        super().__init__(name, game)
        self.address = parse_address(name)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "No other action is legal.")
        answer = self.answer(self.question(view, rng.seed()))
        try:
            return Choice(self.game.parse(answer), "The program chose it.")
        except NotationError as error:
            raise BotError(f"{self.name} answered {answer[:40]!r}: {error}") from None

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
            BotError: The program does not answer with an action.
        """
        text = self.post(json.dumps(question).encode())
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not isinstance(found.get("action"), str):
            raise BotError(f'{self.name} must answer with JSON such as {{"action": "pass"}}.')
        answer: str = found["action"]
        return answer

    def post(self, body: bytes) -> bytes:
        """Return the program's answer.

        Raises:
            BotError: The program does not answer in time, or with an error.
        """
        end = monotonic() + MAX_SECONDS
        status, answer, why = 0, b"", ""
        try:
            status, answer = self.exchange(body, end)
        except (OSError, HTTPException) as error:
            why = str(error) or type(error).__name__
        # The timer may have cut the connection, which looks like another error.
        if monotonic() >= end:
            raise BotError(f"{self.name} did not answer within {MAX_SECONDS:g} seconds.")
        if why:
            raise BotError(f"{self.name} does not answer ({why}).")
        if status != STATUS_OK:
            raise BotError(f"{self.name} answered with status {status} instead of {STATUS_OK}.")
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
        with closing(kind(self.address.hostname or "", self.address.port, timeout=MAX_SECONDS)) as connection:
            connection.connect()
            # A socket's timeout restarts with each byte, so this timer limits the whole exchange.
            clock = Timer(end - monotonic(), shut_down, [connection.sock])
            clock.daemon = True
            clock.start()
            try:
                connection.request("POST", path, body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                return response.status, response.read(MAX_ANSWER_BYTES)
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
    raise OptionError(f"{text!r:.60} is not the address of a program, such as http://127.0.0.1:8000/.")


def shut_down(line: socket.socket) -> None:
    """Shut down a connection in use."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
