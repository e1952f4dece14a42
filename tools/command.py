"""The frame of a tool: bad input gives one sentence and exit code 2, as in `gonfalon`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from gonfalon.core.basics.errors import GonfalonError


def run_command(parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    try:
        args = parser.parse_args(arguments)
        code: int = args.run(args)
    except SystemExit as stop:  # argparse's --help
        return stop.code if isinstance(stop.code, int) else 0
    except GonfalonError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    return code
