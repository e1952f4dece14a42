"""The log of the server: errors, and with `--log json` a line for each request.

A line names the handler, never the address, which holds a seat's token. Of an error it holds class and place, never the
message, which may quote a card. All lines of a request share its random id, which the response carries too
(`x-request-id`).
"""

from __future__ import annotations

import json
import logging
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, Literal

Form = Literal["text", "json"]
requests: Final = logging.getLogger("gonfalon.requests")
studies: Final = logging.getLogger("gonfalon.studies")
_request: ContextVar[str] = ContextVar("request", default="")
FIELDS: Final = ("method", "handler", "status", "ms", "study", "game", "players", "how", "seconds")


def start_request() -> str:
    """Start a request, and return its random id, which all its log lines carry."""
    made = secrets.token_hex(8)
    _request.set(made)
    return made


def print_line(text: str) -> None:
    """Print a line for the operator, in the form of the log where that is JSON."""
    if requests.isEnabledFor(logging.INFO):
        requests.info("%s", text)
    else:
        print(text, flush=True)


def log_response(method: str, handler: str, status: int, seconds: float) -> None:
    """Log the response to a request."""
    if requests.isEnabledFor(logging.INFO):
        fields = {"method": method, "handler": handler, "status": status, "ms": round(1000 * seconds, 1)}
        requests.info("%s %s %s", method, handler, status, extra=fields)


def log_study(how: str, game: str, players: str, key: str = "", seconds: float = 0.0) -> None:
    """Log the end of a study, without the asker and the change."""
    if studies.isEnabledFor(logging.INFO):
        # The whole key is the link of the study, so only its beginning is logged.
        fields = {"how": how, "game": game, "players": players, "study": key[:4], "seconds": round(seconds, 1)}
        studies.info("study %s", how, extra=fields)


class Json(logging.Formatter):
    """Formats a log record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request := _request.get():
            line["request"] = request
        line |= {field: getattr(record, field) for field in FIELDS if hasattr(record, field)}
        return json.dumps(line, ensure_ascii=False)


def configure_log(form: Form) -> None:
    """Send the log to standard error in this form."""
    if form == "json":
        handler = logging.StreamHandler()
        handler.setFormatter(Json())
        # Libraries log warnings only; the two loggers below also log each request and study.
        logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
        requests.setLevel(logging.INFO)
        studies.setLevel(logging.INFO)
