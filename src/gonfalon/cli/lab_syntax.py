"""The commands that study and train, and their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from gonfalon.cli import lab_commands as commands
from gonfalon.cli.arguments import (
    SEED,
    Commands,
    Parser,
    band,
    cluster,
    help_of,
    number,
    option_argument,
    points,
    seconds,
    two_shares,
    workers,
)


def lab_commands(subparsers: Commands) -> None:
    """Studies with bots."""
    lab = subparsers.add_parser(
        "lab",
        help="studies: matches, what a number does, what cards are worth, whether a game is fair",
        description="Studies with bots, for who designs a game or a bot.",
    )
    lab.set_defaults(run=help_of(lab))
    studies = lab.add_subparsers(title="studies", metavar="STUDY", parser_class=Parser)
    match_study(studies)
    ladder_study(studies)
    calibration_study(studies)
    whatif_study(studies)
    balance_study(studies)
    cards_study(studies)
    tune_study(studies)
    data_study(studies)
    sub = studies.add_parser(
        "play",
        help="random games by the million",
        description="Play random games: how long they are, how they end, who wins.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--games", type=number(1, 1_000_000_000, "the number of games"), default=1000, metavar="N")
    study_arguments(sub, commands.random_play)


def match_study(studies: Commands) -> None:
    """Two levels against each other."""
    sub = studies.add_parser(
        "match",
        help="two levels play the same deals from all seats",
        description="Two levels play the same deals from all seats, so that luck and seats cancel out.",
    )
    sub.add_argument(
        "a",
        metavar="A",
        help="a level; LEVEL:N to let it think for N iterations; exploiter/LEVEL for who knows its answers",
    )
    sub.add_argument("b", metavar="B", help="a level, likewise")
    sub.add_argument("--game", required=True, metavar="GAME")
    sub.add_argument("--pairs", type=number(1, 10_000_000, "the number of pairs"), default=100, metavar="N")
    sub.add_argument(
        "--between",
        type=two_shares,
        metavar="LOW,HIGH",
        help="stop when it is known whether A scores LOW or HIGH, say 0.5,0.62 (after 20 deals at least)",
    )
    mirrored_argument(sub)
    study_arguments(sub, commands.match)


def ladder_study(studies: Commands) -> None:
    """All levels against each other."""
    sub = studies.add_parser(
        "ladder",
        help="every level of a game against every other",
        description="Every level of a game against every other: ratings, scores, times; and how much who knows a "
        "level can score against it.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--pairs", type=number(1, 10_000_000, "the number of pairs"), default=50, metavar="N")
    sub.add_argument(
        "--exploit",
        type=number(0, 10_000_000, "the number of pairs"),
        default=10,
        metavar="N",
        help="pairs that the exploiter plays against each level (default 10; 0: none)",
    )
    mirrored_argument(sub)
    sub.add_argument("--near", action="store_true", help="a level meets only the next ones and greedy")
    study_arguments(sub, commands.ladder)


def calibration_study(studies: Commands) -> None:
    """Chances that come true."""
    sub = studies.add_parser(
        "calibration",
        help="whether a level's chances come true",
        description="Whether the chances to win that levels tell come true: ten bins, and the error with its interval.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("levels", nargs="*", metavar="LEVEL", help="default: all that tell chances")
    sub.add_argument("--games", type=number(2, 10_000_000, "the number of games"), default=400, metavar="N")
    sub.add_argument("--against", metavar="LEVEL", help="who sits in the other seats (default: the level itself)")
    study_arguments(sub, commands.calibration)


def whatif_study(studies: Commands) -> None:
    """What a change does."""
    sub = studies.add_parser(
        "whatif",
        help="what a change of a card, a deck or an option does",
        description="Two variants of a game play the same deals: what a change does to who wins, how long games are "
        "and how they end, each with its 95 % interval. It stops when the effect is known closely enough.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--set",
        action="append",
        default=[],
        dest="sets",
        metavar="CARD.NUMBER=VALUE",
        help="a change, say patriot.strength=5, box.hand=8, or OPTION=VALUE; may be repeated",
    )
    sub.add_argument("--a", type=Path, metavar="FILE", help="what holds before (default: the game as it is)")
    sub.add_argument(
        "--b", type=Path, metavar="FILE", help="what holds after: a card file, single cards of one, or a deck list"
    )
    sub.add_argument(
        "--players", default="club", metavar="LEVEL,LEVEL", help="who plays, each for itself (default: club)"
    )
    sub.add_argument(
        "--precision", type=points, default=0.02, metavar="POINTS", help="stop at so many points (default: 2)"
    )
    balanced_arguments(sub, 20_000)
    parquet_argument(sub)
    study_arguments(sub, commands.whatif)


def balance_study(studies: Commands) -> None:
    """Whether a game is fair."""
    sub = studies.add_parser(
        "balance",
        help="whether a game is fair: every side against every other",
        description="Every faction or deck against every other, with 95 % intervals; who begins; how games go. "
        "Games are spent on the matchups that are least known.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--side",
        action="append",
        default=[],
        metavar="SIDE",
        help="a faction, a deck, the file of a deck; may be repeated, and these alone meet (default: all)",
    )
    sub.add_argument("--players", default="club", metavar="LEVEL", help="who plays (default: club)")
    changed_arguments(sub)
    sub.add_argument(
        "--precision",
        type=points,
        default=0.05,
        metavar="POINTS",
        help="know each matchup to so many points (default: 5)",
    )
    balanced_arguments(sub, 100_000)
    parquet_argument(sub)
    study_arguments(sub, commands.balance)


def cards_study(studies: Commands) -> None:
    """What cards are worth."""
    sub = studies.add_parser(
        "cards",
        help="what each card is worth in its deck",
        description="Plain cards stand in for each card of a deck: the share of victories that is lost is what the "
        "card is worth, with its 95 % interval. It stops when every card is known closely enough.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--side", action="append", default=[], metavar="SIDE", help="a faction or deck (default: all); may be repeated"
    )
    sub.add_argument("--players", default="club", metavar="LEVEL,LEVEL", help="who plays, each for itself")
    changed_arguments(sub)
    sub.add_argument(
        "--precision", type=points, default=0.02, metavar="POINTS", help="know a copy to so many points (default: 2)"
    )
    balanced_arguments(sub, 100_000)
    study_arguments(sub, commands.cards)


def tune_study(studies: Commands) -> None:
    """What numbers should be."""
    sub = studies.add_parser(
        "tune",
        help="what numbers should be, so that all sides are equal",
        description="Single steps of the numbers that are free, each measured, that bring every faction or deck into a "
        "band at several levels. You choose among the best; the whole path is kept.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument(
        "--target", type=band, default=(0.45, 0.55), metavar="LOW..HIGH", help="the band in %% (default: 45..55)"
    )
    sub.add_argument(
        "--free",
        action="append",
        default=[],
        metavar="WORD",
        help="what may change: a card, card.number, a side, or where numbers come from; may be repeated (default: "
        "reconstructed, ours)",
    )
    sub.add_argument("--players", default="club,greedy", metavar="LEVEL,LEVEL", help="who plays (default: club,greedy)")
    sub.add_argument(
        "--take",
        type=number(0, 100, "the number of steps"),
        metavar="N",
        help="take the best step by itself, at most so often (default: ask at the terminal)",
    )
    changed_arguments(sub)
    sub.add_argument(
        "--precision", type=points, default=0.03, metavar="POINTS", help="know shares to so many points (default: 3)"
    )
    sub.add_argument("--out", type=Path, metavar="FILE", help="write what was changed as a file for --b")
    balanced_arguments(sub, 500_000)
    study_arguments(sub, commands.tune)


def data_study(studies: Commands) -> None:
    """Games as tables."""
    sub = studies.add_parser(
        "data",
        help="games as tables: a row a game, a row a decision",
        description="Play games and write them as a data set: Parquet files with a row a game and with a row a "
        "decision, and a card that tells what they are. Stopped, it goes on with the same command.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the files go")
    sub.add_argument(
        "--players",
        default="club",
        metavar="LEVELS",
        help="who plays; of several, as club,greedy, each sits in each seat against each (default: club)",
    )
    sub.add_argument("--games", type=number(1, 10_000_000, "the number of games"), default=1000, metavar="N")
    sub.add_argument("--views", action="store_true", help="with what the seat could know at each decision, as numbers")
    sub.add_argument(
        "--part",
        type=number(1, 1_000_000, "the size of a part"),
        default=1000,
        metavar="N",
        help="so many games a file",
    )
    changed_arguments(sub)
    study_arguments(sub, commands.data)


def changed_arguments(sub: argparse.ArgumentParser) -> None:
    """What is otherwise in the game that is studied."""
    sub.add_argument(
        "--set", action="append", default=[], dest="sets", metavar="CARD.NUMBER=VALUE", help="a change, as in whatif"
    )
    sub.add_argument("--b", type=Path, metavar="FILE", help="changes in a file, as in whatif")


def parquet_argument(sub: argparse.ArgumentParser) -> None:
    """A table of the games."""
    sub.add_argument("--parquet", type=Path, metavar="FILE", help="write the games as a table, a row each")


def balanced_arguments(sub: argparse.ArgumentParser, games: int) -> None:
    """What studies of a game's numbers take."""
    sub.add_argument(
        "--games",
        type=number(100, 100_000_000, "the number of games"),
        default=games,
        metavar="N",
        help=f"play about so many at most, 100 or more (default: {games})",
    )
    sub.add_argument("--keep", type=Path, metavar="FOLDER", help="keep games there, and go on with those that are")
    sub.add_argument("--html", type=Path, metavar="FILE", help="write a report, one page that needs nothing else")
    sub.add_argument("--pictures", type=Path, metavar="FOLDER", help="write each chart as SVG and PNG")


def train_commands(subparsers: Commands) -> None:
    """Self-play, and what came of it."""
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
    sub.set_defaults(run=commands.train)

    benchmark(subparsers)


def benchmark(subparsers: Commands) -> None:
    """Players measured by fixed deals."""
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
    sub.set_defaults(run=commands.benchmark)


def mirrored_argument(sub: argparse.ArgumentParser) -> None:
    """Whether both sides play the same deck."""
    sub.add_argument(
        "--mirrored",
        action="store_true",
        help="where people bring decks: each ready-made one in turn, the same for all",
    )


def study_arguments(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """What every study of the lab takes."""
    sub.add_argument("--seed", type=SEED, default=0, metavar="N")
    who = sub.add_mutually_exclusive_group()
    who.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="processes, or `all`; the result is the same"
    )
    who.add_argument(
        "--ray",
        type=cluster,
        default=argparse.SUPPRESS,
        dest="workers",
        metavar="ADDRESS",
        help="work on the Ray cluster whose head is there, say 127.0.0.1:6379; the result is the same",
    )
    sub.add_argument("--json", action="store_true")
    option_argument(sub)
    sub.set_defaults(run=run)
