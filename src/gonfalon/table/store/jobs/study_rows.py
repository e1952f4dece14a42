"""The part of the store that keeps the studies of the Workshop: questions and results.

A study is found by its key, which is its link, and an equal question by `same`. The asker is not stored: the holder of
a random token, whose hash is kept, may stop the study, and `turn` is a number. No study refers to a table, and no table
to a study.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from gonfalon.table.store.jobs.job_rows import Claimed, Jobs, job_columns
from gonfalon.table.store.schema import Rows, schema

KEPT: Final = 5_000
"""The number of studies that are kept. The oldest finished ones are deleted first."""

studies: Final = sa.Table(
    "studies",
    schema,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("same", sa.String(64), nullable=False, unique=True),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("asked", sa.Float, nullable=False),
    *job_columns(),
    sa.Column("stop", sa.Boolean, nullable=False, server_default=sa.false()),
    # The results so far; the answer once the study is over.
    sa.Column("answer", sa.Text, nullable=False, server_default=""),
    sa.Column("failed", sa.Text, nullable=False, server_default=""),
    # The study with the lowest turn runs first.
    sa.Column("turn", sa.Integer, nullable=False, server_default="0"),
    sa.Index("studies_due", "due"),
)
_row: Final = studies.c
_jobs: Final = Jobs(studies, "key", ["turn", "asked"], {})


@dataclass(frozen=True)
class StudyRow:
    """A stored study. `before` is the number of studies ahead of it, including those in progress; `works` says whether
    a process works on it."""

    key: str
    token: str
    question: str
    answer: str = ""
    failed: str = ""
    over: bool = False
    works: bool = False
    stop: bool = False
    before: int = 0


class StudyRows(Rows):
    """Reads and writes studies."""

    def ask_study(self, key: str, same: str, token: str, question: str, now: float, most: int, turn: int = 0) -> str:
        """Request a study, which the holder of the token of this hash may stop.

        Returns:
            Its key, or that of an equal study that has not failed; None if too many are waiting.
        """
        with suppress(IntegrityError), self._begin() as connection:
            # The column `same` is unique, so a failed study makes room before it is requested again.
            connection.execute(studies.delete().where(_row.same == same, _row.failed != ""))
            there: str | None = connection.execute(sa.select(_row.key).where(_row.same == same)).scalar_one_or_none()
            if there is not None:
                return there
            if connection.execute(sa.select(sa.func.count()).where(_row.due.is_not(None))).scalar_one() >= most:
                return ""
            row = {"key": key, "same": same, "question": question, "asked": now, "due": now}
            connection.execute(studies.insert().values(**row, token=token, turn=turn))
            over = sa.select(_row.key).where(_row.due.is_(None)).order_by(_row.asked.desc()).offset(KEPT)
            connection.execute(studies.delete().where(_row.key.in_(over.scalar_subquery())))
            return key
        with self._begin() as connection:  # another process was quicker with the same
            return connection.execute(sa.select(_row.key).where(_row.same == same)).scalar_one_or_none() or ""

    def study(self, key: str) -> StudyRow | None:
        """Return a study, if it exists."""
        parts = (_row.key, _row.token, _row.question, _row.answer, _row.failed, _row.stop, _row.due, _row.process)
        with self._begin() as connection:
            row = connection.execute(sa.select(*parts, _row.turn, _row.asked).where(_row.key == key)).one_or_none()
            if row is None:
                return None
            own, token, question, answer, failed, stop, due, process, turn, asked = row
            over, before = due is None, 0
            if not over and not process:
                sooner = sa.tuple_(_row.turn, _row.asked) < sa.tuple_(sa.literal(turn), sa.literal(asked))
                earlier = sa.select(sa.func.count()).where(_row.due.is_not(None), sooner | (_row.process != ""))
                before = connection.execute(earlier).scalar_one()
            works = bool(process) and not over
            return StudyRow(own, token, question, answer, failed, over, works, bool(stop), before)

    def study_asking(self, same: str) -> str:
        """Return the key of an equal study that has not failed; empty if there is none."""
        query = sa.select(_row.key).where(_row.same == same, _row.failed == "")
        with self._begin() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    def studies_left(self, keys: Iterable[str]) -> list[str]:
        """Return the unfinished studies among these, in the order of their requests."""
        query = sa.select(_row.key).where(_row.key.in_(list(keys)), _row.due.is_not(None)).order_by(_row.asked)
        with self._begin() as connection:
            return list(connection.execute(query).scalars())

    def latest_turn(self) -> int:
        """Return the highest turn of a started study; 0 if there is none."""
        with self._begin() as connection:
            return connection.execute(sa.select(sa.func.max(_row.turn)).where(_row.begun > 0)).scalar_one() or 0

    def stop_study(self, key: str, why: str) -> None:
        """End a study with its results so far. One that has not started ends at once, with the reason `why`."""
        waits = studies.update().where(_row.key == key, _row.due.is_not(None))
        with self._begin() as connection:
            connection.execute(waits.where(_row.process == "").values(due=None, failed=why))
            connection.execute(waits.values(stop=True))

    def claim_study(self, process: str, now: float, until: float) -> Claimed | None:
        """Claim the study whose turn it is and that no process makes."""
        return _jobs.claim(self._begin, process, now, until)

    def tell_study(self, key: str, process: str, answer: str, until: float) -> bool | None:
        """Store the results so far. Return whether the study shall stop, or None if it is no longer this
        process's own."""
        told = _jobs.own(key, process).values(due=until, **({"answer": answer} if answer else {}))
        with self._begin() as connection:
            found: bool | None = connection.execute(told.returning(_row.stop)).scalar_one_or_none()
            return None if found is None else bool(found)

    def end_study(self, key: str, process: str, answer: str, failed: str = "") -> None:
        """Store the answer of a study, or the reason why there is none. A study that was stopped answers no equal
        question."""
        over = {"due": None, "failed": failed} | ({"answer": answer} if answer else {})
        same = sa.case((_row.stop, _row.key), else_=_row.same)
        with self._begin() as connection:
            connection.execute(_jobs.own(key, process).values(**over, same=same))

    def release_studies(self, process: str, now: float) -> None:
        """Release the studies of a process that stops."""
        _jobs.release(self._begin, process, now)
