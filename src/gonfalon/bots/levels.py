"""The levels, from the weakest to the strongest.

Five of them are numbered and equal in all games. A game supplies their bots (`Game.players`), and levels without a bot
are not offered. A game without bots is searched, with three budgets that differ eightfold (`searcher.ITERATIONS`).
Weaker levels search less and play second-best actions more often; they never play what they find bad. `random` plays
any game, and `greedy` every game with a rule of thumb. Both are baselines for the numbered levels, and are not offered
to people.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, cast
from weakref import WeakKeyDictionary

from gonfalon.bots.networks.network_level import NetworkLevel
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.calibration import scale_of
from gonfalon.bots.players.greedy import GreedyBot
from gonfalon.bots.players.uniform import RandomBot
from gonfalon.bots.search.searcher import searchers
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game


@dataclass(frozen=True)
class Level:
    """A strength of play. `number` is 1 to 5, or 0 for the two that are not numbered; `seconds` is the
    most that it may think about a move when people wait for it."""

    name: str
    title: str
    about: str
    """A description for people who choose an opponent."""
    number: int = 0
    seconds: float = 0.0
    icon: str = "vintage-robot"


LEVELS: Final[dict[str, Level]] = {
    level.name: level
    for level in [
        Level(
            "random", "Random", "plays any legal card: for the first steps", icon="perspective-dice-six-faces-random"
        ),
        Level("gentle", "1 Gentle", "sees what lies on the table, and looks no further", 1, 0.05),
        Level("casual", "2 Casual", "plays soundly, and takes your moves at face value", 2, 0.05),
        Level("club", "3 Club", "thinks a little ahead, and counts what is gone", 3, 0.1),
        Level("greedy", "Greedy", "plays by rule of thumb"),
        Level("strong", "4 Strong", "tries out how it may go on", 4, 0.3),
        Level("expert", "5 Expert", "thinks longest, and misses little", 5, 1.0),
    ]
}

USUAL: Final = "club"
Maker: TypeAlias = Callable[[str, Game], Bot]
"""Makes the bot of a level, from the level's name and the game."""
_notes: Final[WeakKeyDictionary[Game, dict[str, str]]] = WeakKeyDictionary()


def levels() -> list[str]:
    """The names of all levels, weakest first."""
    return list(LEVELS)


def levels_for(game: Game) -> list[str]:
    """The levels that can play this game, weakest first."""
    makers = makers_of(game)
    return [name for name in LEVELS if name in makers]


def opponents(game: Game) -> list[str]:
    """Return the levels that people are offered for a game, weakest first: the numbered ones, or all where there are
    none."""
    found = levels_for(game)
    return [name for name in found if LEVELS[name].number] or found


def usual(game: Game) -> str:
    """Return the default level: the middle one, or the strongest where levels have no numbers."""
    found = opponents(game)
    return USUAL if USUAL in found else found[-1]


def makers_of(game: Game) -> dict[str, Maker]:
    """Return for each level of a game the function that makes its bot, from the level's name and the game. Raises
    OptionError for a game with an unknown level."""
    makers: dict[str, Maker] = {"random": RandomBot}
    if game.rule_of_thumb() is not None:
        makers["greedy"] = GreedyBot
    own = cast("dict[str, Maker] | None", game.players())
    makers |= searchers() if own is None else own
    if unknown := [name for name in makers if name not in LEVELS]:
        raise OptionError(f"{game.title} has the level {unknown[0]!r}, which is none of {', '.join(LEVELS)}.")
    return makers


def note_on(name: str | None, game: Game) -> str:
    """Return a sentence on how the bot of a level differs from usual in a game; empty for most, and where no bot is."""
    if name is None:
        return ""
    found = _notes.get(game)
    if found is None:
        plain = game.without_secrets()
        networks = {name: maker for name, maker in makers_of(plain).items() if isinstance(maker, NetworkLevel)}
        notes = {name: maker.note(kind(name).title.lstrip("0123456789 "), plain) for name, maker in networks.items()}
        found = _notes[game] = {name: note for name, note in notes.items() if note}
    return found.get(name, "")


def kind(name: str) -> Level:
    """A level by its name. Raises OptionError."""
    found = LEVELS.get(name)
    if found is None:
        near = difflib.get_close_matches(name, LEVELS, 1)
        hint = f" Did you mean {near[0]}?" if near else f" The levels are {', '.join(LEVELS)}."
        raise OptionError(f"There is no level {name[:40]!r}.{hint}")
    return found


def make(name: str, game: Game) -> Bot:
    """A bot of a level for a game. Raises OptionError when there is no such level, or none for this
    game."""
    level = kind(name)
    maker = makers_of(game).get(name)
    if maker is None:
        if name == "greedy":
            raise OptionError(f"{game.title} has no rule of thumb, so nobody can play it as {name}; try random.")
        raise OptionError(f"Nobody can play {game.title} as {name}; it has {', '.join(levels_for(game))}.")
    bot = maker(name, game.without_secrets())
    # People get the strength that is measured, unless their machine is too slow for it.
    bot.patience = replace(bot.budget, seconds=level.seconds)
    bot.scale = scale_of(game, name)
    bot.maker = make
    return bot
