"""The reasons why actions are not legal, each with its tag and its ruling or phase."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import kinds
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.cards import Engineer, Kind, Knight, MasterOfWind, StormProdigy, Tower
from gonfalon.games.feint.rules.state import FeintState

SCRAMBLED: Final = Reason(messages.MUST_MOVE_PLAYED, messages.TAG_MUST_MOVE, "ruling 64")


def explain_refusal(s: FeintState, seat: Seat, action: Action) -> Reason:
    """Return why an action is illegal for a seat whose decision is due."""
    asked = s.stack[-1].prompt
    reason = SCRAMBLED if asked == "scramble" and s.setup.moves_played else messages.REASONS[asked]
    if not CARD <= action < CARD + SLOTS * len(s.kinds) or asked not in ("deploy", "play-one", "conjure"):
        return reason
    kind = s.kinds[(action - CARD) // SLOTS]
    slot = (action - CARD) % SLOTS
    source = s.discard[seat] if asked == "conjure" else s.hand[seat]
    if kind.id not in kinds(source):
        absent = messages.NOT_IN_DISCARDS if asked == "conjure" else messages.NOT_IN_HAND
        return Reason(absent.format(card=kind.name), messages.TAG_NOT_THERE, reason.rule)
    if slot == 0:
        if isinstance(kind, StormProdigy):
            return Reason(messages.NO_ROOM_ANYWHERE.format(card=kind.name), messages.TAG_NO_ROOM, "ruling 60")
        return Reason(messages.NAME_A_LOCATION.format(card=kind.name), messages.TAG_WHERE, "Deployment phase")
    if slot > s.places:
        return Reason(messages.NO_LOCATION, messages.TAG_NOT_THERE, reason.rule)
    return explain_location(s, kind, slot - 1) or reason


def explain_location(s: FeintState, kind: Kind, place: int) -> Reason | None:
    """Return why a card cannot be played at a Location; None if it fits."""
    if isinstance(kind, StormProdigy):
        return Reason(messages.OPPONENT_CHOOSES.format(card=kind.name), messages.TAG_OPPONENT, "ruling 60")
    if kind.fits(s, place):
        return None
    if isinstance(kind, Tower):
        return Reason(messages.NEEDS_ENGINEER.format(card=kind.name), messages.TAG_ENGINEER, "ruling 73")
    return explain_card_text(s, kind, place) or explain_capacity(s, kind, place)


def explain_card_text(s: FeintState, kind: Kind, place: int) -> Reason | None:
    """Return how a card's text forbids a Location; None if only the Capacity does."""
    number, name = s.setup.numbers[place], kind.name
    after = s.load[place] + kind.weight
    if isinstance(kind, Knight) and place != kind.place:
        if kind.place < 0:
            return Reason(messages.ONLY_ELSEWHERE.format(card=name), messages.TAG_NOT_HERE, "ruling 54")
        only = s.setup.numbers[kind.place]
        return Reason(
            messages.ONLY_AT.format(card=name, place=only), messages.TAG_ONLY_AT.format(place=only), "ruling 54"
        )
    if isinstance(kind, MasterOfWind) and (s.at(0, place) or s.at(1, place)):
        return Reason(messages.NEEDS_EMPTY.format(card=name), messages.TAG_EMPTY, "ruling 57")
    if after > s.capacity(place):
        return None
    if isinstance(kind, Engineer):
        sentence = messages.ENGINEER_LIMIT.format(card=name, place=number, after=after)
        return Reason(sentence, messages.TAG_LIMIT, "ruling 72")
    text = kind.says(s.setup).rstrip(".")
    sentence = messages.CARD_TEXT.format(card=name, place=number, text=text[:1].lower() + text[1:])
    return Reason(sentence, messages.TAG_NOT_HERE, f"ruling {kind.rulings[0]}" if kind.rulings else "card text")


def explain_capacity(s: FeintState, kind: Kind, place: int) -> Reason:
    """Return that a Location has no room for a card."""
    number, room = s.setup.numbers[place], s.capacity(place) - s.load[place]
    if room <= 0:
        rule = "ruling 20" if room < 0 else "ruling 18"
        return Reason(messages.FULL.format(place=number), messages.TAG_FULL, rule)
    sentence = messages.NO_ROOM_DOWN if kind.face_down else messages.NO_ROOM
    needs = sentence.format(place=number, room=room, card=kind.name, needs=kind.weight)
    return Reason(needs, messages.TAG_NO_ROOM, "ruling 18")
