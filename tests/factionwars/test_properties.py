"""Invariants of every game: the plain rules, conservation, scores, copies, notation, the end."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import CHANCE, Together
from gonfalon.games.factionwars import FactionWars, box
from gonfalon.games.factionwars.rules.actions import CARD
from gonfalon.games.factionwars.rules.state import WORD_KINDS, name_kinds
from tests.factionwars.plain import KNOWN, Options, Plain

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
OPTIONS: list[dict[str, Any]] = [
    *[{"seats": seats} for seats in (2, 3, 4, 5)],
    {"seats": 3, "shuffle": "deck", "bonus": "safe", "bystander": "out", "tie": "broken"},
    {"seats": 4, "shuffle": "deck", "end": "at-once", "bonus": "apart"},
    {"seats": 2, "end": "at-once", "bystander": "out"},
    {"seats": 5, "symbols": "always"},
    {"seats": 3, "exhausted": "ends"},
    {"seats": 2, "revision": "later"},
    {"seats": 5, "revision": "later", "end": "at-once", "shuffle": "deck"},
    {"seats": 4, "revision": "later", "bystander": "out"},
]
FAST = [FactionWars(**options) for options in OPTIONS]


def name_options(game: FactionWars) -> str:
    """Return a test's name for the options of a game."""
    return "-".join(str(value) for name, value in game.options.items() if name != "cards")


def known_cards() -> dict[str, Any]:
    """Return the built-in cards without those whose ability these rules do not implement."""
    raw: dict[str, Any] = json.loads(json.dumps(box.read_box(None).alone))
    for table in [*raw["faction"], raw]:
        name = "neutral" if table is raw else "cards"
        table[name] = [card for card in table[name] if card.get("ability", "") in KNOWN]
    return raw


EXACT = [FactionWars(exact=True, cards=known_cards(), **options) for options in OPTIONS]


@pytest.mark.parametrize("game", EXACT, ids=name_options)
@settings(max_examples=5)
@given(SEEDS)
def test_the_plain_rules_say_the_same(game: FactionWars, seed: int) -> None:
    """In a complete random game the second implementation agrees on the seats to decide, the options, the probabilities
    of chance, and finally every army, score and winner."""
    state = game.start()
    rng = Rng(seed)
    tape: list[tuple[int, str, Options]] = []
    while not state.over:
        seat = state.turn
        weights = state.weights() if seat == CHANCE else [1] * len(state.actions)
        names = [game.notation(action) for action in state.actions]
        action = state.sample(rng)
        tape.append((seat, game.notation(action), dict(zip(names, weights, strict=True))))
        state.apply(seat, action)
    played = iter(tape)

    def decide(seat: int, choices: Options) -> str:
        asked, answer, offered = next(played)
        assert (asked, offered) == (seat, choices)
        return answer

    options = {name: value for name, value in game.options.items() if name not in ("seats", "exact", "cards")}
    plain = Plain(game.box.raw, game.seats, decide, late=True, **options).play()
    assert next(played, None) is None
    for seat in range(game.seats):
        owned = state.count_owned(seat)
        assert Counter(plain.army(seat)) == Counter({game.entries[k]["slug"]: n for k, n in enumerate(owned) if n})
    outcome = state.outcome()
    assert outcome is not None
    assert state.totals == plain.scores()
    assert outcome.winners == plain.winners()
    assert state.depleted == plain.depleted


@given(st.sampled_from([0, 1, 24, WORD_KINDS, WORD_KINDS + 1, 300]), st.lists(st.integers(0, 400)))
def test_kinds_are_named_once_and_in_order(count: int, kinds: list[int]) -> None:
    """Boxes with more kinds than bits in a machine word are included. Kinds beyond the limit are omitted."""
    cards = [kind | 7 << 10 for kind in kinds]
    assert name_kinds(count, cards, CARD) == sorted({CARD + kind for kind in kinds if kind < count})


@pytest.mark.parametrize("game", FAST + EXACT[2:5], ids=name_options)
def test_who_is_asked_at_once_is_asked_as_if_anew(game: FactionWars) -> None:
    """A step that asks its successor directly must give the question that the top step would find by itself."""
    state, rng = game.start(), Rng(1)
    while not state.over:
        step = state.stack[-1]
        if not isinstance(step, Together):
            assert (state.turn, state.actions) == (step.seat, step.options(state))
        state.apply(state.turn, state.sample(rng))


WRONG = ["", "take", "take:", "take:0", "take:5", "take:1.5", "take:-1", "to:3", "to:x", "seed:", "seed:-1"]
WRONG += ["steal:", "steal:nobody", "jarl:1", "deal:jarl jarl", "12"]


@pytest.mark.parametrize("text", WRONG)
def test_invalid_notation(text: str) -> None:
    with pytest.raises(NotationError, match="no action of Faction Wars"):
        FactionWars(seats=3).parse(text)
