"""The choice of cards in the form of a table: the standard set, a kept set, or own cards."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.files.card_changes import Entry, copy_data, iter_entries
from gonfalon.core.files.card_files import format_fault
from gonfalon.core.files.card_sets import CardSet, find_other_game, read_card_set
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.table.live.tables import guard_setup
from gonfalon.table.seats.seat_choices import list_factions
from gonfalon.table.store.card_set_rows import StoredCardSet
from gonfalon.web import messages
from gonfalon.web.http.rate_limits import CARD_SETS, client_of
from gonfalon.web.shared import devices, preferences
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.game_info import card_file_url, cards_url
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.own_cards import show_changes

OWN: Final = "own"
"""The choice of cards that the visitor types or opens."""
SETS: Final = "sets"
"""The preference with the ids of the device's last sets, the latest first."""
MAX_LAST_SETS: Final = 4
EXAMPLES: Final = 2
SKIPPED: Final = ("copies", "round")
"""Numbers of a table that are no good example."""
MAX_FAULTS: Final = 20
MAX_TEXT_BYTES: Final = 64_000
"""The maximum size of own cards that a client sends."""


def set_url(id: str) -> str:
    """Return the address of a set of cards."""
    return f"/cards/{id}/"


async def build_choice(request: Request, kind: type[Game], sent: Mapping[str, str]) -> Context | None:
    """Return the context of _card_sets.html; None for a game without card files."""
    if not data_option(kind()):
        return None
    text = sent.get("cards", "")
    if (edit := sent.get("edit")) and (one := await run_sync(services_of(request).tables.store.card_set, edit)):
        text = one.text
    chosen = sent.get("set", OWN if text else "")
    found = await list_sets(request, kind, chosen)
    names = {"": messages.STANDARD_SET, OWN: messages.YOUR_OWN_CARDS} | {
        one.id: one.name or messages.OWN_CARDS for one in found
    }
    chosen = chosen if chosen in names else ""
    return {
        "chosen": chosen,
        "title": names[chosen],
        "sets": [
            {
                "id": one.id,
                "name": names[one.id],
                "about": messages.HOUSE_SET if one.house else messages.LAST_SET,
                "url": set_url(one.id),
            }
            for one in found
        ],
        "options": next((one.options for one in found if one.id == chosen), None),
        "text": text,
        "check": await check_text(request, kind, text) if text else None,
        "about": next(option.help for option in kind.options_spec if option.file),
        "example": await find_example(request, kind),
        "check_url": f"{cards_url(kind.name)}/check",
        "keep_url": f"{cards_url(kind.name)}/keep",
        "file_url": card_file_url(kind),
        "most": MAX_TEXT_BYTES,
    }


async def list_sets(request: Request, kind: type[Game], chosen: str) -> list[StoredCardSet]:
    """Return the sets that the form of a game offers: those of the server, the chosen one and the device's last
    ones."""
    store = services_of(request).tables.store
    house = await run_sync(store.house_card_sets, kind.name)
    own = preferences.read_preferences(request).of(kind.name, SETS).split()
    known = {one.id for one in house}
    last = [await run_sync(store.card_set, id) for id in dict.fromkeys([chosen, *own]) if id and id not in known]
    found = [*house, *(one for one in last if one is not None and one.game == kind.name)]
    # Of equal sets the chosen one stays, else the first.
    latest = [*found[::-1], *(one for one in found if one.id == chosen)]
    equal = {(one.name, one.data): one for one in latest}
    return [one for one in found if equal[one.name, one.data] is one]


def with_own_cards(showcase: Context, game: Game) -> Context:
    """Return the lobby's data of a game with the factions and preset decks of a set of cards."""
    found = showcase | {"factions": list_factions(game)}
    if (decks := game.decks()) is not None:
        ready = [{"value": decks.word(deck), "label": deck.name} for deck in decks.ready()]
        found["bring"] = showcase["bring"] | {"ready": ready}
    return found


async def find_example(request: Request, kind: type[Game]) -> str:
    """Return an example of own cards of a game, which is made once."""
    kept = services_of(request).render.examples
    if kind.name not in kept:
        kept[kind.name] = "\n".join(await run_sync(list_examples, kind))
    return kept[kind.name]


def list_examples(kind: type[Game]) -> list[str]:
    """Return lines of own cards of a game, as a visitor would write them: numbers of cards, else lists of tables."""
    entries = list(iter_entries(copy_data(kind())))
    # Factions and decks hold cards, and are no cards.
    cards = [one for one in entries if "name" in one.table and "cards" not in one.table]
    return pick_lines(kind, cards, int) or pick_lines(kind, entries, list)


def pick_lines(kind: type[Game], entries: list[Entry], sort: type) -> list[str]:
    """Return lines for some values of a type that the game would accept, each of another table."""
    found: list[str] = []
    for entry in entries:
        keys = [key for key, value in entry.table.items() if type(value) is sort and key not in SKIPPED]
        if not keys or len(found) == EXAMPLES:
            continue
        value = entry.table[keys[0]] + 1 if sort is int else entry.table[keys[-1]][::-1]
        word = next((word for word in entry.words if not re.fullmatch("[a-z][0-9]{2}", word)), entry.words[0])
        line = f"{word}.{keys[0] if sort is int else keys[-1]} = {json.dumps(value)}"
        with suppress(DataError, OptionError):
            read_card_set(kind, line)
            found.append(line)
    return found


async def check_text(request: Request, kind: type[Game], text: str) -> Context:
    """Return the context of _card_check.html for own cards: all faults, or what they change. Raises TooMany."""
    try:
        found = await read_set(request, kind, text)
    except (DataError, OptionError) as error:
        return {"faults": list_faults(error), "changes": []}
    return {"faults": [], "changes": show_changes(found.changes)}


def list_faults(error: DataError | OptionError) -> list[str]:
    """Return the faults of own cards as sentences, each with its line if it has one."""
    faults = error.faults if isinstance(error, DataError) else ()
    told = list(map(format_fault, faults[:MAX_FAULTS])) or [str(error)]
    more = len(faults) - MAX_FAULTS
    return [*told, messages.MORE_CARD_FAULTS.format(count=more)] if more > 0 else told


async def read_cards(request: Request, kind: type[Game], fields: dict[str, str]) -> StoredCardSet | None:
    """Return the set of cards that a form chooses, and remove its fields; None for the standard set. Own cards are kept
    for the next table. Raises DataError, OptionError, TooMany."""
    text = fields.pop("cards", "")
    chosen = fields.pop("set", OWN if text else "")
    if chosen == OWN:
        return await keep_set(request, kind, text)
    if not chosen:
        return None
    one = await run_sync(services_of(request).tables.store.card_set, chosen, time.time())
    if one is None or one.game != kind.name:
        raise OptionError(messages.NO_CARD_SET)
    return one


async def keep_set(request: Request, kind: type[Game], text: str, name: str = "") -> StoredCardSet:
    """Keep own cards on the server. An equal set of the same device has the same id. Raises DataError, OptionError,
    NoRoom, TooMany."""
    return await store_set(request, await read_set(request, kind, text, name), text)


async def read_set(request: Request, kind: type[Game], text: str, name: str = "") -> CardSet:
    """Return the set of cards in a text. Raises DataError, OptionError, TooMany."""
    server = services_of(request)
    server.limits.spend(CARD_SETS, client_of(request))
    # Forms send a line end as two bytes.
    size = len(text.replace("\r\n", "\n").encode(errors="replace"))
    if size > MAX_TEXT_BYTES:
        raise DataError(messages.CARDS_TOO_LARGE.format(size=-(-size // 1000), most=MAX_TEXT_BYTES // 1000))

    def read() -> CardSet:
        with guard_setup(kind.name):
            try:
                return read_card_set(kind, text, name)
            except DataError:
                if other := find_other_game(kind, server.kinds.values(), text):
                    raise DataError(messages.OTHER_GAMES_CARDS.format(game=other.title)) from None
                raise

    return await run_sync(read)


async def store_set(request: Request, found: CardSet, text: str) -> StoredCardSet:
    """Store a set of cards for this device, or for its address if it has no key. Raises NoRoom."""
    store = services_of(request).tables.store
    id = await run_sync(store.keep_card_set, found, text, devices.hash_owner(request), time.time())
    kept = await run_sync(store.card_set, id)
    assert kept is not None
    return kept


def remember_set(request: Request, response: Response, one: StoredCardSet) -> None:
    """Add a set to the last sets of the device."""
    preferences.store_preferences(request, response, add_last_set(preferences.read_preferences(request), one))


def add_last_set(liked: preferences.Likes, one: StoredCardSet) -> preferences.Likes:
    """Return the preferences with a set as the last one of its game."""
    last = dict.fromkeys([one.id, *liked.of(one.game, SETS).split()])
    return liked.also(one.game, {SETS: " ".join(list(last)[:MAX_LAST_SETS])})
