"""Matches: paired, reproducible, the same with any number of workers."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from gonfalon import OptionError, games
from gonfalon.bots import Budget, make
from gonfalon.bots.players.driver import Driver
from gonfalon.bridges.tasks import TASKS
from gonfalon.games.generals.cards.decks import GeneralsDecks
from gonfalon.lab.run import match as match_module
from gonfalon.lab.run.match import (
    LengthSummary,
    MatchGame,
    estimate_interval,
    get_game,
    list_matchups,
    name_sides,
    play_alike,
    play_deal,
    play_match,
    summarize_match,
)
from tests.cli.conftest import Run, run, small

__all__ = ["run", "small"]


def test_one_and_two_workers_play_the_same_match() -> None:
    one = play_match("greedy", "random", "feint", pairs=20, seed=3)
    two = play_match("greedy", "random", "feint", pairs=20, seed=3, workers=2)
    assert one == two
    assert one.games == 40
    assert play_match("greedy", "random", "feint", pairs=20, seed=4) != one


def test_all_ordered_pairs_of_factions_take_turns() -> None:
    setups = list_matchups("feint", {"capacity": "11"})
    assert len(setups) == len({setup["factions"] for setup in setups}) == 20
    assert all(setup["capacity"] == "11" for setup in setups)
    assert list_matchups("feint", {"factions": "wu,keion"}) == [{"factions": "wu,keion"}]


def test_all_ordered_pairs_of_ready_decks_take_turns() -> None:
    setups = list_matchups("generals", {"mulligan": True})
    assert len(setups) == len({setup["decks"] for setup in setups}) == 9 * 8
    assert all(setup["mulligan"] is True for setup in setups)
    assert {"mulligan": True, "decks": ("yellow-sky", "red-cliffs")} in setups
    assert list_matchups("generals", {"decks": "red-cliffs,yellow-sky"}) == [{"decks": "red-cliffs,yellow-sky"}]


def test_mirrored_decks_are_the_same_for_both_and_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    setups = list_matchups("generals", {"mulligan": True}, mirrored=True)
    assert len(setups) == 9
    assert {"mulligan": True, "decks": ("red-cliffs", "red-cliffs")} in setups
    assert all(len(set(setup["decks"])) == 1 and setup["mulligan"] is True for setup in setups)
    played = play_match("greedy", "random", "generals", pairs=2, seed=3, mirrored=True)
    assert all(list(row) == [deck] for deck, row in played.table.items())
    with pytest.raises(OptionError, match="options already set the decks"):
        list_matchups("generals", {"decks": "red-cliffs,yellow-sky"}, mirrored=True)
    with pytest.raises(OptionError, match="deck"):
        list_matchups("feint", {}, mirrored=True)
    monkeypatch.setattr(GeneralsDecks, "ready", lambda _: [])
    with pytest.raises(OptionError, match="no preset decks"):
        list_matchups("generals", {}, mirrored=True)


def test_decks_are_distinguished_by_name() -> None:
    """A player's deck with a preset deck's name counts as its own, and a deck that meets itself has one name."""
    red_cliffs = "red-cliffs"
    code = "3 Cao Cao\n3 Cao Ren\n"
    game = games.game("generals", decks=(red_cliffs, "yellow-sky"))
    assert name_sides(game) == ["red-cliffs", "yellow-sky"]
    decks = game.decks()
    assert decks is not None
    own = decks.text(decks.find(red_cliffs)) + code
    assert name_sides(games.game("generals", decks=(red_cliffs, own))) == ["red-cliffs", "own-red-cliffs"]
    named = decks.text(replace(decks.find(red_cliffs), name="My Own Fleet", slug=""))
    assert name_sides(games.game("generals", decks=(named, red_cliffs))) == ["my-own-fleet", "red-cliffs"]
    assert name_sides(games.game("generals", decks=(named, named))) == ["my-own-fleet", "my-own-fleet"]
    other = decks.text(replace(decks.find("yellow-sky"), name="My own fleet", slug=""))
    assert name_sides(games.game("generals", decks=(named, other))) == ["my-own-fleet", "my-own-fleet-2"]


def test_figures_by_hand() -> None:
    """X wins one of four games, and so does the first seat to decide."""
    deals = [
        [
            MatchGame(0, ("x", "y"), 1.0, (0,), "siege", 10, 4, 0),
            MatchGame(1, ("x", "y"), 1.0, (1,), "siege", 20, 6, 0),
        ],
        [
            MatchGame(0, ("y", "x"), 1.0, (0,), "empty", 30, 8, 1),
            MatchGame(1, ("y", "x"), 0.0, (0,), "siege", 40, 9, 1),
        ],
    ]
    result = summarize_match("greedy", "greedy", "generals", 2, 0, deals)
    assert result.endings == {"empty": 1, "siege": 3}
    assert [(result.sides[side].score, result.sides[side].games) for side in "xy"] == [(0.25, 4), (0.75, 4)]
    # By deals: X got half of the first and nothing of the second, not one of four games of equal weight.
    assert (result.sides["x"].low, result.sides["x"].high) == estimate_interval([0.5, 0.0])[1:]
    assert result.first is not None
    assert (result.first.score, result.first.games) == (0.25, 4)
    assert result.lengths == {"decisions": LengthSummary(25, 10, 40), "turns": LengthSummary(7, 4, 9)}


def test_a_level_against_itself_is_even_by_seats() -> None:
    result = play_match("random", "random", "feint", {"factions": "wu,keion"}, pairs=40, seed=1)
    assert result.low < 0.5 < result.high
    assert set(result.sides) == {"wu", "keion"}
    assert sum(result.endings.values()) == 80


def test_a_level_accepts_a_number_of_iterations() -> None:
    game = get_game("feint", {})
    assert make("greedy:200", game).budget == Budget(iterations=200)
    assert make("greedy", game).budget == Budget()
    for text in ("greedy:", "greedy:0", "greedy:-5", "greedy:²", "greedy:99999999999"):
        with pytest.raises(OptionError, match="a number of iterations"):
            make(text, game)


def test_the_interval_holds_the_mean_and_narrows() -> None:
    p, low, high = estimate_interval([1.0, 0.5, 1.0, 0.5] * 25)
    assert low < p == 0.75 < high
    assert high - low < 0.15
    assert 0.95 < estimate_interval([1.0] * 100)[1] < 0.98
    assert estimate_interval([0.0]) == (0.0, 0.0, 1.0)
    assert estimate_interval([0.5] * 10)[0] == 0.5


@pytest.mark.parametrize("count", [2, 3, 7, 20, 100, 1000])
def test_equal_scores_have_an_interval(count: int) -> None:
    """If one deal in count / 2 scored a game more or less, it might not have been seen."""
    p, low, high = estimate_interval([0.3333] * count)  # as a third is rounded
    assert p == 0.3333
    assert low <= p - min(0.3333, 2 / count)
    assert high >= p + min(0.6666, 2 / count)


def test_a_match_of_three_says_which_score_is_even(run: Run) -> None:
    argv = ["lab", "match", "random", "random", "--game", "factionwars", "--option", "seats=3", "--pairs", "1"]
    assert "); 33.3 % is even; seed 0" in run(*argv)[1]


def test_a_match_takes_a_named_task_without_drawn_factions(run: Run) -> None:
    name = "gonfalon/factionwars-small-v1"
    played = play_match("random", "random", "factionwars", TASKS[name].options, pairs=1)
    assert played.digest in run("lab", "match", name, "random", "random", "--pairs", "1", "--json")[1]
    assert "Name the game: feint." in run("lab", "match", "gonfalon/feint-full-v1", "random", "random")[2]


def test_the_command_prints_a_table(run: Run) -> None:
    argv = ["lab", "match", "feint", "greedy", "random", "--pairs", "20", "--seed", "1"]
    code, out, err = run(*argv)
    assert (code, err) == (0, "")
    assert "A scores" in out
    assert "Society of Engineers" in out
    assert "Length in decisions: median " in out
    assert "The seat that decides first wins " in out
    assert re.search(r"^Society of Engineers +\d+\.\d % \(95 %: \d+\.\d to \d+\.\d; 16 games\)$", out, re.M)
    code, out, _ = run(*argv, "--json", "--workers", "2")
    assert code == 0
    assert json.loads(out)["games"] == 40


@pytest.mark.parametrize(("a", "b"), [("greedy", "greedy"), ("strong:20", "strong:20")])
def test_a_level_does_not_play_a_deal_twice_alike_with_itself(a: str, b: str) -> None:
    deals = 4 if a == "greedy" else 2
    found = [play_deal(a, b, "feint", list_matchups("feint", {}), 3, number)[0] for number in range(deals)]
    assert [len(deal) for deal in found] == [2] * deals
    told = [[(game.winners, game.how, game.decisions, game.first) for game in deal] for deal in found]
    assert [first for first, second in told if first == second] == []


def test_two_levels_play_the_same_deal_from_both_seats() -> None:
    """May's first hand is the same in both games, so the deal does not depend on the players."""
    hands = []
    for a, b in (("greedy", "random"), ("random", "greedy"), ("greedy", "greedy:7")):
        assert not play_alike(make(a, games.game("feint")), make(b, games.game("feint")))
        hands.append(chances("feint", a, b))
    assert hands[0] == hands[1] == hands[2]
    assert len(set(hands[0])) == 1
    assert len(set(chances("feint", "greedy", "greedy"))) == 2


def chances(name: str, a: str, b: str) -> list[str]:
    """Return the seed of the first shuffle of each game of a deal."""
    seeds = []

    class Watched(Driver):
        def advance(self) -> int | None:
            seat = super().advance()
            seeds.append(self.game.notation(self.record.decisions[0][1]))
            return seat

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_module, "Driver", Watched)
        play_deal(a, b, name, [{}], 3, 0)
    return seeds


def test_a_match_of_a_level_with_itself_says_how_it_was_dealt(run: Run) -> None:
    code, out, _ = run("lab", "match", "random", "random", "--game", "jinkei", "--pairs", "2")
    assert code == 0
    assert "A and B play alike, so every game has its own deal" in out
    _, out, _ = run("lab", "match", "random", "greedy", "--game", "jinkei", "--pairs", "1")
    assert "dealt anew" not in out
    assert play_match("random", "random", "jinkei", pairs=1).dealt_anew
    assert not play_match("random", "greedy", "jinkei", pairs=1).dealt_anew
