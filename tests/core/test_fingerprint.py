"""Positions in 16 bytes."""

from __future__ import annotations

from hashlib import blake2b
from struct import pack

import pytest

from gonfalon import games
from gonfalon.check.play import play_case
from gonfalon.core.knowledge.fingerprint import Fingerprints
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from tests.stranger.gonfalon_duel import Duel

GAMES: list[Game] = [
    *(
        game
        for name in games.names()
        for game in (games.find_game_class(name).samples()[0], games.find_game_class(name).tiny()[0])
    ),
    Duel(),
]


@pytest.mark.parametrize("game", GAMES, ids=[f"{game.name}-{i}" for i, game in enumerate(GAMES)])
def test_equal_where_views_are_equal_and_only_there(game: Game) -> None:
    prints = Fingerprints({step: number for number, step in enumerate(game.steps)})
    marks: dict[str, bytes] = {}
    for seed in range(2):
        for state in play_case(game, seed).states:
            state.log = None
            for viewer in (SPECTATOR, *range(game.seats)):
                shown = repr(state.mask(viewer).dump())
                mark = prints.of(state.blanked(viewer))
                assert marks.setdefault(shown, mark) == mark
                assert prints.of(state.mask(viewer)) == mark
    assert len(marks) > 20
    assert len(set(marks.values())) == len(marks)


def test_the_numbers_that_are_digested() -> None:
    """The digest is the same in every process and build: written by hand for a deck of fourteen before the shuffle."""
    a_list = 1 << 30
    deck = [a_list + 14, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]
    empty = [a_list + 2, a_list, a_list]
    data = [a_list + 5, *deck, *empty, *empty, a_list, a_list + 2, 0, 0]
    due = [2, 0, a_list + 1, 3, 1, a_list + 1, -1]
    row = [-3, *data, *due, *empty]
    game = Duel()
    prints = Fingerprints({step: number for number, step in enumerate(game.steps)})
    told = pack(f"<{len(row)}i", *row)
    assert prints.told(game.start()) == told
    assert prints.of(game.start()) == blake2b(told, digest_size=16).digest()
    assert prints.of(game.start(), b"before") == blake2b(b"before" + told, digest_size=16).digest()


def test_large_numbers_and_long_lists() -> None:
    game = Duel()
    prints = Fingerprints({step: number for number, step in enumerate(game.steps)})
    state = game.start()
    found = set()
    for number in (0, (1 << 29) - 1, 1 << 29, -(1 << 29), 1 << 40, -(1 << 40), 10**30, 10**30 + 1):
        state.score[1] = number
        found.add(prints.told(state))
    assert len(found) == 8
    state.deck += [3] * 5000
    assert len(prints.told(state)) > 20_000
    state.score[1] = 0
    del state.deck[14:]
    assert prints.told(state) == Fingerprints(prints.steps).told(game.start())
