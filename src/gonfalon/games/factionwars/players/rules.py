"""Gentle and Casual: rules of thumb with few ideas."""

from __future__ import annotations

from typing import Final

from gonfalon.core.cards import KIND
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, Seat, State
from gonfalon.games.factionwars import scoring
from gonfalon.games.factionwars.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.heuristic import Heuristic
from gonfalon.games.factionwars.state import FactionState
from gonfalon.games.factionwars.worth import Appraisal

ABILITY: Final = 1.0  # points that an ability seems to be worth
BYSTANDER: Final = 0.5
ACTION: Final = 2.0
EVEN: Final = 0.5  # how a battle seems to go


class Gentle(Heuristic):
    """Takes what scores most for itself as the cards lie there. It does not ask who else may want it,
    whose army is stronger, or what its goal is."""

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        assert isinstance(view, FactionState)
        legal = view.legal(view.viewer)
        me = view.viewer
        prompt = view.stack[-1].prompt
        if prompt == "select":
            cards = [card & KIND for card in view.lineup]
            worths = [self.printed(view, me, kind) for kind in cards]
            top = max(worths)
            # Of equal cards any will do.
            best = [place for place in range(len(cards)) if worths[place] == top]
            place = best[int(rng.below(len(best)))]
            return TAKE + place, f"The {self.name(cards[place])} scores most for me of all that lies there."
        if legal[0] < CARD:
            other = max((action - TO for action in legal), key=lambda seat: (view.recruits(seat), -seat))
            return TO + other, f"{self.game.seat_names()[other]} has the most recruits."
        worth = {action: self.printed(view, me, action - CARD) for action in legal}
        if prompt in ("gift", "desert"):
            action = min(legal, key=lambda a: worth[a])
            return action, f"The {self.name(action - CARD)} scores least for me."
        action = max(legal, key=lambda a: worth[a])
        return action, f"The {self.name(action - CARD)} scores most for me."

    def printed(self, view: FactionState, seat: Seat, kind: int) -> float:
        """What a card adds to the score at once, and a little for its ability."""
        setup = view.setup
        card = setup.kinds[kind]
        if card.bystander:
            return BYSTANDER
        if setup.faction_of[kind] < 0:
            return ACTION
        army = scoring.army(view, seat)
        before = worth_of(view, army)
        army[kind] += 1
        return worth_of(view, army) - before + (ABILITY if card.acts else 0.0)

    def name(self, kind: int) -> str:
        """A card's name."""
        return str(self.game.entries[kind]["name"])


class Casual(Heuristic):
    """Weighs abilities, its goal and its rivals' scores, and takes it that everybody goes where most is to
    be had for him. Any battle is an even one to it."""

    def select(self, look: Appraisal, view: FactionState, legal: list[Action], rng: Rng) -> tuple[Action, str]:
        cards = [card & KIND for card in view.lineup]
        coming = [0] * len(cards)
        for seat in range(look.seats):
            if seat != look.me:
                worths = [look.worth(seat, kind) for kind in cards]
                coming[worths.index(max(worths))] += 1
        mine = [look.worth(look.me, kind) for kind in cards]
        hopes = [mine[place] * EVEN ** coming[place] for place in range(len(cards))]
        top = max(hopes)
        best = [place for place in range(len(cards)) if hopes[place] > top - 0.25]
        place = best[int(rng.below(len(best)))]
        name = self.game.entries[cards[place]]["name"]
        if coming[place]:
            return TAKE + place, f"The {name} is worth a fight to me, whoever else goes for it."
        return TAKE + place, f"I think that the others go elsewhere, so the {name} is mine."


def worth_of(view: FactionState, army: list[int]) -> int:
    """What an army scores, goals apart."""
    setup = view.setup
    shown = [card & KIND for card in view.bonus]
    return sum(scoring.parts(setup, 0, [army], None, shown))
