"""What the server writes down while it runs: faults, and with `--log json` a line for each request as well.

A line names the handler, never the address, which holds a seat's token; and of an error its kind and place, never its
words, which may quote a card. Lines of one request have its id, which its answer has too (`x-request-id`).
"""

from __future__ import annotations

import json
import logging
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, Literal

Form = Literal["text", "json"]
FORMS: Final[tuple[Form, ...]] = ("text", "json")
requests: Final = logging.getLogger("gonfalon.requests")
studies: Final = logging.getLogger("gonfalon.studies")
_request: ContextVar[str] = ContextVar("request", default="")
FIELDS: Final = ("method", "handler", "status", "ms", "study", "game", "players", "how", "seconds")


def begin() -> str:
    """A new request: its id, which all that is written down until it ends bears. It is drawn, and tells nothing."""
    made = secrets.token_hex(8)
    _request.set(made)
    return made


def answered(method: str, handler: str, status: int, seconds: float) -> None:
    """Write down how a request was answered."""
    if requests.isEnabledFor(logging.INFO):
        fields = {"method": method, "handler": handler, "status": status, "ms": round(1000 * seconds, 1)}
        requests.info("%s %s %s", method, handler, status, extra=fields)


def studied(how: str, game: str, players: str, key: str = "", seconds: float = 0.0) -> None:
    """Write down what became of a study, and never who asked nor what was changed."""
    if studies.isEnabledFor(logging.INFO):
        fields = {"how": how, "game": game, "players": players, "study": key[:4], "seconds": round(seconds, 1)}
        studies.info("study %s", how, extra=fields)


class Json(logging.Formatter):
    """A line of JSON for each record."""

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


def set_up(form: Form) -> None:
    """Have all that is written down go to the standard error output in this form."""
    if form == "json":
        handler = logging.StreamHandler()
        handler.setFormatter(Json())
        logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
        requests.setLevel(logging.INFO)
        studies.setLevel(logging.INFO)
