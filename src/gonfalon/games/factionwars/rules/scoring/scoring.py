"""What an army is worth: every part of the score, and the goals.

All of it is worked out from `owned`, which is public; only whose goal is whose is secret.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import NOBODY, Seat, Step
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.scoring.goals import Goal
from gonfalon.games.factionwars.rules.scoring.tally import (
    DIGIT,
    TALLY,
    TALLY_BERSERKERS,
    TALLY_BONUS,
    TALLY_POINTS,
    fewest_of,
    total_of,
)
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import BY_BYSTANDERS, BY_POINTS, BY_RECRUITS, SHARED, FactionState

GOAL: Final = 4
PARTS: Final = ["recruits", "berserkers", "bonus", "bystanders", "goal", "open"]
"""The parts of a score; `open` is that of the public Bonus Cards of the later revision."""


def cards(setup: Setup, owned: list[int]) -> int:
    """The points printed on recruits."""
    total = 0
    points = setup.points
    for kind in range(setup.plain):
        if owned[kind]:
            total += owned[kind] * points[kind]
    return total


def berserkers(setup: Setup, owned: list[int]) -> int:
    """Each scores as many as there are of them (ruling 29)."""
    count = total_of(owned, setup.berserkers)
    return count * count


def bonus(setup: Setup, owned: list[int]) -> int:
    """What the Bonus Cards of an army score."""
    total = 0
    for kind in setup.bonus_kinds:
        if kind < len(owned) and owned[kind]:
            total += owned[kind] * setup.kinds[kind].score(setup, owned)
    return total


def bystanders(setup: Setup, owned: list[int]) -> int:
    """The penalties of Bystanders, a number below zero."""
    total = 0
    for kind in setup.bystanders:
        total += owned[kind] * setup.points[kind]
    return total


def open_bonus(setup: Setup, owned: list[int], shown: list[int]) -> int:
    """What the public Bonus Cards score for an army (later revision, reconstructed; ruling 41)."""
    total = 0
    for kind in shown:
        total += setup.kinds[kind].score(setup, owned)
    return total


def parts(setup: Setup, seat: Seat, armies: list[list[int]], goal: Goal | None, shown: list[int]) -> list[int]:
    """A seat's score by its PARTS. Without a goal that part is 0; `shown` are public Bonus Cards."""
    owned = armies[seat]
    return [
        cards(setup, owned),
        berserkers(setup, owned),
        bonus(setup, owned),
        bystanders(setup, owned),
        goal.bonus if goal is not None and goal.met(setup, seat, armies) else 0,
        open_bonus(setup, owned, shown),
    ]


class Score(Step[FactionState]):
    """The goals are shown, and everybody's points are counted."""

    def auto(self, s: FactionState) -> None:
        setup = s.setup
        goals: list[Goal | None] = [None] * s.seats
        for seat in range(s.seats):
            if s.goal[seat]:
                card = s.goal[seat][0] | setup.full
                s.goal[seat][0] = card
                goals[seat] = setup.goals[(card & KIND) - setup.first_goal]
        if s.log is None and setup.bonus_counts:
            s.totals = totals(s, goals)
        else:
            count(s, goals)
        decide(s)
        s.tell(events.OVER, lowest_bit(s.winners), HIDDEN, s.winners, s.how)


def count(s: FactionState, goals: list[Goal | None]) -> None:
    """Count everybody's points, and tell."""
    setup = s.setup
    armies = [s.owned(seat) for seat in range(s.seats)]
    shown = [card & KIND for card in s.bonus]
    for seat in range(s.seats):
        goal = goals[seat]
        if goal is not None:
            s.tell(events.GOAL_SHOWN, seat, s.goal[seat][0], int(goal.met(setup, seat, armies)), goal.bonus)
        found = parts(setup, seat, armies, goal, shown)
        s.totals[seat] = sum(found)
        for part in range(len(found)):
            if part < GOAL or (part == GOAL) == (goal is not None):
                s.tell(events.SCORED, seat, HIDDEN, part, found[part])
        s.tell(events.TOTAL, seat, HIDDEN, s.totals[seat])


def totals(s: FactionState, goals: list[Goal | None]) -> list[int]:
    """Everybody's points, if Bonus Cards are recruits: the sums of `parts`, from tallies (`Setup.tally_of`). To add two
    numbers a card, and no lists by kind, takes a fraction of the time."""
    setup = s.setup
    tally_of = setup.tally
    allies_of = setup.allies
    tallies: list[int] = []
    factions: list[int] = []
    for seat in range(s.seats):
        tally = allies = 0
        for card in s.army[seat] + s.pile[seat]:
            kind = card & KIND
            tally += tally_of[kind]
            allies += allies_of[kind]
        tallies.append(tally)
        factions.append(allies)
    found: list[int] = []
    for seat in range(s.seats):
        tally = tallies[seat]
        allies = factions[seat]
        total = tally >> TALLY * TALLY_POINTS
        berserkers = tally >> TALLY * TALLY_BERSERKERS & DIGIT
        total += berserkers * berserkers
        if tally >> TALLY * TALLY_BONUS & DIGIT:
            for card in s.army[seat] + s.pile[seat]:
                kind = card & KIND
                if tally_of[kind] >> TALLY * TALLY_BONUS & 1:
                    total += bonus_of_tally(setup, allies, kind)
        for card in s.bonus:
            total += bonus_of_tally(setup, allies, card & KIND)
        goal = goals[seat]
        if goal is not None and goal.met_by_tally(s, seat, tallies, factions):
            total += goal.bonus
        found.append(total)
    return found


def bonus_of_tally(setup: Setup, allies: int, kind: int) -> int:
    """What one Bonus Card scores for an army with this tally of factions."""
    if setup.kinds[kind].sets:
        return fewest_of(setup, allies) * setup.points[kind]
    return allies >> TALLY * setup.faction_of[kind] & DIGIT


def decide(s: FactionState) -> None:
    """Who wins: the most points; who is level shares the victory, or by option fewer Bystanders, then
    more recruits, decide (ruling 30)."""
    setup = s.setup
    best = max(s.totals)
    level = [seat for seat in range(s.seats) if s.totals[seat] == best]
    s.how = BY_POINTS
    if len(level) > 1 and setup.breaks_ties:
        armies = [s.owned(seat) for seat in range(s.seats)]
        fewest = min([total_of(armies[seat], setup.bystanders) for seat in level])
        level = [seat for seat in level if total_of(armies[seat], setup.bystanders) == fewest]
        s.how = BY_BYSTANDERS
        if len(level) > 1:
            most = max([sum(armies[seat][: setup.recruits]) for seat in level])
            level = [seat for seat in level if sum(armies[seat][: setup.recruits]) == most]
            s.how = BY_RECRUITS
    if len(level) > 1:
        s.how = SHARED
    for seat in level:
        s.winners |= 1 << seat


def lowest_bit(mask: int) -> int:
    """The seat of a mask of one; -1 for several."""
    return mask.bit_length() - 1 if mask & (mask - 1) == 0 else -1


SCORE: Final[Step[FactionState]] = Score(NOBODY)
