"""Before the deal: ready players and their decks. Also rematches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.basics.decks import Decks
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Beside, LinkHolder, Open, Person, Robot, Table, Tables
from gonfalon.table.errors import NotHost, NotSeated, NoWay, Present, Stale, Withdrawn
from gonfalon.table.links import WATCH, derive_invitation
from gonfalon.table.live.views import View
from gonfalon.table.seats.seat_choices import LOT, combine_choices
from tests.table.opening import find, first, let_all_go, nonce, over_of, sit_ready, tables_at

pytestmark = pytest.mark.anyio
MAY, BO, CY = LinkHolder(0), LinkHolder(1), LinkHolder(2)


async def open_for_friends(
    tables: Tables, game: str, *others: Any, ready: bool = True, **options: Any
) -> tuple[Table, str]:
    """Open a table of May's for friends (by default one). Return the table and her token."""
    table, tokens = await tables.open_table(find(game, **options), [Person("May"), *(others or [Open()])], ready=ready)
    return table, tokens[0]


def show_without_key(table: Table, viewer: int) -> View:
    """Return a viewer's data without the table's key."""
    return {**table.build_view(viewer), "table": ""}


def decks() -> Decks:
    found = games.game("generals").decks()
    assert found is not None
    return found


def twins() -> tuple[str, str]:
    """Return two decks of the same factions that differ in a card."""
    ready = decks().ready()[0]
    return decks().word(ready), decks().word(decks().ready()[1])


# ---- ready ------------------------------------------------------------------------------------------


async def test_a_friends_table_is_dealt_when_both_are_ready(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "feint")
    assert table.gathering.waits
    assert table.build_view(0)["stage"] == "waiting"
    assert [seat["ready"] for seat in table.build_view(SPECTATOR)["seats"]] == [True, False]
    bo = await table.seats.take_seat(derive_invitation(token), nonce("bo"), "Bo")
    assert table.gathering.waits
    assert table.build_view(1)["decision"] is table.build_view(0)["decision"] is None
    with pytest.raises(Stale, match="Waiting for all players"):
        await table.seats.resign(BO)
    await table.gathering.be_ready(table.seats.find_holder(bo), {1: "wu"})
    assert table.build_view(SPECTATOR)["stage"] == "playing"
    assert list(table.game.options["factions"]) == ["keion", "wu"]
    assert table.position.length > 0
    await first(table, table.position.find_awaited_seats()[0])
    with pytest.raises(Stale, match="already started"):
        await table.gathering.cancel_ready(MAY)


async def test_tables_with_the_same_choices_share_their_game(tables: Tables) -> None:
    dealt = []
    for brings in ("wu", "wu", "mibits"):
        table, token = await open_for_friends(tables, "feint")
        bo = await table.seats.take_seat(derive_invitation(token), nonce("bo"), "Bo")
        await table.gathering.be_ready(table.seats.find_holder(bo), {1: brings})
        dealt.append(table.game)
    assert dealt[0] is dealt[1]
    assert dealt[0] is not dealt[2]


async def test_against_bots_or_at_one_device_a_game_begins_at_once(tables: Tables) -> None:
    for other in (Robot("random"), Beside("Bo"), Person("Bo")):
        table, _ = await open_for_friends(tables, "moot", other, seats=2)
        assert not table.gathering.waits
        assert table.position.find_awaited_seats()


async def test_factions_are_announced_while_a_player_is_ready(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "feint", factions=("mibits", "wu"))
    assert [banner["name"] for banner in table.gathering.list_banners(0)] == ["Gang of Mibits"]
    bo = table.seats.find_holder(await table.seats.take_seat(derive_invitation(token), nonce("bo"), "Bo"))
    assert [row.brings for row in table.row.seats] == ["mibits", ""]  # who is invited chooses for himself
    assert table.build_view(SPECTATOR)["seats"][1]["leads"] == []
    await table.gathering.cancel_ready(MAY)
    assert table.build_view(1)["seats"][0]["leads"] == []
    assert "mibits" not in json.dumps(table.build_view(1))
    await table.gathering.be_ready(bo, {1: "mibits"})
    with pytest.raises(OptionError, match="already plays this faction"):
        await table.gathering.be_ready(MAY, {0: "mibits"})
    assert table.gathering.waits
    with pytest.raises(OptionError, match="Unknown faction"):
        await table.gathering.be_ready(MAY, {0: "nobody"})
    await table.gathering.be_ready(MAY, {0: "wu"})
    assert list(table.game.options["factions"]) == ["wu", "mibits"]


async def test_only_a_decks_factions_are_revealed(tables: Tables) -> None:
    """The view of a seat or spectator, its version and the stored data hide the rest of the deck."""
    seen = []
    for deck in twins():
        table, token = await open_for_friends(tables, "generals", ready=False)
        before = table.mark(1), table.mark(SPECTATOR)
        await table.gathering.be_ready(MAY, {0: deck})
        bo = table.seats.find_holder(await table.seats.take_seat(derive_invitation(token), nonce("bo"), "Bo"))
        assert bo == BO
        after = table.mark(1), table.mark(SPECTATOR)
        seen.append((before, after, show_without_key(table, 1), show_without_key(table, SPECTATOR), table.row.options))
        assert [banner["name"] for banner in table.build_view(1)["seats"][0]["leads"]] == ["Wei"]
    assert seen[0] == seen[1]


async def test_faults_of_another_players_deck_are_not_listed(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "generals", ready=False)
    await sit_ready(table, derive_invitation(token), "bo", "Bo", "plans-of-wei")
    with pytest.raises(OptionError, match="no deck"):
        await table.gathering.be_ready(MAY, {0: "nothing"})
    assert table.gathering.find_fault(0, "yellow-sky") is None
    await table.gathering.be_ready(MAY, {0: LOT})
    assert table.game.options["decks"][0] in {decks().word(deck) for deck in decks().ready()}
    assert table.game.options["decks"][1] == "plans-of-wei"


@pytest.mark.parametrize("other", [LOT, ""])
def test_a_lot_shares_no_faction_with_another_seat(other: str) -> None:
    """Of nine preset decks two at most have a faction of another one, so another always fits."""
    game = find("generals")
    for one in decks().ready():
        word, taken = decks().word(one), set(decks().announced(one))
        for brings in ([word, other], [other, word]):
            drawn = combine_choices(find, game, {}, brings).options["decks"][brings.index(other)]
            assert taken.isdisjoint(decks().announced(decks().find(drawn))), brings


def test_a_lot_tells_nothing_of_a_secret_deck_but_its_factions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.table.seats.seat_choices.SYSTEM.shuffle", lambda known: None)
    drawn = [
        combine_choices(find, find("generals"), {}, [one, LOT]).options["decks"][1]
        for one in ("vanguard-of-wei", "plans-of-wei")
    ]
    assert drawn[0] == drawn[1]


async def test_a_deck_that_became_illegal_stops_the_deal(tmp_path: Path) -> None:
    banned: set[str] = set()

    def strict(name: str, **options: Any) -> Game:
        if banned & set(options.get("decks", ())):
            raise OptionError("Red Cliffs has 61 cards.")
        return find(name, **options)

    async with tables_at(tmp_path, find=strict) as tables:
        table, token = await open_for_friends(tables, "generals", decks=("red-cliffs", "yellow-sky"))
        banned.add("red-cliffs")
        await sit_ready(table, derive_invitation(token), "bo", "Bo", "yellow-sky")
        assert table.gathering.waits
        assert [row.ready for row in table.row.seats] == ["unfit", "yes"]
        assert "61" not in json.dumps(table.build_view(1))
        assert table.gathering.find_fault(0, "red-cliffs") == "Red Cliffs has 61 cards."
        await table.gathering.be_ready(MAY, {0: "vanguard-of-wei"})
        assert list(table.game.options["decks"]) == ["vanguard-of-wei", "yellow-sky"]


async def test_two_devices_of_a_seat_do_not_contradict_each_other(tables: Tables) -> None:
    table, _ = await open_for_friends(tables, "feint", factions=("wu", "keion"))
    changes = table.current.seating
    await table.gathering.be_ready(MAY, {0: "wu"})
    assert table.current.seating == changes
    with pytest.raises(Stale, match="another device"):
        await table.gathering.be_ready(MAY, {0: "agents"})
    assert table.row.seats[0].brings == "wu"


async def test_in_a_game_without_choices_nothing_is_brought(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "moot", seats=2)
    with pytest.raises(OptionError, match="bring neither factions nor decks"):
        await sit_ready(table, derive_invitation(token), "bo", "Bo", "wu")
    await table.gathering.be_ready(BO, {})
    assert table.position.find_awaited_seats()


async def test_spectators_and_invited_people_are_never_ready(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "feint")
    for link in (WATCH, derive_invitation(token)):
        for deed in (
            table.gathering.be_ready(table.seats.find_holder(link), {}),
            table.gathering.leave(table.seats.find_holder(link)),
        ):
            with pytest.raises(NotSeated):
                await deed


# ---- coming and going -------------------------------------------------------------------------------


async def test_a_player_that_leaves_frees_the_seat(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "moot", Open(), Open(), seats=3)
    link = derive_invitation(token, 1)
    bo = await sit_ready(table, link, "bo", "Bo")
    await table.gathering.leave(table.seats.find_holder(bo))
    with pytest.raises(NoWay):
        table.seats.find_holder(bo)
    assert table.row.seats[1].free
    assert table.build_view(SPECTATOR)["names"][1] == "Free seat"
    again = await sit_ready(table, link, "bo", "Bo")  # even by the same page
    assert table.seats.find_holder(again) == BO


async def test_the_opener_can_cancel_the_game(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "moot", Open(), Open(), seats=3)
    bo = await sit_ready(table, derive_invitation(token, 1), "bo", "Bo")
    await table.gathering.leave(MAY)
    assert table.gathering.closed
    assert table.build_view(1)["stage"] == "closed"
    assert table.build_view(1)["prompt"].startswith("This game will not be played")
    for deed in (
        table.gathering.be_ready(table.seats.find_holder(bo), {}),
        table.seats.take_seat(derive_invitation(token, 2), nonce("cy"), "Cy"),
        table.seats.take_seat(derive_invitation(token, 1), nonce("bo"), "Bo"),
    ):
        with pytest.raises(Withdrawn):
            await deed


async def test_the_opener_lets_bots_take_free_seats(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "moot", Open(), Open(), seats=3)
    bo = await sit_ready(table, derive_invitation(token, 1), "bo", "Bo")
    with pytest.raises(NotHost):
        await table.seats.give_to_bot(table.seats.find_holder(bo), 2)
    await table.seats.give_to_bot(MAY, 2)
    assert not table.gathering.waits
    assert table.row.seats[2].by == "bot"
    assert table.names[2] == "Random"
    with pytest.raises(NoWay):
        table.seats.find_holder(derive_invitation(token, 2))


async def test_a_bot_replaces_a_player_that_left_silently(tables: Tables) -> None:
    table, token = await open_for_friends(tables, "generals")
    await table.seats.take_seat(derive_invitation(token, 1), nonce("bo"), "Bo")
    table.presence.enter([1])
    with pytest.raises(Present, match="Bo is here"):
        await table.seats.give_to_bot(MAY, 1)
    table.presence.leave([1])
    let_all_go(tables)
    assert table.seats.is_absent(1)
    await table.seats.give_to_bot(MAY, 1)
    assert table.row.seats[1].stood_for
    assert not table.gathering.waits
    await table.seats.reclaim_seat(BO)
    assert table.row.seats[1].by == "person"


async def test_a_restart_keeps_ready_players(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        table, token = await open_for_friends(tables, "feint", factions=("wu", "keion"))
    async with tables_at(tmp_path) as tables:
        again = await tables.table(table.key)
        assert again.gathering.waits
        assert [banner["name"] for banner in again.gathering.list_banners(0)] == ["Tribe Wu"]
        await sit_ready(again, derive_invitation(token), "bo", "Bo", "agents")
        position = again.position.state.dump()
    async with tables_at(tmp_path) as tables:
        dealt = await tables.table(table.key)
        assert dealt.position.state.dump() == position
        assert list(dealt.game.options["factions"]) == ["wu", "agents"]


# ---- once more --------------------------------------------------------------------------------------


async def concede_game(tables: Tables, game: str, **options: Any) -> tuple[Table, dict[int, str]]:
    """Return a game of May and Bo that May has resigned."""
    table, tokens = await tables.open_table(find(game, **options), [Person("May"), Person("Bo")])
    await table.seats.resign(MAY)
    assert over_of(table, 0)["ended"]
    return table, tokens


async def test_a_rematch_is_offered_and_joined(tables: Tables) -> None:
    for swap, factions in ((False, ["keion", "wu"]), (True, ["wu", "keion"])):
        old, tokens = await concede_game(tables, "feint", factions=("wu", "keion"))
        assert old.build_view(1)["rematch"] is None
        told = old.watch(1)
        await told.changed()
        key, may = await tables.rematch(old, MAY, tokens[0], nonce("may"), swap=swap)
        assert (await told.changed())["rematch"] == {"stage": "waiting", "joined": [0], "refused": []}
        new = await tables.table(key)
        assert new.gathering.waits
        assert new.row.seats[1].ready == "yes"
        again, bo = await tables.rematch(old, BO, tokens[1], nonce("bo"))
        assert (again, new.seats.find_holder(may), new.seats.find_holder(bo)) == (key, BO, MAY)
        assert list(new.game.options["factions"]) == factions
        assert (await told.changed())["rematch"] == {"stage": "dealt", "joined": [0, 1], "refused": []}
        assert old.current.next_row is not None
        assert old.current.next_row.ended is None
        await new.seats.resign(MAY)
        assert old.current.next_row.ended is not None


async def test_to_a_rematch_each_brings_a_deck_of_their_own(tables: Tables) -> None:
    one, other = twins()
    old, tokens = await concede_game(tables, "generals", decks=(one, "yellow-sky"))
    key, may = await tables.rematch(old, MAY, tokens[0], nonce("may"))
    new = await tables.table(key)
    _, bo = await tables.rematch(old, BO, tokens[1], nonce("bo"))
    assert [row.ready for row in new.row.seats] == ["", ""]
    assert [seat["leads"] for seat in new.build_view(0)["seats"]] == [[], []]
    await new.gathering.be_ready(new.seats.find_holder(may), {1: other})
    await new.gathering.be_ready(new.seats.find_holder(bo), {})
    assert list(new.game.options["decks"]) == ["yellow-sky", other]


async def test_an_offer_reveals_no_decks(tables: Tables) -> None:
    seen = []
    for deck in twins():
        old, tokens = await concede_game(tables, "generals", decks=("yellow-sky", deck))
        key, _ = await tables.rematch(old, BO, tokens[1], nonce("bo"))
        new = await tables.table(key)
        seen.append(
            (old.build_view(0)["rematch"], show_without_key(new, 1), show_without_key(new, SPECTATOR), new.row.options)
        )
    assert seen[0] == seen[1]


async def test_a_rematch_that_is_declined_can_still_be_joined(tables: Tables) -> None:
    old, tokens = await concede_game(tables, "feint")
    key, _ = await tables.rematch(old, MAY, tokens[0], nonce("may"))
    new = await tables.table(key)
    for _ in range(2):
        await tables.refuse(old, BO)
        assert old.build_view(0)["rematch"] == {"stage": "waiting", "joined": [0], "refused": [1]}
    await new.gathering.cancel_ready(BO)
    await new.gathering.be_ready(BO, {})
    await tables.rematch(old, BO, tokens[1], nonce("bo"))
    assert not new.gathering.waits
    await tables.refuse(old, BO)  # too late: nothing happens
    assert old.build_view(0)["rematch"] == {"stage": "dealt", "joined": [0, 1], "refused": []}


async def test_a_bot_may_replace_a_player_that_declined(tables: Tables) -> None:
    old, tokens = await concede_game(tables, "feint", factions=("wu", "keion"))
    key, _ = await tables.rematch(old, MAY, tokens[0], nonce("may"))
    new = await tables.table(key)
    with pytest.raises(Present, match="may still come"):
        await new.seats.give_to_bot(BO, 0)
    await tables.refuse(old, BO)
    await new.seats.give_to_bot(BO, 0)
    assert not new.gathering.waits
    assert list(new.game.options["factions"]) == ["keion", "wu"]


async def test_after_an_offer_was_withdrawn_another_can_be_made(tables: Tables) -> None:
    old, tokens = await concede_game(tables, "feint")
    key, may = await tables.rematch(old, MAY, tokens[0], nonce("may"))
    new = await tables.table(key)
    await new.gathering.leave(new.seats.find_holder(may))
    assert old.build_view(1)["rematch"] == {"stage": "closed", "joined": [], "refused": [0]}
    other, _ = await tables.rematch(old, BO, tokens[1], nonce("bo"))
    assert other != key
    assert old.build_view(0)["rematch"] == {"stage": "waiting", "joined": [1], "refused": []}


async def test_an_offer_is_still_there_after_a_restart(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        old, tokens = await concede_game(tables, "feint")
        key, _ = await tables.rematch(old, MAY, tokens[0], nonce("may"))
    async with tables_at(tmp_path) as tables:
        again = await tables.table(old.key)
        assert again.build_view(1)["rematch"] == {"stage": "waiting", "joined": [0], "refused": []}
        assert (await tables.rematch(again, BO, tokens[1], nonce("bo")))[0] == key
        assert again.build_view(1)["rematch"] == {"stage": "dealt", "joined": [0, 1], "refused": []}
