"""Own cards on the pages, without scripts: the form, the page of a set, an invitation, a table and open tables."""

from __future__ import annotations

import re
import time
from html import escape, unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.table import Tables
from tests.web.person import bearer, hidden, invited

TEXT = 'name = "Keion as printed"\npatriot.strength = 9\nheavy-tower.copies = 4\n'
FORM = {"game": "feint", "factions.0": "keion", "factions.1": "engineers", "seat": "0", "name": "May"}
BOT = FORM | {"opponent": "bot:gentle"}
FRIEND = FORM | {"opponent": "friend"}


def words(html: str) -> str:
    """Return the text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def open_own(client: TestClient, **more: str) -> str:
    """Open a table with own cards and return the address of the seat."""
    answer = client.post("/tables", data=BOT | {"set": "own", "cards": TEXT} | more)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def keep(client: TestClient, text: str = TEXT) -> str:
    """Keep own cards and return the address of the set."""
    answer = client.post("/games/feint/cards/keep", data=FORM | {"set": "own", "cards": text})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def at(client: TestClient, tables: Tables, url: str) -> Any:
    return client.portal.call(tables.table, url.split("/")[2])  # type: ignore[union-attr]


def test_the_form_has_an_example_of_real_cards(client: TestClient) -> None:
    page = client.get("/games/feint/new").text
    assert "<code>engineer-unit-1.strength = 2</code>" in page
    assert 'name="set" value="" checked' in page
    assert "card-sets" in page
    assert 'value="own" checked' in client.get("/games/feint/new?set=own").text  # where the list of cards leads
    assert "/games/feint/new?set=own" in client.get("/games/feint/cards").text
    assert 'name="cards"' not in client.get("/games/moot/new").text  # a game without card files


def test_a_check_lists_the_changes_or_all_faults_by_line(client: TestClient) -> None:
    said = words(client.post("/games/feint/cards/check", data={"cards": TEXT}).text)
    assert "2 changes from the standard set" in said
    assert "Patriot: strength was 6 (inferred) → , now 9" in said
    said = words(
        client.post("/games/feint/cards/check", data={"cards": "patriott.strength = 7\npatriot.strength = 99"}).text
    )
    assert "Line 1: " in said
    assert "Did you mean patriot?" in said
    assert "Line 2: Faction 'keion', card 'patriot': strength must be from 0 to 20, not 99." in said


@pytest.mark.parametrize("game", ["factionwars", "feint", "generals", "jinkei"])
def test_the_examples_of_a_form_change_cards(client: TestClient, game: str) -> None:
    examples = re.findall("<code>([^<]+ = [^<]+)</code>", client.get(f"/games/{game}/new").text)
    assert len(examples) == 2
    said = words(client.post(f"/games/{game}/cards/check", data={"cards": unescape("\n".join(examples))}).text)
    assert "2 changes from the standard set" in said


def test_lists_are_read_without_signs_of_data(client: TestClient) -> None:
    text = 'deck.achievements = [0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5]\nsword-1a.rows = [".+2 . .", ". T .", "# . #"]'
    said = words(client.post("/games/jinkei/cards/check", data={"cards": text}).text)
    assert "now 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5" in said
    assert "was .+1 . . / . T . / # . # (reconstructed) → , now .+2 . . / . T . / # . #" in said


def test_a_refused_form_keeps_the_text_and_lists_the_faults(client: TestClient) -> None:
    text = "patriot.strength = 99"
    answer = client.post("/tables", data=BOT | {"set": "own", "cards": text})
    assert answer.status_code == 400
    assert f">{text}</textarea>" in answer.text
    assert 'value="own" checked' in answer.text
    assert "Line 1: Faction" in words(answer.text)
    assert "Your cards cannot be used yet: see the 1 fault under Cards." in words(answer.text)


def test_a_table_plays_with_own_cards_and_says_so(client: TestClient, tables: Tables) -> None:
    url = open_own(client)
    table = at(client, tables, url)
    assert next(card for card in table.game.all_cards() if card["slug"] == "patriot")["strength"] == 9
    page = client.get(url).text
    said = words(page)
    assert "Keion as printed: 2 changes" in said  # the line of the menu
    sheet = re.search(r'id="card-patriot".*?(?=id="card-)', page, re.S)
    assert sheet is not None
    assert "Changed from the standard card Strength: was 6 (inferred) → , now 9" in words(sheet[0])
    assert page.count('class="full-changed"') == 2
    # Spectators see the same.
    assert words(client.get(f"/t/{table.key}/watch/").text).count("Changed from the standard card") == 2
    assert "round 1 of 7 · Keion as printed" in words(client.get("/").text)  # among my tables
    cards = words(client.get(f"{url}cards").text)
    assert "Patriot: strength 6 9 inferred" in cards


def change_all(game: str, number: str) -> str:
    """Return own cards in which a number of every card is one higher."""
    cards = games.game(game).catalogue()
    return "\n".join(f"{card['slug']}.{number} = {card[number] + 1}" for card in cards if type(card.get(number)) is int)  # type: ignore[operator]


def act(client: TestClient, url: str) -> None:
    """Make the first legal decision of a seat."""
    key, token = url.split("/")[2:4]
    view = client.get(f"/api/tables/{key}", headers=bearer(token)).json()
    if view["decision"]:
        move = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
        assert client.post(f"/api/tables/{key}/actions", json=move, headers=bearer(token)).status_code == 200


@pytest.mark.parametrize(
    ("game", "text", "mark"),
    [
        (
            "jinkei",
            "deck.achievements = [2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4]",
            r"Points: was [0-3] \(rulebook\) → , now [2-4]",
        ),
        ("generals", change_all("generals", "cost"), r"Cost: was \d+ \(ours\) → , now \d+"),
        (
            "factionwars",
            change_all("factionwars", "battle"),
            r"Battle: was \d \((reconstructed|rulebook|inferred)\) → , now \d",
        ),
    ],
)
def test_changed_cards_of_every_game_say_so(client: TestClient, game: str, text: str, mark: str) -> None:
    fields = {"game": game, "opponent": "bot:gentle", "seat": "0", "set": "own", "cards": text}
    answer = client.post("/tables", data=fields)
    assert answer.status_code == 303, words(answer.text)
    url = answer.headers["location"]
    while "full-changed" not in (page := client.get(url).text):  # Jinkei begins with questions without cards
        act(client, url)
    sheets = re.findall(r'<div class="full-changed">.*?</div>', page, re.S)
    assert sheets
    for sheet in sheets:
        assert re.fullmatch(rf"Changed from the standard card {mark}", words(sheet))
    assert '<b class="changed-mark" aria-hidden="true">*</b><span class="vh">, changed</span>' in page
    assert "Own cards: " in words(page)


def test_standard_cards_have_no_marks(client: TestClient) -> None:
    url = client.post("/tables", data=BOT | {"set": "", "cards": TEXT}).headers["location"]
    assert "full-changed" not in client.get(url).text
    assert client.get(f"{url}cards").status_code == 404
    assert client.post(f"{url}cards").status_code == 404


def test_a_set_has_a_page_with_a_link_and_its_text(client: TestClient) -> None:
    url = keep(client)
    page = client.get(url).text
    assert f'value="http://testserver{url}"' in page
    assert "<h1>Keion as printed</h1>" in page
    assert "Heavy Tower: copies 5 4 reconstructed" in words(page)
    assert "heavy-tower.copies = 4" in page
    assert "<svg" in page.partition('class="qr"')[2]
    link = re.search(r'class="button primary large" href="([^"]+)"', page)
    assert link is not None
    form = client.get(unescape(link[1])).text
    id = url.split("/")[2]
    assert f'name="set" value="{id}" checked' in form
    table = client.post("/tables", data=BOT | {"set": id}).headers["location"]
    assert "Keion as printed: 2 changes" in words(client.get(table).text)


def test_the_cards_of_a_set_can_be_changed(client: TestClient) -> None:
    long = f"# {'x' * 60_000}\n{TEXT}"
    page = client.get(keep(client, long)).text
    edit = re.search(r'href="([^"]+)">Change the cards</a>', page)
    assert edit is not None
    form = client.get(unescape(edit[1])).text
    assert f">{escape(long)}</textarea>" in form
    assert "2 changes from the standard set" in words(form)


def test_the_form_remembers_the_last_sets_of_a_device_alone(client: TestClient) -> None:
    id = keep(client).split("/")[2]
    assert f'value="{id}"' in client.get("/games/feint/new").text
    client.cookies.clear()
    assert id not in client.get("/games/feint/new").text
    client.get(f"/cards/{id}/")  # a friend opens the link
    assert f'value="{id}"' in client.get("/games/feint/new").text


FACTION = """form = 1
name = "Hills"
[[faction]]
slug = "hill-folk"
name = "Hill Folk"
initiative = 6
cards = [{ slug = "shepherd", name = "Shepherd", copies = 40, strength = 2, morale = 1 }]
"""


def test_players_choose_among_the_factions_of_the_set(client: TestClient, tables: Tables) -> None:
    id = keep(client, FACTION).split("/")[2]
    assert 'name="factions.0" value="hill-folk"' in client.get(f"/games/feint/new?set={id}").text
    answer = client.post("/tables", data=FRIEND | {"set": id, "factions.0": "hill-folk"})
    page = client.get(answer.headers["location"]).text
    assert "Hill Folk" in words(page)
    client.cookies.clear()
    link = invited(page)
    guest = client.get(link).text
    assert 'value="hill-folk" ' in guest
    assert 'value="wu" ' in guest
    form = {"name": "Bo", "brings": "wu", "nonce": hidden(guest, "nonce")}
    seat = client.post(f"{link}sit", data=form).headers["location"]
    assert at(client, tables, seat).game.options["factions"] == ("hill-folk", "wu")


def test_invited_players_see_what_differs_before_they_sit_down(client: TestClient) -> None:
    text = TEXT + "".join(f"engineer-unit-{n}.morale = 2\n" for n in (1, 2, 3))
    answer = client.post("/tables", data=FRIEND | {"set": "own", "cards": text})
    url = answer.headers["location"]
    page = client.get(url).text
    said = words(page)
    assert "differ from the standard set in 5 numbers" in said
    client.cookies.clear()
    guest = client.get(invited(page)).text
    assert "Keion as printed" in words(guest)
    assert "Patriot: strength was 6 (inferred) → , now 9" in words(guest)
    # More than four changes are folded.
    assert "<summary>1 more</summary>" in guest


@pytest.mark.parametrize(("text", "name"), [(TEXT, "Keion as printed"), ("patriot.strength = 9", "Own cards")])
def test_the_cards_of_a_table_become_a_set(client: TestClient, text: str, name: str) -> None:
    url = open_own(client, cards=text)
    answer = client.post(f"{url}cards")
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert f"<h1>{name}</h1>" in page
    assert "patriot.strength = 9" in page


def test_cards_with_new_factions_become_a_set_without_text(client: TestClient, tables: Tables) -> None:
    url = open_own(client, cards=FACTION)
    tables.store.forget_card_sets(time.time() + 1)  # the set with the text
    page = client.get(client.post(f"{url}cards").headers["location"]).text
    assert "<h1>Hills</h1>" in page
    assert "set-text" not in page
    assert "hill-folk nothing Hill Folk" in words(page)


def test_only_changed_cards_have_a_mark(client: TestClient) -> None:
    url = open_own(client, cards="box.morale = 30")
    assert "changed-mark" not in client.get(url).text
    assert '<small class="bar-cards"' in client.get(url).text


def test_a_large_text_is_refused_whole_and_never_cut(client: TestClient) -> None:
    remark = "# " + "x" * 76 + "\n"
    text = "patriot.strength = 7\n" + remark * 800 + "explorer.strength = 9"
    assert len(text) == 63_242
    check = "/games/feint/cards/check"
    assert "2 changes from the standard set" in words(client.post(check, data={"cards": text}).text)
    assert "maxlength" not in client.get("/games/feint/new").text.partition('name="cards"')[2].partition(">")[0]
    large = text + "\n" + remark * 100
    told = "These cards are too large: 72 kB of at most 64."
    assert told in words(client.post(check, data={"cards": large}).text)
    for url in ("/games/feint/cards/keep", "/tables"):
        answer = client.post(url, files={k: (None, v) for k, v in (BOT | {"set": "own", "cards": large}).items()})
        assert answer.status_code == 400
        assert told in words(answer.text)
        assert "explorer.strength = 9" in answer.text


def test_a_card_file_of_another_game_names_it(client: TestClient) -> None:
    file = client.get("/games/factionwars/cards.toml").text
    said = words(client.post("/games/feint/cards/check", data={"cards": file}).text)
    assert said == "This looks like a card file of Faction Wars. Open the form of that game."


@pytest.mark.parametrize("game", ["feint", "jinkei", "generals", "factionwars"])
def test_every_form_links_its_standard_set_as_a_file(client: TestClient, game: str) -> None:
    url = f"/games/{game}/cards.toml"
    assert f'href="{url}"' in client.get(f"/games/{game}/new").text
    said = words(client.post(f"/games/{game}/cards/check", data={"cards": client.get(url).text}).text)
    assert said == "These are the numbers of the standard set."


def test_the_form_of_jinkei_explains_its_rows(client: TestClient) -> None:
    assert '"T" the revealed card' in words(client.get("/games/jinkei/new").text)


def test_an_own_faction_is_not_chosen_for_the_standard_cards(client: TestClient) -> None:
    own = {"set": "own", "cards": FACTION, "factions.0": "hill-folk", "factions.1": "wu"}
    assert client.post("/tables", data=BOT | own).status_code == 303
    form = client.get("/games/feint/new?set=").text
    assert re.search(r'name="factions.0" value="engineers" checked', form)
    assert "hill-folk" not in client.get("/").text.partition('name="factions.0"')[2][:40]


def test_an_own_faction_has_a_color_and_a_crest(client: TestClient) -> None:
    page = client.get(open_own(client, cards=FACTION) + "cards").text
    set_page = client.post("/games/feint/cards/keep", data=FORM | {"set": "own", "cards": FACTION}).headers["location"]
    form = client.get("/games/feint/new?set=" + set_page.split("/")[2]).text
    assert "Hills" in page
    assert re.search(r'class="bring t-teal p-plain"><input type="radio" name="factions.0" value="hill-folk"', form)
    assert "Keep the cards to choose their factions." in words(form)


def test_a_new_card_has_no_source_and_a_changed_one_that_of_the_old_number(client: TestClient) -> None:
    page = words(client.get(open_own(client, cards=FACTION) + "cards").text)
    assert re.search(r"hill-folk nothing Hill Folk (?!reconstructed)", page)
    sheet = re.search(r'id="card-patriot".*?(?=id="card-)', client.get(open_own(client)).text, re.S)
    assert sheet is not None
    facts = words(sheet[0].partition("full-facts")[2].partition("</dl>")[0])
    assert re.search(r"Strength 9 Morale", facts)
