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


class FaultsError(GonfalonError):
    """A text of several lines has faults.

    Args:
        message: The message.
        faults: All faults, in the order of the lines.
    """

    def __init__(self, message: str = "", faults: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.faults: tuple[str, ...] = tuple(faults)


class DataError(FaultsError):
    """A card file has faults. The message names the line or the entry of each.

    The faults have no full stop. Those with a line begin with `line 3: `.
    """


class DeckError(FaultsError):
    """A text or a code is not a deck. The faults are sentences with their lines; none if there is a single one."""


class RecordError(GonfalonError):
    """A record or a frozen state cannot be read, or was written by other rules or with other card data."""
