"""An exact solver for the battles of a round with all cards open.

A side is a formation with a card in each slot, together with all layouts that can arise as cards are played. Margins
are in points, from the view of the leader.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from mypy_extensions import i64, mypyc_attr

from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.jinkei.rules.actions import PLAY
from gonfalon.games.jinkei.rules.setup import Formation, Setup
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST

ZERO: Final = 512
"""More than any margin."""
TRAP: Final = 0.05
"""The weight of a lead's mean gain over all answers."""
ROWS: Final = ((0, 1, 2), (3, 4, 5))
Layout: TypeAlias = tuple[tuple[int, ...], ...]
"""For each space the slots of the cards on it. A card's slot is its number at the start, counted through the spaces."""


@mypyc_attr(acyclic=True)
class Card:
    """The card in a slot."""

    __slots__ = ("rank", "points", "colour")

    def __init__(self) -> None:
        self.rank: i64 = 0
        self.points: i64 = 0
        self.colour: i64 = 0


@mypyc_attr(acyclic=True)
class Known:
    """The bounds found for the leader's margin between two places, valid for one stamp."""

    __slots__ = ("stamp", "least", "most")

    def __init__(self) -> None:
        self.stamp: i64 = -1
        self.least: i64 = 0
        self.most: i64 = 0


NOTHING: Final = Known()
"""The entry of pairs of places without bounds."""


class Place:
    """A layout of a side, with its plays."""

    __slots__ = ("number", "layout", "leads", "replies", "known")

    def __init__(self, number: int, layout: Layout) -> None:
        self.number: i64 = number
        self.layout: Layout = layout
        self.leads: list[Play] = []
        self.replies: list[Play] = []
        self.known: list[Known] = []  # by the place of the other side, when this side leads


class Play:
    """A card played from a space. If one of two cards advances, either `after` or `other` follows."""

    __slots__ = ("card", "space", "bonus", "wild", "binds", "after", "other")

    def __init__(
        self, card: Card, space: int, bonus: int, wild: bool, binds: bool, after: Place, other: Place | None
    ) -> None:
        self.card: Card = card
        self.space: int = space
        self.bonus: i64 = bonus
        self.wild: bool = wild
        self.binds: bool = binds  # its color, if led, must be followed
        self.after: Place = after
        self.other: Place | None = other


class Side:
    """A formation that begins with a number of cards on each space."""

    def __init__(self, setup: Setup, form: Formation, counts: tuple[int, ...]) -> None:
        self.setup: Setup = setup
        self.form: Formation = form
        self.cards: list[Card] = [Card() for _ in range(sum(counts))]
        self.places: dict[Layout, Place] = {}
        self.by_count: dict[tuple[int, ...], Place] = {}
        layout: list[tuple[int, ...]] = []
        first = 0
        for count in counts:
            layout.append(tuple(range(first, first + count)))
            first += count
        self.add(tuple(layout))

    def add(self, layout: Layout) -> Place:
        """Return the place of a layout. A new place is made with all places that can follow it."""
        found = self.places.get(layout)
        if found is not None:
            return found
        place = self.places[layout] = Place(len(self.places), layout)
        # Layouts with equal counts differ only in their slots, so one of them can represent all.
        self.by_count.setdefault(tuple([len(slots) for slots in layout]), place)
        plays: dict[int, Play] = {}
        for leads in (True, False):
            for row in ROWS if leads else (ROWS[1], ROWS[0]):
                spaces = [space for space in row if layout[space]]
                for space in spaces:
                    if space not in plays:
                        plays[space] = self.play(layout, space)
                    (place.leads if leads else place.replies).append(plays[space])
                if spaces:
                    break
        return place

    def play(self, layout: Layout, space: int) -> Play:
        """Return the play of the card on a space."""
        form = self.form
        after = [self.add(next) for next in self.closed_up(layout, space)]
        wild = form.wild[space]
        binds = self.setup.wild_binds or not wild
        card = self.cards[layout[space][0]]
        return Play(card, space, form.bonus[space], wild, binds, after[0], after[1] if len(after) > 1 else None)

    def closed_up(self, layout: Layout, space: int) -> list[Layout]:
        """Return the layouts that can follow after a space's card is played and the cards behind it advance."""
        gone: list[tuple[int, ...]] = list(layout)
        gone[space] = layout[space][1:]
        found = [gone]
        gap = space
        for source in range(space + 3, 9, 3):
            if self.form.blank[source] or not layout[source]:
                continue
            more: list[list[tuple[int, ...]]] = []
            for spaces in found:
                for slot in spaces[source]:
                    then = spaces[:]
                    then[gap] = (slot,)
                    then[source] = tuple([other for other in spaces[source] if other != slot])
                    more.append(then)
            found = more
            gap = source
        return [tuple(spaces) for spaces in found]

    def put(self, place: Place, spaces: list[list[int]]) -> i64:
        """Put the kinds on the spaces of a place into its slots, and return their points."""
        setup = self.setup
        total: i64 = 0
        for space, slots in enumerate(place.layout):
            for i, slot in enumerate(slots):
                card, kind = self.cards[slot], spaces[space][i]
                card.rank = setup.rank[kind]
                card.points = setup.points[kind]
                card.colour = setup.colour[kind]
                total += card.points
        return total


class Duel:
    """The sides of both seats. Call `put` before the other methods."""

    def __init__(self, setup: Setup, forms: list[Formation], counts: list[tuple[int, ...]]) -> None:
        self.sides: list[Side] = [Side(setup, forms[seat], counts[seat]) for seat in (0, 1)]
        for seat in (0, 1):
            for place in self.sides[seat].places.values():
                # All pairs share one entry until they are solved, which saves an object for each pair.
                place.known = [NOTHING] * len(self.sides[1 - seat].places)
        self.places: list[Place] = [next(iter(side.places.values())) for side in self.sides]
        self.stamp: i64 = 0
        self.stake: i64 = 0
        """The points of all cards that are left."""

    def put(self, spaces: list[list[list[int]]]) -> bool:
        """Put each seat's kinds on its spaces. Return False if the layout cannot follow from the start."""
        # A new stamp invalidates all bounds without clearing them.
        self.stamp += 1
        self.stake = 0
        for seat in (0, 1):
            side = self.sides[seat]
            place = side.by_count.get(tuple([len(kinds) for kinds in spaces[seat]]))
            if place is None:
                return False
            self.places[seat] = place
            self.stake += side.put(place, spaces[seat])
        return True

    def value(self, leader: Seat) -> int:
        """Return the margin of the seat that leads under best play."""
        return int(solve(self.places[leader], self.places[1 - leader], self.stamp, self.stake, -ZERO, ZERO))

    def leads(self, leader: Seat) -> dict[Action, float]:
        """Return the leader's margin for each of its plays.

        A small part of the mean gain over all answers is added, to separate plays with equal best answers.
        """
        found: dict[Action, float] = {}
        for play in self.places[leader].leads:
            for colour in (0, 1):
                if play.wild or play.card.colour == colour:
                    gains = self.gains_of_lead(leader, play, colour)
                    value = solve_lead(play, colour, self.places[1 - leader], self.stamp, self.stake, -ZERO, ZERO)
                    found[PLAY + 2 * play.space + colour] = int(value) + TRAP * sum(gains) / len(gains)
        return found

    def gains_of_lead(self, leader: Seat, play: Play, colour: int) -> list[int]:
        """Return the leader's gain from a play in this battle alone, for each answer."""
        replies = self.places[1 - leader].replies
        bound = is_bound(replies, colour)
        pairs = [(reply, reply.wild or reply.card.colour == colour) for reply in replies]
        return [int(fight(play, reply, same)) for reply, same in pairs if same or not bound]

    def gains(self, seat: Seat, space: int, colour: int) -> dict[Action, int]:
        """Return a seat's gain from each answer to the play from a space, in this battle alone."""
        play = self.led_from(1 - seat, space)
        found: dict[Action, int] = {}
        for reply in self.places[seat].replies:
            for called in (0, 1):
                if reply.wild or reply.card.colour == called:
                    found[PLAY + 2 * reply.space + called] = -int(fight(play, reply, called == colour))
        return found

    def answers(self, seat: Seat, space: int, colour: int) -> dict[Action, float]:
        """Return a seat's margin for each answer to the other seat's play from a space."""
        play = self.led_from(1 - seat, space)
        found: dict[Action, float] = {}
        for action, gain in self.gains(seat, space, colour).items():
            reply = next(reply for reply in self.places[seat].replies if reply.space == (action - PLAY) // 2)
            stake = self.stake - play.card.points - reply.card.points
            found[action] = float(gain - int(solve_rest(play, reply, self.stamp, stake, -ZERO, ZERO)))
        return found

    def led_from(self, seat: Seat, space: int) -> Play:
        """Return the play of a seat from a space."""
        return next(play for play in self.places[seat].leads if play.space == space)


def is_bound(replies: list[Play], colour: i64) -> bool:
    """Return whether the led color must be followed (7-2, rulings 10 to 13)."""
    bound = False
    for reply in replies:
        bound = bound or (reply.binds and reply.card.colour == colour)
    return bound


def fight(play: Play, reply: Play, same: bool) -> i64:
    """Return the leader's margin of one battle (7-3). `same`: whether the answer has the led color."""
    x, y = play.card, reply.card
    # The lowest rank catches the highest in any color, so the color is compared later (7-3).
    if x.rank == HIGHEST and y.rank == LOWEST:
        return -x.points - y.points
    if not same or (x.rank == LOWEST and y.rank == HIGHEST):
        return x.points + y.points
    high: i64 = x.rank + play.bonus
    low: i64 = y.rank + reply.bonus
    if high > low:
        return x.points + y.points
    return x.points - y.points if high == low else -x.points - y.points


def solve(x: Place, y: Place, stamp: i64, stake: i64, alpha: i64, beta: i64) -> i64:
    """Return the margin of the leader at place x against place y.

    The margin is exact if it is between alpha and beta; otherwise it is a bound on the same side. `stake` is at least
    the points of all remaining cards.
    """
    # Without a lead or an answer the round is over.
    if len(x.leads) == 0 or len(y.replies) == 0:
        return 0
    known = x.known[y.number]
    least: i64 = -ZERO
    most: i64 = ZERO
    if known.stamp == stamp:
        least = known.least
        most = known.most
        if least >= beta or least == most:
            return least
        if most <= alpha:
            return most
        if least > alpha:
            alpha = least
        if most < beta:
            beta = most
    best: i64 = -ZERO
    for play in x.leads:
        floor = best if best > alpha else alpha
        value = solve_lead(play, play.card.colour, y, stamp, stake, floor, beta)
        if value > best:
            best = value
        if play.wild and best < beta:
            value = solve_lead(play, 1 - play.card.colour, y, stamp, stake, best if best > alpha else alpha, beta)
            if value > best:
                best = value
        if best >= beta:
            break
    if known is NOTHING:
        known = Known()
        x.known[y.number] = known
    known.stamp = stamp
    # Outside the window the value is only a bound: an upper one at alpha or below, a lower one at beta or above.
    known.least = least if best <= alpha else best
    known.most = most if best >= beta else best
    return best


def solve_lead(play: Play, colour: i64, y: Place, stamp: i64, stake: i64, alpha: i64, beta: i64) -> i64:
    """Return the margin of leading with a play called a color, between alpha and beta as in `solve`."""
    bound = is_bound(y.replies, colour)
    worst: i64 = ZERO
    # Answers that win come first, which causes earlier cutoffs.
    for wins in (True, False):
        for reply in y.replies:
            # A Wild answer is never worse in the led color.
            same = reply.wild or reply.card.colour == colour
            if bound and not same:
                continue
            value = fight(play, reply, same)
            if (value < 0) != wins:
                continue
            left = stake - play.card.points - reply.card.points
            if value + left <= alpha:
                return value + left  # the remaining points cannot raise it above alpha
            if value - left >= beta:
                value -= left  # the remaining points cannot lower it below beta
            else:
                value += solve_rest(play, reply, stamp, left, alpha - value, beta - value)
            if value < worst:
                worst = value
                if worst <= alpha:
                    return worst
                if worst < beta:
                    beta = worst
    return worst


def solve_rest(play: Play, reply: Play, stamp: i64, stake: i64, alpha: i64, beta: i64) -> i64:
    """Return the leader's margin after a battle, between alpha and beta as in `solve`.

    A side with two cards on a space chooses which one advances.
    """
    if play.other is None and reply.other is None:
        return -solve(reply.after, play.after, stamp, stake, -beta, -alpha)
    best: i64 = -ZERO
    # Both choices are made before the next battle, so they form a minimax of their own.
    for ours in (play.after, play.other or play.after):
        worst: i64 = ZERO
        for theirs in (reply.after, reply.other or reply.after):
            # The full window, because bounds are not enough to compare the choices.
            value = -solve(theirs, ours, stamp, stake, -ZERO, ZERO)
            if value < worst:
                worst = value
        if worst > best:
            best = worst
    return best
