"""The bits of grammar that every game's sentences need. The viewer's own name is "You"."""

from __future__ import annotations

from functools import lru_cache
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


def several(names: list[str]) -> str:
    """`May`, `May and David`, `May, David and Ann`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def verdict(winners: list[int], names: list[str]) -> str:
    """Return `You win`, `May wins`, `May and David win`, `Both win`, or for a reader who lost `You lose`, with more
    than two seats `You lose: May wins`."""
    if len(winners) == len(names):
        return "Both win" if len(names) == 2 else "All win"
    who = [names[seat] for seat in winners]
    won = verb(who[0], "win") if len(who) == 1 else f"{several(who)} win"
    if YOU not in names or YOU in who:
        return won
    return f"{YOU} lose" if len(names) == 2 else f"{YOU} lose: {won}"


def many(count: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def all_of(count: int, thing: str) -> str:
    """`both cards`, `all 3 cards`: of several."""
    return f"{'both' if count == 2 else f'all {count}'} {thing}s"


def unbroken(text: str) -> str:
    """A text in which no line begins with the sign of a percentage."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


@lru_cache(maxsize=1024)
def slug(name: str) -> str:
    """`Hill Folk` as `hill-folk`."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
