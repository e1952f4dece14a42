"""The application and all its routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.table import Tables
from gonfalon.web.api import endpoints
from gonfalon.web.history import replay, review_request
from gonfalon.web.history.review_jobs import ReviewJobs
from gonfalon.web.http.addresses import Whereabouts
from gonfalon.web.http.compression import Lasting, Packed
from gonfalon.web.http.metrics import Metrics
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.learning import lessons, library, puzzles
from gonfalon.web.lobby import card_browser, deck_builder, guide_page, lobby, open_table, play_on
from gonfalon.web.lobby import deck_shelf as shelf
from gonfalon.web.server import health, manual
from gonfalon.web.shared.context import Services
from gonfalon.web.shared.failures import failure
from gonfalon.web.shared.guard import Guard
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.static_files import STATIC
from gonfalon.web.table import fairness, gathering, live, moves, table_page
from gonfalon.web.table.live import TableFrames
from gonfalon.web.workshop import pages as workshop
from gonfalon.web.workshop.study_jobs import SECONDS, StudyJobs

SHELVES: Final = ("learn", "puzzles", "library", "workshop")
"""Addresses that people type from memory, without the final slash."""


def page(address: str, handler: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return a route for a page, which is compressed."""
    return Route(address, handler, middleware=[Middleware(Packed)])


async def slashed(request: Request) -> Response:
    """Redirect to the same address with a final slash."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{request.url.path}/{query}", 308)


def create_app(
    tables: Tables,
    kinds: dict[str, type[Game]] | None = None,
    limits: Limits | None = None,
    whereabouts: Whereabouts | None = None,
    metrics: Metrics | None = None,
    study_seconds: float = SECONDS,
) -> Starlette:
    """Return the web application over live tables.

    Args:
        tables: The live tables.
        kinds: The games; by default the installed ones.
        study_seconds: The CPU time that a study in the Workshop may take; 0 disables the Workshop.
    """
    if kinds is None:
        kinds = {name: games.kind(name) for name in games.names()}
    render = Renderer(kinds)
    limits, whereabouts, metrics = limits or Limits(), whereabouts or Whereabouts(), metrics or Metrics()
    metrics.follow(tables)
    review_jobs, study_jobs = ReviewJobs(tables), StudyJobs(tables, metrics, study_seconds, limits.factor)
    render.templates.share("workshop", study_seconds > 0)
    render.templates.share("docs", manual.folder() is not None)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with tables.open():
            tables.spawn(review_jobs.run)
            tables.spawn(study_jobs.run)
            try:
                yield
            finally:
                review_jobs.close()
                study_jobs.close()

    app = Starlette(
        routes=[
            page("/", lobby.lobby),
            Route("/name", lobby.call_me, methods=["POST"]),
            page("/about", guide_page.about),
            page("/help", guide_page.show_help),
            Route("/manners", guide_page.lead_to_help),
            page("/games/{game}/new", lobby.new),
            page("/games/{game}/decks", shelf.show),
            Route("/games/{game}/decks", shelf.paste, methods=["POST"]),
            Route("/games/{game}/decks/boxes", shelf.boxes, methods=["POST"]),
            Route("/games/{game}/decks/choices", shelf.choices, methods=["POST"]),
            page("/games/{game}/decks/build", deck_builder.show),
            Route("/games/{game}/decks/build", deck_builder.change, methods=["POST"]),
            Route("/games/{game}/decks/build/play", deck_builder.play, methods=["POST"]),
            Route("/games/{game}/decks/build/file", deck_builder.file),
            page("/games/{game}/cards", card_browser.show),
            page("/games/{game}/guide", guide_page.guide),
            page("/games/{game}/cards.toml", guide_page.card_file),
            page("/games/{game}/table.css", guide_page.css),
            page("/learn/", lessons.show_games),
            page("/learn/{game}/", lessons.show_all),
            page("/learn/{game}/{name}/", lessons.show),
            Route("/learn/{game}/{name}/", lessons.act, methods=["POST"]),
            page("/puzzles/", puzzles.show_today),
            page("/puzzles/{game}/", puzzles.show_all),
            page("/puzzles/{game}/{number}/", puzzles.show),
            Route("/puzzles/{game}/{number}/", puzzles.act, methods=["POST"]),
            page("/library/", library.show_games),
            page("/library/{game}/", library.show_all),
            Route("/library/{game}/{name}/", library.begin),
            page("/library/{game}/{name}/replay", library.show),
            page("/library/{game}/{name}/play-on", play_on.show_annotated),
            Route("/library/{game}/{name}/play-on", play_on.create_annotated, methods=["POST"]),
            Route("/library/{game}/{name}/record.json", library.record),
            *(Route(f"/{shelf}{more}", slashed) for shelf in SHELVES for more in ("", "/{game}", "/{game}/{name}")),
            page("/workshop/", workshop.show_games),
            page("/workshop/{game}/", workshop.show_bench),
            Route("/workshop/{game}/", workshop.start, methods=["POST"]),
            page("/workshop/{game}/{study}/", workshop.show_study),
            Route("/workshop/{game}/{study}/stop", workshop.stop, methods=["POST"]),
            Route("/workshop/{game}/{study}/{file}", workshop.file),
            Route("/mine/{table}", table_page.own),
            Route("/tables", open_table.create, methods=["POST"]),
            # A table's link says who one is: the token of a seat, of an invitation, or `watch`.
            Route("/t/{key}", table_page.watch),
            Route("/t/{key}/", table_page.watch),
            Route("/t/{key}/{token}", table_page.enter),
            page("/t/{key}/{token}/", table_page.table),
            Route("/t/{key}/{token}/record.json", table_page.record),
            page("/t/{key}/{token}/moment", table_page.moment),
            page("/t/{key}/{token}/replay", replay.show),
            page("/t/{key}/{token}/play-on", play_on.show),
            Route("/t/{key}/{token}/play-on", play_on.create, methods=["POST"]),
            page("/t/{key}/{token}/review", review_request.show),
            Route("/t/{key}/{token}/review", review_request.ask, methods=["POST"]),
            Route("/t/{key}/{token}/sit", gathering.sit, methods=["POST"]),
            Route("/t/{key}/{token}/ready", gathering.ready, methods=["POST"]),
            Route("/t/{key}/{token}/share", fairness.share, methods=["POST"]),
            page("/t/{key}/{token}/fair", fairness.fair),
            Route("/t/{key}/{token}/leave", gathering.leave, methods=["POST"]),
            Route("/t/{key}/{token}/act", moves.act, methods=["POST"]),
            Route("/t/{key}/{token}/take-back", moves.take_back, methods=["POST"]),
            Route("/t/{key}/{token}/hint", moves.hint, methods=["POST"]),
            Route("/t/{key}/{token}/tips", moves.tip, methods=["POST"]),
            Route("/t/{key}/{token}/concede", moves.concede, methods=["POST"]),
            Route("/t/{key}/{token}/return", moves.come_back, methods=["POST"]),
            Route("/t/{key}/{token}/screen", moves.screen, methods=["POST"]),
            Route("/t/{key}/{token}/answers", moves.answers, methods=["POST"]),
            Route("/t/{key}/{token}/emotes", moves.say, methods=["POST"]),
            Route("/t/{key}/{token}/seats/{seat}/bot", moves.give_to_bot, methods=["POST"]),
            Route("/t/{key}/{token}/seats/{seat}/win", moves.claim_win, methods=["POST"]),
            Route("/t/{key}/{token}/rematch", gathering.rematch, methods=["POST"]),
            Route("/t/{key}/{token}/next", gathering.following),
            WebSocketRoute("/t/{key}/{token}/live", live.live),
            # The same for programs; the token comes as `Authorization: Bearer`.
            page("/openapi.json", endpoints.openapi),
            Route("/api/games", endpoints.games),
            Route("/api/tables", endpoints.tables, methods=["GET", "POST"]),
            Route("/api/tables/{key}", endpoints.view),
            Route("/api/tables/{key}/moments/{number}", endpoints.moment),
            Route("/api/tables/{key}/words", endpoints.words),
            Route("/api/tables/{key}/company", endpoints.company),
            Route("/api/tables/{key}/emotes", endpoints.say, methods=["POST"]),
            Route("/api/tables/{key}/seats", endpoints.sit, methods=["POST"]),
            Route("/api/tables/{key}/seats/{seat}", endpoints.seat, methods=["POST"]),
            Route("/api/tables/{key}/ready", endpoints.ready, methods=["POST"]),
            Route("/api/tables/{key}/share", endpoints.share, methods=["POST"]),
            Route("/api/tables/{key}/leave", endpoints.leave, methods=["POST"]),
            Route("/api/tables/{key}/play-on", endpoints.play_on, methods=["POST"]),
            Route("/api/tables/{key}/rematch", endpoints.rematch, methods=["POST"]),
            Route("/api/tables/{key}/rematch/refusal", endpoints.refuse, methods=["POST"]),
            Route("/api/tables/{key}/answers", endpoints.answers, methods=["POST"]),
            Route("/api/tables/{key}/actions", endpoints.act, methods=["POST"]),
            Route("/api/tables/{key}/take-back", endpoints.take_back, methods=["POST"]),
            Route("/api/tables/{key}/hint", endpoints.hint, methods=["POST"]),
            Route("/api/tables/{key}/thoughts", endpoints.thoughts),
            Route("/api/tables/{key}/resignation", endpoints.resign, methods=["POST"]),
            Route("/api/tables/{key}/stream", endpoints.stream),
            Route("/api/tables/{key}/record", endpoints.record),
            Route("/healthz", health.alive),
            Route("/readyz", health.ready),
            *manual.routes(),
            Mount(render.static_root, Lasting(STATIC, render.joined)),
        ],
        middleware=[Middleware(Guard, fail=failure, limits=limits, whereabouts=whereabouts, metrics=metrics)],
        exception_handlers={GonfalonError: failure, HTTPException: failure},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.services = Services(tables, kinds, render, limits, whereabouts, metrics)
    app.state.table_frames = TableFrames(render)
    app.state.review_jobs = review_jobs
    app.state.study_jobs = study_jobs
    return app
