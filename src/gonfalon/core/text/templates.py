"""Sentences as templates, one for all readers.

`"{who} [draw] {card} from {target's} hand."` becomes "You draw a Page from Bo's hand." and "May draws a Page from your
hand." A placeholder of people is followed by `'s` for the possessive. A word in square brackets agrees with the people
named last, or first if none is named before it: `[Do] {who} agree?`. It is written as after "you": a verb, `[your]`,
`[you]` (as an object) or `[yourself]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from gonfalon.core.text.english import NO_PLAYER, YOU, add_article, conjugate, inside, several, whose

BLANK: Final = re.compile(r"\{([^{}]*)\}|\[([A-Za-z][a-z]*)\]")
"""A placeholder of a template, or a word that agrees with people."""
MEANINGS: Final = ("seat", "seats", "kind", "a kind")
"""The meanings of a number in a sentence, such as `{a:seat}`: a player, several (a bitmask), and the name of a kind of
card, without and with its article."""


class ByPerson:
    """A message about the player `{name}`, in the second person for the player and in the third for all others.

    Example:
        ```python
        ByPerson("{name} [draw] {cards}.").format(name="May", cards="2 cards")
        ```
    """

    def __init__(self, sentence: str) -> None:
        # Filled in once: logs consist of many sentences.
        self.you: str = fill(sentence, {"name": [YOU]})
        self.other: str = fill(sentence, {"name": ["{name}"]})

    def format(self, name: str, **fields: object) -> str:
        """Return the sentence about a player. The other placeholders are filled as in `str.format`."""
        return (self.you if name == YOU else self.other).format(name=name, **fields)


def fill(sentence: str, values: Mapping[str, object]) -> str:
    """Return a sentence for one reader. Placeholders without a value are left as they are.

    Args:
        sentence: The template.
        values: By placeholder: a list of names for people, or any other value, which is written as `str` does.

    Example:
        ```python
        fill("{who} [are] safe until [your] next turn.", {"who": ["Bo"]})
        ```
    """
    parts: list[str] = []
    people: Sequence[str] = ()
    at = 0
    for found in BLANK.finditer(sentence):
        parts.append(sentence[at : found.start()])
        at = found.end()
        blank, word = found.groups()
        name = (blank or "").removesuffix("'s")
        value = values.get(name)
        if isinstance(value, list):
            people = value or [NO_PLAYER]
            begins = not "".join(parts).strip() or parts[-1].rstrip().endswith((".", "!", "?"))
            parts.append(name_people(people, begins, owners=name != blank))
        elif word and (named := people or find_first_people(sentence[at:], values)):
            form = conjugate(word.lower(), named)
            parts.append(form if word.islower() else form.capitalize())
        else:
            parts.append(str(value) if name in values else found[0])
    return "".join([*parts, sentence[at:]])


def find_first_people(sentence: str, values: Mapping[str, object]) -> Sequence[str]:
    """Return the people that a template names first; none if it names no people."""
    found = (values.get(name) for name in find_blanks(sentence))
    return next((people for people in found if isinstance(people, list) and people), ())


def name_people(names: Sequence[str], begins: bool, owners: bool) -> str:
    """Return names as a list, such as `you and May`, or `your and May's` if they are `owners` of what follows.

    Args:
        names: The names.
        begins: Whether they begin a sentence.
        owners: Whether to return the possessive.
    """
    text = several([*names[:-1], whose(names[-1])] if owners else [*names])
    return text if inside(names[0]) == names[0] else (text[0].upper() if begins else text[0].lower()) + text[1:]


def read_number(number: int, meaning: str, names: list[str], kinds: Sequence[str]) -> object:
    """Return the value of a number with a meaning (`MEANINGS`) for `fill`; the number itself without one.

    Args:
        number: The number.
        meaning: Its meaning, or an empty text.
        names: The names of the seats as the viewer reads them.
        kinds: The name of each kind of card.
    """
    if meaning == "seat":
        return [names[number]]
    if meaning == "seats":
        # The reader is named first: "You and May".
        return sorted((name for seat, name in enumerate(names) if number >> seat & 1), key=lambda name: name != YOU)
    if meaning:
        return kinds[number] if meaning == "kind" else add_article(kinds[number])
    return number


def find_blanks(sentence: str) -> list[str]:
    """Return the placeholders of a template, without the `'s` of possessives."""
    return [blank.removesuffix("'s") for blank, word in BLANK.findall(sentence) if not word]


def find_blank_fault(sentence: str, known: Sequence[str]) -> str:
    """Return what is wrong with the placeholders of a template, as a sentence; empty if nothing is.

    Args:
        sentence: The template.
        known: The placeholders that it may contain; each may have a meaning.
    """
    blanks = find_blanks(sentence)
    if sentence.count("{") != len(blanks) or sentence.count("}") != len(blanks):
        return f"the placeholders of {sentence!r} cannot be read: a brace is missing."
    for blank in blanks:
        name, _, meaning = blank.partition(":")
        if name not in known:
            may = ", ".join(f"{{{one}}}" for one in known)
            return f"{sentence!r} has the unknown placeholder {{{blank}}}; known are {may}."
        if meaning and meaning not in MEANINGS:
            return f"{{{blank}}} of {sentence!r} has an unknown meaning; known are {', '.join(MEANINGS)}."
    return ""
