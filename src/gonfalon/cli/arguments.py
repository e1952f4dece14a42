"""Parsing of arguments. Each error is one sentence."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    from gonfalon.lab.run.workers import Cluster

SEEDS: Final = 1 << 64


class UsageError(GonfalonError):
    """A command line that says nothing we know."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence, without the usage."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}. (`{self.prog} --help` tells more.)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, and let the command itself refuse unknown ones, whose help lists the known ones."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            import difflib

            known = [str(choice) for choice in action.choices]
            near = difflib.get_close_matches(str(value), known, 1)
            what = "command" if isinstance(action, argparse._SubParsersAction) else action.dest
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise argparse.ArgumentError(None, f"there is no {what} {value!r}; {hint}".rstrip("?"))


class Version(argparse.Action):
    """`--version`: which one, and which build."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from gonfalon import __version__
        from gonfalon.core.build import sentence

        print_text(f"gonfalon {__version__} ({sentence()})")
        parser.exit()


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
        raise argparse.ArgumentTypeError(f"a time is more than 0 and at most 86400 seconds, not {text[:40]}")
    return value


def factor(text: str) -> float:
    """Parse a factor for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"a factor is a number from 0 on, not {text[:40]!r}")
    return value


def points(text: str) -> float:
    """Points of a hundred, as a share, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 50:
        raise argparse.ArgumentTypeError(f"a precision is a number of points from 0.01 to 50, not {text[:40]!r}")
    return value / 100


def band(text: str) -> tuple[float, float]:
    """A band of shares in percent, `45..55`, for argparse."""
    low, dots, high = text.partition("..")
    try:
        found = float(low) / 100, float(high) / 100
    except ValueError:
        found = 0.0, 0.0
    if not dots or not 0 < found[0] < 0.5 < found[1] < 1:
        raise argparse.ArgumentTypeError(f"a band is written 45..55 and holds 50, not {text[:40]!r}")
    return found


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
        from gonfalon.lab.run.random_play import count_cores

        return count_cores()
    return number(1, 256, "the number of workers")(text)


def cluster(text: str) -> Cluster:
    """The address of a Ray cluster: a host and a port."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal():
        raise argparse.ArgumentTypeError("the address of a Ray cluster is a host and a port, as in 127.0.0.1:6379")
    from gonfalon.lab.run.workers import Cluster

    return Cluster(text)


SEED: Final = number(0, SEEDS - 1, "a seed")
SEAT: Final = number(0, 99, "a seat")
"""Parses a seat. The game checks the number of seats."""


# ---- what several commands take ------------------------------------------------------------------

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def option_argument(sub: argparse.ArgumentParser) -> None:
    """Let a command take options of its game."""
    sub.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game; may be repeated"
    )


def help_of(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """Return a command that prints help: `gonfalon lab` lists its studies, `gonfalon deck` its tasks."""

    def run(_: argparse.Namespace) -> int:
        parser.print_help()
        return 0

    return run


def plain_argument(sub: argparse.ArgumentParser) -> None:
    """Add the option for line-by-line output."""
    sub.add_argument("--plain", action="store_true", help="line by line: no screen, no bold type, nothing cleared")


def motion_argument(sub: argparse.ArgumentParser) -> None:
    """Add the option against motion."""
    sub.add_argument("--no-motion", action="store_true", help="nothing moves by itself: moments wait for Enter")
