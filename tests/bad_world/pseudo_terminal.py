"""A real pseudo-terminal that runs the installed program."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

CHUNK: Final = 65536
STUCK_SECONDS: Final = 120.0
"""A program that writes nothing for this long hangs."""
SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")


class PseudoTerminal:
    """A terminal of some columns and lines in which `gonfalon` runs, with a home folder of its own."""

    def __init__(self, arguments: Sequence[str], home: Path, size: tuple[int, int]) -> None:
        self.master, slave = os.openpty()
        self.resize(*size)
        environment = os.environ | {"HOME": str(home), "XDG_DATA_HOME": str(home), "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gonfalon", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.raw = ""

    def __enter__(self) -> PseudoTerminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    @property
    def text(self) -> str:
        """Return everything that was written, without control sequences."""
        return SEQUENCE.sub("", self.raw)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the terminal, and tell the program as a window manager does."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        if hasattr(self, "process"):
            os.killpg(self.process.pid, signal.SIGWINCH)
        self.raw = ""

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def read(self) -> bool:
        """Read what is written next. Return False at the end."""
        ready, _, _ = select.select([self.master], [], [], STUCK_SECONDS)
        assert ready, f"Nothing is written any more; the last was {self.text[-500:]!r}."
        try:
            found = os.read(self.master, CHUNK)
        except OSError:  # Linux says so when the program has closed its side
            return False
        self.raw += found.decode("utf-8", "replace")
        return bool(found)

    def wait_for(self, words: str) -> None:
        """Read until these words were written since the last resize."""
        while words not in self.text:
            assert self.read(), f"The program has ended: {self.text[-2000:]}"

    def wait_for_exit(self) -> int:
        """Read to the end. Return the exit code."""
        while self.read():
            pass
        return self.process.wait()
