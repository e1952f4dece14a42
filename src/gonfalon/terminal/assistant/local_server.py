"""A server of the assistant's own, for an assistant that was given none."""

from __future__ import annotations

import re
import subprocess
import sys

from gonfalon.terminal.assistant import messages
from gonfalon.terminal.games.server import ServerError


class LocalServer:
    """`gonfalon serve` in a process of its own, started when it is needed."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Start the server, and return its address once it answers. Raises ServerError."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gonfalon", "serve"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        found = re.search(r"https?://\S+", self.process.stdout.readline())
        if found is None:
            raise ServerError(messages.NOT_STARTED)
        return found[0]

    def stop(self) -> None:
        """Stop the server if it runs."""
        if self.process is not None:
            self.process.terminate()
            self.process.communicate()
