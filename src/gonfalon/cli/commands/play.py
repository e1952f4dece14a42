"""`gonfalon play`: a game in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli.arguments import (
    SEAT,
    SEED,
    Commands,
    UsageError,
    motion_argument,
    number,
    option_argument,
    plain_argument,
    seconds,
)
from gonfalon.cli.lookups import (
    game_of,
    game_played_on,
    record_of,
)


def add_play(subparsers: Commands) -> None:
    """Add `play` to the commands."""
    sub = subparsers.add_parser(
        "play",
        help="play in this terminal",
        description="Play in this terminal, against bots or with others at the same device.",
        epilog="Seats count from 0. With a bot at every seat nobody is asked anything.",
    )
    sub.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="which game (default: that of the record; without one, on a screen, a menu asks)",
    )
    sub.add_argument(
        "--seat",
        type=SEAT,
        action="append",
        default=[],
        metavar="N",
        help="your seat (default: the first without a bot); several of them for several people at this device",
    )
    sub.add_argument(
        "--bots",
        metavar="LEVEL,LEVEL",
        help="a level for all other seats, for each of them, or for every seat (`person` for somebody at this "
        "device); `none` for people only; default: the middle one of the levels",
    )
    sub.add_argument(
        "--tips",
        action=argparse.BooleanOptionalAction,
        help="tips where you are asked, in every game from now on or in none (default: in your first three games)",
    )
    plain_argument(sub)
    motion_argument(sub)
    sub.add_argument("--seed", type=SEED, metavar="N", help="makes chance and the bots repeatable")
    sub.add_argument("--think", type=seconds, metavar="SECONDS", help="how long bots may think about a move")
    sub.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="keep the game's record in FILE; a file with an unfinished game is gone on with. "
        "The record holds every hidden card",
    )
    option_argument(sub)
    sub.add_argument("--from", dest="start", type=Path, metavar="FILE", help="play on from a record's finished game")
    sub.add_argument(
        "--at",
        type=number(1, 1_000_000, "the decision"),
        default=1,
        metavar="N",
        help="with --from: before which decision of the record, as `gonfalon review` counts them (default: the first)",
    )
    sub.add_argument(
        "--true-cards",
        action="store_true",
        help="with --from: the cards lie as they did; else what your seat could not know is dealt anew",
    )
    sub.set_defaults(run=run_play)


def run_play(args: argparse.Namespace) -> int:
    """Run `gonfalon play`. Return the exit code."""
    from gonfalon.terminal.play import play_game

    args.game = args.game or _game_of_record(args)
    if args.game is None:
        return _play_from_menu(args)
    record = None
    if args.record is not None and args.record.exists():
        record = record_of(args.record)
    return play_game(
        name=args.game,
        make_game=lambda: game_of(args.game, args.option) if args.start is None else game_played_on(args),
        options_given=bool(args.option or args.start),
        record=record,
        path=args.record,
        seats=args.seat,
        levels=args.bots,
        plain=args.plain,
        seed=args.seed,
        think=args.think,
        tips=args.tips,
        motion=not args.no_motion,
    )


def _game_of_record(args: argparse.Namespace) -> str | None:
    """Return the game of the record to play on from, or to continue. Raises RecordError."""
    if args.start is None and (args.record is None or not args.record.exists()):
        return None
    return record_of(args.start or args.record, legal=False).game.name


def _play_from_menu(args: argparse.Namespace) -> int:
    """`gonfalon play` without a game."""
    from gonfalon.games import game, names
    from gonfalon.terminal.screens import run as screen

    if args.option or args.bots or args.seat or args.record or args.plain or not screen.can_show_screen():
        raise UsageError(f"Name the game to play: there are {', '.join(names())}.")
    from gonfalon.terminal.games import saved_games
    from gonfalon.terminal.games.menu import Menu
    from gonfalon.terminal.play import play_game

    chosen = screen.show_menu(Menu(names(), saved_games.list_waiting()))
    if chosen is None:
        return 0
    waits = chosen.kept
    return play_game(
        name=waits.record.game.name if waits else chosen.game,
        make_game=lambda: game(chosen.game, **chosen.options),
        options_given=False,
        record=waits.record if waits else None,
        path=waits.path if waits else saved_games.new_path(chosen.game),
        seats=[] if waits else [0],
        levels=screen.guess_seating(waits.record.names) if waits else ",".join(chosen.levels),
        plain=False,
        seed=args.seed,
        think=args.think,
        motion=not args.no_motion,
    )
