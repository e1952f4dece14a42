"""The jobs of other libraries, each as in its documentation: OpenSpiel, RLCard, PettingZoo, weiss_sim, pgx."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from random import Random  # noqa: TID251 (the peers' own)
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.benchmarks.clock import ROW_COUNTS, Job, Makers, serve_jobs

LIBRARIES = ("open-spiel", "rlcard", "pettingzoo", "numpy", "weiss-sim", "pgx", "jax")
LOOPED = ("spades", "euchre", "hearts", "gin_rummy")
PYTHON = ("python_liars_poker", "python_block_dominoes", "python_team_dominoes")
SEARCHED = ("euchre", "oh_hell")
SIMULATIONS = 100


# ---- OpenSpiel ----------------------------------------------------------------------------------


def load_game(name: str) -> Any:
    """Return a game of OpenSpiel, including its Python games and the duel."""
    import pyspiel
    from open_spiel.python import games  # noqa: F401 (registers them)

    from tools.benchmarks import openspiel_duel  # noqa: F401 (registers it)

    return pyspiel.load_game(name)


def play_random_game(game: Any, rng: Random) -> tuple[Any, int]:
    """Play a game at random from Python. Return its end and the number of players' decisions."""
    state = game.new_initial_state()
    made = 0
    pick = rng.random
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            if len(outcomes) > 1 and outcomes[0][1] != outcomes[-1][1]:
                action = rng.choices([action for action, _ in outcomes], [chance for _, chance in outcomes])[0]
            else:
                action = outcomes[int(pick() * len(outcomes))][0]
        else:
            legal = state.legal_actions()
            action = legal[int(pick() * len(legal))]
            made += 1
        state.apply_action(action)
    return state, made


def step_job(name: str) -> Job:
    game, rng = load_game(name), Random(1)
    return lambda: play_random_game(game, rng)[1]


def legal_job(name: str, observed: bool) -> Job:
    """Return a job that asks `legal_actions` for chance too, which is faster; it suits games of equal chances."""
    game, pick = load_game(name), Random(1).random

    def job() -> int:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            if not state.is_chance_node():
                made += 1
                if observed:
                    state.information_state_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(pick() * len(legal))])
        return made

    return job


def loop_job(name: str) -> Job:
    """Return a job in OpenSpiel's C++ loop with its own random bots.

    The loop does not count decisions, so their mean is taken from earlier games.
    """
    import pyspiel

    game, rng = load_game(name), Random(1)
    sample = 200
    mean = sum(play_random_game(game, rng)[1] for _ in range(sample)) / sample
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    batch = 10
    seed = 0

    def job() -> int:
        nonlocal seed
        for _ in range(batch):
            seed += 1
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return round(batch * mean)

    return job


def list_positions(name: str, count: int = 64) -> list[Any]:
    """Return positions of random games with a player's decision."""
    game, rng = load_game(name), Random(2)
    found: list[Any] = []
    while len(found) < count:
        end, made = play_random_game(game, rng)
        stop, state, passed = rng.randrange(made), game.new_initial_state(), 0
        if game.get_type().chance_mode == game.get_type().chance_mode.SAMPLED_STOCHASTIC:
            state = play_prefix(game, rng, stop)
        else:
            for action in end.history():
                if not state.is_chance_node():
                    if passed == stop:
                        break
                    passed += 1
                state.apply_action(action)
        if not state.is_terminal():
            found.append(state)
    return found


def play_prefix(game: Any, rng: Random, stop: int) -> Any:
    """Return the state of a random game at a decision, for games whose chance cannot be replayed."""
    state, made = game.new_initial_state(), 0
    while not state.is_terminal() and (state.is_chance_node() or made < stop):
        made += not state.is_chance_node()
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(actions))
    return state


def clone_job(name: str) -> Job:
    states = list_positions(name)

    def job() -> int:
        for state in states:
            state.clone()
        return len(states)

    return job


def resample_job(name: str) -> Job:
    """Return a job that deals OpenSpiel's worlds: states that fit a player's knowledge."""
    states, rng = list_positions(name), Random(3)

    def job() -> int:
        for state in states:
            state.resample_from_infostate(state.current_player(), rng.random)
        return len(states)

    return job


def search_job(name: str) -> Job:
    """Return a job of OpenSpiel's information-set tree search in C++.

    Units: simulations with one random rollout each.
    """
    import pyspiel

    states = list_positions(name, 20)
    at = 0

    def job() -> int:
        nonlocal at
        at += 1
        bot = pyspiel.ISMCTSBot(
            at,
            pyspiel.RandomRolloutEvaluator(1, at),
            1.4,
            SIMULATIONS,
            -1,
            pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
            False,
            False,
        )
        bot.step(states[at % len(states)].clone())
        return SIMULATIONS

    return job


def replay_duels(games: list[list[Any]]) -> list[list[float]]:
    """Return the results of duels in OpenSpiel."""
    from tools.benchmarks.openspiel_duel import replay_duels

    return replay_duels(games)


# ---- RLCard and PettingZoo ----------------------------------------------------------------------


def rlcard_job() -> Job:
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})
    pick = Random(1).random

    def job() -> int:
        state, _ = env.reset()
        made = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(pick() * len(legal))])
            made += 1
        return made

    return job


def pettingzoo_job(name: str, wrapped: bool) -> Job:
    """Return a job of PettingZoo with `env()`, as in its documentation, or with `raw_env()`, without wrappers."""
    from importlib import import_module

    module = import_module(f"pettingzoo.classic.{name}")
    env = module.env() if wrapped else module.raw_env()
    pick = Random(1).random
    seed = 0

    def job() -> int:
        nonlocal seed
        seed += 1
        env.reset(seed=seed)
        made = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(pick() * len(legal))]))
            made += 1
        return made

    return job


# ---- many games at once -------------------------------------------------------------------------


def weiss_job(count: int) -> Job:
    """Return a job of weiss_sim: Weiss Schwarz in Rust, with observations and the numbers of legal actions."""
    import numpy as np
    import weiss_sim

    games: Any = weiss_sim.fast(num_envs=count, seed=1)
    chooser = np.random.default_rng(1)
    shown = games.reset()

    def job() -> int:
        nonlocal shown
        starts = shown.legal_offsets
        at = starts[:-1] + (chooser.random(count) * np.diff(starts)).astype(np.uint32)
        shown = games.step(shown.legal_ids[at])
        over = shown.needs_reset
        if over.any():
            shown = games.reset_done(over)
        return count

    return job


def pgx_job(name: str, count: int) -> Job:
    """Return a job of pgx, compiled by jax."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make(name)

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, own = jax.random.split(key)
        chosen = jax.random.categorical(own, jax.numpy.log(state.legal_action_mask.astype(float)), axis=-1)
        keys = jax.random.split(own, count)
        return jax.vmap(auto_reset(env.step, env.init))(state, chosen, keys), key

    step = jax.jit(play)
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, count))

    def job() -> int:
        nonlocal state, key
        state, key = step(state, key)
        state.observation.block_until_ready()
        return count

    return job


def list_makers() -> Makers:
    """Return every job by its name, `ACTIVITY LIBRARY GAME`."""
    found: Makers = {}

    def add(what: str, make: Any, *names: str) -> None:
        for name in names:
            found[f"{what} openspiel {name}"] = lambda name=name: make(name)  # type: ignore[misc]

    add("loop", loop_job, *LOOPED)
    add("step", step_job, *LOOPED, *PYTHON, "python_gonfalon_duel")
    add("clone", clone_job, *LOOPED, "python_gonfalon_duel")
    add("worlds", resample_job, "euchre", "oh_hell", "gin_rummy")
    add("search", search_job, *SEARCHED)
    found["step rlcard uno"] = rlcard_job
    for count in ROW_COUNTS:
        found[f"rows weiss_sim {count}"] = lambda count=count: weiss_job(count)  # type: ignore[misc]
        found[f"rows pgx sparrow_mahjong {count}"] = lambda count=count: pgx_job("sparrow_mahjong", count)  # type: ignore[misc]
        found[f"rows pgx leduc_holdem {count}"] = lambda count=count: pgx_job("leduc_holdem", count)  # type: ignore[misc]
    found["rows openspiel spades by legal_actions, not observed"] = lambda: legal_job("spades", False)
    found["rows openspiel spades by chance_outcomes, not observed"] = lambda: step_job("spades")
    found["rows openspiel euchre with tensors"] = lambda: legal_job("euchre", True)
    found["rows pettingzoo leduc_holdem_v4, raw"] = lambda: pettingzoo_job("leduc_holdem_v4", False)
    for name in ("leduc_holdem_v4", "texas_holdem_v4", "tictactoe_v3"):
        found[f"raw pettingzoo {name}"] = lambda name=name: pettingzoo_job(name, False)  # type: ignore[misc]
        found[f"step pettingzoo {name}"] = lambda name=name: pettingzoo_job(name, True)  # type: ignore[misc]
    return found


if __name__ == "__main__":
    serve_jobs(list_makers(), {name: version(name) for name in LIBRARIES}, {"duels": replay_duels})
