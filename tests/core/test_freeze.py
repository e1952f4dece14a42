"""States, views and games in pickles and copies."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gonfalon import freeze, games, thaw, worlds
from gonfalon.bots import make
from gonfalon.check.play import play_case
from gonfalon.core.arrays.layout import Layout
from gonfalon.core.basics.errors import GonfalonError, RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files import freeze as core_freeze
from gonfalon.core.files.record import Record
from gonfalon.core.files.state_codec import StateCodec, codec_of
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SPECTATOR, State, Step
from gonfalon.games.feint import Feint
from tests.stranger.gonfalon_duel import Duel, DuelState

Copied = Callable[[Any], Any]


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


WAYS = pytest.mark.parametrize("copied", [pickled, copy.deepcopy])  # noqa: TID251
GAMES: list[Game] = [
    *(
        game
        for name in games.names()
        for game in (games.find_game_class(name).samples()[0], games.find_game_class(name).tiny()[0])
    ),
    Duel(),
]
ALL = pytest.mark.parametrize("game", GAMES, ids=[f"{game.name}-{i}" for i, game in enumerate(GAMES)])


@cache
def list_states(game: Game) -> list[State]:
    return play_case(game, 5).states


def states(game: Game, count: int = 4) -> list[State]:
    found = list_states(game)
    chosen = [state.clone() for state in found[:: max(1, len(found) // count)]]
    for state in chosen:
        state.rules = game.without_secrets()
    return chosen


@ALL
def test_a_pickled_view_holds_nothing_but_the_view(game: Game) -> None:
    """A view cut from another position that fits it is pickled to the same bytes."""
    rng = Rng(8)
    for state in states(game):
        for viewer in (0, 1, SPECTATOR):
            view = state.mask(viewer)
            world = worlds(view).sample(rng)
            assert pickle.dumps(world.mask(viewer)) == pickle.dumps(view)


@ALL
@WAYS
def test_a_game_comes_back_with_its_options(game: Game, copied: Copied) -> None:
    again = copied(game)
    assert type(again) is type(game)
    assert again.shown_options() == game.shown_options()
    assert (again.seats, again.data_hash, again.bound) == (game.seats, game.data_hash, game.bound)
    assert again.start().dump() == game.start().dump()


def test_an_owners_card_file_travels_with_the_game(tmp_path: Path) -> None:
    """The contents travel, not the path, because another machine may have a different file or none."""
    path = tmp_path / "own.toml"
    path.write_text((Feint.folder / "cards.toml").read_text("utf-8").replace("morale = 23", "morale = 24", 1))
    game = Feint(cards=path)
    path.unlink()
    assert pickled(game).data_hash == game.data_hash != Feint().data_hash


def test_states_that_are_pickled_together_share_their_game() -> None:
    game = Feint()
    first, second, rules = pickled((game.start(), game.start().mask(0), game))
    assert first.rules is second.rules is rules


def test_a_state_without_a_game_says_why_it_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="was not started by a game"):
        pickle.dumps(DuelState([0, 1], 2, []))


@WAYS
def test_small_things_come_back_too(copied: Copied) -> None:
    rng = Rng(7)
    rng.word()
    twin = copied(rng)
    assert [twin.word() for _ in range(5)] == [rng.word() for _ in range(5)]
    game = Duel()
    state = game.start()
    state.play_out(Rng(1))
    outcome = state.outcome()
    assert repr(copied(outcome)) == repr(outcome)
    [decision] = game.start().decisions()
    assert (copied(decision).seat, copied(decision).actions) == (CHANCE, [-1])
    assert copied(Layout(game)).table() == Layout(game).table()
    record = Record(game, ["May", "Bo"], [(CHANCE, -8)])
    assert copied(record).dumps() == record.dumps()


@pytest.mark.parametrize("name", games.names())
@WAYS
def test_a_bot_that_was_copied_chooses_alike(name: str, copied: Copied) -> None:
    game = games.game(name)
    bot = make("greedy", game)
    [view, *_] = [state.mask(state.turn) for state in states(game) if state.turn >= 0]
    twin = copied(bot)
    assert repr(twin.choose(view, None, Rng(1))) == repr(bot.choose(view, None, Rng(1)))


# ---- steps --------------------------------------------------------------------------------------------------


class Nameless(Step[DuelState]):
    """A step that stores its argument under another name."""

    def __init__(self, owner: int) -> None:
        super().__init__(owner)

    def options(self, s: DuelState) -> list[int]:
        return [0]


def test_a_step_that_cannot_be_made_again_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Duel, "steps", (*Duel.steps, Nameless))
    game = Duel()
    state = game.start()
    state.stack.append(Nameless(0))
    codec = StateCodec(game)
    with pytest.raises(GonfalonError, match="Nameless must store its argument owner"):
        codec.decode(codec.encode(state))


# ---- bytes --------------------------------------------------------------------------------------------------


def forge_bytes(data: bytes, /, **changes: object) -> bytes:
    """Return bytes forged with knowledge of the format."""
    text = json.dumps({**json.loads(data.partition(b"\n")[2]), **changes}).encode()
    return b" ".join((core_freeze.FORMAT, core_freeze.FORMAT_VERSION, core_freeze.hash_text(text))) + b"\n" + text


FROZEN = freeze(Duel().start())
POSITION = json.loads(FROZEN.partition(b"\n")[2])["position"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "This is not a frozen state."),
        (pickle.dumps(Duel().start()), "This is not a frozen state."),
        (FROZEN.replace(b"frozen 1 ", b"frozen 2 ", 1), "This state was frozen by another version of this program."),
        (FROZEN[:-1], "This frozen state is damaged."),
        (FROZEN.replace(b'"goal":3', b'"goal":2'), "This frozen state is damaged."),
        (forge_bytes(FROZEN, game="feint"), "This state was frozen in another game."),
        (forge_bytes(FROZEN, rules="0"), "This state was frozen by another version of the rules."),
        (forge_bytes(FROZEN, data=""), "This state was frozen with other card data."),
        (forge_bytes(FROZEN, shape=""), "This state was frozen by another version of this program."),
        (freeze(Duel(goal=2).start()), "This state was frozen in a game with other options."),
        (forge_bytes(FROZEN, position=[]), "This frozen state is damaged."),
        (forge_bytes(FROZEN, position={**POSITION, "viewer": 0}), "This frozen state is damaged."),
        (
            forge_bytes(FROZEN, position={**POSITION, "discard": [0]}),
            "This frozen state is damaged.",
        ),  # a card too many
        (forge_bytes(FROZEN, position={**POSITION, "actions": [1, 2]}), "This frozen state is damaged."),
        (
            forge_bytes(FROZEN, position={**POSITION, "log": {"object": "os:system", "holds": {"command": "true"}}}),
            "This frozen state is damaged.",
        ),
    ],
)
def test_foreign_frozen_states_are_refused_with_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(RecordError) as caught:
        thaw(Duel(), data)
    assert str(caught.value) == words


def test_bytes_make_nothing_that_a_game_has_merely_imported() -> None:
    codec = codec_of(Feint())
    module = Feint.__module__
    imported = [name for name, found in vars(sys.modules[module]).items() if isinstance(found, type)]
    foreign = [name for name in imported if vars(sys.modules[module])[name].__module__ != module]
    assert foreign
    for name in foreign:
        with pytest.raises(KeyError):
            codec.find_class(f"{module}:{name}")


def test_a_view_is_not_frozen() -> None:
    with pytest.raises(ValueError, match="only full states"):
        freeze(Duel().start().mask(0))


# ---- what they look like ------------------------------------------------------------------------------------


def test_a_view_does_not_say_more_of_itself_than_it_holds() -> None:
    game = Duel()
    for state in states(game):
        for viewer in (0, 1, SPECTATOR):
            view = state.mask(viewer)
            assert repr(worlds(view).sample(Rng(2)).mask(viewer)) == repr(view)
