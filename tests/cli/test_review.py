"""`gonfalon review`: its output, its files and its errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon.review.files import FORMAT, build_review_path
from tests.cli.conftest import Run
from tests.review.test_review import FEW, feint, short


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record with a fast review."""
    monkeypatch.setattr("gonfalon.review.work.choose_budgets", lambda record: FEW)
    path = tmp_path / "game.json"
    path.write_text(feint().dumps(), "utf-8")
    return path


def test_the_review_is_kept_and_taken(run: Run, record: Path) -> None:
    record.write_text(short().dumps(), "utf-8")
    code, out, err = run("review", record, "--seat", "0", "--workers", "1", "--json")
    assert code == 0
    assert err.startswith("judged 1 of ")
    text = build_review_path(record).read_text("utf-8")
    assert out == text
    assert json.loads(text)["format"] == FORMAT
    assert run("review", record, "--seat", "0", "--workers", "1", "--json") == (0, text, "")
    code, out, _ = run("review", record, "--seat", "0", "--html")
    assert (code, out[:15].strip()) == (0, "<!doctype html>")


def test_records_that_cannot_be_reviewed(run: Run, record: Path) -> None:
    held = json.loads(record.read_text("utf-8"))
    for change, said in (
        ({"rules": "0"}, "rules version"),
        ({"result": None}, "not over"),
        ({"decisions": held["decisions"][:9]}, "damaged"),
    ):
        record.write_text(json.dumps(held | change), "utf-8")
        code, out, err = run("review", record)
        assert (code, out, err.count("\n")) == (2, "", 1), change
        assert said in err
        assert str(record) in err
    assert not build_review_path(record).exists()


def test_a_place_that_cannot_be_written(run: Run, record: Path) -> None:
    build_review_path(record).mkdir()
    code, out, err = run("review", record)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "cannot be saved" in err
