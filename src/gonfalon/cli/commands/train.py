"""`gonfalon train` and `benchmark`."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli import messages
from gonfalon.cli.arguments import (
    BOT_NOTATION,
    SEED,
    Commands,
    UsageError,
    add_option_argument,
    make_number_parser,
    parse_seconds,
    parse_workers,
)
from gonfalon.cli.lookups import check_options


def add_train(subparsers: Commands) -> None:
    """Add `train` and `benchmark` to the commands."""
    sub = subparsers.add_parser(
        "train",
        help="train a network by self-play",
        description="Train a policy and a value network by self-play, and write them to a file. Equal seeds and "
        "numbers of updates give equal networks on the same machine.",
    )
    sub.add_argument("game", metavar="GAME")
    limit = sub.add_mutually_exclusive_group()
    limit.add_argument(
        "--updates",
        type=make_number_parser(1, 1_000_000, "the number of updates"),
        metavar="N",
        help="number of updates",
    )
    limit.add_argument("--seconds", type=parse_seconds, metavar="N", help="duration in seconds")
    sub.add_argument("--seed", type=SEED, default=1, metavar="N")
    sub.add_argument(
        "--workers",
        type=parse_workers,
        default="all",
        metavar="N",
        help="number of processes, or `all` (default); two are enough, and the result does not depend on it",
    )
    sub.add_argument(
        "--from",
        dest="onward",
        type=Path,
        metavar="FILE",
        help="continue training this network at a lower learning rate; it may be trained on other cards",
    )
    sub.add_argument("--out", type=Path, metavar="FILE", help="the file to write (default: GAME.npz in this folder)")
    add_option_argument(sub)
    sub.set_defaults(run=run_train)

    add_benchmark(subparsers)


def add_benchmark(subparsers: Commands) -> None:
    """Add `benchmark` to the commands."""
    sub = subparsers.add_parser(
        "benchmark",
        help="measure a player by fixed deals and in solved games",
        description="Measure a player: its exploitability in solved games, and its score against fixed levels over "
        "fixed deals. All runs give the same figures, except --speed.",
    )
    sub.add_argument("games", nargs="*", metavar="GAME", help="the games (default: all)")
    sub.add_argument(
        "--agent", default="greedy", metavar="PLAYER", help="the player (default: greedy); " + BOT_NOTATION
    )
    sub.add_argument("--parts", metavar="PART,...", help="exact, score or both (default)")
    sub.add_argument(
        "--pairs",
        type=make_number_parser(2, 100_000, "the number of deals"),
        default=200,
        metavar="N",
        help="number of deals, at least 2 (default: 200)",
    )
    sub.add_argument(
        "--workers",
        type=parse_workers,
        default=1,
        metavar="N",
        help="number of processes, or `all`; the figures do not depend on it",
    )
    sub.add_argument(
        "--speed", action="store_true", help="also measure the speed of the environments, compared with others"
    )
    sub.add_argument("--write", type=Path, metavar="FILE", help="the file to write (default: print the result)")
    sub.set_defaults(run=run_benchmark)


def run_train(args: argparse.Namespace) -> int:
    """Run `gonfalon train`. Return the exit code."""
    from gonfalon.learn.command import main as train_main

    options = check_options(args.game, args.option)
    return train_main(args.game, options, args.updates, args.seconds, args.seed, args.workers, args.out, args.onward)


def run_benchmark(args: argparse.Namespace) -> int:
    """Run `gonfalon benchmark`. Return the exit code."""
    from gonfalon.learn.benchmark import command
    from gonfalon.learn.benchmark.protocol import PARTS

    parts = list(PARTS) if args.parts is None else args.parts.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        raise UsageError(messages.NO_PART.format(part=repr(unknown[0][:40]), parts=", ".join(PARTS)))
    return command.run_benchmark(args.agent, args.games, parts, args.pairs, args.workers, args.speed, args.write)
