"""Laws of the deal in the middle of full-size games, where the possible deals are too many to count.

Worlds are compared, place by place, with deals that the kit makes in the plainest way. Shuffles by a seed are compared
with exact ones after seats have played.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.secrecy.deals import Table, build_sibling, count_features, list_places, open_view
from gonfalon.check.observe import compute_needed_bits, list_viewers, name_card, name_viewer
from gonfalon.check.play import GLANCE_SHARE, Bench, Case, choose_randomly
from gonfalon.check.statistics import SIGNIFICANCE_LEVEL, compare_samples
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import same_steps
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, State

WORLD_COUNT: Final = 250
"""Number of worlds and of plain deals that are compared."""
MAX_TRIES: Final = 40
"""Number of plain deals tried to find one that fits the view."""
MIN_AND_MAX_GAMES: Final = (120, 2_000)
"""Minimum and maximum number of games played to compare later shuffles."""


def deal_plainly(view: State, rng: Rng) -> State | None:
    """Return a view whose blank places hold the unseen cards in random order; None if `MAX_TRIES` deals do not fit.

    Secret deck lists are drawn from the view's beliefs.
    """
    for _ in range(MAX_TRIES):
        world = open_view(view, rng)
        fits = True
        for unseen, places in list_places(world, view.need(view.viewer)):
            rng.shuffle(unseen)
            for kind, (zone, i) in zip(unseen, places, strict=True):
                constraint = view.constraint(zone[i])
                fits = fits and (not constraint or view.admits(constraint, kind))
                zone[i] = zone[i] & ~KIND | kind
        if not fits:
            continue
        steps = world.stack[:]
        world.settle()
        if same_steps(world.stack, steps):
            return world
    return None


def check_worlds_even(bench: Bench, case: Case) -> int:
    """In the middle of a game every hidden card is as likely in worlds as in plain deals.

    Mistake:
        `admits` forbids a card where it may lie, or a game's own sampler prefers some deals.
    Cure:
        Compare `admits` with the rules, or use the core's sampler.
    """
    rng = case.rng("even")
    game = case.game
    deadline = bench.deadline(GLANCE_SHARE)
    checked = 0
    for at in case.picks(rng, 1):
        state = case.states[at]
        viewer = list_viewers(game)[int(rng.below(game.seats + 1))]
        check_admitted(game, state, viewer, at)
        view = state.mask(viewer)
        if state.over or deal_plainly(view, rng) is None:
            continue
        source = bench.sampler(view)
        one: Table = {}
        two: Table = {}
        for count in range(WORLD_COUNT):
            plain = deal_plainly(view, rng)
            if plain is not None:
                count_features(one, plain)
            count_features(two, source.sample(rng))
            # When the time is over, half of the worlds are enough for the test.
            if count >= WORLD_COUNT // 2 and time.process_time() > deadline:
                break
        unlike = find_differing_zone(one, two)
        if unlike is not None:
            raise LawBrokenError(
                f"worlds of {name_viewer(viewer)} fill zone {unlike} at other frequencies than plain deals", at
            )
        checked += WORLD_COUNT
    return checked


def check_admitted(game: Game, state: State, viewer: int, at: int) -> None:
    """Check that each hidden card satisfies the constraint of its place."""
    need = compute_needed_bits(game, viewer)
    for _, pool in state.pools():
        for card in (card for zone in pool for card in zone if card & need != need):
            constraint = state.constraint(card)
            if constraint and not state.admits(constraint, card & KIND):
                raise LawBrokenError(f"{name_card(game, card)} is in a place where admits() forbids it", at)


def find_differing_zone(one: Table, two: Table) -> int | None:
    """Return the first zone in which two samples differ significantly; None if there is none."""
    # Many places are tested at once, so each gets a smaller level (Bonferroni).
    limit = SIGNIFICANCE_LEVEL / max(1, len(one))
    for place in {**one, **two}:
        if compare_samples(one.get(place, Counter()), two.get(place, Counter())) < limit:
            return int(place[0])
    return None


def check_later_shuffles(bench: Bench, case: Case) -> int:
    """After a shuffle during the game the exact and the fast shuffle have the same frequencies.

    Mistake:
        One of the two ways shuffles other cards, for example without the discard pile.
    Cure:
        Move the cards first, and use `push_shuffle` for both.
    """
    exact, fast = build_sibling(case.game, True), build_sibling(case.game, False)
    if exact is None or fast is None:
        bench.note = "no option named exact"
        return 0
    rng = case.rng("later")
    deadline = bench.deadline()
    one: Table = {}
    two: Table = {}
    count = 0
    fewest, most = MIN_AND_MAX_GAMES
    while count < most and (count < fewest or time.process_time() < deadline):
        for game, table in ((exact, one), (fast, two)):
            state = play_to_later_shuffle(game, rng)
            if state is None:
                bench.note = "no shuffle during the game"
                return 0
            count_features(table, state)
        count += 1
    unlike = find_differing_zone(one, two)
    if unlike is not None:
        raise LawBrokenError(
            f"later in the game the exact and the fast shuffle fill zone {unlike} with different frequencies", 0
        )
    return count


def play_to_later_shuffle(game: Game, rng: Rng) -> State | None:
    """Return a position after the first shuffle that follows a seat's decision; None if the game had none."""
    state = game.start()
    played = False
    for _ in range(game.bound):
        if state.over:
            return None
        chance = state.turn == CHANCE
        if chance and played:
            while state.turn == CHANCE:
                state.apply(CHANCE, state.chance(rng))
            return state
        played = played or not chance
        state.apply(*choose_randomly(state, rng))
    return None


LAWS = [
    Law("worlds are dealt evenly at any moment", "worlds", check_worlds_even, share=1.5),
    Law("exact and fast shuffle agree during the game", "games", check_later_shuffles, once=True),
]
