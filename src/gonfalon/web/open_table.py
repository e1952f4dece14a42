"""Opening a table from the lobby's form: who sits where, with which options."""

from __future__ import annotations

import secrets
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.options import Options
from gonfalon.table import Beside, Open, Person, Robot, Seating, Table, Tables
from gonfalon.table.seats import WATCH
from gonfalon.web.context import give, path, scripted, services
from gonfalon.web.failures import explain
from gonfalon.web.limits import TABLES, TooMany, client_of
from gonfalon.web.moves import read_form, went
from gonfalon.web.pages import show_lobby
from gonfalon.web.render import LOT, offered

T = TypeVar("T")
NOBODY: Final = "nobody"
DICE: Final = secrets.SystemRandom()


async def create(request: Request) -> Response:
    """Open a table and go to one's seat; the lobby again, with the reason, when that cannot be."""
    form = await read_form(request)
    server = services(request)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    try:
        kind = server.kinds.get(fields.pop("game", ""))
        if kind is None:
            raise OptionError("Choose one of the games.")
        table, token = await open_table(request, kind, fields)
    except (OptionError, TooMany) as error:
        if scripted(request):
            raise
        return await show_lobby(request, str(error), fields, explain(error)[0])
    return went(request, path(table, token))


async def open_table(request: Request, kind: type[Game], fields: dict[str, str]) -> tuple[Table, str]:
    """A table from the lobby's fields. Everything is counted from the opener, who is the first: the
    others of `who-1`, `who-2` (in a game for two: `opponent`), the values of lists like `factions.0`.

    Raises OptionError, TooMany.
    """
    tables = services(request).tables
    fields = {field: value for field, value in fields.items() if value}
    wish = fields.pop("seat", "random")
    hints = hints_of(fields.pop("hints", ""), kind)
    sitters = [Person(fields.pop("name", "")), *others(kind, fields)]
    spread: dict[str, list[str]] = {}
    for field in sorted(field for field in fields if "." in field):
        spread.setdefault(field.partition(".")[0], []).append(fields.pop(field))
    if len(kind.seat_counts) > 1:
        fields["seats"] = str(len(sitters))
    spread = by_lot(kind, spread)
    game = make(tables, kind, fields | spread)
    if len(sitters) != game.seats:
        raise OptionError(f"{kind.title} needs {' or '.join(map(str, kind.seat_counts))} players, not {len(sitters)}.")
    order = seats_of(wish, game)
    if order != sorted(order):
        turned = {option: at_seats(values, order) for option, values in spread.items()}
        game = make(tables, kind, fields | turned)
    services(request).limits.spend(TABLES, client_of(request))
    table, tokens = await tables.open_table(game, at_seats(sitters, order), hints)
    give(request, table, WATCH, tokens[order[0]])
    return table, tokens[order[0]]


def hints_of(wish: str, kind: type[Game]) -> bool:
    """Whether the form wants hints: `yes`, `no`, or as the game has it. Raises OptionError."""
    if wish not in ("", "yes", "no"):
        raise OptionError("Choose whether there are hints: yes or no.")
    return kind.hints if not wish else wish == "yes"


def others(kind: type[Game], fields: dict[str, str]) -> list[Seating]:
    """Those whom the form puts at the table besides the opener; takes their fields out of it."""
    if kind.seat_counts == (2,):
        return [sitter(fields.pop("opponent", "friend"), fields.pop("name-1", ""))]
    rows = [(fields.pop(f"who-{n}", NOBODY), fields.pop(f"name-{n}", "")) for n in range(1, max(kind.seat_counts))]
    return [sitter(who, name) for who, name in rows if who != NOBODY]


def sitter(who: str, name: str) -> Seating:
    """Whom a word of the form puts at a seat. Raises OptionError."""
    level = who.removeprefix("bot:")
    if who == "friend":
        return Open()
    if who == "beside":
        return Beside(name)
    if who != level:
        return Robot(level)
    raise OptionError("Choose who else plays: a bot, a friend, or somebody at this device.")


def by_lot(kind: type[Game], options: Options) -> Options:
    """The same with a ready-made deck wherever one is to be drawn by lot: so whoever opens a table need not know what
    another seat plays."""
    decks = kind().decks() if kind.has_decks() else None
    chosen = None if decks is None else options.get(decks.option)
    if decks is None or not isinstance(chosen, (list, tuple)):
        return options
    return {**options, decks.option: [decks.word(DICE.choice(decks.ready())) if one == LOT else one for one in chosen]}


def make(tables: Tables, kind: type[Game], options: Options) -> Game:
    """A game from what a form or a program sent: only its public options. Raises OptionError."""
    public = {option.name for option in kind.options_spec if offered(option)}
    for option in options:
        if option not in public:
            raise OptionError(f"{kind.title} has no option {option[:40]!r} here.")
    return tables.new_game(kind.name, options)


def seats_of(wish: str, game: Game) -> list[int]:
    """The seat of each who sits down, the opener first: by lot, or from the opener's seat on in the order
    in which they were named. Raises OptionError."""
    seats = list(range(game.seats))
    if wish == "random":
        DICE.shuffle(seats)
        return seats
    if not (wish.isascii() and wish.isdigit() and len(wish) < 3 and int(wish) < game.seats):
        raise OptionError(f"{game.title} has the seats 0 to {game.seats - 1}.")
    return seats[int(wish) :] + seats[: int(wish)]


def at_seats(values: list[T], order: list[int]) -> list[T]:
    """Values that are counted from the opener, counted from the first seat."""
    if len(values) != len(order):
        return values
    return [values[order.index(seat)] for seat in range(len(order))]
