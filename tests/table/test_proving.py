"""Proved deals at live tables: sealed, closed, opened, dealt, and checked at the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files import proof
from gonfalon.core.files.verify import DeviceData, Finding, is_proved, verify_record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SPECTATOR
from gonfalon.table import Beside, LinkHolder, Open, Person, Robot, Store, Table, Tables
from gonfalon.table.errors import NoChoice, NotSeated, Secret, Stale
from gonfalon.table.game.position import Position, position_after
from gonfalon.table.links import derive_invitation
from gonfalon.table.live.archiving import gather_game
from gonfalon.table.seats.proving import ShownProof
from gonfalon.table.seats.seat_choices import LOT
from tests.table.duel import Duel
from tests.table.opening import find, let_all_go, nonce, tables_at

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)
R, S = "a1" * 32, "b2" * 32


async def open_proved_table(tables: Tables, name: str, *others: Any, **options: Any) -> tuple[Table, str]:
    """Open a table of May's with a proved deal. Return the table and her token."""
    table, tokens = await tables.open_table(find(name, **options), [Person("May"), *others], proved=True)
    return table, tokens[0]


async def two(tables: Tables, name: str = "duel") -> tuple[Table, str]:
    """Open a proved table with May and Bo, both ready, before any share."""
    table, token = await open_proved_table(tables, name, Open())
    bo = table.seats.find_holder(await table.seats.take_seat(derive_invitation(token), nonce("bo"), "Bo"))
    await table.gathering.be_ready(bo, {})
    return table, token


def show_proof(table: Table, viewer: int = SPECTATOR) -> ShownProof:
    found = table.build_view(viewer)["proof"]
    assert found is not None
    return found


def shut(table: Table, seat: int, share: str) -> str:
    return proof.hash_share(show_proof(table)["commitment"], seat, share)


async def close(table: Table, who: LinkHolder, share: str) -> None:
    seat = who.holds[0]
    await table.gathering.add_shares(who, show_proof(table)["attempt"], {seat: shut(table, seat, share)})


async def open_(table: Table, who: LinkHolder, share: str) -> None:
    await table.gathering.open_shares(who, show_proof(table)["attempt"], {who.holds[0]: share})


async def deal(table: Table) -> None:
    await close(table, MAY, R)
    await close(table, BO, S)
    await open_(table, MAY, R)
    await open_(table, BO, S)


async def test_it_is_dealt_when_all_have_opened_and_proved_when_it_is_over(tables: Tables) -> None:
    table, _ = await two(tables)
    seal = show_proof(table)
    assert (seal["attempt"], seal["opening"], seal["signs"]) == (1, False, None)
    await close(table, MAY, R)
    assert [seat["said"] for seat in show_proof(table)["seats"]] == [True, False]
    assert not show_proof(table)["opening"]
    await close(table, BO, S)
    assert show_proof(table)["opening"]
    assert table.gathering.waits
    setup = show_proof(table)["setup"]
    await open_(table, BO, S)
    assert [seat["opened"] for seat in show_proof(table)["seats"]] == [False, True]
    assert table.gathering.waits
    await open_(table, MAY, R)
    assert table.position.dealt
    for late in (close(table, MAY, R), open_(table, MAY, R)):
        with pytest.raises(Stale, match="already started"):
            await late
    with pytest.raises(Secret):
        await table.moves.record()
    await table.seats.resign(MAY)
    record = await table.moves.record()
    kept = DeviceData(
        seal["commitment"], tuple(seat["closed"] for seat in show_proof(table)["seats"]), setup or "", ((0, R),)
    )
    assert is_proved(verify_record(record, kept))
    assert [seat for seat, _ in record.decisions] == [CHANCE, CHANCE]
    assert gather_game(tables.store, table.row, table.game)[0].proof == record.proof  # what archives are made of
    assert Finding(True, "All 2 draws of chance follow from the secret and the shares.") in verify_record(record)


async def test_a_game_against_a_bot_waits_for_the_share_too(tables: Tables) -> None:
    table, _ = await open_proved_table(tables, "feint", Robot("random"))
    assert table.gathering.waits
    assert table.build_view(0)["prompt"].endswith("sealed and opened a share. Not yet: You.")
    await close(table, MAY, R)
    await open_(table, MAY, R)
    await table.seats.resign(MAY)
    record = await table.moves.record()
    assert is_proved(verify_record(record))
    assert Finding(None, "Random added no share.") in verify_record(record)


async def test_a_player_without_a_share_says_so_and_nothing_is_proved(tables: Tables) -> None:
    table, _ = await open_proved_table(tables, "duel", Robot("random"))
    await table.gathering.add_shares(MAY, 1, {0: None})
    assert table.position.dealt
    await table.seats.resign(MAY)
    found = verify_record(await table.moves.record())
    assert [finding.text for finding in found if finding.holds is False] == [
        "No player added a share, so the server alone could choose the shuffles."
    ]


async def test_a_player_that_leaves_before_opening_restarts_the_deal(tables: Tables) -> None:
    table, _ = await two(tables)
    before = show_proof(table)
    await close(table, MAY, R)
    await close(table, BO, S)
    await open_(table, MAY, R)
    await table.gathering.cancel_ready(BO)
    after = show_proof(table)
    assert (after["attempt"], after["opening"]) == (2, False)
    assert after["commitment"] != before["commitment"]
    assert not any(seat["said"] for seat in after["seats"])
    with pytest.raises(Stale):  # what was closed for the first attempt
        await table.gathering.add_shares(MAY, 1, {0: proof.hash_share(before["commitment"], 0, R)})
    await table.gathering.be_ready(BO, {})
    await deal(table)
    await table.seats.resign(MAY)
    found = verify_record(await table.moves.record())
    assert is_proved(found)
    assert any("at attempt 2: a player left 1 time" in finding.text for finding in found)


async def test_open_shares_fix_the_choice_of_players_without_one(tables: Tables) -> None:
    """Otherwise a friend of the server could change their faction with knowledge of the cards to come."""
    table, _ = await two(tables, "feint")
    await table.gathering.add_shares(BO, 1, {1: None})
    await close(table, MAY, R)
    assert show_proof(table)["opening"]
    await table.gathering.cancel_ready(BO)
    assert show_proof(table)["attempt"] == 2


async def test_an_absent_seat_that_does_not_open_is_given_to_a_bot(tables: Tables) -> None:
    table, token = await two(tables)
    await close(table, MAY, R)
    await close(table, BO, S)
    await open_(table, MAY, R)
    assert not table.seats.is_absent(1)
    let_all_go(tables)
    await table.seats.give_to_bot(table.seats.find_holder(token), 1)
    assert show_proof(table)["attempt"] == 2
    await close(table, MAY, R)
    await open_(table, MAY, R)
    assert table.position.dealt


async def test_a_new_player_of_a_seat_adds_their_own_share(tables: Tables) -> None:
    table, token = await two(tables)
    await close(table, BO, S)
    await table.gathering.leave(BO)
    assert not show_proof(table)["seats"][1]["said"]
    await table.seats.take_seat(derive_invitation(token), nonce("cy"), "Cy")
    assert not show_proof(table)["seats"][1]["said"]
    cy = LinkHolder(1)
    await close(table, cy, R)
    await table.gathering.cancel_ready(cy)  # and with them what they said, so that another device may say it
    assert not show_proof(table)["seats"][1]["said"]
    await close(table, cy, S)
    assert show_proof(table)["attempt"] == 1


async def test_sealed_values_cannot_be_exchanged(tables: Tables) -> None:
    table, _ = await two(tables)
    await close(table, MAY, R)
    await close(table, MAY, R)  # sent twice
    with pytest.raises(Stale, match="already"):
        await close(table, MAY, S)
    with pytest.raises(Stale):
        await open_(table, MAY, R)  # too early
    with pytest.raises(NotSeated):
        await table.gathering.add_shares(MAY, 1, {1: shut(table, 1, S)})
    with pytest.raises(NotSeated):
        await table.gathering.add_shares(LinkHolder(SPECTATOR), 1, {})
    with pytest.raises(NoChoice):
        await table.gathering.add_shares(BO, 1, {1: "AA" * 32})
    await close(table, BO, S)
    for wrong in (S, "", "no"):
        with pytest.raises(NoChoice, match="not the share"):
            await open_(table, MAY, wrong)
    await open_(table, MAY, R)
    await open_(table, MAY, R)
    assert table.gathering.waits


async def test_where_nothing_is_proved_there_is_nothing_to_add(tables: Tables) -> None:
    table, _ = await tables.open_table(find("duel"), [Person("May"), Open()])
    assert table.build_view(0)["proof"] is None
    with pytest.raises(OptionError, match="not proved"):
        await table.gathering.add_shares(MAY, 1, {0: None})


async def test_a_rematch_has_a_secret_and_shares_of_its_own(tables: Tables) -> None:
    table, token = await two(tables)
    first = show_proof(table)["commitment"]
    await deal(table)
    await table.seats.resign(MAY)
    key, _ = await tables.rematch(table, table.seats.find_holder(token), token, nonce("again"))
    there = await tables.table(key)
    assert there.gathering.waits
    assert show_proof(there)["commitment"] != first
    assert not any(seat["said"] for seat in show_proof(there)["seats"])


async def test_chance_goes_on_after_a_restart(tmp_path: Path) -> None:
    """Faction Wars shuffles repeatedly, and all draws follow from the proof."""
    async with tables_at(tmp_path) as tables:
        table, token = await open_proved_table(tables, "factionwars", Beside("Bo"), seats=2)
        who, key = table.seats.find_holder(token), table.key
        await table.gathering.add_shares(who, 1, {0: shut(table, 0, R), 1: None})
        await table.gathering.open_shares(who, 1, {0: R})
        at_first = table.position.drawn
    async with tables_at(tmp_path) as tables:
        table = await tables.table(key)
        assert table.position.drawn == at_first
        while table.position.drawn < at_first + 2:
            for seat in table.position.find_awaited_seats():
                while table.position.is_asked(seat):
                    legal = table.view(seat).legal(seat)
                    await table.moves.act_at(seat, table.position.version(seat), legal[:1])
        await table.moves.resign(0)
        found = verify_record(await table.moves.record())
    assert is_proved(found), found


async def test_nothing_reveals_a_draw_before_the_end(tables: Tables) -> None:
    """No viewer's data contains a secret, share, root or draw, and the visible part of the proof does not change from
    the deal on."""
    table, _ = await two(tables)
    await deal(table)
    secrets = table.backend.store.proof(table.key, 2)
    assert secrets is not None
    hidden = {secrets.secret, secrets.root.hex(), R, S}
    hidden |= {entry.text.partition(":")[2] for entry in table.backend.store.entries(table.key) if entry.seat == CHANCE}
    assert len(hidden) == 6
    before = show_proof(table)
    for viewer in (0, 1, SPECTATOR):
        text = json.dumps(table.build_view(viewer))
        assert not any(word in text for word in hidden)
        assert not any(word in repr(table.row) for word in hidden)
    for seat in (0, 1):
        while table.position.is_asked(seat) and table.position.together:
            await table.moves.act(LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[-1:])
            assert show_proof(table) == before
    assert {json.dumps(table.build_view(viewer)["proof"]) for viewer in (0, 1, SPECTATOR)} == {json.dumps(before)}


def test_undo_does_not_draw_again() -> None:
    position = Position(Duel(), root=b"r" * 32)
    entries = position.draw_chance()
    assert position.drawn == 2
    done = position.game.notation(position.state.legal(0)[-1])
    entries += position.act(0, None, [position.game.parse(done)])
    entries += position.undo(0, None)
    assert position.drawn == 2
    assert position.clone().drawn == 2
    assert position_after(position.game, entries, b"r" * 32).drawn == 2


def test_the_store_counts_nothing_of_an_older_attempt(database: str) -> None:
    from tests.table.test_store import row

    store = Store(database)
    try:
        store.create(row(), [], proved=True)
        assert not store.open_shares("k", 1, {0: R})
        assert not store.add_share("k", 2, {0: "cc" * 32})
        assert store.add_share("k", 1, {0: "cc" * 32, 1: None})
        assert store.begin_opening("k", 1, [0], "ee" * 32, "{}")
        assert not store.add_share("k", 1, {0: "cc" * 32})
        assert store.open_shares("k", 1, {0: R})
        assert store.open_shares("k", 1, {0: S})  # the first counts
        kept = store.proof("k", 2)
        assert kept is not None
        assert (kept.closed, kept.opened) == (("cc" * 32, None), (R, None))
        assert proof.hash_commitment("duel", 1, kept.secret) == kept.commitment
        store.seal_again("k", "duel", 1)
        assert store.proof("k", 2) is None
        again = store.table("k").sealing
        assert again is not None
        assert (again.attempt, again.setup, again.shares) == (2, None, {})
        assert store.secret_of("k") != kept.secret
        store.clear("k")
        assert store.proof("k", 2) is None
    finally:
        store.close()


async def test_decks_by_lot_are_fixed_before_the_shares_are_opened(tables: Tables) -> None:
    """Otherwise the server, which knows the root by then, could choose them by the cards to come."""
    table, token = await open_proved_table(tables, "generals", Open())
    bo = table.seats.find_holder(await table.seats.take_seat(derive_invitation(token), nonce("bo"), "Bo"))
    await table.gathering.be_ready(bo, {1: LOT})
    await close(table, MAY, R)
    assert show_proof(table)["setup"] is None
    await close(table, BO, S)
    setup, options = show_proof(table)["setup"], json.loads(tables.store.options_of(table.key))
    assert setup is not None
    assert LOT not in options["decks"]
    for seat in (0, 1, SPECTATOR):
        assert options["decks"][1] not in json.dumps(table.build_view(seat))
    await open_(table, MAY, R)
    await open_(table, BO, S)
    assert table.game.shown_options() == options
    await table.seats.resign(MAY)
    record = await table.moves.record()
    assert record.proof is not None
    assert record.proof["setup"] == setup
    assert is_proved(verify_record(record))


async def test_a_deck_that_is_not_legal_any_more_is_sealed_by_nothing(tmp_path: Path) -> None:
    banned: set[str] = set()

    def strict(name: str, **options: Any) -> Game:
        if banned.intersection(options.get("factions", ())):
            raise OptionError("This faction is banned.")
        return find(name, **options)

    async with tables_at(tmp_path, find=strict) as tables:
        table, token = await open_proved_table(tables, "feint", Open(), factions=("wu", "keion"))
        bo = table.seats.find_holder(await table.seats.take_seat(derive_invitation(token), nonce("bo"), "Bo"))
        await table.gathering.be_ready(bo, {})
        await close(table, MAY, R)
        banned.add("wu")
        await close(table, BO, S)
        assert not show_proof(table)["opening"]
        assert [row.ready for row in table.row.seats] == ["unfit", "yes"]
        await table.gathering.be_ready(MAY, {0: "mibits"})
        assert show_proof(table)["opening"]
        banned.add("mibits")  # now the shares are open, and all is to begin anew
        await open_(table, MAY, R)
        await open_(table, BO, S)
        assert (show_proof(table)["attempt"], show_proof(table)["opening"]) == (2, False)
        assert table.gathering.waits
