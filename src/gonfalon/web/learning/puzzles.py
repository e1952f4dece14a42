"""Puzzles: the daily one of each game, all of them by kind, and each one on the table's own board.

The page of a puzzle is that of an exercise. Until the answer is given or requested it holds the view of its seat alone.
The solved puzzles of a device are in a cookie, and the server stores nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final
from urllib.parse import parse_qsl, urlencode

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gonfalon.core.basics.errors import NotationError, Refusal
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.log import Line
from gonfalon.puzzles import shelf
from gonfalon.puzzles.course import ANSWERED, ASKED, OPENED, PuzzleCourse, format_proof
from gonfalon.puzzles.sorting import KINDS
from gonfalon.web import messages
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import is_scripted, read_form
from gonfalon.web.learning.lessons import lesson_context
from gonfalon.web.shared.context import is_secure, services_of
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_cards import list_showcases, showcase_of
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.moves import parse_actions

COOKIE: Final = "solved-2"
"""Name of the cookie. It changes whenever puzzles are removed, because their numbers change."""
DAYS: Final = 400
LONGEST: Final = 2000
"""Maximum characters of the cookie: a hundred puzzles of each game take a few dozen."""
PLACES: Final = {"": ASKED, "right": ANSWERED, "shown": ANSWERED, "open": OPENED}
"""The steps by the words of an address."""
ABOUT: Final = {
    "tactics": "The answer is nearly the same whatever lies hidden.",
    "reading the hand": "The answer turns on what may lie hidden, and how likely that is.",
    "bluff": "The answer is something that the other side does not see whole.",
    "tempo": "To act now, or not yet.",
}


class Solved:
    """The puzzles that a device has solved: for each game a number whose bits are its puzzles."""

    def __init__(self, bits: Mapping[str, int]) -> None:
        self.bits: Mapping[str, int] = bits

    def has(self, game: str, number: int) -> bool:
        return bool(self.bits.get(game, 0) >> number & 1)

    def also(self, game: str, number: int) -> Solved:
        return Solved({**self.bits, game: self.bits.get(game, 0) | 1 << number})

    def count(self, game: str) -> int:
        return self.bits.get(game, 0).bit_count()


def read_solved(request: Request) -> Solved:
    """Return the puzzles that the visitor's device has solved; an invalid cookie gives none."""
    text = request.cookies.get(COOKIE, "")
    kinds = services_of(request).kinds
    bits = {}
    for name, word in parse_qsl(text) if len(text) <= LONGEST and text.isascii() else []:
        if name in kinds and word.isalnum() and set(word) <= set("0123456789abcdef"):
            # Bits without a puzzle are dropped, because the cookie may have been edited.
            bits[name] = int(word, 16) & (2 << len(shelf.list_puzzles(kinds[name]))) - 1
    return Solved(bits)


def store_solved(request: Request, response: Response, solved: Solved) -> None:
    """Store the solved puzzles on the device."""
    text = urlencode({name: f"{bits:x}" for name, bits in solved.bits.items()})
    response.set_cookie(
        COOKIE, text, max_age=DAYS * 86_400, httponly=True, samesite="lax", secure=is_secure(request), path="/puzzles"
    )


async def show_today(request: Request) -> Response:
    """Show today's puzzle of each game."""
    server, solved = services_of(request), await run_sync(read_solved, request)
    games = []
    for game in list_showcases(server.render):
        count = len(await run_sync(shelf.list_puzzles, server.kinds[game["name"]]))
        if count:
            number = choose_today(server.kinds[game["name"]])
            one = build_row(server.kinds[game["name"]], number, solved)
            games.append(game | {"today": one, "count": count, "solved": solved.count(game["name"])})
    return server.render.page("puzzles.html", games=games)


def choose_today(kind: type[Game]) -> int:
    """Return the number of today's puzzle, the same for all visitors."""
    # The date in UTC changes at the same moment for all visitors.
    return shelf.choose_daily_puzzle(kind, datetime.now(UTC).date())


def build_row(kind: type[Game], number: int, solved: Solved) -> Context:
    """Return a puzzle for a list."""
    puzzle = shelf.list_puzzles(kind)[number - 1]
    done = solved.has(kind.name, number)
    # Whether it is a jewel says that the obvious answer is wrong: it is told once that is no help any more.
    return {"number": number, "kind": puzzle.kind, "solved": done, "jewel": done and puzzle.jewel}


async def show_all(request: Request) -> Response:
    """Show the puzzles of a game by kind."""
    server = services_of(request)
    kind = server.kind(request.path_params["game"])
    solved = await run_sync(read_solved, request)
    rows = [build_row(kind, n, solved) for n in range(1, len(await run_sync(shelf.list_puzzles, kind)) + 1)]
    if not rows:
        raise Nothing(shelf.format_no_puzzles(kind))
    sorts = [{"name": name, "about": ABOUT[name], "puzzles": [r for r in rows if r["kind"] == name]} for name in KINDS]
    return server.render.page(
        "puzzles_of.html",
        game=showcase_of(server.render, kind),
        sorts=[sort for sort in sorts if sort["puzzles"]],
        today=choose_today(kind),
        solved=solved.count(kind.name),
        count=len(rows),
    )


def build_opened(course: PuzzleCourse, lines: list[Line]) -> Context:
    """Return the table with all cards open. The seat's side stays below, and the log marks private lines."""
    seat, events = course.position.seat, course.steps[OPENED].view.log or ()
    log = [{**line, "private": line["private"] and events[line["n"]][1] >> seat & 1 == 1} for line in lines]
    return {"all_open": True, "below": seat, "log": log}


async def find_course(request: Request) -> PuzzleCourse:
    """Return the puzzle of an address. Raises Nothing."""
    kind, word = services_of(request).kind(request.path_params["game"]), request.path_params["number"]
    if not (word.isascii() and word.isdigit() and len(word) < 6):
        raise Nothing(messages.PUZZLE_NUMBERS.format(game=kind.title))
    try:
        return await run_sync(shelf.load_course, kind, int(word))
    except shelf.UnknownPuzzleError as error:
        raise Nothing(str(error)) from None


async def show_puzzle(request: Request) -> Response:
    """Show a puzzle, or its answer after it was given or requested. Raises Nothing."""
    course = await find_course(request)
    place = PLACES.get(request.query_params.get("answer", ""))
    if place is None:
        raise Nothing(messages.PUZZLE_SIDES)
    return await render_puzzle(request, course, place, None, 200)


async def check_answer(request: Request) -> Response:
    """Take the player's answer, and show why it is right, or its loss."""
    course = await find_course(request)
    form, game = await read_form(request), course.noted.game
    try:
        ruling = course.answer(ASKED, game.arranged(course.position.view, parse_actions(form, game)))
    except (Refusal, NotationError) as error:
        return await render_puzzle(request, course, ASKED, explain_error(error)[3], explain_error(error)[0])
    if ruling.why is not None:
        return await render_puzzle(request, course, ASKED, ruling.why, 409)
    url = "?answer=right"
    response = (
        Response(status_code=204, headers={"location": url})
        if is_scripted(request)
        else RedirectResponse(f"/puzzles/{game.name}/{course.number}/{url}", 303)
    )
    store_solved(request, response, (await run_sync(read_solved, request)).also(game.name, course.number))
    return response


async def render_puzzle(
    request: Request, course: PuzzleCourse, place: int, refusal: str | None, status: int
) -> Response:
    """Return the page of a puzzle, or only the changing part for our script."""
    render = services_of(request).render
    kind = services_of(request).kind(course.noted.game.name)
    context = await run_sync(puzzle_context, render, kind, course, place, refusal)
    if place != ASKED and request.query_params.get("answer") == "right":
        context["lesson"]["text"] = messages.RIGHT_ANSWER.format(text=context["lesson"]["text"])
    html = render.templates.draw("_lesson.html" if is_scripted(request) else "lesson.html", context)
    return HTMLResponse(html, status)


def puzzle_context(
    render: Renderer, kind: type[Game], course: PuzzleCourse, place: int, refusal: str | None
) -> Context:
    """Return the context of lesson.html for a puzzle."""
    context = lesson_context(render, course, place, refusal)
    puzzle, asks = course.position.puzzle, place == ASKED
    if place == OPENED:
        context |= build_opened(course, context["log"])
    if not asks:
        context["ui"]["waiting"] = messages.ALL_CARDS_OPEN if place == OPENED else messages.POSITION_AS_SEEN
    number = course.number % len(shelf.list_puzzles(kind)) + 1
    following = {"url": f"../{number}/", "title": messages.PUZZLE_NUMBER.format(number=number)}
    context["lesson"] |= {
        "title": f"{course.noted.title}, {puzzle.kind}{'' if asks or not puzzle.jewel else ', a jewel'}",
        "more": None if asks else format_proof(course.position),
        "otherwise": False,
        "last": 0,
        "next_url": None,
        "back_url": None,
        "again_url": "./",
        "answer_url": "?answer=shown" if asks else "?answer=open" if place == ANSWERED else "?answer=shown",
        "answer_word": messages.SHOW_ANSWER
        if asks
        else messages.SHOW_ALL_CARDS
        if place == ANSWERED
        else messages.SHOW_AS_SEEN,
        "ends": not asks,
        "next_exercise": None if asks else following,
        "next_word": messages.NEXT_PUZZLE,
        "all_url": f"/puzzles/{kind.name}/",
    }
    return context
