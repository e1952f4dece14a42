"""The controls of a decision of Faction Wars."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules import page
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.armies import Worth, build_worth
from gonfalon.games.factionwars.face.cards import Printed, build_printed
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState


class Choice(page.Choice):
    """An action as a button, with the card, seat or place that it names."""

    card: NotRequired[Printed]
    seat: NotRequired[Seat]
    place: NotRequired[int]
    worth: NotRequired[Worth]


class Barred(TypedDict):
    """A seat that cannot be chosen, and the reason."""

    seat: Seat
    why: str


class Controls(TypedDict):
    """The controls of a decision: `mode` is the prompt, `kind` the sort of the choices, `why` the reasons against
    others."""

    mode: str | None
    kind: str | None
    choices: list[Choice]
    why: dict[str, str]
    barred: NotRequired[list[Barred]]
    rule: NotRequired[str]


def build_controls(game: FactionWords, s: FactionState) -> Controls:
    """Return the controls of the viewer's decision."""
    seat = s.turn
    if seat < 0 or seat != s.viewer:
        return {"mode": None, "kind": None, "choices": [], "why": {}}
    asked = s.stack[-1].prompt
    legal = s.actions
    armies = [s.count_owned(one) for one in range(game.seats)]
    choices: list[Choice] = []
    for action in legal:
        choice: Choice = {"id": game.notation(action), "text": game.describe(s, action)}
        if CARD <= action < CARD + len(game.entries):
            choice["card"] = build_printed(game, action - CARD)
            if asked in ("keep", "exchange"):
                choice["worth"] = build_worth(game, s, seat, action - CARD, armies)
        elif TO <= action < CARD:
            choice["seat"] = action - TO
        else:
            choice["place"] = action - TAKE + 1
        choices.append(choice)
    kind = "place" if asked == "select" else "seat" if asked in ("bystander", "victim", "parley") else "card"
    why = {
        game.notation(action): s.reason(seat, action) for action in list_offered(game, s, asked) if action not in legal
    }
    # The viewer's own seat is left out: a button for it would be noise.
    barred: list[Barred] = [
        {"seat": action - TO, "why": s.reason(seat, action)}
        for action in (list_offered(game, s, asked) if kind == "seat" else ())
        if action not in legal and action != TO + seat
    ]
    shown: Controls = {"mode": asked, "kind": kind, "choices": choices, "why": why}
    return {**shown, "barred": barred, "rule": messages.PLAIN[asked]}


def list_offered(game: FactionWords, s: FactionState, asked: str) -> list[Action]:
    """Return the actions that a page shows as choices, legal or not."""
    if asked == "select":
        return [TAKE + place for place in range(game.setup.size)]
    if asked in ("bystander", "victim", "parley"):
        return [TO + other for other in range(game.seats)]
    if asked == "exchange":
        return [CARD + kind for kind in sorted({card & KIND for card in s.discard})]
    owned = s.count_owned(s.turn) if asked in ("desert", "gift") else []
    return [CARD + kind for kind, count in enumerate(owned) if count]
