"""Annotated games: records with notes, shown on the page of replays with the note of each step.

The records are part of the rules and secret to no one: a reader sees them as one seat did, or with all hands open.
"""

from __future__ import annotations

from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from gonfalon.core.files.replay import Course
from gonfalon.core.files.replay import trace_course as course_of
from gonfalon.core.rules.game import Game
from gonfalon.lessons import ANNOTATED, Noted, shelf
from gonfalon.web import messages
from gonfalon.web.history.replay import (
    Scene,
    choose_template,
    find_step,
    number_of,
    parse_viewer,
    play_on_url,
    read_wish,
    replay_context,
)
from gonfalon.web.http.errors import Nothing
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.game_cards import list_showcases, showcase_of
from gonfalon.web.shared.game_info import library_url
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import Context

_COURSES: Final[dict[tuple[str, str, int], Course]] = {}
"""The courses of annotated games by viewer; there are few."""


def list_annotated(kind: type[Game]) -> list[Noted]:
    """Return a game's annotated games in order."""
    return [one for one in shelf.list_lessons(kind) if one.kind == ANNOTATED]


async def show_games(request: Request) -> Response:
    """Show the annotated games of all games."""
    render = services_of(request).render
    shelves = []
    for game in list_showcases(render):
        rows = await run_sync(build_rows, render.kinds[game["name"]])
        if rows:
            shelves.append(game | {"rows": [row | {"url": f"{game['name']}/{row['url']}"} for row in rows]})
    return render.page("libraries.html", games=shelves)


def build_rows(kind: type[Game]) -> list[Context]:
    """Return a game's annotated games for its list."""
    return [{"url": f"{one.name}/replay", "title": one.title, "about": one.about} for one in list_annotated(kind)]


async def show_all(request: Request) -> Response:
    """Show the annotated games of a game."""
    server = services_of(request)
    kind = server.kind(request.path_params["game"])
    rows = await run_sync(build_rows, kind)
    if not rows:
        raise Nothing(messages.NO_ANNOTATED.format(game=kind.title))
    return server.render.page("library.html", game=showcase_of(server.render, kind), games=rows)


async def find_noted(request: Request) -> Noted:
    """Return the annotated game of an address. Raises Nothing."""
    kind = services_of(request).kind(request.path_params["game"])
    try:
        return await run_sync(shelf.find_lesson, kind, request.path_params["name"], True)
    except shelf.UnknownLessonError as error:
        raise Nothing(str(error)) from None


async def redirect_to_first_note(request: Request) -> Response:
    """Redirect to the first note."""
    await find_noted(request)
    return RedirectResponse("replay", 303)


async def show_record(request: Request) -> Response:
    """Return the record."""
    noted = await find_noted(request)
    return PlainTextResponse(noted.record.dumps(), media_type="application/json")


async def show_note(request: Request) -> Response:
    """Show a step of an annotated game; by default the first note, as its seat saw it. Raises Malformed, Nothing."""
    noted, wish = await find_noted(request), read_wish(request)
    viewer = parse_viewer(request.query_params.get("as", str(noted.seat)), noted.record.game.seats)
    course = await run_sync(compute_course, noted, viewer)
    upto = wish.mark(course.marks, len(noted.record.decisions))
    context = await run_sync(build_context, services_of(request).render, noted, viewer, course, upto)
    return services_of(request).render.page(choose_template(request), **context)


def compute_course(noted: Noted, viewer: int) -> Course:
    """Return an annotated game's course for one viewer, computed once."""
    key = (noted.game.name, noted.name, viewer)
    if key not in _COURSES:
        _COURSES[key] = course_of(noted.record, viewer)
    return _COURSES[key]


def build_context(render: Renderer, noted: Noted, viewer: int, course: Course, upto: float | None) -> Context:
    """Return the context of replay.html for an annotated game: the replay, and the places of its notes."""
    game, places = noted.game, find_places(noted, course)
    step = find_step(
        noted.record, viewer, course.marks[places[0]] if upto is None else upto, {}, course, noted.record.names
    )
    # An annotated game has no table, so its key is empty.
    scene = Scene("", game.name, game.title, noted.record.names, game, eyes=str(noted.seat))
    context = replay_context(render, scene, step)
    context["table"]["title"] = noted.title
    context["page_title"] = f"{noted.title} · {game.title}"
    here = max((n for n, place in enumerate(places) if place <= step.place), default=-1)
    seen_as = context["replay"]["as"]

    def url(n: int) -> str | None:
        return f"replay?at={course.marks[places[n]]:.10g}&as={seen_as}" if 0 <= n < len(places) else None

    context["replay"] |= {
        "table_url": None,
        "library_url": library_url(game.name),
        "play_on_url": play_on_url(step, seen_as),
        "told": {
            "text": noted.notes[here].text if here >= 0 else "",
            "fresh": here >= 0 and places[here] == step.place,
            "number": here + 1,
            "count": len(places),
            "first": number_of(course.marks[places[0]]),
            "back_url": url(here if here >= 0 and places[here] < step.place else here - 1),
            "next_url": url(here + 1),
        },
    }
    return context


def find_places(noted: Noted, course: Course) -> list[int]:
    """Return the step of each note as a viewer counts them; for a hidden decision, the last one before it."""
    return [max((n for n, mark in enumerate(course.marks) if mark <= note.at), default=0) for note in noted.notes]
