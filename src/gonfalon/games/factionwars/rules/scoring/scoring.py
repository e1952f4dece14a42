"""The score of an army by its parts, and the winners.

All of it follows from the cards that armies own, which are public, and from the goals, which are secret.
"""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import NOBODY, Seat, Step
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.scoring.goals import Goal
from gonfalon.games.factionwars.rules.scoring.tally import (
    DIGIT,
    DIGIT_BITS,
    TALLY_BERSERKERS,
    TALLY_BONUS,
    TALLY_POINTS,
    count_kinds,
    count_rarest_faction,
)
from gonfalon.games.factionwars.rules.setup import Setup
from gonfalon.games.factionwars.rules.state import BY_BYSTANDERS, BY_POINTS, BY_RECRUITS, SHARED, FactionState

BYSTANDERS: Final = 3
GOAL: Final = 4
PARTS: Final = ["recruits", "berserkers", "bonus", "bystanders", "goal", "open"]
"""The parts of a score; `open` is that of the public Bonus Cards of the later revision."""


def score_cards(setup: Setup, owned: list[int]) -> int:
    """Return the points printed on recruits."""
    total = 0
    points = setup.points
    for kind in range(setup.plain):
        if owned[kind]:
            total += owned[kind] * points[kind]
    return total


def score_berserkers(setup: Setup, owned: list[int]) -> int:
    """Return the points of Berserkers: each scores their number (ruling 29)."""
    count = count_kinds(owned, setup.berserkers)
    return count * count


def score_bonus(setup: Setup, owned: list[int]) -> int:
    """Return the points of an army's own Bonus Cards."""
    total = 0
    for kind in setup.bonus_kinds:
        if kind < len(owned) and owned[kind]:
            total += owned[kind] * setup.kinds[kind].score(setup, owned)
    return total


def score_bystanders(setup: Setup, owned: list[int]) -> int:
    """Return the penalties of Bystanders, a number at most 0."""
    total = 0
    for kind in setup.bystanders:
        total += owned[kind] * setup.points[kind]
    return total


def score_open_bonus(setup: Setup, owned: list[int], shown: list[int]) -> int:
    """Return the points that public Bonus Cards give an army (later revision, reconstructed; ruling 41)."""
    total = 0
    for kind in shown:
        total += setup.kinds[kind].score(setup, owned)
    return total


def score_by_part(setup: Setup, seat: Seat, armies: list[list[int]], goal: Goal | None, shown: list[int]) -> list[int]:
    """Return a seat's score by its PARTS. Without a goal that part is 0; `shown` are public Bonus Cards."""
    owned = armies[seat]
    return [
        score_cards(setup, owned),
        score_berserkers(setup, owned),
        score_bonus(setup, owned),
        score_bystanders(setup, owned),
        goal.bonus if goal is not None and goal.is_met(setup, seat, armies) else 0,
        score_open_bonus(setup, owned, shown),
    ]


class Score(Step[FactionState]):
    """The end of the game: the goals are shown and all points are counted."""

    def auto(self, s: FactionState) -> None:
        setup = s.setup
        goals: list[Goal | None] = [None] * s.seats
        for seat in range(s.seats):
            if s.goal[seat]:
                card = s.goal[seat][0] | setup.full
                s.goal[seat][0] = card
                goals[seat] = setup.goals[(card & KIND) - setup.first_goal]
        # Tallies are faster, but give no events, and they count Bonus Cards as recruits.
        if s.log is None and setup.bonus_counts:
            s.totals = sum_tallies(s, goals)
        else:
            count_points(s, goals)
        decide_winners(s)
        s.tell(events.OVER, find_single_seat(s.winners), HIDDEN, s.winners, s.how)


def count_points(s: FactionState, goals: list[Goal | None]) -> None:
    """Count the points of all seats, and record them part by part."""
    setup = s.setup
    armies = [s.count_owned(seat) for seat in range(s.seats)]
    shown = [card & KIND for card in s.bonus]
    for seat in range(s.seats):
        goal = goals[seat]
        if goal is not None:
            s.tell(events.GOAL_SHOWN, seat, s.goal[seat][0], int(goal.is_met(setup, seat, armies)), goal.bonus)
        found = score_by_part(setup, seat, armies, goal, shown)
        s.totals[seat] = sum(found)
        for part in range(len(found)):
            # The earlier revision has goals, the later one open Bonus Cards. Only the part that exists is recorded.
            if part < GOAL or (part == GOAL) == (goal is not None):
                s.tell(events.SCORED, seat, HIDDEN, part, found[part])
        s.tell(events.TOTAL, seat, HIDDEN, s.totals[seat])


def sum_tallies(s: FactionState, goals: list[Goal | None]) -> list[int]:
    """Return the points of all seats, from tallies (`Setup.pack_tally`). Valid only if Bonus Cards are recruits.

    It equals the sums of `score_by_part`. Adding two numbers for each card takes a fraction of the time of lists by
    kind.
    """
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
        total = tally >> DIGIT_BITS * TALLY_POINTS
        berserkers = tally >> DIGIT_BITS * TALLY_BERSERKERS & DIGIT
        total += berserkers * berserkers
        if tally >> DIGIT_BITS * TALLY_BONUS & DIGIT:
            for card in s.army[seat] + s.pile[seat]:
                kind = card & KIND
                if tally_of[kind] >> DIGIT_BITS * TALLY_BONUS & 1:
                    total += score_bonus_by_tally(setup, allies, kind)
        for card in s.bonus:
            total += score_bonus_by_tally(setup, allies, card & KIND)
        goal = goals[seat]
        if goal is not None and goal.is_met_by_tally(s, seat, tallies, factions):
            total += goal.bonus
        found.append(total)
    return found


def score_bonus_by_tally(setup: Setup, allies: int, kind: int) -> int:
    """Return the points of one Bonus Card for an army with this tally of factions."""
    if setup.kinds[kind].sets:
        return count_rarest_faction(setup, allies) * setup.points[kind]
    return allies >> DIGIT_BITS * setup.faction_of[kind] & DIGIT


def decide_winners(s: FactionState) -> None:
    """Set the winners: the seats with the most points.

    A tie is a shared victory. With the option, fewer Bystanders and then more recruits break it (ruling 30).
    """
    setup = s.setup
    best = max(s.totals)
    level = [seat for seat in range(s.seats) if s.totals[seat] == best]
    s.how = BY_POINTS
    if len(level) > 1 and setup.breaks_ties:
        armies = [s.count_owned(seat) for seat in range(s.seats)]
        fewest = min([count_kinds(armies[seat], setup.bystanders) for seat in level])
        level = [seat for seat in level if count_kinds(armies[seat], setup.bystanders) == fewest]
        s.how = BY_BYSTANDERS
        if len(level) > 1:
            most = max([sum(armies[seat][: setup.recruits]) for seat in level])
            level = [seat for seat in level if sum(armies[seat][: setup.recruits]) == most]
            s.how = BY_RECRUITS
    if len(level) > 1:
        s.how = SHARED
    for seat in level:
        s.winners |= 1 << seat


def find_single_seat(mask: int) -> int:
    """Return the seat of a mask of one seat; -1 for several."""
    return mask.bit_length() - 1 if mask & (mask - 1) == 0 else -1


SCORE: Final[Step[FactionState]] = Score(NOBODY)
