"""`gonfalon train` and `benchmark`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import (
    SEED,
    Commands,
    UsageError,
    number,
    option_argument,
    seconds,
    workers,
)
from gonfalon.cli.lookups import playable_options


def add_train(subparsers: Commands) -> None:
    """Add `train` and `benchmark` to the commands."""
    sub = subparsers.add_parser(
        "train",
        help="train a network by self-play",
        description="Train a policy and a value by self-play and write them to a file. The same "
        "seed and number of updates give the same network on the same machine.",
    )
    sub.add_argument("game", metavar="GAME")
    limit = sub.add_mutually_exclusive_group()
    limit.add_argument("--updates", type=number(1, 1_000_000, "the number of updates"), metavar="N", help="how long")
    limit.add_argument("--seconds", type=seconds, metavar="N", help="how long by the clock")
    sub.add_argument("--seed", type=SEED, default=1, metavar="N")
    sub.add_argument(
        "--workers",
        type=workers,
        default="all",
        metavar="N",
        help="processes, at most two of use, or `all` (default); the result is the same",
    )
    sub.add_argument(
        "--from",
        dest="onward",
        type=Path,
        metavar="FILE",
        help="go on from this network, which may have learnt other cards, at a lower rate",
    )
    sub.add_argument("--out", type=Path, metavar="FILE", help="where the network goes (default: GAME.npz here)")
    option_argument(sub)
    sub.set_defaults(run=run_train)

    add_benchmark(subparsers)


def add_benchmark(subparsers: Commands) -> None:
    """Add `benchmark` to the commands."""
    sub = subparsers.add_parser(
        "benchmark",
        help="measure a player by fixed deals and in tiny games",
        description="Measure a player: how much a perfect opponent gains against it in tiny games, exactly, and its "
        "score against fixed levels over fixed deals. Two runs find the same figures.",
    )
    sub.add_argument("games", nargs="*", metavar="GAME", help="by default all")
    sub.add_argument(
        "--agent",
        default="greedy",
        metavar="PLAYER",
        help="a level as `lab match` takes it (default greedy), a FILE of `train`, module:Class of a "
        "bot, openspiel:module:function, or the address of a program (http://...); Python bots run in this process and "
        "are trusted not to look at hidden cards, a program is sent its view only",
    )
    sub.add_argument("--parts", metavar="PART,...", help="of exact, score; by default both")
    sub.add_argument(
        "--pairs",
        type=number(2, 100_000, "the number of deals"),
        default=200,
        metavar="N",
        help="deals, at least 2 (default 200)",
    )
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="processes, or `all`; the figures are the same"
    )
    sub.add_argument("--speed", action="store_true", help="also how fast environments are beside their peers here")
    sub.add_argument("--write", type=Path, metavar="FILE", help="where it goes (default: it is printed)")
    sub.set_defaults(run=run_benchmark)


def run_train(args: argparse.Namespace) -> int:
    """Run `gonfalon train`. Return the exit code."""
    from gonfalon.learn.command import main as train_main

    options = playable_options(args.game, args.option)
    return train_main(args.game, options, args.updates, args.seconds, args.seed, args.workers, args.out, args.onward)


def run_benchmark(args: argparse.Namespace) -> int:
    """Run `gonfalon benchmark`. Return the exit code."""
    from gonfalon.learn.benchmark import command
    from gonfalon.learn.benchmark.protocol import PARTS

    parts = list(PARTS) if args.parts is None else args.parts.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        raise UsageError(f"There is no part {unknown[0]!r:.40} of the benchmark; there are {', '.join(PARTS)}.")
    return command.run_benchmark(args.agent, args.games, parts, args.pairs, args.workers, args.speed, args.write)
