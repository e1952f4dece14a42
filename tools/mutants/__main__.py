"""Change the rules of a game in small ways, and see whether its tests notice: `make mutants`.

python -m tools.mutants [GAME ...] [--count 100] [--seed 1] [--workers N] [--quick]     a sample, into docs/mutants
python -m tools.mutants GAME --alive           repeat the surviving ones, into docs/mutants
python -m tools.mutants GAME --only ID ...     repeat these and print their changes; no files are written
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

from tools.mutants import making, pages, running
from tools.mutants.making import Mutant


def describe_mutant(mutant: Mutant, result: running.Result) -> dict[str, Any]:
    return {
        "id": mutant.id,
        "file": mutant.path.name,
        "line": mutant.line,
        "inside": mutant.inside,
        "was": mutant.was,
        "becomes": mutant.becomes,
        "killed": result.killed,
        "by": result.by,
        "seconds": result.seconds,
    }


def describe_version(game: str) -> dict[str, str]:
    """Return the date and the version of the rules. A commit may not exist for readers."""
    return {"date": date.today().isoformat(), "version": pages.read_version(making.GAMES / game)}


def try_mutants(game: str, mutants: list[Mutant], workers: int, quick: bool) -> list[dict[str, Any]]:
    """Return the results of mutants, and print a line for each."""
    if not mutants:
        return []
    began = time.monotonic()
    measured = running.measure_tests(game, Path(sys.prefix) / f"mutants-{game}.json")
    print(f"{game}: {len(measured.seconds)} tests take {sum(measured.seconds.values()):.0f} s of CPU time.", flush=True)
    out = []
    for mutant, result in running.run_mutants(game, mutants, measured, workers, quick):
        out.append(describe_mutant(mutant, result))
        what = f"killed by {result.by}" if result.killed else f"ALIVE  {mutant.was} => {mutant.becomes}"
        where = f"{mutant.path.name}:{mutant.line} {mutant.inside}".rstrip()
        print(f"{len(out):4} {mutant.id} {result.seconds:6.1f} s  {where}  {what}", flush=True)
    spent = sum(one["seconds"] for one in out)
    print(f"{game}: {len(out)} mutants took {spent:.0f} s of CPU time, {time.monotonic() - began:.0f} s in all.")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="games (default: all)")
    parser.add_argument("--count", type=int, default=100, help="number of mutants of each game (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (default: 1)")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)), help="number of processes")
    parser.add_argument("--quick", action="store_true", help="only run short tests that reach the change")
    parser.add_argument("--alive", action="store_true", help="repeat the surviving mutants")
    parser.add_argument("--judged", action="store_true", help="rewrite the page with the current judgments")
    parser.add_argument("--only", nargs="+", metavar="ID", default=[], help="repeat these, and write no files")
    chosen = parser.parse_args()
    names = making.list_games()
    unknown = sorted(set(chosen.games) - set(names))
    if unknown:
        parser.error(f"there is no game {unknown[0]}. Games: {', '.join(names)}")
    running.import_modules()
    for game in chosen.games or names:
        if chosen.only:
            try_mutants(game, making.find_mutants(game, set(chosen.only)), chosen.workers, chosen.quick)
            continue
        verdicts = pages.read_verdicts().get(game, {})
        if chosen.judged:
            figures = pages.read_results(game)
        elif chosen.alive:
            figures = pages.read_results(game)
            ids = {one["id"] for one in figures["mutants"] if not one["killed"]}
            ids -= {id for id, said in verdicts.items() if said["verdict"] == "equivalent"}
            again = {
                one["id"]: one
                for one in try_mutants(game, making.find_mutants(game, ids), chosen.workers, chosen.quick)
            }
            figures = pages.merge_results(figures, ids, again) | describe_version(game)
        else:
            sample, places = making.sample_mutants(game, chosen.count, chosen.seed)
            figures = {
                "game": game,
                "seed": chosen.seed,
                "places": places,
                **describe_version(game),
                "mutants": sorted(try_mutants(game, sample, chosen.workers, chosen.quick), key=pages.sort_key),
            }
        pages.write_page(figures)
        print(pages.summarize_results(figures, verdicts))
        if open_ := pages.list_unjudged(figures, verdicts):
            print(f"To be judged in docs/mutants/{pages.JUDGED}:\n\n{pages.format_blanks(game, open_)}")
    return 0


sys.exit(main())
