"""The grammar that the sentences of all games need. The viewer's own name is "You"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

YOU: Final = "You"
"""The viewer's own name in sentences."""
OPPONENT: Final = "your opponent"
"""The name of the other seat of a game of two without names."""
NO_PLAYER: Final = "No player"
"""The name of an empty list of players."""


IRREGULAR: Final = {"have": "has", "are": "is", "were": "was", "do": "does", "go": "goes"}
UNCHANGED: Final = ("can", "may", "must", "will", "cannot")
PRONOUNS: Final = {"your": "their", "you": "them", "yourself": "themselves"}


def conjugate(word: str, people: Sequence[str]) -> str:
    """Return a verb or pronoun, given as after "you", in the form for these people: `[play]` becomes `plays`."""
    if word in PRONOUNS:
        return word if YOU in people else PRONOUNS[word]
    if len(people) > 1 or YOU in people or word in UNCHANGED:
        return word
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("y") and word[-2] not in "aeou":
        return f"{word[:-1]}ies"
    return word + ("es" if word.endswith(("s", "sh", "ch", "x")) else "s")


def verb(name: str, word: str) -> str:
    """Return a name with a verb: `You play`, `May plays`.

    Args:
        name: The name, or YOU.
        word: The verb in its "you" form; further words may follow it.
    """
    first, space, rest = word.partition(" ")
    return f"{name} {conjugate(first, [YOU if name == 'you' else name])}{space}{rest}"


def whose(name: str) -> str:
    """Return `your`, `May's` or `your opponent's`."""
    return "your" if name == YOU else f"{inside(name)}'s"


def of(name: str) -> str:
    """Return `Your` or `May's`, for the beginning of a sentence."""
    return "Your" if name == YOU else f"{name}'s"


def inside(name: str) -> str:
    """Return a name for the middle of a sentence, where `You` and `Your opponent` are in lower case."""
    return name[0].lower() + name[1:] if name in (YOU, OPPONENT.capitalize(), NO_PLAYER) else name


def several(names: list[str]) -> str:
    """Return `May`, `May and David` or `May, David and Ann`."""
    first, *rest = [names[0], *map(inside, names[1:])]
    return f"{', '.join([first, *rest[:-1]])} and {rest[-1]}" if rest else first


def verdict(winners: list[int], names: list[str]) -> str:
    """Return the result in short: `You win`, `May wins`, `May and David win`, `Both win`.

    A reader who lost gets `You lose`, with more than two seats `You lose: May wins`.

    Args:
        winners: The seats that won.
        names: The names of all seats as the reader sees them.
    """
    if len(winners) == len(names):
        return "Both win" if len(names) == 2 else "All win"
    who = [names[seat] for seat in winners]
    won = verb(who[0], "win") if len(who) == 1 else f"{several(who)} win"
    if YOU not in names or YOU in who:
        return won
    return f"{YOU} lose" if len(names) == 2 else f"{YOU} lose: {won}"


def add_article(name: str) -> str:
    """Return a noun with its article: `a Knight`, `an Archer`."""
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def many(count: int, thing: str) -> str:
    """Return a number with its noun: `1 card`, `2 cards`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def all_of(count: int, thing: str) -> str:
    """Return `both cards` or `all 3 cards`."""
    return f"{'both' if count == 2 else f'all {count}'} {thing}s"


def unbroken(text: str) -> str:
    """Return a text whose percent signs stay on the line of their number."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


@lru_cache(maxsize=1024)
def slug(name: str) -> str:
    """Return a name as a slug: `Hill Folk` becomes `hill-folk`."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
