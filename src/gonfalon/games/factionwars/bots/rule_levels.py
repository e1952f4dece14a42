"""Gentle, Casual and Club: rules of thumb, each with more ideas than the one before."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.factionwars.bots.card_worth import Appraisal
from gonfalon.games.factionwars.bots.rule_of_thumb import Race, RuleOfThumb
from gonfalon.games.factionwars.face import thoughts
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.scoring import scoring
from gonfalon.games.factionwars.rules.state import FactionState

BYSTANDER: Final = 0.5
ACTION: Final = 1.0
EVEN: Final = 0.5  # how a battle seems to go


class Gentle(RuleOfThumb):
    """Takes what scores most for itself as the cards lie there. It does not ask who else may want it,
    whose army is stronger, or what its goal is."""

    ability: float = 0.0
    """Points that an ability seems to be worth."""

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        assert isinstance(view, FactionState)
        legal = view.legal(view.viewer)
        me = view.viewer
        prompt = view.stack[-1].prompt
        if prompt == "select":
            return self.pick(view, [card & KIND for card in view.lineup], rng)
        if legal[0] < CARD:
            other = max((action - TO for action in legal), key=lambda seat: (view.recruits(seat), -seat))
            return TO + other, thoughts.MOST_RECRUITS.format(self.game.seat_names()[other])
        worth = {action: self.printed(view, me, action - CARD) for action in legal}
        if prompt in ("gift", "desert"):
            action = min(legal, key=lambda a: worth[a])
            return action, thoughts.SCORES_LEAST.format(thoughts.the(self.game, action - CARD))
        action = max(legal, key=lambda a: worth[a])
        return action, thoughts.SCORES_MOST.format(thoughts.the(self.game, action - CARD))

    def pick(self, view: FactionState, cards: list[int], rng: Rng) -> tuple[Action, str]:
        """Which card of the line-up."""
        place = self.any_of([self.printed(view, view.viewer, kind) for kind in cards], rng)
        return TAKE + place, thoughts.SCORES_MOST_THERE.format(thoughts.the(self.game, cards[place]))

    def any_of(self, values: list[float], rng: Rng) -> int:
        """The best place; of equal ones any will do."""
        top = max(values)
        best = [place for place in range(len(values)) if values[place] == top]
        return best[int(rng.below(len(best)))]

    def printed(self, view: FactionState, seat: Seat, kind: int) -> float:
        """What a card adds to the score at once, and a little for its ability."""
        setup = view.setup
        card = setup.kinds[kind]
        if card.bystander:
            return BYSTANDER
        if setup.faction_of[kind] < 0:
            return ACTION
        army = view.owned(seat)
        before = worth_of(view, army)
        army[kind] += 1
        return worth_of(view, army) - before + (self.ability if card.acts else 0.0)


class Casual(Gentle):
    """Weighs what abilities do and what is still to come, and takes it that everybody goes where most is to
    be had for them. Any battle is an even one to it, and its goal it leaves to luck."""

    ability = 2.0

    def pick(self, view: FactionState, cards: list[int], rng: Rng) -> tuple[Action, str]:
        look = Appraisal(self.game, view)
        look.goal = None
        coming = [0] * len(cards)
        for seat in range(view.seats):
            if seat != view.viewer:
                worths = [look.worth(seat, kind) for kind in cards]
                coming[worths.index(max(worths))] += 1
        mine = [look.worth(look.me, kind) for kind in cards]
        place = self.any_of([mine[place] * EVEN ** coming[place] for place in range(len(cards))], rng)
        told = thoughts.WORTH_A_FIGHT if coming[place] else thoughts.MINE_ALONE
        return TAKE + place, told.format(thoughts.the(self.game, cards[place]))


class Club(RuleOfThumb):
    """Works for its goal, knows what is left in everybody's battle deck and so who would win, and that not
    everybody goes where most is to be had. The others' first thought it takes for their last."""

    def select(self, look: Appraisal, view: FactionState, legal: list[Action], rng: Rng) -> tuple[Action, str]:
        cards = [card & KIND for card in view.lineup]
        race = Race(look, cards)
        went = race.first()
        mine = race.hopes(look.me, went)
        top = max(mine)
        place = mine.index(top)
        return TAKE + place, thoughts.promised(self.game, cards[place], top, race.chance(look.me, place, went))


def worth_of(view: FactionState, army: list[int]) -> int:
    """What an army scores, goals apart."""
    setup = view.setup
    shown = [card & KIND for card in view.bonus]
    return sum(scoring.parts(setup, 0, [army], None, shown))
