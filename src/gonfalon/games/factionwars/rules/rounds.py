"""The course of a game of Faction Wars: set-up, line-up, selection, resolution."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN, Unread, kinds
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.shuffles import ANY_SEED
from gonfalon.core.rules.state import CHANCE, NO_ACTIONS, NO_ANSWERS, NOBODY, Action, Card, Seat, Step, Together
from gonfalon.games.factionwars.rules import events, moments
from gonfalon.games.factionwars.rules.actions import DEAL, MAX_PLACES, MAX_SEATS
from gonfalon.games.factionwars.rules.battles import (
    NO_CLEAR_WINNER,
    TIE_ENDED,
    break_tie,
    end_exhausted_tie,
    fight_battle,
    find_highest,
    record_beaten,
    record_exhausted,
    record_reveal,
)
from gonfalon.games.factionwars.rules.cards import Kind
from gonfalon.games.factionwars.rules.chance import renew_battle_deck
from gonfalon.games.factionwars.rules.claims import FIGHT, NO_CLAIMS, find_claims
from gonfalon.games.factionwars.rules.deck import deplete_deck, is_over_at_once, turn_up_war
from gonfalon.games.factionwars.rules.scoring.scoring import SCORE
from gonfalon.games.factionwars.rules.state import FactionState


class Begin(Step[FactionState]):
    """The start of the game after the shuffle: deal the goals, or open the public Bonus Cards."""

    def auto(self, s: FactionState) -> None:
        setup = s.setup
        if setup.goals:
            for seat in range(s.seats):
                # The zone is shuffled, so its first card is random. Only the owner sees it before the end (ruling 31).
                card = s.goals.pop(0) | SEEN[seat]
                s.goal[seat].append(card)
                if s.log is not None:
                    s.tell_only(1 << seat, events.GOAL, seat, card)
        for _ in range(setup.open_bonus):
            card = s.bonuses.pop(0) | setup.full
            s.bonus.append(card)
            s.tell(events.OPEN_BONUS, NOBODY, card)
        # The order of the rest has no meaning any more. Sorted, equal positions are equal states.
        s.goals.sort()
        s.bonuses.sort()
        # The score stays at the bottom: a stack that runs empty and fills again is given new room each time.
        s.stack += [SCORE, START_ROUND]


class StartRound(Step[FactionState]):
    """The start of the first round: fill the line-up, then all seats select."""

    def auto(self, s: FactionState) -> None:
        start_round(s)


def start_round(s: FactionState) -> None:
    """Discard the unclaimed cards, then start the next round or end the game (rulings 24, 27)."""
    setup = s.setup
    quiet = s.log is None
    if not quiet:
        record_cleared(s)
    # Unclaimed cards never stay: the whole line-up is renewed every round (ruling 27).
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
        # The decision that `settle` would find: all seats are asked, the first one first.
        s.turn = 0
        s.actions = actions
    else:
        fill_lineup(s)


def record_cleared(s: FactionState) -> None:
    """Record the cards that no seat has claimed."""
    s.done = len(s.claims)
    places = s.list_places()
    for i, card in enumerate(s.lineup):
        s.tell(events.CLEARED, NOBODY, card, places[i])
    if s.claims:
        s.note_moment(moments.ROUND)


class Fill(Step[FactionState]):
    """The rest of a refill after the recruit deck was reshuffled."""

    def auto(self, s: FactionState) -> None:
        fill_lineup(s)


def fill_lineup(s: FactionState) -> None:
    """Fill the line-up from the recruit deck, card by card.

    After the last depletion the line-up stays short (rulings 23 to 25).
    """
    size = s.setup.size
    lineup = s.lineup
    select = s.setup.select
    while len(lineup) < size and s.deck:
        below = len(s.stack)
        # War is Over is set aside, and the next card takes its place (ruling 40).
        if not turn_up_war(s, events.LINED_UP, NOBODY, len(lineup)):
            card = s.reveal_top()
            s.tell(events.LINED_UP, NOBODY, card, len(lineup))
            lineup.append(card)
            if not s.deck:
                deplete_deck(s)
        if is_over_at_once(s):
            return
        if len(s.stack) > below:  # the new recruit deck is shuffled first
            s.stack.insert(below, FILL if len(lineup) < size else select)
            return
    if lineup:
        s.stack.append(select)
    else:
        s.stack[:] = [SCORE]


class Select(Together[FactionState]):
    """The secret selection. All selectors are revealed when every seat has one; no seat passes (ruling 32)."""

    prompt: ClassVar[str] = "select"

    def options_of(self, s: FactionState, seat: Seat) -> list[Action]:
        return NO_ACTIONS if s.answers[seat] else s.setup.takes[len(s.lineup)]

    def finish(self, s: FactionState) -> None:
        if not s.claims:  # else random play has selected for everybody
            s.picks = [place for [place] in s.answers]
            s.claims = find_claims(s.picks)
            s.answers = NO_ANSWERS[s.seats]
        if s.log is not None:
            for seat in range(s.seats):
                s.tell(events.CHOSE, seat, s.lineup[s.picks[seat]], s.picks[seat])
            s.note_moment(moments.FLAGS)
        resolve_places(s, FIGHT)


class Battle(Step[FactionState]):
    """A battle for a place that several seats selected. The seed of chance draws the cards they reveal."""

    __slots__ = ("place",)
    prompt: ClassVar[str] = "battle"

    def __init__(self, place: int) -> None:
        super().__init__(CHANCE)
        self.place: int = place

    def options(self, s: FactionState) -> list[Action]:
        return ANY_SEED

    def draw(self, s: FactionState, actions: list[Action], rng: Rng) -> Action:
        """Return a short seed: it hides nothing, and a reveal has at most 700,000 outcomes."""
        return -1 - int(rng.word())

    def choose(self, s: FactionState, action: Action) -> None:
        resolve_places(s, fight_battle(s, s.claims[s.done][3], -1 - action))

    def key(self) -> list[int]:
        return [self.place]


class Reveal(Step[FactionState]):
    """A reveal of the exact battle: chance draws the card of one fighter."""

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
            record_reveal(s, self.fighter, card, self.reveal)

    def auto(self, s: FactionState) -> None:
        self.choose(s, DEAL + (s.army[self.fighter][-1] & KIND))

    def key(self) -> list[int]:
        return [self.fighter, self.reveal]


class Compare(Step[FactionState]):
    """The comparison of the revealed cards in the exact battle."""

    __slots__ = ("shown", "reveal")

    def __init__(self, shown: list[Seat], reveal: int) -> None:
        super().__init__(NOBODY)
        self.shown: list[Seat] = shown
        self.reveal: int = reveal

    def auto(self, s: FactionState) -> None:
        tied = find_highest(s, self.shown)
        record_beaten(s, self.shown, tied)
        if len(tied) > 1:
            tied = break_tie(s, tied)
        s.note_moment(moments.CARDS)
        if len(tied) > 1:
            if s.setup.tie_ends and end_exhausted_tie(s, tied):
                resolve_places(s, TIE_ENDED)
            else:
                push_reveals(s, tied, self.reveal + 1)
        else:
            resolve_places(s, tied[0] if tied else NOBODY)

    def key(self) -> list[int]:
        return [self.reveal, *self.shown]


def push_reveals(s: FactionState, fighters: list[Seat], reveal: int) -> None:
    """Push the next reveal of the exact battle for each fighter, and the comparison after it."""
    shown: list[Seat] = []
    for seat in fighters:
        if s.army[seat]:
            shown.append(seat)
        else:
            record_exhausted(s, seat)
    s.stack.append(Compare(shown, reveal))
    # Steps run from the end of the stack, so the last one pushed reveals first.
    for seat in reversed(shown):
        s.stack.append(Reveal(seat, reveal))


class Resolve(Step[FactionState]):
    """The end of a claim: resolve the next place of the line-up."""

    def auto(self, s: FactionState) -> None:
        s.note_moment(moments.EFFECT)
        renew_empty_decks(s)
        resolve_places(s, FIGHT)


def resolve_places(s: FactionState, fought: Seat) -> None:
    """Resolve the places from the first on, each completely (ruling 1), until a step needs an answer.

    A seat that is alone at a place takes its card; several seats fight for it. `fought` is the result of the battle for
    the next place, or FIGHT if none was fought.
    """
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
            # The battle for this place has just been fought; those for later places have not.
            winner, fought = fought, FIGHT
        taken = lineup.pop(at)
        card: Card = taken
        if not quiet:
            record_claim(s, winner, card, at + done - 1, len(takers))
        if winner < 0:
            s.discard.append(card)
            note_claim_moment(s, moments.LOST, at, done)
        else:
            kind = acting[card & KIND]
            name = moments.CLAIMED if len(takers) == 1 else moments.WON
            if kind is None:  # most cards; written out for speed
                pile: Unread = s.pile[winner]
                pile.append(taken)
                if not quiet:
                    note_claim_moment(s, name, at, done)
                # Without a battle no deck can have run out.
                if len(takers) == 1:
                    continue
            elif not collect_acting(s, kind, winner, card, name, at, done):
                return
        renew_empty_decks(s)
    start_round(s)


def collect_acting(s: FactionState, kind: Kind, seat: Seat, card: Card, name: str, at: int, done: int) -> bool:
    """Collect a claimed card with an ability, and return whether the ability is already carried out.

    Args:
        s: The state.
        kind: The card's kind.
        seat: The collector.
        card: The card.
        name: The moment to record.
        at: The index of the card in what was left of the line-up.
        done: The number of places resolved with this one.
    """
    s.place = at + done - 1
    s.done = done
    s.chain = 1
    # The ability pushes its steps above RESOLVE, so that the next place waits for all of them.
    s.stack.append(RESOLVE)
    kind.on_collect(s, seat, card)
    if s.log is not None:
        note_claim_moment(s, name, at, done)
    if s.stack[-1] is not RESOLVE:
        return False
    s.stack.pop()
    return True


def record_claim(s: FactionState, winner: Seat, card: Card, place: int, takers: int) -> None:
    """Record which seat takes a card, or why none does."""
    if winner >= 0:
        s.tell(events.CLAIMED, winner, card, place, events.SOLE if takers == 1 else events.FOUGHT)
    else:
        why = events.ALL_OUT
        if winner == NO_CLEAR_WINNER:
            why = events.NO_CLEAR_WINNER
        elif winner == TIE_ENDED:
            why = events.TIE_ENDED
        s.tell(events.LOST, NOBODY, card, place, why)


def note_claim_moment(s: FactionState, name: str, at: int, done: int) -> None:
    """Record the moment after the card of a place was claimed or lost."""
    s.place = at + done - 1
    s.done = done
    s.note_moment(name)


def begin_battle(s: FactionState, place: int, fighters: list[Seat]) -> None:
    """Begin the battle for the card of a place. Chance reveals the cards."""
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


def renew_empty_decks(s: FactionState) -> None:
    """Shuffle the discard pile of each fighter without a battle deck into a new one (rulings 6, 7)."""
    for seat, army in enumerate(s.army):
        if not army:
            renew_battle_deck(s, seat, events.RAN_OUT)


NOT_YET: Final[list[list[int]]] = [[-1] * seats for seats in range(MAX_SEATS + 1)]
BEGIN: Final[Step[FactionState]] = Begin(NOBODY)
START_ROUND: Final[Step[FactionState]] = StartRound(NOBODY)
FILL: Final[Step[FactionState]] = Fill(NOBODY)
SELECT: Final[list[Together[FactionState]]] = [Select(list(range(seats))) for seats in range(MAX_SEATS + 1)]
BATTLE: Final[list[Step[FactionState]]] = [Battle(place) for place in range(MAX_PLACES)]
RESOLVE: Final[Step[FactionState]] = Resolve(NOBODY)
