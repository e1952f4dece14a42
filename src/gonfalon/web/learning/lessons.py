"""Lessons and exercises: a fixed deal, step by step, on the table's own board.

The step is in the address, so the server stores nothing, and without script the page works by forms and links.
"""

from __future__ import annotations

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gonfalon.core.basics.errors import NotationError, Refusal
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import Line, list_lines
from gonfalon.core.rules.state import State
from gonfalon.core.rules.words import describe_action
from gonfalon.lessons import ANNOTATED, EXERCISE, LESSON, Course, Noted, shelf
from gonfalon.web import messages
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import is_scripted, read_form
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_cards import list_showcases, showcase_of
from gonfalon.web.shared.game_info import guide_url, learn_url, library_url, puzzles_url
from gonfalon.web.shared.generic_board import build_table, mark_answers
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import BLANK_UI, NO_CONTROLS, PLAIN, Context
from gonfalon.web.table.moves import parse_actions


async def show_games(request: Request) -> Response:
    """Show the lessons of all games."""
    server = services_of(request)
    games = []
    for game in list_showcases(server.render):
        found = await run_sync(shelf.list_lessons, server.kinds[game["name"]])
        rows = [build_row(one) | {"url": f"{game['name']}/{one.name}/"} for one in found if one.kind != ANNOTATED]
        if rows:
            games.append(game | {"lesson": rows[0], "exercises": rows[1:]})
    return server.render.page("learn.html", games=games)


async def show_all(request: Request) -> Response:
    """Show the lessons and exercises of a game."""
    server = services_of(request)
    kind = server.kind(request.path_params["game"])
    found = await run_sync(shelf.list_lessons, kind)
    if not any(one.kind == LESSON for one in found):
        raise Nothing(messages.NO_LESSON.format(game=kind.title))
    return server.render.page(
        "lessons.html",
        game=showcase_of(server.render, kind),
        lesson=next(build_row(one) for one in found if one.kind == LESSON),
        exercises=[build_row(one) for one in found if one.kind == EXERCISE],
        guide_url=guide_url(kind),
        library_url=library_url(kind.name) if any(one.kind == ANNOTATED for one in found) else None,
        puzzles_url=puzzles_url(kind),
    )


def build_row(one: Noted) -> Context:
    """Return a lesson for a list."""
    return {"name": one.name, "title": one.title, "about": one.about, "minutes": one.minutes, "url": f"{one.name}/"}


async def find_lesson(request: Request) -> tuple[Course, int]:
    """Return the lesson of an address and its step. Raises Nothing."""
    kind = services_of(request).kind(request.path_params["game"])
    try:
        course = await run_sync(shelf.load_course, kind, request.path_params["name"])
    except shelf.UnknownLessonError as error:
        raise Nothing(str(error)) from None
    text = request.query_params.get("step", "0")
    # Python refuses to convert thousands of digits, so the text is cut first.
    if not (text.isascii() and text.isdigit() and int(text[:6]) < len(course.steps) and len(text) < 6):
        raise Nothing(messages.NO_LESSON_STEP.format(last=len(course.steps) - 1))
    return course, int(text)


async def show_step(request: Request) -> Response:
    """Show a step of a lesson."""
    course, place = await find_lesson(request)
    return await render_step(request, course, place, None, 200)


async def check_answer(request: Request) -> Response:
    """Check the player's answer: go to the next step, or show why it is wrong."""
    course, place = await find_lesson(request)
    form = await read_form(request)
    game, view = course.noted.game, course.steps[place].view
    try:
        ruling = course.answer(place, game.arranged(view, parse_actions(form, game)))
    except (Refusal, NotationError) as error:
        return await render_step(request, course, place, explain_error(error)[3], explain_error(error)[0])
    if ruling.why is not None:
        return await render_step(request, course, place, ruling.why, 409)
    url = f"?step={place + ruling.right}" + ("&otherwise=1" if ruling.otherwise else "")
    if is_scripted(request):
        return Response(status_code=204, headers={"location": url})
    return RedirectResponse(f"/learn/{game.name}/{course.noted.name}/{url}", 303)


async def render_step(request: Request, course: Course, place: int, refusal: str | None, status: int) -> Response:
    """Return the page of a step, or only the changing part for our script."""
    render = services_of(request).render
    kind = services_of(request).kind(course.noted.game.name)
    otherwise = request.query_params.get("otherwise") == "1"
    context = await run_sync(lesson_context, render, course, place, refusal)
    context["lesson"] |= {"otherwise": otherwise, "next_exercise": next_lesson(kind, course.noted)}
    html = render.templates.draw("_lesson.html" if is_scripted(request) else "lesson.html", context)
    step = course.steps[place]
    return HTMLResponse(mark_pointed(html, step.note.point if step.note else ()), status)


def mark_pointed(html: str, ids: tuple[str, ...]) -> str:
    """Return a page with highlights at the things that the lesson points at."""
    for one in ids:
        seal, _, found = one.rpartition(":")
        mark = f' data-seal="{seal}"' if seal else ""
        # The finished page is changed, so that no template of a game has to support lessons.
        html = html.replace(f' id="{found}"', f' id="{found}" data-pointed{mark}', 1)
    return html


def next_lesson(kind: type[Game], noted: Noted) -> Context | None:
    """Return the exercise after a lesson or an exercise."""
    later = [one for one in shelf.list_lessons(kind) if one.kind == EXERCISE]
    if noted.kind == EXERCISE:
        later = [one for one in later if one.order > noted.order]
    return {"url": f"../{later[0].name}/", "title": later[0].title} if later else None


def lesson_context(render: Renderer, course: Course, place: int, refusal: str | None) -> Context:
    """Return the context of lesson.html, made of the view of the lesson's seat alone."""
    noted, step, last = course.noted, course.steps[place], len(course.steps) - 1
    game, view = noted.game, step.view
    names = names_for(game, noted.seat, noted.record.names)
    lines = list(list_lines(game, view, names))
    happens = game.moment_words(view, names).partition("\n")[0] if view.moment else ""
    if not happens:
        happens = " ".join(line["text"] for line in lines if line["n"] >= step.heard)
    return {
        **build_still(render, game, view, names, lines, step.asks is not None),
        "page_title": f"{noted.title} · {game.title}",
        "ui": build_ui(render, game, view, names, step.asks is not None, happens, f"?step={place}"),
        "new_from": step.heard if place else None,
        "refusal": None,
        "lesson": {
            "refusal": refusal,
            "title": noted.title,
            "kind": noted.kind,
            "text": f"{step.note.news} {step.note.text}".lstrip() if step.note else None,
            "asks": step.asks is not None,
            "place": place,
            "last": last,
            "next_url": f"?step={place + 1}" if place < last and step.asks is None else None,
            "back_url": f"?step={place - 1}" if place else None,
            "again_url": "?step=0",
            "ends": place == last,
            "play_url": f"/#g-{game.name}",
            "all_url": learn_url(game.name),
        },
    }


def build_still(render: Renderer, game: Game, view: State, names: list[str], lines: list[Line], asks: bool) -> Context:
    """Return a seat's view for the template of a table; `asks` says whether the seat is to decide."""
    board, seat = game.board(view), view.viewer if view.viewer >= 0 else None  # nobody's where all cards lie open
    template = render.own(game, "table.html", PLAIN)
    decision = build_question(game, view, names) if asks else None
    return {
        "table": {"key": "", "title": game.title, "game": game.name, "game_title": game.title},
        "game_css": render.css[game.name],
        "lesson_js": render.lesson_js(game),
        "game_template": template,
        "keys_template": render.own(game, "keys.html", "_keys.html"),
        "plain": build_table(game, board, seat, names, decision["actions"] if decision else [])
        if template == PLAIN
        else None,
        "invented": game.invented,
        "printed": render.cards(game),
        "arms": [game.arms(one) for one in range(game.seats)],
        "shares": False,
        "board": board,
        "text": game.text(view, names),
        "decision": decision,
        "me": seat,
        "all_open": False,
        "moments": 0,
        "moment": build_moment(game, view, names),
        "lasting": None,
        "log": lines,
        "hint": None,
        "over": None,
        "end": None,
        "menu": {"guide_url": guide_url(game), "replay_url": None, "record_url": None},
        "return_url": None,
    }


def build_ui(
    render: Renderer, game: Game, view: State, names: list[str], asks: bool, happens: str, form_url: str
) -> Context:
    """Return how the question can be answered, or the text of an event that `happens` instead."""
    decision = build_question(game, view, names) if asks else None
    return {
        **BLANK_UI,
        **build_controls(game, view, decision, render.own(game, "table.html", PLAIN)),
        "form_url": form_url,
        "token_hidden": {},
        "names": names,
        "waiting": None if decision else happens or game.prompt(view, names),
        "can_take_back": False,
    }


def build_moment(game: Game, view: State, names: list[str]) -> Context | None:
    """Return a moment between two decisions, which is a step like any other."""
    if not view.moment:
        return None
    _, *recap = game.moment_words(view, names).splitlines() or [""]
    return {"number": 0, "name": view.moment, "seconds": game.moment_seconds.get(view.moment), "recap": recap}


def build_question(game: Game, view: State, names: list[str]) -> Context | None:
    """Return the question to the player, with every legal action."""
    for asked in view.decisions():
        if asked.seat == view.viewer:
            actions = [{"id": game.notation(a), "text": describe_action(game, view, a, names)} for a in asked.actions]
            return {"seat": asked.seat, "prompt": asked.prompt, "text": game.prompt(view, names), "actions": actions}
    return None


def build_controls(game: Game, view: State, decision: Context | None, template: str) -> Context:
    """Return how the question is answered on the board."""
    if decision is None:
        return dict(NO_CONTROLS)
    if template == PLAIN:
        return {"mode": "choice", "choices": mark_answers(decision["actions"])}
    return dict(game.controls(view))
