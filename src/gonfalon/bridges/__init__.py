"""Gonfalon's games behind the interfaces of other libraries, available with the extra `research`.

    gonfalon.bridges.openspiel     games with explicit chance for OpenSpiel's algorithms
    gonfalon.bridges.pettingzoo    environments for all seats, in turns or in parallel
    gonfalon.bridges.gymnasium     one seat against bots

All of them use games through the core alone, and output only data computed from masked states. Importing one registers
every installed game.
"""

from __future__ import annotations

from gonfalon.core.extras import describe_missing


def explain_import_error(error: ImportError) -> ImportError:
    """Return an import error that names the extra to install."""
    return ImportError(describe_missing(error, "This bridge") or str(error))
