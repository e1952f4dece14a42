"""The files and classes that ARCHITECTURE.md names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from gonfalon.core.rules.game import Game

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
SOURCES = ROOT / "src" / "gonfalon"
QUOTED = sorted(set(re.findall(r"`([^`\n]+)`", TEXT)))


@pytest.mark.parametrize(
    "path", [text for text in QUOTED if re.fullmatch(r"[\w./-]+/|[\w./-]+\.(py|js|json|md|toml)", text)]
)
def test_named_files_exist(path: str) -> None:
    assert any(
        (folder / path).exists() for folder in (ROOT, SOURCES, SOURCES / "games/feint", SOURCES / "games/generals")
    )


def test_named_classes_and_members_exist() -> None:
    members: dict[str, set[str]] = {}
    bases: dict[str, set[str]] = {}
    for path in SOURCES.rglob("*.py"):
        for cls in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(cls, ast.ClassDef):
                bases.setdefault(cls.name, set()).update(re.findall(r"\w+", " ".join(map(ast.unparse, cls.bases))))
                found = members.setdefault(cls.name, set())
                for node in ast.walk(cls):
                    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                        found.add(node.name)
                    elif isinstance(node, ast.AnnAssign):
                        found.add(ast.unparse(node.target).removeprefix("self."))

    def has(name: str, member: str) -> bool:
        return member in members.get(name, ()) or any(has(base, member) for base in bases.get(name, ()) if base != name)

    named = [match for text in QUOTED if (match := re.fullmatch(r"([A-Z][a-z]\w*)(?:\.(\w+))?", text))]
    assert named
    wrong = [match[0] for match in named if match[1] not in members or (match[2] and not has(match[1], match[2]))]
    assert wrong == []


def test_all_packages_are_drawn() -> None:
    [drawing] = re.findall(r"^src/gonfalon/\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    drawn = {line.split("/")[0].strip() for line in drawing.splitlines() if re.match(r"  \w[\w/]*/", line)}
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert drawn == folders


def test_the_classes_of_a_game_are_listed() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert named == {cls.__name__ for cls in Game.__mro__} - {"Game", "object"}
