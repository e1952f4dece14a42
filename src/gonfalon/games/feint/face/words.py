"""The sentences of Feint for events, prompts, actions and endings, made from masked data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.citations import Reason
from gonfalon.core.text.english import YOU, inside, many, several
from gonfalon.core.text.templates import ByPerson
from gonfalon.games.feint.face import messages, refusals
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, OWN, PASS, PLACE, SCRAMBLER, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.playing import Order, Scramble, Storm
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, FeintState
from gonfalon.games.feint.setup import FeintRules, as_feint

SAME_SEAT: Final = frozenset(
    {
        (ev.DISCARDED, ev.DISCARDED),
        (ev.DREW, ev.DREW_CARD),
        (ev.DREW_CARD, ev.DREW_CARD),
        (ev.LOOKED, ev.LOOKED_CARD),
        (ev.LOOKED_CARD, ev.LOOKED_CARD),
        (ev.MILLED, ev.MILLED),
        (ev.TURNED, ev.TURNED),
        (ev.COST, ev.MORALE),
        (ev.PLAYED, ev.NO_EFFECT),
    }
)
"""The pairs of events of one seat that are on one line of the log."""
BOTH_SEATS: Final = frozenset(
    {
        (ev.SCOUTED, ev.SCOUTED),
        (ev.LOCATION, ev.LOCATION),
        (ev.BATTLE, ev.RATING),
        (ev.RATING, ev.RATING),
        (ev.TOTAL, ev.TOTAL),
        (ev.TOTAL, ev.WON),
    }
)
"""The pairs of events of any seats that are on one line."""


class FeintWords(FeintRules, Words):
    """The sentences of a game of Feint."""

    tips: ClassVar[Mapping[str, str]] = messages.TIPS

    # ---- names ----------------------------------------------------------------------------------

    def kind_name(self, kind: int) -> str:
        return self._card_name(kind)

    def seat_names(self) -> list[str]:
        names = [str(self.box.factions[faction]["name"]) for faction in self.setup.factions]
        return names if names[0] != names[1] else [f"{names[0]} ({seat + 1})" for seat in (0, 1)]

    def _card_name(self, card: Card) -> str:
        """Return a card's name, or `a card` if the viewer does not know it."""
        kind = card & KIND
        known = kind != HIDDEN and kind < len(self.setup.kinds)
        return self.setup.kinds[kind].name if known else messages.A_CARD

    def _moving_name(self, card: Card) -> str:
        """Return the name of a card on the board, which may be face down."""
        if not card & DOWN:
            return self._card_name(card)
        if card & KIND == HIDDEN:
            return messages.FACE_DOWN_CARD
        return messages.FACE_DOWN_NAMED.format(card=self._card_name(card))

    def _number(self, place: int) -> int:
        """Return the number of a Location; 0 for an unknown one."""
        numbers = self.setup.numbers
        return numbers[place] if 0 <= place < len(numbers) else 0

    # ---- the log --------------------------------------------------------------------------------

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """Return the sentence of an event."""
        sentence, words = choose_sentence(event), self.fill_sentence(event)
        name = names[event[2]] if event[2] >= 0 else ""
        if event[0] == ev.RATING:
            words["sum"] = self.format_sum(event, name)
        return sentence.format(name=name, **words) if sentence else ""

    def fill_sentence(self, event: Event) -> dict[str, object]:
        """Return the values of the placeholders that the sentence of an event can have."""
        code, _, _, card, a, b = event
        hidden, name = card & KIND == HIDDEN, self._card_name(card)
        if code == ev.BOTTOMED and hidden:
            name = messages.ONE_OF_THEM
        elif code in (ev.MOVED, ev.RETURNED):
            name = self._moving_name(card)
        cards = many(a, "card") if code in (ev.DREW, ev.LOOKED) else name
        if code == ev.TURNED:
            cards = messages.CARD_AT.format(card=name, place=self._number(a))
        return {
            "card": name,
            "cards": cards,
            "place": self._number(card & KIND if code in (ev.SCOUTED, ev.PEEKED, ev.BARED, ev.LOCATION) else a),
            "goal": self._number(b),
            "rounds": many(a, "round"),
            "size": abs(a),
            "left": b,
            "spare": b,
            "count": b + 1,
            "number": a,
            "total": a,
            "morale": a,
        }

    def continues(self, event: Event, last: Event) -> bool:
        pair = last[0], event[0]
        return pair in BOTH_SEATS or (pair in SAME_SEAT and last[2] == event[2])

    def line(self, events: Sequence[Event], view: State, names: list[str]) -> str:
        merge = MERGED.get(events[0][0]) if len(events) > 1 else None
        return (merge(self, events, names) if merge else "") or super().line(events, view, names)

    def list_cards(self, cards: Iterable[Card]) -> str:
        """Return the names of cards, of equal ones with their number: `Ox ×2 and Hen`."""
        counts = Counter(self._card_name(card) for card in cards)
        return several([messages.SEVERAL_OF.format(card=c, count=n) if n > 1 else c for c, n in counts.items()])

    def format_sum(self, event: Event, name: str) -> str:
        """Return a product of a Strategy Rating: `You 6 × 2 = 12`."""
        place, strength = self._number(event[4]), event[5]
        return messages.SUM.format(name=name, strength=strength, place=place, sum=strength * place)

    # ---- prompts and endings --------------------------------------------------------------------

    def prompt(self, view: State, names: list[str]) -> str:
        """Return the prompt of the decision that is due, addressed to the viewer if it is the viewer's."""
        s = as_feint(view)
        if s.moment:
            return self.moment_words(view, names)
        outcome = s.outcome()
        if outcome is not None:
            return messages.WINS_GAME.format(name=names[outcome.winners[0]])
        step = s.stack[-1]
        if step.seat == -1:
            return messages.SHUFFLING
        mine = s.turn >= 0 and s.turn == s.viewer
        if len(s.asked()) > 1 and not mine and s.viewer >= 0:
            return messages.WAITING.format(other=names[OPPONENT[s.viewer]])
        name = names[step.seat] if step.seat >= 0 else ""
        words = {"hand": str(self.setup.hand), "card": "", "place": "", "name": name}
        if isinstance(step, Storm):
            words["card"] = self.setup.kinds[step.kind].name
            words["name"] = names[OPPONENT[step.seat]] if mine else name
        elif isinstance(step, Scramble):
            card = s.at(step.side(s), step.place)[step.index(s)]
            known = card & KIND != HIDDEN
            words["card"] = self._card_name(card) if known else messages.THE_FACE_DOWN_CARD
            words["place"] = str(self._number(step.place))
        own, other = messages.PROMPTS[step.prompt]
        return (own if mine else other).format(**words)

    def ending(self, view: State, names: list[str]) -> str:
        """Return the result and its reason, from the viewer's side; empty while the game is running."""
        s = as_feint(view)
        outcome = s.outcome()
        if outcome is None:
            return ""
        [winner] = outcome.winners
        loser = OPPONENT[winner]
        side = 0 if names[winner] == YOU else 1 if names[loser] == YOU else 2
        won, lost = s.won.count(winner), s.won.count(loser)
        return messages.ENDINGS[s.how][side].format(name=names[winner], other=names[loser], won=won, lost=lost)

    # ---- actions --------------------------------------------------------------------------------

    def describe(self, view: State, action: Action) -> str:
        """Return an action of the viewer's decision as a sentence in the imperative."""
        s = as_feint(view)
        step = s.stack[-1] if s.stack else None
        asked = step.prompt if step else ""
        seat: Seat = s.viewer if s.viewer >= 0 else s.turn
        if action == PASS:
            return messages.PASS
        if action == DONE:
            return self._done(asked, len(s.answers[seat]))
        if action == OWN and isinstance(step, Order):
            return messages.ABILITY_FIRST.format(card=s.kinds[step.kind].name)
        if action == SCRAMBLER:
            return messages.SCRAMBLER_FIRST
        if action == LOWER:
            return messages.RETURN_LOWER.format(card=self._card_name(s.deck[seat][-1]))
        if PLACE <= action < PLACE + s.places:
            place = self._number(action - PLACE)
            return messages.SEND.format(place=place) if asked == "storm" else messages.MOVE.format(place=place)
        if SPOT <= action < SPOT + SPOTS * s.places:
            return self._pointed(s, seat, asked, action)
        return self._used(s, seat, asked, action) if action >= CARD else self.notation(action)

    def _done(self, asked: str, discards: int) -> str:
        """Return the sentence for finishing a choice of several cards."""
        if asked != "reinforce":
            return messages.LEAVE if asked == "support" else messages.STOP
        if not discards:
            return messages.DRAW_TO.format(hand=self.setup.hand)
        return messages.DISCARD_MARKED.format(cards=many(discards, "card"), hand=self.setup.hand)

    def _pointed(self, s: FeintState, seat: Seat, asked: str, action: Action) -> str:
        """Return the sentence for choosing a card at a Location."""
        place, index = divmod(action - SPOT, SPOTS)
        cards = s.at(OPPONENT[seat] if asked == "bomb" else seat, place)
        card = cards[index] if index < len(cards) else HIDDEN
        what = self._moving_name(card)
        if card & DOWN and card & KIND == HIDDEN:
            what = messages.FACE_DOWN_NUMBERED.format(number=index + 1)
        number = self._number(place)
        if asked == "bomb":
            return messages.DISCARD_AT.format(card=what, place=number)
        return messages.RETURN_FROM.format(card=what, place=number)

    def _used(self, s: FeintState, seat: Seat, asked: str, action: Action) -> str:
        """Return the sentence for playing or choosing a card of a hand or pile."""
        number, slot = divmod(action - CARD, SLOTS)
        name = self.setup.kinds[number].name
        if asked == "support" and LOWER in s.actions and s.deck[seat][-1] & KIND == number:
            return messages.RETURN_UPPER.format(card=name)
        if slot:
            place = self._number(slot - 1)
            if s.kinds[number].face_down:
                return messages.PLAY_FACE_DOWN.format(card=name, place=place)
            return messages.PLAY.format(card=name, place=place)
        if asked == "reinforce":
            return messages.DISCARD.format(card=name)
        if asked in ("medic", "support"):
            return messages.RETURN.format(card=name)
        return messages.ANNOUNCE.format(card=name)

    def refusal(self, view: State, seat: Seat, action: Action) -> Reason:
        return refusals.explain_refusal(as_feint(view), seat, action)


def choose_sentence(event: Event) -> str | ByPerson:
    """Return the sentence of an event, with placeholders; empty for an event without one."""
    code, _, _, card, a, b = event
    known = card & KIND != HIDDEN
    special: Mapping[int, tuple[bool, str | ByPerson]] = {
        ev.PLAYED: (bool(card & DOWN), messages.PLAYS_DOWN),
        ev.SCOUTED: (known, messages.SCOUTS_NUMBER),
        ev.PEEKED: (known, messages.PEEKS_NUMBER),
        ev.STAY: (bool(b), messages.STAY_TOKENS),
        ev.MORALE: (a > 0, messages.GAINS_MORALE),
        ev.WON: (bool(a), messages.WINS_TIE),
    }
    return special[code][1] if code in special and special[code][0] else messages.SENTENCES.get(code, "")


# ---- lines of several events ------------------------------------------------------------------------


def merge_cards(game: FeintWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for cards that are drawn, discarded or seen together."""
    code, _, seat, *_ = events[0]
    cards = [event[3] for event in events if event[0] not in (ev.DREW, ev.LOOKED)]
    sentence = {ev.DREW: messages.DRAWS, ev.LOOKED: messages.SEES}.get(code) or messages.SENTENCES[code]
    return sentence.format(name=names[seat], cards=game.list_cards(cards))


def merge_location_cards(game: FeintWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for both drawn Location Cards, if the viewer knows no other than the viewer's own."""
    known = [event for event in events if event[3] & KIND != HIDDEN]
    if not known:
        return messages.BOTH_SCOUT
    if len(known) == 1 and names[known[0][2]] == YOU:
        return messages.BOTH_SCOUT_OWN.format(place=game.setup.numbers[known[0][3] & KIND])
    return ""


def merge_revealed(game: FeintWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for both revealed Location Cards."""
    numbers = {event[2]: game.setup.numbers[event[3] & KIND] for event in events}
    return format_locations([numbers[0], numbers[1]], names)


def format_locations(numbers: Sequence[int | None], names: list[str]) -> str:
    """Return the numbers of both Location Cards, the reader's first."""
    one = names.index(YOU) if YOU in names else 0
    return messages.LOCATION_CARDS.format(
        first=inside(names[one]), place=numbers[one], second=names[1 - one], other=numbers[1 - one]
    )


def merge_turned(game: FeintWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for all cards that a seat turns up."""
    cards = [str(game.fill_sentence(event)["cards"]) for event in events]
    return messages.TURNS_UP.format(name=names[events[0][2]], cards=several(cards))


def merge_battle(game: FeintWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for a battle with the products of both seats."""
    sums = [game.format_sum(event, inside(names[event[2]])) for event in events[1:]]
    return messages.BATTLE_SUMS.format(place=game.setup.numbers[events[0][4]], sums=", ".join(sums))


def merge_result(game: FeintWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for the result of a round with both Strategy Ratings."""
    *totals, (code, _, winner, _, tied, _) = events
    if code != ev.WON or len(totals) < 2:
        return ""
    rating = {event[2]: event[4] for event in totals}
    if tied:
        return messages.WINS_TIE_BY.format(name=names[winner], won=rating[winner])
    return messages.WINS_ROUND_BY.format(name=names[winner], won=rating[winner], lost=rating[OPPONENT[winner]])


def merge_cost(game: FeintWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for the Morale of the cards on the board and what is left."""
    cost, change = events
    return messages.COST_LEAVES.format(name=names[cost[2]], morale=cost[4], left=change[5])


MERGED: Final[Mapping[int, Callable[[FeintWords, Sequence[Event], list[str]], str]]] = {
    ev.DISCARDED: merge_cards,
    ev.DREW: merge_cards,
    ev.DREW_CARD: merge_cards,
    ev.LOOKED: merge_cards,
    ev.LOOKED_CARD: merge_cards,
    ev.MILLED: merge_cards,
    ev.SCOUTED: merge_location_cards,
    ev.LOCATION: merge_revealed,
    ev.TURNED: merge_turned,
    ev.BATTLE: merge_battle,
    ev.TOTAL: merge_result,
    ev.COST: merge_cost,
}
"""The line of several events, by the first one. An empty line stands for the sentences one after the other."""
