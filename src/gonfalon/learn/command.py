"""`gonfalon train`: from nothing to the file of a network, by one command."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from gonfalon.bots.networks.network_input import network_input_of
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import sentence
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.atomic_files import check_new

if TYPE_CHECKING:  # these bring numpy
    from gonfalon.learn.ppo import Order
    from gonfalon.learn.selfplay import Lot, SelfPlay, Version
    from gonfalon.learn.settings import Settings

_PLAYING: Final[list[SelfPlay]] = []
"""In a process that plays: what it plays."""

ONWARD: Final = 0.4
"""Of the rate of a training from nothing: what is known already should not be shaken off."""

STRANGE: Final = 3
"""Of so many set-ups with ready-made decks there is one with decks drawn by lot: people bring others too."""


def set_ups(name: str, options: Options, rng: Rng) -> list[Game]:
    """The game in all the set-ups that a network of it is trained for. Raises OptionError."""
    from gonfalon.lab.run.match import decks_of, game_of, matchups

    setups = matchups(name, options)
    decks = game_of(name, options).decks()
    if decks is not None and decks_of(name, options):
        setups += matchups(name, options, mirrored=True)
        seats = range(game_of(name, options).seats)
        lots = [tuple(decks.code(decks.lot(rng)) for _ in seats) for _ in range(len(setups) // STRANGE)]
        setups += [{**options, decks.option: chosen} for chosen in lots]
    return [game_of(name, setup) for setup in setups]


def self_play(name: str, options: Options, seed: int, settings: Settings) -> SelfPlay:
    """Games of a training, about to begin."""
    from gonfalon.learn.selfplay import SelfPlay

    games = set_ups(name, options, Rng(seed))
    return SelfPlay(network_input_of(games[0]), games, seed, settings)


def begin(name: str, options: Options, seed: int, settings: Settings) -> None:
    """Make this process one that plays."""
    _PLAYING.append(self_play(name, options, seed, settings))


def lot_of(version: Version) -> Lot:
    """What the process that plays does, time and again."""
    return _PLAYING[0].lot(version)


@contextmanager
def player(name: str, options: Options, seed: int, settings: Settings, workers: int) -> Iterator[Order]:
    """Where lots are ordered: played here when they are needed, or in a second process from the order on."""
    if workers == 1:
        games = self_play(name, options, seed, settings)
        yield lambda version: partial(games.lot, version)
        return
    with ProcessPoolExecutor(1, initializer=begin, initargs=(name, options, seed, settings)) as pool:
        yield lambda version: pool.submit(lot_of, version).result


def main(
    name: str,
    options: Options,
    updates: int | None,
    seconds: float | None,
    seed: int,
    workers: int,
    path: Path | None,
    onward: Path | None = None,
) -> int:
    """Train, from nothing or onward from a network, and write what came of it. Raises OptionError."""
    from gonfalon.bots.networks.network import load, save
    from gonfalon.learn.ppo import Training
    from gonfalon.learn.settings import Settings

    path = path or Path(f"{name}.npz")
    check_new(path, ".npz")
    game = set_ups(name, options, Rng(seed))[0]
    encoder = network_input_of(game)
    settings = Settings(thumb=encoder.rule_of_thumb_share, decay=encoder.decay)
    begun = None
    if onward is not None:
        begun = load(onward)
        if not begun.suits(game, encoder):
            raise OptionError(f"{onward} is no network of {game.title} as it is learnt here, so it cannot go on.")
        settings = replace(settings, rate=settings.rate * ONWARD)
    began = perf_counter()

    def over() -> float:
        """The part of the training that is done: by the clock, or by updates, which can be repeated."""
        if seconds is not None:
            return (perf_counter() - began) / seconds
        return training.updates / (updates or encoder.updates)

    print(f"Training {name} with seed {seed}; {sentence()}.", flush=True)
    with player(name, options, seed, settings, workers) as order:
        training = Training(encoder, order, seed, settings, begun)
        training.run(over, lambda text: print(f"{perf_counter() - began:6.0f} s: {text}", flush=True))
    about = {
        "game": name,
        "rules": game.version,
        "cards": game.learnt_hash,
        "options": options,
        "seed": seed,
        "updates": training.updates,
        "games": training.finished,
        "decisions": training.decisions,
        "settings": asdict(settings),
    }
    if begun is not None and onward is not None:
        about["from"] = {"hash": sha256(onward.read_bytes()).hexdigest(), **begun.about}
    save(path, training.net(about))
    print(f"Wrote {path} after {training.updates} updates.")
    return 0
