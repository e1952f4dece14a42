"""Every example of the documentation is tried, every link leads somewhere, and nothing comes from elsewhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.generated import pages
from tests.docs.examples import ROOT, blocks, must_exist, shell_lines, try_commands, try_python
from tests.missing import missing

FOLDER = ROOT / "docs" / "pages"
PAGES = sorted(FOLDER.rglob("*.md"))
NEEDS = {"howto/bridges.md": "pyspiel"}
"""What the examples of a page need beside Gonfalon."""


def name(page: Path) -> str:
    return page.relative_to(FOLDER).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name)
def test_python_runs(page: Path) -> None:
    needed = NEEDS.get(name(page))
    if needed and importlib.util.find_spec(needed) is None:
        missing(f"{needed} is not installed")
    assert try_python(page) or all(block.title for block in blocks(page, "python"))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")], ids=name)
def test_commands_say_what_is_shown(page: Path, tmp_path: Path) -> None:
    assert try_commands(page, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_rest_is_of_a_kind_that_is_tried(page: Path) -> None:
    assert {block.language for block in blocks(page)} <= {"python", "console", "sh", "toml", "deck", "json", "text"}
    must_exist(shell_lines(page))


def test_the_game_of_the_tutorial_is_small() -> None:
    """About 160 lines of code that its author writes, blank ones and those that only import aside."""
    written = [block for block in blocks(FOLDER / "learn" / "game.md", "python") if block.title]
    lines = [line for block in written for line in block.text.splitlines() if line.strip()]
    assert len([line for line in lines if not line.startswith(("from ", "import "))]) <= 170


def test_the_site_builds_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    """MkDocs takes a page, an anchor or an entry of the menu that is missing for a fault."""
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("mkdocstrings") is None:
        missing("MkDocs is not installed")
    build = ["-m", "mkdocs", "build", "--strict", "--config-file", "docs/mkdocs.yml", "--site-dir", str(tmp_path)]
    done = subprocess.run([sys.executable, *build], cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = {path.relative_to(tmp_path).with_suffix(".md").as_posix() for path in tmp_path.rglob("*.html")}
    assert shown >= {name(page) for page in PAGES} | set(pages())
    for path in tmp_path.rglob("*.html"):
        html = path.read_text("utf-8")
        assert "<style>" not in html, path.name
        assert not re.search(r"<script>|<script(?![^>]*(?:src=|application/json))", html), path.name
        assert not re.findall(r'(?:src|<link[^>]*href)="(?:https?:)?//[^"]+"', html), path.name
