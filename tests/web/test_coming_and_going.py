"""Two devices, old pages, decks that are not legal any more, people who leave: each hears one clear sentence, and the
table is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.decks import Deck
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.state import Action, State
from gonfalon.games.generals.game import Generals
from gonfalon.table import LinkHolder, Store, Tables
from gonfalon.web.app import create_app
from gonfalon.web.decklinks import link_of, word_of
from gonfalon.web.limits import Limits
from tests.table.opening import nonce
from tests.web.every import Everything, everything
from tests.web.person import Page, Person, hidden, invited, open_table

DECKS = Generals().decks()
LIVE = {"x-live": "1"}
FEINT = {"factions.0": "wu", "opponent": "friend"}


@pytest.fixture
def banned() -> set[str]:
    """The decks that are not legal any more, as the game is told of them."""
    return set()


@pytest.fixture
def generals(tmp_path: Path, banned: set[str]) -> Iterator[TestClient]:
    """A server of Generals whose rules for decks may change under it."""

    def strict(name: str, **options: Any) -> Game:
        if banned & set(options.get("decks", ())):
            raise OptionError("There are 61 cards in RESOURCE, and 60 at most.")
        return games.game(name, **options)

    store = Store(f"sqlite:///{tmp_path / 'generals.db'}")
    tables = Tables(store, pace=0, pause=(0, 0), find=strict)
    with TestClient(create_app(tables, {"generals": Generals}, Limits(0)), follow_redirects=False) as client:
        yield client
    store.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    with everything(tmp_path_factory.mktemp("coming")) as server:
        yield server


def sit(client: TestClient, url: str, **fields: str) -> str:
    """Bo takes the free seat and says what he brings; the address of his seat."""
    link = invited(client.get(url).text)
    answer = client.post(link + "sit", data={"name": "Bo", "nonce": nonce("Bo"), **fields})
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def alerts(html: str) -> list[str]:
    """The sentences that a page says aloud because something was refused."""
    found = re.findall(r'<p[^>]*role="alert"[^>]*>(.*?)</p>', html, re.S)
    return [unescape(text) for text in found if text]


def ready(html: str) -> list[bool]:
    """Of each side whether it is ready."""
    return ["sign-ready" in side for side in re.findall(r'<li id="side-\d+".*?</li>', html, re.S)]


# ---- a deck that became illegal -----------------------------------------------------------------------------------


def test_a_deck_that_became_illegal_before_its_owner_was_ready(generals: TestClient, banned: set[str]) -> None:
    own = Deck("Fan and Flame", {**DECKS.find("alliance").counts, "A06": 3})
    form = {"game": "generals", "opponent": "friend", "seat": "0", "decks.0": link_of(DECKS, own)}
    url = generals.post("/tables", data=form).headers["location"]
    generals.post(url + "ready", data={"back": "1"})
    assert re.search(r'value="" checked>.*?Fan and Flame', generals.get(url).text)
    banned.add(word_of(DECKS, own))
    for fields in ({}, {"brings": link_of(DECKS, own)}):
        refused = generals.post(url + "ready", data=fields)
        assert refused.status_code == 400
        assert alerts(refused.text) == ["There are 61 cards in RESOURCE, and 60 at most."]
        assert ready(refused.text) == [False, False]
    html = generals.get(url).text
    bad = re.search(r'<div class="bring illegal">.*?</div>', html, re.S)
    assert bad is not None
    assert "Fan and Flame" in bad[0]
    assert "There are 61 cards in RESOURCE, and 60 at most." in bad[0]
    assert f'href="/games/generals/decks/build{link_of(DECKS, own).replace("&", "&amp;")}#check"' in bad[0]
    assert "Mend it" in bad[0]
    assert re.findall(r'value="([\w-]*)" checked', html) == ["vanguard-of-wei"]


def test_a_deck_that_became_illegal_before_the_last_one_was_ready(generals: TestClient, banned: set[str]) -> None:
    """The deal stops; why, is told its owner alone."""
    form = {"game": "generals", "opponent": "friend", "seat": "0", "decks.0": "red-cliffs", "name": "May"}
    url = generals.post("/tables", data=form).headers["location"]
    banned.add("red-cliffs")
    bo = sit(generals, url, brings="yellow-sky")
    assert alerts(generals.get(url).text) == [
        "What you wanted to bring is not legal any more. There are 61 cards in RESOURCE, and 60 at most. Choose again."
    ]
    seen = generals.get(bo).text
    assert alerts(seen) == []
    assert "61" not in seen.partition('id="table"')[2]
    assert "Red Cliffs" not in seen.partition('id="bring"')[0]
    assert ready(seen) == [False, True]
    assert generals.post(url + "ready", data={"brings": "vanguard-of-wei"}).status_code == 303
    assert 'id="prompt"' in generals.get(bo).text


# ---- a rematch that somebody left ---------------------------------------------------------------------------------


def test_a_rematch_whose_opener_left(client: TestClient) -> None:
    url = open_table(client, **FEINT)
    bo = sit(client, url, brings="keion")
    client.post(url + "concede")
    new = client.post(url + "rematch", data={"nonce": nonce("May")}).headers["location"]
    client.post(new + "ready", data={"back": "1"})
    joined = client.post(bo + "rematch", data={"nonce": nonce("Bo")}).headers["location"]
    client.post(new + "leave")
    for what, fields in (("ready", {"brings": "wu"}), ("ready", {"back": "1"}), ("leave", {})):
        late = client.post(joined + what, data=fields)
        assert late.status_code == 410
        assert "This game will not be played: whoever offered it has left." in late.text
    page = client.get(joined).text
    assert "This game will not be played: whoever offered it has left." in page
    assert "<form" not in page.partition("<main")[2]
    assert client.post(bo + "rematch", data={"nonce": nonce("Bo again")}).headers["location"] != joined


def test_a_rematch_whose_other_player_left(client: TestClient) -> None:
    url = open_table(client, **FEINT)
    bo = sit(client, url, brings="keion")
    client.post(url + "concede")
    new = client.post(url + "rematch", data={"nonce": nonce("May")}).headers["location"]
    client.post(new + "ready", data={"back": "1"})
    joined = client.post(bo + "rematch", data={"nonce": nonce("Bo")}).headers["location"]
    assert client.post(joined + "leave").status_code == 303
    page = client.get(new).text
    assert "does not come" in page
    assert ready(page) == [False, False]
    assert client.get(joined).status_code == 404, "the link of the seat that he left leads nowhere"
    assert client.post(joined + "ready", data={"brings": "wu"}).status_code == 404
    client.post(new + "ready", data={"brings": "wu"})
    assert ready(client.get(new).text).count(True) == 1


# ---- two devices of one seat --------------------------------------------------------------------------------------


def test_two_devices_are_ready_with_different_choices(client: TestClient) -> None:
    url = open_table(client, **FEINT)
    client.post(url + "ready", data={"back": "1"})
    assert client.post(url + "ready", data={"brings": "wu"}).status_code == 303
    assert client.post(url + "ready", data={"brings": "wu"}).status_code == 303, "the same once more changes nothing"
    other = client.post(url + "ready", data={"brings": "agents"})
    assert other.status_code == 409
    assert alerts(other.text) == [
        "You are ready already, with another choice, perhaps on another device; take that back first."
    ]
    assert "Tribe Wu" in other.text
    bo = sit(client, url, brings="keion")
    for fields in ({"brings": "agents"}, {"back": "1"}):
        late = client.post(url + "ready", data=fields)
        assert late.status_code == 409
        assert alerts(late.text) == ["The game has begun already."]
        assert 'id="prompt"' in late.text
    assert client.post(url + "ready", data={"brings": "wu"}).headers["location"] == url, "nothing else was wanted"
    assert "Tribe Wu" in client.get(bo).text


def test_two_devices_move(client: TestClient) -> None:
    """Each is shown the same decision; the second to answer hears that the table has changed, and sees how."""
    url = open_table(client, game="duel")
    one, two = Person(client, url), Person(client, url)
    seen, also = one.look(), two.look()
    assert seen.hidden == also.hidden
    assert one.send([*seen.hidden, ("act", "done")]).status_code == 303
    late = two.send([*also.hidden, ("act", also.named("act")[0].value), ("then", "done")])
    assert late.status_code == 409
    assert alerts(late.text) == ["The table has changed since you saw it; look again, then choose."]
    assert Page(late.text).hidden == one.look().hidden
    heard = two.send([*also.hidden, ("act", also.named("act")[0].value), ("then", "done")], headers=LIVE)
    assert (heard.status_code, heard.text) == (409, alerts(late.text)[0])


# ---- old pages ------------------------------------------------------------------------------------------------------


def draft(state: State) -> list[Action]:
    """A general whom seat 0 may recruit now for two cards or more, and the first two of them; else nothing."""
    for general in state.legal(0) if state.stack and state.stack[-1].prompt == "main" and state.turn == 0 else []:
        after, cards = state.clone(), [general]
        after.apply(0, general)
        while after.stack[-1].prompt == "pay" and len(cards) < 3:
            cards.append(after.legal(0)[0])
            after.apply(0, cards[-1])
        if len(cards) == 3:
            return cards
    return []


def test_a_draft_of_several_actions_from_an_old_page_is_refused_whole(server: Everything) -> None:
    """Drafted on a page of before, no card of it is played."""
    table, url = server.sit("generals")
    server.play(table, lambda state: bool(draft(state)))
    general, *pays = draft(table.position.state)
    words = [table.game.notation(action) for action in pays]
    old = dict(Page(server.page(url)).hidden) | {"first": table.game.notation(general), "act": words}
    server.call(table.moves.act, LinkHolder(0), table.position.version(0), [table.game.parse("end")])
    length, now = table.position.length, table.position.version(0)
    late = server.client.post(url + "act", data=old)
    assert late.status_code == 409
    assert alerts(late.text) == ["The table has changed since you saw it; look again, then choose."]
    assert (table.position.length, table.position.version(0)) == (length, now)
    assert hidden(late.text, "expected") == str(now)


def test_a_moment_that_is_none_or_not_yet_or_no_more(server: Everything) -> None:
    """Asked for while one reconnects, or when the game has gone on: what is kept is shown, else the table itself."""
    table, url = server.sit("factionwars", seats=2)
    words = "This moment of the game is not kept any more; the table shows what came of it."
    for number in ("1", "99", "999999"):
        early = server.client.get(f"{url}moment?n={number}")
        assert early.status_code == 410
        assert alerts(early.text) == [words]
        assert Page(early.text).answers(), "the table itself, at which one may act"
        heard = server.client.get(f"{url}moment?n={number}", headers=LIVE)
        assert (heard.status_code, heard.text) == (204, ""), "a page that has fallen behind goes on to the next"
    for number in ("", "0", "-1", "x", "1e3", "٣"):
        assert server.client.get(f"{url}moment", params={"n": number}).status_code == 404
    for seat in (0, 1):
        server.call(table.moves.act, LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[:1])
    count = table.position.moment_count
    assert count
    past = server.client.get(f"{url}moment?n={count}", headers=LIVE)
    assert past.status_code == 200
    assert not Page(past.text).answers(), "nothing is asked in a moment"
    server.call(table.seats.resign, LinkHolder(0))
    again = server.client.get(f"{url}moment?n={count}", headers=LIVE)
    seen, later = (re.sub(r'name="expected" value="\d+"', "", answer.text) for answer in (past, again))
    assert later == seen, "what was to be seen does not change with what comes"
    assert server.client.get(f"{url}moment?n={count + 1}").status_code == 410


def test_a_moment_of_a_table_that_waits(client: TestClient) -> None:
    url = open_table(client, **FEINT)
    early = client.get(f"{url}moment?n=1")
    assert early.status_code == 410
    assert "not kept any more" in early.text
    assert "data-waits" in early.text
