"""A program over HTTP as a player. For each decision it is sent what its seat may know, as JSON:

    {"game": "feint", "options": {...}, "rules": "2", "seat": 0, "prompt": "Play a card.",
     "actions": [{"id": "patriot@5", "text": "Play Patriot to Location 5."}, ...],
     "board": {...}, "table": ["...", ...], "log": ["...", ...], "seed": 4711}

and answers `{"action": "patriot@5"}`. `board` and `actions` are those of the API of tables, `table` is the board in
words. Who takes all chance from `seed` and keeps nothing from one decision to the next is measured alike twice.
"""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any, Final
from urllib.request import Request, urlopen

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.bot import BotError
from gonfalon.core.errors import NotationError
from gonfalon.core.picture import table_in_words
from gonfalon.core.rng import Rng
from gonfalon.core.state import State

SECONDS: Final = 60.0
"""So long a program may think about one decision."""
LONGEST: Final = 65536


class RemoteBot(Bot):
    """Asks a program."""

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
        body = json.dumps(question).encode()
        try:
            with urlopen(Request(self.name, body, {"Content-Type": "application/json"}), timeout=SECONDS) as response:
                found = json.loads(response.read(LONGEST))
        except (OSError, HTTPException) as error:
            raise BotError(f"{self.name} does not answer ({error}).") from None
        except ValueError:
            found = None
        if not isinstance(found, dict) or not isinstance(found.get("action"), str):
            raise BotError(f'{self.name} should answer with JSON such as {{"action": "pass"}}.')
        answer: str = found["action"]
        return answer
