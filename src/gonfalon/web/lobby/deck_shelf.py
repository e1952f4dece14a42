"""The page of a game's decks: the visitor's own, and the preset or pasted ones from which a new one starts.

The browser stores the visitor's own decks and sends their codes for display. The server stores none.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gonfalon.core.basics.decks import Deck, DeckCard, DeckError, Decks, clean_deck_name
from gonfalon.core.rules.game import Game
from gonfalon.table.seats.seat_choices import LOT
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.http.forms import read_file, read_form, read_text
from gonfalon.web.lobby.lobby import choose_level
from gonfalon.web.shared import preferences
from gonfalon.web.shared.context import base_url, services_of
from gonfalon.web.shared.deck_links import describe_faults
from gonfalon.web.shared.game_info import builder_url, cards_url, guide_url, shelf_url
from gonfalon.web.shared.template_context import Context

MOST: Final = 60
"""The maximum number of decks in one request."""
LONGEST_FIELD: Final = 20


def find_decks(request: Request) -> tuple[type[Game], Decks]:
    """Return the game of the address, and its decks. Raises Nothing."""
    server = services_of(request)
    kind = server.kind(request.path_params["game"])
    decks = server.render.decks.get(kind.name)
    if decks is None:
        raise Nothing(messages.NO_DECKS.format(game=kind.title))
    return kind, decks


async def show_shelf(request: Request) -> Response:
    """Show the page of decks. A link to a deck redirects to the builder."""
    kind, _ = find_decks(request)
    if "d" in request.query_params:
        return RedirectResponse(f"{builder_url(kind.name)}?{request.url.query}", 303)
    return render_shelf(request)


async def paste_deck(request: Request) -> Response:
    """Show a pasted deck as a box, or the reason why the text is not a deck."""
    _, decks = find_decks(request)
    form = await read_form(request, files=1)
    pasted = ""
    try:
        pasted = await read_file(form, "file") or read_text(form, "text")
        deck = decks.read(pasted)
    except (DeckError, Malformed) as error:
        return render_shelf(request, 400, pasted, list_faults(error))
    return render_shelf(request, pasted=pasted, found=deck)


async def show_boxes(request: Request) -> Response:
    """Return the decks of a browser as boxes."""
    kind, _ = find_decks(request)
    found = kept_boxes(request, await read_form(request))
    return services_of(request).render.page("_deck_boxes.html", boxes=found, game={"name": kind.name})


async def show_choices(request: Request) -> Response:
    """Return the decks of a browser to choose from: as a row for the waiting room, or as options if no `field` is
    named."""
    kind, _ = find_decks(request)
    form = await read_form(request)
    field = read_text(form, "field")
    # Sorting is stable, so legal decks come first, each in the order of the browser.
    found = sorted(kept_boxes(request, form), key=lambda box: bool(box["broken"] or box["faults"]))
    return services_of(request).render.page(
        "_shelved.html", boxes=found, field=field[:LONGEST_FIELD], shelf_url=shelf_url(kind.name)
    )


def kept_boxes(request: Request, form: FormData) -> list[Context]:
    """Return the boxes of a browser's decks, in its order. It sends `id`, code (`d`) and `name` of each deck."""
    kind, decks = find_decks(request)
    sent = [[value for value in form.getlist(key) if isinstance(value, str)] for key in ("id", "d", "name")]
    found = []
    # The posted lists may differ in length; the excess is ignored.
    for id, code, name in list(zip(*sent, strict=False))[:MOST]:
        try:
            deck = decks.decode(code) if code else Deck("", {})
            found.append(build_box(request, kind, decks, Deck(clean_deck_name(name), deck.counts), id))
        except DeckError as error:
            found.append({"broken": str(error), "faults": [], "name": clean_deck_name(name), "id": id})
    return found


def list_faults(error: DeckError | Malformed) -> str:
    """Return the faults of a text, one a line."""
    return "\n".join(getattr(error, "faults", ())) or str(error)


def render_shelf(
    request: Request, status: int = 200, pasted: str = "", error: str | None = None, found: Deck | None = None
) -> Response:
    """Return the page of decks."""
    kind, decks = find_decks(request)
    return services_of(request).render.page(
        "shelf.html",
        status,
        game={"name": kind.name, "title": kind.title, "guide_url": guide_url(kind), "cards_url": cards_url(kind.name)},
        url=shelf_url(kind.name),
        new_url=builder_url(kind.name),
        ready=[build_box(request, kind, decks, deck) for deck in decks.ready()],
        pasted=pasted,
        error=error,
        found=None if found is None else build_box(request, kind, decks, found),
        invented=kind.invented,
    )


# ---- a deck's box -------------------------------------------------------------------------------------------------


def build_box(request: Request, kind: type[Game], decks: Decks, deck: Deck, id: str = "") -> Context:
    """Return the context of a deck's box; `id` is the id under which the browser keeps it."""
    liked = preferences.read_preferences(request)
    game = next(game for game in services_of(request).render.games if game["name"] == kind.name)
    link = decks.link(deck)
    arms, faults = arms_of(decks, deck), decks.check(deck)
    return {
        "broken": None,
        "id": id,
        "name": deck.name or " and ".join(one.faction_name for one in arms) or messages.UNNAMED_DECK,
        "named": deck.name,
        "style": deck.style,
        "code": decks.code(deck) if deck.counts else "",
        "arms": arms,
        "facts": facts_of(decks, deck),
        "size": decks.figures(deck).size,
        "columns": build_columns(decks.figures(deck).curve),
        "faults": faults,
        "fault": describe_faults(faults) if faults else None,
        "edit_url": builder_url(kind.name) + link + (f"&kept={id}" if id and len(link) > 1 else ""),
        "file_url": builder_url(kind.name) + "/file" + link,
        "word": deck.slug or link,
        "link": base_url(request) + builder_url(kind.name) + link,
        "play": {
            "game": kind.name,
            "name": liked.name,
            f"{decks.option}.0": deck.slug or link,
            f"{decks.option}.1": LOT,
            "opponent": choose_level(game, liked),
        },
    }


def arms_of(decks: Decks, deck: Deck) -> list[DeckCard]:
    """Return one card for each of the two factions with the most cards in a deck. Cards without a faction come last."""
    of: Counter[str] = Counter()
    one: dict[str, DeckCard] = {}
    for card in decks.cards():
        if count := deck.counts.get(card.id, 0):
            of[card.faction] += count
            one.setdefault(card.faction, card)
    plain = [faction for faction, card in one.items() if card.pattern == "plain"]
    most = [faction for faction, _ in of.most_common() if faction not in plain]
    return [one[faction] for faction in (most or plain)[:2]]


def facts_of(decks: Decks, deck: Deck) -> list[tuple[str, str]]:
    """Return the figures of a deck, without its factions, whose banners are shown."""
    names = {card.faction_name for card in decks.cards()}
    facts = decks.figures(deck).facts
    return [(label, value) for label, value in facts if not set(value.split(", ")) <= names]


def build_columns(curve: list[tuple[str, int]]) -> list[tuple[int, int, int]]:
    """Return left edge, upper edge and height of the bars of a small picture, 16 units apart and at most 40 high."""
    most = max((count for _, count in curve), default=0) or 1
    heights = [max(2, round(40 * count / most)) for _, count in curve]
    return [(16 * n, 40 - height, height) for n, height in enumerate(heights)]
