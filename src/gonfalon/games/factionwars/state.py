"""The table of Faction Wars: the recruit deck, the line-up, and everybody's army."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.cards import HIDDEN, KIND, seen_by_all
from gonfalon.core.outcome import Outcome
from gonfalon.core.state import NO_ACTIONS, TOGETHER, Action, Card, Seat, State, Step
from gonfalon.games.factionwars import events
from gonfalon.games.factionwars.actions import LAST, TAKE, TO

if TYPE_CHECKING:
    from gonfalon.games.factionwars.kinds import Kind

HOW: Final = ["points", "shared", "bystanders", "recruits"]
BY_POINTS: Final = 0
SHARED: Final = 1
BY_BYSTANDERS: Final = 2
BY_RECRUITS: Final = 3


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
        "symbols",
        "factions",
        "faction_of",
        "members",
        "plain",
        "recruits",
        "stealable",
        "owned",
        "bystanders",
        "berserkers",
        "points",
        "deck",
        "conscripts",
        "goals",
        "first_goal",
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
        "takes",
        "takes_alone",
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
        select: Step[Any],
    ) -> None:
        self.seats: int = seats
        self.kinds: list[Kind] = kinds
        self.values: list[int] = [kind.battle for kind in kinds]
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
        self.owned: int = owned  # kinds below lie in the recruit deck at the start, so an army may own them
        self.bystanders: list[int] = [kind.id for kind in kinds if kind.bystander]
        self.berserkers: list[int] = [kind.id for kind in kinds if kind.berserker]
        self.deck: list[int] = deck
        self.conscripts: list[int] = conscripts
        self.goals: list[Goal] = goals
        self.first_goal: int = first_goal
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
        self.takes: list[list[Action]] = [[TAKE + place for place in range(n)] for n in range(size + 1)]
        self.takes_alone: list[list[Action]] = [[TAKE + place] for place in range(size)]
        self.select: Step[Any] = select
        self.others: list[list[Action]] = [[TO + i for i in range(seats) if i != seat] for seat in range(seats)]


class FactionState(State):
    """One position. The top of a pile is its end.

    `owned[seat * setup.owned + kind]` counts the cards of an army by kind: all of it was gained in the
    open, so it is public, while the order of `army` (the battle deck) is known to nobody (ruling 31).

    A battle deck that was shuffled is `loose`: a set, in which cards may be known, until its owner
    fights. Only then, since nobody can look at it before, chance decides its order. That saves a third
    of the shuffles.
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
        "owned",
        "recruit_kinds",
        "picks",
        "totals",
        "round",
        "place",
        "gone",
        "loose",
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
        owned: list[int],
        recruit_kinds: list[list[int]],
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
        self.owned: list[int] = owned
        # The kinds of an army's recruits, in any order: follows from `owned`, which is long to search. Inner
        # lists are replaced, never changed, so that clones share them.
        self.recruit_kinds: list[list[int]] = recruit_kinds
        self.picks: list[int] = picks  # the place each seat selected this round, once revealed; else -1
        self.totals: list[int] = totals  # final scores
        self.round: int = 0
        self.place: int = -1  # the place that is being resolved
        self.gone: int = 0  # bitmask of the places whose card has left
        self.loose: int = 0  # bitmask of the seats whose battle deck has no order yet
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
            self.owned[:],
            self.recruit_kinds[:],
            self.picks[:],
            self.totals[:],
        )
        twin.round = self.round
        twin.place = self.place
        twin.gone = self.gone
        twin.loose = self.loose
        twin.depleted = self.depleted
        twin.chain = self.chain
        twin.last = self.last
        twin.winners = self.winners
        twin.how = self.how
        self.copy_flow(twin)
        return twin

    # ---- what the core asks ---------------------------------------------------------------------

    def ordered_zones(self) -> list[list[Card]]:
        zones = [self.deck, self.discard, self.lineup, self.table, self.aside, self.bonus, *self.pile, *self.goal]
        zones += [army for seat, army in enumerate(self.army) if not self.loose >> seat & 1]
        return zones

    def unordered_zones(self) -> list[list[Card]]:
        zones = [self.goals, self.bonuses]
        if self.loose:
            zones += [army for seat, army in enumerate(self.army) if self.loose >> seat & 1]
        return zones

    def zones(self) -> list[list[Card]]:
        middle = [self.deck, self.discard, self.lineup, self.table, self.aside]
        return [*middle, *self.army, *self.pile, *self.goal, self.bonus, self.goals, self.bonuses]

    def pools(self) -> list[tuple[list[int], list[list[Card]]]]:
        setup = self.setup
        width = setup.owned
        left = [0] * len(setup.kinds)
        for kind in setup.deck:
            left[kind] += 1
        pools: list[tuple[list[int], list[list[Card]]]] = []
        for seat in range(self.seats):
            army: list[int] = []
            for kind in range(width):
                count = self.owned[seat * width + kind]
                if count:
                    army += [kind] * count
                    left[kind] -= count
            pools.append((army + setup.conscripts, [self.army[seat], self.pile[seat]]))
        rest = [kind for kind in range(width) for _ in range(left[kind])]
        pools.append((rest, [self.deck, self.discard, self.lineup, self.table, self.aside]))
        if setup.goals:
            first = setup.first_goal
            pools.append(([first + i for i in range(len(setup.goals))], [*self.goal, self.goals]))
        if setup.open_bonus:
            pools.append((setup.bonus_kinds, [self.bonus, self.bonuses]))
        return [pool for pool in pools if pool[0]]

    def data(self) -> list[Any]:
        middle = [self.deck, self.discard, self.lineup, self.table, self.aside, self.goals, self.bonus, self.bonuses]
        return [
            *[zone[:] for zone in middle],
            *[[zone[:] for zone in group] for group in (self.army, self.pile, self.goal)],
            self.owned[:],
            self.picks[:],
            self.totals[:],
            [self.round, self.place, self.gone, self.loose, self.depleted],
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
        asks everybody anew after each. Without this, plain random play is 4 % slower."""
        step = self.stack[-1]
        if step is self.setup.select:
            answers = self.answers
            answers[seat] = self.setup.takes_alone[action]
            other = self.turn  # everybody below has answered
            while other < self.seats and answers[other]:
                other += 1
            if other < self.seats:
                self.turn = other
                return
            self.stack.pop()
            step.choose(self, action)
            self.answers = [NO_ACTIONS] * self.seats
            if self.stack and self.stack[-1] is step:
                self.turn = 0
                self.actions = self.setup.takes[len(self.lineup)]
                return
        elif step.seat == TOGETHER:
            self.answers[seat] = [*self.answers[seat], action]
        else:
            self.stack.pop()
            step.choose(self, action)
        self.settle()

    # ---- reading the table ----------------------------------------------------------------------

    def places(self) -> list[int]:
        """The places of the cards that are left of the line-up, in their order."""
        total = len(self.lineup)
        for place in range(self.setup.size):
            total += self.gone >> place & 1
        return [place for place in range(total) if not self.gone >> place & 1]

    def count(self, seat: Seat, kind: int) -> int:
        """How many cards of a kind an army has."""
        return self.owned[seat * self.setup.owned + kind]

    def recruits(self, seat: Seat) -> int:
        """How many recruits an army has; conscripts and Bystanders are none."""
        first = seat * self.setup.owned
        return sum(self.owned[first : first + self.setup.recruits])

    def pool(self, seat: Seat) -> int:
        """How many recruits of an army can be picked at random (ruling 17)."""
        first = seat * self.setup.owned
        return sum(self.owned[first : first + self.setup.stealable])

    def victims(self, seat: Seat) -> list[Action]:
        """Whom a Buccaneer or Kunoichi of this seat may hit (rulings 16, 18)."""
        found: list[Action] = []
        limit = self.setup.stealable
        for action in self.setup.others[seat]:
            for kind in self.recruit_kinds[action - TO]:
                if kind < limit:
                    found.append(action)
                    break
        return found

    # ---- changing the table ---------------------------------------------------------------------

    def gain(self, seat: Seat, card: Card) -> None:
        """A card comes into an army: always into the discard pile of its battle deck."""
        self.pile[seat].append(card)
        kind = card & KIND
        setup = self.setup
        at = seat * setup.owned + kind
        had = self.owned[at]
        self.owned[at] = had + 1
        if had == 0 and kind < setup.recruits:
            self.recruit_kinds[seat] = [*self.recruit_kinds[seat], kind]

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
        """Take a card of a kind out of an army, open from now on. `from_pile` says where it is looked
        for first; where everything is shuffled afterwards that makes no difference."""
        at = seat * self.setup.owned + kind
        left = self.owned[at] - 1
        self.owned[at] = left
        if left == 0:
            self.recruit_kinds[seat] = [other for other in self.recruit_kinds[seat] if other != kind]
        card = kind | self.setup.full
        army, pile = self.army[seat], self.pile[seat]
        if from_pile and card in pile:
            pile.remove(card)
        elif kind in army:
            army.remove(kind)
        elif card in army:  # a loose battle deck is a set of which much has been seen
            army.remove(card)
        else:
            pile.remove(card)
        return card

    def reveal_top(self) -> Card:
        """The top card of the recruit deck, which is not empty; `deplete` is the caller's to call."""
        return self.deck.pop() | self.setup.full

    def say_nothing(self, seat: Seat, what: int, why: int) -> None:
        """Tell that an ability finds nothing to do."""
        self.tell(events.NOTHING, seat, HIDDEN, why, what)
