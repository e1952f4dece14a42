"""Opening a table from the lobby's form: seats and options."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Final, TypeVar

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.basics.decks import DeckError, Decks
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.rules.game import Game
from gonfalon.core.text.english import many
from gonfalon.table import Beside, Open, Person, Program, Robot, Seating, Table, Tables
from gonfalon.table.game.clock import Pace
from gonfalon.table.links import hash_token
from gonfalon.table.seats.names import clean_name
from gonfalon.table.seats.open_seats import MAX_WAIT_S, Offer
from gonfalon.table.seats.seat_choices import LOT, find_choice_option, list_choices
from gonfalon.table.store.card_set_rows import StoredCardSet
from gonfalon.web import messages
from gonfalon.web.http.forms import is_scripted, read_form, redirect_to
from gonfalon.web.http.rate_limits import OFFERS, TABLES, TABLES_OF_DEVICE, TooMany, client_of
from gonfalon.web.lobby.card_choice import add_last_set, read_cards
from gonfalon.web.lobby.lobby import PROGRAM, show_lobby, show_new
from gonfalon.web.shared import devices, preferences
from gonfalon.web.shared.clocks import read_pace
from gonfalon.web.shared.context import services_of, table_path
from gonfalon.web.shared.deck_links import name_deck
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_info import is_offered

T = TypeVar("T")
NOBODY: Final = "nobody"
MINUTE: Final = 60.0
MAX_OFFERS: Final = 3
"""The number of tables that one device can list at the same time."""
# Draws of the module `random` could be predicted from earlier ones.
DICE: Final = secrets.SystemRandom()


async def create_table(request: Request) -> Response:
    """Open a table and redirect to the opener's seat, or show the lobby with the reason for a refusal."""
    form = await read_form(request)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    kind = services_of(request).kinds.get(fields.pop("game", ""))
    typed = {name: fields[name] for name in ("cards", "set") if name in fields}
    try:
        if kind is None:
            raise OptionError(messages.CHOOSE_GAME)
        cards = await read_cards(request, kind, fields)
        table, token = await open_table(request, kind, fields, cards)
    except (DataError, OptionError, TooMany) as refused:
        if kind and isinstance(refused, DataError):
            return await refuse_cards(request, kind, fields | typed, refused)
        error = refused if kind is None or isinstance(refused, TooMany) else OptionError(use_labels(kind, str(refused)))
        if is_scripted(request):
            raise error from None
        if kind is None:
            return await show_lobby(request, str(error), explain_error(error)[0])
        return await show_new(request, kind, fields | typed, str(error), explain_error(error)[0])
    response = redirect_to(request, table_path(table.key, token))
    liked = preferences.read_preferences(request).also(kind.name, list_preferences(kind, fields, cards is not None))
    preferences.store_preferences(request, response, add_last_set(liked, cards) if cards else liked)
    return response


async def refuse_cards(request: Request, kind: type[Game], fields: dict[str, str], error: DataError) -> Response:
    """Show the form with all faults of own cards."""
    if is_scripted(request):
        raise error
    faults = messages.CARD_FAULTS.format(faults=many(max(1, len(error.faults)), "fault"))
    return await show_new(request, kind, fields, faults, 400)


def use_labels(kind: type[Game], sentence: str) -> str:
    """Return a sentence about options that calls each by its label, as the form does."""
    labels = {option.name: option.label for option in kind.options_spec}
    return re.sub(r"\b[Oo]ption (\w+)\b", lambda found: f"“{labels.get(found[1], found[1])}”", sentence)


def list_preferences(kind: type[Game], fields: dict[str, str], own_cards: bool) -> dict[str, str]:
    """Return the choices of a form that the lobby offers again: name, level, and of the standard cards the faction or
    deck."""
    chosen = {"name": fields.get("name", "").strip()}
    level = fields.get("opponent") or fields.get("who-1", "")
    if level.startswith("bot:"):
        chosen["opponent"] = level
    if own_cards:
        return chosen
    own = [f"{option.name}.0" for option in kind.options_spec if isinstance(option.default, tuple)]
    return chosen | {field: fields[field] for field in own if fields.get(field, LOT) != LOT}


async def open_table(
    request: Request, kind: type[Game], fields: dict[str, str], cards: StoredCardSet | None = None
) -> tuple[Table, str]:
    """Open a table from the lobby's fields, with a set of cards in place of the standard one.

    Seats are counted from the opener: the others are `who-1`, `who-2` (or `opponent` for all), the values of lists are
    `factions.0` and so on. Raises OptionError, TooMany.
    """
    tables = services_of(request).tables
    # Browsers also send empty fields, which mean the default here.
    fields = {field: value for field, value in fields.items() if value}
    wish = fields.pop("seat", "random")
    hints = check_hints(fields.pop("hints", ""))
    proved = fields.pop("proved", "") == "yes"
    pace = read_pace(kind, fields)
    offer = read_offer(fields)
    opener = Person(fields.pop("name", ""))
    sitters = [opener, *read_opponents(kind, fields)]
    check_names(offer, opener, sitters)
    own = cards.options if cards else {}
    # In a thread, because a whole box of cards takes a while.
    usual = await run_sync(tables.new_game, kind.name, own)
    fields = drop_invited_choices(usual, fields, sitters)
    if kind.has_decks():
        fields |= read_linked_decks(usual, fields)
    spread = draw_random_choices(usual, take_lists(fields))
    if len(kind.seat_counts) > 1:
        fields["seats"] = str(len(sitters))
    game = await run_sync(make_game, tables, kind, fields | spread, own)
    check_count(game, len(sitters))
    order = order_seats(wish, game)
    if order != sorted(order):
        game = await run_sync(make_game, tables, kind, fields | turn_choices(spread, order), own)
    sitters = await invite_programs(request, sitters, game, pace)
    # Counted once the form is valid, so that mistakes cost nothing.
    await count_table(request, offer)
    at = sort_by_seat(sitters, order)
    helped = offers_hints(hints, kind, sitters)
    table, tokens = await tables.open_table(game, at, helped, proved=proved, pace=pace, offer=offer)
    return table, tokens[order[0]]


def turn_choices(choices: dict[str, list[str]], order: list[int]) -> dict[str, list[str]]:
    """Return the choices of a form, which are counted from the opener on, by seats."""
    return {option: sort_by_seat(values, order) for option, values in choices.items()}


def check_count(game: Game, players: int) -> None:
    """Raise OptionError if a game is not for this number of players."""
    if players != game.seats:
        counts = " or ".join(map(str, game.seat_counts))
        raise OptionError(messages.PLAYERS_NEEDED.format(game=game.title, counts=counts, players=players))


def take_lists(fields: dict[str, str]) -> dict[str, list[str]]:
    """Return the lists of a form, such as `factions.0` and `factions.1`, and remove their fields."""
    found: dict[str, list[str]] = {}
    for field in sorted(field for field in fields if "." in field):
        found.setdefault(field.partition(".")[0], []).append(fields.pop(field))
    return found


async def invite_programs(request: Request, sitters: list[Seating], game: Game, pace: Pace | None) -> list[Seating]:
    """Return the players of a new table with the account of each program. Raises OptionError."""
    if not any(isinstance(sitter, Program) for sitter in sitters):
        return sitters
    programs = services_of(request).programs
    if programs is None:
        raise OptionError(messages.NO_BOT_ACCOUNTS)
    return await programs.invite(sitters, game, pace)


def check_names(offer: Offer | None, opener: Person, sitters: Sequence[Seating]) -> None:
    """Raise OptionError if a name is missing: the opener's at a listed table, or those of all people on one device.
    Raise it too if the opener invites players under a name without a letter."""
    invites = any(isinstance(sitter, Open) for sitter in sitters)
    # The form requires a name for an invitation; a name of spaces would be shown as that of a guest.
    if (offer is not None or (invites and opener.name)) and not clean_name(opener.name):
        raise OptionError(messages.NAME_YOURSELF)
    beside = [sitter.name for sitter in sitters if isinstance(sitter, Beside)]
    if beside and not all(map(clean_name, (opener.name, *beside))):
        raise OptionError(messages.NAME_EACH_PLAYER)


def read_offer(fields: dict[str, str]) -> Offer | None:
    """Return how the form lists a table in the lobby, and remove its fields; None for a table by link only. Raises
    OptionError."""
    listed, wait, level = (fields.pop(name, "") for name in ("listed", "bot-after", "bot-level"))
    if listed != "yes":
        return None
    if wait and not (wait.isascii() and wait.isdigit() and 0 < int(wait[:4]) * MINUTE <= MAX_WAIT_S):
        raise OptionError(messages.CHOOSE_WAIT)
    return Offer(int(wait) * MINUTE, level.removeprefix("bot:")) if wait else Offer()


async def _count_offer(request: Request) -> None:
    """Count a listed table for the device, and refuse it if the device lists too many. Raises TooMany, OptionError."""
    server, key = services_of(request), devices.read_device_key(request)
    listed = await run_sync(server.tables.store.list_offers, server.tables.now())
    own = {seat.key for seat in await devices.list_tables(request)}
    if len(own.intersection(listed)) >= MAX_OFFERS:
        raise OptionError(messages.MANY_OFFERS_OPEN.format(most=MAX_OFFERS))
    server.limits.spend(OFFERS, hash_token(key) if key else client_of(request))


async def count_table(request: Request, offer: Offer | None = None) -> None:
    """Count a new table for the device, if it has a key, and for the address. Raises TooMany, and OptionError for a
    listed one."""
    limits, key = services_of(request).limits, devices.read_device_key(request)
    if key:
        limits.spend(TABLES_OF_DEVICE, hash_token(key))
    limits.spend(TABLES, client_of(request))
    if offer is not None:
        await _count_offer(request)


def check_hints(wish: str) -> str:
    """Return the choice of the form about hints: `yes`, `no`, or empty for the default. Raises OptionError."""
    if wish not in ("", "yes", "no"):
        raise OptionError(messages.CHOOSE_HINTS)
    return wish


def offers_hints(wish: str, kind: type[Game], seating: Sequence[Seating]) -> bool:
    """Return whether a table has hints. By default it has none if a second person plays."""
    people = sum(not isinstance(sitter, Robot) for sitter in seating)
    return wish == "yes" if wish else kind.hints and people < 2


def read_opponents(kind: type[Game], fields: dict[str, str]) -> list[Seating]:
    """Return the other players that the form names, and remove their fields."""
    if kind.seat_counts == (2,):
        who, name = fields.pop("opponent", "friend"), fields.pop("name-1", "")
        return [parse_sitter(who, name)]
    if "opponent" in fields:
        rows = [(fields.pop("opponent"), "")] * (kind().seats - 1)
    else:
        rows = [(fields.pop(f"who-{n}", NOBODY), fields.pop(f"name-{n}", "")) for n in range(1, max(kind.seat_counts))]
    return [parse_sitter(who, name) for who, name in rows if who != NOBODY]


def parse_sitter(who: str, name: str) -> Seating:
    """Return the player for a choice in the form: `friend`, `beside`, `bot:LEVEL` or `program:NAME`. Raises
    OptionError."""
    level = who.removeprefix("bot:")
    if who.startswith(PROGRAM):
        return Program(who.removeprefix(PROGRAM))
    if who == "friend":
        return Open()
    if who == "beside":
        return Beside(name)
    if who != level:
        return Robot(level)
    raise OptionError(messages.CHOOSE_OPPONENT)


def drop_invited_choices(usual: Game, fields: dict[str, str], sitters: list[Seating]) -> dict[str, str]:
    """Return the fields without choices for invited players, which choose for themselves."""
    option = find_choice_option(usual)
    if option is None:
        return fields
    free = [str(n) for n, sitter in enumerate(sitters) if isinstance(sitter, Open)]
    kept = {field: value for field, value in fields.items() if field not in {f"link.{n}" for n in free}}
    return kept | {f"{option}.{n}": LOT for n in free if f"{option}.0" in fields}


def draw_random_choices(usual: Game, options: Options) -> Options:
    """Return the fields with a faction or preset deck for each random choice, so that the opener need not know another
    seat's. A deck may also be a link. Raises OptionError."""
    decks = usual.decks()
    found = dict(options)
    for option, values in options.items():
        if not isinstance(values, (list, tuple)):
            continue
        if decks is not None and option == decks.option:
            found[option] = [read_deck(decks, value) for value in values]
        elif option == "factions" and LOT in values:
            free = [slug for slug in list_choices(usual) if slug not in values]
            # Each drawn faction leaves the list, so that two random seats never get the same one.
            found[option] = [free.pop(free.index(DICE.choice(free))) if one == LOT and free else one for one in values]
    return found


def read_linked_decks(usual: Game, fields: dict[str, str]) -> dict[str, str]:
    """Return the fields with decks given by code or link in place of chosen ones, and remove `link.0` and `link.1`.
    Raises OptionError."""
    decks = usual.decks()
    texts = {field: fields.pop(field).strip() for field in ("link.0", "link.1") if field in fields}
    if decks is None:
        return {}
    try:
        found = {field: name_deck(decks, decks.find(text)) for field, text in texts.items() if text}
    except DeckError as error:
        raise OptionError(str(error)) from None
    return {field.replace("link", decks.option): word for field, word in found.items()}


def read_deck(decks: Decks, value: object) -> object:
    """Return the text that names a deck of a form to the game. Raises OptionError."""
    if value == LOT:
        return decks.word(DICE.choice(decks.ready()))
    try:
        linked = decks.read_link(value) if isinstance(value, str) else None
    except DeckError as error:
        raise OptionError(str(error)) from None
    return value if linked is None else name_deck(decks, linked)


def make_game(tables: Tables, kind: type[Game], options: Options, cards: Options | None = None) -> Game:
    """Return a game from the fields of a form or a program, public options only, and the options of a set of cards.
    Raises OptionError."""
    public = {option.name for option in kind.options_spec if is_offered(option)}
    for option in options:
        if option not in public:
            raise OptionError(messages.NO_OPTION.format(game=kind.title, option=repr(option[:40])))
    return tables.new_game(kind.name, (cards or {}) | options)


def order_seats(wish: str, game: Game) -> list[int]:
    """Return the seat of each player, the opener first: randomly, or in the order of the form from the opener's seat
    on. Raises OptionError."""
    seats = list(range(game.seats))
    if wish == "random":
        DICE.shuffle(seats)
        return seats
    if not (wish.isascii() and wish.isdigit() and len(wish) < 3 and int(wish) < game.seats):
        raise OptionError(messages.SEATS_OF_GAME.format(game=game.title, last=game.seats - 1))
    return seats[int(wish) :] + seats[: int(wish)]


def sort_by_seat(values: list[T], order: list[int]) -> list[T]:
    """Return values in order of seats that are given in order from the opener."""
    return values if len(values) != len(order) else [values[order.index(seat)] for seat in range(len(order))]
