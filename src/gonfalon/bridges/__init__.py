"""Gonfalon's games behind the interfaces of other projects, which the extra `research` brings.

    gonfalon.bridges.openspiel     games with explicit chance for OpenSpiel's algorithms
    gonfalon.bridges.pettingzoo    environments for all seats, one after the other or in parallel
    gonfalon.bridges.gymnasium     one seat against bots

All of them know a game through the core alone, and hand out nothing but what they work out from masked
states. Importing one registers every installed game.
"""

from __future__ import annotations

from gonfalon.core.extras import describe_missing


def missing(error: ImportError) -> ImportError:
    """Return the error that names the extra to install."""
    return ImportError(describe_missing(error, "This bridge") or str(error))
