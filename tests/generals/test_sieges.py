"""Sieges and other damage to RESOURCE: rulings 22 to 25 and 62."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.ending import ending
from tests.generals.folk import card, plain
from tests.generals.scenario import Table


def besieger(name: str = "Sedge", resource: int = 30, **options: bool) -> Table:
    table = plain(resource=resource, **options)
    table.may.has(name, at="ENEMY_BORDER")
    return table


@rule("generals", 22)
@pytest.mark.parametrize(
    ("at", "stopped"), [("BORDER", True), ("FORTRESS", False), ("ENEMY_BORDER", False), (None, False)]
)
def test_only_an_enemy_at_enemys_border_stops_a_siege(at: str | None, stopped: bool) -> None:
    table = besieger()
    if at is not None:
        table.david.has("Reed", "Kite", at=at)
    if stopped:
        assert cite_rule(table.may.why_not("sedge#1", "siege")) == (
            "No Siege while an enemy general is at this BORDER (ruling 22)."
        )
    else:
        table.may.does("sedge#1", "siege")
        assert table.david.resources == 27


@rule("generals", 22)
@pytest.mark.parametrize("at", ["FORTRESS", "BORDER"])
def test_a_siege_is_laid_at_enemys_border_only(at: str) -> None:
    table = plain()
    table.may.has("Ash", at=at)
    assert cite_rule(table.may.why_not("ash#1", "siege")) == (
        f"Ash can only lay siege from ENEMY'S BORDER, not from {at} (ruling 22)."
    )


@rule("generals", 23)
def test_might_0_cannot_besiege() -> None:
    table = besieger("Heron")
    assert cite_rule(table.may.why_not("heron#1", "siege")) == "Heron has Might 0 and cannot lay siege (ruling 23)."
    table.may.holds("Militia").does("militia", "heron#1", "heron#1", "siege")
    assert table.david.resources == 29


@rule("generals", 24)
def test_a_siege_larger_than_resource_wins_at_once() -> None:
    table = besieger(resource=2)
    table.may.does("sedge#1", "siege")
    assert table.over
    assert table.winner is table.may
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "damage"
    assert ending(table.state, 0) == "Victory. David's RESOURCE is empty."
    assert ending(table.state, 1) == "Defeat. Your RESOURCE is empty."


@rule("generals", 24, 52)
def test_a_siege_exactly_as_large_goes_on_and_the_next_draw_loses() -> None:
    table = plain()
    table.may.has("Sedge", at="ENEMY_BORDER")
    table.david.resource(size=3)
    table.may.does("sedge#1", "siege")
    assert table.david.resources == 0
    assert table.may.asked == "main"
    table.may.ends()
    assert table.over
    assert table.winner is table.may
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "draw"


@rule("generals", 25)
def test_depleted_cards_stay_unseen() -> None:
    """The top of David's RESOURCE goes to his DISCARD. No page, text or log names the cards."""
    table = besieger()
    table.david.resource("Guan Yu", "Lu Bu", "Diaochan")
    table.may.does("sedge#1", "siege")
    assert table.david.discards == ["Diaochan", "Guan Yu", "Lu Bu"]
    for viewer in (0, 1, -2):
        view = table.state.mask(viewer)
        told = [table.game.words(event, view, ["May", "David"]) for event in view.log or []]
        board = table.game.board(view)["seats"][1]
        del board["out"], board["list"]  # the other copies, which the table was laid without; David's own list
        shown = repr(board) + "".join(told) + table.game.text(view, ["May", "David"])
        for name in ("Guan Yu", "Lu Bu", "Diaochan"):
            assert name not in shown, f"{name}, viewer {viewer}"
    assert "David loses 3 cards of RESOURCE." in table.may.reads()


def depleting(by: str) -> list[dict[str, object]]:
    """Return a card or a general that depletes 5."""
    ops = {"op": "deplete", "n": 5, "who": "enemy", "by": by}
    if by == "card":
        return [card("X50", "Locusts", "strategy", {"kind": "play", "do": [ops]})]
    active = {"kind": "active", "cost": {"hand": 0}, "do": [ops]}
    return [card("X50", "Oak", "character", active, might=1, wits=1)]


@rule("generals", 62)
@pytest.mark.parametrize("by", ["card", "general"])
@pytest.mark.parametrize("option", [False, True])
@pytest.mark.parametrize("left", [6, 5, 4, 0])
def test_too_much_damage_loses_by_a_general_always_and_by_a_card_by_option(by: str, option: bool, left: int) -> None:
    table = plain(*depleting(by), strategy_overdeplete_loses=option)
    table.david.resource(size=left)
    if by == "card":
        table.may.holds("Locusts").does("locusts")
    else:
        table.may.has("Oak").does("oak#1", "active:1")
    assert table.over is (left < 5 and (by == "general" or option))
    assert table.david.resources == max(0, left - 5)
    if table.over:
        assert table.winner is table.may
    elif left < 5:
        table.may.ends()
        assert table.winner is table.may, "the loss comes with the next draw"


@rule("generals", 62)
def test_equipment_is_a_generals_damage() -> None:
    """Sky-Piercing Halberd depletes 1 after a melee won as the attacker. David has no cards left."""
    table = plain()
    table.may.has("Ash", at="BORDER", gear=("Sky-Piercing Halberd",))
    table.david.has("Reed", at="ENEMY_BORDER").resource(size=0)
    table.may.does("ash#1", "reed#2")
    assert table.winner is table.may
