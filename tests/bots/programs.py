"""Programs of other authors for tests, which run in processes of their own."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, cast

from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.bot import UntrainedError
from gonfalon.bots.search.mixed_bot import MixedBot
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, State

NOTES = "NOSY_NOTES"
"""Environment variable with the path of the file that nosy programs write."""


def note(**facts: object) -> None:
    """Append facts to the file of nosy programs."""
    with Path(os.environ[NOTES]).open("a") as file:
        file.write(json.dumps(facts) + "\n")


class Last(Bot):
    """Chooses the last legal action, and prints while it thinks."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        print("I take the last one.")
        return Choice(view.legal(view.viewer)[-1], "It comes last.")


class Lottery(Bot):
    """Draws an action."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        return Choice(legal[rng.below(len(legal))], "Drawn.")


class Stated(MixedBot):
    """States equal probabilities for the first two actions."""

    def mixture(self, view: State) -> list[tuple[Action, float]]:
        first = view.legal(view.viewer)[:2]
        return [(action, 1 / len(first)) for action in first]


class Nosy(Bot):
    """Writes all data that it is given."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        words = [int(word, 16) for word in repr(rng).strip("<>").split()[1:]]
        note(rng=words, options=self.game.shown_options(), view=repr(view.dump()), argv=sys.argv, env=dict(os.environ))
        return Choice(view.legal(view.viewer)[0], "Noted.")


class Crashing(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        raise ValueError("no idea")


class Dying(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        os._exit(3)


class Looping(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        while True:
            pass


class Sleeping(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        time.sleep(3600)
        return Choice(view.legal(view.viewer)[0])


class Curt(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return cast("Choice", view.legal(view.viewer)[0])


class Vague(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(cast("int", "pass"), "In words.")


class Cheating(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(-77, "Nobody will notice.")


class Inventing(Bot):
    """Chooses a number that is no action of the game."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(99999, "Why not?")


class Misusing(Bot):
    """Fails inside a method that it calls."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        self.game.notation(cast("int", None))
        return Choice(view.legal(view.viewer)[0])


class Thoughtless(Bot):
    """Lacks `think`."""


class Endless(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(view.legal(view.viewer)[0], "Because " * 10_000)


class Odd(Bot):
    """Names an alternative that no rule knows."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(view.legal(view.viewer)[0], "Odd.", policy=((-5, 0.5),))


class Writing(Bot):
    """Writes into every open pipe, as a program that searches for its owner would."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        for number in range(3, 20):
            try:
                os.write(number, b"nonsense\n")
            except OSError:
                continue
        return Choice(view.legal(view.viewer)[0])


class Beginner(Bot):
    def __init__(self, name: str, game: Game) -> None:
        raise UntrainedError("Not that game.")


class Gone(Bot):
    """Ends its process before it can play."""

    def __init__(self, name: str, game: Game) -> None:
        os._exit(3)


class NoBot:
    def __init__(self, name: str, game: Game) -> None:
        pass


def of_spiel(game: Any, seat: int, seed: int) -> Any:
    """Return a bot of OpenSpiel that plays at random."""
    import pyspiel

    return pyspiel.make_uniform_random_bot(seat, seed)


def nosy_of_spiel(game: Any, seat: int, seed: int) -> Any:
    """Return a bot of OpenSpiel, and write all data that it is made from."""
    note(seed=seed, options=str(game))
    return of_spiel(game, seat, seed)
