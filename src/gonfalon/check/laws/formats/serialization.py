"""The law of frozen states: what lies in bytes loses nothing."""

from __future__ import annotations

from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.observe import differing, everybody, first_difference, strings, who
from gonfalon.check.play import Bench, Case, choose
from gonfalon.check.tensors import row
from gonfalon.core.basics.errors import RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.freeze import freeze, thaw
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, State

AGAIN: Final = "a state that was frozen and thawed"


def thawed_is_the_same(bench: Bench, case: Case) -> int:
    """A state frozen to bytes and thawed shows, asks and does the same, and damaged bytes are refused.

    Mistake:
        A field changes during the game and is in neither `data()` nor a step's `key()`.
    Cure:
        Add the field to `data()` or `key()`.
    """
    rng = case.rng("frozen")
    picks = case.picks(rng, 1)
    for at in picks:
        state = case.states[at].clone()
        state.rules = case.game.without_secrets()
        data, again = both(case.game, state, at)
        for viewer in everybody(case.game):
            alike(case.game, state, again, viewer, at)
        refused(case.game, data, int(rng.below(len(data))), at)
        to_the_end(case.game, state, again, rng, at)
        state = case.states[at].clone()
        state.rules, state.log = case.game.without_secrets(), None
        both(case.game, state, at)
    return len(picks)


def both(game: Game, state: State, at: int) -> tuple[bytes, State]:
    """The bytes of a state, and what is made of them, which is the same in all that it holds."""
    data = freeze(state)
    try:
        again = thaw(game, data)
    except RecordError as error:
        raise Broken(f"a frozen state is refused: {str(error).rstrip('.')}", at) from None
    path = differing(state, again) if type(state) is type(again) else "its class"
    if path or state.dump() != again.dump():
        raise Broken(f"{AGAIN} is another one, in {path or 'its dump'}", at)
    if freeze(again) != data:
        raise Broken(f"{AGAIN} is frozen otherwise", at)
    return data, again


def alike(game: Game, state: State, again: State, viewer: int, at: int) -> None:
    """Both show a viewer the same, ask the same of them, and hand them the same row."""
    one, two = (s if viewer == OPEN else s.mask(viewer) for s in (state, again))
    found = first_difference(strings(game, one), strings(game, two))
    if found:
        raise Broken(f"{AGAIN} shows {who(viewer)} something else, {found}", at)
    if viewer >= 0 and row(game, state, viewer) != row(game, again, viewer):
        raise Broken(f"{AGAIN} gives seat {viewer} another row", at)


def to_the_end(game: Game, state: State, again: State, rng: Rng, at: int) -> None:
    """From both the same decisions are asked, with the same weights of chance, and lead to the same."""
    one, two = state.clone(), again.clone()
    for _ in range(game.bound):
        if one.over or two.over:
            break
        if asks(one) != asks(two):
            raise Broken(f"{AGAIN} goes on otherwise: {asks(one)} against {asks(two)}", at)
        seat, action = choose(one, rng)
        one.apply(seat, action)
        two.apply(seat, action)
    if one.dump() != two.dump() or one.returns() != two.returns():
        raise Broken(f"{AGAIN} ends otherwise", at)


def asks(state: State) -> list[object]:
    """Who is asked what, and how likely chance's answers are."""
    return [*((d.seat, d.prompt, d.actions) for d in state.decisions()), state.weights()]


def refused(game: Game, data: bytes, place: int, at: int) -> None:
    """What was damaged anywhere is no state."""
    for damaged in (data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], data[:place]):
        try:
            thaw(game, damaged)
        except RecordError:
            continue
        raise Broken(f"a frozen state that was damaged at byte {place} is taken for a sound one", at)


LAWS = [Law("a frozen state loses nothing", "positions", thawed_is_the_same, share=0.5)]
