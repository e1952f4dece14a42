"""Records, decks and card files from other people, read by every command that accepts them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.text.untrusted import printable
from gonfalon.testing import random_record
from tests.cli.conftest import Run, run

__all__ = ["run"]

HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnitirw\u2066\rover"
ENDLESS = Path("/dev/full")


def check_output(told: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return a command's output after checking that it holds no control sequence."""
    for text in told[1:]:
        assert printable(text) == text
    return told


@pytest.fixture(scope="module")
def played() -> str:
    """Create a finished game of Jinkei."""
    return random_record(games.game("jinkei"), 1).dumps()


@pytest.fixture
def record(played: str, tmp_path: Path) -> Path:
    path = tmp_path / "played.json"
    path.write_text(played, "utf-8")
    return path


def change_record(path: Path, **values: object) -> Path:
    """Write the record with other values."""
    body = json.loads(path.read_text("utf-8")) | values
    path.write_text(json.dumps(body), "utf-8")
    return path


@pytest.mark.parametrize("form", ["--json", "--text"])
def test_a_record_is_printed_without_control_sequences(run: Run, record: Path, form: str, tmp_path: Path) -> None:
    result = json.loads(record.read_text("utf-8"))["result"] | {"why": HOSTILE, "to\nday": HOSTILE}
    code, out, err = check_output(run("record", form, change_record(record, result=result, clock={"spec": HOSTILE})))
    assert (code, err) == (0, "")
    again = tmp_path / "again"
    again.write_text(out, "utf-8")
    body = json.loads(run("record", again)[1])
    assert (body["result"], body["clock"]) == (result, {"spec": HOSTILE})


def test_a_name_in_a_record_steers_no_terminal(run: Run, record: Path) -> None:
    names = (HOSTILE, "Ada\n* Bo gives up.", "\u2068Ada", "Ada\u2028Bo")
    lines = [(name, "replay --plain") for name in names]
    for name, line in (
        *lines,
        *((HOSTILE, line) for line in ("replay --all --json", "verify", "review", "play --record")),
    ):
        word, *options = line.split()
        code, out, err = check_output(run(word, *options, change_record(record, names=[name, "Bo"])))
        assert (code, out) == (2, "")
        assert err == f"gonfalon: {record}: This record is damaged: a name contains a control character.\n"


@pytest.mark.parametrize("key", ["game", "rules_version", "options", "decisions", "result", "data", "ended", "clock"])
def test_any_other_text_in_a_record_steers_no_terminal(run: Run, record: Path, key: str) -> None:
    for value in (HOSTILE, {HOSTILE: HOSTILE}, [[HOSTILE, HOSTILE]], [HOSTILE]):
        for command in ("replay", "verify"):
            check_output(run(command, change_record(record, **{key: value})))


def test_a_deck_file_steers_no_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "hostile.deck"
    for text in (f"Name: {HOSTILE}\n1 Cao Cao", f"1 {HOSTILE}", f"{HOSTILE}: x\n1 Cao Cao", f"Commandment: {HOSTILE}"):
        path.write_text(text, "utf-8")
        for command in ("check", "show", "code"):
            check_output(run("deck", command, path))
    check_output(run("deck", "check", HOSTILE.replace("/", "")))
    path.write_text(f"Name: {HOSTILE}\n1 Cao Cao", "utf-8")
    assert "\ufffd" in "".join(run("deck", "check", path)[1:])


@pytest.mark.parametrize("game", ["feint", "generals"])
def test_a_card_file_steers_no_terminal(run: Run, tmp_path: Path, game: str) -> None:
    path = tmp_path / "cards.toml"
    path.write_text('form = 1\n[box]\nname = "\\u001b[2J"\n', "utf-8")
    code, out, err = check_output(run("play", game, "--bots", "random,random", "--option", f"cards={path}"))
    assert (code, out) == (2, "")
    assert "contains a control character" in err


@pytest.mark.skipif(not ENDLESS.exists(), reason="no device without an end")
@pytest.mark.parametrize(
    "line",
    [
        "play --record {}",
        "play feint --record {}",
        "play feint --from {} --at 1",
        "play feint --bots random,random --option cards={}",
        "play jinkei --bots random,random --option formations={}",
        "replay {}",
        "review {}",
        "verify {}",
        "verify {record} --mine {}",
        "deck check {}",
        "deck check {deck}",
        "play generals --bots random,random --option decks={deck},{deck}",
    ],
)
def test_a_file_without_an_end_is_refused(run: Run, record: Path, tmp_path: Path, line: str) -> None:
    deck = tmp_path / "endless.deck"
    with deck.open("wb") as file:
        file.truncate(2 << 20)
    code, out, err = run(*line.format(ENDLESS, record=record, deck=deck).split())
    assert (code, out) == (2, ""), line
    assert ("larger than" if "{deck}" in line else "/dev/full is not an ordinary file.") in err


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="no device of this name")
@pytest.mark.parametrize(
    "line", ["deck check {}", "lab balance generals --side {}", "restore {} --database sqlite:///{db}"]
)
def test_a_device_is_not_called_missing(run: Run, tmp_path: Path, line: str) -> None:
    code, _, err = run(*line.format(os.devnull, db=tmp_path / "tables.db").split())
    assert (code, err) == (2, f"gonfalon: {os.devnull} is not an ordinary file.\n")


@pytest.mark.extended
def test_a_pipe_that_never_ends_a_line_ends_the_game() -> None:
    """The data arrives at once. A reader waiting for the end of the line would wait forever."""
    reads, writes = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "gonfalon", "play", "feint", "--plain", "--seed", "1"],
        stdin=reads,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as game:
        os.close(reads)
        try:
            os.write(writes, b"x" * 65_536)
            os.write(writes, b"x" * 65_536)
            assert game.wait(timeout=120) == 0
        except BrokenPipeError:
            assert game.wait(timeout=120) == 0
        finally:
            game.kill()
            os.close(writes)
