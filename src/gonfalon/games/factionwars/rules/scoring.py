"""What an army is worth: every part of the score, and the goals.

All of it is worked out from `owned`, which is public; only whose goal is whose is secret.
"""

from __future__ import annotations

from typing import Any, Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.state import NOBODY, Seat, Step
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.setup import (
    TALLY,
    TALLY_BERSERKERS,
    TALLY_BONUS,
    TALLY_BYSTANDERS,
    TALLY_POINTS,
    Goal,
    Setup,
)
from gonfalon.games.factionwars.rules.state import BY_BYSTANDERS, BY_POINTS, BY_RECRUITS, SHARED, FactionState

CARDS: Final = 0
BERSERKERS: Final = 1
BYSTANDERS: Final = 3
GOAL: Final = 4
OPEN: Final = 5
PARTS: Final = ["recruits", "berserkers", "bonus", "bystanders", "goal", "open"]
"""The parts of a score; `open` is that of the public Bonus Cards of the later revision."""

MOST_FACTION: Final = "most-faction"
MOST_RECRUITS: Final = "most-recruits"
NO_BYSTANDER: Final = "no-bystander"
EVERY_FACTION: Final = "every-faction"
BATTLE_VALUE: Final = "battle-value"
ABILITIES: Final = "abilities"
RULES: Final = (MOST_FACTION, MOST_RECRUITS, NO_BYSTANDER, EVERY_FACTION, BATTLE_VALUE, ABILITIES)
STRICTLY_MORE: Final = (MOST_FACTION, MOST_RECRUITS)


def army(s: FactionState, seat: Seat) -> list[int]:
    """How many cards of each kind a seat owns."""
    return s.owned(seat)


def of_faction(setup: Setup, owned: list[int], faction: int, recruits_only: bool = False) -> int:
    """How many cards of a faction; Bonus Cards are among them (ruling 28, unless the option says they
    are no recruits)."""
    return total_of(owned, setup.recruits_of[faction] if recruits_only else setup.members[faction])


def total_of(owned: list[int], kinds: list[int]) -> int:
    """How many cards of these kinds."""
    total = 0
    for kind in kinds:
        total += owned[kind]
    return total


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


def bonus_of(setup: Setup, owned: list[int], kind: int) -> int:
    """What one Bonus Card scores for an army: a point for each of its faction's cards, itself included;
    Common Cause scores for each set of all factions."""
    if setup.kinds[kind].sets:
        least = min([of_faction(setup, owned, faction) for faction in range(setup.factions)])
        return least * setup.points[kind]
    return of_faction(setup, owned, setup.faction_of[kind])


def bonus(setup: Setup, owned: list[int]) -> int:
    """What the Bonus Cards of an army score."""
    total = 0
    for kind in setup.bonus_kinds:
        if kind < len(owned) and owned[kind]:
            total += owned[kind] * bonus_of(setup, owned, kind)
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
        total += bonus_of(setup, owned, kind)
    return total


def progress(setup: Setup, goal: Goal, seat: Seat, armies: list[list[int]]) -> tuple[int, int]:
    """How far a seat is with a goal: what it has and what it needs. For a goal without Bystanders that is
    how many it has, and 0."""
    owned = armies[seat]
    rule = goal.rule
    if rule == NO_BYSTANDER:
        return total_of(owned, setup.bystanders), 0
    if rule == EVERY_FACTION:
        least = min([of_faction(setup, owned, faction, True) for faction in range(setup.factions)])
        return least, goal.count
    if rule in STRICTLY_MORE:
        best = 0
        have = 0
        for other in range(len(armies)):
            if rule == MOST_FACTION:
                count = of_faction(setup, armies[other], goal.faction, True)
            else:
                count = sum(armies[other][: setup.recruits])
            if other == seat:
                have = count
            elif count > best:
                best = count
        return have, best + 1
    return total_of(owned, goal.counted), goal.count


def met(setup: Setup, goal: Goal, seat: Seat, armies: list[list[int]]) -> bool:
    """Whether a seat has met a goal."""
    have, need = progress(setup, goal, seat, armies)
    return have == 0 if goal.rule == NO_BYSTANDER else have >= need


def parts(setup: Setup, seat: Seat, armies: list[list[int]], goal: Goal | None, shown: list[int]) -> list[int]:
    """A seat's score by its PARTS. Without a goal that part is 0; `shown` are public Bonus Cards."""
    owned = armies[seat]
    return [
        cards(setup, owned),
        berserkers(setup, owned),
        bonus(setup, owned),
        bystanders(setup, owned),
        goal.bonus if goal is not None and met(setup, goal, seat, armies) else 0,
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
    armies = [army(s, seat) for seat in range(s.seats)]
    shown = [card & KIND for card in s.bonus]
    for seat in range(s.seats):
        goal = goals[seat]
        if goal is not None:
            s.tell(events.GOAL_SHOWN, seat, s.goal[seat][0], int(met(setup, goal, seat, armies)), goal.bonus)
        found = parts(setup, seat, armies, goal, shown)
        s.totals[seat] = sum(found)
        for part in range(len(found)):
            if part < GOAL or (part == GOAL) == (goal is not None):
                s.tell(events.SCORED, seat, HIDDEN, part, found[part])
        s.tell(events.TOTAL, seat, HIDDEN, s.totals[seat])


DIGIT: Final = (1 << TALLY) - 1


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
        if goal is not None and met_by_tally(s, goal, seat, tallies, factions):
            total += goal.bonus
        found.append(total)
    return found


def bonus_of_tally(setup: Setup, allies: int, kind: int) -> int:
    """`bonus_of` an army with this tally of factions."""
    if setup.kinds[kind].sets:
        return fewest_of(setup, allies) * setup.points[kind]
    return allies >> TALLY * setup.faction_of[kind] & DIGIT


def fewest_of(setup: Setup, allies: int) -> int:
    """How many cards an army has of the faction of which it has fewest."""
    return min([allies >> TALLY * faction & DIGIT for faction in range(setup.factions)])


def allies_in(setup: Setup, allies: int) -> int:
    """How many cards of any faction an army has."""
    return sum([allies >> TALLY * faction & DIGIT for faction in range(setup.factions)])


def met_by_tally(s: FactionState, goal: Goal, seat: Seat, tallies: list[int], factions: list[int]) -> bool:
    """`met`, by everybody's tallies, if Bonus Cards are recruits."""
    rule = goal.rule
    if rule == NO_BYSTANDER:
        return tallies[seat] >> TALLY * TALLY_BYSTANDERS & DIGIT == 0
    if rule == EVERY_FACTION:
        return fewest_of(s.setup, factions[seat]) >= goal.count
    if rule in STRICTLY_MORE:
        if rule == MOST_RECRUITS:
            counts = [allies_in(s.setup, allies) for allies in factions]
        else:
            counts = [allies >> TALLY * goal.faction & DIGIT for allies in factions]
        best = max(counts)
        return counts[seat] == best and counts.count(best) == 1
    have = 0
    for card in s.army[seat] + s.pile[seat]:
        have += goal.mask >> (card & KIND) & 1
    return have >= goal.count


def decide(s: FactionState) -> None:
    """Who wins: the most points; who is level shares the victory, or by option fewer Bystanders, then
    more recruits, decide (ruling 30)."""
    setup = s.setup
    best = max(s.totals)
    level = [seat for seat in range(s.seats) if s.totals[seat] == best]
    s.how = BY_POINTS
    if len(level) > 1 and setup.breaks_ties:
        armies = [army(s, seat) for seat in range(s.seats)]
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


SCORE: Final[Step[Any]] = Score(NOBODY)
