"""The replay of a finished game: step by step, from each seat's view or with all cards open, without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.files.record import load
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.files.replay import trace_course as course_of
from gonfalon.core.rules.state import TOGETHER
from gonfalon.table import Table, Tables
from gonfalon.table.links import WATCH
from gonfalon.testing import random_record
from gonfalon.web.history.replay import Scene, find_step, replay_context
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import Context
from tests.web.conftest import find
from tests.web.person import Person
from tests.web.test_curtain import CANARY
from tests.web.test_seats import open_moot


def link(html: str, name: str) -> str:
    found = re.search(rf'id="replay-{name}"[^>]* href="([^"]+)"', html)
    assert found is not None
    return unescape(found[1])


def place(html: str) -> tuple[int, int]:
    found = re.search(r"Step (\d+) of (\d+)", html)
    assert found is not None
    return int(found[1]), int(found[2])


def hands(html: str) -> list[list[str]]:
    """Return the hands on the board by seat."""
    return [re.findall("<li>(.*?)</li>", ul) for ul in re.findall(r'<ul id="hand-\d".*?</ul>', html, re.DOTALL)]


def finish_game(client: TestClient, tables: Tables) -> tuple[str, Table]:
    url = open_moot(client, "bot:random", "bot:random")
    Person(client, url).play_on()
    assert client.portal is not None
    return url, client.portal.call(tables.table, url.split("/")[2])


def test_there_is_none_while_the_game_goes_on(client: TestClient) -> None:
    url = open_moot(client, "bot:random")
    for query in ("", "?as=all", "?as=watch", "?at=0"):
        answer = client.get(url + "replay" + query)
        assert answer.status_code == 403
        assert not CANARY.search(answer.text)
    assert client.get(url[:-2] + "/replay").status_code == 404


def test_step_by_step_forth_and_back(client: TestClient, tables: Tables) -> None:
    url, table = finish_game(client, tables)
    assert 'href="replay"' in client.get(url).text
    record = load(client.get(url + "record.json").text, find)
    opened = client.get(url + "replay").text
    last = client.get(url + link(opened, "last")).text
    number, steps = place(last)
    # A row for the beginning; three deals; twice three choices, of which my own shows at once and those of
    # the others with the last one; and what followed.
    moves = enumerate(record.fold(record.game.start()), start=1)
    order = [(n, seat) for n, (state, seat, _) in moves if state.stack[-1].seat == TOGETHER]
    assert sorted(seat for _, seat in order[:3]) == sorted(seat for _, seat in order[3:]) == [0, 1, 2]
    hidden = {n for nth, (n, seat) in enumerate(order) if seat != 0 and nth not in (2, 5)}
    assert number == steps == len(record.decisions)
    forth = [opened]
    while place(forth[-1])[0] < steps:
        forth.append(client.get(url + link(forth[-1], "next")).text)
    assert [place(html)[0] for html in forth] == [n for n in range(steps + 1) if n not in hidden]
    assert forth[-1] == last
    back = [last]
    while place(back[-1])[0]:
        back.append(client.get(url + link(back[-1], "back")).text)
    assert back[::-1] == forth
    assert client.get(url + link(forth[3], "last")).text == last
    views = [table.game.board(sight.state.mask(0)) for sight in replay_sights(record, 0) if sight.seat != 0]
    assert hands(forth[0]) == [[], [], []]
    assert hands(forth[3]) == views[3]["hands"]
    assert sum(len(hand) for hand in hands(forth[3])) == 15


def test_a_players_replay_shows_their_view_and_an_open_one_everything(client: TestClient, tables: Tables) -> None:
    url, _ = finish_game(client, tables)
    at = url + "replay?at=3&as="
    mine, other, crowd, everything = (hands(client.get(at + eyes).text) for eyes in ("0", "1", "watch", "all"))
    assert [[card == "?" for card in hand] for hand in mine] == [[False] * 5, [True] * 5, [True] * 5]
    assert [[card == "?" for card in hand] for hand in other] == [[True] * 5, [False] * 5, [True] * 5]
    assert {card for hand in crowd for card in hand} == {"?"}
    assert "?" not in {card for hand in everything for card in hand}
    assert sorted(everything[0]) == mine[0]
    assert sorted(everything[1]) == other[1]
    # A spectator's replay is open, unless he asks for what he saw.
    watch = f"/t/{url.split('/')[2]}/{WATCH}/"
    assert hands(client.get(watch + "replay?at=3").text) == everything
    # What one seat alone was told is marked as such, whoever of all people looks at it now.
    assert "not seen by all" not in client.get(at + "all").text
    assert "not seen by all" in client.get(at + "0").text
    assert "only you" not in client.get(at + "0").text


@pytest.mark.parametrize("name", ["feint", "jinkei", "generals", "factionwars"])
def test_marks_lie_where_a_round_or_turn_begins(name: str) -> None:
    record = random_record(games.game(name), 2)
    render = Renderer({name: games.find_game_class(name)})
    scene = Scene("key", name, name, record.names, record.game)
    course = course_of(record, 0)
    key = "turn" if name == "generals" else "round"

    def shown(step: int) -> Context:
        context: Context = replay_context(render, scene, find_step(record, 0, course.marks[step], {}, course))
        return context

    parts = shown(0)["replay"]["parts"]
    assert len(parts) > 1
    for part in parts[:4]:
        number = int(part["name"].rpartition(" ")[2])
        assert shown(part["step"])["board"][key] == number
        assert shown(part["step"] - 1)["board"][key] == number - 1 or number == 1
    first, second, third = (part["step"] for part in [*parts, parts[-1]][:3])
    at_second = shown(second)["replay"]
    assert unmarked(at_second["part_back_url"]) == course.marks[first]
    assert unmarked(at_second["part_next_url"]) == course.marks[third] or len(parts) < 3
    assert unmarked(shown(second + 1)["replay"]["part_back_url"]) == course.marks[second]


def unmarked(url: str) -> float:
    return float(url.partition("at=")[2].partition("&")[0])


def test_a_moment_is_a_step_with_its_name() -> None:
    record = random_record(games.game("feint"), 2)
    render = Renderer({"feint": games.find_game_class("feint")})
    scene = Scene("key", "feint", "Feint", record.names, record.game)
    marks = course_of(record, 0).marks
    moments = [mark for mark in marks if mark % 1]
    assert moments
    for mark in marks:
        context = replay_context(render, scene, find_step(record, 0, mark, {}))
        shown = context["moment"]
        assert (shown is not None) == (mark in moments)
        if shown:
            assert (shown["number"], shown["name"]) == (0, "resolution")
            # It has the number of the decision that leads through it, and says which moment it is.
            where = f"Step {int(mark) + 1} of {len(record.decisions)}, moment 1"
            assert f">{where}</span>" in render.templates.draw("replay.html", context)


def test_invalid_steps_and_viewers(client: TestClient, tables: Tables) -> None:
    url, _ = finish_game(client, tables)
    for name in ("step", "place", "at"):
        for value in ("x", "-1", "²", "9999", "9999999"):
            assert client.get(f"{url}replay?{name}={value}").status_code == 404, (name, value)
    for value in ("7", "me", "-3", "²"):
        assert client.get(f"{url}replay?as={value}").status_code == 400
