"""Data sets: the same with any number of workers and after a kill. A decision's row holds only its seat's knowledge,
and the data card is accurate."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games, thaw, worlds
from gonfalon.bots import make
from gonfalon.cli import main
from gonfalon.core.arrays.layout import Layout
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.freeze import freeze
from gonfalon.lab.data import datasets
from gonfalon.lab.data import tables as data
from gonfalon.lab.data.datasets import BotTable, Plan, list_known_cells
from gonfalon.lab.run import blocks
from gonfalon.lab.run.blocks import Arm
from gonfalon.lab.run.match import list_matchups

polars = pytest.importorskip("polars")

SHORT: Options = {"factions": ("wu", "keion"), "end_round": 3}
WORDS = ["lab", "data", "feint", "--option", "factions=wu,keion", "--option", "end_round=3", "--players"]


def write_parts(plan: Plan, count: int, folder: Path, workers: int = 1) -> list[datasets.Part]:
    return list(datasets.write_set(plan, count, folder, workers))


def tables(folder: Path) -> tuple[Any, Any]:
    return data.read_table(folder / data.GAMES), data.read_table(folder / data.DECISIONS)


def test_a_row_a_game_and_a_row_a_decision(tmp_path: Path) -> None:
    """With a single level they are the games of any study."""
    parts = write_parts(Plan.of("feint", SHORT, ["club"], seed=5, size=4), 6, tmp_path)
    found, decisions = tables(tmp_path)
    arm = Arm.of("feint", list_matchups("feint", SHORT), "club", 5)
    rows = [blocks.play_game(arm, round, 0) for round in range(6)]
    assert [part.games for part in parts] == [4, 2]
    assert found["scores"].to_list() == [list(row.scores) for row in rows]
    assert found["decisions"].to_list() == [row.decisions for row in rows]
    assert decisions.group_by("round", maintain_order=True).len()["len"].to_list() == [row.decisions for row in rows]
    assert set(decisions["side"]) == {"wu", "keion"}
    assert decisions.filter(polars.col("options") < 1).is_empty()
    for table in (found, decisions):
        assert table["data"].n_unique() == table["version"].n_unique() == 1
        assert set(table["seed"]) == {"5"}


def test_any_number_of_workers_writes_the_same(tmp_path: Path) -> None:
    plan = Plan.of("feint", SHORT, ["random"], size=2, views=True)
    one, two = (write_parts(plan, 5, tmp_path / str(workers), workers) for workers in (1, 2))
    assert [part.digest for part in one] == [part.digest for part in two]
    for ours, theirs in zip(tables(tmp_path / "1"), tables(tmp_path / "2"), strict=True):
        assert ours.equals(theirs)


def test_existing_games_are_not_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.of("feint", SHORT, ["random"], size=2)
    whole = write_parts(plan, 6, tmp_path)
    before = tables(tmp_path)
    file = datasets.part_path(tmp_path, data.DECISIONS, 1)
    file.unlink()
    (tmp_path / data.GAMES / "00002.part").write_bytes(b"what a kill left")
    played: list[int] = []

    def noting(plan: Plan, bounds: tuple[int, int]) -> Any:
        played.append(bounds[0])
        return real(plan, bounds)

    real = datasets.play_part
    monkeypatch.setattr(datasets, "play_part", noting)
    assert [part.digest for part in write_parts(plan, 6, tmp_path)] == [part.digest for part in whole]
    assert played == [2]
    assert all(ours.equals(theirs) for ours, theirs in zip(tables(tmp_path), before, strict=True))
    write_parts(plan, 7, tmp_path)
    assert played == [2, 6], "more games of the same set"
    with pytest.raises(OptionError, match="holds another data set"):
        write_parts(Plan.of("feint", SHORT, ["random"], seed=1, size=2), 6, tmp_path)


def test_a_program_that_was_killed_goes_on(tmp_path: Path) -> None:
    """The resumed data set equals an uninterrupted one."""
    words = [*WORDS, "random", "--games", "100", "--part", "10", "--out", str(tmp_path / "killed")]
    program = subprocess.Popen([sys.executable, "-m", "gonfalon", *words], stdout=subprocess.DEVNULL)
    first = datasets.part_path(tmp_path / "killed", data.GAMES, 0)
    while not first.exists():
        assert program.poll() is None
        time.sleep(0.01)
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    assert main(words) == 0
    assert main([*words[:-1], str(tmp_path / "whole")]) == 0
    cards = [json.loads((tmp_path / name / "card.json").read_text("utf-8")) for name in ("killed", "whole")]
    for card in cards:
        del card["measured"]
    assert cards[0] == cards[1]
    assert [file.name for file in (tmp_path / "killed" / data.GAMES).iterdir() if file.suffix == ".part"] == []


@pytest.mark.parametrize("name", games.names())
def test_a_decision_of_a_twin_deal_has_the_same_row(name: str) -> None:
    """A decision in another position that fits the seat's knowledge has an equal row except for its outcome."""
    game = games.game(name)
    bot, layout, rng = make("greedy", game), Layout(game), Rng(3)
    table, state, tried, moved = BotTable(game, {"greedy": bot}, layout), game.start(), 0, 0
    while not state.over:
        seat = state.turn
        if seat < 0:
            state.apply(seat, state.chance(rng))
            continue
        view = state.mask(seat)
        action = view.actions[int(rng.below(len(view.actions)))]
        if tried < 40:
            world = worlds(view).sample(rng)
            tried, moved = tried + 1, moved + (world.dump() != state.dump())
            ours, theirs = (
                list_known_cells(table, one, action, bot.choose(one, None, Rng(1)) if tried < 4 else None)
                for one in (view, world.mask(seat))
            )
            assert ours == theirs
        state.apply(seat, action)
    assert moved > 20
    with pytest.raises(ValueError, match="needs a view"):
        list_known_cells(table, game.start(), 0, None)


def test_rows_add_only_these_columns_to_the_seats_knowledge() -> None:
    """A new column of decisions must declare whether the seat could know it."""
    apart = {"number", "level", "score"}
    game = games.game("jinkei")
    state = thaw(game, freeze(game.start()))
    while state.turn < 0:
        state.apply(state.turn, state.chance(Rng(1)))
    view = state.mask(state.turn)
    known = list_known_cells(BotTable(game, {}, Layout(game)), view, view.actions[0], None)
    assert set(data.COLUMNS[data.DECISIONS]) == set(data.COMMON_COLUMNS) | known.keys() | apart


def test_views_match_a_learners_input(tmp_path: Path) -> None:
    write_parts(Plan.of("jinkei", {}, ["random"], views=True), 1, tmp_path)
    [found], decisions = tables(tmp_path)[0].to_dicts(), tables(tmp_path)[1].to_dicts()
    record = datasets.read_record({}, found)
    layout = Layout(record.game)
    own = [(state.mask(seat), seat, action) for state, seat, action in record.steps() if seat >= 0]
    assert len(own) == len(decisions) == found["decisions"]
    for row, (view, seat, action) in zip(decisions, own, strict=True):
        out = layout.new()
        layout.write(view, out)
        assert row["view"] == bytes(out)
        assert [layout.actions[number] for number in row["legal"]] == view.legal(seat)
        assert layout.actions[row["pick"]] == action == record.game.parse(row["action"])
    outcome = record.replay().outcome()
    assert outcome is not None
    assert [seat for seat, score in enumerate(found["scores"]) if score == 1] == outcome.winners


def test_the_command_writes_both_tables_and_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "random,greedy", "--games", "4", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert f"{tmp_path}/games: 4 rows in 1 file" in out
    assert "A million take about" in out
    card = json.loads((tmp_path / "card.json").read_text("utf-8"))
    found, decisions = tables(tmp_path)
    assert (card["games"], card["decisions"]) == (found.height, decisions.height)
    assert card["columns"] == data.COLUMNS
    assert found["data"].to_list() == card["data"] * 4
    record = datasets.read_record(card["setups"][0], found.to_dicts()[0])
    assert record.replay().over
    page = (tmp_path / "README.md").read_text("utf-8")
    for words in ("4 games with", "random, greedy", card["digest"], "pl.scan_parquet"):
        assert words in page


def test_invalid_requests_are_refused_with_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for players, words in (("random,random", "each level once"), ("random,nobody", "nobody")):
        assert main([*WORDS, players, "--out", str(tmp_path)]) != 0
        assert words in capsys.readouterr().err
    assert main([*WORDS, "random", "--games", "100001", "--part", "1", "--out", str(tmp_path)]) != 0
    assert "100,001 files" in capsys.readouterr().err
    write_parts(Plan.of("jinkei", {}, ["random"]), 1, tmp_path)
    [row] = data.read_table(tmp_path / data.GAMES).to_dicts()
    with pytest.raises(DataError, match="with other rules"):
        datasets.read_record({}, {**row, "version": "0"})
    with pytest.raises(DataError, match="no table"):
        data.read_table(tmp_path)
