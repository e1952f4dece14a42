"""The page and the terminal warn before payment that an active effect or a Strategy would do nothing."""

from __future__ import annotations

import pytest

from gonfalon.core.rules.game import names_for
from tests.generals.scenario import Table, tag

IDLE = "would do nothing now"
HAND = ("Militia", "Archers", "Red Hare", "Feather Fan", "Plunder")


def is_effect_marked_idle(table: Table, name: str) -> tuple[bool, bool]:
    """Return whether May's page and May's terminal say that a general's effect would do nothing."""
    game, view = table.game, table.state.mask(0)
    acts = {act["id"]: act for act in game.controls(view)["units"][tag(table.may, name)]["acts"]}
    twin = table.state.clone()
    twin.play(0, game.parse(tag(table.may, name)))
    menu = [game.describe(twin.mask(0), action) for action in twin.legal(0)]
    effect = [line for line in menu if line.startswith("Use the effect")]
    assert len(effect) == 1
    return IDLE in (acts["active:1"]["preview"] or ""), IDLE in effect[0]


def is_strategy_marked_idle(table: Table, card: str) -> tuple[bool, bool]:
    """Return whether May's page and May's terminal say that a Strategy in her hand would do nothing."""
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
    assert is_effect_marked_idle(setting("Lu Meng", at), "Lu Meng") == ((at == "ENEMY_BORDER",) * 2)


def test_hua_tuo_leaves_even_with_an_empty_discard() -> None:
    """With an empty DISCARD no card returns, but he still leaves the game."""
    assert is_effect_marked_idle(setting("Hua Tuo", "FORTRESS"), "Hua Tuo") == (False, False)


def test_strategies_say_so_too() -> None:
    table = Table()
    table.may.holds("Reward the Army", *HAND)
    assert is_strategy_marked_idle(table, "Reward the Army") == (True, True)
    table.may.has("Xu Chu")
    assert is_strategy_marked_idle(table, "Reward the Army") == (False, False)
    oath = Table()
    oath.may.holds("Peach Garden Oath", *HAND).has("Xu Chu", at="ENEMY_BORDER")
    assert is_strategy_marked_idle(oath, "Peach Garden Oath") == (True, True)
    oath.may.has("Liu Bei")
    assert is_strategy_marked_idle(oath, "Peach Garden Oath") == (False, False)
    rising = Table()
    rising.may.holds("Yellow Sky Rising", *HAND)
    assert is_strategy_marked_idle(rising, "Yellow Sky Rising") == (True, True)
    rising.may.holds("Zhang Bao")
    assert is_strategy_marked_idle(rising, "Yellow Sky Rising") == (False, False)


def test_only_the_owner_reads_it() -> None:
    """Only the owner of a hand sees the warnings for its cards."""
    table = setting("Lu Meng", "ENEMY_BORDER")
    view = table.state.mask(1)
    assert IDLE not in repr(table.game.controls(view)) + table.game.prompt(view, names_for(table.game, 1))
