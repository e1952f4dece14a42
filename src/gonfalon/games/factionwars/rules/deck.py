"""The recruit deck: how it runs out, and how the game comes to its last round."""

from __future__ import annotations

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import NOBODY, Seat
from gonfalon.games.factionwars.rules import events
from gonfalon.games.factionwars.rules.chance import shuffle_unlike
from gonfalon.games.factionwars.rules.scoring.scoring import SCORE
from gonfalon.games.factionwars.rules.state import DECK, FactionState


def deplete(s: FactionState) -> None:
    """The last card of the recruit deck has left: count it, and unless that was the last time its
    discard pile is the new deck at once (rulings 23 to 25)."""
    setup = s.setup
    s.depleted += 1
    s.tell(events.DEPLETED, NOBODY, HIDDEN, s.depleted, setup.depletions)
    war = setup.war >= 0 and s.depleted == setup.depletions - 1 and bool(s.aside) and s.last < 0
    if s.depleted >= setup.depletions:
        end(s, events.BY_DECK)
    elif not s.discard and not war:
        end(s, events.BY_NOTHING_LEFT)
    else:
        s.deck[:] = s.discard
        s.discard.clear()
        if war:
            # Later revision, reconstructed: it comes into the deck for the last pass (ruling 39).
            s.deck.append(s.aside.pop())
            s.tell(events.WAR_IN, NOBODY, HIDDEN)
        s.tell(events.RENEWED, NOBODY, HIDDEN, len(s.deck))
        shuffle_unlike(s, 1 << DECK)


def end(s: FactionState, why: int) -> None:
    """This round is the last one; with the stricter reading of ruling 24 the game is over now."""
    if s.last >= 0:
        return
    s.last = why
    if s.setup.at_once:
        s.tell(events.ENDED, NOBODY, HIDDEN, why)
        s.stack[:] = [SCORE]
    else:
        s.tell(events.LAST_ROUND, NOBODY, HIDDEN, why)


def over_at_once(s: FactionState) -> bool:
    """Whether the last card that left ended the game there and then."""
    return s.last >= 0 and s.setup.at_once


def turn_up_war(s: FactionState, code: int, seat: Seat, place: int = 0) -> bool:
    """Lay War is Over aside when it is on top: the round in which it appears is the last (ruling 40). True when it
    was there, so that the next card is to be drawn instead. It is told like any card that is drawn
    (by an event of this code), and then what becomes of it."""
    if s.setup.war < 0 or s.deck[-1] & KIND != s.setup.war:
        return False
    card = s.reveal_top()
    s.tell(code, seat, card, place)
    s.aside.append(card)
    s.tell(events.WAR_OVER, NOBODY, card)
    end(s, events.BY_CARD)
    if not s.deck and not over_at_once(s):
        deplete(s)
    return True
