"""A second opinion on Feint, written from the rulebook and not from the rules' code: slow and plain.

It reads the battles from the log and the legal plays from what lies on the table.
"""

from __future__ import annotations

import copy
from typing import Any

from gonfalon.core.cards import KIND
from gonfalon.core.game import Game
from gonfalon.core.state import Action, State
from gonfalon.games.feint import Feint, events
from gonfalon.games.feint.actions import CARD, PASS, SLOTS
from gonfalon.games.feint.game import TINY
from gonfalon.games.feint.state import DOWN, FeintState

FACE_DOWN = 3
ENGINEERS = 4


class Refereed(Feint):
    """Feint with a referee for the conformance kit."""

    @classmethod
    def samples(cls) -> list[Game]:
        """Few configurations that together hold every faction, so that a slip shows soon."""
        pairs = [("keion", "agents"), ("wu", "engineers"), ("agents", "mibits"), ("engineers", "keion")]
        return [*[cls(factions=pair) for pair in pairs], cls(factions=("mibits", "wu"), scrambler="played")]

    @classmethod
    def tiny(cls) -> list[Game]:
        """One box more, with two cards of a kind, in which unequal chances show."""
        raw = copy.copy(TINY[0])
        faction = dict(raw["faction"][0])
        faction["cards"] = [{**card, "copies": 2 - i} for i, card in enumerate(faction["cards"])]
        raw["faction"] = [faction, raw["faction"][1]]
        return [*super().tiny(), cls(cards=raw, exact=True, factions=("red", "blue"))]

    def printed(self, kind: int) -> dict[str, Any]:
        return self.cards[kind]

    def is_(self, kind: int, ability: str) -> bool:
        return bool(self.printed(kind).get("ability", "") == ability)

    def invariants(self, state: State) -> list[str]:
        assert isinstance(state, FeintState)
        wrong = self.wrong_load(state)
        if state.log is not None and (state.over or state.asked() == [-3] or len(state.stack) > 4):
            wrong += Battle(self).wrong(state)
        if not state.over and min(state.morale) <= 0:
            wrong.append(f"the game goes on with Morale {state.morale}")
        return wrong

    def wrong_load(self, state: FeintState) -> list[str]:
        if state.over or state.stack[-1].prompt != "deploy":
            return []
        loads = [self.load(state, place) for place in range(state.places)]
        return [] if loads == state.load else [f"the Locations hold {loads}, but {state.load} is counted"]

    def load(self, state: FeintState, place: int) -> int:
        cards = [*state.at(0, place), *state.at(1, place)]
        return sum(FACE_DOWN if card & DOWN else int(self.printed(card & KIND)["strength"]) for card in cards)

    def reference(self, state: State, seat: int) -> list[Action] | None:
        assert isinstance(state, FeintState)
        if seat < 0 or state.stack[-1].prompt != "deploy":
            return None
        out = [PASS]
        for kind in sorted({card & KIND for card in state.hand[seat]}):
            places = [place for place in range(state.places) if self.fits(state, kind, place)]
            if self.is_(kind, "storm-prodigy"):
                out += [CARD + kind * SLOTS] if places else []
            else:
                out += [CARD + kind * SLOTS + 1 + place for place in places]
        return out

    def fits(self, state: FeintState, kind: int, place: int) -> bool:
        card = self.printed(kind)
        there = [c & KIND for seat in (0, 1) for c in state.at(seat, place) if not c & DOWN]
        if "tower" in card.get("tags", []):
            tagged = [tag for other in there for tag in self.printed(other).get("tags", [])]
            return tagged.count("engineer") > tagged.count("tower")
        weight = FACE_DOWN if self.is_(kind, "covert") else int(card["strength"])
        after = self.load(state, place) + weight
        if after > state.setup.capacity:
            return False
        if self.is_(kind, "engineer"):
            return after <= ENGINEERS
        if self.is_(kind, "knight"):
            return bool(state.setup.numbers[place] == card["location"])
        if self.is_(kind, "master-of-wind"):
            return not state.at(0, place) and not state.at(1, place)
        return True


class Battle:
    """Every round of a game, fought once more from its log."""

    def __init__(self, game: Refereed) -> None:
        self.game = game
        self.table: dict[tuple[int, int], list[int]] = {}
        self.fought: list[int] = []
        self.battles: set[int] = set()
        self.stayed: list[tuple[int, int, int]] = []
        self.loser = -1
        self.first = -1
        self.starts: list[int] = []

    def wrong(self, state: FeintState) -> list[str]:
        found: list[str] = []
        for code, _, seat, card, a, b in state.log or []:
            kind = card & KIND
            if code == events.ROUND:
                self.table = {}
                for who, where, stays in self.stayed:
                    self.at(who, where).append(stays)
                self.stayed, self.battles, self.first = [], set(), seat
                self.starts.append(seat)
            elif code == events.PLAYED:
                self.at(seat, a).append(kind)
            elif code == events.MOVED:
                self.at(seat, a).remove(kind)
                self.at(seat, b).append(kind)
            elif code in (events.RETURNED, events.BOMBED, events.SPENT):
                self.at(seat, a).remove(kind)
            elif code == events.STAYED:
                self.stayed.append((seat, a, kind))
            elif code == events.LOCATION:
                self.battles.add(kind)
            elif code == events.WON:
                found += self.judge(seat)
            elif code == events.COST:
                cards = [c for (who, _), zone in self.table.items() if who == seat for c in zone]
                cost = sum(int(self.game.printed(c)["morale"]) for c in cards)
                if cost != a:
                    found.append(f"seat {seat} should lose {cost} Morale and loses {a}")
        if any(one == two for one, two in zip(self.starts, self.starts[1:], strict=False)):
            found.append("the start player marker stays where it was")
        return found

    def at(self, seat: int, place: int) -> list[int]:
        return self.table.setdefault((seat, place), [])

    def judge(self, winner: int) -> list[str]:
        numbers = self.game.setup.numbers
        battles = set(self.battles)
        for zone in self.table.values():
            if 2 in numbers and any(self.game.is_(kind, "dragoon") for kind in zone):
                battles.add(numbers.index(2))
        for (_, place), zone in self.table.items():
            if any(self.game.is_(kind, "punisher") for kind in zone):
                battles.discard(place)
        totals = [0, 0]
        for (seat, place), zone in self.table.items():
            if place in battles:
                totals[seat] += numbers[place] * sum(int(self.game.printed(kind)["strength"]) for kind in zone)
        best = self.first if totals[0] == totals[1] else int(totals[1] > totals[0])
        if best == winner:
            return []
        return [f"with ratings of {totals[0]} and {totals[1]} seat {best} wins the round, not seat {winner}"]
