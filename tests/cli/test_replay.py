"""Stepping through a record: each viewer sees their own information only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon import CHANCE, SPECTATOR, Record, games
from gonfalon.core.files.record import load
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import State
from gonfalon.games.feint import Feint
from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.replay import browse_rows, build_rows
from gonfalon.testing import random_record
from tests.cli.bids import Bids
from tests.cli.conftest import Run


@pytest.fixture
def played(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "played.json"
    assert run("play", "feint", "--bots", "greedy,greedy", "--seed", "1", "--record", path)[0] == 0
    return path


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_all_open_shows_every_decision(run: Run, played: Path) -> None:
    code, out, err = run("replay", played, "--json")
    assert (code, err) == (0, "")
    found = lines(out)
    decisions = json.loads(played.read_text(encoding="utf-8"))["decisions"]
    assert [row["step"] for row in found] == list(range(len(found)))
    numbers = [row["decision"] for row in found[:-1] if not row["moment"]]
    assert numbers == list(range(len(decisions) + 1))
    assert [[row["seat"], row["action"]] for row in found[1:-1] if not row["moment"]] == decisions
    assert {row["moment"] for row in found[:-1]} == {None, "resolution"}
    assert found[0]["seat"] is None
    assert found[0]["viewer"] == "all"
    assert found[-1]["result"]["winners"]
    assert all({"text", "board", "log", "over"} <= set(row) for row in found[:-1])


@pytest.mark.parametrize("viewer", ["--spectator", "--seat=0", "--seat=1"])
def test_no_viewer_sees_a_seed(run: Run, played: Path, viewer: str) -> None:
    code, out, _ = run("replay", played, "--json", viewer)
    assert code == 0
    assert "seed:" not in out
    assert all(row["action"] is None for row in lines(out)[:-1] if row["seat"] == CHANCE)


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_a_row_has_the_number_of_its_own_decision_for_every_viewer(played: Path, viewer: int) -> None:
    """Secret answers become visible together, and each keeps its number."""
    record = load(played.read_text(encoding="utf-8"), games.game)
    found = [row for row in build_rows(record, viewer) if row.get("seat") is not None]
    assert all(record.decisions[row["decision"] - 1][0] == row["seat"] for row in found)
    assert sorted(row["decision"] for row in found) == list(range(1, len(record.decisions) + 1))


def test_an_unfinished_game_is_shown_as_to_a_spectator(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(random_record(Feint(), 3, 9, names=()).dumps(), encoding="utf-8")
    _, out, _ = run("replay", path, "--json")
    assert lines(out)[0]["viewer"] == "spectator"
    assert {row.get("decision") for row in lines(out)} == {None}  # it would tell who has answered


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_a_running_game_names_no_card_of_a_secret_list_that_was_not_shown(viewer: int) -> None:
    """The record itself holds both decks."""
    game = Generals(decks=("plans-of-wei", "alliance"))
    record = random_record(game, 4, 80, names=())
    state = record.replay()
    assert isinstance(state, GeneralsState)
    assert not state.over
    said = json.dumps(list(build_rows(record, viewer)))
    texts = [card.text + card.story for card in game.pool.cards]
    for seat in {0, 1} - {viewer}:
        assert game.lists[seat].name not in said
        secret = set(state.lists[seat]) - set(state.seen[seat]) - set(state.lists[1 - seat])
        names = {game.kinds[kind].name for kind in secret}
        names = {name for name in names if not any(name in text for text in texts)}
        assert len(names) >= 3
        assert [name for name in names if name in said] == []


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_rows_match_the_masked_state(viewer: int) -> None:
    """Each row's board is a view's board, and the log's sentences come in order, each once."""
    game = Feint(factions=("agents", "engineers"))
    record = random_record(game, 5, names=())
    views = []
    state: State = game.start(log=True)
    for state, _, _ in record.steps():
        views.append(game.board(state.mask(viewer)))
    views.append(game.board(state.mask(viewer)))
    found = list(build_rows(record, viewer))
    assert all(row["board"] in views for row in found if "board" in row and not row["moment"])
    whole = [sentence for row in found if "log" in row for sentence in row["log"]]
    names = game.seat_names()
    if viewer >= 0:
        names[viewer] = "You"
    end = state.mask(viewer)
    assert whole == [line["text"] for line in list_lines(game, end, names)]


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_a_face_down_play_is_not_named(viewer: int) -> None:
    """Of actions that look alike to the viewer none is written, not even a representative."""
    found = 0
    for seed in range(6):
        game = Feint(factions=("keion", "agents"))
        record = random_record(game, seed, names=())
        for row in build_rows(record, viewer):
            for sentence in row.get("log", ()):
                if "face down" in sentence and row["seat"] == 1:
                    found += 1
                    assert row["action"] is None
    assert found > 10


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("viewer", [0, 2, SPECTATOR])
def test_simultaneous_answers_show_when_the_last_one_is_in(seed: int, viewer: int) -> None:
    """The rows up to the last answer are the same for all answers of the others in any order."""
    game = Bids()
    base = random_record(game, seed, names=())
    start, answers = base.decisions[0], base.decisions[1:4]
    for count in range(3):
        part = Record(game, [], [start, *answers[:count]])
        found = list(build_rows(part, viewer))
        others = [row for row in found if row["seat"] not in (None, CHANCE, viewer)]
        assert others == []
        mine = [row for row in found if row["seat"] == viewer]
        assert len(mine) == (1 if 0 <= viewer < count else 0)
    done = list(build_rows(Record(game, [], [start, *answers]), viewer))
    assert {row["seat"] for row in done[2:]} == {0, 1, 2}
    assert [len(row["log"]) for row in done].count(4) == 1


def test_stepping_by_hand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Enter advances, b goes back, q quits, and a shows the rest."""
    rows_found: list[dict[str, Any]] = [
        {"step": n, "seat": None, "action": None, "log": [], "text": f"table {n}", "board": {}} for n in range(5)
    ]
    for typed, shown in (
        (["", "", "q"], [0, 1, 2]),
        (["", "b", "q"], [0, 1, 0]),
        (["b", "a"], [0, 0, 1, 2, 3, 4]),
        (["", "", "", ""], [0, 1, 2, 3, 4]),
    ):
        lines_typed = iter(typed)
        console = Console()
        monkeypatch.setattr(console, "ask", lambda prompt, lines_typed=lines_typed: next(lines_typed))
        capsys.readouterr()
        browse_rows(console, rows_found)
        out = capsys.readouterr().out
        assert [int(line.split()[1]) for line in out.splitlines() if line.startswith("table ")] == shown
        assert next(lines_typed, None) is None


def test_a_record_is_printed_in_both_forms_and_read_in_both(run: Run, played: Path, tmp_path: Path) -> None:
    text = tmp_path / "played.txt"
    code, out, err = run("record", played, "--text", "--remarks")
    assert (code, err) == (0, "")
    assert out.startswith("Format: gonfalon-record 1\nGame: feint\n")
    assert "\n1. chance: seed:" in out
    text.write_text(out, "utf-8")
    assert run("record", text) == (0, played.read_text("utf-8"), "")
    assert run("replay", text, "--json") == run("replay", played, "--json")


def test_the_schema_of_records_is_printed(run: Run) -> None:
    code, out, _ = run("record", "schema")
    assert code == 0
    assert json.loads(out)["properties"]["format"] == {"const": "gonfalon-record"}


def test_remarks_belong_to_the_text_form(run: Run, played: Path) -> None:
    code, _, err = run("record", played, "--remarks")
    assert code == 2
    assert "--remarks belongs to --text." in err
