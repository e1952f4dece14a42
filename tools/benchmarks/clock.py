"""Bursts of work, measured in seconds of CPU time, and the process that runs them on demand.

Every environment (plain, compiled, the peers') has one such process. The run asks them in turn for short
bursts, so that whatever slows the machine down for a while slows down all of them. Beside each burst runs
a loop of plain Python that has nothing to do with any of them; a machine that changes its pace shows there.
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
"""Does some work and tells how many units it was."""
Makers = dict[str, Callable[[], Job]]
"""What makes each job ready; run once, when it is first asked for."""


def burst(job: Job, seconds: float) -> float:
    """How many units a job does in a second of CPU time."""
    done = 0
    begin = process_time()
    while True:
        done += job()
        spent = process_time() - begin
        if spent >= seconds:
            return done / spent


class Counter:
    """Something with a method, for the reference loop."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, value: int) -> int:
        self.total += value
        return self.total


def reference() -> int:
    """A method call, a list, a dict and a random number a unit."""
    below = Random(1).randrange
    counter = Counter()
    items = [0] * 16
    table: dict[int, int] = {}
    for i in range(1000):
        j = below(16)
        items[j] = counter.add(i & 3)
        table[j] = table.get(j, 0) + 1
    return 1000


def about() -> dict[str, str]:
    """The Python of this process."""
    return {"python": f"{platform.python_implementation()} {platform.python_version()}"}


def serve(makers: Makers, versions: dict[str, str], questions: dict[str, Callable[[Any], Any]]) -> None:
    """Answer on standard output what standard input asks, a line each: a burst of a job, or a question.
    What the libraries print goes to standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    jobs: dict[str, Job] = {}
    print(json.dumps({**about(), "versions": versions, "jobs": list(makers)}), file=out, flush=True)
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
                burst(jobs[name], min(0.05, order["seconds"]))
            pace = burst(reference, order["seconds"] / 4)
            answer = {"rate": burst(jobs[name], order["seconds"]), "pace": pace}
        except Exception as error:  # a peer that fails is a finding, not the end of the run
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=out, flush=True)
