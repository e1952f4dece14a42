"""Why an action is not legal, with the section or ruling that forbids it."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.jinkei.rules.actions import KINDS, LAST, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, ROWS, SPACES
from gonfalon.games.jinkei.rules.state import JinkeiState

PLAIN: Final = {
    "type": "Choose one of the types; your opponent's is taken (ruling 1).",
    "formation": "Choose one of the two formations of this round (6-1).",
    "front": "Lay your cards on the open spaces of Vanguard and Rearguard, in the order of the spaces (6-2).",
    "back": "Lay your cards on the open spaces of the Reinforcements, in the order of the spaces (6-4).",
    "advance": "Choose one of the two cards that could advance (ruling 26).",
    "shuffle": "A shuffle takes a seed.",
    "deal": "Chance deals a card that is still in the deck.",
    "toss": "Chance names the first player.",
    "lead": "Offense plays a card of its Vanguard, or of its Rearguard when that is empty (7-1).",
    "answer": "Defense plays a card of its Rearguard, or of its Vanguard when that is empty (7-2).",
}


def reason(s: JinkeiState, seat: Seat, action: Action) -> str:
    """The rule that forbids an action to a seat that is asked."""
    if not 0 <= action < LAST:
        return "There is no such action in Jinkei."
    asked = s.stack[-1].prompt
    if asked in ("lead", "answer") and PLAY <= action < PLAY + 2 * len(SPACES):
        return why_not_play(s, seat, (action - PLAY) // 2, action % 2, asked == "lead")
    if asked in ("front", "back") and PUT <= action < PLAY:
        return why_not_put(s, seat, action // KINDS - 1, action % KINDS, asked)
    return PLAIN[asked]


def why_not_put(s: JinkeiState, seat: Seat, space: int, kind: int, asked: str) -> str:
    """Why a card of the hand cannot be laid on a space now."""
    form = s.form(seat)
    laid = s.answers[seat]
    section = "6-4" if asked == "back" else "6-2"
    if form.blank[space]:
        return "A Blank Card lies on that space; no card ever stands there (FAQ 3)."
    if space == form.reveal:
        return "On that space lies the card revealed from your deck (6-1)."
    if space != (form.back if asked == "back" else form.front)[len(laid)]:
        return PLAIN[asked]
    if all(card & KIND != kind for card in s.hand[seat]):
        return f"That card is not in your hand ({section})."
    if any(action % KINDS == kind for action in laid):
        return f"That card is laid on another space already ({section})."
    return "Two cards share that space: lay the lower one first, by the order of your hand (section 11)."


def why_not_play(s: JinkeiState, seat: Seat, space: int, colour: int, leads: bool) -> str:
    """Why a card of a space cannot be played as a colour."""
    cards = s.spaces[seat][space]
    row = space // 3 * 3
    if not cards:
        return f"There is no card on that space ({'7-1' if leads else '7-2'})."
    if row == REINFORCEMENTS:
        return "Reinforcements are never played, they only advance (ruling 29)."
    due = s.row(seat, leads)[0] // 3 * 3
    if row != due:
        role = "Offense" if leads else "Defense"
        section = "7-1" if leads else "7-2"
        return f"{role} plays from the {ROWS[due // 3]} while a card stands there ({section})."
    if not s.form(seat).wild[space]:
        if s.setup.colour[cards[0] & KIND] != colour:
            return "Only on a Wild space may a card be called the other colour (section 11)."
        return "You must follow the led colour while you have it in this row (7-2)."
    if s.setup.wild_binds:
        return "You have the led colour in this row, so a Wild card must be called that colour too (rulings 11, 13)."
    return "While you can follow without it, a Wild card must be called the led colour too (ruling 11)."
