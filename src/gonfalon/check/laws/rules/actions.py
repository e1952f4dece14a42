"""Laws of actions: legal ones are accepted, illegal ones are refused, and all have a notation."""

from __future__ import annotations

from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.rules.flow import named, options, raised
from gonfalon.check.observe import who
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.errors import GonfalonError, Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, SEED, SPECTATOR, Action, Seat, State

MANY: Final = 20_000
"""Maximum number of notations checked for one game."""


def legal_accepted(bench: Bench, case: Case) -> int:
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
                raise Broken(f"the legal actions of seat {seat} are not ascending and unique: {actions[:12]}", at)
            if state.legal(seat) != actions:
                raise Broken(f"legal({seat}) and decisions() disagree", at)
            asked_afresh(state, seat, at)
            before = state.dump()
            for action in some(actions, rng, 12):
                if action == SEED:
                    action = -1 - rng.seed()
                if not state.is_legal(seat, action) or state.why_not(seat, action) is not None:
                    raise Broken(
                        f"the listed {named(case.game, action)} is illegal by is_legal() or why_not()",
                        at,
                    )
                twin = state.clone()
                try:
                    twin.play(seat, action)
                except Exception as error:
                    raise Broken(f"the legal {named(case.game, action)} raised {raised(error)}", at) from error
                for other in twin.asked():
                    asked_afresh(twin, other, at + 1)
                if twin.dump()[:5] == before[:5] and not twin.over:
                    raise Broken(f"the legal {named(case.game, action)} changed nothing", at)
                checked += 1
    return checked


def asked_afresh(state: State, seat: Seat, at: int) -> None:
    """Check that the legal actions of a state are those that its step offers now, not those of an earlier moment."""
    offered = options(state.clone(), seat)
    if state.legal(seat) != offered:
        raise Broken(f"legal({seat}) returns {state.legal(seat)[:8]}, but the step offers {offered[:8]}", at)


def every_notation(bench: Bench, case: Case) -> int:
    """Every action in `all_actions` and `all_chances` has a notation that reads back.

    Mistake:
        `all_actions` contains numbers that the game never uses.
    Cure:
        List only actions that a seat may be asked to choose.
    """
    actions = sorted({*case.game.all_actions(), *case.game.all_chances()})
    texts: dict[str, Action] = {}
    for action in actions[:MANY]:
        check_notation(case, None, action, texts)
    return len(texts)


def some(actions: list[Action], rng: Rng, count: int) -> list[Action]:
    """Return all actions of a short list, or random ones of a long list."""
    if len(actions) <= count:
        return list(actions)
    return [actions[int(rng.below(len(actions)))] for _ in range(count)]


def remember(bench: Bench, case: Case) -> list[Action]:
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
            if seat == CHANCE and action < SEED:
                check_notation(case, at, action, {})
    return sorted(met)


def check_notation(case: Case, at: int | None, action: Action, texts: dict[str, Action]) -> str:
    """Return the notation of an action. Check that it is one line, parses back, and belongs to no other action."""
    text = case.game.notation(action)
    if not text or text != text.strip() or not text.isprintable():
        raise Broken(f"the notation of action {action} is {text!r}", at)
    if text.isdigit():
        raise Broken(f"action {action} has the notation {text!r}, which terminals read as an option's number", at)
    try:
        back = case.game.parse(text)
    except GonfalonError as error:
        raise Broken(f"parse() refuses the notation {text!r} of action {action}: {error}", at) from None
    if back != action:
        raise Broken(f"action {action} has the notation {text!r}, which parses to {back}", at)
    if texts.setdefault(text, action) != action:
        raise Broken(f"actions {texts[text]} and {action} have the same notation {text!r}", at)
    return text


def notation_round_trips(bench: Bench, case: Case) -> int:
    """Every action has a notation of one line, and `parse` reads it back.

    Mistake:
        Two actions share a notation, or `parse` raises something other than NotationError.
    Cure:
        Derive both directions from one table.
    """
    met = remember(bench, case)
    rng = case.rng("notation")
    texts = list(bench.known_texts[id(case.game)])
    for _ in range(12):
        text = texts[int(rng.below(len(texts)))] if texts else ""
        at = int(rng.below(len(text) + 1))
        for odd in (text[:at], text[:at] + "~" + text[at:], text + text, text[:at] + "9" * 30, ODD[at % len(ODD)]):
            check_odd(case, odd)
    return len(met)


ODD = ["", " ", "no such action", "seed:", "seed:x", "seed:-3", "@", "#", "#.", "\0", "-1", "1e9", "é" * 500, "²"]
"""Texts that are not actions in any game."""


def check_odd(case: Case, text: str) -> None:
    """Check that a wrong text is refused with a reason, or parses to an action that has a notation."""
    try:
        action = case.game.parse(text)
    except GonfalonError as error:
        if not str(error).strip():
            raise Broken(f"the text {text[:40]!r} is refused without a reason") from None
        return
    except Exception as error:
        raise Broken(f"parsing the text {text[:40]!r} raised {raised(error)}") from error
    try:
        again = case.game.parse(case.game.notation(action))
    except Exception as error:
        raise Broken(f"the text {text[:40]!r} parses to {action}, which has no notation: {raised(error)}") from error
    if again != action:
        raise Broken(f"the text {text[:40]!r} parses to {action}, whose notation parses to {again}")


def illegal_refused(bench: Bench, case: Case) -> int:
    """An illegal action is refused with a reason and changes nothing.

    Mistake:
        `reason` reads a hidden card, or returns an empty text.
    Cure:
        Base the reason on what the seat may know, and return a sentence for every case.
    """
    rng = case.rng("illegal")
    met = remember(bench, case)
    checked = 0
    for at in case.picks(rng, 2):
        state = case.states[at].clone()
        dump = state.dump()
        asked = state.asked()
        for seat, action in strangers(case, state, met, rng):
            if allowed(state, seat, action):
                continue
            checked += 1
            refuse(case, at, state, seat, action)
            if seat in asked and seat >= 0:
                same_refusal(case, at, state, seat, action)
        if state.dump() != dump:
            raise Broken("refused actions changed the state", at)
    return checked


def allowed(state: State, seat: Seat, action: Action) -> bool:
    """Return whether an action is legal. The seed of a shuffle counts as the action SEED."""
    legal = state.legal(seat)
    return action in legal or (seat == CHANCE and action < 0 and legal == [SEED])


def strangers(case: Case, state: State, met: list[Action], rng: Rng) -> list[tuple[Seat, Action]]:
    """Return actions that may be illegal: neighbors, small numbers, and actions of other moments and seats."""
    out: list[tuple[Seat, Action]] = []
    top = met[-1] if met else 0
    for seat in range(CHANCE, case.game.seats):
        legal = state.legal(seat)
        near = [action + by for action in some(legal, rng, 6) for by in (-1, 1)]
        small = [int(rng.below(max(1, top + 2))) for _ in range(6)]
        wild = [-1, -2, top + 1, 2**31 - 1]
        for action in [*near, *small, *some(met, rng, 12), *wild]:
            if seat == CHANCE and action < 0:
                continue
            out.append((seat, action))
    others = [decision.actions for decision in state.decisions()]
    for actions in others:
        out += [(seat, action) for seat in range(case.game.seats) for action in some(actions, rng, 4)]
        out += [(case.game.seats, actions[0]), (SPECTATOR, actions[0])]
    return out


def refuse(case: Case, at: int, state: State, seat: Seat, action: Action) -> None:
    """Check that an illegal action is refused with a reason."""
    what = f"seat {seat}'s illegal {named(case.game, action)}"
    try:
        state.play(seat, action)
    except Refusal as refusal:
        if not str(refusal).strip():
            raise Broken(f"{what} is refused without a reason", at) from None
    except Exception as error:
        raise Broken(f"{what} raised {raised(error)}", at) from error
    else:
        raise Broken(f"{what} was accepted", at)
    if not (state.why_not(seat, action) or "").strip():
        raise Broken(f"{what} is refused without a reason", at)


def same_refusal(case: Case, at: int, state: State, seat: Seat, action: Action) -> None:
    """Check that the seat's view gives the same refusal as the state, so that the reason reveals nothing."""
    view = state.mask(seat)
    if view.is_legal(seat, action):
        raise Broken(f"{named(case.game, action)} is legal in seat {seat}'s view, but not in the state", at)
    a, b = state.why_not(seat, action), view.why_not(seat, action)
    if a != b:
        raise Broken(f"the state refuses {named(case.game, action)} with {a!r}, the seat's view with {b!r}", at)


def views_ask(bench: Bench, case: Case) -> int:
    """A view asks its viewer the same question as the full state, and no other viewer anything.

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
            can_be_passed(case, at, state)
        for viewer in [*range(case.game.seats), SPECTATOR]:
            view = state.mask(viewer)
            checked += 1
            if view.asked() != state.asked():
                raise Broken("asked() of a view differs from asked() of the state", at)
            if view.over != state.over:
                raise Broken("a view and the state disagree on whether the game is over", at)
            if game.window(view) != window or game.turn(view) != turn:
                raise Broken(f"window() or turn() of {who(viewer)}'s view differs from that of the state", at)
            for seat in range(case.game.seats):
                wanted = state.legal(seat) if seat == viewer else []
                if view.legal(seat) != wanted:
                    raise Broken(
                        f"in the view of {who(viewer)}, the legal actions of seat {seat} are {view.legal(seat)[:8]} "
                        f"instead of {wanted[:8]}",
                        at,
                    )
            if any(decision.seat != viewer for decision in view.decisions()):
                raise Broken(f"the view of {who(viewer)} contains another seat's decision", at)
    return checked


def can_be_passed(case: Case, at: int, state: State) -> None:
    """Check that a window asks one seat, which can pass."""
    asked = state.asked()
    if len(asked) != 1 or asked[0] < 0:
        raise Broken(f"a window asks the seats {asked} instead of one seat", at)
    try:
        action = case.game.parse("pass")
    except GonfalonError as error:
        raise Broken(f'a window is open, but parse() does not know "pass": {error}', at) from None
    if not state.is_legal(asked[0], action):
        raise Broken(f"seat {asked[0]} cannot pass in a window", at)


LAWS = [
    Law("legal actions are ascending, unique and accepted", "actions", legal_accepted),
    Law("illegal actions are refused with a reason", "actions", illegal_refused),
    Law("notation round-trips", "actions", notation_round_trips, share=0.5),
    Law("every listed action has a notation", "actions", every_notation, once=True, share=0.2),
    Law("a view asks what the state asks", "views", views_ask, share=0.5),
]
