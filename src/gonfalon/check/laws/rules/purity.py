"""The law that questions change nothing: reading a position leaves it as it was, the order of hidden cards included.

Rules that sort a deck to find the options have done so before the kit can look, and later calls have no effect.
Therefore the questions are also put to a twin position whose hidden cards have just been dealt again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_exception
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.check.observe import list_all_viewers, list_viewers, take_snapshot
from gonfalon.check.play import Bench, Case
from gonfalon.check.tensors import build_row, build_tensor
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import CHANCE, OPEN, Action, State, Together

SEED_OF_CHANCE: Final = 7
"""Seed for questions to chance."""
MAX_EVENTS: Final = 12
"""Number of events, the latest ones, that are put into words."""

Question = tuple[str, Callable[[], object]]
"""The name of a question, and the call that asks it."""


def list_state_questions(game: Game, state: State, actions: list[Action]) -> list[Question]:
    """Return the questions to a full state or a view."""
    seats = range(game.seats)
    asked: list[Question] = [
        ("legal", lambda: [state.legal(seat)[:] for seat in seats]),
        ("why_not", lambda: [state.why_not(seat, action) for seat in seats for action in actions]),
        ("is_legal", lambda: [state.is_legal(seat, action) for seat in seats for action in actions]),
        ("decisions", lambda: [(d.seat, d.prompt, d.actions[:]) for d in state.decisions()]),
        ("asked", state.asked),
        ("weights", state.weights),
        ("outcome", lambda: repr(state.outcome())),
        ("returns", state.returns),
        ("zones", lambda: [[zone[:] for zone in zones] for zones in (state.zones(), state.forgotten())]),
        ("pools", lambda: [(deck[:], [zone[:] for zone in pool]) for deck, pool in state.pools()]),
        ("dump", state.dump),
        ("window", lambda: (game.window(state), game.turn(state))),
    ]
    step = state.stack[-1] if state.stack else None
    if step is None:
        return asked
    if isinstance(step, Together):
        together = step
        able = seats if state.viewer == OPEN else [seat for seat in seats if seat == state.viewer]
        mine = [seat for seat in able if seat in together.seats]
        asked.append(("options_of", lambda: [together.options_of(state, seat)[:] for seat in mine]))
    elif state.viewer == OPEN or step.seat == state.viewer:
        asked.append(("options", lambda: step.options(state)[:]))
    asked.append(("key", step.key))
    if state.viewer == OPEN:
        if state.turn == CHANCE:
            asked.append(("chance", lambda: state.chance(Rng(SEED_OF_CHANCE))))
        asked += [
            (f"mask({viewer})", lambda viewer=viewer: state.mask(viewer).dump())  # type: ignore[misc]
            for viewer in list_viewers(game)
        ]
    return asked


def list_row_questions(game: Game, state: State) -> list[Question]:
    """Return the questions about the rows of a position that was played."""
    return [
        ("row", lambda: [build_row(game, state, seat) for seat in range(game.seats) if state.viewer in (OPEN, seat)])
    ]


def list_view_questions(game: Game, view: State) -> list[Question]:
    """Return the questions to a game about a view, for people and programs."""
    names = names_for(game, view.viewer)
    me = view.viewer
    legal = view.legal(me)[:] if me >= 0 else []
    return [
        ("board", lambda: game.board(view)),
        ("controls", lambda: game.controls(view)),
        ("text", lambda: game.text(view, names)),
        ("prompt", lambda: game.prompt(view, names)),
        ("describe", lambda: [game.describe(view, action) for action in legal]),
        ("notation", lambda: [game.notation(action) for action in legal]),
        ("log lines", lambda: list(list_lines(game, view, names, max(0, len(view.log or ()) - MAX_EVENTS)))),
        ("words", lambda: [game.words(event, view, names) for event in (view.log or [])[-MAX_EVENTS:]]),
        ("tensor", lambda: build_tensor(game, view)),
    ]


def ask_twice(state: State, questions: list[Question], at: int, what: str) -> int:
    """Put each question twice, and check that the answers are equal and that the state has not changed.

    Returns:
        The number of questions.
    """
    before, dump = take_snapshot(state, False), state.dump()
    for name, question in questions:
        try:
            first = question()
            again = question()
        except NotImplementedError:
            continue
        except Exception as error:
            raise LawBrokenError(f"asking {name} of {what} raised {format_exception(error)}", at) from error
        if repr(first) != repr(again):
            raise LawBrokenError(f"{name} of {what} has another answer the second time", at)
        if state.dump() != dump or take_snapshot(state, False) != before:
            raise LawBrokenError(f"asking {name} changes {what}", at)
    return len(questions)


def check_questions_pure(bench: Bench, case: Case) -> int:
    """A question changes no state or view, and has the same answer the second time.

    Mistake:
        `options` sorts a pile in place, or `board` pops from a list.
    Cure:
        Work on a copy: `sorted(pile)` instead of `pile.sort()`.
    """
    rng = case.rng("asking")
    game = case.game
    own = sorted({action for seat, action in case.decisions if seat != CHANCE})
    checked = 0
    for at in case.picks(rng, 1):
        state = case.states[at].clone()
        actions = [own[int(rng.below(len(own)))] for _ in range(3)] if own else []
        checked += ask_twice(
            state, [*list_state_questions(game, state, actions), *list_row_questions(game, state)], at, "the position"
        )
        seat = int(rng.below(game.seats))
        # The begun answers of other seats may be illegal with other cards.
        begun = any(answer for other, answer in enumerate(state.answers) if other != seat)
        redealt = None if begun else redeal_unseen(game, state, seat, rng)
        if redealt is not None:
            other, twin = redealt
            checked += ask_twice(
                twin, list_state_questions(other, twin, actions), at, "the position with newly dealt cards"
            )
        for viewer in list_all_viewers(game):
            view = state.mask(viewer)
            questions = [*list_state_questions(game, view, actions), *list_view_questions(game, view)]
            checked += ask_twice(view, questions, at, "a view")
    return checked


LAWS = [Law("questions change nothing and have the same answer twice", "questions", check_questions_pure)]
