"""The table as a viewer may know it, and the protocols between the screen and the game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import Line
from gonfalon.core.rules.state import State
from gonfalon.core.rules.words import describe_action


class Answer(NamedTuple):
    """A legal action, in words and as the things to touch for it."""

    id: str
    text: str
    parts: tuple[str, ...]


class Present(NamedTuple):
    """A person at a server's table."""

    name: str
    state: str
    """`here`, `lost`, `away`, `bot` or `nobody`."""
    thinks: bool
    """Whether the game waits for the person."""
    says: str
    """The person's latest greeting."""


class SeatClock(NamedTuple):
    """A seat's clock: the seconds left, and the local time since when it runs (None if it does not)."""

    left: float | None
    since: float | None


@dataclass(frozen=True)
class Sight:
    """The table as a viewer may know it, computed from the viewer's view."""

    title: str
    viewer: int
    names: Sequence[str]
    """The names of the seats for the viewer."""
    board: Mapping[str, Any]
    prompt: str
    answers: Sequence[Answer] = ()
    log: Sequence[Line] = ()
    over: str = ""
    """The ending in words; empty while the game continues."""
    moment: str = ""
    """The sentences of a moment between two decisions, one in each line."""
    chapter: str = ""
    can_undo: bool = False
    hints: bool = True
    """Whether the viewer can ask for a hint."""
    version: int = 0
    clocks: Sequence[SeatClock] = ()
    company: Sequence[Present] = ()
    """The other people at a server's table."""
    watching: int = 0
    """Number of spectators."""
    notes: Sequence[str] = ()
    """Further messages, such as a lost connection."""
    cards: str = ""
    """The own cards of the game in words; empty for the standard set."""
    tip: str = ""
    """Advice for newcomers about the decision."""
    next_player: str = ""
    """Name of the player that gets the device next. Nothing of the table is shown meanwhile."""


class Stage(Protocol):
    """The screen of a desk."""

    def show(self, sight: Sight) -> None:
        """Draw the table."""

    async def hold(self, sight: Sight, seconds: float | None, live: bool = False) -> None:
        """Draw a moment.

        Args:
            sight: The table at that moment.
            seconds: Duration; None to wait until the player continues.
            live: Whether the game continues meanwhile.
        """

    async def show_change(self, sight: Sight, seconds: float = 0.0) -> None:
        """Draw the events that led to a table, then the table.

        Args:
            sight: The table.
            seconds: Duration of the table.
        """


class Desk(Protocol):
    """The source of a table and receiver of answers: a game on this machine, or a table at a server."""

    @property
    def game(self) -> Game | None:
        """The rules, if they are installed."""

    async def run(self, stage: Stage) -> None:
        """Play until the game is over."""

    async def act(self, answer: str) -> str:
        """Give an answer. Return the reason for a refusal, or an empty text."""
        ...

    async def why_not(self, notation: str) -> str:
        """Return the reason why an action is illegal; empty if it is legal or unknown."""
        ...

    async def hint(self) -> Sequence[str]:
        """Return the choice of a bot, in lines.

        Raises:
            GonfalonError: There is no hint.
        """
        ...

    async def undo(self) -> str:
        """Undo the last answer. Return the reason for a refusal, or an empty text."""
        ...


@runtime_checkable
class GreetingDesk(Protocol):
    """A desk with other people, to whom the player can send greetings."""

    async def say(self, emote: str) -> str:
        """Send a greeting. Return the reason for a refusal, or an empty text."""
        ...


@runtime_checkable
class RematchDesk(Protocol):
    """A desk that can start another game."""

    async def rematch(self) -> str:
        """Offer a rematch, or accept one. Return the reason for a refusal, or an empty text."""
        ...


def select_earlier(ahead: Collection[str], log: Sequence[Line], read: Sequence[Line]) -> Sequence[Line]:
    """Return the part of a log that may be shown before some sentences: all until the first of them.

    Args:
        ahead: Sentences that are still to come.
        log: The whole log.
        read: The part that has been shown.
    """
    found = (n for n, told in enumerate(log) if n >= len(read) and told["text"] in ahead)
    return [*read, *log[len(read) : next(found, 0)]]


def list_answers(game: Game, view: State, names: list[str]) -> list[Answer]:
    """Return the viewer's legal actions."""
    if view.viewer < 0 or view.over:
        return []
    notations = [
        (game.notation(action), describe_action(game, view, action, names)) for action in view.legal(view.viewer)
    ]
    return [Answer(notation, text, game.touches(notation)) for notation, text in notations]


def build_sight(game: Game, view: State, plain: Sequence[str], log: Sequence[Line], version: int = 0) -> Sight:
    """Return the table of a view. At a moment it shows that moment.

    Args:
        game: The rules.
        view: The view.
        plain: The names of the seats.
        log: The sentences of the log.
        version: Number of the position.
    """
    names = names_for(game, view.viewer, list(plain))
    moment = game.moment_words(view, names) if view.moment else ""
    return Sight(
        title=game.title,
        viewer=view.viewer,
        names=names,
        board=game.board(view),
        prompt="" if view.over else moment.partition("\n")[0] or game.prompt(view, names),
        answers=[] if moment else list_answers(game, view, names),
        log=log,
        over=game.ending(view, names) if view.over else "",
        moment=moment,
        chapter=game.chapter(view),
        version=version,
    )
