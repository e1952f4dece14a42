"""What a seat did in its latest turn, told from the view's log in chips of a word and a number."""

from __future__ import annotations

from typing import TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Card, Event, Seat
from gonfalon.games.generals.face import preview, words
from gonfalon.games.generals.rules import cards
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.ruleset import GeneralsRules


class Done(TypedDict):
    """Something a seat did in the turn of now or of before: which general, and in a word and a number what. `bad` says
    that it cost the other seat something."""

    icon: str
    who: str
    word: str
    score: str
    bad: bool
    unit: str | None


class _Deeds:
    """Reads the log from the start of a turn on. What follows an act (its numbers, that it is negated) is written on
    the chip of that act."""

    def __init__(self, game: GeneralsRules, view: GeneralsState, seat: Seat) -> None:
        self.game = game
        self.view = view
        self.seat = seat
        self.done: list[Done] = []
        self.open: Done | None = None

    def add(self, icon: str, word: str, card: Card = HIDDEN, score: str = "") -> None:
        """A new chip; of a general where the card is one's."""
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

    def own(self, event: Event) -> None:
        """Something that the seat does."""
        code, _, _, card, a, _ = event
        if code == ev.DECLARED:
            kind = self.game.kinds[a] if a >= 0 else None
            name = words.kind_name(self.game, a)
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
            self.open = None

    def follows(self, event: Event) -> None:
        """What comes of the latest chip."""
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
        elif code == ev.DEPLETED and seat != self.seat and not chip["score"]:
            chip["score"] = f"\u2212{a}"
            chip["bad"] = True
        elif code == ev.NEGATED and seat == self.seat:
            chip["score"] = "negated"


STARTS = (ev.DECLARED, ev.MOVED, ev.ATTACKED, ev.BESIEGED, ev.ACTIVATED)


def done(game: GeneralsRules, view: GeneralsState, seat: Seat) -> list[Done]:
    """What a seat did since the start of its latest turn, as the viewer was told it."""
    log = view.log or []
    turns = [i for i, event in enumerate(log) if event[0] == ev.TURN and event[2] == seat]
    if not turns:
        return []
    deeds = _Deeds(game, view, seat)
    over = False
    for event in log[turns[-1] :]:
        over = over or (event[0] == ev.TURN and event[2] != seat)
        if event[2] == seat:
            deeds.own(event)
        elif over and event[2] == OPPONENT[seat] and event[0] in STARTS:
            deeds.open = None  # what follows is the other seat's
        deeds.follows(event)
    return deeds.done
