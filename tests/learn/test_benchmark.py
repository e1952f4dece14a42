"""The frozen benchmark: exact best responses worked out by hand, cards that are equal, cards that are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gonfalon import games
from gonfalon.bots import make
from gonfalon.cli import main
from gonfalon.core.errors import OptionError
from gonfalon.core.simple import SimpleGame, SimpleState
from gonfalon.core.state import Action, Seat, State, Step, Together
from gonfalon.learn import benchmark
from gonfalon.learn.exact import Mixture, exploitability, frozen

HEADS, TAILS = range(2)


class PenniesState(SimpleState):
    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.shown: list[int] = []
        self.round: int = 0

    def points(self) -> list[int]:
        same = sum(a == b for a, b in zip(self.shown[::2], self.shown[1::2], strict=True))
        return [self.round - same, same]


class Show(Together[PenniesState]):
    """A penny each: the second seat wins if both are alike."""

    prompt: ClassVar[str] = "show"

    def options_of(self, s: PenniesState, seat: Seat) -> list[Action]:
        return [] if s.answers[seat] else [HEADS, TAILS]

    def finish(self, s: PenniesState) -> None:
        s.shown += [s.answers[0][0], s.answers[1][0]]
        s.round += 1


SHOW = Show([0, 1])


class Pennies(SimpleGame[PenniesState]):
    name: ClassVar[str] = "pennies"
    title: ClassVar[str] = "Pennies"
    version: ClassVar[str] = "1"
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    state_class = PenniesState
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Show,)
    card_names = ("Heads", "Tails")
    card_texts = ("", "")
    asks: ClassVar[dict[str, tuple[str, str]]] = {"show": ("Which?", "Show {card}.")}

    def deck(self) -> list[int]:
        return []

    def set_up(self, s: PenniesState) -> None:
        s.stack = [SHOW]


def heads(share: float) -> Any:
    def play(view: State) -> Mixture:
        assert view.viewer in (0, 1)
        return [(HEADS, share), (TAILS, 1 - share)]

    return play


@pytest.mark.parametrize(
    ("share", "gain"),
    [
        (0.5, 0.0),  # whatever one shows wins as often as it loses
        (1.0, 1.0),  # who knows what comes always wins
        (0.75, 0.5),  # wins three of four
    ],
)
def test_what_a_perfect_opponent_gains(share: float, gain: float) -> None:
    assert exploitability(Pennies(), heads(share)) == pytest.approx(gain)


def test_who_responds_sees_no_open_answer() -> None:
    """Seat 1 answers after seat 0 has; if it saw the answer it would always win."""
    state = Pennies().start()
    state.apply(0, HEADS)
    assert state.turn == 1
    assert exploitability(Pennies(), heads(0.5)) < 0.5


@pytest.mark.parametrize("name", ["factionwars", "feint"])  # the trees of the others take longer
def test_a_best_response_does_no_worse_than_the_player_itself(name: str) -> None:
    """In a game for two the gains of both seats add up to 0 at least: each could answer as the player does."""
    tiny = next(game for game in games.kind(name).tiny() if game.seats == 2)
    gains = {level: exploitability(tiny, frozen(make(level, tiny), 1)) for level in ("random", "greedy")}
    assert all(-1e-9 < gain <= 1 + 1e-9 for gain in gains.values())
    assert gains["random"] > 0.1


def test_it_is_the_exploitability_that_openspiel_finds() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from gonfalon.bridges.openspiel import load

    tiny = games.kind("feint").tiny()[0]
    policy = pyspiel.UniformRandomPolicy(load(tiny))
    ours = exploitability(tiny, frozen(make("random", tiny), 1))
    assert ours == pytest.approx(pyspiel.exploitability(load(tiny), policy), abs=1e-9)


def test_a_game_too_large_or_shuffled_by_a_seed_is_one_sentence() -> None:
    game = games.game("jinkei")
    with pytest.raises(OptionError, match="shuffles by seeds here"):
        exploitability(game, frozen(make("random", game), 1))


def test_two_runs_write_equal_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / "one.json", tmp_path / "two.json"]
    for path in paths:
        assert main(["benchmark", "feint", "--agent", "random", "--pairs", "3", "--write", str(path)]) == 0
    one, two = (json.loads(path.read_text("utf-8")) for path in paths)
    assert one == two
    assert one["games"]["feint"]["against"].keys() == {"random", "greedy", "club"}
    assert one["games"]["feint"]["rules"] == "2"
    assert one["hash"] == benchmark.hash_of(one)
    capsys.readouterr()
    assert main(["benchmark", "--leaderboard", *map(str, paths)]) == 0
    said = capsys.readouterr().out
    assert said.count("| random | ") == 2
    assert said.count(one["hash"]) == 2


CARD: dict[str, Any] = {"benchmark": 1, "seed": 1, "agent": "random", "games": {}, "machine": {}}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"benchmark": 7}, "is of version 7 of the benchmark, and this is 1"),
        ({"agent": "expert"}, "was changed"),
        ({"games": None}, "was changed"),
    ],
)
def test_a_card_that_is_not_ours_is_refused(change: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    card = {**CARD, "hash": benchmark.hash_of(CARD)}
    path.write_text(json.dumps(card), "utf-8")
    assert benchmark.read(path) == card
    path.write_text(json.dumps(card | change), "utf-8")
    with pytest.raises(OptionError, match=complaint):
        benchmark.read(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "\xff"])
def test_what_is_no_card_is_one_sentence(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "card.json"
    path.write_text(text, "latin-1")
    assert main(["benchmark", "--leaderboard", str(path)]) == 2
    assert "card" in capsys.readouterr().err


def test_cards_of_other_rules_are_not_compared() -> None:
    entry = {"rules": "2", "cards": "x", "pairs": 3, "exploitability": {}, "against": {}}
    cards = [{**CARD, "games": {"feint": {**entry, "rules": rules}}} for rules in ("2", "3")]
    with pytest.raises(OptionError, match="different rules"):
        benchmark.leaderboard(cards)


def test_an_agent_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "jinkei", "--agent", "champion"]) == 2
    assert "champion" in capsys.readouterr().err
