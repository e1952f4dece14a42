"""The command `gonfalon lab balance`."""

from __future__ import annotations

import json
from pathlib import Path

from gonfalon.core.options import Options
from gonfalon.lab import balance, balance_report, charts, report
from gonfalon.lab.watching import Watcher


def main(
    name: str,
    options: Options,
    players: str,
    precision: float,
    most: int,
    seed: int,
    workers: int,
    folder: Path | None,
    as_json: bool,
    page: Path | None = None,
    pictures: Path | None = None,
) -> int:
    """Ask, tell, and write what is to be written."""
    if page is not None or pictures is not None:
        charts.needed()
    watcher = Watcher()

    def tell(games: int, widest: float, more: int) -> None:
        watcher.say(
            f"{games:,} games; the least known matchup to ±{100 * widest:.1f} points; {more:,} more in this wave"
        )

    found = balance.study(name, options, players, precision, most, seed, workers, folder, tell)
    watcher.done()
    print(json.dumps(balance.as_json(found), indent=1) if as_json else "\n".join(balance.lines(found)))
    names = report.names_of(name, options)
    if page is not None:
        page.write_text(balance_report.page(found, names), "utf-8")
    if pictures is not None:
        balance_report.pictures(pictures, found, names)
    return 0
