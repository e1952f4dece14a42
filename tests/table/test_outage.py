"""Logging while the database is unavailable."""

from __future__ import annotations

import logging

import pytest

from gonfalon.table.errors import StoreError
from gonfalon.table.store.outage import Outage


def test_an_outage_is_logged_once_a_minute_and_when_it_is_over(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    outage, away = Outage(lambda: now), StoreError("The database did not answer: connection refused.")
    for second in range(150):
        now = float(second)
        outage.fail(away)
        outage.fail(away)
    outage.end()
    outage.end()
    assert caplog.messages == [
        "The database did not answer: connection refused.",
        "The database did not answer: connection refused. (failure 121 in 60 s)",
        "The database did not answer: connection refused. (failure 241 in 120 s)",
        "The database works again after 149 s and 300 failures.",
    ]
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 3 + [logging.WARNING]


def test_failures_now_and_then_are_logged_once_a_minute_too(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    outage = Outage(lambda: now)
    for second in range(61):
        now = float(second)
        outage.fail(StoreError("The disk is full."))
        outage.end()
    assert caplog.messages == [
        "The disk is full.",
        "The database works again after 0 s and 1 failures.",
        "The disk is full.",
        "The database works again after 0 s and 1 failures.",
    ]
