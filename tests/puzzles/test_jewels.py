"""Jewels, in a game whose chances can be reckoned by hand, and those that ship.

David names one of four cards, or the lower half: by his view the half is right in 1/2, a card in 1/4. With open cards
the half is as good as any answer while a card of it lies there; else the card is right for certain, and the half wrong.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.bots.choice import Belief
from gonfalon.cli import main
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.puzzles import finding, mining
from gonfalon.puzzles.cases import TRIES, Case, Deals, is_far, turned
from gonfalon.puzzles.course import proof_of
from gonfalon.puzzles.files import Position, Puzzle, PuzzleError, cards_of, check, deal, proved_open, read, write
from gonfalon.puzzles.finding import Finder
from gonfalon.puzzles.opening import dealt_anew
from gonfalon.puzzles.trying import EARLY, Worths, settled
from gonfalon.review.budgets import Budgets
from gonfalon.review.judging import Judge
from gonfalon.review.players import Table
from tests.review.guess import DAVID, LOW_HALF, Guess, GuessState

SEED = 4
"""Finds its puzzle: a quarter ahead is less than two errors in a deal of 128 worlds now and then."""


def guessed(high: bool) -> Record:
    """A finished game in which the card is of the lower half, or not."""
    for seed in range(20):
        record = Record(Guess())
        state = record.game.start()
        for decision in ((-1, -1 - seed), (DAVID, LOW_HALF)):
            state.apply(*decision)
            record.decisions.append(decision)
        if (state.zones()[0][0] & 3 >= 2) == high:
            return record
    raise AssertionError


def found(high: bool, jewels: bool) -> list[Puzzle]:
    return list(Finder(guessed(high), {"proof_seed": SEED}, SEED, jewels=jewels).find())


def test_the_cards_as_they_lay_make_a_jewel() -> None:
    [puzzle] = found(True, False)
    position = Position(puzzle, lambda *_, **__: Guess())
    card = position.state.zones()[0][0] & 3
    assert (puzzle.best, puzzle.open_best, puzzle.jewel) == ("low", f"card-{card}", True)
    # 1 against 0 in every deal of what nobody has seen, and so to the end.
    assert (puzzle.open_lead, puzzle.open_error, puzzle.open_end_lead, puzzle.open_end_error) == (1.0, 0.0, 1.0, 0.0)
    assert puzzle.lead == pytest.approx(0.25, abs=0.13)
    assert (puzzle.dealt, puzzle.cards) == (None, "")
    assert f"“Choose card-{card}” would be better" in puzzle.why
    assert "as they did in the game" in proof_of(position)
    assert check(puzzle, lambda *_, **__: Guess()).state.dump() == position.state.dump()


def test_an_open_answer_that_is_no_better_makes_none() -> None:
    """The card itself is right for certain, and so is its half."""
    [puzzle] = found(False, False)
    assert (puzzle.best, puzzle.open_best, puzzle.jewel, puzzle.others) == ("low", "low", False, [])


def test_other_cards_that_are_as_likely_make_one() -> None:
    [puzzle] = found(False, True)
    [plain] = found(False, False)
    assert puzzle.jewel
    assert puzzle.dealt is not None
    position, true = Position(puzzle, lambda *_, **__: Guess()), Position(plain, lambda *_, **__: Guess())
    card = position.state.zones()[0][0] & 3
    assert card >= 2 > true.state.zones()[0][0] & 3
    assert puzzle.open_best == f"card-{card}"
    # What the seat sees, and all that was proved of its answer, is the same.
    assert position.view.dump() == true.view.dump()
    opened = {"jewel", "kind", "why", "open_best", "dealt", "cards"}
    changed = {name for name in plain.__dict__ if getattr(plain, name) != getattr(puzzle, name)}
    assert changed | {"kind"} == opened | {"open_lead", "open_end_lead"}
    assert "dealt anew" in proof_of(position)


def test_the_cards_are_dealt_as_the_view_has_them() -> None:
    """That none of sixteen cases turns, with even odds, happens once in 65,536 times."""
    view = Position(found(False, False)[0], lambda *_, **__: Guess()).view
    lie = set()
    for seed in range(12):
        turned = dealt_anew(Judge(Table(Guess()), view, Budgets(), Rng(seed)), LOW_HALF, [2, 3])
        assert turned is not None
        assert turned.dealt is not None
        world = deal(view, turned.dealt)
        assert world.mask(DAVID).dump() == view.dump()
        lie.add(world.zones()[0][0] & 3)
    assert lie == {2, 3}


@pytest.mark.parametrize("high", [False, True])
def test_only_cases_that_turn_are_tried_and_the_true_one_first(high: bool) -> None:
    """A card is right for certain where it lies, and the lower half wrong there. That fewer than six of 64 cases are
    such, with even odds, never happens."""
    true = Position(found(high, False)[0], lambda *_, **__: Guess())
    case = Case(None, true.state, [])
    near = turned(Judge(Table(Guess()), true.view, Budgets(), Rng(1)), LOW_HALF, [2, 3], case)
    assert [case.world.zones()[0][0] & 3 >= 2 for case in near] == [True] * TRIES
    assert (near[0] is case) == high
    assert case not in near[1:]


def test_jewels_are_looked_for_in_the_last_quarter_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of nine decisions in the last three, as two would be less than a quarter."""
    record, asked = guessed(True), set[int]()
    record.decisions = [record.decisions[0], *[(DAVID, LOW_HALF)] * 9]
    monkeypatch.setattr(finding, "positions", lambda _: [])
    monkeypatch.setattr(Finder, "puzzle", lambda _, at: asked.add(at))
    for jewels, ats in ((True, {7, 8, 9}), (False, set(range(1, 10)))):
        asked.clear()
        assert list(Finder(record, {}, SEED, jewels=jewels).find()) == []
        assert asked == ats


def test_a_world_is_dealt_again_by_its_seed() -> None:
    view = Position(found(False, False)[0], lambda *_, **__: Guess()).view
    deals = Deals(Judge(Table(Guess()), view, Budgets(), Rng(5)))
    some = [deals.next() for _ in range(100)]
    for world in some:
        assert cards_of(deal(view, deals.seeds[id(world)])) == cards_of(world)
    lie = Counter(world.hand[0] & 3 for world in some if isinstance(world, GuessState))
    assert len(lie) == 4  # each is as likely as the others


def test_a_small_lead_is_given_up_early() -> None:
    tried: list[int] = []

    def level(worths: Worths, actions: object, worlds: int) -> None:
        tried.append(worlds)
        worths.add({0: [[0.52] * worlds], 1: [[0.5] * worlds]})

    assert settled(level, 0, [1], 0.03, 128) is None
    assert tried == [EARLY]
    assert settled(level, 0, [1], 0.01, 128) is not None
    assert sum(tried[1:]) == 128


def test_a_file_is_given_jewels_in_their_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "found.jsonl"
    write(path, [*found(True, False), *found(False, False), *found(False, False)])
    monkeypatch.setattr(games, "game", lambda *_, **__: Guess())
    [jewel] = mining.deal_anew(path, 2)
    assert [puzzle.jewel for puzzle in read(path)] == [True, True, False]
    assert read(path)[1] == jewel
    assert list(mining.deal_anew(path, 2)) == []


def test_a_file_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "found.jsonl"
    write(path, found(False, False))
    before = path.read_bytes()
    monkeypatch.setattr(games, "game", lambda *_, **__: Guess())

    def full(part: Path, text: str, *_: str) -> None:
        part.write_bytes(text.encode()[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="space"):
        list(mining.deal_anew(path, 1))
    assert path.read_bytes() == before


def test_a_puzzle_without_its_seed_is_not_dealt(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    write(path, [replace(found(False, False)[0], source={"seed": 1, "number": 2})])
    with pytest.raises(PuzzleError, match="proof_seed"):
        list(mining.deal_anew(path, 1))


def test_a_file_that_is_not_there_is_said_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.jsonl"
    assert main(["puzzles", "deal", str(path)]) == 2
    assert capsys.readouterr() == ("", f"gonfalon: There is no file {path}.\n")
    assert not path.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"open_lead": 0.03},
        {"open_lead": 0.2, "open_error": 0.1},
        {"open_end_lead": 0.0},
        {"open_end_lead": 0.1, "open_end_error": 0.05},
    ],
)
def test_an_open_answer_that_may_be_noise_is_not_proved(change: dict[str, Any]) -> None:
    [puzzle] = found(True, False)
    assert proved_open(puzzle)
    spoilt = replace(puzzle, **change)
    with pytest.raises(PuzzleError, match="open answer"):
        check(spoilt, lambda *_, **__: Guess())


def test_cards_that_are_dealt_otherwise_are_noticed() -> None:
    [puzzle] = found(False, True)
    with pytest.raises(PuzzleError, match="dealt otherwise"):
        check(replace(puzzle, cards="0" * 16), lambda *_, **__: Guess())


@pytest.mark.parametrize(("chance", "far"), [(0.04, True), (0.05, False), (None, True)])
def test_what_hardly_ever_lies_there_is_not_dealt(
    chance: float | None, far: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The likeliest is 0.9: a twentieth of that is 0.045. What is not listed at all has no chance."""
    view = Position(found(False, False)[0], lambda *_, **__: Guess()).view
    judge = Judge(Table(Guess()), view, Budgets(), Rng(5))
    monkeypatch.setattr(judge.table.insight, "truths", lambda *_: {"their card": "2"})
    listed = () if chance is None else (("2", chance),)
    facts = [Belief("their card", (("1", 0.9), *listed)), Belief("nothing", (("x", 1.0),))]
    assert is_far(judge, judge.worlds.next(), facts) == far
