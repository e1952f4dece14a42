"""The battlefield and the moves: rulings 1 to 11."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.generals.folk import card, plain

HOLD = {"op": "prevent", "what": "move_or_attack", "target": {"side": "friend", "count": 1}, "until": "turn"}
OTHERS = {
    "FORTRESS": {"@border", "@enemy-border"},
    "BORDER": {"@fortress", "@enemy-border"},
    "ENEMY_BORDER": {"@fortress", "@border"},
}


@rule("generals", 1)
def test_my_border_is_the_enemys_enemy_border() -> None:
    """The battlefield is one line of four zones. May's zone n is David's zone 3 - n, and their generals can
    share it."""
    table = plain()
    table.may.has("Ash", at="BORDER").has("Reed", at="FORTRESS")
    table.david.has("Kite", at="ENEMY_BORDER").has("Rook", at="FORTRESS")
    state = table.state
    assert state.zone[table.may.unit("Ash")] == state.zone[table.david.unit("Kite")] == 1
    assert state.zone[table.may.unit("Reed")] == 0
    assert state.zone[table.david.unit("Rook")] == 3
    assert table.may.may_do("ash#1", "kite#2")


@rule("generals", 2)
@pytest.mark.parametrize("at", OTHERS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_move_goes_to_any_other_of_the_players_three_zones(at: str, seat: int) -> None:
    table = plain()
    player = (table.may, table.david)[seat]
    player.has("Ash", at=at)
    table.turn(player)
    player.does(f"ash#{seat + 1}")
    assert {choice for choice in player.choices if choice.startswith("@")} == OTHERS[at]
    for word in OTHERS[at]:
        twin = plain()
        mover = (twin.may, twin.david)[seat]
        mover.has("Ash", at=at)
        twin.turn(mover)
        mover.does(f"ash#{seat + 1}", word)
        assert mover.place("Ash") == word[1:].replace("-", "_").upper()


@rule("generals", 3)
@pytest.mark.parametrize("at", OTHERS)
def test_no_general_moves_to_the_enemys_fortress(at: str) -> None:
    table = plain()
    table.may.has("Ash", at=at)
    assert not table.may.may_do("ash#1", "@enemy-fortress")
    assert (
        cite_rule(table.may.why_not("ash#1", "@enemy-fortress")) == "No general can enter ENEMY'S FORTRESS (ruling 3)."
    )


@rule("generals", 4)
def test_generals_that_stood_there_already_block_unless_blocking_is_strict() -> None:
    for strict in (False, True):
        table = plain(strict_blocking=strict)
        table.may.has("Ash", at="BORDER").has("Birch", "Cedar")
        table.david.has("Kite", at="ENEMY_BORDER")
        assert table.may.may_do("birch#1", "@enemy-border") is not strict
        # With the strict reading a blocker must have moved there this turn.
        table.may.does("cedar#1", "@border")
        assert table.may.may_do("birch#1", "@enemy-border")


@rule("generals", 4)
def test_strict_blocking_counts_only_moves_of_this_turn() -> None:
    table = plain(strict_blocking=True)
    table.may.has("Ash", "Birch")
    table.david.has("Kite", at="ENEMY_BORDER")
    table.may.does("ash#1", "@border").ends()
    table.david.ends()
    assert table.may.place("Ash") == "BORDER"
    assert not table.may.may_do("birch#1", "@enemy-border")


@rule("generals", 6)
def test_new_and_held_generals_block_and_are_blocked() -> None:
    """Each general counts, including one recruited this turn and one that cannot move."""
    table = plain()
    table.may.has("Ash", at="BORDER", new=True).has("Birch")
    table.david.has("Kite", at="ENEMY_BORDER")
    assert table.may.may_do("birch#1", "@enemy-border")
    new_enemy = plain()
    new_enemy.may.has("Birch")
    new_enemy.david.has("Kite", at="ENEMY_BORDER", new=True)
    assert not new_enemy.may.may_do("birch#1", "@enemy-border")
    held = plain(card("X30", "Sleep", "strategy", {"kind": "play", "do": [HOLD]}))
    held.may.has("Ash", at="BORDER").has("Birch").holds("Sleep")
    held.david.has("Kite", at="ENEMY_BORDER")
    held.may.does("sleep", "ash#1")
    assert cite_rule(held.may.why_not("ash#1")) == "An effect keeps Ash from moving and attacking (ruling 45)."
    assert held.may.may_do("birch#1", "@enemy-border")


@rule("generals", 7)
@pytest.mark.parametrize(
    ("at", "to"), [("ENEMY_BORDER", "@border"), ("ENEMY_BORDER", "@fortress"), ("BORDER", "@fortress")]
)
def test_a_retreat_is_not_hindered(at: str, to: str) -> None:
    table = plain()
    table.may.has("Ash", at=at)
    table.david.has("Kite", "Rook", "Wolf", at="ENEMY_BORDER").has("Reed", at="BORDER")
    table.may.does("ash#1", to)
    assert table.may.place("Ash") == to[1:].upper()


@rule("generals", 8)
def test_a_zone_holds_any_number() -> None:
    everybody = ["Ash", "Birch", "Cedar", "Rook", "Kite", "Heron", "Wolf", "Reed", "Sedge", "Guan Yu", "Zhang Fei"]
    table = plain()
    table.may.has(*everybody)
    table.may.does(*[word for name in everybody for word in (f"{name.lower().replace(' ', '-')}#1", "@border")])
    assert {table.may.place(name) for name in everybody} == {"BORDER"}


@rule("generals", 9)
def test_a_general_either_moves_or_attacks() -> None:
    moved = plain()
    moved.may.has("Ash", "Reed")
    moved.david.has("Kite", at="ENEMY_BORDER")
    moved.may.does("ash#1", "@border")
    assert cite_rule(moved.may.why_not("ash#1")) == "Ash has no act left this turn (ruling 9)."
    assert moved.may.may_do("reed#1", "@border"), "the others still may"
    attacked = plain()
    attacked.may.has("Ash", at="BORDER")
    attacked.david.has("Kite", "Reed", at="ENEMY_BORDER")
    attacked.may.does("ash#1", "kite#2")
    assert cite_rule(attacked.may.why_not("ash#1")) == "Ash has no act left this turn (ruling 9)."
    besieged = plain()
    besieged.may.has("Ash", at="ENEMY_BORDER")
    besieged.may.does("ash#1", "siege")
    assert cite_rule(besieged.may.why_not("ash#1")) == "Ash has no act left this turn (ruling 9)."


DRILL = {"kind": "active", "cost": {"hand": 0}, "do": [{"op": "draw", "n": 1, "who": "you"}]}
DRILLER = card("X30", "Oak", "character", DRILL, might=3, wits=3)


@rule("generals", 9)
@pytest.mark.parametrize("act", ["@border", "siege"])
def test_an_active_effect_comes_before_or_after_a_move_or_an_attack(act: str) -> None:
    for order in (["active:1", act], [act, "active:1"]):
        table = plain(DRILLER)
        table.may.has("Oak", at="ENEMY_BORDER")
        for choice in order:
            table.may.does("oak#1", choice)
        assert len(table.may.hand) == 1
        assert table.may.why_not("oak#1") != ""


@rule("generals", 10)
def test_a_new_general_neither_moves_nor_attacks_in_any_way() -> None:
    """It cannot move, fight a melee, besiege or execute a Tactical Strike. It can be equipped and use its active
    effect."""
    table = plain(DRILLER)
    table.may.has("Oak", at="ENEMY_BORDER", new=True).holds("Militia", "Tactics - Ambush", "Archers")
    said = "Oak was recruited this turn and must wait (ruling 10)."
    assert cite_rule(table.may.why_not("oak#1", "@border")) == said
    assert cite_rule(table.may.why_not("oak#1", "siege")) == said
    table.david.has("Reed", at="BORDER")
    assert cite_rule(table.may.why_not("oak#1", "reed#2")) == said
    assert "must be ready and have a target" in table.may.why_not("tactics-ambush")
    table.may.does("militia", "oak#1", "oak#1", "active:1")
    assert (table.may.gear, table.may.might("Oak")) == (["Militia"], 4)


def leap(ignore: bool) -> dict[str, object]:
    """A general that moves itself to ENEMY'S BORDER."""
    do = {"op": "move", "target": {"ref": "self"}, "to": "ENEMY_BORDER", "ignore_block": ignore}
    return card("X31", "Elm", "character", {"kind": "active", "cost": {"hand": 0}, "do": [do]}, might=2, wits=2)


@rule("generals", 11)
def test_a_move_by_a_card_is_not_the_move_and_is_blocked_unless_it_says_otherwise() -> None:
    for ignore in (True, False):
        table = plain(leap(ignore))
        table.may.has("Elm")
        table.david.has("Kite", at="ENEMY_BORDER")
        table.may.does("elm#1", "active:1")
        assert table.may.place("Elm") == ("ENEMY_BORDER" if ignore else "FORTRESS")
        assert table.may.may_do("elm#1", "@border"), "his own move is still his"
    free = plain(leap(False))
    free.may.has("Elm")
    free.may.does("elm#1", "active:1")
    assert free.may.place("Elm") == "ENEMY_BORDER"
    assert free.may.may_do("elm#1", "siege")
