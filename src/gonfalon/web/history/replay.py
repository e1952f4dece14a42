"""Replays of finished games: step by step, as one seat, as spectators, or with all cards open."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.bots import Choice
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import Course, replay_sights
from gonfalon.core.files.replay import trace_course as course_of
from gonfalon.core.files.start_position import describe_start, find_start
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import CHANCE, OPEN, SPECTATOR
from gonfalon.core.text.untrusted import isolate
from gonfalon.table import LinkHolder, Table
from gonfalon.table.errors import OtherRules, locate_error
from gonfalon.table.live.archive import Step, TimedThought, describe_thoughts, open_log
from gonfalon.table.live.views import add_ending_line, build_ending
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.http.forms import is_scripted
from gonfalon.web.shared.clocks import time_left
from gonfalon.web.shared.context import at_table, old_table_at, services_of
from gonfalon.web.shared.game_info import guide_url
from gonfalon.web.shared.generic_board import build_table
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import BLANK_UI, NO_CONTROLS, PLAIN, Context
from gonfalon.web.table.charts import split_parts as parts_of
from gonfalon.web.table.own_cards import describe_own_cards, list_marks
from gonfalon.web.table.table_context import game_title

logger: Final = logging.getLogger("gonfalon.web")
STEP: Final = re.compile(r"[0-9]{1,6}")
MARK: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")
# Courses leave memory together with their table.
COURSES: Final[WeakKeyDictionary[Table, dict[int, Course]]] = WeakKeyDictionary()
WORDS: Final = {"all": OPEN, "watch": SPECTATOR}


async def show_replay(request: Request) -> Response:
    """Show a step of a finished game.

    The address names a mark `at` of the record, a decision `step`, or a `place` among the steps that the viewer saw,
    and the viewer `as` (a seat, `watch` or `all`). By default it is the start, as the link's owner saw it.
    Raises Secret before the end of the game.
    """
    wish = read_wish(request)
    try:
        at, who, _ = await at_table(request)
    except OtherRules:
        return await show_old_table(request, wish)
    # This raises Secret during the game, so nothing below can reveal a running one.
    record = await at.moves.record()
    viewer = read_viewer(request, who, at.game.seats)
    thoughts = await at.bots.thoughts()
    render = services_of(request).render
    course = await run_sync(finished_course, at, record, viewer)
    mark = wish.mark(course.marks, len(record.decisions)) or 0.0
    step = await run_sync(find_step, record, viewer, mark, thoughts, course)
    scene = Scene(at.key, at.game.name, at.game.title, at.names, at.game, None, bool(thoughts), choose_eyes(who))
    context = replay_context(render, scene, step)
    context["replay"]["took"] = format_time(record, step)
    context["replay"]["note"] = describe_start(find_start(at.game), at.names) or None
    context["replay"]["play_on_url"] = play_on_url(step, context["replay"]["as"])
    return render.page(choose_template(request), **context)


def finished_course(table: Table, record: Record, viewer: int) -> Course:
    """Return the course of a table's finished game for one viewer, computed once."""
    computed = COURSES.setdefault(table, {})
    if viewer not in computed:
        computed[viewer] = course_of(record, viewer)
    return computed[viewer]


def play_on_url(step: Step, eyes: str) -> str | None:
    """Return the address to play on from a step; None at the end by the rules."""
    if step.over is not None and step.over["ended"] is None:
        return None
    return f"play-on?at={step.marks[step.place]:.10g}&as={eyes}"


def choose_template(request: Request) -> str:
    """Return the whole page, or only the changing part for our script."""
    return "_replay.html" if is_scripted(request) else "replay.html"


def choose_eyes(who: LinkHolder) -> str:
    """Return the viewer for a link's owner if not all cards are open."""
    return str(who.holds[0]) if who.holds else "watch"


class Wish(NamedTuple):
    """The requested place in a game: a mark, a step by its number on the page, or a place of the slider, which has one
    for each step seen; by default none of them."""

    at: float | None
    step: int | None
    place: int | None

    def mark(self, marks: list[float], end: float) -> float | None:
        """Return the requested mark in a game that ends at the mark `end` for a viewer of all cards. Raises Nothing."""
        if self.place is not None:
            if self.place >= len(marks):
                raise Nothing(messages.NO_PLACE.format(place=self.place, last=len(marks) - 1))
            return marks[self.place]
        if self.step is None:
            if self.at is not None and self.at > max(end, marks[-1]):
                raise Nothing(messages.NO_MARK.format(mark=f"{self.at:.10g}", end=f"{end:.10g}"))
            return self.at
        if self.step > number_of(marks[-1]):
            raise Nothing(messages.NO_STEP.format(step=self.step, last=number_of(marks[-1])))
        return self.step


def read_wish(request: Request) -> Wish:
    """Return the requested place of an address. Raises Nothing."""
    step, place = (request.query_params.get(name, "") for name in ("step", "place"))
    if not all(STEP.fullmatch(one) for one in (step, place) if one):
        raise Nothing(messages.BAD_STEP)
    return Wish(
        parse_mark(request.query_params.get("at", "")), int(step) if step else None, int(place) if place else None
    )


async def show_old_table(request: Request, wish: Wish) -> Response:
    """Show a game of older rules or card data from its archive. A step that the game's page cannot draw is shown as
    text."""
    old_table, who = await old_table_at(request, request.path_params["token"])
    server, head = services_of(request), old_table.kept.head
    viewer = read_viewer(request, who, head["seats"])
    upto = wish.mark(head["viewers"][str(viewer)]["marks"], max(one["marks"][-1] for one in head["viewers"].values()))
    step = await run_sync(old_table.kept.step, viewer, upto or 0.0)
    try:
        game = await run_sync(server.tables.stored.make_game, old_table.row)
    except GonfalonError:
        game = None
    thinks, eyes = bool(head["thoughts"]), choose_eyes(who)
    names = list(map(isolate, head["names"]))
    scene = Scene(old_table.row.key, head["game"], head["title"], names, game, old_table.note, thinks, eyes)
    context = replay_context(server.render, scene, step)
    if game is not None:
        try:
            return server.render.page(choose_template(request), **context)
        except Exception as error:
            logger.warning("table %s: its archive is shown as text, %s", old_table.row.key[:4], locate_error(error))
    context |= {"game_template": PLAIN, "game_css": server.render.static("plain.css"), "printed": "", "plain": None}
    return server.render.page(choose_template(request), **context)


def read_viewer(request: Request, who: LinkHolder, seats: int) -> int:
    """Return the requested viewer of an address. Raises Malformed."""
    return parse_viewer(request.query_params.get("as", str(who.holds[0]) if who.holds else "all"), seats)


def parse_viewer(wish: str, seats: int) -> int:
    """Return the viewer of an address. Raises Malformed."""
    if wish in WORDS:
        return WORDS[wish]
    if wish.isascii() and wish.isdigit() and len(wish) < 3 and int(wish) < seats:
        return int(wish)
    raise Malformed(messages.BAD_VIEWER)


def parse_mark(text: str) -> float | None:
    """Return the mark of an address: a number of decisions, with two more digits for a moment; None without one. Raises
    Nothing."""
    if not text:
        return None
    if MARK.fullmatch(text):
        return float(text)
    raise Nothing(messages.BAD_MARK)


def find_step(
    record: Record,
    viewer: int,
    upto: float | None,
    thoughts: dict[int, Choice],
    course: Course | None = None,
    called: list[str] | None = None,
) -> Step:
    """Return the last step that a viewer saw up to a mark. `called` names the seats if the viewer's own is
    not "You"."""
    game = record.game
    marks, chapters, _ = course or course_of(record, viewer)
    place = max((n for n, mark in enumerate(marks) if upto is None or mark <= upto), default=0)
    view, by_chance, heard = game.start(log=True).mask(viewer), False, 0
    for sight in replay_sights(record, viewer, actions=False):
        if sight.mark > marks[place]:
            break
        if sight.mark == marks[place]:
            view, by_chance = sight.state.mask(viewer), sight.seat == CHANCE
        elif sight.mark == marks[place - 1]:
            heard = len(sight.state.mask(viewer).log or ())
    names = called or names_for(game, viewer, record.names)
    end = build_ending(game, view, record.ended, names, record.names) if place == len(marks) - 1 else None
    lines = add_ending_line(list(list_lines(game, view, names)), end)
    return Step(
        viewer,
        game.board(view),
        game.text(view, names),
        lines if viewer != OPEN else open_log(lines),
        heard,
        by_chance,
        place,
        marks,
        chapters,
        view.moment,
        names,
        end,
        list(thoughts_between(record, marks[place - 1] if place else 0, marks[place], thoughts).values()),
    )


def format_time(record: Record, step: Step) -> str:
    """Return the clock time of the decisions of a step; empty without a clock."""
    if record.clock is None:
        return ""
    begin, end = step.marks[step.place - 1] if step.place else 0, step.marks[step.place]
    spent: dict[int, int] = {}
    for number, (seat, _) in enumerate(record.decisions):
        one = find_time(record, number)
        if begin <= number < end and one is not None:
            spent[seat] = spent.get(seat, 0) + one
    return ", ".join(f"{isolate(record.names[seat])} {time_left(one)}" for seat, one in spent.items())


def find_time(record: Record, number: int) -> int | None:
    """Return the milliseconds of a decision."""
    spent = record.clock and record.clock.get("spent")
    # The form of a record's clock is not trusted, because records may come from files.
    one = spent[number] if isinstance(spent, list) and number < len(spent) else None
    return one if isinstance(one, int) else None


def thoughts_between(record: Record, begin: float, end: float, kept: dict[int, Choice]) -> dict[int, TimedThought]:
    """Return the bots' thoughts about these decisions, the last of each seat."""
    if not any(begin <= number < end for number in kept):
        return {}
    return {
        thought["seat"]: thought for thought in describe_thoughts(record, kept) if begin <= thought["decision"] < end
    }


@dataclass(frozen=True)
class Scene:
    """The subject of a replay. `game` is missing if this program no longer has it."""

    key: str
    name: str
    title: str
    names: list[str]
    game: Game | None
    note: str | None = None
    """A note on how it is shown."""
    thinks: bool = False
    """Whether bots have left thoughts."""
    eyes: str = "watch"
    """The viewer if not all cards are open."""


def replay_context(render: Renderer, scene: Scene, step: Step) -> Context:
    """Return the context of replay.html."""
    game, viewer = scene.game, step.viewer
    called = game_title(scene.title, scene.names)
    return {
        "page_title": f"Replay: {called} · Gonfalon",
        "table": {"key": scene.key, "title": called, "game": scene.name, "game_title": scene.title},
        "game_css": render.css.get(scene.name),
        **describe_game(render, scene, step),
        "board": step.board,
        "text": step.text,
        "decision": None,
        "me": viewer if viewer >= 0 else None,
        "all_open": viewer == OPEN,
        "ui": build_resting_ui(step),
        "moments": 0,
        "moment": build_moment(game, step),
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
        "replay": build_controls(scene, step),
    }


def describe_game(render: Renderer, scene: Scene, step: Step) -> Context:
    """Return the part of the context that shows the game: its template, its cards and what differs on them."""
    game, me = scene.game, step.viewer if step.viewer >= 0 else None
    template = PLAIN if game is None else render.own(game, "table.html", PLAIN)
    return {
        "game_template": template,
        "plain": build_table(game, step.board, me, step.names, []) if template == PLAIN else None,
        "invented": "" if game is None else game.invented,
        "printed": "" if game is None else render.cards(game, list_marks(game)),
        "own_cards": None if game is None else describe_own_cards(game),
        "changed": {} if game is None else list_marks(game),
        "arms": [] if game is None else [game.arms(seat) for seat in range(game.seats)],
    }


def build_resting_ui(step: Step) -> Context:
    """Return the prompt row of a step: what is new, and no controls."""
    new = [line["text"] for line in step.log if line["n"] >= step.heard] if step.place else []
    return {
        **BLANK_UI,
        **NO_CONTROLS,
        "form_url": "",
        "token_hidden": {},
        "names": step.names,
        "waiting": " ".join(new) or describe_silence(step),
        "can_take_back": False,
    }


def build_controls(scene: Scene, step: Step) -> Context:
    """Return the controls of a replay: the place, the ways to other places, and the viewers."""
    seen_as = {SPECTATOR: "watch", OPEN: "all"}.get(step.viewer, str(step.viewer))

    def address(place: int, eyes: str = seen_as) -> str:
        # This format writes whole marks without a fraction, and moments without rounding errors.
        return f"replay?at={step.marks[place]:.10g}&as={eyes}"

    eyes = [(str(seat), name) for seat, name in enumerate(scene.names)] + [("watch", "everybody")]
    last = len(step.marks) - 1
    parts = parts_of(step.chapters)
    before = max((part.first for part in parts if part.first < step.place), default=0)
    after = min((part.first for part in parts if part.first > step.place), default=last)
    return {
        "note": scene.note,
        "table_url": "./" if scene.note is None else None,
        "library_url": None,
        "told": None,
        "place": step.place,
        "last": last,
        "number": number_of(step.marks[step.place]),
        "count": number_of(step.marks[last]),
        "nth": round(step.marks[step.place] % 1 * 100),
        "part": step.chapters[step.place],
        "parts": [{"step": part.first, "name": part.name} for part in parts],
        "here_url": address(step.place),
        "first_url": address(0),
        "part_back_url": address(before),
        "back_url": address(max(0, step.place - 1)),
        "next_url": address(min(last, step.place + 1)),
        "part_next_url": address(after),
        "last_url": address(-1),
        "took": "",
        "play_on_url": None,
        "thinks": scene.thinks,
        "thoughts": [thought | {"name": scene.names[thought["seat"]]} for thought in step.thoughts],
        "as": seen_as,
        "open_url": address(step.place, scene.eyes if step.viewer == OPEN else "all"),
        "eyes": [{"name": name, "url": address(step.place, word), "now": word == seen_as} for word, name in eyes],
    }


def number_of(mark: float) -> int:
    """Return the number of the latest decision at a mark, as reviews count them. A moment belongs to the decision that
    leads through it."""
    return ceil(mark)


def describe_silence(step: Step) -> str:
    """Return the text for a step without an event."""
    if step.by_chance:
        return messages.CARDS_DEALT
    return messages.DECISION_MADE if step.place else messages.GAME_SET_UP


def build_moment(game: Game | None, step: Step) -> Context | None:
    """Return a moment between two decisions, which is a step without a number and without a question."""
    if not step.moment:
        return None
    seconds = None if game is None else game.moment_seconds.get(step.moment)
    return {"number": 0, "name": step.moment, "seconds": seconds, "recap": []}
