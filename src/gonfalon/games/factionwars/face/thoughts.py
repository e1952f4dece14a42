"""Why a player does what it does, in words of the game: for all bots of Faction Wars."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.players.choice import Basis, Belief, Choice, Reason
from gonfalon.bots.players.reasons import against, capital, percent, sentence
from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

ALONE: Final = 0.15
"""A lower chance that somebody else comes is told as none."""

# ---- rules of thumb: `{}` is a card with its article, or a player -------------------------------------

WORTH_MOST: Final = "{} is worth most to me."
SPARED_BEST: Final = "{} is what I can spare best."
SCORES_LEAST: Final = "{} scores least for me."
SCORES_MOST: Final = "{} scores most for me."
SCORES_MOST_THERE: Final = "{} scores most for me of all that lies there."
MOST_RECRUITS: Final = "{} has the most recruits."
HURT_MOST: Final = "A Bystander hurts {} most."
BEST_RECRUITS: Final = "The recruits of {} are worth most to me."
MOST_TO_LOSE: Final = "{} has most to lose, for me."
MOST_TO_GAIN: Final = "The army of {} is where most is to be gained."
WORTH_A_FIGHT: Final = "{} is worth a fight to me, whoever else goes for it."
MINE_ALONE: Final = "{} is mine, I think: the others go elsewhere."


def the(game: FactionWords, kind: int) -> str:
    """A card at the head of a sentence."""
    return f"The {game.kind_name(kind)}"


def promised(game: FactionWords, kind: int, points: float, chance: float) -> str:
    """Why a card, by its worth times the chance to get it."""
    return f"{the(game, kind)} promises {points:.1f} points: I get it with a chance of {guess(chance)}."


def weighed(game: FactionWords, kind: int, worth: float, chance: float, better: int | None) -> str:
    """Why a card, by its worth and the chance to get it; another may promise a little more."""
    told = f"{the(game, kind)} is worth {worth:.1f} points to me, and I get it with a chance of {guess(chance)}."
    return told if better is None else f"{told} {the(game, better)} promises a little more, but I vary my picks."


def guess(chance: float) -> str:
    """A chance that rests on what people do: it is never quite sure."""
    return f"{100 * min(0.99, max(0.01, chance)):.0f} %"


# ---- levels that try rounds out -----------------------------------------------------------------------


def because(game: FactionWords, view: FactionState, choice: Choice) -> str:
    """Why an action, from what decided and the chances beside it."""
    reason = choice.reason
    assert reason is not None

    def named(action: Action) -> str:
        return noun(game, view, action)

    select = view.stack[-1].prompt == "select"
    about = promise(game, named(choice.action), reason) if select else answer(game, view, choice.action)
    if reason.basis == Basis.BETTER:
        if reason.other is None:
            return f"{about}."
        return f"{about}. {capital(named(reason.other))} comes next{against(choice)}."
    return f"{about}. {sentence(choice, named)}"


def promise(game: FactionWords, card: str, reason: Reason) -> str:
    """What a card of the line-up is worth, and who else comes for it."""
    mine, theirs, contested = (reason.fact(name) for name in ("points", "their points", "contested"))
    who = game.seat_names()[int(reason.fact("rival"))]
    told = f"{capital(card)} promises about {mine:.0f} points"
    if contested < ALONE:
        return f"{told}, and most likely nobody else comes for it ({guess(1.0 - contested)})"
    told += f"; others come for it with a chance of {guess(contested)}, and I would win a battle against {who} with one"
    told += f" of {percent(reason.fact('odds'))}"
    if theirs > mine + 1.0:
        told += f", to whom it would be worth {theirs:.0f}"
    return told


def noun(game: FactionWords, view: FactionState, action: Action) -> str:
    """An action within a sentence: a card, with its place where there are two of it, or a player."""
    if TO <= action < CARD:
        return game.seat_names()[action - TO]
    if action >= CARD:
        return f"the {game.kind_name(action - CARD)}"
    kinds = [card & KIND for card in view.lineup]
    kind = kinds[action - TAKE]
    place = f" at place {action - TAKE + 1}" if kinds.count(kind) > 1 else ""
    return f"the {game.kind_name(kind)}{place}"


def picks(game: FactionWords, me: Seat, cards: list[int], forecast: list[list[float]]) -> list[Belief]:
    """Where the others are thought to go."""
    told: list[Belief] = []
    for seat, name in enumerate(game.seat_names()):
        if seat == me:
            continue
        together: dict[str, float] = {}
        for place, kind in enumerate(cards):
            card = game.kind_name(kind)
            together[card] = together.get(card, 0.0) + forecast[seat][place]
        likely = sorted(together.items(), key=lambda entry: (-entry[1], entry[0]))
        told.append(Belief(f"{name}'s pick", tuple(likely)))
    return told


def answer(game: FactionWords, view: FactionState, action: Action) -> str:
    """What speaks for an answer to what an ability asks."""
    prompt = view.stack[-1].prompt
    name = noun(game, view, action)
    if action >= CARD:
        if prompt in ("gift", "desert"):
            return f"{capital(name)} is what I can spare best"
        return f"{capital(name)} does most for me"
    if prompt == "bystander":
        return f"In the army of {name} it serves me best"
    if prompt == "parley":
        return f"With {name} I have most to gain"
    return f"To hit {name} serves me best"


def goal_of(name: str) -> str:
    """What is thought about: a player's goal."""
    return f"{name}'s goal"


def if_sure(game: FactionWords, view: FactionState, sure: Action, rather: Action) -> str:
    """What would be better against a pick of the other's."""
    taken, better = noun(game, view, sure), noun(game, view, rather)
    return f"If the other were sure to take {taken}, I would rather take {better}."


def if_fought(game: FactionWords, view: FactionState, mine: Action, rather: Action) -> str:
    """What would be better than a fight for a pick."""
    wanted, better = noun(game, view, mine), noun(game, view, rather)
    return f"If somebody else were sure to come for {wanted}, I would rather take {better}."
