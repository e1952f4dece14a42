"""Why a move, in words of the game: from what decided, and the chances that are told beside it."""

from __future__ import annotations

from gonfalon.bots.choice import Basis, Choice, Reason
from gonfalon.bots.reasons import against, capital, described, points, sentence
from gonfalon.core.state import Action
from gonfalon.games.jinkei.face import purpose, words
from gonfalon.games.jinkei.game import Jinkei
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, TYPE
from gonfalon.games.jinkei.rules.state import JinkeiState


def because(game: Jinkei, view: JinkeiState, choice: Choice) -> str:
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


def first_of(game: Jinkei, view: JinkeiState, action: Action, reason: Reason) -> str:
    """What speaks for an action, as a sentence of its own."""
    asked = view.stack[-1].prompt
    if asked == "type":
        name = game.box.types[action - TYPE].title()
        if reason.basis == Basis.RULE:
            return f"{name} is about as strong as the others."
        return f"{name} does best in rounds that were tried out, whatever the answer to it."
    if asked == "formation":
        name = words.formation_name(game, game.setup.choices(view.type[view.viewer], view.round)[action - FORMATION])
        if reason.basis != Basis.BETTER:
            return f"My cards suit {name} better at first sight."
        always = ", whatever they choose" if reason.fact("always") else ", as they are likely to choose"
        return f"In rounds that I tried out {name} did best with these cards{always}."
    if asked in ("front", "back"):
        return purpose.laid(game, view, action)
    if asked == "advance":
        return f"{words.kind_name(game, action - ADVANCE)} serves better in front; the other can wait."
    if ("solved", 1.0) in reason.facts:
        one = described(game, view, action)
        return f"I have worked out the last battles with all that either of us may hold, and chose {one}."
    if asked == "lead":
        return purpose.led(game, view, action, reason.fact("safe") > 0)
    return purpose.answered(game, view, action, round(reason.fact("gain")), round(reason.fact("most")))
