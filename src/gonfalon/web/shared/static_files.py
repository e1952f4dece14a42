"""Static files: bundled scripts, icon sheets, and the hash in their addresses."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from gonfalon.web.http.bundle import bundle_scripts
from gonfalon.web.shared.template_context import HERE

STATIC: Final = HERE / "static"
CREDIT: Final = re.compile(r"^\| \[(\S+)\]\((\S+)\) \| (.+) \|$", re.MULTILINE)
TABLE: Final = ("stage", "draft", "live", "hints", "copy", "keys", "end", "drag", "clock")
REPLAY: Final = ("replay", "hints")
LESSON: Final = ("lesson", "hints", "keys", "drag")
"""The scripts of a table, of a replay, and of a lesson."""


def find_sheets() -> dict[str, str]:
    """Return the file of each icon. Icons of one game alone are in files of that game, so that no other page loads
    them."""
    return find_symbols({file.name: file.read_text("utf-8") for file in STATIC.glob("*.svg")})


def find_symbols(sheets: Mapping[str, str]) -> dict[str, str]:
    """Return the sheet of each symbol, from sheets by name."""
    return {symbol: name for name, text in sheets.items() for symbol in re.findall(r'<symbol id="([^"]+)"', text)}


def list_credits() -> dict[str, list[tuple[str, str]]]:
    """Return name and address of the icons of each author, from ICONS.md. The author of most icons is first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, url, author in CREDIT.findall((STATIC / "ICONS.md").read_text("utf-8")):
        found.setdefault(author, []).append((name.replace("-", " "), url))
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def joined_scripts(kinds: Iterable[str]) -> dict[str, str]:
    """Return the bundled scripts of tables and replays. Some games add their own to a table's."""
    scripts = {"table": TABLE, "lesson": LESSON}
    with_own = [name for name in kinds if (STATIC / f"{name}.js").is_file()]
    own = {f"{name}-{page}.js": (*modules, name) for name in with_own for page, modules in scripts.items()}
    pages = {"table.js": TABLE, "lessons.js": LESSON, "replays.js": REPLAY, **own}
    return {name: bundle_scripts(STATIC, modules) for name, modules in pages.items()}


def folder_mark(folder: Path, drawn: Mapping[str, str]) -> str:
    """Return a short hash of all files of a folder and of the drawn sheets."""
    digest = hashlib.sha256("".join(drawn.values()).encode())
    # In a fixed order, because all processes must use the same address.
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def package_version() -> str:
    """Return the installed version; empty in a checkout that is not installed."""
    try:
        return version("gonfalon")
    except PackageNotFoundError:
        return ""
