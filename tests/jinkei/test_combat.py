"""Combat: the rows of both players, following, Wild spaces, and the winner."""

from __future__ import annotations

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.testing import rule
from tests.jinkei.scenario import Player, Table

WILD_REAR = [". . .", ".W . .", ". . ."]
WILD_FRONT = [".W . .", ". . .", ". . ."]


def duel(lead: str, answer: str, may: list[str] | None = None, david: list[str] | None = None) -> Table:
    """May attacks from her Vanguard with one card, David answers from his Rearguard with another, both in the first
    column, both called their printed colors."""
    table = Table(may, david)
    table.may.stands(vg1=lead)
    table.david.stands(rg1=answer)
    table.attacks(table.may)
    table.may.plays(f"vg1:{lead.rstrip('0123456789')}")
    table.david.plays(f"rg1:{answer.rstrip('0123456789')}")
    return table


def takes(table: Table, player: Player | None) -> bool:
    """Return whether this player (None for a tie) has won the battle and takes both cards."""
    # They lie open until the next battle begins; then they are taken away.
    table.state.sweep()
    sizes = [len(table.may.taken), len(table.david.taken)]
    return table.winner is player and sizes == ([1, 1] if player is None else [2, 0] if player.seat == 0 else [0, 2])


# ---- the row (Ex. 4 to 6) --------------------------------------------------------------------------


def test_example_4_offense_plays_the_vanguard_and_defense_the_rearguard() -> None:
    table = Table()
    table.may.stands(vg1="red5", vg3="blue7", rg1="red1", rg2="blue2", re3="red9")
    table.david.stands(vg1="red2", vg2="red3", rg2="red8", rg3="red9", re1="red1")
    table.attacks(table.may)
    assert table.may.legal() == ["vg1:red", "vg3:blue"]
    assert table.david.legal() == []
    assert cite_rule(table.may.why_not("rg1:red")) == "Attack from your Vanguard first (7-1)."
    table.may.plays("vg1:red")
    assert table.asked() == (1, "answer")
    assert table.david.legal() == ["rg2:red", "rg3:red"]
    assert cite_rule(table.david.why_not("vg1:red")) == "Answer from your Rearguard first (7-2)."


@rule("jinkei", 23, 29)
def test_example_5_no_card_in_the_vanguard() -> None:
    """Offense then plays from the Rearguard, never a Reinforcement."""
    table = Table(may=["# # .", ". . #", ". . #"])
    table.may.stands(rg1="red5", rg2="blue7", re1="red9", re2="red1")
    table.david.stands(rg1="red1")
    table.attacks(table.may)
    assert table.may.legal() == ["rg1:red", "rg2:blue"]
    assert cite_rule(table.may.why_not("re1:red")) == "Reinforcements cannot fight until they step forward (ruling 29)."


@rule("jinkei", 29)
def test_example_6_no_card_in_the_rearguard() -> None:
    """Defense then plays from the Vanguard and still has to follow."""
    table = Table(david=[". . .", "# # .", ". . #"])
    table.may.stands(vg1="blue4", vg2="red4")
    table.david.stands(vg1="red5", vg2="blue7", re1="red9")
    table.attacks(table.may)
    table.may.plays("vg1:blue")
    assert table.david.legal() == ["vg2:blue"]
    assert table.david.why_not("re1:red").tag == "Fights later"
    assert cite_rule(table.david.why_not("vg1:red")) == "You have Blue here, so you must answer with Blue (7-2)."


def test_the_roles_change_after_every_battle_whoever_wins() -> None:
    table = Table(battles=4)
    table.may.stands(vg1="red9", vg2="red8", rg1="blue1", rg2="blue2")
    table.david.stands(vg1="blue3", vg2="blue4", rg1="red1", rg2="red2")
    table.attacks(table.may)
    leaders, shown = [], []
    while not table.state.over:
        leaders.append(table.state.turn)
        board = table.may.board
        shown.append([seat["role"] for seat in board["seats"]])
        for _ in range(2):
            table.state.apply(table.state.turn, table.state.actions[0])
    assert leaders == [0, 1, 0, 1]
    assert shown == [["offense", "defense"], ["defense", "offense"]] * 2


# ---- following (Ex. 7) -----------------------------------------------------------------------------


def test_example_7_the_rearguard_has_the_led_colour() -> None:
    table = Table()
    table.may.stands(vg1="red5")
    table.david.stands(rg1="red3", rg2="blue9", rg3="red8")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    assert table.david.legal() == ["rg1:red", "rg3:red"]
    assert cite_rule(table.david.why_not("rg2:blue")) == "You have Red here, so you must answer with Red (7-2)."


@rule("jinkei", 7, 8)
def test_the_led_colour_in_another_row_does_not_matter() -> None:
    """David has red in his Vanguard, among his Reinforcements and in his hand, but only blue in his Rearguard."""
    table = Table()
    table.may.stands(vg1="red5")
    table.david.stands(vg1="red3", rg1="blue3", rg2="blue9", re2="red8").holds("red1")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    assert table.david.legal() == ["rg1:blue", "rg2:blue"]


# ---- who wins (Ex. 8) ------------------------------------------------------------------------------


def test_example_8_1_of_one_colour_the_higher_rank_wins() -> None:
    table = duel("red3", "red8")
    assert takes(table, table.david)
    assert table.david.taken == ["red3", "red8"]


def test_example_8_2_of_two_colours_the_led_one_wins() -> None:
    table = duel("red3", "blue8")
    assert takes(table, table.may)
    assert table.may.taken == ["blue8", "red3"]


def test_example_8_3_the_same_card_is_a_tie() -> None:
    table = duel("red8", "red8")
    assert takes(table, None)
    assert (table.may.taken, table.david.taken) == (["red8"], ["red8"])


@rule("jinkei", 16)
@pytest.mark.parametrize("zero", ["red0", "blue0"])
@pytest.mark.parametrize("twelve", ["red12", "blue12"])
def test_zero_beats_twelve_in_either_role_and_any_colours(zero: str, twelve: str) -> None:
    leads, answers = duel(zero, twelve), duel(twelve, zero)
    assert takes(leads, leads.may)
    assert takes(answers, answers.david)


@rule("jinkei", 16)
def test_bonuses_do_not_save_a_twelve() -> None:
    """The rulebook's note: Blue 12 on Rank +2, worth 14, still loses to Red 0; and a 0 worth 2 still wins."""
    table = duel("blue12", "red0", may=[".+2 . .", ". . .", ". . ."])
    assert takes(table, table.david)
    table = duel("blue12", "blue0", david=[". . .", ".+2 . .", ". . ."])
    assert takes(table, table.david)


@rule("jinkei", 17)
def test_a_bonus_makes_no_zero_and_no_twelve() -> None:
    """9+2 is 11, not a 12. 0+1 ties with a plain 1. A plain 0 loses to 9+2 as to any other card."""
    tie = duel("red1", "red0", david=[". . .", ".+1 . .", ". . ."])
    assert takes(tie, None)
    eleven = duel("red0", "red9", david=[". . .", ".+2 . .", ". . ."])
    assert takes(eleven, eleven.david)


@rule("jinkei", 18)
@pytest.mark.parametrize("rank", [0, 12])
def test_two_equal_extremes_are_an_ordinary_battle(rank: int) -> None:
    tie = duel(f"red{rank}", f"red{rank}")
    assert takes(tie, None)
    led = duel(f"blue{rank}", f"red{rank}")
    assert takes(led, led.may)
    bonus = duel(f"red{rank}", f"red{rank}", david=[". . .", ".+1 . .", ". . ."])
    assert takes(bonus, bonus.david)


# ---- bonuses ---------------------------------------------------------------------------------------


@rule("jinkei", 6)
def test_rank_plus_two_is_two_ranks_and_no_wild() -> None:
    """Red 5 on Rank +2 is a red 7: it beats Red 6 and ties with Red 7."""
    plus = [".+2 . .", ". . .", ". . ."]
    won, tied = duel("red5", "red6", may=plus), duel("red5", "red7", may=plus)
    assert takes(won, won.may)
    assert takes(tied, None)
    space = won.may.board["seats"][0]["spaces"][0]
    assert (space["bonus"], space["wild"]) == (2, False)


@rule("jinkei", 19)
def test_a_bonus_works_in_both_roles_and_both_rows() -> None:
    """Rank +1 in the Vanguard helps a defender that has to play from there. One in the Rearguard helps such an
    attacker."""
    defends = Table(david=[".+1 . .", ". . .", ". . ."])
    defends.may.stands(vg1="red5")
    defends.david.stands(vg1="red5")
    defends.attacks(defends.may)
    defends.may.plays("vg1:red")
    defends.david.plays("vg1:red")
    assert takes(defends, defends.david), "5+1 against 5"
    attacks = Table(may=["# . .", ".+1 . .", ". . ."])
    attacks.may.stands(rg1="red5")
    attacks.david.stands(rg1="red5")
    attacks.attacks(attacks.may)
    attacks.may.plays("rg1:red")
    attacks.david.plays("rg1:red")
    assert takes(attacks, attacks.may), "5+1 against 5"


# ---- Wild ------------------------------------------------------------------------------------------


@rule("jinkei", 9)
def test_offense_calls_the_colour_of_its_wild_card() -> None:
    """Red 5 on Wild, called blue: David must follow blue. The printed colour is offered first."""
    table = Table(may=WILD_FRONT)
    table.may.stands(vg1="red5", vg2="blue2")
    table.david.stands(rg1="red9", rg2="blue4")
    table.attacks(table.may)
    assert table.may.legal() == ["vg1:red", "vg1:blue", "vg2:blue"]
    table.may.plays("vg1:blue")
    assert table.david.legal() == ["rg2:blue"]
    table.david.plays("rg2:blue")
    assert takes(table, table.may), "5 against 4, both blue"


@rule("jinkei", 10, 12)
def test_special_example_2_the_choices() -> None:
    """Blue 4 attacks; David has Red 5 on Wild and Red 2, no blue: both cards, the Red 5 as either."""
    table = Table(david=[". . .", ".W . .", "2 . ."])
    table.may.stands(vg1="blue4")
    table.david.stands(rg1="red5", rg2="red2", re1="blue1 blue8")
    table.attacks(table.may)
    table.may.plays("vg1:blue")
    assert table.david.legal() == ["rg1:red", "rg1:blue", "rg2:red"]


@rule("jinkei", 12, 15)
@pytest.mark.parametrize(("answer", "wins"), [("rg1:blue", True), ("rg1:red", False), ("rg2:red", False)])
def test_special_example_2_the_results(answer: str, wins: bool) -> None:
    """If (1): Blue 5 beats Blue 4. If (2): a red card loses to the led colour, be it Red 5 or Red 2."""
    table = Table(david=[". . .", ".W . .", ". . ."])
    table.may.stands(vg1="blue4")
    table.david.stands(rg1="red5", rg2="red2")
    table.attacks(table.may)
    table.may.plays("vg1:blue")
    table.david.plays(answer)
    assert takes(table, table.david if wins else table.may)


@rule("jinkei", 10)
def test_a_wild_card_of_the_led_colour_need_not_follow() -> None:
    """Red leads, and David has Red 5 on Wild and Blue 2. Without the Wild space he would have to play red."""
    table = Table(david=WILD_REAR)
    table.may.stands(vg1="red4")
    table.david.stands(rg1="red5", rg2="blue2")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    assert table.david.legal() == ["rg1:red", "rg1:blue", "rg2:blue"]


@rule("jinkei", 11)
@pytest.mark.parametrize("printed", ["red5", "blue5"])
def test_beside_a_card_that_must_follow_a_wild_card_follows_too(printed: str) -> None:
    """Red leads, and David also has Red 2. The Wild card can only be red, with either printed color."""
    table = Table(david=WILD_REAR)
    table.may.stands(vg1="red4")
    table.david.stands(rg1=printed, rg2="red2", rg3="blue9")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    assert table.david.legal() == ["rg1:red", "rg2:red"]
    assert table.david.why_not("rg1:blue").rule == "ruling 11"
    table.david.plays("rg1:red")
    assert takes(table, table.david), "5 against 4, both red"


@rule("jinkei", 13)
@pytest.mark.parametrize(("reading", "legal"), [("free", ["rg1:red", "rg1:blue", "rg2:blue"]), ("binds", ["rg1:red"])])
def test_the_printed_colour_of_a_lone_wild_card(reading: str, legal: list[str]) -> None:
    """Red leads, and Red 5 on Wild is David's only red card. He normally need not follow with it."""
    table = Table(david=WILD_REAR, wild=reading)
    table.may.stands(vg1="red4")
    table.david.stands(rg1="red5", rg2="blue2")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    assert table.david.legal() == legal
    if reading == "binds":
        assert "ruling" in cite_rule(table.david.why_not("rg1:blue"))
        assert table.david.why_not("rg2:blue").rule == "7-2"


@rule("jinkei", 14)
def test_both_on_wild_offense_calls_first() -> None:
    """May calls her Red 4 blue. Then David, knowing this, calls his Red 5 red or blue."""
    table = Table(may=WILD_FRONT, david=WILD_REAR)
    table.may.stands(vg1="red4")
    table.david.stands(rg1="red5")
    table.attacks(table.may)
    assert table.david.legal() == []
    table.may.plays("vg1:blue")
    assert table.david.board["duel"]["lead"]["called"] == "blue"
    assert table.david.legal() == ["rg1:red", "rg1:blue"]
    table.david.plays("rg1:blue")
    assert takes(table, table.david)


@rule("jinkei", 15)
@pytest.mark.parametrize(("called", "tie"), [("red", True), ("blue", False)])
def test_a_tie_needs_the_same_called_colour(called: str, tie: bool) -> None:
    """Red 5 against Blue 5 on Wild: called red it is a tie, called blue the led colour wins."""
    table = Table(david=WILD_REAR)
    table.may.stands(vg1="red5")
    table.david.stands(rg1="blue5")
    table.attacks(table.may)
    table.may.plays("vg1:red")
    table.david.plays(f"rg1:{called}")
    assert takes(table, None if tie else table.may)


def test_only_a_wild_space_gives_another_colour() -> None:
    table = Table()
    table.may.stands(vg1="red5")
    table.david.stands(rg1="red1")
    table.attacks(table.may)
    assert (
        cite_rule(table.may.why_not("vg1:blue"))
        == "Only a card on a Wild space can be called the other color (section 11)."
    )
    assert cite_rule(table.may.why_not("vg2:blue")) == "There is no card on this space (7-1)."
