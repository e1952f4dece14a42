"""Records with their reviews on the screen."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import pytest

import gonfalon
from gonfalon.bots import make
from gonfalon.bots.driver import Driver
from gonfalon.core.record import Record
from gonfalon.core.state import CHANCE, OPEN, SPECTATOR
from gonfalon.review import ReviewError
from gonfalon.review.files import Believed, Decided, Review, beside, dumps, held
from gonfalon.review.trust import INTERVALS
from gonfalon.review.work import Counted, hash_of, put_together, usual
from gonfalon.terminal import kept, replay
from gonfalon.terminal.curve import bar, curve, two_ways
from gonfalon.terminal.frame import Frame, Key, Spot
from gonfalon.terminal.menu import Menu
from gonfalon.terminal.past import Past
from gonfalon.terminal.replay import reviewed as reviewed_beside
from gonfalon.terminal.review_frame import panel, summary, wrapped
from gonfalon.terminal.reviewed import Reviewed, so_far, subject_of, told_of
from gonfalon.terminal.reviewing import Reviewing
from gonfalon.terminal.screen import run
from gonfalon.terminal.screen.popup import Reading
from gonfalon.terminal.screen.reviewed import BOARD, SUMMARY, ReviewApp
from gonfalon.terminal.store import write_record
from tests.cli.conftest import Run
from tests.cli.conftest import run as run_command
from tests.review.test_review import FEW, short
from tests.terminal.playing import LARGE, SMALL, screen_of, wait_for, words

__all__ = ["run_command"]

T = TypeVar("T")


@cache
def played(game: str = "feint") -> Record:
    rules = gonfalon.game(game)
    seats = range(rules.seats)
    driver = Driver(
        Record(rules, ["Ada", "Bo", "Cy"][: len(seats)]), [make("random", rules) for _ in seats], 5, log=True
    )
    driver.advance()
    return driver.record


def own(record: Record, seat: int) -> list[int]:
    return [at for at, (who, _) in enumerate(record.decisions) if who == seat]


def said(record: Record, at: int, value: float, mark: str = "") -> Decided:
    """What a review may say of a decision: a mark is for 30 % that were given away."""
    loss = 0.3 if mark else 0.0
    return {
        "at": at,
        "seat": record.decisions[at][0],
        "asked": "What now?",
        "chosen": "this",
        "text": f"Chosen at {at}.",
        "best": "that" if mark else "this",
        "better": f"Wiser at {at}." if mark else f"Chosen at {at}.",
        "second": None,
        "value": value,
        "best_value": value + loss,
        "loss": loss,
        "low": 2 * loss / 3,
        "high": 4 * loss / 3,
        "lead": 0.0,
        "lead_low": 0.0,
        "worlds": 8,
        "referee": None,
        "mark": mark,
        "why": "It wins more often." if mark else "",
    }


@cache
def found() -> Review:
    """A review in which Ada blundered at her third decision and Bo at his second; half a chance everywhere else."""
    record = played()
    marked = {own(record, 0)[2]: "blunder", own(record, 1)[1]: "blunder"}
    ats = sorted(own(record, 0) + own(record, 1))
    some = [said(record, at, 0.2 if at in marked else 0.5, marked.get(at, "")) for at in ats]
    empty = put_together(record, [0, 1], [1.0, 0.0], 0, usual(record), [], Counted(None, None, [], 0.0))
    told = so_far(empty, some)
    told["beliefs"] = [
        {
            "at": own(record, 0)[0],
            "seat": 0,
            "about": "their Location Card",
            "likely": [{"text": "4", "chance": 0.75}, {"text": "6", "chance": 0.25}],
            "truth": "6",
        }
    ]
    return told


def shown(past: Reviewed, *pressed: str, size: tuple[int, int] = SMALL, begin: str = BOARD) -> list[str]:
    """What the screen shows after each key."""

    async def press() -> list[str]:
        app = ReviewApp(past, begin)
        texts = []
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for key in pressed:
                await pilot.press(key)
                texts.append(words(pilot))
        return texts

    return asyncio.run(press())


def noted(some: list[T], one: T) -> int:
    """Note what a command was called with; its exit code."""
    some.append(one)
    return 0


def flat(text: str) -> str:
    return " ".join(text.split())


# ---- which step shows which decision -----------------------------------------------------------------


@pytest.mark.parametrize("game", ["feint", "jinkei", "factionwars"])
def test_every_decision_has_its_step_for_every_viewer(game: str) -> None:
    """Secret answers of several seats become seen together, and still each step is the decision it shows."""
    record = played(game)
    assert [at for at in Past(record, OPEN).ats if at is not None] == list(range(len(record.decisions)))
    for viewer in (SPECTATOR, *range(record.game.seats)):
        past = Past(record, viewer)
        shown_by = {at: step[1] for at, step in zip(past.ats, past.steps, strict=True) if at is not None}
        assert sorted(shown_by) == list(range(len(record.decisions)))
        assert all(record.decisions[at][0] == seat for at, seat in shown_by.items())


# ---- characters --------------------------------------------------------------------------------------


def text(lines: list[list[gonfalon.core.sheet.Piece]]) -> list[str]:
    return ["".join(piece.text for piece in line) for line in lines]


def test_a_curve_goes_from_corner_to_corner() -> None:
    """Two columns by one row are four dots by four: a rising diagonal sets one dot in each column."""
    [row] = text(curve([(0, 0.0), (1, 1.0)], 1, 2, 1))
    assert [ord(letter) - 0x2800 for letter in row] == [0x40 | 0x20, 0x02 | 0x08]


def test_a_sign_stands_where_its_place_and_share_are() -> None:
    lines = text(curve([(0, 0.5), (4, 1.0)], 4, 5, 3, {4: "■"}, here=0))
    assert lines[0][4] == "■"
    assert [line[0] for line in (lines[0], lines[2])] == ["│", "│"]


def test_no_line_begins_with_the_sign_of_a_percentage() -> None:
    lines = [
        line for width in range(8, 30) for line in wrapped("It wins in 16 % of the ways, rather than in 7 %.", width)
    ]
    assert not [line for line in text(lines) if line.startswith("%")]


def test_a_curve_breaks_off_where_another_begins() -> None:
    """Four columns, a level line of two places and another: between them nothing is drawn."""
    [row] = text(curve([(0, 1.0), (1, 1.0), (2, 0.0), (3, 0.0)], 3, 4, 1, begins={2}))
    assert [ord(letter) - 0x2800 for letter in row] == [0x01 | 0x08, 0x01, 0x80, 0x40 | 0x80]
    told = found()
    [one] = told["beliefs"]
    ats = own(played(), 0)[:4]
    some = [{**one, "at": at, "truth": truth} for at, truth in zip(ats, ("6", "6", "4", "4"), strict=True)]
    past = Reviewed(played(), 0, {**told, "beliefs": cast("list[Believed]", some)})
    assert past.changes("their Location Card") == {ats[2]}


def test_bars_are_as_long_as_their_shares() -> None:
    assert bar(0.5, 10) == "█" * 5
    assert bar(0.0, 10) == ""
    up, line, down = text(two_ways([(0, 0.2), (9, -0.2)], 9, 10, 1))
    assert (up[0], up[9], line, down[0], down[9]) == ("█", " ", "─" * 10, " ", "░")


# ---- the screen --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "160x50"])
def test_one_goes_from_mark_to_mark_and_reads_what_would_have_been_better(size: tuple[int, int]) -> None:
    """`words` sees to it that each page fits the screen."""
    at = own(played(), 0)[2]
    first, again, *_ = shown(Reviewed(played(), 0, found()), "n", "n", "s", "t", "b", size=size)
    assert f"Decision {at + 1}, Ada" in first
    assert f"Better: Wiser at {at}." in flat(first.replace("│", " "))
    assert "■" in first
    assert "There is no mark that way." not in first
    assert f"Decision {at + 1}, Ada" in again


def test_the_chance_to_win_is_the_last_that_was_judged() -> None:
    past = Reviewed(played(), 0, found())
    assert past.chance() is None
    past.to_mark(1)
    assert past.chance() == 0.2
    assert (past.chances()[-1], past.place) == ((len(played().decisions), 1.0), own(played(), 0)[2])


def test_nobody_reads_a_judgement_of_what_another_seat_chose() -> None:
    theirs = own(played(), 1)[1]
    past = Reviewed(played(), 0, found())
    past.at = past.step_of(theirs)
    assert past.judged() is None
    assert "their side" in " ".join(text(panel(past, 22, 16)))
    [seen, turned] = shown(past, "i", "v")
    assert f"Chosen at {theirs}." not in seen
    assert past.viewer == past.subject == 1
    assert f"Chosen at {theirs}." in turned
    past.look_as(OPEN)
    assert past.judged() is not None


def test_what_could_be_thought_is_told_to_its_seat_alone() -> None:
    past = Reviewed(played(), 0, found())
    past.at = past.step_of(own(played(), 0)[1])
    [page] = shown(past, "t", size=LARGE)
    assert "● 6" in page
    assert "25 %" in page
    past.look_as(SPECTATOR)
    assert past.beliefs() == []


def test_beside_the_board_it_says_how_many_cases_are_left_out() -> None:
    told = found()
    [one] = told["beliefs"]
    many = [*one["likely"], *({"text": f"{n}", "chance": 0.0} for n in (1, 2, 3, 5))]
    past = Reviewed(played(), 0, {**told, "beliefs": [cast("Believed", {**one, "likely": many})]})
    past.at = past.step_of(own(played(), 0)[1])
    [page] = shown(past, "t", size=LARGE)
    assert "● 6" in page
    assert "and 2 others, together less than 1" in page


def test_the_summary_leads_to_what_mattered() -> None:
    at = own(played(), 0)[2]
    past = Reviewed(played(), 0, found())
    begun, _, board = shown(past, "s", "down", "enter", size=LARGE)
    assert "30 points (20 to 40)" in begun
    assert "1 blunder" in flat(begun)
    assert past.decision == at
    assert f"Decision {at + 1}, Ada" in board


def test_the_summary_tells_a_seat_of_its_own_decisions_alone() -> None:
    """Ada blundered once and Bo once; whoever only looked on is told of neither, and open eyes of both."""
    ada, bo = f"Wiser at {own(played(), 0)[2]}.", f"Wiser at {own(played(), 1)[1]}."
    told = {}
    for viewer in (0, 1, SPECTATOR, OPEN):
        past = Reviewed(played(), 0, found())
        past.look_as(viewer)
        words = flat("\n".join(text([line for entry in summary(past, 110) for line in entry.lines])))
        told[viewer] = (ada in words, bo in words)
        assert ("as Ada or Bo sees it" in words) == (viewer == SPECTATOR)
        assert "The cards" in words
    assert told == {0: (True, False), 1: (False, True), SPECTATOR: (False, False), OPEN: (True, True)}


def test_what_most_likely_cost_something_is_told_and_led_to() -> None:
    """In the summary and beside the board, as not certain; a decision as good as the best is still called so."""
    told = found()
    at, other = own(played(), 0)[0], own(played(), 0)[1]
    some = {"best": "that", "better": "Wiser.", "low": -0.03, "high": 0.11}
    doubtful = {at: {**some, "loss": 0.04}, other: {**some, "loss": 0.01}}
    decided = [cast("Decided", {**one, **doubtful.get(one["at"], {})}) for one in told["decisions"]]
    past = Reviewed(played(), 0, {**told, "decisions": decided, "reviewer": {**told["reviewer"], "untold": []}})
    [entry] = [one for one in summary(past, 110) if one.leads_to == at]
    words = flat("\n".join(text(entry.lines)))
    assert words.startswith("Not certain, but most likely to have cost something:")
    assert "Expected loss: 4 points (−3 to 11) of the chance to win. Perhaps better: Wiser." in words
    beside = " ".join(line for line, _ in told_of(past, past.by_at[at]))
    assert "Not certain. Expected loss: 4 points (−3 to 11)" in beside
    assert "As good, as far as that can be told" in " ".join(line for line, _ in told_of(past, past.by_at[other]))


@pytest.mark.parametrize("page", ["s", "t"])
def test_what_cannot_be_done_is_said_on_every_page(page: str) -> None:
    """Above the keys, until the next one is pressed."""
    past = Reviewed(played(), 0, found())
    none, after = shown(past, page, "p", "down")[1:]
    assert none.splitlines()[-2] == " There is no mark that way."
    assert none.splitlines()[-1] == after.splitlines()[-1]
    assert "q leave" in after.splitlines()[-1]
    assert "no mark" not in after


def test_a_part_of_the_game_or_a_step_is_gone_to() -> None:
    past = Reviewed(played(), 0, found())
    begins = next(step for step, name in past.chapters() if name == "Round 2")
    shown_at: list[int] = []

    async def go() -> None:
        async with ReviewApp(past, BOARD).run_test(size=SMALL) as pilot:
            for typed in ("2", "17", "x"):
                await pilot.press("g", *typed, "enter")
                await wait_for(pilot, lambda: pilot.app.screen is screen_of(pilot))
                await pilot.pause()
                shown_at.append(past.at)

    asyncio.run(go())
    shows = Past(played(), 0).step_of(16)
    assert shown_at == [begins, shows, shows]  # what is typed is looked for among the parts first


def test_a_key_does_its_work_once() -> None:
    """Textual calls the handlers of all classes of a screen: one log, not one for each of them."""

    async def count() -> int:
        async with ReviewApp(Reviewed(played(), 0, found()), BOARD).run_test(size=SMALL) as pilot:
            await pilot.press("l")
            await pilot.pause()
            return sum(isinstance(one, Reading) for one in pilot.app.screen_stack)

    assert asyncio.run(count()) == 1


def test_it_is_the_persons_game() -> None:
    for first, second in (("Ada", "Expert"), ("Expert", "Ada")):
        told: Review = {**found(), "names": [first, second]}
        assert told["names"][subject_of(told)] == "Ada"


# ---- while it is worked out --------------------------------------------------------------------------


def test_findings_are_shown_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.review.work.usual", lambda record: FEW)
    record, place = short(), tmp_path / "game.review.json"
    work = Reviewing(record, place, [0], 0, 1)
    count = len(own(record, 0))
    assert work.now[1] == (0, count)
    past = Reviewed(record, 0, work.now[0])
    past.take(*work.now)
    heard: list[tuple[int, int] | None] = []

    async def look() -> str:
        async with ReviewApp(past, SUMMARY, work).run_test(size=LARGE) as pilot:
            early = words(pilot)
            take = past.take

            def listen(found: Review, now: tuple[int, int] | None = None) -> None:
                heard.append(now)
                take(found, now)

            monkeypatch.setattr(past, "take", listen)
            await wait_for(pilot, lambda: past.progress is None)
            await pilot.pause()
            return early + words(pilot)

    seen = asyncio.run(look())
    assert f"of {count} decisions" in seen
    assert heard[-1] is None
    assert any(now is not None and now[1] == count for now in heard)
    assert held(place, hash_of(record)) == past.found
    assert "How this was judged" in flat(seen)


def test_how_sure_a_loss_is_is_left_out_where_a_review_does_not_tell_it() -> None:
    told: Review = {**found(), "reviewer": {**found()["reviewer"], "untold": [INTERVALS]}}
    past = Reviewed(played(), 0, told)
    past.to_mark(1)
    [panelled, page] = shown(past, "b", "s", size=LARGE)
    assert "gave away 30 points" in panelled + page
    assert "20 to 40" not in panelled + page
    assert "20 to 40" in " ".join(shown(Reviewed(played(), 0, found()), "n", "s", size=LARGE))


def test_whoever_leaves_ends_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.review.work.usual", lambda record: FEW)
    work = Reviewing(short(), tmp_path / "game.review.json", [0], 0, 1)
    work.left = True
    work.run()
    assert (work.failure, work.decided) == (None, [])
    assert not (tmp_path / "game.review.json").exists()


def test_a_fault_is_told_and_not_swallowed(tmp_path: Path) -> None:
    work = Reviewing(short(), tmp_path, [0], 0, 1)  # a folder cannot be written
    told: list[bool] = []
    work.tell = lambda: told.append(True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gonfalon.terminal.reviewing.review", lambda *_: found())
        work.run()
    assert "cannot be kept" in str(work.failure)
    assert told == [True]


# ---- beside a record ---------------------------------------------------------------------------------


def test_a_replay_shows_the_review_that_lies_beside_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    path.write_text(played().dumps(), "utf-8")
    seen: list[Review | None] = []
    monkeypatch.setattr(run, "fits", lambda: True)
    monkeypatch.setattr(run, "replay", lambda record, viewer, told: noted(seen, told))
    assert replay.replay(played(), 0, False, False, path) == 0
    beside(path).write_text(dumps(found()), "utf-8")
    replay.replay(played(), 0, False, False, path)
    assert [told is not None for told in seen] == [False, True]
    older = {key: value for key, value in found()["reviewer"].items() if key != "untold"}
    beside(path).write_text(json.dumps({**found(), "reviewer": older}), "utf-8")
    assert reviewed_beside(played(), path) is None
    assert reviewed_beside(played("jinkei"), path) is None


def test_chance_decides_nothing_that_is_judged() -> None:
    past = Reviewed(played(), OPEN, found())
    past.at = past.step_of(own(played(), CHANCE)[0])
    assert (past.whose(), past.judged()) == (None, None)


def test_a_game_that_is_not_over_shows_no_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lies beside its record: a review would show every card."""
    record = Record(played().game, played().names, played().decisions[:12])
    path = tmp_path / "game.json"
    beside(path).write_text(dumps({**found(), "record": hash_of(record)}), "utf-8")
    seen: list[Review | None] = []
    monkeypatch.setattr(run, "fits", lambda: True)
    monkeypatch.setattr(run, "replay", lambda record, viewer, told: noted(seen, told))
    replay.replay(record, 0, False, False, path)
    assert seen == [None]
    with pytest.raises(ReviewError, match="not over"):
        run.review(record, path, [0, 1], 0, 1)


def test_a_decision_in_the_list_is_clicked() -> None:
    past = Reviewed(played(), 0, found())

    async def click() -> None:
        async with ReviewApp(past, BOARD).run_test(size=LARGE) as pilot:
            await pilot.pause()
            frame = screen_of(pilot).canvas.frame
            assert frame is not None
            spot = next(one for one in frame.spots if one.touch == f"~{own(played(), 0)[2]}")
            await pilot.click(offset=(spot.x + 3, spot.y))

    asyncio.run(click())
    assert past.decision == own(played(), 0)[2]


def test_the_arrows_pass_by_the_list_of_decisions() -> None:
    """A decision stands one line below a card, the hand five."""
    frame = Frame(80, 24)
    places = ((10, 40, "board"), (11, 44, "entry"), (15, 10, "hand"))
    card, _, hand = frame.spots = [Spot(y, x, 12, Key(region, region, 0), region, "") for y, x, region in places]
    assert frame.towards(card, 0, 1) == hand
    assert frame.towards(hand, 0, -1) == card


# ---- the commands ------------------------------------------------------------------------------------


def test_a_terminal_gets_the_screen_and_whoever_asks_for_words_gets_words(
    run_command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    path.write_text(played().dumps(), "utf-8")
    opened: list[list[int]] = []
    monkeypatch.setattr(run, "fits", lambda: True)
    monkeypatch.setattr(run, "review", lambda record, path, seats, seed, workers: noted(opened, seats))
    monkeypatch.setattr("gonfalon.review.command.main", lambda *_: 7)
    assert run_command("review", path, "--seat", "1") == (0, "", "")
    assert opened == [[1]]
    assert [run_command("review", path, form)[0] for form in ("--plain", "--json", "--html")] == [7, 7, 7]
    assert opened == [[1]]


def test_the_menu_leads_back_to_the_last_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = kept.new_path("feint")
    write_record(played(), path)
    assert kept.waiting() == []
    menu = Menu(["feint"], [], last=kept.last_played())
    menu.at = menu.count() - 1
    chosen = menu.choose()
    assert chosen is not None
    assert chosen.looks_back
    assert chosen.kept is not None
    assert chosen.kept.path == path
