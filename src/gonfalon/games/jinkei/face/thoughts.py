"""Reasons for the moves of the bots of Jinkei."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.jinkei.face.words import JinkeiWords, name_space
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS
from gonfalon.games.jinkei.rules.state import JinkeiState

RANKS: Final = ("a 0", "1 to 4", "5 to 7", "8 or 9", "a 12")


def classify_rank(rank: int) -> int:
    """Return the class of a rank, as an index of RANKS."""
    return 0 if rank == 0 else 1 if rank < 5 else 2 if rank < 8 else 3 if rank < 12 else 4


def name_their_card(space: int) -> str:
    """Return a name for the other seat's card on a space."""
    return f"their {name_space(space)}"


def explain_choice(game: JinkeiWords, view: JinkeiState, action: Action) -> str:
    """Return the reason for an action before the battles, or for the advance of a card."""
    prompt = view.stack[-1].prompt
    if prompt == "type":
        return f"{game.type_name(action - TYPE)} is at least as strong as the others."
    if prompt == "formation":
        formation = game.setup.choices(view.type[view.viewer], view.round)[action - FORMATION]
        return f"My cards fit {game.formation_name(formation)} well."
    if prompt == "advance":
        return f"{game.kind_name(action - ADVANCE)} is more useful in front; the other can wait."
    space, kind = divmod(action - PUT, KINDS)
    rank = game.setup.rank[kind]
    form = game.setup.formations[view.formation[view.viewer]]
    name = game.kind_name(kind)
    if space >= REINFORCEMENTS:
        return f"{name} can advance later as a surprise."
    if space >= REARGUARD:
        if rank == 0:
            return f"Here {name} can catch their 12."
        if form.wild[space]:
            return f"On the Wild space {name} can answer either color."
        return f"I want to answer with {name}." if rank >= 5 else f"I give up {name} when I cannot win."
    if form.bonus[space]:
        return f"The bonus of this space makes {name} hard to beat."
    return f"I want to attack with {name}." if rank >= 7 else f"In an attack {name} is a cheap loss."


def explain_lead(game: JinkeiWords, view: JinkeiState, action: Action, safe: bool) -> str:
    """Return the reason for a lead. `safe`: whether no answer beats it."""
    kind = find_kind(view, action)
    name = game.kind_name(kind)
    if safe:
        return f"No legal answer beats my {name}."
    if game.setup.points[kind] <= 1:
        return f"If they beat my {name}, I lose little."
    return f"An answer might beat my {name}, but the battles after it suit me best."


def explain_answer(game: JinkeiWords, view: JinkeiState, action: Action, gain: int, most: int) -> str:
    """Return the reason for an answer that gains a number of points, out of the most that an answer gains."""
    name = game.kind_name(find_kind(view, action))
    if gain > 0:
        return f"My {name} wins {gain} point{'s' if gain > 1 else ''}."
    if most > 0:
        return f"I could win this battle, but the card for it is worth more later than my {name}."
    return f"I cannot win this battle, so I give up my {name}."


def find_kind(view: JinkeiState, action: Action) -> int:
    """Return the kind of the viewer's card that an action plays."""
    return view.spaces[view.viewer][(action - PLAY) // 2][0] & KIND
