"""Facts about games for the lobby and other pages: addresses, options, decks, factions."""

from __future__ import annotations

import re

from gonfalon import bots, games, lessons
from gonfalon.bots import list_offered_levels
from gonfalon.bots.levels import list_added_levels
from gonfalon.core.basics.decks import Decks
from gonfalon.core.rules.game import Game, Option
from gonfalon.puzzles.shelf import list_puzzles as puzzles_of
from gonfalon.table.seats.seat_choices import LOT
from gonfalon.web.shared import clocks
from gonfalon.web.shared.template_context import Context


def guide_url(game: Game | type[Game]) -> str | None:
    """Return the address of a game's rules; None if it has no guide."""
    return f"/games/{game.name}/guide" if (game.folder / "guide.md").is_file() else None


def learn_url(game: str) -> str:
    """Return the address of a game's lessons."""
    return f"/learn/{game}/"


def first_game(kind: type[Game]) -> Context | None:
    """Return a game's first lesson; None if it has none."""
    minutes = lessons.find_first_lesson(kind)
    return None if minutes is None else {"url": learn_url(kind.name), "minutes": minutes}


def library_url(game: str) -> str:
    """Return the address of a game's annotated games."""
    return f"/library/{game}/"


def puzzles_url(kind: type[Game]) -> str | None:
    """Return the address of a game's puzzles; None if it has none."""
    return f"/puzzles/{kind.name}/" if puzzles_of(kind) else None


def workshop_url(kind: type[Game]) -> str | None:
    """Return the address of a game's Workshop; None for a game that other processes do not know."""
    return f"/workshop/{kind.name}/" if kind.name in games.names() else None


def card_file_url(kind: type[Game]) -> str | None:
    """Return the address of a game's card file, the model for own cards; None if it has none."""
    return f"/games/{kind.name}/cards.toml" if read_card_files(kind) else None


def read_card_files(kind: type[Game]) -> str:
    """Return the standard cards of a game as one file; empty if it has none."""
    files = [kind.folder / name for name in kind.card_files]
    texts = [file.read_text("utf-8") for file in files if file.is_file()]
    # A file has one form. Its tables may be in several parts.
    return "\n".join([*texts[:1], *(re.sub(r"(?m)^form\s*=.*\n", "", text) for text in texts[1:])])


def form_url(game: str) -> str:
    """Return the address of the form of a new table."""
    return f"/games/{game}/new"


def cards_url(game: str) -> str:
    """Return the address of a game's cards."""
    return f"/games/{game}/cards"


def lobby_game(kind: type[Game]) -> Context:
    """Return the lobby's data of a game: its public options, and the data of its `lobby()`."""
    game = kind()
    return {
        "name": kind.name,
        "title": kind.title,
        "seats": seat_words(kind.seat_counts),
        "others": others_of(kind),
        "picks": any(o.name == "factions" and isinstance(o.default, tuple) for o in kind.options_spec),
        "tagline": kind.tagline or (kind.__doc__ or "").strip().partition("\n")[0],
        "invented": kind.invented,
        "guide_url": guide_url(kind),
        "hints": "yes" if kind.hints else "no",
        "clocks": clocks.describe_offers(kind),
        "cards_url": cards_url(kind.name) if game.catalogue() else None,
        "factions": [],
        "bots": [
            {
                "value": f"bot:{level}",
                "title": bot.title,
                "name": level.capitalize(),
                "about": bot.about,
                "icon": bot.icon,
            }
            for level in [*reversed(list_offered_levels(game)), *list_added_levels(game)]
            for bot in [bots.find_level(level)]
        ],
        "usual": f"bot:{bots.choose_default_level(game)}",
        "options": [lobby_option(o) for o in kind.options_spec if asked_for(kind, o)],
        # The game's own data may replace the fields above, but not its decks.
        **lobby_of(kind),
        "bring": lobby_decks(kind),
    }


def seat_words(counts: tuple[int, ...]) -> str:
    """Return the numbers of seats in words: `2`, `2–5`, `2 or 4`."""
    low, high = min(counts), max(counts)
    if len(counts) > 2 and len(counts) == high - low + 1:
        return f"{low}–{high}"
    return " or ".join(str(n) for n in counts)


def others_of(kind: type[Game]) -> list[Context]:
    """Return the rows of the lobby that choose the other players; none in a game for two, which has one opponent. By
    default as many rows are filled as the game has seats."""
    if kind.seat_counts == (2,):
        return []
    usual = kind().seats
    rows = range(1, max(kind.seat_counts))
    return [{"n": n, "needed": n < min(kind.seat_counts), "filled": n < usual} for n in rows]


def asked_for(kind: type[Game], option: Option) -> bool:
    """Return whether the lobby's house rules show an option. Lists are left to the game's own part of the lobby, and
    the number of seats follows from the players."""
    counted = option.name == "seats" and len(kind.seat_counts) > 1
    return option.public and not counted and not isinstance(option.default, tuple)


def lobby_of(kind: type[Game]) -> Context:
    """Return a game's own part of the lobby, such as its `factions`. Games need none."""
    lobby: Context = dict(kind.lobby())
    if "factions" in lobby:
        lobby["factions"] = [{"text": faction.get("style", ""), **faction} for faction in lobby["factions"]]
    return lobby


def is_offered(option: Option) -> bool:
    """Return whether a page or a program may set an option: public ones, and lists with a value for each seat; never
    files."""
    return (option.public or isinstance(option.default, tuple)) and not option.file


def decks_of(kinds: dict[str, type[Game]]) -> dict[str, Decks]:
    """Return the decks of the games that have some, by name."""
    found = {name: kind().decks() for name, kind in kinds.items()}
    return {name: decks for name, decks in found.items() if decks is not None}


def shelf_url(game: str) -> str:
    """Return the address of the decks of a game."""
    return f"/games/{game}/decks"


def builder_url(game: str) -> str:
    """Return the address of the deck builder of a game."""
    return f"/games/{game}/decks/build"


def lobby_decks(kind: type[Game]) -> Context | None:
    """Return the preset decks, and the address of own ones; None for a game without decks."""
    decks = kind().decks()
    if decks is None:
        return None
    ready = [{"value": decks.word(deck), "label": deck.name} for deck in decks.ready()]
    return {"option": decks.option, "ready": ready, "lot": LOT, "url": shelf_url(kind.name)}


def list_printed(kind: type[Game]) -> dict[str, Context]:
    """Return all cards of a game by slug, as its data describes them."""
    return {str(card.get("slug") or card["name"]): dict(card) for card in kind().catalogue()}


def list_blazons(kinds: dict[str, type[Game]]) -> dict[str, tuple[str, str]]:
    """Return pattern and glyph of every faction of every game."""
    lobbies = [lobby_of(kind) for kind in kinds.values()]
    factions = [faction for lobby in lobbies for key in ("factions", "banners") for faction in lobby.get(key, [])]
    return {f["slug"]: (f.get("pattern") or "plain", f.get("glyph") or "gonfalon") for f in factions}


def lobby_option(option: Option) -> Context:
    """Return an option for a form."""
    default = option.default
    kind = "bool" if isinstance(default, bool) else "int" if isinstance(default, int) else "str"
    choices = [{"value": value, "label": label} for value, label in option.choices]
    return {
        "name": option.name,
        "label": option.label,
        "help": option.help,
        "choices": choices or None,
        "default": default,
        "type": "choice" if choices else kind,
        "least": option.least,
        "most": option.most,
    }
