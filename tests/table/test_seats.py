"""Tables of two to five: links, names, presence, bots in place of people, and resignation."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.core.basics.errors import OptionError, Refusal
from gonfalon.core.files.record import load
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Beside, LinkHolder, Open, Person, Robot, Seating, Tables
from gonfalon.table.errors import Finished, NotHost, NotSeated, NoWay, Present, Taken
from gonfalon.table.links import WATCH, derive_invitation
from gonfalon.table.seats.presence import AWAY, HERE, LOST, Presence
from tests.table.duel import Duel
from tests.table.opening import find, first, let_all_go, moot, nonce, over_of, play_on, say, sit_ready, tables_at, until

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "seating",
    [
        (Robot("random"), Person("May"), Robot("random")),
        (Person("May"), Robot("random"), Person("Bo"), Robot("random"), Person("Cy")),
        tuple(Robot("random") for _ in range(5)),
    ],
    ids=["three", "five", "bots"],
)
async def test_any_mix_of_people_and_bots_plays_to_the_end(tables: Tables, seating: tuple[Seating, ...]) -> None:
    table, tokens = await moot(tables, *seating)
    assert len(set(tokens.values())) == sum(isinstance(sitter, Person) for sitter in seating)
    await play_on(table, *(seat for seat, sitter in enumerate(seating) if isinstance(sitter, Person)))
    record = await table.moves.record()
    assert record.game.seats == len(seating)
    assert load(record.dumps(), find).replay().dump() == table.position.state.dump()


async def test_each_friend_has_a_link_of_his_own(tables: Tables) -> None:
    table, tokens = await moot(tables, Open(), Person("May"), Open(), Robot("random"))
    may = tokens[1]
    to_first, to_third, to_any = derive_invitation(may, 0), derive_invitation(may, 2), derive_invitation(may)
    assert [table.seats.find_holder(link).seats for link in (to_first, to_third, to_any)] == [(0,), (2,), (0, 2)]
    bo = await table.seats.take_seat(to_third, nonce("n"), "Bo")
    assert table.seats.find_holder(bo) == LinkHolder(2)
    assert table.seats.find_holder(to_third).seats == ()
    assert table.seats.find_holder(to_any).seats == (0,)
    with pytest.raises(Taken):
        await table.seats.take_seat(to_third, nonce("another"), "Cy")
    cy = await table.seats.take_seat(to_any, nonce("n"), "Cy")
    assert table.seats.find_holder(cy) == LinkHolder(0)
    with pytest.raises(Taken):
        await table.seats.take_seat(to_first, nonce("n"), "Di")
    for link in (derive_invitation(may, 1), derive_invitation(may, 3), derive_invitation(bo, 0)):
        with pytest.raises(NoWay):
            table.seats.find_holder(link)


async def test_names_are_unique(tables: Tables) -> None:
    table, tokens = await moot(tables, Person("Greedy"), Beside("greedy"), Robot("random"), Robot("random"), Open())
    await table.seats.take_seat(derive_invitation(tokens[0], 4), nonce("n"), "random")
    assert table.names == ["Greedy", "greedy 2", "Random", "Random 2", "random 3"]


async def test_a_shared_device_needs_an_opener(tables: Tables) -> None:
    with pytest.raises(OptionError, match="beside"):
        await moot(tables, Beside("May"), Open())


# ---- giving up ------------------------------------------------------------------------------------


async def test_with_more_than_two_seats_a_bot_replaces_a_resigning_player(tables: Tables) -> None:
    table, tokens = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
    await first(table, 1)
    await table.seats.resign(LinkHolder(1))
    assert not table.position.over
    assert [row["by"] for row in table.build_view(0)["seats"]] == ["person", "bot", "person"]
    assert table.names == ["May", "Bo", "Cy"]
    with pytest.raises(Refusal, match="A bot is playing for you"):
        await say(table, LinkHolder(1), "k10")
    await play_on(table, 0, 2)
    record = await table.moves.record()
    assert record.ended is None
    assert record.result is not None
    assert table.seats.find_holder(tokens[1]) == LinkHolder(1)


async def test_a_player_that_resigned_may_return(tables: Tables, tmp_path: Path) -> None:
    table, _ = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
    await table.seats.resign(LinkHolder(2))
    await until(lambda: table.position.state.answers[2])
    await table.seats.reclaim_seat(LinkHolder(2))
    await table.seats.reclaim_seat(LinkHolder(2))
    assert table.build_view(2)["seats"][2]["by"] == "person"
    assert table.build_view(2)["can_take_back"]  # what the bot chose for him is his own now
    await table.moves.undo(LinkHolder(2), table.position.version(2))
    await say(table, LinkHolder(2), table.game.notation(table.view(2).legal(2)[0]))
    await play_on(table, 0, 1, 2)


async def test_the_last_resignation_ends_the_game(tables: Tables) -> None:
    table, _ = await moot(tables, Person("May"), Person("Bo"), Robot("random"))
    await table.seats.resign(LinkHolder(0))
    assert table.build_view(2)["over"] is None
    await table.seats.resign(LinkHolder(1))
    assert table.position.over
    assert (await table.moves.record()).ended == {"seat": 1, "how": "resigned"}


async def test_with_two_seats_the_game_ends(tables: Tables) -> None:
    table, _ = await moot(tables, Person("May"), Person("Bo"))
    await table.seats.resign(LinkHolder(1))
    assert over_of(table, 0)["text"] == "Bo resigned."


# ---- who is here ------------------------------------------------------------------------------------


async def test_a_bot_replaces_only_an_absent_player_the_game_waits_for(tables: Tables) -> None:
    table, _ = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
    table.presence.enter([1])
    with pytest.raises(Present, match="Bo"):
        await table.seats.give_to_bot(LinkHolder(0), 1)
    table.presence.leave([1])
    assert table.presence.state_of(1) == LOST
    with pytest.raises(Present):
        await table.seats.give_to_bot(LinkHolder(0), 1)
    let_all_go(tables)
    assert table.presence.state_of(1) == AWAY
    with pytest.raises(NotSeated):
        await table.seats.give_to_bot(LinkHolder(SPECTATOR), 1)
    table.presence.enter([0])
    await table.seats.give_to_bot(LinkHolder(0), 1)
    await table.seats.give_to_bot(LinkHolder(0), 1)
    await until(lambda: table.position.state.answers[1])
    await first(table, 0, 2)
    await until(lambda: table.position.is_asked(0))  # to speak
    assert table.presence.state_of(2) == AWAY
    with pytest.raises(Present, match="Cy"):  # away, but it is not his turn
        await table.seats.give_to_bot(LinkHolder(0), 2)


async def test_in_a_game_of_two_a_bot_may_stand_in_as_well(tables: Tables) -> None:
    table, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
    let_all_go(tables)
    await table.seats.give_to_bot(LinkHolder(0), 1)
    await play_on(table, 0)
    with pytest.raises(Finished):
        await table.seats.give_to_bot(LinkHolder(1), 0)


async def test_presence_changes_when_a_grace_period_ends(tmp_path: Path) -> None:
    """An open page counts until its grace period ends, and a reader without scripts counts longer."""
    told: list[tuple[str, ...]] = []
    now = 1000.0

    def tell_after(seconds: float) -> None:
        nonlocal now
        now += seconds
        tables.heartbeat.beat()
        here.check_processes()

    async with tables_at(tmp_path, grace=1.0, patience=2.0, monotonic=lambda: now, wall=lambda: now) as tables:
        here = Presence("key", 2, now, tables, lambda: told.append((here.state_of(0), here.state_of(1))), tables.spawn)
        here.enter([0])
        here.enter([0])  # a second device
        here.leave([0])
        assert told == [(HERE, LOST)]  # Bo may be on his way back from a restart of the server
        tell_after(1.1)
        here.leave([0])
        here.see([1])  # a page without script
        here.see([1])
        assert told[1:] == [(HERE, AWAY), (LOST, AWAY), (LOST, HERE)]
        tell_after(1.1)
        here.see([0])
        here.see([1], reads=True)  # somebody thinks before a page without script
        assert told[-1] == (HERE, HERE)
        tell_after(1.1)
        assert told[-1] == (AWAY, HERE)
        tell_after(1.1)
        assert told[-1] == (AWAY, AWAY)
        here.see([1], reads=True)
        here.enter([1])
        here.leave([1])  # what counts is that the page has gone
        assert told[-1] == (AWAY, LOST)
        tell_after(1.1)
        assert told[-1] == (AWAY, AWAY)
        here.enter([SPECTATOR])
        assert here.watching == 1
        here.leave([SPECTATOR])
        assert here.watching == 0


async def test_a_secret_answer_does_not_show_in_presence(tables: Tables) -> None:
    table, _ = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
    table.presence.enter([0])
    before = table.public_mark()
    await first(table, 0)
    assert table.public_mark() == before
    assert [row["asked"] for row in table.build_view(1)["seats"]] == [True, True, True]
    await first(table, 1, 2)
    assert table.public_mark() != before
    assert [row["asked"] for row in table.build_view(1)["seats"]] == [True, False, False]


async def test_a_restart_keeps_stand_ins_and_links(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        table, tokens = await moot(tables, Person("May"), Person("Bo"), Open())
        cy = await sit_ready(table, derive_invitation(tokens[0], 2), "n", "Cy")
        await table.seats.resign(LinkHolder(1))
        rows = table.row
    async with tables_at(tmp_path) as tables:
        again = await tables.table(table.key)
        assert again.row == rows
        assert again.row.seats[1].stood_for
        assert again.seats.find_holder(cy) == LinkHolder(2)
        await play_on(again, 0, 2)


# ---- again ------------------------------------------------------------------------------------------


async def test_a_rematch_of_five_moves_all_one_seat_on(tables: Tables) -> None:
    table, tokens = await moot(tables, Person("May"), Beside("Bo"), Robot("random"), Open(), Person("Di"))
    cy = await sit_ready(table, derive_invitation(tokens[0], 3), "n", "Cy")
    for seat in (3, 0, 4):
        await table.seats.resign(LinkHolder(seat))
    await table.seats.resign(LinkHolder(1))  # bots play for the others: nobody is left
    key, here = await tables.rematch(table, table.seats.find_holder(tokens[0]), tokens[0], nonce("may"))
    again, there = await tables.rematch(table, table.seats.find_holder(cy), cy, nonce("cy"))
    assert again == key
    new = await tables.table(key)
    assert new.seats.find_holder(here).holds == (1, 2)  # both at the one device
    assert new.seats.find_holder(there) == LinkHolder(4)
    assert new.names == ["Di", "May", "Bo", "Random", "Cy"]
    assert [row.by for row in new.row.seats] == ["nobody", "person", "person", "bot", "person"]
    assert new.build_view(0)["stage"] == "waiting"
    opener = new.seats.find_holder(here)
    assert not new.seats.may_give_to_bot(opener, 0)  # Di's seat is not given away at once
    with pytest.raises(Present, match="Di"):
        await new.seats.give_to_bot(opener, 0)
    let_all_go(tables)
    assert new.seats.is_absent(0)  # Di does not come
    with pytest.raises(NotSeated):
        await new.seats.give_to_bot(LinkHolder(SPECTATOR), 0)
    with pytest.raises(NotHost):
        await new.seats.give_to_bot(LinkHolder(4), 0)
    await new.seats.give_to_bot(opener, 0)
    assert new.names[0] == "Random 2"
    assert new.build_view(0)["stage"] == "playing"
    with pytest.raises(Taken):  # Di comes after all
        await tables.rematch(table, table.seats.find_holder(tokens[4]), tokens[4], nonce("di"))
    with pytest.raises(NotSeated):
        await tables.rematch(table, table.seats.find_holder(WATCH), WATCH, nonce("watch"))
