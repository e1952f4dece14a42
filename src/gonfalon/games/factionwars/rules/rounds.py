"""The course of a game of Faction Wars: set-up, line-up, selection, resolution."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, Unread, kinds
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.shuffles import ANY_SEED
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, NO_ANSWERS, NOBODY, Action, Card, Seat, Step, Together
from gonfalon.games.factionwars.rules import events, moments
from gonfalon.games.factionwars.rules.actions import DEAL, MOST_SEATS, PLACES
from gonfalon.games.factionwars.rules.battles import (
    NO_CLEAR_WINNER,
    TIE_ENDED,
    ends_tie,
    fight,
    highest,
    tell_beaten,
    tell_exhausted,
    tell_shown,
    untie,
)
from gonfalon.games.factionwars.rules.chance import renew
from gonfalon.games.factionwars.rules.claims import FIGHT, NO_CLAIMS, claims_of
from gonfalon.games.factionwars.rules.deck import deplete, over_at_once, turn_up_war
from gonfalon.games.factionwars.rules.scoring.scoring import SCORE
from gonfalon.games.factionwars.rules.state import FactionState


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
        # The score stays at the bottom: a stack that runs empty and fills again is given new room each time.
        s.stack += [SCORE, START_ROUND]


class StartRound(Step[FactionState]):
    """A new round: fill the line-up, then everybody selects."""

    def auto(self, s: FactionState) -> None:
        start_round(s)


def start_round(s: FactionState) -> None:
    """What is left of a line-up is discarded, unclaimed; then the next round, or the end (rulings 24, 27)."""
    setup = s.setup
    quiet = s.log is None
    if not quiet:
        tell_cleared(s)
    s.discard += s.lineup
    s.lineup = []
    s.place = -1
    s.done = 0
    s.claims = NO_CLAIMS
    s.picks = NOT_YET[s.seats]
    if s.last >= 0:
        s.stack[:] = [SCORE]
        return
    s.round += 1
    if not quiet:
        s.tell(events.ROUND, NOBODY, HIDDEN, s.round)
    deck = s.deck
    size = setup.size
    if len(deck) > size and quiet and setup.war < 0:  # nothing can come between: no need to look after each card
        shown = setup.shown
        actions = setup.takes[size]
        s.lineup = [shown[deck.pop() & KIND] for _ in actions]
        s.stack.append(setup.select)
        s.turn = 0
        s.actions = actions
    else:
        fill(s)


def tell_cleared(s: FactionState) -> None:
    """Tell which cards nobody has claimed."""
    s.done = len(s.claims)
    places = s.places()
    for i, card in enumerate(s.lineup):
        s.tell(events.CLEARED, NOBODY, card, places[i])
    if s.claims:
        s.note_moment(moments.ROUND)


class Fill(Step[FactionState]):
    """Go on filling the line-up after the recruit deck was made anew."""

    def auto(self, s: FactionState) -> None:
        fill(s)


def fill(s: FactionState) -> None:
    """Fill the line-up from the recruit deck, card by card. When that runs out for the last time the line-up
    stays short (rulings 23 to 25)."""
    size = s.setup.size
    lineup = s.lineup
    select = s.setup.select
    while len(lineup) < size and s.deck:
        below = len(s.stack)
        if not turn_up_war(s, events.LINED_UP, NOBODY, len(lineup)):
            card = s.reveal_top()
            s.tell(events.LINED_UP, NOBODY, card, len(lineup))
            lineup.append(card)
            if not s.deck:
                deplete(s)
        if over_at_once(s):
            return
        if len(s.stack) > below:  # the new recruit deck is shuffled first
            s.stack.insert(below, FILL if len(lineup) < size else select)
            return
    if lineup:
        s.stack.append(select)
    else:
        s.stack[:] = [SCORE]


class Select(Together[FactionState]):
    """Everybody lays a selector face down; when all have, all are revealed (ruling 32: nobody passes)."""

    prompt: ClassVar[str] = "select"

    def options_of(self, s: FactionState, seat: Seat) -> list[Action]:
        if s.answers[seat]:
            return NO_ACTIONS
        return s.setup.takes[len(s.lineup)]

    def finish(self, s: FactionState) -> None:
        if not s.claims:  # else random play has selected for everybody
            s.picks = [place for [place] in s.answers]
            s.claims = claims_of(s.picks)
            s.answers = NO_ANSWERS[s.seats]
        if s.log is not None:
            for seat in range(s.seats):
                s.tell(events.CHOSE, seat, s.lineup[s.picks[seat]], s.picks[seat])
            s.note_moment(moments.FLAGS)
        resolve(s, FIGHT)


class Battle(Step[FactionState]):
    """Several have selected the same place. Chance gives a seed that draws the cards they reveal."""

    __slots__ = ("place",)
    prompt: ClassVar[str] = "battle"

    def __init__(self, place: int) -> None:
        super().__init__(CHANCE)
        self.place: int = place

    def options(self, s: FactionState) -> list[Action]:
        return ANY_SEED

    def draw(self, s: FactionState, actions: list[Action], rng: Rng) -> Action:
        """A short seed is enough: it hides nothing, and a reveal has at most 700,000 outcomes."""
        return -1 - int(rng.word())

    def choose(self, s: FactionState, action: Action) -> None:
        resolve(s, fight(s, s.claims[s.done][3], -1 - action))

    def key(self) -> list[int]:
        return [self.place]


class Reveal(Step[FactionState]):
    """The exact battle: chance draws the card that one of the fighters reveals."""

    __slots__ = ("fighter", "reveal")
    prompt: ClassVar[str] = "battle"

    def __init__(self, fighter: Seat, reveal: int) -> None:
        super().__init__(CHANCE)
        self.fighter: Seat = fighter
        self.reveal: int = reveal

    def options(self, s: FactionState) -> list[Action]:
        found = kinds(s.army[self.fighter])
        return [DEAL + kind for kind in found] if len(found) > 1 else NO_ACTIONS

    def weights(self, s: FactionState) -> list[int]:
        return [s.army[self.fighter].count(action - DEAL + s.setup.full) for action in s.actions]

    def choose(self, s: FactionState, action: Action) -> None:
        card = action - DEAL + s.setup.full
        s.army[self.fighter].remove(card)
        s.pile[self.fighter].append(card)
        if s.log is not None:
            tell_shown(s, self.fighter, card, self.reveal)

    def auto(self, s: FactionState) -> None:
        self.choose(s, DEAL + (s.army[self.fighter][-1] & KIND))

    def key(self) -> list[int]:
        return [self.fighter, self.reveal]


class Compare(Step[FactionState]):
    """The exact battle: these have revealed a card."""

    __slots__ = ("shown", "reveal")

    def __init__(self, shown: list[Seat], reveal: int) -> None:
        super().__init__(NOBODY)
        self.shown: list[Seat] = shown
        self.reveal: int = reveal

    def auto(self, s: FactionState) -> None:
        tied = highest(s, self.shown)
        tell_beaten(s, self.shown, tied)
        if len(tied) > 1:
            tied = untie(s, tied)
        s.note_moment(moments.CARDS)
        if len(tied) > 1:
            if s.setup.tie_ends and ends_tie(s, tied):
                resolve(s, TIE_ENDED)
            else:
                push_reveals(s, tied, self.reveal + 1)
        else:
            resolve(s, tied[0] if tied else NOBODY)

    def key(self) -> list[int]:
        return [self.reveal, *self.shown]


def push_reveals(s: FactionState, fighters: list[Seat], reveal: int) -> None:
    """The exact battle: each of the fighters reveals a card."""
    shown: list[Seat] = []
    for seat in fighters:
        if s.army[seat]:
            shown.append(seat)
        else:
            tell_exhausted(s, seat)
    s.stack.append(Compare(shown, reveal))
    for seat in reversed(shown):
        s.stack.append(Reveal(seat, reveal))


def rivals(s: FactionState, place: int) -> list[Seat]:
    """Who has selected a place."""
    return [seat for seat, pick in enumerate(s.picks) if pick == place]


class Resolve(Step[FactionState]):
    """The claim of a card has been carried out: go on with the next place of the line-up."""

    def auto(self, s: FactionState) -> None:
        s.note_moment(moments.EFFECT)
        renew_worn(s)
        resolve(s, FIGHT)


def resolve(s: FactionState, fought: Seat) -> None:
    """Place after place, from the first on, each completely (ruling 1): who is alone takes the card,
    several fight for it. `fought` is how the battle for the next place has ended; FIGHT: there was none."""
    acting = s.setup.acting
    lineup: Unread = s.lineup
    claims = s.claims
    quiet = s.log is None
    for winner, at, done, takers in claims[s.done :] if s.done else claims:
        if winner == FIGHT:
            if fought == FIGHT:
                s.done = done - 1
                begin_battle(s, at + done - 1, takers)
                return
            winner = fought
            fought = FIGHT
        taken = lineup.pop(at)
        card: Card = taken
        if not quiet:
            tell_claim(s, winner, card, at + done - 1, len(takers))
        if winner < 0:
            s.discard.append(card)
            note_claim(s, moments.LOST, at, done)
        else:
            kind = acting[card & KIND]
            if kind is None:  # what happens most
                pile: Unread = s.pile[winner]
                pile.append(taken)
                if not quiet:
                    note_claim(s, moments.CLAIMED if len(takers) == 1 else moments.WON, at, done)
                if len(takers) == 1:
                    continue
            else:
                s.place = at + done - 1
                s.done = done
                s.chain = 1
                s.stack.append(RESOLVE)
                kind.on_collect(s, winner, card)
                if not quiet:
                    note_claim(s, moments.CLAIMED if len(takers) == 1 else moments.WON, at, done)
                if s.stack[-1] is not RESOLVE:
                    return
                s.stack.pop()
        renew_worn(s)
    start_round(s)


def tell_claim(s: FactionState, winner: Seat, card: Card, place: int, takers: int) -> None:
    """Tell who takes a card."""
    if winner >= 0:
        s.tell(events.CLAIMED, winner, card, place, events.SOLE if takers == 1 else events.FOUGHT)
    else:
        why = events.ALL_OUT
        if winner == NO_CLEAR_WINNER:
            why = events.NO_CLEAR_WINNER
        elif winner == TIE_ENDED:
            why = events.TIE_ENDED
        s.tell(events.LOST, NOBODY, card, place, why)


def note_claim(s: FactionState, name: str, at: int, done: int) -> None:
    """Let everybody look at what has become of the card of a place."""
    s.place = at + done - 1
    s.done = done
    s.note_moment(name)


def begin_battle(s: FactionState, place: int, fighters: list[Seat]) -> None:
    """Several fight for the card of a place: chance reveals their cards."""
    s.place = place
    if s.log is not None:
        mask = sum([1 << seat for seat in fighters])
        s.tell(events.BATTLE, NOBODY, s.lineup[place - s.done], place, mask)
        s.note_moment(moments.BATTLE)
    if s.setup.exact:
        push_reveals(s, fighters, 1)
    else:
        s.stack.append(BATTLE[place])
        s.turn = CHANCE
        s.actions = ANY_SEED


def renew_worn(s: FactionState) -> None:
    """A claim has been carried out: who fought for it and has no battle deck left makes a new one
    (rulings 6, 7)."""
    for seat, army in enumerate(s.army):
        if not army:
            renew(s, seat, events.RAN_OUT)


NOT_YET: Final[list[list[int]]] = [[-1] * seats for seats in range(MOST_SEATS + 1)]
BEGIN: Final[Step[FactionState]] = Begin(NOBODY)
START_ROUND: Final[Step[FactionState]] = StartRound(NOBODY)
FILL: Final[Step[FactionState]] = Fill(NOBODY)
SELECT: Final[list[Together[FactionState]]] = [Select(list(range(seats))) for seats in range(MOST_SEATS + 1)]
BATTLE: Final[list[Step[FactionState]]] = [Battle(place) for place in range(PLACES)]
RESOLVE: Final[Step[FactionState]] = Resolve(NOBODY)
