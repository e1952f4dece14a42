"""Standing answers: what a person wants the table to answer by itself in the game's windows.

`""` asks always. `able` asks only when there is another answer than `pass`. `never N` does not ask in
turn N of the game. Nobody else learns which it is: see `Table.due` for the pace of all answers.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.game import Game
from gonfalon.core.state import SPECTATOR, State
from gonfalon.table.errors import NoChoice

PASS: Final = "pass"
ALWAYS: Final = "always"
ABLE: Final = "able"
NEVER: Final = "never"
CHOICES: Final[tuple[str, ...]] = (ALWAYS, ABLE, NEVER)


def has_windows(game: Game) -> bool:
    """Whether a game has answer windows at all."""
    return type(game).window is not Game.window


def standing(choice: str, game: Game, state: State) -> str:
    """What is kept of a person's choice. Raises NoChoice."""
    if choice not in CHOICES or not has_windows(game):
        raise NoChoice(
            f"A standing answer is {', '.join(CHOICES[:-1])} or {CHOICES[-1]}, in games with answer windows."
        )
    if choice == NEVER:
        return f"{NEVER} {game.turn(state.mask(SPECTATOR))}"
    return "" if choice == ALWAYS else choice


def chosen(kept: str, game: Game, state: State) -> str:
    """The choice that holds now."""
    if kept == ABLE:
        return ABLE
    return NEVER if kept == f"{NEVER} {game.turn(state.mask(SPECTATOR))}" else ALWAYS


def passes(kept: str, game: Game, state: State, seat: int) -> bool:
    """Whether the table answers `pass` for a seat that is asked."""
    if not kept or not state.legal(seat) or game.window(state.mask(SPECTATOR)) is None:
        return False
    if kept == ABLE:
        # Worked out from the seat's own view, like everything that is done for a seat.
        view = state.mask(seat)
        return view.legal(seat) == [game.parse(PASS)]
    return chosen(kept, game, state) == NEVER
