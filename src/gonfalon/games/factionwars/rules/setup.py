"""The constants of a game of Faction Wars: its cards, and the numbers of box and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonfalon.core.basics.cards import Unread, seen_by_all
from gonfalon.core.rules.state import Action, AnyTogether
from gonfalon.games.factionwars.rules.actions import TAKE, TO
from gonfalon.games.factionwars.rules.scoring.tally import (
    DIGIT_BITS,
    TALLY_BERSERKERS,
    TALLY_BONUS,
    TALLY_BYSTANDERS,
    TALLY_POINTS,
)

if TYPE_CHECKING:
    from gonfalon.games.factionwars.rules.cards import Kind
    from gonfalon.games.factionwars.rules.scoring.goals import Goal


class Setup:
    """The constants of a game: the cards, and the numbers of box and options.

    Kinds are numbered in this order: recruits without Bonus Cards, Bonus Cards, the other cards of the recruit deck,
    conscripts, goals.
    """

    def __init__(
        self,
        *,
        seats: int,
        kinds: list[Kind],
        factions: int,
        plain: int,
        recruits: int,
        owned: int,
        deck: list[int],
        conscripts: list[int],
        goals: list[Goal],
        open_bonus: int,
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
        always_symbols: bool,
        tie_ends: bool,
        select: AnyTogether,
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
        self.first_goal: int = len(kinds)
        self.goal_kinds: list[int] = [len(kinds) + i for i in range(len(goals))]
        self.bonus_kinds: list[int] = [kind.id for kind in kinds if kind.is_bonus]
        # How many of these lie open (later revision).
        self.open_bonus: int = min(open_bonus, len(self.bonus_kinds))
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
        self.always_symbols: bool = always_symbols and not later  # the other reading of ruling 12
        self.tie_ends: bool = tie_ends  # the other reading of ruling 4
        # Recruits of this game that cannot be picked at random.
        self.safe_bonus: bool = bonus == "safe" and any(kind in deck for kind in range(plain, recruits))
        self.full: int = seen_by_all(seats)
        # The same limits for the cards of armies, which everybody has seen.
        self.recruit_limit: int = self.recruits | self.full
        self.loot_limit: int = self.stealable | self.full
        self.acting: list[Kind | None] = [kind if kind.acts else None for kind in kinds]  # by kind
        # By kind: its card when all have seen it, made once.
        self.shown: Unread = [kind.id | self.full for kind in kinds]
        # By kind: what a card adds to the two numbers from which `scoring.totals` works out a score.
        self.tally: list[int] = [self.pack_tally(kind) for kind in kinds]
        self.allies: list[int] = [1 << DIGIT_BITS * kind.faction if kind.faction >= 0 else 0 for kind in kinds]
        self.cards: list[int] = deck + conscripts * seats
        self.takes: list[list[Action]] = [[TAKE + place for place in range(n)] for n in range(size + 1)]
        self.select: AnyTogether = select
        self.others: list[list[Action]] = [[TO + i for i in range(seats) if i != seat] for seat in range(seats)]

    def pack_tally(self, kind: Kind) -> int:
        """Return the share of a kind in a tally, a number whose digits count a sort of card each.

        A digit has DIGIT_BITS bits. The digits are Berserkers, Bystanders and Bonus Cards; the points come last,
        because they may be negative.
        """
        points = kind.points if kind.id < self.plain or kind.bystander else 0
        tally = points << DIGIT_BITS * TALLY_POINTS
        tally += int(kind.berserker) << DIGIT_BITS * TALLY_BERSERKERS
        tally += int(kind.bystander) << DIGIT_BITS * TALLY_BYSTANDERS
        if kind.id in self.bonus_kinds:
            tally += 1 << DIGIT_BITS * TALLY_BONUS
        return tally
