"""The command line. Bad input gives one sentence on stderr and exit code 2; a traceback is a bug."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Final

from gonfalon.cli import messages
from gonfalon.cli.completion import complete_command_line
from gonfalon.cli.parser import build_parser
from gonfalon.core.basics.author_faults import describe_exception, find_place
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.extras import describe_missing
from gonfalon.core.text.untrusted import print_text
from gonfalon.games import list_author_packages

__all__ = ["BAD_INPUT", "build_parser", "main"]

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130

THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that limit the threads of numpy in training. The networks are so small that threads would wait for each
other. Networks in play limit their own threads."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: The arguments; those of the process by default.

    Returns:
        The exit code.
    """
    prepare_process()
    try:
        return run_command(argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe, such as `head`, has closed it. Python would complain again at exit.
        from gonfalon.lab.run.progress import discard_output

        if sys.stdout is not None:
            discard_output(sys.stdout)
        return 0
    except GonfalonError as error:
        return report_error(str(error))
    except ModuleNotFoundError as error:
        # A missing extra is bad input. Any other missing module is a bug.
        sentence = describe_missing(error)
        if sentence is None:
            raise
        return report_error(sentence)
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        return report_error(f"{name}{error.strerror or error}.")
    except Exception as error:
        packages = list_author_packages()
        # In Python's development mode the author sees the traceback.
        if sys.flags.dev_mode or not find_place(error, packages):
            raise
        return report_error(f"{describe_exception(error, packages)}.")


def prepare_process() -> None:
    """Limit the threads of libraries, and let streams replace characters that a terminal does not have."""
    # Set before numpy is imported, because its libraries read them only once.
    for variable in THREADS:
        os.environ.setdefault(variable, "1")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal with a small character set shows a replacement instead of ending the game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def run_command(argv: Sequence[str] | None) -> int:
    """Run a command and return its exit code."""
    try:
        commands = build_parser()
        complete_command_line(commands)
        args = commands.parse_args(argv)
        code: int = args.run(args)
    except SystemExit as stop:  # argparse's --help and --version
        code = stop.code if isinstance(stop.code, int) else 0
    # Flushed here, so that a closed pipe is noticed while the exception can still be caught.
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def report_error(sentence: str) -> int:
    """Print an error as one line on stderr, and return the exit code for bad input."""
    print_text(messages.BAD_INPUT.format(message=" ".join(sentence.split())), file=sys.stderr)
    return BAD_INPUT
