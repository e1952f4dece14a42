"""The names of actions and goals in the reasons of the bots of Faction Wars."""

from __future__ import annotations

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState


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


def name_goal(name: str) -> str:
    """Return the subject of a belief: a player's goal."""
    return messages.GOAL_OF.format(player=name)
