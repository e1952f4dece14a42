"""Input and output by lines, in a terminal, a pipe or a screen reader."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Final

from gonfalon.core.text.untrusted import printable

WIDTH: Final = 80
"""Columns of a line."""
MAX_LINE: Final = 1 << 16
"""Maximum number of characters in a line of input."""


def read_line(prompt: str) -> str:
    """Return a line from a pipe.

    Raises:
        EOFError: The input has ended, or the line is too long.
    """
    sys.stdout.write(printable(prompt))
    sys.stdout.flush()
    # The limit keeps a pipe without line breaks from filling the memory.
    line = sys.stdin.readline(MAX_LINE)
    if not line or len(line) == MAX_LINE:
        raise EOFError
    return line


class Console:
    """Writes paragraphs and asks for lines.

    Args:
        plain: Write one thing in each line, and no bold type.
    """

    def __init__(self, plain: bool = False) -> None:
        self.terminal: bool = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        self.plain: bool = plain
        self.bold: bool = self.terminal and not plain and "NO_COLOR" not in os.environ

    def say(self, text: str = "", indent: str = "") -> None:
        """Write a text from any source. Lines of more than 80 columns are broken between words."""
        for line in printable(text).split("\n"):
            if len(line) <= WIDTH:
                print(line)
                continue
            lead = line[: len(line) - len(line.lstrip())]
            wrapped = textwrap.wrap(
                line, WIDTH, subsequent_indent=lead + indent, break_on_hyphens=False, break_long_words=False
            )
            print("\n".join(wrapped))  # long paths stay whole, so that they can be copied

    def head(self, text: str) -> None:
        """Write a line in bold, to be found again when scrolling."""
        for line in textwrap.wrap(printable(text), WIDTH):
            print(f"\x1b[1m{line}\x1b[0m" if self.bold else line)

    def menu(self, sentences: Sequence[str]) -> None:
        """Write numbered sentences, in two columns if they fit."""
        digits = len(str(len(sentences)))
        entries = [f"{number:>{digits + 1}}  {printable(text)}" for number, text in enumerate(sentences, 1)]
        half = (len(entries) + 1) // 2
        left = max((len(entry) for entry in entries[:half]), default=0) + 2
        right = max((len(entry) for entry in entries[half:]), default=0)
        if self.plain or len(entries) < 6 or left + right > WIDTH:
            for entry in entries:
                self.say(entry, indent=" " * (digits + 3))
            return
        for row in range(half):
            other = entries[half + row] if half + row < len(entries) else ""
            print(f"{entries[row]:<{left}}{other}".rstrip())

    def ask(self, prompt: str) -> str | None:
        """Return a stripped line of input; None at the end of input."""
        try:
            line = input(printable(prompt)) if self.terminal else read_line(prompt)
        except EOFError:
            print()
            return None
        if not self.terminal:
            print()  # a pipe does not echo the line break of the input
        return line.strip()

    def curtain(self) -> None:
        """Hide everything on the screen and in its scrollback. If the screen cannot be cleared, scroll it away."""
        if self.terminal and not self.plain and os.environ.get("TERM", "dumb") != "dumb":
            print("\x1b[H\x1b[2J\x1b[3J", end="", flush=True)
        else:
            print("\n" * max(40, shutil.get_terminal_size().lines))
