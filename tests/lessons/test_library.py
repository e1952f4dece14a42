"""Annotated games: complete games by the rules, with notes visible to the players they are about."""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from gonfalon.core.files.replay import trace_course
from gonfalon.lessons import ANNOTATED, Noted, shelf
from gonfalon.review.judging.budgets import Budgets, derive_seed
from gonfalon.review.judging.course import list_positions
from gonfalon.review.judging.judging import judge_decision
from gonfalon.review.judging.players import Table
from tests.lessons.test_lessons import GAMES

LIBRARY = [one for game in GAMES for one in shelf.list_lessons(games.find_game_class(game)) if one.kind == ANNOTATED]
MARKED = re.compile(r"\b(?<!no clear )(?:inaccuracy|mistake|blunder)\b")


def name_game(one: Noted) -> str:
    return f"{one.game.name}-{one.name}"


@pytest.mark.long
@pytest.mark.parametrize("noted", LIBRARY, ids=name_game)
def test_notes_call_nothing_a_mistake_that_a_review_does_not(noted: Noted) -> None:
    """A note follows its decision by a step or two."""
    table, positions = Table(noted.game), list_positions(noted.record)
    for note in noted.notes:
        for word in MARKED.findall(note.text):
            marks = []
            for at in (int(note.at) - 1, int(note.at) - 2):
                seat, action = noted.record.decisions[at]
                found = judge_decision(table, positions[at].mask(seat), action, Budgets(), derive_seed(0, at, 0))
                marks.append(found.mark if found else "")
            assert word in marks, note.text


@pytest.mark.parametrize("noted", LIBRARY, ids=name_game)
def test_an_annotated_game_is_played_to_its_end(noted: Noted) -> None:
    state = noted.record.replay()
    assert state.over
    assert noted.record.names == ["Ada", "Bo", "Cy"][: noted.game.seats]


@pytest.mark.parametrize("noted", LIBRARY, ids=name_game)
def test_each_note_has_a_step_of_its_own_that_its_seat_sees(noted: Noted) -> None:
    places = [note.at for note in noted.notes]
    assert 5 <= len(places) == len(set(places)) <= 12
    assert set(places) <= set(trace_course(noted.record, noted.seat).marks)
    assert places[-1] == len(noted.record.decisions)
    assert not [note.text for note in noted.notes if note.do or note.wrong or len(note.text) > 260]
