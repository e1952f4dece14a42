"""How long it takes to start: the best of several processes, of each in turn."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence

ROUNDS = 9


def clocked(command: Sequence[str]) -> float:
    """Milliseconds by the clock."""
    before = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return 1000 * (time.perf_counter() - before)


def measure(commands: dict[str, list[str]], rounds: int = ROUNDS) -> dict[str, dict[str, float]]:
    """For each command the least CPU time and the least time by the clock, in milliseconds."""
    found: dict[str, dict[str, float]] = {name: {"cpu": 1e9, "clock": 1e9} for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            kept = found[name]
            before = os.times()
            kept["clock"] = min(kept["clock"], clocked(command))
            after = os.times()
            used = after.children_user - before.children_user + after.children_system - before.children_system
            kept["cpu"] = min(kept["cpu"], 1000 * used)
    return {name: {what: round(value, 1) for what, value in kept.items()} for name, kept in found.items()}
