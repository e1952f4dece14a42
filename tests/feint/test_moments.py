"""The moment before a round is cleared is visible to all viewers and shows only revealed information."""

from __future__ import annotations

import re

import gonfalon
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules.state import DOWN, FeintState


def play_game(seed: int) -> tuple[Record, list[State], list[int]]:
    """Return a random game's moments, each with the number of decisions before it."""
    game = gonfalon.game("feint")
    state, record, rng = game.start(log=True), Record(game), Rng(seed)
    found: list[State] = []
    after: list[int] = []
    state.moments = found
    while not state.over:
        seat = state.turn
        action = state.sample(rng)
        record.add(seat, action)
        state.apply(seat, action)
        after += [len(record.decisions)] * (len(found) - len(after))
    return record, found, after


def test_every_round_that_is_fought_can_be_seen() -> None:
    record, found, _ = play_game(3)
    end = record.replay()
    assert isinstance(end, FeintState)
    assert len(found) == len(end.won) > 0
    for round_, moment in enumerate(found, start=1):
        assert isinstance(moment, FeintState)
        assert len(moment.won) == round_
        assert moment.moment == "resolution"
        cards = [card for zone in moment.board for card in zone]
        assert cards
        assert not any(card & DOWN for card in cards)


def test_a_moment_shows_only_revealed_cards() -> None:
    _, found, _ = play_game(3)
    for moment in found:
        for viewer in (0, SPECTATOR):
            view = moment.mask(viewer)
            assert isinstance(view, FeintState)
            assert not any(card & KIND == HIDDEN for zone in (*view.board, *view.scout) for card in zone)
            assert all(card & KIND == HIDDEN for card in view.hand[1])
            names = ["You", "David"] if viewer == 0 else ["May", "David"]
            assert re.match(rf"({names[0]} wins?|David wins) round {len(view.won)}, ", Feint().prompt(view, names))
            board = Feint().board(view)
            assert board["phase"] == "resolution"
            assert board["resolution"] is not None
            assert board["resolution"]["round"] == len(view.won)


def test_a_replay_shows_them_where_they_came() -> None:
    record, found, after = play_game(3)
    for viewer in (OPEN, 0):
        steps = list(replay_sights(record, viewer))
        shown = [sight for sight in steps if sight.moment]
        assert [sight.mark for sight in shown] == [number - 1 + 0.01 for number in after]
        assert len(shown) == len(found)
        marks = [sight.mark for sight in steps]
        assert marks == sorted(marks)
