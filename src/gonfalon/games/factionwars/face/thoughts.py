"""The reasons of the bots of Faction Wars, as sentences."""

from __future__ import annotations

from gonfalon.bots.players.choice import Basis, Choice
from gonfalon.bots.players.reasons import Named, against, percent, sentence
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.core.text.english import many
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState


def describe_worth(card: str, points: float) -> str:
    """Return a sentence about the worth of a card of the line-up."""
    return messages.WORTH.format(card=card, points=round_points(points))


def describe_chance(card: str, points: float, chance: float) -> str:
    """Return a sentence about the worth of a card and the chance to get it, which is never certain."""
    share = percent(min(0.99, max(0.01, chance)))
    if chance < 0.5:
        return messages.UNLIKELY.format(card=card, points=round_points(points), chance=share)
    return messages.LIKELY.format(card=card, points=round_points(points), chance=share)


def round_points(points: float) -> str:
    """Return a number of points as a person would say it."""
    return many(round(points), "point") if abs(points) >= 0.5 else messages.UNDER_A_POINT


def explain_choice(about: str, choice: Choice, named: Named) -> str:
    """Return why an action was chosen, from a sentence about it and the reason of the choice."""
    reason = choice.reason
    if reason is None or (reason.basis == Basis.BETTER and reason.other is None):
        return about
    if reason.basis == Basis.BETTER and reason.other is not None:
        return messages.NEXT_BEST.format(text=about, other=named(reason.other), chances=against(choice))
    return f"{about} {sentence(choice, named)}"


def name_action(game: FactionWords, view: FactionState, action: Action) -> str:
    """Return an action as a noun: a card, with its place if there are two of it, or a player."""
    if TO <= action < CARD:
        return game.seat_names()[action - TO]
    if action >= CARD:
        return game.kind_name(action - CARD)
    kinds = [card & KIND for card in view.lineup]
    kind = kinds[action - TAKE]
    if kinds.count(kind) == 1:
        return game.kind_name(kind)
    return messages.CARD_AT.format(card=game.kind_name(kind), place=action - TAKE + 1)


def describe_answer(game: FactionWords, view: FactionState, action: Action) -> str:
    """Return a sentence about an answer to the question of an ability."""
    prompt = view.stack[-1].prompt
    name = name_action(game, view, action)
    if action >= CARD:
        if prompt in ("gift", "desert"):
            return messages.SPARE.format(card=name)
        return messages.BEST_FOR_ME.format(card=name)
    if prompt == "bystander":
        return messages.BEST_IN_ARMY.format(player=name)
    return messages.BEST_PARLEY.format(player=name) if prompt == "parley" else messages.BEST_VICTIM.format(player=name)


def name_goal(name: str) -> str:
    """Return the subject of a belief: a player's goal."""
    return messages.GOAL_OF.format(player=name)
