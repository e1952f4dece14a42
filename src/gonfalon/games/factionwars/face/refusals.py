"""Why an action is not legal, with the rule or ruling that forbids it."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.rules.actions import CARD, LAST, STEAL, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

PLAIN: Final = {
    "select": "Select one of the cards of the line-up; nobody passes (ruling 32).",
    "bystander": "Name another player, who gets the Bystander (ruling 13).",
    "victim": "Name a player who has a recruit (rulings 16, 18).",
    "keep": "Collect one of the cards that you have drawn (ruling 22).",
    "exchange": "Collect a recruit that lies in the recruit discard pile (ruling 22).",
    "desert": "Remove one of your recruits; conscripts and Bystanders are none (ruling 17).",
    "parley": "Name another player who has a recruit (ruling 18).",
    "gift": "Give one of your recruits; conscripts and Bystanders are none (ruling 17).",
    "shuffle": "A shuffle takes a seed.",
    "battle": "Chance draws cards that are left in the battle decks of those who fight.",
    "deal": "Chance deals a card that is still to be dealt.",
    "steal": "Chance picks one of the recruits of that army (ruling 17).",
}

OTHERS: Final = {"bystander": "ruling 13", "victim": "ruling 16", "parley": "ruling 37"}
"""Where another player is asked for, and by which ruling."""


def reason(s: FactionState, seat: Seat, action: Action) -> str:
    """The rule that forbids an action to a seat that is asked."""
    if not 0 <= action < LAST:
        return "There is no such action in Faction Wars."
    asked = s.stack[-1].prompt
    if asked == "select" and TAKE <= action < TO:
        return why_not_take(s, action - TAKE)
    if asked in ("bystander", "victim", "parley") and TO <= action < CARD:
        return why_not_at(s, seat, asked, action - TO)
    if asked in ("keep", "exchange", "desert", "gift") and CARD <= action < STEAL:
        return why_not_card(s, seat, asked, action - CARD)
    return PLAIN[asked]


def why_not_take(s: FactionState, place: int) -> str:
    """Why a place cannot be selected."""
    if place >= s.setup.size:
        return "There is no such place in the line-up (ruling 32)."
    return "That place is empty: only cards can be selected (rulings 24, 32)."


def why_not_at(s: FactionState, seat: Seat, asked: str, other: Seat) -> str:
    """Why that player cannot be named."""
    if other >= s.seats:
        return f"There is no such player ({OTHERS[asked]})."
    if other == seat:
        what = "You cannot keep a Bystander" if asked == "bystander" else "It has to be another player"
        return f"{what} ({OTHERS[asked]})."
    return "That player has no recruit to take (ruling 18)."


def why_not_card(s: FactionState, seat: Seat, asked: str, kind: int) -> str:
    """Why that card cannot be chosen."""
    if asked == "keep":
        return "That card is not among those you have drawn (ruling 22)."
    if asked == "exchange" and all(card & KIND != kind for card in s.discard):
        return "That card does not lie in the recruit discard pile (ruling 22)."
    if kind >= s.setup.recruits:
        return "That is no recruit (ruling 17)."
    return "You have no such recruit (ruling 17)."
