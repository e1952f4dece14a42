"""Workers: results come in order, are stored at once, and are recomputed if a worker is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any, cast

import pytest

from gonfalon.lab.run import workers
from gonfalon.lab.run.workers import MAX_KILLS, Done, Item, Processes, Team, WorkersLostError


class Mortal:
    """A pool of two workers that die after this number of items. Items are computed on request."""

    width = 2

    def __init__(self, lives: int) -> None:
        self.left = lives

    def submit(self, work: Callable[[Item], Done], item: Item) -> Future[Done]:
        future = Future[Done]()
        self.left -= 1
        if self.left < 0:
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(work(item))
        return future

    def close(self) -> None: ...


@pytest.fixture
def lives(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    """The number of items each pool computes."""
    monkeypatch.setattr(workers, "open_pool", lambda _: Mortal(request.param))
    return int(request.param)


def square(n: int) -> int:
    return n * n


@pytest.mark.parametrize("lives", [1, 2, 3, 100], indirect=True)
def test_work_of_killed_workers_is_repeated(lives: int) -> None:
    heard: list[tuple[int, int]] = []
    found = Team(2).in_order(square, range(10), keep=lambda n, done: heard.append((n, done)))
    assert list(found) == [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]
    assert sorted(heard) == [(n, n * n) for n in range(10)], "each is kept, and once"
    assert list(Team(2).map(square, range(3, 9), most=2)) == [9, 16, 25, 36, 49, 64]


@pytest.mark.parametrize("lives", [0], indirect=True)
def test_repeatedly_killed_workers_are_given_up(lives: int) -> None:
    team = Team(2)
    with pytest.raises(WorkersLostError, match="killed repeatedly"):
        list(team.in_order(square, range(3)))
    assert team.failed == MAX_KILLS


@pytest.mark.parametrize("number", [1, 2])
def test_known_and_unrequested_work_is_skipped(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "open_pool", lambda _: Mortal(1000))
    known = {0: -1, 3: -2}
    done: list[int] = []
    found = Team(number).in_order(square, count(), known.get, lambda n, _: done.append(n))
    assert list(islice(found, 5)) == [-1, 1, 4, -2, 16]
    assert {1, 2, 4} <= set(done)
    assert not {0, 3} & set(done)
    assert max(done) <= 5 * number, "of what is without end only a little lies ready"


class Vanishing:
    """A pool that computes two items out of order and disappears. The first requested item is lost."""

    width = 3

    def __init__(self) -> None:
        self.begun: list[Future[Any]] = []

    def submit(self, work: Callable[[Item], Done], item: Item) -> Future[Done]:
        future = Future[Done]()
        self.begun.append(future)
        if len(self.begun) == self.width:
            self.begun[0].set_exception(WorkersLostError("The cluster is gone."))
            self.begun[1].set_result(work(cast("Item", 1)))
            future.set_result(work(item))
        return future

    def close(self) -> None: ...


def test_results_are_kept_when_all_workers_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[int, int]] = []
    monkeypatch.setattr(workers, "open_pool", lambda _: Vanishing())
    with pytest.raises(WorkersLostError, match="gone"):
        list(Team(3).in_order(square, range(3), keep=lambda n, done: heard.append((n, done)), ahead=1))
    assert heard == [(1, 1), (2, 4)]


def die_once(folder: Path, n: int) -> int:
    """Kill the process that has item 2, the first time."""
    mark = folder / "died"
    if n == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def numbers(taken: list[int]) -> Iterator[int]:
    """Yield numbers and record the ones taken."""
    for n in range(6):
        taken.append(n)
        yield n


def test_a_process_is_killed(tmp_path: Path) -> None:
    taken: list[int] = []
    with Team(2) as team:
        assert list(team.in_order(partial(die_once, tmp_path), numbers(taken))) == [0, 1, 4, 9, 16, 25]
    assert taken == list(range(6)), "no item is asked for twice"
    assert (tmp_path / "died").exists()


def stay(folder: Path, n: int) -> None:
    """Work for a minute and record the process id."""
    (folder / f"{n}").write_text(str(os.getpid()))
    time.sleep(60)


def test_released_workers_end_at_once(tmp_path: Path) -> None:
    with Team(1) as team:
        worker = Processes(1)
        team.opened = worker
        team.begin(partial(stay, tmp_path), 7)
        until(lambda: (tmp_path / "7").exists() and (tmp_path / "7").read_text() != "")
        process = int((tmp_path / "7").read_text())
    until(lambda: not Path(f"/proc/{process}").exists())


def until(true: Callable[[], bool]) -> None:
    """Wait for a condition that soon holds."""
    for _ in range(600):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError
