"""A server of several processes: any of them answers, and the others continue while a killed one restarts."""

from __future__ import annotations

import math
import multiprocessing
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from unittest.mock import Mock
from urllib.request import urlopen

import pytest
from prometheus_client import Counter, Gauge
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import CollectorRegistry

from gonfalon.cli import main
from gonfalon.web.http.metrics import MetricsHandler, MetricsServer, Summed
from gonfalon.web.server.processes import READY, TRIES, EndedError, Process, Processes
from tests.web.served import Served, serving

SCRIPT = """
import sys
from gonfalon.web import serve
serve(port=int(sys.argv[1]), database_url={!r}, pace=0, workers=2, limits=0, metrics_at="{}")
"""


def children(served: Served) -> list[int]:
    """Return the serving processes."""
    assert served.process is not None
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_text()
        except OSError:
            continue
        if parent == served.process.pid and "resource_tracker" not in words:
            found.append(int(folder.name))
    return found


@pytest.fixture
def two(tmp_path: Path, free_port: Callable[[], int], database: str) -> Iterator[tuple[Served, int]]:
    metrics = free_port()
    with serving(tmp_path, free_port(), SCRIPT.format(database, metrics)) as served:
        yield served, metrics


def wait_until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.extended
def test_all_stop_in_order_and_none_outlives_its_parent(tmp_path: Path, free_port: Callable[[], int]) -> None:
    script = SCRIPT.format(f"sqlite:///{tmp_path / 'tables.db'}", free_port())
    with serving(tmp_path, free_port(), script) as served:
        pids, process = children(served), served.process
        assert process is not None
        served.stop(signal.SIGTERM)
        assert process.returncode == 0
        assert served.log == ""
        assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
        served.start()
        pids = children(served)
        assert len(pids) == 2
        served.stop(signal.SIGKILL)
        wait_until(lambda: not [pid for pid in pids if Path(f"/proc/{pid}").exists()])


def test_counts_of_several_processes_are_added() -> None:
    told: list[list[Metric]] = []
    for moves, tables in ((3, 10), (4, 20)):
        registry = CollectorRegistry()
        Counter("moves", "Moves.", ("game",), registry=registry).labels("feint").inc(moves)
        Gauge("tables", "Tables.", registry=registry).set(tables)
        Gauge("disk_free_bytes", "Free space.", registry=registry).set(tables)
        told.append(list(registry.collect()))
    found = {sample.name: sample for metric in Summed(lambda: told).collect() for sample in metric.samples}
    assert found["moves_total"].value == 7
    assert found["moves_total"].labels == {"game": "feint"}
    assert found["tables"].value == 30
    assert found["disk_free_bytes"].value == 20
    assert len(found) == 3


def test_a_client_of_metrics_that_sends_nothing_does_not_keep_others_waiting(
    free_port: Callable[[], int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(MetricsHandler, "timeout", 0.01)
    port = free_port()
    with MetricsServer(CollectorRegistry(), str(port)) as server, socket.create_connection(("127.0.0.1", port)):
        server.handle_request()
        server.timeout = 0.0
        server.handle_request()  # nobody is there
    assert capsys.readouterr() == ("", "")


def bury(server: Processes, count: int) -> None:
    """Let this number of processes end before they were reachable."""
    for _ in range(count):
        ended = SimpleNamespace(join=lambda: None, pid=1, exitcode=-9)
        process = SimpleNamespace(
            process=ended, pipe=SimpleNamespace(close=lambda: None), ready=False, told=[], alarms=None
        )
        process.started = -math.inf
        server.running.append(cast(Process, process))
        server._bury(server.running[-1])


def test_processes_that_end_before_they_serve_end_a_server_only_while_it_was_never_reached() -> None:
    """Later processes can be killed during their start, or their database can be unavailable."""
    server = Processes(lambda *_: None, 1, lambda: None)
    with pytest.raises(EndedError):
        bury(server, TRIES)
    ours, theirs = multiprocessing.Pipe()
    never, _writer = multiprocessing.Pipe()
    theirs.send(READY)
    reached = SimpleNamespace(process=SimpleNamespace(sentinel=never.fileno()), pipe=ours, ready=False)
    server.running = [cast(Process, reached)]
    server._wait()
    assert reached.ready
    bury(server, TRIES + 1)


@pytest.mark.parametrize("answers", [[None, None, None], [None, [], None], [[]]])
def test_a_process_that_does_not_answer_is_killed(answers: list[list[Metric] | None]) -> None:
    """A single wait may end because the parent itself was suspended."""
    left, kill = iter(answers), Mock()
    process = SimpleNamespace(
        ready=True, ask=lambda: next(left), process=SimpleNamespace(pid=1, kill=kill, is_alive=lambda: True)
    )
    starting = SimpleNamespace(ready=False)
    server = Processes(lambda *_: None, 2, lambda: None)
    server.running += [cast(Process, process), cast(Process, starting)]
    server._kill_suspended()
    assert kill.called == (answers == [None, None, None])


@pytest.mark.extended
def test_all_processes_follow_the_operator_without_a_restart(two: tuple[Served, int], database: str) -> None:
    served, metrics = two

    def count_pages(text: str) -> int:
        """Return the number of 20 pages that show a text. Each comes from any process."""
        pages = [urlopen(f"http://127.0.0.1:{served.port}/help").read().decode() for _ in range(20)]
        return sum(text in page for page in pages)

    assert main(["admin", "notice", "Tea at 4", "--database", database]) == 0
    wait_until(lambda: count_pages("<p>Tea at 4</p>") == 20)
    assert main(["admin", "notice", "--clear", "--database", database]) == 0
    wait_until(lambda: count_pages("Tea at 4") == 0)
    told = urlopen(f"http://127.0.0.1:{metrics}/metrics", timeout=10).read().decode()
    assert "gonfalon_requests_total" in told
