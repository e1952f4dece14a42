"""What is measured of a player in one game, part by part. Each figure follows from the seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from gonfalon import games
from gonfalon.bots.choice import Z
from gonfalon.bots.network import save
from gonfalon.core.errors import GonfalonError
from gonfalon.core.options import Options
from gonfalon.core.rng import Rng
from gonfalon.lab.match import Result, game_of, match, matchups
from gonfalon.learn.benchmark.agents import Unlearnt, agent
from gonfalon.learn.benchmark.protocol import LEVELS, SEED
from gonfalon.learn.benchmark.tasks import Tasks, of_game
from gonfalon.learn.exact import exploitability, frozen
from gonfalon.review.budgets import stream
from gonfalon.review.figures import error, mean

Figures = dict[str, Any]
Told = Callable[[str], None]
FRESH: Final = SEED + 1
"""Of the deals that a trained exploiter plays."""
TASK: Final = 12
"""Use of a task's stream."""


class LeftOut(GonfalonError):
    """A part that cannot be measured of a player, with the reason."""


def exact(text: str, name: str) -> Figures:
    """What a perfect opponent gains in each tiny configuration for two, exactly. Raises LeftOut."""
    found = {}
    for number, tiny in enumerate(games.kind(name).tiny()):
        if tiny.seats == 2:
            try:
                player = agent(text, tiny)
            except Unlearnt:
                raise LeftOut(f"The network has not learnt the tiny configurations of {tiny.title}.") from None
            found[f"tiny {number}"] = round(exploitability(tiny, frozen(player, SEED)), 6) or 0.0  # and not -0.0
    return found


def against_levels(text: str, name: str, options: Options, pairs: int, workers: int) -> Figures:
    """The score against each fixed level over fixed deals."""
    return {level: score_of(match(text, level, name, options, pairs, SEED, workers, maker=agent)) for level in LEVELS}


def score_of(result: Result) -> Figures:
    """A score with its interval."""
    return {"score": round(result.score, 4), "low": round(result.low, 4), "high": round(result.high, 4)}


def response(
    text: str, name: str, options: Options, decisions: int, pairs: int, workers: int, tell: Told | None = None
) -> Figures:
    """What an exploiter scores against the player that it was trained against: a lower bound."""
    from gonfalon.learn.benchmark.response import begun_as, respond

    setups = [game_of(name, setup) for setup in matchups(name, options)]
    net = respond(setups, [agent(text, game) for game in setups], decisions, SEED, tell)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "exploiter.npz"
        save(path, net)
        result = match(str(path), text, name, options, pairs, FRESH, workers, maker=agent)
    return {"decisions": decisions, "pairs": pairs, "begun as": begun_as(setups[0]), **score_of(result)}


def on_tasks(text: str, name: str) -> Figures | None:
    """What the player gives away in the decision tasks on average; None where there are none for the game."""
    tasks = of_game(name)
    if tasks is None:
        return None
    tasks.check(games.kind(name))
    return {"hash": tasks.hash, **answered(text, tasks)}


def answered(text: str, tasks: Tasks) -> Figures:
    """The mean losses with their intervals, and how often the best action was chosen."""
    ahead, ended, best = [], [], 0
    for number, (task, game, view) in enumerate(tasks.laid_out):
        chosen = agent(text, game).choose(view, None, Rng(stream(SEED, number, TASK)))
        loss, end_loss = task.losses(game.notation(chosen.action))
        ahead.append(loss)
        ended.append(end_loss)
        best += loss == 0.0
    return {
        "tasks": len(ahead),
        "loss": with_error(ahead),
        "loss to the end": with_error(ended),
        "agreement": round(best / len(ahead), 4),
    }


def with_error(losses: list[float]) -> Figures:
    """A mean with its 95 % interval."""
    middle, half = mean(losses), Z * error(losses)
    return {"mean": round(middle, 4), "low": round(middle - half, 4), "high": round(middle + half, 4)}
