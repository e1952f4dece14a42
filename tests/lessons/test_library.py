"""Annotated games: whole games by the rules, with notes where those whom they are about see something."""

from __future__ import annotations

import re

import pytest

from gonfalon import games
from gonfalon.core.replay import course
from gonfalon.lessons import ANNOTATED, Noted, shelf
from gonfalon.review.judging import MARKS
from gonfalon.review.players import Table
from gonfalon.review.work import hash_of
from tests.lessons.test_lessons import GAMES

LIBRARY = [one for game in GAMES for one in shelf.of_game(games.kind(game)) if one.kind == ANNOTATED]
MARKED = re.compile(r"\b(?<!no clear )(?:inaccuracy|mistake|blunder)\b")
OWN = re.compile(r"\b(?:You|you|your|he|she|his|her|him)\b")


def called(one: Noted) -> str:
    return f"{one.game.name}-{one.name}"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_five_annotated_games(game: str) -> None:
    assert [one.order for one in LIBRARY if one.game.name == game] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("noted", LIBRARY, ids=called)
def test_notes_are_checked_by_a_review_of_their_record(noted: Noted) -> None:
    checked, decisions = noted.checked, noted.record.decisions
    assert checked is not None
    assert checked.record == hash_of(noted.record)
    assert (checked.network != "") == ("network" in checked.judge)
    # Another network or scale would give other marks.
    table = Table(noted.game)
    assert checked.network == table.network
    assert checked.scale == [table.scale.told, table.scale.doubt, table.scale.floor]
    assert set(checked.marks.values()) <= {name for _, name in MARKS}
    assert all(decisions[at][0] >= 0 for at in checked.marks)


@pytest.mark.parametrize("noted", LIBRARY, ids=called)
def test_notes_call_nothing_a_mistake_that_the_review_did_not(noted: Noted) -> None:
    """A note stands behind the decision that it tells of: a step or two after it."""
    assert noted.checked is not None
    for note in noted.notes:
        for word in MARKED.findall(note.text):
            assert word in {noted.checked.marks.get(note.at - back) for back in (1, 2)}, note.text


@pytest.mark.parametrize("noted", LIBRARY, ids=called)
def test_an_annotated_game_is_played_to_its_end(noted: Noted) -> None:
    state = noted.record.replay()
    assert state.over
    assert noted.record.names == ["Ada", "Bo", "Cy"][: noted.game.seats]


@pytest.mark.parametrize("noted", LIBRARY, ids=called)
def test_each_note_has_a_step_of_its_own_that_its_seat_sees(noted: Noted) -> None:
    places = [note.at for note in noted.notes]
    assert 5 <= len(places) == len(set(places)) <= 12
    assert set(places) <= set(course(noted.record, noted.seat).marks)
    assert places[-1] == len(noted.record.decisions)
    assert not [note.text for note in noted.notes if note.do or note.wrong or len(note.text) > 260]


@pytest.mark.parametrize("noted", LIBRARY, ids=called)
def test_notes_tell_of_three_people_by_their_names(noted: Noted) -> None:
    """Whoever reads sees the table as any of them, so nobody is "you"."""
    texts = [noted.title, noted.about, *(note.text for note in noted.notes)]
    assert not [text for text in texts[1:] if OWN.search(text.removesuffix(LAST.get(called(noted), "")))]


LAST = {
    "jinkei-hunter": "Lead a 12 where no 0 can answer it. Where one waits, win what you can around it first.",
    "jinkei-colour": (
        "Before you lead, look at the colours in the enemy’s Rearguard; before you lay your own, see that no colour is "
        "missing."
    ),
    "factionwars-thieves": "Know what your goal counts, and who has it.",
}
"""Advice for whoever reads, at the end."""
