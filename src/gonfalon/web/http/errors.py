"""Errors that a request can cause."""

from __future__ import annotations

from gonfalon.core.basics.errors import GonfalonError


class Nothing(GonfalonError):
    """This address does not exist."""


class Malformed(GonfalonError):
    """A request cannot be read."""
