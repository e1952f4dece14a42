"""Static files: bundled scripts, icon sheets, and the hash in their addresses."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from gonfalon.web.http.bundle import bundle_scripts
from gonfalon.web.shared.template_context import HERE

STATIC: Final = HERE / "static"
TABLE: Final = ("stage", "draft", "live", "hints", "keys", "end", "drag", "clock")
REPLAY: Final = ("replay", "hints")
LESSON: Final = ("lesson", "hints", "keys", "drag")
"""The scripts of a table, of a replay, and of a lesson."""


def find_sheets() -> dict[str, str]:
    """Return the file of each icon. Icons of one game alone are in a file of that game, so that no other
    page loads it."""
    texts = {file.name: file.read_text("utf-8") for file in STATIC.glob("*.svg")}
    return {icon: name for name, text in texts.items() for icon in re.findall(r'<symbol id="([^"]+)"', text)}


def joined_scripts(kinds: Iterable[str]) -> dict[str, str]:
    """Return the bundled scripts of tables and replays. Some games add their own to a table's."""
    morphing = (STATIC / "vendor" / "idiomorph.min.js").read_text("utf-8")
    scripts = {"table": TABLE, "lesson": LESSON}
    with_own = [name for name in kinds if (STATIC / f"{name}.js").is_file()]
    own = {f"{name}-{page}.js": (*modules, name) for name in with_own for page, modules in scripts.items()}
    pages = {"table.js": TABLE, "lessons.js": LESSON, "replays.js": REPLAY, **own}
    return {name: morphing + bundle_scripts(STATIC, modules) for name, modules in pages.items()}


def folder_mark(folder: Path) -> str:
    """Return a short hash of all files of a folder."""
    digest = hashlib.sha256()
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
