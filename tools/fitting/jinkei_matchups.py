"""`python -m tools.fitting.jinkei_matchups 12000` plays that many rounds for each pair of types and
prints `matchups.toml` anew.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable

from gonfalon import games
from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.core.basics.rng import Rng
from gonfalon.games.jinkei.bots.laying import Laying
from gonfalon.games.jinkei.bots.precomputed import Case, Tables
from gonfalon.games.jinkei.bots.settings import Settings
from gonfalon.games.jinkei.bots.trial_counts import Tally
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.state import JinkeiState


def made(game: JinkeiWords, rounds: int, trial: Callable[[int, int], tuple[float, float]]) -> str:
    """The file's text."""
    types = game.box.types
    text = (
        "# The margin of a type of formations against another over a game, in points, with its standard error.\n"
        "# SIMULATED by us: rounds of random hands, both laid by the worth of each rank on each space and played\n"
        "# out with open cards. Made anew by `python -m tools.fitting.jinkei_matchups`.\n"
        f'rounds = {rounds} # of each pair\nformations = "{game.data_hash}" # what it was made with\n'
    )
    for a in range(len(types)):
        for b in range(a + 1, len(types)):
            tally, squares = Tally(), 0.0
            for _ in range(rounds):
                won, margin = trial(a, b)
                tally.add(won, margin)
                squares += margin * margin
            error = ((squares / rounds - tally.margin**2) / rounds) ** 0.5
            text += f'\n[[pair]]\ntype = "{types[a]}"\nagainst = "{types[b]}"\n'
            text += f"margin = {tally.margin:.2f} # +- {error:.2f}\n"
    return text


def main() -> None:
    """The command."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("rounds", type=int)
    rounds = parser.parse_args().rounds
    game, rng = games.game("jinkei"), Rng(1)
    assert isinstance(game, JinkeiWords)
    state = game.start()
    while state.turn < 0:
        state.apply(state.turn, state.chance(rng))
    view = state.mask(state.turn)
    assert isinstance(view, JinkeiState)
    laying = Laying(Case(Tables(game), view, lambda _: state, rng), Settings(), Clock(Budget(iterations=1)))
    print(made(game, rounds, laying.trial), end="")


if __name__ == "__main__":
    main()
