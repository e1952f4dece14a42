"""A real server is suspended for longer than any clock and resumed: no game is lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.web.served import Served, serving
from tests.web.test_processes import children

SCRIPT: Final = """
import sys
from gonfalon.web import serve
serve(port=int(sys.argv[1]), database_url={!r}, pace=0, workers={}, limits=0)
"""
GAMES: Final = {"feint": 2, "jinkei": 2, "generals": 2, "factionwars": 3}
BANK: Final = 30
"""The shortest clock in seconds. A tenth more is free where several are asked."""
pytestmark = pytest.mark.long


@pytest.fixture(params=[1, 2])
def served(
    request: pytest.FixtureRequest, tmp_path: Path, free_port: Callable[[], int], database: str
) -> Iterator[Served]:
    with serving(tmp_path, free_port(), SCRIPT.format(database, request.param)) as served:
        yield served


def suspend(served: Served, seconds: float) -> None:
    """Suspend all processes of a server for this time."""
    assert served.process is not None
    family = [served.process.pid, *children(served)]
    for pid in family:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    for pid in family:
        os.kill(pid, signal.SIGCONT)


def test_no_game_is_lost_while_the_server_is_suspended(served: Served) -> None:
    tables = []
    for game, seats in GAMES.items():
        clock = {"bank": BANK, "step": 0, "end": "lose"}
        body = {"game": game, "seats": ["me"] * seats, "clock": clock, "name": "May"}
        status, opened, _ = served.ask("POST", "/api/tables", body)
        assert status == 201, opened
        tables.append((f"/api/tables/{opened['table']}", [seat["token"] for seat in opened["seats"]]))
    suspend(served, 1.2 * BANK)
    for address, tokens in tables:
        shown: Any = None
        for seat, token in enumerate(tokens):
            status, shown, _ = served.ask("GET", address, token=token)
            assert status == 200, shown
            assert shown["over"] is None
            assert shown["seats"][seat]["by"] == "person"
            if shown["decision"] is None:
                continue
            answer = {"expected": shown["version"], "actions": [shown["decision"]["actions"][-1]["id"]]}
            status, said, _ = served.ask("POST", f"{address}/actions", answer, token)
            assert status == 200 or said["code"] == "illegal_action", said
        assert shown["over"] is None
