"""Bad input: one sentence on stderr, exit 2, nothing on stdout, no traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def played(run: Run, tmp_path: Path) -> Path:
    """A record of a finished game."""
    path = tmp_path / "played.json"
    assert run("play", "feint", "--bots", "random,random", "--seed", "1", "--record", path)[0] == 0
    return path


def check_refused(answer: tuple[int, str, str], *words: str) -> None:
    code, out, err = answer
    assert code == 2, (out, err)
    assert out == ""
    assert err.startswith("gonfalon: ")
    assert err.count("\n") == 1
    assert err.rstrip().endswith((".", "?", "`"))
    assert "Traceback" not in err
    for word in words:
        assert word in err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("plya", ["plya", "play"]),
        ("play", ["Name the game", "feint"]),
        ("review x --lots", ["--lots", "gonfalon review --help"]),
        ("learn jinkei zz", ["no lesson 'zz'", "The lessons are ", "first"]),
        ("join http://127.0.0.1:1/t/a/b/", ["does not answer (Connection refused)."]),
        ("play fient", ["fient", "feint"]),
        ("play feint --sede 3", ["--sede"]),
        ("play feint --seed x", ["seed", "whole number", "x"]),
        ("play feint --seat 2 --bots random", ["seat 2", "0 to 1"]),
        ("play feint --seat one", ["seat", "one"]),
        ("play feint --seat 0 --bots greedy,random", ["seat 0", "greedy"]),
        ("play feint --bots invincible", ["invincible", "random", "greedy"]),
        ("play feint --bots greedy,greedy,greedy", ["3", "2 seats"]),
        ("play feint --option factions", ["key=value"]),
        ("play feint --option colour=red", ["colour", "factions"]),
        ("play feint --option factions=keion,keion", ["mirror"]),
        ("play feint --option capacity=1 --option capacity=2", ["capacity", "twice"]),
        ("play feint --option cards=/nowhere/at/all.toml", ["/nowhere/at/all.toml"]),
        ("play feint --record /nowhere/at/all.json --bots random,random", ["/nowhere/at/all.json"]),
        ("replay /nowhere/at/all.json", ["/nowhere/at/all.json"]),
        ("replay x --seat 0 --all", ["--all", "--seat"]),
        ("check feint --seconds nan", ["nan"]),
        ("card feint no such card", ["no such card"]),
        ("serve --port 65536", ["port", "65535"]),
        ("lab mtach", ["mtach", "match"]),
        ("lab match feint greedy", ["game and two bots"]),
        ("lab match feint greedy random --mirrored", ["Feint", "mirrored decks"]),
        ("lab match feint greedy random --ray here", ["Ray", "127.0.0.1:6379"]),
        ("lab match feint greedy random --ray 127.0.0.1:1 --workers 2", ["--workers", "--ray"]),
    ],
)
def test_one_sentence_and_exit_2(run: Run, line: str, words: list[str]) -> None:
    check_refused(run(*line.split()), *words)


@pytest.mark.usefixtures("small")
def test_a_card_file_that_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cards.txt"
    path.write_text("bad")
    check_refused(
        run("play", "bids", "--option", f"cards={path}", "--bots", "random,random,random"), str(path), "Line 1"
    )
    path.write_bytes(b"\xff\xfe\x00")
    check_refused(
        run("play", "bids", "--option", f"cards={path}", "--bots", "random,random,random"), str(path), "UTF-8"
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "chess"}, ["format"]),
        ({"format_version": 99}, ["99"]),
        ({"data": "other"}, ["card data"]),
        ({"game": "fient"}, ["fient"]),
        ({"options": {"cards": "/etc/passwd"}}, ["cards"]),
        ({"decisions": [[0, "dance"]]}, ["Decision 1", "dance"]),
        ({"decisions": []}, ["ends with another result"]),
    ],
)
def test_a_damaged_record(run: Run, played: Path, change: dict[str, Any], words: list[str]) -> None:
    body = json.loads(played.read_text(encoding="utf-8"))
    played.write_text(json.dumps({**body, **change}), encoding="utf-8")
    check_refused(run("replay", played), *words, str(played))


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xff", b"[" * 100_000])
def test_a_file_that_is_no_record(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    check_refused(run("replay", path), str(path), "UTF-8" if content == b"\xff\xff" else "not a record")
    check_refused(run("play", "feint", "--record", path, "--bots", "random,random"), str(path))
    assert path.read_bytes() == content


def test_a_finished_game_is_not_gone_on_with(run: Run, played: Path) -> None:
    before = played.read_bytes()
    check_refused(run("play", "feint", "--record", played, "--bots", "random,random"), "finished", "replay")
    assert played.read_bytes() == before
