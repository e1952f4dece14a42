"""Undo: a decision that revealed nothing is undone at once, without a trace where there should be none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import CHANCE, SPECTATOR
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.table import LinkHolder, Person, Robot, Tables
from gonfalon.table.chance import draw_outcome
from gonfalon.table.game.entries import AGREED, BACK
from gonfalon.table.game.position import Position, position_after
from gonfalon.table.game.takebacks import Earlier
from gonfalon.table.live.table import Table as LiveTable
from tests.feint.scenario import Table as Feint
from tests.feint.scenario import card as feint_card
from tests.generals.folk import card, plain
from tests.generals.scenario import Table
from tests.table.duel import Duel
from tests.table.opening import find, tables_at, until

pytestmark = pytest.mark.anyio
MAY, BO = 0, 1


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    """Tables whose bots take a minute for each move."""
    async with tables_at(tmp_path, pace=60) as tables:
        yield tables


def at(table: Table | Feint) -> Position:
    """Return the position of an arranged table."""
    position = Position(table.game)
    position.state = table.state
    position.update_views()
    return position


def act(position: Position, seat: int, *texts: str) -> None:
    position.act(seat, position.version(seat), [position.game.parse(text) for text in texts])


def back(position: Position, seat: int) -> None:
    position.undo(seat, position.version(seat))


def test_moves_are_taken_back_one_by_one() -> None:
    table = plain()
    table.may.has("Ash", "Birch")
    position = at(table)
    start = position.state.dump()
    act(position, 0, "ash#1", "@border")
    moved = position.state.dump()
    act(position, 0, "birch#1", "@border")
    assert not position.can_undo(1)
    with pytest.raises(Refusal, match="no move to undo"):
        back(position, 1)
    versions = position.version(0), position.version(1)
    for now in (moved, start):
        # The general and his act are two decisions.
        back(position, 0)
        assert position.can_undo(0)
        back(position, 0)
        assert position.state.dump() == now
    assert not position.can_undo(0)
    with pytest.raises(Refusal, match="no move to undo"):
        back(position, 0)
    assert position.version(0) > versions[0]
    assert position.version(1) > versions[1]
    assert position.state.mask(1).log == []
    act(position, 0, "birch#1", "@border")
    assert position.can_undo(0)
    act(position, 0, "end")
    assert not position.can_undo(0)
    assert not position.can_undo(1)


def test_a_card_that_was_shown_stays_played_but_its_payment_is_free() -> None:
    """Kite costs 1. A card is declared openly, so playing it cannot be undone, but the choice of the payment can."""
    table = plain()
    table.david.holds("Kite", "Reed", "Sedge")
    table.turn(table.david)
    position = at(table)
    act(position, 1, "kite")
    assert not position.can_undo(1)
    declared = position.state.dump()
    act(position, 1, "reed")
    assert position.can_undo(1)  # Kite is in the field, and nobody has learned anything by it
    back(position, 1)
    assert position.state.dump() == declared
    act(position, 1, "sedge")
    assert position.state.mask(0).log != []


def test_a_draw_is_not_undone() -> None:
    """The drawn card equals the card paid with. Undo is still refused, although the player learns nothing."""
    table = plain(
        card("X50", "Muster", "strategy", {"kind": "play", "do": [{"op": "draw", "n": 1, "who": "you"}]}, cost=1)
    )
    table.may.holds("Muster", "Reed", "Sedge").resource("Reed", size=20)
    position = at(table)
    act(position, 0, "muster", "reed")
    assert isinstance(position.state, GeneralsState)
    table.state = position.state
    assert sorted(table.may.hand) == ["Reed", "Sedge"]
    assert not position.can_undo(0)
    assert not position.can_request_undo(0)


def test_an_act_that_may_be_answered_stays() -> None:
    """By public knowledge of his deck David could answer the attack. After he passes, it has happened."""
    table = Table(ask=True)
    table.may.has("Xiahou Dun", at="BORDER")
    table.david.has("Lu Su", at="ENEMY_BORDER").holds("Feigned Retreat", "Militia")
    position = at(table)
    act(position, 0, "xiahou-dun#1", "lu-su#2")
    assert position.state.turn == 1
    assert not position.can_undo(0)
    act(position, 1, "pass")
    assert not position.can_undo(0)
    assert not position.can_undo(1)


def test_resolved_acts_are_not_undone() -> None:
    """David's hand is empty, so no question follows: a Siege, a kill, a melee, and the effects of a move are final."""
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
        assert position.can_undo(0), texts
        act(position, 0, texts[-1])
        while position.state.stack[-1].prompt == "pay":
            assert position.can_undo(0), texts
            act(position, 0, "archers")
        assert position.state.turn == 0
        assert not position.can_undo(0), texts


def test_a_returned_general_is_not_undone_after_he_is_shown_again() -> None:
    """Both players know him, so undo would reveal nothing, but a revealed card stays played."""
    home = {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "bounce", "target": {"ref": "self"}}]}
    table = plain(card("X50", "Pan Feng", "character", home, might=4, wits=3))
    table.may.has("Pan Feng").holds("Reed", "Sedge")
    position = at(table)
    act(position, 0, "pan-feng#1", "active:1")
    assert not position.can_undo(0)
    act(position, 0, "pan-feng")
    assert not position.can_undo(0)
    act(position, 0, "reed")
    assert position.can_undo(0)


def test_a_card_played_openly_or_face_down_is_not_undone() -> None:
    """Other players see both. With bots and people the player can ask (`test_asking.py`)."""
    for text in ("ox@2", "smoke@3"):
        table = Feint(may=[feint_card("ox", 4), feint_card("smoke", 6, "covert")], david=[feint_card("hen", 3)])
        table.may.holds("ox", "smoke")
        table.david.holds("hen")
        table.deploys(table.may)
        position = at(table)
        act(position, MAY, text)
        assert not any(position.can_undo(seat) for seat in (MAY, BO, SPECTATOR))
        with pytest.raises(Refusal, match="no move to undo"):
            back(position, MAY)


def test_chance_ends_it_even_without_visible_effects() -> None:
    """Otherwise a pile could be shuffled twice. The decision is made up, with chance first."""
    position = Position(Duel())
    position.before.append(position.state.clone())
    position.asking.note_decision(BO, Earlier(position.state.clone(), 0))
    position.asking.ask(BO)
    position.apply(CHANCE, draw_outcome(position.state))
    assert position.before == []
    assert not position.can_request_undo(BO)
    assert position.asking.request is None


SAMPLES = [
    ("feint", {}),
    ("jinkei", {}),
    ("factionwars", {"seats": 3}),
    ("generals", {"decks": ("little-conqueror", "yellow-sky")}),
]


@pytest.mark.parametrize(("name", "options"), SAMPLES, ids=[name for name, _ in SAMPLES])
def test_undoable_decisions_revealed_nothing_and_follow_from_the_view(name: str, options: dict[str, object]) -> None:
    """In all worlds that look alike to a seat the same decisions can be undone or asked for, and they have shown the
    same. A player that undoes one has learned nothing."""
    game, rng, tried, offered = games.game(name, **options), Rng(5), 0, 0
    position = Position(game)
    position.draw_chance()
    for _ in range(400):
        if tried >= 30 and offered >= 30:
            break
        if position.over:  # a single game may have few such decisions
            position = Position(game)
            position.draw_chance()
        seat = next(seat for seat in range(game.seats) if position.is_asked(seat))
        legal = position.view(seat).legal(seat)
        action = legal[int(rng.below(len(legal)))]
        if position.together and any(position.state.answers):
            position.act(seat, None, [action])  # a world knows nothing of the others' answers
            continue
        twin = twin_of(position, seat, rng)
        for one in (position, twin):
            one.act(seat, None, [action])
        assert position.can_undo(seat) == twin.can_undo(seat)
        offers = [[one.can_request_undo(other) for other in range(game.seats)] for one in (position, twin)]
        assert offers[0] == offers[1]
        tried += position.can_undo(seat)
        offered += offers[0][seat]
        if position.can_undo(seat) or offers[0][seat]:
            assert shown_by(position, seat) == shown_by(twin, seat)
    assert tried > 5, tried
    assert offered > 10 or name in ("jinkei", "factionwars"), offered  # where secret answers are nearly all there is


def twin_of(position: Position, seat: int, rng: Rng) -> Position:
    """Return a position that looks alike to a seat."""
    twin = position.clone()
    twin.state = worlds(position.view_to_keep(seat)).sample(rng)
    twin.state.log = list(position.view(seat).log or ())
    if isinstance(twin.state, GeneralsState) and isinstance(position.state, GeneralsState):
        twin.state.gone = position.state.gone  # both saw it go to DISCARD: no secret, but in no view (ruling 65)
    twin.update_views()
    assert shown_by(twin, seat) == shown_by(position, seat)
    return twin


def shown_by(position: Position, seat: int) -> object:
    view = position.state.mask(seat)
    log, view.log = view.log, None
    return view.dump(), log


# ---- at a table -----------------------------------------------------------------------------------


def seen_by(table: LiveTable, viewer: int) -> object:
    """Return everything in which a viewer could notice a change."""
    position = table.position
    return (
        table.build_view(viewer),
        table.mark(viewer),
        table.public_mark(),
        position.version(viewer),
        position.find_awaited_seats(),
    )


async def test_a_changed_secret_answer_shows_nowhere_to_others(tables: Tables) -> None:
    table, _ = await tables.open_table(find("duel"), [Person("May"), Person("Bo")])
    others = {viewer: seen_by(table, viewer) for viewer in (BO, SPECTATOR)}
    mine, may = table.build_view(MAY), LinkHolder(MAY)
    for pick in (0, -1):
        chosen = table.view(MAY).legal(MAY)[pick]
        await table.moves.act(may, table.position.version(MAY), [chosen])
        assert table.position.state.answers[MAY] == [chosen]
        assert {viewer: seen_by(table, viewer) for viewer in others} == others
        await table.moves.undo(may, table.position.version(MAY))
        assert {viewer: seen_by(table, viewer) for viewer in others} == others
        assert {**table.build_view(MAY), "version": 0} == {**mine, "version": 0}
    for seat in (MAY, BO):
        await table.moves.act(LinkHolder(seat), table.position.version(seat), [table.game.parse("done")])
    with pytest.raises(Refusal, match="no move to undo"):
        await table.moves.undo(may, table.position.version(MAY))
    entries = tables.store.entries(table.key)
    assert [entry.kind for entry in entries].count(BACK) == 2
    assert position_after(table.game, entries).state.dump() == table.position.state.dump()


async def test_the_same_question_gets_the_same_answer(tables: Tables) -> None:
    """A bot's random stream follows from its view, so a player cannot undo until the bot answers differently."""
    table, _ = await tables.open_table(games.game("feint"), [Person("May"), Robot("random")])
    view = table.position.view_to_keep(1)
    stream = table.bots._stream(view)
    assert stream == table.bots._stream(table.position.view_to_keep(1))
    assert stream != table.bots._stream(table.position.view_to_keep(0))
    other, _ = await tables.open_table(games.game("feint"), [Person("May"), Robot("random")])
    assert stream != other.bots._stream(view)


async def test_a_bot_agrees_at_once_until_it_has_decided(tables: Tables) -> None:
    """May's open speech is undone on request. After the bot has answered, undo is unavailable."""
    table, _ = await tables.open_table(find("moot", seats=2), [Person("May"), Robot("random")])
    may = LinkHolder(MAY)

    async def go_first(*seats: int) -> None:
        for seat in seats:
            async with table.current.lock:
                await table.moves.act_at(seat, table.position.version(seat), table.view(seat).legal(seat)[:1])

    table.presence.enter([MAY])
    await go_first(MAY)
    await until(lambda: table.position.is_asked(MAY))
    before = table.position.decisions
    await go_first(MAY)
    assert not table.build_view(MAY)["can_take_back"]
    assert table.build_view(MAY)["can_ask_back"]
    await table.requests.ask(may, table.position.version(MAY))
    assert table.position.decisions == before
    assert table.position.is_asked(MAY)
    assert tables.store.entries(table.key)[-1].text == AGREED
    await go_first(MAY, BO)
    assert not table.build_view(MAY)["can_ask_back"]
    with pytest.raises(Refusal, match="the game has moved on"):
        await table.requests.ask(may, table.position.version(MAY))
