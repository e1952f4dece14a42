"""Every example of the documentation is tested, all links are valid, and no resource is external."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.generated import pages
from tests.docs.examples import ROOT, blocks, must_exist, shell_lines, try_commands, try_python, write_files
from tests.missing import missing
from tests.new.installed import new_game, run, surroundings

FOLDER = ROOT / "docs" / "pages"
PAGES = sorted(FOLDER.rglob("*.md"))
NEEDS = {"howto/bridges.md": "pyspiel", "howto/vector.md": "gymnasium", "reference/tasks.md": "pettingzoo"}
"""The packages that a page's examples need besides Gonfalon."""
WORDS = {
    "reconnect": ("learn/play.md", "howto/http.md", "howto/server.md"),
    "reshuffle": ("howto/cookbook.md", "why/fair.md"),
    "own cards": ("howto/cards.md", "learn/play.md"),
    "undo": ("learn/play.md", "howto/http.md"),
    "spectator": ("learn/play.md", "howto/http.md"),
    "time control": ("learn/play.md",),
    "matchmaking": ("learn/play.md",),
    "preset deck": ("howto/decks.md", "howto/lab.md"),
    "confidence interval": ("howto/lab.md", "learn/study.md"),
}
"""Words that people search for, and the pages that have to contain them."""


def name(page: Path) -> str:
    return page.relative_to(FOLDER).as_posix()


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name)
def test_python_runs(page: Path) -> None:
    needed = NEEDS.get(name(page))
    if needed and importlib.util.find_spec(needed) is None:
        missing(f"{needed} is not installed")
    assert try_python(page) or all(block.title for block in blocks(page, "python"))


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")], ids=name)
def test_commands_print_the_shown_output(page: Path, tmp_path: Path) -> None:
    assert try_commands(page, tmp_path)


def test_shown_commands_exist() -> None:
    for page in PAGES:
        must_exist(shell_lines(page))


def test_pages_have_the_words_that_people_search_for() -> None:
    missing_words = [
        (word, page)
        for word, found in WORDS.items()
        for page in found
        if word not in " ".join((FOLDER / page).read_text("utf-8").lower().split())
    ]
    assert missing_words == []


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of mypy for Gonfalon, its slowest part."""
    return tmp_path_factory.mktemp("types")


@pytest.mark.long
@pytest.mark.parametrize("page", ["learn/game.md", "learn/targets.md", "howto/cards.md", "howto/board.md"])
def test_a_game_of_a_page_is_left_whole(page: str, tmp_path: Path, types: Path) -> None:
    """Its tests pass, and linter and types agree."""
    [package] = [b for b in blocks(FOLDER / page, "console") if "gonfalon new" in b.text][:1]
    name = package.text.split()[3]
    new_game(name, tmp_path)
    write_files(FOLDER / page, tmp_path)
    (tmp_path / name / name / "bots").mkdir(exist_ok=True)
    (tmp_path / name / name / "bots" / "__init__.py").touch()
    ruff = ["--isolated", "--no-cache", "--line-length", "120"]
    for command in (
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "tests"],
        ["-m", "ruff", "check", *ruff, "--select", "B,E,F,I,UP", "."],
        ["-m", "ruff", "format", *ruff, "--check", "."],
        ["-m", "mypy", "--strict", "--cache-dir", str(types), name, "tests"],
    ):
        done = run(command, surroundings(tmp_path, name), tmp_path / name)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.extended
def test_the_site_builds_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    """MkDocs treats a missing page, anchor or menu entry as an error."""
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("mkdocstrings") is None:
        missing("MkDocs is not installed")
    build = ["-m", "mkdocs", "build", "--strict", "--config-file", "docs/mkdocs.yml", "--site-dir", str(tmp_path)]
    done = subprocess.run([sys.executable, *build], cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = {path.relative_to(tmp_path).with_suffix(".md").as_posix() for path in tmp_path.rglob("*.html")}
    assert shown >= {name(page) for page in PAGES} | set(pages())
    reference = (tmp_path / "reference" / "games.html").read_text("utf-8")
    wanted = ("basics.options.Option.least", "rules.simple.SimpleState.stack", "rules.simple.SimpleState.full")
    for told in (*wanted, "files.card_files.read"):
        assert f'id="gonfalon.core.{told}"' in reference
    index = json.loads((tmp_path / "search" / "search_index.json").read_text("utf-8"))["docs"]
    for word, found in WORDS.items():
        for page in found:
            texts = [one["text"] for one in index if one["location"].startswith(page.replace(".md", ".html"))]
            assert word in " ".join(texts).lower(), f"{page} is not found by {word!r}"
    for path in tmp_path.rglob("*.html"):
        html = path.read_text("utf-8")
        assert "<style>" not in html, path.name
        assert not re.search(r"<script>|<script(?![^>]*(?:src=|application/json))", html), path.name
        assert not re.findall(r'(?:src|<link[^>]*href)="(?:https?:)?//[^"]+"', html), path.name
