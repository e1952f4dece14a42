"""A quick stand-in for reviews: it judges the first decisions of each seat as a loss, a gain and a loss."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

COMMAND: Final = "from tests.browser.judged import main; main()"
EFFECTS: Final = ((0.14, 0.0, "mistake"), (0.0, 0.19, ""), (0.06, 0.0, "inaccuracy"))
"""The loss, the lead and the mark of a seat's first decisions."""


def judge(at: int, seat: int, nth: int) -> dict[str, Any]:
    """Return a decision with the effect of its place among the seat's decisions; without an effect after the third."""
    loss, lead, mark = EFFECTS[nth] if nth < len(EFFECTS) else (0.0, 0.0, "")
    return {
        "at": at,
        "seat": seat,
        "chosen": "a",
        "best": "b" if loss else "a",
        "text": "Play a card with a long name to Location 4.",
        "better": "Play another card to Location 6.",
        "next": "Pass.",
        "value": 0.4,
        "best_value": 0.4 + loss,
        "loss": loss,
        "low": loss / 2,
        "lead": lead,
        "lead_low": lead / 2,
        "referee": None,
        "mark": mark,
        "why": "It wins the battle." if loss else "",
    }


def main() -> None:
    """Read a record, and print the lines of a review without totals."""
    record = json.load(sys.stdin)
    seats = [seat for seat, _ in record["decisions"]]
    found = [judge(at, seat, seats[:at].count(seat)) for at, seat in enumerate(seats) if seat >= 0]
    for one in found[:1]:
        print(json.dumps({"decision": one, "done": 1, "count": len(found)}))
    lists: dict[str, list[object]] = {name: [] for name in ("beliefs", "story", "sums")}
    empty = {"cards": None, "result": None, **lists}
    named = {
        "title": "A game",
        "game": record["game"],
        "names": record["names"],
        "ending": "It is over.",
        "record": "0",
    }
    reviewer = {"judge": "a stand-in", "seed": 0}
    print(json.dumps({"review": {**empty, **named, "reviewer": reviewer, "decisions": found}}))
