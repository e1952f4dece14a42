"""Measure names, docstrings, texts and sizes of the code against budgets. `make lint` runs it.

    python -m tools.style [--list]

A measure fails above its limit. Where the limit is not the goal yet, lower it with every change that allows it.
`--list` prints the places behind each measure that has not reached its goal.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ROOT / "src" / "gonfalon"
FOR_PEOPLE: Final = ("cli", "face", "lessons", "puzzles", "review", "table", "terminal", "web")
"""Folders whose strings are texts for people."""
MAX_FUNCTION_LINES: Final = 40
NEEDS_NEIGHBOR: Final = re.compile(r"(The same|And|Likewise|See above|Also|Nor|But|So)\b")
VAGUE: Final = re.compile(
    r"\b(who(ever)?|whatever|told|tells?|so (many|much)|(no|some|every)body|anew|lest|one's)\b", re.I
)
SPOKEN: Final = re.compile(
    r"\b(whoever|so (many|much)|one's|anew|lest|go(es)? on|stands in|lies in|is to (play|act|choose|answer)"
    r"|takes? back|(is|are) told|of yours|what is wrong|what one|Your choice:|besides)\b|\(rulings? \d"
)


class Measure(NamedTuple):
    """A measure of the code."""

    name: str
    limit: float
    goal: float
    at_least: bool = False
    """Whether more is better."""


class Module(NamedTuple):
    """A module that has been read."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def place(self) -> str:
        """The path from the root of the repository."""
        return self.path.relative_to(ROOT).as_posix()


class Finding(NamedTuple):
    """The value of a measure, and the places behind it."""

    value: float
    places: Sequence[str] = ()


def read_modules(folder: Path) -> list[Module]:
    """Return all modules below a folder."""
    texts = ((path, path.read_text("utf-8")) for path in sorted(folder.rglob("*.py")))
    return [Module(path, text, ast.parse(text)) for path, text in texts]


def find_docstrings(module: Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each docstring, those of attributes and constants included."""
    for node in ast.walk(module.tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        described = True  # the first statement of a body, and then what follows an assignment
        for statement in node.body:
            value = statement.value if isinstance(statement, ast.Expr) else None
            if described and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield statement.lineno, value.value.strip()
            described = isinstance(statement, (ast.Assign, ast.AnnAssign))


def find_functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield all functions and methods."""
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def count_code(module: Module) -> int:
    """Return the number of lines without blank lines, comments and docstrings."""
    described: set[int] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            described.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate((line.strip() for line in module.text.splitlines()), 1)
    return sum(bool(line) and line[0] != "#" and number not in described for number, line in lines)


def measure_names(modules: Sequence[Module]) -> Finding:
    """Measure the share of top-level functions whose name is a single word, in percent."""
    functions = [
        (module, node)
        for module in modules
        for node in module.tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    single = [f"{m.place}:{node.lineno} {node.name}" for m, node in functions if "_" not in node.name.strip("_")]
    return Finding(round(100 * len(single) / max(1, len(functions))), single)


def measure_words(modules: Sequence[Module], words: re.Pattern[str]) -> Finding:
    """Measure how often a pattern occurs in 10,000 words of docstrings."""
    found = [(f"{m.place}:{line}", text) for m in modules for line, text in find_docstrings(m)]
    total = sum(len(re.findall(r"[A-Za-z']+", text)) for _, text in found)
    places = [f"{place} {text[:70]!r}" for place, text in found if words.search(text)]
    return Finding(round(1e4 * sum(len(words.findall(text)) for _, text in found) / max(1, total)), places)


def measure_openings(modules: Sequence[Module]) -> Finding:
    """Measure the number of docstrings that make no sense without the one before."""
    places = [
        f"{m.place}:{line} {text[:70]!r}"
        for m in modules
        for line, text in find_docstrings(m)
        if NEEDS_NEIGHBOR.match(text)
    ]
    return Finding(len(places), places)


def measure_phrases(modules: Sequence[Module]) -> Finding:
    """Measure the number of texts for people with a phrase that no person would say."""
    places: list[str] = []
    for module in modules:
        if not set(module.path.parts) & set(FOR_PEOPLE):
            continue
        described = {text for _, text in find_docstrings(module)}
        texts = [
            node for node in ast.walk(module.tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        places += [
            f"{module.place}:{node.lineno} {text[:80]!r}"
            for node in texts
            if " " in (text := str(node.value)) and text.strip() not in described and SPOKEN.search(text)
        ]
    for path in sorted((*SOURCES.rglob("*.html"), *SOURCES.rglob("*.toml"))):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if SPOKEN.search(line):
                places.append(f"{path.relative_to(ROOT).as_posix()}:{number} {line.strip()[:80]!r}")
    return Finding(len(places), places)


def measure_long_functions(modules: Sequence[Module]) -> Finding:
    """Measure the number of functions with more than MAX_FUNCTION_LINES lines."""
    places = [
        f"{m.place}:{node.lineno} {node.name} {size}"
        for m in modules
        for node in find_functions(m)
        if (size := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]
    return Finding(len(places), places)


def measure_any(modules: Sequence[Module]) -> Finding:
    """Measure the number of lines with the type Any."""
    places = [
        f"{m.place}:{number}"
        for m in modules
        for number, line in enumerate(m.text.splitlines(), 1)
        if re.search(r"\bAny\b", line) and not line.lstrip().startswith(("from ", "import ", "#"))
    ]
    return Finding(len(places), places)


def measure_comments(modules: Sequence[Module]) -> Finding:
    """Measure the share of comment lines, in percent."""
    lines = [line.lstrip() for m in modules for line in m.text.splitlines()]
    return Finding(round(100 * sum(line.startswith("#") for line in lines) / max(1, len(lines)), 1))


def measure_folders(modules: Sequence[Module]) -> Finding:
    """Measure the number of modules in the largest folder."""
    sizes = Counter(m.path.parent for m in modules if m.path.name != "__init__.py")
    places = [f"{folder.relative_to(ROOT).as_posix()} {size}" for folder, size in sizes.most_common(5)]
    return Finding(max(sizes.values()), places)


def count_words(name: str) -> Callable[[Sequence[Module]], Finding]:
    """Return the measure of the words in a document."""
    return lambda _: Finding(len((ROOT / name).read_text("utf-8").split()))


MEASURES: Final[dict[Measure, Callable[[Sequence[Module]], Finding]]] = {
    Measure("modules in the largest folder", 14, 14): measure_folders,
    Measure("one-word names of functions, %", 5, 25): measure_names,
    Measure("'what' in 10,000 words of docstrings", 20, 20): lambda m: measure_words(m, re.compile(r"\bwhat\b", re.I)),
    Measure("vague words in 10,000 words of docstrings", 15, 15): lambda m: measure_words(m, VAGUE),
    Measure("docstrings that need their neighbor", 0, 0): measure_openings,
    Measure("spoken phrases in texts for people", 5, 5): measure_phrases,
    Measure("functions over 40 lines", 45, 45): measure_long_functions,
    Measure("lines with Any", 107, 60): measure_any,
    Measure("comment lines, %", 1.5, 1.5, at_least=True): measure_comments,
    Measure("words of README.md", 1200, 1200): count_words("README.md"),
    Measure("words of ARCHITECTURE.md", 3500, 3500): count_words("ARCHITECTURE.md"),
    Measure("words of CHANGELOG.md", 2500, 2500): count_words("CHANGELOG.md"),
    Measure("lines of code in src", 71_950, 48_000): lambda m: Finding(sum(map(count_code, m))),
    Measure("lines of code in tests", 60_250, 45_000): lambda _: Finding(
        sum(map(count_code, read_modules(ROOT / "tests")))
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all measures. Return 1 if one exceeds its limit."""
    listed = "--list" in (sys.argv[1:] if arguments is None else arguments)
    modules = read_modules(SOURCES)
    failed = False
    for measure, find in MEASURES.items():
        value, places = find(modules)
        sign = -1 if measure.at_least else 1
        broken, open_goal = sign * value > sign * measure.limit, sign * value > sign * measure.goal
        failed |= broken
        verdict = "FAILS" if broken else "open " if open_goal else "ok   "
        print(f"{verdict} {measure.name}: {value:g} (limit {measure.limit:g}, goal {measure.goal:g})")
        if listed and open_goal:
            print(*(f"        {place}" for place in places), sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
