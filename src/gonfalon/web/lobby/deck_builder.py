"""The deck builder, for every game with decks.

The whole page is in its address: the cards as a share code, the filters, a test hand. So nothing is stored, the
browser's Back is undo, and the address is the deck. Every change is a plain form post that leads to the next address.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from gonfalon.core.basics.decks import MAX_NAME_LENGTH, Deck, DeckCard, DeckError, Decks, clean_deck_name
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.table.seats.seat_choices import LOT
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.http.forms import read_file, read_form
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.lobby.deck_shelf import arms_of, build_columns, find_decks, list_faults
from gonfalon.web.lobby.lobby import choose_level
from gonfalon.web.lobby.open_table import open_table
from gonfalon.web.shared import preferences
from gonfalon.web.shared.context import base_url, services_of, table_path
from gonfalon.web.shared.deck_links import describe_faults, name_deck
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_info import builder_url, cards_url, guide_url, list_printed, shelf_url
from gonfalon.web.shared.template_context import Context

SYSTEM: Final = secrets.SystemRandom()
KEPT: Final = re.compile("[a-z0-9]{1,12}")
TURNS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12)
MAX_CODE_LENGTH: Final = 2000
MAX_COPIES: Final = 9
"""The number of copies of a card that the builder adds. A draft may be illegal, but need not be absurd."""


@dataclass(frozen=True)
class Draft:
    """The state of the builder's page."""

    deck: Deck
    faction: str = ""
    group: str = ""
    cost: str = ""
    query: str = ""
    turn: int = 3
    hand: tuple[str, ...] = ()
    before: str = ""
    """The code of the deck before it was filled up; empty if it has been changed since."""
    kept: str = ""
    """The id under which the visitor's device keeps the deck; empty if it does not."""

    def shows(self, card: DeckCard) -> bool:
        """Return whether the filters let a card through: each word of the query must appear on it."""
        words = " ".join((card.name, card.text, *(value for _, value in card.facts))).lower()
        return (
            (not self.faction or card.faction in self.faction.split("."))
            and self.group in ("", card.group)
            and self.cost in ("", str(card.cost))
            and all(word in words for word in self.query.lower().split())
        )


# ---- pages -------------------------------------------------------------------------------------------------------


async def show_builder(request: Request) -> Response:
    """Show the builder with the deck of the address."""
    kind, decks = find_decks(request)
    try:
        draft = read_draft(decks, request.query_params)
    except DeckError as error:
        rest = {key: value for key, value in request.query_params.items() if key != "d"}
        return render_builder(request, kind, read_draft(decks, rest), str(error), 400)
    return render_builder(request, kind, draft)


async def change_draft(request: Request) -> Response:
    """Change the deck or the filters, and redirect to the new address."""
    kind, decks = find_decks(request)
    form = await read_form(request, files=1)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    try:
        draft = read_draft(decks, fields)
    except DeckError as error:
        raise Malformed(messages.NO_DECK_IN_FORM.format(fault=error)) from None
    try:
        if text := await read_file(form, "file"):
            fields["text"] = text
        changed, anchor = apply_button(decks, draft, fields)
    except (DeckError, Malformed) as error:
        return render_builder(request, kind, draft, list_faults(error), 400, fields.get("text", ""))
    # 303 makes the browser load the page by GET, so reloading repeats no change.
    return RedirectResponse(draft_address(kind.name, decks, changed) + anchor, 303)


async def play_deck(request: Request) -> Response:
    """Open a table at which the opener plays the deck of the form."""
    kind, decks = find_decks(request)
    form = await read_form(request)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    try:
        draft = read_draft(decks, fields)
    except DeckError as error:
        raise Malformed(messages.NO_DECK_IN_FORM.format(fault=error)) from None
    try:
        faults = decks.check(draft.deck)
        if faults:
            raise OptionError(messages.DECK_NOT_LEGAL.format(fault=describe_faults(faults)))
        wish = (
            LOT if fields.get("opponent") == "friend" else fields.get("code", "").strip() or fields.get("against", "")
        )
        if wish != LOT:
            other = decks.find(wish)
            faults = decks.check(other)
            if faults:
                raise OptionError(messages.OPPONENT_DECK_NOT_LEGAL.format(fault=describe_faults(faults)))
            wish = name_deck(decks, other)
        table = {f"{decks.option}.0": name_deck(decks, draft.deck), f"{decks.option}.1": wish}
        table |= {key: fields.get(key, "") for key in ("opponent", "seat")} | {"name": fields.get("player", "")}
        opened, token = await open_table(request, kind, table)
    except (DeckError, OptionError, TooMany) as error:
        return render_builder(request, kind, draft, str(error), explain_error(error)[0])
    response = RedirectResponse(table_path(opened.key, token), 303)
    chosen = {"name": table["name"], "opponent": table["opponent"] if table["opponent"].startswith("bot:") else ""}
    chosen[f"{decks.option}.0"] = decks.link(draft.deck)
    preferences.store_preferences(request, response, preferences.read_preferences(request).also(kind.name, chosen))
    return response


async def show_deck_file(request: Request) -> Response:
    """Return the deck of the address as a deck file."""
    kind, decks = find_decks(request)
    deck = read_draft(decks, request.query_params).deck
    # Only ASCII letters and digits remain, so the name cannot break out of the header.
    name = "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in deck.name.lower()).split())
    headers = {"content-disposition": f'attachment; filename="{name or kind.name}.deck"'}
    return PlainTextResponse(decks.text(deck), headers=headers)


async def show_qr_code(request: Request) -> Response:
    """Return the QR code of the link to the deck of the address, as a picture. Raises Nothing."""
    import segno  # few pages need it

    kind, decks = find_decks(request)
    link = base_url(request) + draft_address(kind.name, decks, Draft(read_draft(decks, request.query_params).deck))
    picture = BytesIO()
    try:
        segno.make_qr(link, error="l").save(picture, kind="svg", border=2, light="#fff", omitsize=True)
    except segno.DataOverflowError:
        raise Nothing(messages.LINK_TOO_LONG) from None
    return Response(picture.getvalue(), media_type="image/svg+xml")


# ---- addresses and changes ------------------------------------------------------------------------------------------


def read_draft(decks: Decks, fields: Mapping[str, str]) -> Draft:
    """Return the draft of an address or a form. Invalid fields are dropped; a bad code raises DeckError."""
    code = fields.get("d", "").strip()
    deck = decks.decode(code) if code else Deck("", {})
    name = clean_deck_name(fields.get("name", ""))
    turn = fields.get("turn", "")
    left = Counter(decks.pile(deck))
    hand: list[str] = []
    for id in fields.get("hand", "").split("."):
        # A hand in an address may hold no more copies than the deck.
        if left[id] > 0:
            left[id] -= 1
            hand.append(id)
    return Draft(
        replace(deck, name=name),
        fields.get("faction", "")[:MAX_NAME_LENGTH],
        fields.get("group", "")[:MAX_NAME_LENGTH],
        fields.get("cost", "")[:MAX_NAME_LENGTH],
        fields.get("q", "").strip()[:MAX_NAME_LENGTH],
        int(turn) if turn in map(str, TURNS) else 3,
        tuple(hand),
        fields.get("before", "")[:MAX_CODE_LENGTH],
        fields.get("kept", "") if KEPT.fullmatch(fields.get("kept", "")) else "",
    )


def draft_address(game: str, decks: Decks, draft: Draft) -> str:
    """Return the address of a draft."""
    fields = {
        "d": decks.code(draft.deck) if draft.deck.counts else "",
        "name": draft.deck.name,
        "faction": draft.faction,
        "group": draft.group,
        "cost": draft.cost,
        "q": draft.query,
        "turn": "" if draft.turn == 3 else str(draft.turn),
        "hand": ".".join(draft.hand),
        "before": draft.before,
        "kept": draft.kept,
    }
    query = urlencode({key: value for key, value in fields.items() if value})
    return builder_url(game) + (f"?{query}" if query else "")


def apply_button(decks: Decks, draft: Draft, fields: Mapping[str, str]) -> tuple[Draft, str]:
    """Carry out a form's button, and return the place on the page to continue at. Raises DeckError."""
    if fields.get("do") == "undo":
        deck = replace(decks.decode(draft.before), name=draft.deck.name)
        return replace(draft, deck=deck, before="", hand=()), "#deck"
    draft = replace(draft, before=draft.before if fields.get("do") in ("hand", "card", "rename") else "")
    for key, by in (("add", 1), ("take", -1), ("more", 1), ("less", -1)):
        if fields.get(key):
            id = fields[key]
            if id not in {card.id for card in decks.cards()}:
                raise DeckError(messages.NO_CARD.format(card=repr(id[:20])))
            place = f"#c-{id}" if key in ("add", "take") else "#deck"
            return change_copies(draft, id, by), place
    do = fields.get("do", "")
    if do == "trim":
        most = {card.id: card.most for card in decks.cards()}
        counts = {id: min(count, most.get(id, count)) for id, count in draft.deck.counts.items()}
        return replace(draft, deck=Deck(draft.deck.name, counts), hand=()), "#deck"
    if do == "fill":
        return replace(draft, deck=decks.fill(draft.deck), before=decks.code(draft.deck), hand=()), "#deck"
    if do == "clear":
        return replace(draft, deck=Deck(draft.deck.name, {}), hand=()), "#deck"
    if do in ("hand", "card"):
        return deal_hand(decks, draft, do == "card"), "#hand"
    if do == "open":
        deck = decks.read(fields.get("text", ""))
        return replace(draft, deck=replace(deck, name=deck.name or draft.deck.name, slug=""), hand=()), "#deck"
    return draft, ""


def change_copies(draft: Draft, id: str, by: int) -> Draft:
    """Return a draft with more or fewer copies of a card, and without a test hand: it was drawn from the old deck."""
    counts = dict(draft.deck.counts)
    # A pasted deck may exceed the maximum, and then keeps its copies.
    counts[id] = min(max(counts.get(id, 0) + by, 0), max(MAX_COPIES, counts.get(id, 0)))
    deck = Deck(draft.deck.name, {other: count for other, count in counts.items() if count})
    return replace(draft, deck=deck, hand=())


def deal_hand(decks: Decks, draft: Draft, more: bool) -> Draft:
    """Return a new test hand, or the old one with one card more, drawn by the system's randomness."""
    left = Counter(decks.pile(draft.deck))
    hand = list(draft.hand) if more else []
    left.subtract(hand)
    # `elements` skips cards of the hand that are no longer in the deck.
    pile = sorted(left.elements())
    hand += SYSTEM.sample(pile, min(len(pile), 1 if more else decks.opening))
    return replace(draft, hand=tuple(hand))


# ---- what the template is given ---------------------------------------------------------------------------------


def render_builder(
    request: Request, kind: type[Game], draft: Draft, error: str | None = None, status: int = 200, pasted: str = ""
) -> Response:
    """Return the builder's page."""
    server, deck = services_of(request), draft.deck
    decks, liked = server.render.decks[kind.name], preferences.read_preferences(request)
    game = next(game for game in server.render.games if game["name"] == kind.name)
    by_id = {card.id: card for card in decks.cards()}
    return server.render.page(
        "decks.html",
        status,
        art=server.render.own(kind, "art.html", "_plain_art.html"),
        printed=list_printed(kind),
        game={
            "name": kind.name,
            "title": kind.title,
            "guide_url": guide_url(kind),
            "cards_url": cards_url(kind.name),
            "shelf_url": shelf_url(kind.name),
        },
        draft=draft,
        deck=deck,
        error=error,
        pasted=pasted,
        arms=arms_of(decks, deck),
        ready=decks.ready(),
        lot=LOT,
        invented=kind.invented,
        hand=[by_id[id] for id in draft.hand],
        opening=decks.opening,
        bots=game["bots"],
        level=choose_level(game, liked),
        player=liked.name,
        **list_addresses(request, kind, decks, deck),
        **judge_deck(decks, deck),
        **list_cards(kind, decks, draft),
    )


def list_addresses(request: Request, kind: type[Game], decks: Decks, deck: Deck) -> dict[str, object]:
    """Return the addresses of the builder, and the deck in all forms in which it can be shared."""
    builder, here = builder_url(kind.name), draft_address(kind.name, decks, Draft(deck))
    query = here.removeprefix(builder)
    return {
        "url": builder,
        "share": decks.code(deck) if deck.counts else "",
        "link": base_url(request) + here,
        "listed": decks.text(deck),
        "file_url": f"{builder}/file{query}",
        "qr_url": f"{builder}/qr.svg{query}",
        "form_url": f"/games/{kind.name}/new" + decks.link(deck),
    }


def judge_deck(decks: Decks, deck: Deck) -> dict[str, object]:
    """Return what a deck lacks, and its figures."""
    faults, figures = decks.check(deck), decks.figures(deck)
    return {
        "said": summarize_check(faults),
        "faults": faults,
        "missing": decks.figures(decks.fill(deck)).size - figures.size if faults else 0,
        "surplus": any(deck.counts.get(card.id, 0) > card.most for card in decks.cards()),
        "figures": figures,
        "columns": build_columns(figures.curve),
    }


def list_cards(kind: type[Game], decks: Decks, draft: Draft) -> dict[str, object]:
    """Return the cards that the filter shows, those in the deck, and the choices of the filter."""
    cards, deck = decks.cards(), draft.deck
    shown = [card for card in cards if draft.shows(card)]
    on = draft.faction.split(".")
    return {
        "groups": group_cards(shown, deck),
        "shown": len(shown),
        "total": len(cards),
        "by_faction": [
            {"card": one, "on": one.faction in on, "url": toggle_faction(kind, decks, draft, one.faction)}
            for one in {card.faction: card for card in cards}.values()
        ],
        "by_group": [
            {
                "name": name,
                "on": draft.group == name,
                "url": draft_address(kind.name, decks, replace(draft, group=name)),
            }
            for name in ("", *dict.fromkeys(card.group for card in cards))
        ],
        "costs": [(cost, cost) for cost in sorted({card.cost for card in cards if card.cost is not None})],
        "turns": [(turn, turn) for turn in TURNS],
        "rows": [build_row(decks, deck, card, draft.turn) for card in cards if deck.counts.get(card.id)],
    }


def toggle_faction(kind: type[Game], decks: Decks, draft: Draft, faction: str) -> str:
    """Return the address with the cards of one faction shown or hidden."""
    now = [slug for slug in draft.faction.split(".") if slug]
    now = [slug for slug in now if slug != faction] if faction in now else [*now, faction]
    return draft_address(kind.name, decks, replace(draft, faction=".".join(now)))


def summarize_check(faults: list[str]) -> str:
    """Return the result of the running check in one sentence, with the remedy for the first fault."""
    if not faults:
        return messages.DECK_LEGAL
    return messages.DECK_FAULT.format(fault=faults[0][:1].lower() + faults[0][1:])


def group_cards(cards: list[DeckCard], deck: Deck) -> list[tuple[str, list[tuple[DeckCard, int]]]]:
    """Return cards with their numbers in the deck, under the headings of their groups."""
    groups: dict[str, list[tuple[DeckCard, int]]] = {}
    for card in cards:
        groups.setdefault(card.group, []).append((card, deck.counts.get(card.id, 0)))
    return list(groups.items())


def build_row(decks: Decks, deck: Deck, card: DeckCard, turn: int) -> Context:
    """Return a line of the deck's table."""
    drawn = card.id in decks.pile(deck)
    chances = [f"{decks.chance(deck, card.id, turn, first):.0%}" for first in (True, False)]
    return {"card": card, "count": deck.counts[card.id], "chances": chances if drawn else None}
