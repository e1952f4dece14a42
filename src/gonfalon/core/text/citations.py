"""Citations of rules in refusals."""

from __future__ import annotations


def cite_rule(sentence: str, rule: str) -> str:
    """Return a sentence with the rule behind it, as in `Only at 6 (ruling 18).`

    Args:
        sentence: A sentence with its full stop.
        rule: A ruling, or a section of the rulebook: `ruling 18`, `rulings 9, 44`, `Main Phase`.
    """
    return f"{sentence.removesuffix('.')} ({rule})."
