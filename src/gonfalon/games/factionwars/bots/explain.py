"""Why a move, in words of the game."""

from __future__ import annotations

from math import sqrt
from typing import Final

from gonfalon.bots.choice import Alternative, Basis, Belief, Choice, Estimate, Reason, ranked
from gonfalon.bots.reasons import against, capital, percent, sentence
from gonfalon.core.cards import KIND
from gonfalon.core.state import Action, Seat
from gonfalon.games.factionwars.bots.rule_of_thumb import guess
from gonfalon.games.factionwars.bots.trial_round import Trial
from gonfalon.games.factionwars.game import FactionWars
from gonfalon.games.factionwars.rules.actions import CARD, TAKE, TO
from gonfalon.games.factionwars.rules.state import FactionState

Z: Final = 1.959964  # of a 95 % interval
OTHERS: Final = 3
ENOUGH: Final = 10
"""Trials before a chance is worth telling."""
ALONE: Final = 0.15


def estimate(mean: float, squares: float, count: float) -> Estimate:
    """The mean of so many chances to win, from the mean of their squares, with its interval."""
    error = sqrt(max(0.0, squares - mean * mean) / max(1.0, count))
    return around(mean, error, count)


def around(mean: float, error: float, count: float) -> Estimate:
    """A mean with its interval, which few trials leave wide."""
    half = Z * max(error, 0.1 / (count + 1))
    return Estimate(round(mean, 4), round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4))


def others(actions: list[Action], values: list[Estimate], count: float, chosen: Action) -> tuple[Alternative, ...]:
    """The others with the highest chances; each action was tried as often as the other ones."""
    share = 1.0 / len(actions)
    found = [Alternative(a, v if count >= ENOUGH else None, share) for a, v in zip(actions, values, strict=True)]
    return ranked([one for one in found if one.action != chosen], OTHERS)


def worth(trial: Trial, me: Seat, kind: int, others: list[float]) -> tuple[tuple[str, float], ...]:
    """What is worth telling of a card that is picked. `others` says how likely each seat goes there."""
    nobody = 1.0
    rival = -1
    for seat, chance in enumerate(others):
        if seat != me:
            nobody *= 1.0 - chance
            if rival < 0 or chance > others[rival]:
                rival = seat
    return (
        ("points", trial.worth(me, kind)),
        ("contested", 1.0 - nobody),
        ("rival", float(rival)),
        ("their points", trial.worth(rival, kind)),
        ("odds", trial.odds()[me * trial.seats + rival]),
    )


def because(game: FactionWars, view: FactionState, choice: Choice) -> str:
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


def promise(game: FactionWars, card: str, reason: Reason) -> str:
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


def noun(game: FactionWars, view: FactionState, action: Action) -> str:
    """An action within a sentence: a card, with its place where there are two of it, or a player."""
    if TO <= action < CARD:
        return game.seat_names()[action - TO]
    if action >= CARD:
        return f"the {game.entries[action - CARD]['name']}"
    kinds = [card & KIND for card in view.lineup]
    kind = kinds[action - TAKE]
    place = f" at place {action - TAKE + 1}" if kinds.count(kind) > 1 else ""
    return f"the {game.entries[kind]['name']}{place}"


def picks(game: FactionWars, me: Seat, cards: list[int], forecast: list[list[float]]) -> list[Belief]:
    """Where the others are thought to go."""
    told: list[Belief] = []
    for seat, name in enumerate(game.seat_names()):
        if seat == me:
            continue
        together: dict[str, float] = {}
        for place, kind in enumerate(cards):
            card = str(game.entries[kind]["name"])
            together[card] = together.get(card, 0.0) + forecast[seat][place]
        likely = sorted(together.items(), key=lambda entry: (-entry[1], entry[0]))
        told.append(Belief(f"{name}'s pick", tuple(likely)))
    return told


def answer(game: FactionWars, view: FactionState, action: Action) -> str:
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
