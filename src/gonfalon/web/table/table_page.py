"""What can be looked at: table, invitation, guide, record."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

from anyio.to_thread import run_sync
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gonfalon.core.rules.state import Seat
from gonfalon.table import LinkHolder, Table
from gonfalon.table.errors import GoneBy, NoWay, OtherRules, Taken
from gonfalon.table.game.takebacks import MOST_ASKED
from gonfalon.table.links import WATCH, new_nonce
from gonfalon.web.http.compression import LASTS, kept_apart, lean
from gonfalon.web.shared import devices, preferences
from gonfalon.web.shared.context import (
    TAKEN,
    Nothing,
    address,
    at_table,
    base_url,
    counted_from_one,
    follow,
    old_table_at,
    scripted,
    services,
)
from gonfalon.web.shared.failures import explain
from gonfalon.web.shared.game_cards import showcase_of
from gonfalon.web.shared.learning_links import first_game
from gonfalon.web.shared.renderer import (
    FACE,
    guide_url,
    lobby_of,
    moment_context,
    package_version,
    page_context,
    title,
)
from gonfalon.web.table import tips, waiting_room

RULING: Final = re.compile(r"\*\*(\d+)\.(?:\\\*)?\*\*")
"""How a guide begins a ruling; pages link to it by its number."""


async def about(request: Request) -> Response:
    """Who made what, and where numbers and pictures come from."""
    return services(request).render.page("about.html", version=package_version())


async def show_help(request: Request) -> Response:
    """Return the help page: how undo, absence, clocks, resigning and rematches work."""
    return services(request).render.page("help.html", asks=MOST_ASKED)


async def lead_to_help(request: Request) -> Response:
    """Redirect the former address of the help page."""
    return RedirectResponse("/help", 308)


async def watch(request: Request) -> Response:
    """The bare key is the spectators' link."""
    key = request.path_params["key"]
    with suppress(OtherRules):  # there the way goes on to the replay
        await follow(request, key, WATCH)
    return RedirectResponse(address(key, WATCH), 303)


async def enter(request: Request) -> Response:
    """A table's link without the slash at its end."""
    key, token = request.path_params["key"], request.path_params["token"]
    return RedirectResponse(f"/t/{key}/{token}/", 307)


def mine_url(seat: devices.OwnSeat) -> str:
    """The address of a seat that the visitor's browser knows: it says nothing of key or token, for it stands on pages
    beside names that others chose (see `Packed`)."""
    return f"/mine/{hashlib.sha256(f'{seat.key} {seat.token}'.encode()).hexdigest()[:16]}"


async def own(request: Request) -> Response:
    """On to the visitor's own seat. Raises Nothing when this browser does not know it."""
    for seat in await devices.tables(request):
        if seat.token and mine_url(seat) == request.url.path:
            return RedirectResponse(address(seat.key, seat.token), 303)
    raise Nothing("This browser knows no seat of yours at this table; open it by your own link.")


async def table(request: Request) -> Response:
    """A table as the owner of the link may see it; the seat itself, for somebody invited."""
    try:
        at, who, token = await at_table(request, used=True)
    except NoWay:
        return await show_lost(request)
    except OtherRules:
        await old_table_at(request, request.path_params["token"])
        return RedirectResponse("replay", 303)
    if who.invited:
        return await show_seat(request, at, who)
    if not at.position.dealt:
        response = await show_waiting(request, at, token)
        if who.holds:
            await devices.remember(request, response, at, token)
        return response
    response = await show_table(request, at, token)
    if who.holds:
        await devices.remember(request, response, at, token)
    return response


async def moment(request: Request) -> Response:
    """What lay on the table at a moment between two decisions, `n`: the live part alone for our script, else a page;
    that of the table itself where the moment is not kept. Raises GoneBy."""
    at, who, token = await at_table(request)
    number = counted_from_one(request.query_params.get("n", ""))
    render = services(request).render
    if who.invited:
        raise NoWay("Sit down first; then you see the table.")
    if scripted(request):
        try:
            return HTMLResponse(render.moment(at, token, number))
        except GoneBy:  # a page that has fallen behind goes on to the next
            return Response(status_code=204)
    try:
        seen = moment_context(render, at, token, number)
    except GoneBy as error:
        show = show_table if at.position.dealt else show_waiting
        return await show(request, at, token, str(error), explain(error)[0])
    page = page_context(render, at, token, base_url(request))
    context = page | seen
    context |= {"menu": page["menu"], "own_url": None, "invite": None}
    return render.page("table.html", 200, **context)


async def show_table(
    request: Request, at: Table, token: str, refusal: str | None = None, status: int = 200
) -> Response:
    """The table's page; with the reason, when an action was refused."""
    server = services(request)
    await server.render.prepare(at)
    context = page_context(server.render, at, token, base_url(request), refusal)
    context["own_url"] = None if at.seats.who(token).holds else await own_link(request, at)
    context["tips"] = await tips.shown(request, at, token)
    response = server.render.page("table.html", status, **context)
    return kept_apart(response) if context["invite"] else response


async def show_waiting(
    request: Request, at: Table, token: str, error: str | None = None, status: int = 200
) -> Response:
    """The page of a table that waits to be dealt; with the reason, when what somebody brings was refused."""
    here = services(request)
    context = waiting_room.wait_context(here.render, at, token, base_url(request), error)
    context["own_url"] = None if at.seats.who(token).holds else await own_link(request, at)
    response = here.render.page("wait.html", status, **context)
    return kept_apart(response) if context["inviting"] else response


async def own_link(request: Request, at: Table, seats: Collection[Seat] | None = None) -> str | None:
    """The visitor's own seat at a table, or among these seats of it, if their browser remembers one."""
    for mine_at in await devices.tables(request):
        if mine_at.key == at.key:
            with suppress(NoWay):
                held = at.seats.who(mine_at.token).holds
                if held and (seats is None or not set(held).isdisjoint(seats)):
                    return mine_url(mine_at)
    return None


async def show_lost(request: Request) -> Response:
    """What to do for somebody whose link leads to no seat."""
    server = services(request)
    at = await server.tables.table(request.path_params["key"])
    context = {"table": {"title": title(at)}, "own_url": await own_link(request, at), "watch_url": f"../{WATCH}/"}
    return server.render.page("lost.html", 404, **context)


async def show_seat(
    request: Request, at: Table, who: LinkHolder, error: str | None = None, status: int = 200
) -> Response:
    """The page on which somebody invited sits down; their seat, if they have done so before. Raises Taken."""
    own = await own_link(request, at)
    if not who.seats:
        if own is not None:
            return RedirectResponse(own, 303)
        raise Taken(TAKEN)
    opener = at.gathering.opener()
    here = services(request)
    context = waiting_room.sides_context(at, who, "") | waiting_room.bring_context(here.render, at, who, error)
    response = here.render.page(
        "sit.html",
        status,
        **context,
        waits=at.gathering.waits,
        host=opener.name if opener is not None else "Somebody",
        sit_url="sit",
        player=preferences.read(request).name,
        # Sending the page twice takes one seat.
        nonce=new_nonce(),
        spectator_url=f"../{WATCH}/",
        guide_url=guide_url(at.game),
        first_game=await run_sync(first_game, here.kind(at.game.name)),
        own_url=own,
    )
    devices.mark_device(request, response)
    return kept_apart(response)


def show_again(request: Request, at: Table, wish: str) -> Response:
    """The page on which somebody sits down to the next game whose browser keeps no cookies."""
    response = services(request).render.page(
        "again.html", table={"title": title(at)}, rematch_url="rematch", table_url="./", nonce=new_nonce(), wish=wish
    )
    return kept_apart(response)


async def record(request: Request) -> Response:
    """The record of a finished game, as the file every command of the project reads."""
    try:
        at, _, _ = await at_table(request)
        text, game = (await at.moves.record()).dumps(), at.game.name
    except OtherRules:
        old_table, _ = await old_table_at(request, request.path_params["token"])
        text, game = old_table.record, old_table.row.game
    name = f"{game}-{request.path_params['key'][:6]}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=headers)


async def guide(request: Request) -> Response:
    """The rules of a game, in our own words."""
    kind = services(request).kind(request.path_params["game"])
    file = kind.folder / "guide.md"
    if not file.is_file():
        raise Nothing(f"{kind.title} has no guide yet.")
    unfolded = "all" in request.query_params
    heading, html = from_markdown(file.read_text("utf-8"), unfolded)
    rulings = lobby_of(kind).get("rulings", [])
    cards = services(request).render.cards_urls.get(kind.name)
    return services(request).render.page(
        "guide.html",
        title=heading or kind.title,
        html=html,
        rulings=rulings,
        cards_url=cards,
        unfolded=unfolded,
        first_game=await run_sync(first_game, kind),
        game=showcase_of(services(request).render, kind),
        invented=kind.invented,
    )


async def css(request: Request) -> Response:
    """How a game's table looks."""
    file = services(request).kind(request.path_params["game"]).folder / FACE / "table.css"
    if not file.is_file():
        raise Nothing("This game has no stylesheet.")
    return Response(lean(file), media_type="text/css", headers={"cache-control": LASTS})


async def card_file(request: Request) -> Response:
    """The card file of a game, as its guide links it; people lay out their own by it."""
    file = services(request).kind(request.path_params["game"]).folder / "cards.toml"
    if not file.is_file():
        raise Nothing("This game has no card file.")
    return Response(file.read_bytes(), media_type="text/plain")


def from_markdown(text: str, unfolded: bool = False) -> tuple[str, Markup]:
    """The first heading and the HTML of the rest, its chapters folded from the second on; headings get anchors, raw
    HTML stays text."""
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
    parser.add_render_rule("fence", fenced)

    def html(part: Sequence[Token]) -> str:
        return str(parser.renderer.render(part, parser.options, {}))

    first, *rest = chapters(tokens)
    return heading, Markup(html(first) + "".join(folded(html(one[:3]), html(one[3:]), unfolded) for one in rest))


def chapters(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """A guide in parts: what one needs to begin, up to the end of its first chapter, then chapter by chapter."""
    begins = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"][1:]
    return [tokens[a:b] for a, b in pairwise([0, *begins, len(tokens)])]


def folded(heading: str, text: str, unfolded: bool) -> str:
    """A chapter that opens for whoever wants it, follows a link into it, or finds something in it."""
    start = '<details class="chapter" open>' if unfolded else '<details class="chapter">'
    return f"{start}<summary>{heading}</summary>\n{text}</details>\n"


def fenced(_: RendererProtocol, tokens: Sequence[Token], at: int, *__: object) -> str:
    """A picture in letters, or an example of a file: where it is wider than the window, the keyboard scrolls it."""
    label = f"An example in {tokens[at].info.upper()}" if tokens[at].info else "A picture in letters"
    return str(Markup('<pre tabindex="0" role="group" aria-label="{}">{}</pre>\n').format(label, tokens[at].content))


def anchor(heading: str) -> str:
    """A heading's name in an address, as GitHub makes it, so that links hold in both places."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
