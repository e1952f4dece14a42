"""A Gonfalon server and its tables, over the public API."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from gonfalon import __version__
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.folders import locate_data
from gonfalon.core.text.citations import Reason, cite_rule
from gonfalon.terminal import messages

Json = dict[str, Any]
"""An object in an answer of the server."""
TIMEOUT_SECONDS: Final = 20.0
"""Seconds without data after which a connection counts as broken. A stream sends a heartbeat every 7 seconds."""
MAX_ANSWER_BYTES: Final = 8 << 20
"""Maximum size of an answer."""
CONNECTION_ERRORS: Final = (OSError, HTTPException, ValueError, EOFError)
"""Exceptions raised when a connection breaks."""
LINK_PATTERN: Final = re.compile(r"/t/([\w-]+)(?:/([\w-]+))?/?", re.ASCII)
"""Path of a link to a table: its key, and the token of a seat."""
WATCH_TOKEN: Final = "watch"
"""Token of spectators."""


class ServerError(GonfalonError):
    """A refusal of the server."""


class ServerAwayError(GonfalonError):
    """The server does not answer at present."""


class Server:
    """A Gonfalon server, with the token of the user.

    Args:
        address: The address of the server.
        path: The path below it to which the paths of requests are relative.
        token: The token that requests carry; that of spectators is not sent.

    Raises:
        ServerError: The address has another form.
    """

    def __init__(self, address: str, path: str = "/api", token: str = WATCH_TOKEN) -> None:
        parts = split_address(address)
        if not parts.netloc:
            raise ServerError(messages.BAD_SERVER.format(address=address[:80] or messages.EMPTY_LINK))
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.path = path
        self.token = token
        self.ahead = 0.0
        """Seconds by which the server's clock is ahead of the local one; 0 if it is within the precision."""

    def ask(self, path: str = "", body: Mapping[str, object] | None = None) -> Any:
        """Return the server's answer, parsed from JSON.

        Args:
            path: The path below that of the server or table.
            body: The JSON to post; None for a GET request.

        Raises:
            ServerError: The server refuses.
            ServerAwayError: The server does not answer.
        """
        with self.open(path, body) as answer:
            # One byte more than allowed, so that a larger answer is noticed.
            return parse_answer(answer.read(MAX_ANSWER_BYTES + 1))

    def stream(self, path: str) -> Generator[Any, None, None]:
        """Yield the objects of a stream, and None for a heartbeat. Raises ServerError, ServerAwayError."""
        with self.open(path) as lines:
            while line := lines.readline(MAX_ANSWER_BYTES + 1):
                yield parse_answer(line) if line.strip() else None

    @contextmanager
    def open(self, path: str, body: Mapping[str, object] | None = None) -> Iterator[HTTPResponse]:
        """Open the answer to a request within the block. Raises ServerError, ServerAwayError."""
        try:
            with urllib.request.urlopen(self.request(path, body), timeout=TIMEOUT_SECONDS) as answer:
                self.compare_clocks(answer.headers)
                yield answer
        except urllib.error.HTTPError as error:
            raise self.build_error(error) from None
        except ServerError:
            # An invalid answer is not a broken connection.
            raise
        except CONNECTION_ERRORS as error:
            raise ServerAwayError(format_no_answer(error)) from None

    def compare_clocks(self, headers: Message) -> None:
        """Compare the clocks. The server sends whole seconds, so a difference below two seconds is ignored."""
        with suppress(TypeError, ValueError):
            ahead = parsedate_to_datetime(headers["Date"]).timestamp() - time.time()
            self.ahead = ahead if abs(ahead) > 2.0 else 0.0

    def request(self, path: str, body: Mapping[str, object] | None = None) -> urllib.request.Request:
        """Return a request."""
        headers = {"Accept": "application/json", "User-Agent": f"gonfalon/{__version__}"}
        if self.token != WATCH_TOKEN:
            # In a header, because proxies log addresses.
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        return urllib.request.Request(f"{self.base}{self.path}{path}", data, headers)

    def build_error(self, error: urllib.error.HTTPError) -> GonfalonError:
        """Return the error for a refusal. A server that is starting or stopping is away."""
        with error:
            try:
                problem = parse_answer(error.read(1 << 16))
            except (*CONNECTION_ERRORS, ServerError):
                problem = {}
        # A rate limit or a restart passes, so the caller tries again.
        if error.code in (500, 502, 503, 504) or (error.code == 429 and not problem.get("detail")):
            return ServerAwayError(messages.NO_ANSWER.format(reason=error.code))
        if error.code == 429:
            return ServerAwayError(str(problem["detail"]))
        sentence = Reason(str(problem.get("detail", "")), rule=str(problem.get("rule", "")))
        return ServerError(cite_rule(sentence) or messages.REQUEST_REFUSED.format(code=error.code))


class Remote(Server):
    """One table at a server, with the token of the user.

    Args:
        link: The link to the table.

    Raises:
        ServerError: The link has another form.
    """

    def __init__(self, link: str) -> None:
        found = LINK_PATTERN.fullmatch(split_address(link).path)
        if found is None:
            raise ServerError(messages.BAD_LINK.format(link=link[:80] or messages.EMPTY_LINK))
        self.key = found[1]
        super().__init__(link, f"/api/tables/{self.key}", found[2] or WATCH_TOKEN)

    @property
    def page(self) -> str:
        """The address of the user's page of the table."""
        return f"{self.base}/t/{self.key}/{self.token}/"

    def views(self) -> Generator[Any, None, None]:
        """Yield the table after each change until the game is over, messages with `company`, and None for a heartbeat.
        Raises ServerError, ServerAwayError."""
        return self.stream("/stream?company=yes")

    def sit(self, name: str, brings: str) -> int:
        """Take a seat with an invitation, and use its token from now on. The same device gets the same seat again.

        Returns:
            The number of the seat.

        Raises:
            ServerError: The server refuses.
            ServerAwayError: The server does not answer.
        """
        body: dict[str, object] = {"nonce": get_nonce(f"{self.base}/{self.key}/{self.token}"), "name": name}
        if brings:
            body["brings"] = brings
        answer = self.ask("/seats", body)
        self.token = str(answer["token"])
        return int(answer["seat"])


def parse_answer(text: bytes) -> Json:
    """Return the object that a server sent.

    Raises:
        ServerError: The answer is too large, or not an object.
        ValueError: The answer is truncated.
    """
    if len(text) > MAX_ANSWER_BYTES:
        raise ServerError(messages.ANSWER_TOO_LARGE.format(limit=MAX_ANSWER_BYTES >> 20))
    try:
        found = json.loads(text)
    except RecursionError:
        # Deeply nested JSON exceeds the recursion limit.
        found = None
    if not isinstance(found, dict):
        raise ServerError(messages.NOT_OBJECT)
    return found


def split_address(address: str) -> SplitResult:
    """Return the parts of a web address, which may lack its scheme; empty parts if it is none."""
    try:
        parts = urlsplit(address if "//" in address else f"http://{address}")
    except ValueError:  # brackets without a valid address
        return urlsplit("")
    return parts if parts.scheme in ("http", "https") and parts.netloc else urlsplit("")


@contextmanager
def reading_answers() -> Iterator[None]:
    """Turn errors that an unexpected answer causes into a ServerError, wherever its values are used."""
    try:
        yield
    except (GonfalonError, OSError):
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ServerError(messages.UNREADABLE.format(fault=type(error).__name__)) from error


def format_no_answer(error: Exception) -> str:
    """Return the message that the server does not answer, with the system's reason."""
    reason = getattr(error, "reason", error)
    why = getattr(reason, "strerror", None) or reason
    return messages.NO_ANSWER.format(reason=why)


def get_nonce(link: str) -> str:
    """Return this device's secret for a link, made once and saved. Its owner gets the seat."""
    # The link contains the token of a seat, so the name of the file is a hash.
    path = locate_data("seats", hashlib.sha256(link.encode()).hexdigest()[:32])
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        made = secrets.token_urlsafe(24)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The mode is set at creation, so that the secret is never readable by other users.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(made)
    return made
