"""Playing on from a record on the command line, and the other commands on such a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon.core.files.start_position import DAMAGED
from gonfalon.core.files.verify import PLAYED_ON
from tests.cli.conftest import Run

DEALT = "Hidden cards were dealt again."


@pytest.fixture
def over(run: Run, tmp_path: Path) -> Path:
    """A finished game of Jinkei."""
    path = tmp_path / "over.json"
    assert run("play", "jinkei", "--bots", "random,greedy", "--seed", "3", "--record", path)[0] == 0
    return path


def test_it_is_played_reviewed_and_replayed(run: Run, over: Path, tmp_path: Path) -> None:
    path = tmp_path / "on.json"
    command = ("play", "jinkei", "--from", over, "--at", "30", "--bots", "random,greedy", "--seed", "5")
    code, out, err = run(*command, "--record", path)
    assert (code, err) == (0, "")
    told = out.splitlines()[0]
    assert told.startswith("Played on from decision 30 of a finished game, ")
    assert told.endswith(DEALT)
    assert run(*command)[1].splitlines()[0] == told
    body = json.loads(path.read_text(encoding="utf-8"))
    assert body["options"]["begun"]["seat"] == 0
    assert body["result"]["winners"]
    assert told in run("replay", path)[1]
    rows = [json.loads(line) for line in run("replay", path, "--json")[1].splitlines()]
    assert [row.get("begun") for row in rows[:2]] == [told, None]
    assert PLAYED_ON in run("verify", path)[2]


def test_bad_input_is_one_sentence(run: Run, over: Path, tmp_path: Path) -> None:
    running = tmp_path / "running.json"
    body = json.loads(over.read_text(encoding="utf-8"))
    last = len(body["decisions"])
    running.write_text(json.dumps(body | {"result": None, "decisions": body["decisions"][:20]}), "utf-8")
    damaged = tmp_path / "damaged.json"
    begun = {"seat": 0, "step": 1, "cards": "anew", "shape": "x", "position": 3}
    damaged.write_text(json.dumps(body | {"options": body["options"] | {"begun": begun}}), "utf-8")
    cut = tmp_path / "cut.json"
    cut.write_text(over.read_text("utf-8")[:200], "utf-8")
    for words, sentence in (
        (("jinkei", "--from", running), "is not over"),
        (("feint", "--from", over), "is a record of jinkei"),
        (("jinkei", "--from", over, "--at", str(last + 1)), "The game is over at this step"),
        (("jinkei", "--from", over, "--seat", "5"), "There is no seat 5"),
        (("jinkei", "--from", over, "--record", running), "--from starts a new game"),
        (("jinkei", "--from", damaged), DAMAGED),
        (("--from", cut), "is not a record"),
        (("--record", tmp_path / "none.rec"), "Name the game"),
    ):
        code, _, err = run("play", *words, "--bots", "random,random" if "--seat" not in words else "random")
        assert code == 2
        assert sentence in err
        assert len(err.splitlines()) == 1
