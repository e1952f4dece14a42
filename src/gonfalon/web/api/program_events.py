"""The messages of a bot account's stream, and the requests of its program."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from gonfalon.table.accounts import REASONS
from gonfalon.table.live.views import Over, PaceShown, View

Reason = Annotated[str, {"enum": list(REASONS)}, "The reason to decline; people read it as a sentence."]


class ShownRules(TypedDict):
    """The challenges that a bot account accepts."""

    games: Annotated[list[str], "The games; empty for all."]
    seats: Annotated[list[int], "The numbers of seats; empty for all."]
    clocks: Annotated[Literal["any", "none", "only"], "Any table, tables without a clock, or tables with one."]
    cards: Annotated[bool, "Whether it plays games with changed cards."]
    tables: Annotated[int, "The number of tables at once."]
    ask: Annotated[bool, "Whether the program answers each challenge. Otherwise the server accepts those that fit."]


class ShownAccount(TypedDict):
    """A bot account."""

    name: Annotated[str, "Its name; a seat is challenged by `program:NAME`."]
    title: Annotated[str, "Its name at tables, which marks it as a program."]
    about: str
    connected: Annotated[bool, "Whether its program holds a stream now."]
    rules: ShownRules


class ShownAccounts(TypedDict):
    """The bot accounts of a server, the connected ones first."""

    programs: list[ShownAccount]


class AccountEvent(TypedDict):
    """The first line of a stream: the account."""

    type: Literal["account"]
    account: ShownAccount


class TableFacts(TypedDict):
    """The facts of a table that a program is told before it plays there."""

    table: Annotated[str, "The key of the table. The token of the account is the token of its seat."]
    seat: int
    game: str
    names: list[str]
    clock: PaceShown | None
    rematch_of: Annotated[str | None, "The table of which this is the rematch."]


class ChallengeEvent(TableFacts):
    """An open challenge, which the program answers at `/api/bot/challenges/{key}`."""

    type: Literal["challenge"]
    options: Annotated[dict[str, object], "The house rules that differ from the default."]


class WithdrawnEvent(TypedDict):
    """A challenge is not open any more, or a table closed before the deal."""

    type: Literal["withdrawn"]
    table: str


class BegunEvent(TableFacts):
    """A game of the account has begun, or the stream has just started and has not reported the end of the game."""

    type: Literal["begun"]
    options: Annotated[dict[str, object], "The options, without the secrets of the seats: a program can make the game."]


class TurnEvent(TypedDict):
    """A question to the seat of the account."""

    type: Literal["turn"]
    table: str
    seat: int
    version: Annotated[int, "The version of the view, which the answer repeats as `expected`."]
    actions: Annotated[list[str], "The legal actions. Their texts are in the `decision` of the view."]
    view: View
    state: NotRequired[Annotated[dict[str, object], "With `state=yes`: the view as Gonfalon's own bots receive it."]]


class ReplacedEvent(TypedDict):
    """A bot plays for the program, which gets its seat back by `{"by": "me"}` at `/api/tables/{key}/seats/{seat}`."""

    type: Literal["replaced"]
    table: str
    seat: int


class EndedEvent(TypedDict):
    """A game of the account has ended, now or while the account had no stream."""

    type: Literal["ended"]
    table: str
    seat: int
    over: Over


Event = AccountEvent | ChallengeEvent | WithdrawnEvent | BegunEvent | TurnEvent | ReplacedEvent | EndedEvent


class ChallengeAnswer(TypedDict):
    """The answer of a program to a challenge."""

    accept: bool
    brings: NotRequired[Annotated[str, "To accept: the faction or deck, by default the one of the challenge."]]
    reason: NotRequired[Reason]


class ChallengeAnswered(TypedDict):
    """The result of an answer."""

    table: str
    accepted: bool
