"""Games as tables: they contain the games as played, and a report's figures can be recomputed from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon.cli import main
from gonfalon.core.basics.errors import DataError
from gonfalon.core.basics.options import Options
from gonfalon.lab.data import tables
from gonfalon.lab.run import blocks
from gonfalon.lab.run.blocks import Arm
from gonfalon.lab.run.match import list_matchups

polars = pytest.importorskip("polars")

SHORT: Options = {"factions": ("wu", "keion"), "end_round": 3}


def test_foreign_files_are_refused_with_one_sentence(tmp_path: Path) -> None:
    damaged, foreign, ours = (tmp_path / f"{name}.parquet" for name in ("damaged", "foreign", "ours"))
    damaged.write_bytes(b"PAR1 and no more")
    polars.DataFrame({"a": [1]}).write_parquet(foreign)
    with pytest.raises(DataError, match="it is damaged"):
        tables.read_table(damaged)
    with pytest.raises(DataError, match="not written by"):
        tables.read_table(foreign)
    with pytest.raises(DataError, match="No such file"):
        tables.read_table(tmp_path / "none.parquet")
    tables.TableWriter(tables.GAMES, ours).close()
    assert tables.read_table(ours).columns == list(tables.COLUMNS[tables.GAMES])
    assert tables.read_table(str(ours)).equals(tables.read_table(ours)), "a path may be a text"
    tables.TableWriter(tables.GAMES, tmp_path / "set" / "games" / "1.parquet").close()
    with pytest.raises(DataError, match=r"no table in .*set, but in .*games\.$"):
        tables.read_table(tmp_path / "set")


def test_files_of_other_programs_are_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = tmp_path / "foreign.parquet"
    polars.DataFrame({"a": [1]}).write_parquet(foreign)
    kept = foreign.read_bytes()
    asked = ["lab", "whatif", "feint", "--set", "patriot.strength=5", "--players", "random", "--parquet", str(foreign)]
    assert main(asked) == 2
    assert "not written by" in capsys.readouterr().err
    assert foreign.read_bytes() == kept


def test_a_file_is_written_while_its_games_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_ROWS_IN_MEMORY", 4)
    arm = Arm.of("feint", list_matchups("feint", SHORT), "random", 5)
    rows = [blocks.play_game(arm, round, 0) for round in range(10)]
    kept = tables.GameCollector(tmp_path / "new" / "games.parquet")
    assert kept.sheet is not None
    for row in rows:
        kept.add(arm, [row])
        assert len(kept.sheet.waiting) < 4
    kept.write()
    found = tables.read_table(tmp_path / "new" / "games.parquet")
    assert found.equals(tables.make_table(tables.GAMES, tables.list_game_cells(arm, rows)))
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["games.parquet"]
    tables.TableWriter(tables.GAMES, tmp_path / "none.parquet").close()
    assert tables.read_table(tmp_path / "none.parquet").height == 0


def test_the_figures_of_a_report_are_found_in_its_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Shares before and after, for the changed side."""
    file = tmp_path / "games.parquet"
    words = ["--players", "random", "--precision", "15", "--option", "end_round=3", "--json"]
    assert main(["lab", "whatif", "feint", "--set", "patriot.strength=1", *words, "--parquet", str(file)]) == 0
    [answer] = json.loads(capsys.readouterr().out)
    games = tables.read_table(file)
    assert answer["games"] == games.height
    seats = games.explode("sides", "scores").filter(polars.col("sides") == "keion")
    told = answer["sides"][0]
    assert told["what"] == "keion"
    for variant in ("before", "after"):
        share = seats.filter(polars.col("variant") == variant)["scores"].mean()
        assert share == pytest.approx(told[variant], abs=1e-4), variant
