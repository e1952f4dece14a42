"""The context of rematches: offers and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from gonfalon.core.rules.game import names_for
from gonfalon.table import LinkHolder, Table
from gonfalon.table.seats.seat_choices import FACTIONS, find_choice_option, find_faction_name
from gonfalon.web import messages
from gonfalon.web.shared.template_context import Context

ANSWERS: Final[Sequence[tuple[str, str]]] = [("", messages.ACCEPT_REMATCH), ("no", messages.DECLINE)]
"""The text of a form's button, and the wish that it sends."""
WITHOUT: Final[Mapping[str, object]] = {"text": None, "buttons": [], "next_url": None, "url": "rematch"}


def rematch_context(table: Table, who: LinkHolder) -> Context:
    """Return the context of _rematch.html: the state of a rematch, and the possible answers. All of it is public except
    the preset choice of the own seat."""
    row, seats = table.current.next_row, table.game.seats
    fresh = [("", messages.REMATCH)]
    if find_choice_option(table.game.afresh()) == FACTIONS and seats == 2:
        fresh.append(("swap", messages.SWAP_FACTIONS))
    fresh = fresh if who.holds else []
    if row is None:
        return {**WITHOUT, "buttons": fresh}
    if row.stage == "closed":
        return {**WITHOUT, "text": messages.REMATCH_WITHDRAWN, "buttons": fresh}
    started = messages.NEXT_GAME_STARTED if row.ended is None else messages.NEXT_GAME_OVER
    there = {seat: row.seats[(seat + 1) % seats] for seat in range(seats)}
    names = names_for(table.game, who.viewer, table.names)
    # The player who took a seat there first has made the offer.
    joined = sorted((seat for seat in there if there[seat].token), key=lambda seat: there[seat].seated or 0.0)
    name = names[joined[0]] if joined else messages.A_PLAYER
    mine = [there[seat] for seat in who.holds]
    if any(one.token for one in mine):
        text = started if row.stage == "dealt" else messages.YOU_OFFER_REMATCH
        if row.stage == "waiting" and not set(joined[:1]) & set(who.holds):
            text = messages.YOU_JOINED_REMATCH.format(player=name)
        refused = [names[seat] for seat in there if there[seat].ready == "no"]
        text = messages.REMATCH_DECLINED.format(players=" and ".join(refused)) if refused else text
        return {**WITHOUT, "text": text, "buttons": [("", messages.TO_NEXT_TABLE)]}
    if row.stage == "dealt":
        text = messages.STARTED_WITHOUT_YOU if mine and row.ended is None else started
        return {**WITHOUT, "text": text, "next_url": "next"}
    if not mine:
        return {**WITHOUT, "text": messages.REMATCH_OFFERED.format(player=name), "next_url": "next"}
    if any(one.bot is not None for one in mine):
        return {**WITHOUT, "text": messages.BOT_HAS_SEAT, "next_url": "next"}
    if any(one.ready == "no" for one in mine):
        return {**WITHOUT, "text": messages.YOU_DECLINED_REMATCH, "buttons": [("", messages.JOIN_AFTER_ALL)]}
    return {**WITHOUT, "text": describe_offer(table, name, mine[0].brings), "buttons": ANSWERS}


def describe_offer(table: Table, player: str, brings: str) -> str:
    """Return the offer of a rematch by a player, with the preset faction of the reader's seat if it has one."""
    faction = find_faction_name(table.game, brings) if find_choice_option(table.game.afresh()) == FACTIONS else ""
    if not faction:
        return messages.REMATCH_OFFERED.format(player=player)
    return messages.REMATCH_OFFERED_AS.format(player=player, faction=faction)
