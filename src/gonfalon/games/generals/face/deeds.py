"""The acts of a seat in its latest turn, read from the log of a view."""

from __future__ import annotations

from typing import Final, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Card, Event, Seat
from gonfalon.games.generals.face import preview, words
from gonfalon.games.generals.rules import cards
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.ruleset import GeneralsRules


class Deed(TypedDict):
    """An act of a seat in this turn or the previous one, as a chip of a word and a number.

    `bad` is true if it cost the other seat something.
    """

    icon: str
    who: str
    word: str
    score: str
    bad: bool
    unit: str | None


class _DeedReader:
    """Reads the log from the start of a turn. Results of an act, such as numbers, are written on the chip of the
    act."""

    def __init__(self, game: GeneralsRules, view: GeneralsState, seat: Seat) -> None:
        self.game = game
        self.view = view
        self.seat = seat
        self.done: list[Deed] = []
        self.open: Deed | None = None

    def add(self, icon: str, word: str, card: Card = HIDDEN, score: str = "") -> None:
        """Add a chip. A card that is a general also names its unit."""
        kind = card & KIND
        unit = self.view.setup.unit_of[self.seat][kind] if kind != HIDDEN else -1
        self.open = {
            "icon": icon,
            "who": words.card_name(self.game, card) if kind != HIDDEN else "",
            "word": word,
            "score": score,
            "bad": False,
            "unit": preview.unit_or_none(self.game, unit),
        }
        self.done.append(self.open)

    def read_own(self, event: Event) -> None:
        """Read an event of the seat itself, which may start a chip."""
        code, _, _, card, a, _ = event
        if code == ev.DECLARED:
            kind = self.game.kinds[a] if a >= 0 else None
            name = words.kind_name(self.game, a)
            # A general gets its chip from RECRUITED below.
            if kind is None or kind.type != cards.CHARACTER:
                self.add("shield" if kind and kind.type == cards.COUNTER else "card-play", name)
        elif code == ev.RECRUITED:
            self.add("knight-banner", "Recruit", card)
        elif code == ev.MOVED:
            self.add("sprint", "Move", card)
        elif code == ev.ATTACKED:
            self.add("crossed-swords", "Melee", card)
        elif code == ev.BESIEGED:
            self.add("stone-tower", "Siege", card)
        elif code == ev.ACTIVATED:
            self.add("magic-swirl", "Effect", card)
        elif code == ev.UPKEEP:
            self.add("hourglass", "Upkeep", score=f"\u2212{a}")
            # Events after the Upkeep do not belong to it.
            self.open = None

    def read_shift(self, event: Event) -> None:
        """Add a chip for a general of either seat that an effect moves."""
        latest = self.open
        self.add("sprint", "Is moved", event[3])
        self.done[-1]["unit"] = preview.unit_id(self.game, self.view.setup.unit_of[event[2]][event[3] & KIND])
        self.open = latest or self.done[-1]

    def read_result(self, event: Event) -> None:
        """Write the result of the latest chip's act on the chip."""
        code, _, seat, card, a, b = event
        chip = self.open
        if chip is None:
            return
        if code == ev.FOUGHT:
            chip["score"] = f"{a} : {b}"
            chip["bad"] = card & KIND == HIDDEN or seat == self.seat
        elif code == ev.PLOTTED:
            chip["score"] = f"{a} : {b}"
            chip["bad"] = a > b
        # The score of a melee or plot is kept if the act also depletes RESOURCE.
        elif code == ev.DEPLETED and seat != self.seat and not chip["score"]:
            chip["score"] = f"\u2212{a}"
            chip["bad"] = True
        elif code == ev.NEGATED and seat == self.seat:
            chip["score"] = "negated"


ACT_EVENTS: Final = (ev.DECLARED, ev.MOVED, ev.ATTACKED, ev.BESIEGED, ev.ACTIVATED)
"""The events that start an act of a seat."""


def list_deeds(game: GeneralsRules, view: GeneralsState, seat: Seat) -> list[Deed]:
    """Return the acts of a seat since the start of its latest turn, as far as the viewer knows them."""
    log = view.log or []
    turns = [i for i, event in enumerate(log) if event[0] == ev.TURN and event[2] == seat]
    if not turns:
        return []
    deeds = _DeedReader(game, view, seat)
    over, by = False, seat
    # The log goes on into the other seat's turn, where this seat may still play Counters.
    for event in log[turns[-1] :]:
        over = over or (event[0] == ev.TURN and event[2] != seat)
        by = event[2] if event[0] in ACT_EVENTS else by
        if event[0] == ev.SHIFTED and by == seat and not over:
            deeds.read_shift(event)
        elif event[2] == seat:
            deeds.read_own(event)
        elif over and event[2] == OPPONENT[seat] and event[0] in ACT_EVENTS:
            deeds.open = None  # the next events belong to the other seat's act
        deeds.read_result(event)
    return deeds.done
