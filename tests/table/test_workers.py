"""Bots in worker processes: the same choices as in this process, stopped with their question and their server."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.bots import make
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files import card_files
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.core.files.record import Record
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SPECTATOR, State
from gonfalon.games.feint import box as feint
from gonfalon.table import Robot, Store, Tables
from gonfalon.table.bots.workers import Workers
from gonfalon.table.live.archive import make_archive as make_archive

JINKEI = "jinkei"
pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers(1)
    workers.start()
    yield workers
    workers.close()


def find_view(game: Game, seed: int) -> State:
    """Return a view of the first seat to decide in a game from a seed."""
    state, rng = game.start(), Rng(seed)
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(rng))
    return state.mask(state.decisions()[0].seat)


def never() -> bool:
    return False


def test_when_workers_are_closed_nothing_of_them_is_left_for_the_end_of_python() -> None:
    before = set(threading.enumerate())
    workers = Workers(1)
    workers.start()
    workers.close()
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("name", games.names())
def test_a_worker_chooses_like_a_bot_in_this_process(workers: Workers, name: str) -> None:
    game = games.game(name)
    view = find_view(game, 5)
    there = workers.think(StateCodec(game), "greedy", view, 7, never)
    assert there == make("greedy", game).choose(view, None, Rng(7))


OWN = {
    "factionwars": "wild-west.bonus = [4, 4, 3, 3]",
    "feint": "patriot.strength = 7",
    "generals": "cao-cao.might = 4",
    "jinkei": 'sword-1a.rows = [".+2 . .", ". T .", "# . #"]',
}


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("level", ["gentle", "expert"])
def test_levels_play_own_cards_in_a_worker(workers: Workers, name: str, level: str) -> None:
    kind = games.find_game_class(name)
    game = kind(**read_card_set(kind, OWN[name]).options)
    assert game.data_hash != kind().data_hash
    view = find_view(game, 5)
    choice = workers.think(StateCodec(game), level, view, 7, never)
    assert choice is not None
    assert choice.action in view.legal(view.viewer)


def test_a_bots_exception_is_raised_here_and_the_worker_continues(workers: Workers) -> None:
    game = games.game(JINKEI)
    codec, view = StateCodec(game), find_view(game, 2)
    with pytest.raises(Exception, match="no level 'genius'"):
        workers.think(codec, "genius", view, 1, never)
    assert workers.think(codec, "random", view, 1, never) is not None


def test_a_question_that_is_gone_has_no_answer(workers: Workers) -> None:
    game = games.game(JINKEI)
    assert workers.think(StateCodec(game), "random", find_view(game, 2), 1, lambda: True) is None


def test_a_full_position_never_leaves(workers: Workers) -> None:
    game = games.game(JINKEI)
    with pytest.raises(ValueError, match="full state"):
        workers.think(StateCodec(game), "random", game.start(), 1, never)


def test_a_killed_worker_is_replaced() -> None:
    workers = Workers(1)
    game = games.game(JINKEI)
    codec, view = StateCodec(game), find_view(game, 3)
    try:
        assert workers.think(codec, "random", view, 1, never) is not None
        assert workers._pool is not None
        (worker,) = workers._pool._processes
        os.kill(worker, signal.SIGKILL)
        choice = None
        for _ in range(600):
            try:
                choice = workers.think(codec, "random", view, 1, never)
                break
            except BrokenExecutor:
                time.sleep(0.1)
        assert choice is not None
    finally:
        workers.close()


ORPHAN = """
import os, signal
from gonfalon.table.bots.workers import Workers
if __name__ == "__main__":
    workers = Workers(1)
    workers._submit(os.getpid).result()
    print(*workers._pool._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(ORPHAN)
    # The worker holds the other end of the pipe: the output ends when both are gone.
    done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, timeout=60, check=False, text=True)
    assert done.returncode == -signal.SIGKILL
    assert int(done.stdout) > 0


@pytest.mark.anyio
async def test_a_table_of_bots_plays_in_workers(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    try:
        async with Tables(store, pace=0, bot_runner=Workers(1)).open() as tables:
            table, _ = await tables.open_table(games.game(JINKEI), [Robot("greedy"), Robot("random")])
            table.presence.enter([SPECTATOR])
            watch = table.watch(SPECTATOR)
            while not table.position.over:
                await watch.changed()
            assert {choice.why for choice in (await table.bots.thoughts()).values()} != {""}
    finally:
        store.close()


def test_an_archive_is_made_in_a_worker_with_the_cards_of_the_game(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers know the built-in cards, and the game began with others."""
    raw = feint.read_standard_box()
    raw["faction"][0]["cards"][0]["strength"] += 1
    monkeypatch.setattr(card_files, "parse_standard", lambda file: ("", json.dumps(raw)))
    game = games.game("feint")
    record, state, rng = Record(game, ["May", "Bo"]), game.start(), Rng(4)
    for _ in range(25):
        seat = state.decisions()[0].seat
        action = state.chance(rng) if seat == CHANCE else state.legal(seat)[0]
        record.add(seat, action)
        state.apply(seat, action)
    record.ended = {"seat": 0, "how": "resigned"}
    assert workers.archive(make_archive, record, {}) == make_archive(record, {})
    old = games.game("feint", **game.pinned())
    monkeypatch.undo()
    assert games.game("feint").data_hash != old.data_hash
    view = find_view(old, 1)
    assert workers.think(StateCodec(old), "random", view, 3, never) is not None


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="ranks are Unix's")
def test_archives_use_idle_time_only() -> None:
    """The process serves no bots. After it is killed, the next archive gets a new one."""
    game = games.game(JINKEI)
    record = Record(game, ["May", "Bo"], ended={"seat": 0, "how": "resigned"})

    def rank(child: BaseProcess) -> int:
        return os.getpriority(os.PRIO_PROCESS, child.pid or 0)

    others = multiprocessing.active_children()  # of tests that this process ran before
    with closing(Workers(1)) as workers:
        workers.start()
        workers.archive(make_archive, record, {})
        mine = [child for child in multiprocessing.active_children() if child not in others]
        wanted = [min(19, os.getpriority(os.PRIO_PROCESS, 0) + 5), 19]
        for _ in range(600):  # the process of the bots may not have begun yet
            mine.sort(key=rank)
            if [rank(child) for child in mine] == wanted:
                break
            time.sleep(0.05)
        assert [rank(child) for child in mine] == wanted
        mine[-1].kill()
        mine[-1].join()
        with pytest.raises(BrokenExecutor):
            workers.archive(make_archive, record, {})
        assert workers.archive(make_archive, record, {})
