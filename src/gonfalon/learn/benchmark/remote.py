"""A program over HTTP as a player. For each decision it is sent what its seat may know, as JSON:

    {"game": "feint", "options": {...}, "rules": "2", "seat": 0, "prompt": "Play a card.",
     "actions": [{"id": "patriot@5", "text": "Play Patriot to Location 5."}, ...],
     "board": {...}, "table": ["...", ...], "log": ["...", ...], "seed": 4711}

and answers `{"action": "patriot@5"}`. `board` and `actions` are those of the API of tables, `table` is the board in
words. Who takes all chance from `seed` and keeps nothing from one decision to the next is measured alike twice.
"""

from __future__ import annotations

import json
import socket
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from time import monotonic
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.bot import BotError
from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.picture import table_in_words
from gonfalon.core.rules.state import State

SECONDS: float = 60.0
"""So long a program may think about one decision."""
LONGEST: Final = 65536
OK: Final = 200


class RemoteBot(Bot):
    """Asks a program."""

    def __init__(self, name: str, game: Game) -> None:
        """Raises OptionError for what is no address."""
        super().__init__(name, game)
        self.address = address_of(name)

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        if len(legal) == 1:
            return Choice(legal[0], "Nothing else is legal.")
        answer = self.answer(self.question(view, rng.seed()))
        try:
            return Choice(self.game.parse(answer), "The program said so.")
        except NotationError as error:
            raise BotError(f"{self.name} answered {answer[:40]!r}: {error}") from None

    def question(self, view: State, seed: int) -> dict[str, Any]:
        """What is sent: all of it is made from the view."""
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
            "table": table_in_words(game, view),
            "log": [words for event in view.log or [] if (words := game.words(event, view, names))],
            "seed": seed,
        }

    def answer(self, question: dict[str, Any]) -> str:
        """The notation that comes back. Raises BotError."""
        text = self.post(json.dumps(question).encode())
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not isinstance(found.get("action"), str):
            raise BotError(f'{self.name} should answer with JSON such as {{"action": "pass"}}.')
        answer: str = found["action"]
        return answer

    def post(self, body: bytes) -> bytes:
        """What the program answers. Raises BotError."""
        end = monotonic() + SECONDS
        status, answer, why = 0, b"", ""
        try:
            status, answer = self.exchanged(body, end)
        except (OSError, HTTPException) as error:
            why = str(error) or type(error).__name__
        if monotonic() >= end:
            raise BotError(f"{self.name} has not answered within {SECONDS:g} seconds.")
        if why:
            raise BotError(f"{self.name} does not answer ({why}).")
        if status != OK:
            raise BotError(f"{self.name} answered with status {status} instead of {OK}.")
        return answer

    def exchanged(self, body: bytes, end: float) -> tuple[int, bytes]:
        """The status and the body that come back. It is asked straight, by no proxy, and followed nowhere else: what a
        view holds is for its seat alone. Raises OSError and HTTPException."""
        kind = HTTPSConnection if self.address.scheme == "https" else HTTPConnection
        path = (self.address.path or "/") + (f"?{self.address.query}" if self.address.query else "")
        with closing(kind(self.address.hostname or "", self.address.port, timeout=SECONDS)) as connection:
            connection.connect()
            # The time limit of a socket begins anew with each byte, so one more is for all of them.
            clock = Timer(end - monotonic(), cut, [connection.sock])
            clock.daemon = True
            clock.start()
            try:
                connection.request("POST", path, body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                return response.status, response.read(LONGEST)
            finally:
                clock.cancel()


def address_of(text: str) -> SplitResult:
    """The parts of an address. Raises OptionError."""
    try:
        found = urlsplit(text)
        if text.isascii() and text.isprintable() and found.hostname and found.port != 0:
            return found
    except ValueError:
        pass
    raise OptionError(f"{text!r:.60} is no address of a program; it should be like http://127.0.0.1:8000/.")


def cut(line: socket.socket) -> None:
    """End a connection in the middle of whatever it is at."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
