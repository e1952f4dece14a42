"""The kit recognizes answer windows, as in the Moot."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gonfalon.check import LAWS, run
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.rules.state import State
from tests.table.moot import Moot, Position

LAW = "a view asks what the state asks"


def failure(monkeypatch: pytest.MonkeyPatch, **methods: Callable[..., object]) -> str:
    """Return the kit's report on a Moot with these methods."""
    for name, method in methods.items():
        monkeypatch.setattr(Moot, name, method)
    [result] = run(Moot(seats=3), 0, rounds=4, laws=[law for law in LAWS if law.name == LAW])
    return result.failure


def test_the_moot_is_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert failure(monkeypatch) == ""


def test_a_window_known_only_to_a_seat_that_can_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Moot.window

    def window(self: Moot, view: State) -> str | None:
        return plain(self, view) if view.legal(view.asked()[0] if view.stack else 0)[:-1] else None

    assert "differs from that of the state" in failure(monkeypatch, window=window)


def test_a_turn_that_follows_from_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(self: Moot, view: State) -> int:
        assert isinstance(view, Position)
        return sum(view.hands[0])

    assert "turn" in failure(monkeypatch, turn=turn)


def test_a_window_without_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def window(self: Moot, view: State) -> str | None:
        return "Speech" if view.stack and view.stack[-1].prompt == "speak" else None

    assert "cannot pass" in failure(monkeypatch, window=window)


def test_a_window_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    def window(self: Moot, view: State) -> str | None:
        return "Choice" if view.stack and view.stack[-1].prompt == "choose" else None

    assert "instead of one seat" in failure(monkeypatch, window=window)


def test_a_window_without_a_word_for_passing(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Moot.parse

    def parse(self: Moot, text: str) -> int:
        if text == "pass":
            raise NotationError("There is no such action.")
        return plain(self, text)

    assert "parse() does not know" in failure(monkeypatch, parse=parse)
