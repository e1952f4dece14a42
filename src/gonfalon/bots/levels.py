"""The levels, from the weakest to the strongest.

Five of them are numbered and equal in all games. A game supplies their bots (`Game.players`), and levels without a bot
are not offered. A game without bots is searched, with three budgets that differ eightfold (`searcher.ITERATIONS`).
Weaker levels search less and play second-best actions more often, but never actions that they judge bad. `random` plays
any game, and `greedy` every game with a rule of thumb. Both are baselines for the numbered levels, and are not offered
to people.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
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
    """A strength of play.

    `number` is 1 to 5, or 0 for the baselines. `seconds` limits the time for a move while people wait for it.
    """

    name: str
    title: str
    about: str
    """The description in the menu of opponents."""
    number: int = 0
    seconds: float = 0.0
    icon: str = "vintage-robot"


LEVELS: Final[dict[str, Level]] = {
    level.name: level
    for level in [
        Level(
            "random", "Random", "plays any legal card: for the first steps", icon="perspective-dice-six-faces-random"
        ),
        Level("gentle", "1 Gentle", "sees only the cards on the table", 1, 0.05),
        Level("casual", "2 Casual", "plays soundly, and takes your moves at face value", 2, 0.05),
        Level("club", "3 Club", "thinks a little ahead, and counts played cards", 3, 0.1),
        Level("greedy", "Greedy", "plays by rule of thumb"),
        Level("strong", "4 Strong", "tries out how the game may continue", 4, 0.3),
        Level("expert", "5 Expert", "thinks longest, and misses little", 5, 1.0),
    ]
}

DEFAULT_LEVEL: Final = "club"
BotMaker: TypeAlias = Callable[[str, Game], Bot]
"""Makes the bot of a level, from the level's name and the game."""
_added: Final[dict[str, tuple[BotMaker, frozenset[str]]]] = {}
"""The makers of added bots by their names, and the names of their games."""
# A note needs the network of the level, so it is read once for each game.
_level_notes: Final[WeakKeyDictionary[Game, dict[str, str]]] = WeakKeyDictionary()


def add_level(level: Level, maker: BotMaker, games: Iterable[str]) -> None:
    """Add a bot to the levels of games in this process.

    It is not numbered, so it replaces no absent player, gives no hints, and judges nothing.
    """
    LEVELS[level.name] = level
    _added[level.name] = maker, frozenset(games)


def list_added_levels(game: Game) -> list[str]:
    """Return the names of the bots that were added to the levels of a game."""
    return [name for name, (_, games) in _added.items() if game.name in games]


def list_levels() -> list[str]:
    """Return the names of all levels, weakest first."""
    return list(LEVELS)


def list_playable_levels(game: Game) -> list[str]:
    """Return the levels that can play a game, weakest first."""
    makers = find_makers(game)
    return [name for name in LEVELS if name in makers]


def list_offered_levels(game: Game) -> list[str]:
    """Return the levels in the menu of opponents for a game, weakest first: the numbered ones, or all if there are
    none.
    """
    found = list_playable_levels(game)
    return [name for name in found if LEVELS[name].number] or found


def choose_default_level(game: Game) -> str:
    """Return the default level of a game: `DEFAULT_LEVEL`, or the strongest if the game does not have it."""
    found = list_offered_levels(game)
    return DEFAULT_LEVEL if DEFAULT_LEVEL in found else found[-1]


def find_makers(game: Game) -> dict[str, BotMaker]:
    """Return for each level of a game the function that makes its bot, from the level's name and the game.

    Raises:
        OptionError: The game has an unknown level.
    """
    makers: dict[str, BotMaker] = {"random": RandomBot}
    if game.rule_of_thumb() is not None:
        makers["greedy"] = GreedyBot
    own = cast("dict[str, BotMaker] | None", game.players())
    makers |= searchers() if own is None else own
    makers |= {name: _added[name][0] for name in list_added_levels(game)}
    if unknown := [name for name in makers if name not in LEVELS]:
        raise OptionError(f"{game.title} has the level {unknown[0]!r}, which is none of {', '.join(LEVELS)}.")
    return makers


def write_level_note(name: str | None, game: Game) -> str:
    """Return a sentence if the bot of a level plays a game differently than usual; empty for most, and without a
    level."""
    if name is None:
        return ""
    found = _level_notes.get(game)
    if found is None:
        plain = game.without_secrets()
        networks = {name: maker for name, maker in find_makers(plain).items() if isinstance(maker, NetworkLevel)}
        notes = {
            name: maker.note(find_level(name).title.lstrip("0123456789 "), plain) for name, maker in networks.items()
        }
        found = _level_notes[game] = {name: note for name, note in notes.items() if note}
    return found.get(name, "")


def find_level(name: str) -> Level:
    """Return a level by its name.

    Raises:
        OptionError: There is no such level.
    """
    found = LEVELS.get(name)
    if found is None:
        near = difflib.get_close_matches(name, LEVELS, 1)
        hint = f" Did you mean {near[0]}?" if near else f" The levels are {', '.join(LEVELS)}."
        raise OptionError(f"There is no level {name[:40]!r}.{hint}")
    return found


def make(name: str, game: Game) -> Bot:
    """Return a bot of a level for a game.

    Raises:
        OptionError: There is no such level, or the game does not have it.
    """
    level = find_level(name)
    maker = find_makers(game).get(name)
    if maker is None:
        if name == "greedy":
            raise OptionError(f"{game.title} has no rule of thumb, so it has no level {name}. Try random.")
        raise OptionError(f"{game.title} has no level {name}. Its levels are {', '.join(list_playable_levels(game))}.")
    if name in _added:
        return maker(name, game.without_secrets())
    # A bot must not see secret deck lists, not even those of its own game object.
    bot = maker(name, game.without_secrets())
    # The budget counts iterations, so people meet the measured strength. The time limit only cuts it on slow machines.
    bot.patience = replace(bot.budget, seconds=level.seconds)
    bot.scale = scale_of(game, name)
    bot.maker = make
    return bot
