"""The command `gonfalon lab balance`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.data.tables import Kept
from gonfalon.lab.run.progress import tell
from gonfalon.lab.studies import report
from gonfalon.lab.studies.balance import balance
from gonfalon.lab.studies.balance import report as balance_report
from gonfalon.lab.studies.whatif.request import Wanted


def main(name: str, options: Options, players: str, sides: Sequence[str], wanted: Wanted) -> int:
    """Ask, tell, and write what is to be written. Raises KeyboardInterrupt in the end where somebody has stopped it."""
    if "," in players:
        raise OptionError("A study of fairness is played by one level; ask for each by itself.")
    wanted.check()
    watcher = wanted.watcher

    def said(games: int, widest: float, more: int) -> None:
        watcher.say(
            games,
            f"{games:,} games; the least known matchup to ±{100 * widest:.1f} points; {more:,} more in this wave",
        )

    kept = Kept(wanted.parquet)
    found = balance.study(
        name,
        options,
        players,
        wanted.precision,
        wanted.most,
        wanted.seed,
        wanted.workers,
        wanted.folder,
        said,
        kept.add,
        sides,
    )
    watcher.done()
    kept.write()
    names = report.names_of(name, options)
    told = json.dumps(balance.as_json(found), indent=1) if wanted.as_json else "\n".join(balance.lines(found, names))
    tell(told)
    wanted.write(
        lambda: balance_report.page(found, names), lambda folder: balance_report.pictures(folder, found, names)
    )
    if found.stopped:
        raise KeyboardInterrupt
    return 0
