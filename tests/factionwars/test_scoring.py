"""Scores of armies: every part, every goal at its boundary, ties."""

from __future__ import annotations

import pytest

from gonfalon.games.factionwars.rules import events as ev
from gonfalon.testing import rule
from tests.factionwars.scenario import Player, Table


def points(player: Player, part: str) -> int:
    return player.score[part]


def has_met(player: Player) -> bool:
    """Return whether the goal gives its bonus now."""
    bonus = next(goal.bonus for goal in player.table.game.setup.goals if goal.slug == player.goal)
    assert points(player, "goal") in (0, bonus)
    return points(player, "goal") == bonus


# ---- parts ----------------------------------------------------------------------------------------------


def test_an_empty_army_scores_nothing() -> None:
    """Conscripts score nothing."""
    table = Table(seats=2)
    table.may.has_goal("great-host")
    assert set(table.may.score.values()) == {0}


@rule("factionwars", 29)
@pytest.mark.parametrize(("count", "score"), [(1, 1), (2, 4), (3, 9), (4, 16)])
def test_each_berserker_scores_their_number(count: int, score: int) -> None:
    table = Table(seats=2)
    table.may.owns(*["berserker"] * count).draws("berserker", "rock").has_goal("clean-hands")
    table.david.owns("jarl")
    assert points(table.may, "berserkers") == score
    assert points(table.may, "recruits") == 0
    assert points(table.david, "berserkers") == 0


@rule("factionwars", 29)
def test_berserkers_are_counted_at_the_end() -> None:
    """A Kunoichi takes one of three, which leaves 4 points instead of 9."""
    table = Table(seats=2)
    table.may.owns("berserker", "berserker", "berserker").has_goal("wild-west")
    table.collects(table.david, "kunoichi").settle_chance()
    assert points(table.may, "berserkers") == 4
    assert table.score().may.total == 4


@rule("factionwars", 28)
def test_fair_winds_with_four_further_pirates_is_five() -> None:
    """The rulebook's example. The Pirates also score their own points: 2 + 3 + 4 + 1."""
    table = Table(seats=2)
    table.may.owns("fair-winds", "deckhand", "gunner", "first-mate").draws("buccaneer", "rock").has_goal("wild-west")
    table.may.owns("outlaw")
    assert points(table.may, "bonus") == 5
    assert points(table.may, "recruits") == 2 + 3 + 4 + 1 + 4


@rule("factionwars", 28)
@pytest.mark.parametrize(
    ("bonus", "member", "stranger"),
    [
        ("gatling-gun", "outlaw", "blade"),
        ("kuji-kiri", "blade", "gunner"),
        ("fair-winds", "gunner", "jarl"),
        ("odins-favor", "berserker", "outlaw"),
    ],
)
def test_each_bonus_card_counts_its_own_faction_and_itself(bonus: str, member: str, stranger: str) -> None:
    table = Table(seats=2)
    table.may.owns(bonus, stranger)
    assert points(table.may, "bonus") == 1
    table.may.owns(member)
    assert points(table.may, "bonus") == 2
    table.david.owns(member)
    assert points(table.may, "bonus") == 2
    assert points(table.david, "bonus") == 0


@rule("factionwars", 28)
@pytest.mark.parametrize(("option", "counts"), [("recruits", True), ("safe", True), ("apart", False)])
def test_whether_a_bonus_card_is_a_recruit_for_goals(option: str, counts: bool) -> None:
    """Both have one Cowboy, and May also has the Gatling Gun. It always counts as a Cowboy for its own bonus."""
    table = Table(seats=2, bonus=option)
    table.may.owns("outlaw", "gatling-gun").has_goal("wild-west")
    table.david.owns("deputy").has_goal("clean-hands")
    assert has_met(table.may) == counts
    assert points(table.may, "bonus") == 2
    table.may.has_goal("great-host")
    assert has_met(table.may) == counts
    assert table.may.board["seats"][0]["recruits"] == 1 + counts


def test_a_bystander_costs_two_points() -> None:
    table = Table(seats=2)
    table.may.owns("bystander", "bystander", "jarl").draws("bystander", "rock").has_goal("great-hall")
    table.david.owns("raider")
    assert points(table.may, "bystanders") == -4
    assert points(table.david, "bystanders") == 0
    # One Viking each, so the goal is not met.
    assert table.score().may.total == 5 - 4


def test_all_parts_are_told_at_the_end() -> None:
    """Jarl 5, one Berserker 1, Odin's Favor 3, a Bystander -2, the goal (3 Vikings to 0) 5."""
    table = Table(seats=2)
    table.may.owns("jarl", "berserker", "odins-favor", "bystander").has_goal("great-hall")
    table.david.has_goal("clean-hands")
    table.score()
    assert [(e[2], e[4], e[5]) for e in table.happened(ev.SCORED) if e[2] == 0] == [
        (0, 0, 5),
        (0, 1, 1),
        (0, 2, 3),
        (0, 3, -2),
        (0, 4, 5),
    ]
    assert (table.may.total, table.david.total) == (12, 5)
    assert [(e[2], table.name(e[3]), e[4], e[5]) for e in table.happened(ev.GOAL_SHOWN)] == [
        (0, "great-hall", 1, 5),
        (1, "clean-hands", 1, 5),
    ]
    final = table.may.board["final"]
    assert [row["total"] for row in final] == [12, 5]
    assert final[0]["parts"] == {"recruits": 5, "berserkers": 1, "bonus": 3, "bystanders": -2, "goal": 5, "open": 0}
    assert {row["name"]: row["points"] for row in final[0]["cards"]} == {
        "Jarl": 5,
        "Berserker": 1,
        "Odin's Favor": 3,
        "Innocent Bystander": -2,
    }


# ---- goals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "members", "rival"),
    [
        ("wild-west", ("outlaw", "gatling-gun"), "deputy"),
        ("night-watch", ("blade", "kunoichi"), "shadow"),
        ("pirate-fleet", ("gunner", "buccaneer"), "captain"),
        ("great-hall", ("berserker", "jarl"), "raider"),
    ],
)
def test_most_of_a_faction_is_strictly_more_than_anybody(goal: str, members: tuple[str, str], rival: str) -> None:
    table = Table(seats=3)
    table.may.has_goal(goal)
    assert not has_met(table.may)
    table.may.owns(members[0])
    assert has_met(table.may)
    table.ann.owns(rival)
    assert not has_met(table.may)
    table.may.owns(members[1])
    assert has_met(table.may)
    # Others count for each alone, not together.
    table.david.owns(rival if rival not in ("captain",) else "deckhand")
    assert has_met(table.may)


def test_most_recruits_is_strictly_more_than_anybody() -> None:
    """Bystanders and conscripts do not count."""
    table = Table(seats=3)
    table.may.has_goal("great-host").owns("bystander")
    assert not has_met(table.may)
    table.may.owns("jarl")
    assert has_met(table.may)
    table.ann.owns("outlaw")
    assert not has_met(table.may)
    table.may.owns("fair-winds")
    assert has_met(table.may)


def test_no_bystander() -> None:
    table = Table(seats=2)
    table.may.has_goal("clean-hands")
    table.david.owns("bystander")
    assert has_met(table.may)
    table.may.owns("bystander")
    assert not has_met(table.may)


ALLIANCE = ["outlaw", "blade", "gunner", "jarl", "deputy", "shadow", "deckhand", "raider"]
ALLIANCE += ["ranch-hand", "lookout", "captain", "berserker"]


@pytest.mark.parametrize(("seats", "each"), [(2, 3), (3, 2), (4, 2), (5, 1)])
def test_some_of_every_faction(seats: int, each: int) -> None:
    """Three of each for two players, two for three and four, one for five. One card less is not enough."""
    table = Table(seats=seats)
    table.may.has_goal("grand-alliance").owns(*ALLIANCE[: 4 * each - 1])
    assert not has_met(table.may)
    table.may.owns("outlaw")
    assert not has_met(table.may)
    table.may.owns(ALLIANCE[4 * each - 1])
    assert has_met(table.may)


def test_two_cards_of_value_five() -> None:
    table = Table(seats=2)
    table.may.has_goal("two-leaders").owns("marshal", "outlaw", "huscarl")
    assert not has_met(table.may)
    table.david.owns("captain")
    assert not has_met(table.may)
    table.may.owns("jarl")
    assert has_met(table.may)


@pytest.mark.parametrize(("seats", "count"), [(2, 5), (3, 3), (4, 3), (5, 3)])
def test_so_many_of_the_three_abilities(seats: int, count: int) -> None:
    """Five for two players, otherwise three. Berserkers and Bonus Cards do not count."""
    table = Table(seats=seats)
    wanted = ["gambler", "kunoichi", "buccaneer", "gambler", "kunoichi"][:count]
    table.may.has_goal("specialists").owns(*wanted[1:], "berserker", "fair-winds")
    assert not has_met(table.may)
    table.may.owns(wanted[0])
    assert has_met(table.may)


def test_two_berserkers() -> None:
    table = Table(seats=2)
    table.may.has_goal("shield-biters").owns("berserker", "jarl", "oarsman")
    assert not has_met(table.may)
    table.may.owns("berserker")
    assert has_met(table.may)


# ---- level scores -----------------------------------------------------------------------------------------


def level(**options: str) -> Table:
    """Return a tie at 7 in which no player meets a goal. May has Jarl 5, Blade 4 and a Bystander -2. David has Outlaw 4
    and Deputy 3. Ann has Gunner 3, Captain 5, two Bystanders -2 each, Lookout 2 and Buccaneer 1."""
    table = Table(seats=3, **options)
    table.may.has_goal("grand-alliance").owns("jarl", "blade", "bystander")
    table.david.has_goal("two-leaders").owns("outlaw", "deputy")
    table.ann.has_goal("clean-hands").owns("gunner", "captain", "bystander", "lookout", "bystander", "buccaneer")
    table.score()
    assert [player.total for player in table.people] == [7, 7, 7]
    return table


@rule("factionwars", 30)
def test_level_scores_share_the_victory() -> None:
    table = level()
    assert table.winners == table.people
    assert table.state.returns() == [2 / 3 - 1] * 3
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "shared"
    assert table.said[-1] == "May, David and Ann share the win."


@rule("factionwars", 30)
def test_by_option_more_points_still_decide() -> None:
    table = Table(seats=2, tie="broken")
    table.may.has_goal("specialists").owns("jarl")
    table.david.has_goal("clean-hands").owns("bystander")
    table.score()
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ([0], "points")


@rule("factionwars", 30)
def test_by_option_fewer_bystanders_win() -> None:
    table = level(tie="broken")
    assert table.winners == [table.david]
    assert table.said[-1] == "David wins: equal points, but fewer Bystanders."
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "bystanders"
    assert table.state.returns() == [-1.0, 1.0, -1.0]


@rule("factionwars", 30)
def test_by_option_then_more_recruits_win() -> None:
    """4 + 1 and 3 + 2 against a single 5."""
    table = Table(seats=3, tie="broken")
    table.may.has_goal("grand-alliance").owns("jarl")
    table.david.has_goal("great-hall").owns("outlaw", "gambler")
    table.ann.has_goal("two-leaders").owns("gunner", "lookout")
    table.score()
    assert [player.total for player in table.people] == [5, 5, 5]
    assert table.winners == [table.david, table.ann]
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "shared"
    table = Table(seats=2, tie="broken")
    table.may.has_goal("grand-alliance").owns("jarl")
    table.david.has_goal("shield-biters").owns("outlaw", "gambler")
    table.score()
    assert table.winners == [table.david]
    outcome = table.state.outcome()
    assert outcome is not None
    assert outcome.how == "recruits"
