"""Errors of reviews."""

from __future__ import annotations

from gonfalon.core.basics.errors import GonfalonError


class ReviewError(GonfalonError):
    """A record that cannot be reviewed, or a review that cannot be saved."""
