"""The reasons why actions are not legal, each with its tag and its section or ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.rules.actions import KINDS, LAST, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, ROWS, SPACES
from gonfalon.games.jinkei.rules.state import JinkeiState

if TYPE_CHECKING:
    from gonfalon.games.jinkei.face.words import JinkeiWords


def explain_refusal(game: JinkeiWords, s: JinkeiState, seat: Seat, action: Action) -> Reason | str:
    """Return why an action is illegal for a seat whose decision is due."""
    if not 0 <= action < LAST:
        return messages.NO_ACTION
    asked = s.stack[-1].prompt
    if asked in ("lead", "answer") and PLAY <= action < PLAY + 2 * len(SPACES):
        return explain_play(game, s, seat, (action - PLAY) // 2, action % 2, asked == "lead")
    if asked in ("front", "back") and PUT <= action < PLAY:
        return explain_put(s, seat, action // KINDS - 1, action % KINDS, asked)
    return messages.PLAIN[asked]


def explain_put(s: JinkeiState, seat: Seat, space: int, kind: int, asked: str) -> Reason | str:
    """Return why a card from the hand cannot be laid on a space now."""
    form = s.form(seat)
    laid = s.answers[seat]
    section = "6-4" if asked == "back" else "6-2"
    if form.blank[space]:
        return Reason(messages.BLANK, messages.TAG_BLANK, "FAQ 3")
    if space == form.reveal:
        return Reason(messages.REVEALED, messages.TAG_OPEN_CARD, "6-1")
    if space != (form.back if asked == "back" else form.front)[len(laid)]:
        return messages.PLAIN[asked]
    if all(card & KIND != kind for card in s.hand[seat]):
        return Reason(messages.NOT_IN_HAND, messages.TAG_NOT_THERE, section)
    if any(action % KINDS == kind for action in laid):
        return Reason(messages.LAID_ALREADY, messages.TAG_LAID, section)
    return Reason(messages.LOWER_FIRST, messages.TAG_LOWER_FIRST, "section 11")


def explain_play(game: JinkeiWords, s: JinkeiState, seat: Seat, space: int, colour: int, leads: bool) -> Reason:
    """Return why the card on a space cannot be played as a color."""
    cards = s.spaces[seat][space]
    row = space // 3 * 3
    section = "7-1" if leads else "7-2"
    if not cards:
        return Reason(messages.EMPTY_SPACE, messages.TAG_EMPTY, section)
    if row == REINFORCEMENTS:
        return Reason(messages.NO_REINFORCEMENT, messages.TAG_LATER, "ruling 29")
    due = ROWS[s.row(seat, leads)[0] // 3]
    if ROWS[row // 3] != due:
        sentence = messages.ATTACK_FROM.format(row=due) if leads else messages.ANSWER_FROM.format(row=due)
        return Reason(sentence, messages.TAG_ROW_FIRST.format(row=due), section)
    wild = s.form(seat).wild[space]
    if not wild and s.setup.colour[cards[0] & KIND] != colour:
        return Reason(messages.NOT_WILD, messages.TAG_NOT_WILD, "section 11")
    led = game.colour_name(s.called[s.attacker])
    tag = messages.TAG_FOLLOW.format(colour=led)
    if not wild:
        return Reason(messages.FOLLOW.format(colour=led), tag, "7-2")
    if s.setup.wild_binds:
        return Reason(messages.FOLLOW_WILD.format(colour=led), tag, "rulings 11, 13")
    return Reason(messages.WILD_FOLLOWS.format(colour=led), tag, "ruling 11")
