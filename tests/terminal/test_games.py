"""Whole games on the screen, by keys alone."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

import gonfalon
from gonfalon.bots import make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import CHANCE, SPECTATOR, State
from gonfalon.games.feint.face.sheet import draw_place_name
from gonfalon.terminal.drawing.frame import Looks
from gonfalon.terminal.drawing.frame import build_frame as frame_for
from gonfalon.terminal.drawing.picking import Picking
from gonfalon.terminal.drawing.viewport import Answer, Sight
from gonfalon.terminal.games.local import LocalDesk
from gonfalon.terminal.screens.run import play_on_screen
from gonfalon.terminal.screens.table import TableApp
from tests.feint.scenario import Table as FeintTable
from tests.feint.scenario import card
from tests.terminal.playing import (
    LARGE,
    NARROW,
    SMALL,
    app_of,
    desk_of,
    frame_of,
    play_on,
    press,
    screen_of,
    wait_for,
    wait_until_asked,
    words,
)

PASS = Answer("pass", "Pass.", ("pass",))
GAMES = ("feint", "jinkei", "generals", "factionwars")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(NARROW, id="55x24", marks=pytest.mark.long),
        pytest.param(SMALL, id="80x24", marks=pytest.mark.extended),
        pytest.param(LARGE, id="160x50", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_keys_alone(game: str, size: tuple[int, int]) -> None:
    desk = desk_of(game)

    async def play() -> str:
        app = app_of(desk)
        async with app.run_test(size=size) as pilot:
            await play_on(pilot, desk)
            while screen_of(pilot).moment_end is not None:
                await pilot.press("enter")
            await wait_for(pilot, lambda: bool(screen_of(pilot).sight.over))
            await pilot.pause()
            return words(pilot)

    shown = asyncio.run(play())
    assert desk.driver.state.over
    assert desk.sight().over.split(".")[0] in " ".join(shown.split())
    assert desk.driver.record.replay().data() == desk.driver.state.data()


@pytest.mark.parametrize("game", ["feint", "jinkei"])
def test_on_a_narrow_screen_the_log_lies_below_the_board(game: str) -> None:
    """The log uses the remaining room. The header is complete, the key to leave is shown, and so is a raised card."""
    desk = desk_of(game)

    async def play() -> list[bool]:
        async with app_of(desk).run_test(size=NARROW) as pilot:
            screen, told = await wait_until_asked(pilot), list[bool]()
            for _ in range(9):
                await wait_for(pilot, lambda: bool(screen.sight.answers) or screen.moment_end is not None)
                head, *_, keys = words(pilot).splitlines()
                assert keys.endswith("q leave")
                assert "…" not in head
                assert " You " in head or game != "feint"
                if screen.sight.answers:
                    told.append("".join(screen.sight.log[-1]["text"].split()) in "".join(words(pilot).split()))
                await press(pilot, "enter")
            return told

    assert all(asyncio.run(play()))


def test_elements_that_do_not_fit_the_board_become_buttons() -> None:
    answers = [Answer(f"to:{n}", f"Give it to {n}.", (f"to:{n}",)) for n in range(3)]
    board = {"rows": [[f"Row {n}"] * 2 for n in range(40)]}
    sight = Sight("T", 0, ("You", "Bot"), board, "To whom?", answers)
    frame = frame_for(None, sight, Looks(Picking(answers)), 80, 24)
    assert [spot.answer for spot in frame.spots if spot.answer] == answers
    assert len(frame.lines) == 24
    assert all(0 < spot.y < 24 and spot.x + spot.width <= 80 for spot in frame.spots)


def drawn_of(game: Game, state: State, viewer: int) -> tuple[str, list[str]]:
    """Return the board on the smallest screen for a viewer, and the hand."""
    sheet = game.sheet(game.board(state.mask(viewer)), game.seat_names(), 55, 16)
    assert sheet is not None
    board = "\n".join("".join(piece.text for piece in line) for line in sheet.lines)
    return board, [piece.text for piece in sheet.hand]


def test_only_their_owner_sees_placed_cards_in_place() -> None:
    """In Jinkei, placed cards leave the hand while more follow. Other viewers' screens do not show them."""
    game, rng = gonfalon.game("jinkei"), Rng(3)
    state = game.start()
    while state.stack[-1].prompt != "front":
        state.apply(state.turn, state.sample(rng))
    seat = state.turn
    before, hand = drawn_of(game, state, seat)
    others = [drawn_of(game, state, viewer) for viewer in (1 - seat, SPECTATOR)]
    action = state.legal(seat)[0]
    slug, _ = game.touches(game.notation(action))
    name = next(text for text in hand if text.lower().replace(" ", "").endswith(slug))
    state.apply(seat, action)
    after, rest = drawn_of(game, state, seat)
    assert after.count(name) == before.count(name) + 1
    assert rest == [text for text in hand if text != name]
    assert [drawn_of(game, state, viewer) for viewer in (1 - seat, SPECTATOR)] == others


def test_cards_that_are_marked_to_be_discarded_are_crossed() -> None:
    """One of two Oxen of Feint is crossed, only on the owner's screen."""
    table = FeintTable(may=[card("ox", 6, copies=2), card("hen", 4)], david=[card("owl", 1)])
    table.may.holds("ox", "hen", "ox")
    table.david.holds("owl")
    table.reinforces()
    state = table.state
    other = drawn_of(table.game, state, 1)
    _, hand = drawn_of(table.game, state, 0)
    first = hand.index(next(text for text in hand if "Ox" in text))
    table.may.does("ox")
    assert drawn_of(table.game, state, 0)[1] == [f"× {text}" if n == first else text for n, text in enumerate(hand)]
    assert drawn_of(table.game, state, 1) == other


def test_a_refusal_replaces_the_question() -> None:
    """For a card of the hand that cannot be placed at the cursor it shows the rule with its number."""
    desk = desk_of("feint")

    async def ask() -> tuple[str, list[str]]:
        app = app_of(desk)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for(pilot, lambda: bool(screen_of(pilot).sight.answers))
            await press(pilot, "enter")
            frame = frame_of(pilot)
            spot = next(one for one in frame.spots if one.touch.startswith("@") and not one.may)
            screen_of(pilot).go_to(spot)
            await pilot.press("question_mark")
            return screen_of(pilot).status, list(screen_of(pilot).picking.lifted)

    status, lifted = asyncio.run(ask())
    assert lifted == ["knight-of-2"]
    assert "(ruling" in status
    assert desk.driver.record.decisions[-1][0] != 0


def test_a_move_that_revealed_nothing_is_undone() -> None:
    """A card on a space of a formation can be undone while more are to be placed, because the other seat has not moved
    since."""
    desk = desk_of("jinkei")

    async def ask() -> tuple[str, int, int, str]:
        app = app_of(desk)
        async with app.run_test(size=SMALL) as pilot:
            screen = screen_of(pilot)
            while not screen.sight.prompt.endswith("in Vanguard and Rearguard"):
                await press(pilot, "enter")
            before = len(desk.driver.record.decisions)
            await press(pilot, "enter")
            await press(pilot, "enter")
            await wait_for(pilot, lambda: bool(screen.sight.answers))
            laid = len(desk.driver.record.decisions) - before
            await pilot.press("u")
            return screen.status, laid, len(desk.driver.record.decisions) - before, desk.undo_stack.why_not(desk.at)

    status, laid, left, why = asyncio.run(ask())
    assert (status, laid, left) == ("", 1, 0)
    assert why


def test_a_move_that_a_bot_answered_is_not_undone() -> None:
    """In Feint the bot has played an open card after ours."""
    desk = desk_of("feint")

    async def ask() -> str:
        app = app_of(desk)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for(pilot, lambda: bool(screen_of(pilot).sight.answers))
            await press(pilot, "enter")
            await press(pilot, "enter")
            await wait_for(pilot, lambda: bool(screen_of(pilot).sight.answers))
            await pilot.press("u")
            return screen_of(pilot).status

    assert asyncio.run(ask()) == "Too late to undo: the game has moved on."


@pytest.mark.parametrize("keys", [("ctrl+c", "ctrl+c"), ("ctrl+c", "2")])
def test_ctrl_c_asks_before_it_leaves(keys: tuple[str, str]) -> None:
    desk = desk_of("jinkei")

    async def leave() -> list[bool]:
        app = app_of(desk)
        async with app.run_test(size=SMALL) as pilot:
            await wait_until_asked(pilot)
            assert app.active_bindings["ctrl+z"].binding.action == "suspend_process"
            await pilot.press("ctrl+c", "1")
            running = [app.is_running]
            await pilot.press(*keys)
            return [*running, app._exit]

    assert asyncio.run(leave()) == [True, True]


def test_a_game_that_is_over_is_played_again_by_the_same_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record of the first game remains."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    games: list[LocalDesk] = []

    def play(app: TableApp) -> None:
        desk = app.desk
        assert isinstance(desk, LocalDesk)
        games.append(desk)
        desk.driver.bots[0] = desk.driver.bots[1]
        desk.driver.advance()
        desk.plays_again = len(games) == 1

    monkeypatch.setattr(TableApp, "run", play)
    first = desk_of("jinkei")
    play_on_screen(first.driver, first.names, tmp_path / "first.json", True, {})
    assert [desk.names for desk in games] == [["Ada", "Bot 1"]] * 2
    one, two = (load(desk.path.read_text("utf-8"), gonfalon.game) for desk in games if desk.path is not None)
    assert games[0].path == tmp_path / "first.json"
    assert one.result is not None
    assert two.result is not None
    assert one.decisions != two.decisions


def test_a_tip_stands_below_a_question_until_that_was_answered_once() -> None:
    desk = desk_of("jinkei")
    desk.tips = {"type": "Swords are for the bold.", "formation": "A or B?"}

    async def ask() -> list[bool]:
        app = app_of(desk)
        found = []
        async with app.run_test(size=SMALL) as pilot:
            for _ in range(2):
                await wait_for(pilot, lambda: bool(screen_of(pilot).sight.answers) or bool(desk.driver.state.over))
                found.append(bool(screen_of(pilot).sight.tip) and screen_of(pilot).sight.tip in words(pilot))
                await press(pilot, "enter")
            await wait_for(pilot, lambda: bool(screen_of(pilot).sight.answers))
            return [*found, bool(screen_of(pilot).sight.tip)]

    assert asyncio.run(ask()) == [True, True, False]
    assert desk.tips == {}


def test_the_card_that_is_read_is_the_one_under_the_cursor() -> None:
    """In Faction Wars the cursor stays at its place of the line-up, which gets another card each round."""
    desk = desk_of("factionwars")

    async def play() -> list[tuple[str, str]]:
        async with app_of(desk).run_test(size=SMALL) as pilot:
            screen = screen_of(pilot)
            read: list[tuple[str, str]] = []
            while len({name for _, name in read}) < 4:
                await wait_for(pilot, lambda: bool(screen.sight.answers) or screen.moment_end is not None)
                spot = screen.find_spot()
                if spot is not None and spot.card and screen.moment_end is None:
                    card = desk.game.card(spot.card)
                    assert card is not None
                    read.append((str(card["name"]), words(pilot).splitlines()[1].partition("│")[2].strip()))
                await press(pilot, "enter")
            return read

    assert [name for name, shown in asyncio.run(play()) if name != shown] == []


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_shuffled_only_while_chance_decides(name: str) -> None:
    """A prompt must not say so while another player, such as a bot, thinks."""
    game, rng = gonfalon.game(name), Rng(4)
    state = game.start()
    while not state.over:
        prompts = [game.prompt(state.mask(viewer), names_for(game, viewer)) for viewer in (0, 1, SPECTATOR)]
        assert state.turn == CHANCE or "Cards are being shuffled" not in prompts
        state.apply(state.turn, state.sample(rng))


@pytest.mark.parametrize("name", GAMES)
def test_no_number_of_a_seat_is_cut_on_a_small_screen(name: str) -> None:
    """The lines of the seats are complete at every position of a random game, for a player and for a spectator."""
    game, rng = gonfalon.game(name), Rng(4)
    state = game.start()
    cut, numbers = set(), r"^\S.*( hand \d| deck \d| points? )|\+\d|LAST"
    for _ in range(120):
        if state.over:
            break
        state.apply(state.turn, state.sample(rng))
        for viewer in (0, SPECTATOR):
            board, _ = drawn_of(game, state, viewer)
            lines = [line for line in board.splitlines() if re.search(numbers, line)]
            cut |= {line for line in lines if re.search(r"\d.*…", line) or len(line) > 55}
    assert not cut


def test_placed_cards_of_jinkei_are_not_buttons() -> None:
    """A placed card is on its space and `u` undoes it. Only elements with an action can be chosen."""
    desk = desk_of("jinkei")

    async def play() -> list[tuple[int, list[str]]]:
        async with app_of(desk).run_test(size=SMALL) as pilot:
            screen, found = screen_of(pilot), list[tuple[int, list[str]]]()
            while len(found) < 10:
                await wait_for(pilot, lambda: bool(screen.sight.answers) and not desk.answered.is_set())
                if desk.find_prompt() == "front":
                    laid = sum(len(space["laid"]) for space in screen.sight.board["seats"][0]["spaces"])
                    slugs = [spot.answer.id for spot in frame_of(pilot).spots if spot.answer]
                    found.append((laid, slugs))
                await press(pilot, "enter")
            return found

    found = asyncio.run(play())
    assert {laid for laid, _ in found} >= {0, 1, 2}
    assert [slugs for _, slugs in found if slugs] == []


def test_a_card_is_taken_up_by_its_digit_and_by_the_mouse() -> None:
    desk = desk_of("feint")

    async def ask() -> list[tuple[str, ...]]:
        app = app_of(desk)
        found = []
        async with app.run_test(size=SMALL) as pilot:
            screen = await wait_until_asked(pilot)
            hand = [spot for spot in frame_of(pilot).spots if spot.key.region == "hand"]
            await pilot.press("2")
            found.append(screen.picking.lifted)
            await pilot.click(offset=(hand[0].x + 2, hand[0].y))
            found.append(screen.picking.lifted)
            await pilot.press("escape")
            found.append(screen.picking.lifted)
            return [(hand[1].touch,), (hand[0].touch,), *found]

    second, first, *lifted = asyncio.run(ask())
    assert lifted == [second, first, ()]


def test_nothing_of_the_table_is_seen_while_the_device_goes_round() -> None:
    """Each hand of two people at one terminal is visible only after the device was passed."""
    desk = desk_of("jinkei", people=2)

    async def look() -> list[str]:
        app = app_of(desk)
        found = []
        async with app.run_test(size=LARGE) as pilot:
            screen = screen_of(pilot)
            for _ in range(20):
                await wait_for(pilot, lambda: screen.moment_end is not None or bool(screen.sight.answers))
                if screen.sight.next_player:
                    found.append(words(pilot).strip())
                    assert desk.at is None
                elif screen.sight.answers:
                    assert desk.at == desk.driver.state.turn == screen.sight.viewer
                await press(pilot, "enter")
        return found

    found = asyncio.run(look())
    assert set(found) == {"Hand the device to Ada, then press Enter.", "Hand the device to Bot 1, then press Enter."}


def test_hints_and_logs_are_gone_after_the_device_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late hint and an open log belong to the previous player."""
    desk = desk_of("jinkei", people=2)
    thinks = asyncio.Event()

    async def hint() -> list[str]:
        await thinks.wait()
        return ["My own secret."]

    monkeypatch.setattr(desk, "hint", hint)

    async def look() -> list[int]:
        app = app_of(desk)
        async with app.run_test(size=LARGE) as pilot:
            screen = screen_of(pilot)
            await wait_for(pilot, lambda: screen.moment_end is not None)
            await press(pilot, "enter")
            await wait_for(pilot, lambda: bool(screen.sight.answers))
            await pilot.press("h", "l")
            heights = [len(app.screen_stack)]
            while screen.moment_end is None:
                await press(pilot, "enter")
            await wait_for(pilot, lambda: screen.sight.next_player != "")
            thinks.set()
            await pilot.pause()
            return [*heights, len(app.screen_stack), int(app.screen is screen)]

    lay_open, left, top = asyncio.run(look())
    assert (lay_open - left, top) == (1, 1)


def test_cards_are_marked_in_any_order_and_marks_taken_back() -> None:
    """Feint's rules take marks only in the order of the card list. Here the order is Ox, Hen, Elk."""
    table = FeintTable(may=[card("ox", 6, copies=2), card("hen", 4), card("elk", 3)], david=[card("owl", 1)])
    table.may.holds("elk", "ox", "hen", "ox")
    table.david.holds("owl")
    table.reinforces()
    rules = table.game
    names = ["May", "David"]
    desk = LocalDesk(Driver(Record(rules, names), [None, make("random", rules)], 7, log=True), names)
    desk.driver.state = table.state

    async def mark(*cards: str) -> list[list[str]]:
        marked = []
        for one in cards:
            assert one in [answer.id for answer in desk.sight().answers]
            desk.answered.clear()
            assert await desk.act(one) == ""
            seen = desk.sight()
            assert len({answer.id for answer in seen.answers}) == len(seen.answers)
            marked.append([card["slug"] for card in seen.board["seats"][0]["hand"] if card["marked"]])
        return marked

    assert asyncio.run(mark("elk", "ox", "hen", "ox", "ox", "elk", "hen", "ox")) == [
        ["elk"],
        ["ox", "elk"],
        ["ox", "hen", "elk"],
        ["ox", "ox", "hen", "elk"],
        ["hen", "elk"],
        ["hen"],
        [],
        ["ox"],
    ]
    assert [rules.notation(action) for _, action in desk.driver.record.decisions] == ["ox"]


def test_the_load_of_a_location_is_never_cut() -> None:
    """A column of a screen of 100 columns is 14 columns wide, too narrow for the word and the numbers."""
    place: Any = {"number": 6, "load": 10, "capacity": 10, "closed": False, "battle": None}
    for width in range(12, 30):
        name = draw_place_name(place, width, mine=True)[0]
        assert "10/10" in "".join(piece.text for piece in name), width
