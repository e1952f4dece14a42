"""The controls of a decision on a page of Feint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.page import Choice, Page
from gonfalon.core.rules.state import Seat
from gonfalon.games.feint.face import messages, refusals
from gonfalon.games.feint.rules.actions import PASS
from gonfalon.games.feint.rules.cards import Kind, Knight
from gonfalon.games.feint.rules.state import FeintState


class PlayableCard(TypedDict):
    """The Locations where a card may be played, and the reasons against the others."""

    places: list[int]
    why: Mapping[str, str | None]
    announce: bool
    why_all: str | None
    """The reason if the card fits nowhere; for a Knight the reason at its own Location."""
    told: bool
    """Whether the text of the card already names its only Location."""


# "pass" is a keyword, so the class syntax cannot declare this key.
_Pass = TypedDict("_Pass", {"pass": bool})


class Controls(_Pass):
    """The controls of the viewer's decision: cards to discard, a card with its Location, or a list of choices."""

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
        kinds = [s.kinds[number] for number in sorted({card & KIND for card in source})]
        shown["cards"] = {kind.slug: build_playable_card(s, kind) for kind in kinds}
        shown["pass"] = PASS in s.actions
        shown["confirm_pass"] = warn_of_pass(s, seat) if asked == "deploy" else None
    else:
        shown["mode"] = "choice"
        shown["choices"] = game.buttons(s, s.actions)
    return shown


def build_playable_card(s: FeintState, kind: Kind) -> PlayableCard:
    """Return the Locations for a card, with the reason against each of the others."""
    legal = set(s.actions)
    numbers = s.setup.numbers
    announce = kind.base - 1 in legal
    places = [numbers[p] for p in range(s.places) if kind.base + p in legal]
    barred = [p for p in range(s.places) if kind.base + p not in legal]
    why = {str(numbers[p]): refusals.explain_location(s, kind, p) for p in barred}
    is_named = isinstance(kind, Knight)
    own = str(numbers[kind.place]) if isinstance(kind, Knight) and kind.place >= 0 else ""
    hopeless = None if announce or places else why.get(own) or next(iter(why.values()), None)
    return {"places": places, "why": why, "announce": announce, "why_all": hopeless, "told": is_named}


def warn_of_pass(s: FeintState, seat: Seat) -> str | None:
    """Return a warning if losing this round would end the game, else None."""
    risk, left = s.fielded_morale(seat), s.morale[seat]
    return None if risk < left else messages.PASS_LOSES.format(left=left)
