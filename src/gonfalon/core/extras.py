"""Optional packages, and the extras of this distribution that install them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EXTRA_OF_PACKAGE: Final[Mapping[str, str]] = {
    "PIL": "research",
    "alembic": "server",
    "altair": "lab",
    "anyio": "server",
    "confusable_homoglyphs": "server",
    "gymnasium": "research",
    "http_ece": "server",
    "markdown_it": "server",
    "markupsafe": "server",
    "mcp": "mcp",
    "minijinja": "server",
    "multipart": "server",
    "open_spiel": "research",
    "pettingzoo": "research",
    "polars": "lab",
    "prometheus_client": "server",
    "psycopg": "postgres",
    "py_vapid": "server",
    "pydantic": "mcp",
    "pyspiel": "research",
    "python_multipart": "server",
    "ray": "ray",
    "regex": "server",
    "rich": "terminal",
    "segno": "server",
    "sqlalchemy": "server",
    "starlette": "server",
    "textual": "terminal",
    "uvicorn": "server",
    "vl_convert": "lab",
    "watchfiles": "reload",
    "websockets": "server",
}
"""The extra for each optional package, by the name under which the package is imported."""


def describe_missing(error: ImportError, use: str = "This command") -> str | None:
    """Return the sentence that names the extra to install.

    Args:
        error: The failed import.
        use: The thing that needs the package, as the subject of the sentence.

    Returns:
        The sentence, or None if the module belongs to no extra.
    """
    extra = EXTRA_OF_PACKAGE.get((error.name or "").partition(".")[0])
    return None if extra is None else f"{use} needs the extra {extra}: pip install 'gonfalon[{extra}]'."
