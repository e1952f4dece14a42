"""Gang of Mibits: the effects of their cards, their limits, and the cards they do not affect."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.basics.cards import SEEN
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.state import DOWN
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

EVERYWHERE = (2, 3, 4, 5, 6)
BOMB = card("bomb", 1, "bomb-tower", tags=("tower",))
SMITH = card("smith", 1, tags=("engineer",))

# ---- Good-for-Something -----------------------------------------------------------------------------

GOOD = card("good", 1, "good-for-something", morale=0)


@rule("feint", 61)
def test_good_for_something_draws_one_card_and_plays_one() -> None:
    """The card played need not be the one drawn."""
    table = Table(may=[GOOD, card("ox", 6), card("cow", 5)])
    table.may.holds("good", "ox").stacked("cow", "red-filler")
    table.david.holds("blue-filler", "blue-filler")
    table.deploys(table.may)
    deck = len(table.may.deck)
    table.may.plays("good@2")
    assert table.asked() == (0, "play-one")
    assert table.may.hand == ["ox", "cow"]
    assert len(table.may.deck) == deck - 1, "one card, not two"
    assert table.may.legal() == [f"{slug}@{n}" for slug in ("ox", "cow") for n in EVERYWHERE]
    table.may.plays("ox@6")
    assert table.may.at(6) == ["ox"]
    assert table.may.hand == ["cow"]
    assert table.asked() == (1, "deploy"), "all of it was one turn"
    assert len(table.david.hand) == 2


@rule("feint", 61)
def test_the_second_half_is_mandatory_if_it_is_possible() -> None:
    table = Table(may=[GOOD, card("ox", 6)])
    table.may.holds("good", "ox")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("good@2")
    assert table.may.why_not("pass").rule == "ruling 61"
    assert table.may.why_not("done").rule == "ruling 61"


@rule("feint", 61)
def test_with_no_legal_card_nothing_more_happens() -> None:
    """The drawn giant fits nowhere. With an empty pile and an empty hand there is no effect."""
    table = Table(may=[GOOD, card("giant", 11)])
    table.may.holds("good").stacked("giant")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("good@2")
    assert table.may.hand == ["giant"]
    assert table.asked() == (1, "deploy")

    bare = Table(may=[GOOD])
    bare.may.holds("good").stacked(only=True)
    bare.david.holds("blue-filler")
    bare.deploys(bare.may)
    bare.may.plays("good@2")
    assert bare.may.hand == []
    assert bare.asked() == (1, "deploy")


# ---- Gangan Bit -------------------------------------------------------------------------------------

GANGAN = card("gangan", 2, "gangan", tags=("gang",), copies=6)


@rule("feint", 62)
def test_a_gangan_gathers_all_own_gang_cards() -> None:
    """It gathers gang cards from every other Location, Gangans or not. Other cards do not move."""
    table = Table(
        may=[GANGAN, card("ox", 1), card("brute", 1, tags=("gang",))],
        david=[card("thug", 1, tags=("gang",)), card("hen", 1)],
    )
    table.may.holds("gangan", "red-filler").has("gangan", "ox", at=2).has("gangan", "gangan", at=6).has("brute", at=3)
    table.david.holds("blue-filler").has("thug", at=2).has("hen", at=6)
    table.deploys(table.may)
    table.may.plays("gangan@4")
    assert sorted(table.may.at(4)) == ["brute", "gangan", "gangan", "gangan", "gangan"]
    assert [table.may.at(n) for n in (2, 3, 5, 6)] == [["ox"], [], [], []]
    assert (table.david.at(2), table.david.at(6)) == (["thug"], ["hen"]), "David's gang stays where it is"
    assert [table.load(n) for n in EVERYWHERE] == [1 + 1, 0, 1 + 4 * 2, 0, 1]
    assert table.asked() == (1, "deploy"), "there is nothing to choose"
    assert not table.happened(events.NO_EFFECT)


@rule("feint", 62)
def test_a_gangan_alone_finds_nothing_to_do() -> None:
    table = Table(may=[GANGAN, card("ox", 1)])
    table.may.holds("gangan", "red-filler").has("ox", at=2)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("gangan@4")
    assert [event[2] for event in table.happened(events.NO_EFFECT)] == [0]


@rule("feint", 22, 62)
def test_the_played_gangan_obeys_capacity_and_the_gathered_ones_do_not() -> None:
    """2 fit on 8 and make it 10. Two more that are gathered make it 14. On 9 the play is illegal."""
    table = Table(may=[GANGAN], david=[card("cock", 8), card("turkey", 9)])
    table.may.holds("gangan", "red-filler").has("gangan", at=2).has("gangan", at=3)
    table.david.holds("blue-filler").has("cock", at=5).has("turkey", at=6)
    table.deploys(table.may)
    assert table.may.why_not("gangan@6").rule == "ruling 18"
    table.may.plays("gangan@5")
    assert table.may.at(5) == ["gangan", "gangan", "gangan"]
    assert table.load(5) == 14


@rule("feint", 30, 62)
def test_with_the_other_reading_the_whole_faction_comes_but_the_protected() -> None:
    """Option gang=faction gathers every card of the Gang of Mibits. The Protected ones stay."""
    table = Table(may=[GANGAN, card("ox", 1), card("nurse", 1, protected=True)], gang="faction")
    table.may.holds("gangan", "red-filler").has("ox", at=2).has("nurse", at=3).has("gangan", at=6)
    table.david.holds("blue-filler").has("blue-filler", at=2)
    table.deploys(table.may)
    table.may.plays("gangan@4")
    assert sorted(table.may.at(4)) == ["gangan", "gangan", "ox"]
    assert table.may.at(3) == ["nurse"]
    assert table.david.at(2) == ["blue-filler"]


# ---- Medic ------------------------------------------------------------------------------------------

NURSE = card("nurse", 2, "medic", protected=True)


def healing(*discards: str) -> Table:
    table = Table(may=[NURSE, card("ox", 6), card("cow", 5), card("calf", 1)], david=[card("hen", 1)])
    table.may.holds("nurse", "red-filler").discarded(*discards)
    table.david.holds("blue-filler").discarded("hen")
    table.deploys(table.may)
    table.may.plays("nurse@2")
    return table


@rule("feint", 63)
def test_a_medic_puts_up_to_three_discards_under_the_draw_pile() -> None:
    """They come from anywhere in the pile, in the order the player names them."""
    table = healing("ox", "cow", "calf", "ox")
    size = len(table.may.deck)
    assert table.asked() == (0, "medic")
    assert table.may.legal() == ["done", "ox", "cow", "calf"]
    table.may.answers("calf", "ox", "cow")
    assert table.may.deck[-3:] == ["calf", "ox", "cow"], "each goes under the one before"
    assert len(table.may.deck) == size + 3
    assert table.may.discard == ["ox"]
    assert table.asked() == (1, "deploy"), "a fourth is not offered"


@rule("feint", 63)
@pytest.mark.parametrize("taken", [0, 1, 2])
def test_the_player_may_stop_earlier(taken: int) -> None:
    table = healing("ox", "cow", "calf")
    table.may.answers(*["ox", "cow"][:taken], "done")
    assert table.may.discard == ["ox", "cow", "calf"][taken:]
    assert table.may.hand == ["red-filler"], "nothing is drawn"
    assert table.asked() == (1, "deploy")


@rule("feint", 63)
def test_with_fewer_discards_the_medic_ends_by_itself() -> None:
    table = healing("ox")
    table.may.answers("ox")
    assert table.asked() == (1, "deploy")
    assert table.may.deck[-1] == "ox"
    assert table.david.discard == ["hen"], "David's pile is left alone"
    assert not table.happened(events.NO_EFFECT)

    empty = healing()
    assert empty.asked() == (1, "deploy"), "nothing to choose"
    assert [event[2] for event in empty.happened(events.NO_EFFECT)] == [0]


@rule("feint", 30, 63)
def test_a_medic_cannot_take_protected_discards() -> None:
    table = healing("nurse", "ox")
    assert table.may.legal() == ["done", "ox"]
    assert table.may.why_not("nurse").rule == "ruling 63"
    table.may.answers("ox")
    assert table.asked() == (1, "deploy"), "only a Protected card is left"
    assert table.may.discard == ["nurse"]

    sick = healing("nurse")
    assert sick.asked() == (1, "deploy")


# ---- Scrambler --------------------------------------------------------------------------------------

SCRAM = card("scram", 3, "scrambler")


def scrambling(**options: Any) -> Table:
    """Return a table where May has a Scrambler at 4 and David is to act."""
    table = Table(
        may=[SCRAM, card("ox", 6), card("cow", 9)],
        david=[
            card("hen", 1, copies=2),
            card("veil", 2, "covert", copies=2),
            card("mage", 1, "conjurer", copies=2),
            card("good", 1, "good-for-something", copies=2),
            card("shield", 1, protected=True, copies=2),
            card("angel", 1, "guardian-angel", copies=2),
            card("gangan", 1, "gangan", tags=("gang",), copies=2),
            {**BOMB, "copies": 2},
            {**SMITH, "copies": 2},
        ],
        **options,
    )
    table.may.holds("red-filler", "red-filler").has("scram", at=4)
    return table


@rule("feint", 22, 64)
def test_a_scrambler_moves_away_when_the_opponent_plays_there() -> None:
    """Its owner chooses any other Location. Capacity does not matter: 9 at Location 5 become 12."""
    table = scrambling()
    table.may.has("cow", at=5)
    table.david.holds("hen", "blue-filler")
    table.deploys(table.david)
    table.david.plays("hen@4")
    assert table.asked() == (0, "scramble")
    assert table.may.legal() == ["@2", "@3", "@5", "@6"]
    assert table.may.why_not("@4").rule == "ruling 64", "another Location"
    assert table.may.why_not("pass").rule == "ruling 64", "not optional"
    table.may.answers("@5")
    assert table.may.at(4) == []
    assert table.may.at(5) == ["cow", "scram"]
    assert table.david.at(4) == ["hen"]
    assert (table.load(4), table.load(5)) == (1, 12)
    assert table.asked() == (0, "deploy"), "David has had his turn"


@rule("feint", 64)
def test_a_play_elsewhere_or_of_the_own_side_leaves_a_scrambler_alone() -> None:
    table = scrambling()
    table.david.holds("hen", "blue-filler")
    table.deploys(table.david)
    table.david.plays("hen@5")
    table.may.plays("red-filler@4")
    assert table.may.at(4) == ["scram", "red-filler"]
    assert table.happened(events.MOVED) == []


@rule("feint", 66)
def test_a_face_down_play_sets_a_scrambler_off() -> None:
    table = scrambling()
    table.david.holds("veil", "blue-filler")
    table.deploys(table.david)
    table.david.plays("veil@4")
    assert table.asked() == (0, "scramble")


@rule("feint", 66)
def test_plays_of_a_conjurer_and_of_good_for_something_set_a_scrambler_off() -> None:
    for first, second in (("mage@2", "hen@4"), ("good@2", "hen@4")):
        table = scrambling()
        table.david.holds("mage", "good", *(["hen"] if first == "good@2" else []))
        if first == "mage@2":
            table.david.discarded("hen")
        table.deploys(table.david)
        table.david.plays(first, second)
        assert table.asked() == (0, "scramble"), first
        table.may.answers("@6")
        assert table.may.at(6) == ["scram"]


@rule("feint", 23, 66)
def test_a_card_that_is_moved_there_does_not() -> None:
    """David's Scrambler flees to the Location of May's, and a Gangan gathers his gang there. Neither is a play, but the
    Gangan itself is."""
    table = Table(may=[SCRAM], david=[card("dodger", 1, "scrambler"), GANGAN])
    table.may.holds("red-filler", "red-filler").has("scram", at=4)
    table.david.holds("gangan", "blue-filler").has("dodger", at=5).has("gangan", "gangan", at=2)
    table.deploys(table.may)
    table.may.plays("red-filler@5")
    table.david.answers("@4")
    assert table.asked() == (1, "deploy"), "his turn, and no question for May"
    assert (table.may.at(4), table.david.at(4)) == (["scram"], ["dodger"])

    table.david.plays("gangan@4", "own-first")
    assert table.david.at(4) == ["dodger", "gangan", "gangan", "gangan"]
    assert table.asked() == (0, "scramble")
    table.may.answers("@2")
    assert table.asked() == (0, "deploy"), "asked once, not three times"


@rule("feint", 65)
def test_two_scramblers_both_move_each_where_its_owner_likes() -> None:
    table = scrambling()
    table.may.has("scram", at=4)
    table.david.holds("hen", "blue-filler")
    table.deploys(table.david)
    table.david.plays("hen@4")
    table.may.answers("@2")
    assert table.asked() == (0, "scramble")
    table.may.answers("@6")
    assert [table.may.at(n) for n in EVERYWHERE] == [["scram"], [], [], [], ["scram"]]
    assert table.asked() == (0, "deploy")


@rule("feint", 38, 65)
def test_between_two_scramblers_the_player_may_put_his_own_ability() -> None:
    """One Scrambler escapes, then the bomb hits the other."""
    table = scrambling()
    table.may.has("scram", at=4)
    table.david.holds("bomb", "blue-filler").has("smith", at=4)
    table.deploys(table.david)
    table.david.plays("bomb@4", "scrambler-first")
    table.may.answers("@2")
    assert table.asked() == (1, "order")
    table.david.answers("own-first")
    assert table.may.at(2) == ["scram"]
    assert table.may.at(4) == []
    assert table.may.discard == ["scram"]
    assert table.asked() == (0, "deploy")


@rule("feint", 30, 64)
def test_with_the_other_reading_a_protected_card_stays() -> None:
    table = scrambling(scrambler="played")
    table.david.holds("shield", "blue-filler")
    table.deploys(table.david)
    table.david.plays("shield@4")
    assert table.asked() == (0, "deploy")
    assert (table.may.at(4), table.david.at(4)) == (["scram"], ["shield"])


# ---- Trojan Bit -------------------------------------------------------------------------------------

TROJAN = card("trojan", 2, "trojan", protected=True)


def horse(*more: dict[str, Any]) -> Table:
    table = Table(may=[TROJAN, card("ox", 6, morale=5), card("cow", 1), *more], david=[card("hen", 1)])
    table.may.holds("trojan", "red-filler").stacked("cow")
    table.david.holds("blue-filler").has("hen", at=6)
    return table


@rule("feint", 67)
def test_a_trojan_bit_takes_a_card_back_to_the_bottom_and_draws_the_top() -> None:
    table = horse()
    table.may.has("ox", at=3).has("red-filler", at=6)
    table.deploys(table.may)
    table.may.plays("trojan@2")
    assert table.asked() == (0, "trojan")
    assert table.may.legal() == ["#3.1", "#6.1"], "its own cards, wherever they lie"
    table.may.answers("#3.1")
    assert table.may.at(3) == []
    assert table.may.deck[-1] == "ox"
    assert table.may.hand == ["red-filler", "cow"]
    assert (table.may.at(6), table.david.at(6)) == (["red-filler"], ["hen"])
    assert table.asked() == (1, "deploy")


@rule("feint", 37, 67)
def test_taking_back_is_mandatory() -> None:
    table = horse()
    table.may.has("ox", at=3).has("red-filler", at=4)
    table.deploys(table.may)
    table.may.plays("trojan@2")
    assert "ruling" in cite_rule(table.may.why_not("pass"))
    assert "67" in cite_rule(table.may.why_not("done"))
    assert "67" in cite_rule(table.may.why_not("#6.1")), "David's hen is none of hers"


@rule("feint", 67)
def test_without_another_card_nothing_is_drawn() -> None:
    """ "If you have no other Faction Card in play, no card is moved ..., and you don't get to draw a card.\""""
    table = horse()
    table.deploys(table.may)
    table.may.plays("trojan@2")
    assert table.may.hand == ["red-filler"]
    assert table.may.at(2) == ["trojan"]
    assert [event[2] for event in table.happened(events.NO_EFFECT)] == [0]
    assert table.asked() == (1, "deploy")


@rule("feint", 67)
def test_it_never_takes_itself_even_unprotected() -> None:
    """ "no other Faction Card" also covers an owner's Trojan Bit without protection."""
    table = Table(may=[card("trojan", 2, "trojan")])
    table.may.holds("trojan", "red-filler")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("trojan@2")
    assert table.may.at(2) == ["trojan"]
    assert table.asked() == (1, "deploy")


@rule("feint", 6, 67)
def test_with_an_empty_draw_pile_the_same_card_comes_back() -> None:
    table = Table(may=[TROJAN, card("ox", 6)])
    table.may.holds("trojan", "red-filler").has("ox", at=3).stacked(only=True)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    assert table.may.deck == []
    table.may.plays("trojan@2")
    assert table.may.hand == ["red-filler", "ox"]
    assert table.may.deck == []


@rule("feint", 68)
def test_a_card_taken_back_costs_no_morale() -> None:
    """David's hen wins him the round at 6. May's ox of Morale 5 is gone, and the Trojan Bit costs 1."""
    table = horse()
    table.may.has("ox", at=3).scouted(2)
    table.david.scouted(6)
    table.deploys(table.may)
    table.may.plays("trojan@4")
    table.both_pass()
    assert table.david.points == 1
    assert table.may.morale == 22


@rule("feint", 24, 67)
def test_a_face_down_card_is_turned_up_as_it_leaves() -> None:
    """Inferred from ruling 24: David sees the card that goes under the pile."""
    table = horse(card("veil", 5, "covert"))
    table.may.has("veil", at=3, down=True)
    table.deploys(table.may)
    assert table.david.sees(table.david.view.at(0, table.place(3))) == ["?"]
    table.may.plays("trojan@4")
    bottom = table.state.deck[0][0]
    assert not bottom & DOWN
    assert bottom & SEEN[1]
    assert table.david.log()[-2].startswith("May puts Veil from 3 under")
    assert table.load(3) == 0
