"""Lessons and exercises: a fixed deal, step by step, on the table's own board.

The step is in the address, so the server stores nothing, and without script the page works by forms and links.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gonfalon.core.basics.errors import NotationError, Refusal
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import Line, list_lines
from gonfalon.core.rules.state import State
from gonfalon.core.rules.words import describe_action
from gonfalon.core.text.citations import Reason
from gonfalon.lessons import ANNOTATED, EXERCISE, LESSON, Course, LessonStep, Noted, shelf
from gonfalon.table.seats.seat_choices import LOT
from gonfalon.web import messages
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import is_scripted, read_form
from gonfalon.web.shared import preferences
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.deck_links import deck_label
from gonfalon.web.shared.failures import explain_error, refusal_context
from gonfalon.web.shared.game_cards import list_showcases, showcase_of
from gonfalon.web.shared.game_info import guide_url, learn_url, library_url, puzzles_url
from gonfalon.web.shared.generic_board import build_table, mark_answers
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import BLANK_UI, NO_CONTROLS, PLAIN, Context
from gonfalon.web.table.moves import parse_actions

END: Final = "end"
"""The step of an address that names the end of a lesson."""


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
    return {
        "name": one.name,
        "title": one.title,
        "about": one.about,
        "minutes": one.minutes,
        "order": one.order,
        "url": f"{one.name}/",
    }


async def find_lesson(request: Request) -> Course:
    """Return the lesson of an address. Raises Nothing."""
    kind = services_of(request).kind(request.path_params["game"])
    try:
        return await run_sync(shelf.load_course, kind, request.path_params["name"])
    except shelf.UnknownLessonError as error:
        raise Nothing(str(error)) from None


def read_place(request: Request, count: int) -> int:
    """Return the number of the step that a request names. Raises Nothing unless there are so many steps."""
    text = request.query_params.get("step", "0")
    # Python refuses to convert thousands of digits, so the text is cut first.
    if not (text.isascii() and text.isdigit() and int(text[:6]) < count and len(text) < 6):
        raise Nothing(messages.NO_LESSON_STEP.format(last=count - 1))
    return int(text)


async def show_step(request: Request) -> Response:
    """Show a step of a lesson."""
    course = await find_lesson(request)
    if request.query_params.get("step") == END and course.noted.kind == LESSON:
        return await show_end(request, course.noted)
    return await render_step(request, course, read_place(request, len(course.steps)), None, 200)


async def show_end(request: Request, noted: Noted) -> Response:
    """Show the end of a lesson: what it taught, and a real game with the same side."""
    server = services_of(request)
    game, exercises = noted.game, await run_sync(list_exercises, noted)
    return server.render.page(
        "lesson_end.html",
        game=showcase_of(server.render, type(game)),
        lesson=noted,
        play=build_play_fields(server.render, noted, preferences.read_preferences(request).name),
        side=describe_side(server.render, noted),
        exercises=exercises,
    )


def list_exercises(noted: Noted) -> list[Context]:
    """Return the exercises of a lesson's game for a list."""
    found = [one for one in shelf.list_lessons(type(noted.game)) if one.kind == EXERCISE]
    return [build_row(one) | {"url": f"../{one.name}/"} for one in found]


def build_play_fields(render: Renderer, noted: Noted, name: str) -> Context:
    """Return the form fields of a table against the easiest bots, with the faction or deck of the lesson."""
    game, seat = showcase_of(render, type(noted.game)), noted.seat
    fields = {"game": game["name"], "name": name, "opponent": game["bots"][-1]["value"]}
    if game["picks"]:
        fields |= {"factions.0": noted.game.options["factions"][seat], "factions.1": LOT}
    if game["bring"]:
        option = game["bring"]["option"]
        fields |= {f"{option}.0": name_own_deck(render, noted), f"{option}.1": LOT}
    return fields


def name_own_deck(render: Renderer, noted: Noted) -> str:
    """Return the preset deck that shares most cards with the lesson's: the presets have changed since its record."""
    decks = render.decks[noted.game.name]
    own = decks.find(noted.game.options[decks.option][noted.seat]).counts
    return decks.word(
        max(decks.ready(), key=lambda one: sum(min(n, own.get(card, 0)) for card, n in one.counts.items()))
    )


def describe_side(render: Renderer, noted: Noted) -> Context:
    """Return banner and name of the lesson's side; the name is empty where all sides are alike."""
    game, decks = noted.game, render.decks.get(noted.game.name)
    name = ""
    if decks is not None:
        name = deck_label(decks, name_own_deck(render, noted))
    elif "factions" in game.options:
        name = game.seat_names()[noted.seat]
    return {"arms": game.arms(noted.seat), "name": name}


async def check_answer(request: Request) -> Response:
    """Check the player's answer: go to the next step, or show why it is wrong."""
    course = await find_lesson(request)
    place = read_place(request, len(course.steps))
    form = await read_form(request)
    game, view = course.noted.game, course.steps[place].view
    try:
        ruling = course.answer(place, game.arranged(view, parse_actions(form, game)))
    except (Refusal, NotationError) as error:
        return await render_step(request, course, place, error, explain_error(error)[0])
    if ruling.why is not None:
        return await render_step(request, course, place, Refusal(ruling.why), 409)
    url = f"?step={place + ruling.right}" + ("&otherwise=1" if ruling.otherwise else "")
    if is_scripted(request):
        return Response(status_code=204, headers={"location": url})
    return RedirectResponse(f"/learn/{game.name}/{course.noted.name}/{url}", 303)


async def render_step(request: Request, course: Course, place: int, refused: Exception | None, status: int) -> Response:
    """Return the page of a step, or only the changing part for our script."""
    render, words = services_of(request).render, request.query_params
    step = course.steps[place]
    told = messages.JUST_AS_GOOD if words.get("otherwise") == "1" else ""
    if words.get("why") == "1" and step.note is not None and step.asks is not None:
        told = step.note.why.get(step.asks, "")
    context = await run_sync(lesson_context, render, course, place, told)
    return draw_step(request, context, step.note.point if step.note else (), refused, status)


def draw_step(
    request: Request, context: Context, point: tuple[str, ...], refused: Exception | None, status: int
) -> Response:
    """Return the page of a step with a refusal, if there is one; for our script only the changing part."""
    told = None if refused is None else refusal_context(refused)
    reason = refused.reason if isinstance(refused, Refusal) else Reason("")
    scripted = is_scripted(request)
    template = "_lesson.html" if scripted else "lesson.html"
    html = services_of(request).render.templates.draw(template, context | {"refusal": told, "fragment": scripted})
    headers = {f"x-{name}": quote(text) for name, text in (("tag", reason.tag), ("rule", reason.rule)) if text}
    return HTMLResponse(mark_pointed(html, point), status, headers)


def mark_pointed(html: str, ids: tuple[str, ...]) -> str:
    """Return a page with highlights and seals at the things that the lesson points at."""
    for one in ids:
        seal, _, found = one.rpartition(":")
        mark = f' data-seal="{seal}"' if seal else ""
        # The finished page is changed, so that no template of a game has to support lessons.
        html = html.replace(f' id="{found}"', f' id="{found}" data-pointed{mark}', 1)
    return html


def lesson_context(render: Renderer, course: Course, place: int, told: str) -> Context:
    """Return the context of lesson.html, made of the view of the lesson's seat alone; `told` replaces the news."""
    noted, step = course.noted, course.steps[place]
    stops = list_stops(course)
    back = [n for n in stops if n < place]
    last = place == len(course.steps) - 1
    following = next((one for one in list_exercises(noted) if noted.kind == EXERCISE and is_later(noted, one)), None)
    next_url = None if step.asks is not None else f"?step={place + 1}"
    if last:
        next_url = f"?step={END}" if noted.kind == LESSON else None
    context = step_context(render, noted, step, told)
    context["ui"]["form_url"] = f"?step={place}"
    context["new_from"] = step.heard if place else None
    has_why = step.asks is not None and step.note is not None and step.asks in step.note.why
    context["lesson"] |= {
        "place": place,
        "count": len(stops),
        "at": sum(n <= place for n in stops),
        "next_url": next_url,
        "leaves": last,
        "back_url": f"?step={back[-1]}" if back else None,
        "why_url": f"?step={place}&why=1" if has_why else None,
        "why_word": messages.WHY_THERE if noted.kind == LESSON else messages.HINT,
        "again_url": "?step=0",
        "following": following if last else None,
        "play": build_play_fields(render, noted, "") if last and noted.kind == EXERCISE and not following else None,
        "all_url": learn_url(noted.game.name),
    }
    return context


def is_later(noted: Noted, row: Context) -> bool:
    """Return whether a row of the exercises comes after an exercise."""
    return bool(row["order"] > noted.order)


def list_stops(course: Course) -> list[int]:
    """Return the steps at which a new text is told or asked; the others play by themselves."""
    stops: list[int] = []
    told = ""
    for n, step in enumerate(course.steps):
        # Several actions of one play share a text.
        if step.note is not None and step.note.text != told:
            stops.append(n)
            told = step.note.text
    return stops


def step_context(render: Renderer, noted: Noted, step: LessonStep, told: str = "") -> Context:
    """Return the part of the context of lesson.html that shows one step: the table, the news and the prompt."""
    game, view, note = noted.game, step.view, step.note
    names = names_for(game, noted.seat, noted.record.names)
    lines = list(list_lines(game, view, names))
    happens = game.moment_words(view, names).partition("\n")[0] if view.moment else ""
    if not happens:
        happens = next((line["text"] for line in lines if line["n"] >= step.heard), "")
    text, asks = note.text if note else messages.WATCH, step.asks is not None
    context = build_still(render, game, view, names, lines, asks)
    if context["decision"]:
        context["decision"]["text"] = text
    return context | {
        "page_title": f"{noted.title} · {game.title}",
        "ui": build_ui(render, game, view, names, context["decision"], text),
        "refusal": None,
        "last": told or (note.news if note else "") or happens,
        "lesson": {"title": noted.title, "kind": noted.kind, "asks": asks, "auto": note is None},
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
    render: Renderer, game: Game, view: State, names: list[str], decision: Context | None, waiting: str
) -> Context:
    """Return how the question can be answered, or the text that stands in its place."""
    return {
        **BLANK_UI,
        **build_controls(game, view, decision, render.own(game, "table.html", PLAIN)),
        "form_url": "",
        "token_hidden": {},
        "names": names,
        "waiting": waiting,
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
