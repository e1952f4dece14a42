"""`gonfalon new` creates a game that can be played at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon import cli
from tests.new.installed import new_game, run, surroundings

NAME = "border_war"


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a new, installed game."""
    folder = tmp_path_factory.mktemp("new")
    new_game(NAME, folder)
    return folder


def gonfalon(where: Path, *arguments: str) -> str:
    """Return the output of a command, which must succeed."""
    done = run(["-m", "gonfalon", *arguments], surroundings(where, NAME), where)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_it_keeps_every_law(where: Path) -> None:
    said = gonfalon(where, "check", NAME)
    assert "0 broken" in said.splitlines()[-1]


def test_bots_play_it_in_a_terminal(where: Path) -> None:
    said = gonfalon(where, "play", NAME, "--bots", "gentle,random", "--seed", "3")
    assert "wins (rounds)" in said


@pytest.mark.parametrize("copies", ["1", "21"])
def test_a_number_with_which_it_cannot_be_played_is_refused(where: Path, copies: str) -> None:
    play = ["-m", "gonfalon", "play", NAME, "--bots", "random,random", "--option", f"copies={copies}"]
    done = run(play, surroundings(where, NAME), where)
    assert done.returncode == cli.BAD_INPUT
    assert done.stderr == f"gonfalon: Option copies must be a number from 2 to 20, not {copies}.\n"


def test_a_card_can_be_looked_up(where: Path) -> None:
    assert gonfalon(where, "card", NAME, "knight").startswith("Knight")


def test_its_pages_open(where: Path) -> None:
    script = (
        "from gonfalon import game\n"
        "from gonfalon.web.server.check_pages import open_pages\n"
        f"found = open_pages(game({NAME!r}), [])\n"
        "assert found and not any(found.values()), found\n"
    )
    done = run(["-c", script], surroundings(where, NAME), where)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_cards_have_the_icons_that_it_names(where: Path) -> None:
    faces = where / NAME / NAME / "face" / "faces.toml"
    script = (
        "from gonfalon import game\n"
        "from gonfalon.core.rules.state import CHANCE\n"
        "from gonfalon.testing import random_record\n"
        "from gonfalon.web import read_table_page\n"
        f"made = game({NAME!r})\n"
        "print(read_table_page(made, random_record(made, 1, 1).decisions, 0))\n"
    )
    faces.write_text('[icon]\npage = "acorn"\nsquire = "acorn"\nknight = "acorn"\nbaron = "acorn"\n', "utf-8")
    try:
        pictured = run(["-c", script], surroundings(where, NAME), where)
    finally:
        faces.unlink()
    plain = run(["-c", script], surroundings(where, NAME), where)
    # The three cards in hand, and the four texts beside the board.
    assert (pictured.stdout.count("#acorn"), plain.stdout.count("#acorn")) == (7, 0), pictured.stderr + plain.stderr


def test_its_own_tests_pass(where: Path) -> None:
    tests = [
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(where / NAME),
        str(where / NAME / "tests"),
    ]
    done = run(tests, surroundings(where, NAME), where / NAME)
    assert done.returncode == 0, done.stdout + done.stderr


def test_linter_and_types_agree(where: Path) -> None:
    ruff = ["--isolated", "--no-cache", "--line-length", "120"]
    for command in (
        ["-m", "ruff", "check", *ruff, "--select", "B,E,F,I,RUF,UP", "."],
        ["-m", "ruff", "format", *ruff, "--check", "."],
        ["-m", "mypy", "--strict", "--cache-dir", str(where / "cache"), NAME, "tests"],
    ):
        done = run(command, surroundings(where, NAME), where / NAME)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Foo", "lower-case letters"),
        ("../up", "lower-case letters"),
        ("a" * 41, "at most 40"),
        ("match", "Python keyword"),
        ("feint", "There is already a game 'feint'"),
        ("random", "There is already a Python module 'random'"),
    ],
)
def test_bad_names_get_one_sentence(
    name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", name]) == cli.BAD_INPUT
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", NAME]) == 0
    said = capsys.readouterr().out
    assert f"gonfalon check {NAME}" in said
    assert "gonfalon serve --reload" in said
    readme = (tmp_path / NAME / "README.md").read_text("utf-8")
    [line] = [line for line in readme.splitlines() if "pip install" in line]
    assert line.removeprefix("python ") in said
    assert "gonfalon serve --reload" in readme
    mine = tmp_path / NAME / NAME / "game.py"
    mine.write_text("mine", "utf-8")
    assert cli.main(["new", NAME]) == cli.BAD_INPUT
    assert "no file is overwritten" in capsys.readouterr().err
    assert mine.read_text("utf-8") == "mine"


def test_its_speed_can_be_measured(where: Path) -> None:
    """Its games are shorter than the steps between sampled positions of longer ones."""
    assert "decisions" in gonfalon(where, "bench", NAME, "--seconds", "0.05")
