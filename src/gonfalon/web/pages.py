"""What can be looked at: lobby, table, invitation, guide, record."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

from gonfalon.core.errors import GonfalonError
from gonfalon.table import NoWay, Table, Taken, Who
from gonfalon.table.who import WATCH, WATCHER
from gonfalon.web import mine
from gonfalon.web.render import base_url, guide_url, lobby_of, package_version, page_context, title
from gonfalon.web.site import Nothing, Site, at_table, path, site

RULING: Final = re.compile(r"\*\*(\d+)\.(?:\\\*)?\*\*")
"""How a guide begins a ruling; pages link to it by its number."""


async def lobby(request: Request) -> Response:
    """The games, and the visitor's own tables."""
    return await show_lobby(request)


async def show_lobby(
    request: Request, error: str | None = None, form: dict[str, str] | None = None, status: int = 200
) -> Response:
    """The lobby; with what was posted and the reason, when that was refused."""
    here = site(request)
    tables = [row for key, token in mine.tables(request) if (row := await lobby_table(here, key, token))]
    return here.render.page("lobby.html", status, games=here.render.games, tables=tables, error=error, form=form)


async def lobby_table(here: Site, key: str, token: str) -> dict[str, Any] | None:
    """A line of the visitor's own tables; None for one that is no more."""
    try:
        table = await here.hall.table(key)
        who = table.who(token)
    except GonfalonError:
        return None
    if who.shares:
        # The lobby is no place behind a curtain.
        who = WATCHER
    shown = table.shown(who.viewer)
    now = "Your turn" if shown["decision"] else shown["prompt"]
    return {
        "url": path(table, token),
        "title": title(table),
        "round": None if shown["over"] else shown["board"].get("round"),
        "seats_text": shown["over"]["text"] if shown["over"] else now,
    }


async def about(request: Request) -> Response:
    """Who made what, and where numbers and pictures come from."""
    return site(request).render.page("about.html", version=package_version())


async def watch(request: Request) -> Response:
    """The bare key is the spectators' link."""
    table = await site(request).hall.table(request.path_params["key"])
    return RedirectResponse(path(table, WATCH), 303)


async def table(request: Request) -> Response:
    """A table as the owner of the link may see it; the seat itself, for somebody invited."""
    try:
        at, who, token = await at_table(request)
    except NoWay:
        return await show_lost(request)
    if who.invited:
        return show_seat(request, at, who, token)
    response = show_table(request, at, token)
    if who.holds:
        mine.remember(request, response, at.key, token)
    return response


def show_table(request: Request, at: Table, token: str, refusal: str | None = None, status: int = 200) -> Response:
    """The table's page; with the reason, when an action was refused."""
    here = site(request)
    context = page_context(here.render, at, token, base_url(request), refusal)
    context["own_url"] = None if at.who(token).holds else own_link(request, at)
    return here.render.page("table.html", status, **context)


def own_link(request: Request, at: Table) -> str | None:
    """The visitor's own seat at a table, if his browser remembers one."""
    for key, token in mine.tables(request):
        if key == at.key:
            with suppress(NoWay):
                if at.who(token).holds:
                    return path(at, token)
    return None


async def show_lost(request: Request) -> Response:
    """What to do for somebody whose link leads to no seat."""
    here = site(request)
    at = await here.hall.table(request.path_params["key"])
    context = {"table": {"title": title(at)}, "own_url": own_link(request, at), "watch_url": path(at, WATCH)}
    return here.render.page("lost.html", 404, **context)


def show_seat(request: Request, at: Table, who: Who, token: str) -> Response:
    """The page on which somebody invited sits down; his seat, if he has done so before. Raises Taken."""
    own = own_link(request, at)
    if not who.seats:
        if own is not None:
            return RedirectResponse(own, 303)
        raise Taken(
            "This seat has been taken already; with the table's watching link you can still look on. If it was you, "
            "come back by your own link: the table's menu shows it on the device you sat down at."
        )
    seat = who.seats[0]
    host = next((row.name for row in at.row.seats if row.token is not None), "Somebody")
    return site(request).render.page(
        "sit.html",
        table={"title": title(at), "game_title": at.game.title},
        host=host,
        seat=side(at, seat),
        others=[side(at, row.seat) | {"name": row.name} for row in at.row.seats if row.seat != seat],
        # The nonce makes sending the page twice take one seat.
        sit_url=path(at, token, "sit") + f"?nonce={secrets.token_urlsafe(9)}",
        watch_url=path(at, WATCH),
        guide_url=guide_url(at.game.name),
        own_url=own,
        error=None,
    )


def side(at: Table, seat: int) -> dict[str, str]:
    """How a seat's side looks, as far as the game's board tells everybody."""
    name = at.game.seat_names()[seat]
    found = {"faction": "", "faction_name": name, "colour": "", "text": ""}
    seats = at.shown(-2)["board"].get("seats", [])
    if seat < len(seats):
        found |= {key: seats[seat][key] for key in ("faction", "faction_name", "colour") if key in seats[seat]}
    for faction in lobby_of(type(at.game)).get("factions", []):
        if faction["slug"] == found["faction"]:
            found["text"] = faction["text"]
    return found


async def record(request: Request) -> Response:
    """The record of a finished game, as the file every command of the project reads."""
    at, _, _ = await at_table(request)
    text = (await at.record()).dumps()
    name = f"{at.game.name}-{at.key[:6]}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=headers)


async def guide(request: Request) -> Response:
    """The rules of a game, in our own words."""
    kind = site(request).kind(request.path_params["game"])
    file = kind.folder / "guide.md"
    if not file.is_file():
        raise Nothing(f"{kind.title} has no guide yet.")
    heading, html = from_markdown(file.read_text("utf-8"))
    rulings = lobby_of(kind).get("rulings", [])
    cards = site(request).render.cards_urls.get(kind.name)
    return site(request).render.page(
        "guide.html", title=heading or kind.title, html=html, rulings=rulings, cards_url=cards
    )


async def css(request: Request) -> Response:
    """How a game's table looks."""
    file = site(request).kind(request.path_params["game"]).folder / "table.css"
    if not file.is_file():
        raise Nothing("This game has no stylesheet.")
    return FileResponse(file, media_type="text/css", headers={"cache-control": "public, max-age=31536000, immutable"})


async def health(_: Request) -> Response:
    """Whether the server answers."""
    return PlainTextResponse("ok")


def from_markdown(text: str) -> tuple[str, Markup]:
    """The first heading and the HTML of the rest; headings get anchors, raw HTML stays text."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    heading = ""
    if tokens and tokens[0].tag == "h1":
        heading = tokens[1].content
        tokens = tokens[3:]
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", anchor(inline.content))
        elif opening.type == "paragraph_open" and (numbered := RULING.match(inline.content)):
            opening.attrSet("id", f"ruling-{numbered[1]}")
    return heading, Markup(parser.renderer.render(tokens, parser.options, {}))


def anchor(heading: str) -> str:
    """A heading's name in an address, as GitHub makes it, so that links hold in both places."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
