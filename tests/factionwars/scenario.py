"""An arranged table of Faction Wars.

May sits in seat 0, David in 1, Ann in 2, Ben in 3, Cleo in 4. Nothing more is shuffled unless the rules
require it, armies are empty, and every battle deck holds only the conscripts:

table = Table(seats=3)
table.may.owns("outlaw", "berserker")       # in the discard pile, open
table.may.draws("marshal", "rock")          # her battle deck, top card first
table.lines_up("jarl", "gambler", "bystander", "blade")
table.select(1, 1, 4)                       # each player's place, seat by seat
assert table.may.army == ["jarl", ...]

`rock`, `paper` and `scissors` are the conscripts. Tests decide chance (`table.seed()`,
`table.chance("steal:outlaw")`), or call `table.settle_chance()` where it does not matter. A player with a deck
arranged by `draws` reveals its cards in that order: the table searches for a seed with this result.
"""

from __future__ import annotations

from typing import Any

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import CHANCE, SPECTATOR, Seat
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules.actions import DEAL
from gonfalon.games.factionwars.rules.events import SHOWN
from gonfalon.games.factionwars.rules.rounds import SELECT, Battle, Reveal
from gonfalon.games.factionwars.rules.scoring import scoring
from gonfalon.games.factionwars.rules.scoring.scoring import SCORE
from gonfalon.games.factionwars.rules.state import FactionState
from gonfalon.testing import scenario

CONSCRIPTS = ("rock", "paper", "scissors")


class Player(scenario.Player["Table", FactionState]):
    """One player. Arranging methods return the player, so that they can be chained."""

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table, seat)
        self.plan: list[int] = []
        """The kinds of a battle deck in the order of their reveal."""

    # ---- arranging ------------------------------------------------------------------------------

    def owns(self, *names: str) -> Player:
        """Add these cards from the recruit deck to the army, open in the discard pile."""
        for name in names:
            self.state.gain(self.seat, self.table.fetch(name) | self.state.setup.full)
        return self

    def draws(self, *names: str) -> Player:
        """Make the battle deck exactly these cards, revealed in this order. Recruits come out of the recruit deck
        unless the army has them in its discard pile. Other conscripts go to the pile."""
        state, seat = self.state, self.seat
        state.pile[seat] += state.army[seat]
        state.army[seat].clear()
        self.plan = [self.table.kind(name) for name in names]
        for name in names:
            kind = self.table.kind(name)
            pile = [card & KIND for card in state.pile[seat]]
            if kind not in pile:
                self.owns(name)
                pile.append(kind)
            state.army[seat].append(state.pile[seat].pop(pile.index(kind)))
        return self

    def has_goal(self, name: str) -> Player:
        """Set the goal, swapping it for the previous one."""
        state = self.state
        kind = self.table.kind(name)
        mine = state.goal[self.seat][0]
        for other, zone in enumerate(state.goal):
            if zone[0] & KIND == kind:
                zone[0] = mine & KIND | SEEN[other]
        if kind in state.goals:
            state.goals.remove(kind)
            state.goals.append(mine & KIND)
            state.goals.sort()
        state.goal[self.seat][0] = kind | SEEN[self.seat]
        return self

    # ---- deciding -------------------------------------------------------------------------------

    selects = scenario.Player.does
    chooses = scenario.Player.does

    # ---- looking --------------------------------------------------------------------------------

    @property
    def army(self) -> list[str]:
        """All owned cards but the conscripts, sorted by name."""
        owned = self.state.count_owned(self.seat)
        return sorted(self.table.name(kind) for kind, count in enumerate(owned) for _ in range(count))

    @property
    def pile(self) -> list[str]:
        """The discard pile of the battle deck, oldest card first."""
        return self.table.names(self.state.pile[self.seat])

    @property
    def deck(self) -> list[str]:
        """The battle deck in the order of its reveal, or sorted by name if that order is open."""
        left = self.planned()
        return self.table.names(left) if left else sorted(self.table.names(self.state.army[self.seat]))

    def planned(self) -> list[int]:
        """Return the rest of the plan, or an empty list if the battle deck has changed."""
        army = [card & KIND for card in self.state.army[self.seat]]
        left = self.plan[len(self.plan) - len(army) :]
        return left if sorted(left) == sorted(army) else []

    @property
    def goal(self) -> str:
        return self.table.name(self.state.goal[self.seat][0])

    @property
    def score(self) -> dict[str, int]:
        """Return the army's current value by parts, including the player's own goal."""
        state = self.state
        armies = [state.count_owned(seat) for seat in range(state.seats)]
        goal = None
        if state.goal[self.seat]:
            goal = state.setup.goals[(state.goal[self.seat][0] & KIND) - state.setup.first_goal]
        shown = [card & KIND for card in state.bonus]
        return dict(zip(scoring.PARTS, scoring.score_by_part(state.setup, self.seat, armies, goal, shown), strict=True))

    @property
    def total(self) -> int:
        """The final score."""
        return self.state.totals[self.seat]


class Table(scenario.Table[FactionWars, FactionState, Player]):
    """A first round in which all players select. The line-up is filled from the deck until `lines_up` sets it."""

    def __init__(self, seats: int = 3, **options: Any) -> None:
        super().__init__(FactionWars(seats=seats, **options), Player)
        self.settle_chance()
        self.forget()

    @property
    def ann(self) -> Player:
        return self.people[2]

    @property
    def ben(self) -> Player:
        return self.people[3]

    @property
    def cleo(self) -> Player:
        return self.people[4]

    # ---- arranging ------------------------------------------------------------------------------

    def kind(self, name: str) -> int:
        """A kind by its slug; conscripts by their symbol."""
        return self.game.kind_of[f"conscript-{name}" if name in CONSCRIPTS else name]

    def name(self, card: int) -> str:
        """A card's slug; conscripts by their symbol."""
        slug: str = self.game.entries[card & KIND]["slug"]
        return slug.removeprefix("conscript-")

    def fetch(self, name: str) -> int:
        """Take a card out of the recruit deck, or else its discard pile, the line-up (whose other cards close up) or
        the cards set aside."""
        kind = self.kind(name)
        state = self.state
        for zone in (state.deck, state.discard, state.aside, state.lineup):
            for i in range(len(zone)):
                if zone[i] & KIND == kind:
                    del zone[i]
                    return kind
        raise AssertionError(f"there is no {name} left in the recruit deck")

    def lines_up(self, *names: str) -> Table:
        """Make the line-up exactly these cards, with all players to select. The previous line-up goes under
        the deck."""
        state = self.state
        state.deck[:0] = [card & KIND for card in state.lineup]
        state.lineup.clear()
        state.lineup += [self.fetch(name) | state.setup.full for name in names]
        state.claims, state.done = [], 0
        state.place = -1
        state.stack[:] = [SELECT[state.seats]]
        state.settle()
        return self

    def on_top(self, *names: str) -> Table:
        """Put these cards on top of the recruit deck, the first one uppermost."""
        cards = [self.fetch(name) for name in names]
        self.state.deck += cards[::-1]
        return self

    def leaves(self, *names: str) -> Table:
        """Make the recruit deck exactly these cards, the first one uppermost. All others go to the recruit discard
        pile."""
        cards = [self.fetch(name) for name in names]
        state = self.state
        state.discard += [card & KIND | state.setup.full for card in state.deck]
        state.deck[:] = cards[::-1]
        return self

    def discarded(self, *names: str) -> Table:
        """Make the recruit discard pile exactly these cards. Its other cards go under the deck."""
        state = self.state
        cards = [self.fetch(name) | state.setup.full for name in names]
        state.deck[:0] = [card & KIND for card in state.discard]
        state.discard[:] = cards
        return self

    def removed(self, *names: str) -> Table:
        """Move these cards to the recruit discard pile."""
        self.state.discard += [self.fetch(name) | self.state.setup.full for name in names]
        return self

    def score(self) -> Table:
        """End the game and count."""
        self.state.stack[:] = [SCORE]
        self.state.settle()
        return self

    # ---- deciding -------------------------------------------------------------------------------

    def select(self, *places: int) -> Table:
        """Select a place for each seat in order. Places count from 1."""
        assert len(places) == self.state.seats
        for player, place in zip(self.people, places, strict=True):
            player.does(f"take:{place}")
        return self

    def collects(self, player: Player, name: str) -> Table:
        """Let a player collect a card of the recruit deck from any place, and trigger its ability. Afterwards the
        earlier question returns."""
        self.state.chain = 0
        self.state.collect(player.seat, self.fetch(name) | self.state.setup.full)
        self.state.settle()
        self.reveal()
        return self

    def reveal(self) -> None:
        """Reveal the fighters' cards in their planned order. Decks without a plan are left to chance."""
        while self.question() == ([CHANCE], "battle"):
            plans = [player.planned() for player in self.people]
            step = self.state.stack[-1]
            if isinstance(step, Reveal):
                if not plans[step.fighter]:
                    return
                self.state.apply(CHANCE, DEAL + plans[step.fighter][0])
                continue
            assert isinstance(step, Battle)
            if not any(plans[seat] for seat, place in enumerate(self.state.picks) if place == step.place):
                return
            self.state.apply(CHANCE, next(-1 - seed for seed in range(10**6) if self.follows(-1 - seed, plans)))

    def follows(self, action: int, plans: list[list[int]]) -> bool:
        """Return whether this outcome of chance gives all players the planned next cards."""
        twin = self.state.clone()
        assert twin.log is not None
        begin = len(twin.log)
        twin.apply(CHANCE, action)
        for seat, plan in enumerate(plans):
            shown = [event[3] & KIND for event in twin.log[begin:] if event[0] == SHOWN and event[2] == seat]
            if plan and shown != plan[: len(shown)]:
                return False
        return True

    def play(self, seat: Seat, notation: str) -> None:
        super().play(seat, notation)
        self.reveal()

    # ---- looking --------------------------------------------------------------------------------

    def question(self) -> tuple[list[int], str]:
        """Return the seats to decide and the prompt. Chance is seat -1, and after the end there are no seats."""
        return self.state.asked(), self.state.stack[-1].prompt if self.state.stack else "over"

    def outcomes(self) -> dict[str, int]:
        """Return chance's options with their weights, in notation."""
        assert self.state.turn == CHANCE
        names = [self.game.notation(action) for action in self.state.actions]
        return dict(zip(names, self.state.weights(), strict=True))

    @property
    def lineup(self) -> list[str]:
        """The rest of the line-up."""
        return self.names(self.state.lineup)

    @property
    def discard(self) -> list[str]:
        """The recruit discard pile, oldest card first."""
        return self.names(self.state.discard)

    @property
    def deck(self) -> list[str]:
        """The recruit deck in its true order, the top card first."""
        return self.names(self.state.deck[::-1])

    @property
    def said(self) -> list[str]:
        """The public log."""
        return self.told(SPECTATOR)

    @property
    def winners(self) -> list[Player]:
        outcome = self.state.outcome()
        return [self.people[seat] for seat in outcome.winners] if outcome else []
