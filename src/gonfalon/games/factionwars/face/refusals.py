"""The reasons why an action is not legal."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.rules.actions import ACTION_LIMIT, CARD, STEAL, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

RULE_OF_PLAYER: Final = {"bystander": "ruling 13", "victim": "ruling 16", "parley": "ruling 37"}
"""The rule about which players may be named, by prompt."""


def explain_refusal(s: FactionState, seat: Seat, action: Action) -> str:
    """Return why the deciding seat cannot take an action."""
    if not 0 <= action < ACTION_LIMIT:
        return messages.NO_ACTION
    # `s` is the seat's own view, so a reason cannot depend on hidden cards.
    asked = s.stack[-1].prompt
    if asked == "select" and TAKE <= action < TO:
        return explain_place(s, action - TAKE)
    if asked in ("bystander", "victim", "parley") and TO <= action < CARD:
        return explain_player(s, seat, asked, action - TO)
    if asked in ("keep", "exchange", "desert", "gift") and CARD <= action < STEAL:
        return explain_card(s, asked, action - CARD)
    return messages.PLAIN[asked]


def explain_place(s: FactionState, place: int) -> Reason:
    """Return why a place cannot be picked."""
    if place >= s.setup.size:
        return Reason(messages.NO_PLACE, rule="ruling 32")
    return Reason(messages.EMPTY_PLACE, messages.TAG_EMPTY, "rulings 24, 32")


def explain_player(s: FactionState, seat: Seat, asked: str, other: Seat) -> Reason:
    """Return why a player cannot be named."""
    if other >= s.seats:
        return Reason(messages.NO_PLAYER, rule=RULE_OF_PLAYER[asked])
    if other == seat:
        sentence = messages.MUST_GIVE_BYSTANDER if asked == "bystander" else messages.NOT_YOURSELF
        return Reason(sentence, messages.TAG_NOT_YOU, RULE_OF_PLAYER[asked])
    return Reason(messages.NO_RECRUITS, messages.TAG_NO_RECRUITS, "ruling 18")


def explain_card(s: FactionState, asked: str, kind: int) -> Reason:
    """Return why a card cannot be chosen."""
    if asked == "keep":
        return Reason(messages.NOT_DRAWN, messages.TAG_NOT_DRAWN, "ruling 22")
    if asked == "exchange" and all(card & KIND != kind for card in s.discard):
        return Reason(messages.NOT_DISCARDED, messages.TAG_NOT_DISCARDED, "ruling 22")
    if kind >= s.setup.recruits:
        return Reason(messages.NOT_A_RECRUIT, messages.TAG_NOT_A_RECRUIT, "ruling 17")
    return Reason(messages.NOT_YOUR_RECRUIT, messages.TAG_NOT_YOURS, "ruling 17")
