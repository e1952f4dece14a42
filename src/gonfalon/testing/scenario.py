"""Positions laid out by hand, and actions of people, in the words of a rulebook's examples.

A game's helper subclasses both: its players lay out cards (`holds`), its table starts the position.

    class Player(scenario.Player["Table", DuelState]):
        def holds(self, *cards: str) -> Self: ...

    class Table(scenario.Table[Duel, DuelState, Player]):
        def __init__(self, **options: object) -> None:
            super().__init__(Duel(**options), Player)

    table = Table()
    table.may.holds("knight").does("knight@2")
    assert table.david.why_not("knight@2") == "You hold no Knight."
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Self, TypeVar, cast

from gonfalon.check.reference_rules import load_reference_rules
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import CHANCE, OPEN, SPECTATOR, Event, Seat, State
from gonfalon.core.text.citations import Reason
from gonfalon.testing.records import NAMES

G = TypeVar("G", bound=Game)
S = TypeVar("S", bound=State)
T = TypeVar("T", bound="Table[Any, Any, Any]")
P = TypeVar("P", bound="Player[Any, Any]")


class Player(Generic[T, S]):
    """A seat of the table. Methods that act return the player, so that they can be chained."""

    def __init__(self, table: T, seat: Seat) -> None:
        self.table: T = table
        self.seat: Seat = seat

    @property
    def state(self) -> S:
        """The full position."""
        return cast(S, self.table.state)

    @property
    def game(self) -> Game:
        """The game at the table."""
        return cast(Game, self.table.game)

    # ---- acting -------------------------------------------------------------------------------------------------

    def does(self, *notations: str) -> Self:
        """Take these legal actions, one after the other. Raises Refusal."""
        for notation in notations:
            self.table.play(self.seat, notation)
        return self

    # ---- looking ------------------------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """Return the legal actions in notation; none if another seat is asked."""
        return [self.game.notation(action) for action in self.state.legal(self.seat)]

    def may_do(self, *notations: str) -> bool:
        """Return whether these actions are legal, one after the other. The position does not change."""
        twin = self.state.clone()
        for action in map(self.game.parse, notations):
            if not twin.is_legal(self.seat, action):
                return False
            twin.apply(self.seat, action)
        return True

    def why_not(self, *notations: str) -> Reason:
        """Return the refusal of the last of these actions, after the others. Assert that a refusal changes nothing.

        Raises:
            AssertionError: The action was legal.
        """
        twin = self.state.clone()
        *before, last = map(self.game.parse, notations)
        for action in before:
            twin.play(self.seat, action)
        kept = twin.dump()
        try:
            twin.play(self.seat, last)
        except Refusal as refusal:
            assert twin.dump() == kept
            return refusal.reason
        raise AssertionError(f"{notations[-1]} was legal")

    @property
    def view(self) -> S:
        """The player's view."""
        return cast(S, self.state.mask(self.seat))

    @property
    def board(self) -> Mapping[str, Any]:
        """The board as the player sees it."""
        return self.game.board(self.view)

    @property
    def controls(self) -> Mapping[str, Any]:
        """The data from which a page builds the player's controls."""
        return self.game.controls(self.view)

    @property
    def prompt(self) -> str:
        """The question to the player."""
        return self.game.prompt(self.view, self.table.people_for(self.seat))

    def log(self) -> list[str]:
        """Return the sentences of the log for the player."""
        return self.table.told(self.seat)


class Table(Generic[G, S, P]):
    """A position with its log, and the people at it: May in seat 0, David in 1, then Ann, Ben, Cleo."""

    def __init__(self, game: G, player: Callable[[Any, Seat], P]) -> None:
        self.game: G = game
        # The type of a game does not name the type of its states, so a checker needs the cast.
        self.state: S = cast(S, game.start(log=True))
        self.reference = load_reference_rules(game.name)
        self.people: list[P] = [player(self, seat) for seat in range(game.seats)]

    @property
    def may(self) -> P:
        return self.people[0]

    @property
    def david(self) -> P:
        return self.people[1]

    def forget(self) -> None:
        """Clear the log."""
        self.state.log = []

    # ---- acting -------------------------------------------------------------------------------------------------

    def play(self, seat: Seat, notation: str) -> None:
        """Take a legal action, and check the result by the installed reference rules. Raises Refusal."""
        before, action = self.state.clone(), self.game.parse(notation)
        self.state.play(seat, action)
        wrong = self.reference.judge_step(self.game, before, seat, action, self.state)
        assert not wrong, wrong

    def chance(self, *notations: str) -> Self:
        """Choose outcomes of chance."""
        for notation in notations:
            self.play(CHANCE, notation)
        return self

    def seed(self, number: int = 7) -> Self:
        """Choose the seed of a shuffle."""
        return self.chance(f"seed:{number}")

    def settle_chance(self, seed: int = 1) -> Self:
        """Let chance decide at random until a seat is asked."""
        rng = Rng(seed)
        while self.state.turn == CHANCE:
            self.state.apply(CHANCE, self.state.chance(rng))
        return self

    # ---- looking ------------------------------------------------------------------------------------------------

    def asked(self) -> tuple[Seat, str]:
        """Return the seat that is asked, and the prompt."""
        decision = self.state.decisions()[0]
        return decision.seat, decision.prompt

    def happened(self, code: int) -> list[Event]:
        """Return the events with a code from the game's rules/events.py."""
        assert self.state.log is not None
        return [event for event in self.state.log if event[0] == code]

    def name(self, card: int) -> str:
        """Return a card's name in tests, such as its slug."""
        raise NotImplementedError

    def names(self, cards: Iterable[int]) -> list[str]:
        """Return the names of cards, `?` for hidden ones."""
        return ["?" if card & KIND == HIDDEN else self.name(card & KIND) for card in cards]

    def people_for(self, viewer: int) -> list[str]:
        """Return the names of the people for a viewer."""
        return names_for(self.game, viewer, list(NAMES[: self.game.seats]))

    def told(self, viewer: int) -> list[str]:
        """Return the sentences of the log for a viewer."""
        view, names = self.state.mask(viewer), self.people_for(viewer)
        return [line["text"] for line in list_lines(self.game, view, names)]

    @property
    def spectator(self) -> S:
        """The spectator's view."""
        return cast(S, self.state.mask(SPECTATOR))

    @property
    def open(self) -> S:
        """The open view."""
        return cast(S, self.state.mask(OPEN))
