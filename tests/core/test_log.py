"""The log in words: events that belong together are one line, which keeps the number of its last event."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon import Rng, games
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import LogReader, list_lines
from gonfalon.core.rules.state import OPEN, SPECTATOR, Event, State
from tests.table.duel import Duel

DRAWS, CARD, MOVES, QUIET = range(4)
ALL, OWN = -1, 1
SENTENCES = {DRAWS: "You draw.", CARD: "A card.", MOVES: "  Somebody moves.", QUIET: ""}


class Sayings(Duel):
    """A game whose cards belong to the line of their draw."""

    def words(self, event: Event, view: State, names: list[str]) -> str:
        return SENTENCES[event[0]]

    def continues(self, event: Event, last: Event) -> bool:
        return event[0] == CARD and last[0] in (DRAWS, CARD)


def view_of(*events: tuple[int, int]) -> State:
    """Return a view with a log of events: a code and an audience each."""
    view = Sayings().start(log=True).mask(0)
    view.log = [(code, audience, 0, 0, 0, 0) for code, audience in events]
    return view


def test_a_line_has_the_events_that_continue_each_other() -> None:
    view = view_of((DRAWS, ALL), (CARD, OWN), (CARD, OWN), (QUIET, ALL), (MOVES, ALL), (CARD, ALL), (DRAWS, ALL))
    assert list(list_lines(Sayings(), view, [])) == [
        {"n": 2, "text": "You draw. A card. A card.", "indent": 0, "private": True, "mark": ""},
        {"n": 4, "text": "Somebody moves.", "indent": 1, "private": False, "mark": ""},
        {"n": 5, "text": "A card.", "indent": 0, "private": False, "mark": ""},
        {"n": 6, "text": "You draw.", "indent": 0, "private": False, "mark": ""},
    ]


def test_the_news_may_begin_in_the_middle_of_a_line() -> None:
    view = view_of((DRAWS, ALL), (CARD, ALL), (CARD, ALL), (MOVES, ALL))
    assert [(line["n"], line["text"]) for line in list_lines(Sayings(), view, [], 2)] == [
        (2, "A card."),
        (3, "Somebody moves."),
    ]


EVENTS = st.lists(st.tuples(st.sampled_from([DRAWS, CARD, MOVES, QUIET]), st.sampled_from([ALL, OWN])), max_size=12)


@given(st.lists(EVENTS, min_size=1, max_size=5))
def test_a_reader_gives_the_same_lines_however_the_log_changes(logs: Sequence[list[tuple[int, int]]]) -> None:
    """A log grows, an undo shortens it, and a card that is forgotten changes an earlier event."""
    reader = LogReader()
    for events in logs:
        view = view_of(*events)
        assert reader.read(Sayings(), view, ["You"]) == list(list_lines(Sayings(), view, ["You"]))


@pytest.mark.parametrize("name", games.names())
def test_lines_of_whole_games_are_the_same_while_they_grow(name: str) -> None:
    game: Game = games.find_game_class(name)()
    for viewer in (0, SPECTATOR, OPEN):
        state, rng, reader, names = game.start(log=True), Rng(5), LogReader(), names_for(game, viewer)
        for number in range(150):
            if state.over:
                break
            state.apply(state.turn, state.sample(rng))
            view = state.mask(viewer)
            lines = reader.read(game, view, names)
            assert number % 10 or lines == list(list_lines(game, view, names))
            places = [line["n"] for line in lines]
            assert places == sorted(set(places))
            assert not places or places[-1] < len(view.log or ())
