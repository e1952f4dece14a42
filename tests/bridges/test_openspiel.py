"""The games of OpenSpiel: properties that its own tests do not check."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.observation import make_observation  # noqa: E402

from gonfalon import games  # noqa: E402
from gonfalon.bridges.openspiel import load  # noqa: E402
from gonfalon.core.basics.errors import OptionError, RecordError  # noqa: E402
from gonfalon.core.basics.rng import Rng  # noqa: E402
from gonfalon.core.rules.game import Game  # noqa: E402
from gonfalon.core.rules.state import TOGETHER  # noqa: E402
from gonfalon.games.feint import Feint  # noqa: E402
from gonfalon.games.jinkei import Jinkei  # noqa: E402
from tests.bridges.common import EXACT, TINY, each  # noqa: E402
from tests.stranger.gonfalon_duel import Duel  # noqa: E402

SINGLE, NONE = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE


def pick(actions: list[int], chooser: Rng) -> int:
    return actions[int(chooser.below(len(actions)))]


def play(state: Any, chooser: Rng, stop: int = 10**6) -> Iterator[Any]:
    """Play at random and yield before each decision."""
    while not state.is_terminal() and stop:
        yield state
        if state.is_chance_node():
            left = chooser.random()
            for action, chance in state.chance_outcomes():  # noqa: B007
                left -= chance
                if left < 0:
                    break
        else:
            action = pick(state.legal_actions(), chooser)
        state.apply_action(action)
        stop -= 1


def after(game: Any, decisions: int, seed: int = 1) -> Any:
    state = game.new_initial_state()
    for _ in play(state, Rng(seed), decisions):
        pass
    return state


# ---- parameters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", each([*EXACT, *TINY]))
def test_a_game_is_found_again_by_its_string(game: Game) -> None:
    loaded = load(game)
    for again in (loaded, pyspiel.load_game(str(loaded)), pyspiel.deserialize_game(loaded.serialize())):
        assert again.game.options == game.options
        assert again.game.data_hash == game.data_hash


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gonfalon_jinkei(tiny=3)", "no tiny=3"),
        ("gonfalon_jinkei(solved=2)", "no solved=2"),
        ("gonfalon_jinkei(solved=1,games=2)", "sets all other parameters"),
        ("gonfalon_feint(factions=wu/wu)", "ruling 1"),
        ("gonfalon_feint(cards=nothing)", "not its name"),
    ],
)
def test_bad_parameters_are_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=complaint):
        pyspiel.load_game(text)


def test_a_game_without_exact_chance_is_refused() -> None:
    class Vague(Duel):
        options_spec = tuple(option for option in Duel.options_spec if option.name != "exact")

    with pytest.raises(OptionError, match="card by card"):
        load(Vague.__new__(Vague))


def test_a_stranger_game_can_be_loaded() -> None:
    game = load(Duel(exact=True, copies=(2, 1, 1, 1, 1), hand=2, goal=2))
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


# ---- the same game as the core's ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", each([*EXACT, *TINY]))
def test_decisions_are_those_of_the_core(game: Game) -> None:
    spiel = load(game)
    twin = game.start()
    state = spiel.new_initial_state()
    chooser = Rng(3)
    for _ in range(400):
        assert state.is_terminal() == twin.over
        if twin.over:
            break
        player = state.current_player()
        assert player == twin.turn
        named = {state.action_to_string(player, action): action for action in state.legal_actions()}
        assert list(named) == [game.notation(action) for action in twin.actions]
        if state.is_chance_node():
            total = sum(twin.weights())
            outcomes = dict(state.chance_outcomes())
            assert list(outcomes) == list(named.values())
            assert list(outcomes.values()) == pytest.approx([weight / total for weight in twin.weights()])
        action = pick(twin.actions, chooser)
        twin.apply(twin.turn, action)
        state.apply_action(named[game.notation(action)])
    assert state.returns() == twin.returns()
    assert state.position.state.dump() == twin.dump()


@pytest.mark.parametrize("name", [f"gonfalon_{name}" for name in games.names()])
def test_copies_are_equal_and_apart(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for number, _ in enumerate(play(state, Rng(5), 80)):
        if number % 20:
            continue
        before = str(state)
        twins = [state.clone(), pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())]
        for twin in twins:
            assert str(twin) == before
            assert twin.history() == state.history()
            if not twin.is_chance_node() and not twin.is_terminal():
                assert twin.information_state_string() == state.information_state_string()
            twin.apply_action(twin.legal_actions()[-1])
            assert str(state) == before


def test_nothing_of_an_unfinished_answer_shows() -> None:
    """A later answer in the same step has the same view for all earlier answers."""
    tried = 0
    for name in games.names():
        state = pyspiel.load_game(f"gonfalon_{name}").new_initial_state()
        for _ in play(state, Rng(2), 250):
            core = state.position.state
            if core.stack[-1].seat != TOGETHER or tried > 40:
                continue
            first = core.turn
            shown: dict[int, set[str]] = {}
            for action in state.legal_actions()[:4]:
                twin = state.child(action)
                if not twin.position.state.answers[first]:
                    continue  # it was the last answer
                for seat in range(core.seats):
                    if seat != first:
                        seen = [
                            twin.information_state_string(seat),
                            twin.observation_string(seat),
                            str(twin.information_state_tensor(seat)),
                        ]
                        shown.setdefault(seat, set()).add("\n".join(seen))
                        before = state.information_state_string(seat)
                        assert twin.information_state_string(seat) == before
                        tried += 1
            assert all(len(texts) == 1 for texts in shown.values())
    assert tried > 20


# ---- observations -----------------------------------------------------------------------------------------


def observers(game: Any) -> dict[tuple[bool, Any, bool], Any]:
    return {
        (public, private, recall): make_observation(
            game, pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        )
        for public in (True, False)
        for private in (SINGLE, NONE)
        for recall in (True, False)
    }


@pytest.mark.parametrize("name", [f"gonfalon_{name}" for name in games.names()])
def test_public_and_private_parts_make_the_whole(name: str) -> None:
    game = pyspiel.load_game(name)
    seen = observers(game)
    layout = game.home.numbers.layout
    public = [part.name for part in layout.parts if part.public]
    private = [part.name for part in layout.parts if not part.public]
    assert list(seen[True, SINGLE, False].dict) == public + private
    assert list(seen[True, NONE, False].dict) == public
    assert list(seen[False, SINGLE, False].dict) == private
    assert list(seen[False, NONE, False].dict) == []
    assert list(seen[False, NONE, True].dict) == ["moves", "past"]
    state = game.new_initial_state()
    for number, _ in enumerate(play(state, Rng(4), 150)):
        if number % 10:
            continue
        for player in range(game.num_players()):
            for observer in seen.values():
                observer.set_from(state, player)
            whole = seen[True, SINGLE, False]
            for part in private:
                assert np.array_equal(whole.dict[part], seen[False, SINGLE, False].dict[part])
            for part in public:
                if player == 0:
                    assert np.array_equal(whole.dict[part], seen[True, NONE, False].dict[part])
            assert whole.tensor.tolist() == state.observation_tensor(player)
            assert seen[True, SINGLE, True].tensor.tolist() == state.information_state_tensor(player)
            assert whole.string_from(state, player) == state.observation_string(player)
        texts = {seen[True, NONE, False].string_from(state, player) for player in range(game.num_players())}
        assert len(texts) == 1


def test_moves_are_listed_newest_first() -> None:
    game = load(Jinkei(exact=True))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(
            state.legal_actions()[0]
        )  # the toss among them: Black is first, so White chooses a type first
    sword, bow = (game.home.numbers.ids[game.game.parse(word)] for word in ("sword", "bow"))
    state.apply_action(sword)
    state.apply_action(bow)
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    for seat in (0, 1):
        observer.set_from(state, seat)
        assert observer.dict["moves"][:3].tolist() == [[1, 1 + bow], [2, 1 + sword], [0, 0]]
        assert "; 1:sword 0:bow; " in observer.string_from(state, seat)


def test_secret_answers_appear_when_all_are_in() -> None:
    game = load(Jinkei(exact=True))
    state = game.new_initial_state()
    while state.position.state.stack[-1].prompt != "formation":
        state.apply_action(state.legal_actions()[0])
    a, b = state.legal_actions()
    state.apply_action(a)
    assert state.information_state_string(0).count("0:a") == 1
    assert "0:a" not in state.information_state_string(1)
    state.apply_action(b)
    assert "0:a" in state.information_state_string(1)
    assert "1:b" in state.information_state_string(0)


def test_recall_keeps_information_that_the_table_hides_again() -> None:
    """Jinkei's taken cards are not shown again (ruling 30), but the players have seen them. Two games that look alike
    now, and did not before, are two information states."""
    tiny = Jinkei.tiny()[0]
    now: dict[str, set[str]] = {}
    todo = [load(tiny).new_initial_state()]
    while todo and not any(len(states) > 1 for states in now.values()):
        state = todo.pop()
        if state.is_terminal():
            continue
        if state.current_player() == 0:
            now.setdefault(state.observation_string(0), set()).add(state.information_state_string(0))
        step = state.position.state.stack[-1]
        all_of_it = not state.is_chance_node() or getattr(step, "zone", 0) == 1  # one deck dealt in all ways
        todo += [state.child(action) for action in state.legal_actions()[: None if all_of_it else 1]]
    assert any(len(states) > 1 for states in now.values())


# ---- worlds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", each([*EXACT, *TINY]))
def test_worlds_look_the_same_vary_and_end(game: Game) -> None:
    spiel = load(game)
    chooser = Rng(9)
    state = spiel.new_initial_state()
    dealt: set[str] = set()
    tried = 0
    every = 1 if game in TINY else 7
    for number, _ in enumerate(play(state, Rng(7), 200)):
        if state.is_chance_node() or number % every:
            continue
        player = state.current_player()
        for _ in range(2):
            world = state.resample_from_infostate(player, chooser.random)
            assert world.current_player() == player
            assert world.legal_actions() == state.legal_actions()
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.information_state_tensor(player) == state.information_state_tensor(player)
            dealt.add(str(world))
            tried += 1
            for _ in play(world, chooser):
                pass
            assert world.is_terminal()
    assert tried == 0 or len(dealt) > 1


def test_a_world_is_dealt_from_the_view_alone() -> None:
    """Two states that look alike to a player give the same worlds with the same random numbers."""
    game = load(Feint(factions=("wu", "mibits"), exact=True))
    state = after(game, 130)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    other = state.resample_from_infostate(player, Rng(1).random)
    assert str(other) != str(state)
    worlds = [str(s.resample_from_infostate(player, Rng(2).random)) for s in (state, other)]
    assert worlds[0] == worlds[1]


def test_a_world_cannot_be_written_down() -> None:
    state = after(pyspiel.load_game("gonfalon_jinkei"), 60)
    world = state.resample_from_infostate(state.current_player(), Rng(1).random)
    with pytest.raises(TypeError, match="no past"):
        pickle.dumps(world.position)
    assert world.to_dict()["record"]["decisions"] == []


# ---- JSON --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [f"gonfalon_{name}" for name in games.names()])
def test_states_are_json(name: str) -> None:
    game = pyspiel.load_game(name)
    state = after(game, 70)
    again = game.new_initial_state(state.to_json())
    assert str(again) == str(state)
    assert again.history() == state.history()


def test_a_record_of_other_rules_is_refused() -> None:
    game = pyspiel.load_game("gonfalon_jinkei")
    body = after(game, 30).to_dict()
    body["record"]["rules"] = "0"
    with pytest.raises(RecordError):
        game.new_initial_state(body)
