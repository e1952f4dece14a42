"""League of Agents: the effects of their cards, their limits, and the cards they do not affect."""

from __future__ import annotations

import pytest

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.state import DOWN
from gonfalon.testing import rule
from tests.feint.scenario import Table, card, readable

# ---- Smoke-n-Screen, Covert Junior Agent, Covert Senior Agent ---------------------------------------

COVERT = ["smoke", "junior", "senior"]
COVERTS = [
    card("smoke", 1, "covert", morale=0),
    card("junior", 3, "covert", morale=1),
    card("senior", 5, "covert", morale=2),
]


def covert(*hand: str) -> Table:
    table = Table(may=[*COVERTS, card("ox", 6)], david=[card("hen", 1), card("cock", 7), card("turkey", 8)])
    table.may.holds(*hand)
    table.david.holds("blue-filler", "blue-filler")
    return table


@rule("feint", 69)
@pytest.mark.parametrize("viewer", [1, SPECTATOR])
def test_nobody_else_can_tell_the_three_apart(viewer: int) -> None:
    """May holds all three and plays one of them. David and spectators read the same in each case, including the action
    itself."""
    seen = []
    for slug in COVERT:
        table = covert(*COVERT)
        table.deploys(table.may)
        action = table.game.parse(f"{slug}@4")
        public = table.game.public(table.state, 0, action, viewer)
        table.may.plays(f"{slug}@4")
        seen.append((table.game.notation(public), readable(table, viewer)))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("viewer", [1, SPECTATOR])
def test_a_card_played_openly_is_named_to_all(viewer: int) -> None:
    table = covert("ox")
    table.deploys(table.may)
    action = table.game.parse("ox@4")
    assert table.game.public(table.state, 0, action, viewer) == action


@rule("feint", 69)
@pytest.mark.parametrize("slug", COVERT)
def test_a_covert_card_is_played_face_down_and_does_nothing_else(slug: str) -> None:
    table = covert(slug, "ox")
    table.deploys(table.may)
    table.may.plays(f"{slug}@4")
    (lying,) = table.state.at(0, table.place(4))
    assert lying & DOWN
    assert table.may.at(4) == [slug]
    assert table.may.hand == ["ox"]
    assert (table.may.morale, table.david.morale) == (23, 23)
    assert table.asked() == (1, "deploy")
    assert table.may.log() == [f"You play {slug.title()} face down to 4."]
    assert table.david.log() == ["May plays a card face down to 4."]


@rule("feint", 25, 46, 69)
@pytest.mark.parametrize(("slug", "strength", "morale"), [("smoke", 1, 0), ("junior", 3, 1), ("senior", 5, 2)])
def test_in_the_resolution_each_counts_its_printed_strength(slug: str, strength: int, morale: int) -> None:
    """At Location 4 against two cards of 7 at Location 6, May loses and pays for her card."""
    table = covert(slug, "red-filler")
    table.may.scouted(4)
    table.david.scouted(6).has("cock", "cock", at=6)
    table.deploys(table.may)
    table.may.plays(f"{slug}@4")
    table.both_pass()
    sums = table.resolution["sums"]
    assert [side["total"] for side in sums] == [strength * 4, 14 * 6]
    assert table.may.morale == 23 - morale
    assert table.may.discard == [slug]
    assert table.david.sees(table.david.view.discard[0]) == [slug], "turned up"


# ---- Saboteur ---------------------------------------------------------------------------------------

MOLE = card("mole", 3, "saboteur")


def sabotaged(*top: str, only: bool = False) -> Table:
    """Return a table where May plays her Saboteur. These cards are the top of David's draw pile."""
    table = Table(
        may=[MOLE, card("ox", 6)],
        david=[card("hen", 1), card("cock", 2), card("shield", 1, protected=True), card("wall", 2, protected=True)],
    )
    table.may.holds("mole", "red-filler").stacked("ox", "ox").scouted(3)
    table.david.holds("blue-filler").stacked(*top, only=only)
    if only:
        table.state.discard[1].clear()
    table.deploys(table.may)
    table.may.plays("mole@3")
    return table


@rule("feint", 70)
def test_a_saboteur_discards_the_top_two_cards_of_the_opponents_pile() -> None:
    table = sabotaged("hen", "cock", "cock")
    assert sorted(table.david.discard) == ["cock", "hen"]
    assert table.david.deck[0] == "cock", "the third stays"
    assert table.david.hand == ["blue-filler"]
    assert table.may.deck[:2] == ["ox", "ox"], "May's own pile is left alone"
    assert table.may.discard == []
    assert table.asked() == (1, "deploy"), "there is nothing to choose"


@rule("feint", 70)
@pytest.mark.parametrize("top", [[], ["hen"]])
def test_a_short_pile_loses_what_it_has(top: list[str]) -> None:
    table = sabotaged(*top, only=True)
    assert table.david.discard == top
    assert table.david.deck == []
    assert table.asked() == (1, "deploy")
    assert not table.state.over, "an empty draw pile is no defeat"
    assert bool(table.happened(events.NO_EFFECT)) is not bool(top)


@rule("feint", 30, 70)
@pytest.mark.parametrize(
    ("top", "gone", "left"),
    [
        (["shield", "hen"], ["hen"], ["shield", "cock"]),
        (["hen", "shield"], ["hen"], ["shield", "cock"]),
        (["shield", "wall"], [], ["shield", "wall", "cock"]),
        (["wall", "shield"], [], ["wall", "shield", "cock"]),
    ],
)
def test_protected_cards_go_back_on_top_in_their_order_and_are_not_replaced(
    top: list[str], gone: list[str], left: list[str]
) -> None:
    table = sabotaged(*top, "cock")
    assert table.david.discard == gone
    assert table.david.deck[: len(left)] == left


# ---- Assassin ---------------------------------------------------------------------------------------

KNIFE = card("knife", 2, "assassin")


def stabbed(*hand: str) -> Table:
    table = Table(
        may=[KNIFE, card("ox", 6)], david=[card("hen", 1), card("cock", 2), card("shield", 1, protected=True)]
    )
    table.may.holds("knife", "ox")
    table.david.holds(*hand)
    table.deploys(table.may)
    table.may.plays("knife@3")
    return table


@rule("feint", 71)
def test_an_assassin_discards_a_card_that_chance_picks() -> None:
    """With two hens and a cock, a hen is twice as likely."""
    table = stabbed("hen", "cock", "hen")
    assert table.asked() == (-1, "assassinate")
    assert [table.game.notation(a) for a in table.state.actions] == ["hen", "cock"]
    assert table.state.weights() == [2, 1]
    table.chance("hen")
    assert sorted(table.david.hand) == ["cock", "hen"]
    assert table.david.discard == ["hen"]
    assert table.may.hand == ["ox"], "May's own hand is left alone"
    assert table.asked() == (1, "deploy")


@rule("feint", 71)
def test_an_empty_hand_loses_nothing() -> None:
    table = stabbed()
    assert table.david.discard == []
    assert len(table.david.deck) == 32, "nothing comes out of the draw pile instead: 3 x 4 + 20"
    assert table.asked() == (0, "deploy"), "David passes by himself"
