"""Names of people at a table: cleaned, measured and compared."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

import regex

from gonfalon.core.text.english import YOU
from gonfalon.table import messages

MAX_NAME_CLUSTERS: Final = 24
"""Grapheme clusters, which people count as letters."""
MAX_NAME_CHARACTERS: Final = 96
"""Characters of all clusters: a cluster has no limit of its own."""
RESERVED: Final = (YOU, "Chance")

NO_TEXT: Final = regex.compile(r"[\p{Z}\p{C}--[\p{Cf}]]+", regex.VERSION1)
"""Separators, control characters, surrogates, and characters that Unicode leaves unassigned or to private use."""
JOINING: Final = r"[\p{Joining_Type=D}\p{Joining_Type=L}]\p{Joining_Type=T}*"
"""A letter that joins the next one, as in the Arabic script."""
JOINED: Final = r"\p{Joining_Type=T}*[\p{Joining_Type=R}\p{Joining_Type=D}]"
PICTURE: Final = r"\p{Extended_Pictographic}"
INVISIBLE: Final = regex.compile(
    rf"""
      (?P<keep>
        (?<={PICTURE}\p{{Emoji_Modifier}}?\uFE0F?) \u200D (?={PICTURE})
      | (?<=[{PICTURE}0-9\#*]) \uFE0F
      | (?<=\p{{ccc=9}}) [\u200C\u200D]
      | (?<={JOINING}) \u200C (?={JOINED})
      )
    | [\p{{Cf}}\p{{Default_Ignorable_Code_Point}}\u2800\uFFF9-\uFFFC\U0001D159]
    """,
    regex.VERSION1 | regex.VERBOSE,
)
"""Blank and invisible characters; `keep` are those that emoji, Persian and Indian scripts need (RFC 5892, A.1)."""
MARKS: Final = regex.compile(r"(?<=\p{M}{4})\p{M}+|^\p{M}+|(?<=\ )\p{M}+")
"""More than four marks on a letter (UTS 39, 5.4), and marks without a letter."""
VISIBLE: Final = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")


def clean_name(name: str) -> str:
    """Return a name fit for a page: one visible line in NFC of at most 24 letters.

    It is empty if nothing is left, or if the name looks like one that the game itself uses.
    """
    # Cut before anything else, so that a huge name costs no time.
    name = NO_TEXT.sub(" ", unicodedata.normalize("NFC", name[: 8 * MAX_NAME_CHARACTERS]))
    name = " ".join(_without_invisible(name).split())
    name = _without_invisible(shorten_name(MARKS.sub("", name).strip()))  # a joiner may have lost its other side
    return name if VISIBLE.search(name) and not is_reserved(name) else ""


def _without_invisible(name: str) -> str:
    return str(INVISIBLE.sub(lambda found: found["keep"] or "", name))


def split_clusters(name: str) -> list[str]:
    """Return the grapheme clusters of a name, which people count as letters."""
    return list(regex.findall(r"\X", name))


def shorten_name(name: str, spare: int = 0) -> str:
    """Return the beginning of a name, cut between grapheme clusters, with room for some letters more."""
    sizes = itertools.accumulate(len(cluster) for cluster in split_clusters(name)[: MAX_NAME_CLUSTERS - spare])
    end = max((size for size in sizes if size <= MAX_NAME_CHARACTERS - spare), default=0)
    return name[:end].rstrip()


def name_person(name: str, taken: Iterable[str]) -> str:
    """Return the name of a person at a table, different from the names that are taken."""
    name = clean_name(name)
    return make_distinct(messages.GUEST if not name or is_marked(name) else name, taken)


def is_marked(name: str) -> bool:
    """Return whether a name seems to end with the mark of a program."""
    mark = messages.PROGRAM_NAME.format(name="").strip()
    return any(look.endswith(end) for look in find_skeletons(name) for end in find_skeletons(mark))


def is_reserved(name: str) -> bool:
    """Return whether a name looks like one that the game itself uses."""
    return any(find_skeletons(name) & find_skeletons(one) for one in RESERVED)


def make_distinct(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number if it looks like another at the table."""
    known = frozenset[str]().union(*map(find_skeletons, taken))
    found = name
    for number in itertools.count(2):
        if not find_skeletons(found) & known:
            break
        tail = f" {number}"
        found = shorten_name(name, len(tail)) + tail
    return found


def find_skeletons(name: str) -> frozenset[str]:
    """Return the looks of a name, as written and in small letters (UTS 39, 4). Names that share one look alike."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return frozenset({_make_skeleton(name), _make_skeleton(folded)}) - {""}


def _make_skeleton(name: str) -> str:
    letters = (letter for letter in unicodedata.normalize("NFD", name) if not INVISIBLE.fullmatch(letter))
    looks = "".join(map(_find_prototype, letters))
    return " ".join(unicodedata.normalize("NFD", looks).casefold().split())


@cache
def _find_prototype(letter: str) -> str:
    """Return the character that stands for all that look like this one."""
    from confusable_homoglyphs import confusables  # reads its tables, which takes a while

    def alike(text: str) -> list[str]:
        found = confusables.is_confusable(text, greedy=True) if len(text) == 1 else None
        return [one["c"] for one in found[0]["homoglyphs"]] if isinstance(found, list) else []

    others = alike(letter)
    if len(others) != 1:  # none, or it is itself the one that all others are listed with
        return letter
    other = others[0]
    return other if len(other) > 1 or len(alike(other)) > 1 else min(letter, other)
