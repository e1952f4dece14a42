"""First games and exercises: they replay by the rules, ask for possible actions, and answer every other attempt."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import gonfalon
from gonfalon import games
from gonfalon.core.basics.rng import Rng
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.feint import Feint
from gonfalon.lessons import Course, NotesError, read_notes, shelf
from gonfalon.review.judging.budgets import Budgets
from gonfalon.review.judging.judging import Judge, Outcomes
from gonfalon.review.judging.players import Table

GAMES = ("factionwars", "feint", "generals", "jinkei")
PAGES = [
    (game, one.name)
    for game in GAMES
    for one in shelf.list_lessons(games.find_game_class(game))
    if one.kind != "annotated"
]
FEINT = games.find_game_class("feint").folder / "lessons"


@pytest.mark.parametrize(("game", "name"), PAGES)
def test_a_lesson_replays_and_can_be_played_to_its_end(game: str, name: str) -> None:
    course = shelf.load_course(games.find_game_class(game), name)
    course.noted.record.replay()
    place = 0
    while place < len(course.steps) - 1:
        step = course.steps[place]
        assert step.view.viewer == course.noted.seat
        ruling = None if step.asks is None else course.answer(place, [step.asks])
        assert ruling is None or (ruling.right, ruling.why) == (1, None)
        place += 1
    assert course.steps[-1].note is not None


@pytest.mark.parametrize(("game", "name"), PAGES)
def test_a_note_is_one_line(game: str, name: str) -> None:
    """The prompt has at most ten words, the news and a first reply one short sentence or two."""
    noted = shelf.find_lesson(games.find_game_class(game), name)
    assert (len(noted.learned) == 3) == (noted.kind == "lesson")
    for note in noted.notes:
        assert len(note.text.split()) <= 10, note.text
        assert len(note.news.split()) <= 12, note.news
        for reply in (*note.why.values(), *note.wrong.values()):
            assert len(reply.split()) <= 18, reply


@pytest.mark.parametrize(("game", "name"), PAGES)
def test_every_other_legal_action_gets_an_answer_without_effect(game: str, name: str) -> None:
    course = shelf.load_course(games.find_game_class(game), name)
    for place, step in enumerate(course.steps):
        if step.asks is None:
            continue
        assert step.note is not None
        legal = step.view.legal(course.noted.seat)
        assert step.asks in legal
        for action in set(legal) - {step.asks, *step.note.do}:
            ruling = course.answer(place, [action])
            assert ruling.right == 0
            assert ruling.why


def test_an_illegal_move_is_answered_by_the_rules() -> None:
    course = shelf.load_course(games.find_game_class("feint"), "first")
    game = course.noted.game
    # Four of the player's own and three of a face-down card lie at 6: with a Patriot it would be thirteen.
    place = next(n for n, step in enumerate(course.steps) if step.asks == game.parse("guardian-angel@6"))
    why = course.answer(place, [game.parse("patriot@6")]).why
    assert why is not None
    assert cite_rule(why) == "Location 6 has room for 3. Patriot needs 6 (ruling 18)."


def test_equally_good_answers_are_right(tmp_path: Path) -> None:
    notes = [{"at": 2, "text": "Now.", "do": ["knight-of-6@6", "patriot@6"]}, {"at": 3, "text": "Good."}]
    course = Course(read_notes(spoilt(tmp_path, notes=notes), gonfalon.game))
    game = course.noted.game
    assert course.answer(0, [game.parse("patriot@6")]) == (1, None, True)
    assert course.answer(0, [game.parse("knight-of-6@6")]) == (1, None, False)
    assert course.answer(0, [game.parse("pass")]) == (0, "Not now. Choose “Play Knight of 6 to 6”.", False)


def test_actions_after_the_last_right_answer_are_dropped() -> None:
    course = shelf.load_course(games.find_game_class("feint"), "first")
    asks = [step.asks for step in course.steps]
    passes, card = (course.noted.game.parse(one) for one in ("pass", "patriot@2"))
    place = asks.index(passes)
    assert course.answer(place, [passes, card]) == (1, None, False)
    assert course.answer(place + 1, [passes]).why == "This step needs no answer. Continue."


EXERCISES = [(game, name) for game, name in PAGES if name != "first"]


@pytest.mark.parametrize(("game", "name"), EXERCISES)
def test_an_exercise_is_a_new_position_and_one_decision(game: str, name: str) -> None:
    """It is not from the first game, whose notes reveal the answer, and the page does not mark it."""
    kind = games.find_game_class(game)
    lesson, exercise = (shelf.load_course(kind, one) for one in ("first", name))
    step = exercise.steps[0]
    assert step.asks is not None
    assert step.note is not None
    assert step.note.point == ()
    assert [one.asks for one in exercise.steps[1:]] == [None] * (len(exercise.steps) - 1)
    assert step.view.dump() not in [one.view.dump() for one in lesson.steps]
    record = exercise.noted.record.decisions
    # Nor is it one that the first game would have come to.
    assert record[: len(lesson.noted.record.decisions)] != lesson.noted.record.decisions


@pytest.mark.extended
@pytest.mark.parametrize(("game", "name"), EXERCISES)
def test_the_answer_of_an_exercise_is_best_by_the_review(game: str, name: str) -> None:
    noted = shelf.find_lesson(games.find_game_class(game), name)
    step = shelf.load_course(games.find_game_class(game), name).steps[0]
    judge = Judge(Table(noted.game), step.view, Budgets(), Rng(0))
    outcomes = Outcomes(len(judge.beliefs))
    legal = step.view.legal(noted.seat)
    judge.try_out(outcomes, legal, 32)
    assert step.asks is not None
    assert all(outcomes.find_smallest_lead(step.asks, other).value > 0.0 for other in legal if other != step.asks)


@pytest.mark.parametrize(("game", "name"), EXERCISES)
def test_a_wrong_answer_in_an_exercise_gets_a_hint_only(game: str, name: str) -> None:
    course = shelf.load_course(games.find_game_class(game), name)
    step, asked = course.steps[0], course.noted.game
    assert step.note is not None
    assert step.asks is not None
    for action in step.view.legal(course.noted.seat):
        if action != step.asks and action not in step.note.do:
            why = course.answer(0, [action]).why
            assert why
            assert not why.endswith("Look again.")
            assert asked.describe(step.view, step.asks).rstrip(".") not in why


def spoilt(folder: Path, **changes: object) -> Path:
    """Return Feint's first game with other notes."""
    shutil.copy(FEINT / "first.record.json", folder)
    body = json.loads((FEINT / "first.json").read_text("utf-8")) | changes
    file = folder / "first.json"
    file.write_text(json.dumps(body), "utf-8")
    return file


def test_a_review_that_lies_beside_a_record_is_no_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`gonfalon review` stores one there."""
    folder = tmp_path / "library"
    folder.mkdir()
    spoilt(folder)
    (folder / "first.record.review.json").write_text("{}", "utf-8")
    shutil.copytree(FEINT.parent / "kept", tmp_path / "kept")
    monkeypatch.setattr(Feint, "folder", tmp_path)
    assert [one.name for one in shelf.read_lessons(Feint)] == ["first"]


END = {"at": 11, "text": "The end."}
ASKS = {"at": 2, "text": "Now.", "do": ["knight-of-6@6"]}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seat": 2}, "no seat 2"),
        ({"record": "../first.record.json"}, "without a path"),
        ({"notes": [{"at": 99, "text": "Late."}]}, "99"),
        ({"notes": [{"at": 2, "text": "Now.", "do": ["patriot@6"]}, END]}, "does not ask for the record's action"),
        ({"notes": [{"at": 2, "text": "Now.", "do": ["knight-of-6@6", "knight-of-6@5"]}, END]}, "illegal there"),
        ({"notes": [{"at": 2, "text": "Now.", "do": ["knight-of-6@6"]}]}, "last note asks"),
        ({"notes": [ASKS | {"why": {"patriot@5": "So."}}, END]}, "has a reason for patriot@5, which is not played"),
        ({"notes": [{"at": 11, "text": "B."}, {"at": 1, "text": "A."}]}, "order"),
    ],
)
def test_notes_that_do_not_belong_are_refused_in_a_sentence(
    tmp_path: Path, changes: dict[str, object], says: str
) -> None:
    with pytest.raises(NotesError, match=says):
        read_notes(spoilt(tmp_path, **changes), gonfalon.game)


def test_a_note_where_its_seat_sees_nothing_is_refused(tmp_path: Path) -> None:
    # Decision 10 is May's answer to a question put to both: until then nobody sees that she has answered.
    file = spoilt(tmp_path, seat=1, notes=[{"at": 9, "text": "Look."}, {"at": 10, "text": "Look."}, END])
    with pytest.raises(NotesError, match="cannot see"):
        Course(read_notes(file, gonfalon.game))


@pytest.mark.parametrize("game", ["jinkei", "generals"])
def test_an_answer_is_not_shown_again_before_what_comes_of_it(game: str) -> None:
    """An attack is seen in its duel, and the end of a turn in what the other player does."""
    steps = shelf.load_course(games.find_game_class(game), "first").steps
    for before, step, after in zip(steps, steps[1:], steps[2:], strict=False):
        if before.asks is not None and step.note is None and not step.view.moment:
            assert after.note is not None
            assert not after.view.moment
    assert len(steps) == {"jinkei": 24, "generals": 26}[game]


def test_the_first_lesson_is_found_without_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "read_notes", lambda *_: pytest.fail("A record was read."))
    shelf._find_minutes.cache_clear()
    assert [shelf.find_first_lesson(games.find_game_class(game)) for game in GAMES] == [3, 2, 4, 4]
