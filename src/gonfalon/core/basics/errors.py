"""Errors that the caller can correct. Each message is one sentence for a person."""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.core.text.citations import Reason


class GonfalonError(ValueError):
    """The base class of all errors that the caller can correct."""


class Refusal(GonfalonError):
    """The rules forbid an action now. The message is the reason, without the number of the rule."""

    @property
    def reason(self) -> Reason:
        """The message with its tag and its rule, which are empty where the rules gave none."""
        message = self.args[0] if self.args else ""
        return message if isinstance(message, Reason) else Reason(str(message))


class NotationError(GonfalonError):
    """A text or number is not an action of this game."""


class OptionError(GonfalonError):
    """A game, an option or a value does not exist."""


class DataError(GonfalonError):
    """A card file has faults. The message names the line or the entry of each.

    Args:
        message: The message.
        faults: All faults, each without its full stop. Those with a line begin with `line 3: `.
    """

    def __init__(self, message: str = "", faults: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.faults: tuple[str, ...] = tuple(faults)


class DeckError(GonfalonError):
    """A text or a code is not a deck."""


class RecordError(GonfalonError):
    """A record or a frozen state cannot be read, or was written by other rules or with other card data."""
