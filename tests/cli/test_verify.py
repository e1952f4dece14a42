"""`gonfalon verify`: one sentence a check, and an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.core.test_verify import SHARES, another_outcome, honest, mine


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Write the record of an honest game and a device's data of it."""
    record = honest("jinkei")
    game, own = tmp_path / "game.json", tmp_path / "mine.json"
    game.write_text(record.dumps(), "utf-8")
    kept = mine(record)
    body: dict[str, Any] = {"format": "gonfalon-share", "commitment": kept.commitment}
    body |= {"closed": kept.closed, "setup": kept.setup, "shares": kept.shares}
    own.write_text(json.dumps(body), "utf-8")
    return game, own


def test_an_honest_game_is_proved(run: Run, files: tuple[Path, Path]) -> None:
    code, out, err = run("verify", files[0])
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[-1] == "The shuffles are proved."
    assert sum(line.startswith("holds ") for line in lines) == 6  # secret, two shares, options, rules, draws
    code, out, _ = run("verify", files[0], "--mine", files[1])
    assert code == 0
    assert sum(line.startswith("holds ") for line in out.splitlines()) == 9


def test_a_tampered_one_is_not(run: Run, files: tuple[Path, Path]) -> None:
    record = honest("jinkei")
    another_outcome(record)
    files[0].write_text(record.dumps(), "utf-8")
    code, out, _ = run("verify", files[0])
    assert code == 1
    assert "FAILS" in out
    assert out.splitlines()[-1] == "The shuffles are not proved."


def test_another_players_share_is_rejected(run: Run, files: tuple[Path, Path]) -> None:
    body = json.loads(files[1].read_text("utf-8"))
    files[1].write_text(json.dumps(body | {"shares": [[0, SHARES[1]]]}), "utf-8")
    code, out, _ = run("verify", files[0], "--mine", files[1])
    assert code == 1
    assert "FAILS The share that your device added for May is not in the deal." in out.splitlines()


def test_uncheckable_input_is_refused(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    plain = json.loads(files[0].read_text("utf-8"))
    del plain["proof"]
    files[0].write_text(json.dumps(plain), "utf-8")
    code, out, err = run("verify", files[0])
    assert (code, out) == (2, "")
    assert err == "gonfalon: This record has no proof, so its shuffles cannot be checked.\n"
    code, _, err = run("verify", files[0], "--mine", tmp_path / "none.json")
    assert code == 2
    assert "No such file" in err
