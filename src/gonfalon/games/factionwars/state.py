"""The table of Faction Wars: the recruit deck, the line-up, and everybody's army."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64

from gonfalon.core.cards import HIDDEN, KIND, seen_by_all
from gonfalon.core.outcome import Outcome
from gonfalon.core.rng import WRAPS, Rng
from gonfalon.core.state import (
    NO_ACTIONS,
    NO_ANSWERS,
    NOBODY,
    ROOM,
    TOGETHER,
    Action,
    Card,
    Seat,
    State,
    Step,
    Together,
)
from gonfalon.games.factionwars import events
from gonfalon.games.factionwars.actions import CARD, LAST, PLACES, STEAL, TAKE, TO

if TYPE_CHECKING:
    from gonfalon.games.factionwars.kinds import Kind

HOW: Final = ["points", "shared", "bystanders", "recruits"]
BY_POINTS: Final = 0
SHARED: Final = 1
BY_BYSTANDERS: Final = 2
BY_RECRUITS: Final = 3


SEATS: Final = 5  # at most
ALONE: Final[list[list[Action]]] = [[action] for action in range(STEAL)]
"""Each action of a seat as the only one of its answer."""

Claim = tuple[Seat, int, int, list[Seat]]
"""Who takes the card of a place, or FIGHT; its index in what is left of the line-up; how many places are resolved
when this one is; who has selected it."""
FIGHT: Final = -4
"""Several have selected the place."""
NO_CLAIMS: Final[list[Claim]] = []


def claims_of(picks: list[int]) -> list[Claim]:
    """The claims that follow from everybody's places, in the order of the places."""
    claims: list[Claim] = []
    for place in sorted(set(picks)):
        takers = [seat for seat, pick in enumerate(picks) if pick == place]
        done = len(claims)
        claims.append((takers[0] if len(takers) == 1 else FIGHT, place - done, done + 1, takers))
    return claims


def selections(seats: int, places: int) -> list[tuple[list[int], list[Claim]]]:
    """All ways in which so many seats can select out of so many places, and what follows from each. Each seat's place
    is a digit of its number, the first seat's the last one. They are made once, and nobody changes them."""
    found: list[tuple[list[int], list[Claim]]] = []
    for number in range(places**seats):
        picks: list[int] = []
        for _ in range(seats):
            picks.append(number % places)
            number //= places
        found.append((picks, claims_of(picks)))
    SELECTIONS[seats][places] = found
    return found


MOST_SELECTIONS: Final[int] = 1000 if WRAPS else 10_000
"""Of more ways there is no table: it does not fit into the processor's cache, which counts when compiled."""
SELECTIONS: Final[list[list[list[tuple[list[int], list[Claim]]]]]] = [[[]] * (PLACES + 1) for _ in range(SEATS + 1)]
"""By the numbers of seats and places, as far as they have been asked for."""


TALLY: Final = 16
"""How many bits a digit of a tally has: an army has fewer cards."""
TALLY_BERSERKERS: Final = 0
TALLY_BYSTANDERS: Final = 1
TALLY_RECRUITS: Final = 2
TALLY_BONUS: Final = 3
TALLY_FACTIONS: Final = 4


class Goal:
    """A Goal card: its rule and numbers for this many players."""

    __slots__ = ("id", "slug", "rule", "faction", "count", "bonus", "counted")

    def __init__(self, id: int, slug: str, rule: str, faction: int, count: int, bonus: int, counted: list[int]) -> None:
        self.id: int = id
        self.slug: str = slug
        self.rule: str = rule
        self.faction: int = faction
        self.count: int = count
        self.bonus: int = bonus
        self.counted: list[int] = counted  # the kinds that count for it, where the rule names cards


class Setup:
    """What does not change in a game: the cards, and the numbers of box and options.

    Kinds are numbered: recruits that are no Bonus Cards, Bonus Cards, the other cards of the recruit
    deck, conscripts, goals.
    """

    __slots__ = (
        "seats",
        "kinds",
        "values",
        "strengths",
        "symbols",
        "factions",
        "faction_of",
        "members",
        "recruits_of",
        "plain",
        "recruits",
        "stealable",
        "owned",
        "bystanders",
        "berserkers",
        "points",
        "acting",
        "tally",
        "deck",
        "conscripts",
        "goals",
        "first_goal",
        "goal_kinds",
        "open_bonus",
        "bonus_kinds",
        "war",
        "size",
        "depletions",
        "chain",
        "later",
        "exact",
        "shuffle_all",
        "at_once",
        "bystander_out",
        "bonus_counts",
        "breaks_ties",
        "full",
        "recruit_limit",
        "loot_limit",
        "cards",
        "takes",
        "select",
        "others",
    )

    def __init__(
        self,
        seats: int,
        kinds: list[Kind],
        factions: int,
        plain: int,
        recruits: int,
        owned: int,
        deck: list[int],
        conscripts: list[int],
        goals: list[Goal],
        first_goal: int,
        open_bonus: int,
        bonus_kinds: list[int],
        war: int,
        size: int,
        depletions: int,
        chain: int,
        later: bool,
        exact: bool,
        shuffle_all: bool,
        at_once: bool,
        bystander_out: bool,
        bonus: str,
        breaks_ties: bool,
        select: Together[Any],
    ) -> None:
        self.seats: int = seats
        self.kinds: list[Kind] = kinds
        self.values: list[int] = [kind.battle for kind in kinds]
        # In battle; with the other reading of ruling 15 a Bystander is below everything.
        self.strengths: list[int] = [-2 if kind.bystander and bystander_out else kind.battle for kind in kinds]
        self.symbols: list[int] = [kind.symbol for kind in kinds]  # 0 rock, 1 paper, 2 scissors, -1 none
        self.faction_of: list[int] = [kind.faction for kind in kinds]
        self.points: list[int] = [kind.points for kind in kinds]
        self.factions: int = factions
        self.members: list[list[int]] = [  # by faction: its kinds
            [kind.id for kind in kinds if kind.faction == faction] for faction in range(factions)
        ]
        self.plain: int = plain  # kinds below are recruits and no Bonus Cards
        # Kinds below are recruits; with the other reading of ruling 28 Bonus Cards are none.
        self.recruits: int = plain if bonus == "apart" else recruits
        # Kinds below can be picked at random; with the other reading of ruling 17 Bonus Cards cannot.
        self.stealable: int = recruits if bonus == "recruits" else plain
        self.recruits_of: list[list[int]] = [[kind for kind in kinds if kind < self.recruits] for kinds in self.members]
        self.owned: int = owned  # kinds below lie in the recruit deck at the start, so an army may own them
        self.bystanders: list[int] = [kind.id for kind in kinds if kind.bystander]
        self.berserkers: list[int] = [kind.id for kind in kinds if kind.berserker]
        self.deck: list[int] = deck
        self.conscripts: list[int] = conscripts
        self.goals: list[Goal] = goals
        self.first_goal: int = first_goal
        self.goal_kinds: list[int] = [first_goal + i for i in range(len(goals))]
        self.open_bonus: int = open_bonus  # how many Bonus Cards lie open (later revision)
        self.bonus_kinds: list[int] = bonus_kinds  # of which these are drawn
        self.war: int = war  # the kind of War is Over, -1 without it
        self.size: int = size
        self.depletions: int = depletions
        self.chain: int = chain
        self.later: bool = later
        self.exact: bool = exact
        self.shuffle_all: bool = shuffle_all  # ruling 19; else only the draw part
        self.at_once: bool = at_once  # the stricter reading of ruling 24
        self.bystander_out: bool = bystander_out  # the other reading of ruling 15
        self.bonus_counts: bool = bonus != "apart"
        self.breaks_ties: bool = breaks_ties  # the option of ruling 30
        self.full: int = seen_by_all(seats)
        # The same limits for the cards of armies, which everybody has seen.
        self.recruit_limit: int = self.recruits | self.full
        self.loot_limit: int = self.stealable | self.full
        self.acting: dict[Card, Kind] = {kind.id | self.full: kind for kind in kinds if kind.acts}
        # What a card adds to the numbers from which `scoring.totals` works out a score, all in one number.
        self.tally: dict[Card, int] = {kind.id | self.full: self.tally_of(kind) for kind in kinds}
        self.cards: list[int] = deck + conscripts * seats
        self.takes: list[list[Action]] = [[TAKE + place for place in range(n)] for n in range(size + 1)]
        self.select: Together[Any] = select
        self.others: list[list[Action]] = [[TO + i for i in range(seats) if i != seat] for seat in range(seats)]

    def tally_of(self, kind: Kind) -> int:
        """A kind's part of a tally, in which each of these is a digit of TALLY bits: Berserkers, Bystanders, recruits,
        Bonus Cards, the cards of each faction; last of all the points, which may be negative."""
        points = kind.points if kind.id < self.plain or kind.bystander else 0
        tally = points << TALLY * (TALLY_FACTIONS + self.factions)
        tally += int(kind.berserker) << TALLY * TALLY_BERSERKERS
        tally += int(kind.bystander) << TALLY * TALLY_BYSTANDERS
        if kind.faction >= 0:
            tally += 1 << TALLY * TALLY_RECRUITS
            tally += 1 << TALLY * (TALLY_FACTIONS + kind.faction)
        if kind.id in self.bonus_kinds:
            tally += 1 << TALLY * TALLY_BONUS
        return tally


class FactionState(State):
    """One position. The top of a pile is its end.

    All of an army was gained in the open, so who owns what is public (ruling 31), and what of it lies in
    the battle deck follows from the discard pile. The order of a battle deck is known to nobody, and
    nobody can look at it, so it has none: it is a set, out of which chance draws a card when one is
    revealed. Only the recruit deck's order is a secret that a state holds.
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
        stack: list[Step[Any]],
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

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        setup = self.setup
        middle = [self.deck, self.discard, self.lineup, self.table, self.aside]
        pools = [(setup.cards, [*middle, *self.army, *self.pile])]
        if setup.goals:
            pools.append((setup.goal_kinds, [*self.goal, self.goals]))
        if setup.open_bonus:
            pools.append((setup.bonus_kinds, [self.bonus, self.bonuses]))
        return pools

    def data(self) -> list[Any]:
        middle = [self.deck, self.discard, self.lineup, self.table, self.aside, self.goals, self.bonus, self.bonuses]
        return [
            *[zone[:] for zone in middle],
            *[[zone[:] for zone in group] for group in (self.army, self.pile, self.goal)],
            self.picks[:],
            self.totals[:],
            [self.round, self.place, self.done, self.depleted],
            [self.chain, self.last, self.winners, self.how],
        ]

    def outcome(self) -> Outcome | None:
        if not self.winners:
            return None
        winners = [seat for seat in range(self.seats) if self.winners >> seat & 1]
        best = self.totals[winners[0]]
        names = " and ".join(f"Seat {seat + 1}" for seat in winners)
        if len(winners) > 1:
            return Outcome(winners, HOW[self.how], f"{names} share the victory with {best} points each (ruling 30).")
        second = max([self.totals[seat] for seat in range(self.seats) if seat != winners[0]])
        why = f"{names} wins with {best} points"
        if self.how == BY_BYSTANDERS:
            why += "; of those who are level they have the fewest Bystanders (ruling 30)"
        elif self.how == BY_RECRUITS:
            why += "; of those who are level they have the most recruits (ruling 30)"
        else:
            why += f", the next has {second}"
        return Outcome(winners, HOW[self.how], why + ".")

    def returns(self) -> list[float]:
        if not self.winners:
            return [0.0] * self.seats
        count = 0
        for seat in range(self.seats):
            count += self.winners >> seat & 1
        won = 2.0 / count - 1.0
        return [won if self.winners >> seat & 1 else -1.0 for seat in range(self.seats)]

    def reason(self, seat: Seat, action: Action) -> str:
        from gonfalon.games.factionwars.reasons import reason

        return reason(self, seat, action) if 0 <= action < LAST else "There is no such action in Faction Wars."

    # ---- the flow -------------------------------------------------------------------------------

    def apply(self, seat: Seat, action: Action) -> None:
        """The core's, with the selectors written out: three of four decisions are one of those, and the core
        asks everybody anew after each. A step may ask at once what it leads to (`put`)."""
        stack: list[Any] = self.stack
        step: Step[Any] = stack[-1]
        select = self.setup.select
        if step is select:
            answers = self.answers
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
        """The core's, but that a step may have asked already (`put`)."""
        self.actions = NO_ACTIONS
        stack: list[Any] = self.stack
        while stack:
            step: Step[Any] = stack[-1]
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

    def put(self, step: Step[Any]) -> None:
        """Push a step, and ask at once what it asks, if anything: `settle` need not find it out. It must be the last
        that happens."""
        self.stack.append(step)
        actions = step.options(self)
        if actions:
            self.turn = step.seat
            self.actions = actions

    def asks(self, step: Together[Any], after: Seat) -> bool:
        """The core's, with the selectors written out."""
        if step is not self.setup.select or NO_ACTIONS not in self.answers:
            return super().asks(step, after)
        self.turn = self.answers.index(NO_ACTIONS)
        self.actions = self.setup.takes[len(self.lineup)]
        return True

    def play_out(self, rng: Rng) -> int:
        """The core's, with `apply` written out. Nobody's selector lies on the table before the others': what all have
        drawn is carried out in one go, by the number whose digits their places are."""
        select = self.setup.select
        seats = self.seats
        tables = SELECTIONS[seats]
        tabled = self.setup.size**seats <= MOST_SELECTIONS
        nobody_yet = NO_ANSWERS[seats]
        stack: list[Any] = self.stack
        made = 0
        word: i64 = 0
        while stack:
            step: Step[Any] = stack[-1]
            if step is select and tabled and self.answers is nobody_yet:
                count: i64 = len(self.actions)
                table = tables[count] or selections(seats, count)
                ways: i64 = len(table)
                number: i64
                if word // ways >= ROOM:  # one word for all
                    number = word % ways
                    word //= ways
                else:
                    number = 0
                    ways = 1
                    for _ in range(seats):
                        if word < ROOM:
                            word = rng.word()
                        number += word % count * ways
                        word //= count
                        ways *= count
                made += seats
                self.picks, self.claims = table[number]
                stack.pop()
                self.actions = NO_ACTIONS
                select.finish(self)
            else:
                seat = self.turn
                actions = self.actions
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

    def places(self) -> list[int]:
        """The places of the cards that are left of the line-up, in their order."""
        gone = self.gone()
        return [place for place in range(len(self.lineup) + len(gone)) if place not in gone]

    def gone(self) -> list[int]:
        """The places whose card has left the line-up."""
        return [at + done - 1 for _, at, done, _ in self.claims[: self.done]]

    def owned(self, seat: Seat) -> list[int]:
        """How many cards of each kind an army has; conscripts are not counted."""
        counts = [0] * len(self.kinds)
        for card in self.army[seat] + self.pile[seat]:
            counts[card & KIND] += 1
        return counts[: self.setup.owned]

    def owned_by_all(self) -> list[int]:
        """The same for all seats: a seat's counts begin at `seat * setup.owned`."""
        counts: list[int] = []
        for seat in range(self.seats):
            counts += self.owned(seat)
        return counts

    def recruits(self, seat: Seat) -> int:
        """How many recruits an army has; conscripts and Bystanders are none."""
        return self.below(seat, self.setup.recruit_limit)

    def pool(self, seat: Seat) -> int:
        """How many recruits of an army can be picked at random (ruling 17)."""
        return self.below(seat, self.setup.loot_limit)

    def below(self, seat: Seat, limit: Card) -> int:
        """How many cards of an army are below a limit."""
        return sum([card < limit for card in self.army[seat] + self.pile[seat]])

    def choices(self, seat: Seat) -> list[Action]:
        """The recruits of an army, as actions that name them."""
        return name_below(self.setup.recruit_limit, self.army[seat] + self.pile[seat], CARD - self.setup.full)

    def has_below(self, seat: Seat, limit: Card) -> bool:
        """Whether an army has a card below a limit."""
        for zone in (self.pile[seat], self.army[seat]):  # as a loop it is twice as fast
            for card in zone:
                if card < limit:
                    return True
        return False

    def has_choice(self, seat: Seat) -> bool:
        """Whether an army has recruits of more than one kind."""
        limit = self.setup.recruit_limit
        found = -1
        for card in self.pile[seat] + self.army[seat]:
            if card < limit and card != found:
                if found >= 0:
                    return True
                found = card
        return False

    def victims(self, seat: Seat) -> list[Action]:
        """Whom a Buccaneer or Kunoichi of this seat may hit (rulings 16, 18)."""
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
        """A card comes into an army: always into the discard pile of its battle deck."""
        self.pile[seat].append(card)

    def collect(self, seat: Seat, card: Card) -> None:
        """A card is collected: its ability triggers. A chain that is too long ends (ruling 21)."""
        kind = self.kinds[card & KIND]
        if kind.acts:
            self.chain += 1
            if self.chain > self.setup.chain:
                self.tell(events.WORTHLESS, seat, card)
                kind.on_collect_in_vain(self, seat, card)
            else:
                kind.on_collect(self, seat, card)
        else:
            self.gain(seat, card)

    def lose(self, seat: Seat, kind: int, from_pile: bool) -> Card:
        """Take a card of a kind out of an army. `from_pile` says where it is looked for first; where
        everything is shuffled afterwards that makes no difference."""
        card = kind | self.setup.full
        zone = self.pile[seat] if from_pile else self.army[seat]
        if card not in zone:
            zone = self.army[seat] if from_pile else self.pile[seat]
        zone.remove(card)
        return card

    def reveal_top(self) -> Card:
        """The top card of the recruit deck, which is not empty; `deplete` is the caller's to call."""
        return self.deck.pop() | self.setup.full

    def say_nothing(self, seat: Seat, what: int, why: int) -> None:
        """Tell that an ability finds nothing to do."""
        self.tell(events.NOTHING, seat, HIDDEN, why, what)


def name_below(limit: Card, cards: list[Card], to_action: int) -> list[Action]:
    """Those of the cards that are below a limit, each kind once, as actions: their numbers and so much more."""
    named = sorted(set(cards))
    return [card + to_action for card in named[: bisect_left(named, limit)]]
