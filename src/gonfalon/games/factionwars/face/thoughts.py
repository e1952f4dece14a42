"""The reasons of the bots of Faction Wars, as sentences."""

from __future__ import annotations

from gonfalon.bots.players.choice import Basis, Choice
from gonfalon.bots.players.reasons import Named, against, capital, sentence
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState


def describe_worth(card: str, points: float) -> str:
    """Return a clause about the worth of a card of the line-up."""
    return f"{capital(card)} is worth {points:.1f} points to me"


def describe_chance(chance: float) -> str:
    """Return a clause about the chance to get a card, which depends on people and is never quite sure."""
    return f"I get it with a chance of {100 * min(0.99, max(0.01, chance)):.0f} %"


def explain_choice(about: str, choice: Choice, named: Named) -> str:
    """Return why an action was chosen, from a clause about it and the reason of the choice."""
    reason = choice.reason
    if reason is None or (reason.basis == Basis.BETTER and reason.other is None):
        return f"{about}."
    if reason.basis == Basis.BETTER and reason.other is not None:
        return f"{about}. {capital(named(reason.other))} comes next{against(choice)}."
    return f"{about}. {sentence(choice, named)}"


def name_action(game: FactionWords, view: FactionState, action: Action) -> str:
    """Return an action as a noun: a card, with its place if there are two of it, or a player."""
    if TO <= action < CARD:
        return game.seat_names()[action - TO]
    if action >= CARD:
        return f"the {game.kind_name(action - CARD)}"
    kinds = [card & KIND for card in view.lineup]
    kind = kinds[action - TAKE]
    place = f" at place {action - TAKE + 1}" if kinds.count(kind) > 1 else ""
    return f"the {game.kind_name(kind)}{place}"


def describe_answer(game: FactionWords, view: FactionState, action: Action) -> str:
    """Return a clause about an answer to the question of an ability."""
    prompt = view.stack[-1].prompt
    name = name_action(game, view, action)
    if action >= CARD:
        if prompt in ("gift", "desert"):
            return f"{capital(name)} is what I can spare best"
        return f"{capital(name)} does most for me"
    if prompt == "bystander":
        return f"In the army of {name} it serves me best"
    if prompt == "parley":
        return f"With {name} I have most to gain"
    return f"To hit {name} serves me best"


def name_goal(name: str) -> str:
    """Return the subject of a belief: a player's goal."""
    return f"{name}'s goal"
