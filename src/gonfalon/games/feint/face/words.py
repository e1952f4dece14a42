"""Sentences for what happens, what is asked and what may be done. All are made from masked data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.english import YOU, inside, many, of, own, verb, verdict, whose
from gonfalon.core.state import Action, Card, Event, Seat
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, OWN, PASS, PLACE, SCRAMBLER, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.playing import Scramble
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.game import Feint


def card_name(game: Feint, card: Card) -> str:
    """A card's name, or `a card` for one the viewer does not know."""
    return "a card" if card & KIND == HIDDEN else str(game.cards[card & KIND]["name"])


def location(game: Feint, place: int) -> str:
    """`Location 5`."""
    return f"Location {game.box.locations[place]}"


def location_card(game: Feint, card: Card) -> str:
    """The number on a Location Card, or `hidden`."""
    return "hidden" if card & KIND == HIDDEN else str(game.box.locations[card & KIND])


def _shown_location(game: Feint, card: Card) -> str:
    return "" if card & KIND == HIDDEN else f": Location {location_card(game, card)}"


def sentence(game: Feint, event: Event, names: list[str]) -> str:
    """One sentence, past or present, actor first. Empty for an event that needs none."""
    code, _, seat, card, a, b = event
    name = names[seat] if seat >= 0 else ""
    what = card_name(game, card)
    if code == ev.ROUND:
        return f"Round {a}. {verb(name, 'are')} the start player."
    if code == ev.DISCARDED:
        return f"{verb(name, 'discard')} {what}."
    if code == ev.DREW:
        return f"{verb(name, 'draw')} {many(a, 'card')}."
    if code == ev.DREW_CARD:
        return f"{verb(name, 'draw')} {what}."
    if code == ev.SCOUTED:
        return f"{verb(name, 'draw')} a Location Card{_shown_location(game, card)}."
    if code == ev.PLAYED:
        if card & DOWN:
            secret = "" if card & KIND == HIDDEN else f" ({what})"
            return f"{verb(name, 'play')} a card face down to {location(game, a)}{secret}."
        return f"{verb(name, 'play')} {what} to {location(game, a)}."
    if code == ev.ANNOUNCED:
        return f"{verb(name, 'announce')} {what}; {verb(inside(names[OPPONENT[seat]]), 'choose')} its Location."
    if code == ev.PASSED:
        return f"{verb(name, 'pass')}."
    if code == ev.STAY:
        return f"{what} gets a Stay token."
    if code == ev.PEEKED:
        return f"{verb(name, 'look')} at {own(name)} next Location Card{_shown_location(game, card)}."
    if code == ev.BARED:
        return f"{verb(name, 'reveal')} {own(name)} Location Card: Location {location_card(game, card)}."
    if code == ev.MORALE:
        return f"{verb(name, 'gain' if a > 0 else 'lose')} {abs(a)} Morale, which leaves {b}."
    if code == ev.MOVED:
        return f"{of(name)} {_moving(what, card)} moves from {location(game, a)} to {location(game, b)}."
    if code == ev.HEALED:
        return f"{verb(name, 'put')} {what} from {own(name)} discard pile under {own(name)} draw pile."
    if code == ev.RETURNED:
        return f"{verb(name, 'put')} {_moving(what, card)} from {location(game, a)} under {own(name)} draw pile."
    if code == ev.MILLED:
        return f"{what} is discarded from the top of {whose(name)} draw pile."
    if code == ev.SPARED:
        return f"{what} is Protected and goes back on top of {whose(name)} draw pile."
    if code == ev.STRUCK:
        return f"{what} is discarded from {whose(name)} hand."
    if code == ev.SHIELDED:
        return f"{what} in {whose(name)} hand is shown; it is Protected and stays."
    if code == ev.LOOKED:
        return f"{verb(name, 'look')} at the top {many(a, 'card')} of {own(name)} draw pile."
    if code == ev.LOOKED_CARD:
        return f"{verb(name, 'see')} {what}."
    if code == ev.BOTTOMED:
        return f"{verb(name, 'put')} {'one of them' if card & KIND == HIDDEN else what} under {own(name)} draw pile."
    if code == ev.KEPT:
        return f"{verb(name, 'leave')} them as they are."
    if code == ev.BOMBED:
        return f"{of(name)} {what} at {location(game, a)} is bombed and discarded."
    if code == ev.SPENT:
        return f"{what} discards itself."
    if code == ev.LOCATION:
        return f"{of(name)} Location Card is {location_card(game, card)}."
    if code == ev.TURNED:
        return f"{of(name)} face-down card at {location(game, a)} is {what}."
    if code == ev.ADDED:
        return f"{of(name)} {what} makes {location(game, a)} a Battle Location."
    if code == ev.BARRED:
        return f"{of(name)} {what}: {location(game, a)} is no Battle Location."
    if code == ev.EARTH:
        return f"{of(name)} {what} finds {b} spare Capacity at {location(game, a)}."
    if code == ev.BATTLE:
        return f"Battle at {location(game, a)}."
    if code == ev.RATING:
        number = game.box.locations[a]
        return f"{name}: Strength {b} × {number} = {b * number}."
    if code == ev.TOTAL:
        return f"{verb(name, 'reach')} a Strategy Rating of {a}."
    if code == ev.WON:
        tie = f" It is a tie, and {verb(inside(name), 'are')} the start player." if a else ""
        return f"{verb(name, 'win')} the round.{tie}"
    if code == ev.COST:
        return f"{of(name)} cards at all Locations are worth {a} Morale."
    if code == ev.STAYED:
        return f"{of(name)} {what} stays at {location(game, a)}."
    if code == ev.SHUFFLED:
        return f"{verb(name, 'shuffle')} {own(name)} Location discard pile into a new draw pile."
    if code == ev.END:
        return f"{of(name)} {what} moves the end marker: the game lasts {many(a, 'round')}."
    if code == ev.NO_EFFECT:
        return "That finds nothing to do."
    if code == ev.OVER:
        why = {
            ev.BY_MORALE: f"{verb(inside(names[OPPONENT[seat]]), 'have')} no Morale left",
            ev.BY_ROUNDS: "more victory points",
            ev.BY_FINAL_ROUND: "victory points are tied, and the winner of the final round decides",
        }[a]
        return f"{verb(name, 'win')} the game: {why}."
    return ""


def _moving(what: str, card: Card) -> str:
    return (
        f"face-down card ({what})"
        if card & DOWN and card & KIND != HIDDEN
        else ("face-down card" if card & DOWN else what)
    )


PROMPTS: Final = {
    "reinforce": ("choose cards to discard, then draw to {hand}", "discard and draw"),
    "deploy": ("play a card to a Location, or pass", "play a card or pass"),
    "play-one": ("play one card from your hand", "play one more card"),
    "conjure": ("play one card from your discard pile", "play a card from the discard pile"),
    "order": ("choose what happens first", "choose what happens first"),
    "storm": ("choose the Location of {storm}", "choose the Location of {storm}"),
    "scramble": ("choose where {scrambled} moves", "choose where {scrambled} moves"),
    "bomb": ("choose the card that the Bomb Tower discards", "choose what the Bomb Tower discards"),
    "trojan": ("choose a card of yours that goes under your draw pile", "choose a card to take back"),
    "medic": ("choose a discard that goes under your draw pile, or stop", "choose discards to take back"),
    "support": (
        "choose one of the cards you saw for the bottom of your draw pile, or leave them",
        "arrange the draw pile",
    ),
}


def prompt(game: Feint, view: FeintState, names: list[str]) -> str:
    """Who must do what. `view.viewer` is addressed as You."""
    outcome = view.outcome()
    if outcome is not None:
        return f"{verb(names[outcome.winners[0]], 'win')} the game."
    step = view.stack[-1]
    mine, theirs = PROMPTS.get(step.prompt, ("wait", "wait"))
    words = {
        "hand": game.box.hand,
        "storm": _stormed(game, view),
        "scrambled": _scrambled(game, view),
    }
    if view.turn >= 0 and view.turn == view.viewer:
        lead = "Your turn" if step.prompt == "deploy" else "Your choice"
        return f"{lead}: {mine.format(**words)}."
    if step.seat == -1:
        return "The cards are being shuffled."
    if len(view.asked()) > 1:
        return "Waiting for the others to discard and draw." if view.viewer >= 0 else "Both players discard, then draw."
    return f"{verb(names[step.seat], 'are')} to {theirs.format(**words)}."


def ending(view: FeintState, names: list[str]) -> str:
    """Who won, and why."""
    outcome = view.outcome()
    if outcome is None:
        return ""
    [winner] = outcome.winners
    loser = OPPONENT[winner]
    result = verdict(outcome.winners, names)
    if view.how == ev.BY_MORALE:
        return f"{result}: {verb(inside(names[loser]), 'have')} no Morale left (End of Game)."
    first = loser if names[loser] == YOU else winner
    points = f"{view.won.count(first)} to {view.won.count(OPPONENT[first])} victory points"
    tie = ", the tie goes to the winner of the final round (ruling 15)" if view.how == ev.BY_FINAL_ROUND else ""
    return f"{result}: {points} after {len(view.won)} rounds (End of Game){tie}."


def _stormed(game: Feint, view: FeintState) -> str:
    step = view.stack[-1]
    kind = getattr(step, "kind", None)
    return str(game.cards[kind]["name"]) if step.prompt == "storm" and kind is not None else ""


def _scrambled(game: Feint, view: FeintState) -> str:
    """The card that a Scrambler moves, and where it lies."""
    step = view.stack[-1]
    if not isinstance(step, Scramble):
        return ""
    card = view.at(step.side(view), step.place)[step.index(view)]
    hidden = card & KIND == HIDDEN
    return f"{'the face-down card' if hidden else card_name(game, card)} at {location(game, step.place)}"


def describe(game: Feint, view: FeintState, action: Action) -> str:
    """An action of the viewer's own decision, in the imperative."""
    step = view.stack[-1] if view.stack else None
    asked = step.prompt if step else ""
    seat: Seat = view.viewer if view.viewer >= 0 else view.turn
    if action == PASS:
        return "Pass for the rest of this round."
    if action == DONE:
        if asked == "reinforce":
            count = len(view.answers[seat])
            return (
                f"Discard {many(count, 'card')} and draw to {game.box.hand}." if count else f"Draw to {game.box.hand}."
            )
        return {"medic": "Stop here.", "support": "Leave the cards as they are."}.get(asked, "Done.")
    if action == OWN:
        kind = getattr(step, "kind", None)
        return f"First the ability of {game.cards[kind]['name'] if kind is not None else 'the card'}."
    if action == SCRAMBLER:
        return "First the Scrambler."
    if action == LOWER:
        name = card_name(game, view.deck[seat][-1])
        return f"Put the lower {name} under your draw pile."
    if PLACE <= action < PLACE + view.places:
        where = location(game, action - PLACE)
        return f"Send it to {where}." if asked == "storm" else f"Move it to {where}."
    if SPOT <= action < SPOT + SPOTS * view.places:
        place, index = divmod(action - SPOT, SPOTS)
        owner = OPPONENT[seat] if asked == "bomb" else seat
        cards = view.at(owner, place)
        what = card_name(game, cards[index]) if index < len(cards) else "a card"
        if index < len(cards) and cards[index] & DOWN:
            what = f"the face-down card ({what})" if cards[index] & KIND != HIDDEN else f"face-down card {index + 1}"
        return (
            f"Discard {what} at {location(game, place)}."
            if asked == "bomb"
            else f"Take back {what} from {location(game, place)}."
        )
    if action >= CARD:
        number, slot = divmod(action - CARD, SLOTS)
        name = game.cards[number]["name"]
        if asked == "support":
            upper = "the upper " if LOWER in view.actions and view.deck[seat][-1] & KIND == number else ""
            return f"Put {upper}{name} under your draw pile."
        if slot:
            down = " face down" if view.kinds[number].face_down else ""
            return f"Play {name}{down} to {location(game, slot - 1)}."
        return {
            "reinforce": f"Discard {name}.",
            "medic": f"Put {name} under your draw pile.",
        }.get(asked, f"Announce {name}; your opponent chooses its Location.")
    return game.notation(action)
