"""The bits of grammar that every game's sentences need. The viewer's own name is "You"."""

from __future__ import annotations

from typing import Final

YOU: Final = "You"


def verb(name: str, word: str) -> str:
    """`You play`, `May plays`: the word is given in its "you" form."""
    if name in (YOU, "you"):
        return f"{name} {word}"
    irregular = {"have": "has", "are": "is", "do": "does", "pass": "passes", "must": "must"}
    first, _, rest = word.partition(" ")
    ending = irregular.get(first) or first + ("es" if first.endswith(("s", "sh", "ch", "x")) else "s")
    return f"{name} {ending}" + (f" {rest}" if rest else "")


def whose(name: str) -> str:
    """`your`, `May's`."""
    return "your" if name == YOU else f"{name}'s"


def of(name: str) -> str:
    """`Your`, `May's`: at the head of a sentence."""
    return "Your" if name == YOU else f"{name}'s"


def inside(name: str) -> str:
    """A name inside a sentence, where `You` is small."""
    return "you" if name == YOU else name


def own(name: str) -> str:
    """`your`, or `their` for anybody else."""
    return "your" if name == YOU else "their"


def many(count: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
