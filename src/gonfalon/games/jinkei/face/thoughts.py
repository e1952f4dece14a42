"""Why a player chooses an action, in words of the game: for all bots of Jinkei."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.jinkei.face.words import JinkeiWords, space_name
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS
from gonfalon.games.jinkei.rules.state import JinkeiState

RANKS: Final = ("a 0", "1 to 4", "5 to 7", "8 or 9", "a 12")


def rank_number(rank: int) -> int:
    """Return the class of a rank, as an index of RANKS."""
    return 0 if rank == 0 else 1 if rank < 5 else 2 if rank < 8 else 3 if rank < 12 else 4


def their_card(space: int) -> str:
    """Return a name for the other seat's card on a space."""
    return f"their {space_name(space)}"


def chosen(game: JinkeiWords, view: JinkeiState, action: Action) -> str:
    """Return what speaks for an action before the battles, or for letting a card advance."""
    prompt = view.stack[-1].prompt
    if prompt == "type":
        return f"{game.type_name(action - TYPE)} is at least as strong as the others."
    if prompt == "formation":
        formation = game.setup.choices(view.type[view.viewer], view.round)[action - FORMATION]
        return f"My cards go well with {game.formation_name(formation)}."
    if prompt == "advance":
        return f"{game.kind_name(action - ADVANCE)} serves better in front; the other can wait."
    space, kind = divmod(action - PUT, KINDS)
    rank = game.setup.rank[kind]
    form = game.setup.formations[view.formation[view.viewer]]
    name = game.kind_name(kind)
    if space >= REINFORCEMENTS:
        return f"{name} is to come forward later, when they do not expect it."
    if space >= REARGUARD:
        if rank == 0:
            return f"Here {name} can catch their 12."
        if form.wild[space]:
            return f"On the Wild space {name} can answer either colour."
        return f"{name} is to answer with." if rank >= 5 else f"{name} is what I give up when I cannot win."
    if form.bonus[space]:
        return f"The bonus of this space makes {name} hard to beat."
    return f"{name} is to attack with." if rank >= 7 else f"{name} can be given up cheaply in an attack."


def led(game: JinkeiWords, view: JinkeiState, action: Action, safe: bool) -> str:
    """Return what speaks for a lead; `safe` where no answer beats it."""
    kind = kind_of(view, action)
    name = game.kind_name(kind)
    if safe:
        return f"Nothing that they may answer beats my {name}."
    if game.setup.points[kind] <= 1:
        return f"If they beat my {name} I lose little."
    return f"Something might beat my {name}, but what comes after it suits me best."


def answered(game: JinkeiWords, view: JinkeiState, action: Action, gain: int, most: int) -> str:
    """Return what speaks for an answer that wins so many points, of so many that could be won."""
    name = game.kind_name(kind_of(view, action))
    if gain > 0:
        return f"My {name} brings me {gain} point{'s' if gain > 1 else ''}."
    if most > 0:
        return f"I could win this battle, but the card that wins it is worth more later than my {name} now."
    return f"I cannot win this battle, so I give up my {name}."


def kind_of(view: JinkeiState, action: Action) -> int:
    """Return the kind of the viewer's card that an action plays."""
    return view.spaces[view.viewer][(action - PLAY) // 2][0] & KIND
