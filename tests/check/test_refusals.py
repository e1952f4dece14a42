"""Every refusal names its rule: a ruling, a part of the rulebook, or a card's text."""

from __future__ import annotations

import re

import pytest

from gonfalon import Rng, games
from gonfalon.core.rules.state import CHANCE
from gonfalon.core.text.citations import Reason

RULE = re.compile(r"rulings? \d+(, \d+)*|\d+-\d|FAQ \d+|section \d+|[A-Z]\w+ [Pp]hase|Setup|card text")


@pytest.mark.parametrize("name", games.names())
def test_every_refusal_names_its_rule(name: str) -> None:
    """It checks some positions of each question to people, in every configuration."""
    unnamed = set()
    for seed, game in enumerate(games.find_game_class(name).samples()):
        state, rng = game.start(), Rng(seed)
        looked: dict[str, int] = {}
        while not state.over:
            seat, prompt = state.turn, state.stack[-1].prompt
            if seat != CHANCE and looked.setdefault(prompt, 0) < 2 and rng.below(6) == 0:
                looked[prompt] += 1
                for action in game.all_actions():
                    reason = state.why_not(seat, action)
                    if reason is not None and not (isinstance(reason, Reason) and RULE.fullmatch(reason.rule)):
                        unnamed.add((prompt, reason))
            state.apply(seat, state.sample(rng))
    assert unnamed == set()
