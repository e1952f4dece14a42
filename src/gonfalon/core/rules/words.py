"""What a game says to people. All of it is computed from a view."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from gonfalon.core.rules.rules import Rules
from gonfalon.core.rules.state import Action, Event, Seat, State
from gonfalon.core.text.english import YOU, verdict
from gonfalon.core.text.untrusted import isolate

NUMBERED: Final = re.compile(r"Player \d")
"""What a seat without a name is called."""
OPPONENT: Final = "your opponent"
"""What the other of two such seats is called."""
NEWCOMER: Final = 3
"""Over so many games of a kind a newcomer gets tips."""


class Words(Rules):
    """The sentences of a game. `names` are the seats' names as the viewer reads them; the viewer's own is "You"."""

    tagline: ClassVar[str] = ""
    invented: ClassVar[str] = ""
    """What of its data was not published so, in a sentence for its pages; empty for a game that has no such data."""
    tips: ClassVar[Mapping[str, str]] = {}
    """For newcomers: a sentence of advice for each prompt of a decision. It is the same whatever lies on the table."""

    quiet: ClassVar[frozenset[int]] = frozenset()
    """Codes of events that may have no sentence, because others say enough. All other events need one."""

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """A sentence for an event of a view's log. `names` are the seats' names as the viewer reads
        them; the viewer's own is "You". Empty for an event that has no sentence (`quiet`)."""
        raise NotImplementedError

    def is_quiet(self, code: int) -> bool:
        """Return whether an event may have no sentence."""
        return code in self.quiet

    def kind_name(self, kind: int) -> str:
        """Return what a kind of card is called, for the messages of tools."""
        return f"a card of kind {kind}"

    def prompt(self, view: State, names: list[str]) -> str:
        """What is asked now, and of whom, as a sentence for the viewer."""
        asked = view.asked()
        if not asked:
            return "The game is over."
        if view.viewer in asked:
            return "Your choice: what do you do?"
        return f"Waiting for {' and '.join(names[seat] for seat in asked if seat >= 0) or 'chance'}."

    def ending(self, view: State, names: list[str]) -> str:
        """How the game ended, as a sentence for the viewer, the seats by their names (the viewer's own is "You");
        empty while it goes on."""
        outcome = view.outcome()
        return "" if outcome is None else f"{verdict(outcome.winners, names)} ({outcome.how})."

    def moment_words(self, view: State, names: list[str]) -> str:
        """What is to be seen at a moment between two decisions (`State.moments`), as one sentence; what sums it
        up may follow, a line each. By default the last sentence of the log."""
        for event in reversed(view.log or []):
            if sentence := self.words(event, view, names).strip():
                return sentence
        return ""

    def describe(self, view: State, action: Action) -> str:
        """An action of the viewer's decision as a sentence in the imperative."""
        return f"Choose {self.notation(action)}."

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        """The rule that forbids an action to a seat that is asked, as a sentence; of a full state too."""
        return "This is not among the legal actions now."

    def seat_names(self) -> list[str]:
        """What the seats are called before people sit down."""
        return [f"Seat {seat + 1}" for seat in range(self.seats)]


def names_for(game: Words, viewer: int, names: list[str] | None = None) -> list[str]:
    """The seats' names as one viewer reads them, in sentences: their own seat is "You"."""
    names = [isolate(name) for name in names or game.seat_names()]
    if viewer >= 0:
        names[viewer] = YOU
    return names


def put_names(game: Words, text: str, names: list[str]) -> str:
    """Return a text with the names of the seats in place of numbers such as `Player 2`."""
    known = dict(zip(game.seat_names(), names, strict=True))
    return NUMBERED.sub(lambda found: known.get(found[0], found[0]), text)


def describe(game: Words, view: State, action: Action, names: list[str]) -> str:
    """Return the sentence of an action, with the names of the seats."""
    return put_names(game, game.describe(view, action), names)
