"""The benchmark: reproducible figures, and one sentence for bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.cli import main
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import State
from gonfalon.learn.benchmark import figures


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


@pytest.fixture(autouse=True)
def tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tiny games of Feint be its solved ones, whose trees take a minute."""
    feint = games.find_game_class("feint")
    monkeypatch.setattr(feint, "solved", feint.tiny)


class Tired(Bot):
    """Answers in small games only."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        if not self.game.options["exact"]:
            raise ValueError("is tired")
        return Choice(view.legal(view.viewer)[0], "It comes first.")


def test_two_runs_find_equal_figures(tmp_path: Path) -> None:
    paths = [tmp_path / "one.json", tmp_path / "two.json"]
    for path in paths:
        assert main(["benchmark", "feint", "--agent", "random", "--pairs", "2", "--write", str(path)]) == 0
    one, two = map(read, paths)
    assert one == two
    found = one["games"]["feint"]
    assert found["against"].keys() == {"random", "greedy", "club"}
    assert found["exploitability"].keys() == {"solved 1", "solved 2"}
    assert (found["rules"], found["pairs"]) == ("2", 2)


def test_a_game_without_a_rule_of_thumb_is_played_against_the_other_levels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(games.find_game_class("feint"), "rule_of_thumb", lambda self: None)
    monkeypatch.setattr(figures, "LEVELS", ("random", "greedy"))
    path = tmp_path / "found.json"
    asked = ["benchmark", "feint", "--agent", "random", "--parts", "score", "--pairs", "2", "--write", str(path)]
    assert main(asked) == 0
    assert read(path)["games"]["feint"]["against"].keys() == {"random"}
    said = capsys.readouterr().err
    assert said.count("feint: Left out greedy: Warriors of Jogu: Feint has no rule of thumb") == 1


def test_a_network_has_no_exact_figure_with_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The solved configurations have cards that it was not trained with, and so do the other games."""
    network, path = tmp_path / "own.npz", tmp_path / "found.json"
    network.write_bytes((games.find_game_class("feint").folder / "bots" / "network.npz").read_bytes())
    assert main(["benchmark", "--agent", str(network), "--parts", "exact", "--write", str(path)]) == 0
    said = capsys.readouterr().err
    assert "Skipping jinkei" in said
    entries = read(path)["games"]
    assert list(entries) == ["feint"]
    why = "The network was not trained on the solved configurations of Warriors of Jogu: Feint."
    assert (entries["feint"]["exploitability"], entries["feint"]["why"]) == (None, why)
    assert said.count(why) == 1
    assert main(["benchmark", "jinkei", "--agent", str(network)]) == 2
    assert "was not trained on" in capsys.readouterr().err


def test_the_moves_chosen_for_a_failing_player_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "found.json"
    asked = ["benchmark", "feint", "--agent", f"{__name__}:Tired", "--pairs", "2"]
    assert main([*asked, "--write", str(path)]) == 0
    found = read(path)["games"]["feint"]
    assert found["exploitability"]
    counts = [sum(score["chosen"].values()) for score in found["against"].values()]
    assert all(counts)
    said = capsys.readouterr().err
    assert f"feint: {sum(counts)} moves chosen for {__name__}:Tired: {sum(counts)} crashed (first: " in said


def test_results_before_an_interruption_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise OptionError("Worker processes were killed repeatedly.")

    monkeypatch.setattr(figures, "score_against_levels", stop)
    path = tmp_path / "found.json"
    assert main(["benchmark", "feint", "--agent", "random", "--pairs", "2", "--write", str(path)]) == 2
    assert "killed repeatedly" in capsys.readouterr().err
    assert read(path)["games"]["feint"]["exploitability"]
    assert list(tmp_path.iterdir()) == [path]


def test_where_nothing_can_be_written_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "found.json"):
        assert main(["benchmark", "feint", "--agent", "random", "--write", str(path)]) == 2
        said = capsys.readouterr().err
        assert "folder" in said
        assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["jinkei", "--agent", "champion"], "champion"),
        (["jinkei", "--parts", "luck"], "no part 'luck'"),
        (["jinkei", "--pairs", "0"], "number of deals"),
    ],
)
def test_missing_things_give_one_sentence(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
