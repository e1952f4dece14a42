"""Reasons of the bots of Jinkei: each line of `reasons.txt` is a position, a move, and its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.bots.players.choice import Alternative, Choice, within
from gonfalon.check.laws.rules.reasons import find_faults
from gonfalon.core.rules.state import State
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.bots.heuristic import JinkeiHeuristic
from tests.jinkei.scenario import Table

LINES = Path(__file__).with_name("reasons.txt").read_text("utf-8").splitlines()


def explain(game: Jinkei, view: State, move: str) -> str:
    """Return the reason for a move; `-` if there is none. Other moves that were tried follow it."""
    mine, *others = move.split(" > ")
    tried = [Alternative(game.parse(others[0]), within(0.5 - int(others[1]) / 100, 0.02), 0.2)] if others else []
    asked = Choice(game.parse(mine), value=within(0.5, 0.02) if others else None, alternatives=tuple(tried))
    choice = JinkeiHeuristic(game).explain(view, asked)
    assert list(find_faults(game, view, choice)) == []
    return "-" if choice.why == game.describe(view, choice.action) else choice.why


def arrange(form: str, cards: list[str], moves: list[str]) -> Table:
    """Return a table with the cards of May and David on it, or with hers in hand and an open Blue 12 of his."""
    sides = [dict(one.replace("+", " ").split("=") for one in side.split() if "=" in one) for side in cards]
    forms = [one.split(",") for one in form.split(";") if one != "-"]
    table = Table(*forms, battles=len(sides[1]) or 2, rounds=2)
    if not sides[0]:
        table.may.holds(*cards[0].split())
        table.david.top_card("blue12")
        table.game.setup.offers[0][0] = [0, 1][: len(forms) or 1]
        table.forms_up()
        moves = [table.game.notation(table.state.legal(seat)[0]) for seat in (0, 1)][: 4 - 2 * len(forms)]
    else:
        table.may.stands(**sides[0])
        table.david.stands(**sides[1])
        table.attacks(table.david if len(moves) == 1 else table.may)
    for seat, move in zip((1,) if len(moves) == 1 else (0, 1), moves, strict=False):
        table.play(seat, move)
    return table


@pytest.mark.parametrize("line", [line for line in LINES[2:] if " | " in line])
def test_reasons(line: str) -> None:
    form, may, david, played, move, why = line.split(" | ")
    table = arrange(form, [may, david], played.replace("-", "").split())
    assert explain(table.game, table.may.view, move) == why
    table.state.round += "out of sight" in why  # later, cards that were played are forgotten
    assert explain(table.game, table.may.view, move) == ("-" if "out of sight" in why else why)
