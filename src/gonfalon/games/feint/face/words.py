"""The sentences of Feint for events, prompts, actions and endings, made from masked data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.english import YOU, inside, many, of, own, verb, verdict, whose
from gonfalon.games.feint.face import refusals
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, OWN, PASS, PLACE, SCRAMBLER, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.playing import Order, Scramble, Storm
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState
from gonfalon.games.feint.setup import FeintRules, as_feint

SENTENCES: Final = {
    ev.ROUND: "Round {a}. {who:are} the start player.",
    ev.DISCARDED: "{who:discard} {what}.",
    ev.DREW: "{who:draw} {cards}.",
    ev.DREW_CARD: "{who:draw} {what}.",
    ev.SCOUTED: "{who:draw} a Location Card{told}.",
    ev.PLAYED: "{who:play} {what} to {here}.",
    ev.ANNOUNCED: "{who:announce} {what}; {foe:choose} its Location.",
    ev.PASSED: "{who:pass}.",
    ev.STAY: "{what} gets a Stay token.",
    ev.PEEKED: "{who:look} at {own} next Location Card{told}.",
    ev.BARED: "{who:reveal} {own} Location Card: Location {number}.",
    ev.MORALE: "{who:lose} {size} Morale, which leaves {b}.",
    ev.MOVED: "{of} {moving} moves from {here} to {there}.",
    ev.HEALED: "{who:put} {what} from {own} discard pile under {own} draw pile.",
    ev.RETURNED: "{who:put} {moving} from {here} under {own} draw pile.",
    ev.MILLED: "{what} is discarded from the top of {whose} draw pile.",
    ev.SPARED: "{what} is Protected and goes back on top of {whose} draw pile.",
    ev.STRUCK: "{what} is discarded from {whose} hand.",
    ev.SHIELDED: "{what} in {whose} hand is shown; it is Protected and stays.",
    ev.LOOKED: "{who:look} at the top {cards} of {own} draw pile.",
    ev.LOOKED_CARD: "{who:see} {what}.",
    ev.BOTTOMED: "{who:put} {what} under {own} draw pile.",
    ev.KEPT: "{who:leave} them as they are.",
    ev.BOMBED: "{of} {what} at {here} is bombed and discarded.",
    ev.SPENT: "{what} discards itself.",
    ev.LOCATION: "{of} Location Card is {number}.",
    ev.TURNED: "{of} face-down card at {here} is {what}.",
    ev.ADDED: "{of} {what} makes {here} a Battle Location.",
    ev.BARRED: "{of} {what} rules out a battle at {here}.",
    ev.EARTH: "{of} {what} finds {b} spare Capacity at {here}.",
    ev.BATTLE: "Battle at {here}.",
    ev.TOTAL: "{who:reach} a Strategy Rating of {a}.",
    ev.WON: "{who:win} the round.",
    ev.COST: "{of} cards at all Locations are worth {a} Morale.",
    ev.STAYED: "{of} {what} stays at {here}.",
    ev.SHUFFLED: "{who:shuffle} {own} Location discard pile into a new draw pile.",
    ev.NO_EFFECT: "That has no effect.",
    ev.END: "{of} {what} moves the end marker: the game lasts {rounds}.",
}
"""The sentences by event. `{who:play}` becomes `You play` or `May plays`; `_words_for` gives the other words."""
GAINED: Final = "{who:gain} {size} Morale, which leaves {b}."
TIED: Final = "{who:win} the round. It is a tie, and {inside:are} the start player."
FACE_DOWN: Final = "{who:play} a card face down to {here}{secret}."
ONE_OF_THEM: Final = "{who:put} one of them under {own} draw pile."
OVER: Final = {
    ev.BY_MORALE: "{who:win} the game: {foe:have} no Morale left.",
    ev.BY_ROUNDS: "{who:win} the game: more victory points.",
    ev.BY_FINAL_ROUND: "{who:win} the game: victory points are tied, and the winner of the final round decides.",
}

PROMPTS: Final = {
    "reinforce": ("choose cards to discard, then draw to {hand}", "discard and draw"),
    "deploy": ("play a card to a Location, or pass", "play a card or pass"),
    "play-one": ("play one card from your hand", "play one more card"),
    "conjure": ("play one card from your discard pile", "play a card from the discard pile"),
    "order": ("choose what happens first", "choose what happens first"),
    "storm": ("choose the Location of {storm}", "choose the Location of {storm}"),
    "scramble": ("choose where {scrambled} moves", "choose where {scrambled} moves"),
    "bomb": ("choose the card that the Bomb Tower discards", "choose what the Bomb Tower discards"),
    "trojan": ("choose your card to put under your draw pile", "choose a card to return"),
    "medic": ("choose a discard to put under your draw pile, or stop", "choose discards to return"),
    "support": (
        "put one of the cards you saw under your draw pile, or none",
        "arrange the draw pile",
    ),
}


TIPS: Final = {
    "reinforce": "Discard the cards you will not use: you draw up to a full hand again.",
    "deploy": "Two battles: at your Location, and at one that you must guess.",
}
"""Tips for new players, by prompt."""


class FeintWords(FeintRules, Words):
    """The sentences of a game of Feint."""

    tips: ClassVar[Mapping[str, str]] = TIPS

    def kind_name(self, kind: int) -> str:
        return self._card_name(kind)

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """Return the sentence of an event; empty for an event without one."""
        code, _, seat, card, a, b = event
        hidden = card & KIND == HIDDEN
        if code == ev.RATING:
            number = self.setup.numbers[a]
            return f"{names[seat]}: Strength {b} × {number} = {b * number}."
        sentence = OVER[a] if code == ev.OVER else SENTENCES.get(code, "")
        if code == ev.PLAYED and card & DOWN:
            sentence = FACE_DOWN
        elif code == ev.STAY and b:
            return f"{self._card_name(card)} gets {b + 1} Stay tokens."
        elif code == ev.MORALE and a > 0:
            sentence = GAINED
        elif code == ev.WON and a:
            sentence = TIED
        elif code == ev.BOTTOMED and hidden:
            sentence = ONE_OF_THEM
        return sentence.format_map(self._words_for(event, names))

    def _words_for(self, event: Event, names: list[str]) -> dict[str, object]:
        """Return the words that the sentence of an event can contain."""
        _, _, seat, card, a, b = event
        name, foe = (names[seat], names[OPPONENT[seat]]) if seat >= 0 else ("", "")
        hidden = card & KIND == HIDDEN
        what, number = self._card_name(card), self._number(card)
        down = f"face-down card ({what})" if not hidden else "face-down card"
        return {
            "who": Actor(name),
            "inside": Actor(inside(name)),
            "foe": Actor(inside(foe)),
            "of": of(name),
            "own": own(name),
            "whose": whose(name),
            "what": what,
            "moving": down if card & DOWN else what,
            "secret": "" if hidden else f" ({what})",
            "number": number,
            "told": "" if hidden else f": Location {number}",
            "here": self._location(a),
            "there": self._location(b),
            "cards": many(a, "card"),
            "rounds": many(a, "round"),
            "size": abs(a),
            "a": a,
            "b": b,
        }

    def _card_name(self, card: Card) -> str:
        """Return a card's name, or `a card` if the viewer does not know it."""
        kind = card & KIND
        return "a card" if kind == HIDDEN or kind >= len(self.setup.kinds) else self.setup.kinds[kind].name

    def _number(self, card: Card) -> str:
        """Return the number on a Location Card, or `hidden`."""
        numbers = self.setup.numbers
        return str(numbers[card & KIND]) if card & KIND < len(numbers) else "hidden"

    def _location(self, place: int) -> str:
        """Return the name of a place: `Location 5`."""
        numbers = self.setup.numbers
        return f"Location {numbers[place]}" if 0 <= place < len(numbers) else ""

    def prompt(self, view: State, names: list[str]) -> str:
        """Return the prompt of the decision that is due, addressed to the viewer if it is the viewer's."""
        s = as_feint(view)
        outcome = s.outcome()
        if outcome is not None:
            return f"{verb(names[outcome.winners[0]], 'win')} the game."
        step = s.stack[-1]
        mine, theirs = PROMPTS.get(step.prompt, ("wait", "wait"))
        words = {
            "hand": self.setup.hand,
            "storm": self.setup.kinds[step.kind].name if isinstance(step, Storm) else "",
            "scrambled": self._scrambled(s, step) if isinstance(step, Scramble) else "",
        }
        if s.turn >= 0 and s.turn == s.viewer:
            text = mine.format(**words)
            return f"Your turn: {text}." if step.prompt == "deploy" else f"{text[:1].upper()}{text[1:]}."
        if step.seat == -1:
            return "The cards are being shuffled."
        if len(s.asked()) > 1:
            waiting = "Waiting for the other player to discard and draw."
            return waiting if s.viewer >= 0 else "Both players discard, then draw."
        return f"{of(names[step.seat])} turn: {theirs.format(**words)}."

    def _scrambled(self, s: FeintState, step: Scramble) -> str:
        """Return the card that a Scrambler moves, with its Location."""
        card = s.at(step.side(s), step.place)[step.index(s)]
        what = "the face-down card" if card & KIND == HIDDEN else self._card_name(card)
        return f"{what} at {self._location(step.place)}"

    def ending(self, view: State, names: list[str]) -> str:
        """Return the result and its reason, from the viewer's side; empty while the game is running."""
        s = as_feint(view)
        outcome = s.outcome()
        if outcome is None:
            return ""
        [winner] = outcome.winners
        loser = OPPONENT[winner]
        result = verdict(outcome.winners, names)
        if s.how == ev.BY_MORALE:
            return f"{result}: {verb(inside(names[loser]), 'have')} no Morale left."
        first = loser if names[loser] == YOU else winner
        points = f"{s.won.count(first)} to {s.won.count(OPPONENT[first])} victory points"
        tie = "; the winner of the final round wins the tie" if s.how == ev.BY_FINAL_ROUND else ""
        return f"{result}: {points} after {len(s.won)} rounds{tie}."

    def describe(self, view: State, action: Action) -> str:
        """Return an action of the viewer's decision as a sentence in the imperative."""
        s = as_feint(view)
        step = s.stack[-1] if s.stack else None
        asked = step.prompt if step else ""
        seat: Seat = s.viewer if s.viewer >= 0 else s.turn
        if action == PASS:
            return "Pass for the rest of this round."
        if action == DONE:
            return self._done(asked, len(s.answers[seat]))
        if action == OWN:
            return f"Use the ability of {s.kinds[step.kind].name if isinstance(step, Order) else 'the card'} first."
        if action == SCRAMBLER:
            return "Move the Scrambler first."
        if action == LOWER:
            return f"Put the lower {self._card_name(s.deck[seat][-1])} under your draw pile."
        if PLACE <= action < PLACE + s.places:
            return f"{'Send' if asked == 'storm' else 'Move'} it to {self._location(action - PLACE)}."
        if SPOT <= action < SPOT + SPOTS * s.places:
            return self._pointed(s, seat, asked, action)
        return self._used(s, seat, asked, action) if action >= CARD else self.notation(action)

    def _done(self, asked: str, discards: int) -> str:
        """Return the sentence for finishing a choice of several cards."""
        if asked == "reinforce":
            hand = self.setup.hand
            return f"Discard {many(discards, 'card')} and draw to {hand}." if discards else f"Draw to {hand}."
        return {"medic": "Stop here.", "support": "Leave the cards as they are."}.get(asked, "Done.")

    def _pointed(self, s: FeintState, seat: Seat, asked: str, action: Action) -> str:
        """Return the sentence for choosing a card at a Location."""
        place, index = divmod(action - SPOT, SPOTS)
        cards = s.at(OPPONENT[seat] if asked == "bomb" else seat, place)
        what = self._card_name(cards[index]) if index < len(cards) else "a card"
        if index < len(cards) and cards[index] & DOWN:
            what = f"the face-down card ({what})" if cards[index] & KIND != HIDDEN else f"face-down card {index + 1}"
        where = self._location(place)
        return f"Discard {what} at {where}." if asked == "bomb" else f"Put {what} from {where} under your draw pile."

    def _used(self, s: FeintState, seat: Seat, asked: str, action: Action) -> str:
        """Return the sentence for playing or choosing a card of a hand or pile."""
        number, slot = divmod(action - CARD, SLOTS)
        name = self.setup.kinds[number].name
        if asked == "support":
            upper = "the upper " if LOWER in s.actions and s.deck[seat][-1] & KIND == number else ""
            return f"Put {upper}{name} under your draw pile."
        if slot:
            down = " face down" if s.kinds[number].face_down else ""
            return f"Play {name}{down} to {self._location(slot - 1)}."
        if asked == "reinforce":
            return f"Discard {name}."
        if asked == "medic":
            return f"Put {name} under your draw pile."
        return f"Announce {name}; your opponent chooses its Location."

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        return refusals.explain_refusal(as_feint(view), seat, action)

    def seat_names(self) -> list[str]:
        names = [str(self.box.factions[faction]["name"]) for faction in self.setup.factions]
        return names if names[0] != names[1] else [f"{names[0]} ({seat + 1})" for seat in (0, 1)]


class Actor:
    """A seat in a sentence: `{who}` gives its name, `{who:play}` the name with a verb in the right form."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __format__(self, word: str) -> str:
        return verb(self.name, word) if word else self.name
