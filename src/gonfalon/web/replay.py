"""A finished game, step by step: as one seat saw it, as everybody did, or with all cards open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.bots import Choice
from gonfalon.bots.thoughts import told
from gonfalon.core.game import names_for
from gonfalon.core.record import Record
from gonfalon.core.replay import sights
from gonfalon.core.state import CHANCE, OPEN, SPECTATOR, State
from gonfalon.table import Table
from gonfalon.table.shown import log, over
from gonfalon.web.render import BLANK_UI, NO_CONTROLS, Renderer, guide_url, title
from gonfalon.web.site import Malformed, at_table, path, site

WORDS: Final = {"all": OPEN, "watch": SPECTATOR}


async def show(request: Request) -> Response:
    """The table after `at` decisions of the record, for the eyes of `as` (a seat, `watch` or `all`): by
    default the end, as the link's owner saw it. Raises Secret while the game goes on."""
    at, who, token = await at_table(request)
    record = await at.record()
    wish = request.query_params.get("as", str(who.holds[0]) if who.holds else "all")
    viewer = viewer_of(wish, at.game.seats)
    upto = count(request.query_params.get("at", ""))
    step = await anyio.to_thread.run_sync(find, record, viewer, upto)
    thoughts = await anyio.to_thread.run_sync(thoughts_of, record, step, await at.thoughts())
    context = replay_context(site(request).render, at, token, record, viewer, step, thoughts)
    return site(request).render.page("replay.html", **context)


def viewer_of(wish: str, seats: int) -> int:
    """The viewer of an address. Raises Malformed."""
    if wish in WORDS:
        return WORDS[wish]
    if wish.isascii() and wish.isdigit() and len(wish) < 3 and int(wish) < seats:
        return int(wish)
    raise Malformed("A replay is seen as a seat, as=0 and so on, as=watch or as=all.")


def count(text: str) -> int | None:
    """The number of decisions of an address; None for the end. Raises Malformed."""
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) < 7:
        return int(text)
    raise Malformed("A replay stands at a step, at=0 and so on.")


class Step:
    """A viewer's step: his view, where the steps round it lie, and how much of the log is new."""

    def __init__(self) -> None:
        self.view: State | None = None
        self.seat: int | None = None
        self.marks: list[int] = []
        """After how many decisions of the record the viewer's steps lie."""
        self.place: int = 0
        self.heard: int = 0


def find(record: Record, viewer: int, upto: int | None) -> Step:
    """The last step that a viewer saw up to a number of decisions."""
    step = Step()
    for sight in sights(record, viewer, actions=False):
        if not step.marks or step.marks[-1] != sight.decisions:
            step.marks.append(sight.decisions)
        if upto is None or sight.decisions <= upto or step.view is None:
            if step.place != len(step.marks) - 1 and step.view is not None:
                step.heard = len(step.view.log or ())
            step.place = len(step.marks) - 1
            step.seat = sight.seat
            step.view = sight.state.mask(viewer)
    return step


@dataclass(frozen=True)
class Thought:
    """What a bot thought about a decision: its seat, what it saw, and its choice."""

    seat: int
    view: State
    choice: Choice


def thoughts_of(record: Record, step: Step, kept: dict[int, Choice]) -> list[Thought]:
    """What the bots thought whose decisions led to this step, the last of each seat."""
    upto = step.marks[step.place]
    begin = step.marks[step.place - 1] if step.place else 0
    found: dict[int, Thought] = {}
    if any(begin <= number < upto for number in kept):
        for number, (state, seat, _) in enumerate(record.steps()):
            if number >= upto:
                break
            if number >= begin and number in kept:
                found[seat] = Thought(seat, state.mask(seat), kept[number])
    return list(found.values())


def replay_context(
    render: Renderer, table: Table, token: str, record: Record, viewer: int, step: Step, thoughts: list[Thought]
) -> dict[str, Any]:
    """What replay.html is given."""
    game, view = table.game, step.view
    assert view is not None
    plain = table.names
    names = names_for(game, viewer, plain)
    here = path(table, token)
    last = step.place == len(step.marks) - 1
    lines = log(game, view, names)
    if viewer == OPEN:
        lines = [line | {"private": False} for line in lines]
    new = [line["text"] for line in lines if line["n"] >= step.heard] if step.place else []
    end = over(view, table.fold, names, plain) if last else None
    seen_as = {SPECTATOR: "watch", OPEN: "all"}.get(viewer, str(viewer))

    def address(place: int, eyes: str = seen_as) -> str:
        return f"{here}/replay?at={step.marks[place]}&as={eyes}"

    eyes = [(str(seat), name) for seat, name in enumerate(plain)] + [("watch", "everybody"), ("all", "all open")]
    return {
        "page_title": f"Replay: {title(table)} · Gonfalon",
        "table": {"key": table.key, "title": title(table), "game": game.name, "game_title": game.title},
        "game_css": render.css[game.name],
        "game_template": f"{game.name}/table.html",
        "printed": render.cards(game),
        "board": game.board(view),
        "decision": None,
        "me": viewer if viewer >= 0 else None,
        "all_open": viewer == OPEN,
        "ui": {
            **BLANK_UI,
            **NO_CONTROLS,
            "form_url": "",
            "token_hidden": {},
            "names": names,
            "waiting": " ".join(new) or ("The cards are dealt." if step.seat == CHANCE else "The table is laid."),
            "can_take_back": False,
        },
        "log": lines,
        "new_from": step.heard if step.place else 0,
        "refusal": None,
        "hint": None,
        "over": None if end is None else end | {"rematch_url": None, "replay_url": None},
        "menu": {"guide_url": guide_url(game.name), "record_url": here + "/record.json", "replay_url": None},
        "return_url": None,
        "replay": {
            "table_url": here,
            "place": step.place,
            "last": len(step.marks) - 1,
            "first_url": address(0),
            "back_url": address(max(0, step.place - 1)),
            "next_url": address(min(len(step.marks) - 1, step.place + 1)),
            "last_url": address(-1),
            "thoughts": [
                {"seat": t.seat, "name": plain[t.seat], "told": told(game, t.view, t.choice)} for t in thoughts
            ],
            "eyes": [{"name": name, "url": address(step.place, word), "now": word == seen_as} for word, name in eyes],
        },
    }
