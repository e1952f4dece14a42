"""The law of requests: several actions sent at once are judged by what their seat knew when it sent them.

A refusal rolls all of them back. If it depended on what the first of them reveals it would be a free look. The kit lies
below the tables, so whoever runs it hands in what sends a request to one; `gonfalon check` does.
"""

from __future__ import annotations

from gonfalon.check.law import Broken, Law, Unchecked
from gonfalon.check.laws.rules.flow import named
from gonfalon.check.laws.secrecy.secrecy import another_list, known, redeal, resettled, sample_actions, swapped
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, Action, Seat, State

TRIED = 4
"""So many requests are sent to each pair of tables."""


def requests_tell_nothing(bench: Bench, case: Case) -> int:
    """Several actions sent at once are judged by what their seat knew when it sent them.

    Mistake:
        A refusal of the second action depends on the card that the first one drew.
    Cure:
        Stop the batch at the first action that reveals something.
    """
    if bench.requests is None:
        raise Unchecked("requests are sent by `gonfalon check` with the extra server: pip install 'gonfalon[server]'")
    rng = case.rng("batches")
    checked = 0
    told_more = revealing(case)
    places = [told_more[int(rng.below(len(told_more)))] for _ in range(3 if told_more else 0)]
    for at in [*places, *case.picks(rng, 4)]:
        for seat in [decision.seat for decision in case.states[at].decisions() if decision.seat != CHANCE]:
            tables = twins(case.game, case.states[at], seat, rng)
            for _ in range(TRIED if tables else 0):
                actions = batch(case, at, tables[int(rng.below(2))][1], seat, rng)
                one, two = (bench.requests(game, state, seat, actions) for game, state in tables)
                if one != two:
                    sent = ", ".join(named(case.game, action) for action in actions)
                    what = f"seat {seat}, who sends {sent} at once, is told what it could not know"
                    raise Broken(f"{what}: {told(*one)} against {told(*two)}", at)
                checked += 1
    return checked


def revealing(case: Case) -> list[int]:
    """Where a seat's decision told it of a card and left it to decide again: what it did next it could not know."""
    found = []
    for at, (seat, _) in enumerate(case.decisions[:-1]):
        before, after = case.states[at : at + 2]
        goes_on = seat != CHANCE and after.turn in (seat, CHANCE)
        if goes_on and known(case.game, after, seat) - known(case.game, before, seat):
            found.append(at)
    return found


def told(accepted: int, refusal: str) -> str:
    """An answer in words."""
    return repr(refusal) if refusal else f"{accepted} accepted"


def twins(game: Game, state: State, seat: Seat, rng: Rng) -> list[tuple[Game, State]]:
    """Two positions that are alike for a seat, each with its game: other cards lie where it has not seen them, and the
    others have answered differently, or not yet. None where there is nothing that it does not know."""
    one = state.clone()
    answered = [other for other in one.asked() if other not in (CHANCE, seat)]
    for other in answered:
        if one.answers[other]:
            one.answers[other] = NO_ACTIONS
    one.settle()
    found = another_list(game, one, seat, rng) or swapped(game, one, seat, rng) if rng.below(2) else None
    found = found or redeal(game, one, seat, rng)
    if found is None or not resettled(found[1]):
        if not answered:
            return []
        found = game, one.clone()
    for table in (one, found[1]):
        for other in answered:
            for _ in range(int(rng.below(3)) * 20):
                if not table.legal(other):
                    break
                table.apply(other, some(table.legal(other), rng))
    return [(game, one), found]


def batch(case: Case, at: int, state: State, seat: Seat, rng: Rng) -> list[Action]:
    """Two or more actions: what the seat could do one after the other here, often what only the one before made
    possible, and now and then what it could not do."""
    table = state.clone()
    others = [*sample_actions(case, rng), *state.legal(seat)]
    decided, action = case.decisions[at]
    fresh = [action] if decided == seat else []
    actions: list[Action] = []
    for _ in range(2 + int(rng.below(2))):
        legal = table.legal(seat)
        if legal and rng.below(4):
            actions.append(some(fresh if fresh and rng.below(2) else legal, rng))
            table.apply(seat, actions[-1])
            while table.turn == CHANCE:
                table.apply(CHANCE, table.chance(rng))
            fresh = [action for action in table.legal(seat) if action not in legal]
        else:
            actions.append(some(others, rng))
    return actions


def some(actions: list[Action], rng: Rng) -> Action:
    """One of them."""
    return actions[int(rng.below(len(actions)))]


LAWS = [Law("requests are judged by what their seat knew", "requests", requests_tell_nothing)]
