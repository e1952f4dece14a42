"""The pages that request and show a review."""

from __future__ import annotations

import json
from typing import cast

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gonfalon.review.files import Review
from gonfalon.web.history.review_charts import chapters_of
from gonfalon.web.history.review_jobs import review_jobs_of
from gonfalon.web.history.review_page import build_context as review_context
from gonfalon.web.http.forms import is_scripted
from gonfalon.web.shared.context import at_table, services_of
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.table_context import table_title


async def show_review(request: Request) -> Response:
    """Show the review, its progress, or the form to request it. Raises Secret before the end of the game."""
    at, who, _ = await at_table(request)
    record = await at.moves.record()
    render, store = services_of(request).render, services_of(request).tables.store
    job = await run_sync(store.review_job, at.key)  # before the review itself, which takes its place
    text = await run_sync(store.review, at.key)
    page: Context = {
        "page_title": f"Review: {table_title(at)} · Gonfalon",
        "table": {"title": table_title(at)},
        "table_url": "./",
    }
    if text is None:
        return render.page("review_asked.html", **page, job=None if job is None else vars(job))
    me = who.holds[0] if len(who.holds) == 1 else None
    told = await run_sync(lambda: review_context(cast("Review", json.loads(text)), me, chapters_of(record)))
    found: Context = {**page, **told, "play_on": "play-on", "replay": "replay"}
    return render.page("reviewed.html", **found)


async def request_review(request: Request) -> Response:
    """Request a review. Raises Secret before the end of the game, Late if too many are waiting."""
    at, _, _ = await at_table(request)
    # Called for its refusal only: a running game must not be reviewed.
    await at.moves.record()
    if await run_sync(services_of(request).tables.store.review, at.key) is None:
        await review_jobs_of(request).ask(at.key)
    return Response(status_code=204) if is_scripted(request) else RedirectResponse("review", 303)
