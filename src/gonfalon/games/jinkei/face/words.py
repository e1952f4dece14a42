"""The sentences of Jinkei for events, prompts, actions and endings, made from masked data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.english import YOU, many, of, verb, verdict
from gonfalon.games.jinkei.box import Box
from gonfalon.games.jinkei.face.refusals import explain_refusal
from gonfalon.games.jinkei.rules import events as ev
from gonfalon.games.jinkei.rules.actions import ADVANCE, DEAL, FORMATION, KINDS, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import ROWS, Setup
from gonfalon.games.jinkei.rules.state import JinkeiState, as_jinkei

WHY: Final = ["the higher rank", "the led color", "0 beats 12"]
"""Reasons of a victory in the log, indexed by BY_RANK, BY_COLOUR, BY_ZERO."""
BECAUSE: Final = ["same color", "{} was led", "in any color"]
"""Reasons of a victory beside the battle on the table, indexed by BY_RANK, BY_COLOUR, BY_ZERO."""
SHORT: Final = ["Vanguard", "Rearguard", "Reinforcement"]
PROMPTS: Final = {
    "type": ("choose the type of your formations", "choose a type of formations"),
    "formation": ("choose one of this round's two formations", ""),
    "front": ("lay cards on Vanguard and Rearguard", ""),
    "back": ("lay your Reinforcements face down", ""),
    "lead": ("OFFENSE: attack with a card of your {row}", "attack"),
    "answer": ("DEFENSE: answer with a card of your {row}", "defend"),
    "advance": ("choose which of the two cards advances", "choose which card advances"),
}


FOUGHT: Final = "a card that has fought since"
"""The name in the log for a drawn card that is not named again (ruling 30)."""
TIPS: Final = {
    "type": "The type decides which formations you can choose from in all three rounds.",
    "formation": "A bonus belongs to its space: it raises the rank of any card there.",
    "front": "Your Vanguard attacks, your Rearguard answers. Lay both colors in your Rearguard.",
    "back": "Reinforcements advance when the spaces before them are empty, so they fight as well.",
    "lead": "Lead a color that the enemy's Rearguard lacks: it nearly always wins.",
    "answer": "Follow the color if you can. If you must lose, lose a card of few points.",
    "advance": "Only one of the two advances now. The other waits.",
}
"""Tips for new players, by prompt."""


def name_space(space: int) -> str:
    """Return the name of a space: `Vanguard 1`."""
    return f"{SHORT[space // 3]} {space % 3 + 1}"


def format_sum(printed: int, rank: int) -> str:
    """Return a rank as a sum: `9 + 1 = 10`, or `9` on a space without a bonus."""
    return f"{printed} + {rank - printed} = {rank}" if rank != printed else str(rank)


def format_advance(space: int, other: int) -> str:
    """Return the way of an advance: `from Rearguard 1 to Vanguard 1`."""
    return f"from {name_space(space)} to {name_space(other)}"


class JinkeiWords(Words):
    """The sentences of a game of Jinkei."""

    tips: ClassVar[Mapping[str, str]] = TIPS
    box: Box
    setup: Setup
    names: list[str]
    """The notation by kind: red5, blue12."""

    # ---- names ----------------------------------------------------------------------------------

    def seat_names(self) -> list[str]:
        return ["Black", "White"]

    def card_name(self, card: Card) -> str:
        """Return the name of a card: `Red 5`, or `a card` if the viewer does not know it."""
        return "a card" if card & KIND == HIDDEN else self.kind_name(card & KIND)

    def kind_name(self, kind: int) -> str:
        """Return the name of a kind: `Red 5`."""
        return f"{self.box.colours[self.setup.colour[kind]].title()} {self.setup.rank[kind]}"

    def type_name(self, type: int) -> str:
        """Return the name of a type: `Sword`."""
        return self.box.types[type].title()

    def formation_name(self, formation: int) -> str:
        """Return the name of a formation: `Sword 1 A`, by type, round and letter."""
        form = self.setup.formations[formation]
        letter = "AB"[self.setup.choices(form.type, form.round).index(formation)]
        return f"{self.type_name(form.type)} {form.round} {letter}"

    def played(self, card: Card, space: int, called: int) -> str:
        """Return a play as a noun: `Red 9 (9+1 = 10) from Rearguard 2, as Blue`."""
        where = f"from {name_space(space)}"
        if card & KIND == HIDDEN or called < 0:
            return f"a card {where}"
        kind = card & KIND
        colour, rank = divmod(called, ev.CALLED)
        printed = self.setup.rank[kind]
        sum_ = f" ({printed}+{rank - printed} = {rank})" if rank != printed else ""
        as_colour = f", as {self.box.colours[colour].title()}" if colour != self.setup.colour[kind] else ""
        return f"{self.kind_name(kind)}{sum_} {where}{as_colour}"

    # ---- sentences ------------------------------------------------------------------------------

    def words(self, event: Event, view: State, names: list[str]) -> str:
        code, _, seat, card, a, b = event
        name = names[seat] if seat >= 0 else ""
        if code in DEEDS:
            deed, what = DEEDS[code]
            return f"{verb(name, deed)} {what(self, card, a, b)}."
        if code == ev.GAME:
            number = f"Game {a}. " if self.setup.games > 1 else ""
            return f"{number}{verb(name, 'are')} the first player."
        if code == ev.ROUND:
            return f"Round {a}. {verb(name, 'lead')}."
        if code == ev.TIED:
            return "A tie: both players take their own card."
        if code == ev.OVER:
            if seat < 0:
                return "Equal scores over two games: both players win."
            why = ": equal points, and the second player wins the tie" if a == ev.BY_SECOND else ""
            return f"{verb(name, 'win')}{why}."
        return ""

    def prompt(self, view: State, names: list[str]) -> str:
        s = as_jinkei(view)
        if s.moment:
            return self.moment_words(view, names)
        outcome = s.outcome()
        if outcome is not None:
            if len(outcome.winners) > 1:
                return "Both win."
            return f"{verb(names[outcome.winners[0]], 'win')} the game."
        step = s.stack[-1]
        mine, theirs = PROMPTS.get(step.prompt, ("", ""))
        if s.turn >= 0 and s.turn == s.viewer:
            row = s.row(s.turn, step.prompt == "lead") if step.prompt in ("lead", "answer") else []
            text = mine.format(row=ROWS[row[0] // 3] if row else "")
            return text[:1].upper() + text[1:] + "."
        if step.seat == -1:
            return "The cards are being shuffled."
        if len(s.asked()) > 1:
            return "Waiting for the other player's choice." if s.viewer >= 0 else "Both players choose."
        return f"{of(names[step.seat])} turn: {theirs}."

    def ending(self, view: State, names: list[str]) -> str:
        s = as_jinkei(view)
        outcome = s.outcome()
        if outcome is None:
            return ""
        if len(outcome.winners) > 1:
            return f"Both win: {s.totals[0]} to {s.totals[1]} over two games."
        first = names.index(YOU) if YOU in names else outcome.winners[0]
        rule = "; the second player wins the tie" if s.how == ev.BY_SECOND else ""
        return f"{verdict(outcome.winners, names)} {s.totals[first]} to {s.totals[1 - first]}{rule}."

    def describe(self, view: State, action: Action) -> str:
        s = as_jinkei(view)
        if action < FORMATION:
            return f"Take the {self.type_name(action)} formations."
        if action in (FORMATION, FORMATION + 1):
            choices = self.setup.choices(s.type[s.turn], s.round)
            return f"Use formation {self.formation_name(choices[action - FORMATION])}."
        if PUT <= action < PLAY:
            space, kind = divmod(action - PUT, KINDS)
            return f"Lay {self.kind_name(kind)} on {name_space(space)}."
        if PLAY <= action < ADVANCE:
            return self._describe_play(s, (action - PLAY) // 2, (action - PLAY) % 2)
        if ADVANCE <= action < DEAL:
            return f"Advance {self.kind_name(action - ADVANCE)}."
        return self.notation(action)

    def _describe_play(self, s: JinkeiState, space: int, colour: int) -> str:
        cards = s.spaces[s.turn][space]
        if not cards or cards[0] & KIND == HIDDEN:
            return f"Play the card of {name_space(space)}."
        rank = s.effective(s.turn, space, cards[0] & KIND)
        return f"Play {self.played(cards[0], space, colour * ev.CALLED + rank)}."

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        return explain_refusal(as_jinkei(view), seat, action)


DEEDS: Final[dict[int, tuple[str, Callable[[JinkeiWords, Card, int, int], str]]]] = {
    ev.TYPE: ("choose", lambda game, card, a, b: f"the {game.type_name(a)} formations"),
    ev.DREW: ("draw", lambda game, card, a, b: many(a, "card")),
    ev.DREW_CARD: ("draw", lambda game, card, a, b: FOUGHT if card & KIND == HIDDEN else game.card_name(card)),
    ev.FORMATION: ("reveal", lambda game, card, a, b: f"formation {game.formation_name(a)}"),
    ev.REVEALED: ("turn", lambda game, card, a, b: f"up {game.card_name(card)} on {name_space(a)}"),
    ev.PLACED: ("have", lambda game, card, a, b: f"{game.card_name(card)} on {name_space(a)}"),
    ev.PLACED_DOWN: ("lay", lambda game, card, a, b: f"{many(a, 'Reinforcement')} face down"),
    ev.LED: ("attack", lambda game, card, a, b: f"with {game.played(card, a, b)}"),
    ev.ANSWERED: ("defend", lambda game, card, a, b: f"with {game.played(card, a, b)}"),
    ev.TOOK: ("take", lambda game, card, a, b: "both cards" + (f": {WHY[a]}" if a != ev.FORGOTTEN else "")),
    ev.ADVANCED: ("advance", lambda game, card, a, b: f"{game.card_name(card)} {format_advance(a, b)}"),
    ev.SCORED: ("score", lambda game, card, a, b: f"{b} in round {a}"),
    ev.TOTAL: ("have", lambda game, card, a, b: f"{a} points in this game"),
}
"""The verb for the seat, and the function that formats its object, by event."""
