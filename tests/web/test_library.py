"""Annotated games on the replay page: note by note, from one seat's view, without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest

from gonfalon import games
from gonfalon.core.files.play_on import find_position
from gonfalon.core.files.start_position import ANEW, TRUE
from gonfalon.lessons import ANNOTATED, shelf
from tests.web.every import HOUSE, Everything

TOLD = re.compile(r'<div class="annotation[^"]*" role="status"><p>(.*?)</p>')
NEXT = re.compile(r'id="note-next" href="([^"]+)"')
BACK = re.compile(r'id="note-back" href="([^"]+)"')


@pytest.mark.parametrize("game", HOUSE)
def test_from_note_to_note_by_links(server: Everything, game: str) -> None:
    assert f'href="/library/{game}/"' in server.page(f"/learn/{game}/")
    shelf_page = server.page(f"/library/{game}/")
    for noted in [one for one in shelf.list_lessons(games.find_game_class(game)) if one.kind == ANNOTATED][:1]:
        assert f'href="{noted.name}/replay"' in shelf_page
        url, texts, back = f"/library/{game}/{noted.name}/replay", [], 0
        while url:
            page = server.page(url)
            texts += [unescape(text) for text in TOLD.findall(page)]
            back += len(BACK.findall(page))
            link = NEXT.search(page)
            url = f"/library/{game}/{noted.name}/{unescape(link[1])}" if link else ""
        assert texts == [note.text for note in noted.notes]
        assert back == len(texts) - 1


def test_between_two_notes_the_last_one_stays(server: Everything) -> None:
    """Feint's first annotated game has notes after two decisions and after seven."""
    pages = [server.page(f"/library/feint/decoy/replay?at={at}") for at in (0, 2, 3, 7)]
    assert [TOLD.search(page) is not None for page in pages] == [False, True, True, True]
    assert ['<div id="replay-note" data-fresh>' in page for page in pages] == [False, True, False, True]
    second, between = (TOLD.search(page) for page in pages[1:3])
    assert second is not None
    assert between is not None
    assert second[1] == between[1]
    # Ada saw both decisions before the second note, and nothing lies between: the first stands at step 1.
    assert "11 notes, the first at step 1<" in pages[0]
    assert "bot thought" not in pages[0]


def test_the_winner_is_named(server: Everything) -> None:
    """The winner's own view shows the name too, not "You"."""
    page = server.page("/library/factionwars/guest/replay?step=9&as=1")
    last = re.search(r"Step [0-9] of ([0-9]+)", page)
    assert last is not None
    assert re.search("Bo wins by [0-9]+</h2>", server.page(f"/library/factionwars/guest/replay?step={last[1]}&as=1"))


def test_the_table_is_seen_as_one_seat_saw_it_and_all_are_called_by_their_names(server: Everything) -> None:
    """Bo's card at 5 is face down until the battle after decision 14."""
    for at, eyes, known in ((8, "0", False), (8, "all", True), (8, "watch", False), (15, "0", True)):
        url = f"/library/feint/decoy/replay?at={at}&as={eyes}"
        live = server.client.get(url, headers={"x-live": "1"}).text
        log = live.partition('id="log-list"')[2].partition("</ol>")[0]
        assert "Ada" in log
        assert "You" not in log
        assert ("Covert" in live) == known, (at, eyes)


TO_YOU = re.compile(
    r"\byours\b|>your Location\b|your (?:move|pick)\b|if I lose|only you|for you<"
    r"|Your (?:Sieges|deck)\b|Sieges on you|tie goes to you"
)


@pytest.mark.parametrize("game", HOUSE)
def test_the_board_calls_the_seat_by_its_name_as_the_notes_do(server: Everything, game: str) -> None:
    noted = next(one for one in shelf.list_lessons(games.find_game_class(game)) if one.kind == ANNOTATED)
    for note in noted.notes[::3]:
        page = server.page(f"/library/{game}/{noted.name}/replay?at={note.at}")
        assert TO_YOU.findall(page) == [], (noted.name, note.at)


def test_the_record_can_be_had(server: Everything) -> None:
    record = server.client.get("/library/jinkei/hunter/record.json")
    assert record.headers["content-type"].startswith("application/json")
    assert record.json()["names"] == ["Ada", "Bo"]
    assert server.client.get("/library/jinkei/hunter/").headers["location"] == "replay"


def test_there_is_nothing_at_other_addresses(server: Everything) -> None:
    for address, status in (
        ("chess/", 404),
        ("feint/none/", 404),
        ("feint/first/replay", 404),
        ("feint/decoy/replay?step=999", 404),
        ("feint/decoy/replay?at=9999", 404),
        ("feint/decoy/replay?as=2", 400),
    ):
        answer = server.client.get(f"/library/{address}")
        assert answer.status_code == status
        assert '<p class="refusal"' in answer.text or "<h1" in answer.text


@pytest.mark.parametrize("game", HOUSE)
def test_it_is_played_on_as_the_seat_saw_it(server: Everything, game: str) -> None:
    noted = next(one for one in shelf.list_lessons(games.find_game_class(game)) if one.kind == ANNOTATED)
    at, seat = len(noted.record.decisions) // 2, noted.seat
    for cards in (ANEW, TRUE):
        form = {"at": str(at), "seat": str(seat), "cards": cards, "opponent": "friend"}
        answer = server.client.post(f"/library/{game}/{noted.name}/play-on", data=form)
        assert answer.status_code == 303
        url = answer.headers["location"]
        assert f"Played on from decision {at + 1} of" in server.page(url)
        table = server.call(server.tables.table, url.split("/")[2])
        assert table.build_view(seat)["board"] == noted.game.board(find_position(noted.record, seat, at).mask(seat))
