"""The kit opens the pages of a table like a browser and reports their faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.check import LAWS as ALL
from gonfalon.check import run
from gonfalon.check.law import LawResult
from gonfalon.check.laws.formats.builds import LAWS as BUILDS
from gonfalon.check.laws.formats.pages import LAWS
from gonfalon.core.rules.game import Game
from gonfalon.web.server.check_pages import open_pages
from gonfalon.web.shared.template_context import FACE
from tests.stranger.gonfalon_duel import Duel


def check_template(folder: Path, table: str) -> LawResult:
    """Return the kit's report on a third-party game with this template."""
    (folder / FACE).mkdir(exist_ok=True)
    (folder / FACE / "table.html").write_text(table)

    class Shown(Duel):
        pass

    Shown.folder = folder
    [result] = run(Shown, 0, laws=LAWS, pages=open_pages, rounds=6)
    return result


SOUND = "{{ board.score[0] }} to {{ board.score[1] }}{% if decision %} {{ ui.choices|join }}{% endif %}"


def test_pages_of_a_sound_template_open(tmp_path: Path) -> None:
    result = check_template(tmp_path, SOUND)
    assert result.line().startswith("ok ")
    # Each game at its end and at one other moment: a table for three, as a page and as JSON; eight replays of each end.
    assert result.checked >= 6 * (6 + 6 + 8)


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("{{ board.goal }}", "undefined value (in duel/table.html:1)"),
        ("{% if me is none %}{{ board.goal }}{% endif %}", "replay?as=watch does not open: TemplateError"),
        ("{% if all_open %}{{ board.goal }}{% endif %}", "replay?as=all does not open: TemplateError"),
        ("{% if decision %}{{ decision.why }}{% endif %}", "undefined value (in duel/table.html:1)"),
        ("{{ board.score[0] ", "syntax error"),
    ],
)
def test_a_template_that_breaks_is_noticed(tmp_path: Path, table: str, complaint: str) -> None:
    assert complaint in check_template(tmp_path, table).failure


def test_the_pages_of_a_game_that_brings_none_open() -> None:
    [result] = run(Duel, 0, laws=LAWS, pages=open_pages)
    assert result.line().startswith("ok ")
    assert result.checked >= 2 * (6 + 6 + 8)


def test_missing_pages_are_reported() -> None:
    [result] = run(Duel, 0, laws=LAWS)
    assert result.skipped


class Bare(Duel):
    """The duel with rules alone, without any code for its display."""

    prompt = Game.prompt
    describe = Game.describe
    board = Game.board  # type: ignore[assignment]
    controls = Game.controls  # type: ignore[assignment]


def test_a_game_that_says_nothing_of_its_looks_keeps_all_laws() -> None:
    results = run(Bare, 0, rounds=1, laws=[law for law in ALL if law not in BUILDS], pages=open_pages)
    assert [result.line() for result in results if result.failure] == []
    assert "the pages of a table open in a browser" in [result.law for result in results if result.checked]
