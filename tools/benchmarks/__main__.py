"""The benchmark run: every job in turn, in short bursts, for several rounds; then the report.

    python -m tools.benchmarks --plain PYTHON --compiled PYTHON [--rounds N] [--seconds N] [--only WORD]

runs in the environment with the other libraries. Rates are medians of the rounds, per second of CPU time. A burst
during which the reference loop shows a slower machine is repeated. `--only rows` measures environments that step many
games at once, and prints them as ratios to weiss_sim.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any, Final

from tools.benchmarks import report, startup

ROOT: Final = Path(__file__).resolve().parents[2]
RESULTS: Final = Path(__file__).parent / "results"
ROWS: Final = "rows"
"""Word in the names of jobs that step many games at once, and folder of their results."""
PARALLEL_GAMES: Final = 20_000
"""Number of random games for the comparison of one process with several."""
MIN_PACE: Final = 0.9
"""Minimum pace of the reference loop during a burst, as a share of its usual pace."""
MAX_TRIES: Final = 3
"""Maximum number of attempts for a burst; the one with the best pace counts."""


class Worker:
    """A process in one of the environments (`clock.serve`)."""

    def __init__(self, name: str, python: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [python, "-m", f"tools.benchmarks.{'peers' if name == 'peers' else 'ours'}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.hello: dict[str, Any] = self.heard()
        self.paces: list[float] = []

    def heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"Cannot measure the environment {self.name}. See above.")
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, **order: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        print(json.dumps(order), file=self.process.stdin, flush=True)
        return self.heard()

    def burst(self, job: str, seconds: float) -> dict[str, Any]:
        """Return a burst of a job at the usual pace of the machine."""
        best: dict[str, Any] = {"pace": 0.0}
        for _ in range(MAX_TRIES):
            answer = self.ask(job=job, seconds=seconds)
            if "error" in answer:
                return answer
            if answer["pace"] > best["pace"]:
                best = answer
            self.paces.append(answer["pace"])
            if best["pace"] >= MIN_PACE * median(self.paces):
                break
        return best

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def find_cpu_name() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def check_duel(ours: Worker, peers: Worker, count: int = 50) -> None:
    """Check that both implementations of the duel give the same results for the same decisions.

    Raises:
        SystemExit: They differ.
    """
    games = ours.ask(question="duels", about=count)["answer"]
    told = peers.ask(question="duels", about=[[decks, actions] for decks, actions, _ in games])
    if told.get("answer") != [returns for _, _, returns in games]:
        raise SystemExit(f"The duel differs in OpenSpiel: {told.get('error', 'other results')}.")


def measure_processes(python: str) -> dict[str, Any]:
    """Return the wall times of random games of Feint in one process and in one for each core."""
    found: dict[str, Any] = {"games": PARALLEL_GAMES}
    for workers in ("1", "all"):
        command = [python, "-m", "gonfalon", "lab", "play", "feint", "--games", str(PARALLEL_GAMES), "--json"]
        done = subprocess.run([*command, "--workers", workers], stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
        told = json.loads(done.stdout)
        found[workers] = {
            "seconds": told["run"]["seconds"],
            "workers": told["run"]["workers"],
            "digest": told["digest"],
        }
    return found


def list_start_commands(args: argparse.Namespace) -> dict[str, list[str]]:
    """Return the commands whose start is measured."""
    peers = sys.executable
    return {
        "Python itself": [args.compiled, "-c", "pass"],
        "import gonfalon": [args.compiled, "-c", "import gonfalon"],
        "import gonfalon (plain)": [args.plain, "-c", "import gonfalon"],
        "gonfalon games": [args.compiled, "-m", "gonfalon", "games"],
        "gonfalon games (plain)": [args.plain, "-m", "gonfalon", "games"],
        "import pyspiel": [peers, "-c", "import pyspiel"],
        "import rlcard": [peers, "-c", "import rlcard"],
        "import pettingzoo.classic.leduc_holdem_v4": [peers, "-c", "import pettingzoo.classic.leduc_holdem_v4"],
    }


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure everything."""
    workers = [Worker(name, python) for name, python in map_environments(args).items()]
    _, compiled, peers = workers
    if compiled.hello["versions"]["build"] != "compiled":
        raise SystemExit("No compiled build to measure. A C compiler is missing.")
    if not args.only:
        check_duel(compiled, peers)
    found: dict[str, dict[str, list[float]]] = {}
    failed: dict[str, str] = {}
    began = time.perf_counter()
    for number in range(args.rounds):
        for worker in workers:
            for job in worker.hello["jobs"]:
                key = f"{worker.name}: {job}"
                if args.only not in key or key in failed:
                    continue
                answer = worker.burst(job, args.seconds)
                if "error" in answer:
                    failed[key] = answer["error"]
                    continue
                kept = found.setdefault(key, {"rate": [], "pace": []})
                if base := report.find_base(job):
                    # One after the other, because a busy machine changes its pace within seconds.
                    kept.setdefault("base", []).append(peers.burst(base, args.seconds).get("rate", 0.0))
                kept["rate"].append(answer["rate"])
                kept["pace"].append(answer["pace"])
        print(f"round {number + 1} of {args.rounds}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    for worker in workers:
        worker.close()
    rates = {
        key: {
            "rate": round(median(kept["rate"])),
            "low": round(min(kept["rate"])),
            "high": round(max(kept["rate"])),
            "pace": round(median(kept["pace"])),
            **report.compare_rows(kept),
        }
        for key, kept in found.items()
    }
    return {
        "form": 1,
        "date": date.today().isoformat(),
        "machine": {"cpu": find_cpu_name(), "cores": os.cpu_count(), "system": platform.platform(terse=True)},
        "python": compiled.hello["python"],
        "versions": {**compiled.hello["versions"], **peers.hello["versions"]},
        "rounds": args.rounds,
        "seconds": args.seconds,
        "rates": rates,
        "failed": failed,
        "start": {} if args.only else startup.measure_starts(list_start_commands(args)),
        "parallel": {} if args.only else measure_processes(args.compiled),
    }


def map_environments(args: argparse.Namespace) -> dict[str, str]:
    return {"plain": args.plain, "compiled": args.compiled, "peers": sys.executable}


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.benchmarks", description="Measure Gonfalon and its peers in one run.")
    parser.add_argument("--plain", required=True, metavar="PYTHON", help="the interpreter with the plain build")
    parser.add_argument("--compiled", required=True, metavar="PYTHON", help="the interpreter with the compiled build")
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    parser.add_argument("--seconds", type=float, default=0.3, metavar="N", help="CPU time of a burst")
    parser.add_argument(
        "--only", default="", metavar="WORD", help="only jobs whose names contain this; no files but of `rows`"
    )
    args = parser.parse_args()
    found = run(args)
    print(report.format_text(found))
    if args.only == ROWS:
        path = RESULTS / ROWS / f"{found['date']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        print(report.format_rows(found))
    if not args.only:
        RESULTS.mkdir(exist_ok=True)
        name = RESULTS / found["date"]
        name.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        name.with_suffix(".md").write_text(report.format_page(found), "utf-8")
        report.write_plot(found, name.with_suffix(".svg"))
        print(f"Wrote {name.relative_to(ROOT)}.json, .md and .svg. The table of the README is now:\n")
        print(report.format_readme_table(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
