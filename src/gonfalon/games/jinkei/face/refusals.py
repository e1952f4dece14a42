"""The reasons why actions are not legal, each with its section or ruling."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.games.jinkei.rules.actions import KINDS, LAST, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, ROWS, SPACES
from gonfalon.games.jinkei.rules.state import JinkeiState

PLAIN: Final = {
    "type": Reason("Choose a type that your opponent has not taken.", rule="ruling 1"),
    "formation": Reason("Choose one of the two formations of this round.", rule="6-1"),
    "front": Reason("Lay cards on the open spaces of Vanguard and Rearguard, in their order.", rule="6-2"),
    "back": Reason("Lay cards on the open spaces of the Reinforcements, in their order.", rule="6-4"),
    "advance": Reason("Choose one of the two cards that can advance.", rule="ruling 26"),
    "shuffle": "A shuffle needs a seed.",
    "deal": "Chance can deal only a card that is still in the deck.",
    "toss": "Chance draws the first player.",
    "lead": Reason("Offense plays from its Vanguard, or from its Rearguard when that is empty.", rule="7-1"),
    "answer": Reason("Defense plays from its Rearguard, or from its Vanguard when that is empty.", rule="7-2"),
}


def explain_refusal(s: JinkeiState, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action to a seat whose decision is due."""
    if not 0 <= action < LAST:
        return "Jinkei has no such action."
    asked = s.stack[-1].prompt
    if asked in ("lead", "answer") and PLAY <= action < PLAY + 2 * len(SPACES):
        return explain_play(s, seat, (action - PLAY) // 2, action % 2, asked == "lead")
    if asked in ("front", "back") and PUT <= action < PLAY:
        return explain_put(s, seat, action // KINDS - 1, action % KINDS, asked)
    return PLAIN[asked]


def explain_put(s: JinkeiState, seat: Seat, space: int, kind: int, asked: str) -> str:
    """Return the rule that forbids laying a card from the hand on a space now."""
    form = s.form(seat)
    laid = s.answers[seat]
    section = "6-4" if asked == "back" else "6-2"
    if form.blank[space]:
        return Reason("A space with a Blank Card takes no card.", rule="FAQ 3")
    if space == form.reveal:
        return Reason("This space has the card revealed from your deck.", rule="6-1")
    if space != (form.back if asked == "back" else form.front)[len(laid)]:
        return PLAIN[asked]
    if all(card & KIND != kind for card in s.hand[seat]):
        return Reason("That card is not in your hand.", rule=section)
    if any(action % KINDS == kind for action in laid):
        return Reason("You have already laid that card on another space.", rule=section)
    return Reason("Two cards share that space: lay the lower one first.", rule="section 11")


def explain_play(s: JinkeiState, seat: Seat, space: int, colour: int, leads: bool) -> str:
    """Return the rule that forbids playing the card on a space as a color."""
    cards = s.spaces[seat][space]
    row = space // 3 * 3
    if not cards:
        return Reason("There is no card on that space.", rule="7-1" if leads else "7-2")
    if row == REINFORCEMENTS:
        return Reason("Reinforcements cannot be played; they only advance.", rule="ruling 29")
    due = s.row(seat, leads)[0] // 3 * 3
    if row != due:
        role = "Offense" if leads else "Defense"
        section = "7-1" if leads else "7-2"
        return Reason(f"{role} plays from the {ROWS[due // 3]} while it has a card.", rule=section)
    if not s.form(seat).wild[space]:
        if s.setup.colour[cards[0] & KIND] != colour:
            return Reason("Only a card on a Wild space can be called the other color.", rule="section 11")
        return Reason("Follow the led color while you have it in this row.", rule="7-2")
    if s.setup.wild_binds:
        return Reason(
            "You have the led color in this row, so a Wild card must be called that color too.", rule="rulings 11, 13"
        )
    return Reason("While another card can follow, a Wild card must be called the led color.", rule="ruling 11")
