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
from starlette.responses import RedirectResponse, Response

from gonfalon.core.basics.errors import NotationError, Refusal
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.log import Line
from gonfalon.core.rules.state import OPEN, Action, Seat, State
from gonfalon.lessons import LessonStep, Note
from gonfalon.puzzles import shelf
from gonfalon.puzzles.course import ANSWERED, ASKED, OPENED, PuzzleCourse, format_proof
from gonfalon.puzzles.playouts import Frame
from gonfalon.puzzles.sorting import KINDS
from gonfalon.web import messages
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import is_scripted, read_form
from gonfalon.web.learning.lessons import draw_step, read_place, step_context
from gonfalon.web.shared.context import is_secure, services_of
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_cards import list_showcases, showcase_of
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.moves import parse_actions

COOKIE: Final = "solved-3"
"""Name of the cookie. It changes whenever puzzles are removed, because their numbers change."""
DAYS: Final = 400
MAX_ANSWER_LENGTH: Final = 100
"""Maximum characters of an answer in an address."""
LONGEST: Final = 2000
"""Maximum characters of the cookie: a hundred puzzles of each game take a few dozen."""
PLACES: Final = {"": ASKED, "right": ANSWERED, "shown": ANSWERED, "open": OPENED}
"""The steps by the words of an address."""
PLAYED: Final = "played"
"""The word of an address for the answers played on."""
ABOUT: Final = {
    "tactics": "The answer is the same for almost any hidden cards.",
    "reading the hand": "The answer depends on which cards may be hidden.",
    "bluff": "Your opponent does not see all of the answer.",
    "tempo": "Act now, or wait.",
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


def build_opened(view: State, seat: Seat, lines: list[Line]) -> Context:
    """Return the table with all cards open. The seat's side stays below, and the log marks private lines."""
    events = view.log or ()
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


def read_own_answer(request: Request, course: PuzzleCourse) -> Action | None:
    """Return the reader's wrong answer that an address names; None if it is not one."""
    position = course.position
    try:
        action = position.game.parse(request.query_params.get("yours", "")[:MAX_ANSWER_LENGTH])
    except NotationError:
        return None
    return action if position.view.is_legal(position.seat, action) and action != position.best else None


async def show_puzzle(request: Request) -> Response:
    """Show a puzzle, its answer after it was given or requested, or the answers played on. Raises Nothing."""
    course, word = await find_course(request), request.query_params.get("answer", "")
    own = read_own_answer(request, course)
    if word == PLAYED:
        return await show_frame(request, course, own)
    place = PLACES.get(word)
    if place is None:
        raise Nothing(messages.PUZZLE_SIDES)
    return await render_puzzle(request, course, place, own, None, 200)


async def check_answer(request: Request) -> Response:
    """Take the player's answer, and show why it is right, or its loss."""
    course = await find_course(request)
    form, game, own = await read_form(request), course.noted.game, read_own_answer(request, course)
    try:
        actions = game.arranged(course.position.view, parse_actions(form, game))
        ruling = course.answer(ASKED, actions)
    except (Refusal, NotationError) as error:
        return await render_puzzle(request, course, ASKED, own, error, explain_error(error)[0])
    if ruling.why is not None:
        legal = actions and course.position.view.is_legal(course.position.seat, actions[0])
        return await render_puzzle(request, course, ASKED, actions[0] if legal else own, Refusal(ruling.why), 409)
    url = build_url(course, "right", own)
    response = (
        Response(status_code=204, headers={"location": url})
        if is_scripted(request)
        else RedirectResponse(f"/puzzles/{game.name}/{course.number}/{url}", 303)
    )
    store_solved(request, response, (await run_sync(read_solved, request)).also(game.name, course.number))
    return response


def build_url(course: PuzzleCourse, answer: str, own: Action | None, **more: object) -> str:
    """Return the address of a page of a puzzle, which keeps the reader's own answer."""
    words = {"answer": answer, "yours": None if own is None else course.noted.game.notation(own), **more}
    return f"?{urlencode({name: word for name, word in words.items() if word not in (None, '')})}"


async def render_puzzle(
    request: Request, course: PuzzleCourse, place: int, own: Action | None, refused: Exception | None, status: int
) -> Response:
    """Return the page of a puzzle, or only the changing part for our script."""
    render, words = services_of(request).render, request.query_params
    context = await run_sync(puzzle_context, render, course, place, own)
    if place == ANSWERED and words.get("answer") == "right":
        context["last"] = messages.RIGHT_ANSWER.format(text=context["last"])
    return draw_step(request, context, (), refused, status)


async def show_frame(request: Request, course: PuzzleCourse, own: Action | None) -> Response:
    """Show a step of the answers played on."""
    frames = await run_sync(course.playouts.list_frames, own)
    place = read_place(request, len(frames))
    context = await run_sync(frame_context, services_of(request).render, course, frames, place, own)
    return draw_step(request, context, (), None, 200)


def frame_context(
    render: Renderer, course: PuzzleCourse, frames: list[Frame], place: int, own: Action | None
) -> Context:
    """Return the context of lesson.html for a step of the answers played on."""
    frame = frames[place]
    note = Note(0, frame.news, frame.text, (), {}, {}, ())
    context = base_context(render, course, LessonStep(frame.view, note, None, 0))
    before, after = (build_url(course, PLAYED, own, step=n) for n in (place - 1, place + 1))
    last = place == len(frames) - 1
    context["lesson"] |= {
        "count": len(frames),
        "at": place + 1,
        "back_url": before if place else build_url(course, "shown", own),
        "next_url": None if last else after,
        "following": build_following(course) if last else None,
    }
    return context


def build_following(course: PuzzleCourse) -> Context:
    """Return the link to the next puzzle; the first one comes after the last."""
    number = course.number % len(shelf.list_puzzles(type(course.noted.game))) + 1
    return {"url": f"../{number}/", "title": messages.PUZZLE_NUMBER.format(number=number)}


def base_context(render: Renderer, course: PuzzleCourse, step: LessonStep) -> Context:
    """Return the context of lesson.html that all pages of a puzzle share."""
    context = step_context(render, course.noted, step)
    if step.view.viewer == OPEN:
        context |= build_opened(step.view, course.position.seat, context["log"])
    context["lesson"] |= {
        "place": 0,
        "count": 0,
        "at": 0,
        "leaves": False,
        "back_url": None,
        "next_url": None,
        "why_url": None,
        "following": None,
        "again_url": "./",
        "all_url": f"/puzzles/{course.noted.game.name}/",
    }
    return context


def puzzle_context(render: Renderer, course: PuzzleCourse, place: int, own: Action | None = None) -> Context:
    """Return the context of lesson.html for a puzzle: the question, the answer, or the answer with all cards open."""
    puzzle, asks = course.position.puzzle, place == ASKED
    context = base_context(render, course, course.steps[place])
    context["ui"]["form_url"] = build_url(course, "", own)
    side = ("shown", messages.SHOW_ANSWER) if asks else ("open", messages.SHOW_ALL_CARDS)
    word, label = ("shown", messages.SHOW_AS_SEEN) if place == OPENED else side
    context["lesson"] |= {
        "title": f"{course.noted.title}, {puzzle.kind}{'' if asks or not puzzle.jewel else ', a jewel'}",
        "answer_url": build_url(course, word, own),
        "answer_word": label,
    }
    if place == ANSWERED:
        context["hint"] = {"action": puzzle.best, "text": "", "why": "", "beliefs": []}
    if not asks:
        context["lesson"] |= {
            "more": format_proof(course.position),
            "next_url": build_url(course, PLAYED, own),
            "next_word": messages.PLAY_IT_OUT,
            "following": build_following(course),
        }
    return context
