"""Properties of the pages of every game."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Final

import pytest

from gonfalon import games
from gonfalon.core.basics.cards import KIND
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.state import OPEN, State
from gonfalon.table import LinkHolder, Person
from tests.web.every import HOUSE, Everything
from tests.web.person import Page
from tests.web.person import Person as Visitor

ASKED: Final = re.compile(r"to-act|your move|to act\b|choosing")

LISTED: Final = re.compile(r'<details [^>]*id="list-\d".*?</details>', re.DOTALL)
"""A deck list, which also names every card of a hand."""


def part(html: str, id: str) -> str:
    """Return the section with this id, as words."""
    found = re.search(rf'<section [^>]*id="{id}".*?</section>', html, re.DOTALL)
    assert found is not None, id
    return " ".join(unescape(re.sub("<[^>]*>", " ", found[0])).split())


def secrets(state: State, seat: int) -> list[str]:
    """Return the names of the cards that only a seat itself sees during the game."""
    game: Any = state.rules
    found: Any = state
    kept = found.goal if game.name == "factionwars" else found.hand
    if game.name == "feint":
        return [game.setup.kinds[card & KIND].name for card in kept[seat]]
    return [game.kind_name(card & KIND) for card in kept[seat]]


@pytest.mark.parametrize("name", HOUSE)
def test_a_conceded_game_waits_for_no_player(server: Everything, name: str) -> None:
    table, may = server.sit(name, **({"seats": 2} if name == "factionwars" else {}))
    server.play(table, lambda state: len(state.log or ()) > 12 and 0 in state.asked())
    assert ASKED.search(part(server.page(may), "seat-0"))
    assert server.client.post(may + "concede").status_code == 303
    assert "You resigned." in server.page(may)
    last = server.page(f"{may}replay?at={len(server.call(table.moves.record).decisions)}")
    for seat in (0, 1):
        assert not ASKED.search(part(last, f"seat-{seat}"))
    assert "to-act" not in last


@pytest.mark.parametrize("name", HOUSE)
def test_with_all_open_a_replay_shows_all_hands(server: Everything, name: str) -> None:
    table, may = server.sit(name, **({"seats": 2} if name == "factionwars" else {}))
    server.play(table, lambda state: len(state.log or ()) > 25)
    server.client.post(may + "concede")
    record = server.call(table.moves.record)
    steps = [sight for sight in replay_sights(record, OPEN, actions=False) if all(secrets(sight.state, 0))]
    for sight in steps[-1], steps[len(steps) // 2]:
        page = LISTED.sub("", server.page(f"{may}replay?at={sight.decisions}&as=all"))
        held = [secrets(sight.state, seat) for seat in range(table.game.seats)]
        assert all(held)
        for seat, cards in enumerate(held):
            words = part(page, f"seat-{seat}")
            assert [card for card in cards if card not in words] == []


def test_each_page_names_reconstructed_parts_of_its_game(server: Everything) -> None:
    """Only a game with reconstructed card numbers says so."""
    for name in HOUSE:
        kind = games.find_game_class(name)
        _, may = server.sit(name)
        bearing = [card.get("provenance") for card in kind().catalogue()]
        origins = {origin for told in bearing if isinstance(told, dict) for origin in told.values()}
        assert ("reconstructed" in kind.invented) == ("reconstructed" in origins or name == "jinkei")
        assert ("made for this program" in kind.invented) == (name == "generals")
        for address in (may, f"/games/{name}/guide", f"/games/{name}/cards"):
            assert foot(server.page(address)).startswith(f"{kind.invented} What that means")
    for address in ("/", "/about", "/nothing"):
        assert "reconstructed" not in foot(server.client.get(address).text)


def foot(html: str) -> str:
    """Return the text of a page's footer."""
    found = re.search(r"<footer.*?</footer>", html, re.DOTALL)
    assert found is not None
    return " ".join(unescape(re.sub("<[^>]*>", " ", found[0])).split())


def test_in_feint_own_discards_stay_marked_while_waiting(server: Everything) -> None:
    """Until both seats have chosen, only the player sees the discards marked."""

    def both_reinforce(state: Any) -> bool:
        return len(state.asked()) == 2 and len(state.hand[0]) > 3 and bool(state.hand[1])

    def open_game() -> Any:
        return server.call(server.tables.open_table, server.tables.find("feint"), [Person("May"), Person("Bo")])

    table, tokens = open_game()
    server.play(table, both_reinforce)
    while table.position.over:  # some games end without such a hand
        table, tokens = open_game()
        server.play(table, both_reinforce)
    may, bo = (f"/t/{table.key}/{token}/" for token in tokens.values())
    page = Visitor(server.client, may).look()
    marks = page.named("act")
    chosen = [marks[1].value, marks[2].value]
    before = server.page(bo)
    answer = [*page.hidden, *(("act", card) for card in chosen), ("then", "done")]
    assert Visitor(server.client, may).send(answer).status_code == 303
    waiting = server.page(may)
    assert 'id="back"' in waiting
    slots = re.findall(r'<li id="c-k0-([a-z0-9-]+)-\d+" class="slot">(.*?)</li>', waiting, re.DOTALL)
    assert len(slots) > 3
    assert sorted(slug for slug, slot in slots if '<span class="ribbon">discard</span>' in slot) == sorted(chosen)
    assert server.page(bo) == before


LIVE = {"x-live": "1"}


def test_a_moment_that_is_none_or_not_yet_or_no_more(server: Everything) -> None:
    """A reconnecting or late client gets the stored moment, or else the table itself."""
    table, url = server.sit("factionwars", seats=2)
    words = "This moment is no longer stored. The table shows its result."
    for number in ("1", "99", "999999"):
        early = server.client.get(f"{url}moment?n={number}")
        assert early.status_code == 410
        assert words in unescape(early.text)
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
