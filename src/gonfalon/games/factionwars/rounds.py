"""The course of a game of Faction Wars: set-up, line-up, selection, resolution."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from gonfalon.core.cards import HIDDEN, KIND, SEEN
from gonfalon.core.state import NO_ACTIONS, NOBODY, Action, Seat, Step, Together
from gonfalon.games.factionwars import events
from gonfalon.games.factionwars.abilities import MOST_SEATS, deplete, over_at_once, turn_up_war
from gonfalon.games.factionwars.actions import TAKE
from gonfalon.games.factionwars.battles import NO_CLEAR_WINNER, fight
from gonfalon.games.factionwars.chance import order_armies, renew
from gonfalon.games.factionwars.scoring import SCORE
from gonfalon.games.factionwars.state import FactionState


class Begin(Step[FactionState]):
    """Everything is shuffled: deal the goals, or lay the public Bonus Cards open."""

    def auto(self, s: FactionState) -> None:
        setup = s.setup
        if setup.goals:
            for seat in range(s.seats):
                card = s.goals.pop(0) | SEEN[seat]
                s.goal[seat].append(card)
                if s.log is not None:
                    s.tell_only(1 << seat, events.GOAL, seat, card)
        for _ in range(setup.open_bonus):
            card = s.bonuses.pop(0) | setup.full
            s.bonus.append(card)
            s.tell(events.OPEN_BONUS, NOBODY, card)
        s.goals.sort()
        s.bonuses.sort()
        s.stack.append(START_ROUND)


class StartRound(Step[FactionState]):
    """A new round: fill the line-up, then everybody selects."""

    def auto(self, s: FactionState) -> None:
        start_round(s)


def start_round(s: FactionState) -> None:
    """Count the round and fill the line-up."""
    s.round += 1
    s.place = -1
    s.gone = 0
    s.chain = 0
    if s.log is not None:
        s.tell(events.ROUND, NOBODY, HIDDEN, s.round)
    fill(s)


class Fill(Step[FactionState]):
    """Go on filling the line-up after the recruit deck was made anew."""

    def auto(self, s: FactionState) -> None:
        fill(s)


def fill(s: FactionState) -> None:
    """Fill the line-up from the recruit deck. When that runs out for the last time the line-up stays
    short (rulings 23 to 25)."""
    setup = s.setup
    deck = s.deck
    lineup = s.lineup
    missing = setup.size - len(lineup)
    if len(deck) > missing and setup.war < 0 and s.log is None:
        full = setup.full
        for _ in range(missing):
            lineup.append(deck.pop() | full)
    else:
        while len(lineup) < setup.size and s.deck:
            below = len(s.stack)
            if not turn_up_war(s, events.LINED_UP, NOBODY, len(lineup)):
                card = s.reveal_top()
                s.tell(events.LINED_UP, NOBODY, card, len(lineup))
                lineup.append(card)
                if not s.deck:
                    deplete(s)
            if over_at_once(s):
                return
            if len(s.stack) > below:
                if len(lineup) < setup.size:
                    s.stack.insert(below, FILL)
                else:
                    s.stack.insert(below, SELECT[s.seats])
                return
    s.stack.append(SELECT[s.seats] if lineup else SCORE)


class Select(Together[FactionState]):
    """Everybody lays a selector face down; when all have, all are revealed (ruling 32: nobody passes)."""

    prompt: ClassVar[str] = "select"

    def options_of(self, s: FactionState, seat: Seat) -> list[Action]:
        if s.answers[seat]:
            return NO_ACTIONS
        return s.setup.takes[len(s.lineup)]

    def choose(self, s: FactionState, action: Action) -> None:
        """The last selector is laid (see `FactionState.apply`)."""
        self.finish(s)

    def finish(self, s: FactionState) -> None:
        s.picks = [answer[0] - TAKE for answer in s.answers]
        if s.log is not None:
            for seat in range(s.seats):
                s.tell(events.CHOSE, seat, s.lineup[s.picks[seat]], s.picks[seat])
        resolve(s)


class Resolve(Step[FactionState]):
    """The claim of a card has been carried out: go on with the next place of the line-up."""

    def auto(self, s: FactionState) -> None:
        if [] in s.army:
            renew_worn(s)
        resolve(s)


def resolve(s: FactionState) -> None:
    """Place after place, from the first on, each completely (ruling 1): who is alone takes the card,
    several fight for it."""
    setup = s.setup
    picks = s.picks
    kinds = s.kinds
    lineup = s.lineup
    quiet = s.log is None
    seats = s.seats
    gone = s.gone  # bitmask of the places whose card has left the line-up
    left = gone.bit_count()
    for place in range(s.place + 1, setup.size):
        if place not in picks:
            continue
        winner = picks.index(place)
        rivals = 0
        for seat in range(winner + 1, seats):
            if picks[seat] == place:
                rivals |= 1 << seat
        if rivals:
            rivals |= 1 << winner
            if s.loose & rivals:
                s.place = place - 1
                s.gone = gone
                s.stack.append(RESOLVE)
                order_armies(s, rivals)
                return
            if not quiet:
                s.tell(events.BATTLE, NOBODY, lineup[place - left], place, rivals)
            winner = fight(s, [seat for seat in range(seats) if rivals >> seat & 1])
        card = lineup.pop(place - left)
        left += 1
        gone |= 1 << place
        if winner < 0:
            s.discard.append(card)
            if not quiet:
                why = events.NO_CLEAR_WINNER if winner == NO_CLEAR_WINNER else events.ALL_OUT
                s.tell(events.LOST, NOBODY, card, place, why)
        else:
            if not quiet:
                s.tell(events.CLAIMED, winner, card, place, events.FOUGHT if rivals else events.SOLE)
            kind = card & KIND
            if kinds[kind].acts:
                s.place = place
                s.gone = gone
                s.chain = 0
                s.stack.append(RESOLVE)
                s.collect(winner, card)
                return
            s.gain(winner, card)
        if rivals and [] in s.army:
            renew_worn(s)
    s.gone = gone
    clear(s)


def renew_worn(s: FactionState) -> None:
    """A claim has been carried out: who fought for it and has no battle deck left makes a new one
    (rulings 6, 7)."""
    for seat in range(s.seats):
        if not s.army[seat]:
            renew(s, seat, events.RAN_OUT)


def clear(s: FactionState) -> None:
    """Unclaimed cards are discarded; then the next round, or the end (rulings 24, 27)."""
    lineup = s.lineup
    if s.log is not None:
        places = s.places()
        for i in range(len(lineup)):
            s.tell(events.CLEARED, NOBODY, lineup[i], places[i])
    s.discard += lineup
    lineup.clear()
    s.place = -1
    s.gone = 0
    s.picks = NOT_YET[s.seats]
    if s.last >= 0:
        s.stack.append(SCORE)
    else:
        start_round(s)


NOT_YET: Final[list[list[int]]] = [[-1] * seats for seats in range(MOST_SEATS + 1)]
BEGIN: Final[Step[Any]] = Begin(NOBODY)
START_ROUND: Final[Step[Any]] = StartRound(NOBODY)
FILL: Final[Step[Any]] = Fill(NOBODY)
SELECT: Final[list[Step[Any]]] = [Select(list(range(seats))) for seats in range(MOST_SEATS + 1)]
RESOLVE: Final[Step[Any]] = Resolve(NOBODY)
