"""Seats at tables with fixed deals, played through the API up to a position for a picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from gonfalon.core.basics.rng import Rng
from tests.web.served import Served

View = dict[str, Any]
"""A seat's view of a table in the API."""
When = Callable[[View], bool]
"""A condition on a view."""
MAX_WAIT_SECONDS: Final = 60
"""Maximum number of seconds to wait for bots."""


class NeverComesError(Exception):
    """An error if the game ends before the wanted position."""


class Seat:
    """The own seat at a table against others."""

    def __init__(self, served: Served, game: str, *others: str, **options: object) -> None:
        opening = {"game": game, "options": options, "name": "May", "seats": ["me", *others]}
        status, opened, _ = served.ask("POST", "/api/tables", opening)
        assert status == 201, opened
        self.served = served
        self.key: str = opened["table"]
        self.token: str = opened["seats"][0]["token"]
        self.invitation: str | None = opened["invitation"]
        self.rng = Rng(4)

    @property
    def page(self) -> str:
        return f"/t/{self.key}/{self.token}/"

    def moment(self, number: int) -> str:
        return f"{self.page}moment?n={number}"

    def latest(self, view: View, name: str) -> int:
        """Return the number of the latest moment with this name in the last round; 0 if there was none."""
        for number in range(view["moments"], max(0, view["moments"] - 16), -1):
            _, moment, _ = self.served.ask("GET", f"/api/tables/{self.key}/moments/{number}", token=self.token)
            if moment.get("name") == name:
                return number
        return 0

    def view(self) -> View:
        """Return the view at the seat's next decision, or at the end of the game."""
        until = time.monotonic() + MAX_WAIT_SECONDS
        while time.monotonic() < until:
            view: View
            _, view, _ = self.served.ask("GET", f"/api/tables/{self.key}", token=self.token)
            if view["over"] or view["decision"]:
                return view
            time.sleep(0.01)
        raise AssertionError("nobody is asked")

    def act(self, view: View, action: str) -> None:
        move = {"expected": view["version"], "actions": [action]}
        status, told, _ = self.served.ask("POST", f"/api/tables/{self.key}/actions", move, self.token)
        assert status == 200, told

    def play_until(self, wanted: When) -> View:
        """Play until a view meets a condition."""
        while not wanted(view := self.view()):
            if view["over"]:
                raise NeverComesError
            self.act(view, self.choose(view))
        return view

    def choose(self, view: View) -> str:
        """Return any action that is not a pass. In Generals few generals are recruited, and those advance."""
        ids = [action["id"] for action in view["decision"]["actions"]]
        if view["decision"]["prompt"] == "main":
            hand = view["board"]["seats"][view["board"]["me"]]["hand"]
            cheap = {card["slug"] for card in hand if card["type"] == "character" and card["price"]["now"] < 3}
            return next((id for id in ids if "#" in id or (id in cheap and len(hand) > 5)), "end")
        ids = [id for id in ids if id != "pass"] or ids
        return str(ids[int(self.rng.below(len(ids)))])


def is_asked(prompt: str, version: int = 0) -> When:
    """Return a condition: the seat has this decision, after a number of decisions of the game."""
    return lambda view: view["version"] >= version and bool(view["decision"]) and view["decision"]["prompt"] == prompt


def is_over(view: View) -> bool:
    return bool(view["over"])
