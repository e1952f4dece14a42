"""A real server in its own process, which tests kill and restart."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

SERVE = "import sys; from gonfalon.web import serve; serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0)"


class Served:
    """A server that can be killed and restarted."""

    def __init__(self, folder: Path, port: int, script: str = SERVE) -> None:
        self.folder = folder
        self.port = port
        self.script = script
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        log = (self.folder / "log").open("a")
        database = f"sqlite:///{self.folder / 'tables.db'}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.script, str(self.port), database], stdout=subprocess.PIPE, stderr=log, text=True
        )
        log.close()
        assert self.process.stdout is not None
        assert f"http://127.0.0.1:{self.port}/" in self.process.stdout.readline()

    def stop(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.communicate(timeout=60)
        self.process = None

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any, HTTPResponse]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data: str | None = None
        if isinstance(body, dict):
            data = json.dumps(body)
        elif body is not None:
            data = urlencode(body)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(connection):
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        return answer.status, json.loads(text) if "json" in answer.headers.get("content-type", "") else text, answer


@contextmanager
def serving(folder: Path, port: int, script: str = SERVE) -> Iterator[Served]:
    """Run a server for the time of a test."""
    served = Served(folder, port, script)
    served.start()
    try:
        yield served
    finally:
        if served.process is not None:
            served.stop(signal.SIGKILL)
