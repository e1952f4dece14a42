"""Pages of explanation: guides, Help, About."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from anyio.to_thread import run_sync
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.arrays.guide_text import guide_text
from gonfalon.table.game.takebacks import MOST_ASKED
from gonfalon.web import messages
from gonfalon.web.http.compression import LASTS, read_minified
from gonfalon.web.http.errors import Nothing
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.game_cards import showcase_of
from gonfalon.web.shared.game_info import first_game, list_printed, lobby_of, read_card_files
from gonfalon.web.shared.static_files import list_credits, package_version
from gonfalon.web.shared.template_context import FACE

RULING: Final = re.compile(r"\*\*(\d+)\.(?:\\\*)?\*\*")
"""The beginning of a ruling in a guide. Pages link to rulings by number."""
GALLERY: Final = 7
"""The number of cards pictured at the head of a guide."""


async def show_about(request: Request) -> Response:
    """Show the authors, and the sources of numbers and pictures."""
    return services_of(request).render.page("about.html", version=package_version(), credits=list_credits())


async def show_help(request: Request) -> Response:
    """Return the help page: how undo, absence, clocks, resigning and rematches work."""
    return services_of(request).render.page("help.html", asks=MOST_ASKED)


async def show_guide(request: Request) -> Response:
    """Show the rules of a game in our own words."""
    kind = services_of(request).kind(request.path_params["game"])
    if not (kind.folder / "guide.md").is_file():
        raise Nothing(messages.NO_GUIDE.format(game=kind.title))
    unfolded = "all" in request.query_params
    heading, html = render_markdown(guide_text(kind), unfolded)
    rulings = lobby_of(kind).get("rulings", [])
    render = services_of(request).render
    cards = render.cards_urls.get(kind.name)
    printed = list(list_printed(kind).values()) if cards else []
    return render.page(
        "guide.html",
        art=render.own(kind, "art.html", "_plain_art.html"),
        # From all parts of the list, which is sorted by faction or kind.
        gallery=printed[:: max(1, len(printed) // GALLERY)][:GALLERY],
        title=heading or kind.title,
        html=html,
        rulings=rulings,
        cards_url=cards,
        unfolded=unfolded,
        first_game=await run_sync(first_game, kind),
        game=showcase_of(render, kind),
        invented=kind.invented,
    )


async def show_stylesheet(request: Request) -> Response:
    """Return the stylesheet of a game's table."""
    file = services_of(request).kind(request.path_params["game"]).folder / FACE / "table.css"
    if not file.is_file():
        raise Nothing(messages.NO_STYLESHEET)
    return Response(read_minified(file), media_type="text/css", headers={"cache-control": LASTS})


async def show_card_file(request: Request) -> Response:
    """Return the card file of a game, which its guide links as a model for own cards."""
    text = read_card_files(services_of(request).kind(request.path_params["game"]))
    if not text:
        raise Nothing(messages.NO_CARD_FILE)
    return Response(text, media_type="text/plain")


def render_markdown(text: str, unfolded: bool = False) -> tuple[str, Markup]:
    """Return the first heading, and the HTML of the rest with its chapters folded from the second on. Headings get
    anchors; raw HTML stays text."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    heading = ""
    if tokens and tokens[0].tag == "h1":
        heading = tokens[1].content
        # A heading consists of three tokens: opening, text and closing.
        tokens = tokens[3:]
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", make_anchor(inline.content))
        elif opening.type == "paragraph_open" and (numbered := RULING.match(inline.content)):
            opening.attrSet("id", f"ruling-{numbered[1]}")
    parser.add_render_rule("fence", render_fence)

    def html(part: Sequence[Token]) -> str:
        return str(parser.renderer.render(part, parser.options, {}))

    first, *rest = split_chapters(tokens)
    return heading, Markup(html(first) + "".join(fold_chapter(html(one[:3]), html(one[3:]), unfolded) for one in rest))


def split_chapters(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """Return a guide in parts: first everything before its second chapter, then each further chapter."""
    begins = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"][1:]
    return [tokens[a:b] for a, b in pairwise([0, *begins, len(tokens)])]


def fold_chapter(heading: str, text: str, unfolded: bool) -> str:
    """Return a chapter that opens by a click, by a link into it, or by a search."""
    start = '<details class="chapter" open>' if unfolded else '<details class="chapter">'
    return f"{start}<summary>{heading}</summary>\n{text}</details>\n"


def render_fence(_: RendererProtocol, tokens: Sequence[Token], at: int, *__: object) -> str:
    """Return a text picture or an example file. It can be scrolled with the keyboard if it is wider than the window."""
    label = f"An example in {tokens[at].info.upper()}" if tokens[at].info else "A picture in letters"
    return str(Markup('<pre tabindex="0" role="group" aria-label="{}">{}</pre>\n').format(label, tokens[at].content))


def make_anchor(heading: str) -> str:
    """Return the anchor of a heading as GitHub makes it, so that links work in both places."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
