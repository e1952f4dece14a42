"""What an active effect or a Strategy would not do is said before it is paid for."""

from __future__ import annotations

import pytest

from gonfalon.core.rules.game import names_for
from tests.generals.scenario import Table, tag

IDLE = "would do nothing now"
HAND = ("Militia", "Archers", "Red Hare", "Feather Fan", "Plunder")


def told(table: Table, name: str) -> tuple[bool, bool]:
    """Whether May's page and May's terminal say that the effect of a general would do nothing."""
    game, view = table.game, table.state.mask(0)
    acts = {act["id"]: act for act in game.controls(view)["units"][tag(table.may, name)]["acts"]}
    twin = table.state.clone()
    twin.play(0, game.parse(tag(table.may, name)))
    menu = [game.describe(twin.mask(0), action) for action in twin.legal(0)]
    effect = [line for line in menu if line.startswith("Use active effect")]
    assert len(effect) == 1
    return IDLE in (acts["active:1"]["preview"] or ""), IDLE in effect[0]


def seen(table: Table, card: str) -> tuple[bool, bool]:
    """The same of a Strategy in May's hand."""
    game, view = table.game, table.state.mask(0)
    found = game.pool.find(card)
    assert found is not None
    line = game.describe(view, game.parse(found.slug))
    return game.controls(view)["cards"][found.slug]["idle"], IDLE in line


def setting(name: str, at: str) -> Table:
    table = Table()
    table.may.has(name, at=at).holds(*HAND)
    return table


@pytest.mark.parametrize("at", ["FORTRESS", "BORDER", "ENEMY_BORDER"])
def test_lu_mengs_landing_where_he_stands(at: str) -> None:
    assert told(setting("Lu Meng", at), "Lu Meng") == ((at == "ENEMY_BORDER",) * 2)


def test_hua_tuo_goes_whatever_he_finds() -> None:
    """With an empty DISCARD nothing comes back, but he leaves the game."""
    assert told(setting("Hua Tuo", "FORTRESS"), "Hua Tuo") == (False, False)


def test_strategies_say_so_too() -> None:
    table = Table()
    table.may.holds("Reward the Army", *HAND)
    assert seen(table, "Reward the Army") == (True, True)
    table.may.has("Xu Chu")
    assert seen(table, "Reward the Army") == (False, False)
    oath = Table()
    oath.may.holds("Peach Garden Oath", *HAND).has("Xu Chu", at="ENEMY_BORDER")
    assert seen(oath, "Peach Garden Oath") == (True, True)
    oath.may.has("Liu Bei")
    assert seen(oath, "Peach Garden Oath") == (False, False)
    rising = Table()
    rising.may.holds("Yellow Sky Rising", *HAND)
    assert seen(rising, "Yellow Sky Rising") == (True, True)
    rising.may.holds("Zhang Bao")
    assert seen(rising, "Yellow Sky Rising") == (False, False)


def test_nobody_else_reads_it() -> None:
    """What a hand could do with a card is its owner's to know."""
    table = setting("Lu Meng", "ENEMY_BORDER")
    view = table.state.mask(1)
    assert IDLE not in repr(table.game.controls(view)) + table.game.prompt(view, names_for(table.game, 1))
