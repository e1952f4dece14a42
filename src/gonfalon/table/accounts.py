"""Bot accounts: the names under which programs play at a server, and the challenges that they accept.

The token of an account is the token of all its seats. It is random and stored as a hash, like the token of a seat.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Final, Literal

from gonfalon.core.rules.game import Game
from gonfalon.core.text.english import many, several
from gonfalon.table import messages
from gonfalon.table.game.clock import Pace

Clocks = Literal["any", "none", "only"]
"""The clocks of an account: any table, tables without a clock, or tables with one."""
CLOCKS: Final[tuple[Clocks, ...]] = ("any", "none", "only")
MAX_TABLES: Final = 64
"""The largest number of tables at which an account can play at once."""
MAX_ABOUT_LENGTH: Final = 120
REASONS: Final = {
    "later": messages.DECLINED_LATER,
    "busy": messages.DECLINED_BUSY,
    "game": messages.DECLINED_GAME,
    "options": messages.DECLINED_OPTIONS,
    "clock": messages.DECLINED_CLOCK,
    "players": messages.DECLINED_PLAYERS,
}
"""The reasons for which a program declines a challenge, and their sentences."""


@dataclass(frozen=True)
class AcceptRules:
    """The challenges that an account accepts."""

    games: tuple[str, ...] = ()
    """The games; none for all games."""
    seats: tuple[int, ...] = ()
    """The numbers of seats; none for all."""
    clocks: Clocks = "any"
    cards: bool = False
    """Whether it plays games with changed cards."""
    tables: int = 4
    """The number of tables at once."""
    ask: bool = False
    """Whether the program answers each challenge itself. Otherwise the server accepts those that fit."""

    def dumps(self) -> str:
        """Return the rules as JSON text."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> AcceptRules:
        """Return the rules that `dumps` wrote."""
        body = json.loads(text)
        return replace(cls(**body), games=tuple(body["games"]), seats=tuple(body["seats"]))


@dataclass(frozen=True)
class Account:
    """A bot account."""

    id: str
    name: str
    token: str
    """The hash of its token."""
    about: str
    rules: AcceptRules
    created: float

    @property
    def title(self) -> str:
        """The name at tables, which marks the player as a program."""
        return messages.PROGRAM_NAME.format(name=self.name)


def find_reason(rules: AcceptRules, game: Game, pace: Pace | None, changed: bool, tables: int) -> str:
    """Return the reason for which an account declines a table (see REASONS); empty if it accepts it.

    Args:
        rules: The rules of the account.
        game: The rules and options of the table.
        pace: The time control of the table.
        changed: Whether the cards of the game are changed.
        tables: The number of tables at which the account plays already.
    """
    if rules.games and game.name not in rules.games:
        return "game"
    if rules.seats and game.seats not in rules.seats:
        return "players"
    if (pace is not None and rules.clocks == "none") or (pace is None and rules.clocks == "only"):
        return "clock"
    if changed and not rules.cards:
        return "options"
    return "busy" if tables >= rules.tables else ""


def describe_rules(rules: AcceptRules) -> str:
    """Return in words which challenges an account accepts."""
    parts = [several(list(rules.games)) if rules.games else messages.ALL_GAMES]
    if rules.seats:
        parts.append(messages.SEATS_ONLY.format(counts=" or ".join(map(str, rules.seats))))
    if rules.clocks != "any":
        parts.append(messages.CLOCKS_NONE if rules.clocks == "none" else messages.CLOCKS_ONLY)
    if rules.cards:
        parts.append(messages.CHANGED_CARDS)
    parts.append(messages.AT_ONCE.format(tables=many(rules.tables, "table")))
    if rules.ask:
        parts.append(messages.ASKS_PROGRAM)
    return ", ".join(parts)
