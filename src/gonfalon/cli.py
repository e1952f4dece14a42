"""The command line. Bad input gets one sentence on stderr and exit 2; a traceback is a bug of ours."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

from gonfalon.core.errors import GonfalonError, OptionError, RecordError

if TYPE_CHECKING:
    from gonfalon.core.decks import Decks
    from gonfalon.core.game import Game
    from gonfalon.core.record import Record

# Everything else is imported by the command that needs it: `gonfalon games` must not load a web server.

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
SEEDS: Final = 1 << 64
RECORD_LIMIT: Final = 64 << 20

THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Of numpy: the networks are so small that threads would only wait for each other."""


class UsageError(GonfalonError):
    """A command line that says nothing we know."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence, without the usage."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}. (`{self.prog} --help` tells more.)")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            import difflib

            known = [str(choice) for choice in action.choices]
            near = difflib.get_close_matches(str(value), known, 1)
            what = "command" if isinstance(action, argparse._SubParsersAction) else action.dest
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise argparse.ArgumentError(None, f"there is no {what} {value!r}; {hint}".rstrip("?"))


class Version(argparse.Action):
    """`--version`: which one, and which build."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from gonfalon import __version__
        from gonfalon.core.build import sentence

        print(f"gonfalon {__version__} ({sentence()})")
        parser.exit()


# ---- reading the command line -------------------------------------------------------------------


def number(low: int, high: int, what: str) -> Callable[[str], int]:
    """A reader of whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{what} is a whole number, not {text[:40]!r}") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{what} lies between {low} and {high}, not {text[:40]}")
        return value

    return read


def seconds(text: str) -> float:
    """A time on the command line."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a time is a number of seconds, not {text[:40]!r}") from None
    if not 0 < value <= 86_400:
        raise argparse.ArgumentTypeError(f"a time lies between 0 and 86400 seconds, not {text[:40]}")
    return value


def two_shares(text: str) -> tuple[float, float]:
    """Two numbers between 0 and 1, the lower one first, for argparse."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low = high = 0.0
    if not 0 < low < high < 1:
        raise argparse.ArgumentTypeError(f"{text!r} should be two numbers between 0 and 1, the lower one first")
    return low, high


def workers(text: str) -> int:
    """A number of processes: a number, or `all` for one a core."""
    if text.strip().lower() == "all":
        from gonfalon.lab.play import cores

        return cores()
    return number(1, 256, "the number of workers")(text)


SEED: Final = number(0, SEEDS - 1, "a seed")
SEAT: Final = number(0, 7, "a seat")


def parser() -> Parser:
    """All commands and their arguments."""
    top = Parser(
        prog="gonfalon",
        description="A table for war card games. Without a command: start the table server and open the browser.",
    )
    top.add_argument("--version", action=Version, nargs=0, help="show the version, and whether it is compiled")
    top.set_defaults(run=serve, host="127.0.0.1", port=None, database=None, workers=1, browse=True, think=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)

    sub = commands.add_parser("serve", help="start the table server", description="Start the table server.")
    sub.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: this machine only)")
    sub.add_argument("--port", type=number(0, 65535, "a port"), help="the port (default: 8000, or a free one)")
    sub.add_argument("--database", metavar="URL", help="where tables are kept (default: a SQLite file of yours)")
    sub.add_argument("--workers", type=number(1, 256, "the number of workers"), default=1, metavar="N")
    sub.add_argument("--think", type=seconds, metavar="SECONDS", help="how long bots may think about a move")
    sub.set_defaults(run=serve, browse=False)

    sub = commands.add_parser(
        "play",
        help="play in this terminal",
        description="Play in this terminal, against bots or with others at the same device.",
        epilog="Seats count from 0. With a bot at every seat nobody is asked anything.",
    )
    sub.add_argument("game", metavar="GAME")
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
    sub.add_argument("--plain", action="store_true", help="one action a line, no bold type, nothing cleared")
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
    sub.set_defaults(run=play)

    sub = commands.add_parser("games", help="list the installed games", description="List the installed games.")
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=games)

    sub = commands.add_parser(
        "replay",
        help="step through a record",
        description="Step through a record. Without a viewer: all open when the game is over, else as a spectator.",
    )
    sub.add_argument("file", type=Path, metavar="FILE")
    viewer = sub.add_mutually_exclusive_group()
    viewer.add_argument("--seat", type=SEAT, metavar="N", help="what this seat knew")
    viewer.add_argument("--spectator", action="store_true", help="what everybody knew")
    viewer.add_argument("--all", action="store_true", help="with all cards open")
    sub.add_argument("--json", action="store_true", help="one JSON object a step")
    sub.set_defaults(run=replay)

    sub = commands.add_parser(
        "check", help="run the conformance kit on a game", description="Run the conformance kit on a game."
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--seconds", type=seconds, metavar="N", help="how long to play at random")
    sub.add_argument(
        "--honesty",
        type=number(1, 1_000_000, "the number of decisions"),
        metavar="N",
        help="instead, put N decisions to every level in twin worlds",
    )
    option_argument(sub)
    sub.set_defaults(run=check)

    sub = commands.add_parser("bench", help="measure speed", description="Measure speed, per second of CPU time.")
    sub.add_argument("games", nargs="*", metavar="GAME")
    sub.add_argument("--seconds", type=seconds, default=0.3, metavar="N", help="CPU time of a burst (default 0.3)")
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="play in so many processes too, or `all`, and compare"
    )
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=bench)

    sub = commands.add_parser("card", help="what is printed on a card", description="What is printed on a card.")
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("name", metavar="NAME", nargs="+")
    option_argument(sub)
    sub.set_defaults(run=card)

    deck = commands.add_parser(
        "deck",
        help="check, show and share decks",
        description="Check, show and share decks, of games in which you bring your own. A deck is a file, the slug of "
        "a ready-made deck, or a share code.",
    )
    deck.set_defaults(run=help_of(deck))
    tasks = deck.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    sub = tasks.add_parser("check", help="all that is wrong with a deck", description="All that is wrong with a deck.")
    sub.add_argument("decks", metavar="DECK", nargs="+")
    deck_arguments(sub, deck_check)
    sub = tasks.add_parser(
        "show",
        help="a deck as a file, with its figures",
        description="A deck in the form of a deck file, with its figures.",
    )
    sub.add_argument("deck", metavar="DECK")
    sub.add_argument("--hold", metavar="CARD", help="how likely this card has been drawn by when")
    sub.add_argument("--json", action="store_true")
    deck_arguments(sub, deck_show)
    about = "A deck's share code: its cards, without its name."
    sub = tasks.add_parser("code", help="a deck's share code", description=about)
    sub.add_argument("deck", metavar="DECK")
    deck_arguments(sub, deck_code)
    sub = tasks.add_parser("list", help="the ready-made decks", description="The ready-made decks.")
    deck_arguments(sub, deck_list)

    lab = commands.add_parser(
        "lab", help="matches between bots, random play", description="Matches between bots, and random play."
    )
    lab.set_defaults(run=help_of(lab))
    studies = lab.add_subparsers(title="studies", metavar="STUDY", parser_class=Parser)
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
    sub.add_argument("--seed", type=SEED, default=0, metavar="N")
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="processes, or `all`; the result is the same"
    )
    sub.add_argument("--json", action="store_true")
    option_argument(sub)
    sub.set_defaults(run=match)

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
    sub.add_argument("--seed", type=SEED, default=0, metavar="N")
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="processes, or `all`; the result is the same"
    )
    sub.add_argument("--write", type=Path, metavar="FOLDER", help="write table, figures and picture into a folder")
    sub.add_argument("--json", action="store_true")
    option_argument(sub)
    sub.set_defaults(run=ladder)

    sub = studies.add_parser(
        "calibration",
        help="whether a level's chances come true",
        description="Whether the chances to win that levels tell come true: ten bins, and the error with its interval.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("levels", nargs="*", metavar="LEVEL", help="default: all that tell chances")
    sub.add_argument("--games", type=number(2, 10_000_000, "the number of games"), default=400, metavar="N")
    sub.add_argument("--seed", type=SEED, default=0, metavar="N")
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="processes, or `all`; the result is the same"
    )
    sub.add_argument("--against", metavar="LEVEL", help="who sits in the other seats (default: the level itself)")
    sub.add_argument("--fit", type=Path, metavar="FILE", help="learn what sets the chances right, and keep it there")
    sub.add_argument("--write", type=Path, metavar="FOLDER", help="write table, figures and picture into a folder")
    sub.add_argument("--json", action="store_true")
    option_argument(sub)
    sub.set_defaults(run=calibration)

    sub = studies.add_parser(
        "play",
        help="random games by the million",
        description="Play random games: how long they are, how they end, who wins.",
    )
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("--games", type=number(1, 1_000_000_000, "the number of games"), default=1000, metavar="N")
    sub.add_argument("--seed", type=SEED, default=0, metavar="N")
    sub.add_argument(
        "--workers", type=workers, default=1, metavar="N", help="processes, or `all`; the result is the same"
    )
    sub.add_argument("--json", action="store_true")
    option_argument(sub)
    sub.set_defaults(run=random_play)

    sub = commands.add_parser(
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
    sub.add_argument("--out", type=Path, metavar="FILE", help="where the network goes (default: GAME.npz here)")
    option_argument(sub)
    sub.set_defaults(run=train)
    return top


def option_argument(sub: argparse.ArgumentParser) -> None:
    """Let a command take options of its game."""
    sub.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game; may be repeated"
    )


def read_options(name: str, given: Sequence[str]) -> dict[str, Any]:
    """The options of a command line; the value of a file option is the path of the file to read."""
    from gonfalon.games import kind

    files = {option.name for option in kind(name).options_spec if option.file}
    options: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals:
            raise UsageError(f"An option is written key=value, not {text!r}.")
        if key in options:
            raise UsageError(f"Option {key} is given twice.")
        options[key] = Path(value) if key in files else value
    return options


def game_of(name: str, given: Sequence[str]) -> Game:
    """The game with its options from the command line."""
    from gonfalon.games import game

    options = read_options(name, given)
    try:
        return game(name, **options)
    except UnicodeDecodeError:
        files = ", ".join(str(value) for value in options.values() if isinstance(value, Path))
        raise OptionError(f"{files} is not a text in UTF-8.") from None


def deck_arguments(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """What every task with decks takes."""
    sub.add_argument("--game", metavar="GAME", help="the game that the deck is of (default: the only one with decks)")
    option_argument(sub)
    sub.set_defaults(run=run)


def decks_of(name: str | None, given: Sequence[str]) -> Decks:
    """What a game knows about decks; without a name, the only game that has any."""
    from gonfalon.games import kind, names

    if name is None:
        found = []
        for known in names():
            with contextlib.suppress(Exception):  # a stranger's package may fail in any way
                found += [known] if kind(known).has_decks() else []
        if len(found) != 1:
            which = f"there are {', '.join(found)}" if found else "none that is installed has any"
            raise UsageError(f"Say which game's decks you mean (--game): {which}.")
        [name] = found
    decks = game_of(name, given).decks()
    if decks is None:
        raise UsageError(f"In {kind(name).title} nobody brings a deck.")
    return decks


def record_of(path: Path) -> Record:
    """The record in a file, every decision of it legal. Raises RecordError."""
    from gonfalon import games
    from gonfalon.core.record import load

    if path.exists() and not path.is_dir() and path.stat().st_size > RECORD_LIMIT:
        raise RecordError(f"{path} is no record: it is larger than {RECORD_LIMIT >> 20} MB.")
    try:
        record = load(path.read_text(encoding="utf-8"), games.game)
        record.replay()
    except UnicodeDecodeError:
        raise RecordError(f"{path} is no record: it is not a text in UTF-8.") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    return record


# ---- the commands -------------------------------------------------------------------------------


def serve(args: argparse.Namespace) -> int:
    """`gonfalon` and `gonfalon serve`."""
    try:
        from gonfalon.web import serve as web_serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("gonfalon"):
            raise
        raise UsageError(f"The table server needs the package {error.name}, which is not installed.") from None

    web_serve(
        host=args.host,
        port=args.port,
        database_url=args.database,
        open_browser=args.browse,
        workers=args.workers,
        think=args.think,
    )
    return 0


def play(args: argparse.Namespace) -> int:
    """`gonfalon play`."""
    from gonfalon.terminal.play import sit_down

    record = None
    if args.record is not None and args.record.exists():
        record = record_of(args.record)
    return sit_down(
        name=args.game,
        make_game=lambda: game_of(args.game, args.option),
        options_given=bool(args.option),
        record=record,
        path=args.record,
        seats=args.seat,
        levels=args.bots,
        plain=args.plain,
        seed=args.seed,
        think=args.think,
    )


def games(args: argparse.Namespace) -> int:
    """`gonfalon games`."""
    from gonfalon.games import kind, names

    found = []
    for name in names():
        try:
            found.append(kind(name))
        except Exception as error:  # a stranger's package may fail in any way; the other games still are there
            print(f"gonfalon: {name} cannot be loaded: {type(error).__name__}: {error}", file=sys.stderr)
    if args.json:
        import json

        print(json.dumps([shown_game(cls) for cls in found], indent=1, ensure_ascii=False))
        return 0
    for cls in found:
        seats = " or ".join(str(count) for count in cls.seat_counts)
        print(f"{cls.name}: {cls.title} ({seats} seats, rules version {cls.version})")
        if cls.tagline:
            print(f"  {cls.tagline}")
        for option in cls.options_spec:
            if option.choices:
                values = ", ".join(str(value).lower() for value, _ in option.choices)
            elif option.file:
                values = "a file"
            else:
                values = "yes or no" if isinstance(option.default, bool) else type(option.default).__name__
                values = {"int": "a number", "tuple": "a list", "str": "a text", "NoneType": "anything"}.get(
                    values, values
                )
            default = option.default
            if isinstance(default, tuple):
                default = ",".join(str(part) for part in default)
            elif isinstance(default, bool):
                default = "yes" if default else "no"
            shown = "" if default is None else f"; default {default}"
            print(f"  --option {option.name}=...  {option.label} ({values}{shown})")
    return 0


def shown_game(cls: type[Game]) -> dict[str, Any]:
    """A game as `games --json` gives it."""
    return {
        "name": cls.name,
        "title": cls.title,
        "tagline": cls.tagline,
        "version": cls.version,
        "seats": list(cls.seat_counts),
        "options": [
            {
                "name": option.name,
                "label": option.label,
                "help": option.help,
                "default": list(option.default) if isinstance(option.default, tuple) else option.default,
                "choices": [{"value": value, "label": label} for value, label in option.choices],
                "file": option.file,
                "public": option.public,
            }
            for option in cls.options_spec
        ],
    }


def replay(args: argparse.Namespace) -> int:
    """`gonfalon replay`."""
    from gonfalon.core.state import OPEN, SPECTATOR
    from gonfalon.terminal.replay import replay as step_through

    record = record_of(args.file)
    viewer: int | None = None
    if args.seat is not None:
        if args.seat >= record.game.seats:
            raise UsageError(no_seat(record.game, args.seat))
        viewer = args.seat
    elif args.spectator:
        viewer = SPECTATOR
    elif args.all:
        viewer = OPEN
    return step_through(record, viewer, args.json)


def no_seat(game: Game, seat: int) -> str:
    """That a game has no such seat, as a sentence."""
    return f"There is no seat {seat}: the seats of {game.name} count from 0 to {game.seats - 1}."


def check(args: argparse.Namespace) -> int:
    """`gonfalon check`."""
    from gonfalon.bridges.senders import senders
    from gonfalon.check import main as check_main
    from gonfalon.games import kind

    kind(args.game)
    options = read_options(args.game, args.option)
    if args.honesty:
        from gonfalon.check.honesty import proved

        return 0 if proved(args.game, args.honesty, options) else 1
    return int(check_main(args.game, 20.0 if args.seconds is None else args.seconds, options, senders()))


def bench(args: argparse.Namespace) -> int:
    """`gonfalon bench`."""
    from gonfalon.bench import main as bench_main

    return bench_main(args.games, args.seconds, args.workers, args.json)


def card(args: argparse.Namespace) -> int:
    """`gonfalon card`."""
    from gonfalon.terminal.cards import card_text

    game = game_of(args.game, args.option)
    name = " ".join(args.name)
    found = game.card(name)
    if found is None:
        raise UsageError(f"There is no card {name!r} in {game.title}.")
    print(card_text(found))
    return 0


def help_of(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """`gonfalon lab` alone tells its studies, `gonfalon deck` its tasks."""

    def run(_: argparse.Namespace) -> int:
        parser.print_help()
        return 0

    return run


def deck_check(args: argparse.Namespace) -> int:
    """`gonfalon deck check`."""
    from gonfalon.terminal import decks

    return decks.check(decks_of(args.game, args.option), args.decks)


def deck_show(args: argparse.Namespace) -> int:
    """`gonfalon deck show`."""
    from gonfalon.terminal import decks

    return decks.show(decks_of(args.game, args.option), args.deck, args.hold, args.json)


def deck_code(args: argparse.Namespace) -> int:
    """`gonfalon deck code`."""
    from gonfalon.terminal import decks

    return decks.code(decks_of(args.game, args.option), args.deck)


def deck_list(args: argparse.Namespace) -> int:
    """`gonfalon deck list`."""
    from gonfalon.terminal import decks

    return decks.listing(decks_of(args.game, args.option))


def match(args: argparse.Namespace) -> int:
    """`gonfalon lab match`."""
    from gonfalon.lab.match import main as match_main

    options = read_options(args.game, args.option)
    game_of(args.game, args.option)
    return match_main(args.a, args.b, args.game, options, args.pairs, args.seed, args.workers, args.between, args.json)


def ladder(args: argparse.Namespace) -> int:
    """`gonfalon lab ladder`."""
    from gonfalon.lab.ladder import main as ladder_main

    options = read_options(args.game, args.option)
    game_of(args.game, args.option)
    return ladder_main(args.game, options, args.pairs, args.seed, args.workers, args.exploit, args.write, args.json)


def calibration(args: argparse.Namespace) -> int:
    """`gonfalon lab calibration`."""
    from gonfalon.lab.calibration import main as calibration_main

    options = read_options(args.game, args.option)
    game_of(args.game, args.option)
    return calibration_main(
        args.game,
        args.levels,
        options,
        args.games,
        args.seed,
        args.workers,
        args.against,
        args.fit,
        args.write,
        args.json,
    )


def random_play(args: argparse.Namespace) -> int:
    """`gonfalon lab play`."""
    from gonfalon.lab.play import main as play_main

    options = read_options(args.game, args.option)
    game_of(args.game, args.option)
    return play_main(args.game, options, args.games, args.seed, args.workers, args.json)


def train(args: argparse.Namespace) -> int:
    """`gonfalon train`."""
    from gonfalon.learn.command import main as train_main

    options = read_options(args.game, args.option)
    game_of(args.game, args.option)
    return train_main(args.game, options, args.updates, args.seconds, args.seed, args.out)


# ---- the process --------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code."""
    for variable in THREADS:
        os.environ.setdefault(variable, "1")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows another one; it does not end the game.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        try:
            args = parser().parse_args(argv)
            code: int = args.run(args)
        except SystemExit as stop:  # argparse's --help and --version
            code = stop.code if isinstance(stop.code, int) else 0
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        hush(sys.stdout)
        return 0
    except GonfalonError as error:
        return complain(str(error))
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        return complain(f"{name}{error.strerror or error}.")


def complain(sentence: str) -> int:
    """One line on stderr, for input that we cannot use."""
    print("gonfalon:", " ".join(sentence.split()), file=sys.stderr)
    return BAD_INPUT


def hush(stream: TextIO) -> None:
    """Nobody reads any more; what is still buffered must not fail when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(nowhere)
