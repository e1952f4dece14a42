"""Workers who are near: most tests of studies need no processes of their own."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from gonfalon.lab.run import workers
from gonfalon.lab.run.workers import Done, Item


class Near:
    """Two workers in this process. What they are asked and answer is packed up as for others (`test_workers.py` and
    `test_play.py` have real ones)."""

    width = 2

    def submit(self, work: Callable[[Item], Done], item: Item) -> Future[Done]:
        work, item = pickle.loads(pickle.dumps((work, item)))
        future = Future[Done]()
        future.set_result(pickle.loads(pickle.dumps(work(item))))
        return future

    def close(self) -> None: ...


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for several workers gets these."""
    monkeypatch.setattr(workers, "open_pool", lambda _: Near())
