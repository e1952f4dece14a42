"""Lessons and puzzles in the terminal, by a script that types."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import Run

READ = "\n" * 4
"""The first notes of Feint's first game, up to the first question."""
ASKING = [(("learn", "feint"), READ), (("puzzles", "feint", "1"), "")]


@pytest.mark.parametrize(("command", "before"), ASKING)
@pytest.mark.parametrize("word", ["?", "HELP"])
def test_help_lists_the_commands(run: Run, command: tuple[str, ...], before: str, word: str) -> None:
    code, out, _ = run(*command, typed=f"{before}{word}\nq\n")
    assert code == 0
    assert "  card NAME        show the text of a card" in out
    assert "no action" not in out


@pytest.mark.parametrize(("command", "before"), ASKING)
def test_an_empty_line_gives_a_hint(run: Run, command: tuple[str, ...], before: str) -> None:
    _, out, _ = run(*command, typed=f"{before}\nq\n")
    assert out.count("Type the number of an action or its notation, or help.") == 1


@pytest.mark.parametrize(("command", "before"), ASKING)
def test_table_actions_and_cards_can_be_looked_at_again(run: Run, command: tuple[str, ...], before: str) -> None:
    once, twice = (run(*command, typed=f"{before}{more}q\n")[1] for more in ("", "look\nactions\n"))
    table = next(line for line in once.splitlines() if line.startswith("Round "))
    asked = next(line for line in once.splitlines() if re.match(r" +1  ", line))
    assert twice.count(table) == 2 * once.count(table)
    assert twice.count(asked) == 2 * once.count(asked)
    cards = run(*command, typed=f"{before}card patriot\ncard\ncard king\nq\n")[1]
    assert "for the rest of the round.\n  Rulings: 55" in cards
    assert "Which card? Type: card NAME" in cards
    assert "There is no card 'king' here." in cards


def test_between_notes_help_does_not_read_on(run: Run) -> None:
    _, out, _ = run("learn", "feint", typed="?\nq\n")
    assert out.count("Enter continues.") == 2
    assert "Your Location Card is a 6" not in out
