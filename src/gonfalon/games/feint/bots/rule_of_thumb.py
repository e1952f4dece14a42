"""A rule-of-thumb player of Feint, from one seat's view.

It knows its own Location, spreads belief over the Location Cards the other seat has left (more of it
where that seat has laid Strength), and sketches how the round would end after each legal action: the
chance to win it, the Morale the loser pays, and what both are worth for the game. Passing is an
action like the others, so it stops when the round is won or lost and more cards would only be at
risk. It does not search.

With less `skill` it has fewer of these ideas. With 3 it neither bluffs nor chains cards, and reads little
from where the other lays. With 2 it reads nothing from it, forgets which Location Cards are gone, and
does not change cards at the Reinforcement. With 1 it also looks no further than the table as it lies, and
does not weigh one round against the next.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import Action, Card, Seat, State
from gonfalon.games.feint.bots.estimate import FULL, PLAYS, READS, RoundEstimate
from gonfalon.games.feint.bots.round_summary import DeckFacts, RoundSummary
from gonfalon.games.feint.face import thoughts
from gonfalon.games.feint.rules.actions import CARD, DONE, OWN, PASS, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.playing import Scramble, Storm
from gonfalon.games.feint.rules.state import FeintState, Setup

# At the Reinforcement:
KEEP: Final = -0.3  # how much better than the mean a card must be to be kept
IDLE: Final = 1.0  # how much worse a Tower is for each one that lacks its Engineer


LIKELY: Final = 0.97  # a round that is as good as won


# What decides between a play and passing:
ROUND: Final = 0
MORALE: Final = 1
BESIDES: Final = 2


class Prospect:
    """What the rule of thumb makes of an action."""

    __slots__ = ("action", "value", "p", "stake", "bonus")

    def __init__(self, action: Action, value: float, p: float, stake: float, bonus: float) -> None:
        self.action: Action = action
        self.value: float = value  # the chance to win the game, more or less
        self.p: float = p  # to win the round
        self.stake: float = stake  # how much more the game is worth when the round is won
        self.bonus: float = bonus  # what does not show in the round

    def ahead_of(self, other: Prospect) -> int:
        """What speaks for this one most."""
        by_round = (self.p - other.p) * other.stake
        besides = self.bonus - other.bonus
        morale = self.value - other.value - by_round - besides
        if by_round >= morale and by_round >= besides:
            return ROUND
        return MORALE if morale >= besides else BESIDES


class FeintRuleOfThumb:
    """`choose(view, rng)` gives an action of the viewer and the reason. `skill` is 1 to 4, all ideas."""

    def __init__(self, setup: Setup, skill: int = FULL) -> None:
        self.skill: int = skill
        self.facts: DeckFacts = DeckFacts(setup)

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        """A legal action of the seat whose view this is, and why, as a sentence."""
        assert isinstance(view, FeintState)
        return Thought(self.facts, self.skill, view, rng).choose()


class Thought(RoundEstimate):
    """One decision being thought about."""

    def choose(self) -> tuple[Action, str]:
        prompt = self.s.stack[-1].prompt
        if prompt == "reinforce":
            return self.reinforce()
        if prompt == "medic":
            return self.medic()
        if prompt == "support":
            return self.support()
        self.look()
        if prompt == "deploy":
            return self.deploy()
        if prompt in ("play-one", "conjure"):
            return self.play()
        if prompt == "order":
            return OWN, thoughts.OWN_FIRST
        return self.place()

    def deploy(self) -> tuple[Action, str]:
        """Play or pass."""
        passing = self.seen(PASS, self.judge(self.now, True), self.now)
        stop = self.foe_passed
        best = passing
        scored: list[Prospect] = []
        for play in self.legal:
            if play == PASS:
                continue
            value, k = self.after(self.now, play, stop)
            found = self.seen(play, value + 0.002 * self.rng.random(), k)
            scored.append(found)
            if found.value > best.value:
                best = found
        if self.skill == FULL and best is passing and stop and scored and passing.p < LIKELY:
            ahead = self.chain(scored, passing)
            if ahead is not None:
                return ahead
        if best is not passing:
            one = thoughts.card_at(self.s, best.action)
            return best.action, thoughts.plays(one, best.p, passing.p, best.ahead_of(passing))
        other = passing
        for found in scored:
            if other is passing or found.value > other.value:
                other = found
        one = "" if other is passing else thoughts.card_at(self.s, other.action)
        return PASS, thoughts.passes(passing.p, one, other.p, passing.ahead_of(other))

    def seen(self, action: Action, value: float, k: RoundSummary) -> Prospect:
        """What `judge` has just made of a summary."""
        return Prospect(action, value, self.p, self.stake, k.bonus)

    def chain(self, scored: list[Prospect], passing: Prospect) -> tuple[Action, str] | None:
        """The other seat has passed: several cards together may still win what one cannot."""
        gains = []
        for found in scored:
            number, slot = divmod(found.action - CARD, SLOTS)
            if slot:
                kind = self.s.kinds[number]
                gains.append((self.use(slot - 1) * kind.strength - 0.01 * kind.morale, found.action))
        gains.sort(reverse=True)
        k = self.now
        count: dict[int, int] = {}
        for card in self.s.hand[self.me]:
            count[card & KIND] = count.get(card & KIND, 0) + 1
        first = -1
        for _, action in gains:
            number, slot = divmod(action - CARD, SLOTS)
            kind = self.s.kinds[number]
            while count[number] > 0 and k.load[slot - 1] + kind.weight <= k.capacity[slot - 1]:
                count[number] -= 1
                k = self.lay(k, kind, slot - 1)
                if first < 0:
                    first = action
                if self.judge(k, True) > passing.value:
                    return first, thoughts.plays_several(thoughts.card_at(self.s, first), self.p, passing.p)
        return None

    def play(self) -> tuple[Action, str]:
        """A card must be played."""
        best = -1e9
        chance = 0.0
        action = self.legal[0]
        for play in self.legal:
            value, _ = self.after(self.now, play, self.foe_passed)
            value += 0.001 * self.rng.random()
            if value > best:
                best, chance, action = value, self.p, play
        return action, thoughts.best_of_all(thoughts.card_at(self.s, action), chance)

    # ---- the second halves of abilities ---------------------------------------------------------

    def place(self) -> tuple[Action, str]:
        """A card to point at, or a Location for a card that moves or comes."""
        step = self.s.stack[-1]
        best = -1e9
        chance = 0.0
        found = self.legal[0]
        for action in self.legal:
            k = self.now.copy()
            if isinstance(step, Scramble):
                self.scrambled(k, step, action - PLACE)
            elif isinstance(step, Storm):
                strength = self.s.kinds[step.kind].strength
                k.theirs[action - PLACE] += strength
                k.load[action - PLACE] += strength
            else:
                self.gone(k, self.foe if step.prompt == "bomb" else self.me, action)
            value = self.judge(k, self.foe_passed) + 0.001 * self.rng.random()
            if value > best:
                best, chance, found = value, self.p, action
        return found, thoughts.best_off(chance)

    def scrambled(self, k: RoundSummary, step: Scramble, to: int) -> None:
        """A Scrambler of mine moves, or by the other reading a card of theirs."""
        s = self.s
        seat = step.side(s)
        card = s.at(seat, step.place)[step.index(s)]
        strength, _, _ = self.covert() if card & KIND == HIDDEN else self.of(card)
        side = k.theirs if seat == self.foe else k.mine
        side[step.place] -= strength
        side[to] += strength
        k.load[step.place] -= s.burden(card)
        k.load[to] += s.burden(card)

    def gone(self, k: RoundSummary, seat: Seat, action: Action) -> None:
        """The card of a seat that an action points at is taken away."""
        place, index = divmod(action - SPOT, SPOTS)
        card = self.s.at(seat, place)[index]
        strength, price, _ = self.covert() if card & KIND == HIDDEN else self.of(card)
        k.load[place] -= self.s.burden(card)
        if seat == self.foe:
            k.theirs[place] -= strength
            k.their_cost -= price
        else:
            k.mine[place] -= strength
            k.cost -= price

    def of(self, card: Card) -> tuple[float, float, float]:
        kind = self.s.kinds[card & KIND]
        return float(kind.strength), float(kind.morale), 0.0

    def reinforce(self) -> tuple[Action, str]:
        """Discard what is worth less than the card one would draw, while the draw pile lasts."""
        s, me = self.s, self.me
        if self.skill < READS:
            return DONE, thoughts.PLAYS_ALL
        hand = sorted(card & KIND for card in s.hand[me])
        spare = len(s.deck[me]) - (s.setup.hand - len(hand)) - int(PLAYS * self.rounds_left)
        worth = self.facts.worth
        deck = s.setup.decks[me]
        mean = sum(worth[kind] for kind in deck) / len(deck)
        value = {kind: worth[kind] for kind in hand}
        crew = sum(1 for kind in hand if s.kinds[kind].engineer)
        towers = sum(1 for kind in hand if s.kinds[kind].tower)
        if towers > crew:  # more than can be built
            for kind in value:
                if s.kinds[kind].tower:
                    value[kind] -= IDLE * (towers - crew)
        worst = sorted(hand, key=value.__getitem__)
        plan: list[int] = []
        for kind in worst:
            if len(plan) < spare and value[kind] < mean + KEEP:
                plan.append(kind)
        done = [(action - CARD) // SLOTS for action in s.answers[me]]
        for kind in sorted(plan):
            if kind in done:
                done.remove(kind)
            else:
                action = CARD + kind * SLOTS
                if action in self.legal:
                    return action, thoughts.WORTH_LESS.format(s.kinds[kind].name)
        if len(plan) < spare:
            return DONE, thoughts.GOOD_HAND
        return DONE, thoughts.SAVES

    def medic(self) -> tuple[Action, str]:
        """The best of the discard pile, if it will ever be drawn again."""
        s = self.s
        if len(s.deck[self.me]) > 6 * (self.rounds_left + 1):
            return DONE, thoughts.TOO_DEEP
        worth = self.facts.worth
        cards = [action for action in self.legal if action != DONE]
        best = max(cards, key=lambda action: worth[(action - CARD) // SLOTS])
        return best, thoughts.WANTED.format(s.kinds[(best - CARD) // SLOTS].name)

    def support(self) -> tuple[Action, str]:
        """Send the worst of the top cards down when it is below the average."""
        s = self.s
        worth = self.facts.worth
        deck = s.setup.decks[self.me]
        mean = sum(worth[kind] for kind in deck) / len(deck)
        cards = [action for action in self.legal if action >= CARD]
        worst = min(cards, key=lambda action: worth[(action - CARD) // SLOTS])
        if worth[(worst - CARD) // SLOTS] < mean - 0.3:
            return worst, thoughts.UNWANTED.format(s.kinds[(worst - CARD) // SLOTS].name)
        return DONE, thoughts.ALL_WELCOME
