"""Workers in this process: most tests of studies need no other processes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from gonfalon.lab.run import workers
from gonfalon.lab.run.workers import Done, Item


class Near:
    """Two workers in this process. Questions and answers are pickled as for other processes (`test_workers.py` and
    `test_play.py` use real ones)."""

    width = 2

    def submit(self, work: Callable[[Item], Done], item: Item) -> Future[Done]:
        work, item = pickle.loads(pickle.dumps((work, item)))
        future = Future[Done]()
        future.set_result(pickle.loads(pickle.dumps(work(item))))
        return future

    def close(self) -> None: ...


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests for several workers get workers in this process."""
    monkeypatch.setattr(workers, "open_pool", lambda _: Near())
