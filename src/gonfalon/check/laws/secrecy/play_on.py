"""The law of continued games: a game continued from a seat's view holds nothing else of the original game."""

from __future__ import annotations

from time import process_time
from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.secrecy.secrecy import redeal
from gonfalon.check.observe import differing, who
from gonfalon.check.play import GLANCE, Bench, Case
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files import play_on
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Seat, State

TRIES: Final = 3
"""Maximum number of positions of a case."""


def goes_on_alike(bench: Bench, case: Case) -> int:
    """A game continued from a seat's view is the same in twin positions.

    Mistake:
        The state keeps something hidden outside its zones.
    Cure:
        Hide it in `hide`, or store it as a card.
    """
    game, rng = case.game, case.rng("playing on")
    deadline = bench.deadline(GLANCE)
    checked = 0
    for at in case.picks(rng, TRIES):
        state, seat = case.states[at], int(rng.below(game.seats))
        if state.over:
            continue
        if checked and process_time() > deadline:
            break
        redealt = redeal(game, state, seat, rng)
        if redealt is None:
            continue
        other, twin = redealt
        seed = rng.seed()
        first, second = begun(game, state, seat, at, seed), begun(other, twin, seat, at, seed)
        if first is None or second is None:
            if first is not second:
                raise Broken(f"whether {who(seat)} can continue depends on cards they had not seen", at)
            continue
        if first.options != second.options:
            raise Broken(f"the game that {who(seat)} continues depends on cards they had not seen", at)
        path = differing(first.start(log=True).mask(seat), state.mask(seat))
        if path:
            raise Broken(f"the position from which {who(seat)} continues differs from the one they saw: {path}", at)
        checked += 1
    return checked


def begun(game: Game, state: State, seat: Seat, at: int, seed: int) -> Game | None:
    """Return the continued game; None if the unseen cards cannot be dealt anew."""
    try:
        return play_on.dealt_anew(game, state, seat, at, Rng(seed))
    except OptionError:
        return None


LAWS = [Law("a continued game is alike in twin worlds", "positions", goes_on_alike, share=0.5)]
