"""Society of Engineers: the effects of their cards, their limits, and the cards they do not affect."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

UNITS = [card(f"unit-{n}", n, "engineer", tags=("engineer",)) for n in (1, 2, 3)]
HEAVY = card("heavy", 5, "tower", tags=("tower",), protected=True)
VEIL = card("veil", 1, "covert")
HENS = [card("hen", 1), card("cock", 2), card("turkey", 3), card("rhea", 10)]


def works(*hand: str, may: tuple[dict[str, Any], ...] = (), **options: Any) -> Table:
    """Return a table where May has engineers and a tower in her deck, and David has birds of 1, 2, 3 and 10."""
    small = [{**unit, "copies": 3} for unit in UNITS]
    table = Table(may=[*small, HEAVY, *may], david=[*HENS, VEIL], **options)
    table.may.holds(*hand)
    table.david.holds("blue-filler", "blue-filler", "blue-filler")
    return table


# ---- Engineer Units ---------------------------------------------------------------------------------


@rule("feint", 72)
@pytest.mark.parametrize(("strength", "held", "fits"), [(1, 3, True), (2, 2, True), (3, 1, True), (2, 3, False)])
def test_an_engineer_may_bring_a_location_to_four_and_not_above(strength: int, held: int, fits: bool) -> None:
    """1 on 3, 2 on 2 and 3 on 1 make 4. 2 on 3 make 5. The opponent's cards count."""
    table = works(f"unit-{strength}")
    table.david.has(*["hen"] * held, at=5)
    table.deploys(table.may)
    assert table.may.may_do(f"unit-{strength}@5") is fits
    if not fits:
        reason = table.may.why_not(f"unit-{strength}@5")
        assert "to 5" in reason
        assert reason.rule == "ruling 72"
    assert table.may.may_do(f"unit-{strength}@6"), "the other Locations do not care"


@rule("feint", 72)
def test_others_are_free_of_the_engineers_limit() -> None:
    """An engineer at a Location limits only engineers and is not removed by later plays."""
    table = works("red-filler", "unit-3")
    table.may.has("unit-3", at=5)
    table.david.holds("turkey", "rhea", "blue-filler")
    table.deploys(table.david)
    table.david.plays("turkey@5")
    table.may.plays("red-filler@5")
    assert table.load(5) == 7
    assert table.may.at(5) == ["unit-3", "red-filler"]


# ---- Heavy Tower, and what all Towers share ---------------------------------------------------------


@rule("feint", 73)
@pytest.mark.parametrize(
    ("engineers", "towers", "fits"),
    [(0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True), (2, 2, False), (3, 2, True)],
)
def test_a_tower_needs_more_engineers_than_towers(engineers: int, towers: int, fits: bool) -> None:
    """ "If a Location has one Engineer, you may play one Tower there. If a Location has 2 Engineers, you may
    play two Towers there, and so on.\""""
    table = works("heavy")
    table.may.has(*["unit-1"] * engineers, *["heavy"] * towers, at=4)
    table.deploys(table.may)
    assert table.may.may_do("heavy@4") is fits
    if not fits:
        assert cite_rule(table.may.why_not("heavy@4")) == ("Heavy needs more Engineers than Towers here (ruling 73).")


@rule("feint", 73)
def test_engineers_and_towers_of_both_players_count() -> None:
    """David's engineer lets May build. David's tower then prevents a second one."""
    guest = card("smith", 1, tags=("engineer",))
    spire = card("spire", 1, tags=("tower",))
    table = Table(may=[HEAVY], david=[guest, spire])
    table.may.holds("heavy")
    table.david.holds("blue-filler").has("smith", at=4).has("smith", "spire", at=5)
    table.deploys(table.may)
    assert table.may.legal() == ["pass", "heavy@4"]


@rule("feint", 73)
def test_a_tower_stands_when_its_engineer_has_gone() -> None:
    """The condition is checked when it is played. A second Tower then finds no Engineer."""
    table = works("trojan", "heavy", "red-filler", may=(card("trojan", 1, "trojan", copies=1),))
    table.may.has("unit-1", "heavy", at=4)
    table.deploys(table.may)
    table.may.plays("trojan@2")
    table.david.passes()
    assert table.may.at(4) == ["heavy"]
    assert table.may.why_not("heavy@4").tag == "Needs an Engineer"
    assert table.load(4) == 5


# ---- Support Tower ----------------------------------------------------------------------------------

SUPPORT = card("support", 3, "support-tower", tags=("tower",), protected=True)


def supported(*top: str, only: bool = False) -> Table:
    """Return a table where May has played her Support Tower. These cards are the top of her draw pile."""
    table = Table(
        may=[
            SUPPORT,
            card("smith", 1, tags=("engineer",)),
            card("ox", 6),
            card("cow", 5),
            card("wall", 1, protected=True),
        ],
        david=[card("hen", 1)],
    )
    table.may.holds("support", "red-filler").has("smith", at=4).stacked(*top, only=only)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("support@4")
    return table


@rule("feint", 74)
def test_a_support_tower_looks_at_three_and_may_put_one_at_the_bottom() -> None:
    table = supported("ox", "cow", "wall", "cow")
    assert table.asked() == (0, "support")
    assert table.may.sees(table.may.view.deck[0])[::-1][:4] == ["ox", "cow", "wall", "?"]
    assert table.may.legal() == ["done", "ox", "cow", "wall"]
    assert table.may.why_not("red-filler").rule == "ruling 74", "that lies further down"
    size = len(table.may.deck)
    table.may.answers("cow")
    assert table.may.deck[:3] == ["ox", "wall", "cow"], "the rest in the same order"
    assert table.may.deck[-1] == "cow"
    assert len(table.may.deck) == size
    assert table.may.hand == ["red-filler"], "nothing is drawn"
    assert table.asked() == (1, "deploy"), "one card only"


@rule("feint", 74)
def test_it_may_leave_them_all_as_they_are() -> None:
    table = supported("ox", "cow", "wall")
    deck = table.may.deck
    table.may.answers("done")
    assert table.may.deck == deck
    assert table.asked() == (1, "deploy")


@rule("feint", 74)
@pytest.mark.parametrize(("choice", "left"), [("ox", ["cow", "ox"]), ("lower-copy", ["ox", "cow"])])
def test_which_of_two_equal_cards_goes_decides_what_is_drawn_next(choice: str, left: list[str]) -> None:
    table = supported("ox", "cow", "ox")
    assert table.may.legal() == ["done", "lower-copy", "ox", "cow"]
    table.may.answers(choice)
    assert table.may.deck[:2] == left
    assert table.may.deck[-1] == "ox"


@rule("feint", 74)
@pytest.mark.parametrize(("top", "left"), [(["ox", "ox", "cow"], ["ox", "cow"]), (["cow", "ox", "ox"], ["cow", "ox"])])
def test_equal_cards_side_by_side_are_offered_once(top: list[str], left: list[str]) -> None:
    """Either choice leaves the same order."""
    table = supported(*top)
    assert table.may.legal() == ["done", "ox", "cow"]
    assert table.may.why_not("lower-copy").rule == "ruling 74"
    table.may.answers("ox")
    assert table.may.deck[:2] == left


@rule("feint", 74)
@pytest.mark.parametrize("top", [["ox"], ["ox", "cow"]])
def test_with_fewer_cards_it_looks_at_the_remaining_ones(top: list[str]) -> None:
    table = supported(*top, only=True)
    assert table.may.legal() == ["done", *top]
    table.may.answers("ox")
    assert table.may.deck == [*top[1:], "ox"]


@rule("feint", 74)
def test_only_the_fact_that_a_card_was_bottomed_is_public() -> None:
    """David sees the same for every card, and also sees if no card was moved."""
    logs = []
    for choice in ("ox", "cow", "wall"):
        table = supported("ox", "cow", "wall")
        table.may.answers(choice)
        logs.append((table.david.log(), table.game.board(table.david.view)))
        assert set(table.david.sees(table.david.view.deck[0])) == {"?"}
    assert logs[0] == logs[1] == logs[2]
    assert logs[0][0][-2:] == ["May looks at the top 3 cards of their deck.", "May puts one of them under their deck."]
    table = supported("ox", "cow", "wall")
    table.may.answers("done")
    assert table.david.log()[-1] == "May leaves them as they are."


@rule("feint", 21, 73)
def test_support_and_bomb_are_towers_like_the_others() -> None:
    """One Engineer carries one Tower of any kind, above Capacity."""
    bomb = card("bomb", 1, "bomb-tower", tags=("tower",))
    table = Table(may=[SUPPORT, bomb, card("smith", 1, tags=("engineer",))], david=HENS)
    table.may.holds("support", "bomb").has("smith", at=4).has("smith", "support", at=5)
    table.david.holds("blue-filler").has("rhea", at=4)
    table.deploys(table.may)
    assert table.may.legal() == ["pass", "support@4", "bomb@4"]
    assert table.may.why_not("support@5").rule == "ruling 73"
    assert table.may.why_not("bomb@5").rule == "ruling 73"


# ---- Bomb Tower -------------------------------------------------------------------------------------

BOMB = card("bomb", 1, "bomb-tower", tags=("tower",), morale=9)
WALL = card("wall", 1, protected=True)


def bombed() -> Table:
    """Return a table where May holds a bomb and has an engineer at 4 to carry it."""
    table = Table(
        may=[BOMB, card("smith", 1, tags=("engineer",), morale=0), card("ox", 6)], david=[*HENS[:3], VEIL, WALL]
    )
    table.may.holds("bomb", "red-filler").has("smith", at=4)
    table.david.holds("blue-filler")
    return table


@rule("feint", 75)
def test_a_bomb_tower_discards_an_enemy_card_here_and_then_itself() -> None:
    table = bombed()
    table.may.has("ox", at=4)
    table.david.has("hen", "cock", at=4).has("turkey", at=5)
    table.deploys(table.may)
    table.may.plays("bomb@4")
    assert table.asked() == (0, "bomb")
    assert table.may.legal() == ["#4.1", "#4.2"], "David's cards at this Location"
    table.may.answers("#4.2")
    assert table.david.at(4) == ["hen"]
    assert table.david.discard == ["cock"], "to its owner's pile"
    assert table.may.discard == ["bomb"]
    assert table.may.at(4) == ["smith", "ox"]
    assert table.david.at(5) == ["turkey"]
    assert table.load(4) == 1 + 6 + 1
    assert table.asked() == (1, "deploy")


@rule("feint", 37, 75)
def test_the_bomb_must_hit_a_card_that_can_be_hit() -> None:
    table = bombed()
    table.david.has("wall", "hen", "cock", at=4)
    table.deploys(table.may)
    table.may.plays("bomb@4")
    assert table.may.legal() == ["#4.2", "#4.3"]
    assert "75" in cite_rule(table.may.why_not("#4.1")), "Protected"
    assert "75" in cite_rule(table.may.why_not("pass"))


@rule("feint", 75)
@pytest.mark.parametrize("birds", [[], ["wall"]])
def test_without_a_target_the_bomb_is_merely_discarded(birds: list[str]) -> None:
    """ ", then" is not a colon, so the second half always applies."""
    table = bombed()
    table.david.has(*birds, at=4).has("hen", at=5)
    table.deploys(table.may)
    assert table.may.may_do("bomb@4")
    table.may.plays("bomb@4")
    assert table.may.discard == ["bomb"]
    assert table.may.at(4) == ["smith"]
    assert table.david.at(4) == birds
    assert table.david.at(5) == ["hen"]
    assert table.asked() == (1, "deploy")


@rule("feint", 75)
def test_a_bomb_tower_never_counts_for_rating_or_morale() -> None:
    """Its printed Strength is 1 and its Morale 9. May loses the round and pays nothing for it."""
    table = bombed()
    table.may.scouted(4)
    table.david.scouted(4).has("turkey", "hen", at=4)
    table.deploys(table.may)
    table.may.plays("bomb@4", "#4.2")
    table.both_pass()
    sums = table.resolution["sums"]
    assert [side["total"] for side in sums] == [1 * 4, 3 * 4]
    assert table.may.morale == 23


@rule("feint", 76)
def test_nothing_saves_the_bomb_from_its_own_effect() -> None:
    """Even protection would not, because its own text applies to it. (An owner's file could print that.)"""
    armoured = {**BOMB, "protected": True}
    table = Table(may=[armoured, card("smith", 1, tags=("engineer",))], david=HENS[:1])
    table.may.holds("bomb", "red-filler").has("smith", at=4)
    table.david.holds("blue-filler").has("hen", at=4)
    table.deploys(table.may)
    table.may.plays("bomb@4")
    assert table.may.discard == ["bomb"]
    assert table.david.discard == ["hen"]
