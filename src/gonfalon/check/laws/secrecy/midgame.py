"""Laws of the deal in the middle of full-size games, where the possible deals are too many to be counted.

Worlds are compared, place by place, with deals that the kit makes itself in the plainest way; shuffles by seed with
those that decide card by card, after seats have played.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.secrecy.deals import Table, note, opened, places_of, sibling
from gonfalon.check.observe import card_in_words, must_see, viewers, who
from gonfalon.check.play import GLANCE, Bench, Case, choose
from gonfalon.check.statistics import TOO_UNLIKELY, alike
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import same_steps
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, State

WORLDS: Final = 250
TRIES: Final = 40
"""So many plain deals are tried for one that fits."""
GAMES: Final = (120, 2_000)
"""So many games are played at least, and at most, to compare shuffles in their course."""


def plain_deal(view: State, rng: Rng) -> State | None:
    """All unseen cards shuffled over the blank places; None when none of some tries fits. Deck lists that are secret
    are as the view's beliefs have them."""
    for _ in range(TRIES):
        world = opened(view, rng)
        fits = True
        for unseen, places in places_of(world, view.need(view.viewer)):
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


def worlds_are_even(bench: Bench, case: Case) -> int:
    """In the middle of a game every hidden card is as likely in worlds as in plain deals.

    Mistake:
        `admits` forbids a card where it may lie, or a game's own sampler prefers some deals.
    Cure:
        Compare `admits` with the rules, or use the core's sampler.
    """
    rng = case.rng("even")
    game = case.game
    deadline = bench.deadline(GLANCE)
    checked = 0
    for at in case.picks(rng, 1):
        state = case.states[at]
        viewer = viewers(game)[int(rng.below(game.seats + 1))]
        hidden_cards_are_admitted(game, state, viewer, at)
        view = state.mask(viewer)
        if state.over or plain_deal(view, rng) is None:
            continue
        source = bench.sampler(view)
        one: Table = {}
        two: Table = {}
        for count in range(WORLDS):
            plain = plain_deal(view, rng)
            if plain is not None:
                note(one, plain)
            note(two, source.sample(rng))
            if count >= WORLDS // 2 and time.process_time() > deadline:
                break
        unlike = differing_place(one, two)
        if unlike is not None:
            raise Broken(f"worlds of {who(viewer)} fill zone {unlike} otherwise than plain deals would", at)
        checked += WORLDS
    return checked


def hidden_cards_are_admitted(game: Game, state: State, viewer: int, at: int) -> None:
    """What truly lies at a hidden place may lie there, by what the place says of it."""
    need = must_see(game, viewer)
    for _, pool in state.pools():
        for card in (card for zone in pool for card in zone if card & need != need):
            constraint = state.constraint(card)
            if constraint and not state.admits(constraint, card & KIND):
                raise Broken(f"{card_in_words(game, card)} lies where no such card may lie, by admits()", at)


def differing_place(one: Table, two: Table) -> int | None:
    """The zone in which two samples differ too much for an accident, if there is one."""
    limit = TOO_UNLIKELY / max(1, len(one))
    for place in {**one, **two}:
        if alike(one.get(place, Counter()), two.get(place, Counter())) < limit:
            return int(place[0])
    return None


def shuffles_agree_later(bench: Bench, case: Case) -> int:
    """After a shuffle during the game the exact and the fast shuffle leave cards alike.

    Mistake:
        The later shuffle forgets the seen bits in one of the two ways only.
    Cure:
        Use `push_shuffle` for both.
    """
    exact, fast = sibling(case.game, True), sibling(case.game, False)
    if exact is None or fast is None:
        bench.note = "no option named exact"
        return 0
    rng = case.rng("later")
    deadline = bench.deadline()
    one: Table = {}
    two: Table = {}
    count = 0
    fewest, most = GAMES
    while count < most and (count < fewest or time.process_time() < deadline):
        for game, table in ((exact, one), (fast, two)):
            state = shuffled_later(game, rng)
            if state is None:
                bench.note = "no shuffle in the course of the game"
                return 0
            note(table, state)
        count += 1
    unlike = differing_place(one, two)
    if unlike is not None:
        raise Broken(
            f"later in the game the exact and the fast shuffle fill zone {unlike} with different frequencies", 0
        )
    return count


def shuffled_later(game: Game, rng: Rng) -> State | None:
    """A position after the first shuffle that follows on a seat's decision; None when a game had none."""
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
        state.apply(*choose(state, rng))
    return None


LAWS = [
    Law("worlds are dealt evenly at any moment", "worlds", worlds_are_even, share=1.5),
    Law("exact and fast shuffle agree in the course of the game", "games", shuffles_agree_later, once=True),
]
