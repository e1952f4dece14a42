"""The reasons why actions are not legal, each with its ruling or phase."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import kinds
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.citations import Reason
from gonfalon.games.feint.rules.actions import CARD, SLOTS
from gonfalon.games.feint.rules.cards import Engineer, Kind, Knight, MasterOfWind, StormProdigy, Tower
from gonfalon.games.feint.rules.state import FeintState

REASONS: Final[dict[str, Reason]] = {
    "reinforce": Reason("Discard cards from your hand in the order of the card list, then finish.", rule="ruling 3"),
    "deploy": Reason("Play a card to a Location, or pass.", rule="Deployment phase"),
    "play-one": Reason("You must play one card from your hand if you can.", rule="ruling 61"),
    "conjure": Reason("You must play one card from your discard pile if you can.", rule="ruling 59"),
    "order": Reason("Choose which of the two abilities acts first.", rule="ruling 38"),
    "storm": Reason("Choose a Location where the Storm Prodigy fits.", rule="ruling 60"),
    "scramble": Reason("Your Scrambler must move to another Location.", rule="ruling 64"),
    "bomb": Reason("Choose an opponent's card at this Location that is not Protected.", rule="rulings 37, 75"),
    "trojan": Reason("Choose another of your cards in play that is not Protected.", rule="rulings 37, 67"),
    "medic": Reason("Choose a card from your discard pile that is not Protected, or stop.", rule="ruling 63"),
    "support": Reason("Choose one of the cards you looked at, or leave them as they are.", rule="ruling 74"),
    "shuffle": Reason("A shuffle needs a seed.", rule="Setup"),
    "deal": Reason("Chance can deal only a card that is left.", rule="Setup"),
    "assassinate": Reason("Chance picks a card from the hand.", rule="ruling 71"),
    "toss": Reason("Chance draws the start player.", rule="ruling 1"),
}
"""The sentence that names the legal actions and their rule, by prompt."""
SCRAMBLED: Final = Reason("You must move the card that was played to another Location.", rule="ruling 64")


def explain_refusal(s: FeintState, seat: Seat, action: Action) -> Reason:
    """Return the rule that forbids an action to a seat whose decision is due."""
    asked = s.stack[-1].prompt
    rule = SCRAMBLED if asked == "scramble" and s.setup.moves_played else REASONS[asked]
    if not CARD <= action < CARD + SLOTS * len(s.kinds) or asked not in ("deploy", "play-one", "conjure"):
        return rule
    kind = s.kinds[(action - CARD) // SLOTS]
    slot = (action - CARD) % SLOTS
    source = s.discard[seat] if asked == "conjure" else s.hand[seat]
    if kind.id not in kinds(source):
        where = "discard pile" if asked == "conjure" else "hand"
        return Reason(f"There is no {kind.name} in your {where}. {rule}", rule=rule.rule)
    if slot == 0:
        if isinstance(kind, StormProdigy):
            return Reason(f"No Location has room for {kind.name}, which has Strength {kind.weight}.", rule="ruling 60")
        return Reason(f"You choose the Location of {kind.name} yourself.", rule="Deployment phase")
    if slot > s.places:
        return Reason(f"There is no such Location. {rule}", rule=rule.rule)
    return explain_location(s, kind, slot - 1) or rule


def explain_location(s: FeintState, kind: Kind, place: int) -> Reason | None:
    """Return the rule that forbids a card at a Location; None if it fits."""
    if isinstance(kind, StormProdigy):
        return Reason(f"Your opponent chooses the Location of {kind.name}: announce it without one.", rule="ruling 60")
    if kind.fits(s, place):
        return None
    if isinstance(kind, Tower):
        engineers, towers = s.works(place)
        return Reason(
            f"{kind.name} needs more Engineers than Towers at Location {s.setup.numbers[place]}; "
            f"there are {engineers} and {towers}.",
            rule="ruling 73",
        )
    return explain_card_text(s, kind, place) or explain_capacity(s, kind, place)


def explain_card_text(s: FeintState, kind: Kind, place: int) -> Reason | None:
    """Return the rule in a card's text that forbids a Location; None if only the Capacity does."""
    number = s.setup.numbers[place]
    after = s.load[place] + kind.weight
    if isinstance(kind, Knight) and place != kind.place:
        only = "another box's Location" if kind.place < 0 else f"Location {s.setup.numbers[kind.place]}"
        return Reason(f"{kind.name} can only be played at {only}.", rule="ruling 54")
    if isinstance(kind, MasterOfWind) and (s.at(0, place) or s.at(1, place)):
        return Reason(f"{kind.name} needs an empty Location, and Location {number} is not.", rule="ruling 57")
    if after > s.capacity(place):
        return None
    if isinstance(kind, Engineer):
        return Reason(
            f"{kind.name} would bring Location {number} to {after}, above an Engineer's limit of 4.", rule="ruling 72"
        )
    text = kind.says(s.setup).rstrip(".")
    rule = f"ruling {kind.rulings[0]}" if kind.rulings else "card text"
    return Reason(f"{kind.name} may not go to Location {number}: {text[:1].lower()}{text[1:]}.", rule=rule)


def explain_capacity(s: FeintState, kind: Kind, place: int) -> Reason:
    """Return the rule by which a Location has no room for a card."""
    load, capacity, number = s.load[place], s.capacity(place), s.setup.numbers[place]
    if load > capacity:
        return Reason(f"Location {number} is closed: it holds {load} of {capacity}.", rule="ruling 20")
    weight = f"{kind.weight}, face down" if kind.face_down else f"{kind.weight}"
    return Reason(
        f"{kind.name} ({weight}) would bring Location {number} to {load + kind.weight} of {capacity}.", rule="ruling 18"
    )
