"""Templates rendered by MiniJinja: those of the server, and of each game under its name (`feint/table.html`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from minijinja import Environment

from gonfalon.core.text.untrusted import initial, without_isolates

Row = Mapping[str, object]
WHOLE_NAME_LETTERS: Final = 14
"""The number of letters of a name that is never cut."""


class Unkept:
    """The sections of a page that is rendered once: none is kept (see `Sections` in `web/table/live.py`)."""

    def find(self, name: str, key: object) -> str:
        """Return no section."""
        return ""

    def keep(self, html: str) -> str:
        """Return the section itself."""
        return html


class Templates:
    """The templates of some folders. A missing variable is an error; text is escaped."""

    def __init__(self, common: Path, games: Mapping[str, Path]) -> None:
        self.common: Path = common
        self.games: Mapping[str, Path] = games
        self.env = Environment(
            loader=self._source,
            auto_escape_callback=lambda _: True,
            undefined_behavior="strict",
            trim_blocks=True,
            lstrip_blocks=True,
            # An error would quote what a template was given: hidden cards too.
            debug=False,
            filters={
                "by": group_by,
                "numbered": number_choices,
                "flat": flatten,
                "halves": split_halves,
                "initial": initial,
                "cut_name": cut_name,
            },
        )

    def _source(self, name: str) -> str | None:
        game, _, own = name.partition("/")
        file = self.games[game] / own if own and game in self.games else self.common / name
        return file.read_text("utf-8") if file.is_file() else None

    def share(self, name: str, value: object) -> None:
        """Give every template a value under this name."""
        self.env.add_global(name, value)

    def draw(self, template: str, context: Mapping[str, object]) -> str:
        """Render a template. Raises minijinja.TemplateError if the template or a variable is missing."""
        return restore_slashes(self.env.render_template(template, **context))


def restore_slashes(html: str) -> str:
    """Return HTML of MiniJinja with plain slashes."""
    # MiniJinja escapes slashes as well; in what it has escaped no other sign can look like that.
    return html.replace("&#x2f;", "/")


def cut_name(name: str) -> list[str]:
    """Return a name in one part, or in two parts if it is so long that it may be cut before its last three letters."""
    name = without_isolates(name)
    if len(name) <= WHOLE_NAME_LETTERS:
        return [name]
    from gonfalon.table.seats.names import split_clusters  # needs the extra server, which reviews do without

    letters = split_clusters(name)
    return ["".join(letters[:-3]), "".join(letters[-3:])] if len(letters) > WHOLE_NAME_LETTERS else [name]


def group_by(rows: Iterable[Row], key: str) -> dict[object, Row]:
    """Return rows by their value of a key."""
    return {row[key]: row for row in rows}


def number_choices(choices: Iterable[Row]) -> dict[object, Row]:
    """Return choices by their ids, each with its position (`n`, from 1)."""
    return {choice["id"]: {**choice, "n": n} for n, choice in enumerate(choices, 1)}


def flatten(lists: Iterable[Iterable[object]]) -> list[object]:
    """Return the items of all lists in one list."""
    return [item for items in lists for item in items]


def split_halves(texts: Iterable[str], mark: str) -> list[list[str]]:
    """Return the parts before and after a mark, for each text that has it."""
    return [text.split(mark, 1) for text in texts if mark in text]
