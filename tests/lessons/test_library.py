"""Annotated games: complete games by the rules, with notes visible to the players they are about."""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from gonfalon.core.files.replay import trace_course
from gonfalon.lessons import ANNOTATED, Noted, shelf
from gonfalon.review.judging.judging import MARKS
from gonfalon.review.judging.players import Table
from gonfalon.review.work import hash_record
from tests.lessons.test_lessons import GAMES

LIBRARY = [one for game in GAMES for one in shelf.list_lessons(games.find_game_class(game)) if one.kind == ANNOTATED]
MARKED = re.compile(r"\b(?<!no clear )(?:inaccuracy|mistake|blunder)\b")


def name_game(one: Noted) -> str:
    return f"{one.game.name}-{one.name}"


@pytest.mark.parametrize("noted", LIBRARY, ids=name_game)
def test_notes_are_checked_by_a_review_of_their_record(noted: Noted) -> None:
    checked, decisions = noted.checked, noted.record.decisions
    assert checked is not None
    assert checked.record == hash_record(noted.record)
    assert (checked.network != "") == ("network" in checked.judge)
    # Another network would give other marks.
    table = Table(noted.game)
    assert checked.network == table.network
    assert set(checked.marks.values()) <= {name for _, name in MARKS}
    assert all(decisions[at][0] >= 0 for at in checked.marks)


@pytest.mark.parametrize("noted", LIBRARY, ids=name_game)
def test_notes_call_nothing_a_mistake_that_the_review_did_not(noted: Noted) -> None:
    """A note follows its decision by a step or two."""
    assert noted.checked is not None
    for note in noted.notes:
        for word in MARKED.findall(note.text):
            assert word in {noted.checked.marks.get(int(note.at) - back) for back in (1, 2)}, note.text


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
