"""Errors at the border of the core. Each message is one sentence for a person."""

from __future__ import annotations


class GonfalonError(ValueError):
    """The root of all errors that are the caller's to mend."""


class Refusal(GonfalonError):
    """An action that the rules forbid now; the message says which rule and why."""


class NotationError(GonfalonError):
    """A text that is no action of this game."""


class OptionError(GonfalonError):
    """A game, an option or a value that does not exist."""


class DataError(GonfalonError):
    """A card file that breaks the form; the message names the line or the entry."""


class RecordError(GonfalonError):
    """A record, or a frozen state, that cannot be read, or that other rules or other card data wrote."""
