"""The Workshop: change a number of a game, and watch the effect while games are played.

The form of a game holds all changes so far, so a page is a link, and nothing is stored before a study is requested. A
study has its own permanent link. It knows rules and cards only; no table can be reached from here.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final, TypeVar, TypeVarTuple, Unpack

from anyio.to_thread import run_sync
from starlette.datastructures import ImmutableMultiDict
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gonfalon import games
from gonfalon.bots.levels import find_level, list_playable_levels
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.rules.game import Game
from gonfalon.lab.charts import charts
from gonfalon.lab.studies.tune import parameters
from gonfalon.lab.studies.tune.parameters import LIST, ROWS, Parameter, ParameterGroup
from gonfalon.lab.studies.whatif import report, whatif
from gonfalon.lab.studies.whatif.request_process import StudyRequest
from gonfalon.table.errors import NotHost
from gonfalon.table.links import hash_token
from gonfalon.table.store.jobs.study_rows import StudyRow
from gonfalon.web import messages
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import is_scripted, read_form
from gonfalon.web.http.rate_limits import STUDIES, client_of
from gonfalon.web.shared import devices
from gonfalon.web.shared.context import is_secure, services_of
from gonfalon.web.shared.game_cards import list_showcases, showcase_of
from gonfalon.web.shared.template_context import Context
from gonfalon.web.workshop.study_jobs import TURNED_DOWN, Crowded, study_jobs_of
from gonfalon.web.workshop.study_page import study_context

T = TypeVar("T")
Args = TypeVarTuple("Args")
JUDGES: Final = {
    "club": "Quick.",
    "greedy": "Plays by rule of thumb; quick in most games.",
    "strong": "Takes up to 40 times as long as Club.",
    "random": "The quickest.",
}
"""The levels that may play, the default first, and their speed. Expert is too slow."""
POINTS: Final = (1, 2, 5)
"""The precisions that may be requested; the middle one is the default."""
MOST_SETS: Final = 20
"""The number of simultaneous changes."""
MOST_FOUND: Final = 30
ROOM: Final = 2.0
"""The factor by which a level may have been too slow last time before it is refused, since machines have bad
minutes."""
STUDY: Final = "study"
"""The cookie with the last study, and the token by which it can be stopped."""
FIELD: Final = "n."
"""The prefix of the names of number fields."""
TYPES: Final = {"svg": "image/svg+xml", "png": "image/png", "html": "text/html; charset=utf-8"}


def list_games(request: Request) -> list[Context]:
    """Return the games that can be studied, as in the lobby. Raises Nothing if the Workshop is disabled."""
    server = services_of(request)
    if not study_jobs_of(request).seconds:
        raise Nothing(messages.WORKSHOP_DISABLED)
    known = games.names()
    return [game for game in list_showcases(server.render) if game["name"] in known]


def find_game(request: Request) -> type[Game]:
    """Return the game of the address. Raises Nothing."""
    kind = services_of(request).kind(request.path_params["game"])
    if all(game["name"] != kind.name for game in list_games(request)):
        raise Nothing(messages.NOT_STUDIED.format(game=kind.title))
    return kind


def list_own_studies(request: Request) -> list[str]:
    """Return the last studies of a visitor: that of their cookie, or without cookies those requested from their address
    by visitors without cookies."""
    if devices.read_device_key(request):
        key = request.cookies.get(STUDY, "").partition(".")[0]
        return [key] if key.isprintable() else []
    return study_jobs_of(request).askers.of(client_of(request)).own()


def is_own(request: Request, row: StudyRow) -> bool:
    """Return whether a visitor has started a study."""
    token = request.cookies.get(STUDY, "").partition(".")[2]
    return row.key in list_own_studies(request) and (
        not devices.read_device_key(request) or compare_digest(hash_token(token), row.token)
    )


def mark_study(request: Request, response: Response, key: str, token: str) -> None:
    """Store in the browser that it has started a study. The random token belongs to this study only, so nothing stored
    leads to the device or to another study."""
    response.set_cookie(
        STUDY, f"{key}.{token}", path="/workshop/", httponly=True, samesite="lax", secure=is_secure(request)
    )


async def run_in_turn(request: Request, work: Callable[[Unpack[Args]], T], *args: *Args) -> T:
    """Run a function in a thread, one at a time for all visitors: making games with other cards takes time, and tables
    come first."""
    return await run_sync(work, *args, limiter=study_jobs_of(request).turn)


async def show_games(request: Request) -> Response:
    """Show the games that can be studied."""
    return services_of(request).render.page("workshop.html", games=list_games(request))


# ---- the bench --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wish:
    """The fields of the form. `find` is the search, `on` the open parameters, `sets` the changes so far."""

    find: str
    on: str
    sets: tuple[str, ...]
    players: str
    points: int

    @classmethod
    def of(cls, name: str, form: ImmutableMultiDict[str, object]) -> Wish:
        """Return the fields of a form. Raises OptionError for invalid changes."""
        sets = [value for value in form.getlist("set") if isinstance(value, str)]
        for field, value in form.multi_items():
            if field.startswith(FIELD) and isinstance(value, str):
                sets.append(f"{field.removeprefix(FIELD)}={value}")
        if added := form.get("add"):
            sets.append(f"{added}=1")
        if dropped := form.get("drop"):
            sets = [text for text in sets if text.partition("=")[0] != dropped]
        made = parameters.normalize_changes(name, sets)
        if len(made) > MOST_SETS:
            raise OptionError(messages.MANY_CHANGES.format(most=MOST_SETS))
        find, on, to, players, points = (
            str(form.get(key, ""))[: parameters.MAX_VALUE_LENGTH] for key in ("find", "on", "to", "players", "points")
        )
        judges = list_judges(name)
        wanted = {str(choice): choice for choice in POINTS}.get(points.strip(), 0 if points else POINTS[1])
        if players and players not in judges:
            raise OptionError(messages.NO_LEVEL.format(levels=", ".join(judges), level=repr(players[:40])))
        if wanted not in POINTS:
            choices = ", ".join(map(str, POINTS))
            raise OptionError(messages.BAD_PRECISION.format(choices=choices, points=repr(points[:40])))
        return cls("" if to else find.strip(), to or on, made, players or judges[0], wanted)


def list_judges(name: str) -> list[str]:
    """Return the levels that may play a game in a study."""
    known = list_playable_levels(games.game(name))
    return [level for level in JUDGES if level in known] or ["random"]


async def show_bench(request: Request) -> Response:
    """Show the form of a game with the results of its search."""
    kind = find_game(request)
    wish, refusal = await read_wish(request, kind.name, request.query_params)
    response = await render_bench(request, kind, wish, refusal)
    devices.give_device_key(request, response)
    return response


async def read_wish(request: Request, name: str, form: ImmutableMultiDict[str, object]) -> tuple[Wish, str]:
    """Return the fields of a form, and the error if they are invalid; then without the changes."""
    try:
        return await run_in_turn(request, Wish.of, name, form), ""
    except OptionError as error:
        on = str(form.get("on", ""))[: parameters.MAX_VALUE_LENGTH]
        return Wish("", on, (), list_judges(name)[0], POINTS[1]), str(error)


async def render_bench(
    request: Request, kind: type[Game], wish: Wish, refusal: str = "", status: int = 400, running: str = ""
) -> Response:
    """Return the page of the form, with the reason for a refusal."""
    server = services_of(request)
    context, refused = await run_in_turn(request, bench_context, kind, wish)
    refusal = refusal or refused
    return server.render.page(
        "bench.html",
        status if refusal else 200,
        game=showcase_of(server.render, kind),
        refusal=refusal,
        running=running,
        seconds=round(study_jobs_of(request).seconds),
        **context,
    )


def bench_context(kind: type[Game], wish: Wish) -> tuple[Context, str]:
    """Return the context of bench.html, and why a field is invalid."""
    name, refusal = kind.name, ""
    hits = parameters.search_groups(name, wish.find)[:MOST_FOUND] if wish.find else []
    if wish.find and not hits:
        called = {thing.name.lower(): thing.name for thing in parameters.list_groups(name)}
        near = difflib.get_close_matches(wish.find.strip().lower(), called, 1)
        refusal = messages.NOT_IN_GAME.format(game=kind.title, text=repr(wish.find[:60]))
        if near:
            refusal = messages.DID_YOU_MEAN.format(text=refusal, name=called[near[0]])
    on = hits[0].word if hits and (len(hits) == 1 or is_called(hits[0], wish.find)) else "" if hits else wish.on
    sets, rows = wish.sets, list_changes(name, wish.sets)
    thing, turned = None, tuple[Parameter, ...]()
    try:
        thing = parameters.find_group(name, on) if on else None
        turned = parameters.list_parameters(name, on, sets) if on else ()
    except (OptionError, DataError) as error:
        refusal = refusal or str(error)
        turned = parameters.list_parameters(name, on) if thing is not None else ()
    refusal = refusal or parameters.find_refusal(name, sets)
    here = {knob.path for knob in turned}
    context: Context = {
        "find": wish.find if hits or refusal else "",
        "hits": [] if thing is not None and on != wish.on else [build_row(hit) for hit in hits],
        "on_bench": None if thing is None else build_row(thing),
        "knobs": [knob_context(knob) for knob in turned],
        "diff": rows,
        "sets": sets,
        "carried": [text for text in sets if text.partition("=")[0] not in here],
        "names": sorted({thing.name for thing in parameters.list_groups(name)}),
        "groups": group_parameters(parameters.list_groups(name)),
        "judges": [judge_context(level) for level in list_judges(name)],
        "players": wish.players,
        "points": wish.points,
        "choices": POINTS,
    }
    return context, refusal


def is_called(thing: ParameterGroup, wish: str) -> bool:
    """Return whether a search text names exactly this."""
    return wish.strip().lower() in (thing.word, thing.name.lower())


def build_row(thing: ParameterGroup) -> Context:
    """Return a parameter as a list row."""
    return {"word": thing.word, "name": thing.name, "of": thing.of}


def group_parameters(things: Iterable[ParameterGroup]) -> list[Context]:
    """Return all parameters by their group, in the order of the data."""
    some: dict[str, list[Context]] = {}
    for thing in things:
        whole = thing.word in (parameters.RULES_WORD, thing.of)
        some.setdefault("the whole game" if whole else thing.of, []).append(build_row(thing))
    return [{"of": of[:1].upper() + of[1:], "things": rows} for of, rows in some.items()]


def knob_context(knob: Parameter) -> Context:
    """Return a parameter for the page."""
    return {
        "field": FIELD + knob.path,
        "path": knob.path,
        "id": "k-" + re.sub(r"[^a-z0-9]+", "-", knob.path),
        "label": knob.label,
        "sort": knob.sort,
        "least": knob.least,
        "most": knob.most,
        "full": knob.full,
        "choices": knob.choices,
        "now": format_value(knob, knob.now),
        "comes": format_value(knob, knob.comes),
        "origin": knob.origin,
        "changed": knob.now != knob.comes,
        "absent": knob.in_deck and knob.comes == knob.now == "0",
    }


def format_value(knob: Parameter, value: str) -> str:
    """Return a value as a field and people show it."""
    if knob.sort in (LIST, ROWS):
        parts = [str(one) for one in parameters.parse_list(value)]
        return (", " if knob.sort == LIST else "\n").join(parts) if parts else value
    return value


def judge_context(level: str) -> Context:
    """Return the levels for the form."""
    told = whatif.RELIABILITY.get(level, "")
    return {
        "name": level,
        "title": find_level(level).title.lstrip("0123456789 "),
        "about": told,
        "time": JUDGES.get(level, ""),
    }


def list_changes(name: str, sets: Sequence[str]) -> list[Context]:
    """Return the changes, with the sources of the old numbers."""
    rows = []
    for text in sets:
        path, _, value = text.partition("=")
        knob = parameters.find_parameter(name, path)
        word = path.rpartition(".")[0] or parameters.RULES_WORD
        told = dict(knob.choices)
        rows.append(
            {
                "path": path,
                "what": f"{parameters.find_group(name, word).name}: {knob.label}",
                "before": told.get(knob.comes, format_value(knob, knob.comes)),
                "after": told.get(value, format_value(knob, value)),
                "long": knob.sort in (LIST, ROWS),
                "origin": knob.origin,
            }
        )
    return rows


# ---- studies ----------------------------------------------------------------------------------------------------


async def start_study(request: Request) -> Response:
    """Start a study, or find an equal one."""
    kind, server = find_game(request), services_of(request)
    form = await read_form(request)
    wish, refusal = await read_wish(request, kind.name, form)
    asked = StudyRequest(kind.name, wish.sets, wish.players, wish.points / 100, study_jobs_of(request).seconds)
    try:
        if refusal:
            return await render_bench(request, kind, wish, refusal)
        same = await run_in_turn(
            request, identify_question, asked, study_jobs_of(request).paces.get((kind.name, wish.players), 0.0)
        )
    except (OptionError, DataError) as error:
        study_jobs_of(request).note(TURNED_DOWN, asked)
        return await render_bench(request, kind, wish, str(error))
    store, token = server.tables.store, ""
    key = await run_sync(store.study_asking, same)
    if not key:
        if running := await run_sync(store.studies_left, list_own_studies(request)):
            study_jobs_of(request).note(TURNED_DOWN, asked)
            return await render_bench(
                request, kind, wish, messages.ONE_STUDY, 409, await find_study_url(request, running[0])
            )
        server.limits.spend(STUDIES, client_of(request))
        try:
            bare = not devices.read_device_key(request)
            key, token = await study_jobs_of(request).ask(asked, same, client_of(request), bare)
        except Crowded as error:
            return await render_bench(request, kind, wish, str(error), 429)
    response = RedirectResponse(f"/workshop/{kind.name}/{key}/", 303)
    if token:
        mark_study(request, response, key, token)
    return response


def identify_question(asked: StudyRequest, pace: float) -> str:
    """Return a text that is the same for equal questions. Raises OptionError and DataError for a question that no study
    can answer, or not with this `pace` in CPU seconds a game (0: unknown)."""
    if not asked.sets:
        raise OptionError(messages.NOTHING_CHANGED)
    question = asked.make_question()
    if pace and (slow := asked.too_slow(len(whatif.list_setups(question)[1]), pace, ROOM)):
        raise OptionError(slow)
    return asked.is_same_as(question)


async def find_study_url(request: Request, key: str) -> str:
    """Return the address of a study; empty if there is none."""
    row = await run_sync(services_of(request).tables.store.study, key)
    return "" if row is None else f"/workshop/{StudyRequest.loads(row.question).game}/{key}/"


async def find_study(request: Request) -> StudyRow:
    """Return the study of the address. Raises Nothing."""
    kind = find_game(request)
    row = await run_sync(services_of(request).tables.store.study, request.path_params["study"])
    if row is None or StudyRequest.loads(row.question).game != kind.name:
        raise Nothing(messages.NO_STUDY)
    return row


async def show_study(request: Request) -> Response:
    """Show the progress of a study; only the changing part for our script."""
    row, server = await find_study(request), services_of(request)
    kind = find_game(request)
    context = await run_in_turn(request, build_study_context, row)
    context |= {"mine": is_own(request, row), "game": showcase_of(server.render, kind)}
    context["drawable"] = charts.are_charts_available()
    if is_scripted(request):
        return HTMLResponse(server.render.templates.draw("_study.html", context))
    return server.render.page("study.html", **context)


def build_study_context(row: StudyRow) -> Context:
    """Return the context of study.html."""
    asked = StudyRequest.loads(row.question)
    answer = whatif.answer_from_json(json.loads(row.answer)) if row.answer else None
    try:
        rows = list_changes(asked.game, asked.sets)
    except OptionError:  # the cards have changed since
        rows = [] if answer is None else [
            {
                "path": c.path, "what": c.title, "before": report.format_value(c.before),
                "after": report.format_value(c.after),
                "origin": c.origin, "long": isinstance(c.after, list),
            }
            for c in answer.changes
        ]  # fmt: skip
    return study_context(asked, row, answer) | {"diff": rows, "judge": judge_context(asked.players)}


async def stop_study(request: Request) -> Response:
    """End a study with its results so far. Raises NotHost for another visitor's study."""
    row = await find_study(request)
    if not is_own(request, row):
        raise NotHost(messages.NOT_YOUR_STUDY)
    await run_sync(services_of(request).tables.store.stop_study, row.key, messages.STUDY_STOPPED)
    return RedirectResponse("./", 303)


async def download_file(request: Request) -> Response:
    """Return the report of a finished study, or one of its charts. Raises Nothing, NotDrawn."""
    row = await find_study(request)
    name = request.path_params["file"]
    if not re.fullmatch(r"report\.html|[a-z]{1,20}\.(svg|png)", name):
        raise Nothing(messages.NO_STUDY_FILE)
    if not row.over or not row.answer:
        raise Nothing(messages.STUDY_NOT_OVER)
    charts.import_libraries()
    found = await study_jobs_of(request).drawn(row.key, row.answer)
    level = StudyRequest.loads(row.question).players
    body = found.get(name, found.get(f"{level}-{name}"))
    if body is None:
        raise Nothing(messages.NO_CHART)
    headers = {
        "content-disposition": f'attachment; filename="{level}-{name}"',
        "cache-control": "private, max-age=86400",
    }
    return Response(body, headers=headers, media_type=TYPES[name.rpartition(".")[2]])
