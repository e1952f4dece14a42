"""Moments on the screen, in fixed deals: their stills, no early results, and skipping."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from gonfalon.core.text.sheet import Still
from gonfalon.terminal.drawing.viewport import Sight
from gonfalon.terminal.games.local import LocalDesk
from gonfalon.terminal.screens.table import TableApp, TableScreen
from tests.terminal.playing import SMALL, desk_of, frame_of, press, screen_of, wait_for, words


class Watching(TableScreen):
    """A screen without waiting times, which records the displays."""

    def __init__(self, desk: LocalDesk, motion: bool) -> None:
        super().__init__(desk, motion)
        self.looks: list[tuple[Sight, float | None]] = []

    async def show_until(self, sight: Sight, seconds: float | None) -> bool:
        self.show(sight)
        self.looks.append((sight, seconds))
        return False


class WatchingApp(TableApp):
    def table(self) -> TableScreen:
        assert isinstance(self.desk, LocalDesk)
        return Watching(self.desk, self.motion)


async def play_until_moments(app: TableApp, desk: LocalDesk, enough: Callable[[Watching], bool]) -> Watching:
    """Play by Enter until there were enough displays."""
    async with app.run_test(size=SMALL) as pilot:
        screen = screen_of(pilot)
        assert isinstance(screen, Watching)
        while not enough(screen):
            await wait_for(pilot, lambda: enough(screen) or (bool(screen.sight.answers) and not desk.answered.is_set()))
            await press(pilot, "enter")
            frame_of(pilot)
        return screen


@pytest.mark.parametrize(
    ("game", "phase", "stills", "seconds", "verdict"),
    [("feint", "resolution", 4, None, "wins round 1"), ("jinkei", "duel", 2, 1.2, "takes both cards")],
)
def test_the_verdict_comes_last(game: str, phase: str, stills: int, seconds: float | None, verdict: str) -> None:
    """This applies to the sentence, the log and the numbers of the seats."""
    desk = desk_of(game)
    screen = asyncio.run(play_until_moments(WatchingApp(desk, True), desk, lambda screen: len(screen.looks) > stills))
    *led, (moment, left) = screen.looks[: stills + 1]
    assert moment.board["phase"] == phase
    assert verdict in moment.moment
    assert left is None if seconds is None else left is not None and left <= seconds
    for sight, shown_for in led:
        assert shown_for
        assert verdict not in sight.prompt
        assert sight.answers == ()
        assert list(sight.log) == list(moment.log)[: len(sight.log)]
        assert not any("win" in told["text"] or "takes both" in told["text"] for told in sight.log)
    assert len(moment.log) > len(led[-1][0].log)
    if game == "feint":
        # All that led to the Resolution is read, and its first sentence is not.
        assert led[0][0].log[-1]["text"].endswith("passes.") or led[0][0].log[-1]["text"] == "You pass."
        assert "Location Cards: " in moment.log[len(led[0][0].log)]["text"]


def test_a_round_of_faction_wars_goes_on_by_itself_for_as_long_as_its_moments_last() -> None:
    desk = desk_of("factionwars")

    def phases(screen: Watching) -> list[object]:
        return [sight.board["phase"] for sight, _ in screen.looks]

    screen = asyncio.run(play_until_moments(WatchingApp(desk, True), desk, lambda screen: "round" in phases(screen)))
    looks = screen.looks[: phases(screen).index("round") + 1]
    assert [looks[0][0].prompt, looks[1][0].board["phase"]] == ["All players have picked.", "flags"]
    assert all(seconds is not None and 0 < seconds <= 2.5 for _, seconds in looks)
    assert len(looks[-1][0].moment.splitlines()) > 2


def test_a_melee_of_generals_is_seen_before_the_fallen_are_gone() -> None:
    desk = desk_of("generals")
    screen = asyncio.run(play_until_moments(WatchingApp(desk, True), desk, lambda screen: len(screen.looks) > 1))
    (met, _), (done, _) = screen.looks[:2]
    assert " attacks " in met.prompt
    fighting = met.board["fighting"]
    assert len(fighting) == 2
    assert set(done.board["beaten"]) <= set(fighting)
    for sight in (met, done):
        assert set(fighting) <= {unit["id"] for seat in sight.board["seats"] for unit in seat["units"]}
        assert not any(" against " in told["text"] for told in sight.log[-3:])


def test_without_motion_nothing_is_staged_and_every_moment_waits() -> None:
    desk = desk_of("jinkei")
    screen = asyncio.run(play_until_moments(WatchingApp(desk, False), desk, lambda screen: len(screen.looks) > 2))
    assert [seconds for _, seconds in screen.looks[:3]] == [None] * 3
    assert all(sight.board["duel"]["told"] for sight, _ in screen.looks[:3])


def test_a_key_skips_the_stills_of_a_moment_and_the_next_key_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each still lasts a minute in this test."""
    desk = desk_of("feint")
    film = type(desk.game).film
    monkeypatch.setattr(
        type(desk.game), "film", lambda *given: [still._replace(seconds=60.0) for still in film(*given)]
    )

    async def play() -> None:
        async with TableApp(desk, True).run_test(size=SMALL) as pilot:
            screen = screen_of(pilot)
            while screen.moment_end is None:
                await press(pilot, "enter")
                await wait_for(pilot, lambda: bool(screen.sight.answers) or screen.moment_end is not None)
            assert screen.sight.moment.startswith("The round is over")
            await press(pilot, "x")
            await wait_for(pilot, lambda: "win" in screen.sight.moment)
            assert screen.moment_end is not None
            assert "continue" in words(pilot).splitlines()[-1]
            await press(pilot, "y")
            await wait_for(pilot, lambda: screen.moment_end is None and not screen.sight.moment)

    asyncio.run(play())


def test_escape_skips_consecutive_moves_of_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move is a display of one minute, and some of the bot's turns have several."""
    desk = desk_of("generals")
    monkeypatch.setattr(type(desk.game), "film", lambda game, board, before, names: [Still(board, 60.0, "A melee.")])
    passed: list[int] = []

    async def play() -> None:
        async with TableApp(desk, True).run_test(size=SMALL) as pilot:
            screen = screen_of(pilot)

            def asked() -> bool:
                return bool(screen.sight.answers) and not desk.answered.is_set()

            made = 1_000
            while max(passed, default=0) < 4:
                await wait_for(pilot, lambda: screen.moment_end is not None or asked())
                if screen.moment_end is None:
                    desk.pace, made = 60.0, len(desk.driver.record.decisions)
                    await press(pilot, "enter")
                else:
                    await press(pilot, "escape")
                    await wait_for(pilot, asked)
                    passed.append(len(desk.driver.record.decisions) - made)

    asyncio.run(asyncio.wait_for(play(), 120))
