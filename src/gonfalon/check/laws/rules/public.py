"""The law of `Game.public`: the number shown of another seat's action reveals no more than the table does."""

from __future__ import annotations

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import compute_options, format_action
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.check.observe import list_viewers, name_viewer
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, TOGETHER, Action, Seat, State


def check_public(bench: Bench, case: Case) -> int:
    """`public` reveals no more of an action to other viewers than the table does.

    Mistake:
        A secret choice appears in the record of other seats because `public` returns the action itself.
    Cure:
        Return the same number for all actions that others cannot tell apart.
    """
    rng = case.rng("public too")
    game = case.game
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        for decision in state.decisions():
            seat = decision.seat
            if seat == CHANCE:
                continue
            actions = [decision.actions[int(rng.below(len(decision.actions)))] for _ in range(6)]
            ends = [(action, carry_out_action(state, seat, action)) for action in dict.fromkeys(actions)]
            for viewer in list_viewers(game):
                if viewer == seat:
                    continue
                checked += compare_equal_tables(game, state, seat, viewer, ends, at)
                # Begun answers may be impossible with other cards.
                redealt = None if any(state.answers) else redeal_unseen(game, state, viewer, rng)
                if redealt is not None:
                    compare_in_twin(game, state, seat, viewer, [action for action, _ in ends], redealt, at)
    return checked


def compare_equal_tables(
    game: Game, state: State, seat: Seat, viewer: int, ends: list[tuple[Action, State | None]], at: int
) -> int:
    """Check that actions after which a viewer sees the same table are shown as one. Return the number of actions."""
    seen: dict[str, Action] = {}
    checked = 0
    for action, end in ends:
        if end is None:
            continue
        first = seen.setdefault(repr(end.mask(viewer).dump()), action)
        checked += 1
        if game.public(state, seat, first, viewer) != game.public(state, seat, action, viewer):
            pair = f"{format_action(game, first)} and {format_action(game, action)}"
            raise LawBrokenError(f"public() distinguishes {pair}, after which {name_viewer(viewer)} sees one table", at)
    return checked


def compare_in_twin(
    game: Game, state: State, seat: Seat, viewer: int, actions: list[Action], redealt: tuple[Game, State], at: int
) -> None:
    """Check that actions are shown alike in a position and in its twin, whose cards unseen by the viewer differ."""
    other, twin = redealt
    possible = compute_options(twin, seat)
    for action in actions:
        # In the twin the seat may lack the card, so the action may be impossible there.
        if action not in possible:
            continue
        if game.public(state, seat, action, viewer) != other.public(twin, seat, action, viewer):
            what = f"public() of {format_action(game, action)}"
            raise LawBrokenError(f"{what} reveals cards to {name_viewer(viewer)} that they have not seen", at)


def carry_out_action(state: State, seat: Seat, action: Action) -> State | None:
    """Return the position in which an action has been shown: after all answers, if several seats decide at once.

    Returns:
        None while the seat's answer is incomplete, or if other seats cannot answer.
    """
    end = state.clone()
    end.apply(seat, action)
    if state.stack[-1].seat != TOGETHER:
        return end
    rng = Rng(1)
    step = state.stack[-1]
    for _ in range(60):
        if not end.stack or end.stack[-1] is not step or not end.answers[seat]:
            return end
        if end.legal(seat):
            return None
        other = next((one for one in range(state.seats) if end.legal(one)), None)
        if other is None:
            return None
        legal = end.legal(other)
        end.apply(other, legal[int(rng.below(len(legal)))])
    return None


LAWS = [Law("public() reveals no more than the table", "actions", check_public, share=0.5)]
