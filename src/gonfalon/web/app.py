"""The routes, all of them."""

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
from gonfalon.web import (
    api,
    cards,
    decks,
    fairness,
    gathering,
    health,
    lessons,
    library,
    lobby,
    manual,
    moves,
    open_table,
    pages,
    play_on,
    push,
    puzzles,
    replay,
    reviewed,
    shelf,
    workshop,
)
from gonfalon.web.compression import Lasting, Packed
from gonfalon.web.context import Services
from gonfalon.web.failures import failure
from gonfalon.web.guard import Guard
from gonfalon.web.limits import Limits
from gonfalon.web.metrics import Metrics
from gonfalon.web.render import STATIC, Renderer
from gonfalon.web.reviewing import Reviewing
from gonfalon.web.studying import SECONDS, Studying
from gonfalon.web.whereabouts import Whereabouts

SHELVES: Final = ("learn", "puzzles", "library")
"""What people name by heart, without the slash at the end."""


def page(address: str, handler: Callable[[Request], Awaitable[Response]]) -> Route:
    """What people look at: packed on the way."""
    return Route(address, handler, middleware=[Middleware(Packed)])


async def slashed(request: Request) -> Response:
    """On to the same address with the slash that it lacks."""
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
    """The web application over live tables; `kinds` are the installed games if not given. `study_seconds` is how much
    CPU time a study in the Workshop may take; 0: there is no Workshop."""
    if kinds is None:
        kinds = {name: games.kind(name) for name in games.names()}
    render = Renderer(kinds)
    limits, whereabouts, metrics = limits or Limits(), whereabouts or Whereabouts(), metrics or Metrics()
    metrics.follow(tables)
    reviewing, studying = Reviewing(tables), Studying(tables, metrics, study_seconds, limits.factor)
    render.templates.share("workshop", study_seconds > 0)
    render.templates.share("docs", manual.folder() is not None)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with tables.open():
            tables.spawn(reviewing.run)
            tables.spawn(studying.run)
            try:
                yield
            finally:
                reviewing.close()
                studying.close()

    app = Starlette(
        routes=[
            page("/", lobby.lobby),
            Route("/name", lobby.call_me, methods=["POST"]),
            page("/about", pages.about),
            page("/help", pages.show_help),
            Route("/manners", pages.lead_to_help),
            page("/games/{game}/new", lobby.new),
            page("/games/{game}/decks", shelf.show),
            Route("/games/{game}/decks", shelf.paste, methods=["POST"]),
            Route("/games/{game}/decks/boxes", shelf.boxes, methods=["POST"]),
            Route("/games/{game}/decks/choices", shelf.choices, methods=["POST"]),
            page("/games/{game}/decks/build", decks.show),
            Route("/games/{game}/decks/build", decks.change, methods=["POST"]),
            Route("/games/{game}/decks/build/play", decks.play, methods=["POST"]),
            Route("/games/{game}/decks/build/file", decks.file),
            page("/games/{game}/cards", cards.show),
            page("/games/{game}/guide", pages.guide),
            page("/games/{game}/cards.toml", pages.card_file),
            page("/games/{game}/table.css", pages.css),
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
            Route("/mine/{table}", pages.own),
            Route("/tables", open_table.create, methods=["POST"]),
            # A table's link says who one is: the token of a seat, of an invitation, or `watch`.
            Route("/t/{key}", pages.watch),
            Route("/t/{key}/", pages.watch),
            Route("/t/{key}/{token}", pages.enter),
            page("/t/{key}/{token}/", pages.table),
            Route("/t/{key}/{token}/record.json", pages.record),
            page("/t/{key}/{token}/moment", pages.moment),
            page("/t/{key}/{token}/replay", replay.show),
            page("/t/{key}/{token}/play-on", play_on.show),
            Route("/t/{key}/{token}/play-on", play_on.create, methods=["POST"]),
            page("/t/{key}/{token}/review", reviewed.show),
            Route("/t/{key}/{token}/review", reviewed.ask, methods=["POST"]),
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
            WebSocketRoute("/t/{key}/{token}/live", push.live),
            # The same for programs; the token comes as `Authorization: Bearer`.
            page("/openapi.json", api.openapi),
            Route("/api/games", api.games),
            Route("/api/tables", api.tables, methods=["GET", "POST"]),
            Route("/api/tables/{key}", api.view),
            Route("/api/tables/{key}/moments/{number}", api.moment),
            Route("/api/tables/{key}/words", api.words),
            Route("/api/tables/{key}/company", api.company),
            Route("/api/tables/{key}/emotes", api.say, methods=["POST"]),
            Route("/api/tables/{key}/seats", api.sit, methods=["POST"]),
            Route("/api/tables/{key}/seats/{seat}", api.seat, methods=["POST"]),
            Route("/api/tables/{key}/ready", api.ready, methods=["POST"]),
            Route("/api/tables/{key}/share", api.share, methods=["POST"]),
            Route("/api/tables/{key}/leave", api.leave, methods=["POST"]),
            Route("/api/tables/{key}/play-on", api.play_on, methods=["POST"]),
            Route("/api/tables/{key}/rematch", api.rematch, methods=["POST"]),
            Route("/api/tables/{key}/rematch/refusal", api.refuse, methods=["POST"]),
            Route("/api/tables/{key}/answers", api.answers, methods=["POST"]),
            Route("/api/tables/{key}/actions", api.act, methods=["POST"]),
            Route("/api/tables/{key}/take-back", api.take_back, methods=["POST"]),
            Route("/api/tables/{key}/hint", api.hint, methods=["POST"]),
            Route("/api/tables/{key}/thoughts", api.thoughts),
            Route("/api/tables/{key}/resignation", api.resign, methods=["POST"]),
            Route("/api/tables/{key}/stream", api.stream),
            Route("/api/tables/{key}/record", api.record),
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
    app.state.services = Services(tables, kinds, render, limits, whereabouts, metrics, reviewing, studying)
    return app
