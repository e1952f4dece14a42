"""Sentences for what happens, what is asked and what may be done. All are made from masked data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.english import YOU, inside, many, of, own, several, verb
from gonfalon.core.state import Action, Card, Event
from gonfalon.games.factionwars import box
from gonfalon.games.factionwars.rules import events as ev
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.goals import GOALS
from gonfalon.games.factionwars.rules.state import BY_BYSTANDERS, BY_RECRUITS, FactionState

if TYPE_CHECKING:
    from gonfalon.games.factionwars.game import FactionWars

WHY_OUT: Final = ["a lower card", "the symbol loses", "", "a Bystander does not fight"]
PARTS: Final = ["recruits", "Berserkers", "Bonus Cards", "Bystanders", "goal", "open Bonus Cards"]
ABILITY: Final = ["Buccaneer", "Kunoichi", "Parley", "Gambler", "Call to Arms", "Prisoner Exchange"]
WHY_NOTHING: Final = [
    "nobody else has a recruit",
    "the recruit deck is used up",
    "there is no recruit to give",
    "no recruit lies in the discard pile",
]
WHY_LAST: Final = [
    "the recruit deck has run out for the last time",
    "War is Over has appeared",
    "there is nothing left to shuffle",
]


def card_name(game: FactionWars, card: Card) -> str:
    """A card's name, or `a card` for one the viewer does not know."""
    return "a card" if card & KIND == HIDDEN else str(game.entries[card & KIND]["name"])


def card_text(game: FactionWars, kind: int) -> tuple[str, tuple[int, ...]]:
    """What a card that is no goal does in this revision, in a sentence or two or in none, and the rulings on it."""
    card = game.setup.kinds[kind]
    text, rulings = card.text, card.rulings
    if card.open_text and game.later and not game.copies(game.entries[kind]):
        text, rulings = card.open_text, card.open_rulings
    faction = game.box.factions[card.faction]["name"] if card.faction >= 0 else ""
    return text.format(faction=faction, points=card.points), rulings


def goal_text(game: FactionWars, entry: dict[str, Any]) -> str:
    """What a goal asks for with this many players."""
    names = {f["slug"]: f["name"] for f in game.box.factions}
    cards = {card.get("ability", ""): card["name"] for card in game.box.cards if card.get("ability")}
    abilities = " / ".join(cards.get(ability, ability) for ability in entry.get("abilities", []))
    return GOALS[entry["rule"]].text.format(
        faction=names.get(entry.get("faction", ""), ""),
        count=box.count_for(entry, game.seats),
        value=entry.get("value", 0),
        abilities=abilities,
    )


def of_mask(mask: int, names: list[str]) -> list[str]:
    """The names of the seats of a mask, the viewer first."""
    found = [name for seat, name in enumerate(names) if mask >> seat & 1]
    return sorted(found, key=lambda name: name != YOU)


def sentence(game: FactionWars, event: Event, names: list[str]) -> str:
    """One sentence, actor first. Empty for an event that needs none."""
    code, _, seat, card, a, b = event
    name = names[seat] if seat >= 0 else ""
    what = card_name(game, card)
    if code == ev.ROUND:
        return f"Round {a}."
    if code == ev.LINED_UP:
        return f"{what} comes to place {a + 1}."
    if code == ev.DEPLETED:
        return f"The recruit deck is empty, {a} of {b}."
    if code == ev.RENEWED:
        return f"Its discard pile is shuffled: {many(a, 'card')}."
    if code == ev.LAST_ROUND:
        return f"This is the last round: {WHY_LAST[a]}."
    if code == ev.ENDED:
        return f"The game is over at once: {WHY_LAST[a]}."
    if code == ev.GOAL:
        entry = game.entries[card & KIND] if card & KIND != HIDDEN else None
        return f"{of(name)} goal is {what}: {goal_text(game, entry)}." if entry else ""
    if code == ev.OPEN_BONUS:
        return f"{what} lies open: it counts for everybody."
    if code == ev.WAR_IN:
        return "War is Over is shuffled into the recruit deck."
    if code == ev.WAR_OVER:
        return f"{what} is turned up and laid aside."
    if code == ev.TOTAL:
        return f"{verb(name, 'have')} {many(a, 'point') if abs(a) == 1 else f'{a} points'}."
    if code == ev.SCORED:
        return f"{of(name)} {PARTS[a]}: {b}." if b else ""
    if code == ev.GOAL_SHOWN:
        result = f"met, {b} points" if a else "not met"
        return f"{of(name)} goal is {what}: {result}."
    if code == ev.OVER:
        winners = of_mask(a, names)
        if len(winners) > 1:
            return f"{several(winners)} share the victory."
        by = {BY_BYSTANDERS: ": level points, fewer Bystanders", BY_RECRUITS: ": level points, more recruits"}
        return f"{verb(winners[0], 'win')}{by.get(b, '')}."
    return _in_a_round(game, event, names, name, what)


def ending(view: FactionState, names: list[str]) -> str:
    """Who won, with how many points, and what decided between those who were level."""
    outcome = view.outcome()
    if outcome is None:
        return ""
    winners = outcome.winners
    best = view.totals[winners[0]]
    lost = "You lose: " if YOU in names and names.index(YOU) not in winners else ""
    if len(winners) > 1:
        who = several([names[seat] for seat in winners])
        return f"{lost}{who} share the victory with {many(best, 'point')} each (ruling 30)."
    name = names[winners[0]]
    by = {BY_BYSTANDERS: "the fewest Bystanders", BY_RECRUITS: "the most recruits"}.get(view.how)
    second = max(view.totals[seat] for seat in range(view.seats) if seat != winners[0])
    they = "you" if name == YOU else "they"
    more = f"; of those who are level {they} have {by} (ruling 30)" if by else f", the next has {second}"
    return f"{lost}{verb(name, 'win')} with {many(best, 'point')}{more}."


def _in_a_round(game: FactionWars, event: Event, names: list[str], name: str, what: str) -> str:
    """Sentences for what happens while the line-up is resolved."""
    code, _, _, _, a, b = event
    if code == ev.CHOSE:
        return f"{verb(name, 'select')} place {a + 1}, {what}."
    if code == ev.CLAIMED:
        return f"{verb(name, 'win' if b == ev.FOUGHT else 'take')} {what}."
    if code == ev.BATTLE:
        return f"{several(of_mask(b, names))} fight for {what}."
    if code == ev.SHOWN:
        return f"{verb(name, 'reveal')} {what}, value {b}."
    if code == ev.OUT:
        if a == ev.NO_CARD:
            return f"{verb(name, 'have')} no card left and {verb(name, 'are').split()[-1]} out."
        return f"{verb(name, 'are')} out: {WHY_OUT[a]}."
    if code == ev.TIED:
        why = "the same symbol" if b == ev.SAME_SYMBOL else "level"
        return f"{several(of_mask(a, names))} go on: {why}."
    if code == ev.LOST:
        why = "no clear winner" if b == ev.NO_CLEAR_WINNER else "all who fought for it are out"
        return f"Nobody gets {what}: {why}. It is discarded."
    if code == ev.DREW:
        return f"{verb(name, 'draw')} {what} from the recruit deck."
    if code == ev.NOTHING:
        return f"{of(name)} {ABILITY[b]} does nothing: {WHY_NOTHING[a]}."
    if code == ev.TAKEN_UP:
        return f"{verb(name, 'take')} up {what}."
    if code == ev.WORTHLESS:
        return f"{of(name)} {what} does nothing any more: the chain is too long (ruling 21)."
    if code == ev.TARGET:
        if b == ev.PARLEY:
            return f"{verb(name, 'parley')} with {inside(names[a])}."
        return f"{verb(name, 'send')} {own(name)} {ABILITY[b]} against {inside(names[a])}."
    if code == ev.STOLE:
        return f"{verb(name, 'take')} {what} from {inside(names[a])}, 1 of {many(b, 'recruit')}."
    if code == ev.REMOVED:
        return f"{verb(name, 'lose')} {what} to {inside(names[a])}, 1 of {many(b, 'recruit')}."
    if code == ev.DESERTED:
        return f"{of(name)} {what} deserts."
    if code == ev.GAVE:
        return f"{verb(name, 'give')} {what} to {inside(names[a])}."
    if code == ev.HANDED:
        return f"{verb(name, 'hand')} {what} to {inside(names[a])}."
    if code == ev.ACTION:
        return f"{verb(name, 'perform')} {what}."
    if code == ev.ACTION_DONE:
        return f"{what} is discarded."
    if code == ev.CALLED:
        return f"{verb(name, 'draw')} {what}."
    if code == ev.KEPT:
        return f"{verb(name, 'collect')} {what}."
    if code == ev.DISMISSED:
        return f"{verb(name, 'discard')} {what}."
    if code == ev.FREED:
        return f"{verb(name, 'collect')} {what} from the recruit discard pile."
    if code == ev.SHUFFLED:
        return f"{verb(name, 'shuffle')} {own(name)} battle deck: {many(a, 'card')}."
    return ""


PROMPTS: Final = {
    "select": ("select a card of the line-up", ""),
    "bystander": ("hand the Bystander to another player", "hand on a Bystander"),
    "victim": ("choose whom to take a recruit from", "choose a player"),
    "keep": ("collect one of the cards you have drawn", "collect a drawn card"),
    "exchange": ("collect a recruit of the recruit discard pile", "collect a discarded recruit"),
    "desert": ("one of your recruits deserts: choose which", ""),
    "parley": ("choose whom to exchange recruits with", "choose a player for a Parley"),
    "gift": ("choose which recruit to give", "choose a recruit to give"),
}


CHANCES: Final = {"steal": "Chance picks a recruit.", "battle": "Battle cards are being revealed."}
"""What chance does, by the prompt of its step."""


def prompt(game: FactionWars, view: FactionState, names: list[str]) -> str:
    """Who must do what. `view.viewer` is addressed as You."""
    if view.winners:
        winners = of_mask(view.winners, names)
        return f"{several(winners)} share the victory." if len(winners) > 1 else f"{verb(winners[0], 'win')} the game."
    step = view.stack[-1]
    mine, theirs = PROMPTS.get(step.prompt, ("", ""))
    if view.turn >= 0 and view.turn == view.viewer:
        return mine[:1].upper() + mine[1:] + "."
    if step.seat == -1:
        return CHANCES.get(step.prompt, "Cards are being shuffled.")
    asked = view.asked()
    if len(asked) > 1:
        return "Waiting for the others." if view.viewer in asked else "Everybody chooses."
    if not theirs:
        return f"{verb(names[asked[0]], 'are')} to choose." if asked else "Everybody chooses."
    return f"{verb(names[step.seat], 'are')} to {theirs}."


def describe(game: FactionWars, view: FactionState, action: Action) -> str:
    """An action of the viewer's own decision, in the imperative."""
    asked = view.stack[-1].prompt if view.stack else ""
    if TAKE <= action < TO:
        places = view.places()
        place = action - TAKE
        what = card_name(game, view.lineup[places.index(place)]) if place in places else "nothing"
        return f"Select place {place + 1}: {what}."
    if TO <= action < CARD:
        who = game.seat_names()[action - TO]
        plain = {"bystander": "Hand the Bystander to", "parley": "Parley with"}
        return f"{plain.get(asked, 'Take from')} {who}."
    if CARD <= action < CARD + len(game.entries):
        what = str(game.entries[action - CARD]["name"])
        plain = {"desert": "Let {} go.", "gift": "Give {}."}
        return plain.get(asked, "Collect {}.").format(what)
    return game.notation(action)
