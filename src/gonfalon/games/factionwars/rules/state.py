"""The position of Faction Wars: the recruit deck, the line-up, and the armies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from gonfalon.core.basics.cards import HIDDEN, KIND, Unread, kinds
from gonfalon.core.basics.outcome import Outcome
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.shuffles import ShuffledState
from gonfalon.core.rules.state import (
    NO_ACTIONS,
    NO_ANSWERS,
    NOBODY,
    ROOM,
    TOGETHER,
    Action,
    AnyStep,
    AnyTogether,
    Card,
    Seat,
    State,
    Step,
    copy_lists,
)
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.actions import ACTION_LIMIT, CARD, DEAL, STEAL, TO
from gonfalon.games.factionwars.rules.claims import (
    MAX_TABLED_SELECTIONS,
    NO_CLAIMS,
    SELECTIONS,
    Claim,
    build_selections,
)
from gonfalon.games.factionwars.rules.setup import Setup

if TYPE_CHECKING:
    from gonfalon.games.factionwars.rules.cards import Kind

HOW: Final = ["points", "shared", "bystanders", "recruits"]
BY_POINTS: Final = 0
SHARED: Final = 1
BY_BYSTANDERS: Final = 2
BY_RECRUITS: Final = 3

DECK: Final = 0  # numbers of zones that are shuffled
GOALS: Final = 1

WORD_KINDS: Final = 62
"""The number of kinds that fit as marks into a machine word."""
MARKS: Final[list[int]] = [1 << kind for kind in range(WORD_KINDS)]
"""The mark of each kind. A table, because a literal 1 that is shifted has 32 bits when compiled."""
ACTIONS: Final[Unread] = list(range(ACTION_LIMIT))
"""All actions, created once."""
ALONE: Final[list[list[Action]]] = [[action] for action in range(STEAL)]
"""For each action of a seat the answer that consists of it alone."""


class FactionState(ShuffledState):
    """One position. The top of a pile is its end.

    All cards of an army were gained in the open, so its contents are public (ruling 31), and the contents of its battle
    deck follow from its discard pile. No player knows or can look up the order of a battle deck, so it has none: it is
    a set, out of which chance draws a card for each reveal. The order of the recruit deck is the only one that a state
    keeps secret.
    """

    __slots__ = (
        "setup",
        "kinds",
        "army",
        "pile",
        "deck",
        "discard",
        "lineup",
        "table",
        "aside",
        "goal",
        "goals",
        "bonus",
        "bonuses",
        "picks",
        "totals",
        "round",
        "claims",
        "done",
        "place",
        "depleted",
        "chain",
        "last",
        "winners",
        "how",
    )

    def __init__(
        self,
        setup: Setup,
        stack: list[AnyStep],
        army: list[list[Card]],
        pile: list[list[Card]],
        deck: list[Card],
        discard: list[Card],
        lineup: list[Card],
        table: list[Card],
        aside: list[Card],
        goal: list[list[Card]],
        goals: list[Card],
        bonus: list[Card],
        bonuses: list[Card],
        picks: list[int],
        totals: list[int],
    ) -> None:
        super().__init__(setup.seats, stack)
        self.setup: Setup = setup
        self.kinds: list[Kind] = setup.kinds
        self.army: list[list[Card]] = army  # a seat's battle deck
        self.pile: list[list[Card]] = pile  # its discard pile
        self.deck: list[Card] = deck  # recruit deck
        self.discard: list[Card] = discard  # its discard pile
        self.lineup: list[Card] = lineup  # what is left of it, by place
        self.table: list[Card] = table  # cards in the middle of being resolved
        self.aside: list[Card] = aside  # War is Over, while it is not in the recruit deck
        self.goal: list[list[Card]] = goal
        self.goals: list[Card] = goals  # nobody's
        self.bonus: list[Card] = bonus  # open Bonus Cards (later revision)
        self.bonuses: list[Card] = bonuses  # the others
        # Replaced, never changed, so that clones share them: this list and `claims`.
        self.picks: list[int] = picks  # the place each seat selected this round, once revealed; else -1
        self.totals: list[int] = totals  # final scores
        self.round: int = 0
        self.claims: list[Claim] = NO_CLAIMS  # the places that were selected, ascending
        self.done: int = 0  # of how many of these the card has left the line-up
        self.place: int = -1  # the place that is being resolved
        self.depleted: int = 0  # how often the recruit deck ran out
        self.chain: int = 0  # abilities since this place was claimed
        self.last: int = -1  # why this round is the last
        self.winners: int = 0  # bitmask
        self.how: int = 0

    def clone(self) -> FactionState:
        twin = FactionState(
            self.setup,
            self.stack[:],
            [cards[:] for cards in self.army],
            [cards[:] for cards in self.pile],
            self.deck[:],
            self.discard[:],
            self.lineup[:],
            self.table[:],
            self.aside[:],
            [cards[:] for cards in self.goal],
            self.goals[:],
            self.bonus[:],
            self.bonuses[:],
            self.picks,
            self.totals[:],
        )
        twin.round = self.round
        twin.place = self.place
        twin.claims = self.claims
        twin.done = self.done
        twin.depleted = self.depleted
        twin.chain = self.chain
        twin.last = self.last
        twin.winners = self.winners
        twin.how = self.how
        self.copy_flow(twin)
        return twin

    # ---- what the core asks ---------------------------------------------------------------------

    def ordered_zones(self) -> list[list[Card]]:
        return [self.deck, self.discard, self.lineup, self.table, self.aside, self.bonus, *self.pile, *self.goal]

    def unordered_zones(self) -> list[list[Card]]:
        return [self.goals, self.bonuses, *self.army]

    def zones(self) -> list[list[Card]]:
        middle = [self.deck, self.discard, self.lineup, self.table, self.aside]
        return [*middle, *self.army, *self.pile, *self.goal, self.bonus, self.goals, self.bonuses]

    def shuffled_zones(self) -> list[list[Card]]:
        return [self.deck, self.goals, self.bonuses]

    def deal_action(self, zone: int, kind: int) -> Action:
        return DEAL + kind

    def dealt(self, zone: int) -> int:
        # Of goals and Bonus Cards only those need an order that leave the pile.
        return -1 if zone == DECK else self.seats if zone == GOALS else self.setup.open_bonus

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        setup = self.setup
        middle = [self.deck, self.discard, self.lineup, self.table, self.aside]
        # Goals and open Bonus Cards come from piles of their own and never mix with the other cards.
        pools = [(setup.cards, [*middle, *self.army, *self.pile])]
        if setup.goals:
            pools.append((setup.goal_kinds, [*self.goal, self.goals]))
        if setup.open_bonus:
            pools.append((setup.bonus_kinds, [self.bonus, self.bonuses]))
        return pools

    def data(self) -> list[object]:
        return copy_lists(self.fields())

    def fields(self) -> list[object]:
        return [
            self.deck,
            self.discard,
            self.lineup,
            self.table,
            self.aside,
            self.goals,
            self.bonus,
            self.bonuses,
            self.army,
            self.pile,
            self.goal,
            self.picks,
            self.totals,
            [self.round, self.place, self.done, self.depleted],
            [self.chain, self.last, self.winners, self.how],
        ]

    def outcome(self) -> Outcome | None:
        if not self.winners:
            return None
        winners = [seat for seat in range(self.seats) if self.winners >> seat & 1]
        return Outcome(winners, HOW[self.how])

    def returns(self) -> list[float]:
        if not self.winners:
            return [0.0] * self.seats
        count = 0
        for seat in range(self.seats):
            count += self.winners >> seat & 1
        # 1 for a sole victory, -1 for a defeat, and in between for a shared victory.
        won = 2.0 / count - 1.0
        return [won if self.winners >> seat & 1 else -1.0 for seat in range(self.seats)]

    # ---- the flow -------------------------------------------------------------------------------

    def apply(self, seat: Seat, action: Action) -> None:
        """Apply an action of a seat.

        It replaces the core's version to handle selectors inline: three of four decisions are selectors, and the core
        asks all seats again after each. A step may have its successor ask at once (`put`).
        """
        stack: Unread = self.stack
        step: Step[FactionState] = stack[-1]
        select = self.setup.select
        if step is select:
            answers = self.answers
            # The empty answers are shared by all states, so they are copied before the first write.
            if answers is NO_ANSWERS[self.seats]:
                self.answers = answers = answers[:]
            answers[seat] = ALONE[action]
            if NO_ACTIONS in answers:
                self.turn = answers.index(NO_ACTIONS)
                return
            stack.pop()
            self.actions = NO_ACTIONS
            select.finish(self)
        elif step.seat == TOGETHER:
            super().apply(seat, action)
            return
        else:
            stack.pop()
            self.actions = NO_ACTIONS
            step.choose(self, action)
        if not self.actions:
            self.settle()

    def settle(self) -> None:
        """Run steps until one has options. Unlike the core's version it stops when a step has asked by `put`."""
        self.actions = NO_ACTIONS
        stack: Unread = self.stack
        while stack:
            step: Step[FactionState] = stack[-1]
            seat = step.seat
            if seat != NOBODY:
                if seat == TOGETHER:
                    super().settle()
                    return
                actions = step.options(self)
                if actions:
                    self.actions = actions
                    self.turn = seat
                    return
            stack.pop()
            step.auto(self)
            if self.actions:
                return
        self.turn = NOBODY

    def put(self, step: AnyStep) -> None:
        """Push a step and set its options at once, which saves `settle` a pass. Call it last in a step."""
        self.stack.append(step)
        actions = step.options(self)
        if actions:
            self.turn = step.seat
            self.actions = actions

    def asks(self, step: AnyTogether, after: Seat) -> bool:
        """Return whether a step for several seats asks another one, with a short cut for selectors."""
        if step is not self.setup.select or NO_ACTIONS not in self.answers:
            return super().asks(step, after)
        self.turn = self.answers.index(NO_ACTIONS)
        self.actions = self.setup.takes[len(self.lineup)]
        return True

    def play_out(self, rng: Rng) -> int:
        """Play to the end at random, and return the number of decisions of seats."""
        select, seats = self.setup.select, self.seats
        tabled = self.setup.size**seats <= MAX_TABLED_SELECTIONS
        unanswered = NO_ANSWERS[seats]
        stack: Unread = self.stack
        word: i64 = 0
        made = 0
        while stack:
            step: Step[FactionState] = stack[-1]
            # No selector is visible before all are chosen, so one number may draw those of all seats.
            if step is select and tabled and self.answers is unanswered:
                count: i64 = len(self.actions)
                table = SELECTIONS[seats][count] or build_selections(seats, count)
                number, word = draw_selections(rng, word, seats, count, len(table))
                made += seats
                self.picks, self.claims = table[number]
                stack.pop()
                self.actions = NO_ACTIONS
                select.finish(self)
            else:
                seat, actions = self.turn, self.actions
                if seat < 0:
                    action = step.draw(self, actions, rng)
                else:
                    if word < ROOM:
                        word = rng.word()
                    count = len(actions)
                    action = actions[word % count]
                    word //= count
                    made += 1
                    if step.seat == TOGETHER:
                        self.apply(seat, action)
                        continue
                stack.pop()
                self.actions = NO_ACTIONS
                step.choose(self, action)
            if not self.actions:
                self.settle()
        return made

    # ---- reading the table ----------------------------------------------------------------------

    def list_places(self) -> list[int]:
        """Return the places of the cards that are left of the line-up, in their order."""
        gone = self.list_gone_places()
        return [place for place in range(len(self.lineup) + len(gone)) if place not in gone]

    def list_gone_places(self) -> list[int]:
        """Return the places whose card has left the line-up."""
        return [at + done - 1 for _, at, done, _ in self.claims[: self.done]]

    def count_owned(self, seat: Seat) -> list[int]:
        """Return the number of cards of each kind in an army, without conscripts."""
        counts = [0] * len(self.kinds)
        for card in self.army[seat] + self.pile[seat]:
            counts[card & KIND] += 1
        return counts[: self.setup.owned]

    def count_all_owned(self) -> list[int]:
        """Return the cards of all armies by kind. The counts of a seat begin at `seat * setup.owned`."""
        counts: list[int] = []
        for seat in range(self.seats):
            counts += self.count_owned(seat)
        return counts

    def count_recruits(self, seat: Seat) -> int:
        """Return the number of recruits in an army, without conscripts and Bystanders."""
        return self.count_below(seat, self.setup.recruit_limit)

    def count_pool(self, seat: Seat) -> int:
        """Return the number of recruits of an army that can be picked at random (ruling 17)."""
        return self.count_below(seat, self.setup.loot_limit)

    def count_below(self, seat: Seat, limit: Card) -> int:
        """Return the number of cards of an army below a limit."""
        return sum([card < limit for card in self.army[seat] + self.pile[seat]])

    def list_recruits(self, seat: Seat) -> list[Action]:
        """Return the recruits of an army, as actions that name them."""
        return name_kinds(self.setup.recruits, self.army[seat] + self.pile[seat], CARD)

    def has_below(self, seat: Seat, limit: Card) -> bool:
        """Return whether an army has a card below a limit."""
        for zone in (self.pile[seat], self.army[seat]):  # as a loop it is twice as fast
            for card in zone:
                if card < limit:
                    return True
        return False

    def has_choice(self, seat: Seat) -> bool:
        """Return whether an army has recruits of more than one kind."""
        limit = self.setup.recruit_limit
        found = -1
        for card in self.pile[seat] + self.army[seat]:
            if card < limit and card != found:
                if found >= 0:
                    return True
                found = card
        return False

    def list_victims(self, seat: Seat) -> list[Action]:
        """Return the players that a Buccaneer or Kunoichi of this seat may hit, as actions (rulings 16, 18)."""
        limit = self.setup.loot_limit
        others = self.setup.others[seat]
        for action in others:
            # `has_below`, written out: mostly it is true of everybody.
            for card in self.pile[action - TO]:
                if card < limit:
                    break
            else:
                for card in self.army[action - TO]:
                    if card < limit:
                        break
                else:
                    return [action for action in others if self.has_below(action - TO, limit)]
        return others

    # ---- changing the table ---------------------------------------------------------------------

    def gain(self, seat: Seat, card: Card) -> None:
        """Add a card to the discard pile of an army."""
        self.pile[seat].append(card)

    def collect(self, seat: Seat, card: Card) -> None:
        """Collect a card and trigger its ability, unless the chain is too long (ruling 21)."""
        kind = self.kinds[card & KIND]
        if kind.acts:
            self.chain += 1
            if self.chain > self.setup.chain:
                # The limit only guards against endless chains of an owner's cards (ruling 21).
                self.tell(events.WORTHLESS, seat, card)
                kind.on_collect_in_vain(self, seat, card)
            else:
                kind.on_collect(self, seat, card)
        else:
            self.gain(seat, card)

    def lose(self, seat: Seat, kind: int, from_pile: bool) -> Card:
        """Take a card of a kind out of an army and return it.

        Args:
            seat: The owner of the army.
            kind: The kind of the card.
            from_pile: Whether the discard pile is searched first. It matters only where that pile is not shuffled
                afterwards.
        """
        card = kind | self.setup.full
        zone = self.pile[seat] if from_pile else self.army[seat]
        if card not in zone:
            zone = self.army[seat] if from_pile else self.pile[seat]
        zone.remove(card)
        return card

    def reveal_top(self) -> Card:
        """Draw and return the top card of a recruit deck that is not empty. The caller calls `deplete_deck`."""
        card: Card = self.setup.shown[self.deck.pop() & KIND]
        return card

    def record_nothing(self, seat: Seat, what: int, why: int) -> None:
        """Record that an ability has no effect."""
        self.tell(events.NOTHING, seat, HIDDEN, why, what)


def draw_selections(rng: Rng, word: i64, seats: i64, count: i64, ways: i64) -> tuple[i64, i64]:
    """Draw the places of all seats as the digits of one number.

    Args:
        rng: The source of new words.
        word: The unused part of the last word.
        seats: The number of seats.
        count: The number of places.
        ways: The number of ways to select, `count**seats`.

    Returns:
        The number, and the unused part of the word.
    """
    number: i64 = 0
    if word // ways >= ROOM:  # the word has enough randomness for all digits
        number = word % ways
        return number, word // ways
    weight: i64 = 1
    for _ in range(seats):
        if word < ROOM:
            word = rng.word()
        number += word % count * weight
        word //= count
        weight *= count
    return number, word


def name_kinds(count: int, cards: list[Card], first: Action) -> list[Action]:
    """Return the kinds below `count` that are among the cards, as actions that name them."""
    if count > WORD_KINDS:
        return [first + kind for kind in kinds(cards) if kind < count]
    limit: i64 = count
    there: i64 = 0  # compiled, this takes a third of the time of a list or a set
    for card in cards:
        kind: i64 = card & KIND
        if kind < limit:
            there |= MARKS[kind]
    found: Unread = []
    action: i64 = first
    while there:
        if there & 1:
            found.append(ACTIONS[action])
        there >>= 1
        action += 1
    return found


def as_faction_state(state: State) -> FactionState:
    """Return a state with its type narrowed to that of this game."""
    assert isinstance(state, FactionState)
    return state
