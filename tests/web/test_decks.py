"""The deck builder without scripts: every page is an address, and every change is a form post that redirects to the
next address."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from gonfalon.core.basics.decks import Deck, Decks
from gonfalon.core.rules.game import Option
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.decks import GeneralsDecks
from gonfalon.table import Tables
from gonfalon.web.shared.static_files import STATIC, find_sheets
from tests.core.test_decks import SmallDecks
from tests.table.duel import Duel
from tests.web.conftest import serve_tables

SHELF = "/games/generals/decks"
URL = SHELF + "/build"
DECKS = GeneralsDecks(files.load())
ALLIANCE = next(deck for deck in DECKS.ready() if deck.slug == "alliance")


def code(**counts: int) -> str:
    return DECKS.code(Deck("", counts))


def post(client: TestClient, at: str = "", **fields: str) -> str:
    """Send a form and return the redirect's address."""
    answer = client.post(URL + at, data=fields)
    assert answer.status_code == 303, answer.text[:400]
    location: str = answer.headers["location"]
    return location


def counts_of(location: str) -> dict[str, int]:
    """Return the cards of an address."""
    query = parse_qs(urlsplit(location).query)
    return DECKS.decode(query["d"][0]).counts if "d" in query else {}


def text_of(html: str, id: str) -> str:
    """Return the words within the element with this id, up to the end of its paragraph."""
    found = re.search(rf'id="{id}"[^>]*>(.*?)</p>', html, re.S)
    assert found is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", "", found[1])).split())


# ---- looking --------------------------------------------------------------------------------------------------------


def test_a_deck_of_the_address_is_shown_with_its_figures(client: TestClient) -> None:
    """The alliance has 52 cards of Shu and Wu, so a hand limit of 8. The figures are for three copies, with seven or
    eight cards seen by turn 3."""
    html = client.get(f"{URL}?d={DECKS.code(ALLIANCE)}&name=Our+own").text
    assert text_of(html, "said") == "Ready to play."
    assert "<strong>52</strong> cards" in html
    flat = " ".join(html.split())
    for fact in (
        "<dt>Hand limit</dt><dd>8</dd>",
        "<dt>Factions</dt><dd>Shu, Wu</dd>",
        "<dt>Commandment</dt><dd>Recruit</dd>",
        "<dt>Characters</dt><dd>27</dd>",
        '<th scope="row">Zhuge Liang</th>',
        "<td>36%</td><td>40%</td>",
        "Our own",
    ):
        assert fact in flat
    # 0: East Wind 3; 1: Fan 2, Visits 3, Ruse 3, Ships 2; 2: Jiang Wei, Taishi Ci, Water 3, Lu Su, Fort, Plot 2;
    # 3: Zhao Yun 3, Sun Quan 2, Lu Xun 3, Lu Meng 2, Fire 3, Seal 2; 4: Zhuge Liang, Guan Yu, Zhou Yu 3 each.
    # The highest bar, 15 cards, is 40 high, and the lowest one 2.
    heights = re.findall(r'<rect x="\d+" y="\d+" width="12" height="(\d+)"', flat)[:6]
    assert heights == ["8", "27", "40", "40", "24", "2"]


def test_filters(client: TestClient) -> None:
    for filters, names in (
        ("q=imperial+seal", {"Imperial Seal"}),
        ("q=imperial+seal&faction=cao-wei", set()),
        ("group=Counters&faction=cao-wei", set()),
        ("faction=nobody", set()),
        ("cost=x", set()),
    ):
        html = client.get(f"{URL}?{filters}").text
        found = re.findall(r'class="dcard-name" popovertarget="[^"]*">([^<]*)<', html)
        assert {unescape(name) for name in found} == names, filters
        assert text_of(html, "shown").startswith(f"{len(names)} of ")


def test_every_banner_has_its_colour_pattern_and_glyph() -> None:
    """Color is never the only mark of a faction."""
    css = (STATIC / "gonfalon.css").read_text("utf-8")
    arms = {(card.colour, card.pattern, card.glyph) for card in DECKS.cards()}
    assert len(arms) == len({glyph for _, _, glyph in arms}) == len({pattern for _, pattern, _ in arms}) == 5
    for colour, pattern, glyph in arms:
        assert re.search(rf"\.t-{colour}\b", css)
        assert re.search(rf"\.p-{pattern}\b", css)
        assert glyph in find_sheets()


# ---- changing -------------------------------------------------------------------------------------------------------


def test_a_card_is_added_and_taken_out(client: TestClient) -> None:
    first = post(client, add="W01")
    assert counts_of(first) == {"W01": 1}
    assert first.endswith("#c-W01")
    second = post(client, d=code(W01=1), add="W01", name="My deck", faction="cao-wei", q="draw", turn="5")
    assert counts_of(second) == {"W01": 2}
    query = parse_qs(urlsplit(second).query)
    assert {key: query[key] for key in ("name", "faction", "q", "turn")} == {
        "name": ["My deck"],
        "faction": ["cao-wei"],
        "q": ["draw"],
        "turn": ["5"],
    }
    assert counts_of(post(client, d=code(W01=2, A03=1), take="W01")) == {"W01": 1, "A03": 1}
    assert counts_of(post(client, d=code(W01=2, A03=1), less="A03")) == {"W01": 2}
    assert counts_of(post(client, d=code(W01=1), take="W01")) == {}
    assert counts_of(post(client, d=code(W01=1), take="A03")) == {"W01": 1}


def test_a_deck_is_filled_up_and_that_can_be_undone(client: TestClient) -> None:
    short = code(W01=3, A03=2)
    html = client.get(f"{URL}?d={short}&name=Mine").text
    assert text_of(html, "said") == "Not ready: add at least 35 cards: RESOURCE needs 40 to 60."
    assert 'name="do" value="fill"' in html
    assert 'name="do" value="undo"' not in html
    filled = post(client, d=short, name="Mine", do="fill")
    assert DECKS.check(Deck("", counts_of(filled))) == []
    assert {id: counts_of(filled)[id] for id in ("W01", "A03")} == {"W01": 3, "A03": 2}
    query = {key: values[0] for key, values in parse_qs(urlsplit(filled).query).items()}
    assert (query["name"], query["before"]) == ("Mine", short)
    html = client.get(filled.partition("#")[0]).text
    assert 'name="do" value="undo"' in html
    assert 'name="do" value="fill"' not in html
    back = post(client, **query, do="undo")
    assert counts_of(back) == {"W01": 3, "A03": 2}
    assert "before" not in back
    assert "before" not in post(client, **query, take="W01"), "a later change is no longer undone with it"
    assert counts_of(post(client, d=query["d"], before=DECKS.code(Deck("", {})), do="undo")) == {}
    assert client.post(URL, data={"before": "<b>", "do": "undo"}).status_code == 400


def test_a_pasted_deck_is_opened(client: TestClient) -> None:
    for text in ("3 Cao Cao\n2 Red Hare\nCommandment: Recruit\n", f" {code(W01=3, A03=2, D01=1).upper()} "):
        assert counts_of(post(client, do="open", text=text)) == {"W01": 3, "A03": 2, "D01": 1}
    assert counts_of(post(client, do="open", text="3 Cao Cao")) == {"W01": 3}
    assert counts_of(post(client, do="open", text="Red Cliffs")) == DECKS.find("red-cliffs").counts


def test_the_file_of_a_deck_is_opened(client: TestClient) -> None:
    table = "Count,Name\r\n3,Cao Cao\r\n1,Red Hare\r\n".encode("utf-8-sig")
    answer = client.post(URL, data={"do": "open", "text": ""}, files={"file": ("deck.csv", table)})
    assert answer.status_code == 303
    assert f"d={code(W01=3, A03=1)}" in answer.headers["location"]
    shelf = client.post("/games/generals/decks", data={"text": ""}, files={"file": ("deck.csv", table)})
    assert "4 cards" in shelf.text or "Cards in RESOURCE 4" in shelf.text


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfe", "This file is not UTF-8 text."),
        (b"\n \n", "This file is empty."),
        (b"x" * 50_001, "The text is longer than 50000 characters, which no deck needs."),
        (b"1 Red Hare\n" * 5_000, "The text is longer than 50000 characters, which no deck needs."),
        (b"1 Red Hare\n" * 4_000 + b"1 Nobody\n", "Line 4001: There is no card 'Nobody'."),
        (b"1 Red Hare\n" + "\N{SNOWMAN}".encode() * 40_000, "Line 2 is longer than 300 characters."),
    ],
    ids=["no text", "empty", "one line", "too long", "fault at the end", "wide letters"],
)
def test_a_file_is_refused_whole_in_one_sentence(client: TestClient, data: bytes, sentence: str) -> None:
    """A text of at most 50,000 characters is read to its end, and a longer one is refused, never cut."""
    files = {"file": ("deck.txt", data)}
    for url in (URL, SHELF):
        answer = client.post(url, data={"do": "open"}, files=files)
        assert answer.status_code == 400
        assert text_of(answer.text, "error") == sentence
        assert "maxlength" not in re.findall(r'<textarea id="text"[^>]*>', client.get(url).text)[0]
        large = client.post(url, files={"file": ("deck.txt", b" " * 300_000)}, headers={"x-live": "1"})
        assert (large.status_code, large.text) == (413, "This request is too large.")


def test_a_deck_is_shared_as_text_and_as_qr_code(client: TestClient) -> None:
    page = client.get(f"{URL}?d={code(W01=3)}&name=A+%3Cb%3E").text
    listed = re.search(r'<textarea id="listed"[^>]*>(.*?)</textarea>', page, re.S)
    assert listed is not None
    assert DECKS.parse(unescape(listed[1])) == (Deck("A <b>", {"W01": 3}), [])
    address = re.search(r'src="([^"]*/qr.svg[^"]*)"', page)
    assert address is not None
    answer = client.get(unescape(address[1]))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<?xml")
    assert client.get(f"{URL}/qr.svg?d=1gryen7d").status_code == 400


def test_a_pasted_deck_with_faults_is_kept_and_explained(client: TestClient) -> None:
    answer = client.post(URL, data={"d": code(W01=1), "do": "open", "text": "3 Cao Coa\n2 Lu Boo\n1 Xu Chu"})
    assert answer.status_code == 400
    assert "did you mean Cao Cao?" in unescape(answer.text)
    assert "did you mean Lu Bu?" in unescape(answer.text)
    assert "3 Cao Coa\n2 Lu Boo\n1 Xu Chu</textarea>" in answer.text
    assert f'value="{code(W01=1)}"' in answer.text, "the deck that was there stays"
    for text, why in (("", "Enter a share code"), ("nonsense", "There is no deck"), ("1gryen7d", "typing error")):
        answer = client.post(URL, data={"do": "open", "text": text})
        assert answer.status_code == 400
        assert why in text_of(answer.text, "error")


# ---- test hands -----------------------------------------------------------------------------------------------------


def test_a_test_hand_is_drawn_from_the_deck(client: TestClient) -> None:
    seen: Counter[str] = Counter()
    for _ in range(12):
        location = post(client, d=DECKS.code(ALLIANCE), do="hand")
        hand = parse_qs(urlsplit(location).query)["hand"][0].split(".")
        assert len(hand) == 5
        assert all(count <= ALLIANCE.counts[id] for id, count in Counter(hand).items())
        assert "D01" not in hand, "the Commandment is not drawn"
        seen.update(set(hand))
    assert len(seen) > 8


# ---- sharing and playing --------------------------------------------------------------------------------------------


def test_the_deck_can_be_shared(client: TestClient) -> None:
    html = client.get(f"{URL}?d={DECKS.code(ALLIANCE)}&name=Our+own&faction=qun&hand=S07").text
    assert f'readonly value="{DECKS.code(ALLIANCE)}"' in html
    link = re.search(r'id="link"[^>]* value="([^"]+)"', html)
    assert link is not None
    assert unescape(link[1]) == f"http://testserver{URL}?d={DECKS.code(ALLIANCE)}&name=Our+own"
    file = re.search(r'href="([^"]+/file[^"]+)"', html)
    assert file is not None
    answer = client.get(unescape(file[1]))
    assert 'filename="our-own.deck"' in answer.headers["content-disposition"]
    deck, faults = DECKS.parse(answer.text)
    assert (deck.name, deck.counts, faults) == ("Our own", ALLIANCE.counts, [])


def test_the_builder_opens_its_own_link(client: TestClient) -> None:
    """A link from any server opens, with the deck's name. A link without a deck is explained."""
    html = client.get(f"{URL}?d={DECKS.code(ALLIANCE)}&name=Our+own").text
    link = re.search(r'id="link"[^>]* value="([^"]+)"', html)
    assert link is not None
    location = post(client, do="open", text=f"\n {unescape(link[1])} \n")
    assert counts_of(location) == ALLIANCE.counts
    assert "name=Our+own" in location
    elsewhere = unescape(link[1]).replace("http://testserver", "https://club.example:8443") + "&faction=qun#deck"
    assert counts_of(post(client, do="open", text=elsewhere)) == ALLIANCE.counts
    for wrong in (
        "http://testserver/games/generals/decks/build?d=nonsense",
        "http://testserver/?d=",
        "http://[::1?d=x",
    ):
        answer = client.post(URL, data={"do": "open", "text": wrong})
        assert answer.status_code == 400
        assert 'class="refusal"' in answer.text


async def game_of(tables: Tables, location: str) -> Any:
    return (await tables.table(location.split("/")[2])).game


@pytest.mark.parametrize(("seat", "order"), [("0", [0, 1]), ("1", [1, 0])])
def test_a_table_opens_with_the_deck_at_the_players_seat(
    client: TestClient, tables: Tables, seat: str, order: list[int]
) -> None:
    own = {**ALLIANCE.counts, "A06": 3}
    fields = {"d": DECKS.code(Deck("", own)), "against": "red-cliffs", "opponent": "bot:random", "seat": seat}
    location = post(client, "/play", **fields, player="May")
    assert re.fullmatch(r"/t/[^/]+/[^/]+/", location)
    options = client.portal.call(game_of, tables, location).options  # type: ignore[union-attr]
    both = [DECKS.code(Deck("", own)), "red-cliffs"]
    assert list(options["decks"]) == [both[i] for i in order]


def test_a_deck_comes_to_the_table_under_its_own_name(client: TestClient, tables: Tables) -> None:
    """A code holds no name. The page says so beside the code, and the table receives both."""
    own = {**ALLIANCE.counts, "A06": 3}
    fields = {"d": DECKS.code(Deck("", own)), "name": "The #1 <Road>"}
    assert "name is not in it" in text_of(client.get(URL, params=fields).text, "code-h")
    assert DECKS.decode(fields["d"]).name == ""
    location = post(client, "/play", **fields, against="red-cliffs", opponent="bot:random", seat="0")
    game = client.portal.call(game_of, tables, location)  # type: ignore[union-attr]
    assert [deck.name for deck in game.lists] == ["The #1 <Road>", "Red Cliffs"]
    assert game.lists[0].counts == {id: n for id, n in own.items() if n}
    html = client.get(location).text
    assert "The #1 &lt;Road&gt; · " in html


UNPLAYABLE = (
    ({"d": code(W01=3)}, "This deck is not legal yet. Add at least 37 cards"),
    ({"code": "1gryen7c"}, "Your opponent's deck is not legal. Add at least 40 cards"),
    ({"code": "1gryen7d"}, "typing error"),
    ({"against": "red-clifs"}, "did you mean red-cliffs?"),
    ({"opponent": "nobody"}, "Choose"),
    ({"opponent": "bot:genius"}, "genius"),
    ({"seat": "7"}, "seats 0 to 1"),
)


def test_unplayable_decks_are_explained(client: TestClient) -> None:
    for fields, why in UNPLAYABLE:
        whole = {"d": DECKS.code(ALLIANCE), "against": "red-cliffs", "opponent": "bot:random", "seat": "0"} | fields
        answer = client.post(URL + "/play", data=whole)
        assert answer.status_code == 400
        assert why in text_of(answer.text, "error")
        assert f'value="{whole["d"]}"' in answer.text, "the deck stays on the page"


# ---- the shelf ------------------------------------------------------------------------------------------------------


def boxes(client: TestClient, *decks: tuple[str, str, str]) -> list[str]:
    """Return the boxes of a browser's stored decks, each with an id, a code and a name."""
    fields = {key: [deck[n] for deck in decks] for n, key in enumerate(("id", "d", "name"))}
    answer = client.post(SHELF + "/boxes", data=fields)
    assert answer.status_code == 200
    return re.findall(r'<li class="box.*?(?=<li class="box|\Z)', answer.text, re.S)


def test_preset_decks_lead_to_the_builder(client: TestClient) -> None:
    html = client.get(SHELF).text
    ways = [unescape(way) for way in re.findall(r'<a class="preset [^>]* href="([^"]+)"', html)]
    assert [counts_of(way) for way in ways] == [deck.counts for deck in DECKS.ready()]
    assert "52 cards · Wu and Shu" in html
    assert 'value="quick"' not in html
    built = client.get(ways[-1]).text
    assert '<form id="quick" method="post"' in built
    assert "Alliance of Shu and Wu</h1>" in built


def test_the_boxes_of_kept_decks_play_with_one_click(client: TestClient, tables: Tables) -> None:
    [box] = boxes(client, ("a", DECKS.code(ALLIANCE), "Our own"))
    for part in (
        "<dd>52</dd>",
        "<dt>Hand limit</dt><dd>8</dd>",
        "<dd>Recruit</dd>",
        DECKS.code(ALLIANCE),
        "/build/file?d=",
    ):
        assert part in box
    fields = {
        name: unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', box)
    }
    location = client.post("/tables", data=fields | {"seat": "0"}).headers["location"]
    game = client.portal.call(game_of, tables, location)  # type: ignore[union-attr]
    assert game.lists[0].counts == ALLIANCE.counts


def test_an_old_link_to_a_deck_leads_to_the_builder(client: TestClient) -> None:
    answer = client.get(f"{SHELF}?d={code(W01=3)}&name=Our+own")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{URL}?d={code(W01=3)}&name=Our+own")


def test_a_shelf_offers_legal_decks_and_lists_faults_of_others(client: TestClient) -> None:
    """The page of a choice shows the decks as a row of choices and as options of a list."""
    own = {**ALLIANCE.counts, "A06": 3}
    kept = {
        "id": ["b", "c", "a1"],
        "d": [code(W01=4, D01=1), "1gryen7d", code(**own)],
        "name": ["Wall", "Odd", "<Road>"],
    }
    link = f"?d={code(**own)}&amp;name=%3CRoad%3E"
    good, bad, broken = re.split(
        r"(?=<(?:label|div) class=.bring )", client.post(SHELF + "/choices", data={**kept, "field": "brings-1"}).text
    )[1:]
    assert f'name="brings-1" value="{link}"' in good
    assert "&lt;Road&gt;</strong>" in good
    assert "checked" not in good
    for one, why, way in (
        (bad, "RESOURCE needs 40 to 60", f"{URL}?d={code(W01=4, D01=1)}&amp;name=Wall&amp;kept=b#check"),
        (broken, "typing error", SHELF),
    ):
        assert '"bring illegal"' in one
        assert why in one
        assert "<input" not in one
        assert f'href="{way}" target="_blank">Repair' in one
    options = client.post(SHELF + "/choices", data=kept).text
    assert re.findall(r"<option([^>]*)>([^<]*)<", options) == [
        (f' value="{link}"', "&lt;Road&gt;"),
        (" disabled", "Wall: not ready"),
        (" disabled", "Odd: not ready"),
    ]
    assert client.post("/games/feint/decks/choices", data=kept).status_code == 404


def test_no_more_boxes_than_a_shelf_holds(client: TestClient) -> None:
    assert len(boxes(client, *[(str(n), code(W01=1), "") for n in range(66)])) == 60
    assert boxes(client) == []
    assert client.post(SHELF + "/boxes", data={"id": "a", "d": ["x", "y"]}).text.count("<li") == 0


def test_pasted_decks_are_read_and_not_stored(client: TestClient) -> None:
    for text in (DECKS.code(ALLIANCE), f"http://elsewhere{SHELF}?d={DECKS.code(ALLIANCE)}", DECKS.text(ALLIANCE)):
        answer = client.post(SHELF, data={"text": text})
        assert answer.status_code == 200
        assert f'data-d="{DECKS.code(ALLIANCE)}"' in answer.text
        assert "· ready to play" in answer.text
    draft = client.post(SHELF, data={"text": "3 Cao Cao"})
    assert "RESOURCE needs 40 to 60" in draft.text
    refused = client.post(SHELF, data={"text": "3 Cao Coa\n<b>"})
    assert refused.status_code == 400
    assert "did you mean Cao Cao?" in text_of(refused.text, "error")
    assert "3 Cao Coa\n&lt;b&gt;</textarea>" in refused.text
    assert client.post(SHELF, data={}).status_code == 400


def test_a_mark_of_the_shelf_stays_with_the_deck_and_out_of_its_link(client: TestClient) -> None:
    location = post(client, d=code(W01=1), kept="abc123", add="W02")
    assert parse_qs(urlsplit(location).query)["kept"] == ["abc123"]
    html = client.get(location.partition("#")[0]).text
    assert 'data-kept="abc123"' in html
    link = re.search(r'id="link"[^>]* value="([^"]+)"', html)
    assert link is not None
    assert "kept" not in link[1]
    assert "kept" not in post(client, d=code(W01=1), kept="<b>", add="W02")


def test_a_deck_with_too_many_copies_is_mended(client: TestClient) -> None:
    html = client.get(f"{URL}?d={code(W01=5, W02=3, D01=1)}").text
    assert 'value="trim"' in html
    assert counts_of(post(client, d=code(W01=5, W02=3, D01=1), do="trim")) == {"W01": 3, "W02": 3, "D01": 1}
    assert 'value="trim"' not in client.get(f"{URL}?d={code(W01=3)}").text


def test_a_deck_that_was_played_is_offered_again(client: TestClient, tables: Tables) -> None:
    own = {**ALLIANCE.counts, "A06": 3}
    fields = {"d": DECKS.code(Deck("", own)), "name": "Long Road", "against": "lot", "opponent": "bot:gentle"}
    post(client, "/play", **fields, player="May")
    assert "Long Road</option>" in client.get("/games/generals/new").text
    assert '<option value="bot:gentle" selected>' in client.get("/").text.partition('id="g-generals"')[2]


# ---- nonsense -------------------------------------------------------------------------------------------------------


def test_a_bad_code_in_the_address_is_reported_on_a_working_page(client: TestClient) -> None:
    answer = client.get(f"{URL}?d=1gryen7d&faction=qun")
    assert answer.status_code == 400
    assert "typing error" in text_of(answer.text, "error")
    assert 'class="dcard ' in answer.text


def test_a_game_without_decks_has_no_builder(client: TestClient) -> None:
    for game in ("feint", "chess"):
        for at in ("", "/build", "/build/file"):
            assert client.get(f"/games/{game}/decks{at}").status_code == 404


def test_invalid_requests_are_refused(client: TestClient) -> None:
    for at, fields in (
        ("", {"d": "1gryen7d", "add": "W01"}),
        ("", {"add": "Z99"}),
        ("", {"add": "<b>"}),
        ("/play", {"d": "nonsense"}),
        ("/play", {}),
    ):
        answer = client.post(URL + at, data=fields)
        assert answer.status_code == 400
        assert "<b>" not in answer.text


def test_markup_in_a_name_is_only_text(client: TestClient) -> None:
    html = client.get(URL, params={"name": "<b>May</b>", "q": '"><script>', "d": code(W01=1)}).text
    assert "<b>May" not in html
    assert '"><script>' not in html


# ---- a game with the decks of the core ------------------------------------------------------------------------------


class Decked(Duel):
    """The Duel with decks that state only their cards, preset decks and bounds."""

    name, title = "decked", "Decked"
    options_spec = (*Duel.options_spec, Option("decks", ("thieves", "keeps"), "Decks", "The decks."))

    def decks(self) -> Decks:
        return SmallDecks()


def test_a_game_with_the_decks_of_the_core_has_all_pages(tmp_path: Path) -> None:
    with serve_tables(tmp_path, {"decked": Decked}, lambda name, **options: Decked(**options)) as server:
        client = server.client
        for page in ("", "/build"):
            assert client.get(f"/games/decked/decks{page}").status_code == 200
        answer = client.post("/games/decked/decks/build", data={"do": "open", "text": "2 the spy\n2 keep #1"})
        page = client.get(answer.headers["location"]).text
        assert "Ready to play" in page
        assert client.get("/games/decked/decks/build/qr.svg?" + answer.headers["location"].partition("?")[2]).is_success
        play = {"d": SmallDecks().code(Deck("", {"spy": 2, "keep": 2})), "against": "lot", "opponent": "bot:random"}
        assert client.post("/games/decked/decks/build/play", data=play).status_code == 303
