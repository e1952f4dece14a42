"""Records of random play."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.game import Game

NAMES: Final = ("May", "David", "Ann", "Ben", "Cleo")
"""Who sits in seat 0, 1 and so on."""


def random_record(game: Game, seed: int, most: int | None = None, names: tuple[str, ...] = NAMES) -> Record:
    """A game played at random, to its end or until it has so many decisions; the same one for the same seed."""
    record, rng, state = Record(game, list(names[: game.seats])), Rng(seed), game.start()
    while not state.over and (most is None or len(record.decisions) < most):
        seat, action = state.turn, state.sample(rng)
        record.add(seat, action)
        state.apply(seat, action)
    if state.over:
        record.close(state)
    return record


def check_record(record: Record, any_case: bool = False) -> None:
    """Assert that each action can be read back from its notation (with `any_case` in capitals too), and that the
    record, written and read again, leads to the same position of the same game."""
    game = record.game
    for _, action in record.decisions:
        text = game.notation(action)
        assert game.parse(text) == action, text
        assert not any_case or game.parse(f" {text.upper()} ") == action, text
    again = load(record.dumps(), lambda name, **options: type(game)(**options))
    assert again.game.data_hash == game.data_hash
    assert again.replay().dump() == record.replay().dump()
    assert len(record.decisions) <= game.bound
