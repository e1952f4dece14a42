"""The template context of a table's page: board, seats, requests, moments."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence

from markupsafe import Markup

from gonfalon.bots.levels import LEVELS
from gonfalon.bots.players.thoughts import told
from gonfalon.core.files.card_sets import find_set_name
from gonfalon.core.files.replay import Course
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.log import Line
from gonfalon.core.rules.state import SPECTATOR, Seat
from gonfalon.core.text.emotes import EMOTES
from gonfalon.core.text.untrusted import initial, isolate
from gonfalon.table import Table
from gonfalon.table.game.takebacks import Request
from gonfalon.table.links import LinkHolder
from gonfalon.table.live.views import Moment, Over, View
from gonfalon.web import messages
from gonfalon.web.shared import clocks
from gonfalon.web.shared.generic_board import build_table, mark_answers
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import BLANK_UI, NO_CONTROLS, PLAIN, Context, has_part
from gonfalon.web.table.ending import ReviewNews, can_review, end_context
from gonfalon.web.table.own_cards import describe_own_cards, list_marks
from gonfalon.web.table.rematch import rematch_context


def page_context(
    render: Renderer,
    table: Table,
    token: str,
    refusal: Context | None = None,
    course: Course | None = None,
    news: ReviewNews | None = None,
) -> Context:
    """Return the context of table.html: the live parts and their surroundings."""
    who = table.seats.find_holder(token)
    over = table.position.over
    board = board_context(render, table, token, refusal, course, news)
    return {
        **board,
        # A copy, because `Renderer.log` overwrites the list, and only live frames own the cache.
        "drawn_log": Markup(
            "".join(render.log(board.get("log", ()), table.rendered_log(who.viewer)[:], board.get("past_url", "")))
        ),
        **seats_context(table, token, whole=True),
        "page_title": f"{table_title(table)} · Gonfalon",
        "now": time.time() if table.position.clock is not None else None,
        "game_css": render.css[table.game.name],
        "table_js": render.table_js(table.game),
        "keys_template": render.own(table.game, "keys.html", "_keys.html"),
        "invented": table.game.invented,
        "printed": render.cards(table.game, list_marks(table.game)),
        "menu": board["menu"]
        | {
            "own_link": bool(who.holds),
            "screen_url": "screen" if who.shares and who.seated else None,
            "say_url": "emotes" if who.seated and can_greet(table, who) else None,
            "report_url": "report" if who.holds and can_greet(table, who) else None,
            "emotes": [{"name": name, "text": text} for name, text in EMOTES.items()],
            "concede_url": "concede" if who.seated and not over else None,
            "two": table.game.seats == 2,
        },
    }


def can_greet(table: Table, who: LinkHolder) -> bool:
    """Return whether another player is at the table to send emotes to."""
    return any(row.token is not None and row.seat not in who.holds for row in table.row.seats)


def board_context(
    render: Renderer,
    table: Table,
    token: str,
    refusal: Context | None = None,
    course: Course | None = None,
    news: ReviewNews | None = None,
) -> Context:
    """Return the context of the board. It follows from the viewer's masked state; behind the curtain of a shared
    device, from the spectators' view."""
    who = table.seats.find_holder(token)
    shown = table.build_view(who.viewer)
    game, over = table.game, shown["over"]
    names = names_for(game, who.viewer, shown["names"])
    common = {
        "shares": who.shares,
        "own_cards": describe_own_cards(game),
        "changed": list_marks(game),
        "arms": [game.arms(seat) for seat in range(game.seats)],
        "table": {"key": table.key, "title": table_title(table), "game": game.name, "game_title": game.title},
        "begun": shown["begun"],
        "over": None if over is None else over | {"rematch": rematch_context(table, who), "replay_url": "replay"},
        "menu": {
            **render.game_links(type(game)),
            "record_url": "record.json" if over else None,
            "replay_url": "replay" if over else None,
            "review_url": "review" if over and can_review(game) else None,
            "fair_url": "fair" if table.row.sealing else None,
        },
    }
    # Behind the curtain no seat's view is computed.
    if who.shares and not who.seated:
        following = table.seats.find_next_person(token)
        return common | {
            "live_template": "_curtain.html",
            "next": None
            if following is None
            else {"seat": following, "name": names[following], "arms": game.arms(following)},
            "news": "" if over or not shown["log"] else shown["log"][-1]["text"],
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
        controls = {"mode": "choice", "choices": mark_answers(asked["actions"])}
    else:
        controls = game.controls(table.view(who.viewer))
    hint = table.hints.given(who.viewer) if asked else None
    hidden = {"expected": shown["version"]} | ({"seat": who.viewer} if who.shares else {})
    return common | {
        "live_template": "_table.html",
        "game_template": template,
        "end": over and build_end(table, who.viewer, names, over, course, news),
        "board": shown["board"],
        "text": game.text(table.view(who.viewer), names) if template == PLAIN else "",
        "plain": build_table(game, shown["board"], me, names, asked["actions"] if asked else [])
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
            "window": table.windows.seconds(),
            "live": who.seated and over is None,
            "held": who.seated and asked is None and who.viewer in table.position.find_awaited_seats(),
            "hints": table.row.hints,
            "hint_url": "hint" if asked and table.row.hints else None,
            "tip": game.tips.get(asked["prompt"], "") if asked else "",
        },
        "hint": None if hint is None else told(game, table.view(who.viewer), hint, names),
        "moments": shown["moments"],
        "moment": None,
        "lasting": table.lasting_board(who.viewer),
        "told": dump_kept_game(shown),
        "log": shown["log"],
        "past_url": "" if game.moments_pass else "past",
        "last": find_last_move(shown["log"]),
        "log_note": game.log_note,
        "all_open": False,
        "refusal": refusal,
        "return_url": "return" if who.seated and table.row.seats[who.viewer].stood_for and not over else None,
        "timed_out": table.position.clock is not None and who.viewer in table.position.clock.fallen,
    }


def find_last_move(log: Sequence[Line]) -> str:
    """Return the last sentence of a log that all viewers read and that is no consequence of another."""
    return next((line["text"] for line in reversed(log) if not line["private"] and not line["indent"]), "")


def dump_kept_game(shown: View) -> str | None:
    """Return, as JSON, the facts that a device stores of a game with a proved deal (`core/files/verify.py`)."""
    if shown["proof"] is None or shown["decided"] is None:
        return None
    game = {"seat": shown["viewer"], "names": shown["names"], "decisions": shown["decided"]}
    seal = {"commitment": shown["proof"]["commitment"], "over": shown["over"] is not None}
    return json.dumps(game | seal, ensure_ascii=False)


def build_end(
    table: Table, viewer: int, names: list[str], over: Over, course: Course | None, news: ReviewNews | None
) -> Context:
    """Return the context of the end page; its `part` is the game's own template."""
    game = table.game
    part = f"{game.name}/end.html" if has_part(game.folder, "end.html") else None
    return {"part": part, **end_context(game, table.view(viewer), names, table.names, over, course, news)}


def moment_context(render: Renderer, table: Table, token: str, number: int) -> Context:
    """Return the context of the board at a moment between two decisions, without a question. A shared device shows the
    spectators' view; where several of its people are asked next, the last moment stays until one of them continues,
    so that all have seen it. Raises GoneBy."""
    who = table.seats.find_holder(token)
    viewer = SPECTATOR if who.shares else who.viewer
    found = table.moment(viewer, number)
    several = not who.seated or len(set(who.holds).intersection(table.position.find_awaited_seats())) > 1
    stays = who.shares and several and number == table.position.moment_count
    seconds = None if stays else table.game.moment_seconds.get(found["name"])
    head, *recap = found["text"].splitlines() or [""]
    moment = {"number": number, "name": found["name"], "seconds": seconds, "recap": recap}
    return still_context(render, table, token, viewer, found, head) | {
        "moments": number,
        "moment": moment,
        "log": found["log"],
        "drawn_log": Markup("".join(render.log(found["log"], table.rendered_log(viewer)[:]))),
    }


def past_context(render: Renderer, table: Table, token: str, line: int, found: Moment) -> Context:
    """Return the context of the board after a sentence of the viewer's log (`Table.past`), beside the whole log."""
    viewer = table.seats.find_holder(token).viewer
    log = table.build_view(viewer)["log"]
    # One decision can cause several sentences. The board is the one after the last of them, so that one is marked.
    last, text = (found["log"][-1]["n"], found["log"][-1]["text"]) if found["log"] else (line, "")
    return still_context(render, table, token, viewer, found, text) | {
        "past": last,
        "log": log,
        "drawn_log": Markup("".join(render.log(log, table.rendered_log(viewer)[:], "past"))),
    }


def still_context(render: Renderer, table: Table, token: str, viewer: int, found: Moment, status: str) -> Context:
    """Return the context of a board that is not the present one, with a status in place of a question."""
    game, names = table.game, names_for(table.game, viewer, table.names)
    # The context of a curtain has no `lasting`, but the board needs it.
    page = {"lasting": None, "moments": table.position.moment_count} | board_context(render, table, token)
    return page | {
        "live_template": "_table.html",
        "game_template": render.own(game, "table.html", PLAIN),
        "moment": None,
        "board": found["board"],
        "plain": build_table(game, found["board"], viewer if viewer >= 0 else None, names, []),
        "text": found["text"],
        "decision": None,
        "me": viewer if viewer >= 0 else None,
        "ui": {
            **BLANK_UI,
            **NO_CONTROLS,
            "form_url": "act",
            "token_hidden": {"expected": table.position.version(viewer)},
            "names": names,
            "waiting": status,
            "can_take_back": False,
        },
        "hint": None,
        "last": "",
        "all_open": False,
        "over": None,
        "end": None,
        "refusal": None,
        "return_url": None,
    }


def seats_context(table: Table, token: str, whole: bool = False) -> Context:
    """Return the context of _seats.html, players and presence, for a `whole` page or for a live update."""
    who = table.seats.find_holder(token)
    waited = table.position.find_awaited_seats()
    rows = []
    times = clocks.clock_context(table, who.viewer, whole)
    initials = [initial(name) for name in names_for(table.game, who.viewer, table.names)]
    for row, name in zip(table.row.seats, table.names, strict=True):
        first = initials[row.seat]
        free = row.free and table.seats.may_give_to_bot(who, row.seat)
        late = table.seats.is_out_of_time(row.seat) and row.seat not in who.holds
        offer = (free or late or table.seats.is_absent(row.seat)) and bool(who.holds) and not table.position.over
        rows.append(
            {
                "seat": row.seat,
                "name": name,
                "tag": first if initials.count(first) == 1 else str(row.seat + 1),
                "known": bool(row.name),
                "mine": row.seat in who.holds,
                "by": row.by,
                "level": LEVELS[row.bot].title if row.bot in LEVELS else row.bot,
                "note": table.facts.seats[row.seat]["note"],
                "stood_for": row.stood_for,
                "program": row.program is not None,
                # A program leaves the table at the end, although it is connected and answers a rematch.
                "presence": None
                if row.by != "person" or (row.program is not None and table.position.over)
                else table.presence_of(row.seat),
                "asked": row.seat in waited,
                "says": EMOTES.get(table.emotes.of(row.seat)),
                "clock": times["clocks"] and times["clocks"][row.seat],
                "late": late,
                "overdue": table.seats.is_out_of_time(row.seat) and row.seat in who.holds,
                "win_url": f"seats/{row.seat}/win" if table.seats.may_claim_win(who, row.seat) else None,
                "bot_url": f"seats/{row.seat}/bot" if offer else None,
            }
        )
    standing = table.seats.standing_answer(who.viewer) if who.seated and not table.position.over else None
    hidden = {"seat": who.viewer} if who.shares else {}
    return {
        "seats": rows,
        "free": times["free"],
        "answers": None if standing is None else {"url": "answers", "now": standing, "hidden": hidden},
        "said": " ".join(f"{row['name']}: {row['says']}" for row in rows if row["says"] and not row["mine"]),
        "watching": table.presence.watching,
        "request": request_context(table, who),
        "late": table.bots.late,
    }


def request_context(table: Table, who: LinkHolder) -> Context | None:
    """Return the undo request for a page, and whether its player may answer."""
    request = table.position.asking.request
    if request is None or table.position.over:
        return None
    own, mine, names = request.seat in who.holds, set(who.holds), table.names
    waiting = set(table.requests.waits_for(table.position)) - mine
    answers = not own and bool(mine.intersection(table.requests.people(table.position)) - request.agreed)
    text = describe_answer(request, names, mine) if request.answer else describe_request(table, who, request)
    if waiting and not answers and not request.answer:
        waited = " and ".join(names[seat] for seat in sorted(waiting))
        text = messages.WAITING_FOR.format(text=text, names=waited)
    return {
        "url": None if request.answer else "take-back",
        "number": request.number,
        "text": text,
        "own": own,
        "answers": answers and not request.answer,
    }


def describe_request(table: Table, who: LinkHolder, request: Request) -> str:
    """Return an open undo request in words."""
    if request.seat in who.holds:
        return messages.YOU_ASKED_UNDO
    heard, player = table.position.asking.count_known_events(who.viewer), table.names[request.seat]
    since = [line for line in table.build_view(who.viewer)["log"] if line["n"] >= heard]
    if not since:
        return messages.ASKED_UNDO.format(player=player)
    return messages.ASKED_UNDO_OF.format(player=player, move=since[0]["text"])


def describe_answer(request: Request, names: Sequence[str], mine: Collection[Seat]) -> str:
    """Return the answer to an undo request in words for the player of these seats."""
    own, player = request.seat in mine, names[request.seat]
    if request.answer == "agreed":
        return messages.UNDO_GRANTED_TO_YOU if own else messages.UNDO_GRANTED.format(player=player)
    if request.by in mine:
        return messages.YOU_REFUSED_UNDO.format(player=player)
    if own:
        return messages.UNDO_REFUSED_TO_YOU.format(refuser=names[request.by])
    return messages.UNDO_REFUSED.format(refuser=names[request.by], player=player)


def table_title(table: Table) -> str:
    """Return the name of a table in lists and headings, with that of its own cards."""
    title, cards = game_title(table.game.title, table.names), find_set_name(table.game)
    return f"{title} · {isolate(cards)}" if cards else title


def game_title(game: str, names: list[str]) -> str:
    """Return the name of a game between these people."""
    return f"{game} · " + (" against ".join(names) if len(names) == 2 else ", ".join(names))
