"""Reasons for the moves of the bots of Jinkei."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action
from gonfalon.core.text.english import many
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import JinkeiWords, name_space
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS
from gonfalon.games.jinkei.rules.state import JinkeiState

RANKS: Final = (
    messages.RANK_0,
    messages.RANKS_1_TO_4,
    messages.RANKS_5_TO_7,
    messages.RANKS_8_AND_9,
    messages.RANK_12,
)


def classify_rank(rank: int) -> int:
    """Return the class of a rank, as an index of RANKS."""
    return 0 if rank == 0 else 1 if rank < 5 else 2 if rank < 8 else 3 if rank < 12 else 4


def name_their_card(space: int) -> str:
    """Return a name for the other seat's card on a space."""
    return messages.THEIR_CARD.format(space=name_space(space))


def explain_choice(game: JinkeiWords, view: JinkeiState, action: Action) -> str:
    """Return the reason for an action before the battles, or for the advance of a card."""
    prompt = view.stack[-1].prompt
    if prompt == "type":
        return messages.WHY_TYPE.format(type=game.type_name(action - TYPE))
    if prompt == "formation":
        formation = game.setup.choices(view.type[view.viewer], view.round)[action - FORMATION]
        return messages.WHY_FORMATION.format(formation=game.formation_name(formation))
    if prompt == "advance":
        return messages.WHY_ADVANCE.format(card=game.kind_name(action - ADVANCE))
    space, kind = divmod(action - PUT, KINDS)
    rank = game.setup.rank[kind]
    form = game.setup.formations[view.formation[view.viewer]]
    name = game.kind_name(kind)
    if space >= REINFORCEMENTS:
        return messages.WHY_SURPRISE.format(card=name)
    if space >= REARGUARD:
        if rank == 0:
            return messages.WHY_CATCH.format(card=name)
        if form.wild[space]:
            return messages.WHY_WILD.format(card=name)
        return messages.WHY_ANSWERS.format(card=name) if rank >= 5 else messages.WHY_GIVE_UP_LATER.format(card=name)
    if form.bonus[space]:
        why = messages.WHY_BONUS if is_hard_to_beat(game, kind, form.bonus[space]) else messages.WHY_SMALL_BONUS
        return why.format(card=name, sum=rank + form.bonus[space])
    points = game.setup.points[kind]
    why = messages.WHY_ATTACKS if rank >= 7 else messages.WHY_CHEAP if points <= 1 else messages.WHY_MIDDLE
    return why.format(card=name, points=many(points, "point"))


def is_hard_to_beat(game: JinkeiWords, kind: int, bonus: int) -> bool:
    """Return whether at most two cards of the color have a higher printed rank than this card with its bonus."""
    rank, colour = game.setup.rank, game.setup.colour
    return sum(rank[k] > rank[kind] + bonus and colour[k] == colour[kind] for k in range(game.setup.kinds)) <= 2


def explain_lead(game: JinkeiWords, view: JinkeiState, action: Action, safe: bool) -> str:
    """Return the reason for a lead. `safe`: whether no answer beats it."""
    kind = find_kind(view, action)
    name = game.kind_name(kind)
    if safe:
        return messages.WHY_SAFE.format(card=name)
    if game.setup.points[kind] <= 1:
        return messages.WHY_CHEAP_LEAD.format(card=name)
    return messages.WHY_LEAD.format(card=name)


def explain_answer(game: JinkeiWords, view: JinkeiState, action: Action, gain: int, most: int) -> str:
    """Return the reason for an answer that gains a number of points, out of the most that an answer gains."""
    name = game.kind_name(find_kind(view, action))
    if gain > 0:
        return messages.WHY_WINS.format(card=name, points=many(gain, "point"))
    if most > 0:
        return messages.WHY_SAVE.format(card=name)
    return messages.WHY_GIVE_UP.format(card=name)


def find_kind(view: JinkeiState, action: Action) -> int:
    """Return the kind of the viewer's card that an action plays."""
    return view.spaces[view.viewer][(action - PLAY) // 2][0] & KIND
