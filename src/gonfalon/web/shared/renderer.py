"""Pages from templates: static addresses, and what a table's template is given."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from markupsafe import Markup
from starlette.responses import HTMLResponse

from gonfalon import bots, lessons
from gonfalon.bots import opponents
from gonfalon.bots.players.thoughts import told
from gonfalon.core.basics.decks import Decks
from gonfalon.core.files.record import Record
from gonfalon.core.files.replay import Course, course
from gonfalon.core.rules.game import Game, Option, names_for
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.text.emotes import EMOTES
from gonfalon.core.text.untrusted import initial
from gonfalon.table import Table
from gonfalon.table.errors import place
from gonfalon.table.links import WATCH, LinkHolder, invitation
from gonfalon.table.live.views import Drawn, Line, Over, View
from gonfalon.table.seats.seat_choices import LOT
from gonfalon.web.http.bundle import joined
from gonfalon.web.http.templates import Templates
from gonfalon.web.shared import clocks
from gonfalon.web.shared.generic_board import marked, table_of, texts
from gonfalon.web.table.ending import Told, end_context, worked_out
from gonfalon.web.table.frames import LOG, Frame
from gonfalon.web.table.rematch import rematch_context

logger: Final = logging.getLogger("gonfalon.web")

Context = dict[str, Any]
"""What a template is given, by its names there."""
HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
NO_CONTROLS: Final[Mapping[str, object]] = {"mode": None, "cards": {}, "choices": []}
TABLE: Final = ("stage", "draft", "live", "hints", "keys", "end", "drag", "clock")
REPLAY: Final = ("replay", "hints")
LESSON: Final = ("lesson", "hints", "keys", "drag")
"""The scripts of a table, of a replay, and of a lesson."""
FACE: Final = "face"
"""Where a game's folder holds templates and styles."""
PLAIN: Final = "_plain.html"
"""The table of a game that brings no template of its own."""
BLANK_UI: Final[Context] = {
    "pass": False,
    "confirm_pass": None,
    "by_itself": False,
    "window": None,
    "hint_url": None,
    "tip": "",
}


@cache
def has_part(folder: Path, part: str) -> bool:
    """Whether a game brings its own file of this name."""
    return (folder / FACE / part).is_file()


class Renderer:
    """Templates of the server, and of each game under its name: `feint/table.html`."""

    def __init__(self, kinds: dict[str, type[Game]]) -> None:
        self.kinds: dict[str, type[Game]] = kinds
        self.templates = Templates(HERE / "templates", {name: kind.folder / FACE for name, kind in kinds.items()})
        # One mark for the whole folder, in the path: scripts that import each other stay together.
        self.static_root: str = "/static/" + folder_mark(STATIC)
        self.sheets: dict[str, str] = sheets()
        self.joined: dict[str, str] = joined_scripts(kinds)
        """Scripts of pages, by the name under which they are sent."""
        self.css: dict[str, str | None] = {name: self.game_css(kind) for name, kind in kinds.items()}
        self.games: list[Context] = [lobby_game(kind) for _, kind in sorted(kinds.items())]
        """The lobby's games."""
        self.decks: dict[str, Decks] = decks_of(kinds)
        """What the games whose players bring decks know about them."""
        self.cards_urls: dict[str, str | None] = {game["name"]: game["cards_url"] for game in self.games}
        self.templates.share("static", self.static)
        self.templates.share("picture", cache(self.picture))
        self.templates.share("blazons", blazons(kinds))
        self.templates.share("workshop", True)
        self.templates.share("docs", False)
        guides = [(kinds[name].title, guide_url(kinds[name])) for name in sorted(kinds)]
        self.templates.share("guides", [(title, url) for title, url in guides if url])
        self.choices: dict[str, list[Context]] = {}
        """What seats may bring to the games, once it has been asked for."""
        self._kept: WeakKeyDictionary[Table, WeakValueDictionary[tuple[str, str], Frame]] = WeakKeyDictionary()
        """What sockets were sent last, as long as one of them is there."""
        self._cards: WeakKeyDictionary[Game, Markup] = WeakKeyDictionary()
        self._told: WeakKeyDictionary[Table, Told | None] = WeakKeyDictionary()
        self._courses: WeakKeyDictionary[Table, dict[int, Course]] = WeakKeyDictionary()

    def static(self, name: str) -> str:
        """The address of a static file, good for ever."""
        return f"{self.static_root}/{name}"

    def picture(self, name: str) -> str:
        """The address of an icon."""
        return f"{self.static(self.sheets.get(name, 'icons.svg'))}#{name}"

    def own(self, kind: Game | type[Game], part: str, default: str) -> str:
        """A game's own template of a part of its page, or the one for any game."""
        return f"{kind.name}/{part}" if has_part(kind.folder, part) else default

    def game_css(self, kind: type[Game]) -> str | None:
        """The address of a game's stylesheet, which changes with it; None for a game that has none."""
        file = kind.folder / FACE / "table.css"
        if file.is_file():
            return f"/games/{kind.name}/table.css?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        return self.static("plain.css") if self.own(kind, "table.html", PLAIN) == PLAIN else None

    def table_js(self, game: Game) -> str:
        """The address of the scripts of a game's table."""
        own = f"{game.name}-table.js"
        return self.static(own if own in self.joined else "table.js")

    def page(self, template: str, code: int = 200, **context: object) -> HTMLResponse:
        return HTMLResponse(self.templates.draw(template, context), code)

    def lesson_js(self, game: Game) -> str:
        """The address of the scripts of a lesson of a game."""
        own = f"{game.name}-lesson.js"
        return self.static(own if own in self.joined else "lessons.js")

    async def prepare(self, table: Table) -> None:
        """Work out what the page of the end tells, once the game is over: before the board is drawn."""
        if table in self._told or not table.position.over:
            return
        try:
            self._told[table] = await worked_out(table)
        except Exception as error:
            # The end without its curve is better than none.
            self._told[table] = None
            logger.error("table %s: its end is told without a curve, %s", table.key[:4], place(error))

    def course(self, table: Table, record: Record, viewer: int) -> Course:
        """The course of a table's finished game for one viewer, worked out once."""
        kept = self._courses.setdefault(table, {})
        if viewer not in kept:
            kept[viewer] = course(record, viewer)
        return kept[viewer]

    def told(self, table: Table) -> Told | None:
        """What the page of the end tells, once it has been prepared."""
        return self._told.get(table)

    def board(self, table: Table, token: str) -> Frame:
        """The live part of a table's page: what its link shows now, or the curtain."""

        def draw() -> tuple[str, list[str]]:
            context = board_context(self, table, token)
            log = self.log(context["log"], table.drawn(table.seats.who(token).viewer)) if "log" in context else []
            return self.templates.draw(context["live_template"], context | {"drawn_log": Markup(LOG)}), log

        return self._keep(table, "table", token, table.page_mark(token), draw)

    def moment(self, table: Table, token: str, number: int) -> str:
        """The live part at a moment between two decisions. Raises GoneBy."""
        return self.templates.draw("_table.html", moment_context(self, table, token, number))

    def seats(self, table: Table, token: str) -> Frame:
        """The other live part: who sits at the table, and who is here. The links to free seats come with the page
        alone, which is not compressed then; what is pushed is."""

        def draw() -> tuple[str, list[str]]:
            return self.templates.draw("_seats.html", seats_context(table, token)), []

        return self._keep(table, "seats", token, (table.company(), table.page_mark(token)), draw)

    def log(self, lines: Iterable[Line], drawn: Drawn) -> list[str]:
        """The log, of which nothing is drawn anew that stands in `drawn`."""
        drawn[:] = [
            old if old is not None and old[0] == line else (line, self.line(line))
            for line, old in zip(lines, chain(drawn, repeat(None)), strict=False)
        ]
        return [html for _, html in drawn]

    def line(self, line: Line) -> str:
        """A sentence of the log."""
        return self.templates.draw("_log_line.html", {"e": line})

    def cards(self, game: Game) -> Markup:
        """What is printed on the game's cards, for the page to show beside every board; it is the same
        for everybody and in every state."""
        if game not in self._cards:
            html = ""
            if (game.folder / FACE / "cards.html").is_file():
                context = {"cards": game.all_cards(), "guide": guide_url(game)}
                html = self.templates.draw(f"{game.name}/cards.html", context)
            elif self.own(game, "table.html", PLAIN) == PLAIN:
                html = self.templates.draw("_plain_cards.html", {"cards": texts(game)})
            self._cards[game] = Markup(html)
        return self._cards[game]

    def _keep(
        self, table: Table, part: str, token: str, mark: object, draw: Callable[[], tuple[str, list[str]]]
    ) -> Frame:
        """A part of a page, drawn anew when its mark has changed."""
        kept = self._kept.setdefault(table, WeakValueDictionary())
        frame = kept.get((part, token))
        if frame is None or frame.mark != mark:
            html, log = draw()
            frame = kept[part, token] = Frame(part, html, table.seats.who(token).viewer, mark, log)
        return frame


def page_context(render: Renderer, table: Table, token: str, base: str, refusal: str | None = None) -> Context:
    """What table.html is given: the live parts, and what lies around them."""
    who = table.seats.who(token)
    over = table.position.over
    board = board_context(render, table, token, refusal)
    return {
        **board,
        "drawn_log": Markup("".join(render.log(board.get("log", ()), table.drawn(who.viewer)[:]))),
        **seats_context(table, token, base),
        "page_title": f"{title(table)} · Gonfalon",
        "now": time.time() if table.position.clock is not None else None,
        "game_css": render.css[table.game.name],
        "table_js": render.table_js(table.game),
        "keys_template": render.own(table.game, "keys.html", "_keys.html"),
        "invented": table.game.invented,
        "printed": render.cards(table.game),
        "menu": board["menu"]
        | {
            "own_link": bool(who.holds),
            "screen_url": "screen" if who.shares and who.seated else None,
            "say_url": "emotes" if who.seated and greets(table, who) else None,
            "emotes": [{"name": name, "text": text} for name, text in EMOTES.items()],
            "concede_url": "concede" if who.seated and not over else None,
            "two": table.game.seats == 2,
        },
    }


def greets(table: Table, who: LinkHolder) -> bool:
    """Whether somebody else sits at the table who could be greeted."""
    return any(row.token is not None and row.seat not in who.holds for row in table.row.seats)


def board_context(render: Renderer, table: Table, token: str, refusal: str | None = None) -> Context:
    """What the live part is given. All of it follows from the viewer's masked state; behind the curtain of
    a device of several people it follows from what spectators see."""
    who = table.seats.who(token)
    shown = table.shown(who.viewer)
    game, over = table.game, shown["over"]
    names = names_for(game, who.viewer, shown["names"])
    common = {
        "shares": who.shares,
        "arms": [game.arms(seat) for seat in range(game.seats)],
        "table": {"key": table.key, "title": title(table), "game": game.name, "game_title": game.title},
        "begun": shown["begun"],
        "over": None if over is None else over | {"rematch": rematch_context(table, who), "replay_url": "replay"},
        "menu": {
            "guide_url": guide_url(game),
            "learn_url": learn_url(type(game)),
            "cards_url": render.cards_urls.get(game.name),
            "record_url": "record.json" if over else None,
            "replay_url": "replay" if over else None,
            # Asked is whether there is one: to make Jinkei's takes a while.
            "review_url": "review" if over and type(game).insight is not Game.insight else None,
            "fair_url": "fair" if table.row.sealing else None,
        },
    }
    if who.shares and not who.seated:
        following = table.seats.turn_of(token)
        return common | {
            "live_template": "_curtain.html",
            "next": None if following is None else {"seat": following, "name": names[following]},
            "device": [{"seat": seat, "name": names[seat]} for seat in who.holds if seat != following],
            "screen_url": "screen",
            "status": over["text"] if over else shown["prompt"],
            "moments": shown["moments"],
        }
    asked = None if who.seated and table.row.seats[who.viewer].stood_for else shown["decision"]
    template, me = render.own(game, "table.html", PLAIN), who.viewer if who.seated else None
    controls: Mapping[str, object]
    if asked is None:
        controls = NO_CONTROLS
    elif template == PLAIN:
        controls = {"mode": "choice", "choices": marked(asked["actions"])}
    else:
        controls = game.controls(table.view(who.viewer))
    hint = table.hints.given(who.viewer) if asked else None
    hidden = {"expected": shown["version"]} | ({"seat": who.viewer} if who.shares else {})
    return common | {
        "live_template": "_table.html",
        "game_template": template,
        "end": over and end_of(render, table, who.viewer, names, over),
        "board": shown["board"],
        "text": game.text(table.view(who.viewer), names) if template == PLAIN else "",
        "plain": table_of(game, shown["board"], me, names, asked["actions"] if asked else [])
        if template == PLAIN
        else None,
        "decision": asked,
        "me": me,
        "ui": {
            **BLANK_UI,
            **controls,
            "form_url": "act",
            "token_hidden": hidden,
            "names": names,
            "waiting": None if asked or over else shown["prompt"],
            "can_take_back": shown["can_take_back"],
            "back_url": "take-back" if shown["can_ask_back"] else None,
            "by_itself": table.seats.passes_by_itself(who.viewer) if asked else False,
            "window": table.moves.window_seconds(),
            "hint_url": "hint" if asked and table.row.hints else None,
            "tip": game.tips.get(asked["prompt"], "") if asked else "",
        },
        "hint": None if hint is None else told(game, table.view(who.viewer), hint, names),
        "moments": shown["moments"],
        "moment": None,
        "lasting": table.lasting(who.viewer),
        "told": told_game(shown),
        "log": shown["log"],
        "log_note": game.log_note,
        "all_open": False,
        "refusal": refusal,
        "return_url": "return" if who.seated and table.row.seats[who.viewer].stood_for and not over else None,
        "timed_out": table.position.clock is not None and who.viewer in table.position.clock.fallen,
    }


def told_game(shown: View) -> str | None:
    """What the device of a seat keeps of a game with a proved deal, beside its log (`core/files/verify.py`), as JSON."""
    if shown["proof"] is None or shown["decided"] is None:
        return None
    game = {"seat": shown["viewer"], "names": shown["names"], "decisions": shown["decided"]}
    seal = {"commitment": shown["proof"]["commitment"], "over": shown["over"] is not None}
    return json.dumps(game | seal, ensure_ascii=False)


def end_of(render: Renderer, table: Table, viewer: int, names: list[str], over: Over) -> Context:
    """What the page of the end is given; its `part` is the game's own."""
    game = table.game
    part = f"{game.name}/end.html" if has_part(game.folder, "end.html") else None
    told = render.told(table)
    return {"part": part, **end_context(game, table.view(viewer), names, table.names, over, told)}


def moment_context(render: Renderer, table: Table, token: str, number: int) -> Context:
    """What the live part is given to show a moment between two decisions: nothing is asked there. A device of several
    people shows what everybody may know; where it is more than one person's turn next, the last moment stays until
    somebody goes on, so that all have seen it. Raises GoneBy."""
    who = table.seats.who(token)
    viewer = SPECTATOR if who.shares else who.viewer
    found = table.moment(viewer, number)
    game, names = table.game, names_for(table.game, viewer, table.names)
    several = not who.seated or len(set(who.holds).intersection(table.position.waited_for())) > 1
    stays = who.shares and several and number == table.position.moment_count
    seconds = None if stays else game.moment_seconds.get(found["name"])
    head, *recap = found["text"].splitlines() or [""]
    page = {"lasting": None} | board_context(render, table, token)
    return page | {
        "live_template": "_table.html",
        "game_template": render.own(game, "table.html", PLAIN),
        "moments": number,
        "moment": {"number": number, "name": found["name"], "seconds": seconds, "recap": recap},
        "board": found["board"],
        "plain": table_of(game, found["board"], viewer if viewer >= 0 else None, names, []),
        "text": found["text"],
        "decision": None,
        "me": viewer if viewer >= 0 else None,
        "ui": {
            **BLANK_UI,
            **NO_CONTROLS,
            "form_url": "act",
            "token_hidden": {"expected": table.position.version(viewer)},
            "names": names,
            "waiting": head,
            "can_take_back": False,
        },
        "hint": None,
        "log": found["log"],
        "drawn_log": Markup("".join(render.log(found["log"], table.drawn(viewer)[:]))),
        "all_open": False,
        "over": None,
        "end": None,
        "refusal": None,
        "return_url": None,
    }


def seats_context(table: Table, token: str, base: str | None = None) -> Context:
    """What _seats.html is given: who sits where, who is here, and which seats are free, with the links to them where
    a `base` for their addresses is given."""
    who = table.seats.who(token)
    waited = table.position.waited_for()

    def address(ticket: str) -> str:
        return f"{base}/t/{table.key}/{ticket}/"

    rows = []
    times = clocks.clock_context(table, who.viewer, whole=base is not None)
    initials = [initial(name) for name in names_for(table.game, who.viewer, table.names)]
    for row, name in zip(table.row.seats, table.names, strict=True):
        ticket, first = invite(table, token, row.seat) if row.free else None, initials[row.seat]
        free = row.free and table.seats.may_give(who, row.seat)
        late = table.seats.out_of_time(row.seat) and row.seat not in who.holds
        offer = (free or late or table.seats.absent(row.seat)) and bool(who.holds) and not table.position.over
        rows.append(
            {
                "seat": row.seat,
                "name": name,
                "tag": first if initials.count(first) == 1 else str(row.seat + 1),
                "known": bool(row.name),
                "mine": row.seat in who.holds,
                "by": row.by,
                "level": bots.kind(row.bot).title if row.bot in bots.levels() else row.bot,
                "stood_for": row.stood_for,
                "presence": table.presence_of(row.seat) if row.by == "person" else None,
                "asked": row.seat in waited,
                "says": EMOTES.get(table.emotes.of(row.seat)),
                "clock": times["clocks"] and times["clocks"][row.seat],
                "late": late,
                "overdue": table.seats.out_of_time(row.seat) and row.seat in who.holds,
                "win_url": f"seats/{row.seat}/win" if table.seats.may_claim_win(who, row.seat) else None,
                "bot_url": f"seats/{row.seat}/bot" if offer else None,
                "invites": ticket is not None,
                "invite_url": address(ticket) if ticket and base else None,
            }
        )
    open_seats = [row for row in rows if row["invites"]]
    standing = table.seats.standing(who.viewer) if who.seated and not table.position.over else None
    hidden = {"seat": who.viewer} if who.shares else {}
    return {
        "seats": rows,
        "free": times["free"],
        "answers": None if standing is None else {"url": "answers", "now": standing, "hidden": hidden},
        "said": " ".join(f"{row['name']}: {row['says']}" for row in rows if row["says"] and not row["mine"]),
        "watching": table.presence.watching,
        "request": request_context(table, who),
        "late": table.bots.late,
        "unfolded": not who.shares,
        "invite": None
        if not open_seats
        else {
            "several": len(open_seats) > 1,
            "any_url": address(invitation(token)) if base else None,
            "spectator_url": address(WATCH) if base else None,
        },
    }


def request_context(table: Table, who: LinkHolder) -> Context | None:
    """What a page is told of a request to take something back, and whether it may answer."""
    request = table.position.asking.request
    if request is None or table.position.over:
        return None
    own, mine, names = request.seat in who.holds, set(who.holds), table.names
    asker, waiting = names[request.seat], set(table.requests.waits_for(table.position)) - mine
    rest = f" Waiting for {' and '.join(names[seat] for seat in sorted(waiting))}." if waiting else ""
    answers = not own and bool(mine.intersection(table.requests.people(table.position)) - request.agreed)
    if request.answer == "agreed":
        text = f"All agreed: what {'you' if own else asker} decided last is taken back."
    elif request.answer:
        no = "You do" if request.by in mine else f"{names[request.by]} does"
        text = f"{no} not agree: what {'you' if own else asker} decided stays."
    elif own:
        text = f"You have asked to take back what you decided last.{rest}"
    else:
        heard = table.position.asking.heard(who.viewer)
        since = [line for line in table.shown(who.viewer)["log"] if line["n"] >= heard]
        move = f": “{since[0]['text']}”" if since else " what they decided last."
        text = f"{asker} asks to take back{move}{'' if answers else rest}"
    return {
        "url": None if request.answer else "take-back",
        "number": request.number,
        "text": text,
        "own": own,
        "answers": answers and not request.answer,
    }


def title(table: Table) -> str:
    """What a table is called in lists and headings."""
    return titled(table.game.title, table.names)


def titled(game: str, names: list[str]) -> str:
    """What a game of these people is called."""
    return f"{game} · " + (" against ".join(names) if len(names) == 2 else ", ".join(names))


def invite(table: Table, token: str, seat: int) -> str | None:
    """The invitation to a free seat, for whoever opened the table."""
    for ticket in (invitation(token, seat), invitation(token)):
        if seat in (table.seats.invited(ticket) or ()):
            return ticket
    return None


def guide_url(game: Game | type[Game]) -> str | None:
    """Where a game's rules stand; None for a game that brings no guide."""
    return f"/games/{game.name}/guide" if (game.folder / "guide.md").is_file() else None


def learn_url(kind: type[Game]) -> str | None:
    """Where a game is learned by playing; None for a game that brings no first game."""
    return f"/learn/{kind.name}/" if any(one.kind == lessons.LESSON for one in lessons.of_game(kind)) else None


def cards_url(game: str) -> str:
    """Where a game's cards can be looked up."""
    return f"/games/{game}/cards"


def lobby_game(kind: type[Game]) -> Context:
    """What the lobby shows of a game: its public options, and what its `lobby()` adds."""
    game = kind()
    return {
        "name": kind.name,
        "title": kind.title,
        "seats": seat_words(kind.seat_counts),
        "others": others_of(kind),
        "picks": any(o.name == "factions" and isinstance(o.default, tuple) for o in kind.options_spec),
        "tagline": kind.tagline or (kind.__doc__ or "").strip().partition("\n")[0],
        "invented": kind.invented,
        "guide_url": guide_url(kind),
        "hints": "yes" if kind.hints else "no",
        "clocks": clocks.offered(kind),
        "cards_url": cards_url(kind.name) if game.catalogue() else None,
        "factions": [],
        "bots": [
            {"value": f"bot:{level}", "title": bot.title, "about": bot.about, "icon": bot.icon}
            for level in reversed(opponents(game))
            for bot in [bots.kind(level)]
        ],
        "usual": f"bot:{bots.usual(game)}",
        "options": [lobby_option(o) for o in kind.options_spec if asked_for(kind, o)],
        **lobby_of(kind),
        "bring": lobby_decks(kind),
    }


def seat_words(counts: tuple[int, ...]) -> str:
    """`2`, `2 to 5`, `2 or 4`."""
    low, high = min(counts), max(counts)
    if len(counts) > 2 and len(counts) == high - low + 1:
        return f"{low} to {high}"
    return " or ".join(str(n) for n in counts)


def others_of(kind: type[Game]) -> list[Context]:
    """The rows of the lobby in which the opener says who else plays; none in a game for two, which is
    asked for an opponent. As many are filled as the game has seats by default."""
    if kind.seat_counts == (2,):
        return []
    usual = kind().seats
    rows = range(1, max(kind.seat_counts))
    return [{"n": n, "needed": n < min(kind.seat_counts), "filled": n < usual} for n in rows]


def asked_for(kind: type[Game], option: Option) -> bool:
    """Whether the lobby's house rules ask for an option: not for lists, which the game's own part of the
    lobby asks for, and not for the number of seats, which follows from who sits down."""
    counted = option.name == "seats" and len(kind.seat_counts) > 1
    return option.public and not counted and not isinstance(option.default, tuple)


def lobby_of(kind: type[Game]) -> Context:
    """A game's own part of the lobby (`factions` to pick from); games need none."""
    found = getattr(kind, "lobby", None)
    lobby: Context = dict(found()) if found is not None else {}
    if "factions" in lobby:
        lobby["factions"] = [{"text": faction.get("style", ""), **faction} for faction in lobby["factions"]]
    return lobby


def offered(option: Option) -> bool:
    """Whether a page or a program may set an option: public ones, and lists (a value a seat), which the
    game's own part of the lobby asks for; never files."""
    return (option.public or isinstance(option.default, tuple)) and not option.file


def decks_of(kinds: dict[str, type[Game]]) -> dict[str, Decks]:
    """The games with decks, by name."""
    found = {name: kind().decks() for name, kind in kinds.items()}
    return {name: decks for name, decks in found.items() if decks is not None}


def shelf_url(game: str) -> str:
    """Where the decks for a game are."""
    return f"/games/{game}/decks"


def builder_url(game: str) -> str:
    """Where they are built."""
    return f"/games/{game}/decks/build"


def lobby_decks(kind: type[Game]) -> Context | None:
    """The ready-made decks to choose from, and where one's own are; None for a game without decks."""
    decks = kind().decks()
    if decks is None:
        return None
    ready = [{"value": decks.word(deck), "label": deck.name} for deck in decks.ready()]
    return {"option": decks.option, "ready": ready, "lot": LOT, "url": shelf_url(kind.name)}


def blazons(kinds: dict[str, type[Game]]) -> dict[str, tuple[str, str]]:
    """Pattern and glyph of every faction of every game."""
    lobbies = [lobby_of(kind) for kind in kinds.values()]
    factions = [faction for lobby in lobbies for key in ("factions", "banners") for faction in lobby.get(key, [])]
    return {f["slug"]: (f.get("pattern") or "plain", f.get("glyph") or "gonfalon") for f in factions}


def lobby_option(option: Option) -> Context:
    """An option as a form asks for it."""
    default = option.default
    kind = "bool" if isinstance(default, bool) else "int" if isinstance(default, int) else "str"
    choices = [{"value": value, "label": label} for value, label in option.choices]
    return {
        "name": option.name,
        "label": option.label,
        "help": option.help,
        "choices": choices or None,
        "default": default,
        "type": "choice" if choices else kind,
        "least": option.least,
        "most": option.most,
    }


def sheets() -> dict[str, str]:
    """By the name of each icon the file it lies in. What one game alone draws has a file of that game's, so that nobody
    else loads it."""
    texts = {file.name: file.read_text("utf-8") for file in STATIC.glob("*.svg")}
    return {icon: name for name, text in texts.items() for icon in re.findall(r'<symbol id="([^"]+)"', text)}


def joined_scripts(kinds: Iterable[str]) -> dict[str, str]:
    """The scripts of tables and replays, each as one with the vendored one that they need; some games add their own to
    a table's."""
    morphing = (STATIC / "vendor" / "idiomorph.min.js").read_text("utf-8")
    scripts = {"table": TABLE, "lesson": LESSON}
    with_own = [name for name in kinds if (STATIC / f"{name}.js").is_file()]
    own = {f"{name}-{page}.js": (*modules, name) for name in with_own for page, modules in scripts.items()}
    pages = {"table.js": TABLE, "lessons.js": LESSON, "replays.js": REPLAY, **own}
    return {name: morphing + joined(STATIC, modules) for name, modules in pages.items()}


def folder_mark(folder: Path) -> str:
    """A short hash of all files of a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def package_version() -> str:
    """The installed version, empty in a bare checkout."""
    try:
        return version("gonfalon")
    except PackageNotFoundError:
        return ""
