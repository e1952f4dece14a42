"""A compiled class matches its plain source."""

from __future__ import annotations

import ast
import importlib
import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hatch_build import find_modules

ROOT = Path(__file__).resolve().parents[2]
UNITS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"][
    "hooks"
]["custom"]["units"]
FILES = sorted(path for patterns in UNITS.values() for path in find_modules(ROOT / "src", patterns))


def public(node: ast.Module | ast.ClassDef, name: str = "") -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """Return the public classes, functions and methods of a source by their names in the module."""
    for child in node.body:
        if isinstance(child, (ast.ClassDef, ast.FunctionDef)) and not child.name.startswith("_"):
            yield f"{name}{child.name}", child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{name}{child.name}.")


def list_parameters(node: ast.FunctionDef) -> list[str]:
    """Return the names of a function's parameters."""
    found = node.args
    rest = [one for one in (found.vararg, found.kwarg) if one]
    return [one.arg for one in [*found.posonlyargs, *found.args, *found.kwonlyargs, *rest]]


def start_of(node: ast.ClassDef) -> ast.FunctionDef | None:
    """Return the constructor of a class if it defines one."""
    made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    return made[0] if made else None


def found(module: Any, name: str) -> Any:
    for part in name.split("."):
        module = inspect.getattr_static(module, part)
        if isinstance(module, (staticmethod, classmethod)):
            module = module.__func__
    return module


def faults(module: Any, name: str, node: ast.ClassDef | ast.FunctionDef) -> list[str]:
    """Return the differences between a class or function and its source."""
    here, out = found(module, name), []
    said = ast.get_docstring(node)
    if said and inspect.cleandoc(inspect.getdoc(here) or "") != said:
        out.append(f"{name} says {inspect.getdoc(here)!r}")
    by = start_of(node) if isinstance(node, ast.ClassDef) else node
    if by is not None and not isinstance(here, property) and not inspect.isdatadescriptor(here):
        names = list_parameters(by)[isinstance(node, ast.ClassDef) :]
        if list(inspect.signature(here).parameters) != names:
            out.append(f"{name} takes {inspect.signature(here)}")
    return out


@pytest.mark.parametrize("file", FILES)
def test_compiled_members_match_the_source(file: str) -> None:
    """It compares docstrings and parameter names of every public class and function of a module that may be
    compiled."""
    module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    tree = ast.parse((ROOT / "src" / file).read_text("utf-8"))
    assert [fault for name, node in public(tree) for fault in faults(module, name, node)] == []
