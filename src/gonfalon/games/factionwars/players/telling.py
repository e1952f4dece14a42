"""Why a move, in words of the game."""

from __future__ import annotations

from math import sqrt
from typing import Final

from gonfalon.bots.choice import Alternative, Belief, Estimate
from gonfalon.core.state import Action, Seat
from gonfalon.games.factionwars.actions import CARD, TO
from gonfalon.games.factionwars.game import FactionWars
from gonfalon.games.factionwars.players.fast_round import Trial

Z: Final = 1.959964  # of a 95 % interval
OTHERS: Final = 3
ENOUGH: Final = 10
"""Trials before a chance is worth telling."""
ALONE: Final = 0.15
SURE: Final = 0.9


def estimate(mean: float, squares: float, count: float) -> Estimate:
    """The mean of so many chances to win, from the mean of their squares, with its interval."""
    error = sqrt(max(0.0, squares - mean * mean) / max(1.0, count))
    return around(mean, error, count)


def around(mean: float, error: float, count: float) -> Estimate:
    """A mean with its interval, which few trials leave wide."""
    half = Z * max(error, 0.1 / (count + 1))
    return Estimate(round(mean, 4), round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4))


def others(actions: list[Action], values: list[Estimate], count: float) -> tuple[Alternative, ...]:
    """The next best actions; the first of the list is the one that was chosen."""
    share = 1.0 / len(actions)
    found = [Alternative(a, v if count >= ENOUGH else None, share) for a, v in zip(actions, values, strict=True)]
    return tuple(found[1 : 1 + OTHERS])


def reason(game: FactionWars, trial: Trial, me: Seat, kind: int, others: list[float], policy: float) -> str:
    """Why a card is picked. `others` says how likely each seat goes there, one's own 0."""
    name = game.entries[kind]["name"]
    nobody = 1.0
    rival = me
    for seat, chance in enumerate(others):
        if seat != me:
            nobody *= 1.0 - chance
            if rival == me or chance > others[rival]:
                rival = seat
    who = game.seat_names()[rival]
    mine, theirs = trial.worth(me, kind), trial.worth(rival, kind)
    if 1.0 - nobody < ALONE:
        told = (
            f"The {name} promises about {mine:.0f} points, and most likely nobody else comes for it "
            f"({100 * nobody:.0f} %)."
        )
    else:
        odds = trial.odds()[me * game.seats + rival]
        told = (
            f"The {name} promises about {mine:.0f} points; others come for it with a chance of "
            f"{100 * (1.0 - nobody):.0f} %, and I would win a battle against {who} with one of {100 * odds:.0f} %."
        )
        if theirs > mine + 1.0:
            told = f"The {name} would be worth {theirs:.0f} points to {who}, more than to me. " + told
    if policy < SURE:
        told += f" I vary my picks here, so that nobody can read me: this one with {100 * policy:.0f} %."
    return told


def picks(game: FactionWars, me: Seat, cards: list[int], policies: list[list[float]]) -> list[Belief]:
    """Where the others are thought to go."""
    told: list[Belief] = []
    for seat, name in enumerate(game.seat_names()):
        if seat == me:
            continue
        together: dict[str, float] = {}
        for place, kind in enumerate(cards):
            card = str(game.entries[kind]["name"])
            together[card] = together.get(card, 0.0) + policies[seat][place]
        likely = sorted(together.items(), key=lambda entry: (-entry[1], entry[0]))
        told.append(Belief(f"{name}'s pick", tuple(likely)))
    return told


def answer(game: FactionWars, prompt: str, action: Action) -> str:
    """Why an answer to what an ability asks."""
    if action < CARD:
        who = game.seat_names()[action - TO]
        if prompt == "bystander":
            return f"In the army of {who} it serves me best."
        if prompt == "parley":
            return f"With {who} I have most to gain."
        return f"To hit {who} serves me best."
    name = game.entries[action - CARD]["name"]
    if prompt in ("gift", "desert"):
        return f"I can spare the {name} best."
    return f"The {name} does most for me."
