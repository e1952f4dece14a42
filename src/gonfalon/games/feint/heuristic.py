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

from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.rng import Rng
from gonfalon.core.state import Action, Card, State
from gonfalon.games.feint.actions import CARD, DONE, OWN, PASS, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.outlook import FULL, PLAYS, READS, Outlook
from gonfalon.games.feint.sketch import Box, Sketch
from gonfalon.games.feint.state import FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.game import Feint
    from gonfalon.games.feint.kinds import Kind

# At the Reinforcement:
KEEP: Final = -0.3  # how much better than the mean a card must be to be kept
IDLE: Final = 1.0  # how much worse a Tower is for each one that lacks its Engineer


LIKELY: Final = 0.97  # a round that is as good as won


class Heuristic:
    """`choose(view, rng)` gives an action of the viewer and the reason. `skill` is 1 to 4, all ideas."""

    def __init__(self, game: Feint, skill: int = FULL) -> None:
        self.skill: int = skill
        self.box: Box = Box(game)

    def choose(self, view: State, rng: Rng) -> tuple[Action, str]:
        """A legal action of the seat whose view this is, and why, as a sentence."""
        assert isinstance(view, FeintState)
        return Thought(self.box, self.skill, view, rng).choose()


class Thought(Outlook):
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
            return OWN, "My own card first."
        return self.place()

    def deploy(self) -> tuple[Action, str]:
        """Play or pass."""
        passing = self.judge(self.now, True)
        p_pass = self.p
        best, p_best = passing, p_pass
        action = PASS
        stop = self.foe_passed
        scored: list[tuple[float, Action, Sketch]] = []
        for play in self.legal:
            if play == PASS:
                continue
            value, k = self.after(self.now, play, stop)
            value += 0.002 * self.rng.random()
            scored.append((value, play, k))
            if value > best:
                best, p_best, action = value, self.p, play
        if self.skill == FULL and action == PASS and stop and scored and p_pass < LIKELY:
            ahead = self.chain(scored, passing)
            if ahead is not None:
                return ahead
        if action == PASS:
            return PASS, self.why_pass(p_pass)
        why = f"I would win this round {percent(p_best)} of the time, and {percent(p_pass)} if I passed now."
        return action, why

    def chain(self, scored: list[tuple[float, Action, Sketch]], passing: float) -> tuple[Action, str] | None:
        """The other seat has passed: several cards together may still win what one cannot."""
        gains = []
        for _, action, _ in scored:
            number, slot = divmod(action - CARD, SLOTS)
            if slot:
                kind = self.s.kinds[number]
                gains.append((self.use(slot - 1) * kind.strength - 0.01 * kind.morale, action))
        gains.sort(reverse=True)
        k = self.now
        count: dict[int, int] = {}
        for card in self.s.hand[self.me]:
            count[card & KIND] = count.get(card & KIND, 0) + 1
        first = -1
        for _, action in gains:
            number, slot = divmod(action - CARD, SLOTS)
            kind = self.s.kinds[number]
            while count[number] > 0 and k.load[slot - 1] + kind.weight <= self.s.setup.capacity:
                count[number] -= 1
                k = self.lay(k, kind, slot - 1)
                if first < 0:
                    first = action
                if self.judge(k, True) > passing:
                    return first, f"With a few more cards I would win this round {percent(self.p)} of the time."
        return None

    def why_pass(self, p: float) -> str:
        if p > 0.8:
            return f"I would win this round {percent(p)} of the time as it stands; more cards would only be at risk."
        if p < 0.3:
            return f"This round is hardly to be won ({percent(p)}); I save my Morale and my cards."
        return f"Another card would risk more than it wins ({percent(p)} to win this round as it stands)."

    def play(self) -> tuple[Action, str]:
        """A card must be played."""
        best = -1e9
        action = self.legal[0]
        for play in self.legal:
            value, _ = self.after(self.now, play, self.foe_passed)
            value += 0.001 * self.rng.random()
            if value > best:
                best, action = value, play
        return action, "Of the cards that I must choose from, this one helps most here."

    # ---- the second halves of abilities ---------------------------------------------------------

    def place(self) -> tuple[Action, str]:
        """A card to point at, or a Location for a card that moves or comes."""
        s = self.s
        step: Any = s.stack[-1]
        prompt = step.prompt
        best = -1e9
        found = self.legal[0]
        for action in self.legal:
            k = self.now.copy()
            if prompt == "scramble":
                # A Scrambler of mine moves, or by the other reading a card of theirs.
                played = getattr(step, "kind", -1)
                seat = self.foe if played >= 0 else self.me
                kind = s.kinds[played] if played >= 0 else self.scrambler(step.place)
                side = k.theirs if seat == self.foe else k.mine
                side[step.place] -= kind.strength
                side[action - PLACE] += kind.strength
                k.load[step.place] -= kind.strength
                k.load[action - PLACE] += kind.strength
            elif prompt == "storm":
                kind = s.kinds[step.kind]
                k.theirs[action - PLACE] += kind.strength
                k.load[action - PLACE] += kind.strength
            else:
                place, index = divmod(action - SPOT, SPOTS)
                seat = self.foe if prompt == "bomb" else self.me
                card = s.at(seat, place)[index]
                strength, price, _ = self.covert() if card & KIND == HIDDEN else self.of(card)
                k.load[place] -= s.burden(card) if card & KIND != HIDDEN else 3
                if seat == self.foe:
                    k.theirs[place] -= strength
                    k.their_cost -= price
                else:
                    k.mine[place] -= strength
                    k.cost -= price
            value = self.judge(k, self.foe_passed) + 0.001 * self.rng.random()
            if value > best:
                best, found = value, action
        return found, "This leaves me the best chance in this round."

    def of(self, card: Card) -> tuple[float, float, float]:
        kind = self.s.kinds[card & KIND]
        return float(kind.strength), float(kind.morale), 0.0

    def scrambler(self, place: int) -> Kind:
        for card in self.s.at(self.me, place):
            if card & KIND != HIDDEN and self.s.kinds[card & KIND].scrambles:
                return self.s.kinds[card & KIND]
        raise ValueError("no Scrambler lies there")

    def reinforce(self) -> tuple[Action, str]:
        """Discard what is worth less than the card one would draw, while the draw pile lasts."""
        s, me = self.s, self.me
        if self.skill < READS:
            return DONE, "I play what I have."
        hand = sorted(card & KIND for card in s.hand[me])
        spare = len(s.deck[me]) - (s.setup.hand - len(hand)) - int(PLAYS * self.rounds_left)
        worth = self.box.worth
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
                    return action, f"{s.kinds[kind].name} is worth less than what I would draw."
        return DONE, "I keep the rest: the draw pile must last to the end."

    def medic(self) -> tuple[Action, str]:
        """The best of the discard pile, if it will ever be drawn again."""
        s = self.s
        if len(s.deck[self.me]) > 6 * (self.rounds_left + 1):
            return DONE, "I shall not come to the bottom of my draw pile."
        worth = self.box.worth
        cards = [action for action in self.legal if action != DONE]
        best = max(cards, key=lambda action: worth[(action - CARD) // SLOTS])
        return best, "I want to draw it again."

    def support(self) -> tuple[Action, str]:
        """Send the worst of the top cards down when it is below the average."""
        s = self.s
        worth = self.box.worth
        deck = s.setup.decks[self.me]
        mean = sum(worth[kind] for kind in deck) / len(deck)
        cards = [action for action in self.legal if action != DONE]
        worst = min(cards, key=lambda action: worth[(action - CARD) // SLOTS])
        if worth[(worst - CARD) // SLOTS] < mean - 0.3:
            return worst, "I would rather draw something else."
        return DONE, "All of them are welcome."


def percent(p: float) -> str:
    """A chance in words."""
    return f"{100 * p:.0f} %"
