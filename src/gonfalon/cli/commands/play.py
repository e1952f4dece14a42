"""`gonfalon play`: a game in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from gonfalon.cli import messages
from gonfalon.cli.arguments import (
    BOT_NOTATION,
    SEAT,
    SEED,
    Commands,
    UsageError,
    add_motion_argument,
    add_option_argument,
    add_plain_argument,
    make_number_parser,
    parse_seconds,
)
from gonfalon.cli.lookups import continue_game, load_record, make_game, name_card_option


def add_play(subparsers: Commands) -> None:
    """Add `play` to the commands."""
    sub = subparsers.add_parser(
        "play",
        help="play in this terminal",
        description="Play in this terminal, against bots or with other people at the same device.",
        epilog="Seats are counted from 0. With a bot at every seat the game plays by itself.",
    )
    add_seating_arguments(sub)
    add_plain_argument(sub)
    add_motion_argument(sub)
    sub.add_argument("--seed", type=SEED, metavar="N", help="the seed of chance and bots, for repeatable games")
    sub.add_argument("--think", type=parse_seconds, metavar="SECONDS", help="thinking time of bots for each move")
    add_record_arguments(sub)
    sub.set_defaults(run=run_play)


def add_seating_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments for the game, its seats and tips."""
    sub.add_argument(
        "game", metavar="GAME", nargs="?", help="the game (default: that of the record; without both, a menu opens)"
    )
    sub.add_argument(
        "--seat",
        type=SEAT,
        action="append",
        default=[],
        metavar="N",
        help="your seat (default: the first without a bot); repeat it for several people at this device",
    )
    sub.add_argument(
        "--bots",
        metavar="BOT,BOT",
        help="a bot for all other seats, for each of them, or for every seat (`person`: a person at this device); "
        f"`none` for people only (default: the middle level). A bot is {BOT_NOTATION}",
    )
    sub.add_argument(
        "--tips",
        action=argparse.BooleanOptionalAction,
        help="show tips in all games or in none, from now on (default: in your first three games)",
    )


def add_record_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments for the record, and for playing on from another one."""
    sub.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="save the record of the game in FILE, or continue the unfinished game in FILE; the record contains all "
        "hidden cards",
    )
    add_option_argument(sub)
    sub.add_argument(
        "--cards",
        metavar="FILE",
        help="play with the cards of this file: a card file, or lines such as `patriot.strength = 7`",
    )
    sub.add_argument(
        "--from", dest="start", type=Path, metavar="FILE", help="play on from the finished game of a record"
    )
    sub.add_argument(
        "--at",
        type=make_number_parser(1, 1_000_000, "the decision"),
        default=1,
        metavar="N",
        help="with --from: the number of the decision to take again, as `gonfalon review` counts them (default: 1)",
    )
    sub.add_argument(
        "--true-cards",
        action="store_true",
        help="with --from: keep all cards (default: deal the cards again that your seat could not know)",
    )


def run_play(args: argparse.Namespace) -> int:
    """Run `gonfalon play`. Return the exit code."""
    from gonfalon.terminal.play import play_game

    args.game = args.game or _game_of_record(args) or _game_of_cards(args)
    if args.game is None:
        return _play_from_menu(args)
    if args.cards is not None:
        args.option.append(name_card_option(args.game, args.cards))
    record = None
    if args.record is not None and args.record.exists():
        record = load_record(args.record)
    return play_game(
        name=args.game,
        # Made only when needed, because a record supplies its own game.
        make_game=lambda: make_game(args.game, args.option) if args.start is None else continue_game(args),
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
    # Only the name is needed here. The decisions are checked when the record is loaded for the game.
    return load_record(args.start or args.record, legal=False).game.name


def _game_of_cards(args: argparse.Namespace) -> str | None:
    """Return the game that the file of own cards names. Raises DataError."""
    from gonfalon.core.files.card_files import read_card_text
    from gonfalon.core.files.card_sets import find_game_name

    return None if args.cards is None else find_game_name(read_card_text(Path(args.cards))) or None


def _play_from_menu(args: argparse.Namespace) -> int:
    """Run `gonfalon play` without a game: open the menu. Return the exit code."""
    from gonfalon.games import find_game_class, game, names
    from gonfalon.terminal.screens import run as screen

    # The menu asks for these things itself, and needs a screen.
    if args.option or args.cards or args.bots or args.seat or args.record or args.plain or not screen.can_show_screen():
        raise UsageError(messages.NAME_GAME.format(names=", ".join(names())))
    from gonfalon.terminal.games import saved_games
    from gonfalon.terminal.games.lesson import play_lesson
    from gonfalon.terminal.games.menu import LEARN, PUZZLE, Menu
    from gonfalon.terminal.games.puzzle import play_puzzle
    from gonfalon.terminal.play import play_game

    chosen = screen.show_menu(Menu(names(), saved_games.list_waiting()))
    if chosen is None:
        return 0
    if chosen.action == LEARN:
        return play_lesson(find_game_class(chosen.game), None, plain=False)
    if chosen.action == PUZZLE:
        return play_puzzle(find_game_class(chosen.game), None, plain=False)
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
