"""Fairness: shares of made-up games against manual sums, reproducible studies, and games chosen to reduce
the interval."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.games.generals import Generals
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.studies.balance import balance, command
from gonfalon.lab.studies.balance.balance import Balance, Cell, Figure, Matchup, find_score, format_lines, study_balance
from gonfalon.lab.studies.whatif.whatif import describe_share_reliability

QUICK = {"end_round": 2}


def games(won: int, of: int, a: str = "red", b: str = "blue") -> Matchup:
    """Return a matchup in which A has won this number of rounds of two games from both seats and lost the others."""
    matchup = Matchup(Arm("feint", ("{}", "{}"), "random", 0), a, b)
    rows = []
    for round in range(of):
        first, second = ((1.0, 0.0), (0.0, 1.0)) if round < won else ((0.0, 1.0), (1.0, 0.0))
        rows += [Row(round, 0, (a, b), first, "rounds", 10, 3, 0), Row(round, 1, (b, a), second, "rounds", 10, 3, 0)]
    matchup.add(Block(rows, 0.0))
    return matchup


def test_shares_count_opponents_alike_however_often_they_were_met() -> None:
    """Red beats Blue in 3 of 4 rounds and Green in 20 of 40: 75 % and 50 %, so 62.5 % over both."""
    met = [games(3, 4), games(20, 40, "red", "green"), games(2, 8, "blue", "green")]
    told = {figure.what: figure.value for figure in balance.side_figures(met)}
    assert told == {"red": 0.625, "green": 0.625, "blue": 0.25}


def test_a_wave_plays_only_the_games_a_matchup_lacks() -> None:
    even, lopsided = games(20, 40), games(40, 40)
    for matchup in (even, lopsided):
        matchup.blocks = 4
    assert lopsided.score.half_width() < even.score.half_width()
    assert lopsided.count_missing_blocks(0.05) == 0  # never lost in 40 rounds: known to 2.6 points
    assert (
        even.count_missing_blocks(0.05) == 4
    )  # to 15.7 points: it lacks nine times what it has, and gets as many again
    assert even.count_missing_blocks(0.2) == 0


def test_sides_that_meet_themselves_share_one_figure() -> None:
    """The four figures of the same games have half the interval of one. By the square, a quarter of the games would be
    enough."""
    met = balance.pair_sides("feint", {}, "random", 0)
    assert {matchup.alike for matchup in met if matchup.a != matchup.b} == {1}
    assert {matchup.alike for matchup in met if matchup.a == matchup.b} == {5}
    alone, together = games(20, 40), games(20, 40)
    together.alike = 4
    alone.blocks = together.blocks = 400
    assert together.half_width() == alone.half_width() / 2
    just = alone.score.half_width() / 2
    assert alone.count_missing_blocks(just) == 400
    assert together.count_missing_blocks(just) == 0


def test_no_two_matchups_share_their_deals() -> None:
    """Otherwise luck in one matchup would repeat in all, and shares over several would look more certain
    than they are."""
    met = balance.pair_sides("feint", {}, "random", 0)
    assert len(met) == 15  # ten pairs, and each faction against itself
    assert len({matchup.arm.seed for matchup in met}) == 15


@pytest.mark.usefixtures("near")
def test_a_study_is_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    options = {**QUICK, "cards": {"form": 1}}
    plain = study_balance("feint", options, "random", 0.2, 10_000)
    spawned = study_balance("feint", options, "random", 0.2, 10_000, workers=2, folder=tmp_path)
    again = study_balance("feint", options, "random", 0.2, 10_000, folder=tmp_path)
    assert plain.digest == spawned.digest == again.digest
    assert plain.reached
    assert len(plain.cells) == 10
    assert all(cell.half <= 0.2 for cell in plain.cells)
    assert plain.equals, "mirror matches tell what it is worth to begin"
    ways = find_score(plain, "wu", "keion"), find_score(plain, "keion", "wu")
    assert ways[0] is not None
    assert ways[1] is not None
    assert ways[0][0] + ways[1][0] == pytest.approx(1.0)
    text = "\n".join(format_lines(plain, {}))
    assert "the seat that decides first" in text
    assert plain.story == [], "players who tell no chances tell no story"


def test_choices_made_in_the_game_are_fixed() -> None:
    """Three pairs of Jinkei's types in both orders, so each type plays four games of a round of six. A share based on
    players' choices would also measure their choice."""
    met = balance.pair_sides("jinkei", {}, "random", 0)
    given = [[tuple(json.loads(setup)["types"]) for setup in matchup.arm.setups] for matchup in met]
    assert given == [[(a, b), (b, a)] for a, b in (("sword", "shield"), ("sword", "bow"), ("shield", "bow"))]
    types = study_balance("jinkei", {}, "random", 0.5, 240)
    assert {figure.what for figure in types.sides} == {"sword", "shield", "bow"}
    assert sum(figure.games for figure in types.sides) == 2 * types.games
    assert types.came == [], "that would be the same once more"


def test_no_more_games_are_played_than_were_allowed() -> None:
    """A block of two sides has 80 games and one of a side with itself 40. The first wave takes 2 of each, 1,200."""
    with pytest.raises(OptionError, match=r"These matchups need at least 1,200 games; 1,199 are too few"):
        study_balance("feint", QUICK, "random", 0.01, 1_199)
    least = study_balance("feint", QUICK, "random", 0.01, 1_200)
    assert least.games == 1_200
    more = study_balance("feint", QUICK, "random", 0.01, 1_500)
    assert 1_500 - 80 < more.games <= 1_500, "the next wave would be as large as the first"
    assert not more.reached


def a_balance() -> Balance:
    """Return a sample result of a study."""
    sides = [Figure("red", 0.7, 0.04, 400), Figure("blue", 0.3, 0.04, 400)]
    even = [Figure("seat 0", 0.5, 0.05, 400), Figure("seat 1", 0.5, 0.05, 400)]
    first = [Figure("the seat that decides first", 0.52, 0.05, 100)]
    story = [Figure("changes of the lead in a game", 1.5, 0.2, 400)]
    return Balance(
        "feint", "Feint", "2", "aa", "random", describe_share_reliability("random"), 1, 0.05, True, 400, 1.0,
        [Cell("red", "blue", 0.7, 0.04, 400)], sides, even, first, True, came=[], length=[], endings=[], story=story,
        digest="d",
    )  # fmt: skip


def test_the_page_names_unbalanced_sides_and_shows_both_orders_of_a_matchup() -> None:
    pytest.importorskip("altair")
    html = command.render_page(a_balance(), {"red": "Red & Co"})
    assert "Clearly outside 45 to 55 %: Red &amp; Co with 70 %, blue with 30 %." in html
    assert "<td class=up3>70<small>±4</small></td>" in html
    assert "<td class=down3>30<small>±4</small></td>" in html
    assert "<script" not in html
    assert len(html.encode()) < 150_000


def test_sides_that_are_named_meet_alone() -> None:
    """Sides named directly or by the seats' options: each pair from both seats, then each with itself."""
    for options, sides in (({}, ["wu", "keion"]), ({"factions": ("wu", "keion")}, [])):
        met = balance.pair_sides("feint", options, "random", 0, sides)
        assert [(matchup.a, matchup.b) for matchup in met] == [("wu", "keion"), ("wu", "wu"), ("keion", "keion")]
        assert [len(matchup.arm.setups) for matchup in met] == [2, 1, 1]
    with pytest.raises(OptionError, match="has no side 'nobody'"):
        balance.pair_sides("feint", {}, "random", 0, ["wu", "nobody"])
    with pytest.raises(OptionError, match="has no sides"):
        balance.pair_sides("factionwars", {}, "random", 0, ["cowboys"])


def test_an_own_deck_is_one_side_that_meets_itself_and_the_deck_whose_name_it_bears(tmp_path: Path) -> None:
    """Three decks give three pairs. Each also meets itself, which is no matchup and counts for no share."""
    decks = Generals().decks()
    assert decks is not None
    text = decks.text(decks.find("red-cliffs"))
    fire, again = tmp_path / "fire.deck", tmp_path / "again.deck"
    fire.write_text(text.replace("Red Cliffs", "My Fire"), "utf-8")
    again.write_text(text.replace("3 Lu Meng", "2 Lu Meng"), "utf-8")
    met = balance.pair_sides("generals", {}, "random", 0, [str(fire), str(again), "red-cliffs"])
    pairs = [("my-fire", "own-red-cliffs"), ("my-fire", "red-cliffs"), ("own-red-cliffs", "red-cliffs")]
    mirrors = [(side, side) for side in ("my-fire", "own-red-cliffs", "red-cliffs")]
    assert [(matchup.a, matchup.b) for matchup in met] == [*pairs, *mirrors]
    other = tmp_path / "other.deck"
    other.write_text(fire.read_text("utf-8").replace("3 Lu Meng", "2 Lu Meng"), "utf-8")
    with pytest.raises(OptionError, match="Two of these decks have the name 'my-fire'"):
        balance.pair_sides("generals", {}, "random", 0, [str(fire), str(other)])
    with pytest.raises(OptionError, match=r"There is no file 'nofile\.deck', and no such preset deck"):
        balance.pair_sides("generals", {}, "random", 0, ["nofile.deck", "red-cliffs"])
