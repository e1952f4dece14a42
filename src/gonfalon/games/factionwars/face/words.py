"""Sentences for events, prompts, actions and endings. All are computed from masked data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.state import Action, Card, Event, Seat, State
from gonfalon.core.rules.words import OPPONENT, Words
from gonfalon.core.text.english import YOU, inside, many, of, own, several, verb
from gonfalon.games.factionwars.box import Box, find_goal_number
from gonfalon.games.factionwars.face.refusals import explain_refusal
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.scoring.goals import GOALS
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import BY_BYSTANDERS, BY_RECRUITS, as_faction_state

WHY_OUT: Final = ["a lower card", "the symbol loses", "", "a Bystander does not fight"]
PARTS: Final = ["recruits", "Berserkers", "Bonus Cards", "Bystanders", "goal", "open Bonus Cards"]
ABILITY: Final = ["Buccaneer", "Kunoichi", "Parley", "Gambler", "Call to Arms", "Prisoner Exchange"]
WHY_NOTHING: Final = [
    "no other player has a recruit",
    "the recruit deck is used up",
    "there is no recruit to give",
    "the recruit discard pile has no recruit",
]
WHY_LAST: Final = [
    "the recruit deck has run out for the last time",
    "War is Over has appeared",
    "there is nothing left to shuffle",
]
WHY_TIED: Final = ["level", "the same symbol"]
WHY_LOST: Final = ["all fighters are out", "no clear winner", "the tie ends without a winner"]
PROMPTS: Final = {
    "select": ("select a card from the line-up", ""),
    "bystander": ("hand the Bystander to another player", "hand on a Bystander"),
    "victim": ("choose a player to take a recruit from", "choose a player"),
    "keep": ("collect one of the cards you have drawn", "collect a drawn card"),
    "exchange": ("collect a recruit from the recruit discard pile", "collect a discarded recruit"),
    "desert": ("choose one of your recruits to desert", ""),
    "parley": ("choose a player to exchange recruits with", "choose a player for a Parley"),
    "gift": ("choose a recruit to give", "choose a recruit to give"),
}
CHANCES: Final = {"steal": "Chance picks a recruit.", "battle": "Battle cards are being revealed."}
"""The sentence that players are shown at a step of chance, by its prompt."""


TIPS: Final = {
    "select": "You get a card that only you pick. Players who pick the same card fight for it.",
    "bystander": "A Bystander costs points at the end: give it to the leader.",
    "victim": "The recruit is picked at random: choose the player with the best ones.",
    "keep": "A recruit counts twice: it fights for you, and it scores at the end.",
    "exchange": "A recruit counts twice: it fights for you, and it scores at the end.",
    "desert": "It leaves your army: give up the lowest score, but keep a recruit that can fight.",
    "parley": "You choose the recruit you give and get a random one: choose the player with the best ones.",
    "gift": "Give the recruit that helps both of you least.",
}
"""A tip for newcomers about each decision, by its prompt."""


def list_names(mask: int, names: list[str]) -> list[str]:
    """Return the names of the seats of a mask, the viewer first."""
    found = [name for seat, name in enumerate(names) if mask >> seat & 1]
    return sorted(found, key=lambda name: name != YOU)


class FactionWords(Words):
    """The sentences of Faction Wars."""

    tips: ClassVar[Mapping[str, str]] = TIPS
    quiet: ClassVar[frozenset[int]] = frozenset({ev.CLEARED, ev.SCORED})
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
        code, _, seat, card, a, b = event
        name = names[seat] if seat >= 0 else ""
        if code in DEEDS:
            deed, more = DEEDS[code]
            return f"{verb(name, deed)} {more(self.card_name(card), names, a, b)}."
        if code in NEWS:
            return NEWS[code](self.card_name(card), names, a, b)
        if code in OWN_NEWS:
            told = OWN_NEWS[code](self.card_name(card), a, b)
            return f"{of(name)} {told}." if told else ""
        if code == ev.GOAL and card & KIND != HIDDEN:
            return f"{of(name)} goal is {self.card_name(card)}: {self.goal_text(card & KIND)}."
        if code == ev.OUT:
            if a == ev.NO_CARD:
                return f"{verb(name, 'have')} no card left and {verb(name, 'are').split()[-1]} out."
            return f"{verb(name, 'are')} out: {WHY_OUT[a]}."
        if code == ev.CLAIMED:
            return f"{verb(name, 'win' if b == ev.FOUGHT else 'take')} {self.card_name(card)}."
        if code == ev.TARGET:
            if b == ev.PARLEY:
                return f"{verb(name, 'parley')} with {inside(names[a])}."
            return f"{verb(name, 'send')} {own(name)} {ABILITY[b]} against {inside(names[a])}."
        if code == ev.SHUFFLED:
            return f"{verb(name, 'shuffle')} {own(name)} battle deck: {many(a, 'card')}."
        return ""

    def prompt(self, view: State, names: list[str]) -> str:
        s = as_faction_state(view)
        if s.winners:
            return describe_victory(s.winners, names, " the game.")
        step = s.stack[-1]
        mine, theirs = PROMPTS.get(step.prompt, ("", ""))
        if s.turn >= 0 and s.turn == s.viewer:
            return mine[:1].upper() + mine[1:] + "."
        if step.seat == -1:
            return CHANCES.get(step.prompt, "Cards are being shuffled.")
        asked = s.asked()
        if len(asked) > 1:
            return "Waiting for the other players." if s.viewer in asked else "All players choose."
        if not theirs:
            return f"{verb(names[asked[0]], 'are')} to choose." if asked else "All players choose."
        return f"{verb(names[step.seat], 'are')} to {theirs}."

    def ending(self, view: State, names: list[str]) -> str:
        s = as_faction_state(view)
        outcome = s.outcome()
        if outcome is None:
            return ""
        winners = outcome.winners
        best = s.totals[winners[0]]
        lost = "You lose: " if YOU in names and names.index(YOU) not in winners else ""
        if len(winners) > 1:
            who = several([names[seat] for seat in winners])
            return f"{lost}{who} share the victory with {many(best, 'point')} each."
        name = names[winners[0]]
        by = {BY_BYSTANDERS: "the fewest Bystanders", BY_RECRUITS: "the most recruits"}.get(s.how)
        second = max(s.totals[seat] for seat in range(s.seats) if seat != winners[0])
        they = "you" if name == YOU else "they"
        more = f"; among the level players {they} have {by}" if by else f", the next has {second}"
        return f"{lost}{verb(name, 'win')} with {many(best, 'point')}{more}."

    def describe(self, view: State, action: Action) -> str:
        s = as_faction_state(view)
        asked = s.stack[-1].prompt if s.stack else ""
        if TAKE <= action < TO:
            places = s.list_places()
            place = action - TAKE
            what = self.card_name(s.lineup[places.index(place)]) if place in places else "nothing"
            return f"Select place {place + 1}: {what}."
        if TO <= action < CARD:
            # A description is not tied to a table, so it has no names of people.
            who = OPPONENT if self.seats == 2 else self.seat_names()[action - TO]
            plain = {"bystander": "Hand the Bystander to", "parley": "Parley with"}
            return f"{plain.get(asked, 'Take from')} {who}."
        if CARD <= action < CARD + len(self.entries):
            plain = {"desert": "Let {} go.", "gift": "Give {}."}
            return plain.get(asked, "Collect {}.").format(self.kind_name(action - CARD))
        return self.notation(action)

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        return explain_refusal(as_faction_state(view), seat, action)


def describe_victory(mask: int, names: list[str], end: str) -> str:
    """Return a sentence about the winners of a mask. `end` is the end of the sentence if a seat wins alone."""
    winners = list_names(mask, names)
    return f"{several(winners)} share the victory." if len(winners) > 1 else f"{verb(winners[0], 'win')}{end}"


LEVEL: Final = {BY_BYSTANDERS: ": level points, fewer Bystanders.", BY_RECRUITS: ": level points, more recruits."}
DEEDS: Final[dict[int, tuple[str, Callable[[str, list[str], int, int], str]]]] = {
    ev.CHOSE: ("select", lambda what, names, a, b: f"place {a + 1}, {what}"),
    ev.SHOWN: ("reveal", lambda what, names, a, b: f"{what}, value {b}"),
    ev.DREW: ("draw", lambda what, names, a, b: f"{what} from the recruit deck"),
    ev.TAKEN_UP: ("take", lambda what, names, a, b: f"up {what}"),
    ev.STOLE: ("take", lambda what, names, a, b: f"{what} from {inside(names[a])}, 1 of {many(b, 'recruit')}"),
    ev.REMOVED: ("lose", lambda what, names, a, b: f"{what} to {inside(names[a])}, 1 of {many(b, 'recruit')}"),
    ev.GAVE: ("give", lambda what, names, a, b: f"{what} to {inside(names[a])}"),
    ev.HANDED: ("hand", lambda what, names, a, b: f"{what} to {inside(names[a])}"),
    ev.ACTION: ("perform", lambda what, names, a, b: what),
    ev.CALLED: ("draw", lambda what, names, a, b: what),
    ev.KEPT: ("collect", lambda what, names, a, b: what),
    ev.DISMISSED: ("discard", lambda what, names, a, b: what),
    ev.FREED: ("collect", lambda what, names, a, b: f"{what} from the recruit discard pile"),
    ev.TOTAL: ("have", lambda what, names, a, b: many(a, "point") if abs(a) == 1 else f"{a} points"),
}
"""The verb of the seat, and its object, by event."""
NEWS: Final[dict[int, Callable[[str, list[str], int, int], str]]] = {
    ev.ROUND: lambda what, names, a, b: f"Round {a}.",
    ev.LINED_UP: lambda what, names, a, b: f"{what} goes to place {a + 1}.",
    ev.DEPLETED: lambda what, names, a, b: f"The recruit deck has run out ({a} of {b} times).",
    ev.RENEWED: lambda what, names, a, b: f"Its discard pile is shuffled: {many(a, 'card')}.",
    ev.LAST_ROUND: lambda what, names, a, b: f"This is the last round: {WHY_LAST[a]}.",
    ev.ENDED: lambda what, names, a, b: f"The game is over at once: {WHY_LAST[a]}.",
    ev.OPEN_BONUS: lambda what, names, a, b: f"{what} is open: it counts for all players.",
    ev.WAR_IN: lambda what, names, a, b: "War is Over is shuffled into the recruit deck.",
    ev.WAR_OVER: lambda what, names, a, b: f"{what} is turned up and set aside.",
    ev.OVER: lambda what, names, a, b: describe_victory(a, names, LEVEL.get(b, ".")),
    ev.BATTLE: lambda what, names, a, b: f"{several(list_names(b, names))} fight for {what}.",
    ev.TIED: lambda what, names, a, b: f"{several(list_names(a, names))} reveal another card: {WHY_TIED[b]}.",
    ev.LOST: lambda what, names, a, b: f"No player gets {what}: {WHY_LOST[b]}. It is discarded.",
    ev.ACTION_DONE: lambda what, names, a, b: f"{what} is discarded.",
}
"""A sentence without an acting seat, by event."""
OWN_NEWS: Final[dict[int, Callable[[str, int, int], str]]] = {
    ev.SCORED: lambda what, a, b: f"{PARTS[a]}: {b}" if b else "",
    ev.GOAL_SHOWN: lambda what, a, b: f"goal is {what}: " + (f"met, {b} points" if a else "not met"),
    ev.NOTHING: lambda what, a, b: f"{ABILITY[b]} has no effect: {WHY_NOTHING[a]}",
    ev.WORTHLESS: lambda what, a, b: f"{what} has no effect: the chain is too long",
    ev.DESERTED: lambda what, a, b: f"{what} deserts",
}
"""A clause about something that belongs to a seat, by event."""
