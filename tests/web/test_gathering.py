"""Before the deal and after the end, by forms without scripts and by the API."""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.testclient import TestClient

from gonfalon.games.generals.game import Generals
from gonfalon.web.table.waiting_room import draw_qr
from tests.table.opening import nonce
from tests.web.person import bearer, board, invited, open_table

DECKS = Generals().decks()


def open_generals(client: TestClient, **fields: str) -> str:
    form = {"game": "generals", "opponent": "friend", "seat": "0", "name": "May", "decks.0": "plans-of-wei"}
    answer = client.post("/tables", data={**form, "decks.1": "alliance", **fields})
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def sit(client: TestClient, url: str, **fields: str) -> Any:
    link = invited(client.get(url).text)
    return client.post(link + "sit", data={"name": "Bo", "nonce": nonce("Bo"), **fields})


def sides(html: str) -> list[str]:
    """Return a page's text about each side."""
    found = re.findall(r'<li id="side-\d+".*?</li>', html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", side).split()) for side in found]


# ---- by forms ---------------------------------------------------------------------------------------


def test_the_opener_waits_on_a_page_with_ready_players(client: TestClient) -> None:
    url = open_table(client, opponent="friend", **{"factions.0": "wu", "factions.1": "keion"})
    html = client.get(url).text
    assert sides(html) == ["May Tribe Wu Ready", "Your friend Not here yet Let a bot play"]
    assert "Waiting for a friend" in html
    watching = client.get(f"/t/{url.split('/')[2]}/watch/").text
    assert sides(watching) == ["May Tribe Wu Ready", "Free seat Not here yet"]
    assert "<form" not in watching
    assert client.post(url + "ready", data={"back": "1"}).status_code == 303
    assert sides(client.get(url).text)[0] == "May Choosing"
    bo = sit(client, url, brings="wu").headers["location"]
    assert sides(client.get(bo).text) == ["May Choosing", "Bo Tribe Wu Ready"]
    taken = client.post(url + "ready", data={"brings": "wu"})
    assert taken.status_code == 400
    assert "Bo already plays this faction. Choose another." in taken.text
    assert client.post(url + "ready", data={"brings": "agents"}).status_code == 303
    assert 'id="prompt"' in client.get(bo).text
    assert client.post(bo + "ready", data={"brings": "wu"}).headers["location"] == bo  # nothing else was wanted


def test_a_guest_may_learn_first_and_keeps_the_seat(client: TestClient) -> None:
    url = open_table(client, opponent="friend", **{"factions.0": "wu"})
    link = invited(client.get(url).text)
    client.cookies.clear()
    page = client.get(link).text
    assert "May invites you" in page
    assert "Feint is a bluffing card game for two. It takes about 25 minutes. No account." in page
    assert len(re.findall(r"<li>([^<]+)</li>", page)) == 3
    learning = client.post(link + "sit", data={"name": "Bo", "nonce": nonce("Bo"), "brings": "keion", "learn": "yes"})
    assert learning.headers["location"] == "/learn/feint/"
    assert sides(client.get(url).text)[1].startswith("Bo")
    lobby = client.get("/").text
    assert "Choose, then press Ready" in lobby
    assert ">Bo</strong>" in lobby.partition("</header>")[0]
    back = re.search(r'href="(/mine/\w+)"', lobby)
    assert back is not None
    seat = client.get(back[1]).headers["location"]
    assert client.post(seat + "ready", data={"brings": "keion"}).status_code == 303
    assert 'id="prompt"' in client.get(seat).text


def test_the_qr_code_is_of_the_link_and_for_the_opener_alone(client: TestClient) -> None:
    url = open_table(client, opponent="friend")
    page = client.get(url, headers={"accept-encoding": "gzip"})
    link = f"http://testserver{invited(page.text)}"
    assert str(draw_qr(link)) in page.text
    assert draw_qr(link) != draw_qr(link + "x")
    # Compressed, the secret link could be guessed from the length.
    assert "content-encoding" not in page.headers
    assert "no-transform" in page.headers["cache-control"]
    for other in (f"/t/{url.split('/')[2]}/watch/", invited(page.text)):
        assert 'class="qr"' not in client.get(other).text
    with client.websocket_connect(f"{url}live") as socket:
        assert "<path d=" not in board(socket)


def test_people_on_one_device_all_have_names(client: TestClient) -> None:
    form = {"game": "duel", "sides.0": "red", "sides.1": "blue", "opponent": "beside", "seat": "0"}
    for names in ({}, {"name": "May"}, {"name-1": "Bo"}, {"name": "May", "name-1": " "}):
        refused = client.post("/tables", data=form | names)
        assert refused.status_code == 400
        assert "Enter the name of each player on this device." in refused.text
    url = client.post("/tables", data=form | {"name": "May", "name-1": "Bo"}).headers["location"]
    assert "Hand the device to" in client.get(url).text


def test_an_own_deck_is_pasted_as_code_as_link_or_as_file(client: TestClient) -> None:
    deck = DECKS.find("alliance")
    for pasted in (DECKS.code(deck), f"https://elsewhere/games/generals/decks?d={DECKS.code(deck)}", DECKS.text(deck)):
        url = open_generals(client)
        refused = sit(client, url, code="1gryen7d")
        assert refused.status_code == 400
        assert "typing error" in refused.text
        assert "invites you" in refused.text
        short = sit(client, url, code="3 Cao Cao")
        assert "This deck is not legal yet. Add at least 37 cards" in short.text
        assert sides(client.get(url).text)[1].startswith("Your friend")
        bo = sit(client, url, code=pasted, brings="yellow-sky").headers["location"]
        page = client.get(bo).text
        assert "Shu · Wu" in page
        client.post(bo + "concede")


def test_pages_do_not_reveal_the_other_sides_deck(client: TestClient) -> None:
    """Two decks of the same factions give the same pages to an invited person, a seated player and a spectator."""
    pages = []
    for deck in ("vanguard-of-wei", "plans-of-wei"):
        url = open_generals(client, **{"decks.0": deck, "decks.1": "yellow-sky"})
        key = url.split("/")[2]
        link = invited(client.get(url).text)
        client.cookies.clear()
        asked = client.get(link).text
        client.post(url + "ready", data={"back": "1"})
        bo = sit(client, url, brings="yellow-sky").headers["location"]
        client.cookies.clear()
        watching, seated = client.get(f"/t/{key}/watch/").text, client.get(bo).text
        with client.websocket_connect(f"{bo}live") as socket:
            pushed = board(socket)
        pages.append([re.sub(r'(name="nonce" value=)"[^"]*"', "", page) for page in (asked, seated, watching, pushed)])
    assert pages[0] == pages[1]


# ---- over the API -----------------------------------------------------------------------------------


def test_programs_sit_down_are_ready_and_play_once_more(client: TestClient) -> None:
    body = {"game": "feint", "name": "Ann", "ready": False, "options": {"factions": ["wu", "keion"]}}
    made = client.post("/api/tables", json=body).json()
    table, ann = f"/api/tables/{made['table']}", bearer(made["seats"][0]["token"])
    view = client.get(table, headers=ann).json()
    assert (view["stage"], view["decision"], view["rematch"]) == ("waiting", None, None)
    assert [seat["ready"] for seat in view["seats"]] == [False, False]
    wrong = client.post(
        f"{table}/seats", json={"nonce": nonce("b"), "brings": "nobody"}, headers=bearer(made["invitation"])
    )
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_option")
    assert client.get(table).json()["seats"][1]["by"] == "nobody"
    sat = client.post(
        f"{table}/seats", json={"nonce": nonce("b"), "brings": "agents"}, headers=bearer(made["invitation"])
    )
    bob = bearer(sat.json()["token"])
    again = client.post(
        f"{table}/seats", json={"nonce": nonce("b"), "brings": "agents"}, headers=bearer(made["invitation"])
    )
    assert again.json() == sat.json()
    leads = client.get(table).json()["seats"][1]["leads"]
    assert [banner["name"] for banner in leads] == ["League of Agents"]
    assert client.post(f"{table}/ready", json={"ready": False}, headers=bob).json()["seats"][1]["ready"] is False
    assert client.post(f"{table}/ready", json={}).json()["code"] == "not_seated"
    client.post(f"{table}/ready", json={"brings": "mibits"}, headers=bob)
    view = client.post(f"{table}/ready", json={}, headers=ann).json()
    assert (view["stage"], [seat["faction"] for seat in view["board"]["seats"]]) == ("playing", ["wu", "mibits"])
    assert client.post(f"{table}/leave", json={}, headers=bob).json()["code"] == "stale"
    client.post(f"{table}/resignation", headers=ann)
    offered = client.post(f"{table}/rematch", json={"nonce": nonce("a"), "swap": True}, headers=ann)
    assert offered.status_code == 201
    view = client.get(table, headers=bob).json()
    assert (view["stage"], view["rematch"]) == ("over", {"stage": "waiting", "joined": [0], "refused": []})
    assert client.post(f"{table}/rematch/refusal", headers=bob).json()["rematch"]["refused"] == [1]
    joined = client.post(f"{table}/rematch", json={"nonce": nonce("b")}, headers=bob).json()
    assert joined["table"] == offered.json()["table"]
    view = client.get(f"/api/tables/{joined['table']}", headers=bearer(joined["token"])).json()
    assert (view["stage"], [seat["faction"] for seat in view["board"]["seats"]]) == ("playing", ["wu", "mibits"])
    assert view["names"] == ["Guest", "Ann"]


def test_the_stream_of_a_game_that_is_called_off_ends(client: TestClient) -> None:
    made = client.post("/api/tables", json={"game": "duel"}).json()
    table, link = f"/api/tables/{made['table']}", bearer(made["invitation"])
    client.post(f"{table}/leave", headers=bearer(made["seats"][0]["token"]))
    gone = client.post(f"{table}/seats", json={"nonce": nonce("b")}, headers=link)
    assert (gone.status_code, gone.json()["code"]) == (410, "withdrawn")
    with client.stream("GET", f"{table}/stream") as stream:
        lines = [json.loads(line) for line in stream.iter_lines() if line]
    assert [line["stage"] for line in lines] == ["closed"]
