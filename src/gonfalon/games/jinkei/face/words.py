"""The sentences of Jinkei for events, prompts, actions and endings, made from masked data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.citations import Reason
from gonfalon.core.text.english import YOU, inside, many, several
from gonfalon.core.text.templates import ByPerson
from gonfalon.games.jinkei.box import Box
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.refusals import explain_refusal
from gonfalon.games.jinkei.rules import events as ev
from gonfalon.games.jinkei.rules.actions import ADVANCE, DEAL, FORMATION, KINDS, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import ROWS, Setup
from gonfalon.games.jinkei.rules.state import OPPONENT, JinkeiState, as_jinkei

SAME_SEAT: Final = frozenset(
    {(ev.DREW, ev.DREW_CARD), (ev.DREW_CARD, ev.DREW_CARD), (ev.PLACED, ev.PLACED), (ev.ADVANCED, ev.ADVANCED)}
)
"""The pairs of events of one seat that are on one line of the log."""
BOTH_SEATS: Final = frozenset((code, code) for code in (ev.FORMATION, ev.REVEALED, ev.PLACED_DOWN, ev.SCORED, ev.TOTAL))
"""The pairs of events of both seats that are on one line."""


def name_space(space: int) -> str:
    """Return the name of a space: `Vanguard 1`."""
    return messages.SPACE.format(row=messages.SHORT[space // 3], number=space % 3 + 1)


def format_sum(printed: int, rank: int) -> str:
    """Return a rank as a sum: `9 + 1 = 10`, or `9` on a space without a bonus."""
    return f"{printed} + {rank - printed} = {rank}" if rank != printed else str(rank)


class JinkeiWords(Words):
    """The sentences of a game of Jinkei."""

    tips: ClassVar[Mapping[str, str]] = messages.TIPS
    box: Box
    setup: Setup
    names: list[str]
    """The notation by kind: red5, blue12."""

    # ---- names ----------------------------------------------------------------------------------

    def seat_names(self) -> list[str]:
        return ["Black", "White"]

    def card_name(self, card: Card) -> str:
        """Return the name of a card: `Red 5`, or `a card` if the viewer does not know it."""
        return messages.A_CARD if card & KIND == HIDDEN else self.kind_name(card & KIND)

    def kind_name(self, kind: int) -> str:
        """Return the name of a kind: `Red 5`."""
        return messages.CARD.format(colour=self.colour_name(self.setup.colour[kind]), rank=self.setup.rank[kind])

    def colour_name(self, colour: int) -> str:
        """Return the name of a color: `Red`."""
        return self.box.colours[colour].title()

    def type_name(self, type: int) -> str:
        """Return the name of a type: `Sword`."""
        return self.box.types[type].title()

    def formation_name(self, formation: int) -> str:
        """Return the name of a formation: `Sword 1 A`, by type, round and letter."""
        form = self.setup.formations[formation]
        letter = "AB"[self.setup.choices(form.type, form.round).index(formation)]
        return messages.FORMATION.format(type=self.type_name(form.type), round=form.round, letter=letter)

    def played(self, card: Card, space: int, called: int) -> str:
        """Return a play as a noun: `Red 9 (9+1 = 10) from Rearguard 2, as Blue`."""
        where = name_space(space)
        if card & KIND == HIDDEN or called < 0:
            return messages.CARD_FROM.format(card=messages.A_CARD, space=where)
        kind = card & KIND
        colour, rank = divmod(called, ev.CALLED)
        printed, name = self.setup.rank[kind], self.kind_name(kind)
        if rank != printed:
            name = messages.CARD_WITH_SUM.format(card=name, sum=f"{printed}+{rank - printed} = {rank}")
        name = messages.CARD_FROM.format(card=name, space=where)
        if colour != self.setup.colour[kind]:
            name = messages.CARD_AS.format(card=name, colour=self.colour_name(colour))
        return name

    # ---- the log --------------------------------------------------------------------------------

    def words(self, event: Event, view: State, names: list[str]) -> str:
        seat = event[2]
        name, other = (names[seat], inside(names[OPPONENT[seat]])) if seat >= 0 else ("", "")
        sentence = choose_sentence(event, self.setup.games > 1)
        return sentence.format(name=name, other=other, **self.fill_sentence(event)) if sentence else ""

    def fill_sentence(self, event: Event) -> dict[str, object]:
        """Return the values of the placeholders that the sentence of an event can have."""
        code, _, _, card, a, b = event
        name = self.card_name(card)
        words: dict[str, object] = {"card": name, "cards": name, "number": a, "points": b}
        if code == ev.TYPE:
            words["type"] = self.type_name(a)
        elif code == ev.FORMATION:
            words["formation"] = self.formation_name(a)
        elif code == ev.DREW:
            words["cards"] = many(a, "card")
        elif code == ev.PLACED_DOWN:
            words["cards"] = many(a, "Reinforcement")
        elif code == ev.TOTAL:
            words["points"] = a
        elif code in (ev.LED, ev.ANSWERED):
            words["card"] = self.played(card, a, b)
        elif code in (ev.REVEALED, ev.PLACED):
            words["space"] = name_space(a)
            words["cards"] = messages.CARD_ON.format(card=name, space=name_space(a))
        elif code == ev.ADVANCED:
            words["cards"] = messages.ADVANCE_WAY.format(card=name, space=name_space(a), goal=name_space(b))
        return words

    def continues(self, event: Event, last: Event) -> bool:
        pair = last[0], event[0]
        if pair in BOTH_SEATS:
            return True
        # A Reinforcement is known to its seat alone, so it is no part of the line of the open cards.
        return pair in SAME_SEAT and last[2] == event[2] and (pair[0] == ev.DREW or last[1] == event[1])

    def line(self, events: Sequence[Event], view: State, names: list[str]) -> str:
        merge = MERGED.get(events[0][0]) if len(events) > 1 else None
        return merge(self, events, names) if merge else super().line(events, view, names)

    # ---- prompts and endings --------------------------------------------------------------------

    def prompt(self, view: State, names: list[str]) -> str:
        s = as_jinkei(view)
        if s.moment:
            return self.moment_words(view, names)
        outcome = s.outcome()
        if outcome is not None:
            shared = len(outcome.winners) > 1
            return messages.BOTH_WIN if shared else messages.WINS_GAME.format(name=names[outcome.winners[0]])
        step = s.stack[-1]
        if step.seat == -1:
            return messages.SHUFFLING
        own, other = messages.PROMPTS[step.prompt]
        if s.turn >= 0 and s.turn == s.viewer:
            row = s.row(s.turn, step.prompt == "lead") if step.prompt in ("lead", "answer") else []
            words = {"row": ROWS[row[0] // 3] if row else ""}
            if step.prompt in ("front", "back"):
                form = s.form(s.turn)
                words["cards"] = many(len(form.front if step.prompt == "front" else form.back), "card")
            return own.format(**words)
        if len(s.asked()) > 1:
            waits = s.viewer >= 0
            return messages.WAITING.format(other=names[OPPONENT[s.viewer]]) if waits else messages.BOTH_CHOOSE
        return other.format(name=names[step.seat])

    def ending(self, view: State, names: list[str]) -> str:
        s = as_jinkei(view)
        outcome = s.outcome()
        if outcome is None:
            return ""
        if len(outcome.winners) > 1:
            return messages.SHARED_RESULT.format(won=s.totals[0], lost=s.totals[1])
        [winner] = outcome.winners
        loser = OPPONENT[winner]
        side = 0 if names[winner] == YOU else 1 if names[loser] == YOU else 2
        sentence = messages.ENDINGS[s.how == ev.BY_SECOND][side]
        return sentence.format(name=names[winner], other=names[loser], won=s.totals[winner], lost=s.totals[loser])

    # ---- actions --------------------------------------------------------------------------------

    def describe(self, view: State, action: Action) -> str:
        s = as_jinkei(view)
        if action < FORMATION:
            return messages.TAKE_TYPE.format(type=self.type_name(action))
        if action in (FORMATION, FORMATION + 1):
            choices = self.setup.choices(s.type[s.turn], s.round)
            return messages.USE_FORMATION.format(formation=self.formation_name(choices[action - FORMATION]))
        if PUT <= action < PLAY:
            space, kind = divmod(action - PUT, KINDS)
            return messages.LAY.format(card=self.kind_name(kind), space=name_space(space))
        if PLAY <= action < ADVANCE:
            return self._describe_play(s, (action - PLAY) // 2, (action - PLAY) % 2)
        if ADVANCE <= action < DEAL:
            return messages.ADVANCE.format(card=self.kind_name(action - ADVANCE))
        return self.notation(action)

    def _describe_play(self, s: JinkeiState, space: int, colour: int) -> str:
        cards = s.spaces[s.turn][space]
        if not cards or cards[0] & KIND == HIDDEN:
            return messages.PLAY_UNKNOWN.format(space=name_space(space))
        rank = s.effective(s.turn, space, cards[0] & KIND)
        return messages.PLAY.format(card=self.played(cards[0], space, colour * ev.CALLED + rank))

    def refusal(self, view: State, seat: Seat, action: Action) -> Reason | str:
        return explain_refusal(self, as_jinkei(view), seat, action)


def choose_sentence(event: Event, is_match: bool) -> str | ByPerson:
    """Return the sentence of an event, with placeholders; empty for an event without one."""
    code, _, seat, _, a, _ = event
    if code == ev.TOOK:
        return messages.TAKEN[a]
    if code == ev.OVER and seat < 0:
        return messages.SHARED
    if code == ev.OVER and a == ev.BY_SECOND:
        return messages.WINS_TIE
    return messages.FIRST_PLAYER_OF if code == ev.GAME and is_match else messages.SENTENCES.get(code, "")


# ---- lines of several events ------------------------------------------------------------------------


def merge_draws(game: JinkeiWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for drawn cards. Cards that have fought since are not named again (ruling 30)."""
    cards = [event[3] for event in events if event[0] == ev.DREW_CARD]
    if all(card & KIND != HIDDEN for card in cards):
        drawn = several([game.card_name(card) for card in cards])
    else:
        drawn = many(len(cards), "card")
    return messages.DRAWS.format(name=names[events[0][2]], cards=drawn)


def merge_cards(game: JinkeiWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for cards that a seat lays or advances."""
    sentence = messages.SENTENCES[events[0][0]]
    if events[0][0] == ev.PLACED and any(event[3] & KIND == HIDDEN for event in events):
        cards = many(len(events), "card")
    else:
        cards = several([str(game.fill_sentence(event)["cards"]) for event in events])
    return sentence.format(name=names[events[0][2]], cards=cards)


def merge_formations(game: JinkeiWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for the formations of both seats."""
    (one, formation), (two, other) = ((event[2], game.formation_name(event[4])) for event in events)
    return messages.FORMATIONS.format(
        first=inside(names[one]), formation=formation, second=inside(names[two]), other=other
    )


def merge_scores(game: JinkeiWords, events: Sequence[Event], names: list[str]) -> str:
    """Return one line for the points of both seats in a round or a game."""
    first, second = events
    words = {"first": inside(names[first[2]]), "second": inside(names[second[2]])}
    if first[0] == ev.TOTAL:
        return messages.TOTALS.format(first=words["first"], points=first[4], second=words["second"], other=second[4])
    return messages.ROUND_SCORES.format(
        number=first[4], first=words["first"], points=first[5], second=words["second"], other=second[5]
    )


MERGED: Final[Mapping[int, Callable[[JinkeiWords, Sequence[Event], list[str]], str]]] = {
    ev.DREW: merge_draws,
    ev.DREW_CARD: merge_draws,
    ev.PLACED: merge_cards,
    ev.ADVANCED: merge_cards,
    ev.FORMATION: merge_formations,
    ev.SCORED: merge_scores,
    ev.TOTAL: merge_scores,
}
"""The line of several events, by the first one. Other events have their sentences one after the other."""
