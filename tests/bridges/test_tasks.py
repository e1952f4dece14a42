"""Named tasks, and environments that draw the pairing of each game."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.session import Session, find_game
from gonfalon.bridges.tasks import TASKS, make_task
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.vector import Vector

FEINT, GENERALS = "gonfalon/feint-full-v1", "gonfalon/generals-full-v1"
VERSIONS = {
    "gonfalon/factionwars-full-v1": ("3", "eb3a341cdb69579d", 1041, 36),
    "gonfalon/factionwars-small-v1": ("3", "ffa80371835daae2", 1041, 36),
    FEINT: ("2", "77c2487bb0c2e4ba", 3593, 462),
    "gonfalon/feint-small-v1": ("2", "77c2487bb0c2e4ba", 2857, 462),
    GENERALS: ("3", "b7d30c4b4d6a8e5f", 8696, 249),
    "gonfalon/generals-small-v1": ("3", "1044499bed309e12", 4301, 146),
    "gonfalon/jinkei-full-v1": ("2", "2bb5a4cc0372aea1", 1763, 243),
    "gonfalon/jinkei-small-v1": ("2", "90040f9497797d4a", 1728, 242),
}
"""The rules, the cards, the length of an observation and the number of actions of each version of a task."""


def test_a_task_that_changes_gets_another_version() -> None:
    """Rename a task, with the next number, instead of changing its line here."""
    found = {}
    for name in TASKS:
        game = make_task(name)
        assert game.seats == 2
        numbers = Numbers(game)
        found[name] = (game.version, game.data_hash, numbers.size, numbers.count)
    assert found == VERSIONS


@pytest.mark.parametrize("name", [FEINT, GENERALS])
def test_all_pairings_share_their_numbers(name: str) -> None:
    game = make_task(name)
    first = Numbers(game)
    pairings = game.pairings()
    # Ordered pairs of 5 factions, and of 9 preset decks.
    assert len(pairings) == (5 * 4 if game.name == "feint" else 9 * 8)
    assert len({str(one.options) for one in pairings}) == len(pairings)
    for one in pairings[:: 1 if game.name == "feint" else 7]:
        numbers = Numbers(one)
        assert numbers.layout.table() == first.layout.table()
        assert [deck.kinds for deck in numbers.layout.decks] == [deck.kinds for deck in first.layout.decks]
        assert [numbers.notation(i) for i in range(numbers.count)] == [first.notation(i) for i in range(first.count)]
    assert not games.game(game.name).pairings()


def play(game: Game, seed: int) -> list[str]:
    """Return the decisions of a random game."""
    state, rng, found = game.start(), Rng(seed), []
    while state.stack:
        action = state.sample(rng)
        found.append(game.notation(action))
        state.apply(state.turn, action)
    return found


@pytest.mark.parametrize(("name", "option"), [(FEINT, "factions"), (GENERALS, "decks")])
def test_a_pairing_is_the_game_of_these_factions_or_decks(name: str, option: str) -> None:
    for one in make_task(name).pairings()[3::25]:
        plain = games.game(one.name, **{option: one.options[option]})
        assert play(one, 5) == play(plain, 5)


def test_a_session_draws_the_pairing_of_each_game_from_its_seed() -> None:
    session = Session(make_task(FEINT))
    drawn: list[list[object]] = []
    for _ in range(2):
        session.reset(4)
        drawn.append([])
        for _ in range(100):
            drawn[-1].append(session.game.options["factions"])
            assert session.full_state.rules is session.game
            session.reset(None)
    assert drawn[0] == drawn[1]
    # A pairing is missing among 100 games with a chance of 20 * 0.95^100, or 12 %; 4 of 20 are with a chance below 1 %.
    assert len(set(drawn[0])) > 16


class Witness(Bot):
    """A bot that asserts that it was made for the game that it plays."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        assert view.rules is self.game
        return Choice(view.legal(view.viewer)[-1], "It is the last one.")


def test_the_opponents_of_a_vector_fit_the_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    from gonfalon.bridges import session

    made: list[object] = []

    def make(name: str, game: Game) -> Bot:
        made.append(game.options["factions"])
        return Witness(name, game)

    monkeypatch.setattr(session, "make", make)
    vector = Vector(FEINT, 16, 3, learners="spread", opponents="greedy")
    vector.reset()
    play_first(vector, 200)
    assert len(made) == len(set(made)) + 1, "one for each pairing, and one for the vector"
    assert len(made) > 10


def play_first(vector: Vector, steps: int) -> list[list[float]]:
    """Play the first legal actions, and return the rewards and the sums of the rows."""
    found = []
    for _ in range(steps):
        vector.step(np.zeros(vector.n, np.int64))
        found.append([*vector.rewards.flatten().tolist(), *vector.arrays["observations"].sum(axis=1).tolist()])
    return found


def test_drawn_games_continue_when_copied_or_frozen() -> None:
    """They depend on the seed alone, with any number of games."""
    one = Vector(FEINT, 3, 8, learners="spread", opponents="greedy")
    one.reset()
    play_first(one, 30)
    two = pickle.loads(pickle.dumps(one))
    frozen = one.freeze(2)
    later = play_first(one, 100)
    assert play_first(two, 100) == later
    two.thaw(2, frozen)
    again = play_first(two, 100)
    assert [row[-1] for row in again] == [row[-1] for row in later]
    more = Vector(FEINT, 5, 8, learners="spread", opponents="greedy")
    more.reset()
    play_first(more, 30)
    assert [row[5 * 2 : 5 * 2 + 3] for row in play_first(more, 100)] == [row[3 * 2 :] for row in later]


@pytest.mark.parametrize("name", sorted(TASKS))
def test_gymnasium_and_pettingzoo_know_every_task(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    pettingzoo = pytest.importorskip("pettingzoo")
    from gonfalon.bridges.gymnasium import register_games
    from gonfalon.bridges.pettingzoo import register_games as register_zoo

    assert name not in register_games() + register_zoo()

    size, count = VERSIONS[name][2:]
    single, many = gymnasium.make(name, bots="greedy"), gymnasium.make_vec(name, num_envs=2)
    assert single.observation_space.shape == many.single_observation_space.shape == (size,)
    assert single.action_space.n == many.single_action_space.n == count
    for seed in range(3):
        seen, info = single.reset(seed=seed)
        over = False
        while not over:
            assert seen in single.observation_space
            seen, _, over, _, info = single.step(int(info["action_mask"].argmax()))
    for kind in ("aec", "parallel"):
        table = pettingzoo.make(kind, name)
        table.reset(seed=1)
        assert table.observation_space("player_0")["observation"].shape == (size,)


def test_the_options_of_a_task_are_fixed() -> None:
    with pytest.raises(OptionError, match="already has its options"):
        Vector(FEINT, 2, factions=("wu", "mibits"))
    with pytest.raises(OptionError, match="has no such option, nor this environment"):
        find_game(FEINT, {"observations": "sparse"})
    assert find_game("feint", {"pairings": True}).pairings()


def test_ids_of_environments_are_names_everywhere() -> None:
    assert Vector("gonfalon/feint-v2", 1).game.name == "feint"
    with pytest.raises(OptionError, match=r"'gonfalon/feint-smal-v1'. Did you mean gonfalon/feint-small-v1\?"):
        Vector("gonfalon/feint-smal-v1", 2)


def test_options_that_are_drawn_are_not_given() -> None:
    with pytest.raises(OptionError, match="`pairings` draws the factions of each game"):
        Vector("feint", 2, pairings=True, factions=("wu", "mibits"))


def test_the_rows_of_drawn_games_are_those_of_their_views() -> None:
    vector = Vector(FEINT, 8, 3)
    vector.reset()
    assert vector.part is not None
    for step in range(120):
        vector.step(step * 7 % vector.counts)
        for lane, state in enumerate(vector.part.lanes.states):
            view = state.mask(state.turn)
            assert np.array_equal(vector.arrays["observations"][lane], vector.numbers.observe(view))
            assert np.array_equal(vector.arrays["masks"][lane], vector.numbers.mask(view.actions))
