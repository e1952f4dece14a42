"""Listed tables: which are listed, who sits down, and the bots that come when no player does."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.table import LinkHolder, Open, Person, Tables
from gonfalon.table.errors import Taken
from gonfalon.table.live.table import Table
from gonfalon.table.seats.open_seats import Offer
from tests.table.duel import Duel
from tests.table.moot import Moot
from tests.table.opening import let_pass, nonce, tables_on, until

pytestmark = pytest.mark.anyio
MAY = LinkHolder(0)
ENDLESS = Offer()
"""It waits for players without end."""


async def list_table(tables: Tables, offer: Offer = ENDLESS, seats: int = 2) -> Table:
    """Open a listed table whose opener has a page open."""
    game, people = (Duel(), [Open()]) if seats == 2 else (Moot(seats=seats), [Open()] * (seats - 1))
    table, _ = await tables.open_table(game, [Person("May"), *people], offer=offer)
    table.presence.enter((0,))
    return table


async def listed(tables: Tables, *wanted: Table) -> None:
    """Wait until exactly these tables are listed, the newest first."""
    keys = [table.key for table in wanted]
    await until(lambda: tables.store.list_offers(tables.now()) == keys)


async def test_a_table_is_listed_while_a_player_is_present_and_a_seat_is_free(database: str) -> None:
    async with tables_on(database) as here, tables_on(database) as there:
        table = await list_table(here)
        await here.open_table(Duel(), [Person("Bo"), Open()])  # by link only
        await list_table(here, seats=2)
        assert table.row.offer is not None
        assert table.row.offer not in table.key
        for tables in (here, there):
            await until(lambda tables=tables: len(tables.store.list_offers(tables.now())) == 2)
        elsewhere = await there.table(table.key)
        token = await elsewhere.seats.take_offered_seat(nonce("Bo"), "Bo")
        assert await elsewhere.seats.take_offered_seat(nonce("Bo"), "Bo") == token  # the same request again
        with pytest.raises(Taken):
            await table.seats.take_offered_seat(nonce("Cy"), "Cy")
        await until(lambda: table.key not in here.store.list_offers(here.now()))
        await elsewhere.gathering.be_ready(elsewhere.seats.find_holder(token), {})
        await table.refresh()
        assert table.row.stage == "dealt"
        assert here.store.find_offer(table.row.offer) is None


async def test_the_longest_name_fits_every_database(database: str) -> None:
    async with tables_on(database) as tables:
        table, _ = await tables.open_table(Duel(), [Person("\U0001f469\u200d\U0001f469\u200d\U0001f467" * 24), Open()])
        assert len(table.row.seats[0].name) == 95, "nineteen letters of five characters"


async def test_a_table_leaves_the_list_with_its_last_player(tables: Tables) -> None:
    table = await list_table(tables)
    await listed(tables, table)
    table.presence.leave((0,))
    let_pass(tables, 61.0)
    await listed(tables)
    table.presence.enter((0,))
    await listed(tables, table)
    await table.gathering.leave(MAY)
    await listed(tables)


async def test_a_seat_of_a_table_that_is_not_listed_is_not_taken_without_its_link(tables: Tables) -> None:
    table, _ = await tables.open_table(Duel(), [Person("May"), Open()])
    with pytest.raises(Taken):
        await table.seats.take_offered_seat(nonce("Bo"), "Bo")


async def test_bots_sit_down_when_the_time_is_up(database: str) -> None:
    """The time counts in any process, also if the one that opened the table is gone."""
    async with tables_on(database) as there:
        async with tables_on(database) as here:
            table = await list_table(here, Offer(90.0, "random"), seats=3)
            await until(lambda: len(there.store.list_offers(there.now())) == 1)
            key = table.key
        held = await there.table(key)
        held.presence.enter((0,))
        assert [row.by for row in held.row.seats] == ["person", "nobody", "nobody"]
        let_pass(there, 80.0)
        await there.claims.sweep()
        assert held.row.stage == "waiting"
        let_pass(there, 11.0)
        await there.claims.sweep()
        await until(lambda: held.position.dealt)
        assert [row.name for row in held.row.seats] == ["May", "Random", "Random 2"]


async def test_no_bot_plays_for_players_that_have_gone(tables: Tables) -> None:
    table = await list_table(tables, Offer(120.0, "random"))
    await listed(tables, table)
    table.presence.leave((0,))
    let_pass(tables, 121.0)
    await tables.claims.sweep()
    await until(lambda: table.row.offer is None)
    assert (table.row.stage, table.row.bot_at) == ("waiting", None)
    assert table.row.seats[1].free


async def test_an_unknown_level_is_refused_at_once(tables: Tables) -> None:
    with pytest.raises(OptionError):
        await list_table(tables, Offer(60.0, "genius"))
