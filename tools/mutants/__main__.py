"""Change the rules of a game here and there, and see whether its tests notice: `make mutants`.

python -m tools.mutants [GAME ...] [--count 100] [--seed 1] [--workers N] [--quick]     a sample, into docs/mutants
python -m tools.mutants GAME --alive           those again that were alive, into docs/mutants
python -m tools.mutants GAME --only ID ...     these again, with what they change; nothing is written
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


def told(mutant: Mutant, result: running.Result) -> dict[str, Any]:
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


def when(game: str) -> dict[str, str]:
    """The day, and the version of the rules: a commit may not be there for whoever reads it."""
    return {"date": date.today().isoformat(), "version": pages.version(making.GAMES / game)}


def tried(game: str, mutants: list[Mutant], workers: int, quick: bool) -> list[dict[str, Any]]:
    """What became of mutants, a line printed for each."""
    if not mutants:
        return []
    began = time.monotonic()
    measured = running.measure(game, Path(sys.prefix) / f"mutants-{game}.json")
    print(f"{game}: {len(measured.seconds)} tests take {sum(measured.seconds.values()):.0f} s of CPU time.", flush=True)
    out = []
    for mutant, result in running.run(game, mutants, measured, workers, quick):
        out.append(told(mutant, result))
        what = f"killed by {result.by}" if result.killed else f"ALIVE  {mutant.was} => {mutant.becomes}"
        where = f"{mutant.path.name}:{mutant.line} {mutant.inside}".rstrip()
        print(f"{len(out):4} {mutant.id} {result.seconds:6.1f} s  {where}  {what}", flush=True)
    spent = sum(one["seconds"] for one in out)
    print(f"{game}: {len(out)} mutants took {spent:.0f} s of CPU time, {time.monotonic() - began:.0f} s in all.")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games; all without one")
    parser.add_argument("--count", type=int, default=100, help="how many mutants of each game (100)")
    parser.add_argument("--seed", type=int, default=1, help="which of them (1)")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)), help="how many at once")
    parser.add_argument("--quick", action="store_true", help="only with the short tests that reach them")
    parser.add_argument("--alive", action="store_true", help="try those again that are alive")
    parser.add_argument("--judged", action="store_true", help="write the page anew with what is judged by now")
    parser.add_argument("--only", nargs="+", metavar="ID", default=[], help="try these again, and write nothing")
    chosen = parser.parse_args()
    names = making.names()
    unknown = sorted(set(chosen.games) - set(names))
    if unknown:
        parser.error(f"there is no game named {unknown[0]}; there are {', '.join(names)}")
    running.load()
    for game in chosen.games or names:
        if chosen.only:
            tried(game, making.named(game, set(chosen.only)), chosen.workers, chosen.quick)
            continue
        verdicts = pages.judged().get(game, {})
        if chosen.judged:
            figures = pages.read(game)
        elif chosen.alive:
            figures = pages.read(game)
            ids = {one["id"] for one in figures["mutants"] if not one["killed"]}
            ids -= {id for id, said in verdicts.items() if said["verdict"] == "equivalent"}
            again = {one["id"]: one for one in tried(game, making.named(game, ids), chosen.workers, chosen.quick)}
            figures = pages.tried_again(figures, ids, again) | when(game)
        else:
            sample, places = making.sample(game, chosen.count, chosen.seed)
            figures = {
                "game": game,
                "seed": chosen.seed,
                "places": places,
                **when(game),
                "mutants": sorted(tried(game, sample, chosen.workers, chosen.quick), key=pages.place),
            }
        pages.write(figures)
        print(pages.summary(figures, verdicts))
        if open_ := pages.unjudged(figures, verdicts):
            print(f"To be judged in docs/mutants/{pages.JUDGED}:\n\n{pages.blanks(game, open_)}")
    return 0


sys.exit(main())
