"""Simultaneous effects, the Resolution phase, and Morale."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gonfalon.games.feint.face.resolution import Resolution
from gonfalon.games.feint.rules import events
from gonfalon.testing import rule
from tests.feint.scenario import Player, Table, card

OX = card("ox", 4)
COW = card("cow", 3)
IMP = card("imp", 3, "scrambler")
FIRE = card("fire", 3, "master-of-fire")
MINE = card("mine", 1, "bomb-tower", tags=("tower",))
BUILDER = card("builder", 1, "engineer", tags=("engineer",))
IDLER = card("idler", 1, "good-for-something")
BIT = card("bit", 2, "gangan", tags=("gang",))
DRAKE = card("drake", 3, "dragoon")
JUDGE = card("judge", 2, "punisher")
EARTH = card("earth", 3, "master-of-earth")
SPY = card("spy", 5, "covert", morale=2)


def ready(table: Table, first: Player | None = None) -> Table:
    """Give both a card, so that neither passes automatically, and start May's turn, or the given player's."""
    for player, filler in ((table.may, "red-filler"), (table.david, "blue-filler")):
        if not player.hand:
            player.holds(filler)
    start = first or table.may
    table.state.first = start.seat
    return table.deploys(start)


def resolve(table: Table, first: Player | None = None) -> Resolution:
    """Let both pass, and return the sums of the round."""
    ready(table, first).both_pass()
    return table.resolution


def totals(shown: Resolution) -> list[int]:
    return [side["total"] for side in shown["sums"]]


# ---- effects at the same time ----------------------------------------------------------------------


def bomb_and_scrambler() -> Table:
    """Return a table where May's Bomb Tower goes to a Location with David's Scrambler and no other card of his."""
    table = Table(may=[MINE, BUILDER], david=[IMP, COW])
    table.may.has("builder", at=4).holds("mine", "red-filler")
    table.david.has("imp", at=4).has("cow", at=5)
    ready(table).may.plays("mine@4")
    return table


@rule("feint", 38)
def test_the_active_player_may_have_the_bomb_go_first() -> None:
    """Then the Scrambler is gone before it can move."""
    table = bomb_and_scrambler()
    assert table.asked() == (0, "order"), "May orders David's Scrambler too"
    assert table.may.legal() == ["own-first", "scrambler-first"], "the played card's own text is the default"
    assert table.david.legal() == []
    assert table.david.why_not("scrambler-first") == "It is not your decision now."
    assert table.may.why_not("@5").rule == "ruling 38"
    table.may.answers("own-first")
    assert table.asked() == (1, "deploy")
    assert (table.david.at(4), table.david.discard) == ([], ["imp"])


@rule("feint", 38)
def test_the_active_player_may_have_the_scrambler_go_first() -> None:
    """Then it escapes, and the bomb hits only itself."""
    table = bomb_and_scrambler()
    table.may.answers("scrambler-first")
    assert table.asked() == (1, "scramble")
    table.david.answers("@5")
    assert table.david.at(5) == ["cow", "imp"]
    assert (table.may.discard, table.david.discard) == (["mine"], [])
    assert table.asked() == (1, "deploy")


@rule("feint", 39)
def test_a_nested_play_is_carried_out_with_all_it_sets_off() -> None:
    """May plays Good-for-Something at 2 and with it an ox at 5. David has a Scrambler at both. The one at 5 belongs to
    the inner play and moves first, then the one at 2."""
    table = Table(may=[IDLER, OX], david=[IMP])
    table.may.holds("idler", "ox", "red-filler")
    table.david.has("imp", at=2).has("imp", at=5)
    ready(table).may.plays("idler@2", "own-first", "ox@5")
    assert table.asked() == (1, "scramble")
    assert "@5" not in table.david.legal(), "the one at 5, to another Location"
    table.david.answers("@6")
    assert (table.david.at(2), table.david.at(5), table.david.at(6)) == (["imp"], [], ["imp"])
    assert table.asked() == (1, "scramble")
    assert "@2" not in table.david.legal()
    table.david.answers("@3")
    assert (table.david.at(2), table.david.at(3)) == ([], ["imp"])
    assert table.asked() == (1, "deploy")


# ---- the order of the Resolution -------------------------------------------------------------------


@rule("feint", 40)
def test_the_steps_of_the_resolution_come_in_order() -> None:
    table = Table(may=[DRAKE, EARTH], david=[JUDGE, SPY])
    table.may.has("drake", at=3).has("earth", at=6).scouted(5)
    table.david.has("judge", at=4).has("spy", at=5, down=True).scouted(4)
    ready(table).both_pass()
    assert table.state.log is not None
    codes = [event[0] for event in table.state.log]
    steps = [
        (events.LOCATION, events.TURNED),
        (events.ADDED, events.BARRED, events.EARTH),
        (events.BATTLE, events.RATING, events.TOTAL),
        (events.WON,),
        (events.COST,),
    ]
    at = [[i for i, code in enumerate(codes) if code in step] for step in steps]
    assert [bool(where) for where in at] == [True] * 5
    for before, after in pairwise(at):
        assert max(before) < min(after)
    gain, loss = table.happened(events.MORALE)
    assert (gain[2], gain[4]) == (0, 7), "the Master of Earth is alone at 6: 10 - 3"
    assert (loss[2], loss[4]) == (0, -2), "David's 5 x 5 beats Dragoon 3 x 2; her two cards cost 1 each"


@rule("feint", 40)
@pytest.mark.parametrize(("load", "after"), [(5, 2), (6, 1), (7, 0), (8, -1)])
def test_master_of_earth_may_save_from_the_loss_of_the_same_round(load: int, after: int) -> None:
    """May has 3 Morale and loses the round with cards worth 6. The Master of Earth (3) is with David's card. 10 - load
    is gained first, so 3 + (10 - load) - 6 is left. At exactly 0 she loses."""
    table = Table(
        may=[card("earth", 3, "master-of-earth", morale=2), card("debt", 1, morale=4)], david=[card("rest", load - 3)]
    )
    table.may.has("earth", at=3).has("debt", at=6).scouted(2).morale_is(3)
    table.david.has("rest", at=3).has("blue-filler", at=2).scouted(4)
    shown = resolve(table)
    assert totals(shown) == [0, 2], "David has Strength 1 at Location 2"
    assert shown["lost"] == 6
    assert table.may.morale == 3 + (10 - load) - 6 == after
    assert table.state.over is (after <= 0)


@rule("feint", 41)
@pytest.mark.parametrize("start", [0, 1])
def test_the_log_names_the_start_player_first(start: int) -> None:
    table = Table(may=[EARTH, card("owl", 4, "covert")], david=[card("clay", 3, "master-of-earth"), SPY])
    table.may.has("earth", at=3).has("owl", at=5, down=True).scouted(2)
    table.david.has("clay", at=4).has("spy", at=6, down=True).scouted(2)
    resolve(table, table.player(start))
    for code in (events.LOCATION, events.TURNED, events.EARTH, events.TOTAL):
        assert [event[2] for event in table.happened(code)] == [start, 1 - start]


# ---- Battle Locations ------------------------------------------------------------------------------


@rule("feint", 42)
def test_two_equal_location_cards_make_one_battle() -> None:
    """Both revealed 5. May's 4 there counts 20, once, and David's 3 counts 15."""
    table = Table(may=[OX], david=[COW])
    table.may.has("ox", at=5).scouted(5)
    table.david.has("cow", at=5).scouted(5)
    shown = resolve(table)
    assert shown["battles"] == [5]
    assert totals(shown) == [20, 15]


@rule("feint", 42)
def test_a_dragoon_makes_three_battles() -> None:
    """4 and 6 revealed, 2 added: 3 x 2 + 4 x 4 + 0 = 22 for May, 0 + 0 + 3 x 6 = 18 for David."""
    table = Table(may=[DRAKE, OX], david=[COW])
    table.may.has("drake", at=2).has("ox", at=4).scouted(4)
    table.david.has("cow", at=6).has("cow", at=3).scouted(6)
    shown = resolve(table)
    assert shown["battles"] == [2, 4, 6]
    assert totals(shown) == [22, 18]


@rule("feint", 42)
@pytest.mark.parametrize("start", [0, 1])
def test_punishers_may_leave_no_battle_and_the_loser_still_pays(start: int) -> None:
    """At 0 to 0 the start player wins the tie, and the other loses Morale for all of his cards."""
    table = Table(may=[JUDGE, OX], david=[card("bailiff", 2, "punisher"), COW])
    table.may.has("judge", at=4).has("ox", at=6).scouted(4).morale_is(20)
    table.david.has("bailiff", at=6).has("cow", at=4).scouted(6).morale_is(20)
    shown = resolve(table, table.player(start))
    assert shown["battles"] == []
    assert totals(shown) == [0, 0]
    assert (shown["winner"], shown["tie"], shown["lost"]) == (start, True, 2)
    assert table.player(start).morale == 20
    assert table.player(1 - start).morale == 18


@rule("feint", 42)
@pytest.mark.parametrize("start", [0, 1])
def test_a_tie_goes_to_the_start_player_and_one_more_point_beats_it(start: int) -> None:
    """With battles at 2 and 3 it is 3 x 2 = 6 against 2 x 3 = 6. One more at 2 would make 8."""
    for more in (0, 1):
        table = Table(may=[COW], david=[card("pair", 2)])
        table.may.has("cow", *["red-filler"] * (more if start == 1 else 0), at=2).scouted(2)
        table.david.has("pair", at=3).has(*["blue-filler"] * (more if start == 0 else 0), at=2).scouted(3)
        shown = resolve(table, table.player(start))
        assert totals(shown) == [6 + 2 * more * start, 6 + 2 * more * (1 - start)]
        assert shown["tie"] is (more == 0)
        assert shown["winner"] == (start if more == 0 else 1 - start)


@rule("feint", 43)
@pytest.mark.parametrize("judges", [1, 2])
@pytest.mark.parametrize("drakes", [1, 2])
def test_a_punisher_overrides_dragoons_and_a_second_changes_nothing(judges: int, drakes: int) -> None:
    """Location 2 is also David's Location Card, but has no battle."""
    table = Table(may=[DRAKE, OX], david=[JUDGE])
    table.may.has(*["drake"] * drakes, at=3).has("ox", at=2).scouted(5)
    table.david.has(*["judge"] * judges, at=2).scouted(2)
    shown = resolve(table)
    assert shown["battles"] == [5]
    assert totals(shown) == [0, 0]


@rule("feint", 45)
def test_a_dragoon_that_is_gone_adds_no_battle() -> None:
    """David's Bomb Tower hits it during Deployment."""
    table = Table(may=[DRAKE], david=[MINE, BUILDER])
    table.may.has("drake", at=3).scouted(4).holds("red-filler")
    table.david.has("builder", at=3).scouted(6).holds("mine")
    ready(table, table.david).david.plays("mine@3")
    table.both_pass()
    assert table.resolution["battles"] == [4, 6]


@rule("feint", 45)
@pytest.mark.parametrize("moved", [False, True])
def test_a_punisher_judges_where_it_lies_in_the_end(moved: bool) -> None:
    """It is at 4, and a Gangan Bit can gather it to 6."""
    table = Table(may=[card("judge", 2, "punisher", tags=("gang",)), BIT])
    table.may.has("judge", at=4).scouted(4).holds("bit", "red-filler")
    table.david.scouted(6)
    ready(table)
    if moved:
        table.may.plays("bit@6")
        assert table.may.at(6) == ["bit", "judge"]
        table.david.passes()
        table.may.passes()
    else:
        table.both_pass()
    assert table.resolution["battles"] == ([4] if moved else [6])


@rule("feint", 45)
def test_a_master_of_earth_gains_where_it_lies_in_the_end() -> None:
    """It is at 3, alone (10 - 3 = 7 spare), and is gathered to 6 beside 2 and 4: 10 - 9 = 1."""
    table = Table(may=[card("earth", 3, "master-of-earth", tags=("gang",)), BIT], david=[card("four", 4)])
    table.may.has("earth", at=3).scouted(2).holds("bit", "red-filler").morale_is(20)
    table.david.has("four", at=6).scouted(2)
    ready(table).may.plays("bit@6")
    table.david.passes()
    table.may.passes()
    assert [(event[2], event[4]) for event in table.happened(events.MORALE)] == [(0, 1), (1, -1)]
    assert table.may.morale == 21


# ---- Morale ----------------------------------------------------------------------------------------


@rule("feint", 46)
def test_the_loser_pays_for_all_of_his_cards_wherever_they_lie() -> None:
    """David's Morale values are 1 at a battle, 2 elsewhere, 2 for a face-down card, 3 for one that stayed, 4 for a
    Protected one: 12. His hand and May's cards cost nothing."""
    table = Table(
        may=[card("bull", 6, morale=9)],
        david=[
            card("one", 1, morale=1),
            card("two", 1, morale=2, copies=1),
            SPY,
            card("three", 1, morale=3),
            card("four", 1, morale=4, protected=True),
            card("spare", 1, morale=8, copies=1),
        ],
    )
    table.may.has("bull", at=6).scouted(6).morale_is(23)
    table.david.has("one", at=6).has("two", at=3).has("spy", at=4, down=True).has("three", at=2, stay=True)
    table.david.has("four", at=5).holds("spare").scouted(6).morale_is(23)
    shown = resolve(table)
    assert totals(shown) == [36, 6]
    assert shown["lost"] == 1 + 2 + 2 + 3 + 4 == 12
    assert (table.may.morale, table.david.morale) == (23, 11)


@rule("feint", 47)
def test_protected_cards_cost_morale_too() -> None:
    """Two cards cost 2 + 3 Morale, with or without protection of one."""
    for protected in (False, True):
        table = Table(may=[OX], david=[card("saint", 1, morale=2, protected=protected), card("monk", 1, morale=3)])
        table.may.has("ox", at=6).scouted(6)
        table.david.has("saint", at=2).has("monk", at=3).scouted(6).morale_is(23)
        assert resolve(table)["lost"] == 5
        assert table.david.morale == 18


@rule("feint", 48)
def test_a_guardian_angel_counts_in_two_rounds_and_takes_capacity() -> None:
    """Strength 4, Morale 2, at 5. In two rounds at 5 against David's 6 the score is 20 to 30 and May loses 2. In the
    second round 4 of the 10 are taken from the start."""
    angel = card("angel", 4, "guardian-angel", morale=2)
    table = Table(may=[angel, card("six", 6), card("seven", 7)], david=[card("bull", 6)])
    table.may.scouted(5).morale_is(23).holds("angel", "six", "seven")
    table.david.has("bull", at=5).scouted(5).holds("blue-filler")
    ready(table).may.plays("angel@5")
    table.david.passes()
    table.may.passes()
    first = table.resolution
    assert (totals(first), first["lost"], table.may.morale) == ([20, 30], 2, 21)
    assert (table.may.at(5), table.david.at(5)) == (["angel"], [])
    assert table.load(5) == 4

    table.may.does("done")
    table.david.does("done")
    table.may.scouted(5)
    table.david.scouted(5).passes()
    assert table.may.may_do("six@5"), "4 + 6 = 10"
    assert table.may.why_not("seven@5").tag == "No room"
    assert table.may.may_do("seven@4")
    table.david.has("bull", at=5)
    table.may.passes()
    second = table.resolution
    assert (totals(second), second["lost"], table.may.morale) == ([20, 30], 2, 19)
    assert table.may.at(5) == [], "no new token, so the second Cleanup takes it"
    assert table.load(5) == 0
    assert "angel" in table.may.discard


@rule("feint", 49)
@pytest.mark.parametrize(("morale", "over"), [(1, True), (2, True), (3, False)])
def test_the_game_ends_at_the_change_that_takes_the_last_morale(morale: int, over: bool) -> None:
    """May plays a Master of Fire (-2) where David has a Scrambler, her own text first. With 2 or less the game ends
    before it moves. With 3 she has 1 left and the game continues."""
    table = Table(may=[FIRE], david=[IMP])
    table.may.holds("fire", "red-filler").morale_is(morale)
    table.david.has("imp", at=3).morale_is(1)
    ready(table).may.plays("fire@3", "own-first")
    assert table.may.morale == morale - 2
    assert table.state.over is over
    assert table.state.returns() == ([-1.0, 1.0] if over else [0.0, 0.0])
    if over:
        outcome = table.state.outcome()
        assert outcome is not None
        assert (outcome.winners, outcome.how) == ([1], "morale")
        assert table.state.decisions() == []
        assert table.david.why_not("@2") == "The game is over."
        assert table.david.at(3) == ["imp"]
    else:
        assert table.asked() == (1, "scramble")


@rule("feint", 49)
def test_the_first_to_reach_zero_loses_though_the_other_would_lose_the_round() -> None:
    """David has 1 Morale, a hopeless board, and has passed. May plays a Master of Fire at 2 Morale. She reaches zero
    first, and David wins without a Resolution."""
    table = Table(may=[FIRE, OX], david=[COW])
    table.may.has("ox", at=6).scouted(6).holds("fire", "red-filler").morale_is(2)
    table.david.has("cow", at=2).scouted(6).morale_is(1)
    ready(table, table.david).david.passes()
    table.may.plays("fire@4")
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.winners == [1]
    assert table.happened(events.TOTAL) == []
    assert table.david.morale == 1


@rule("feint", 50)
def test_morale_has_no_upper_limit() -> None:
    """29 and two Masters of Earth alone at two Locations, 10 - 3 = 7 each: 29 + 14 = 43."""
    table = Table(may=[EARTH])
    table.may.has("earth", at=3).has("earth", at=6).scouted(6).morale_is(29)
    table.david.scouted(6)
    shown = resolve(table)
    assert shown["winner"] == 0
    assert table.may.morale == 43
    assert table.game.board(table.spectator)["seats"][0]["morale"] == 43


@rule("feint", 51)
def test_the_winner_loses_no_morale() -> None:
    """May has 1 Morale and cards worth 1 + 5, and wins, so she keeps her 1. The cards would have cost her the game."""
    table = Table(may=[card("bull", 6, morale=5)])
    table.may.has("bull", at=6).has("red-filler", at=2).scouted(6).morale_is(1)
    table.david.has("blue-filler", at=2).scouted(6).morale_is(23)
    shown = resolve(table)
    assert shown["winner"] == 0
    assert (table.may.morale, table.david.morale) == (1, 22)
    assert not table.state.over


@rule("feint", 46)
def test_each_sees_what_a_defeat_would_cost_as_far_as_they_know_the_cards() -> None:
    table = Table(may=[card("debt", 1, morale=5), card("veil", 1, "covert", morale=2)])
    table.may.has("debt", at=3).has("veil", at=4, down=True).holds("red-filler").morale_is(7)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    for player, known, hidden in ((table.may, 7, 0), (table.david, 5, 1)):
        panel = table.game.board(player.view)["seats"][0]
        assert (panel["at_risk"], panel["at_risk_hidden"]) == (known, hidden)
    warning = "If you lose this round, it costs your last 7 Morale and the game."
    assert table.game.controls(table.may.view)["confirm_pass"] == warning
    table.may.morale_is(8)
    assert table.game.controls(table.may.view)["confirm_pass"] is None
