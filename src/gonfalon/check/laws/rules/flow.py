"""Laws of a game's course: it continues, it ends, and it loses no card."""

from __future__ import annotations

import re
from typing import Final

from gonfalon.check.law import Law, LawBrokenError, LawUncheckedError
from gonfalon.check.observe import list_zones
from gonfalon.check.play import Bench, Case
from gonfalon.check.reference_rules import ReferenceRules
from gonfalon.core.basics.author_faults import describe_exception
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat, State, Together
from gonfalon.games import list_author_packages

SEAT_NAMES: Final = ["Ada", "Bea", "Cem", "Dov", "Eli", "Fay", "Gus", "Hal"]
"""Names for the seats, to find them in sentences."""


def format_exception(error: Exception) -> str:
    """Return the type and the message of an exception, with its place in the author's code, in one line."""
    return describe_exception(error, list_author_packages())


def compute_options(state: State, seat: Seat) -> list[Action]:
    """Return the options of a seat, computed from its step instead of read from the state."""
    step = state.stack[-1]
    return step.options_of(state, seat) if isinstance(step, Together) else step.options(state)


def check_ends(bench: Bench, case: Case) -> int:
    """Every game ends within its bound, and no rule raises an exception.

    Mistake:
        A rule meets an empty pile or hand that its author did not think of, or `bound` is lower than the longest game.
    Cure:
        Replay the record to the decision that raised, and handle the case; raise `bound` only if long games are legal.
    """
    at = len(case.decisions)
    if case.crash is not None:
        raise LawBrokenError(f"the rules raised {format_exception(case.crash)} at decision {at}", at)
    if case.endless:
        raise LawBrokenError(f"a game exceeded its bound of {case.game.bound} decisions", at)
    return 1


def check_questions(bench: Bench, case: Case) -> int:
    """Until the end a seat or chance is asked and has a legal action, and `turn`, `asked()` and `decisions()` agree.

    Mistake:
        A step of chance has fewer weights than outcomes, or `decisions` is overridden.
    Cure:
        Return a weight for each option, and offer actions in `options` alone.
    """
    for at, state in enumerate(case.states):
        asked, open_decisions = state.asked(), state.decisions()
        if state.over:
            if asked or open_decisions or state.turn >= CHANCE:
                raise LawBrokenError("the game is over, but a seat or chance is still asked", at)
            continue
        if not open_decisions:
            raise LawBrokenError("the game is not over, but no seat has a decision and neither has chance", at)
        for decision in open_decisions:
            if not decision.actions:
                raise LawBrokenError(f"seat {decision.seat} is asked {decision.prompt!r}, but has no legal action", at)
            if decision.seat not in asked:
                raise LawBrokenError(f"seat {decision.seat} has a decision, but asked() returns only {asked}", at)
            if not CHANCE <= decision.seat < case.game.seats:
                raise LawBrokenError(f"seat {decision.seat} is asked, but does not exist", at)
        if len({decision.seat for decision in open_decisions}) != len(open_decisions):
            raise LawBrokenError("a seat has two decisions at once", at)
        if state.turn not in [decision.seat for decision in open_decisions]:
            raise LawBrokenError(f"it is the turn of seat {state.turn}, which has no decision", at)
        if state.turn == CHANCE:
            weights = state.weights()
            if len(weights) != len(state.actions) or any(weight <= 0 for weight in weights):
                raise LawBrokenError("the weights of chance do not match its outcomes", at)
    return len(case.states)


def find_deck_fault(state: State) -> str:
    """Return a clause about the first deck of a full state that is incomplete; empty if all are complete."""
    listed = [zone for _, pool in state.pools() for zone in pool]
    filled = [zone for zone in listed if zone]  # empty zones may share one list
    if len({id(zone) for zone in filled}) != len(filled):
        return "a zone belongs to two decks"
    for number, (deck, pool) in enumerate(state.pools()):
        found = sorted(card & KIND for zone in pool for card in zone)
        wanted = sorted(deck)
        if found != wanted:
            extra = [kind for kind in sorted(set(found)) if found.count(kind) > wanted.count(kind)]
            lost = [kind for kind in sorted(set(wanted)) if wanted.count(kind) > found.count(kind)]
            return (
                f"deck {number} has too many of {format_kinds(state, extra)} and too few of {format_kinds(state, lost)}"
            )
    return ""


def format_kinds(state: State, kinds: list[int]) -> str:
    """Return the names of kinds, or their numbers if the state does not know its game."""
    game = state.rules
    return ", ".join(game.kind_name(kind) if isinstance(game, Game) else f"kind {kind}" for kind in kinds) or "none"


def check_cards_conserved(bench: Bench, case: Case) -> int:
    """Every deck is complete in every position: no card is lost, duplicated or blank in a full state.

    Mistake:
        A card is appended to one zone and not removed from the other, or a zone is missing from `pools`.
    Cure:
        Move cards with `pop` and `append` in one place, and list every zone in `pools` (a `SimpleState`: in `ordered`
        or `hands`).
    """
    for at, state in enumerate(case.states):
        wrong = find_deck_fault(state)
        if wrong:
            raise LawBrokenError(wrong, at)
        if any(card & KIND == HIDDEN for zone in list_zones(state) for card in zone):
            raise LawBrokenError("a full state contains a blank card", at)
    return len(case.states)


def find_outcome_fault(game: Game, state: State) -> str:
    """Return a clause about a fault in the outcome or the returns of a full state; empty if there is none."""
    outcome, returns = state.outcome(), state.returns()
    if len(returns) != game.seats:
        return f"there are {len(returns)} returns for {game.seats} seats"
    if (outcome is not None) != state.over:
        return "the game is over without an outcome" if state.over else "there is an outcome before the end"
    if outcome is None:
        return "" if not any(returns) else f"the returns are {returns} before the end"
    winners = outcome.winners
    if not winners or winners != sorted(set(winners)) or not 0 <= winners[0] <= winners[-1] < game.seats:
        return f"the winners are {winners}"
    if not outcome.how.strip():
        return "the outcome does not say how the game was won"
    ending = game.ending(state, SEAT_NAMES[: game.seats])
    named = len(winners) == game.seats or all(SEAT_NAMES[seat] in ending for seat in winners)
    if not named or not ending.endswith(".") or re.search(r"\bseat \d", ending, re.IGNORECASE):
        return f"the ending is not a sentence with the winners' names: {ending!r}"
    if any(not -1 <= value <= 1 for value in returns):
        return f"the returns {returns} are not between -1 and 1"
    if game.seats == 2 and abs(sum(returns)) > 1e-9:
        return f"the returns {returns} of two seats do not add up to 0"
    losers = [seat for seat in range(game.seats) if seat not in winners]
    if len({returns[seat] for seat in winners}) > 1:
        return f"the winners {winners} share a victory, but have different returns {returns}"
    if losers and max(returns[seat] for seat in losers) >= returns[winners[0]]:
        return f"the winners are {winners}, but the returns are {returns}"
    return ""


def check_outcome(bench: Bench, case: Case) -> int:
    """Outcome, returns and the sentence at the end agree on who won.

    Mistake:
        A tie has one winner in `outcome` and equal numbers in `returns`, or the sentence names a seat instead of a
        player.
    Cure:
        Compute `returns` from `outcome`, and build the sentence from the names that `ending` receives.
    """
    for at, state in enumerate(case.states):
        wrong = find_outcome_fault(case.game, state)
        if wrong:
            raise LawBrokenError(wrong, at)
    return 1


def check_reference_rules(bench: Bench, case: Case) -> int:
    """The rules agree with the reference rules of the game, if these are installed.

    Mistake:
        The rules and the reference rules read the rulebook differently, or a special case is missing in one of them.
    Cure:
        Compare both with the rulebook at the position shown, and correct the one that is wrong.
    """
    reference, game = bench.reference, case.game
    # The base class has no opinion on any position.
    if type(reference) is ReferenceRules:
        raise LawUncheckedError("no reference rules are installed for this game")
    for at, state in enumerate(case.states):
        wrong = reference.find_faults(game, state)
        if at:
            wrong = wrong + reference.judge_step(game, case.states[at - 1], *case.decisions[at - 1], state)
        if wrong:
            raise LawBrokenError(wrong[0], at)
        for decision in state.decisions():
            second = reference.legal_actions(game, state, decision.seat)
            if second is None:
                continue
            missing = sorted(set(second) - set(decision.actions))
            extra = sorted(set(decision.actions) - set(second))
            if missing:
                raise LawBrokenError(
                    f"{format_action(game, missing[0])} should be legal for seat {decision.seat}, but is not", at
                )
            if extra:
                raise LawBrokenError(
                    f"{format_action(game, extra[0])} should not be legal for seat {decision.seat}, but is", at
                )
    return len(case.states)


def format_action(game: Game, action: int) -> str:
    """Return an action with its notation, or its number if it has none."""
    try:
        return f"{game.notation(action)!r} ({action})"
    except Exception:
        return str(action)


LAWS = [
    Law("every game ends within its bound", "games", check_ends, share=2.0),
    Law("a seat or chance has a legal action until the end", "positions", check_questions, share=0.4),
    Law("cards are conserved", "positions", check_cards_conserved, share=0.4),
    Law("outcome, returns and end agree", "games", check_outcome, share=0.3),
    Law("rules and reference rules agree", "positions", check_reference_rules, share=0.6),
]
