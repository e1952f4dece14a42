"""Armies as data: their cards, their goals and their scores."""

from __future__ import annotations

from typing import TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.page import is_due
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.face.cards import Counted, Printed, build_printed, count_cards
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import CARD
from gonfalon.games.factionwars.rules.scoring import scoring
from gonfalon.games.factionwars.rules.scoring.goals import EveryFaction, Goal
from gonfalon.games.factionwars.rules.scoring.tally import count_faction, count_kinds
from gonfalon.games.factionwars.rules.state import FactionState

Scores = dict[str, int]
"""A score by its parts (`scoring.PARTS`)."""


class Progress(TypedDict):
    """The progress of a seat's goal with one more card."""

    have: int
    need: int


class Worth(TypedDict):
    """The gain of one more card in a score.

    `ability` marks a card with a further effect, `kept` a card that its collector owns.
    """

    points: int
    parts: Scores
    goal: Progress | None
    ability: bool
    kept: bool


class Members(TypedDict):
    """The cards of a faction in an army."""

    slug: str
    name: str
    count: int
    cards: list[Counted]


class GoalStep(TypedDict):
    """The cards of one faction that a goal of all factions counts."""

    slug: str
    have: int


class GoalBoard(Printed):
    """A goal and its current progress; by faction, if it requires cards of every faction."""

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
    """An army, its best recruit, and its score as far as the viewer knows it."""

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


class FinalRow(TypedDict):
    """The final score of the cards of a kind."""

    name: str
    count: int
    each: int
    points: int


class FinalScore(TypedDict):
    """The final score of a seat."""

    seat: Seat
    cards: list[FinalRow]
    parts: Scores
    goal: GoalResult | None
    total: int
    winner: bool


def find_known_goal(game: FactionWords, view: FactionState, seat: Seat) -> Goal | None:
    """Return a seat's goal, or None if the viewer does not know it."""
    if not view.goal[seat] or view.goal[seat][0] & KIND == HIDDEN:
        return None
    return game.setup.goals[(view.goal[seat][0] & KIND) - game.setup.first_goal]


def score_parts(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> list[int]:
    """Return a seat's score by its parts, as far as the viewer knows it: an unknown goal counts 0."""
    shown = [card & KIND for card in view.bonus]
    return scoring.score_by_part(game.setup, seat, armies, find_known_goal(game, view, seat), shown)


def build_worth(game: FactionWords, view: FactionState, seat: Seat, kind: int, armies: list[list[int]]) -> Worth:
    """Return the gain of a seat's score now if it owned one more card of a kind.

    The effect of an ability is not estimated. Bystanders and Action cards are not kept, so they add nothing themselves.
    """
    card = game.setup.kinds[kind]
    keeps = card.faction >= 0
    delta = [0] * len(scoring.PARTS)
    goal = find_known_goal(game, view, seat)
    progress: Progress | None = None
    if keeps:
        after = [army[:] for army in armies]
        after[seat][kind] += 1
        before, now = score_parts(game, view, seat, armies), score_parts(game, view, seat, after)
        delta = [y - x for x, y in zip(before, now, strict=True)]
        if goal is not None:
            was, will = (goal.measure_progress(game.setup, seat, all_) for all_ in (armies, after))
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
    """Return an army. Its cards are public, the order of its battle deck is unknown to all players (ruling 31)."""
    setup = game.setup
    owned = armies[seat]
    parts = score_parts(game, view, seat, armies)
    berserkers = count_kinds(owned, setup.berserkers)
    return {
        "seat": seat,
        "factions": [
            {
                "slug": faction["slug"],
                "name": faction["name"],
                "count": count_faction(setup, owned, number),
                "cards": [
                    {"card": build_printed(game, kind), "count": owned[kind]}
                    for kind in range(len(owned))
                    if owned[kind] and setup.faction_of[kind] == number
                ],
            }
            for number, faction in enumerate(game.box.factions)
        ],
        "recruits": view.count_recruits(seat),
        "pool": view.count_pool(seat),
        "best": find_best_recruit(game, view, seat),
        "bystanders": count_kinds(owned, setup.bystanders),
        "berserkers": berserkers,
        "berserker_points": berserkers * berserkers,
        "conscripts": len(setup.conscripts),
        "battle_deck": len(view.army[seat]),
        "pile_count": len(view.pile[seat]),
        "pile": count_cards(game, view.pile[seat]),
        "goal": build_goal(game, view, seat, armies),
        "has_goal": bool(view.goal[seat]),
        "points": sum(parts),
        "points_complete": not view.goal[seat] or find_known_goal(game, view, seat) is not None,
        "to_act": is_due(view, seat),
    }


def find_best_recruit(game: FactionWords, view: FactionState, seat: Seat) -> Printed | None:
    """Return the recruit of an army with the most points, and among equals with the highest battle value."""
    kinds = [action - CARD for action in view.list_recruits(seat)]
    if not kinds:
        return None
    return build_printed(
        game, max(kinds, key=lambda kind: (game.setup.kinds[kind].points, game.setup.kinds[kind].battle))
    )


def build_goal(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> GoalBoard | None:
    """Return a goal with its current progress, or None if the viewer does not know it."""
    goal = find_known_goal(game, view, seat)
    if goal is None:
        return None
    have, need = goal.measure_progress(game.setup, seat, armies)
    return {
        **build_printed(game, goal.id),
        "have": have,
        "need": need,
        "steps": build_goal_steps(game, goal, armies[seat]),
        "met": goal.is_met(game.setup, seat, armies),
        "bonus": goal.bonus,
    }


def build_goal_steps(game: FactionWords, goal: Goal, owned: list[int]) -> list[GoalStep]:
    """Return the progress of an army with each faction, for a goal that requires cards of every faction."""
    if not isinstance(goal, EveryFaction):
        return []
    return [
        {"slug": faction["slug"], "have": count_faction(game.setup, owned, number, True)}
        for number, faction in enumerate(game.box.factions)
    ]


def build_final(game: FactionWords, view: FactionState, armies: list[list[int]]) -> list[FinalScore]:
    """Return the final scores, part by part and card by card."""
    return [
        {
            "seat": seat,
            "cards": build_final_rows(game, armies[seat]),
            "parts": dict(zip(scoring.PARTS, score_parts(game, view, seat, armies), strict=True)),
            "goal": build_goal_result(game, view, seat, armies),
            "total": view.totals[seat],
            "winner": bool(view.winners >> seat & 1),
        }
        for seat in range(game.seats)
    ]


def build_final_rows(game: FactionWords, owned: list[int]) -> list[FinalRow]:
    """Return the points of each kind of card in an army."""
    rows: list[FinalRow] = []
    for kind, count in enumerate(owned):
        if count:
            each = game.setup.kinds[kind].score(game.setup, owned)
            rows.append({"name": game.entries[kind]["name"], "count": count, "each": each, "points": each * count})
    return rows


def build_goal_result(game: FactionWords, view: FactionState, seat: Seat, armies: list[list[int]]) -> GoalResult | None:
    """Return whether a seat has met its goal; None without a known goal."""
    goal = find_known_goal(game, view, seat)
    if goal is None:
        return None
    return {"name": game.entries[goal.id]["name"], "met": goal.is_met(game.setup, seat, armies)}
