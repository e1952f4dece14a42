"""The context of pages before the deal: players, readiness, and choices."""

from __future__ import annotations

import math
from typing import Final

from markupsafe import Markup

from gonfalon.bots.levels import write_level_note
from gonfalon.core.basics.decks import Deck
from gonfalon.core.files.card_sets import has_own_cards
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.files.start_position import describe_start, find_start
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import CARD_SET
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.english import many
from gonfalon.core.text.untrusted import isolate
from gonfalon.table import LinkHolder, Table
from gonfalon.table import messages as table_messages
from gonfalon.table.accounts import REASONS
from gonfalon.table.links import WATCH, derive_invitation
from gonfalon.table.seats.seat_choices import LOT, find_choice_option, list_banners, list_factions
from gonfalon.table.store.store import SeatRow
from gonfalon.web import messages
from gonfalon.web.shared.clocks import describe_clock
from gonfalon.web.shared.game_info import builder_url
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.own_cards import describe_own_cards
from gonfalon.web.table.proofs import proof_context
from gonfalon.web.table.table_context import table_title

MAX_CHOICES: Final = 100
"""The number of games and sets of cards whose choices are kept."""


def sides_context(table: Table, who: LinkHolder) -> Context:
    """Return the context of _sides.html: for each seat its player, announced factions and readiness."""
    rows, opened = [], table.gathering.is_opened_by(who)
    mine = who.seats[:1] if who.invited else who.holds
    for row in table.row.seats:
        vacant = messages.YOUR_FRIEND if opened and not table.row.offer else messages.FREE_SEAT
        rows.append(
            {
                "seat": row.seat,
                "name": messages.YOU if row.seat in mine and not row.name else isolate(row.name) or vacant,
                "mine": row.seat in mine,
                "free": row.free and not row.expected,
                "by": row.by,
                "note": write_level_note(row.bot, table.game),
                "ready": row.prepared,
                "answer": row.ready,
                "declined": describe_refusal(row),
                "program": row.program is not None,
                "banners": table.gathering.list_banners(row.seat),
                "presence": table.presence_of(row.seat) if row.by == "person" or row.program else None,
                "bot_url": f"seats/{row.seat}/bot" if opened and table.seats.is_absent(row.seat) else None,
            }
        )
    return {
        "sides": rows,
        "watching": table.presence.watching,
        "clock": describe_clock(table),
        "begun": describe_start(find_start(table.game), table.names),
        "own_cards": describe_own_cards(table.game),
    }


def describe_refusal(row: SeatRow) -> str:
    """Return that the player of a seat does not come; from a program with its reason."""
    reason = REASONS.get(row.reason)
    return messages.PROGRAM_DECLINED.format(reason=reason) if reason else messages.DOES_NOT_COME


def link_context(table: Table, token: str, base: str) -> Context | None:
    """Return the link that the opener of a table sends to friends, with its QR code; None for others, and if no seat is
    free."""
    # It follows from the reader's own token, so only the opener finds one.
    ticket = derive_invitation(token)
    free = len(table.seats.find_invited_seats(ticket) or ()) if table.gathering.waits else 0
    if not free:
        return None
    url = f"{base}/t/{table.key}/{ticket}/"
    return {
        "url": url,
        "qr": draw_qr(url),
        "several": free > 1,
        "watch_url": f"{base}/t/{table.key}/{WATCH}/",
        "share": messages.SHARE_LINK.format(game=table.game.title),
        "listed": describe_listing(table),
    }


def describe_listing(table: Table) -> str:
    """Return that the lobby lists a table, and when a bot sits down; empty for a table by link only."""
    row = table.row
    if row.bot_at is None:
        return messages.LISTED if row.offer else ""
    minutes = max(1, math.ceil((row.bot_at - table.backend.now()) / 60))
    return messages.LISTED_UNTIL.format(level=row.bot_level.capitalize(), time=many(minutes, "minute"))


def draw_qr(link: str) -> Markup:
    """Return the QR code of a link as SVG."""
    import segno  # few pages need it

    code = segno.make_qr(link, error="m")
    return Markup(code.svg_inline(border=2, omitsize=True, svgclass=None, lineclass=None))


def bring_context(render: Renderer, table: Table, who: LinkHolder, error: str | None = None) -> Context:
    """Return the context of _bring.html: the choices that the people of a link may still make or revoke."""
    gathering, rows = table.gathering, table.row.seats
    held = who.seats[:1] if who.invited else who.holds
    ready = bool(held) and all(rows[seat].ready == "yes" for seat in held)
    unfit = [seat for seat in held if rows[seat].ready == "unfit"]
    faults = [
        messages.CHOICE_NOT_LEGAL.format(fault=gathering.find_fault(seat, rows[seat].brings) or "") for seat in unfit
    ]
    free = messages.A_PLAYER.lower() if table.row.offer else messages.A_FRIEND
    late = [isolate(row.name) or free for row in rows if gathering.waits_for(row) and row.seat not in held]
    return {
        "table": {"title": table_title(table), "game_title": table.game.title},
        "brings": find_choice_option(table.game),
        "lobby_url": f"/#g-{table.game.name}",
        "closed": table_messages.WITHDRAWN if gathering.closed else None,
        "held": bool(held),
        "ready": ready,
        "late": late,
        "stood_for": any(rows[seat].stood_for for seat in held),
        "opened": gathering.is_opened_by(who),
        "rematch": table.row.rematch_of is not None,
        "error": error or next(iter(faults), None),
        "proof": proof_context(table, who),
        "picks": []
        if ready
        else [build_pick(render, table, seat, len(held)) for seat in held if find_choice_option(table.game)],
    }


def build_pick(render: Renderer, table: Table, seat: Seat, held: int) -> Context:
    """Return the choices of a seat."""
    row, several = table.row.seats[seat], held > 1
    choices = render_choices(render, table.game)
    known = [choice["value"] for choice in choices]
    gone = [] if table.game.options.get("mirror") else table.gathering.list_taken_factions()
    free = [value for value in known if value not in gone]
    now = row.brings if row.brings in free else "" if row.brings and row.brings not in known else next(iter(free), "")
    fault = table.gathering.find_fault(seat, row.brings) if not now else None
    if fault is not None:
        now = next(iter(free), "")
    return {
        "field": f"-{seat}" if several else "",
        "name": isolate(row.name) if several else None,
        "choices": [
            choice | {"checked": choice["value"] == now, "gone": choice["value"] in gone} for choice in choices
        ],
        "own": own_deck(table.game, row.brings if row.brings not in known else "", fault),
    }


def own_deck(game: Game, text: str, fault: str | None) -> Context | None:
    """Return the preset deck of a player's own, if any, and why it is invalid; None in a game without decks."""
    decks, url = game.decks(), builder_url(game.name)
    if decks is None:
        return None
    deck = decks.parse(text)[0] if "\n" in text else Deck("", {})
    return {
        "game": game.name,
        "url": url,
        "name": (deck.name or messages.YOUR_OWN_DECK) if text else None,
        "fault": fault,
        "mend_url": f"{url}{decks.link(deck)}#check",
    }


def render_choices(render: Renderer, game: Game) -> list[Context]:
    """Return the rendered preset decks or factions that a seat may bring to any table of a game with the same cards."""
    cards = f"{game.name} {game.data_hash}" if has_own_cards(game) else game.name
    kept = render.choices.get(cards)
    if kept is None:
        if len(render.choices) >= MAX_CHOICES:
            render.choices.clear()
        kept = render.choices[cards] = choices_of(game if has_own_cards(game) else type(game)())
    return kept


def choices_of(game: Game) -> list[Context]:
    """Return the preset decks or factions of a game with its cards."""
    decks = game.decks()
    if decks is None:
        return [
            {
                "value": faction["slug"],
                "name": faction["name"],
                "about": faction.get("text", faction.get("style", "")),
                "banners": [{"slug": faction["slug"], "colour": faction.get("colour", "")}],
            }
            for faction in list_factions(game)
        ]
    cards = {name: game.options[name] for name in (data_option(game), CARD_SET) if game.options.get(name) is not None}
    found: list[Context] = [
        {
            "value": decks.word(deck),
            "name": deck.name,
            "about": messages.DECK_SIZE.format(cards=decks.figures(deck).size),
            "banners": list_banners(lambda _, **options: type(game)(**options), game, cards, 0, decks.word(deck)),
        }
        for deck in decks.ready()
    ]
    return [*found, {"value": LOT, "name": messages.SURPRISE_ME, "about": messages.DRAWN_AT_START, "banners": []}]


def wait_context(render: Renderer, table: Table, token: str, base: str, error: str | None = None) -> Context:
    """Return the context of wait.html."""
    who = table.seats.find_holder(token)
    return {
        **sides_context(table, who),
        **bring_context(render, table, who, error),
        "link": link_context(table, token, base),
        "invented": table.game.invented,
        "shares": who.shares,
    }
