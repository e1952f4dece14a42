"""What a card is laid or played for, as a sentence: for all players of Jinkei."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonfalon.core.cards import KIND
from gonfalon.core.state import Action
from gonfalon.games.jinkei.face import words
from gonfalon.games.jinkei.rules.actions import KINDS, PLAY, PUT
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS
from gonfalon.games.jinkei.rules.state import JinkeiState

if TYPE_CHECKING:
    from gonfalon.games.jinkei.game import Jinkei


def laid(game: Jinkei, view: JinkeiState, action: Action) -> str:
    """What a card is to do on its space."""
    space, kind = divmod(action - PUT, KINDS)
    rank = game.setup.rank[kind]
    form = game.setup.formations[view.formation[view.viewer]]
    name = words.kind_name(game, kind)
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


def led(game: Jinkei, view: JinkeiState, action: Action, safe: bool) -> str:
    """What an attack may lead to; `safe` where no answer that was thought of beats it."""
    kind = kind_of(view, action)
    name = words.kind_name(game, kind)
    if safe:
        return f"As far as I can tell nothing they may answer beats my {name}."
    if game.setup.points[kind] <= 1:
        return f"If they beat my {name} I lose little."
    return f"Something might beat my {name}, but what comes after it suits me best."


def answered(game: Jinkei, view: JinkeiState, action: Action, gain: int, most: int) -> str:
    """What an answer brings, in points, where so many could be had at most."""
    name = words.kind_name(game, kind_of(view, action))
    if gain > 0:
        return f"My {name} brings me {gain} point{'s' if gain > 1 else ''}."
    if most > 0:
        return f"I could win this battle, but the card that wins it is worth more later than my {name} now."
    return f"I cannot win this battle, so I give up my {name}."


def kind_of(view: JinkeiState, action: Action) -> int:
    """The kind of the viewer's card that an action plays."""
    return view.spaces[view.viewer][(action - PLAY) // 2][0] & KIND
