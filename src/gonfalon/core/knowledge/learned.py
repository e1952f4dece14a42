"""The knowledge that seats gain from a decision, which limits undo."""

from __future__ import annotations

from collections import Counter

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import EVERYBODY, SPECTATOR, Seat, State


def revealed_nothing(game: Game, before: State, after: State) -> bool:
    """Return whether a decision revealed nothing to any viewer and caused no event that `stays`.

    That is: no event was private (a draw, a look), and no viewer knows a card that it did not know.

    Args:
        game: The game.
        before: The full state before the decision, with a log.
        after: The full state after it, with a log.
    """
    old, new = before.log or [], after.log or []
    if len(new) < len(old) or any(event[1] != EVERYBODY or game.stays(event) for event in new[len(old) :]):
        return False
    # The difference of two Counters has only positive counts, so a card that left the table does not matter.
    return not any(
        count_known(after, viewer) - count_known(before, viewer) for viewer in (*range(before.seats), SPECTATOR)
    )


def has_learned(before: State, after: State, seat: Seat) -> bool:
    """Return whether a seat knows more than before: a card, or a private event."""
    events = (after.log or [])[len(before.log or []) :]
    return any(event[1] != EVERYBODY for event in events) or bool(count_known(after, seat) - count_known(before, seat))


def showed_only_own(before: State, after: State, seat: Seat) -> bool:
    """Return whether a decision of a seat revealed to others only the seat's own knowledge, and nothing to the seat.

    That is: no event was private, no card unknown to the seat was moved or turned up, and every newly known card was
    known to the seat.

    Args:
        before: The full state before the decision, with a log.
        after: The full state after it, with a log.
        seat: The seat that decided.
    """
    old, new = before.log or [], after.log or []
    if len(new) < len(old) or any(event[1] != EVERYBODY for event in new[len(old) :]):
        return False
    # A card that moved out of a zone unseen, such as the top of a deck, leaves fewer hidden cards there.
    hidden, still = hidden_by_zone(before, seat), hidden_by_zone(after, seat)
    if len(hidden) != len(still) or any(now < then for then, now in zip(hidden, still, strict=True)):
        return False
    own = count_known(before, seat)
    if count_known(after, seat) - own:
        return False
    others = (viewer for viewer in (*range(before.seats), SPECTATOR) if viewer != seat)
    return not any(count_known(after, viewer) - count_known(before, viewer) - own for viewer in others)


def count_known(state: State, viewer: int) -> Counter[int]:
    """Return the kinds of all cards that a viewer knows, in all zones."""
    need = state.need(viewer)
    zones = (*state.ordered_zones(), *state.unordered_zones())
    return Counter(card & KIND for zone in zones for card in zone if card & need == need)


def hidden_by_zone(state: State, viewer: int) -> list[int]:
    """Return for each zone the number of cards that a viewer does not know."""
    need = state.need(viewer)
    zones = (*state.ordered_zones(), *state.unordered_zones())
    return [sum(card & need != need for card in zone) for zone in zones]
