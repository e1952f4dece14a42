"""Chance in Feint: the shuffles and the toss for the start player."""

from __future__ import annotations

from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN
from gonfalon.core.rules.shuffles import push_shuffle
from gonfalon.core.rules.state import CHANCE, Action, Seat, Step
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.actions import FIRST
from gonfalon.games.feint.rules.state import PILE, FeintState


def refill_locations(s: FeintState, seat: Seat) -> None:
    """Shuffle the Location discard pile of a seat into a new draw pile."""
    # Clones share the lists of `used`, so the pile gets a copy and the old list stays unchanged.
    s.pile[seat], s.used[seat] = s.used[seat][:], []
    s.tell(events.SHUFFLED, seat, HIDDEN)
    push_shuffle(s, 1 << (PILE + seat), exact=s.setup.exact, quick=False)


class Toss(Step[FeintState]):
    """Chance draws the start player of a mirror match, where the initiatives are equal (ruling 1)."""

    prompt: ClassVar[str] = "toss"

    def options(self, s: FeintState) -> list[Action]:
        return [FIRST, FIRST + 1]

    def choose(self, s: FeintState, action: Action) -> None:
        s.first = action - FIRST


TOSS: Final[Step[FeintState]] = Toss(CHANCE)
