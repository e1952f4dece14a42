"""The reader and checker of card files. It reports all faults of a file together."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, TypeVar

from gonfalon.core.basics.decks import Deck
from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import CardFile, Raw, raise_faults
from gonfalon.games.generals.cards import decks
from gonfalon.games.generals.cards.checker import check_card
from gonfalon.games.generals.cards.pool import NEUTRAL, SUBTYPES, TYPES, Card, Faction, Pool, slug_of
from gonfalon.games.generals.effects import vocabulary

T = TypeVar("T")

__all__ = ["Card", "Deck", "Faction", "Pool", "load", "read_standard"]

FILES: Final = (Path(__file__).with_name("cards.toml"), Path(__file__).with_name("more.toml"))
"""The standard files, in the order in which they are merged. New cards get the next numbers."""
FORM: Final = 1
RULINGS: Final = 68
MAX_KINDS: Final = 1000
OURS: Final = "ours"
SOURCES: Final = ("rulebook", "publisher", "inferred", OURS)
SOURCED: Final = ("name", "faction", "cost", "might", "wits", "upkeep", "text")
ID: Final = re.compile(r"[A-Z][0-9]{2}")
CODE: Final = re.compile(r"[A-Z]{2,8}")
WORD: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LISTS: Final = ("faction", "card", "deck")
KEY: Final = {"faction": "code", "card": "id", "deck": "slug"}
"""The entry that identifies a table within each list."""
GAME: Final[dict[str, tuple[int, int]]] = {
    "deck_least": (1, 200),
    "deck_most": (1, 200),
    "copies": (1, 9),
    "opening": (0, 20),
}
"""The smallest and the largest value of each number in [game]."""
COMMON: Final = (
    "id",
    "name",
    "type",
    "subtypes",
    "faction",
    "text",
    "story",
    "abilities",
    "rulings",
    "otherwise",
    "sources",
)
OPTIONS: Final = ("strict_blocking", "counter_chain", "mulligan", "strategy_overdeplete_loses", "qun_counts")
"""The options on which a card's text may depend."""
MORE: Final[dict[str, tuple[str, ...]]] = {
    "character": ("cost", "might", "wits", "upkeep"),
    "strategy": ("cost", "requires"),
    "equipment": ("cost", "host"),
    "counter": ("cost", "requires"),
    "commandment": (),
}
"""The entries that only cards of a type have."""
RANGES: Final = {"cost": (0, 20), "might": (0, 20), "wits": (0, 20), "upkeep": (0, 9)}


# ---- reading ---------------------------------------------------------------------------------------------------


def read_standard() -> Raw:
    """Return the plain form of the data that come with the program."""
    return load().raw


def load(source: Path | Raw | None = None) -> Pool:
    """Return the pool of a file or of its plain form, merged over the standard one unless it is marked `alone`.

    Raises:
        DataError: The file has faults; the error lists all of them.
    """
    layers = [card_files.shipped(file) for file in FILES]
    if source is not None:
        own = card_files.read(source)
        layers = [own] if own.alone else [*layers, own]
    return _build_pool(layers)


class _Table:
    """One table of a layer, with its place for messages."""

    def __init__(self, layer: CardFile, list: str, number: int, raw: Raw) -> None:
        self.layer = layer
        self.list = list
        self.number = number
        self.raw = raw
        self.known = True
        """Whether its key is sound. A table with an unsound key is refused, and its other entries are still checked."""
        self.name = f"{list} {raw.get(KEY.get(list, ''), number + 1)}" if list != "game" else "[game]"

    def fault(self, what: str, key: str = "", word: str = "") -> None:
        marks = [key] if key else []
        if word:
            marks.append(f'"{word}"')
        self.layer.fault(f"{self.name}: {what}", f"[{self.list}]", self.number, *marks)

    def text(self, key: str, needed: bool = False) -> str:
        """Return a text of one line."""
        value = self.raw.get(key, "")
        if not isinstance(value, str) or value != " ".join(value.split()):
            self.fault(f"{key} must be a text of one line, not {value!r}", key)
            return ""
        if needed and not value:
            self.fault(f"{key} is missing", key)
        return str(value)

    def number_of(self, key: str, usual: int | None, least: int, most: int) -> int:
        """Return a whole number within bounds. If `usual` is None the entry is required."""
        value = self.raw.get(key, usual)
        if value is None:
            self.fault(f"{key} is missing")
            return least
        if type(value) is not int or not least <= value <= most:
            self.fault(f"{key} must be a whole number from {least} to {most}, not {value!r}", key)
            return least
        return value

    def unknown(self, known: tuple[str, ...]) -> None:
        for key in self.raw:
            if key not in known:
                self.fault(f"the entry {key!r} is unknown", key)


# ---- checking --------------------------------------------------------------------------------------------------


def _build_pool(layers: list[CardFile]) -> Pool:
    """Merge the layers and check everything.

    Raises:
        DataError: A layer has faults.
    """
    game: Raw = {}
    tables: dict[str, dict[str, _Table]] = {list: {} for list in LISTS}
    for layer in layers:
        _add_layer(layer, game, tables)
    numbers = {key: int(game[key]) for key in GAME}
    top = layers[-1]
    if numbers["deck_least"] > numbers["deck_most"]:
        top.fault("deck_least must not be above deck_most", "[game]", "deck_least")
    factions = [(table, _read_faction(table)) for table in tables["faction"].values()]
    found = {faction.code: faction for table, faction in factions if table.known}
    cards = _read_cards(layers, tables["card"], found)
    if len(cards) > MAX_KINDS:
        top.fault(f"there are {len(cards)} different cards; at most {MAX_KINDS} are possible")
    if NEUTRAL not in found:
        top.fault(f"there is no faction {NEUTRAL}")
    pool = Pool(
        {"form": FORM, "game": game, **{list: [table.raw for table in tables[list].values()] for list in LISTS}},
        cards,
        list(found.values()),
        [],
        numbers["deck_least"],
        numbers["deck_most"],
        numbers["copies"],
        list(game["hands"]),
        numbers["opening"],
        {card.id: card for card in cards},
        {card.slug: card for card in cards},
    )
    _add_decks(pool, layers, tables["deck"])
    if not pool.decks:
        top.fault("there is no legal preset deck")
    # All faults are collected before this point, so that one message lists them all.
    raise_faults(layers)
    return pool


def _read_cards(layers: list[CardFile], tables: dict[str, _Table], found: dict[str, Faction]) -> list[Card]:
    """Read and check the cards of the merged tables. Each gets its index as its kind."""
    cards: list[Card] = []
    names: dict[str, str] = {}
    # The names of replaced cards count too, because the remaining cards may refer to them.
    generals = {str(entry.get("name")) for layer in layers for entry in _list_entries(layer, "card")}
    for table in tables.values():
        card = _read_card(table, len(cards), found)
        if names.setdefault(card.slug, card.id) != card.id:
            table.fault(f"{names[card.slug]} has the same name, but a name has only one card (ruling 33)", "name")
        cards.append(card)
        for bad in check_card(card, generals, found):
            table.fault(str(bad), bad.place.split()[0], bad.word)
    return cards


def _add_decks(pool: Pool, layers: list[CardFile], tables: dict[str, _Table]) -> None:
    """Add the legal preset decks to the pool and report the faults of the others."""
    for table in tables.values():
        deck = _read_deck(table, pool)
        faults = _find_deck_faults(deck, pool) if deck is not None else []
        if deck is not None and not faults and table.known:
            pool.decks.append(deck)
        elif len(layers) > len(FILES) and table.layer is not layers[-1]:
            # The user's cards or numbers make a standard deck illegal. It is left out, and the file is not refused.
            pool.raw["deck"].remove(table.raw)
        else:
            for fault in faults:
                table.fault(fault, "cards")


def _add_layer(layer: CardFile, game: Raw, tables: dict[str, dict[str, _Table]]) -> None:
    """Merge one layer into the tables. Malformed entries are reported and left out."""
    raw = layer.raw
    layer.check_head(FORM, ("alone", "game", *LISTS))
    own = raw.get("game", {})
    if isinstance(own, dict):
        table = _Table(layer, "game", 0, own)
        table.unknown((*GAME, "hands"))
        for key, (least, most) in GAME.items():
            if key in own or key not in game:
                game[key] = table.number_of(key, None, least, most)
        hands = own.get("hands", game.get("hands"))
        if not (isinstance(hands, list) and hands and all(type(n) is int and 0 <= n <= 99 for n in hands)):
            table.fault("hands must be a list of hand limits, for 1 faction, 2 factions and so on", "hands")
            hands = [0]
        game["hands"] = hands
    else:
        layer.fault("[game] must be a table", "game")
    for list_ in LISTS:
        found = raw.get(list_, [])
        if not isinstance(found, list) or len(_list_entries(layer, list_)) < len(found):
            layer.fault(f"{list_} must be a list of [[{list_}]] tables", list_)
        seen: set[str] = set()
        for number, entry in enumerate(_list_entries(layer, list_)):
            table = _Table(layer, list_, number, entry)
            key = KEY[list_]
            word = entry.get(key)
            form = {"faction": CODE, "card": ID, "deck": WORD}[list_]
            if not isinstance(word, str) or not form.fullmatch(word):
                like = {"faction": "WEI", "card": "W01", "deck": "red-cliffs"}[list_]
                table.fault(f"{key} must be a word like {like}, not {word!r}", key)
                table.known = False
            elif word in seen:
                table.fault(f"another {list_} has the {key} {word} too", key)
                table.known = False
            else:
                seen.add(word)
            tables[list_][str(word) if table.known else f"{word} in table {number}"] = table


def _list_entries(layer: CardFile, list_: str) -> list[Raw]:
    """Return the tables of a list."""
    found = layer.raw.get(list_, [])
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _read_faction(table: _Table) -> Faction:
    table.unknown(("code", "slug", "name", "counts", "colour", "glyph", "pattern", "style"))
    counts = table.raw.get("counts", True)
    if not isinstance(counts, bool):
        table.fault(f"counts must be true or false, not {counts!r}", "counts")
        counts = True
    slug = table.text("slug", needed=True)
    if slug and not WORD.fullmatch(slug):
        table.fault(f"slug must be words of small letters joined by hyphens, not {slug!r}", "slug")
    return Faction(
        str(table.raw.get("code")),
        slug,
        table.text("name", needed=True),
        counts,
        table.text("colour") or "grey",
        table.text("glyph") or "gonfalon",
        table.text("pattern") or "plain",
        table.text("style"),
    )


def _read_card(table: _Table, kind: int, factions: dict[str, Faction]) -> Card:
    raw = table.raw
    type_ = raw.get("type")
    if type_ not in TYPES:
        table.fault(f"type must be one of {', '.join(TYPES)}, not {type_!r}", "type")
        type_ = ""
    table.unknown((*COMMON, *(MORE[type_] if type_ else {key for keys in MORE.values() for key in keys})))
    name = _read_name(table)
    faction = raw.get("faction", NEUTRAL)
    if not isinstance(faction, str) or faction not in factions:
        table.fault(f"there is no faction {faction!r}; there are {', '.join(factions)}", "faction")
    pay = _read_cost(table, type_)
    character = type_ == "character"
    id = str(raw.get("id"))
    if not type_:
        for key in {"might", "wits", "upkeep"} & raw.keys():
            table.number_of(key, None, *RANGES[key])
    return Card(
        kind,
        id,
        slug_of(name) or id.lower(),
        name,
        type_,
        _read_subtypes(table, type_),
        str(faction),
        pay.get("hand", 0),
        {what: n for what, n in pay.items() if n},
        table.number_of("might", None, *RANGES["might"]) if character else 0,
        table.number_of("wits", None, *RANGES["wits"]) if character else 0,
        table.number_of("upkeep", 1, *RANGES["upkeep"]) if character else 0,
        table.text("text"),
        _read_list(table, "abilities", dict, "a list of tables"),
        _read_list(table, "requires", list, "a list of conditions"),
        _read_host(table),
        tuple(_read_rulings(table)),
        _read_otherwise(table),
        _read_sources(table),
        table.text("story"),
    )


def _read_name(table: _Table) -> str:
    name = table.text("name", needed=True)
    if name and not slug_of(name):
        table.fault(f"the name {name!r} has no letter or digit for its address", "name")
    return name


def _read_subtypes(table: _Table, type_: str) -> tuple[str, ...]:
    given = table.raw.get("subtypes", [])
    if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
        table.fault(f"subtypes must be a list of words, not {given!r}", "subtypes")
        return ()
    allowed = SUBTYPES.get(type_, tuple(given))
    for word in given:
        if word not in allowed:
            table.fault(f"a {type_} has no subtype {word!r}", "subtypes")
    if len(set(given)) < len(given):
        table.fault("a subtype is listed twice", "subtypes")
    if type_ == "equipment" and len(given) != 1:
        table.fault("an equipment needs one subtype, armament or troop", "subtypes")
    if type_ == "strategy" and given and "tactics" not in given:
        table.fault("fire and water are kinds of tactics, so tactics must be among the subtypes", "subtypes")
    return tuple(given)


def _read_cost(table: _Table, type_: str) -> dict[str, int]:
    """Return the price of a card, from a number of cards from hand or a table."""
    least, most = RANGES["cost"]
    if type_ == "commandment" or (not type_ and "cost" not in table.raw):
        return {}
    if type_ != "character" and isinstance(table.raw.get("cost"), dict):
        cost = table.raw["cost"]
        for what, n in cost.items():
            if what not in vocabulary.COSTS:
                table.fault(f"cost is paid with {', '.join(vocabulary.COSTS)}, not with {what!r}", "cost")
            elif type(n) is not int or not least <= n <= most:
                table.fault(f"cost: {what} must be a whole number from {least} to {most}, not {n!r}", "cost")
        return {what: n for what, n in cost.items() if what in vocabulary.COSTS and type(n) is int}
    return {"hand": table.number_of("cost", None, least, most)}


def _read_list(table: _Table, key: str, kind: type[T], what: str) -> list[T]:
    value = table.raw.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, kind) for entry in value):
        table.fault(f"{key} must be {what}", key)
        return []
    return value


def _read_host(table: _Table) -> Raw:
    host = table.raw.get("host", {})
    if not isinstance(host, dict):
        table.fault("host must be a table", "host")
        return {}
    return host


def _read_rulings(table: _Table) -> list[int]:
    rulings = table.raw.get("rulings", [])
    if not isinstance(rulings, list) or not all(type(n) is int and 1 <= n <= RULINGS for n in rulings):
        table.fault(f"rulings must be a list of numbers from 1 to {RULINGS}", "rulings")
        return []
    return rulings


def _read_otherwise(table: _Table) -> dict[str, str]:
    """Return the texts of a card under other options."""
    given = table.raw.get("otherwise", {})
    if not isinstance(given, dict) or not all(isinstance(text, str) and text for text in given.values()):
        table.fault("otherwise must be a table of texts by option", "otherwise")
        return {}
    for name in given:
        if name not in OPTIONS:
            table.fault(
                f"otherwise names {name!r}, which is no such option; there are {', '.join(OPTIONS)}", "otherwise"
            )
    return given


def _read_sources(table: _Table) -> dict[str, str]:
    """Return the provenance of everything printed on the card."""
    given = table.raw.get("sources", {})
    if not isinstance(given, dict):
        table.fault("sources must be a table", "sources")
        given = {}
    for what, source in given.items():
        if what not in SOURCED:
            table.fault(f"sources names {what!r}, which is not printed; there are {', '.join(SOURCED)}", "sources")
        elif source not in SOURCES:
            table.fault(f"the source of {what} must be one of {', '.join(SOURCES)}, not {source!r}", "sources")
    character = table.raw.get("type") == "character"
    printed = [what for what in SOURCED if character or what not in ("might", "wits", "upkeep")]
    if table.raw.get("type") == "commandment":
        printed.remove("cost")
    return {what: str(given.get(what, OURS)) for what in printed}


def _read_deck(table: _Table, pool: Pool) -> Deck | None:
    """Return the deck of a table, or None if it is malformed."""
    raw = table.raw
    table.unknown(("slug", "name", "style", "commandment", "cards"))
    name, style = table.text("name", needed=True), table.text("style")
    cards = raw.get("cards")
    if not isinstance(cards, dict) or not all(type(n) is int and 1 <= n <= 99 for n in cards.values()):
        table.fault("cards must give the number of copies by card id, such as { W01 = 3 }", "cards")
        cards = None
    commandment = raw.get("commandment")
    if not isinstance(commandment, str):
        table.fault("commandment must be the id of a Commandment", "commandment")
        return None
    return None if cards is None else Deck(name, {commandment: 1, **cards}, str(raw.get("slug")), style)


def _find_deck_faults(deck: Deck, pool: Pool) -> list[str]:
    """Return the reasons why a preset deck cannot be played, as parts of a sentence."""
    return [fault[:1].lower() + fault[1:].rstrip(".") for fault in decks.check_deck(pool, deck)]
