"""The recruit deck: its depletions, and the announcement of the last round."""

from __future__ import annotations

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import NOBODY, Seat
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.chance import shuffle_mixed_zones
from gonfalon.games.factionwars.rules.scoring.scoring import SCORE
from gonfalon.games.factionwars.rules.state import DECK, FactionState


def deplete_deck(s: FactionState) -> None:
    """Count a depletion of the recruit deck, and shuffle its discard pile into a new deck.

    After the last depletion no new deck follows, and the end is announced (rulings 23 to 25).
    """
    setup = s.setup
    s.depleted += 1
    s.tell(events.DEPLETED, NOBODY, HIDDEN, s.depleted, setup.depletions)
    war = setup.war >= 0 and s.depleted == setup.depletions - 1 and bool(s.aside) and s.last < 0
    if s.depleted >= setup.depletions:
        announce_end(s, events.BY_DECK)
    # Nothing is left to shuffle, which counts as the last depletion (ruling 25).
    elif not s.discard and not war:
        announce_end(s, events.BY_NOTHING_LEFT)
    else:
        s.deck[:] = s.discard
        s.discard.clear()
        if war:
            # Later revision, reconstructed: it comes into the deck for the last pass (ruling 39).
            s.deck.append(s.aside.pop())
            s.tell(events.WAR_IN, NOBODY, HIDDEN)
        s.tell(events.RENEWED, NOBODY, HIDDEN, len(s.deck))
        shuffle_mixed_zones(s, 1 << DECK)


def announce_end(s: FactionState, why: int) -> None:
    """Make this round the last one, or end the game at once by the stricter reading of ruling 24."""
    # The first reason counts.
    if s.last >= 0:
        return
    s.last = why
    if s.setup.at_once:
        s.tell(events.ENDED, NOBODY, HIDDEN, why)
        # Pending steps are dropped: the game may end in the middle of a refill or a chain (ruling 24).
        s.stack[:] = [SCORE]
    else:
        s.tell(events.LAST_ROUND, NOBODY, HIDDEN, why)


def is_over_at_once(s: FactionState) -> bool:
    """Return whether the last card that left the deck has ended the game at once."""
    return s.last >= 0 and s.setup.at_once


def turn_up_war(s: FactionState, code: int, seat: Seat, place: int = 0) -> bool:
    """Set War is Over aside if it is on top of the recruit deck; its round is the last (ruling 40).

    Args:
        s: The state.
        code: The event that records the card like any other card drawn there.
        seat: The seat that draws, or NOBODY.
        place: The place of the line-up, where that is filled.

    Returns:
        Whether it was on top, so that the next card has to be drawn instead.
    """
    if s.setup.war < 0 or s.deck[-1] & KIND != s.setup.war:
        return False
    card = s.reveal_top()
    s.tell(code, seat, card, place)
    s.aside.append(card)
    s.tell(events.WAR_OVER, NOBODY, card)
    announce_end(s, events.BY_CARD)
    # War is Over was the last card of the deck.
    if not s.deck and not is_over_at_once(s):
        deplete_deck(s)
    return True
