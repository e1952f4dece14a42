"""Reviews in progress: one process at a time makes one, all see its progress, and another takes over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from gonfalon.review.files import JudgedDecision
from gonfalon.table import Store
from gonfalon.table.store.jobs.job_rows import Claimed
from gonfalon.table.store.jobs.review_rows import Job
from tests.table.opening import run_at_once
from tests.table.test_store import row

DECISION = cast("JudgedDecision", {"at": 2, "mark": "mistake"})


@pytest.fixture
def here(database: str) -> Iterator[Store]:
    store = Store(database)
    for key in ("k", "l", "m"):
        store.create(row(key), [])
    yield store
    store.close()


@pytest.fixture
def there(database: str, here: Store) -> Iterator[Store]:
    """The database as another process opens it."""
    store = Store(database)
    yield store
    store.close()


def test_every_process_shows_the_progress_of_one(here: Store, there: Store) -> None:
    assert there.review_job("k") is None
    assert here.ask_review("k", 100.0, 2)
    assert there.review_job("k") == Job()
    assert here.claim_review("a", 100.0, 115.0) == Claimed("k", 1)
    assert here.tell_review("k", "a", Job(3, 38, [DECISION]), 116.0)
    assert there.review_job("k") == Job(3, 38, [DECISION])
    assert there.ask_review("k", 101.0, 2)
    assert there.review_job("k") == Job(3, 38, [DECISION]), "it is not begun anew"


def test_a_review_is_one_processs_until_its_claim_ends(here: Store, there: Store) -> None:
    here.ask_review("k", 100.0, 2)
    assert here.claim_review("a", 100.0, 115.0) == Claimed("k", 1)
    here.tell_review("k", "a", Job(3, 38), 120.0)
    assert there.claim_review("b", 119.0, 134.0) is None
    assert there.claim_review("b", 120.0, 135.0) == Claimed("k", 2)
    assert here.review_job("k") == Job(), "it begins anew"
    assert not here.tell_review("k", "a", Job(4, 38), 135.0)
    here.fail_review("k", "a", "No.")
    assert there.tell_review("k", "b", Job(1, 38), 136.0)
    assert here.review_job("k") == Job(1, 38)


def test_the_one_that_has_waited_longest_comes_first(here: Store) -> None:
    here.ask_review("l", 101.0, 3)
    here.ask_review("k", 100.0, 3)
    assert [here.claim_review("a", 102.0, 117.0) for _ in range(3)] == [Claimed("k", 1), Claimed("l", 1), None]


def test_of_two_at_once_one_gets_it(here: Store, there: Store) -> None:
    here.ask_review("k", 100.0, 2)
    got: list[Claimed | None] = []
    run_at_once(*(lambda one=one: got.append(one.claim_review(one.process, 100.0, 115.0)) for one in (here, there)))
    assert sorted(got, key=lambda one: one is None) == [Claimed("k", 1), None]


def test_so_many_are_asked_for_at_most(here: Store, there: Store) -> None:
    assert here.ask_review("k", 100.0, 2)
    assert there.ask_review("l", 100.0, 2)
    assert not here.ask_review("m", 100.0, 2)
    here.claim_review("a", 100.0, 115.0)
    here.fail_review("k", "a", "No.")
    assert here.ask_review("m", 100.0, 2), "one that has failed is not under way"


def test_one_that_failed_waits_until_it_is_asked_for_again(here: Store) -> None:
    here.ask_review("k", 100.0, 2)
    here.claim_review("a", 100.0, 115.0)
    here.fail_review("k", "a", "No.")
    assert here.review_job("k") == Job(failed="No.")
    assert here.claim_review("a", 200.0, 215.0) is None
    assert here.ask_review("k", 200.0, 2)
    assert here.claim_review("a", 200.0, 215.0) == Claimed("k", 1)


def test_a_stopping_process_releases_its_review(here: Store, there: Store) -> None:
    here.ask_review("k", 100.0, 2)
    here.claim_review("a", 100.0, 115.0)
    here.release_reviews("a", 103.0)
    assert not here.tell_review("k", "a", Job(3, 38), 118.0)
    assert there.claim_review("b", 103.0, 118.0) == Claimed("k", 1), "a process that says so has not died of it"


def test_a_kept_review_takes_the_place_of_its_making(here: Store, there: Store) -> None:
    here.ask_review("k", 100.0, 2)
    here.claim_review("a", 100.0, 115.0)
    here.keep_review("k", "{}")
    assert (there.review("k"), there.review_job("k")) == ("{}", None)
    here.keep_review("k", "[]")
    assert there.review("k") == "{}"


def test_a_table_that_is_cleared_away_is_not_reviewed(here: Store) -> None:
    here.ask_review("k", 100.0, 2)
    here.clear("k")
    assert here.review_job("k") is None
    assert here.claim_review("a", 100.0, 115.0) is None
    here.keep_review("k", "{}")
    assert here.review("k") is None
