"""`--option decks=FILE,...`: only the command line reads deck files."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import OptionError
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.decks import GeneralsDecks
from gonfalon.terminal.decks import read_brought_deck
from tests.cli.conftest import GROUP, Run
from tests.cli.test_deck import refused

DECKS = GeneralsDecks(files.load())
FILE = DECKS.text(DECKS.ready()[0])


@pytest.fixture(autouse=True)
def _generals(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"generals": EntryPoint("generals", "gonfalon.games.generals:Generals", GROUP)}
    monkeypatch.setattr(games, "_find_entry_points", lambda: found)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.deck"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_an_option_takes_a_deck_file(run: Run, file: Path, tmp_path: Path) -> None:
    """The record holds the file's contents, including the name."""
    record = tmp_path / "game.json"
    given = ("--option", f"decks={file},red-cliffs", "--bots", "random,random", "--record", record)
    assert run("play", "generals", *given)[0] == 0
    decks = json.loads(record.read_text("utf-8"))["options"]["decks"]
    assert decks == [FILE, "red-cliffs"]
    file.unlink()
    assert run("replay", record, "--all", "--json")[0] == 0


@pytest.mark.parametrize(
    ("decks", "words"),
    [
        ("red-cliffs,/nowhere/at/all", ["There is no file /nowhere/at/all"]),
        ("red-cliffs,FOLDER", ["is a folder"]),
        ("FILE,EMPTY", ["The deck of seat 2: There is no card in this text"]),
    ],
)
def test_an_invalid_deck_file_is_reported(run: Run, file: Path, tmp_path: Path, decks: str, words: list[str]) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n# at all\n", encoding="utf-8")
    decks = decks.replace("FILE", str(file)).replace("FOLDER", str(tmp_path)).replace("EMPTY", str(empty))
    refused(run("play", "generals", "--option", f"decks={decks}", "--bots", "random,random"), *words)


def test_only_the_command_line_reads_a_deck_file(file: Path) -> None:
    """An option of a record or a web form cannot name a file."""
    with pytest.raises(OptionError, match="Paste the text of a deck file instead of its name"):
        Generals(decks=(str(file), "red-cliffs"))


def test_a_deck_file_is_brought_to_a_servers_table_as_its_text(file: Path) -> None:
    """`gonfalon join LINK --bring` sends a faction, a slug or a code unchanged."""
    rules = games.game("generals")
    assert read_brought_deck(rules, str(file)) == FILE
    assert [read_brought_deck(rules, "red-cliffs"), read_brought_deck(rules, ""), read_brought_deck(None, "wu")] == [
        "red-cliffs",
        "",
        "wu",
    ]
