"""A battle for a card of the line-up. Nobody chooses anything in it, so it runs through at once."""

from __future__ import annotations

from typing import Final

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.state import NOBODY, Seat
from gonfalon.games.factionwars import events
from gonfalon.games.factionwars.state import FactionState

BEATEN_BY: Final = [1, 2, 0]
"""By symbol: rock is beaten by paper, paper by scissors, scissors by rock."""


def fight(s: FactionState, fighters: list[Seat]) -> Seat:
    """Who wins, or NOBODY. What is revealed goes to the discard piles at once; the decks are made anew
    only when the claim is carried out (rulings 6, 7)."""
    setup = s.setup
    values = setup.values
    full = setup.full
    out = setup.bystander_out
    log = s.log is not None
    reveal = 0
    while True:
        reveal += 1
        best = -1
        tied: list[Seat] = []
        for seat in fighters:
            army = s.army[seat]
            if not army:
                # Who has no card left is out; those who have go on alone (ruling 4).
                if log:
                    s.tell(events.OUT, seat, HIDDEN, events.NO_CARD)
                continue
            card = army.pop() | full
            s.pile[seat].append(card)
            value = values[card & KIND]
            if log:
                s.tell(events.SHOWN, seat, card, reveal, value)
            if out and setup.kinds[card & KIND].bystander:
                if log:
                    s.tell(events.OUT, seat, card, events.HARMLESS)
                continue
            if value > best:
                if log:
                    tell_out(s, tied, events.LOWER)
                best = value
                tied = [seat]
            elif value == best:
                tied.append(seat)
            elif log:
                s.tell(events.OUT, seat, HIDDEN, events.LOWER)
        if len(tied) < 2:
            return tied[0] if tied else NOBODY  # all tied players are out of cards (ruling 5)
        # Only those tied for the highest value go on (ruling 3).
        same = events.SAME_VALUE
        if not setup.later:
            symbols = 0
            shown: list[int] = []  # the kinds that the tied have shown
            for seat in tied:
                kind = s.pile[seat][-1] & KIND
                shown.append(kind)
                symbol = setup.symbols[kind]
                symbols = symbols | 1 << symbol if symbol >= 0 else 8
                if symbols & 8:
                    break  # with a recruit among them symbols say nothing (ruling 12)
            if symbols == 7:
                return NO_CLEAR_WINNER  # ruling 11
            if symbols in (3, 5, 6):
                tied = beat(s, tied, shown, symbols)
                if len(tied) == 1:
                    return tied[0]  # rulings 8, 10
            if not symbols & 8:
                same = events.SAME_SYMBOL  # ruling 9
        if log:
            mask = 0
            for seat in tied:
                mask |= 1 << seat
            s.tell(events.TIED, NOBODY, HIDDEN, mask, same)
        fighters = tied


NO_CLEAR_WINNER: Final = -3
"""All three symbols came up: the battle is over and nobody has won."""


def beat(s: FactionState, tied: list[Seat], shown: list[int], symbols: int) -> list[Seat]:
    """Two symbols are among tied conscripts: those with the losing one drop out (ruling 10)."""
    symbol_of = s.setup.symbols
    winners: list[Seat] = []
    for i in range(len(tied)):
        if symbols >> BEATEN_BY[symbol_of[shown[i]]] & 1:
            if s.log is not None:
                s.tell(events.OUT, tied[i], HIDDEN, events.SYMBOL)
        else:
            winners.append(tied[i])
    return winners


def tell_out(s: FactionState, seats: list[Seat], why: int) -> None:
    """Tell that these are out."""
    for seat in seats:
        s.tell(events.OUT, seat, HIDDEN, why)
