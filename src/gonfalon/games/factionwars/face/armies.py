"""Armies as data: their cards, their goals and their scores."""

from __future__ import annotations

from typing import TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.page import is_due
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.face.cards import Counted, Printed, count_cards, printed_card
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD
from gonfalon.games.factionwars.rules.scoring import scoring
from gonfalon.games.factionwars.rules.scoring.goals import EveryFaction, Goal
from gonfalon.games.factionwars.rules.scoring.tally import of_faction, total_of
from gonfalon.games.factionwars.rules.state import FactionState

Scores = dict[str, int]
"""A score by its parts (`scoring.PARTS`)."""


class Progress(TypedDict):
    """How far a seat would be with its goal, and was."""

    have: int
    need: int


class Worth(TypedDict):
    """What one more card would add to a score; `ability`: it does more; `kept`: who collects it owns it."""

    points: int
    parts: Scores
    goal: Progress | None
    ability: bool
    kept: bool


class Members(TypedDict):
    """What an army has of a faction."""

    slug: str
    name: str
    count: int
    cards: list[Counted]


class GoalStep(TypedDict):
    """What a goal asks for of one faction."""

    slug: str
    have: int


class GoalBoard(Printed):
    """A goal, with its progress as it stands; by faction, if it asks for some of every one."""

    have: int
    need: int
    steps: list[GoalStep]
    met: bool
    bonus: int


class GoalResult(TypedDict):
    """A goal at the end."""

    name: str
    met: bool


class SeatBoard(TypedDict):
    """An army, its best recruit, and what it scores as far as the viewer knows."""

    seat: Seat
    factions: list[Members]
    recruits: int
    pool: int
    best: Printed | None
    bystanders: int
    berserkers: int
    berserker_points: int
    conscripts: int
    battle_deck: int
    pile_count: int
    pile: list[Counted]
    goal: GoalBoard | None
    has_goal: bool
    points: int
    points_complete: bool
    to_act: bool


class Row(TypedDict):
    """What the cards of a kind score in the end."""

    name: str
    count: int
    each: int
    points: int


class Final(TypedDict):
    """A seat's score in the end."""

    seat: Seat
    cards: list[Row]
    parts: Scores
    goal: GoalResult | None
    total: int
    winner: bool


def known_goal(game: FactionWords, view: FactionState, seat: Seat) -> Goal | None:
    """A seat's goal as far as the viewer knows it, or None."""
    if not view.goal[seat] or view.goal[seat][0] & KIND == HIDDEN:
        return None
    return game.setup.goals[(view.goal[seat][0] & KIND) - game.setup.first_goal]


def score_parts(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> list[int]:
    """A seat's score by its parts, as far as the viewer knows it: an unknown goal counts nothing."""
    shown = [card & KIND for card in view.bonus]
    return scoring.parts(game.setup, seat, armies, known_goal(game, view, seat), shown)


def build_worth(game: FactionWords, view: FactionState, seat: Seat, kind: int, armies: list[list[int]]) -> Worth:
    """What owning one more card of a kind would add to a seat's score now, by parts; what its ability
    brings is left open. Bystanders and Action cards are not kept, so they add nothing themselves."""
    card = game.setup.kinds[kind]
    keeps = card.faction >= 0
    delta = [0] * len(scoring.PARTS)
    goal = known_goal(game, view, seat)
    progress: Progress | None = None
    if keeps:
        after = [army[:] for army in armies]
        after[seat][kind] += 1
        before, now = score_parts(game, view, seat, armies), score_parts(game, view, seat, after)
        delta = [y - x for x, y in zip(before, now, strict=True)]
        if goal is not None:
            was, will = (goal.progress(game.setup, seat, all_) for all_ in (armies, after))
            if was != will:
                progress = {"have": will[0], "need": will[1]}
    return {
        "points": sum(delta),
        "parts": dict(zip(scoring.PARTS, delta, strict=True)),
        "goal": progress,
        "ability": card.acts or not keeps,
        "kept": keeps,
    }


def build_seat(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> SeatBoard:
    """One army: what it owns is public, in which order its battle deck lies nobody knows (ruling 31)."""
    setup = game.setup
    owned = armies[seat]
    parts = score_parts(game, view, seat, armies)
    berserkers = total_of(owned, setup.berserkers)
    return {
        "seat": seat,
        "factions": [
            {
                "slug": faction["slug"],
                "name": faction["name"],
                "count": of_faction(setup, owned, number),
                "cards": [
                    {"card": printed_card(game, kind), "count": owned[kind]}
                    for kind in range(len(owned))
                    if owned[kind] and setup.faction_of[kind] == number
                ],
            }
            for number, faction in enumerate(game.box.factions)
        ],
        "recruits": view.recruits(seat),
        "pool": view.pool(seat),
        "best": best_recruit(game, view, seat),
        "bystanders": total_of(owned, setup.bystanders),
        "berserkers": berserkers,
        "berserker_points": berserkers * berserkers,
        "conscripts": len(setup.conscripts),
        "battle_deck": len(view.army[seat]),
        "pile_count": len(view.pile[seat]),
        "pile": count_cards(game, view.pile[seat]),
        "goal": build_goal(game, view, seat, armies),
        "has_goal": bool(view.goal[seat]),
        "points": sum(parts),
        "points_complete": not view.goal[seat] or known_goal(game, view, seat) is not None,
        "to_act": is_due(view, seat),
    }


def best_recruit(game: FactionWords, view: FactionState, seat: Seat) -> Printed | None:
    """The recruit of an army that scores most by itself, and in a battle."""
    kinds = [action - CARD for action in view.choices(seat)]
    if not kinds:
        return None
    return printed_card(
        game, max(kinds, key=lambda kind: (game.setup.kinds[kind].points, game.setup.kinds[kind].battle))
    )


def build_goal(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> GoalBoard | None:
    """A goal that the viewer knows, with its progress as it stands."""
    goal = known_goal(game, view, seat)
    if goal is None:
        return None
    have, need = goal.progress(game.setup, seat, armies)
    return {
        **printed_card(game, goal.id),
        "have": have,
        "need": need,
        "steps": goal_steps(game, goal, armies[seat]),
        "met": goal.met(game.setup, seat, armies),
        "bonus": goal.bonus,
    }


def goal_steps(game: FactionWords, goal: Goal, owned: list[int]) -> list[GoalStep]:
    """How far an army is with each faction, for a goal that asks for some of every one."""
    if not isinstance(goal, EveryFaction):
        return []
    return [
        {"slug": faction["slug"], "have": of_faction(game.setup, owned, number, True)}
        for number, faction in enumerate(game.box.factions)
    ]


def build_final(game: FactionWords, view: FactionState, armies: list[list[int]]) -> list[Final]:
    """Return the final scores, part by part and card by card."""
    return [
        {
            "seat": seat,
            "cards": final_rows(game, armies[seat]),
            "parts": dict(zip(scoring.PARTS, score_parts(game, view, seat, armies), strict=True)),
            "goal": goal_result(game, view, seat, armies),
            "total": view.totals[seat],
            "winner": bool(view.winners >> seat & 1),
        }
        for seat in range(game.seats)
    ]


def final_rows(game: FactionWords, owned: list[int]) -> list[Row]:
    """Return the points of each kind of card in an army."""
    rows: list[Row] = []
    for kind, count in enumerate(owned):
        if count:
            each = game.setup.kinds[kind].score(game.setup, owned)
            rows.append({"name": game.entries[kind]["name"], "count": count, "each": each, "points": each * count})
    return rows


def goal_result(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> GoalResult | None:
    """Return whether a seat has met its goal; None without a known goal."""
    goal = known_goal(game, view, seat)
    if goal is None:
        return None
    return {"name": game.entries[goal.id]["name"], "met": goal.met(game.setup, seat, armies)}
