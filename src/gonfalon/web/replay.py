"""A finished game, step by step: as one seat saw it, as everybody did, or with all cards open."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.bots import Choice
from gonfalon.core.errors import GonfalonError
from gonfalon.core.game import Game, names_for
from gonfalon.core.record import Record
from gonfalon.core.replay import sights
from gonfalon.core.state import CHANCE, OPEN, SPECTATOR
from gonfalon.table import LinkHolder
from gonfalon.table.archive import Step, TimedThought, opened_log, thoughts_of
from gonfalon.table.errors import OtherRules, place
from gonfalon.table.shown import log, over
from gonfalon.web.context import Malformed, at_table, old_table_at, services
from gonfalon.web.plain import table_of
from gonfalon.web.render import BLANK_UI, NO_CONTROLS, PLAIN, Context, Renderer, guide_url, titled

logger: Final = logging.getLogger("gonfalon.web")
MARK: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")
WORDS: Final = {"all": OPEN, "watch": SPECTATOR}


async def show(request: Request) -> Response:
    """The table at a mark `at` of the record, for the eyes of `as` (a seat, `watch` or `all`): by
    default the end, as the link's owner saw it. Raises Secret while the game goes on."""
    upto = mark_of(request.query_params.get("at", ""))
    try:
        at, who, _ = await at_table(request)
    except OtherRules:
        return await show_old_table(request, upto)
    record = await at.moves.record()
    viewer = viewer_wished(request, who, at.game.seats)
    thoughts = await at.bots.thoughts()
    step = await run_sync(step_of, record, viewer, upto, thoughts)
    scene = Scene(at.key, at.game.name, at.game.title, at.names, at.game)
    return services(request).render.page("replay.html", **replay_context(services(request).render, scene, step))


async def show_old_table(request: Request, upto: float | None) -> Response:
    """The same for a game of older rules or card data, from its archive. Where the game's page cannot draw what was
    kept, the table is told in words."""
    old_table, who = await old_table_at(request, request.path_params["token"])
    server, head = services(request), old_table.kept.head
    step = await run_sync(old_table.kept.step, viewer_wished(request, who, head["seats"]), upto)
    try:
        game = await run_sync(server.tables.likeness, old_table.row)
    except GonfalonError:
        game = None
    scene = Scene(old_table.row.key, head["game"], head["title"], head["names"], game, old_table.note)
    context = replay_context(server.render, scene, step)
    if game is not None:
        try:
            return server.render.page("replay.html", **context)
        except Exception as error:
            logger.warning("table %s: its archive is told in words, %s", old_table.row.key[:4], place(error))
    context |= {"game_template": PLAIN, "game_css": server.render.static("plain.css"), "printed": "", "plain": None}
    return server.render.page("replay.html", **context)


def viewer_wished(request: Request, who: LinkHolder, seats: int) -> int:
    """Whose eyes an address asks for. Raises Malformed."""
    return viewer_of(request.query_params.get("as", str(who.holds[0]) if who.holds else "all"), seats)


def viewer_of(wish: str, seats: int) -> int:
    """The viewer of an address. Raises Malformed."""
    if wish in WORDS:
        return WORDS[wish]
    if wish.isascii() and wish.isdigit() and len(wish) < 3 and int(wish) < seats:
        return int(wish)
    raise Malformed("A replay is seen as a seat, as=0 and so on, as=watch or as=all.")


def mark_of(text: str) -> float | None:
    """The mark of an address: a number of decisions, with two more digits for a moment; None for the end. Raises
    Malformed."""
    if not text:
        return None
    if MARK.fullmatch(text):
        return float(text)
    raise Malformed("A replay stands at a step, at=0 and so on.")


def step_of(record: Record, viewer: int, upto: float | None, thoughts: dict[int, Choice]) -> Step:
    """The last step that a viewer saw up to a mark."""
    game = record.game
    marks: list[float] = []
    view, by_chance = game.start(log=True).mask(viewer), False
    place = heard = 0
    for sight in sights(record, viewer, actions=False):
        if not marks or marks[-1] != sight.mark:
            marks.append(sight.mark)
        if upto is None or sight.mark <= upto or len(marks) == 1:
            if place != len(marks) - 1:
                heard = len(view.log or ())
            place = len(marks) - 1
            by_chance = sight.seat == CHANCE
            view = sight.state.mask(viewer)
    names = names_for(game, viewer, record.names)
    lines = log(game, view, names)
    return Step(
        viewer,
        game.board(view),
        game.text(view, names),
        lines if viewer != OPEN else opened_log(lines),
        heard,
        by_chance,
        place,
        marks,
        names,
        over(record.game, view, record.ended, names, record.names) if place == len(marks) - 1 else None,
        list(thoughts_between(record, marks[place - 1] if place else 0, marks[place], thoughts).values()),
    )


def thoughts_between(record: Record, begin: float, end: float, kept: dict[int, Choice]) -> dict[int, TimedThought]:
    """What the bots thought about these decisions, the last of each seat."""
    if not any(begin <= number < end for number in kept):
        return {}
    return {thought["seat"]: thought for thought in thoughts_of(record, kept) if begin <= thought["decision"] < end}


@dataclass(frozen=True)
class Scene:
    """What a replay is of. `game` is missing where there is no such game any more."""

    key: str
    name: str
    title: str
    names: list[str]
    game: Game | None
    note: str | None = None
    """Why it is shown as it is."""


def replay_context(render: Renderer, scene: Scene, step: Step) -> Context:
    """What replay.html is given."""
    game, plain, viewer = scene.game, scene.names, step.viewer
    new = [line["text"] for line in step.log if line["n"] >= step.heard] if step.place else []
    called = titled(scene.title, plain)
    template = PLAIN if game is None else render.own(game, "table.html", PLAIN)
    seen_as = {SPECTATOR: "watch", OPEN: "all"}.get(viewer, str(viewer))

    def address(place: int, eyes: str = seen_as) -> str:
        return f"replay?at={step.marks[place]:.10g}&as={eyes}"

    eyes = [(str(seat), name) for seat, name in enumerate(plain)] + [("watch", "everybody"), ("all", "all open")]
    return {
        "page_title": f"Replay: {called} · Gonfalon",
        "table": {"key": scene.key, "title": called, "game": scene.name, "game_title": scene.title},
        "game_css": render.css.get(scene.name),
        "game_template": template,
        "plain": table_of(game, step.board, viewer if viewer >= 0 else None, step.names, [])
        if template == PLAIN
        else None,
        "invented": "" if game is None else game.invented,
        "printed": "" if game is None else render.cards(game),
        "board": step.board,
        "text": step.text,
        "decision": None,
        "me": viewer if viewer >= 0 else None,
        "all_open": viewer == OPEN,
        "ui": {
            **BLANK_UI,
            **NO_CONTROLS,
            "form_url": "",
            "token_hidden": {},
            "names": step.names,
            "waiting": " ".join(new) or ("The cards are dealt." if step.by_chance else "The table is laid."),
            "can_take_back": False,
        },
        "moments": 0,
        "moment": None,
        "log": step.log,
        "new_from": step.heard if step.place else 0,
        "refusal": None,
        "hint": None,
        "over": None if step.over is None else step.over | {"rematch": None, "replay_url": None},
        "menu": {
            "guide_url": None if game is None else guide_url(game),
            "record_url": "record.json",
            "replay_url": None,
        },
        "return_url": None,
        "replay": {
            "note": scene.note,
            "table_url": "./" if scene.note is None else None,
            "place": step.place,
            "last": len(step.marks) - 1,
            "first_url": address(0),
            "back_url": address(max(0, step.place - 1)),
            "next_url": address(min(len(step.marks) - 1, step.place + 1)),
            "last_url": address(-1),
            "thoughts": [thought | {"name": plain[thought["seat"]]} for thought in step.thoughts],
            "eyes": [{"name": name, "url": address(step.place, word), "now": word == seen_as} for word, name in eyes],
        },
    }
