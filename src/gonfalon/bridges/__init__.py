"""Gonfalon's games behind the interfaces of other projects, each with an extra of the same name.

    gonfalon.bridges.openspiel     games with explicit chance for OpenSpiel's algorithms
    gonfalon.bridges.pettingzoo    environments for all seats, one after the other or in parallel
    gonfalon.bridges.gymnasium     one seat against bots

All of them know a game through the core alone, and hand out nothing but what they work out from masked
states. Importing one registers every installed game.
"""

from __future__ import annotations


def missing(extra: str, error: ImportError) -> ImportError:
    """What a bridge says where its extra is not installed."""
    return ImportError(f"This bridge needs the extra {extra}: pip install 'gonfalon[{extra}]' ({error}).")
