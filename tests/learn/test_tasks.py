"""Decision tasks: those that ship can be laid out, and what a player loses in them by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.cli import main
from gonfalon.core.errors import OptionError
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.learn.benchmark import figures, making, tasks
from gonfalon.learn.benchmark.tasks import Task, Tasks, of_game


class First(Bot):
    """Takes the first legal action in the order of their notation."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(min(view.legal(view.viewer), key=self.game.notation), "It comes first.")


@pytest.mark.parametrize("name", ["factionwars", "feint", "generals", "jinkei"])
def test_the_tasks_of_a_game_tell_every_legal_action(name: str) -> None:
    found = of_game(name)
    assert found is not None
    found.check(games.kind(name))
    task = found.tasks[len(found.tasks) // 2]
    game, view = found.position(task)
    assert {game.notation(action) for action in view.legal(task.seat)} == set(task.values)
    numbers = [one.source["number"] for one in found.tasks]
    assert len(set(numbers)) == len(numbers)  # one of each game
    for one in found.tasks:
        assert len(one.values) > 1
        assert all(0.0 <= value <= 1.0 for values in one.values.values() for value in values)


def written(path: Path, values: list[dict[str, tuple[float, float]]]) -> Tasks:
    """The first position of the file with other values."""
    shipped = of_game("feint")
    assert shipped is not None
    first = shipped.tasks[0]
    lines = [Task(first.options, first.seat, first.decisions, found, first.source).line() for found in values]
    path.write_text("\n".join([json.dumps(shipped.about), *lines]), "utf-8")
    return Tasks(path)


def test_what_a_player_gives_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the first action: 0.2 below the best in one task, the best itself in the other; 0.1 and 0 at the end."""
    monkeypatch.setattr(figures, "agent", First)
    shipped = of_game("feint")
    assert shipped is not None
    one, *rest = sorted(shipped.tasks[0].values)
    worse = {one: (0.5, 0.4), **dict.fromkeys(rest, (0.7, 0.5))}
    best = {one: (0.5, 0.4), **dict.fromkeys(rest, (0.3, 0.9))}
    found = figures.answered("first", written(tmp_path / "feint.jsonl", [worse, best]))
    assert found["tasks"] == 2
    assert found["agreement"] == 0.5
    # The error of two values 0.2 apart is 0.1, of two 0.1 apart 0.05; an interval is 1.96 of these to each side.
    assert found["loss"] == {"mean": 0.1, "low": -0.096, "high": 0.296}
    assert found["loss to the end"] == {"mean": 0.05, "low": -0.048, "high": 0.148}


def test_tasks_of_other_rules_are_refused(tmp_path: Path) -> None:
    found = written(tmp_path / "feint.jsonl", [])
    with pytest.raises(OptionError, match="other rules"):
        found.check(games.kind("jinkei"))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are over at once, with a task in each."""
    monkeypatch.setattr(making, "game_between", lambda name, *_: Record(games.game(name)))
    monkeypatch.setattr(making, "of_record", quick_task)


def quick_task(record: Record, seed: int, number: int) -> Task:
    return Task({}, 0, [], {"a": (0.5, 0.25)}, {"seed": seed, "number": number, "at": 0})


@pytest.mark.usefixtures("quick")
def test_a_file_of_tasks_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In two goes it holds the tasks of one; what was killed in the middle of writing leaves the first of them."""
    once, twice = tmp_path / "once.jsonl", tmp_path / "twice.jsonl"
    asked = ["benchmark", "tasks", "jinkei", "--seed", "5"]
    assert main([*asked, "--count", "2", "--write", str(once)]) == 0
    for count in ("1", "2", "2"):
        assert main([*asked, "--count", count, "--write", str(twice)]) == 0
    assert twice.read_bytes() == once.read_bytes()
    assert len(Tasks(once).tasks) == 2
    assert sorted(tmp_path.iterdir()) == [once, twice]

    def killed(self: Path, body: bytes) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", killed)
    assert main([*asked, "--count", "3", "--write", str(once)]) == 130
    assert once.read_bytes() == twice.read_bytes()


@pytest.mark.parametrize("words", [["feint", "--seed", "5"], ["jinkei", "--seed", "6"]])
def test_tasks_of_another_game_or_seed_are_not_added(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = of_game("jinkei")
    assert shipped is not None
    path = tmp_path / "tasks.jsonl"
    path.write_text(shipped.path.read_text("utf-8"), "utf-8")
    assert main(["benchmark", "tasks", *words, "--count", "500", "--write", str(path)]) == 2
    assert "another game or seed" in capsys.readouterr().err
    assert Tasks(path).hash == shipped.hash


@pytest.mark.usefixtures("quick")
def test_where_nothing_is_at_stake_the_search_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "IDLE", 2)
    monkeypatch.setattr(making, "of_record", lambda *_: None)
    with pytest.raises(OptionError, match="nothing was at stake"):
        next(making.make("jinkei", {}, 5, 0))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "gonfalon-tasks", "format_version": 2}', "\xff"])
def test_what_holds_no_tasks_is_one_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(text, "latin-1")
    with pytest.raises(OptionError, match="tasks"):
        Tasks(path)


def test_made_twice_they_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "WORLDS", 8)
    monkeypatch.setattr(making, "ENDED", 8)
    one, two = (next(making.make("jinkei", {}, 5, 0)) for _ in range(2))
    assert one == two
    game, view = tasks.Tasks.position(of_one("jinkei", one), one)
    assert set(one.values) == {game.notation(action) for action in view.legal(one.seat)}


def of_one(name: str, task: Task) -> Tasks:
    """A file's tasks with one of them, without the file."""
    found = of_game(name)
    assert found is not None
    found.tasks = [task]
    return found


def test_a_game_without_tasks_has_no_figure() -> None:
    assert figures.on_tasks("random", "hearts") is None
