"""Active effects, how long things last, triggers, forced discards: rulings 44 to 49."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.generals.folk import card, plain

DRAW = {"op": "draw", "n": 1, "who": "you"}
OAK = card("X30", "Oak", "character", {"kind": "active", "cost": {"hand": 0}, "do": [DRAW]}, might=3, wits=3)


@rule("generals", 44)
def test_an_active_effect_is_used_once_each_own_turn() -> None:
    table = plain(OAK)
    table.may.has("Oak")
    table.may.does("oak#1", "active:1")
    assert cite_rule(table.may.why_not("oak#1", "active:1")) == "Oak has already used an effect this turn (ruling 44)."
    table.may.ends()
    assert "oak#1" not in table.david.choices, "not in the enemy's turn"
    table.david.ends()
    table.may.does("oak#1", "active:1")
    assert len(table.may.hand) == 3, "a draw of hers, and two effects"


HOME = card(
    "X32", "Home", "strategy", {"kind": "play", "do": [{"op": "bounce", "target": {"side": "friend", "count": 1}}]}
)


LOUDER = {"op": "modify", "stat": "might", "by": 2, "target": {"side": "friend", "count": "all"}, "until": "turn"}
DRUM = card("X30", "Drum", "strategy", {"kind": "play", "do": [LOUDER]})


@rule("generals", 45)
def test_equipment_and_lasting_abilities_hold_while_in_play() -> None:
    lord = {"side": "friend", "zone": "any", "other": True}
    aura = {"kind": "static", "do": [{"op": "modify", "stat": "might", "by": 1, "target": lord, "until": "while"}]}
    table = plain(card("X30", "Oak", "character", aura, might=1, wits=1))
    table.may.has("Ash", gear=("Militia",)).has("Oak", at="BORDER")
    table.david.has("Wolf", at="ENEMY_BORDER")
    assert table.may.might("Ash") == 7
    table.may.ends()
    table.david.does("wolf#2", "oak#1")
    assert table.may.might("Ash") == 6, "Oak has fallen"
    table.david.ends()
    assert table.may.might("Ash") == 6


@rule("generals", 45)
def test_an_effect_is_gone_with_the_general_it_was_on() -> None:
    table = plain(DRUM, HOME)
    table.may.has("Reed").holds("Drum", "Home", "Militia").does("drum")
    assert table.may.might("Reed") == 4
    table.may.does("home", "reed")
    assert table.may.might("Reed") == 2


@rule("generals", 46)
def test_the_same_strategy_adds_up() -> None:
    table = plain()
    table.may.has("Ash").holds("Reward the Army", "Reward the Army", "Militia", "Archers")
    table.may.does("reward-the-army", "militia", "reward-the-army")
    assert table.may.might("Ash") == 7


CLEAR = card(
    "X30",
    "Clearing",
    "strategy",
    {
        "kind": "play",
        "do": [
            {"op": "choose", "target": {"side": "enemy", "count": 1}, "store": "x"},
            {"op": "bounce", "target": {"ref": "x"}},
            {"op": "modify", "stat": "might", "by": -1, "target": {"ref": "x"}, "until": "turn"},
            {"op": "kill", "target": {"ref": "x"}},
            DRAW,
        ],
    },
    cost=1,
)


@rule("generals", 47)
def test_a_target_that_is_gone_hinders_nothing_else() -> None:
    """The target returned to its owner's hand, so nothing changes Might or kills, but the card is drawn."""
    table = plain(CLEAR)
    table.may.holds("Clearing", "Militia")
    table.david.has("Ash", "Reed")
    table.may.does("clearing", "ash#2")
    assert (table.david.hand, table.david.field, table.david.fallen) == (["Ash"], ["Reed"], [])
    assert table.may.discards == ["Clearing", "Militia"], "nothing is refunded"
    assert len(table.may.hand) == 1
    assert table.may.asked == "main"


@rule("generals", 47)
def test_a_target_that_became_the_price_is_gone() -> None:
    """Targets are named before the cost is paid. The rest of the effect still resolves."""
    gift = card(
        "X30",
        "Gift",
        "strategy",
        {
            "kind": "play",
            "do": [
                {"op": "choose", "target": {"side": "friend", "count": 1}, "store": "x"},
                {"op": "modify", "stat": "might", "by": 3, "target": {"ref": "x"}, "until": "turn"},
                DRAW,
            ],
        },
        cost={"sacrifice": 1},
    )
    table = plain(gift)
    table.may.has("Ash", "Reed").holds("Gift")
    table.may.does("gift", "ash#1", "ash#1")
    assert (table.may.fallen, table.may.field) == (["Ash"], ["Reed"])
    assert table.may.might("Reed") == 2
    assert len(table.may.hand) == 1


def mourner(id: str, name: str, op: dict[str, object]) -> dict[str, object]:
    """Return a general with an effect whenever any general falls."""
    return card(
        id,
        name,
        "character",
        {"kind": "trigger", "when": {"event": "to_casualty", "subject": {"side": "friend", "other": True}}, "do": [op]},
        {"kind": "trigger", "when": {"event": "to_casualty", "subject": {"side": "enemy"}}, "do": [op]},
        might=1,
        wits=1,
    )


@rule("generals", 48)
def test_the_active_players_triggers_come_first() -> None:
    """Both sides have triggers on the same fall, on both turns. The player whose turn it is draws the first card."""
    for active in (0, 1):
        table = plain(mourner("X30", "Oak", DRAW))
        table.may.has("Oak").has("Reed", at="BORDER")
        table.david.has("Oak").has("Wolf", at="ENEMY_BORDER")
        player = (table.may, table.david)[active]
        table.turn(player)
        player.does(*(["reed#1", "wolf#2"] if active == 0 else ["wolf#2", "reed#1"]))
        drew = [event[2] for event in table.events if event[0] == 3]
        assert drew == [active, 1 - active]


@rule("generals", 48)
def test_an_owner_orders_his_own_triggers_and_each_is_finished_before_the_next() -> None:
    """Oak draws a card, Elm discards one. Drawing first leaves a full hand, discarding first leaves an empty one."""
    drop = {"op": "discard", "n": 1, "who": "you", "choose": "owner"}
    for first, left in (("Oak", 0), ("Elm", 1)):
        table = plain(mourner("X30", "Oak", DRAW), mourner("X31", "Elm", drop))
        table.may.has("Oak", "Elm").has("Wolf", at="BORDER")
        table.david.has("Reed", at="ENEMY_BORDER")
        table.may.does("wolf#1", "reed#2")
        assert table.may.asked == "order"
        described = {
            choice: table.game.describe(table.state.mask(0), table.game.parse(choice)) for choice in table.may.choices
        }
        assert sorted(described.values()) == ["First the effect of Elm.", "First the effect of Oak."]
        table.may.does(next(choice for choice, text in described.items() if first in text))
        assert table.may.asked == "main"
        assert len(table.may.hand) == left


@rule("generals", 49)
@pytest.mark.parametrize("held", [0, 1, 2, 3])
def test_a_forced_discard_takes_the_remaining_cards(held: int) -> None:
    """Xiahou Dun requires 2 cards. Hands of 0, 1 and 2 are discarded without a question. Of 3 cards the owner picks
    two."""
    table = plain()
    table.may.has("Xiahou Dun", at="BORDER")
    table.david.has("Reed", at="ENEMY_BORDER").holds(*["Militia", "Archers", "Red Hare"][:held])
    table.may.does("xiahou-dun#1", "reed#2")
    if held == 3:
        assert table.david.asked == "discard"
        assert "excess" not in table.david.choices
        table.david.does("red-hare", "archers")
        assert table.david.hand == ["Militia"]
    else:
        assert table.may.asked == "main"
        assert table.david.hand == []
    assert len(table.david.discards) == min(held, 2)


@rule("generals", 49)
def test_a_random_discard_takes_the_remaining_cards() -> None:
    table = plain()
    table.may.has("Zhang Liao", at="ENEMY_BORDER").does("zhang-liao#1", "siege")
    assert table.may.asked == "main"
    assert table.david.hand == []
