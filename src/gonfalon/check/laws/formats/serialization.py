"""The law of frozen states: bytes keep the whole state."""

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
"""Subject of the failures."""


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
    """Return the bytes of a state and the state made from them. Check that it equals the original."""
    data = freeze(state)
    try:
        again = thaw(game, data)
    except RecordError as error:
        raise Broken(f"the bytes of a frozen state are refused: {str(error).rstrip('.')}", at) from None
    path = differing(state, again) if type(state) is type(again) else "its class"
    if path or state.dump() != again.dump():
        raise Broken(f"{AGAIN} differs in {path or 'its dump'}", at)
    if freeze(again) != data:
        raise Broken(f"{AGAIN} freezes to other bytes", at)
    return data, again


def alike(game: Game, state: State, again: State, viewer: int, at: int) -> None:
    """Check that both states show a viewer the same, ask it the same question and give it the same row."""
    one, two = (s if viewer == OPEN else s.mask(viewer) for s in (state, again))
    found = first_difference(strings(game, one), strings(game, two))
    if found:
        raise Broken(f"{AGAIN} looks different to {who(viewer)}: {found}", at)
    if viewer >= 0 and row(game, state, viewer) != row(game, again, viewer):
        raise Broken(f"{AGAIN} has another row for seat {viewer}", at)


def to_the_end(game: Game, state: State, again: State, rng: Rng, at: int) -> None:
    """Check that both states ask for the same decisions, with the same weights of chance, and end alike."""
    one, two = state.clone(), again.clone()
    for _ in range(game.bound):
        if one.over or two.over:
            break
        if asks(one) != asks(two):
            raise Broken(f"{AGAIN} asks for other decisions: {asks(one)} against {asks(two)}", at)
        seat, action = choose(one, rng)
        one.apply(seat, action)
        two.apply(seat, action)
    if one.dump() != two.dump() or one.returns() != two.returns():
        raise Broken(f"{AGAIN} has another end", at)


def asks(state: State) -> list[object]:
    """Return the open decisions and the weights of chance."""
    return [*((d.seat, d.prompt, d.actions) for d in state.decisions()), state.weights()]


def refused(game: Game, data: bytes, place: int, at: int) -> None:
    """Check that bytes with a changed bit, and truncated ones, are refused."""
    for damaged in (data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], data[:place]):
        try:
            thaw(game, damaged)
        except RecordError:
            continue
        raise Broken(f"a frozen state with damage at byte {place} is accepted", at)


LAWS = [Law("a frozen state loses nothing", "positions", thawed_is_the_same, share=0.5)]
