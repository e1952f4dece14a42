r"""Coverage of rulings by tests: `python -m tools.rulings GAMES TESTS`, with two folders.

A game's guide.md numbers its rulings by lines that begin with `**18.** `, or with `**18.\*** ` if another reading is an
option. A test declares which of them it proves: `@rule("feint", 18, 19)`. Tests are parsed, not imported.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gonfalon.core.arrays.guide_text import RULING


class Citation(NamedTuple):
    """One number in an `@rule(...)`, or a fault of it."""

    where: str
    """File and line."""
    game: str
    number: int
    fault: str = ""


def list_citations(source: str, name: str) -> Iterator[Citation]:
    """Yield every ruling that a test file cites."""
    for node in ast.walk(ast.parse(source, name)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for call in node.decorator_list:
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "rule"):
                continue
            where = f"{name}:{call.lineno}"
            words = [word.value if isinstance(word, ast.Constant) else None for word in call.args]
            game, numbers = (words[0], words[1:]) if words else (None, [])
            if not isinstance(game, str) or not numbers or call.keywords:
                yield Citation(where, "", 0, 'write @rule("game", number, ...)')
            elif not node.name.startswith(("test", "Test")):
                yield Citation(where, game, 0, f"{node.name} is not a test")
            else:
                for number in numbers:
                    if isinstance(number, int):
                        yield Citation(where, game, number)
                    else:
                        yield Citation(where, game, 0, "a ruling must be a literal number")


def list_rulings(guide: str) -> tuple[list[int], list[str]]:
    """Return the numbers of a guide's rulings, and the faults of the numbering."""
    count = Counter(int(number) for number in RULING.findall(guide))
    faults = [f"ruling {number} occurs twice" for number, times in count.items() if times > 1]
    faults += [f"ruling {number} is missing" for number in range(1, max(count, default=0) + 1) if number not in count]
    return sorted(count), faults if count else ["no numbered rulings"]


def report_coverage(games: Path, tests: Path) -> tuple[list[str], bool]:
    """Return a line for each game and each fault, and whether every ruling has a test and there is no fault.

    Args:
        games: A folder of games. Each subfolder with an `__init__.py` is one.
        tests: The folder of the tests.
    """
    citations = [
        citation
        for path in sorted(tests.rglob("*.py"))
        for citation in list_citations(path.read_text("utf-8"), str(path.relative_to(tests.parent)))
    ]
    folders = sorted(path.parent for path in games.glob("*/__init__.py"))
    known = {folder.name for folder in folders}
    lines = [f"{c.where}: {c.fault}" for c in citations if c.fault]
    lines += [f"{c.where}: there is no game {c.game}" for c in citations if not c.fault and c.game not in known]
    if not folders:
        lines.append(f"no games in {games}")
    good = not lines
    for folder in folders:
        game = folder.name
        guide = folder / "guide.md"
        numbers, faults = list_rulings(guide.read_text("utf-8") if guide.exists() else "")
        proved = {c.number: c.where for c in citations if c.game == game and not c.fault}
        faults += [
            f"{proved[number]} cites ruling {number}, which does not exist"
            for number in sorted(proved.keys() - set(numbers))
        ]
        missing = [number for number in numbers if number not in proved]
        line = f"{game} {len(numbers) - len(missing)}/{len(numbers)}"
        lines.append(line + (f" missing: {', '.join(map(str, missing))}" if missing else ""))
        lines += [f"{game}: {fault}" for fault in faults]
        good = good and not missing and not faults
    return lines, good


def main(games: str, tests: str) -> int:
    """Print the coverage. Return 1 if a ruling has no test or there is a fault."""
    lines, good = report_coverage(Path(games), Path(tests))
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
