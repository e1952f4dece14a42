"""The reasons why an action is not legal."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.rules.actions import ACTION_LIMIT, CARD, STEAL, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

RULE_BY_PROMPT: Final = {
    "select": "Select a card of the line-up. Passing is not allowed.",
    "bystander": "Name another player to get the Bystander.",
    "victim": "Name a player who has a recruit.",
    "keep": "Collect one of the cards you have drawn.",
    "exchange": "Collect a recruit from the recruit discard pile.",
    "desert": "Remove one of your recruits. Conscripts and Bystanders are no recruits.",
    "parley": "Name another player who has a recruit.",
    "gift": "Give one of your recruits. Conscripts and Bystanders are no recruits.",
    "shuffle": "A shuffle requires a seed.",
    "battle": "Chance draws cards that are left in the battle decks of the fighters.",
    "deal": "Chance deals a card that has not been dealt yet.",
    "steal": "Chance picks one of the recruits of that army.",
}


def explain_refusal(s: FactionState, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action to the deciding seat."""
    if not 0 <= action < ACTION_LIMIT:
        return "There is no such action in Faction Wars."
    # `s` is the seat's own view, so a reason cannot depend on hidden cards.
    asked = s.stack[-1].prompt
    if asked == "select" and TAKE <= action < TO:
        return explain_place(s, action - TAKE)
    if asked in ("bystander", "victim", "parley") and TO <= action < CARD:
        return explain_player(s, seat, asked, action - TO)
    if asked in ("keep", "exchange", "desert", "gift") and CARD <= action < STEAL:
        return explain_card(s, seat, asked, action - CARD)
    return RULE_BY_PROMPT[asked]


def explain_place(s: FactionState, place: int) -> str:
    """Return why a place cannot be selected."""
    if place >= s.setup.size:
        return "The line-up has no such place."
    return "That place is empty. Select a place with a card."


def explain_player(s: FactionState, seat: Seat, asked: str, other: Seat) -> str:
    """Return why a player cannot be named."""
    if other >= s.seats:
        return "There is no such player."
    if other == seat:
        return "You cannot keep a Bystander. Name another player." if asked == "bystander" else "Name another player."
    return "That player has no recruit to take."


def explain_card(s: FactionState, seat: Seat, asked: str, kind: int) -> str:
    """Return why a card cannot be chosen."""
    if asked == "keep":
        return "You have not drawn that card."
    if asked == "exchange" and all(card & KIND != kind for card in s.discard):
        return "That card is not in the recruit discard pile."
    if kind >= s.setup.recruits:
        return "That card is no recruit."
    return "You have no such recruit."
