"""The lobby without scripts: the cards of the games, a device's preferences, and the visitor's own tables."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.table import Tables
from gonfalon.web.shared import preferences
from tests.web.person import Person, invited, open_table

INPUT = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def card(client: TestClient, game: str) -> str:
    """Return a game's card in the lobby."""
    found = re.search(rf'<li class="game" id="g-{game}">.*?</li>', client.get("/").text, re.S)
    assert found is not None
    return found[0]


def as_it_stands(html: str) -> dict[str, str]:
    """Return the fields that an unchanged card or form posts: hidden fields and selected options."""
    fields = {name: unescape(value) for name, value in INPUT.findall(html)}
    for name, options in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.search(r'<option value="([^"]+)" selected>', options) or re.search(
            r'<option value="([^"]+)"', options
        )
        assert chosen is not None
        fields[name] = unescape(chosen[1])
    return fields


def quick(client: TestClient, game: str, **more: str) -> str:
    """Press *Play* on an unchanged card and return the address of the seat."""
    html = card(client, game)
    answer = client.post("/tables", data=as_it_stands(html) | more)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def at(client: TestClient, tables: Tables, url: str) -> Any:
    """Return the table of an address."""
    return client.portal.call(tables.table, url.split("/")[2])  # type: ignore[union-attr]


def test_play_opens_a_table_against_bots_and_an_invitation_leaves_one_seat_free(
    client: TestClient, tables: Tables
) -> None:
    for game in (*games.names(), "duel"):
        seats = [row.by for row in at(client, tables, quick(client, game)).row.seats]
        assert sorted(seats) == sorted(
            ["person"] + ["bot"] * (games.find_game_class(game)().seats - 1 if game != "duel" else 1)
        )
        page = client.get(unescape(re.findall(r'class="invite-friend" href="([^"]+)"', card(client, game))[0])).text
        assert "with a friend" in page
        form = as_it_stands(page) | dict(re.findall(r'name="(opponent)" value="(friend)" checked', page))
        url = client.post("/tables", data=form | {"name": "May"}).headers["location"]
        assert sum(row.free for row in at(client, tables, url).row.seats) == 1
        assert re.search(r'id="invite-url"[^>]* value="http://testserver/t/', client.get(url).text)


def test_the_level_the_name_and_the_faction_are_remembered_for_each_game(client: TestClient, tables: Tables) -> None:
    assert '<option value="bot:gentle" selected>' in card(client, "feint")
    fields = {"factions.0": "mibits", "factions.1": "wu", "opponent": "bot:casual", "seat": "0", "name": "May"}
    assert client.post("/tables", data={"game": "feint"} | fields).status_code == 303
    assert '<option value="bot:casual" selected>' in card(client, "feint")
    assert '<option value="bot:gentle" selected>' in card(client, "jinkei")
    table = at(client, tables, quick(client, "feint", seat="0"))
    assert table.game.options["factions"][0] == "mibits"
    assert table.game.options["factions"][1] != "mibits"
    assert table.names[0] == "May"
    assert ">May</strong>" in client.get("/").text.partition("</header>")[0]
    whole = client.get("/games/feint/new").text
    assert re.search(r'name="factions.0" value="mibits" checked', whole)
    assert re.search(r'name="opponent" value="bot:casual" checked', whole)
    assert re.search(r'name="name"[^>]* value="May"', whole)


def test_only_levels_for_people_are_offered(client: TestClient) -> None:
    for game in games.names():
        levels = re.findall(r'<option value="(bot:[^"]*)"', card(client, game))
        assert levels == [f"bot:{level}" for level in ("expert", "strong", "club", "casual", "gentle")]
        assert not re.search(r"bot:(greedy|random)", client.get(f"/games/{game}/new").text)


def test_the_bar_leads_to_what_players_need_and_the_rest_is_under_more(client: TestClient) -> None:
    bar, _, more = client.get("/").text.partition("</header>")[0].partition('<span class="vh">More</span>')
    assert re.findall(r'<a href="([^"]+)"', bar.partition("</nav>")[0]) == [
        "/",
        "/learn/",
        "/puzzles/",
        "/games/generals/decks",
    ]
    assert 'href="/about"' not in bar
    assert {"/workshop/", "/library/", "/about", "/help"} <= set(re.findall(r'<a href="([^"]+)"', more))


def test_the_first_load_is_small(client: TestClient) -> None:
    """All but the fonts, as a browser receives it that accepts gzip."""
    page = client.get("/")
    files = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page.text))
    total = sum(int(client.get(url).headers["content-length"]) for url in files) + int(page.headers["content-length"])
    assert len(files) >= 4
    assert total < 40_000


def test_the_puzzle_of_the_day_is_of_another_game_each_day(client: TestClient) -> None:
    found = re.search(r'<a class="button" href="(/puzzles/[a-z]+/\d+/)">Solve', client.get("/").text)
    assert found is not None
    assert client.get(found[1]).status_code == 200


def test_the_name_is_kept_and_may_be_forgotten(client: TestClient, tables: Tables) -> None:
    assert client.post("/name", data={"name": "  Zoë   of <b>Rohan</b> and far beyond "}).status_code == 303
    assert "Zoë of &lt;b&gt;Rohan&lt;/b&gt;" in client.get("/").text
    assert at(client, tables, quick(client, "duel", seat="0")).names[0].startswith("Zoë of")
    assert client.post("/name", data={"name": " "}).status_code == 303
    assert ">Guest</strong>" in client.get("/").text
    assert client.post("/name", data={}).status_code == 303


def test_an_invalid_cookie_is_ignored(client: TestClient) -> None:
    for cookie in ("", "x", "feint.opponent=bot%3Agenius&feint.factions.0=nobody", "a=" + "b" * 9000):
        client.cookies.clear()
        client.cookies.set("likes", cookie)
        assert '<option value="bot:gentle" selected>' in card(client, "feint")
        quick(client, "feint")


def test_a_friend_chooses_for_themselves(client: TestClient, tables: Tables) -> None:
    """The form's fields for the other side are ignored, even if they are not playable."""
    for game, field, own, theirs in (("feint", "factions", "wu", "wu"), ("generals", "decks", "alliance", "nonsense")):
        form = {"game": game, f"{field}.0": own, f"{field}.1": theirs, "link.1": "1gryen7d", "seat": "0"}
        url = client.post("/tables", data=form | {"opponent": "friend"}).headers["location"]
        assert [row.brings for row in at(client, tables, url).row.seats] == [own, ""]
        asked = client.get(invited(client.get(url).text)).text
        assert "as laid out" not in asked


@pytest.mark.parametrize(
    ("opponent", "wish", "hints"),
    [("bot:greedy", "", True), ("friend", "", False), ("friend", "yes", True), ("bot:greedy", "no", False)],
)
def test_hints_are_offered_against_bots_unless_the_opener_chooses(
    client: TestClient, tables: Tables, opponent: str, wish: str, hints: bool
) -> None:
    form = {"game": "feint", "opponent": opponent, "name": "May", "hints": wish}
    url = client.post("/tables", data=form).headers["location"]
    assert at(client, tables, url).row.hints is hints


def test_nobody_is_invited_under_a_name_of_spaces(client: TestClient) -> None:
    refused = client.post("/tables", data={"game": "feint", "opponent": "friend", "name": "   "})
    assert refused.status_code == 400
    assert "Enter your name" in refused.text


def test_a_device_keeps_no_more_likes_than_a_cookie_holds() -> None:
    liked = preferences.Likes({})
    for n in range(40):
        liked = liked.also(f"game{n}", {"opponent": "bot:club", "decks.0": "x" * 300, "name": "May", "long": "y" * 500})
    assert liked.of("game39", "long") == ""
    assert liked.name == "May"
    assert list(liked.chosen)[-1] in ("name", "game39.decks.0", "game39.opponent")


def test_factions_by_lot_differ(client: TestClient, tables: Tables) -> None:
    for _ in range(5):
        pair = at(client, tables, quick(client, "feint")).game.options["factions"]
        assert len(set(pair)) == 2


def test_tables_that_wait_for_the_visitor_stand_in_front(client: TestClient) -> None:
    mine = open_table(client, game="duel", name="May")
    over = open_table(client, game="duel", name="May", opponent="bot:random")
    client.get(mine)
    client.get(over)
    person = Person(client, mine)
    client.post(over + "concede")
    tiles = re.findall(r'<li class="(tile[^"]*)">.*?href="(/mine/\w+)".*?</li>', client.get("/").text, re.S)
    assert [kind for kind, _ in tiles] == ["tile turn", "tile over"]
    assert [client.get(link).headers["location"] for _, link in tiles] == [mine, over]
    assert "1 waits for you" in client.get("/").text
    page = person.look()
    person.send(page.answers()[-1])
    html = client.get("/").text
    assert re.findall(r'<li class="(tile[^"]*)">', html) == ["tile", "tile over"]
    assert "for you" not in html.partition("</section>")[0]


@pytest.mark.parametrize("game", sorted(games.names()))
def test_a_refusal_of_the_form_calls_options_as_the_form_does(client: TestClient, game: str) -> None:
    """The refusal uses their labels, never the names that programs use."""
    form = {"game": game, "opponent": "bot:random", "seat": "0"}
    factions = ["keion", "keion"] if game == "feint" else []
    for n, faction in enumerate(factions):
        form[f"factions.{n}"] = faction
    refusals = []
    options = [
        option for option in games.find_game_class(game).options_spec if option.public and option.name != "seats"
    ]
    for option in options:
        answer = client.post("/tables", data={**form, option.name: "9999"})
        assert answer.status_code == 400
        found = re.search(r'<p class="refusal" role="alert">(.*?)</p>', answer.text)
        assert found is not None
        refusals.append(found[1])
        assert f"“{option.label}”" in found[1]
    if factions:
        page = client.post("/tables", data=form).text
        refusals.append("Both seats have the same faction: choose two, or allow a mirror match (ruling 1).")
        assert refusals[-1] in page
    for refusal in refusals:
        assert not re.search(r"\b(option|" + "|".join(f"{option.name}=" for option in options) + ")", refusal, re.I)
