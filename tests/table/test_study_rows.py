"""Studies that are asked for: equal ones are one, one process at a time makes each, and the oldest make room."""

from __future__ import annotations

from functools import partial

import pytest

from gonfalon.table import Store
from gonfalon.table.store.jobs import study_rows
from gonfalon.table.store.jobs.job_rows import Claimed
from gonfalon.table.store.jobs.study_rows import StudyRow
from tests.table.opening import run_at_once


def test_a_study_from_the_question_to_the_answer(store: Store) -> None:
    assert store.ask_study("s", "same", "ann", "{}", 1.0, 2) == "s"
    assert store.ask_study("t", "same", "bo", "{}", 2.0, 2) == "s", "it is asked for already"
    assert store.ask_study("t", "other", "bo", "{}", 2.0, 2) == "t"
    assert store.ask_study("u", "third", "cy", "{}", 3.0, 2) == "", "two wait"
    assert (store.study_asking("same"), store.study_asking("third")) == ("s", "")
    assert store.study("t") == StudyRow("t", "bo", "{}", before=1)
    assert store.claim_study("p", 5.0, 20.0) == Claimed("s", 1), "that was asked for first"
    assert store.tell_study("s", "q", "half", 30.0) is None, "it is another's"
    assert store.tell_study("s", "p", "half", 30.0) is False
    assert store.study("s") == StudyRow("s", "ann", "{}", "half", works=True)
    store.stop_study("s", "stopped")
    assert store.tell_study("s", "p", "", 30.0) is True
    store.end_study("s", "p", "whole")
    assert store.study("s") == StudyRow("s", "ann", "{}", "whole", over=True, stop=True)
    assert store.studies_left(["t", "s", "u"]) == ["t"]
    assert store.study_asking("same") == "", "who asks again wants more than what was stopped"
    assert store.study("nothing") is None


def test_another_process_takes_over_abandoned_studies_and_failed_ones_are_retried(store: Store) -> None:
    store.ask_study("s", "same", "ann", "{}", 1.0, 9)
    assert store.claim_study("p", 5.0, 20.0) == Claimed("s", 1)
    assert store.claim_study("q", 19.0, 40.0) is None
    store.release_studies("p", 19.0)
    assert store.claim_study("q", 19.0, 40.0) == Claimed("s", 1), "whoever stops in order has not begun it"
    assert store.claim_study("r", 41.0, 60.0) == Claimed("s", 2), "whoever says nothing has"
    store.end_study("s", "q", "late")
    assert store.study("s") == StudyRow("s", "ann", "{}", works=True)
    store.end_study("s", "r", "", "It failed.")
    assert store.study("s") == StudyRow("s", "ann", "{}", failed="It failed.", over=True)
    assert store.ask_study("t", "same", "bo", "{}", 70.0, 9) == "t"
    store.stop_study("t", "Never begun.")
    assert store.study("t") == StudyRow("t", "bo", "{}", failed="Never begun.", over=True)


def test_the_lowest_turn_comes_first(store: Store) -> None:
    for number, (key, turn) in enumerate((("a", 1), ("b", 2), ("c", 1))):
        store.ask_study(key, key, "", "{}", float(number), 9, turn)
    assert [row.before for key in "abc" if (row := store.study(key))] == [0, 2, 1]
    assert store.latest_turn() == 0
    assert [store.claim_study("p", 5.0, 20.0), store.claim_study("q", 5.0, 20.0)] == [("a", 1), ("c", 1)]
    assert store.latest_turn() == 1
    store.ask_study("d", "d", "", "{}", 9.0, 9, 1)
    assert [row.before for key in "bd" if (row := store.study(key))] == [3, 2], "those at work are before all others"


def test_the_oldest_that_are_over_make_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_rows, "KEPT", 1)
    for number, key in enumerate("abc"):
        store.ask_study(key, key, "ann", "{}", float(number), 9)
        if key != "c":
            store.claim_study("p", 10.0, 20.0)
            store.end_study(key, "p", "whole")
    store.ask_study("d", "d", "ann", "{}", 4.0, 9)
    assert [key for key in "abcd" if store.study(key)] == ["b", "c", "d"]


def test_of_equal_questions_at_once_one_is_asked(database: str, store: Store) -> None:
    other, found = Store(database), list[str]()

    def ask(where: Store, key: str) -> None:
        found.append(where.ask_study(key, "same", key, "{}", 1.0, 9))

    run_at_once(partial(ask, store, "s"), partial(ask, other, "t"))
    other.close()
    assert len(found) == 2
    assert len({*found}) == 1
