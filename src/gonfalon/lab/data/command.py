"""The command `gonfalon lab data`: writes a data set and its card, and reports the progress."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic

from gonfalon.lab.data import data_card
from gonfalon.lab.data.datasets import Part, Plan, write_set
from gonfalon.lab.data.tables import DECISIONS, GAMES
from gonfalon.lab.run import atomic_files
from gonfalon.lab.run.progress import ProgressReporter, format_time_left
from gonfalon.lab.run.workers import Workers


def main(plan: Plan, count: int, folder: Path, workers: Workers, as_json: bool) -> int:
    """Write a data set. After an interruption the finished parts remain."""
    atomic_files.check_folder(folder)
    parts, began = list[Part](), monotonic()
    with ProgressReporter(folder) as watcher:
        for part in write_set(plan, count, folder, workers):
            parts.append(part)
            played = sum(part.games for part in parts)
            # Parts of an earlier run count at once, so the estimate is too low right after a continuation.
            more = (monotonic() - began) / played * (count - played)
            watcher.report(played, f"{played:,} of {count:,} games; {format_time_left(more)}")
        watcher.clear_line()
    card = data_card.build_card(plan, parts)
    data_card.write_card(card, folder)
    told = {str(folder / kind): card[kind] for kind in (GAMES, DECISIONS)}
    if as_json:
        print(json.dumps({"rows": told, "digest": card["digest"], "measured": card["measured"]}, indent=1))
        return 0
    files = "1 file" if len(parts) == 1 else f"{len(parts):,} files"
    for path, rows in told.items():
        print(f"{path}: {rows:,} rows in {files}")
    print(data_card.describe_speed(card["measured"]))
    return 0
