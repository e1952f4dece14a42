"""Laws of what programs learn from: the list of all actions, and observation tensors."""

from __future__ import annotations

from collections import Counter

from gonfalon.check.flow import named
from gonfalon.check.law import Broken, Law
from gonfalon.check.play import Bench, Case
from gonfalon.check.tensors import layout_of, tensor
from gonfalon.core.cards import KIND
from gonfalon.core.layout import Layout
from gonfalon.core.state import CHANCE, OPEN, SEED, SPECTATOR
from gonfalon.core.tensor import HIGH


def actions_are_listed(bench: Bench, case: Case) -> int:
    """Whatever is asked, its answers, and what others see of them, are among all actions that the game
    lists."""
    game = case.game
    seats, chances = game.all_actions(), game.all_chances()
    for what, listed in (("all_actions", seats), ("all_chances", chances)):
        if listed != sorted(set(listed)) or (listed and listed[0] < 0):
            raise Broken(f"{what} does not list actions ascending, each once, from 0 on")
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
                    raise Broken(f"{named(game, action)}, or what others see of it, is not in {what}", at)
    return len(case.states)


def tensors_tell(bench: Bench, case: Case) -> int:
    """A tensor counts every card of every zone under its kind, its public part is the same for the
    spectator, and a game's own numbers fill its parts and keep their bounds."""
    game = case.game
    layout = layout_of(game)
    rng = case.rng("tensors")
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        for viewer in [*range(game.seats), OPEN]:
            numbers = game.measure(state.mask(viewer), max(viewer, 0))
            sizes = [part.size for part in game.parts()]
            if len(numbers) != sum(sizes):
                raise Broken(f"measure gives {len(numbers)} numbers, but the parts have {sum(sizes)}", at)
            for part in game.parts():
                here, numbers = numbers[: part.size], numbers[part.size :]
                if any(not part.low <= number <= part.high for number in here):
                    raise Broken(f"the part {part.name} has a number out of its bounds: {here}", at)
            out = tensor(game, state.mask(viewer))
            counted = 0
            for part, start in zip(layout.parts, layout.at, strict=True):
                if part.name.endswith(".shown"):
                    counted += sum(out[start : start + part.size])
            cards = [len(zone) for _, zones in state.pools() for zone in zones]
            if counted != sum(cards) and max(cards) <= HIGH:
                raise Broken(f"the tensor counts {counted} cards of {sum(cards)}", at)
            checked += 1
        if tensor(game, state.mask(0))[: layout.public] != tensor(game, state.mask(SPECTATOR))[: layout.public]:
            raise Broken("the public part of seat 0's tensor is not the spectator's", at)
        kinds = counted_kinds(layout, tensor(game, state.mask(OPEN)))
        lying = Counter(card & KIND for _, zones in state.pools() for zone in zones for card in zone)
        if kinds != lying and max(lying.values(), default=0) <= HIGH:
            raise Broken("an open tensor counts cards under a kind that they are not", at)
    return checked


def counted_kinds(layout: Layout, out: bytes) -> Counter[int]:
    """How many cards of each kind a tensor counts."""
    found: Counter[int] = Counter()
    starts = {part.name: (start, part) for part, start in zip(layout.parts, layout.at, strict=True)}
    for deck in layout.decks:
        for what in ("shown", "known"):
            start, part = starts[f"{deck.name}.{what}"]
            width = part.shape[-1]
            for row in range(start, start + part.size, width):
                found.update({kind: out[row + i] for i, kind in enumerate(deck.kinds) if out[row + i]})
    return found


LAWS = [
    Law("all actions are listed", "positions", actions_are_listed, share=0.3),
    Law("tensors count the cards, and are public where they say so", "tensors", tensors_tell, share=0.5),
]
