"""How fast environments are here, beside their peers, in one run: observed decisions for each second of CPU time.

These figures belong to the machine. A peer that is not installed is named with that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any, Final

import numpy as np

from gonfalon import games
from gonfalon.bench import in_turns, rated
from gonfalon.learn.benchmark.protocol import OPTIONS
from gonfalon.vector.speed import PEER, Bench, Job

SECONDS: Final = 1.0
"""Of each burst."""
BOARDS: Final = 64
PEERS: Final = ("spades", "sync", "pettingzoo", "pgx", "envpool")
MAHJONG: Final = "SparrowMahjong-v1"
MISSING: Final = "not installed"
"""Or a version that has it not, or lacks a part."""


def speeds(names: Sequence[str], tell: Callable[[str], None]) -> dict[str, Any]:
    """The rates of each game's environments and of their peers, by turns."""
    found: dict[str, Any] = {}
    for name in names:
        tell(f"{name}: how fast its environments are")
        bench = Bench(games.game(name, **OPTIONS.get(name, {})), 1)
        try:
            rates = in_turns(bench.jobs | others(), bench.spent, SECONDS)
        finally:
            bench.close()
        peer = median(rates[PEER]) if PEER in rates else 0.0
        missing = {what: MISSING for what in PEERS if what not in rates}
        found[name] = {what: rated(values, peer) for what, values in rates.items()} | missing
    return found


def others() -> dict[str, Job]:
    """Peers that are not our games behind other interfaces, where they are installed."""
    jobs = {}
    if find_spec("pgx"):
        jobs["pgx"] = mahjong()
    if find_spec("envpool"):
        with suppress(ImportError, OSError):  # its games come in packages of their own, and one may be missing
            if MAHJONG in import_module("envpool").list_all_envs():
                jobs["envpool"] = in_envpool()
    return jobs


def mahjong() -> Job:
    """Sparrow mahjong of pgx, whose hands are hidden as ours are, on this machine's processor."""
    jax, pgx = import_module("jax"), import_module("pgx")
    table = pgx.make("sparrow_mahjong")
    keys = jax.random.split(jax.random.PRNGKey(1), BOARDS)
    reset, step = jax.jit(jax.vmap(table.init)), jax.jit(jax.vmap(table.step))
    pick = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask.astype("float32")), axis=-1))
    held = [reset(keys), keys[0]]

    def job(turn: int) -> int:
        state, key = held
        key, own = jax.random.split(key)
        state = step(state, pick(own, state.legal_action_mask))
        if bool(state.terminated.all()):
            state = reset(jax.random.split(key, BOARDS))
        held[:] = [state, key]
        return BOARDS

    return job


def in_envpool() -> Job:
    """The same game in EnvPool."""
    tables = import_module("envpool").make_gymnasium(MAHJONG, num_envs=BOARDS, num_threads=1)
    chooser = np.random.default_rng(1)
    held = [tables.reset()[1]["legal_action_mask"]]

    def job(turn: int) -> int:
        legal = held[0] * (1.0 + chooser.random(held[0].shape))
        held[0] = tables.step(legal.argmax(axis=1))[4]["legal_action_mask"]
        return BOARDS

    return job
