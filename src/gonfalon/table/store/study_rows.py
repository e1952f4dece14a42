"""The part of the store that keeps the studies of the Workshop: what is asked, and what is known by now.

A study is found by its key, which is its link, and an equal question by `same`. Who asked stands nowhere: whoever holds
a random token, of which the hash is kept, may stop the study, and `turn` is a number. Nothing of a table stands here,
and no table knows of a study.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from gonfalon.table.store.job_rows import Claimed, Jobs, columns
from gonfalon.table.store.schema import schema

KEPT: Final = 5_000
"""So many studies are kept; of more, those that are over and were asked for first are cleared away."""

studies: Final = sa.Table(
    "studies",
    schema,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("same", sa.String(64), nullable=False, unique=True),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("asked", sa.Float, nullable=False),
    *columns(),
    sa.Column("stop", sa.Boolean, nullable=False, server_default=sa.false()),
    # What is known by now; of a study that is over the answer.
    sa.Column("answer", sa.Text, nullable=False, server_default=""),
    sa.Column("failed", sa.Text, nullable=False, server_default=""),
    # The lowest one is made first.
    sa.Column("turn", sa.Integer, nullable=False, server_default="0"),
    sa.Index("studies_due", "due"),
)
_row: Final = studies.c
_jobs: Final = Jobs(studies, "key", ["turn", "asked"], {})


@dataclass(frozen=True)
class StudyRow:
    """A study as it is stored. `before`: so many others are before it, those at work included; `works`: somebody is at
    work on it."""

    key: str
    token: str
    question: str
    answer: str = ""
    failed: str = ""
    over: bool = False
    works: bool = False
    stop: bool = False
    before: int = 0


class StudyRows:
    """Reads and writes them."""

    @abstractmethod
    def _begin(self) -> AbstractContextManager[Connection]:
        """A transaction."""

    def ask_study(self, key: str, same: str, token: str, question: str, now: float, most: int, turn: int = 0) -> str:
        """Have a study made, which whoever holds the token of this hash may stop; returns its key, or that of one that
        asks the same and has not failed. Nothing when so many already wait."""
        with suppress(IntegrityError), self._begin() as connection:
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
        """A study, if there is such a one."""
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
        """The key of the study that asks the same and has not failed; empty where there is none."""
        query = sa.select(_row.key).where(_row.same == same, _row.failed == "")
        with self._begin() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    def studies_left(self, keys: Iterable[str]) -> list[str]:
        """Which of these are not over, in the order in which they were asked for."""
        query = sa.select(_row.key).where(_row.key.in_(list(keys)), _row.due.is_not(None)).order_by(_row.asked)
        with self._begin() as connection:
            return list(connection.execute(query).scalars())

    def latest_turn(self) -> int:
        """The highest turn of which a study was begun; 0 where none was."""
        with self._begin() as connection:
            return connection.execute(sa.select(sa.func.max(_row.turn)).where(_row.begun > 0)).scalar_one() or 0

    def stop_study(self, key: str, why: str) -> None:
        """Let it end with what is known; one that nobody has begun ends at once, which is told as `why`."""
        waits = studies.update().where(_row.key == key, _row.due.is_not(None))
        with self._begin() as connection:
            connection.execute(waits.where(_row.process == "").values(due=None, failed=why))
            connection.execute(waits.values(stop=True))

    def claim_study(self, process: str, now: float, until: float) -> Claimed | None:
        """Take the study that nobody makes and whose turn it is."""
        return _jobs.claim(self._begin, process, now, until)

    def tell_study(self, key: str, process: str, answer: str, until: float) -> bool | None:
        """Write down what is known by now, and that the work goes on; returns whether it shall stop, None when the
        study is not the process's own any more."""
        told = _jobs.own(key, process).values(due=until, **({"answer": answer} if answer else {}))
        with self._begin() as connection:
            found: bool | None = connection.execute(told.returning(_row.stop)).scalar_one_or_none()
            return None if found is None else bool(found)

    def end_study(self, key: str, process: str, answer: str, failed: str = "") -> None:
        """A study is over, with its answer or with the reason why there is none. One that was stopped answers no equal
        question any more."""
        over = {"due": None, "failed": failed} | ({"answer": answer} if answer else {})
        same = sa.case((_row.stop, _row.key), else_=_row.same)
        with self._begin() as connection:
            connection.execute(_jobs.own(key, process).values(**over, same=same))

    def release_studies(self, process: str, now: float) -> None:
        """A process stops: others may take what it was making."""
        _jobs.release(self._begin, process, now)
