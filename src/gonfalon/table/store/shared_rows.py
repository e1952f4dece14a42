"""The part of the store that holds facts shared by all processes outside of records: curtains, hints, presences and
heartbeats.

A process that changes them notifies the others, which read them again (`Table.refresh`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from gonfalon.table.store.schema import Rows, schema

SILENT: Final = 45.0
"""Seconds without a heartbeat after which a process and all its pages are considered gone."""
LIT: Final = ""
"""In place of a process: the start of the last process."""

processes: Final = sa.Table(
    "processes",
    schema,
    sa.Column("process", sa.String(32), primary_key=True),
    # The table time of the last heartbeat; negative from one that has stopped in order.
    sa.Column("beat", sa.Float, nullable=False),
)
# Made once, because each process uses them every second.
_BEATS: Final = sa.select(processes)
_BEAT: Final = processes.update().where(processes.c.process == sa.bindparam("own")).values(beat=sa.bindparam("latest"))
presences: Final = sa.Table(
    "presences",
    schema,
    sa.Column("table", sa.String(32), primary_key=True),
    sa.Column("process", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("pages", sa.Integer, nullable=False),
    sa.Column("until", sa.Float, nullable=False),
    sa.Column("reads", sa.Boolean, nullable=False),
)
curtains: Final = sa.Table(
    "curtains",
    schema,
    sa.Column("table", sa.String(32), primary_key=True),
    sa.Column("device", sa.String(64), primary_key=True),
    sa.Column("seat", sa.Integer),
    sa.Column("last", sa.Integer, nullable=False),
    sa.Column("rises", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("moments", sa.Integer, nullable=False),
)
hints: Final = sa.Table(
    "hints",
    schema,
    sa.Column("table", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)


@dataclass(frozen=True)
class Curtain:
    """The view on a shared device: the shown seat (None behind the curtain), the seat shown last, the number of times
    that the curtain has risen, and the version of that seat's view and the number of moments at that time."""

    seat: int | None
    last: int
    rises: int = 0
    version: int = 0
    moments: int = 0


@dataclass(frozen=True)
class PresenceRow:
    """The presence of a seat at one process: its open pages, or the time until which its player is HERE (with `reads`)
    or LOST (without)."""

    process: str
    seat: int
    pages: int = 0
    until: float = 0.0
    reads: bool = False


class Shared(NamedTuple):
    """The shared facts of a table."""

    curtains: Mapping[str, Curtain]
    """The curtains by the hashed token of the device."""
    hints: Mapping[int, tuple[int, str]]
    """For each seat the version of its view, and the hint for it (see `bots.players.thoughts.noted`)."""
    presences: Sequence[PresenceRow]
    beats: Mapping[str, float]
    """The heartbeats of the processes of these presences."""


class SharedRows(Rows):
    """Reads and writes shared facts."""

    def shared(self, key: str) -> Shared:
        """Return the shared facts of a table."""
        curtain = (curtains.c.seat, curtains.c.last, curtains.c.rises, curtains.c.version, curtains.c.moments)
        names = (presences.c.process, presences.c.seat, presences.c.pages, presences.c.until, presences.c.reads)
        beating = presences.outerjoin(processes, processes.c.process == presences.c.process)
        rows = sa.select(*names, processes.c.beat).select_from(beating).where(presences.c.table == key)
        with self._begin() as connection:
            lifted = connection.execute(sa.select(curtains.c.device, *curtain).where(curtains.c.table == key)).all()
            advice = connection.execute(sa.select(hints).where(hints.c.table == key)).all()
            present = connection.execute(rows).all()
        return Shared(
            {row.device: Curtain(*row[1:]) for row in lifted},
            {row.seat: (row.version, row.text) for row in advice},
            [PresenceRow(*row[:-1]) for row in present],
            {row.process: row.beat for row in present if row.beat is not None},
        )

    # ---- curtains and hints -----------------------------------------------------------------------

    def lift(self, key: str, device: str, curtain: Curtain) -> Curtain:
        """Show the view of a seat at a (hashed) device. Return the curtain, with its number of rises increased."""
        same = {"table": key, "device": device}
        values = {"seat": curtain.seat, "last": curtain.last, "version": curtain.version, "moments": curtain.moments}
        with self._begin() as connection:
            # The database counts, so that two processes never use the same number.
            upsert(connection, curtains, same, {**values, "rises": 1}, {**values, "rises": curtains.c.rises + 1})
            own = sa.and_(curtains.c.table == key, curtains.c.device == device)
            rises = connection.execute(sa.select(curtains.c.rises).where(own)).scalar_one()
            self.count_change(connection, key)
        return replace(curtain, rises=rises)

    def lower(self, key: str, device: str, rises: int | None = None) -> None:
        """Lower the curtain at a (hashed) device, unless it has risen since."""
        change = curtains.update().where(curtains.c.table == key, curtains.c.device == device)
        if rises is not None:
            change = change.where(curtains.c.rises == rises)
        with self._begin() as connection:
            connection.execute(change.values(seat=None))
            self.count_change(connection, key)

    def advise(self, key: str, seat: int, version: int, text: str) -> None:
        """Store the hint for this version of a seat's view."""
        with self._begin() as connection:
            upsert(connection, hints, {"table": key, "seat": seat}, {"version": version, "text": text})
            self.count_change(connection, key)

    def tell(self, key: str, length: int) -> None:
        """Notify the other processes of something that is not stored (see `notifications.encode_emote`)."""
        with self._begin() as connection:
            self.notify(connection, key, length)

    # ---- presence -------------------------------------------------------------------------------------

    def be_present(self, key: str, rows: Sequence[PresenceRow]) -> None:
        """Store the presence of seats at a process. An open page counts more than requests at other processes, for its
        player has left them."""
        with self._begin() as connection:
            for row in rows:
                here = sa.and_(presences.c.table == key, presences.c.seat == row.seat)
                own = {"table": key, "process": row.process, "seat": row.seat}
                if row.pages or row.until:
                    values = {"pages": row.pages, "until": row.until, "reads": row.reads}
                    upsert(connection, presences, own, values)
                else:
                    connection.execute(presences.delete().where(here, presences.c.process == row.process))
                if row.pages and row.seat >= 0:
                    others = sa.and_(here, presences.c.process != row.process, presences.c.pages == 0)
                    connection.execute(presences.delete().where(others))
            self.notify(connection, key)

    def has_people(self, key: str, now: float) -> bool:
        """Return whether a person is at a table at any live process."""
        there = sa.and_(presences.c.table == key, sa.or_(presences.c.pages > 0, presences.c.until > now))
        lives = sa.func.abs(processes.c.beat) > now - SILENT
        query = sa.select(presences.c.seat).join(processes, processes.c.process == presences.c.process)
        with self._begin() as connection:
            return connection.execute(query.where(there, lives).limit(1)).first() is not None

    # ---- processes ------------------------------------------------------------------------------------

    def beat(self, process: str, now: float | None, first: float) -> dict[str, float]:
        """Write a heartbeat and delete the processes that are silent.

        Args:
            process: The process that writes.
            now: Its table time; None for a process that has just started.
            first: The table time to begin with if no process has ever written one.

        Returns:
            The table times of all heartbeats. That of `process` is the latest.
        """
        with self._begin() as connection:
            beats = _read_beats(connection)
            began = beats.pop(LIT, None)
            # Stopped processes count too, so that table time never moves backward.
            times = [abs(beat) for beat in beats.values()] + ([] if now is None else [now])
            latest = max(times, default=first)
            if now is None or began is None:
                began = latest
                upsert(connection, processes, {"process": LIT}, {"beat": began})
            if connection.execute(_BEAT, {"own": process, "latest": latest}).rowcount == 0:
                upsert(connection, processes, {"process": process}, {"beat": latest})
            silent = {one for one, beat in beats.items() if abs(beat) <= latest - SILENT and one != process}
            if silent:
                for part in (presences, processes):
                    connection.execute(part.delete().where(part.c.process.in_(silent)))
            return {one: beat for one, beat in beats.items() if one not in silent} | {process: latest, LIT: began}

    def stop(self, process: str, now: float) -> None:
        """Store that a process stops in order."""
        with self._begin() as connection:
            connection.execute(processes.update().where(processes.c.process == process).values(beat=-now))

    def sweep(self, ended: sa.Select[tuple[str]], now: float) -> None:
        """Delete the shared facts of these tables, and presences that are long past or of unknown processes."""
        with self._begin() as connection:
            for part in (presences, curtains, hints):
                connection.execute(part.delete().where(part.c.table.in_(ended)))
            known = sa.select(processes.c.process)
            past = sa.and_(presences.c.pages == 0, presences.c.until < now)
            connection.execute(presences.delete().where(sa.or_(past, presences.c.process.not_in(known))))


def _read_beats(connection: Connection) -> dict[str, float]:
    return {row.process: row.beat for row in connection.execute(_BEATS)}


def upsert(
    connection: Connection,
    part: sa.Table,
    same: Mapping[str, object],
    values: Mapping[str, object],
    changed: Mapping[str, object] | None = None,
) -> None:
    """Insert a row, or update it if it exists: to `changed`, by default to the same values."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    change = insert(part).values({**same, **values})
    connection.execute(change.on_conflict_do_update(index_elements=list(same), set_=dict(changed or values)))
