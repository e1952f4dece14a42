"""The page of the effect language: effects.md with tables generated from the register of the language.

`python -m docs.language_page` prints it.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.checker import iterate_lists
from gonfalon.games.generals.cards.pool import Card, Pool, Table
from gonfalon.games.generals.effects import language

SOURCE: Final = Path(language.__file__).with_name("effects.md")
WIDTH: Final = 120
"""The longest line of TOML. Longer abilities are printed with one operation per line."""


def format_page() -> str:
    """Return the page of the effect language in Markdown."""
    page = SOURCE.read_text("utf-8")
    for name, lines in {
        "events": format_events(),
        "conditions": format_conditions(),
        "operations": format_operations(files.load()),
    }.items():
        page = page.replace(f"<!-- {name} -->", "\n".join(lines))
    return page


def format_events() -> Iterator[str]:
    """Yield the header and one row for each event."""
    yield "| `event` | Happens when | Entries |\n|---|---|---|"
    for name, occasion in language.EVENTS.items():
        entries = [f"`{key}` ({says})" if says else f"`{key}`" for key, says in occasion.entries.items()]
        yield f"| `{name}` | {occasion.page} | {', '.join(entries)} |"


def format_conditions() -> Iterator[str]:
    """Yield the header and one row for each condition."""
    yield "| Condition | Holds when |\n|---|---|"
    for condition in language.CONDITIONS.values():
        # The cell continues the sentence of its heading, "Holds when".
        holds = format_docstring(condition.made).rstrip(".")
        yield f"| `{condition.example}` | {holds[0].lower()}{holds[1:]} |"


def format_operations(pool: Pool) -> Iterator[str]:
    """Yield a section for each operation: its description, its entries, and an ability that uses it."""
    blank = ""
    for name, operation in language.OPERATIONS.items():
        card, ability = find_example(pool, name)
        needed = ", ".join(f"`{key}`" for key in operation.needed)
        free = ", ".join(f"`{key}`" for key in operation.fields if key not in operation.needed)
        yield f"{blank}### `{name}`\n\n{format_docstring(operation.made)}\n"
        if needed:
            yield f"Entries: {needed}{f'; if wanted {free}' if free else ''}.\n"
        yield f"```toml\n# {card.name}, {describe_type(card)}\n{format_table(ability)}\n```"
        blank = "\n"


def format_docstring(made: object) -> str:
    """Return the docstring of a class with each paragraph on one line."""
    said = re.split(r"\n\n", inspect.cleandoc(made.__doc__ or ""))
    return "\n\n".join(part if part.startswith("|") else part.replace("\n", " ") for part in said)


def describe_type(card: Card) -> str:
    """Return the type of a card as the comment of an example names it, with its article."""
    if card.tactics:
        return "Tactics"
    sort = card.subtypes[0] if card.type == "equipment" else card.type
    return f"{'an' if sort[0] in 'aeiou' else 'a'} {sort.title()}"


def find_example(pool: Pool, name: str) -> tuple[Card, Table]:
    """Return the ability whose use of an operation has the most entries; the shortest one of several.

    Raises:
        LookupError: No card uses the operation.
    """
    found = [
        (-len(operation), len(format_inline(ability)), card.kind, ability)
        for card in pool.cards
        for ability in card.abilities
        for operations in iterate_lists(ability["do"])
        for operation in operations
        if operation["op"] == name
    ]
    if not found:
        raise LookupError(f"No card uses the operation {name} yet, so its page has no example: add one to more.toml.")
    *_, kind, ability = min(found, key=lambda one: one[:3])
    return pool.cards[kind], ability


def format_table(table: Table, indent: str = "") -> str:
    """Return a table as TOML, with one operation per line if it is too long for one line."""
    line = format_inline(table)
    if len(indent + line) <= WIDTH:
        return line
    return f"{{ {', '.join(f'{key} = {format_long_entry(entry, indent)}' for key, entry in table.items())} }}"


def format_long_entry(value: object, indent: str) -> str:
    """Return the value of an entry in a table that is too long for one line."""
    if isinstance(value, dict):
        return format_table(value, indent)
    if isinstance(value, list) and value and all(isinstance(entry, dict) and "op" in entry for entry in value):
        lines = "".join(f"{indent}  {format_table(entry, indent + '  ')},\n" for entry in value)
        return f"[\n{lines}{indent}]"
    return format_inline(value)


def format_inline(value: object) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {format_inline(entry)}' for key, entry in value.items())} }}"
    return f"[{', '.join(map(format_inline, value))}]" if isinstance(value, list) else json.dumps(value)


if __name__ == "__main__":
    print(format_page())
