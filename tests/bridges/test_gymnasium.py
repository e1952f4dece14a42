"""The environments of Gymnasium: its own checker and further properties."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from gonfalon import games  # noqa: E402
from gonfalon.bots import Bot, Budget, Choice, Fault, make  # noqa: E402
from gonfalon.bridges.gymnasium import SeatEnv, register_games  # noqa: E402
from gonfalon.core.basics.errors import OptionError, Refusal  # noqa: E402
from gonfalon.core.basics.rng import Rng  # noqa: E402
from gonfalon.core.rules.game import Game  # noqa: E402
from gonfalon.core.rules.state import Action, State  # noqa: E402
from tests.bridges.common import SOME, any_legal, each  # noqa: E402


def play(table: Any, seed: int | None, chooser: Rng) -> tuple[list[bytes], float]:
    """Play a complete game. Return all observations and the reward."""
    observation, info = table.reset(seed=seed)
    seen = [observation.tobytes()]
    over, reward = False, 0.0
    while not over:
        assert reward == 0
        observation, reward, over, cut, info = table.step(any_legal(info, chooser))
        assert not cut
        assert "refusal" not in info
        seen.append(observation.tobytes())
    return seen, reward


@pytest.mark.filterwarnings("ignore:.*not having a spec")
@pytest.mark.parametrize("game", each(SOME))
def test_gymnasiums_own_checker(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    for seat in (*range(game.seats), None):
        check_env(SeatEnv(game, seat))
    check_env(SeatEnv(game, dtype="float32"))
    capsys.readouterr()


def test_every_game_is_registered_under_its_version() -> None:
    assert register_games() == [f"gonfalon/{name}-v{games.find_game_class(name).version}" for name in games.names()]
    name = next(name for name in register_games() if name.startswith("gonfalon/feint-"))
    table = gymnasium.make(name, factions=("wu", "mibits"), bots="greedy", seat=1)
    assert table.unwrapped.game.options["factions"] == ("wu", "mibits")
    assert table.unwrapped.seat == 1


@pytest.mark.parametrize("game", each(SOME))
def test_whole_games(game: Game) -> None:
    for seat in range(game.seats):
        table = SeatEnv(game, seat)
        played = []
        for seed in range(3):
            states, reward = play(table, seed, Rng(seed))
            assert reward == table.session.full_state.returns()[seat]
            played.append((states, reward))
        assert play(SeatEnv(game, seat), 2, Rng(2)) == played[2]
        assert len({tuple(states) for states, _ in played}) > 1


@pytest.mark.parametrize("name", games.names())
def test_our_seat_alone_is_asked(name: str) -> None:
    game = games.game(name)
    table = SeatEnv(game, game.seats - 1, bots="greedy")
    _, info = table.reset(seed=5)
    chooser = Rng(5)
    for _ in range(40):
        state = table.session.full_state
        assert state.turn == game.seats - 1
        assert np.array_equal(info["action_mask"].astype(bool), table.action_masks())
        legal = [table.notation(int(i)) for i in np.flatnonzero(table.action_masks())]
        assert legal == [game.notation(action) for action in state.actions]
        _, _, over, _, info = table.step(any_legal(info, chooser))
        if over:
            break


def test_a_bot_is_shown_its_own_view_and_no_chance() -> None:
    class Nosy(Bot):
        def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
            viewers.add(view.viewer)
            return Choice(view.legal(view.viewer)[0])

    viewers: set[int] = set()
    game = games.game("jinkei")
    play(SeatEnv(game, 0, bots=Nosy("nosy", game)), 1, Rng(1))
    assert viewers == {1}


def test_random_bots_play_as_the_level_does() -> None:
    """The shortcut past the view draws the same actions as the level itself."""

    class Slow(Bot):
        def __init__(self, game: Game) -> None:
            super().__init__("slow", game)
            self.level = make("random", game)

        def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
            return self.level.think(view, budget, rng)

    for name in games.names():
        game = games.game(name)
        fast, slow = SeatEnv(game, 0), SeatEnv(game, 0, bots=Slow(game))
        for seed in range(2):
            assert play(fast, seed, Rng(seed)) == play(slow, seed, Rng(seed))


def test_seats_are_drawn_when_none_is_named() -> None:
    game = games.game("jinkei")
    table = SeatEnv(game, None)
    seats = []
    for seed in range(20):
        observation, _ = table.reset(seed=seed)
        seats.append(table.seat)
        assert table.named(observation)["seat"][table.seat] == 1
    assert set(seats) == set(range(game.seats))
    table.reset(seed=4)
    assert table.seat == seats[4]


def test_bots_sit_in_order_from_our_seat_on() -> None:
    class Named(Bot):
        def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
            where[self.name] = view.viewer
            legal: list[Action] = view.legal(view.viewer)
            return Choice(legal[int(rng.below(len(legal)))])

    for game in SOME:
        where: dict[str, int] = {}
        me = game.seats - 1
        bots = [Named(str(number), game) for number in range(game.seats - 1)]
        play(SeatEnv(game, me, bots=bots), 1, Rng(1))
        assert where == {str(number): (me + 1 + number) % game.seats for number in range(game.seats - 1)}


def test_an_illegal_action_loses_and_says_why() -> None:
    table = SeatEnv("jinkei")
    before, info = table.reset(seed=2)
    bad = int(np.flatnonzero(info["action_mask"] == 0)[0])
    observation, reward, over, cut, info = table.step(bad)
    assert (reward, over, cut) == (-1.0, True, False)
    assert info["refusal"].endswith(".")
    assert np.array_equal(observation, before)
    assert not info["action_mask"].any()
    assert not table.action_masks().any()
    good = int(np.flatnonzero(SeatEnv("jinkei").reset(seed=2)[1]["action_mask"])[0])
    with pytest.raises(Refusal, match="No game is running"):
        table.step(good)
    observation, info = table.reset(seed=2)
    assert "refusal" not in info
    assert table.step(good)[1] == 0.0
    table.close()
    with pytest.raises(Refusal, match="No game is running"):
        table.step(good)


@pytest.mark.parametrize(
    "settings",
    [{"seat": 2}, {"seat": "x"}, {"bots": ["random"] * 2}, {"bots": "nobody"}, {"viewer": []}, {"render_mode": "x"}],
)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        SeatEnv("jinkei", **settings)


def test_rendering_shows_our_seat() -> None:
    text, picture = SeatEnv("feint", 1, render_mode="ansi"), SeatEnv("feint", 1, render_mode="rgb_array")
    for table in (text, picture):
        table.reset(seed=1)
    view = text.session.full_state.mask(1)
    board: Any = text.game.board(view)
    cards = [card["name"] for card in board["seats"][1]["hand"]]
    assert all(name in text.render() for name in cards)
    assert picture.render().dtype == np.uint8
    public = SeatEnv("feint", 1, render_mode="ansi", viewer="spectator")
    public.reset(seed=1)
    assert not any(name in public.render() for name in cards)


@pytest.mark.parametrize("number", [-1, 243, 10**9])
def test_a_number_that_is_no_action_loses_and_says_so(number: int) -> None:
    table = SeatEnv("jinkei")
    table.reset(seed=1)
    before = table.session.full_state.dump()
    _, reward, terminated, _, info = table.step(number)
    assert (reward, terminated) == (-1.0, True)
    assert info["refusal"] == f"There is no action {number}. Actions are numbered from 0 to 242."
    assert table.session.full_state.dump() == before
    with pytest.raises(OptionError, match="There is no action"):
        table.notation(number)


def test_minus_one_does_not_play_the_last_action() -> None:
    table = SeatEnv("jinkei")
    table.reset(seed=1)
    table.session.full_state.actions = [table.session.numbers.actions[-1]]
    assert table.step(-1)[1] == -1.0


def first(table: SeatEnv) -> int:
    return int(table.action_masks().argmax())


@pytest.mark.parametrize("copied", [lambda table: pickle.loads(pickle.dumps(table)), copy.deepcopy])  # noqa: TID251
@pytest.mark.parametrize(("name", "bots"), [("generals", "greedy"), ("feint", "strong")])
def test_a_copy_goes_on_in_the_middle_of_a_game(name: str, bots: str, copied: Callable[[Any], Any]) -> None:
    """The copy has the same observations and the same answers of the bots."""
    table = SeatEnv(name, bots=bots)
    table.reset(seed=5)
    for _ in range(3):
        table.step(first(table))
    twin = copied(table)
    assert type(twin) is SeatEnv
    for _ in range(4):
        seen, reward, over, _, info = table.step(first(table))
        again, gain, end, _, told = twin.step(first(twin))
        assert (seen == again).all()
        assert (info["action_mask"] == told["action_mask"]).all()
        assert (reward, over) == (gain, end)
    assert twin.session.full_state.dump() == table.session.full_state.dump()
    assert (table.reset(seed=9)[0] == twin.reset(seed=9)[0]).all()


def test_observations_as_floats_are_the_same_numbers() -> None:
    bytes_, floats = SeatEnv("jinkei"), SeatEnv("jinkei", dtype="float32")
    assert floats.observation_space.dtype == np.float32
    (seen, info), (row, _) = bytes_.reset(seed=1), floats.reset(seed=1)
    for _ in range(5):
        assert row.dtype == np.float32
        assert row in floats.observation_space
        assert np.array_equal(seen, row)
        action = int(info["action_mask"].argmax())
        (seen, *_, info), (row, *_) = bytes_.step(action), floats.step(action)
    for wrong in ("float64", "rows", np.uint8):
        with pytest.raises(OptionError, match="must be int8 or float32, not"):
            SeatEnv("jinkei", dtype=wrong)


class Faulty(Bot):
    """Loses each of its moves, like a broken program."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(view.legal(view.viewer)[0], fault=Fault.CRASHED)


def play_first_actions(table: SeatEnv) -> dict[str, Any]:
    """Play a game with the first legal actions and return its last info."""
    _, info = table.reset(seed=1)
    ended = False
    while not ended:
        assert "chosen" not in info
        _, _, ended, _, info = table.step(int(info["action_mask"].argmax()))
    return info


@pytest.mark.filterwarnings("ignore:The program bad crashed:RuntimeWarning")
def test_the_moves_chosen_for_a_program_are_counted_at_the_end() -> None:
    game = games.game("feint", end_round=2)
    table = SeatEnv(game, 0, bots=Faulty("bad", game))
    with pytest.warns(RuntimeWarning, match="The program bad crashed, so a move was drawn at random"):
        info = play_first_actions(table)
    assert info["chosen"] == {"crashed": info["chosen"]["crashed"]}
    assert play_first_actions(table)["chosen"] == info["chosen"], "each game is counted anew"
    with pytest.raises(Refusal, match="No game is running"):
        table.step(0)
