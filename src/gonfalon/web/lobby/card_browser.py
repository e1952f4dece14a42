"""The card browser: all cards of a game, filtered by a plain form.

It shows the game's printed data, equal for all visitors and games. No table is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.web import messages
from gonfalon.web.http.errors import Nothing
from gonfalon.web.lobby.guide_page import RULING
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.game_info import cards_url, guide_url, list_printed, lobby_of, shelf_url, workshop_url
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.own_cards import Fact, format_label, list_facts

LONGEST: Final = 60


@dataclass(frozen=True)
class Entry:
    """A card for the browser."""

    slug: str
    name: str
    kind: str
    """`Character`, `Goal`: the kind for filters; empty in a game without kinds of cards."""
    more: str
    """Further words, such as `Tactics, fire`."""
    faction: str
    faction_name: str
    colour: str
    facts: tuple[Fact, ...]
    """The printed figures and single words."""
    text: str
    story: str
    sources: tuple[tuple[str, str], ...]
    """The sources of name and text."""
    rulings: tuple[int, ...]
    face: Context
    """The card itself, for its picture."""


@dataclass(frozen=True)
class Filter:
    """The filters for a game's cards."""

    faction: str = ""
    kind: str = ""
    query: str = ""

    def shows(self, card: Entry) -> bool:
        words = " ".join((card.name, card.kind, card.more, card.faction_name, card.text, card.story)).lower()
        return (
            self.faction in ("", card.faction)
            and self.kind in ("", card.kind)
            and all(word in words for word in self.query.lower().split())
        )


async def show_cards(request: Request) -> Response:
    """Show the cards of a game that pass the filters."""
    server = services_of(request)
    kind = server.kind(request.path_params["game"])
    cards = cards_of(kind)
    if not cards:
        raise Nothing(messages.NO_CARDS.format(game=kind.title))
    wanted = read_filter(request.query_params)
    shown = [card for card in cards if wanted.shows(card)]
    by_kind = any(card.kind for card in cards)
    groups: dict[str, list[Entry]] = {}
    for card in shown:
        groups.setdefault(card.kind if by_kind else card.faction_name or "Cards", []).append(card)
    return server.render.page(
        "cards.html",
        art=server.render.own(kind, "art.html", "_plain_art.html"),
        game={"name": kind.name, "title": kind.title, "guide_url": guide_url(kind)},
        url=cards_url(kind.name),
        decks_url=shelf_url(kind.name) if kind.has_decks() else None,
        own_url=f"/games/{kind.name}/new?set=own" if data_option(kind) else None,
        workshop_url=workshop_url(kind),
        wanted=wanted,
        groups=list(groups.items()),
        shown=len(shown),
        total=len(cards),
        factions=list({card.faction: card.faction_name for card in cards if card.faction}.items()),
        kinds=[kind for kind in dict.fromkeys(card.kind for card in cards) if kind],
        rulings=rulings_of(kind),
        sourced=any(source for card in cards for _, _, source in card.facts),
        invented=kind.invented,
    )


def read_filter(fields: Mapping[str, str]) -> Filter:
    """Return the filters of an address; words that are too long are cut."""
    faction, kind, query = (fields.get(key, "").strip()[:LONGEST] for key in ("faction", "kind", "q"))
    return Filter(faction, kind, query)


def cards_of(kind: type[Game]) -> tuple[Entry, ...]:
    """Return all cards of a game."""
    return tuple(build_entry(slug, card) for slug, card in list_printed(kind).items())


def build_entry(slug: str, card: Context) -> Entry:
    """Return a card from the data of its game (see `Game.card`)."""
    origin = card.get("provenance") or {}
    kind = str(card.get("type") or card.get("kind") or "")
    return Entry(
        slug,
        str(card["name"]),
        format_label(kind),
        ", ".join(card.get("subtypes") or ()),
        str(card.get("faction") or ""),
        str(card.get("faction_name") or card.get("faction") or ""),
        str(card.get("colour") or "grey"),
        list_facts(card),
        str(card.get("text") or ""),
        str(card.get("story") or ""),
        tuple((key, origin[key]) for key in ("name", "text") if key in origin),
        tuple(card.get("rulings") or ()),
        card,
    )


def rulings_of(kind: type[Game]) -> dict[int, Markup]:
    """Return the rulings of a game by number, from its lobby or its guide."""
    listed = lobby_of(kind).get("rulings", [])
    # `Markup.format` escapes the texts that it inserts.
    found = {one["n"]: Markup("<em>{}</em> {}").format(one["question"], one["answer"]) for one in listed}
    return {**found, **find_numbered(kind.folder / "guide.md")}


@cache
def find_numbered(guide: Path) -> dict[int, Markup]:
    """Return the numbered paragraphs of a guide."""
    if not guide.is_file():
        return {}
    parser = MarkdownIt("commonmark", {"html": False})
    found = {}
    for token in parser.parse(guide.read_text("utf-8")):
        number = RULING.match(token.content) if token.type == "inline" else None
        if number:
            found[int(number[1])] = Markup(parser.renderInline(token.content[number.end() :].strip()))
    return found
