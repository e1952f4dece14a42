"""Bursts of work, measured in seconds of CPU time, and the process that runs them on demand.

Every environment (plain, compiled, other libraries) has one such process. The run requests short bursts from them in
turn, so that temporary slowdowns of the machine affect all of them. With each burst runs a reference loop of plain
Python, which shows the pace of the machine.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from random import Random  # noqa: TID251 (the reference loop is nobody's)
from time import process_time
from typing import Any

Job = Callable[[], int]
"""A function that does some work and returns the number of units."""
ROW_COUNTS = (256, 1024)
"""Numbers of games that are stepped together."""
Makers = dict[str, Callable[[], Job]]
"""Functions that prepare each job, called when it is first requested."""


def measure_burst(job: Job, seconds: float) -> float:
    """Return the units that a job does in a second of CPU time."""
    done = 0
    begin = process_time()
    while True:
        done += job()
        spent = process_time() - begin
        if spent >= seconds:
            return done / spent


class Counter:
    """An object with a method, for the reference loop."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, value: int) -> int:
        self.total += value
        return self.total


def run_reference_loop() -> int:
    """Run the reference loop: each unit is a method call, a list access, a dict access and a random number."""
    below = Random(1).randrange
    counter = Counter()
    items = [0] * 16
    table: dict[int, int] = {}
    for i in range(1000):
        j = below(16)
        items[j] = counter.add(i & 3)
        table[j] = table.get(j, 0) + 1
    return 1000


def describe_python() -> dict[str, str]:
    """Return the Python version of this process."""
    return {"python": f"{platform.python_implementation()} {platform.python_version()}"}


def serve_jobs(makers: Makers, versions: dict[str, str], questions: dict[str, Callable[[Any], Any]]) -> None:
    """Answer requests from standard input on standard output, one line of JSON each: a burst of a job, or a question.

    Output of the libraries goes to standard error.
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    jobs: dict[str, Job] = {}
    print(json.dumps({**describe_python(), "versions": versions, "jobs": list(makers)}), file=out, flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        name = order.get("job", "")
        try:
            if not name:
                answer: dict[str, Any] = {"answer": questions[order["question"]](order["about"])}
                print(json.dumps(answer), file=out, flush=True)
                continue
            if name not in jobs:
                jobs[name] = makers[name]()
                measure_burst(jobs[name], min(0.05, order["seconds"]))
            pace = measure_burst(run_reference_loop, order["seconds"] / 4)
            answer = {"rate": measure_burst(jobs[name], order["seconds"]), "pace": pace}
        except Exception as error:  # A failing library is a result, not the end of the run.
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=out, flush=True)
