"""Startup times: the best of several processes, measured in turn."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence

ROUND_COUNT = 9


def time_command(command: Sequence[str]) -> float:
    """Return the wall time of a command in milliseconds."""
    before = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return 1000 * (time.perf_counter() - before)


def measure_starts(commands: dict[str, list[str]], rounds: int = ROUND_COUNT) -> dict[str, dict[str, float]]:
    """Return the least CPU time and the least wall time of each command, in milliseconds."""
    found: dict[str, dict[str, float]] = {name: {"cpu": 1e9, "clock": 1e9} for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            kept = found[name]
            before = os.times()
            kept["clock"] = min(kept["clock"], time_command(command))
            after = os.times()
            used = after.children_user - before.children_user + after.children_system - before.children_system
            kept["cpu"] = min(kept["cpu"], 1000 * used)
    return {name: {what: round(value, 1) for what, value in kept.items()} for name, kept in found.items()}
