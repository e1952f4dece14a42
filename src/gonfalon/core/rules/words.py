"""The sentences of a game. All of them are computed from a view."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from gonfalon.core.rules.rules import Rules
from gonfalon.core.rules.state import Action, Event, Seat, State
from gonfalon.core.text.english import YOU, verdict
from gonfalon.core.text.untrusted import isolate

NUMBERED: Final = re.compile(r"(?:Player|Seat) \d")
"""The default name of a seat, such as `Seat 2`."""
NEWCOMER_GAMES: Final = 3
"""The number of finished games of a kind up to which a player gets tips."""


class Words(Rules):
    """The texts of a game for people.

    In all methods `names` has one name for each seat, as the viewer reads them: the viewer's own is "You".
    """

    tagline: ClassVar[str] = ""
    """One line about the game for menus."""
    genre: ClassVar[str] = ""
    """What kind of game it is, for invitations: `a bluffing card game for two`."""
    brief: ClassVar[Sequence[str]] = ()
    """The game in three sentences, for invited friends that do not know it."""
    invented: ClassVar[str] = ""
    """A sentence for pages about the card data that are not published; empty if all are."""
    tips: ClassVar[Mapping[str, str]] = {}
    """One sentence of advice for newcomers for each `Step.prompt`. Tips do not depend on the position."""

    quiet: ClassVar[frozenset[int]] = frozenset()
    """The codes of events that need no sentence, because other events say enough. All other events need one."""

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """Return the sentence of an event in the log of a view.

        Args:
            event: An event of `view.log`. Its card is HIDDEN if the viewer did not see it.
            view: The masked state.
            names: The names of the seats as the viewer reads them.

        Returns:
            A sentence with its full stop; empty for an event that has none (`quiet`).
        """
        raise NotImplementedError

    def continues(self, event: Event, last: Event) -> bool:
        """Return whether an event belongs to the same line of the log as the one before it.

        It must follow from the masked events alone, which may lack their cards.

        Args:
            event: An event of `view.log`.
            last: The event before it.
        """
        return False

    def mark(self, event: Event) -> str:
        """Return the name of the icon for a line of the log that begins with this event, or "turn" for a line that is
        a heading; "" for neither."""
        return ""

    def line(self, events: Sequence[Event], view: State, names: list[str]) -> str:
        """Return a line of the log for one event or several that continue each other, by default their sentences.

        The events can begin in the middle of a line, because a terminal writes only those that are new.

        Args:
            events: Events of `view.log`, in their order.
            view: The masked state.
            names: The names of the seats as the viewer reads them.
        """
        return " ".join(filter(None, (self.words(event, view, names) for event in events)))

    def is_quiet(self, code: int) -> bool:
        """Return whether events of a code may have no sentence."""
        return code in self.quiet

    def kind_name(self, kind: int) -> str:
        """Return the name of a kind of card, for the messages of tools."""
        return f"a card of kind {kind}"

    def prompt(self, view: State, names: list[str]) -> str:
        """Return the question of the current decision for the viewer, or whom the game waits for, as one short
        sentence.

        Args:
            view: The masked state. `view.asked()` lists the seats that must decide.
            names: The names of the seats as the viewer reads them.
        """
        asked = view.asked()
        if not asked:
            return "The game is over."
        if view.viewer in asked:
            return "Choose an action."
        return f"Waiting for {' and '.join(names[seat] for seat in asked if seat >= 0) or 'chance'}."

    def ending(self, view: State, names: list[str]) -> str:
        """Return how the game ended, as a sentence from the viewer's side; empty while it is running.

        Args:
            view: The masked state.
            names: The names of the seats as the viewer reads them.
        """
        outcome = view.outcome()
        return "" if outcome is None else f"{verdict(outcome.winners, names)} ({outcome.how})."

    def moment_words(self, view: State, names: list[str]) -> str:
        """Return the visible event at a moment between two decisions (`State.moments`).

        By default this is the last sentence of the log.

        Args:
            view: The masked copy of the state at the moment; `view.moment` is its name.
            names: The names of the seats as the viewer reads them.

        Returns:
            One sentence. Further lines may give a summary, such as the score of a round.
        """
        for event in reversed(view.log or []):
            if sentence := self.words(event, view, names).strip():
                return sentence
        return ""

    def describe(self, view: State, action: Action) -> str:
        """Return a legal action of the viewer's decision as a sentence in the imperative, such as "Play Patriot to
        5."
        """
        return f"Choose {self.notation(action)}."

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        """Return why a seat that must decide cannot take an action, as a sentence.

        A `Reason` is a sentence with a tag and the rule behind it, which pages and programs show apart. The method is
        called for illegal actions only. The reason must follow from what the seat knows.

        Args:
            view: The seat's view, or the full state.
            seat: The seat that must decide.
            action: An action of this game that is not legal now.
        """
        return "This action is not legal now."

    def seat_names(self) -> list[str]:
        """Return the names of the seats at a table without people."""
        return [f"Seat {seat + 1}" for seat in range(self.seats)]


def names_for(game: Words, viewer: int, names: list[str] | None = None) -> list[str]:
    """Return the names of the seats as one viewer reads them in sentences: the viewer's own is "You".

    Args:
        game: The game.
        viewer: A seat, SPECTATOR or OPEN.
        names: The names of the people and bots; the game's own names by default.
    """
    # A name from right to left would otherwise reorder the sentence around it.
    names = [isolate(name) for name in names or game.seat_names()]
    if viewer >= 0:
        names[viewer] = YOU
    return names


def put_names(game: Words, text: str, names: list[str]) -> str:
    """Return a text with the names of the seats in place of words such as `Player 2`."""
    known = dict(zip(game.seat_names(), names, strict=True))
    return NUMBERED.sub(lambda found: known.get(found[0], found[0]), text)


def describe_action(game: Words, view: State, action: Action, names: list[str]) -> str:
    """Return the sentence of an action with the names of the seats."""
    return put_names(game, game.describe(view, action), names)
