"""What a screen draws: the table as one viewer may know it, and who deals with their answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import State
from gonfalon.core.rules.words import describe

UNASKED: Final = "Nothing is asked of you now."
OVER: Final = "The game is over."


class Answer(NamedTuple):
    """An action that is legal now, in words and as what is touched for it."""

    id: str
    text: str
    parts: tuple[str, ...]


class Told(NamedTuple):
    """A sentence of the log; one with an indent follows from the one before."""

    text: str
    indent: int


class Present(NamedTuple):
    """Somebody at a server's table: whether they are here, whether the game waits for them, and what they say."""

    name: str
    state: str
    """`here`, `lost`, `away`, `bot` or `nobody`."""
    thinks: bool
    says: str


class SeatClock(NamedTuple):
    """The time that a seat has left, in seconds, and since when it runs by our own clock (None: it does not)."""

    left: float | None
    since: float | None


@dataclass(frozen=True)
class Sight:
    """The table as a viewer may know it, all of it made from their view."""

    title: str
    viewer: int
    names: Sequence[str]
    """The seats' names as the viewer reads them."""
    board: Mapping[str, Any]
    prompt: str
    answers: Sequence[Answer] = ()
    log: Sequence[Told] = ()
    over: str = ""
    """How the game ended; empty while it goes on."""
    moment: str = ""
    """What is to be seen at a moment between two decisions, a line each."""
    chapter: str = ""
    can_take_back: bool = False
    hints: bool = True
    """Whether one may ask what a bot would do."""
    version: int = 0
    clocks: Sequence[SeatClock] = ()
    company: Sequence[Present] = ()
    """The others at a server's table."""
    watching: int = 0
    notes: Sequence[str] = ()
    """What else is to be said, such as who is away."""
    tip: str = ""
    """Advice for newcomers about what is asked."""
    hands_over: str = ""
    """To whom the device is to be passed before they look; nothing of the table is shown meanwhile."""


class Stage(Protocol):
    """Where a desk shows what happens."""

    def show(self, sight: Sight) -> None:
        """Draw the table."""

    async def hold(self, sight: Sight, seconds: float | None, live: bool = False) -> None:
        """Draw a moment for some seconds, or until the person goes on. `live`: the game continues meanwhile."""

    async def lead_to(self, sight: Sight, seconds: float = 0.0) -> None:
        """Draw what has led to a table, then the table, which is looked at for so long."""


class Desk(Protocol):
    """Whoever deals with a person's answers: a game on this machine, or a table at a server."""

    @property
    def game(self) -> Game | None:
        """The rules, where this machine has them."""

    async def run(self, stage: Stage) -> None:
        """Play until the game is over."""

    async def act(self, answer: str) -> str:
        """Give an answer; why it is refused, or nothing."""
        ...

    async def why_not(self, notation: str) -> str:
        """Why an action is not legal now; empty for one that is, or that nobody knows."""
        ...

    async def hint(self) -> Sequence[str]:
        """What a bot would do, in lines. Raises GonfalonError where no hint is given."""
        ...

    async def take_back(self) -> str:
        """Take back the last answer; why not, or nothing."""
        ...


@runtime_checkable
class Greeter(Protocol):
    """A desk at which others can be greeted."""

    async def say(self, emote: str) -> str:
        """Let the others read a greeting; why not, or nothing."""
        ...


@runtime_checkable
class Again(Protocol):
    """A desk at which another game can follow."""

    async def rematch(self) -> str:
        """Offer it, or come to the one that is offered; why not, or nothing."""
        ...


@dataclass
class Telling:
    """The sentences of a log, made once each."""

    lines: list[Told] = field(default_factory=list)
    heard: int = 0

    def of(self, game: Game, view: State, names: list[str]) -> list[Told]:
        """All of the log so far."""
        events = view.log or []
        if len(events) < self.heard:
            self.lines, self.heard = [], 0
        for event in events[self.heard :]:
            if text := game.words(event, view, names):
                self.lines.append(Told(text.strip(), (len(text) - len(text.lstrip())) // 2))
        self.heard = len(events)
        return self.lines[:]


def told_before(ahead: Collection[str], log: Sequence[Told], read: Sequence[Told]) -> Sequence[Told]:
    """How much of a log is read before some sentences are: all until the first of them, else no more than was."""
    found = (n for n, told in enumerate(log) if n >= len(read) and told.text in ahead)
    return [*read, *log[len(read) : next(found, 0)]]


def answers_of(game: Game, view: State, names: list[str]) -> list[Answer]:
    """What the viewer may answer."""
    if view.viewer < 0 or view.over:
        return []
    notations = [(game.notation(action), describe(game, view, action, names)) for action in view.legal(view.viewer)]
    return [Answer(notation, text, game.touches(notation)) for notation, text in notations]


def sight_of(game: Game, view: State, plain: Sequence[str], log: Sequence[Told], version: int = 0) -> Sight:
    """The table of a view; at a moment, what is to be seen there."""
    names = names_for(game, view.viewer, list(plain))
    moment = game.moment_words(view, names) if view.moment else ""
    return Sight(
        title=game.title,
        viewer=view.viewer,
        names=names,
        board=game.board(view),
        prompt="" if view.over else moment.partition("\n")[0] or game.prompt(view, names),
        answers=[] if moment else answers_of(game, view, names),
        log=log,
        over=game.ending(view, names) if view.over else "",
        moment=moment,
        chapter=game.chapter(view),
        version=version,
    )
