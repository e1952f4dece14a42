"""The law of frozen states: bytes keep the whole state."""

from __future__ import annotations

from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.observe import collect_texts, find_difference, find_text_difference, list_all_viewers, name_viewer
from gonfalon.check.play import Bench, Case, choose_randomly
from gonfalon.check.tensors import build_row
from gonfalon.core.basics.errors import RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.freeze import freeze, thaw
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, State

THAWED: Final = "a state that was frozen and thawed"
"""Subject of the failures."""


def check_frozen_states(bench: Bench, case: Case) -> int:
    """A state frozen to bytes and thawed shows, asks and does the same, and damaged bytes are refused.

    Mistake:
        A rule keeps a number outside the state, or in an attribute that `__init__` does not set.
    Cure:
        Make the number a field of the state, and set it in `__init__`.
    """
    rng = case.rng("frozen")
    picks = case.picks(rng, 1)
    for at in picks:
        state = case.states[at].clone()
        state.rules = case.game.without_secrets()
        data, again = freeze_and_thaw(case.game, state, at)
        for viewer in list_all_viewers(case.game):
            compare_displays(case.game, state, again, viewer, at)
        check_damage_refused(case.game, data, int(rng.below(len(data))), at)
        compare_courses(case.game, state, again, rng, at)
        # States of a search have no log, so their form is checked as well.
        state = case.states[at].clone()
        state.rules, state.log = case.game.without_secrets(), None
        freeze_and_thaw(case.game, state, at)
    return len(picks)


def freeze_and_thaw(game: Game, state: State, at: int) -> tuple[bytes, State]:
    """Return the bytes of a state and the state made from them. Check that it equals the original."""
    data = freeze(state)
    try:
        again = thaw(game, data)
    except RecordError as error:
        raise LawBrokenError(f"the bytes of a frozen state are refused: {str(error).rstrip('.')}", at) from None
    path = find_difference(state, again) if type(state) is type(again) else "its class"
    if path or state.dump() != again.dump():
        raise LawBrokenError(f"{THAWED} differs in {path or 'its dump'}", at)
    if freeze(again) != data:
        raise LawBrokenError(f"{THAWED} freezes to other bytes", at)
    return data, again


def compare_displays(game: Game, state: State, again: State, viewer: int, at: int) -> None:
    """Check that both states show a viewer the same, ask it the same question and give it the same row."""
    one, two = (s if viewer == OPEN else s.mask(viewer) for s in (state, again))
    found = find_text_difference(collect_texts(game, one), collect_texts(game, two))
    if found:
        raise LawBrokenError(f"{THAWED} looks different to {name_viewer(viewer)}: {found}", at)
    if viewer >= 0 and build_row(game, state, viewer) != build_row(game, again, viewer):
        raise LawBrokenError(f"{THAWED} has another row for seat {viewer}", at)


def compare_courses(game: Game, state: State, again: State, rng: Rng, at: int) -> None:
    """Check that both states ask for the same decisions, with the same weights of chance, and end alike."""
    one, two = state.clone(), again.clone()
    for _ in range(game.bound):
        if one.over or two.over:
            break
        if list_questions(one) != list_questions(two):
            raise LawBrokenError(
                f"{THAWED} asks for other decisions: {list_questions(one)} against {list_questions(two)}", at
            )
        seat, action = choose_randomly(one, rng)
        one.apply(seat, action)
        two.apply(seat, action)
    if one.dump() != two.dump() or one.returns() != two.returns():
        raise LawBrokenError(f"{THAWED} has another end", at)


def list_questions(state: State) -> list[object]:
    """Return the open decisions and the weights of chance."""
    return [*((d.seat, d.prompt, d.actions) for d in state.decisions()), state.weights()]


def check_damage_refused(game: Game, data: bytes, place: int, at: int) -> None:
    """Check that bytes with a changed bit, and truncated ones, are refused."""
    for damaged in (data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], data[:place]):
        try:
            thaw(game, damaged)
        except RecordError:
            continue
        raise LawBrokenError(f"a frozen state with damage at byte {place} is accepted", at)


LAWS = [Law("a frozen state loses nothing", "positions", check_frozen_states, share=0.5)]
