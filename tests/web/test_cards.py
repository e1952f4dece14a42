"""Card text is included once per page, beside the board, and is the same for all viewers. Each card of the hand shows
its legal destinations."""

from __future__ import annotations

import re
from urllib.parse import unquote

from starlette.testclient import TestClient

from gonfalon.core.basics.rng import Rng
from gonfalon.games.feint import Feint
from gonfalon.table import Person, Tables
from gonfalon.table.links import WATCH
from gonfalon.testing import rule
from gonfalon.web.table.live import TableFrames
from tests.feint.scenario import Table, card

PRINTED = re.compile(r'<div class="full [^"]*" id="card-([\w-]+)" popover>')
NAMED = re.compile(r'popovertarget="card-([\w-]+)"')
WHERE = re.compile(r'<span class="where">(.*?)</span>', re.DOTALL)


def read_card_texts(html: str) -> str:
    """Return the part of a page with the cards' texts."""
    first, last = html.index('<div class="full '), html.rindex('<p class="full-rulings">')
    return html[first:last]


def test_each_text_is_there_once_and_in_no_frame(client: TestClient, tables: Tables) -> None:
    assert client.portal is not None
    game = tables.find("feint", factions=("agents", "wu"))
    assert isinstance(game, Feint)
    table, tokens = client.portal.call(tables.open_table, game, [Person("May"), Person("Bo")])
    slugs = {card["slug"] for card in game.all_cards()}
    assert slugs == {card["slug"] for card in game.catalogue() if card["faction"] in ("agents", "wu")}
    urls = [f"/t/{table.key}/{token}/" for token in (tokens[0], tokens[1], WATCH)]
    texts = set()
    rng = Rng(1)
    named: set[str] = set()
    frames: TableFrames = client.app.state.table_frames  # type: ignore[attr-defined]
    for step in range(30):
        frame = frames.board(table, tokens[0]).html
        assert not PRINTED.search(frame)
        named |= set(NAMED.findall(frame))
        if step % 15 == 0:
            for url in urls:
                html = client.get(url).text
                assert sorted(PRINTED.findall(html)) == sorted(slugs)
                texts.add(read_card_texts(html))
        if table.position.over:
            break
        seat = next(seat for seat in (0, 1) if table.position.is_asked(seat))
        legal = table.view(seat).legal(seat)
        action = legal[int(rng.below(len(legal)))]
        client.portal.call(
            table.moves.act, table.seats.find_holder(tokens[seat]), table.position.version(seat), [action]
        )
    assert len(texts) == 1
    assert named
    assert named <= slugs


def test_the_texts_say_where_the_numbers_come_from(client: TestClient, tables: Tables) -> None:
    assert client.portal is not None
    game = tables.find("feint", factions=("keion", "wu"))
    table, tokens = client.portal.call(tables.open_table, game, [Person("May"), Person("Bo")])
    html = client.get(f"/t/{table.key}/{tokens[0]}/").text
    patriot = html[html.index('id="card-patriot"') :]
    patriot = patriot[: patriot.index("</div>\n<div class")]
    assert "Patriot" in patriot
    assert "<dd>6 <small>inferred</small></dd>" in patriot
    assert "<dd>3 <small>reconstructed</small></dd>" in patriot
    assert "/games/feint/guide#ruling-" in patriot


@rule("feint", 18, 60, 73)
def test_a_card_says_where_it_may_go_or_why_nowhere(client: TestClient, tables: Tables) -> None:
    """7 is at Location 5, so there is no room for 4 more. A Tower finds no Engineer. The other seat decides where a
    Storm Prodigy goes."""
    assert client.portal is not None
    laid = Table(
        may=[card("cow", 3), card("ox", 4), card("heavy", 1, "tower"), card("storm", 1, "storm-prodigy")],
        david=[card("seven", 7)],
    )
    laid.may.holds("cow", "ox", "heavy", "storm")
    laid.david.has("seven", at=5)
    laid.deploys(laid.may)
    table, tokens = client.portal.call(tables.open_table, laid.game, [Person("May"), Person("David")])
    table.position.state = laid.state
    table.position.update_views()
    html = client.get(f"/t/{table.key}/{tokens[0]}/").text
    cow, ox, heavy, storm = (where.strip() for where in WHERE.findall(html))
    assert cow == "Can go to 2, 3, 4, 5, 6."
    assert ox.startswith("Can go to 2, 3, 4, 6. ")
    assert "Location 5 has room for 3. Ox needs 4." in ox
    assert heavy.startswith("Cannot be played: ")
    assert "needs more Engineers than Towers here" in heavy
    assert storm == "You announce it; your opponent chooses the Location."


@rule("feint", 18)
def test_a_refused_card_has_its_rule_beside_the_sentence(client: TestClient, tables: Tables) -> None:
    """A script reads the rule from a header, a program from a field. The sentence is without it."""
    assert client.portal is not None
    laid = Table(may=[card("four", 4)], david=[card("seven", 7)])
    laid.may.holds("four")
    laid.david.has("seven", at=5)
    laid.deploys(laid.may)
    table, tokens = client.portal.call(tables.open_table, laid.game, [Person("May"), Person("David")])
    table.position.state = laid.state
    table.position.update_views()
    form = {"expected": str(table.position.version(0)), "then": "four@5"}
    scripted = client.post(f"/t/{table.key}/{tokens[0]}/act", data=form, headers={"x-live": "1"})
    assert scripted.status_code == 409
    assert "ruling" not in scripted.text
    assert unquote(scripted.headers["x-rule"]) == "ruling 18"
    assert unquote(scripted.headers["x-tag"]) == "No room"
    body = {"expected": table.position.version(0), "actions": ["four@5"]}
    bearer = {"authorization": f"Bearer {tokens[0]}"}
    problem = client.post(f"/api/tables/{table.key}/actions", json=body, headers=bearer).json()
    assert (problem["code"], problem["detail"], problem["rule"]) == ("illegal_action", scripted.text, "ruling 18")
