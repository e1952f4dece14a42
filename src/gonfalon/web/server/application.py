"""The application and all its routes."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.table import Tables
from gonfalon.table.live.programs import Programs
from gonfalon.web.api import card_sets as card_sets_api
from gonfalon.web.api import endpoints, exchange, programs
from gonfalon.web.history import replay, review_request
from gonfalon.web.history.review_jobs import ReviewJobs
from gonfalon.web.http.addresses import ServerAddress
from gonfalon.web.http.compression import Lasting, Packed
from gonfalon.web.http.metrics import Metrics
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.http.web_push import Pusher
from gonfalon.web.learning import lessons, library, puzzles
from gonfalon.web.lobby import (
    card_browser,
    card_sets,
    deck_builder,
    guide_page,
    lobby,
    offers,
    open_record,
    open_table,
    opponents,
    play_on,
)
from gonfalon.web.lobby import deck_shelf as shelf
from gonfalon.web.operator import pages as operator
from gonfalon.web.operator import reports
from gonfalon.web.server import health, manual
from gonfalon.web.shared.context import Services
from gonfalon.web.shared.devices import is_banned
from gonfalon.web.shared.failures import failure_response
from gonfalon.web.shared.guard import Guard
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.static_files import STATIC
from gonfalon.web.table import fairness, gathering, live, moves, notifications, table_page
from gonfalon.web.table.live import TableFrames
from gonfalon.web.workshop import pages as workshop
from gonfalon.web.workshop.study_jobs import SECONDS, StudyJobs

logger: Final = logging.getLogger("gonfalon.web")
SHELVES: Final = ("learn", "puzzles", "library", "workshop")
"""Addresses that people type from memory, without the final slash."""


def page_route(address: str, handler: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return a route for a page, which is compressed."""
    return Route(address, handler, middleware=[Middleware(Packed)])


async def add_slash(request: Request) -> Response:
    """Redirect to the same address with a final slash."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{request.url.path}/{query}", 308)


LEAD_BACK: Final = {
    "/tables": "/",
    "/records": "/",
    "/games/{game}/cards/keep": "/games/{game}/new",
    "/games/{game}/decks/build/play": "/games/{game}/decks/build",
    "/t/{key}/{token}/sit": "/t/{key}/{token}/",
}
"""The forms of addresses that take posts and show a refusal in their form, so browsers open them again."""


def lead_back(path: str) -> Route:
    """Return the route that redirects from an address of posts to its form."""

    async def redirect(request: Request) -> Response:
        return RedirectResponse(LEAD_BACK[path].format(**request.path_params), 303)

    return Route(path, redirect)


def make_lobby_routes() -> list[BaseRoute]:
    """Return the routes of the lobby, its explanations, cards and decks."""
    return [
        *map(lead_back, LEAD_BACK),
        page_route("/", lobby.show_games),
        Route("/name", lobby.store_name, methods=["POST"]),
        page_route("/opponents", opponents.show_opponents),
        Route("/opponents", opponents.play_person, methods=["POST"]),
        WebSocketRoute("/opponents/live", offers.serve_offers),
        page_route("/opponents/{offer}/", opponents.show_offer),
        Route("/opponents/{offer}/", opponents.take_offer, methods=["POST"]),
        page_route("/about", guide_page.show_about),
        page_route("/help", guide_page.show_help),
        page_route("/games/{game}/new", lobby.show_form),
        page_route("/games/{game}/decks", shelf.show_shelf),
        Route("/games/{game}/decks", shelf.paste_deck, methods=["POST"]),
        Route("/games/{game}/decks/boxes", shelf.show_boxes, methods=["POST"]),
        Route("/games/{game}/decks/choices", shelf.show_choices, methods=["POST"]),
        page_route("/games/{game}/decks/build", deck_builder.show_builder),
        Route("/games/{game}/decks/build", deck_builder.change_draft, methods=["POST"]),
        Route("/games/{game}/decks/build/play", deck_builder.play_deck, methods=["POST"]),
        Route("/games/{game}/decks/build/file", deck_builder.show_deck_file),
        Route("/games/{game}/decks/build/qr.svg", deck_builder.show_qr_code),
        page_route("/games/{game}/cards", card_browser.show_cards),
        page_route("/games/{game}/guide", guide_page.show_guide),
        page_route("/games/{game}/cards.toml", guide_page.show_card_file),
        page_route("/games/{game}/table.css", guide_page.show_stylesheet),
    ]


def make_card_routes() -> list[BaseRoute]:
    """Return the routes of own cards."""
    return [
        Route("/games/{game}/cards/check", card_sets.check_cards, methods=["POST"]),
        Route("/games/{game}/cards/keep", card_sets.keep_cards, methods=["POST"]),
        page_route("/cards/{id}/", card_sets.show_set),
        page_route("/t/{key}/{token}/cards", card_sets.show_table_cards),
        Route("/t/{key}/{token}/cards", card_sets.keep_table_cards, methods=["POST"]),
    ]


def make_learning_routes() -> list[BaseRoute]:
    """Return the routes of lessons, puzzles and annotated games."""
    return [
        page_route("/learn/", lessons.show_games),
        page_route("/learn/{game}/", lessons.show_all),
        page_route("/learn/{game}/{name}/", lessons.show_step),
        Route("/learn/{game}/{name}/", lessons.check_answer, methods=["POST"]),
        page_route("/puzzles/", puzzles.show_today),
        page_route("/puzzles/{game}/", puzzles.show_all),
        page_route("/puzzles/{game}/{number}/", puzzles.show_puzzle),
        Route("/puzzles/{game}/{number}/", puzzles.check_answer, methods=["POST"]),
        page_route("/library/", library.show_games),
        page_route("/library/{game}/", library.show_all),
        Route("/library/{game}/{name}/", library.redirect_to_first_note),
        page_route("/library/{game}/{name}/replay", library.show_note),
        page_route("/library/{game}/{name}/play-on", play_on.show_annotated),
        Route("/library/{game}/{name}/play-on", play_on.create_annotated, methods=["POST"]),
        Route("/library/{game}/{name}/record.json", library.show_record),
        *(Route(f"/{shelf}{more}", add_slash) for shelf in SHELVES for more in ("", "/{game}", "/{game}/{name}")),
    ]


def make_workshop_routes() -> list[BaseRoute]:
    """Return the routes of the Workshop."""
    return [
        page_route("/workshop/", workshop.show_games),
        page_route("/workshop/{game}/", workshop.show_bench),
        Route("/workshop/{game}/", workshop.start_study, methods=["POST"]),
        page_route("/workshop/{game}/{study}/", workshop.show_study),
        Route("/workshop/{game}/{study}/stop", workshop.stop_study, methods=["POST"]),
        Route("/workshop/{game}/{study}/{file}", workshop.download_file),
    ]


def make_table_routes() -> list[BaseRoute]:
    """Return the routes of tables, the most frequent ones first, because they are tried in order."""
    return [
        Route("/t/{key}/{token}/act", moves.apply_actions, methods=["POST"]),
        WebSocketRoute("/t/{key}/{token}/live", live.serve_live),
        Route("/mine/{table}", table_page.redirect_to_own),
        Route("/tables", open_table.create_table, methods=["POST"]),
        Route("/records", open_record.open_file, methods=["POST"]),
        # A table's link identifies its holder: the token of a seat, of an invitation, or `watch`.
        Route("/t/{key}", table_page.show_spectators),
        Route("/t/{key}/", table_page.show_spectators),
        Route("/t/{key}/{token}", table_page.add_slash),
        page_route("/t/{key}/{token}/", table_page.show_page),
        *(Route(f"/t/{{key}}/{{token}}/record.{form}", table_page.download_record) for form in ("json", "txt")),
        page_route("/t/{key}/{token}/moment", table_page.show_moment),
        page_route("/t/{key}/{token}/past", table_page.show_past),
        page_route("/t/{key}/{token}/replay", replay.show_replay),
        page_route("/t/{key}/{token}/play-on", play_on.show),
        Route("/t/{key}/{token}/play-on", play_on.create, methods=["POST"]),
        page_route("/t/{key}/{token}/review", review_request.show_review),
        Route("/t/{key}/{token}/review", review_request.request_review, methods=["POST"]),
        Route("/t/{key}/{token}/decisions", table_page.show_decisions),
        Route("/t/{key}/{token}/sit", gathering.sit_down, methods=["POST"]),
        Route("/t/{key}/{token}/ready", gathering.set_ready, methods=["POST"]),
        Route("/t/{key}/{token}/share", fairness.add_share, methods=["POST"]),
        page_route("/t/{key}/{token}/fair", fairness.show_fairness),
        Route("/t/{key}/{token}/leave", gathering.leave_table, methods=["POST"]),
        Route("/t/{key}/{token}/take-back", moves.request_undo, methods=["POST"]),
        Route("/t/{key}/{token}/hint", moves.give_hint, methods=["POST"]),
        Route("/t/{key}/{token}/tips", moves.store_tips, methods=["POST"]),
        Route("/t/{key}/{token}/concede", moves.resign, methods=["POST"]),
        Route("/t/{key}/{token}/return", moves.reclaim_seat, methods=["POST"]),
        Route("/t/{key}/{token}/screen", moves.switch_screen, methods=["POST"]),
        Route("/t/{key}/{token}/answers", moves.set_standing_answer, methods=["POST"]),
        Route("/t/{key}/{token}/emotes", moves.send_emote, methods=["POST"]),
        Route("/t/{key}/{token}/seats/{seat}/bot", moves.give_to_bot, methods=["POST"]),
        Route("/t/{key}/{token}/seats/{seat}/win", moves.claim_win, methods=["POST"]),
        Route("/t/{key}/{token}/notify", notifications.set_notifications, methods=["POST"]),
        Route("/t/{key}/{token}/rematch", gathering.join_rematch, methods=["POST"]),
        Route("/t/{key}/{token}/next", gathering.watch_rematch),
    ]


def make_operator_routes() -> list[BaseRoute]:
    """Return the routes of reports, and of the operator's page behind its secret link."""
    return [
        page_route("/t/{key}/{token}/report", reports.show_report),
        Route("/t/{key}/{token}/report", reports.send_report, methods=["POST"]),
        Route("/admin/{token}", add_slash),
        Route("/admin/{token}/", operator.show_operator),
        Route("/admin/{token}/{task}", operator.change_server, methods=["POST"]),
        Route("/admin/{token}/tables/{key}/", operator.show_table),
        Route("/admin/{token}/tables/{key}/record.json", operator.download_record),
        Route("/admin/{token}/tables/{key}/{task}", operator.change_table, methods=["POST"]),
    ]


def make_api_routes() -> list[BaseRoute]:
    """Return the routes of the API. The token of a seat comes as `Authorization: Bearer`."""
    return [
        page_route("/openapi.json", endpoints.describe_api),
        Route("/api/games", endpoints.list_games),
        Route("/api/decks", exchange.read_deck, methods=["POST"]),
        Route("/api/records", exchange.open_file, methods=["POST"]),
        Route("/api/cards", card_sets_api.handle_sets, methods=["GET", "POST"]),
        Route("/api/cards/check", card_sets_api.check_cards, methods=["POST"]),
        Route("/api/cards/{id}", card_sets_api.show_set),
        Route("/api/open-tables", endpoints.list_open_tables),
        Route("/api/open-tables/{offer}/seats", endpoints.take_offered_seat, methods=["POST"]),
        Route("/api/programs", programs.list_programs),
        Route("/api/bot/stream", programs.stream_events),
        Route("/api/bot/challenges/{key}", programs.answer_challenge, methods=["POST"]),
        Route("/api/tables", endpoints.handle_tables, methods=["GET", "POST"]),
        Route("/api/tables/{key}", endpoints.show_view),
        Route("/api/tables/{key}/moments/{number}", endpoints.show_moment),
        Route("/api/tables/{key}/words", endpoints.show_text),
        Route("/api/tables/{key}/company", endpoints.show_presence),
        Route("/api/tables/{key}/emotes", endpoints.send_emote, methods=["POST"]),
        Route("/api/tables/{key}/seats", endpoints.take_seat, methods=["POST"]),
        Route("/api/tables/{key}/seats/{seat}", endpoints.set_player, methods=["POST"]),
        Route("/api/tables/{key}/ready", endpoints.set_ready, methods=["POST"]),
        Route("/api/tables/{key}/share", endpoints.add_share, methods=["POST"]),
        Route("/api/tables/{key}/leave", endpoints.leave_table, methods=["POST"]),
        Route("/api/tables/{key}/play-on", endpoints.open_played_on, methods=["POST"]),
        Route("/api/tables/{key}/rematch", endpoints.join_rematch, methods=["POST"]),
        Route("/api/tables/{key}/rematch/refusal", endpoints.refuse_rematch, methods=["POST"]),
        Route("/api/tables/{key}/answers", endpoints.set_standing_answer, methods=["POST"]),
        Route("/api/tables/{key}/actions", endpoints.apply_actions, methods=["POST"]),
        Route("/api/tables/{key}/take-back", endpoints.request_undo, methods=["POST"]),
        Route("/api/tables/{key}/hint", endpoints.give_hint, methods=["POST"]),
        Route("/api/tables/{key}/thoughts", endpoints.list_thoughts),
        Route("/api/tables/{key}/resignation", endpoints.resign, methods=["POST"]),
        Route("/api/tables/{key}/stream", endpoints.stream_views),
        Route("/api/tables/{key}/record", endpoints.download_record),
    ]


def make_routes(render: Renderer) -> list[BaseRoute]:
    """Return all routes."""
    return [
        *make_table_routes(),
        *make_lobby_routes(),
        *make_card_routes(),
        *make_learning_routes(),
        *make_workshop_routes(),
        *make_operator_routes(),
        *make_api_routes(),
        Route("/push-worker.js", notifications.send_worker),
        Route("/healthz", health.check_alive),
        Route("/readyz", health.check_ready),
        *manual.make_routes(),
        Mount(render.static_root, Lasting(STATIC, render.joined)),
    ]


@asynccontextmanager
async def run_jobs(tables: Tables, *jobs: ReviewJobs | StudyJobs) -> AsyncIterator[None]:
    """Serve the tables and run background jobs within the block."""
    async with tables.open():
        for one in jobs:
            tables.spawn(one.run)
        try:
            yield
        finally:
            # Jobs are released while the store is open, so that other processes continue them at once.
            for one in jobs:
                one.close()


def create_app(
    tables: Tables,
    kinds: dict[str, type[Game]] | None = None,
    limits: Limits | None = None,
    whereabouts: ServerAddress | None = None,
    metrics: Metrics | None = None,
    study_seconds: float = SECONDS,
    bot_accounts: bool = False,
    for_author: bool = False,
) -> Starlette:
    """Return the web application over live tables.

    Args:
        tables: The live tables.
        kinds: The games; by default the installed ones.
        study_seconds: The CPU time that a study in the Workshop may take; 0 disables the Workshop.
        bot_accounts: Whether programs may play here by bot accounts.
        for_author: Whether pages name the place of a fault in an installed game.
    """
    if kinds is None:
        kinds = games.load_games(logger.error)
    render = Renderer(kinds)
    limits, whereabouts, metrics = limits or Limits(), whereabouts or ServerAddress(), metrics or Metrics()
    metrics.follow(tables)
    review_jobs, study_jobs = ReviewJobs(tables), StudyJobs(tables, metrics, study_seconds, limits.factor)
    render.templates.share("workshop", study_seconds > 0)
    render.templates.share("docs", manual.find_folder() is not None)
    app = Starlette(
        routes=make_routes(render),
        middleware=[Middleware(Guard, failure_response, limits, whereabouts, metrics, is_banned)],
        exception_handlers={GonfalonError: failure_response, HTTPException: failure_response},
        lifespan=lambda _: run_jobs(tables, review_jobs, study_jobs),
    )
    # Starlette would redirect to the host of the request and ignore the configured address.
    app.router.redirect_slashes = False
    app.state.services = Services(
        tables, kinds, render, limits, whereabouts, metrics, Programs(tables) if bot_accounts else None, for_author
    )
    app.state.table_frames = TableFrames(render)
    app.state.offer_feed = offers.OfferFeed()
    app.state.pusher = Pusher(tables, whereabouts.base)
    tables.announce = app.state.pusher.announce
    tables.state_changed = render.share_state
    app.state.review_jobs = review_jobs
    app.state.study_jobs = study_jobs
    return app
