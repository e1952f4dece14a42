"""The reasons why an action is not legal."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.games.factionwars.rules.actions import ACTION_LIMIT, CARD, STEAL, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

PLAIN: Final = {
    "select": "Select a card from the line-up. Passing is not allowed.",
    "bystander": "Name another player to get the Bystander.",
    "victim": "Name a player who has a recruit.",
    "keep": "Collect one of the cards you have drawn.",
    "exchange": "Collect a recruit from the recruit discard pile.",
    "desert": "Remove one of your recruits. Conscripts and Bystanders are not recruits.",
    "parley": "Name another player who has a recruit.",
    "gift": "Give one of your recruits. Conscripts and Bystanders are not recruits.",
    "shuffle": "A shuffle requires a seed.",
    "battle": "Chance can draw only cards that are left in the fighters' battle decks.",
    "deal": "Chance can deal only a card that has not been dealt yet.",
    "steal": "Chance picks one of that army's recruits.",
}

"""The default reason for an illegal answer, by prompt."""
RULES: Final = {
    "select": "ruling 32",
    "bystander": "ruling 13",
    "victim": "rulings 16, 18",
    "keep": "ruling 22",
    "exchange": "ruling 22",
    "desert": "ruling 17",
    "parley": "ruling 18",
    "gift": "ruling 17",
    "steal": "ruling 17",
}
"""The rule behind each default reason, by prompt. Most draws of chance have none."""
RULE_OF_PLAYER: Final = {"bystander": "ruling 13", "victim": "ruling 16", "parley": "ruling 37"}
"""The rule about which players may be named, by prompt."""


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
    return Reason(PLAIN[asked], rule=RULES[asked]) if asked in RULES else PLAIN[asked]


def explain_place(s: FactionState, place: int) -> str:
    """Return why a place cannot be selected."""
    if place >= s.setup.size:
        return Reason("The line-up has no such place.", rule="ruling 32")
    return Reason("That place is empty. Select a place with a card.", rule="rulings 24, 32")


def explain_player(s: FactionState, seat: Seat, asked: str, other: Seat) -> str:
    """Return why a player cannot be named."""
    if other >= s.seats:
        return Reason("There is no such player.", rule=RULE_OF_PLAYER[asked])
    if other == seat:
        sentence = (
            "You cannot keep a Bystander. Name another player." if asked == "bystander" else "Name another player."
        )
        return Reason(sentence, rule=RULE_OF_PLAYER[asked])
    return Reason("That player has no recruit to take.", rule="ruling 18")


def explain_card(s: FactionState, seat: Seat, asked: str, kind: int) -> str:
    """Return why a card cannot be chosen."""
    if asked == "keep":
        return Reason("You have not drawn that card.", rule="ruling 22")
    if asked == "exchange" and all(card & KIND != kind for card in s.discard):
        return Reason("That card is not in the recruit discard pile.", rule="ruling 22")
    if kind >= s.setup.recruits:
        return Reason("That card is not a recruit.", rule="ruling 17")
    return Reason("You have no such recruit.", rule="ruling 17")
