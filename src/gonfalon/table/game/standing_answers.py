"""Standing answers: the answers that the table gives by itself for a player in the windows of a game.

`""` always asks the player. `able` asks only if an answer other than `pass` exists. `never N` does not ask in turn N of
the game. No other player learns the setting: `Windows.due` says when all answers count.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.rules.state import SPECTATOR, Seat
from gonfalon.table import messages
from gonfalon.table.errors import NoChoice
from gonfalon.table.game.position import Position, has_windows

PASS: Final = "pass"
ALWAYS: Final = "always"
ABLE: Final = "able"
NEVER: Final = "never"
CHOICES: Final[tuple[str, ...]] = (ALWAYS, ABLE, NEVER)


def parse_standing(choice: str, position: Position) -> str:
    """Return the stored form of a player's setting. Raises NoChoice."""
    if choice not in CHOICES or not has_windows(position.game):
        raise NoChoice(messages.STANDING_CHOICES.format(choices=f"{', '.join(CHOICES[:-1])} or {CHOICES[-1]}"))
    if choice == NEVER:
        return format_never(position)
    return "" if choice == ALWAYS else choice


def format_never(position: Position) -> str:
    """Return the stored form of the setting `never`, which holds for the current turn."""
    # The turn is part of the stored text, so the setting expires without another write.
    return f"{NEVER} {position.game.turn(position.view(SPECTATOR))}"


def current_choice(kept: str, position: Position) -> str:
    """Return the setting that holds now."""
    if kept == ABLE:
        return ABLE
    return NEVER if kept == format_never(position) else ALWAYS


def passes_by_itself(kept: str, position: Position, seat: Seat) -> bool:
    """Return whether the table answers `pass` for a seat that is asked."""
    if not kept or not position.state.legal(seat) or position.window() is None:
        return False
    if kept == ABLE:
        # Worked out from the seat's own view, like everything that is done for a seat.
        return position.view(seat).legal(seat) == [position.game.parse(PASS)]
    return current_choice(kept, position) == NEVER
