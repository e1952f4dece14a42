"""Tips at the prompt in the terminal: during the first three games of a kind, or as set by the user."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.cli import main
from gonfalon.terminal.play import find_prompt

Sit = Callable[..., int]


@pytest.fixture
def sit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Sit:
    """Return a function that starts a game in a terminal, types some lines, and returns the number of tips shown."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "dumb")  # line by line, not on a screen

    def call(*argv: str, typed: str = "quit\n", terminal: bool = True) -> int:
        typist = io.StringIO(typed)
        monkeypatch.setattr(typist, "isatty", lambda: terminal)
        monkeypatch.setattr(sys, "stdin", typist)
        monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
        assert main(["play", *argv, "--seed", "3"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out.count("Tip: ")

    return call


def test_newcomers_get_tips_in_three_games_of_a_kind(sit: Sit) -> None:
    assert [sit("feint") for _ in range(4)] == [1, 1, 1, 0]
    assert sit("jinkei") == 1


def test_a_tip_is_shown_once_per_game(sit: Sit) -> None:
    """Cards are played twice and hands filled once, but `deploy` and `reinforce` have one tip each."""
    assert sit("feint", "--plain", typed="actions\npass\n1\n1\nquit\n") == 2


def test_a_wish_is_kept_for_all_games(sit: Sit) -> None:
    assert [sit("feint", "--no-tips"), sit("feint"), sit("jinkei")] == [0, 0, 0]
    assert [sit("feint", "--tips"), *(sit("feint") for _ in range(3))] == [1] * 4


def test_a_pipe_shows_and_stores_no_tips(sit: Sit, tmp_path: Path) -> None:
    assert sit("feint", "--tips", terminal=False) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_goes_on_is_the_same_game(sit: Sit, tmp_path: Path) -> None:
    record = str(tmp_path / "game.json")
    assert [sit("feint"), sit("feint"), sit("feint", "--record", record)] == [1, 1, 1]
    assert [sit("feint", "--record", record), sit("feint")] == [1, 0]


@pytest.mark.parametrize("damage", ["no JSON", '{"wish": 7, "begun": {"feint": "x", "jinkei": true}}', "[" * 5000])
def test_a_damaged_file_is_as_if_nothing_had_been_kept(sit: Sit, tmp_path: Path, damage: str) -> None:
    (tmp_path / "gonfalon").mkdir()
    (tmp_path / "gonfalon" / "tips.json").write_text(damage)
    assert [sit("feint") for _ in range(4)] == [1, 1, 1, 0]


@pytest.mark.parametrize("name", ["feint", "generals"])
def test_the_tip_matches_the_prompt_of_the_view(name: str) -> None:
    game = games.game(name)
    state = game.start()
    for _ in range(30):
        if state.over:
            break
        for decision in state.decisions():
            if decision.seat >= 0:
                assert find_prompt(state.mask(decision.seat)) == decision.prompt
        decision = state.decisions()[0]
        state.apply(decision.seat, decision.actions[0])
