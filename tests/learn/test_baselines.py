"""Baselines: the same seed writes the same file, the benchmark takes it, and bad input is one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonfalon import games
from gonfalon.bots import Budget
from gonfalon.bots.bot import BotError
from gonfalon.bots.network import Layers, load
from gonfalon.bots.network_input import network_input_of
from gonfalon.bots.planner import Planner
from gonfalon.bots.search import Stat, UctSearch
from gonfalon.bots.search_policy import Pilot
from gonfalon.bots.uct import UctBot
from gonfalon.cli import main
from gonfalon.cli.lab_syntax import BASELINES
from gonfalon.core.errors import OptionError
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, State
from gonfalon.core.worlds import worlds
from gonfalon.learn.baselines.command import NAMES
from gonfalon.learn.baselines.files import FORMAT, TableBot
from gonfalon.learn.baselines.learning import FOLLOW, Magnetic
from gonfalon.learn.benchmark.agents import agent
from gonfalon.learn.exact import exploitability_of, key
from gonfalon.learn.selfplay import Lot, Version
from gonfalon.learn.settings import Settings
from tests.learn.test_agents import asked
from tests.learn.test_training import positions

GAMES = {
    **dict.fromkeys(["cfr+", "mccfr", "mmd --tiny"], "feint"),
    **dict.fromkeys(["is-mcts", "ppo", "ppo-search", "mmd"], "jinkei"),
}


def made(name: str, path: Path, seed: int = 1, budget: int = 40) -> Path:
    words = [*name.split(), GAMES[name], "--seed", str(seed), "--budget", str(budget), "--out", str(path)]
    assert main(["baseline", *words]) == 0
    return path


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_writes_the_same_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    end = "npz" if name in ("ppo", "ppo-search", "mmd") else "json"
    one, two, three = (made(name, tmp_path / f"{i}.{end}", seed) for i, seed in enumerate((1, 1, 2)))
    assert one.read_bytes() == two.read_bytes()
    if name == "mccfr":
        policies = [json.loads(path.read_text("utf-8"))["tables"][0]["policy"] for path in (one, three)]
        assert policies[0] != policies[1]
    elif end == "npz":
        first, last = (load(path).value.weights[0] for path in (one, three))
        assert not np.array_equal(first, last)


@pytest.mark.parametrize("name", ["ppo", "ppo-search", "mmd", "is-mcts"])
def test_the_benchmark_takes_who_plays_the_whole_game(name: str, tmp_path: Path) -> None:
    path = made(name, tmp_path / ("player.json" if name == "is-mcts" else "player.npz"))
    game = games.game("jinkei")
    bot = agent(str(path), game)
    assert isinstance(bot, Planner) == (name == "ppo-search")
    assert isinstance(bot, UctBot) == (name == "is-mcts")
    for number in range(3):  # rounds in which both choose at once
        seen = asked("jinkei", number + 1)[1]
        twin = worlds(seen).sample(Rng(9)).mask(seen.viewer)
        one, two = (bot.choose(v, None, Rng(5)) for v in (seen, twin))
        assert one == two
        assert one.action in seen.legal(seen.viewer)
    if name == "ppo":  # a network has learnt other cards than tiny configurations have
        card = tmp_path / "card.json"
        assert main(["benchmark", "jinkei", "--agent", str(path), "--parts", "exact", "--write", str(card)]) == 0
        assert json.loads(card.read_text("utf-8"))["games"]["jinkei"]["exploitability"] is None


def test_the_benchmark_measures_tables_exactly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made("cfr+", tmp_path / "cfr.json", budget=100)
    told = capsys.readouterr().err
    card = tmp_path / "card.json"
    assert main(["benchmark", "feint", "--agent", str(path), "--parts", "exact", "--write", str(card)]) == 0
    found = json.loads(card.read_text("utf-8"))
    exact = found["games"]["feint"]["exploitability"]
    assert found["file"]
    for number, gain in enumerate(exact.values()):
        assert 0.0 <= gain < 0.001
        assert f"tiny {number}: exploitability {gain:.4f}"[:-1] in told
    assert main(["benchmark", "feint", "--agent", str(path), "--parts", "score"]) == 2
    assert "--parts exact" in capsys.readouterr().err


def test_a_table_is_drawn_from_as_often_as_it_says(tmp_path: Path) -> None:
    game = games.kind("feint").tiny()[0]
    state = game.start(log=True)
    while state.turn == CHANCE or len(state.actions) < 2:
        state.apply(state.turn, state.actions[0])
    view = state.mask(state.turn)
    bare = view.clone()
    bare.log = None  # tables know no log, a table of people has one
    first, second = view.legal(view.viewer)[:2]
    bot = TableBot("table", game, {key(bare): [(first, 0.25), (second, 0.75)]})
    chosen = [bot.choose(view, None, Rng(seed)).action for seed in range(400)]
    # 100 of 400, within four times 8.7
    assert abs(chosen.count(first) - 100) < 35
    assert set(chosen) == {first, second}
    assert bot.mixture(bare) == [(first, 0.25), (second, 0.75)]
    with pytest.raises(BotError, match="not legal"):
        TableBot("table", game, {key(bare): [(-7, 1.0)]}).choose(view, None, Rng(1))
    unknown = TableBot("table", game, {}).mixture(view)
    assert [share for _, share in unknown] == pytest.approx([1 / len(view.legal(view.viewer))] * len(unknown))


def test_who_mixes_is_not_taken_for_one_of_its_answers() -> None:
    """In the tiny Feint whoever always does the same loses more to who knows it than whoever plays at random."""
    game = games.kind("feint").tiny()[0]
    assert exploitability_of(game, TableBot("even", game, {}), 1) == pytest.approx(
        exploitability_of(game, agent("random", game), 1)
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["cfr", "feint"], "did you mean cfr+"),
        (["cfr+", "fent"], "Did you mean feint?"),
        (["cfr+", "feint", "--budget", "0"], "the budget lies between 1 and"),
        (["cfr+", "feint", "--out", "there.json"], "there.json is there already"),
        (["ppo", "feint", "--out", "nowhere/x.npz"], "there is no folder nowhere"),
        (["ppo", "feint", "--tiny"], "leave --tiny out"),
        (["mmd", "feint", "--tiny", "--option", "factions=wu,agents"], "leave --option out"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.json").write_text("kept", "utf-8")
    assert main(["baseline", *words]) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert said.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]
    assert (tmp_path / "there.json").read_text("utf-8") == "kept"


def test_a_game_without_tiny_configurations_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(games.kind("feint"), "tiny", classmethod(lambda kind: []))
    assert main(["baseline", "cfr+", "feint", "--out", str(tmp_path / "x.json")]) == 2
    assert "has no tiny configuration for two" in capsys.readouterr().err


HEAD: dict[str, Any] = {"format": FORMAT, "format_version": 1, "baseline": "cfr+", "game": "feint", "rules": "2"}


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("[]", "cannot be read as a baseline"),
        ("\xff", "cannot be read as a baseline"),
        (HEAD, "cannot be read as a baseline"),
        (HEAD | {"budget": 0, "tables": []}, "cannot be read as a baseline"),
        (HEAD | {"budget": 1, "tables": [], "format_version": 2}, "is no baseline of version 1"),
        (HEAD | {"budget": 1, "tables": [], "rules": "1"}, "of another game than"),
        (HEAD | {"budget": 1, "tables": []}, "plays tiny configurations of"),
        ([{}], "holds a policy that cannot be read"),
        ([{"tiny": 0, "cards": "", "policy": {"zz": {}}}], "holds a policy that cannot be read"),
        ([{"tiny": 0, "cards": "", "policy": {"00": {"pass": 2}}}], "holds a policy that cannot be read"),
        ([{"tiny": 0, "cards": "", "policy": {"00": {"pass": 0}}}], "holds a policy that cannot be read"),
        ([{"tiny": 0, "cards": "", "policy": {"00": {"hm": 1}}}], "holds a policy that cannot be read"),
    ],
)
def test_a_file_that_is_no_player_is_one_sentence(body: Any, complaint: str, tmp_path: Path) -> None:
    game = games.kind("feint").tiny()[0]
    if isinstance(body, list):
        body = HEAD | {"budget": 1, "tables": [one | {"cards": game.data_hash} if one else one for one in body]}
    path = tmp_path / "player.json"
    path.write_text(body if isinstance(body, str) else json.dumps(body), "latin-1")
    with pytest.raises(OptionError, match=complaint):
        agent(str(path), game)


def test_the_command_names_what_there_is() -> None:
    assert BASELINES == NAMES


# ---- is-mcts ------------------------------------------------------------------------------------------


def searching(view: State, seed: int) -> UctSearch:
    return UctSearch(view, worlds(view).sample, Pilot(games.game("feint")), Rng(seed))


def stat(count: int, total: float, offered: int) -> Stat:
    one = Stat(0.0)
    one.count, one.total, one.offered = count, total, offered
    return one


def test_upper_confidence_bounds_by_hand() -> None:
    """0.5 + 0.7 * sqrt(ln 10 / 8) = 0.876 against 0.2 + 0.7 * sqrt(ln 10 / 2) = 0.951, and once that was tried twice
    more 0.2 + 0.7 * sqrt(ln 12 / 4) = 0.752 against 0.5 + 0.7 * sqrt(ln 12 / 8) = 0.890."""
    search = searching(asked("feint")[1], 1)
    assert 0.5 + 0.7 * sqrt(log(10) / 8) < 0.2 + 0.7 * sqrt(log(10) / 2)
    assert search.best([stat(8, 4.0, 9), stat(2, 0.4, 9)], 0.0) == 1
    assert search.best([stat(8, 4.0, 11), stat(4, 0.8, 11)], 0.0) == 0
    # What was never tried comes first, any of it.
    some = {
        searching(asked("feint")[1], seed).best([stat(1, 1.0, 1), stat(0, 0.0, 0), stat(0, 0.0, 0)], 0.0)
        for seed in range(20)
    }
    assert some == {1, 2}


def test_tries_are_counted_and_all_actions_get_one() -> None:
    game, view = asked("feint")
    choice = UctBot("is-mcts", game).choose(view, Budget(iterations=60), Rng(1))
    assert choice.iterations == 60
    assert len(view.legal(view.viewer)) <= 60
    assert all(share > 0.0 for _, share in choice.policy)


# ---- magnetic mirror descent, as a network --------------------------------------------------------------


def magnetic() -> Magnetic:
    """A training that orders no games."""

    def order(version: Version) -> Callable[[], Lot]:
        raise NotImplementedError

    return Magnetic(network_input_of(games.game("feint")), order, 1, Settings(thumb=0.0, decay=0.9))


def test_the_magnet_pulls_as_the_divergence_falls() -> None:
    """Against small differences: the pull is the slope of the divergence from the magnet, by log-odds."""
    dice = np.random.default_rng(1)
    batch = positions()
    training = magnetic()
    training.known = np.arange(2)
    training.magnet = Layers([dice.standard_normal((2, 3))], [dice.standard_normal(3)])
    full, owner, said = batch.rows * 0.1, batch.owner(), dice.standard_normal((2, 3))

    def divergence(moved: Any) -> float:
        assert training.magnet is not None
        logp, magnet = batch.logp(moved, owner), batch.logp(training.magnet(full), owner)
        return float((np.exp(logp) * (logp - magnet)).sum()) / 2

    logp = batch.logp(said, owner)
    slope = np.zeros_like(said)
    np.add.at(slope, (owner, batch.answers), training.calm(batch, full, owner, np.exp(logp), logp, 0.0))
    for row in range(2):
        for answer in range(3):
            step = np.zeros_like(said)
            step[row, answer] = 1e-5
            wanted = 0.05 * (divergence(said + step) - divergence(said - step)) / 2e-5
            assert slope[row, answer] == pytest.approx(wanted, abs=1e-6)


def test_the_magnet_follows_slowly() -> None:
    training = magnetic()
    training.magnet = training.policy.copy()
    training.policy.layers.biases[-1] += 1.0
    training.follow()
    assert training.magnet.biases[-1] == pytest.approx(np.full(training.sense.outputs, FOLLOW))
    assert training.policy.layers.biases[-1] == pytest.approx(np.ones(training.sense.outputs))
