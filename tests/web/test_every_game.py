"""What holds for the pages of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any, Final

import pytest

from gonfalon import games
from gonfalon.core.cards import KIND
from gonfalon.core.replay import sights
from gonfalon.core.state import OPEN, State
from gonfalon.games.factionwars.face import view as factionwars
from gonfalon.games.feint.rules.state import FeintState
from gonfalon.games.generals.face import view as generals
from gonfalon.games.jinkei.face import view as jinkei
from gonfalon.table import Person
from tests.web.every import HOUSE, Everything, everything
from tests.web.person import Person as Visitor

VIEWS: Final[dict[str, Any]] = {"factionwars": factionwars, "generals": generals, "jinkei": jinkei}
ASKED: Final = re.compile(r"to-act|your move|to act\b|choosing")

LISTED: Final = re.compile(r'<details [^>]*id="list-\d".*?</details>', re.DOTALL)
"""A deck list, which names every card of a hand as well."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    with everything(tmp_path_factory.mktemp("every")) as server:
        yield server


def part(html: str, id: str) -> str:
    """The section of this id, as words."""
    found = re.search(rf'<section [^>]*id="{id}".*?</section>', html, re.DOTALL)
    assert found is not None, id
    return " ".join(unescape(re.sub("<[^>]*>", " ", found[0])).split())


def secrets(state: State, seat: int) -> list[str]:
    """The names of the cards that only a seat itself sees while the game goes on."""
    game: Any = state.rules
    found: Any = state
    kept = found.goal if game.name == "factionwars" else found.hand
    if game.name == "feint":
        return [game.setup.kinds[card & KIND].name for card in kept[seat]]
    return [str(VIEWS[game.name].printed(game, card & KIND)["name"]) for card in kept[seat]]


@pytest.mark.parametrize("name", HOUSE)
def test_nobody_is_waited_for_once_a_game_is_conceded(server: Everything, name: str) -> None:
    table, may = server.sit(name, **({"seats": 2} if name == "factionwars" else {}))
    server.play(table, lambda state: len(state.log or ()) > 25 and 0 in state.asked())
    assert ASKED.search(part(server.page(may), "seat-0"))
    assert server.client.post(may + "concede").status_code == 303
    assert "You conceded." in server.page(may)
    last = server.page(may + "replay")
    for seat in (0, 1):
        assert not ASKED.search(part(last, f"seat-{seat}"))
    assert "to-act" not in last


@pytest.mark.parametrize("name", HOUSE)
def test_with_all_open_a_replay_shows_what_everybody_held(server: Everything, name: str) -> None:
    table, may = server.sit(name, **({"seats": 2} if name == "factionwars" else {}))
    server.play(table, lambda state: len(state.log or ()) > 25)
    server.client.post(may + "concede")
    record = server.call(table.moves.record)
    steps = [sight for sight in sights(record, OPEN, actions=False) if all(secrets(sight.state, 0))]
    for sight in steps[-1], steps[len(steps) // 2]:
        page = LISTED.sub("", server.page(f"{may}replay?at={sight.decisions}&as=all"))
        held = [secrets(sight.state, seat) for seat in range(table.game.seats)]
        assert all(held)
        for seat, cards in enumerate(held):
            words = part(page, f"seat-{seat}")
            assert [card for card in cards if card not in words] == []


@pytest.mark.parametrize("name", HOUSE)
def test_the_help_tells_the_games_own_keys(server: Everything, name: str) -> None:
    """And no other game's: what a card, a space or a zone is called, and which buttons there are."""
    own = {
        "factionwars": {"line-up"},
        "feint": {"Location", "discard"},
        "generals": {"general", "zone", "End turn"},
        "jinkei": {"space", "Lock in"},
    }
    page = server.page(server.sit(name)[1])
    keys = re.findall(r'<dl class="keys">(.*?)</dl>', page, re.DOTALL)[0]
    assert {game for game, words in own.items() if any(word in keys for word in words)} == {name}
    assert all(word in keys for word in own[name])
    assert all(f"<kbd>{key}</kbd>" in keys for key in ("s", "l", "h", "?", "Esc"))


@pytest.mark.parametrize("name", HOUSE)
def test_a_friend_who_has_not_sat_down_is_no_deck_or_faction(server: Everything, name: str) -> None:
    fields = {"game": name, "seat": "0", "name": "May", "opponent": "friend"}
    if name == "factionwars":
        fields |= {"who-1": "friend"}
        del fields["opponent"]
    answer = server.client.post("/tables", data=fields)
    page = server.page(answer.headers["location"])
    game = server.tables.find(name)
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["You", "A free seat"]
    heading = re.search(r"<title>(.*?)</title>", page)
    assert heading is not None
    assert unescape(heading[1]) == f"{game.title} · May against Player 2 · Gonfalon"
    assert page.count("lead <strong>") + page.count("bring <strong>") == (name in ("feint", "generals"))


def test_each_page_says_what_of_its_own_game_was_not_published(server: Everything) -> None:
    """A game whose cards bear reconstructed numbers says so; one that has none is not said to."""
    for name in HOUSE:
        kind = games.kind(name)
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
    """What stands at the foot of a page."""
    found = re.search(r"<footer.*?</footer>", html, re.DOTALL)
    assert found is not None
    return " ".join(unescape(re.sub("<[^>]*>", " ", found[0])).split())


def test_in_feint_ones_discards_stay_marked_while_one_waits(server: Everything) -> None:
    """Until both have chosen: to oneself, and to nobody else."""
    table, tokens = server.call(server.tables.open_table, server.tables.find("feint"), [Person("May"), Person("Bo")])
    may, bo = (f"/t/{table.key}/{token}/" for token in tokens.values())

    def both_reinforce(state: Any) -> bool:
        return len(state.asked()) == 2 and len(state.hand[0]) > 3

    server.play(table, both_reinforce)
    page = Visitor(server.client, may).look()
    marks = page.named("act")
    chosen = [marks[1].value, marks[2].value]
    before = server.page(bo)
    answer = [*page.hidden, *(("act", card) for card in chosen), ("then", "done")]
    assert Visitor(server.client, may).send(answer).status_code == 303
    waiting = server.page(may)
    assert "Take back" in waiting
    slots = re.findall(r'<li id="c-k0-([a-z0-9-]+)-\d+" class="slot">(.*?)</li>', waiting, re.DOTALL)
    assert len(slots) > 3
    assert sorted(slug for slug, slot in slots if '<span class="ribbon">discard</span>' in slot) == sorted(chosen)
    assert server.page(bo) == before


def test_in_feint_a_link_names_the_round_that_was_fought(server: Everything) -> None:
    """Beside `Round 2 of 7`, so that it is not taken for the last round of the game."""
    table, may = server.sit("feint")
    server.play(table, lambda state: isinstance(state, FeintState) and len(state.won) == 1 and bool(state.asked()))
    page = server.page(may)
    assert "Round 2 of 7" in page
    assert f'<a href="moment?n={table.position.moment_count}">How round 1 went</a>' in page
    assert "Last round" not in page


def test_a_moment_that_is_not_kept_any_more_is_no_error_of_the_page(server: Everything) -> None:
    """A page that has fallen behind asks for moments of long ago, and goes on without them."""
    table, may = server.sit("factionwars", seats=2)
    server.play(table, lambda _: table.position.moment_count > 40)
    answer = server.client.get(f"{may}moment?n=1", headers={"X-Live": "1"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert server.client.get(f"{may}moment?n=1").status_code == 410
    last = server.client.get(f"{may}moment?n={table.position.moment_count}", headers={"X-Live": "1"})
    assert last.status_code == 200
