"""How a page of Feint asks for a decision."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.page import Choice, Page
from gonfalon.core.rules.state import Seat
from gonfalon.games.feint.face import refusals
from gonfalon.games.feint.rules.actions import PASS
from gonfalon.games.feint.rules.cards import Kind, Knight
from gonfalon.games.feint.rules.state import FeintState


class PlayableCard(TypedDict):
    """Where a card may be played, and why not elsewhere."""

    places: list[int]
    why: dict[str, str | None]
    announce: bool
    why_all: str | None
    """Why nowhere; of a card with one Location of its own, why not there."""
    told: bool
    """Whether its own text names the one Location it may go to."""


# "pass" is no name of a class's attribute.
_Pass = TypedDict("_Pass", {"pass": bool})


class Controls(_Pass):
    """How a page asks the viewer's decision: marks to discard, a card with its Location, or a choice."""

    mode: str | None
    cards: dict[str, PlayableCard]
    source: NotRequired[str]
    confirm_pass: str | None
    choices: list[Choice]


def build_controls(game: Page, s: FeintState) -> Controls:
    """Return the controls of the viewer's decision."""
    shown: Controls = {"mode": None, "cards": {}, "pass": False, "confirm_pass": None, "choices": []}
    seat = s.turn
    if seat < 0 or seat != s.viewer:
        return shown
    asked = s.stack[-1].prompt
    if asked == "reinforce":
        shown["mode"] = "reinforce"
    elif asked in ("deploy", "play-one", "conjure"):
        source = s.discard[seat] if asked == "conjure" else s.hand[seat]
        shown["mode"] = "play"
        shown["source"] = "discard" if asked == "conjure" else "hand"
        shown["cards"] = {s.kinds[k].slug: playable_card(s, s.kinds[k]) for k in sorted({c & KIND for c in source})}
        shown["pass"] = PASS in s.actions
        shown["confirm_pass"] = warn_of_pass(s, seat) if asked == "deploy" else None
    else:
        shown["mode"] = "choice"
        shown["choices"] = game.buttons(s, s.actions)
    return shown


def playable_card(s: FeintState, kind: Kind) -> PlayableCard:
    """Return the Locations for a card of the hand, with a reason for each of the others."""
    legal = set(s.actions)
    numbers = s.setup.numbers
    announce = kind.base - 1 in legal
    places = [numbers[p] for p in range(s.places) if kind.base + p in legal]
    barred = [p for p in range(s.places) if kind.base + p not in legal]
    why = {str(numbers[p]): refusals.why_not_at(s, kind, p) for p in barred}
    told = isinstance(kind, Knight)
    own = str(numbers[kind.place]) if isinstance(kind, Knight) and kind.place >= 0 else ""
    hopeless = None if announce or places else why.get(own) or next(iter(why.values()), None)
    return {"places": places, "why": why, "announce": announce, "why_all": hopeless, "told": told}


def warn_of_pass(s: FeintState, seat: Seat) -> str | None:
    """Return a warning where the loss of this round would end the game."""
    risk, left = s.fielded_morale(seat), s.morale[seat]
    if risk < left:
        return None
    return f"If you lose this round you lose {risk} Morale, and you have {left}: the game would be over."
