"""The scripts of a page as one, which weighs a sixth less than all of them apart and comes in one go.

Each module becomes a function that is called at once, in the order in which they import each other; what it exports is
what that returns. What is imported later is called when it is first asked for. Our modules keep to a few forms:
`import { a, b as c } from "./d.js";`, `export function`, `export async function`, `export const` of one name, and
`import("./e.js")` for what is needed later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gonfalon.web.lean import lean_script

IMPORT: Final = re.compile(r'^import \{ ([^}]+) \} from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async function|function|const) (\w+))", re.MULTILINE)
LAZY: Final = "const ${name} = ((made) => () => made ??= ({body})())();\n"
LATER: Final = re.compile(r'\bimport\("\./(\w+)\.js"\)')


def joined(folder: Path, names: Iterable[str]) -> str:
    """These modules of a folder, and those that they import, as one script. Raises KeyError for what it cannot join."""
    done: dict[str, str] = {}

    def add(name: str, wrapped: str = "const ${name} = ({body})();\n") -> None:
        if name in done:
            return
        text = (folder / f"{name}.js").read_text("utf-8")
        for _, other in IMPORT.findall(text):
            add(other)
        exports = ", ".join(EXPORT.findall(text))
        later = LATER.findall(text)
        body = IMPORT.sub(lambda found: f"const {{ {found[1].replace(' as ', ': ')} }} = ${found[2]};", text)
        body = LATER.sub(r"Promise.resolve($\1())", EXPORT.sub("", body))
        if re.search(r"^(import|export)\b|\bimport\(", body, re.MULTILINE):
            raise KeyError(name)
        done[name] = wrapped.format(name=name, body=f"() => {{\n{body}\nreturn {{ {exports} }};\n}}")
        for other in later:
            add(other, LAZY)

    for name in names:
        add(name)
    return lean_script("".join(done.values()))
