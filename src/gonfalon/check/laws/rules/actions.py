"""Laws of actions: legal ones are accepted, illegal ones are refused, and all have a notation."""

from __future__ import annotations

from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import compute_options, format_action, format_exception
from gonfalon.check.observe import name_viewer
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.errors import GonfalonError, Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, SEED, SPECTATOR, Action, Seat, State

MAX_NOTATIONS: Final = 20_000
"""Maximum number of notations checked for one game."""


def check_legal_accepted(bench: Bench, case: Case) -> int:
    """Legal actions are ascending and unique, and the rules accept each of them.

    Mistake:
        A hand with two equal cards offers the same action twice.
    Cure:
        Offer `kinds(hand)` instead of one action for each card.
    """
    rng = case.rng("legal")
    checked = 0
    for at in case.picks(rng, 8):
        state = case.states[at]
        for decision in state.decisions():
            seat, actions = decision.seat, decision.actions
            if list(actions) != sorted(set(actions)):
                raise LawBrokenError(
                    f"the legal actions of seat {seat} are not ascending and unique: {actions[:12]}", at
                )
            if state.legal(seat) != actions:
                raise LawBrokenError(f"legal({seat}) and decisions() disagree", at)
            check_options_current(state, seat, at)
            before = state.dump()
            for action in pick_some(actions, rng, 12):
                # SEED represents all seeds, so one of them is tried.
                if action == SEED:
                    action = -1 - rng.seed()
                twin = play_accepted(state, seat, action, format_action(case.game, action), at)
                for other in twin.asked():
                    check_options_current(twin, other, at + 1)
                # The log follows these parts. An event alone does not count as a change.
                if twin.dump()[:5] == before[:5] and not twin.over:
                    raise LawBrokenError(f"the legal {format_action(case.game, action)} changed nothing", at)
                checked += 1
    return checked


def play_accepted(state: State, seat: Seat, action: Action, name: str, at: int) -> State:
    """Return a copy of a state after a listed action. `name` is the action in a failure message.

    Raises:
        LawBrokenError: The rules refuse the action or raise an exception.
    """
    if not state.is_legal(seat, action) or state.why_not(seat, action) is not None:
        raise LawBrokenError(f"the listed {name} is illegal by is_legal() or why_not()", at)
    twin = state.clone()
    try:
        twin.play(seat, action)
    except Exception as error:
        raise LawBrokenError(f"the legal {name} raised {format_exception(error)}", at) from error
    return twin


def check_options_current(state: State, seat: Seat, at: int) -> None:
    """Check that the legal actions of a state are those that its step offers now, not those of an earlier moment."""
    offered = compute_options(state.clone(), seat)
    if state.legal(seat) != offered:
        raise LawBrokenError(f"legal({seat}) returns {state.legal(seat)[:8]}, but the step offers {offered[:8]}", at)


def check_listed_notations(bench: Bench, case: Case) -> int:
    """Every action in `all_actions` and `all_chances` has a notation that reads back.

    Mistake:
        `all_actions` contains numbers that the game never uses.
    Cure:
        List only actions that a seat may be asked to choose.
    """
    actions = sorted({*case.game.all_actions(), *case.game.all_chances()})
    texts: dict[str, Action] = {}
    for action in actions[:MAX_NOTATIONS]:
        check_notation(case, None, action, texts)
    return len(texts)


def pick_some(actions: list[Action], rng: Rng, count: int) -> list[Action]:
    """Return all actions of a short list, or random ones of a long list."""
    return list(actions) if len(actions) <= count else [actions[int(rng.below(len(actions)))] for _ in range(count)]


def collect_actions(bench: Bench, case: Case) -> list[Action]:
    """Return every action of this configuration met so far, ascending. The notation of a new action is checked."""
    key = id(case.game)
    met = bench.known_actions.setdefault(key, {})
    texts = bench.known_texts.setdefault(key, {})
    for at, state in enumerate(case.states):
        for decision in state.decisions():
            for action in decision.actions:
                if action not in met:
                    met[action] = check_notation(case, at, action, texts)
        if at < len(case.decisions):
            seat, action = case.decisions[at]
            # Seeds differ in every game, so their notations are checked but not kept.
            if seat == CHANCE and action < SEED:
                check_notation(case, at, action, {})
    return sorted(met)


def check_notation(case: Case, at: int | None, action: Action, texts: dict[str, Action]) -> str:
    """Return the notation of an action. Check that it is one line, parses back, and belongs to no other action."""
    text = case.game.notation(action)
    if not text or text != text.strip() or not text.isprintable():
        raise LawBrokenError(f"the notation of action {action} is {text!r}", at)
    if text.isdigit():
        raise LawBrokenError(
            f"action {action} has the notation {text!r}, which terminals read as an option's number", at
        )
    try:
        back = case.game.parse(text)
    except GonfalonError as error:
        raise LawBrokenError(f"parse() refuses the notation {text!r} of action {action}: {error}", at) from None
    if back != action:
        raise LawBrokenError(f"action {action} has the notation {text!r}, which parses to {back}", at)
    if texts.setdefault(text, action) != action:
        raise LawBrokenError(f"actions {texts[text]} and {action} have the same notation {text!r}", at)
    return text


def check_notation_round_trips(bench: Bench, case: Case) -> int:
    """Every action has a notation of one line, and `parse` reads it back.

    Mistake:
        Two actions share a notation, or `parse` raises something other than NotationError.
    Cure:
        Derive both directions from one table.
    """
    met = collect_actions(bench, case)
    rng = case.rng("notation")
    texts = list(bench.known_texts[id(case.game)])
    for _ in range(12):
        text = texts[int(rng.below(len(texts)))] if texts else ""
        at = int(rng.below(len(text) + 1))
        # Texts near a valid notation reach more of the parser than random texts.
        for odd in (
            text[:at],
            text[:at] + "~" + text[at:],
            text + text,
            text[:at] + "9" * 30,
            WRONG_TEXTS[at % len(WRONG_TEXTS)],
        ):
            check_wrong_text(case, odd)
    return len(met)


WRONG_TEXTS = [
    "",
    " ",
    "no such action",
    "seed:",
    "seed:x",
    "seed:-3",
    "@",
    "#",
    "#.",
    "\0",
    "-1",
    "1e9",
    "é" * 500,
    "²",
]
"""Texts that are not actions in any game."""


def check_wrong_text(case: Case, text: str) -> None:
    """Check that a wrong text is refused with a reason, or parses to an action that has a notation."""
    try:
        action = case.game.parse(text)
    except GonfalonError as error:
        if not str(error).strip():
            raise LawBrokenError(f"the text {text[:40]!r} is refused without a reason") from None
        return
    except Exception as error:
        raise LawBrokenError(f"parsing the text {text[:40]!r} raised {format_exception(error)}") from error
    try:
        again = case.game.parse(case.game.notation(action))
    except Exception as error:
        raise LawBrokenError(
            f"the text {text[:40]!r} parses to {action}, which has no notation: {format_exception(error)}"
        ) from error
    if again != action:
        raise LawBrokenError(f"the text {text[:40]!r} parses to {action}, whose notation parses to {again}")


def check_illegal_refused(bench: Bench, case: Case) -> int:
    """An illegal action is refused with a reason and changes nothing.

    Mistake:
        `reason` reads a hidden card, or returns an empty text.
    Cure:
        Base the reason on what the seat may know, and return a sentence for every case.
    """
    rng = case.rng("illegal")
    met = collect_actions(bench, case)
    checked = 0
    for at in case.picks(rng, 2):
        state = case.states[at].clone()
        dump = state.dump()
        asked = state.asked()
        for seat, action in sample_unusual_actions(case, state, met, rng):
            if is_allowed(state, seat, action):
                continue
            checked += 1
            check_refusal(case, at, state, seat, action)
            if seat in asked and seat >= 0:
                check_same_refusal(case, at, state, seat, action)
        if state.dump() != dump:
            raise LawBrokenError("refused actions changed the state", at)
    return checked


def is_allowed(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action is legal. The seed of a shuffle counts as the action SEED."""
    legal = state.legal(seat)
    return action in legal or (seat == CHANCE and action < 0 and legal == [SEED])


def sample_unusual_actions(case: Case, state: State, met: list[Action], rng: Rng) -> list[tuple[Seat, Action]]:
    """Return actions that may be illegal: neighbors, small numbers, and actions of other moments and seats."""
    out: list[tuple[Seat, Action]] = []
    top = met[-1] if met else 0
    for seat in range(CHANCE, case.game.seats):
        legal = state.legal(seat)
        near = [action + by for action in pick_some(legal, rng, 6) for by in (-1, 1)]
        small = [int(rng.below(max(1, top + 2))) for _ in range(6)]
        wild = [-1, -2, top + 1, 2**31 - 1]
        for action in [*near, *small, *pick_some(met, rng, 12), *wild]:
            # Chance may accept any negative number as a seed.
            if seat == CHANCE and action < 0:
                continue
            out.append((seat, action))
    others = [decision.actions for decision in state.decisions()]
    for actions in others:
        out += [(seat, action) for seat in range(case.game.seats) for action in pick_some(actions, rng, 4)]
        # A seat that does not exist and a spectator have no decision.
        out += [(case.game.seats, actions[0]), (SPECTATOR, actions[0])]
    return out


def check_refusal(case: Case, at: int, state: State, seat: Seat, action: Action) -> None:
    """Check that an illegal action is refused with a reason."""
    what = f"seat {seat}'s illegal {format_action(case.game, action)}"
    try:
        state.play(seat, action)
    except Refusal as refusal:
        if not str(refusal).strip():
            raise LawBrokenError(f"{what} is refused without a reason", at) from None
    except Exception as error:
        raise LawBrokenError(f"{what} raised {format_exception(error)}", at) from error
    else:
        raise LawBrokenError(f"{what} was accepted", at)
    if not (state.why_not(seat, action) or "").strip():
        raise LawBrokenError(f"{what} is refused without a reason", at)


def check_same_refusal(case: Case, at: int, state: State, seat: Seat, action: Action) -> None:
    """Check that the seat's view gives the same refusal as the state, so that the reason reveals nothing."""
    view = state.mask(seat)
    if view.is_legal(seat, action):
        raise LawBrokenError(
            f"{format_action(case.game, action)} is legal in seat {seat}'s view, but not in the state", at
        )
    a, b = state.why_not(seat, action), view.why_not(seat, action)
    # A tag or a rule can reveal as much as a sentence.
    if repr(a) != repr(b):
        raise LawBrokenError(
            f"the state refuses {format_action(case.game, action)} with {a!r}, the seat's view with {b!r}", at
        )


def check_view_questions(bench: Bench, case: Case) -> int:
    """A view asks its viewer the same question as the full state, and asks other viewers nothing.

    Mistake:
        `options` reads a card that the viewer cannot see.
    Cure:
        Decide from cards that the seat has seen; mark drawn cards with `SEEN[seat]`.
    """
    rng = case.rng("asks")
    game = case.game
    checked = 0
    for at in case.picks(rng, 12):
        state = case.states[at]
        window, turn = game.window(state), game.turn(state)
        if window is not None:
            check_window(case, at, state)
        for viewer in [*range(case.game.seats), SPECTATOR]:
            view = state.mask(viewer)
            checked += 1
            if view.asked() != state.asked():
                raise LawBrokenError("asked() of a view differs from asked() of the state", at)
            if view.over != state.over:
                raise LawBrokenError("a view and the state disagree on whether the game is over", at)
            if game.window(view) != window or game.turn(view) != turn:
                raise LawBrokenError(
                    f"window() or turn() of {name_viewer(viewer)}'s view differs from that of the state", at
                )
            for seat in range(case.game.seats):
                wanted = state.legal(seat) if seat == viewer else []
                if view.legal(seat) != wanted:
                    raise LawBrokenError(
                        f"in the view of {name_viewer(viewer)}, the legal actions of seat {seat} are "
                        f"{view.legal(seat)[:8]} instead of {wanted[:8]}",
                        at,
                    )
            if any(decision.seat != viewer for decision in view.decisions()):
                raise LawBrokenError(f"the view of {name_viewer(viewer)} contains another seat's decision", at)
    return checked


def check_window(case: Case, at: int, state: State) -> None:
    """Check that a window asks one seat, which can pass."""
    asked = state.asked()
    if len(asked) != 1 or asked[0] < 0:
        raise LawBrokenError(f"a window asks the seats {asked} instead of one seat", at)
    try:
        action = case.game.parse("pass")
    except GonfalonError as error:
        raise LawBrokenError(f'a window is open, but parse() does not know "pass": {error}', at) from None
    if not state.is_legal(asked[0], action):
        raise LawBrokenError(f"seat {asked[0]} cannot pass in a window", at)


LAWS = [
    Law("legal actions are ascending, unique and accepted", "actions", check_legal_accepted),
    Law("illegal actions are refused with a reason", "actions", check_illegal_refused),
    Law("notation round-trips", "actions", check_notation_round_trips, share=0.5),
    Law("every listed action has a notation", "actions", check_listed_notations, once=True, share=0.2),
    Law("a view asks what the state asks", "views", check_view_questions, share=0.5),
]
