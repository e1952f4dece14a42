"""Tables whose rules this program does not know: their seats, record and archive."""

from __future__ import annotations

import json

from gonfalon.core.files.record import HEAD, write_body
from gonfalon.core.rules.rules import BEGUN
from gonfalon.table import messages
from gonfalon.table.errors import OtherRules
from gonfalon.table.game.clock import load_pace
from gonfalon.table.game.entries import Ending
from gonfalon.table.game.own_cards import build_old_cards
from gonfalon.table.links import LinkHolder, find_seated, list_seat_names
from gonfalon.table.live.archive import Archive, open_archive
from gonfalon.table.live.views import View, build_begun
from gonfalon.table.store.store import Store, TableRow


class OldTable:
    """A table whose rules this program does not know. It has no archive if the older program ended before making it."""

    def __init__(self, row: TableRow, kept: tuple[str, bytes] | None = None, record: str = "", why: str = "") -> None:
        self.row: TableRow = row
        self._why: str = why
        self._kept: Archive | None = None if kept is None else open_archive(kept[1])
        self.note: str = (json.loads(kept[0])["note"] if kept else "") or messages.OLD_VERSION.format(version=row.rules)
        self.record: str = record if self._kept is None else self._kept.head["record"]

    @property
    def kept(self) -> Archive:
        """The archive. Raises OtherRules if there is none."""
        if self._kept is None:
            raise OtherRules(messages.RECORD_LEFT.format(reason=self._why), record=True)
        return self._kept

    def find_holder(self, token: str) -> LinkHolder:
        """Return the person that a link stands for. Raises NoWay."""
        return find_seated(self.row.seats, token)

    def build_view(self, viewer: int) -> View:
        """Return the last view of a viewer, in the form that `Table.build_view` returns."""
        head, step = self.kept.head, self.kept.step(viewer)
        names = head["names"]
        return {
            "table": self.row.key,
            "game": self.row.game,
            "title": head["title"],
            "viewer": viewer if viewer >= 0 else "spectator",
            "version": 1,
            "names": names,
            "seats": [
                {
                    "seat": row.seat,
                    "name": names[row.seat],
                    "by": row.by,
                    "note": "",
                    "asked": False,
                    "ready": False,
                    "leads": [],
                }
                for row in self.row.seats
            ],
            "board": step.board,
            "moments": 0,
            "prompt": "",
            "decision": None,
            "can_take_back": False,
            "can_ask_back": False,
            "hints": self.row.hints,
            "request": None,
            "stage": "over",
            "over": step.over,
            "log": step.log,
            "rematch": None,
            "clock": None,
            "proof": None,
            "decided": None,
            "begun": build_begun(self.row.options.get(BEGUN), names),
            "cards": build_old_cards(self.row.options),
        }


def bare_record(store: Store, row: TableRow) -> str:
    """Return the record of a finished game as stored, without its rules. Raises ValueError, LookupError, TypeError if
    it is damaged."""
    ending: Ending = json.loads(row.ending)
    entries = store.entries(row.key)
    # The stored ending names the decisions, because only the rules could say which ones were undone.
    found = [entries[seq] for seq in ending["decisions"]]
    proof, pace = store.proof(row.key, len(row.seats)), load_pace(row.clock)
    body: dict[str, object] = {
        **HEAD,
        "game": row.game,
        "options": row.options,
        "rules": row.rules,
        "data": row.data,
        "names": list_seat_names(row.seats),
        "decisions": [[entry.seat, entry.text] for entry in found],
        "result": ending["result"],
        "ended": ending["ended"],
    }
    if proof is not None:
        body["proof"] = proof.to_json()
    if pace is not None:
        body["clock"] = {"spec": pace.to_json(), "spent": [entry.spent for entry in found]}
    return write_body(body)
