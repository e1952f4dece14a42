"""The law of pages: all viewers can open the table in a browser at any moment, and its replay after the end.

The kit is below the web, so its caller supplies the function that opens pages. `gonfalon check` does.
"""

from __future__ import annotations

from gonfalon.check.law import Law, LawBrokenError, LawUncheckedError
from gonfalon.check.play import Bench, Case


def check_pages(bench: Bench, case: Case) -> int:
    """The pages of a table, and those of its replay, open in a browser at any moment.

    Mistake:
        A template reads a field that `board` leaves out for spectators or at the end.
    Cure:
        Return the same fields for every viewer, or test for them in the template.
    """
    if bench.pages is None:
        raise LawUncheckedError("`gonfalon check` needs the extra server to open pages: pip install 'gonfalon[server]'")
    rng = case.rng("pages")
    checked = 0
    for at in sorted({*case.picks(rng, 1), len(case.decisions)}):
        for what, wrong in bench.pages(case.game, case.decisions[:at]).items():
            if wrong:
                raise LawBrokenError(f"{what} does not open: {wrong}", at)
            checked += 1
    return checked


LAWS = [Law("the pages of a table open in a browser", "pages", check_pages)]
