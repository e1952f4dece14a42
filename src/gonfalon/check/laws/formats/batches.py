"""The law of batches: several actions sent at once are judged by the knowledge of their seat when it sent them.

A refusal rolls all of them back. If it depended on what the first action reveals, it would be a free look. The kit is
below the tables, so its caller supplies the function that sends a request to one. `gonfalon check` does.
"""

from __future__ import annotations

from gonfalon.check.law import Law, LawBrokenError, LawUncheckedError
from gonfalon.check.laws.rules.flow import format_action
from gonfalon.check.laws.secrecy.secrecy import (
    count_known,
    redeal_unseen,
    replace_deck_list,
    sample_actions,
    settle_again,
    swap_unseen,
)
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, Action, Seat, State

REQUESTS_PER_PAIR = 4
"""Number of requests sent to each pair of tables."""


def check_batches(bench: Bench, case: Case) -> int:
    """Several actions sent at once are judged by the knowledge of their seat when it sent them.

    Mistake:
        A refusal of the second action depends on the card that the first one drew.
    Cure:
        Stop the batch at the first action that reveals something.
    """
    if bench.requests is None:
        raise LawUncheckedError(
            "`gonfalon check` needs the extra server to send requests: pip install 'gonfalon[server]'"
        )
    rng = case.rng("batches")
    checked = 0
    # Such positions are rare, so some are chosen on purpose in addition to random ones.
    told_more = find_revealing(case)
    places = [told_more[int(rng.below(len(told_more)))] for _ in range(3 if told_more else 0)]
    for at in [*places, *case.picks(rng, 4)]:
        for seat in [decision.seat for decision in case.states[at].decisions() if decision.seat != CHANCE]:
            tables = build_twins(case.game, case.states[at], seat, rng)
            for _ in range(REQUESTS_PER_PAIR if tables else 0):
                actions = sample_batch(case, at, tables[int(rng.below(2))][1], seat, rng)
                one, two = (bench.requests(game, state, seat, actions) for game, state in tables)
                if one != two:
                    sent = ", ".join(format_action(case.game, action) for action in actions)
                    what = f"the answer to seat {seat}, which sends {sent} at once, reveals what it could not know"
                    raise LawBrokenError(f"{what}: {format_answer(*one)} against {format_answer(*two)}", at)
                checked += 1
    return checked


def find_revealing(case: Case) -> list[int]:
    """Return the positions in which a seat's decision showed it a card and left it to decide again."""
    found = []
    for at, (seat, _) in enumerate(case.decisions[:-1]):
        before, after = case.states[at : at + 2]
        goes_on = seat != CHANCE and after.turn in (seat, CHANCE)
        if goes_on and count_known(case.game, after, seat) - count_known(case.game, before, seat):
            found.append(at)
    return found


def format_answer(accepted: int, refusal: str) -> str:
    """Return the answer to a request in words."""
    return repr(refusal) if refusal else f"{accepted} accepted"


def build_twins(game: Game, state: State, seat: Seat, rng: Rng) -> list[tuple[Game, State]]:
    """Return two positions that look alike to a seat, each with its game.

    Cards that the seat has not seen are elsewhere, and other seats have answered differently or not yet.

    Returns:
        Empty if the seat knows everything.
    """
    one = state.clone()
    answered = [other for other in one.asked() if other not in (CHANCE, seat)]
    for other in answered:
        if one.answers[other]:
            one.answers[other] = NO_ACTIONS
    one.settle()
    found = replace_deck_list(game, one, seat, rng) or swap_unseen(game, one, seat, rng) if rng.below(2) else None
    found = found or redeal_unseen(game, one, seat, rng)
    if found is None or not settle_again(found[1]):
        if not answered:
            return []
        found = game, one.clone()
    for table in (one, found[1]):
        for other in answered:
            for _ in range(int(rng.below(3)) * 20):
                if not table.legal(other):
                    break
                table.apply(other, pick_action(table.legal(other), rng))
    return [(game, one), found]


def sample_batch(case: Case, at: int, state: State, seat: Seat, rng: Rng) -> list[Action]:
    """Return two or more actions in a row for a seat: legal ones, some newly possible ones, and a few illegal ones."""
    table = state.clone()
    others = [*sample_actions(case, rng), *state.legal(seat)]
    decided, action = case.decisions[at]
    fresh = [action] if decided == seat else []
    actions: list[Action] = []
    for _ in range(2 + int(rng.below(2))):
        legal = table.legal(seat)
        if legal and rng.below(4):
            actions.append(pick_action(fresh if fresh and rng.below(2) else legal, rng))
            table.apply(seat, actions[-1])
            # The seat does not know these outcomes when it sends the batch.
            while table.turn == CHANCE:
                table.apply(CHANCE, table.chance(rng))
            fresh = [action for action in table.legal(seat) if action not in legal]
        else:
            actions.append(pick_action(others, rng))
    return actions


def pick_action(actions: list[Action], rng: Rng) -> Action:
    """Return a random action of a list."""
    return actions[int(rng.below(len(actions)))]


LAWS = [Law("batches are judged by what their seat knew", "requests", check_batches)]
