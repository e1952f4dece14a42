"""Network traffic: canaries in every hidden card, and no seat learns another's secret answer."""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.testclient import TestClient

from gonfalon import games
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Person, Table, Tables
from gonfalon.table.links import WATCH
from tests.table.duel import Duel
from tests.web.person import board

CANARY = re.compile(r"CANARY-(\d+)-")


def feint_of_canaries() -> Game:
    """Return Feint with a canary and the number of its kind as every card's name."""
    plain = games.game("feint", factions=("agents", "mibits"))
    box = json.loads(json.dumps(plain.box.raw))  # type: ignore[attr-defined]
    number = 0
    for faction in box["faction"]:
        for card in faction["cards"]:
            card["name"] = f"CANARY-{number}-{card['slug']}"
            number += 1
    return games.game("feint", factions=("agents", "mibits"), cards=box)


def seen_kinds(table: Table, viewer: int) -> set[int]:
    """Return the kinds in the viewer's masked state."""
    view = table.view(viewer)
    cards = [card for zone in view.ordered_zones() + view.unordered_zones() for card in zone]
    cards += [event[3] for event in view.log or ()]
    return {card & KIND for card in cards if card & KIND != HIDDEN}


def find_canaries(text: str) -> set[int]:
    return {int(number) for number in CANARY.findall(text)}


def without_changes(table: Table, text: str) -> str:
    """Return JSON without the changes of the table's own cards, which all viewers read alike."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    if isinstance(found, dict) and "cards" in found:
        assert found.pop("cards") == json.loads(json.dumps(table.facts.cards))
    return json.dumps(found)


def test_no_page_frame_or_json_holds_a_card_its_reader_has_not_seen(client: TestClient, tables: Tables) -> None:
    game = feint_of_canaries()
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, game, [Person("May"), Person("Bo")])
    links = {0: tokens[0], 1: tokens[1], SPECTATOR: WATCH}
    known: dict[int, set[int]] = {viewer: set() for viewer in links}
    rng = Rng(1)
    frames = secrets = 0
    # What is printed on the game's cards is part of every page, the same in all (see test_cards.py).
    printed = str(client.app.state.services.render.cards(table.game))  # type: ignore[attr-defined]
    assert len(find_canaries(printed)) == len(game.all_cards())
    with (
        client.websocket_connect(f"/t/{table.key}/{tokens[0]}/live") as may,
        client.websocket_connect(f"/t/{table.key}/{tokens[1]}/live") as bo,
        client.websocket_connect(f"/t/{table.key}/{WATCH}/live") as crowd,
    ):
        sockets: dict[int, Any] = {0: may, 1: bo, SPECTATOR: crowd}
        marks: dict[int, Any] = dict.fromkeys(links)
        for _ in range(30):
            for viewer, token in links.items():
                known[viewer] |= seen_kinds(table, viewer)
                headers = {} if token == WATCH else {"Authorization": f"Bearer {token}"}
                if marks[viewer] == table.mark(viewer):
                    continue
                marks[viewer] = table.mark(viewer)
                frames += 1
                assert find_canaries(board(sockets[viewer])) <= known[viewer]
                page = client.get(f"/t/{table.key}/{token}/").text
                assert page.count(printed) == 1
                assert find_canaries(page.replace(printed, "")) <= known[viewer]
                for path in ("", "/words", "/company"):
                    text = client.get(f"/api/tables/{table.key}{path}", headers=headers).text
                    assert find_canaries(without_changes(table, text)) <= known[viewer]
            secrets += bool(known[0] - known[1] - known[SPECTATOR])
            if table.position.over:
                break
            seat = next(seat for seat in (0, 1) if table.position.is_asked(seat))
            legal = table.view(seat).legal(seat)
            action = legal[int(rng.below(len(legal)))]
            answer = client.post(
                f"/api/tables/{table.key}/actions",
                json={"expected": table.position.version(seat), "actions": [game.notation(action)]},
                headers={"Authorization": f"Bearer {tokens[seat]}"},
            )
            assert answer.status_code == 200, answer.text
            assert find_canaries(without_changes(table, answer.text)) <= known[seat] | seen_kinds(table, seat)
    assert frames > 20
    assert secrets > 5


def test_a_secret_answer_sends_nothing_to_the_others(client: TestClient, tables: Tables) -> None:
    """The next frame of Bo and of the spectators comes after both have answered."""
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, Duel(), [Person("May"), Person("Bo")])

    def post(seat: int, *actions: str) -> None:
        answer = client.post(
            f"/api/tables/{table.key}/actions",
            json={"expected": table.position.version(seat), "actions": list(actions)},
            headers={"Authorization": f"Bearer {tokens[seat]}"},
        )
        assert answer.status_code == 200

    with (
        client.websocket_connect(f"/t/{table.key}/{tokens[0]}/live") as may,
        client.websocket_connect(f"/t/{table.key}/{tokens[1]}/live") as bo,
        client.websocket_connect(f"/t/{table.key}/{WATCH}/live") as crowd,
    ):
        before = [board(socket) for socket in (may, bo, crowd)]
        page = client.get(f"/t/{table.key}/{tokens[1]}/").text
        card = table.game.notation(table.view(0).legal(0)[0])
        post(0, card, "done")
        own = board(may)
        assert own != before[0]
        assert 'id="back"' in own
        assert client.get(f"/t/{table.key}/{tokens[1]}/").text == page
        post(1, "done")
        after = [board(socket) for socket in (may, bo, crowd)]
        assert all("exchanged 1" in text for text in after)


def test_a_bug_in_a_refusal_cannot_reveal_a_secret(client: TestClient, tables: Tables) -> None:
    """Refusals follow from the seat's view, so trying every action reveals no more than the view."""
    game = feint_of_canaries()
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, game, [Person("May"), Person("Bo")])
    slugs = [card["slug"] for card in game.cards]  # type: ignore[attr-defined]
    for seat in (0, 1):
        for slug in slugs:
            answer = client.post(
                f"/api/tables/{table.key}/actions",
                json={"expected": table.position.version(seat), "actions": [f"{slug}@5", slug]},
                headers={"Authorization": f"Bearer {tokens[seat]}"},
            )
            # One that is legal stands, and what comes after it is dropped unjudged.
            assert answer.status_code in (200, 409)
            mentioned = {n for n in find_canaries(without_changes(table, answer.text)) if slugs[n] != slug}
            assert mentioned <= seen_kinds(table, seat)


def test_options_and_names_reveal_no_seed_or_token(client: TestClient, tables: Tables) -> None:
    assert client.portal is not None
    table, tokens = client.portal.call(tables.open_table, Duel(), [Person("May"), Person("Bo")])
    seeds = [entry.text.removeprefix("seed:") for entry in tables.store.entries(table.key)]
    for own, token in tokens.items():
        other = tokens[1 - own]
        for path in (f"/t/{table.key}/{token}/", f"/api/tables/{table.key}"):
            text = client.get(path, headers={"Authorization": f"Bearer {token}"}).text
            assert other not in text
            assert not any(seed in text for seed in seeds)
