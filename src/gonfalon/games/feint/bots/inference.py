"""Inference of the other seat's Location Card from the cards it has played this round."""

from __future__ import annotations

from math import log, sqrt
from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Seat
from gonfalon.games.feint.bots.round_outlook import DOWN_STRENGTH, TRUST
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.state import OPPONENT, FeintState

# Log-odds, fitted to 88,000 positions of games between quick players and the rule of thumb:
LAID: Final = 0.164  # for each Strength laid there,
ROOT: Final = 0.125  # its root,
LOG: Final = 1.296  # its logarithm (with `TRUST` before a card lies there),
SHARE: Final = 0.162  # its share of all Strength laid, times all Strength laid up to
ENOUGH: Final = 20.0  # this bound
NUMBERED: Final = -0.0188  # times the number of the Location
COUNT: Final = -0.293  # for each card there
FIRST: Final = 1.124  # the first card of the round
SECOND: Final = 0.716  # the second
REPLY: Final = -0.927  # each card that answers one of mine at the same place
HIGH: Final = -0.206  # by the number of the Location
MET: Final = -0.071  # for each Strength that I have laid there
PASSED: Final = 0.186  # more for each Strength laid when no more is to come
GAP: Final = 0.150  # and then for each Strength that I am ahead


def estimate_location_odds(view: FeintState) -> list[float]:
    """Return the log-odds of each place to be the other seat's Location, not counting the copies of its card left.

    The order of the cards is read from the log, and ignored in a view without one.
    """
    me = view.viewer
    foe = OPPONENT[me]
    n = view.places
    laid = [sum_strength(view, foe, place) for place in range(n)]
    mine = [sum_strength(view, me, place) for place in range(n)]
    total = sum(laid)
    passed = bool(view.passed >> foe & 1)
    order = list_plays(view)
    theirs = [place for seat, place in order if seat == foe]
    replies = [0] * n
    for i in range(1, len(order)):
        if order[i][0] == foe and order[i - 1] == (me, order[i][1]):
            replies[order[i][1]] += 1
    found: list[float] = []
    for place in range(n):
        here = laid[place]
        number = view.setup.numbers[place]
        odds = LAID * here + ROOT * sqrt(here) + LOG * log(TRUST + here)
        if total > 0.0:
            odds += SHARE * here / total * min(total, ENOUGH)
        odds += NUMBERED * number * here + COUNT * len(view.at(foe, place)) + HIGH * number + MET * mine[place]
        odds += REPLY * replies[place]
        if theirs and theirs[0] == place:
            odds += FIRST
        if len(theirs) > 1 and theirs[1] == place:
            odds += SECOND
        if passed:
            odds += PASSED * here + GAP * (mine[place] - here)
        found.append(odds)
    return found


def sum_strength(view: FeintState, seat: Seat, place: int) -> float:
    """Return the Strength of a seat's cards at a place, with the mean for hidden ones."""
    total = 0.0
    for card in view.at(seat, place):
        total += DOWN_STRENGTH if card & KIND == HIDDEN else view.kinds[card & KIND].strength
    return total


def list_plays(view: FeintState) -> list[tuple[Seat, int]]:
    """Return the seat and place of each play of this round in order, from the log."""
    found: list[tuple[Seat, int]] = []
    if view.log is not None:
        for code, _, seat, _, place, _ in reversed(view.log):
            if code == events.ROUND:
                break
            if code == events.PLAYED:
                found.append((seat, place))
    found.reverse()
    return found
