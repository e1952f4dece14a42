"""The command line. Bad input gets one sentence on stderr and exit 2; a traceback is a bug of ours."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Final

from gonfalon.cli.completion import complete
from gonfalon.cli.parser import parser
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.extras import describe_missing
from gonfalon.core.text.untrusted import print_text

__all__ = ["BAD_INPUT", "main", "parser"]

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130

THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that limit the threads of numpy in training, whose networks are so small that threads would only wait for
each other. Networks in play limit their own threads."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code."""
    for variable in THREADS:
        os.environ.setdefault(variable, "1")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows another one; it does not end the game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        try:
            commands = parser()
            complete(commands)
            args = commands.parse_args(argv)
            code: int = args.run(args)
        except SystemExit as stop:  # argparse's --help and --version
            code = stop.code if isinstance(stop.code, int) else 0
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        from gonfalon.lab.run.progress import discard_output

        if sys.stdout is not None:
            discard_output(sys.stdout)
        return 0
    except GonfalonError as error:
        return complain(str(error))
    except ModuleNotFoundError as error:
        sentence = describe_missing(error)
        if sentence is None:
            raise
        return complain(sentence)
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        return complain(f"{name}{error.strerror or error}.")


def complain(sentence: str) -> int:
    """One line on stderr, for input that we cannot use."""
    print_text(f"gonfalon: {' '.join(sentence.split())}", file=sys.stderr)
    return BAD_INPUT
