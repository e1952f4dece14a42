"""Small decisions are taken back one by one, until something was revealed, drawn or answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.errors import Refusal
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE
from gonfalon.table import LinkHolder, Person, Store, Tables
from gonfalon.table.position import BACK, Position, position_after
from tests.generals.folk import card, plain
from tests.generals.scenario import Table

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def at(table: Table) -> Position:
    """The position of an arranged table."""
    position = Position(table.game)
    position.state = table.state
    position.look()
    return position


def act(position: Position, seat: int, *texts: str) -> None:
    position.act(seat, position.version(seat), [position.game.parse(text) for text in texts])


def back(position: Position, seat: int) -> None:
    position.take_back(seat, position.version(seat))


def test_moves_are_taken_back_one_by_one() -> None:
    table = plain()
    table.may.has("Ash", "Birch")
    position = at(table)
    start = position.state.dump()
    act(position, 0, "ash#1", "@border")
    moved = position.state.dump()
    act(position, 0, "birch#1", "@border")
    for now in (moved, start):
        # The general and his act are two decisions.
        back(position, 0)
        assert position.can_take_back(0)
        back(position, 0)
        assert position.state.dump() == now
    assert not position.can_take_back(0)
    with pytest.raises(Refusal, match="taken back"):
        back(position, 0)
    act(position, 0, "birch#1", "@border")
    assert position.can_take_back(0)


def test_both_seats_see_a_new_version_when_a_move_is_taken_back() -> None:
    table = plain()
    table.may.has("Ash")
    position = at(table)
    act(position, 0, "ash#1", "@border")
    mine, theirs = position.version(0), position.version(1)
    back(position, 0)
    back(position, 0)
    assert position.version(0) > mine
    assert position.version(1) > theirs
    log = position.state.mask(1).log
    assert log is not None
    assert log == []


def test_nobody_else_takes_it_back() -> None:
    table = plain()
    table.may.has("Ash")
    position = at(table)
    act(position, 0, "ash#1", "@border")
    assert not position.can_take_back(1)
    with pytest.raises(Refusal, match="taken back"):
        back(position, 1)


def test_a_card_that_was_shown_stays_played_but_its_payment_is_free() -> None:
    """Kite costs 1: a card is declared openly, so that it was played cannot be taken back; which card pays can."""
    table = plain()
    table.david.holds("Kite", "Reed", "Sedge")
    table.turn(table.david)
    position = at(table)
    act(position, 1, "kite")
    assert not position.can_take_back(1)
    declared = position.state.dump()
    act(position, 1, "reed")
    assert position.can_take_back(1)  # Kite is in the field, and nobody has learned anything by it
    back(position, 1)
    assert position.state.dump() == declared
    act(position, 1, "sedge")
    assert position.state.mask(0).log != []


def test_what_was_drawn_stays_drawn() -> None:
    """The same card as was paid with comes up: that nothing new is known afterwards must not be a way round."""
    table = plain(
        card("X50", "Muster", "strategy", {"kind": "play", "do": [{"op": "draw", "n": 1, "who": "you"}]}, cost=1)
    )
    table.may.holds("Muster", "Reed", "Sedge").resource("Reed", size=20)
    position = at(table)
    act(position, 0, "muster", "reed")
    assert sorted(table.may.hand) == ["Reed", "Sedge"]
    assert not position.can_take_back(0)


def test_an_act_that_may_be_answered_stays() -> None:
    """David could answer the attack by what everybody knows of his deck; and once he has passed it has happened."""
    table = Table(ask=True)
    table.may.has("Xiahou Dun", at="BORDER")
    table.david.has("Lu Su", at="ENEMY_BORDER").holds("Feigned Retreat", "Militia")
    position = at(table)
    act(position, 0, "xiahou-dun#1", "lu-su#2")
    assert position.state.turn == 1
    assert not position.can_take_back(0)
    act(position, 1, "pass")
    assert not position.can_take_back(0)
    assert not position.can_take_back(1)


def test_what_is_resolved_stays() -> None:
    """David has an empty hand, so nobody is asked: a Siege, a kill, a melee, and what a move set off have happened."""
    acts = [
        ("Xiahou Dun", "ENEMY_BORDER", ["xiahou-dun#1", "siege"], True),
        ("Huang Zhong", "BORDER", ["huang-zhong#1", "active:1", "militia"], False),
        ("Xiahou Dun", "BORDER", ["xiahou-dun#1", "lu-su#2"], False),
        ("Zhou Cang", "BORDER", ["zhou-cang#1", "active:1", "militia"], False),
        ("Sun Ce", "FORTRESS", ["sun-ce#1", "@enemy-border"], True),
    ]
    for name, place, texts, alone in acts:
        table = Table()
        table.may.has(name, at=place).holds("Militia", "Archers", "Red Hare")
        if not alone:
            table.david.has("Lu Su", at="ENEMY_BORDER")
        position = at(table)
        act(position, 0, *texts[:-1])
        assert position.can_take_back(0), texts
        act(position, 0, texts[-1])
        while position.state.stack[-1].prompt == "pay":
            assert position.can_take_back(0), texts
            act(position, 0, "archers")
        assert position.state.turn == 0
        assert not position.can_take_back(0), texts


def test_a_general_who_returned_is_not_taken_back_once_he_is_shown_again() -> None:
    """Both know him, so nobody learns anything by it; but a card that was shown stays played."""
    home = {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "bounce", "target": {"ref": "self"}}]}
    table = plain(card("X50", "Pan Feng", "character", home, might=4, wits=3))
    table.may.has("Pan Feng").holds("Reed", "Sedge")
    position = at(table)
    act(position, 0, "pan-feng#1", "active:1")
    assert not position.can_take_back(0)
    act(position, 0, "pan-feng")
    assert not position.can_take_back(0)
    act(position, 0, "reed")
    assert position.can_take_back(0)


def test_the_end_of_a_turn_stays() -> None:
    table = plain()
    table.may.has("Ash")
    position = at(table)
    act(position, 0, "ash#1", "@border")
    act(position, 0, "end")
    assert not position.can_take_back(0)
    assert not position.can_take_back(1)


def test_other_games_are_as_strict_as_ever() -> None:
    """Feint's cards are revealed as they are played."""
    position = Position(games.game("feint"))
    position.chance()
    seat = position.state.turn
    assert seat >= 0
    position.act(seat, None, [position.state.legal(seat)[0]])
    assert position.before == []
    assert not position.can_take_back(seat)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_with_things_taken_back_replays_and_its_record_is_without_them(seed: int) -> None:
    """Random play in which every third decision that can be is taken back: chance and views do not move."""
    game = games.game("generals", decks=("little-conqueror", "yellow-sky"))
    position, rng = Position(game), Rng(seed)
    entries = position.chance()
    taken = 0
    for _ in range(250):
        if position.over:
            break
        seat = position.state.turn
        assert seat != CHANCE
        if position.can_take_back(seat) and rng.below(3) == 0:
            dumped = position.before[-1].dump()
            entries += position.take_back(seat, position.version(seat))
            assert position.state.dump() == dumped
            taken += 1
            continue
        legal = position.state.legal(seat)
        entries += position.act(seat, position.version(seat), [legal[int(rng.below(len(legal)))]])
    assert taken > 3
    again = position_after(game, entries)
    assert again.state.dump() == position.state.dump()
    assert again.length == position.length == len(entries)
    assert [entry.kind for entry in entries].count(BACK) == taken


async def test_at_a_table(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    async with Tables(store, pace=0, pause=(0, 0)).open() as tables:
        game = games.game("generals", decks=("little-conqueror", "yellow-sky"))
        table, _ = await tables.open_table(game, [Person("May"), Person("Bo")])
        rng = Rng(3)
        for _ in range(4000):
            if table.position.over:
                break
            seat = next(seat for seat in (0, 1) if table.position.asked(seat))
            if table.shown(seat)["can_take_back"] and rng.below(4) == 0:
                await table.moves.take_back(LinkHolder(seat), table.position.version(seat))
                continue
            legal = table.view(seat).legal(seat)
            await table.moves.act(LinkHolder(seat), table.position.version(seat), [legal[int(rng.below(len(legal)))]])
        assert table.position.over
        assert not table.shown(0)["can_take_back"]
        entries = store.entries(table.key)
        backs = [entry.kind for entry in entries].count(BACK)
        assert backs > 3
        record = await table.moves.record()
        assert len(record.decisions) == len(entries) - 2 * backs
        assert record.replay().dump()[0] == table.position.state.dump()[0]
    store.close()
