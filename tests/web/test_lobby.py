"""The lobby without scripts: the cards of the games, what a device likes, and the visitor's own tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.decks import Deck
from gonfalon.core.game import Game
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.decks import GeneralsDecks
from gonfalon.table import Store, Tables
from gonfalon.web import create_app, likes
from gonfalon.web.decklinks import link_of
from gonfalon.web.render import STATIC
from gonfalon.web.showcase import PICTURES, arms_of, shown
from tests.table.duel import Duel
from tests.web.person import Person, invited, open_table

DECKS = GeneralsDecks(files.load())
INPUT = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def find(name: str, **options: Any) -> Game:
    return Duel(**options) if name == "duel" else games.game(name, **options)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Tables(store, pace=0, find=find)
    store.close()


@pytest.fixture
def client(tables: Tables) -> Iterator[TestClient]:
    kinds: dict[str, type[Game]] = {"duel": Duel, **{name: games.kind(name) for name in games.names()}}
    with TestClient(create_app(tables, kinds), follow_redirects=False) as client:
        yield client


def card(client: TestClient, game: str) -> str:
    """A game's card in the lobby."""
    found = re.search(rf'<li class="game" id="g-{game}">.*?</li>', client.get("/").text, re.S)
    assert found is not None
    return found[0]


def as_it_stands(html: str) -> dict[str, str]:
    """What a card posts that nobody has changed: its hidden fields, and of each list what is chosen."""
    fields = {name: unescape(value) for name, value in INPUT.findall(html)}
    for name, options in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.search(r'<option value="([^"]+)" selected>', options) or re.search(
            r'<option value="([^"]+)"', options
        )
        assert chosen is not None
        fields[name] = unescape(chosen[1])
    return fields


def quick(client: TestClient, game: str, **more: str) -> str:
    """Press *Play now* as the card stands; the address of the seat."""
    html = card(client, game)
    answer = client.post("/tables", data=as_it_stands(html) | more)
    assert answer.status_code == 303, answer.text
    location: str = answer.headers["location"]
    return location


def at(client: TestClient, tables: Tables, url: str) -> Any:
    """The table of an address."""
    return client.portal.call(tables.table, url.split("/")[2])  # type: ignore[union-attr]


def test_the_cards_come_in_order_and_a_strangers_game_has_one_like_them(client: TestClient) -> None:
    html = client.get("/").text
    assert re.findall(r'<li class="game" id="g-(\w+)">', html) == ["feint", "jinkei", "generals", "factionwars", "duel"]
    for game in ("feint", "duel"):
        one = card(client, game)
        for part in ('class="art art-', 'class="say"', "2 <span", ">Play now<", ">Customise<", "Invite a friend"):
            assert part in one, (game, part)
    assert 'class="art art-dusk"' in card(client, "duel")
    assert card(client, "duel").count('class="banner ') == 3
    assert " min<" not in card(client, "duel")  # nobody knows how long it takes
    assert "25 min<" in card(client, "feint")
    assert html.count("<form") == 5 + 2, "a card, no unfolded form: one each, the name, and what closes the sheet"


@pytest.mark.parametrize("game", ["feint", "jinkei", "generals", "factionwars", "duel"])
def test_play_now_opens_a_table_against_bots(client: TestClient, tables: Tables, game: str) -> None:
    table = at(client, tables, quick(client, game))
    seats = [row.by for row in table.row.seats]
    assert sorted(seats) == sorted(["person"] + ["bot"] * (games.kind(game)().seats - 1 if game != "duel" else 1))


@pytest.mark.parametrize("game", ["feint", "jinkei", "generals", "factionwars", "duel"])
def test_an_invitation_leaves_one_seat_free_and_shows_its_link(client: TestClient, tables: Tables, game: str) -> None:
    url = quick(client, game, invite="yes")
    assert sum(row.free for row in at(client, tables, url).row.seats) == 1
    assert re.search(r'id="invite-url-[^>]* value="http://testserver/t/', client.get(url).text)


def test_the_level_the_name_and_the_faction_are_remembered_for_each_game(client: TestClient, tables: Tables) -> None:
    assert '<option value="bot:club" selected>' in card(client, "feint")
    fields = {"factions.0": "mibits", "factions.1": "wu", "opponent": "bot:gentle", "seat": "0", "name": "May"}
    assert client.post("/tables", data={"game": "feint"} | fields).status_code == 303
    assert '<option value="bot:gentle" selected>' in card(client, "feint")
    assert '<option value="bot:club" selected>' in card(client, "jinkei")
    table = at(client, tables, quick(client, "feint", seat="0"))
    assert table.game.options["factions"][0] == "mibits"
    assert table.game.options["factions"][1] != "mibits"
    assert table.names[0] == "May"
    assert ">May</strong>" in client.get("/").text.partition("</header>")[0]
    whole = client.get("/games/feint/new").text
    assert re.search(r'name="factions.0" value="mibits" checked', whole)
    assert re.search(r'name="opponent" value="bot:gentle" checked', whole)
    assert re.search(r'name="name"[^>]* value="May"', whole)


def test_an_invitation_does_not_change_the_level(client: TestClient) -> None:
    quick(client, "jinkei", opponent="bot:gentle")
    quick(client, "jinkei", opponent="bot:strong", invite="yes")
    assert '<option value="bot:gentle" selected>' in card(client, "jinkei")


def test_the_name_is_kept_and_may_be_forgotten(client: TestClient, tables: Tables) -> None:
    assert client.post("/name", data={"name": "  Zoë   of <b>Rohan</b> and far beyond "}).status_code == 303
    assert "Zoë of &lt;b&gt;Rohan&lt;/b&gt;" in client.get("/").text
    assert at(client, tables, quick(client, "duel", seat="0")).names[0].startswith("Zoë of")
    assert client.post("/name", data={"name": " "}).status_code == 303
    assert ">Guest</strong>" in client.get("/").text
    assert client.post("/name", data={}).status_code == 303


@pytest.mark.parametrize("cookie", ["", "x", "feint.opponent=bot%3Agenius&feint.factions.0=nobody", "a=" + "b" * 9000])
def test_nonsense_in_the_cookie_is_nothing(client: TestClient, cookie: str) -> None:
    client.cookies.set("likes", cookie)
    assert '<option value="bot:club" selected>' in card(client, "feint")
    quick(client, "feint")


def test_an_old_liking_that_is_none_any_more_is_explained(client: TestClient) -> None:
    """A deck of cards that there are not is not offered; one that is not legal any more is refused with the reason."""
    client.cookies.set("likes", "generals.decks.0=%3Fd%3D1gryen7d")
    assert as_it_stands(card(client, "generals"))["decks.0"] == "vanguard-of-wei"
    link = link_of(DECKS, Deck("Iron Wall", {"W01": 4}))
    client.cookies.set("likes", urlencode({"generals.decks.0": link}))
    fields = as_it_stands(card(client, "generals"))
    assert fields["decks.0"] == link
    answer = client.post("/tables", data=fields)
    assert answer.status_code == 400
    assert "4 copies of Cao Cao are too many" in answer.text
    assert answer.text.count('action="/tables"') == 1
    assert client.get("/").text.count('class="tile') == 0, "and no table was opened"


@pytest.mark.parametrize("way", [{"invite": "yes"}, {"opponent": "friend"}])
def test_a_friend_chooses_for_themselves(client: TestClient, tables: Tables, way: dict[str, str]) -> None:
    """What the form says of the other side is left alone, even where it could not be played."""
    for game, field, own, theirs in (("feint", "factions", "wu", "wu"), ("generals", "decks", "alliance", "nonsense")):
        form = {"game": game, f"{field}.0": own, f"{field}.1": theirs, "link.1": "1gryen7d", "seat": "0"}
        url = client.post("/tables", data=form | way).headers["location"]
        assert [row.brings for row in at(client, tables, url).row.seats] == [own, ""]
        asked = client.get(invited(client.get(url).text)).text
        assert "as laid out" not in asked


def test_what_the_other_side_plays_is_marked_to_be_hidden_from_a_friends_form(client: TestClient) -> None:
    for game, fields in (("feint", {"factions.1"}), ("generals", {"decks.1", "link.1"}), ("jinkei", set[str]())):
        html = client.get(f"/games/{game}/new").text
        marked = "".join(
            found[0] for found in re.finditer(r'<(fieldset|label) class="[^"]*\btheirs\b.*?</\1>', html, re.S)
        )
        assert set(re.findall(r' name="([^"]+)"', marked)) == fields
        assert ("by-friend" in html) == bool(fields)


def test_a_device_keeps_no_more_likes_than_a_cookie_holds() -> None:
    liked = likes.Likes({})
    for n in range(40):
        liked = liked.also(f"game{n}", {"opponent": "bot:club", "decks.0": "x" * 300, "name": "May", "long": "y" * 500})
    assert liked.of("game39", "long") == ""
    assert liked.name == "May"
    assert list(liked.chosen)[-1] in ("name", "game39.decks.0", "game39.opponent")


def test_factions_by_lot_differ(client: TestClient, tables: Tables) -> None:
    for _ in range(12):
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


def test_lessons_are_offered_before_and_at_and_after_a_table(client: TestClient) -> None:
    """The bar's Learn leads to what one plays, with the documentation beside it; a game without lessons offers none."""
    assert re.search(r'href="/learn/"[^>]*>Learn</a><a href="/about"', client.get("/about").text)
    assert 'href="/learn/"' in client.get("/docs").text.partition("<main")[2]
    feint, duel = quick(client, "feint"), open_table(client, game="duel", name="May")
    assert 'href="/learn/feint/"' in client.get(feint).text
    assert 'href="/learn/' not in client.get(duel).text.partition("<main")[0]
    client.get(feint)
    client.post(feint + "concede")
    lobby = client.get("/").text.partition("<main")[2].partition("</main>")[0]
    assert '<li class="tile over">' in lobby
    assert 'href="/learn/"' in lobby


def test_a_log_that_forgets_says_so(client: TestClient) -> None:
    """Cards that have fought are named no more in Jinkei, unless the table shall remember them (ruling 30)."""
    assert client.get(quick(client, "jinkei")).text.count("not named again") == 1
    assert "not named again" not in client.get(quick(client, "jinkei", memory="open")).text
    assert "not named again" not in client.get(quick(client, "feint")).text


def test_a_deck_comes_to_the_form_by_link_and_is_remembered(client: TestClient, tables: Tables) -> None:
    own = Deck("The #1 <Road>?", {**DECKS.find("alliance").counts, "A06": 3})
    link = link_of(DECKS, own)
    html = client.get("/games/generals/new" + link).text
    assert '<option value="' + link.replace("&", "&amp;") + '" selected>The #1 &lt;Road&gt;?</option>' in html
    form = {"game": "generals", "decks.0": link, "decks.1": "red-cliffs", "opponent": "bot:random", "seat": "0"}
    answer = client.post("/tables", data=form)
    game = at(client, tables, answer.headers["location"]).game
    assert [deck.name for deck in game.lists] == ["The #1 <Road>?", "Red Cliffs"]
    assert at(client, tables, quick(client, "generals", seat="0")).game.lists[0].name == "The #1 <Road>?"


def test_a_deck_may_be_named_by_its_code(client: TestClient, tables: Tables) -> None:
    own = {**DECKS.find("alliance").counts, "A06": 3}
    form = {"game": "generals", "decks.0": "red-cliffs", "decks.1": "lot", "opponent": "bot:random", "seat": "0"}
    answer = client.post("/tables", data=form | {"link.0": DECKS.code(Deck("", own)), "link.1": "Yellow Sky"})
    lists = at(client, tables, answer.headers["location"]).game.lists
    assert lists[0].counts == {id: n for id, n in own.items() if n}
    assert lists[1].name == "Yellow Sky"
    refused = client.post("/tables", data=form | {"link.0": "1gryen7d"})
    assert refused.status_code == 400
    assert "typing error" in refused.text
    assert 'value="1gryen7d"' in refused.text


class Tourney(Duel):
    """A stranger's game that says how it looks."""

    @classmethod
    def lobby(cls) -> dict[str, Any]:
        arms = [{"slug": f"arm{n}", "name": f"Arm {n}", "colour": "teal"} for n in range(4)]
        return {"picture": "shield", "minutes": 7, "banners": arms}


class Odd(Duel):
    """One that asks for a picture that there is not."""

    @classmethod
    def lobby(cls) -> dict[str, Any]:
        return {"picture": "../secret", "banners": []}


def test_a_strangers_game_may_say_how_it_looks() -> None:
    assert (shown(Tourney)["picture"], shown(Tourney)["minutes"]) == ("shield", 7)
    assert [one["slug"] for one in shown(Tourney)["arms"]] == ["arm0", "arm1", "arm2", "arm3"]
    assert (shown(Odd)["picture"], shown(Odd)["minutes"], len(shown(Odd)["arms"])) == ("dusk", None, 3)


@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_is_drawn_of_plain_shapes(picture: str, client: TestClient) -> None:
    app: Any = client.app
    game = {"picture": picture, "arms": arms_of(games.kind("factionwars"))}
    drawn = '{% import "_ui.html" as g %}{% include "_picture.html" %}'
    html = app.state.services.render.templates.env.render_str(drawn, game=game)
    assert f'class="art art-{picture}" aria-hidden="true"' in html
    assert "<img" not in html
    assert f".art-{picture}" in (STATIC / "lobby.css").read_text("utf-8")


@pytest.mark.parametrize("game", sorted(games.names()))
def test_a_refusal_of_the_form_calls_options_as_the_form_does(client: TestClient, game: str) -> None:
    """By their labels, never by the names that programs use."""
    form = {"game": game, "opponent": "bot:random", "seat": "0"}
    factions = ["keion", "keion"] if game == "feint" else []
    for n, faction in enumerate(factions):
        form[f"factions.{n}"] = faction
    refusals = []
    options = [option for option in games.kind(game).options_spec if option.public and option.name != "seats"]
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
