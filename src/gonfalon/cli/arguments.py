"""Parsing of arguments. Each error is one sentence."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from gonfalon.cli import messages
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.text.untrusted import print_text

if TYPE_CHECKING:
    from gonfalon.lab.run.workers import Cluster

SEEDS: Final = 1 << 64
"""The number of seeds."""
MAX_SECONDS: Final = 86_400
"""The largest time on a command line: a day."""


class UsageError(GonfalonError):
    """A command line is not valid."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence, without the usage."""

    def __init__(self, **options: Any) -> None:
        # With abbreviations every new option could break a script.
        super().__init__(**{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        sentence = f"{message[:1].upper()}{message[1:]}"
        raise UsageError(messages.SEE_HELP.format(message=sentence, command=self.prog))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments. The parser of the command refuses unknown ones, so that the error names its help."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(messages.UNKNOWN_ARGUMENTS.format(arguments=" ".join(rest)))
        return found, rest

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            import difflib

            known = [str(choice) for choice in action.choices]
            near = difflib.get_close_matches(str(value), known, 1)
            kind = messages.COMMAND if isinstance(action, argparse._SubParsersAction) else action.dest
            guess = messages.DID_YOU_MEAN.format(name=near[0]) if near else ""
            hint = guess or messages.KNOWN_CHOICES.format(names=", ".join(known))
            raise argparse.ArgumentError(None, messages.UNKNOWN_CHOICE.format(kind=kind, value=repr(value), hint=hint))


class Version(argparse.Action):
    """The action of `--version`, which prints the version and the build."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from gonfalon import __version__
        from gonfalon.core.build import name_build

        print_text(messages.VERSION.format(version=__version__, build=name_build()))
        parser.exit()


def make_number_parser(low: int, high: int, name: str) -> Callable[[str], int]:
    """Return a parser of whole numbers.

    Args:
        low: The smallest number.
        high: The largest number.
        name: The number in messages, with its article, such as "a seed".
    """

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            fault = messages.NOT_WHOLE.format(name=name, text=repr(text[:40]))
            raise argparse.ArgumentTypeError(fault) from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                messages.OUT_OF_RANGE.format(name=name, low=low, high=high, text=text[:40])
            )
        return value

    return read


def parse_seconds(text: str) -> float:
    """Return a time in seconds, up to a day."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(messages.NOT_SECONDS.format(text=repr(text[:40]))) from None
    if not 0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(messages.TOO_LONG.format(seconds=MAX_SECONDS, text=text[:40]))
    return value


def parse_factor(text: str) -> float:
    """Return a factor from 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(messages.BAD_FACTOR.format(text=repr(text[:40])))
    return value


def parse_points(text: str) -> float:
    """Return percentage points as a share."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 50:
        raise argparse.ArgumentTypeError(messages.BAD_PRECISION.format(text=repr(text[:40])))
    return value / 100


def parse_band(text: str) -> tuple[float, float]:
    """Return a band of percentages such as `45..55` as two shares."""
    low, dots, high = text.partition("..")
    try:
        found = float(low) / 100, float(high) / 100
    except ValueError:
        found = 0.0, 0.0
    if not dots or not 0 < found[0] < 0.5 < found[1] < 1:
        raise argparse.ArgumentTypeError(messages.BAD_BAND.format(text=repr(text[:40])))
    return found


def parse_shares(text: str) -> tuple[float, float]:
    """Return two numbers between 0 and 1, the lower one first."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low = high = 0.0
    if not 0 < low < high < 1:
        raise argparse.ArgumentTypeError(messages.BAD_SHARES.format(text=repr(text[:40])))
    return low, high


def parse_workers(text: str) -> int:
    """Return a number of processes; `all` means one for each core."""
    if text.strip().lower() == "all":
        from gonfalon.lab.run.random_play import count_cores

        return count_cores()
    return make_number_parser(1, 256, "the number of workers")(text)


def parse_cluster(text: str) -> Cluster:
    """Return the Ray cluster at an address of a host and a port."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal():
        raise argparse.ArgumentTypeError(messages.BAD_CLUSTER)
    from gonfalon.lab.run.workers import Cluster

    return Cluster(text)


SEED: Final = make_number_parser(0, SEEDS - 1, "a seed")
SEAT: Final = make_number_parser(0, 99, "a seat")
"""Parses a seat. The game checks the number of seats."""


BOT_NOTATION: Final = (
    "a level, LEVEL:N for N iterations, FILE.npz of a network, module:Class or FILE.py:Class of a program, "
    "openspiel:NAME, openspiel:module:function, or the address of a program (http://...)"
)
"""The kinds of bots, for help texts (`gonfalon.bots.make`)."""


# ---- arguments of several commands ----------------------------------------------------------------

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def add_option_argument(sub: argparse.ArgumentParser) -> None:
    """Add the argument for options of the game."""
    sub.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game; may be repeated"
    )


def make_help_command(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """Return a command that prints help: `gonfalon lab` lists its studies, `gonfalon deck` its tasks."""

    def run(_: argparse.Namespace) -> int:
        parser.print_help()
        return 0

    return run


def add_plain_argument(sub: argparse.ArgumentParser) -> None:
    """Add the option for line-by-line output."""
    sub.add_argument("--plain", action="store_true", help="print line by line: no screen, no bold type")


def add_motion_argument(sub: argparse.ArgumentParser) -> None:
    """Add the option that disables animation."""
    sub.add_argument("--no-motion", action="store_true", help="no animation: moments wait for Enter")
