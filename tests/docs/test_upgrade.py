"""An upgrade word by word: the commands of the page, with the database of release 1.0.0."""

from __future__ import annotations

import doctest
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from gonfalon import cli
from tests.docs.examples import FLAGS, ROOT, blocks
from tests.table import releases

PAGE: Final = ROOT / "docs" / "pages" / "howto" / "server.md"
SECTIONS: Final = ("## A new version", "## This documentation")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the database of release 1.0.0."""
    releases.restore(releases.read(releases.FOLDER / "1.0.0.json.xz"), tmp_path / "tables.db")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_section() -> list[tuple[str, list[str]]]:
    """Return the blocks of the section, each with its language and its lines."""
    first, past = (PAGE.read_text("utf-8").splitlines().index(heading) + 1 for heading in SECTIONS)
    found = [block for block in blocks(PAGE, "sh", "text") if first < block.line < past]
    return [(block.language, block.text.splitlines()) for block in found]


def read_rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the columns that both versions have, of tables, seats and entries."""
    with closing(sqlite3.connect(file)) as connection:
        queries = {
            "tables": "SELECT key, game, options, rules, data, opened, ended, stage FROM tables ORDER BY key",
            "seats": 'SELECT "table", seat, name, bot, token, brings, ready FROM seats ORDER BY 1, 2',
            "entries": 'SELECT "table", seq, kind, seat, text, at, spent FROM entries ORDER BY 1, 2',
        }
        return {name: connection.execute(query).fetchall() for name, query in queries.items()}


def test_the_page_upgrades_the_first_release_and_returns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = read_rows(folder / "tables.db")
    assert len(before["tables"]) == 16
    (_, (backup,)), *rest = read_section()
    # The backup is made with the old version; the new one refuses and changes nothing.
    assert cli.main(shlex.split(backup)[1:]) == 2
    assert "has schema version 1" in capsys.readouterr().err
    assert not (folder / "before.db").exists()
    assert [language for language, _ in rest] == ["sh", "text", "sh", "text"]
    for (_, commands), (_, output) in zip(rest[::2], rest[1::2], strict=True):
        for command in commands:
            assert cli.main(shlex.split(command)[1:]) == 0, command
        printed, wanted = capsys.readouterr().out, "".join(f"{line}\n" for line in output)
        assert doctest.OutputChecker().check_output(wanted, printed, FLAGS), printed
        assert read_rows(folder / "tables.db") == before
    assert read_rows(folder / "after.db") == before
