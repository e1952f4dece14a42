"""Typed input at a server's table, without a server: lines and answers that arrive at the wrong time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any

import pytest

import gonfalon
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.drawing.viewport import Sight
from gonfalon.terminal.games import joined
from gonfalon.terminal.games.joined import AGREE, JoinedDesk
from gonfalon.terminal.games.lines import Lines
from gonfalon.terminal.games.own_cards import make_rules
from gonfalon.terminal.games.server import Remote, ServerError
from gonfalon.terminal.messages import GAME_OVER, NO_DECISION, NOT_ARRIVED
from gonfalon.terminal.screens.table import TableScreen


def view(version: int, *actions: str, moments: int = 0, wishes: bool = False) -> dict[str, Any]:
    """Return the server's data for the first of two seats. The other may request a take-back."""
    return {
        "viewer": 0,
        "proof": None,
        "title": "Moot",
        "names": ["Ada", "Bo"],
        "board": {"version": version},
        "prompt": "Wait.",
        "decision": {"text": "What now?", "actions": [{"id": one, "text": one} for one in actions]}
        if actions
        else None,
        "log": [],
        "over": None,
        "can_take_back": False,
        "can_ask_back": False,
        "version": version,
        "clock": None,
        "request": {"answer": "", "seat": 1, "number": 3} if wishes else None,
        "moments": moments,
        "stage": "playing",
        "seats": [{"seat": 0, "asked": True}, {"seat": 1, "asked": False}],
    }


class Noting(Remote):
    """A server without news that records all requests."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1/t/key/token/")
        self.sent: list[tuple[str, Mapping[str, object]]] = []
        self.refusal = ""
        self.meanwhile: Callable[[], None] = lambda: None

    def ask(self, path: str = "", body: Mapping[str, object] | None = None) -> Any:
        self.meanwhile()
        if path == "/words":
            return {"text": "A table."}
        if path.startswith("/moments/"):
            return {"name": "duel", "text": "A duel.", "board": {}, "log": []}
        self.sent.append((path, body or {}))
        if self.refusal:
            raise ServerError(self.refusal)
        return view(9)


class Ended(Noting):
    """A server with a game just won and another player that sends several greetings."""

    def __init__(self) -> None:
        super().__init__()
        self.says = ["well", "thanks"]

    def views(self) -> Generator[Any, None, None]:
        yield {"company": self.company()}
        yield {**view(3), "stage": "over", "over": {"text": "You win.", "ended": None}}

    def ask(self, path: str = "", body: Mapping[str, object] | None = None) -> Any:
        if path == "/emotes":
            return self.company("bye")
        if path == "/company":
            return self.company(None, self.says.pop(0) if self.says else None)
        return view(2)

    def company(self, mine: str | None = None, theirs: str | None = None) -> Any:
        return {"seats": ["here", "here"], "says": [mine, theirs], "watching": 0}


class Desk(JoinedDesk):
    """A seat at that server that receives only the test's messages."""

    def __init__(self) -> None:
        self.server = Noting()
        super().__init__(self.server, None, "Ada")

    @property
    def seat(self) -> int:
        return -1  # the names stay as they are: no rules are here to tell them

    def receive_messages(self, loop: asyncio.AbstractEventLoop) -> None:
        """Receive nothing."""


async def send_views(desk: Desk, lines: Lines, *views: dict[str, Any]) -> asyncio.Task[None]:
    """Send these views and wait until their moments have been shown."""
    for one in views:
        desk.found.put_nowait(one)
    task = asyncio.create_task(desk.run(lines))
    for _ in range(60_000):
        if desk.seen == views[-1] and lines.asked[0] in (-1, desk.seen["version"]):
            return task
        await asyncio.sleep(0.001)
    raise AssertionError("It has not come to that.")


def type_line(words: str, *views: dict[str, Any]) -> tuple[str, Noting]:
    """Return the reply to a line after these views, and the server."""
    desk = Desk()
    lines = Lines(desk, Console(True))

    async def play() -> str:
        task = await send_views(desk, lines, *views) if views else None
        word, _, rest = words.partition(" ")
        said = await lines.build_reply(word, rest)
        if task is not None:
            task.cancel()
        return said

    return asyncio.run(play()), desk.server


@pytest.mark.parametrize("words", ["back", "why not 1"])
def test_before_the_table_is_here_that_is_said(words: str) -> None:
    said, server = type_line(words)
    assert said == NOT_ARRIVED == "The table has not been loaded yet."
    assert server.sent == []


def test_an_action_is_legal_only_where_something_is_asked() -> None:
    assert type_line("why not ox@1", view(1, "ox@1"))[0] == "This is legal. Type it to choose it."
    assert type_line("why not ox@1", view(1))[0] == NO_DECISION


def test_after_the_end_that_is_said() -> None:
    assert type_line("why not ox@1", {**view(1), "over": {"text": "Bo resigned.", "ended": None}})[0] == GAME_OVER


@pytest.mark.parametrize("words", ["why", "why not ?"])
def test_why_not_wants_an_action(words: str) -> None:
    said, server = type_line(words, view(1, "ox@1"))
    assert said == "Which action? For example: why not ox@1"
    assert server.sent == []


@pytest.mark.parametrize("hints", [True, False])
def test_hints_are_offered_only_where_there_are_some(hints: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """This covers the keys of the screen and the help of the lines."""
    desk = Desk()
    desk.view = {**view(1, "ox@1"), "hints": hints}
    screen = TableScreen(desk)
    lines = Lines(desk, Console(True))
    screen.sight = lines.sight = replace(desk.sight(), viewer=0)
    keys = screen.list_keys()
    assert (("h", "hint") in keys) == hints
    asyncio.run(lines.run_command("help"))
    told = capsys.readouterr().out
    assert ("hint " in told) == hints
    assert "{" not in told
    assert max(map(len, told.splitlines())) <= 80


class Heard:
    """A stage that records greetings and their senders."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def show(self, sight: Sight) -> None:
        self.said += [f"{one.name}: {one.says}" for one in sight.company if one.says]

    async def hold(self, sight: Sight, seconds: float | None, live: bool = False) -> None:
        self.show(sight)

    async def show_change(self, sight: Sight, seconds: float = 0.0) -> None:
        self.show(sight)


def test_greetings_are_read_after_the_end_and_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Your own appear at once, those of others at the next poll."""
    monkeypatch.setattr(joined, "POLL_SECONDS", 0.01)
    desk, stage = JoinedDesk(Ended(), gonfalon.game("feint"), "Ada"), Heard()
    desk.stays_after_end = True

    async def play() -> None:
        task = asyncio.create_task(desk.run(stage))
        while "Bo: Thank you!" not in stage.said:
            await asyncio.sleep(0.001)
        assert await desk.say("bye") == ""
        while "You: Good game!" not in stage.said:
            await asyncio.sleep(0.001)
        assert not task.done()
        task.cancel()
        desk.stays_after_end = False

    asyncio.run(asyncio.wait_for(play(), 60))
    assert stage.said == ["Bo: Well played!", "Bo: Thank you!", "You: Good game!"]


def test_a_player_that_does_not_stay_is_done_after_the_game() -> None:
    desk = JoinedDesk(Ended(), gonfalon.game("feint"), "Ada")
    asyncio.run(asyncio.wait_for(desk.run(Heard()), 60))
    assert desk.sight().over == "You win."


def test_asking_why_not_agrees_to_nothing() -> None:
    desk = Desk()
    desk.seen = desk.view = view(1, "ox@1", wishes=True)
    assert asyncio.run(desk.why_not(AGREE)) == ""
    assert desk.server.sent == []


def test_an_answer_is_one_to_the_question_that_was_read() -> None:
    """A new version has arrived, and its moments are still loading. The server should refuse the answer."""
    desk = Desk()
    lines = Lines(desk, Console(True))
    answers: list[str] = []

    async def play() -> None:
        task = await send_views(desk, lines, view(1, "ox@1"))
        loop = asyncio.get_running_loop()

        def answer() -> None:
            desk.server.meanwhile = lambda: None
            answers.append(asyncio.run_coroutine_threadsafe(desk.act("ox@1"), loop).result(60))

        desk.server.meanwhile = answer
        desk.found.put_nowait(view(2, "ox@1", moments=1))
        while not answers:
            await asyncio.sleep(0.001)
        task.cancel()

    asyncio.run(play())
    assert desk.server.sent == [("/actions", {"expected": 1, "actions": ["ox@1"]})]


def test_a_wish_that_is_no_more_is_not_answered() -> None:
    desk = Desk()
    desk.seen = desk.view = view(1, "ox@1")
    assert asyncio.run(desk.act(AGREE)) == "The undo request has expired."
    assert desk.server.sent == []


@pytest.mark.parametrize("refusal", ["", "That is not legal."])
def test_a_question_that_comes_while_an_answer_is_on_its_way_is_asked(refusal: str) -> None:
    """It is not mistaken for the answered one, and a question with a refused answer stays open."""
    desk = Desk()
    lines = Lines(desk, Console(True))
    desk.server.refusal = refusal

    async def play() -> None:
        task = await send_views(desk, lines, view(1, "ox@1"))
        lines.console.terminal = True
        await lines.send_answer("ox@1")
        assert await lines.is_asked() == bool(refusal)
        loop = asyncio.get_running_loop()
        asked = asyncio.Event()

        async def next_question() -> None:
            sight: Sight = desk.sight()
            lines.sight = sight.__class__(**{**sight.__dict__, "version": 7})
            lines.write_question()
            asked.set()

        desk.server.meanwhile = lambda: asyncio.run_coroutine_threadsafe(next_question(), loop).result(60)
        await lines.send_answer("ox@1")
        assert asked.is_set()
        assert lines.asked[0] == 7
        task.cancel()

    asyncio.run(play())


def test_own_cards_are_told_once_and_known_to_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    change = {"path": "patriot.strength", "title": "Patriot: strength", "before": 6, "after": 9}
    cards = {"name": "Keion as printed", "count": 1, "changes": [change]}
    desk = JoinedDesk(Noting(), make_rules("feint", cards))
    lines = Lines(desk, Console(True))
    desk.view = view(1, "pass") | {"cards": cards}
    for _ in range(2):
        lines.show(desk.sight())
    assert capsys.readouterr().out.count("Cards: Keion as printed. Patriot: strength 6 → 9.") == 1
    assert "Patriot: strength 6 → 9" in desk.sight().tip  # on a screen, until the first answer
    assert desk.game is not None
    patriot = desk.game.card("patriot")
    assert patriot is not None
    assert patriot["strength"] == 9


@pytest.mark.parametrize("path", ["hill-folk", "patriot", 'a"\nb', "patriot.strength.x"])
def test_changes_that_lines_cannot_express_leave_the_standard_rules(path: str) -> None:
    cards = {"name": "", "count": 1, "changes": [{"path": path, "title": "x", "before": None, "after": [1, {}]}]}
    rules = make_rules("feint", cards)
    assert rules is not None
    assert rules.options["cards"] is None
