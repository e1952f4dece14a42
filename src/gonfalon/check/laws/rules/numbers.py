"""Laws of the input of learning programs: the list of all actions, and observation tensors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_action
from gonfalon.check.observe import list_viewers, name_viewer
from gonfalon.check.play import Bench, Case
from gonfalon.check.tensors import build_layout, build_row, build_tensor
from gonfalon.core.arrays.layout import Layout, Places
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, Zone
from gonfalon.core.rules.state import CHANCE, OPEN, SEED, SPECTATOR, State
from gonfalon.core.rules.tensor import HIGH, build_undeclared_error

BRANCHES_PER_DECISION: Final = 5
"""Number of actions tried for a decision; twice as many for the first one."""


def check_actions_listed(bench: Bench, case: Case) -> int:
    """Every action that is offered or shown to others is in `all_actions` or `all_chances`.

    Mistake:
        A new action is offered and not listed.
    Cure:
        Add its number to `all_actions`, or the number that `public` returns.
    """
    game = case.game
    seats, chances = game.all_actions(), game.all_chances()
    for what, listed in (("all_actions", seats), ("all_chances", chances)):
        if listed != sorted(set(listed)) or (listed and listed[0] < 0):
            raise LawBrokenError(f"{what} is not ascending and unique, from 0 up")
    known = {False: set(seats), True: set(chances)}
    for at, state in enumerate(case.states):
        for decision in state.decisions():
            for action in decision.actions:
                if decision.seat == CHANCE:
                    missing = action not in known[True] and action != SEED
                else:
                    shown = game.public(state, decision.seat, action, (decision.seat + 1) % game.seats)
                    missing = action not in known[False] or shown not in known[False]
                if missing:
                    what = "all_chances" if decision.seat == CHANCE else "all_actions"
                    raise LawBrokenError(
                        f"{format_action(game, action)}, or the number that others see of it, is not in {what}", at
                    )
    return len(case.states)


def check_tensors(bench: Bench, case: Case) -> int:
    """A tensor counts every card under its kind, keeps the bounds of its parts, and has no secrets in its public parts.

    Mistake:
        `measure` puts a number of one seat into a public part, or beyond `high`.
    Cure:
        Mark the part as `public=False`, or correct its bounds.
    """
    game = case.game
    layout = build_layout(game)
    rng = case.rng("tensors")
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        for viewer in [*range(game.seats), OPEN]:
            check_tensor(game, layout, state, viewer, at)
            checked += 1
        if (
            build_tensor(game, state.mask(0))[: layout.public]
            != build_tensor(game, state.mask(SPECTATOR))[: layout.public]
        ):
            raise LawBrokenError("the public part of seat 0's tensor differs from the spectator's", at)
        kinds = count_kinds(layout, build_tensor(game, state.mask(OPEN)))
        lying = Counter(card & KIND for _, zones in state.pools() for zone in zones for card in zone)
        # Larger counts are cut to the range of a signed byte, so they cannot agree.
        if kinds != lying and max(lying.values(), default=0) <= HIGH:
            raise LawBrokenError("an open tensor counts cards under wrong kinds", at)
    return checked


def check_tensor(game: Game, layout: Layout, state: State, viewer: int, at: int) -> None:
    """Check the size, bounds and number of cards of a viewer's tensor."""
    # The writer keeps the last number that it clipped, so an earlier one must be cleared.
    layout.writer.clipped = -1
    try:
        out = build_tensor(game, state.mask(viewer))
    except IndexError:
        raise LawBrokenError("measure() writes more numbers than the parts have", at) from None
    if layout.writer.clipped >= 0:
        raise LawBrokenError(f"the game's number {layout.writer.clipped} does not fit in a signed byte", at)
    counted = 0
    for part, start in zip(layout.parts, layout.at, strict=True):
        # Numbers are stored as signed bytes.
        here = [number - 256 if number > HIGH else number for number in out[start : start + part.size]]
        if any(not part.low <= number <= part.high for number in here):
            raise LawBrokenError(f"the part {part.name} has a number outside its bounds: {here}", at)
        if part.name.endswith(".shown"):
            counted += sum(out[start : start + part.size])
    cards = [len(zone) for _, zones in state.pools() for zone in zones]
    if counted != sum(cards) and max(cards) <= HIGH:
        raise LawBrokenError(f"the tensor counts {counted} cards instead of {sum(cards)}", at)


def check_rows(bench: Bench, case: Case) -> int:
    """A row written from the full state equals the row of the seat's view.

    Mistake:
        `is_direct` is set and `measure` reads something that the mask hides.
    Cure:
        Read only what `row.viewer` may know, or set `is_direct = False`.
    """
    game = case.game
    checked = 0
    for at in case.picks(case.rng("rows"), 40):
        state = case.states[at]
        for seat in range(game.seats):
            view = state.mask(seat)
            if build_row(game, state, seat) != build_tensor(game, view):
                raise LawBrokenError(
                    f"the row of seat {seat} differs from that of its view {format_differing_parts(game, state, seat)}",
                    at,
                )
            if state.legal(seat) != view.legal(seat):
                raise LawBrokenError(f"the legal actions of seat {seat} differ from those of its view", at)
            checked += 1
    return checked


def format_differing_parts(game: Game, state: State, seat: int) -> str:
    """Return the names of the parts in which the row of the state and the row of the view differ."""
    layout = build_layout(game)
    direct, masked = build_row(game, state, seat), build_tensor(game, state.mask(seat))
    places = zip(layout.parts, layout.at, strict=True)
    names = [p.name for p, at in places if direct[at : at + p.size] != masked[at : at + p.size]]
    return f"in {', '.join(names)}"


def count_kinds(layout: Layout, out: bytes) -> Counter[int]:
    """Return the number of cards of each kind that a tensor counts."""
    found: Counter[int] = Counter()
    starts = {part.name: (start, part) for part, start in zip(layout.parts, layout.at, strict=True)}
    for deck in layout.decks:
        for what in ("shown", "known"):
            start, part = starts[f"{deck.name}.{what}"]
            width = part.shape[-1]
            for first in range(start, start + part.size, width):
                found.update({kind: out[first + i] for i, kind in enumerate(deck.kinds) if out[first + i]})
    return found


def check_steps_declared(bench: Bench, case: Case) -> int:
    """The class of every step on the stack is in `Game.steps`.

    Mistake:
        A new step class is missing from `steps`.
    Cure:
        Add the class to `steps`.
    """
    for at, state in enumerate(case.states):
        for step in state.stack:
            if type(step) not in case.game.steps:
                raise LawBrokenError(str(build_undeclared_error(type(step))).rstrip("."), at)
    return len(case.states)


def check_tensors_distinct(bench: Bench, case: Case) -> int:
    """Two different views of a viewer have different tensors.

    Mistake:
        A field that changes is in `data()` and in no part of the tensor.
    Cure:
        Add a part and put the number in `measure`, or give the zone an `order`.
    """
    game = case.game
    rng = case.rng("differ")
    zones = Places(game, game.start()).zones
    checked = 0
    for at in case.picks(rng, 2):
        met: dict[tuple[int, bytes], list[object]] = {}
        for state in chain(list_nearby_positions(case.states[at], rng), exchange_cards(case.states[at], zones, rng)):
            for viewer in list_viewers(game):
                view = state.mask(viewer)
                now = list_view_contents(view, zones)
                before = met.setdefault((viewer, build_tensor(game, view)), now)
                if before != now:
                    change = next(f"{a} and {b}" for a, b in zip(before, now, strict=False) if a != b)
                    raise LawBrokenError(
                        f"two views of {name_viewer(viewer)} have the same tensor, but differ: {change}", at
                    )
                checked += 1
    return checked


def list_nearby_positions(state: State, rng: Rng, depth: int = 2) -> list[State]:
    """Return a position and some of those that follow within `depth` decisions. Chance has a fixed seed."""
    state = state.clone()
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(Rng(depth)))
    found = [state]
    for decision in state.decisions() if depth else ():
        actions = decision.actions[:]
        rng.shuffle(actions)
        for action in actions[: BRANCHES_PER_DECISION * depth]:
            twin = state.clone()
            twin.apply(decision.seat, action)
            found += list_nearby_positions(twin, rng, depth - 1)
    return found


def exchange_cards(state: State, zones: list[Zone], rng: Rng) -> Iterator[State]:
    """Yield the position with two different cards of one ordered zone exchanged, for each such zone.

    The two deepest cards are exchanged first, because a tensor may omit deep cards, then a random pair. Each position
    is valid only until the next one is requested.
    """
    twin = state.clone()
    twin.own()
    for zone, cards in zip(zones, twin.zones(), strict=True):
        if not zone.order or len(set(cards)) < 2:
            continue
        deepest = next(i for i, card in enumerate(cards) if card != cards[0])
        for i, j in ((0, deepest), (int(rng.below(len(cards))), int(rng.below(len(cards))))):
            cards[i], cards[j] = cards[j], cards[i]
            yield twin
            # Clones may share a zone, so the exchange is undone.
            cards[i], cards[j] = cards[j], cards[i]


def list_view_contents(view: State, zones: list[Zone]) -> list[object]:
    """Return the contents of a view without its log, list by list. Cards of zones without order are sorted."""
    loose = [cards for zone, cards in zip(zones, view.zones(), strict=True) if not zone.order]

    def plain(here: object) -> object:
        if not isinstance(here, list):
            return here
        return sorted(here) if here in loose else [plain(item) for item in here]

    steps = [[type(step).__name__, *step.key()] for step in view.stack]
    return [*map(plain, view.data()), steps, view.actions[:], [answer[:] for answer in view.answers]]


LAWS = [
    Law("steps are declared", "positions", check_steps_declared, share=0.1),
    Law("all actions are listed", "positions", check_actions_listed, share=0.3),
    Law("tensors count the cards, and their public parts have no secrets", "tensors", check_tensors, share=0.5),
    Law("rows of the state equal rows of the views", "rows", check_rows),
    Law("different views have different tensors", "tensors", check_tensors_distinct, share=0.5),
]
