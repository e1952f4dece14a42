"""Battles for the cards of the line-up: who goes on after each reveal, and who wins."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND, Unread
from gonfalon.core.basics.rng import next_seed
from gonfalon.core.rules.state import NOBODY, Card, Seat
from gonfalon.games.factionwars.rules import events, moments
from gonfalon.games.factionwars.rules.state import FactionState

NO_CLEAR_WINNER: Final = -3
"""All three symbols came up: the battle is over and nobody has won."""
ALL_SYMBOLS: Final[list[Seat]] = [NO_CLEAR_WINNER]
TIE_ENDED: Final = -5
"""A tied player has no card left, which by the other reading of ruling 4 ends the battle."""
NOTHING: Final = -1
"""Below every value, but above a Bystander that takes its owner out."""
NO_SEATS: Final[list[Seat]] = []
BEATEN_BY: Final = [1, 2, 0]
"""By symbol: rock is beaten by paper, paper by scissors, scissors by rock."""


def fight(s: FactionState, fighters: list[Seat], seed: int) -> Seat:
    """Who wins, or NOBODY, NO_CLEAR_WINNER or TIE_ENDED. The seed draws the cards: so few that of each battle deck
    one is as likely as the other."""
    strengths = s.setup.strengths
    armies = s.army
    piles = s.pile
    log = s.log is not None
    shown: list[Seat] = []
    reveal = 1
    while True:
        word = seed
        best = NOTHING
        ahead = NOBODY
        tied = NO_SEATS  # those who share the highest value, if several do
        for seat in fighters:
            army: Unread = armies[seat]
            count = len(army)
            if count == 0:
                tell_exhausted(s, seat)
                continue
            drawn = army.pop(word % count)
            word //= count
            pile: Unread = piles[seat]
            pile.append(drawn)
            card: Card = drawn
            if log:
                shown.append(seat)
                tell_shown(s, seat, card, reveal)
            strength = strengths[card & KIND]
            if strength > best:
                best = strength
                ahead = seat
                tied = NO_SEATS
            elif strength == best:
                tied = [*tied, seat] if tied else [ahead, seat]
        if log:
            tell_beaten(s, shown, tied or [ahead])
            shown = []
        if not tied:
            s.note_moment(moments.CARDS)
            return ahead  # NOBODY: all are out, by their decks (ruling 5) or by Bystanders (ruling 38)
        fighters = untie(s, tied)
        s.note_moment(moments.CARDS)
        if len(fighters) == 1:
            return fighters[0]
        if s.setup.tie_ends and ends_tie(s, fighters):
            return TIE_ENDED
        reveal += 1
        seed = next_seed(seed)


def highest(s: FactionState, shown: list[Seat]) -> list[Seat]:
    """Who of these has just revealed the highest value."""
    best = NOTHING
    tied: list[Seat] = []
    for seat in shown:
        strength = s.setup.strengths[s.pile[seat][-1] & KIND]
        if strength > best:
            best = strength
            tied = [seat]
        elif strength == best:
            tied.append(seat)
    return tied


def tell_shown(s: FactionState, seat: Seat, card: Card, reveal: int) -> None:
    """Tell which card is revealed."""
    s.tell(events.SHOWN, seat, card, reveal, s.setup.values[card & KIND])


def tell_exhausted(s: FactionState, seat: Seat) -> None:
    """Who has no card left is out; those who have go on alone (ruling 4)."""
    s.tell(events.OUT, seat, HIDDEN, events.NO_CARD)


def ends_tie(s: FactionState, tied: list[Seat]) -> bool:
    """Whether one of the tied has no card left, by the reading that this ends the tie (ruling 4)."""
    exhausted = [seat for seat in tied if not s.army[seat]]
    for seat in exhausted:
        tell_exhausted(s, seat)
    return bool(exhausted)


def tell_beaten(s: FactionState, shown: list[Seat], tied: list[Seat]) -> None:
    """Tell who of those who have revealed a card is out."""
    for seat in shown:
        if seat not in tied:
            card = s.pile[seat][-1]
            if s.setup.strengths[card & KIND] < NOTHING:
                s.tell(events.OUT, seat, card, events.HARMLESS)
            else:
                s.tell(events.OUT, seat, HIDDEN, events.LOWER)


def untie(s: FactionState, tied: list[Seat]) -> list[Seat]:
    """Who of those with the highest value goes on (ruling 3); a single one has won, ALL_SYMBOLS is the end
    without a winner. What is revealed lies on the discard piles; the decks are made anew only when the claim is
    carried out (rulings 6, 7)."""
    setup = s.setup
    same = events.SAME_VALUE
    if not setup.later:
        symbols = 0
        for seat in tied:
            symbol = setup.symbols[s.pile[seat][-1] & KIND]
            symbols |= 1 << symbol if symbol >= 0 else 8
        if symbols == 7:
            return ALL_SYMBOLS  # ruling 11
        if symbols & 8:
            # With a recruit among them symbols say nothing, unless the option has it otherwise (ruling 12).
            if setup.always_symbols and symbols & 7 in (3, 5, 6):
                tied = beat(s, tied, symbols)
        else:
            same = events.SAME_SYMBOL  # ruling 9
            if symbols in (3, 5, 6):
                tied = beat(s, tied, symbols)
                if len(tied) == 1:
                    return tied  # rulings 8, 10
    if s.log is not None:
        s.tell(events.TIED, NOBODY, HIDDEN, sum([1 << seat for seat in tied]), same)
    return tied


def beat(s: FactionState, tied: list[Seat], symbols: int) -> list[Seat]:
    """Two symbols are among tied conscripts: those with the losing one drop out (rulings 10, 12)."""
    winners: list[Seat] = []
    for seat in tied:
        symbol = s.setup.symbols[s.pile[seat][-1] & KIND]
        if symbol >= 0 and symbols >> BEATEN_BY[symbol] & 1:
            s.tell(events.OUT, seat, HIDDEN, events.SYMBOL)
        else:
            winners.append(seat)
    return winners
