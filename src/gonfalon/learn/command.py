"""`gonfalon train`: from nothing to the file of a network, by one command."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from gonfalon.bots.sense import Sense
from gonfalon.core.build import sentence
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game

UPDATES: Final = 1800


def set_ups(name: str, options: dict[str, Any]) -> list[Game]:
    """The game in all the set-ups that a network of it is trained for. Raises OptionError."""
    from gonfalon.lab.match import game_of, matchups

    return [game_of(name, setup) for setup in matchups(name, options)]


def sense_of(game: Game) -> Sense:
    """What a network sees of a game. Raises OptionError."""
    found: Sense | None = game.sense()
    if found is None:
        raise OptionError(f"{game.title} cannot be learnt: nobody has said what a network is to see of it.")
    return found


def main(
    name: str, options: dict[str, Any], updates: int | None, seconds: float | None, seed: int, path: Path | None
) -> int:
    """Train, and write the network."""
    from gonfalon.bots.net import save
    from gonfalon.learn.ppo import Settings, Training

    games = set_ups(name, options)
    sense = sense_of(games[0])
    settings = Settings()
    training = Training(sense, games, seed, settings)
    began = perf_counter()

    def over() -> float:
        """The part of the training that is done: by the clock, or by updates, which can be repeated."""
        if seconds is not None:
            return (perf_counter() - began) / seconds
        return training.updates / (updates or UPDATES)

    print(f"Training {name} with seed {seed}; {sentence()}.", flush=True)
    training.run(over, lambda text: print(f"{perf_counter() - began:6.0f} s: {text}", flush=True))
    about = {
        "game": name,
        "rules": games[0].version,
        "cards": games[0].data_hash,
        "options": options,
        "seed": seed,
        "updates": training.updates,
        "games": training.finished,
        "decisions": training.decisions,
        "settings": asdict(settings),
    }
    path = path or Path(f"{name}.npz")
    save(path, training.net(about))
    print(f"Wrote {path} after {training.updates} updates.")
    return 0
