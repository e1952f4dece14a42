"""Invariants of every position of every game, and complete trees of tiny games counted a second time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE
from gonfalon.core.text.citations import Reason
from gonfalon.games.feint import Feint
from gonfalon.games.feint.face.refusals import explain_location
from gonfalon.games.feint.rules.state import DOWN, FeintState
from gonfalon.testing import rule
from gonfalon_reference_rules.feint.judge import FeintReferenceRules
from gonfalon_reference_rules.feint.oracle import KNOWN
from tests.feint.scenario import Table, card


@cache
def games() -> list[Feint]:
    return [*FeintReferenceRules().build_samples(Feint), *Feint.samples(), *Feint.tiny()]


FEW = settings(max_examples=12)  # each example is a whole game
GAMES = st.integers(min_value=0, max_value=len(games()) - 1).map(lambda number: games()[number])
SEEDS = st.integers(min_value=0, max_value=2**32)


def walk(game: Feint, seed: int, log: bool = False) -> Iterator[FeintState]:
    """Yield the positions of a random game, including the end, as one changing object."""
    state = game.start(log=log)
    rng = Rng(seed)
    for _ in range(game.bound):
        yield state
        if state.over:
            return
        state.apply(state.turn, state.sample(rng))
    raise AssertionError("the game does not end")


# ---- what a position must hold ----------------------------------------------------------------------


def weigh(game: Feint, lying: int) -> int:
    """Return a card's weight at a Location for Capacity: 3 face down, otherwise the printed Strength."""
    return 3 if lying & DOWN else int(game.cards[lying & KIND]["strength"])


# ---- where a card may be played, worked out a second time -------------------------------------------


def is_told(game: Feint, kind: int) -> bool:
    """Return whether the rules below know the ability of a card. A later one may have its own limits."""
    return game.cards[kind].get("ability", "") in KNOWN


def fits(game: Feint, view: FeintState, kind: int, place: int) -> bool:
    """Return whether the rulebook allows a card at a Location, from a player's view."""
    printed = game.cards[kind]
    ability = printed.get("ability", "")
    lying = [*view.at(0, place), *view.at(1, place)]
    tags = [tag for c in lying if not c & DOWN for tag in game.cards[c & KIND].get("tags", [])]
    if ability in ("tower", "support-tower", "bomb-tower"):
        return tags.count("engineer") > tags.count("tower")
    if ability == "knight" and printed["location"] != game.box.locations[place]:
        return False
    if ability == "master-of-wind" and lying:
        return False
    after = sum(weigh(game, c) for c in lying) + (3 if ability == "covert" else printed["strength"])
    changes = [game.cards[c & KIND] for c in lying if not c & DOWN]
    limit = max(0, view.setup.capacity + sum(c["by"] for c in changes if c.get("ability") == "capacity"))
    return bool(after <= (min(4, limit) if ability == "engineer" else limit))


def plays(game: Feint, view: FeintState, kind: int) -> list[str]:
    """Return the plays of a card in notation."""
    slug = game.cards[kind]["slug"]
    fitting = [f"{slug}@{game.box.locations[p]}" for p in range(view.places) if fits(game, view, kind, p)]
    if game.cards[kind].get("ability") == "storm-prodigy":
        return [slug] if fitting else []
    return fitting


@FEW
@given(GAMES, SEEDS)
def test_the_three_legality_functions_agree_for_each_kind(game: Feint, seed: int) -> None:
    """`plays` lists the Locations that `fits` allows, and `why_not_at` gives a reason with its ruling for all others,
    for every card of the box and either holder."""
    for number, state in enumerate(walk(game, seed)):
        if number % 5:
            continue
        for kind in state.kinds:
            if not is_told(game, kind.id):
                continue
            out: list[int] = []
            kind.plays(state, out)
            texts = [game.notation(action) for action in out]
            assert texts == plays(game, state, kind.id)
            announced = game.cards[kind.id].get("ability") == "storm-prodigy"
            for place in range(state.places):
                fit = fits(game, state, kind.id, place)
                assert kind.fits(state, place) is fit
                reason = explain_location(state, kind, place)
                if announced:
                    assert reason is not None, "it is announced without a Location"
                else:
                    assert (reason is None) is fit
                if reason is not None:
                    assert isinstance(reason, Reason)
                    assert re.fullmatch(r"ruling \d+", reason.rule)


CROWD = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(0, 4)), max_size=14)


@rule("feint", 18, 19, 20, 57, 72, 73)
@given(CROWD)
def test_where_cards_fit_on_a_table_full_of_anything(crowd: list[tuple[int, int, int]]) -> None:
    """The positions also include ones that play does not reach: any cards of both sides anywhere, some face down."""
    table = crowded()
    state = table.state.clone()
    laid = ["giant", "ghost", "smith", "spire", "veil", "ox"]
    for seat, which, place in crowd:
        kind = table.game.kind_of[("" if seat == 0 else "d-") + laid[which]].id
        at = next((i for i, c in enumerate(state.deck[seat]) if c & KIND == kind), None)
        assume(at is not None)
        assert at is not None
        taken = state.deck[seat].pop(at) & KIND
        state.put(seat, taken | DOWN if laid[which] == "veil" else taken, place)
    for slug in ("giant", "ghost", "smith", "spire", "veil", "ox", "gale", "sir", "herald"):
        kind_ = table.game.kind_of[slug]
        out: list[int] = []
        kind_.plays(state, out)
        assert [table.game.notation(a) for a in out] == plays(table.game, state, kind_.id)


@cache
def crowded() -> Table:
    def cards(prefix: str) -> list[dict[str, Any]]:
        few = [
            card("giant", 9, copies=3),
            card("ghost", 0, copies=3),
            card("smith", 2, "engineer", tags=("engineer",), copies=4),
            card("spire", 5, "tower", tags=("tower",), copies=4),
            card("veil", 1, "covert", copies=3),
            card("ox", 3, copies=3),
        ]
        return [{**c, "slug": prefix + c["slug"]} for c in few]

    gale = card("gale", 6, "master-of-wind", copies=0)
    sir = card("sir", 4, "knight", location=4, copies=0)
    herald = card("herald", 6, "storm-prodigy", copies=0)
    return Table(may=[*cards(""), gale, sir, herald], david=cards("d-"))


# ---- whole trees ------------------------------------------------------------------------------------


class Count:
    """Counts over a game tree."""

    def __init__(self) -> None:
        self.leaves = 0
        self.red = 0  # leaves at which red has won
        self.asked = Counter[int]()  # how often each seat decides, chance left out
        self.chance = 0
        self.views: dict[int, set[str]] = {0: set(), 1: set()}
        """Each seat's distinct views at its first question."""


def explore(state: FeintState, count: Count, asked: frozenset[int] = frozenset()) -> Fraction:
    """Walk the complete tree. Returns red's probability of winning with random players."""
    if state.over:
        outcome = state.outcome()
        assert outcome is not None
        won = outcome.winners == [0]
        count.leaves += 1
        count.red += won
        return Fraction(int(won))
    turn = state.turn
    if turn == CHANCE:
        count.chance += 1
    else:
        count.asked[turn] += 1
        if turn not in asked:
            count.views[turn].add(str(state.mask(turn).dump()))
            asked |= {turn}
    weights = state.weights() if turn == CHANCE else [1] * len(state.actions)
    total = Fraction(0)
    for action, weight in zip(state.actions, weights, strict=True):
        child = state.clone()
        child.play(turn, action)
        total += weight * explore(child, count, asked)
    return total / sum(weights)


def tiny(number: int) -> Feint:
    game = Feint.tiny()[number]
    assert isinstance(game, Feint)
    return game


def test_the_tree_of_the_first_tiny_game_by_hand() -> None:
    """Red has an oak of 3 and an ash of 1, blue two elms of 2, with one card in hand, Locations 2 and 5, one
    round, Capacity 4.

    Deals: two Location Cards each and red's two hands are 2 x 2 x 2 = 8, by 1 + 2 + 4 chance decisions
    (blue's elms are alike). With the oak red has 3 choices. After a pass blue has 3, after the oak 2, because
    3 + 2 is above 4: 3 + 2 + 2 = 7 ends. With the ash blue always has 3: 9 ends. 4 x (7 + 9) = 64.

    Red starts and wins ties. Of the 7 ends with the oak it wins 5, 5 and 4 with the battle at 2, at 5,
    at both. Of the 9 with the ash it wins 6, 6 and 4. Both Location Cards differ in two of four deals:
    (5 + 5 + 4 + 4) + (6 + 6 + 4 + 4) = 38.
    """
    count = Count()
    chance = explore(tiny(0).start(), count)
    assert count.leaves == 64
    assert count.red == 38
    assert count.chance == 7
    assert count.asked == {0: 8, 1: 24}, "red once a deal; blue once after each of red's three choices"
    # Blind choices, red's wins with the oak: (2/3 + 1 + 1/2) / 3 at one battle, (1/3 + 1/2 + 1) / 3 at two;
    # with the ash (2/3 + 2/3 + 2/3) / 3 at one, (1/3 + 1/3 + 2/3) / 3 at two. Each is as likely.
    oak = (Fraction(13, 18) + Fraction(11, 18)) / 2
    ash = (Fraction(2, 3) + Fraction(4, 9)) / 2
    assert chance == (oak + ash) / 2 == Fraction(11, 18)


@rule("feint", 26)
def test_the_distinct_views_in_tiny_games() -> None:
    """First game: red knows its card and its Location, 2 x 2. Blue knows its Location and red's action: a
    pass, or one of two cards at one of two places, 2 x 5.

    Second game: red knows which of three cards it lacks, 3 x 2. Blue knows its Location and sees a pass, a
    rose at 2 or 5, or one of two face-down cards at 2 or 5: 2 x 5.
    """
    first, second = Count(), Count()
    explore(tiny(0).start(), first)
    explore(tiny(1).start(), second)
    assert {seat: len(views) for seat, views in first.views.items()} == {0: 4, 1: 10}
    assert {seat: len(views) for seat, views in second.views.items()} == {0: 6, 1: 10}


# The second count, which knows nothing of the rules code: a hand is a tuple of names, a table a tuple of
# (seat, name, Location).
