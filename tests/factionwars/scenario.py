"""A table of Faction Wars laid out by hand.

May sits in seat 0, David in 1, Ann in 2, Ben in 3, Cleo in 4. Nothing is shuffled any more unless the
rules ask for it, armies are empty, and every battle deck holds the conscripts only:

    table = Table(seats=3)
    table.may.owns("outlaw", "berserker")       # in the discard pile, open
    table.may.draws("marshal", "rock")          # her battle deck, top card first
    table.lines_up("jarl", "gambler", "bystander", "blade")
    table.select(1, 1, 4)                       # everybody's place, seat by seat
    assert table.may.army == ["jarl", ...]

`rock`, `paper` and `scissors` are the conscripts. Chance is answered by hand (`table.seed()`,
`table.chance("steal:outlaw")`), or by `table.settle_chance()` where it does not matter. Who fights with a deck
that was laid out by `draws` reveals its cards in that order: a seed is looked for that makes it so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gonfalon.core.cards import HIDDEN, KIND, SEEN
from gonfalon.core.errors import Refusal
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, OPEN, SPECTATOR, Event
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules import scoring
from gonfalon.games.factionwars.rules.actions import DEAL
from gonfalon.games.factionwars.rules.events import SHOWN
from gonfalon.games.factionwars.rules.rounds import SELECT, Battle, Reveal, rivals
from gonfalon.games.factionwars.rules.scoring import SCORE
from gonfalon.games.factionwars.rules.state import FactionState

NAMES = ["May", "David", "Ann", "Ben", "Cleo"]
CONSCRIPTS = ("rock", "paper", "scissors")


class Player:
    """One player. Arranging methods return the player, so that they can be chained."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.plan: list[int] = []
        """The kinds of a battle deck in the order in which they are to be revealed."""

    # ---- arranging ------------------------------------------------------------------------------

    def owns(self, *names: str) -> Player:
        """These cards join the army, out of the recruit deck: they lie open in the discard pile."""
        for name in names:
            self.state.gain(self.seat, self.table.fetch(name) | self.state.setup.full)
        return self

    def draws(self, *names: str) -> Player:
        """The battle deck is exactly these cards, to be revealed in this order. Recruits come out of the
        recruit deck unless the army has them in its discard pile; other conscripts lie in the pile."""
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
        """The goal is this one; what it was is swapped for it."""
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

    def does(self, *notations: str) -> Player:
        """Take these actions, one after the other; each must be legal."""
        for notation in notations:
            self.state.play(self.seat, self.table.game.parse(notation))
            self.table.reveal()
        return self

    selects = does
    chooses = does

    # ---- looking --------------------------------------------------------------------------------

    @property
    def state(self) -> FactionState:
        return self.table.state

    def legal(self) -> list[str]:
        """The legal actions, in notation."""
        return [self.table.game.notation(action) for action in self.state.legal(self.seat)]

    def why_not(self, notation: str) -> str:
        """The reason of the refusal; fails when the action is legal. Checks that nothing changes."""
        before = self.state.dump()
        try:
            self.state.play(self.seat, self.table.game.parse(notation))
        except Refusal as refusal:
            assert self.state.dump() == before
            return str(refusal)
        raise AssertionError(f"{notation} was legal")

    @property
    def army(self) -> list[str]:
        """All owned cards but the conscripts, sorted by name."""
        owned = self.state.owned(self.seat)
        return sorted(self.table.name(kind) for kind, count in enumerate(owned) for _ in range(count))

    @property
    def pile(self) -> list[str]:
        """The discard pile of the battle deck, in the order in which cards came."""
        return self.table.names(self.state.pile[self.seat])

    @property
    def deck(self) -> list[str]:
        """The battle deck, in the order in which it is to be revealed; by name where that is open."""
        left = self.planned()
        return self.table.names(left) if left else sorted(self.table.names(self.state.army[self.seat]))

    def planned(self) -> list[int]:
        """What is left of the plan; nothing when the battle deck is another one by now."""
        army = [card & KIND for card in self.state.army[self.seat]]
        left = self.plan[len(self.plan) - len(army) :]
        return left if sorted(left) == sorted(army) else []

    @property
    def goal(self) -> str:
        return self.table.name(self.state.goal[self.seat][0])

    @property
    def score(self) -> dict[str, int]:
        """What the army is worth now, by parts, the own goal included."""
        state = self.state
        armies = [state.owned(seat) for seat in range(state.seats)]
        goal = None
        if state.goal[self.seat]:
            goal = state.setup.goals[(state.goal[self.seat][0] & KIND) - state.setup.first_goal]
        shown = [card & KIND for card in state.bonus]
        return dict(zip(scoring.PARTS, scoring.parts(state.setup, self.seat, armies, goal, shown), strict=True))

    @property
    def total(self) -> int:
        """The final score."""
        return self.state.totals[self.seat]

    @property
    def view(self) -> FactionState:
        """What the player may know."""
        view = self.state.mask(self.seat)
        assert isinstance(view, FactionState)
        return view

    @property
    def board(self) -> Mapping[str, Any]:
        return self.table.game.board(self.view)

    @property
    def controls(self) -> Mapping[str, Any]:
        return self.table.game.controls(self.view)

    @property
    def prompt(self) -> str:
        return self.table.game.prompt(self.view, self.table.players(self.seat))

    def log(self) -> list[str]:
        """The log in the player's words."""
        return self.table.sentences(self.view, self.seat)


class Table:
    """A first round in which everybody is to select; the line-up is filled from the deck until `lines_up`
    lays it out."""

    def __init__(self, seats: int = 3, **options: Any) -> None:
        self.game = FactionWars(seats=seats, **options)
        self.state = self.game.start(log=True)
        self.settle_chance()
        state = self.state
        assert state.log is not None
        state.log.clear()
        people = [Player(self, seat) for seat in range(seats)]
        self.people = people
        self.may, self.david = people[0], people[1]

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
        """A card's slug, `?` for one that is not known; conscripts by their symbol."""
        return "?" if card & KIND == HIDDEN else self.game.entries[card & KIND]["slug"].removeprefix("conscript-")

    def names(self, cards: list[int]) -> list[str]:
        return [self.name(card) for card in cards]

    def fetch(self, name: str) -> int:
        """A card out of the recruit deck, or else out of its discard pile, the line-up (whose other cards
        close up) or the cards laid aside."""
        kind = self.kind(name)
        state = self.state
        for zone in (state.deck, state.discard, state.aside, state.lineup):
            for i in range(len(zone)):
                if zone[i] & KIND == kind:
                    del zone[i]
                    return kind
        raise AssertionError(f"there is no {name} left in the recruit deck")

    def lines_up(self, *names: str) -> Table:
        """The line-up is exactly these cards, and everybody is to select; what lay there goes under the
        deck."""
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
        """These cards lie on top of the recruit deck, the first one uppermost."""
        cards = [self.fetch(name) for name in names]
        self.state.deck += cards[::-1]
        return self

    def leaves(self, *names: str) -> Table:
        """The recruit deck is exactly these cards, the first one uppermost; all others go to the recruit
        discard pile."""
        cards = [self.fetch(name) for name in names]
        state = self.state
        state.discard += [card & KIND | state.setup.full for card in state.deck]
        state.deck[:] = cards[::-1]
        return self

    def discarded(self, *names: str) -> Table:
        """The recruit discard pile is exactly these cards; all others of it go under the deck."""
        state = self.state
        cards = [self.fetch(name) | state.setup.full for name in names]
        state.deck[:0] = [card & KIND for card in state.discard]
        state.discard[:] = cards
        return self

    def removed(self, *names: str) -> Table:
        """These cards join nobody: they go to the recruit discard pile."""
        self.state.discard += [self.fetch(name) | self.state.setup.full for name in names]
        return self

    def score(self) -> Table:
        """The game is over: count."""
        self.state.stack[:] = [SCORE]
        self.state.settle()
        return self

    # ---- deciding -------------------------------------------------------------------------------

    def select(self, *places: int) -> Table:
        """Everybody selects, seat by seat; places count from 1."""
        assert len(places) == self.state.seats
        for player, place in zip(self.people, places, strict=True):
            player.does(f"take:{place}")
        return self

    def collects(self, player: Player, name: str) -> Table:
        """This player collects a card of the recruit deck, by whatever way; its ability triggers. Afterwards
        everybody is asked what they were asked before."""
        self.state.chain = 0
        self.state.collect(player.seat, self.fetch(name) | self.state.setup.full)
        self.state.settle()
        self.reveal()
        return self

    def reveal(self) -> None:
        """Let those who fight reveal their cards as they were laid out; where nobody's were it is left open."""
        while self.asked() == ([CHANCE], "battle"):
            plans = [player.planned() for player in self.people]
            step = self.state.stack[-1]
            if isinstance(step, Reveal):
                if not plans[step.fighter]:
                    return
                self.state.apply(CHANCE, DEAL + plans[step.fighter][0])
                continue
            assert isinstance(step, Battle)
            if not any(plans[seat] for seat in rivals(self.state, step.place)):
                return
            self.state.apply(CHANCE, next(-1 - seed for seed in range(10**6) if self.follows(-1 - seed, plans)))

    def follows(self, action: int, plans: list[list[int]]) -> bool:
        """Whether with this outcome of chance everybody's next cards are those that are planned."""
        twin = self.state.clone()
        assert twin.log is not None
        begin = len(twin.log)
        twin.apply(CHANCE, action)
        for seat, plan in enumerate(plans):
            shown = [event[3] & KIND for event in twin.log[begin:] if event[0] == SHOWN and event[2] == seat]
            if plan and shown != plan[: len(shown)]:
                return False
        return True

    def chance(self, *notations: str) -> Table:
        """Answer for chance."""
        for notation in notations:
            self.state.play(CHANCE, self.game.parse(notation))
            self.reveal()
        return self

    def seed(self, number: int = 7) -> Table:
        """Answer a shuffle."""
        return self.chance(f"seed:{number}")

    def settle_chance(self, seed: int = 1) -> Table:
        """Let chance decide whatever is asked of it now."""
        rng = Rng(seed)
        while self.state.turn == CHANCE:
            self.state.apply(CHANCE, self.state.chance(rng))
        return self

    # ---- looking --------------------------------------------------------------------------------

    def asked(self) -> tuple[list[int], str]:
        """Whom the rules ask what now; chance is seat -1, and nobody is asked after the end."""
        return self.state.asked(), self.state.stack[-1].prompt if self.state.stack else "over"

    def outcomes(self) -> dict[str, int]:
        """Chance's options with their weights, in notation."""
        assert self.state.turn == CHANCE
        names = [self.game.notation(action) for action in self.state.actions]
        return dict(zip(names, self.state.weights(), strict=True))

    @property
    def lineup(self) -> list[str]:
        """What is left of the line-up."""
        return self.names(self.state.lineup)

    @property
    def discard(self) -> list[str]:
        """The recruit discard pile, in the order in which cards came."""
        return self.names(self.state.discard)

    @property
    def deck(self) -> list[str]:
        """The recruit deck as it really lies, the top card first."""
        return self.names(self.state.deck[::-1])

    def happened(self, code: int) -> list[Event]:
        """The events of a code so far (see gonfalon.games.factionwars.rules.events)."""
        assert self.state.log is not None
        return [event for event in self.state.log if event[0] == code]

    def players(self, viewer: int) -> list[str]:
        """The names as a viewer reads them."""
        return ["You" if viewer == seat else NAMES[seat] for seat in range(self.state.seats)]

    def sentences(self, view: FactionState, viewer: int) -> list[str]:
        assert view.log is not None
        names = self.players(viewer)
        return [text for event in view.log if (text := self.game.words(event, view, names))]

    @property
    def said(self) -> list[str]:
        """The log as everybody reads it."""
        return self.sentences(self.spectator, SPECTATOR)

    @property
    def spectator(self) -> FactionState:
        view = self.state.mask(SPECTATOR)
        assert isinstance(view, FactionState)
        return view

    @property
    def open(self) -> FactionState:
        view = self.state.mask(OPEN)
        assert isinstance(view, FactionState)
        return view

    @property
    def winners(self) -> list[Player]:
        outcome = self.state.outcome()
        return [self.people[seat] for seat in outcome.winners] if outcome else []
