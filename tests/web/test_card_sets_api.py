"""Own cards in the API: checked by line, kept under an id, and played with at a table."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.core.files.record import load
from tests.table.opening import nonce
from tests.web.conftest import find
from tests.web.every import Everything
from tests.web.person import bearer

TEXT = 'name = "Keion as printed"\npatriot.strength = 7  # the box says so\nbox.hand = 8\n'
CHANGES = [
    {"path": "box.hand", "title": "box: hand", "slug": "", "before": 7, "after": 8, "origin": "rulebook"},
    {
        "path": "patriot.strength",
        "title": "Patriot: strength",
        "slug": "patriot",
        "before": 6,
        "after": 7,
        "origin": "inferred",
    },
]
BOX = "form = 1\nalone = true\n[box]\nlocations = [2, 3]\nlocation_copies = 4\ncapacity = 12\nhand = 5\nmorale = 9\n"
OWN_SIDES = f"{BOX}end_round = 6\n" + "".join(
    f'[[faction]]\nslug = "side-{n}"\nname = "Side {n}"\ninitiative = {n}\n'
    f'cards = [{{ slug = "unit-{n}", name = "Unit {n}", copies = 30, strength = {n}, morale = 1 }}]\n'
    for n in (1, 2)
)


def check(client: TestClient, text: object, game: str = "feint") -> Any:
    answer = client.post("/api/cards/check", json={"game": game, "cards": text})
    assert answer.status_code == 200, answer.text
    return answer.json()


def keep(client: TestClient, text: str = TEXT) -> dict[str, Any]:
    answer = client.post("/api/cards", json={"game": "feint", "cards": text})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def open_table(client: TestClient, **body: object) -> tuple[str, dict[str, str]]:
    """Return the address of a new table of Feint and the header of its first seat."""
    answer = client.post("/api/tables", json={"game": "feint", "seats": ["me", "bot:random"]} | body)
    assert answer.status_code == 201, answer.text
    return f"/api/tables/{answer.json()['table']}", bearer(answer.json()["seats"][0]["token"])


def test_a_check_answers_the_differences(client: TestClient) -> None:
    assert check(client, TEXT) == {
        "name": "Keion as printed",
        "changes": CHANGES,
        "count": 2,
        "faults": [],
        "fault_count": 0,
    }


def test_a_check_answers_the_faults_by_line(client: TestClient) -> None:
    found = check(client, "patriot.strength = 21\n\npatriots.morale = 1\n# a comment")
    assert found["faults"] == [
        {"line": 1, "text": "Faction 'keion', card 'patriot': strength must be from 0 to 20, not 21."},
        {
            "line": 3,
            "text": "The data of Warriors of Jogu: Feint have no card or table 'patriots'. Did you mean patriot?",
        },
    ]
    assert (found["fault_count"], found["changes"]) == (2, [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n".join(["nonsense"] * 500),
        "patriot.strength = 7\0",
        "\N{DRAGON FACE}.strength = 7",
        "patriot.strength = " + "[" * 20_000,
        "form = 1\nfaction = " + "[" * 20_000,
        "form = 1\n" + "[box]\n" * 8_000,
        "a = 1\n" * 9_000,
    ],
)
def test_a_hostile_text_is_refused_and_not_kept(client: TestClient, text: str) -> None:
    found = check(client, text)
    assert found["fault_count"] > 0
    assert len(found["faults"]) <= 100
    for address, body in (("/api/cards", {}), ("/api/tables", {"seats": ["me", "open"]})):
        refused = client.post(address, json={"game": "feint", "cards": text} | body)
        if text or address == "/api/cards":
            assert refused.status_code == 400
            assert refused.json()["code"] == "bad_cards"
            assert len(refused.json()["detail"]) < 500
    assert client.get("/api/cards").json() == {"sets": []}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"cards": 7}, '"cards" must be'),
        ({"set": ["x"]}, '"set" must be'),
        ({"cards": TEXT, "options": {"rules_version": "1"}}, "has no option 'rules_version'"),
        ({"cards": TEXT, "set": "x"}, 'Name either "cards" or "set".'),
        ({"options": {"cards": {"form": 1}}}, "has no option 'cards'"),
        ({"options": {"card_set": "Ours"}}, "has no option 'card_set'"),
        ({"cards": "name = " + "x" * 61 + "\nbox.hand = 8"}, "one line of at most 60 letters"),
    ],
)
def test_a_table_refuses_other_values(client: TestClient, body: dict[str, object], why: str) -> None:
    answer = client.post("/api/tables", json={"game": "feint"} | body)
    assert answer.status_code == 400
    assert why in answer.json()["detail"]


def test_a_set_is_kept_under_its_id(client: TestClient) -> None:
    kept = keep(client)
    assert keep(client) == kept, "an equal set is one"
    address = f"/api/cards/{kept['id']}"
    assert client.get(address).json() == kept
    assert (kept["game"], kept["name"], kept["text"], kept["changes"]) == ("feint", "Keion as printed", TEXT, CHANGES)
    for wrong in ("x", "a" * 500):
        answer = client.get(f"/api/cards/{wrong}")
        assert answer.status_code == 404
        assert "There is no set of cards" in answer.json()["detail"]
    assert client.post("/api/tables", json={"game": "jinkei", "set": kept["id"]}).status_code == 404
    assert client.post("/api/tables", json={"game": "feint", "set": "nothing"}).status_code == 404


def test_house_sets_are_listed(own_server: Everything) -> None:
    client = own_server.client
    card_set = read_card_set(games.find_game_class("feint"), TEXT)
    [id] = own_server.tables.store.set_house_sets({"keion.txt": (card_set, TEXT)}, 1.0).values()
    keep(client)
    [listed] = client.get("/api/cards").json()["sets"]
    assert (listed["id"], listed["game"], listed["name"]) == (id, "feint", "Keion as printed")
    address, _ = open_table(client, set=id)
    assert client.get(address).json()["cards"]["name"] == "Keion as printed"


@pytest.mark.parametrize("by_id", [False, True])
def test_a_table_keeps_its_cards_to_the_end(client: TestClient, by_id: bool) -> None:
    chosen = {"set": keep(client)["id"]} if by_id else {"cards": TEXT}
    address, seat = open_table(client, **chosen)
    cards = {"name": "Keion as printed", "changes": CHANGES, "count": 2}
    view = client.get(address, headers=seat).json()
    assert view["cards"] == cards
    while not view["decision"]:
        view = client.get(address, headers=seat).json()
    move = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
    assert client.post(address + "/actions", json=move, headers=seat).json()["cards"] == cards
    view = client.post(address + "/resignation", headers=seat).json()
    assert view["cards"] == client.get(address).json()["cards"] == cards, "spectators see the same"
    record = client.get(address + "/record", headers=seat)
    assert load(record.text, find).over
    assert record.json()["options"]["card_set"] == "Keion as printed"
    for path in ("rematch", "play-on"):
        body = {"nonce": nonce("ann")} if path == "rematch" else {"at": 1, "seats": ["me", "bot:random"]}
        answer = client.post(f"{address}/{path}", json=body, headers=seat).json()
        assert client.get(f"/api/tables/{answer['table']}").json()["cards"] == cards, path


def test_an_invited_player_sees_the_cards_before_sitting_down(client: TestClient) -> None:
    answer = client.post("/api/tables", json={"game": "feint", "cards": TEXT}).json()
    address = f"/api/tables/{answer['table']}"
    view = client.get(address, headers=bearer(answer["invitation"])).json()
    assert (view["stage"], view["cards"]["changes"]) == ("waiting", CHANGES)
    components = client.get("/openapi.json").json()["components"]
    jsonschema.validate(view, {"$ref": "#/components/schemas/View", "components": components})


def test_a_set_of_own_sides_is_played(server: Everything) -> None:
    client = server.client
    answer = client.post("/api/tables", json={"game": "feint", "cards": OWN_SIDES, "seats": ["me", "open"]}).json()
    address = f"/api/tables/{answer['table']}"
    taken = {"nonce": nonce("bo"), "name": "Bo", "brings": "side-2"}
    sat = client.post(f"{address}/seats", json=taken, headers=bearer(answer["invitation"]))
    assert sat.status_code == 201, sat.text
    view = client.get(address, headers=bearer(sat.json()["token"])).json()
    assert view["stage"] == "playing"
    for page in (f"/t/{answer['table']}/{sat.json()['token']}/", f"/t/{answer['table']}/watch/"):
        shown = client.get(page)
        assert shown.status_code == 200
        assert "Side 1" in shown.text


def test_a_view_holds_no_long_texts(client: TestClient) -> None:
    long = "\n".join(f'{word}.style = "{"x" * 3500}"' for word in ("keion", "wu", "agents", "mibits", "engineers"))
    address, _ = open_table(client, cards=long)
    cards = client.get(address).json()["cards"]
    assert (len(cards["changes"]), cards["count"]) == (4, 5)


def test_the_standard_cards_are_no_set(client: TestClient) -> None:
    address, seat = open_table(client)
    assert client.get(address, headers=seat).json()["cards"] is None


def test_a_spectator_learns_nothing_of_a_deck_from_the_cards(server: Everything) -> None:
    """Cards are public, deck lists stay secret."""
    answer = server.client.post(
        "/api/tables",
        json={
            "game": "generals",
            "cards": "cao-cao.might = 4",
            "options": {"decks": ["red-cliffs", "plans-of-wei"]},
            "seats": ["me", "bot:random"],
        },
    )
    assert answer.status_code == 201, answer.text
    cards = server.client.get(f"/api/tables/{answer.json()['table']}").json()["cards"]
    assert [change["path"] for change in cards["changes"]] == ["cao-cao.might"]
