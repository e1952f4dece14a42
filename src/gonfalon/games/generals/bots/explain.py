"""What the players of Generals say about their moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.bots.players.choice import Basis, Choice
from gonfalon.bots.players.reasons import against, described, sentence
from gonfalon.core.rules.state import Action, State
from gonfalon.games.generals.bots import position_value as terms

if TYPE_CHECKING:
    from gonfalon.core.rules.game import Game

GAINS: Final[dict[int, str]] = {
    terms.LIFE: "more RESOURCE than them",
    terms.CLOCK: "more turns to live than them",
    terms.LONG_CLOCK: "more turns to live than them",
    terms.HAND: "the better hand",
    terms.DEAD: "fewer useless cards",
    terms.OF_MIGHT: "more Might on the battlefield",
    terms.OF_WITS: "more Wits on the battlefield",
    terms.GENERALS: "more generals",
    terms.UPKEEP: "less Upkeep to pay",
    terms.SKILLS: "the better abilities in play",
    terms.GEAR: "the better Equipment",
    terms.SIEGE_NOW: "the stronger Siege",
    terms.SIEGE_LATER: "the stronger Siege",
    terms.HELD_GATE: "a firmer hold on ENEMY'S BORDER",
    terms.GUARDS: "more guards at my BORDER",
    terms.ON_GUARD: "guards where the enemy stands",
    terms.PREY: "fewer generals in danger",
    terms.PREY_LATER: "fewer generals in danger",
    terms.PEERS: "fewer generals in danger",
    terms.LETHAL: "no Siege that I could not pay",
    terms.LETHAL_LATER: "no Siege that I could not pay",
    terms.COUNTERS: "more Counters in hand",
    terms.RECRUITS: "the better generals in hand",
    terms.PLOTS: "the Tactics in hand",
    terms.CHAMPION: "the strongest general of all",
    terms.ALONE: "somebody on the battlefield",
    terms.READY: "the better general ready to come",
    terms.MARCH: "the freer way to a BORDER",
}


def gained(best: list[float], other: list[float], weights: list[float]) -> list[tuple[str, float]]:
    """What the mean end of one plan has over that of another, most of all, as a fact: the number of that term. None
    where it is next to nothing."""
    top, found = 0.0, -1
    for i in GAINS:
        difference = (best[i] - other[i]) * weights[i]
        if difference > top:
            top, found = difference, i
    return [("term", float(found))] if top > 0.005 else []


def because(game: Game, view: State, choice: Choice, horizon: int) -> str:
    """Why an action; plans are judged at the end of so many turns."""
    reason = choice.reason

    def named(action: Action) -> str:
        return described(game, view, action)

    if reason is None or reason.basis != Basis.BETTER or reason.other is None or not reason.facts:
        return sentence(choice, named)
    found = GAINS[int(reason.fact("term"))]
    return f"Rather than {named(reason.other)}, it leaves me with {found} {turns_ahead(horizon)}{against(choice)}."


def turns_ahead(horizon: int) -> str:
    """Where a plan is judged."""
    if horizon == 0:
        return "at once"
    if horizon == 1:
        return "at the end of this turn"
    return "after their next turn" if horizon == 2 else f"{horizon} turns later"
