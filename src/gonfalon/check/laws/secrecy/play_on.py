"""The law of continued games: a game continued from a seat's view holds nothing else of the original game."""

from __future__ import annotations

from time import process_time
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import compute_options
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.check.observe import find_difference, name_viewer
from gonfalon.check.play import GLANCE_SHARE, Bench, Case
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files import play_on
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State

MAX_POSITIONS: Final = 3
"""Maximum number of positions of a case."""


def check_continued_games(bench: Bench, case: Case) -> int:
    """A game continued from a seat's view is the same in twin positions.

    Mistake:
        A rule adds an attribute that `__init__` does not set, so the position cannot become the start of a game.
    Cure:
        Set every field in `__init__`.
    """
    game, rng = case.game, case.rng("playing on")
    deadline = bench.deadline(GLANCE_SHARE)
    checked = 0
    for at in case.picks(rng, MAX_POSITIONS):
        state, seat = case.states[at], int(rng.below(game.seats))
        if state.over:
            continue
        if checked and process_time() > deadline:
            break
        redealt = redeal_unseen(game, state, seat, rng)
        if redealt is None:
            continue
        other, twin = redealt
        seed = rng.seed()
        first, second = continue_game(game, state, seat, at, seed), continue_game(other, twin, seat, at, seed)
        if first is None or second is None:
            if first is not second:
                raise LawBrokenError(f"whether {name_viewer(seat)} can continue depends on cards they had not seen", at)
            continue
        if first.options != second.options:
            raise LawBrokenError(f"the game that {name_viewer(seat)} continues depends on cards they had not seen", at)
        if not follow_from_view(state.mask(seat), seed):
            continue  # the law of the questions of views judges it
        path = find_difference(first.start(log=True).mask(seat), state.mask(seat))
        if path:
            raise LawBrokenError(
                f"the position from which {name_viewer(seat)} continues differs from the one they saw: {path}", at
            )
        checked += 1
    return checked


def continue_game(game: Game, state: State, seat: Seat, at: int, seed: int) -> Game | None:
    """Return the continued game; None if no deal of the unseen cards fits."""
    try:
        return play_on.deal_again(game, state, seat, at, Rng(seed))
    except OptionError:
        return None


def follow_from_view(view: State, seed: int) -> bool:
    """Return whether a world of a view offers the same actions as the view, so that it can be the start of a game."""
    world = worlds(view).sample(Rng(seed))
    return all(compute_options(world, seat) == view.legal(seat) for seat in view.asked() if seat == view.viewer)


LAWS = [Law("a continued game is alike in twin worlds", "positions", check_continued_games, share=0.5)]
