"""A table of two people, one of whom has a failing connection."""

from __future__ import annotations

from typing import Any

from tests.web.served import Served


class Two:
    """A table of Jinkei opened by May, with Bo."""

    def __init__(self, served: Served, ready: bool = True) -> None:
        self.served = served
        _, opened, _ = served.ask("POST", "/api/tables", {"game": "jinkei", "seats": ["me", "open"], "name": "May"})
        self.key: str = opened["table"]
        self.path = f"/api/tables/{self.key}"
        self.invitation: str = opened["invitation"]
        self.tokens: list[str] = [opened["seats"][0]["token"]]
        self.page = f"/t/{self.key}/{self.tokens[0]}/"
        if ready:
            self.sit()

    def sit(self) -> None:
        """Let Bo join, which starts the game."""
        _, bo, _ = self.served.ask("POST", f"{self.path}/seats", {"name": "Bo", "nonce": "b" * 24}, self.invitation)
        self.tokens.append(bo["token"])

    def view(self, seat: int = 0) -> dict[str, Any]:
        view: dict[str, Any] = self.served.ask("GET", self.path, token=self.tokens[seat])[1]
        return view

    def version(self, token: str = "") -> int:
        """Return the version of a seat's or spectator's view."""
        return int(self.served.ask("GET", self.path, token=token)[1]["version"])

    def act(self) -> None:
        """Make a decision for a seat by the API."""
        for seat, token in enumerate(self.tokens):
            view = self.view(seat)
            if view["decision"]:
                move = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
                assert self.served.ask("POST", f"{self.path}/actions", move, token)[0] == 200
                return
        raise AssertionError("nobody is asked")
