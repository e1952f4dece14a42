"""Speed of the environments and of other libraries, in observed decisions per second of CPU time.

These figures depend on the machine. Libraries that are not installed are listed as such.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Final

import numpy as np

from gonfalon import games
from gonfalon.bench import measure_in_turns, rate_against_peer
from gonfalon.learn.benchmark.protocol import OPTIONS
from gonfalon.vector.speed import PEER, Bench, Job

BURST_SECONDS: Final = 1.0
"""Duration of each burst, in seconds."""
BOARD_COUNT: Final = 64
"""Number of parallel games."""
PEERS: Final = ("spades", "sync", "pettingzoo", "pgx", "envpool")
"""Names of the other libraries' figures."""
MAHJONG_NAME: Final = "SparrowMahjong-v1"
"""Name of the mahjong environment."""
NOT_INSTALLED: Final = "not installed"
"""Text for a library that is not installed, or lacks the environment."""


def measure_speeds(names: Sequence[str], tell: Callable[[str], None]) -> dict[str, object]:
    """Return the rates of each game's environments and of other libraries, measured in turns."""
    found: dict[str, object] = {}
    for name in names:
        tell(f"{name}: speed of its environments")
        bench = Bench(games.game(name, **OPTIONS.get(name, {})), 1)
        try:
            rates = measure_in_turns(bench.jobs | peer_jobs(), bench.spent, BURST_SECONDS)
        finally:
            bench.close()
        peer = median(rates[PEER]) if PEER in rates else 0.0
        missing = {what: NOT_INSTALLED for what in PEERS if what not in rates}
        found[name] = {what: rate_against_peer(values, peer) for what, values in rates.items()} | missing
    return found


def peer_jobs() -> dict[str, Job]:
    """Return the installed environments of other libraries."""
    jobs = {}
    if find_spec("pgx"):
        jobs["pgx"] = mahjong_job()
    if find_spec("envpool"):
        with suppress(ImportError, OSError):  # Its games are separate packages and may be missing.
            if MAHJONG_NAME in import_module("envpool").list_all_envs():
                jobs["envpool"] = envpool_job()
    return jobs


def mahjong_job() -> Job:
    """Return a job that plays the Sparrow Mahjong of pgx, a game with hidden hands, on the CPU."""
    jax, pgx = import_module("jax"), import_module("pgx")
    table = pgx.make("sparrow_mahjong")
    keys = jax.random.split(jax.random.PRNGKey(1), BOARD_COUNT)
    reset, step = jax.jit(jax.vmap(table.init)), jax.jit(jax.vmap(table.step))
    # The logarithm of the mask gives all legal actions the same probability.
    pick = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask.astype("float32")), axis=-1))
    held = [reset(keys), keys[0]]

    def job(turn: int) -> int:
        state, key = held
        key, own = jax.random.split(key)
        state = step(state, pick(own, state.legal_action_mask))
        if bool(state.terminated.all()):
            state = reset(jax.random.split(key, BOARD_COUNT))
        held[:] = [state, key]
        return BOARD_COUNT

    return job


def envpool_job() -> Job:
    """Return a job that plays the same game in EnvPool."""
    tables = import_module("envpool").make_gymnasium(MAHJONG_NAME, num_envs=BOARD_COUNT, num_threads=1)
    chooser = np.random.default_rng(1)
    held = [tables.reset()[1]["legal_action_mask"]]

    def job(turn: int) -> int:
        legal = held[0] * (1.0 + chooser.random(held[0].shape))
        held[0] = tables.step(legal.argmax(axis=1))[4]["legal_action_mask"]
        return BOARD_COUNT

    return job
