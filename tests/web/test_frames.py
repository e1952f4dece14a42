"""Frames in lines: joined they are the whole page, they are small, and they depend only on their reader's earlier
frames."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon import bots, games
from gonfalon.bots.players.budget import Budget
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.lab.run.match import find_percentile
from gonfalon.table import Beside, Person, Table, Tables
from gonfalon.table.links import WATCH
from gonfalon.web import messages
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.table.live import LONG, Frame, Sections, TableFrames, encode_message, find_runs, split_lines
from tests.table.opening import tables_at
from tests.web.person import Joined, join_runs, open_table

DECISIONS = 25
"""The first decisions are most of a game."""
OPTIONS: dict[str, dict[str, int]] = {"factionwars": {"seats": 2}, "feint": {}, "generals": {}, "jinkei": {}}


def read(frame: bytes) -> list[Any]:
    found: list[Any] = json.loads(zlib.decompress(frame, wbits=-zlib.MAX_WBITS))
    return found


def test_lines_joined_are_the_same_again() -> None:
    long = '<ol class="' + "x" * LONG + '">'
    html = f'<ol>\n  <li id="a">A</li><li id="b">B</li>\n{long}<li>C</li><link><button>D</button>\r\n\u2028</ol>'
    assert split_lines(html) == [
        "<ol>\n",
        '  <li id="a">A</li><li id="b">B</li>\n',
        long,
        "<li>C</li>",
        "<link>",
        "<button>D</button>\r\n",
        "\u2028",
        "</ol>",
    ]
    assert split_lines(long + "<li>\0<li>") == [long + "<li>\0<li>"]
    assert split_lines("") == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("", "ab", ["a", "b"]),
        ("ab", "ab", [(0, 2)]),
        ("abc", "bcxa", [(1, 2), "x", (0, 1)]),
        ("abcd", "acd", [(0, 1), (2, 2)]),
        ("ab", "", []),
        ("axbx", "bxax", [(2, 2), (0, 2)]),
        ("aba", "aab", [(0, 1), (0, 2)]),
    ],
)
def test_old_lines_come_as_runs(old: str, new: str, found: list[Any]) -> None:
    assert find_runs(list(old), list(new)) == found
    assert "".join(join_runs(list(old), found)) == new


def test_all_with_the_same_last_frame_are_sent_the_same() -> None:
    first, second = Frame("table", "a\nb\n", 0), Frame("table", "a\nc\n", 0)
    assert read(first.after(None)) == ["table", 0, 2, ["a\n", "b\n"]]
    sent = second.after(first)
    assert read(sent) == ["table", 2, 2, [[0, 1], "c\n"]]
    assert second.after(first) is sent


def test_a_frame_is_made_of_nothing_that_other_eyes_saw() -> None:
    """On a shared device a frame does not depend on the frames of another person at the device."""
    may, curtain, bo = Frame("table", "a\nb\n", 0), Frame("table", "a\n", -2), Frame("table", "a\nb\n", 1)
    assert read(curtain.after(may)) == ["table", 0, 1, ["a\n"]]
    assert read(bo.after(may)) == read(bo.after(curtain)) == ["table", 0, 2, ["a\n", "b\n"]]


def test_a_frame_depends_on_its_own_last_one_alone() -> None:
    """Compression does not use earlier frames."""
    first, second = Frame("table", "a\nb\n", 0), Frame("table", "a\nc\n", 0)
    alone = second.after(first)
    Frame("table", "c\n" * 50, 1).after(None)
    assert Frame("table", "a\nc\n", 0).after(Frame("table", "a\nb\n", 0)) == alone


def test_a_section_is_rendered_again_only_after_a_change() -> None:
    last: Sections | None = None
    rendered = []
    for shown in (1, 1, 2, 1, 2, 3, 1):  # two renderings are kept
        sections = Sections(0, last)
        found = sections.find("hand", {"cards": [shown]})
        if not found:
            rendered.append(shown)
            found = sections.keep(f"<li>{shown}\n")
        assert sections.finish(f"<ul>\n{found}</ul>") == ["<ul>\n", f"<li>{shown}\n", "</ul>"]
        last = sections
    assert rendered == [1, 2, 3, 1]
    assert not Sections("another viewer", last).find("hand", {"cards": [1]})


class Reader:
    """The socket of a link."""

    def __init__(self, render: Renderer, table: Table, token: str) -> None:
        self.render, self.table, self.token = render, table, token
        self.frames = TableFrames(render)
        self.last: dict[str, Frame] = {}
        self.page = Joined()
        self.raw: list[int] = []
        self.packed: list[int] = []
        self.wholes = 0

    def look(self) -> None:
        """Receive the current frames. Raises AssertionError if they do not join to the whole page."""
        for part in ("board", "seats"):
            frame, fresh = (
                getattr(frames, part)(self.table, self.token) for frames in (self.frames, TableFrames(self.render))
            )
            assert frame.html == fresh.html, "a section that was not rendered again is outdated"
            last = self.last.get(frame.part)
            if last is not None and last.html == frame.html:
                continue
            sent = frame.after(last)
            assert self.page.html(sent) == frame.html
            same = last is not None and last.eyes == frame.eyes
            assert bool(read(sent)[1]) == same
            if last is not None and same and frame.part == "table":
                self.raw.append(len(encode_message(frame.part, last.lines, frame.lines).encode()))
                self.packed.append(len(sent))
            self.wholes += not same
            self.last[frame.part] = frame


def decisions(table: Table, seed: int) -> Iterator[tuple[int, int]]:
    """Yield the first decisions of the rule of thumb."""
    mover, rng = bots.make("greedy", table.game), Rng(seed)
    for _ in range(DECISIONS):
        if table.position.over:
            return
        seat = next(seat for seat in range(table.game.seats) if table.position.is_asked(seat))
        yield seat, mover.think(table.position.view_to_keep(seat), Budget(iterations=1), rng).action


@pytest.mark.anyio
@pytest.mark.parametrize("name", OPTIONS)
async def test_whole_games_come_in_small_frames(tmp_path: Path, name: str) -> None:
    """The frames of both seats and of spectators are small, even if every log sentence were sent again."""
    render = Renderer({name: games.find_game_class(name)})
    async with tables_at(tmp_path, find=games.game) as tables:
        table, tokens = await tables.open_table(games.game(name, **OPTIONS[name]), [Person("May"), Person("Bo")])
        readers = [Reader(render, table, token) for token in (*tokens.values(), WATCH)]
        for seat, action in decisions(table, 1):
            for reader in readers:
                reader.look()
            for viewer in (0, 1, SPECTATOR):
                names = names_for(table.game, viewer, table.names)
                told = list(list_lines(table.game, table.view(viewer), names))
                assert table.build_view(viewer)["log"] == told
                past_url = "" if table.game.moments_pass else "past"
                assert [html for _, html in table.rendered_log(viewer)] == [
                    render.line(line, past_url) for line in told
                ]
            await table.moves.act_at(seat, table.position.version(seat), [action])
        for reader in readers:
            reader.look()
            assert reader.wholes == 2  # the board and the seats, at first
    raw = [float(size) for reader in readers for size in reader.raw]
    packed = [float(size) for reader in readers for size in reader.packed]
    assert len(raw) > 25
    assert sum(raw) / len(raw) <= 10_000
    assert find_percentile(packed, 0.95) <= 3500


@pytest.mark.anyio
async def test_frames_of_a_shared_device_restart_for_each_person(tmp_path: Path) -> None:
    name = "jinkei"
    render = Renderer({name: games.find_game_class(name)})
    async with tables_at(tmp_path, find=games.game) as tables:
        table, tokens = await tables.open_table(games.game(name, **OPTIONS[name]), [Person("May"), Beside("Bo")])
        device = Reader(render, table, tokens[0])
        for seat, action in decisions(table, 2):
            device.look()
            await table.seats.move_curtain(tokens[0], seat)
            device.look()
            await table.moves.act_at(seat, table.position.version(seat), [action])
            device.look()
            if device.wholes > 12:
                break
    assert device.wholes > 10


@pytest.mark.anyio
async def test_a_drawn_page_keeps_its_frame_and_not_its_view(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        table, tokens = await tables.open_table(games.game("feint"), [Person("May"), Person("Bo")])
        frames = TableFrames(Renderer({"feint": games.find_game_class("feint")}))
        frame = frames.board(table, tokens[0])
        assert not table._shown
        assert frames.board(table, tokens[0]) is frame
        assert not table._shown


class Unspoken(ValueError):
    """An error of a game that quotes a hidden card."""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (GonfalonError("asks['aim'] names {rival}, but Aim has no number rival."), "asks['aim'] names {rival}"),
        (Unspoken("The deck begins with Duchess."), "Unspoken at "),
    ],
)
def test_a_game_that_cannot_draw_its_board_says_so_on_the_page(
    client: TestClient,
    tables: Tables,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    said: str,
) -> None:
    url = open_table(client, game="duel")
    app: Any = client.app
    assert client.portal is not None
    table = client.portal.call(tables.table, url.split("/")[2])

    def fail(*_: object) -> str:
        raise type(error)(*error.args)

    monkeypatch.setattr(type(table), "build_view", fail)
    frames: TableFrames = app.state.table_frames
    for _ in range(2):
        html = unescape(frames.list_frames(table, url.split("/")[3], noticed=False)[0].html)
        assert html.startswith('<div id="table"')
        assert f'role="alert" tabindex="-1">{messages.GAME_FAULT}' in html
        assert said not in html
    assert len(caplog.records) == 1, "it is logged once"
    assert "Duchess" not in caplog.text
    assert said in caplog.text
