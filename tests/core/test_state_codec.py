"""Views travel as complete JSON, and no other states do."""

from __future__ import annotations

import json

import pytest

from gonfalon import OPEN, SPECTATOR, Game, State
from gonfalon.check.observe import find_difference
from gonfalon.check.play import play_case
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.feint import Feint
from gonfalon.games.generals import Generals
from gonfalon.games.jinkei import Jinkei
from tests.cli.bids import Bids
from tests.stranger.gonfalon_duel import Duel

GAMES: list[Game] = [
    Feint.samples()[0],
    Jinkei.samples()[0],
    *FactionWars.samples()[:2],
    Generals.tiny()[0],
    Bids(),
    Duel(),
]


def rebuild_game(game: Game) -> Game:
    """Return the same game, made in another place."""
    return type(game)(**game.options)


@pytest.mark.parametrize("game", GAMES, ids=[f"{game.name}-{i}" for i, game in enumerate(GAMES)])
def test_a_view_comes_back_the_same(game: Game) -> None:
    here, there = StateCodec(game), StateCodec(rebuild_game(game))
    states = play_case(game, 11).states
    for state in states[:: max(1, len(states) // 6)]:
        for viewer in (0, 1, SPECTATOR):
            view = state.mask(viewer)
            other = there.decode_view(json.loads(json.dumps(here.encode_view(view))))
            assert other.dump() == view.dump()
            assert find_difference(view, other) == ""


def test_a_full_state_does_not_travel() -> None:
    codec = StateCodec(Feint())
    state: State = Feint().start()
    with pytest.raises(ValueError, match="Only views may be sent"):
        codec.encode_view(state)
    with pytest.raises(ValueError, match="Only views may be sent"):
        codec.encode_view(state.mask(OPEN))
    body = codec.encode_view(state.mask(0))
    body["viewer"] = OPEN
    with pytest.raises(ValueError, match="Only views may be received"):
        codec.decode_view(body)


def test_unknown_steps_and_fields_are_refused() -> None:
    codec = StateCodec(Feint())
    body = codec.encode_view(Feint().start().mask(0))
    for name in ("os:system", "gonfalon.core.files.record:Record", "subprocess:Popen"):
        with pytest.raises(KeyError):
            codec.decode_view({**body, "stack": [{"object": name, "holds": {}}]})
    with pytest.raises(KeyError):
        codec.decode_view({**body, "nonsense": 1})
