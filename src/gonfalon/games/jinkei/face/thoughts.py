"""Why a player does what it does, in words of the game: for all bots of Jinkei."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.choice import Basis, Choice, Reason
from gonfalon.bots.players.reasons import against, capital, described, points, sentence
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Action
from gonfalon.games.jinkei.face.words import JinkeiWords, space_name
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS
from gonfalon.games.jinkei.rules.state import OPPONENT, JinkeiState


def because(game: JinkeiWords, view: JinkeiState, choice: Choice) -> str:
    """Why an action."""
    reason = choice.reason
    assert reason is not None

    def named(action: Action) -> str:
        return described(game, view, action)

    if reason.basis == Basis.MIXED:
        return sentence(choice, named)
    about = first_of(game, view, choice.action, reason)
    if reason.other is None:
        return about
    if reason.basis != Basis.BETTER:
        return f"{about} {sentence(choice, named)}"
    facts = dict(reason.facts)
    leads = f": {points(facts['points'], facts['else'])} points" if "points" in facts else ""
    return f"{about} {capital(named(reason.other))} comes next{leads}{against(choice)}."


def first_of(game: JinkeiWords, view: JinkeiState, action: Action, reason: Reason) -> str:
    """What speaks for an action, as a sentence of its own."""
    asked = view.stack[-1].prompt
    if asked == "type":
        if reason.basis == Basis.RULE:
            return any_type(game, action)
        return f"{game.type_name(action - TYPE)} does best in rounds that were tried out, whatever the answer to it."
    if asked == "formation":
        name = game.formation_name(game.setup.choices(view.type[view.viewer], view.round)[action - FORMATION])
        if reason.basis != Basis.BETTER:
            return f"My cards suit {name} better at first sight."
        always = ", whatever they choose" if reason.fact("always") else ", as they are likely to choose"
        return f"In rounds that I tried out {name} did best with these cards{always}."
    if asked in ("front", "back"):
        return laid(game, view, action)
    if asked == "advance":
        return advanced(game, action)
    if ("solved", 1.0) in reason.facts:
        one = described(game, view, action)
        return f"I have worked out the last battles with all that either of us may hold, and chose {one}."
    if asked == "lead":
        return led(game, view, action, reason.fact("safe") > 0)
    return answered(game, view, action, round(reason.fact("gain")), round(reason.fact("most")))


def any_type(game: JinkeiWords, action: Action) -> str:
    """Why a type that was drawn by lot."""
    return f"{game.type_name(action - TYPE)} is about as strong as the others."


def suits(game: JinkeiWords, formation: int) -> str:
    """Why a formation, by the hand."""
    return f"My cards suit {game.formation_name(formation)} better."


def advanced(game: JinkeiWords, action: Action) -> str:
    """Why that one of two cards advances."""
    return f"{game.kind_name(action - ADVANCE)} serves better in front; the other can wait."


def laid(game: JinkeiWords, view: JinkeiState, action: Action) -> str:
    """What a card is to do on its space."""
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
    """What an attack may lead to; `safe` where no answer that was thought of beats it."""
    kind = kind_of(view, action)
    name = game.kind_name(kind)
    if safe:
        return f"As far as I can tell nothing they may answer beats my {name}."
    if game.setup.points[kind] <= 1:
        return f"If they beat my {name} I lose little."
    return f"Something might beat my {name}, but what comes after it suits me best."


def answered(game: JinkeiWords, view: JinkeiState, action: Action, gain: int, most: int) -> str:
    """What an answer brings, in points, where so many could be had at most."""
    name = game.kind_name(kind_of(view, action))
    if gain > 0:
        return f"My {name} brings me {gain} point{'s' if gain > 1 else ''}."
    if most > 0:
        return f"I could win this battle, but the card that wins it is worth more later than my {name} now."
    return f"I cannot win this battle, so I give up my {name}."


def kind_of(view: JinkeiState, action: Action) -> int:
    """The kind of the viewer's card that an action plays."""
    return view.spaces[view.viewer][(action - PLAY) // 2][0] & KIND


# ---- beliefs, and what else might be done -----------------------------------------------------------

THEIR_FORMATION: Final = "their formation"
THEIR_VANGUARD: Final = "their Vanguard at its best"
VANGUARDS: Final = ("with a 12", "with an 8 or 9", "with less")
"""What a Vanguard may be at its best."""


RANKS: Final = ("a 0", "1 to 4", "5 to 7", "8 or 9", "a 12")


def rank_number(rank: int) -> int:
    """The class of a rank among its like: which of RANKS."""
    return 0 if rank == 0 else 1 if rank < 5 else 2 if rank < 8 else 3 if rank < 12 else 4


def first_face_down(view: JinkeiState) -> str:
    """The other's first card that lies face down."""
    spaces = view.spaces[OPPONENT[view.viewer]]
    space = next(space for space in range(9) if spaces[space] and spaces[space][0] & KIND == HIDDEN)
    return f"their {space_name(space)}"


def if_it_were(game: JinkeiWords, view: JinkeiState, kind: int, rather: Action) -> str:
    """What would be better against another face-down card."""
    text = game.describe(view, rather)
    return f"If {first_face_down(view)} were {game.kind_name(kind)}, I would rather do this: {text}"


def if_laid(game: JinkeiWords, kind: int, space: int, behind: float) -> str:
    """What another card on a space would cost."""
    points = f"{behind:.1f} points" if behind >= 0.05 else "next to nothing"
    return f"If I laid {game.kind_name(kind)} on {space_name(space)} instead, I would expect to lose {points} by it."
