"""Players that are no networks, as files of JSON:

    {"format": "gonfalon-baseline", "format_version": 1, "baseline": "cfr+", "game": "feint", "rules": "2", "seed": 1,
     "budget": 200, "tables": [{"tiny": 0, "cards": "<hash of the card data>",
                                "policy": {"<key of a view>": {"patriot@5": 0.25, "pass": 0.75}, ...}}, ...]}

A table is a policy for one tiny configuration; views that it lacks, and there all actions, are as likely. A searcher
has no tables: its budget is what it tries for each decision.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from gonfalon.bots import Bot
from gonfalon.bots.bot import BotError
from gonfalon.bots.uct import NAME, UctBot
from gonfalon.core.errors import NotationError, OptionError
from gonfalon.core.files import read_text
from gonfalon.core.game import Game
from gonfalon.core.state import State
from gonfalon.learn.exact import MixedBot, Mixture, key
from gonfalon.vector.networks import Unlearnt

FORMAT: Final = "gonfalon-baseline"
FORMAT_VERSION: Final = 1
DIGITS: Final = 6
Baseline = dict[str, Any]


class TableBot(MixedBot):
    """Plays a tiny game as a table says."""

    def __init__(self, name: str, game: Game, policy: dict[bytes, Mixture]) -> None:
        super().__init__(name, game)
        self.policy = policy

    def mixture(self, view: State) -> Mixture:
        if view.log is not None:  # tables are of views without one
            view = view.clone()
            view.log = None
        legal = view.legal(view.viewer)
        found = self.policy.get(key(view)) or [(action, 1.0 / len(legal)) for action in legal]
        if not {action for action, _ in found} <= set(legal):
            raise BotError(f"{self.name} holds an action that is not legal where it stands.")
        return found


def tinies(kind: type[Game]) -> Iterator[tuple[int, Game]]:
    """The tiny configurations for two with their numbers."""
    return ((number, game) for number, game in enumerate(kind.tiny()) if game.seats == 2)


def table(number: int, game: Game, mixtures: dict[bytes, Mixture]) -> dict[str, Any]:
    """What a solver has found of a tiny game."""
    policy = {}
    for view, mixture in mixtures.items():
        rounded = {game.notation(action): round(share, DIGITS) for action, share in mixture}
        policy[view.hex()] = {text: share for text, share in rounded.items() if share}
    return {"tiny": number, "cards": game.data_hash, "policy": policy}


def written(baseline: str, kind: type[Game], seed: int, budget: int, tables: list[dict[str, Any]]) -> str:
    """The text of a file."""
    body: Baseline = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "baseline": baseline,
        "game": kind.name,
        "rules": kind.version,
        "seed": seed,
        "budget": budget,
        "tables": tables,
    }
    return json.dumps(body, ensure_ascii=False) + "\n"


@cache
def read(path: Path) -> Baseline:
    """A file. Raises OptionError."""
    try:
        found = json.loads(read_text(path))
        kept = found["format"], found["format_version"]
        if not isinstance(found["budget"], int) or found["budget"] < 1 or not isinstance(found["tables"], list):
            raise ValueError
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise OptionError(f"{path} cannot be read as a baseline.") from None
    if kept != (FORMAT, FORMAT_VERSION):
        raise OptionError(f"{path} is no baseline of version {FORMAT_VERSION} of its format.")
    return dict(found)


def bot_of(path: Path, game: Game) -> Bot:
    """The player of a file. Raises OptionError for a game that it does not play."""
    player = read_player(path, game)
    player.maker = partial(made_again, path)
    return player


def made_again(path: Path, name: str, game: Game) -> Bot:
    """The player of a file in another process."""
    return bot_of(path, game)


def read_player(path: Path, game: Game) -> Bot:
    """The same, which cannot be pickled yet."""
    found = read(path)
    if (found.get("game"), found.get("rules")) != (game.name, game.version):
        raise OptionError(f"{path} is a baseline of another game than {game.title} with these rules.")
    if found.get("baseline") == NAME:
        return UctBot(path.name, game.without_secrets(), found["budget"])
    number = next((number for number, tiny in tinies(type(game)) if tiny.options == game.options), None)
    try:
        for one in found["tables"]:
            if (one["tiny"], one["cards"]) == (number, game.data_hash):
                policy = {bytes.fromhex(view): shares(game, texts) for view, texts in one["policy"].items()}
                return TableBot(path.name, game, policy)
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, NotationError):
        raise OptionError(f"{path} holds a policy that cannot be read.") from None
    raise Unlearnt(f"{path.name} plays tiny configurations of {game.title} only, which `--parts exact` measures.")


def shares(game: Game, texts: dict[str, float]) -> Mixture:
    """How likely which action is, from a file."""
    if not all(0.0 <= share <= 1.0 for share in texts.values()):
        raise ValueError
    whole = sum(texts.values())
    return [(game.parse(text), share / whole) for text, share in texts.items()]
