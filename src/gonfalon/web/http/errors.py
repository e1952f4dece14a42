"""Errors that a request can cause."""

from __future__ import annotations

from gonfalon.core.basics.errors import GonfalonError


class Nothing(GonfalonError):
    """There is nothing at this address."""


class Malformed(GonfalonError):
    """A request that cannot be read."""
