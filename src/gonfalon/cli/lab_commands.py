"""What the commands that study and train do: each calls something below, which it imports only then."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from gonfalon.cli.arguments import UsageError
from gonfalon.cli.lookups import playable_options
from gonfalon.core.text.untrusted import print_json, print_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from gonfalon.lab.studies.request import Wanted

Study = TypeVar("Study", bound="DataclassInstance")
Command = Callable[[argparse.Namespace], int]


def match(args: argparse.Namespace) -> int:
    """`gonfalon lab match`."""
    from dataclasses import asdict

    from gonfalon.lab.run import match as lab
    from gonfalon.lab.run.progress import Watcher

    times: dict[str, list[float]] = {}
    with Watcher():
        result = lab.match(
            args.a,
            args.b,
            args.game,
            playable_options(args.game, args.option),
            pairs=args.pairs,
            seed=args.seed,
            workers=args.workers,
            times=times,
            between=args.between,
            mirrored=args.mirrored,
        )
    if args.json:
        print_json(asdict(result), indent=1)
    else:
        lab.show(result, times)
    return 0


def ladder(args: argparse.Namespace) -> int:
    """`gonfalon lab ladder`."""
    from gonfalon.lab.run.progress import Watcher
    from gonfalon.lab.studies import ladder as lab

    with Watcher():
        found = lab.climb(
            args.game,
            playable_options(args.game, args.option),
            pairs=args.pairs,
            seed=args.seed,
            workers=args.workers,
            exploits=args.exploit,
            mirrored=args.mirrored,
            near=args.near,
        )
    report(found, lab.page, args.json)
    return 0


def calibration(args: argparse.Namespace) -> int:
    """`gonfalon lab calibration`."""
    from gonfalon.lab.run.progress import Watcher
    from gonfalon.lab.studies import calibration as lab

    options = playable_options(args.game, args.option)
    with Watcher():
        found = lab.measure(args.game, args.levels or None, options, args.games, args.seed, args.workers, args.against)
    report(found, lab.page, args.json)
    return 0


def report(found: Study, page: Callable[[Study], str], as_json: bool) -> None:
    """Print what a study has found, as a page or as JSON."""
    from dataclasses import asdict

    if as_json:
        print_json(asdict(found), indent=1)
    else:
        print_text(page(found).rstrip("\n"))


def whatif(args: argparse.Namespace) -> int:
    """`gonfalon lab whatif`."""
    from gonfalon.lab.studies.overrides import variant
    from gonfalon.lab.studies.whatif.command import main

    options = playable_options(args.game, args.option)
    before = variant(args.game, options, file=args.a)
    after = variant(args.game, options, args.sets, args.b, before)
    with wanted(args) as wants:
        return main(args.game, before, after, several(args.players), wants)


def balance(args: argparse.Namespace) -> int:
    """`gonfalon lab balance`."""
    from gonfalon.lab.studies.balance.command import main
    from gonfalon.lab.studies.overrides import variant

    changed = variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    with wanted(args) as wants:
        return main(args.game, changed.options, args.players, args.side, wants)


def cards(args: argparse.Namespace) -> int:
    """`gonfalon lab cards`."""
    from gonfalon.lab.studies.cards.command import main
    from gonfalon.lab.studies.overrides import variant

    changed = variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    with wanted(args) as wants:
        return main(args.game, changed.options, several(args.players), args.side, wants)


def tune(args: argparse.Namespace) -> int:
    """`gonfalon lab tune`."""
    from gonfalon.lab.studies.overrides import variant
    from gonfalon.lab.studies.tune.command import main
    from gonfalon.lab.studies.tune.steps import USUAL
    from gonfalon.lab.studies.tune.tune import Tuning

    start = variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    with wanted(args) as wants:
        tuning = Tuning(
            game=args.game,
            options=start.options,
            players=tuple(several(args.players)),
            free=tuple(args.free) or USUAL,
            low=args.target[0],
            high=args.target[1],
            precision=wants.precision,
            most=wants.most,
            seed=wants.seed,
            turns=100 if args.take is None else args.take,
        )
        return main(tuning, args.take is not None, args.out, wants)


def data(args: argparse.Namespace) -> int:
    """`gonfalon lab data`."""
    from gonfalon.lab.data.command import main
    from gonfalon.lab.data.datasets import Plan
    from gonfalon.lab.studies.overrides import variant

    made = variant(args.game, playable_options(args.game, args.option), args.sets, args.b)
    plan = Plan.of(args.game, made.options, several(args.players), args.seed, args.views, args.part)
    return main(plan, args.games, args.out, args.workers, args.json)


def several(text: str) -> list[str]:
    """The words of a list."""
    return [word.strip() for word in text.split(",")]


@contextmanager
def wanted(args: argparse.Namespace) -> Iterator[Wanted]:
    """What each of these is asked for. Whoever breaks one off is told what is kept."""
    from gonfalon.lab.run.progress import Watcher
    from gonfalon.lab.studies.request import Wanted

    with Watcher(args.keep, "--keep FOLDER") as watcher:
        yield Wanted(
            precision=args.precision,
            most=args.games,
            seed=args.seed,
            workers=args.workers,
            folder=args.keep,
            as_json=args.json,
            page=args.html,
            pictures=args.pictures,
            watcher=watcher,
            parquet=getattr(args, "parquet", None),
        )


def random_play(args: argparse.Namespace) -> int:
    """`gonfalon lab play`."""
    from gonfalon.lab.run.progress import Watcher
    from gonfalon.lab.run.random_play import main as play_main

    options = playable_options(args.game, args.option)
    with Watcher():
        return play_main(args.game, options, args.games, args.seed, args.workers, args.json)


def benchmark(args: argparse.Namespace) -> int:
    """`gonfalon benchmark`."""
    from gonfalon.learn.benchmark import command
    from gonfalon.learn.benchmark.protocol import PARTS

    parts = list(PARTS) if args.parts is None else args.parts.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        raise UsageError(f"There is no part {unknown[0]!r:.40} of the benchmark; there are {', '.join(PARTS)}.")
    return command.run(args.agent, args.games, parts, args.pairs, args.workers, args.speed, args.write)


def train(args: argparse.Namespace) -> int:
    """`gonfalon train`."""
    from gonfalon.learn.command import main as train_main

    options = playable_options(args.game, args.option)
    return train_main(args.game, options, args.updates, args.seconds, args.seed, args.workers, args.out, args.onward)
