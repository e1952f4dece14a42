"""`gonfalon train`: trains a network from scratch by one command."""

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
from gonfalon.core.build import name_build
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.atomic_files import check_new_file

if TYPE_CHECKING:  # these bring numpy
    from gonfalon.learn.ppo import OrderLot, Training
    from gonfalon.learn.selfplay import Lot, SelfPlay, Version
    from gonfalon.learn.settings import Settings

_WORKER_GAMES: Final[list[SelfPlay]] = []
"""Games of a worker process."""

CONTINUED_RATE_FACTOR: Final = 0.4
"""Factor of the learning rate for continued training, which keeps existing knowledge."""

SETUPS_PER_RANDOM_DECK: Final = 3
"""Number of setups with preset decks for each setup with random decks, which players may bring too."""


def list_setups(name: str, options: Options, rng: Rng) -> list[Game]:
    """Return the game in all setups that a network is trained for.

    Raises:
        OptionError: An option is unknown.
    """
    from gonfalon.lab.run.match import find_deck_option, get_game, list_matchups

    setups = list_matchups(name, options)
    decks = get_game(name, options).decks()
    if decks is not None and find_deck_option(name, options):
        setups += list_matchups(name, options, mirrored=True)
        seats = range(get_game(name, options).seats)
        lots = [tuple(decks.code(decks.lot(rng)) for _ in seats) for _ in range(len(setups) // SETUPS_PER_RANDOM_DECK)]
        setups += [{**options, decks.option: chosen} for chosen in lots]
    return [get_game(name, setup) for setup in setups]


def make_self_play(name: str, options: Options, seed: int, settings: Settings) -> SelfPlay:
    """Return the games of a training before their start."""
    from gonfalon.learn.selfplay import SelfPlay

    games = list_setups(name, options, Rng(seed))
    return SelfPlay(network_input_of(games[0]), games, seed, settings)


def start_worker(name: str, options: Options, seed: int, settings: Settings) -> None:
    """Prepare this process to play the games of a training."""
    _WORKER_GAMES.append(make_self_play(name, options, seed, settings))


def play_lot(version: Version) -> Lot:
    """Play a lot in a worker process."""
    return _WORKER_GAMES[0].lot(version)


@contextmanager
def open_player(name: str, options: Options, seed: int, settings: Settings, workers: int) -> Iterator[OrderLot]:
    """Yield a function that orders lots. They are played on demand, or in a second process from the order on."""
    if workers == 1:
        games = make_self_play(name, options, seed, settings)
        yield lambda version: partial(games.lot, version)
        return
    # One process plays all lots, because unfinished games continue from one lot to the next.
    with ProcessPoolExecutor(1, initializer=start_worker, initargs=(name, options, seed, settings)) as pool:
        yield lambda version: pool.submit(play_lot, version).result


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
    """Train a network, from scratch or from an existing one, and write its file.

    Raises:
        OptionError: An option is unknown, the file exists, or the existing network does not fit.
    """
    from gonfalon.bots.networks.network import load, save
    from gonfalon.learn.ppo import Training
    from gonfalon.learn.settings import Settings

    path = path or Path(f"{name}.npz")
    # Check the path before hours of training.
    check_new_file(path, ".npz")
    game = list_setups(name, options, Rng(seed))[0]
    encoder = network_input_of(game)
    settings = Settings(thumb=encoder.rule_of_thumb_share, decay=encoder.decay)
    begun = None
    if onward is not None:
        begun = load(onward)
        if not begun.suits(game, encoder):
            raise OptionError(f"Cannot continue from {onward}: it is not a network for {game.title} with this input.")
        settings = replace(settings, rate=settings.rate * CONTINUED_RATE_FACTOR)
    began = perf_counter()

    def over() -> float:
        """Return the share of the training that is done: of the time, or of the updates, which are repeatable."""
        if seconds is not None:
            return (perf_counter() - began) / seconds
        return training.updates / (updates or encoder.updates)

    print(f"Training {name} with seed {seed}; {name_build()}.", flush=True)
    with open_player(name, options, seed, settings, workers) as order:
        training = Training(encoder, order, seed, settings, begun)
        training.run(over, lambda text: print(f"{perf_counter() - began:6.0f} s: {text}", flush=True))
    about = describe_training(name, game, options, seed, training)
    if begun is not None and onward is not None:
        about["from"] = {"hash": sha256(onward.read_bytes()).hexdigest(), **begun.about}
    save(path, training.net(about))
    print(f"Wrote {path} after {training.updates} updates.")
    return 0


def describe_training(name: str, game: Game, options: Options, seed: int, training: Training) -> dict[str, object]:
    """Return the facts about a training run that the file of its network contains."""
    return {
        "game": name,
        "rules": game.version,
        "cards": game.learnt_hash,
        "options": options,
        "seed": seed,
        "updates": training.updates,
        "games": training.finished,
        "decisions": training.decisions,
        "settings": asdict(training.settings),
    }
