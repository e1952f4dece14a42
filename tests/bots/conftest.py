"""A program that plays over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest


class Program(BaseHTTPRequestHandler):
    """Answers with the last offered action, or with the test's answer."""

    heard: ClassVar[list[dict[str, Any]]] = []
    answer: ClassVar[bytes | None] = None

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.heard.append(question)
        answer = self.answer or json.dumps({"action": question["actions"][-1]["id"]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def program() -> Iterator[str]:
    Program.heard, Program.answer = [], None
    server = HTTPServer(("127.0.0.1", 0), Program)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
