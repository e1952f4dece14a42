"""Many games in one call: the contents of the arrays, and games determined by the seed alone."""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from copy import copy, deepcopy  # noqa: TID251 (of vectors, not of states)
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice, Fault, make
from gonfalon.bridges.numbers import Numbers
from gonfalon.check.tensors import build_tensor
from gonfalon.core.arrays.lanes import KEPT, LEARNER, Lanes, make_memory
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.freeze import freeze
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import CHANCE, NOBODY, OPEN, State
from gonfalon.vector import Array, Vector, VectorError
from gonfalon.vector.slices import Slice


def picks_of(vector: Vector, turn: int) -> Array:
    """Return a legal action in each game, determined by the numbers of game and step."""
    lanes = np.arange(vector.n)
    found: Array = (lanes * 7919 + turn * 104729) % 1009 * vector.counts // 1009
    return found


def steps(vector: Vector, count: int) -> Iterator[dict[str, bytes]]:
    """Yield the contents of the arrays, first and after each step."""
    vector.reset()
    for turn in range(count):
        yield {name: array.tobytes() for name, array in vector.arrays.items() if name != "actions"}
        vector.step(picks_of(vector, turn))


def to_choice(state: State, rng: Rng, forced: bool) -> None:
    """Advance to the next shown decision."""
    while state.stack:
        if state.turn == CHANCE:
            state.apply(CHANCE, state.chance(rng))
        elif len(state.actions) > 1 or forced:
            return
        else:
            state.apply(state.turn, state.actions[0])


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("forced", [False, True])
def test_arrays_match_the_deciding_seats_view(name: str, forced: bool) -> None:
    """One game is replayed by the rules alone, from the seed the vector reports at its end."""
    game = games.game(name)
    vector = Vector(game, 2, seed=3, forced=forced, shown=("observations", "masks", "candidates"), room=300)
    kept: list[tuple[bytes, bytes, list[int], int, int]] = []
    vector.reset()
    for turn in range(20_000):
        legal = vector.candidates[1]  # type: ignore[index]
        rows = vector.observations[1].tobytes(), vector.masks[1].tobytes()  # type: ignore[index]
        picks = picks_of(vector, turn)
        kept.append((*rows, legal[legal >= 0].tolist(), int(vector.turns[1]), int(picks[1])))
        assert vector.counts[1] == len(kept[-1][2])
        vector.step(picks)
        if vector.dones[1]:
            break
        assert not vector.rewards[1].any()
        assert vector.seeds[1] == 0
    assert vector.dones[1]
    numbers, state, rng = Numbers(game), game.start(), Rng(int(vector.seeds[1]))
    for row, mask, legal, seat, pick in kept:
        to_choice(state, rng, forced)
        assert state.turn == seat
        assert row == build_tensor(game, state.mask(seat))
        assert legal == [numbers.ids[action] for action in state.mask(seat).legal(seat)]
        assert np.flatnonzero(np.frombuffer(mask, np.int8)).tolist() == legal
        state.apply(seat, state.actions[pick])
    to_choice(state, rng, forced)
    assert state.over
    assert vector.rewards[1].tolist() == pytest.approx(state.returns())


@pytest.mark.parametrize("name", games.names())
def test_a_game_is_the_same_beside_however_many_others(name: str) -> None:
    many, few = Vector(name, 5, seed=9), Vector(name, 3, seed=9)
    for wide, narrow in zip(steps(many, 60), steps(few, 60), strict=True):
        for key, held in wide.items():
            assert held[: len(narrow[key])] == narrow[key]


@pytest.mark.extended
@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_a_game_is_the_same_in_however_many_processes(opponents: str) -> None:
    alone = Vector("jinkei", 4, 2, 0, opponents)
    with Vector("jinkei", 4, 2, 0, opponents, processes=2) as shared:
        assert len({worker.process.pid for worker in shared.workers} - {os.getpid()}) == 2
        for array in [*alone.arrays.values(), *shared.arrays.values()]:
            assert not array.ctypes.data % 64  # where jax takes it as it lies
        for here, there in zip(steps(alone, 12), steps(shared, 12), strict=True):
            assert here == there


@pytest.mark.extended
def test_opponents_by_a_network_and_by_iterations() -> None:
    """Their names are those of `gonfalon benchmark`, in other processes too."""
    shipped = str(games.find_game_class("feint").folder / "bots" / "network.npz")
    for opponent in (shipped, "expert:3"):
        alone = Vector("feint", 2, 2, 0, opponent)
        with Vector("feint", 2, 2, 0, opponent, processes=2) as shared:
            for here, there in zip(steps(alone, 4), steps(shared, 4), strict=True):
                assert here == there
    with pytest.raises(OptionError, match="was not trained on"):
        Vector("factionwars", 2, learners=0, opponents=shipped)
    with pytest.raises(OptionError, match="nowhere"):
        Vector("feint", 2, learners=0, opponents="nowhere.npz")


def test_a_seed_restarts_and_none_continues() -> None:
    vector = Vector("feint", 3, seed=4)
    vector.reset()
    assert len({row.tobytes() for row in vector.arrays["observations"]}) == 3
    first = vector.arrays["observations"].tobytes()
    vector.reset()
    assert vector.arrays["observations"].tobytes() != first
    vector.reset(4)
    assert vector.arrays["observations"].tobytes() == first
    vector.reset(5)
    assert vector.arrays["observations"].tobytes() != first


@pytest.mark.parametrize("name", games.names())
def test_sparse_rows_equal_dense_ones(name: str) -> None:
    """They agree in every decision of complete games. Places ascend, because the order of writing would reveal the
    order of cards."""
    vector = Vector(name, 3, seed=5, shown=("observations", "sparse"))
    alone = Vector(name, 3, seed=5, shown=("sparse",))
    ended = 0
    for here, there in zip(steps(vector, 10_000), steps(alone, 10_000), strict=True):
        assert {key: here[key] for key in there} == there
        for row, places, values, filled in zip(
            vector.arrays["observations"],
            vector.arrays["places"],
            vector.arrays["values"],
            vector.arrays["filled"],
            strict=True,
        ):
            assert places[:filled].tolist() == np.flatnonzero(row).tolist()
            assert values[:filled].tolist() == row[row != 0].tolist()
            assert not places[filled:].any()
            assert not values[filled:].any()
        ended += int(vector.dones.sum())
        if ended > 3:
            break
    assert ended > 3


def test_rows_and_candidates_that_do_not_fit_are_refused() -> None:
    with pytest.raises(OptionError, match=r"A row has \d+ nonzero numbers, and `cells` allows 3"):
        Vector("jinkei", 2, shown=("sparse",), cells=3).reset()
    with pytest.raises(OptionError, match=r"\d actions are legal, and `room` allows 1"):
        Vector("jinkei", 2, shown=("candidates",), room=1).reset()


def test_a_row_leaves_nothing_of_the_one_before_it() -> None:
    """Only the numbers that were not 0 are cleared, or the whole row if they were too many to keep their places."""
    numbers = Numbers(games.game("jinkei"))
    writer = numbers.layout.writer
    lanes = Lanes(numbers.game.start(), writer, numbers.size, [[LEARNER] * 2], 0, 1, True)
    lanes.write_into(make_memory(numbers.size), {"observations": 0}, 0, 0)
    for count in (KEPT + 9, 3, KEPT, 0, 5):
        writer.clear()
        for at in range(7, 7 + count):
            writer.set_at(at, -1)
        lanes.put_row(0)
        assert bytes(memoryview(lanes.block)) == bytes(7) + b"\xff" * count + bytes(numbers.size - 7 - count)


def test_arrays_outlive_their_vector() -> None:
    vector = Vector("jinkei", 2, 1)
    vector.reset()
    rows = vector.observations
    assert rows is not None
    kept, size = rows.tobytes(), rows.nbytes
    del vector
    gc.collect()
    others = [make_memory(size) for _ in range(20)]
    assert len(others) == 20
    assert rows.tobytes() == kept
    assert rows.ctypes.data % 64 == 0


def test_a_number_that_is_0_again_has_no_place_and_a_late_one_does_not_stay() -> None:
    game = games.game("jinkei")
    writer = Numbers(game).layout.writer
    state = game.start()
    row = bytes(memoryview(writer.row_of(state, 0)))
    writer.clear()
    for value in (3, 0, 256, 2, 0, 4):
        writer.set_at(11, value)
        writer.set_at(12, 1)
    assert sorted(list(writer.places)[: writer.count]) == [11, 12]
    assert bytes(memoryview(writer.row_of(state, 0))) == row
    late = bytes(memoryview(writer.row_of(state, 1)))
    writer.put(0, 77)
    assert bytes(memoryview(writer.row_of(state, 1))) == late


def test_once_a_game_that_is_over_is_followed_by_none() -> None:
    vector = Vector("jinkei", 3, seed=5, shown=("observations", "views", "masks", "candidates"), once=True, room=7)
    many = Vector("jinkei", 3, seed=5)
    vector.reset()
    many.reset()
    over = np.zeros(3, np.bool_)
    while not over.all():
        assert (vector.turns[over] == NOBODY).all()
        assert not vector.counts[over].any()
        assert not vector.arrays["observations"][over].any()
        assert not vector.arrays["masks"][over].any()
        assert (vector.arrays["candidates"][over] == -1).all()
        for seat in (0, 1):
            mine = ~over & (vector.turns == seat)
            assert np.array_equal(vector.arrays["views"][mine, seat], vector.arrays["observations"][mine])
            assert (vector.arrays["views"][over, seat, many.numbers.size - 2 :] == np.eye(2)[seat]).all()
        assert np.array_equal(vector.arrays["observations"][~over], many.arrays["observations"][~over])
        picks = picks_of(many, 0)
        picks[1] = -1 if over[0] and not over[1] else picks[1]
        vector.step(np.where(over, 9, picks))
        many.step(picks)
        assert np.array_equal(vector.dones, many.dones & ~over)
        assert np.array_equal(vector.rewards, np.where(over[:, None], 0, many.rewards))
        over |= vector.dones
    vector.reset(5)
    assert not (vector.turns == NOBODY).any()


class Watches:
    """An opponent that takes the first legal action and keeps its rows."""

    def __init__(self) -> None:
        self.rows: list[bytes] = []

    def __call__(self, observations: Array, masks: Array, turns: Array) -> Array:
        self.rows.append(observations.tobytes())
        found: Array = masks.argmax(axis=1)
        return found


@pytest.mark.parametrize("name", games.names())
def test_a_privileged_row_shows_every_card_and_changes_nothing_else(name: str) -> None:
    """It is the open row of the full state. The learner and the opponents get the same rows with it and without it."""
    game, watches, watched = games.game(name), Watches(), Watches()
    plain = Vector(game, 2, 6, 0, watches)
    told = Vector(game, 2, 6, 0, watched, shown=("observations", "masks", "privileged"))
    assert plain.privileged is None
    assert told.part is not None
    secrets = 0
    for here, there in zip(steps(plain, 12), steps(told, 12), strict=True):
        assert here == {key: there[key] for key in here}
        for lane, state in enumerate(told.part.lanes.states):
            row = told.arrays["privileged"][lane].tobytes()
            assert row == bytes(build_tensor(game, state.mask(OPEN)))
            secrets += row != told.arrays["observations"][lane].tobytes()
    assert secrets
    assert watches.rows == watched.rows
    with pytest.raises(OptionError, match="not 'secret'"):
        Vector(game, 2, shown=("secret",))


def test_a_privileged_row_tells_the_cards_of_the_other_hand() -> None:
    """By hand: two deals that seat 0 cannot tell apart have different privileged rows."""
    vector = Vector("feint", 2, 1, shown=("views", "privileged"))
    vector.reset()
    assert vector.part is not None
    state = vector.part.lanes.states[0]
    world = worlds(state.mask(0)).sample(Rng(5))
    vector.thaw(1, freeze(world), seed=3)
    views, rows = vector.arrays["views"], vector.arrays["privileged"]
    assert np.array_equal(views[0, 0], views[1, 0])
    assert not np.array_equal(rows[0], rows[1])


# ---- who plays -------------------------------------------------------------------------------------------------------


def test_only_the_learners_decisions_are_shown() -> None:
    vector = Vector("factionwars", 6, 1, "spread", seats=3)
    for _ in steps(vector, 60):
        assert vector.turns.tolist() == [0, 1, 2, 0, 1, 2]


def test_a_function_answers_for_a_seat_from_its_rows() -> None:
    asked: list[tuple[bytes, list[int]]] = []
    numbers = Numbers(games.game("jinkei"))

    def last_legal(observations: Array, masks: Array, turns: Array) -> Array:
        assert observations.shape == (len(turns), numbers.size)
        asked.append((observations.tobytes(), turns.tolist()))
        found: Array = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return found

    vector = Vector("jinkei", 4, 1, 1, last_legal)
    for _ in steps(vector, 30):
        assert vector.turns.tolist() == [1] * 4
    assert asked
    assert {turn for _, turns in asked for turn in turns} == {0}


def test_bots_sit_in_the_order_of_their_seats_from_the_learner_on() -> None:
    game = games.game("factionwars", seats=3)
    bots = [make("greedy", game), make("random", game)]
    vector = Vector(game, 3, 1, "spread", bots)
    assert vector.part is not None
    assert vector.part.players == [[-1, 0, 1], [1, -1, 0], [0, 1, -1]]


# ---- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_number", [False, True])
def test_an_illegal_action_ends_the_game_and_costs_its_seat_one(by_number: bool) -> None:
    vector = Vector("jinkei", 3, seed=1)
    vector.reset()
    numbers = np.array([np.flatnonzero(mask)[0] for mask in vector.arrays["masks"]]) if by_number else np.zeros(3, int)
    unlike = np.flatnonzero(vector.arrays["masks"][1] == 0)[0] if by_number else int(vector.counts[1])
    seat = int(vector.turns[1])
    for wrong in (unlike, -1, 10**12):
        vector.reset(1)
        actions = numbers.copy()
        actions[1] = wrong
        (vector.step_actions if by_number else vector.step)(actions)
        assert vector.dones.tolist() == vector.illegal.tolist() == [False, True, False]
        assert vector.rewards.tolist() == [[0, 0], [-1 + seat, -seat], [0, 0]]
    vector.step(np.zeros(3, int))
    assert not vector.illegal.any()


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        (np.zeros(2, int), "an array of shape (3,), not (2,)"),
        ([[0, 0], [0], 0], "an array of shape (3,)"),
        (np.zeros(3), "integers, not float64"),
    ],
)
def test_actions_of_a_wrong_shape_or_type_are_refused(actions: Any, complaint: str) -> None:
    vector = Vector("jinkei", 3)
    vector.reset()
    before = vector.arrays["observations"].tobytes()
    for step in (vector.step, vector.step_actions):
        with pytest.raises(OptionError) as refused:
            step(actions)
        assert complaint in str(refused.value)
    assert vector.arrays["observations"].tobytes() == before
    vector.step(np.zeros(3, int))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"n": 0}, "at least one game, as an integer, not 0"),
        ({"n": 2.5}, "at least one game, as an integer, not 2.5"),
        ({"n": 4, "processes": 5}, "4 games cannot be divided among 5 processes"),
        ({"n": 4, "learners": 2}, "seats 0 to 1"),
        ({"n": 4, "learners": "both"}, "'spread' or None"),
        ({"n": 4, "learners": 0, "opponents": ["greedy"] * 2}, "each other seat (1) or one for all, not 2"),
        ({"n": 4, "opponents": "greedy"}, "no seat for an opponent here. Name the learner's seats"),
        ({"n": 10**9}, "1,000,000,000 games need about "),
        ({"n": 4, "learners": 0, "opponents": 7}, "a level, a bot or a function, not 7"),
        ({"n": 4, "shown": ("pictures",)}, "not 'pictures'"),
        ({"n": 4, "room": 0}, "at least one candidate"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError) as refused:
        Vector("jinkei", **settings)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_opponent_that_cannot_be_sent_to_a_worker_is_refused() -> None:
    with pytest.raises(OptionError, match=r"cannot be sent to another process: .*lambda"):
        Vector("jinkei", 2, 1, 0, lambda observations, masks, turns: masks.argmax(axis=1), processes=2)


@pytest.mark.parametrize("seed", [-1, 2**64, [1], [1, -1]])
def test_a_seed_that_would_be_cut_is_refused(seed: Any) -> None:
    vector = Vector("jinkei", 2, 1)
    with pytest.raises(OptionError, match="seed"):
        vector.reset(seed)


def contents(vector: Vector) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in vector.arrays.items() if name != "actions"}


def test_seeds_of_more_than_62_bits_have_games_of_their_own() -> None:
    found = set()
    for seed in (5, 5 + 2**62, 5 + 2**63, 5 + 3 * 2**62):
        vector = Vector("feint", 2, seed)
        vector.reset()
        found.add(contents(vector)["observations"])
    assert len(found) == 4


def test_a_list_gives_each_game_a_seed() -> None:
    """Game 0 of a seed equals a single game with that seed in any place. Without a seed the next game follows."""
    one, listed = Vector("feint", 1, 8), Vector("feint", 3, 1)
    one.reset()
    plain = Vector("feint", 3, 1)
    plain.reset()
    listed.reset([None, 8, 8])
    rows, first = listed.arrays["observations"], one.arrays["observations"][0]
    assert np.array_equal(rows[0], plain.arrays["observations"][0])
    assert np.array_equal(rows[1], first)
    assert np.array_equal(rows[2], first)


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.extended)])
def test_games_that_are_not_chosen_stay_as_they_are(processes: int) -> None:
    with Vector("feint", 4, 1, processes=processes) as vector:
        vector.reset()
        vector.step(np.array([-1, 0, 0, -1]))
        before = {name: array.copy() for name, array in vector.arrays.items()}
        vector.reset(games=np.array([False, True, False, True]))
        for name, array in vector.arrays.items():
            if name != "actions":
                assert np.array_equal(array[[0, 2]], before[name][[0, 2]]), name
        assert vector.dones.tolist() == [True, False, False, False]
        assert not np.array_equal(vector.arrays["observations"][1], before["observations"][1])
        for wrong in ([True], [1, 0, 1, 0], np.array([1, 0, 1, 0])):
            with pytest.raises(OptionError, match="Choose games by an array of 4 bools"):
                vector.reset(games=wrong)


@pytest.mark.parametrize(
    ("way", "options"),
    [
        (copy, {}),
        (deepcopy, {"once": True, "shown": ("sparse", "candidates")}),
        pytest.param(lambda vector: pickle.loads(pickle.dumps(vector)), {"processes": 2}, marks=pytest.mark.extended),
    ],
)
def test_a_copy_goes_on_as_the_vector_does(way: Callable[[Vector], Vector], options: dict[str, Any]) -> None:
    with Vector("jinkei", 4, 1, 0, "random", last_rows=True, **options) as vector:
        vector.reset()
        for turn in range(20):
            vector.step(picks_of(vector, turn))
        with way(vector) as twin:
            assert contents(twin) == contents(vector)
            assert twin.last_rows == vector.last_rows
            for turn in range(20, 60):
                vector.step(picks_of(vector, turn))
            kept = contents(vector), vector.last_rows
            for turn in range(20, 60):
                twin.step(picks_of(twin, turn))
            assert (contents(twin), twin.last_rows) == kept
            vector.reset()
            twin.reset()
            assert contents(twin) == contents(vector)


def test_a_vector_without_games_is_copied_and_a_closed_one_is_not() -> None:
    vector = Vector("jinkei", 2, 9)
    twin = copy(vector)
    vector.reset()
    twin.reset()
    assert contents(twin) == contents(vector)
    vector.close()
    with pytest.raises(VectorError, match="closed"):
        copy(vector)


def test_a_second_thread_gets_an_error() -> None:
    """A waiting opponent holds the first thread in the middle of its step."""
    inside, go_on = Event(), Event()

    def slow(observations: Array, masks: Array, turns: Array) -> Array:
        inside.set()
        go_on.wait()
        found: Array = masks.argmax(axis=1)
        return found

    vector = Vector("feint", 1, 1, 0, slow)
    first = Thread(target=vector.reset)
    first.start()
    inside.wait()
    for call in (vector.reset, lambda: vector.step([0]), lambda: pickle.dumps(vector)):
        with pytest.raises(VectorError, match="Another thread is stepping this vector"):
            call()
    go_on.set()
    first.join()
    vector.step([0])


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.extended)])
def test_sent_steps_are_those_of_step(processes: int) -> None:
    """All parts at once, by index and by number, then one part after the other."""
    alone = Vector("jinkei", 5, 1, 0, "random", last_rows=True, shown=("observations", "candidates"))
    settings: dict[str, Any] = {"last_rows": True, "shown": ("observations", "candidates"), "processes": processes}
    with Vector("jinkei", 5, 1, 0, "random", **settings) as vector:
        assert [(part.start, part.stop) for part in vector.parts] == ([(0, 5)] if processes == 1 else [(0, 2), (2, 5)])
        alone.reset()
        vector.reset()
        ended = 0
        for turn in range(40):
            picks = picks_of(alone, turn)
            alone.step(picks)
            if turn % 3:
                numbers = vector.arrays["candidates"][range(5), picks]
                vector.send(numbers if turn % 2 else picks, by_number=bool(turn % 2))
                vector.receive()
                assert vector.last_rows == alone.last_rows
            else:
                for number, part in enumerate(vector.parts):
                    vector.send(picks[part], number)
                last_rows: list[Any] = []
                for number in range(processes):
                    vector.receive(number)
                    last_rows += vector.last_rows
                assert last_rows == alone.last_rows
            assert contents(vector) == contents(alone)
            ended += len(alone.last_rows)
        assert ended


@pytest.mark.extended
def test_a_part_is_stepped_while_another_waits() -> None:
    with Vector("jinkei", 4, 1, processes=2) as vector:
        vector.reset()
        before = vector.arrays["observations"].copy()
        for turn in range(3):
            vector.send(picks_of(vector, turn)[2:], 1)
            vector.receive(1)
        assert np.array_equal(vector.arrays["observations"][:2], before[:2])
        assert not np.array_equal(vector.arrays["observations"][2:], before[2:])


def test_a_sent_step_is_received_before_anything_else() -> None:
    vector = Vector("jinkei", 2, 1)
    for step in (vector.send, vector.step):
        with pytest.raises(VectorError, match="Reset the vector before its first step"):
            step([0, 0])
    with pytest.raises(OptionError, match="A row has 1763 numbers"):
        vector.named(np.zeros(5))
    vector.reset()
    with pytest.raises(VectorError, match="Send a step of these games before you receive it"):
        vector.receive()
    with pytest.raises(OptionError, match="has parts 0 to 0, not 1"):
        vector.send([0, 0], 1)
    with pytest.raises(OptionError, match=r"an array of shape \(2,\), not \(1,\)"):
        vector.send([0], 0)
    vector.send([0, 0])
    with pytest.raises(VectorError, match="Receive the last step of these games before you send another"):
        vector.send([0, 0])
    for call in (vector.reset, lambda: vector.step([0, 0]), lambda: vector.freeze(0), lambda: pickle.dumps(vector)):
        with pytest.raises(VectorError, match="Receive the step that was sent first"):
            call()
    vector.receive(0)
    vector.step([0, 0])
    vector.send([0, 0])
    vector.close()
    vector.close()
    for closed in (vector.receive, vector.reset):
        with pytest.raises(VectorError, match="is closed"):
            closed()


@pytest.mark.extended
def test_a_worker_that_dies_in_a_sent_step_is_one_clear_error() -> None:
    with Vector("jinkei", 4, processes=2) as vector:
        vector.reset()
        os.kill(vector.workers[1].process.pid or 0, signal.SIGKILL)
        vector.workers[1].process.join()
        with pytest.raises(VectorError, match="ended unexpectedly"):
            step_part(vector, 1)
        assert not vector.workers


def step_part(vector: Vector, part: int) -> None:
    vector.send([0, 0], part)
    vector.receive(part)


@pytest.mark.extended
def test_a_worker_that_dies_is_one_clear_error_and_no_hang() -> None:
    with Vector("jinkei", 4, processes=2) as vector:
        vector.reset()
        victim = vector.workers[1].process
        os.kill(victim.pid or 0, signal.SIGKILL)
        victim.join()
        for _ in range(2):
            with pytest.raises(
                VectorError, match=r"^A worker process of the vector ended unexpectedly \(exit code -9\)\.$"
            ):
                vector.step(np.zeros(4, int))
        assert not vector.workers


class Fails:
    """An opponent that does not answer."""

    def __call__(self, observations: Array, masks: Array, turns: Array) -> Array:
        return np.zeros(0, np.int64)


class Cheats:
    """An opponent that takes illegal actions."""

    def __call__(self, observations: Array, masks: Array, turns: Array) -> Array:
        found: Array = masks.argmin(axis=1)
        return found


@pytest.mark.parametrize(("opponent", "complaint"), [(Fails(), "policy must return"), (Cheats(), "an illegal action")])
def test_a_failing_opponent_is_reported(opponent: Any, complaint: str) -> None:
    vector = Vector("jinkei", 2, 1, 1, opponent)
    with pytest.raises(GonfalonError, match=complaint):
        for _ in steps(vector, 5):
            pass


@pytest.mark.extended
def test_a_failing_opponent_in_a_worker_is_reported() -> None:
    with Vector("jinkei", 2, 1, 1, Fails(), processes=2) as vector:
        with pytest.raises(VectorError, match="A policy must return"):
            vector.reset()
        assert not vector.workers


def test_an_interrupted_step_is_not_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some games may have been stepped and others not."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with Vector("jinkei", 2) as vector:
        vector.reset()
        with monkeypatch.context() as patched:
            patched.setattr(Slice, "step", interrupted)
            with pytest.raises(KeyboardInterrupt):
                vector.step(picks_of(vector, 0))
        with pytest.raises(VectorError, match="interrupted"):
            vector.step(picks_of(vector, 0))


class Faulty(Bot):
    """Loses each of its moves, like a broken program."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(view.legal(view.viewer)[0], fault=Fault.SLOW)


def play_first_actions(vector: Vector) -> None:
    """Begin the games and let the learner choose the first legal action five times."""
    vector.reset()
    for _ in range(5):
        vector.step(np.zeros(vector.n, np.int64))


@pytest.mark.filterwarnings("ignore:The program bad:RuntimeWarning")
def test_the_moves_chosen_for_a_program_are_counted() -> None:
    game = games.game("feint")
    with Vector(game, 2, 1, learners=1, opponents=Faulty("bad", game)) as vector:
        with pytest.warns(RuntimeWarning, match="The program bad did not answer in time"):
            play_first_actions(vector)
        assert vector.chosen.min() > 0
    with Vector(game, 2, 1, learners=1, opponents="random") as vector:
        play_first_actions(vector)
        assert vector.chosen.tolist() == [0, 0]
