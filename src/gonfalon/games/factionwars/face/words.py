"""Sentences for events, prompts, actions and endings. All are computed from masked data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.state import CHANCE, Action, Card, Event, Seat, State
from gonfalon.core.rules.words import Words
from gonfalon.core.text.english import OPPONENT, YOU, inside, many, several
from gonfalon.games.factionwars.box import Box, find_goal_number
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.refusals import explain_refusal
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.neutrals import Gift
from gonfalon.games.factionwars.rules.scoring.goals import GOALS
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import BY_BYSTANDERS, BY_RECRUITS, FactionState, as_faction_state

ABILITY: Final = ["Buccaneer", "Kunoichi", "Parley", "Gambler", "Call to Arms", "Prisoner Exchange"]
"""The names of abilities and Actions, in the order of their numbers in events."""


def list_names(mask: int, names: list[str]) -> list[str]:
    """Return the names of the seats of a mask, the viewer first."""
    found = [name for seat, name in enumerate(names) if mask >> seat & 1]
    return sorted(found, key=lambda name: name != YOU)


class FactionWords(Words):
    """The sentences of Faction Wars."""

    tips: ClassVar[Mapping[str, str]] = messages.TIPS
    quiet: ClassVar[frozenset[int]] = frozenset({ev.LINED_UP, ev.CLEARED, ev.ACTION_DONE, ev.SCORED})
    box: Box
    setup: Setup
    later: bool
    """Whether the rules are those of the later revision."""
    entries: list[Raw]
    """The entries of the card file, by kind."""
    kind_of: dict[str, int]
    """The kinds by their slugs."""

    # ---- names and cards ------------------------------------------------------------------------

    def seat_names(self) -> list[str]:
        return [f"Player {seat + 1}" for seat in range(self.seats)]

    def kind_name(self, kind: int) -> str:
        """Return the name of a kind of card."""
        return str(self.entries[kind]["name"])

    def card_name(self, card: Card) -> str:
        """Return a card's name, or `a card` for one the viewer does not know."""
        return "a card" if card & KIND == HIDDEN else self.kind_name(card & KIND)

    def count_copies(self, card: Raw) -> int:
        """Return the number of copies of a card in the recruit deck of this revision."""
        return int(card["later" if self.later and "later" in card else "copies"])

    def card_text(self, kind: int) -> tuple[str, tuple[int, ...]]:
        """Return the effect of a card with these options, and the rulings on it. Goals have `goal_text`."""
        card = self.setup.kinds[kind]
        text, rulings = card.describe(self.setup), card.rulings
        if card.open_text and self.later and not self.count_copies(self.entries[kind]):
            text, rulings = card.open_text, card.open_rulings
        faction = self.box.factions[card.faction]["name"] if card.faction >= 0 else ""
        return text.format(faction=faction, points=card.points), rulings

    def goal_text(self, kind: int) -> str:
        """Return the condition of a goal with this many players."""
        entry = self.entries[kind]
        factions = {faction["slug"]: faction["name"] for faction in self.box.factions}
        cards = {card.get("ability", ""): card["name"] for card in self.box.cards if card.get("ability")}
        goal = GOALS[entry["rule"]]
        text = goal.text if self.setup.bonus_counts else goal.apart_text or goal.text
        return text.format(
            faction=factions.get(entry.get("faction", ""), ""),
            count=find_goal_number(entry, "count", self.seats),
            value=entry.get("value", 0),
            abilities=" / ".join(cards.get(ability, ability) for ability in entry.get("abilities", [])),
        )

    # ---- sentences ------------------------------------------------------------------------------

    def words(self, event: Event, view: State, names: list[str]) -> str:
        say = SENTENCES.get(event[0])
        return say(_EventText(self, event, names)) if say is not None else ""

    def prompt(self, view: State, names: list[str]) -> str:
        s = as_faction_state(view)
        if s.winners:
            return describe_victory(s.winners, names)
        step = s.stack[-1]
        if s.turn >= 0 and s.turn == s.viewer:
            if isinstance(step, Gift):
                return messages.GIVE_WHICH.format(other=names[step.other])
            return messages.PROMPTS[step.prompt]
        if step.seat == CHANCE:
            return messages.CHANCES.get(step.prompt, messages.CHANCE_SHUFFLES)
        asked = s.asked()
        if len(asked) > 1 and s.viewer in asked:
            others = [name for name in names if name != YOU]
            if len(others) == 1:
                return messages.WAITING_FOR_ONE.format(other=others[0])
            return messages.WAITING_FOR_OTHERS
        if len(asked) != 1:
            return messages.ALL_CHOOSE
        if step.prompt in messages.THEIR_PROMPTS:
            return messages.THEIR_PROMPTS[step.prompt].format(name=names[step.seat])
        return messages.THEIR_TURN.format(name=names[asked[0]])

    def ending(self, view: State, names: list[str]) -> str:
        s = as_faction_state(view)
        outcome = s.outcome()
        if outcome is None:
            return ""
        text = describe_result(s, outcome.winners, names)
        if YOU not in names:
            return text
        if names.index(YOU) in outcome.winners:
            return messages.VICTORY.format(text=text)
        return messages.DEFEAT.format(text=text)

    def describe(self, view: State, action: Action) -> str:
        s = as_faction_state(view)
        asked = s.stack[-1].prompt if s.stack else ""
        if TAKE <= action < TO:
            places, place = s.list_places(), action - TAKE
            card = self.card_name(s.lineup[places.index(place)]) if place in places else "nothing"
            return messages.PICK.format(card=card, place=place + 1)
        if TO <= action < CARD:
            # A description is not tied to a table, so it has no names of people.
            other = OPPONENT if self.seats == 2 else self.seat_names()[action - TO]
            if asked == "bystander":
                return messages.HAND_TO.format(other=other)
            return (
                messages.PARLEY_WITH.format(other=other)
                if asked == "parley"
                else messages.TAKE_FROM.format(other=other)
            )
        if CARD <= action < CARD + len(self.entries):
            card = self.kind_name(action - CARD)
            if asked == "desert":
                return messages.LET_GO.format(card=card)
            return messages.GIVE.format(card=card) if asked == "gift" else messages.COLLECT.format(card=card)
        return self.notation(action)

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        return explain_refusal(as_faction_state(view), seat, action)


def describe_victory(mask: int, names: list[str], how: int = -1) -> str:
    """Return a sentence about the winners of a mask. `how` is the rule that broke a tie between them and others."""
    winners = list_names(mask, names)
    if len(winners) > 1:
        return messages.SHARED.format(names=several(winners))
    if how == BY_BYSTANDERS:
        return messages.WINS_BY_BYSTANDERS.format(name=winners[0])
    return (
        messages.WINS_BY_RECRUITS.format(name=winners[0])
        if how == BY_RECRUITS
        else messages.WINS.format(name=winners[0])
    )


def describe_result(s: FactionState, winners: list[Seat], names: list[str]) -> str:
    """Return a sentence about the points of the winners, and one about the reader's or the next best."""
    points = many(s.totals[winners[0]], "point")
    if len(winners) > 1:
        return messages.SHARED_WITH.format(names=several([names[seat] for seat in winners]), points=points)
    if s.how == BY_BYSTANDERS:
        rest = messages.TIED_ON_BYSTANDERS
    elif s.how == BY_RECRUITS:
        rest = messages.TIED_ON_RECRUITS
    elif YOU in names and names[winners[0]] != YOU:
        rest = messages.YOU_HAVE.format(points=s.totals[names.index(YOU)])
    else:
        rest = messages.THE_NEXT_HAS.format(points=max(s.totals[seat] for seat in range(s.seats) if seat != winners[0]))
    return messages.WINS_WITH.format(name=names[winners[0]], points=points, rest=rest)


class _EventText:
    """The words of an event for one viewer."""

    def __init__(self, game: FactionWords, event: Event, names: list[str]) -> None:
        self.game = game
        _, _, self.seat, self.kind, self.a, self.b = event
        self.names = names
        self.name = names[self.seat] if self.seat >= 0 else ""
        self.card = game.card_name(self.kind)

    @property
    def other(self) -> str:
        """The other player, for the middle of a sentence."""
        return inside(self.names[self.a])

    def those(self, mask: int) -> str:
        """Return the players of a mask."""
        return several(list_names(mask, self.names))


def _say_goal(t: _EventText) -> str:
    if t.kind & KIND == HIDDEN:
        return ""
    return messages.GOAL.format(name=t.name, goal=t.card, text=t.game.goal_text(t.kind & KIND))


def _say_tie(t: _EventText) -> str:
    if t.b == ev.SAME_SYMBOL:
        return messages.SAME_SYMBOL.format(names=t.those(t.a))
    return messages.TIE.format(names=t.those(t.a))


def _say_claim(t: _EventText) -> str:
    if t.b == ev.FOUGHT:
        return messages.WON.format(name=t.name, card=t.card)
    return messages.TAKEN.format(name=t.name, card=t.card)


def _say_target(t: _EventText) -> str:
    if t.b == ev.PARLEY:
        return messages.PARLEYED.format(name=t.name, other=t.other)
    return messages.AIMED.format(name=t.name, ability=ABILITY[t.b], other=t.other)


def _say_run_out(t: _EventText) -> str:
    left = t.b - t.a
    if left == 1:
        return messages.RUN_OUT
    return messages.RUN_OUT_EARLY.format(left=left) if left > 1 else messages.RUN_OUT_FOR_GOOD


def _say_goal_result(t: _EventText) -> str:
    if t.a:
        return messages.GOAL_MET.format(name=t.name, goal=t.card, points=many(t.b, "point"))
    return messages.GOAL_MISSED.format(name=t.name, goal=t.card)


SENTENCES: Final[dict[int, Callable[[_EventText], str]]] = {
    ev.ROUND: lambda t: messages.ROUND.format(number=t.a),
    ev.DEPLETED: _say_run_out,
    ev.RENEWED: lambda t: messages.RENEWED.format(cards=many(t.a, "card")),
    ev.LAST_ROUND: lambda t: messages.LAST_ROUND.format(reason=messages.WHY_LAST[t.a]),
    ev.ENDED: lambda t: messages.ENDED.format(reason=messages.WHY_LAST[t.a]),
    ev.GOAL: _say_goal,
    ev.OPEN_BONUS: lambda t: messages.OPEN_BONUS.format(card=t.card),
    ev.CHOSE: lambda t: messages.PICKED.format(name=t.name, card=t.card),
    ev.CLAIMED: _say_claim,
    ev.BATTLE: lambda t: messages.BATTLE.format(names=t.those(t.b), card=t.card),
    ev.SHOWN: lambda t: messages.SHOWN.format(name=t.name, card=t.card, value=t.b),
    ev.OUT: lambda t: messages.WHY_OUT[t.a].format(name=t.name),
    ev.TIED: _say_tie,
    ev.LOST: lambda t: messages.NO_WINNER.format(card=t.card),
    ev.DREW: lambda t: messages.DREW.format(name=t.name, card=t.card),
    ev.NOTHING: lambda t: messages.NO_EFFECT.format(
        name=t.name, ability=ABILITY[t.b], reason=messages.WHY_NOTHING[t.a]
    ),
    ev.TARGET: _say_target,
    ev.STOLE: lambda t: messages.STOLE.format(name=t.name, card=t.card, other=t.other),
    ev.REMOVED: lambda t: messages.REMOVED.format(name=t.name, card=t.card, other=t.other),
    ev.DESERTED: lambda t: messages.DESERTED.format(name=t.name, card=t.card),
    ev.GAVE: lambda t: messages.GAVE.format(name=t.name, card=t.card, other=t.other),
    ev.HANDED: lambda t: messages.GAVE.format(name=t.name, card=t.card, other=t.other),
    ev.ACTION: lambda t: messages.PLAYED.format(name=t.name, card=t.card),
    ev.CALLED: lambda t: messages.DREW_CARD.format(name=t.name, card=t.card),
    ev.KEPT: lambda t: messages.COLLECTED.format(name=t.name, card=t.card),
    ev.DISMISSED: lambda t: messages.DISCARDED.format(name=t.name, card=t.card),
    ev.FREED: lambda t: messages.FREED.format(name=t.name, card=t.card),
    ev.SHUFFLED: lambda t: messages.SHUFFLED.format(name=t.name, cards=many(t.a, "card")),
    ev.WAR_OVER: lambda t: messages.WAR_OVER.format(card=t.card),
    ev.WAR_IN: lambda t: messages.WAR_IN,
    ev.GOAL_SHOWN: _say_goal_result,
    ev.SCORED: lambda t: messages.SCORED.format(name=t.name, part=messages.PARTS[t.a], points=t.b) if t.b else "",
    ev.TOTAL: lambda t: messages.TOTAL.format(name=t.name, points=many(t.a, "point")),
    ev.OVER: lambda t: describe_victory(t.a, t.names, t.b),
    ev.WORTHLESS: lambda t: messages.CHAIN_TOO_LONG.format(name=t.name, card=t.card),
    ev.TAKEN_UP: lambda t: messages.COLLECTED.format(name=t.name, card=t.card),
}
"""The sentence of each event. Events without a sentence are not in the log."""
