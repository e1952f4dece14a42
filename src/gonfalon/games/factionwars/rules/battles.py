"""Battles for the cards of the line-up."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, KIND, Unread
from gonfalon.core.basics.rng import next_seed
from gonfalon.core.rules.state import NOBODY, Card, Seat
from gonfalon.games.factionwars.rules import events, moments
from gonfalon.games.factionwars.rules.state import FactionState

NO_CLEAR_WINNER: Final = -3
"""The result of a battle in which all three symbols came up: no seat wins."""
NO_WINNER: Final[list[Seat]] = [NO_CLEAR_WINNER]
TIE_ENDED: Final = -5
"""The result of a battle that ends because a tied player has no card left (the other reading of ruling 4)."""
NOTHING: Final = -1
"""Below every value, but above a Bystander that takes its owner out."""
NO_SEATS: Final[list[Seat]] = []
BEATEN_BY: Final = [1, 2, 0]
"""By symbol: rock is beaten by paper, paper by scissors, scissors by rock."""


def fight_battle(s: FactionState, fighters: list[Seat], seed: int) -> Seat:
    """Fight a battle and return the winner, or NOBODY, NO_CLEAR_WINNER or TIE_ENDED.

    Args:
        s: The state.
        fighters: The seats that fight.
        seed: A seed that draws the cards. Battle decks are so small that each card is equally likely.
    """
    reveal = 1
    while True:
        ahead, tied = reveal_cards(s, fighters, seed, reveal)
        if not tied:
            s.note_moment(moments.CARDS)
            return ahead  # NOBODY: all are out, by their decks (ruling 5) or by Bystanders (ruling 38)
        fighters = break_tie(s, tied)
        s.note_moment(moments.CARDS)
        if len(fighters) == 1:
            return fighters[0]
        if s.setup.tie_ends and end_exhausted_tie(s, fighters):
            return TIE_ENDED
        reveal += 1
        seed = next_seed(seed)


def reveal_cards(s: FactionState, fighters: list[Seat], word: int, reveal: int) -> tuple[Seat, list[Seat]]:
    """Have each fighter reveal a card, drawn by the digits of a word. `reveal` counts the battle's reveals from 1.

    Returns:
        The seat with the highest value, or NOBODY, and all seats that share that value, if several do.
    """
    strengths = s.setup.strengths
    armies = s.army
    piles = s.pile
    log = s.log is not None
    shown: list[Seat] = []
    best = NOTHING
    ahead = NOBODY
    tied = NO_SEATS
    for seat in fighters:
        army: Unread = armies[seat]
        count = len(army)
        if count == 0:
            record_exhausted(s, seat)
            continue
        drawn = army.pop(word % count)
        # The next fighter draws by the next digit.
        word //= count
        pile: Unread = piles[seat]
        pile.append(drawn)
        card: Card = drawn
        if log:
            shown.append(seat)
            record_reveal(s, seat, card, reveal)
        strength = strengths[card & KIND]
        if strength > best:
            best = strength
            ahead = seat
            tied = NO_SEATS
        elif strength == best:
            tied = [*tied, seat] if tied else [ahead, seat]
    if log:
        record_beaten(s, shown, tied or [ahead])
    return ahead, tied


def find_highest(s: FactionState, shown: list[Seat]) -> list[Seat]:
    """Return the seats whose latest revealed card has the highest value."""
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


def record_reveal(s: FactionState, seat: Seat, card: Card, reveal: int) -> None:
    """Record the card that a seat reveals."""
    s.tell(events.SHOWN, seat, card, reveal, s.setup.values[card & KIND])


def record_exhausted(s: FactionState, seat: Seat) -> None:
    """Record that a seat without a card is out; the others continue (ruling 4)."""
    s.tell(events.OUT, seat, HIDDEN, events.NO_CARD)


def end_exhausted_tie(s: FactionState, tied: list[Seat]) -> bool:
    """Return whether a tied seat has no card left, which ends the tie by the other reading of ruling 4.

    Each such seat is recorded as out.
    """
    exhausted = [seat for seat in tied if not s.army[seat]]
    for seat in exhausted:
        record_exhausted(s, seat)
    return bool(exhausted)


def record_beaten(s: FactionState, shown: list[Seat], tied: list[Seat]) -> None:
    """Record which seats that revealed a card are out."""
    for seat in shown:
        if seat not in tied:
            card = s.pile[seat][-1]
            # By the other reading of ruling 15 a Bystander does not fight at all.
            if s.setup.strengths[card & KIND] < NOTHING:
                s.tell(events.OUT, seat, card, events.HARMLESS)
            else:
                s.tell(events.OUT, seat, HIDDEN, events.LOWER)


def break_tie(s: FactionState, tied: list[Seat]) -> list[Seat]:
    """Return the seats that stay in after a tie for the highest value (ruling 3).

    A single seat has won; NO_WINNER ends the battle. Revealed cards stay in the discard piles, and decks are renewed
    only after the claim (rulings 6, 7).
    """
    setup = s.setup
    same = events.SAME_VALUE
    if not setup.later:
        symbols = 0
        for seat in tied:
            symbol = setup.symbols[s.pile[seat][-1] & KIND]
            # Bits 0 to 2 are the symbols that came up, bit 3 a card without one.
            symbols |= 1 << symbol if symbol >= 0 else 8
        if symbols == 7:
            return NO_WINNER  # ruling 11
        if symbols & 8:
            # With a recruit among them symbols say nothing, unless the option has it otherwise (ruling 12).
            if setup.always_symbols and symbols & 7 in (3, 5, 6):
                tied = drop_losing_symbol(s, tied, symbols)
        else:
            same = events.SAME_SYMBOL  # ruling 9
            if symbols in (3, 5, 6):
                tied = drop_losing_symbol(s, tied, symbols)
                if len(tied) == 1:
                    return tied  # rulings 8, 10
    if s.log is not None:
        s.tell(events.TIED, NOBODY, HIDDEN, sum([1 << seat for seat in tied]), same)
    return tied


def drop_losing_symbol(s: FactionState, tied: list[Seat], symbols: int) -> list[Seat]:
    """Return the tied seats without those whose symbol loses. Two symbols came up among them (rulings 10, 12)."""
    winners: list[Seat] = []
    for seat in tied:
        symbol = s.setup.symbols[s.pile[seat][-1] & KIND]
        if symbol >= 0 and symbols >> BEATEN_BY[symbol] & 1:
            s.tell(events.OUT, seat, HIDDEN, events.SYMBOL)
        else:
            winners.append(seat)
    return winners
