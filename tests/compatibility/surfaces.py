"""Descriptions of the Python API, the HTTP API and the command line, to compare those of two versions.

`python -m tests.compatibility.surfaces FOLDER` writes them for a release. The files of a release never change.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from gonfalon import games
from gonfalon.cli.parser import build_parser
from gonfalon.web.api.openapi import build_document

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (ROOT / "docs" / "pages" / "reference" / "python.md", ROOT / "docs" / "pages" / "reference" / "games.md")
"""The pages that list the public Python API."""


def import_member(path: str) -> Any:
    """Return the module, class or function with a dotted path."""
    parts = path.split(".")
    for size in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        for part in parts[size:]:
            found = getattr(found, part)
        return found
    raise LookupError(path)


def describe_function(function: Any) -> list[list[str]]:
    """Return the name, kind and `required` or `optional` of each parameter."""
    function = function.__func__ if isinstance(function, (classmethod, staticmethod)) else function
    return [
        [parameter.name, parameter.kind.name, "required" if parameter.default is parameter.empty else "optional"]
        for parameter in inspect.signature(function).parameters.values()
    ]


def describe_member(path: str, found: Any) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the dotted paths of a member and of its public members, with their parameters if they are functions."""
    if inspect.ismodule(found):
        for name, member in vars(found).items():
            if inspect.isclass(member) and member.__module__ == found.__name__:
                yield from describe_member(f"{path}.{name}", member)
    elif inspect.isclass(found):
        yield path, []
        for cls in reversed(found.__mro__):
            if not cls.__module__.startswith("gonfalon"):
                continue
            for name in [*vars(cls), *vars(cls).get("__annotations__", {})]:
                if name.startswith("_"):
                    continue
                member = inspect.getattr_static(found, name, None)
                plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
                yield f"{path}.{name}", describe_function(plain) if inspect.isfunction(plain) else []
    else:
        yield path, describe_function(found) if callable(found) else []


def describe_python_api() -> dict[str, list[list[str]]]:
    """Return all members that the reference pages list, by their dotted paths."""
    found: dict[str, list[list[str]]] = {}
    for page in PAGES:
        for path in re.findall(r"^::: ([\w.]+)$", page.read_text("utf-8"), re.M):
            found.update(describe_member(path, import_member(path)))
    package = importlib.import_module("gonfalon")
    found.update((f"gonfalon.{name}", []) for name in package.__all__)
    return dict(sorted(found.items()))


def remove_texts(value: Any) -> Any:
    """Return a part of the document without its descriptions, which may change."""
    if isinstance(value, dict):
        texts = ("description", "summary")
        return {key: remove_texts(part) for key, part in value.items() if not (key in texts and isinstance(part, str))}
    return [remove_texts(part) for part in value] if isinstance(value, list) else value


def describe_http_api() -> dict[str, Any]:
    """Return the description of the HTTP API without the boards, whose form belongs to the rules of each game."""
    document: dict[str, Any] = remove_texts(json.loads(json.dumps(build_document([games.find_game_class("feint")]))))
    schemas: dict[str, Any] = document["components"]["schemas"]
    schemas["View"]["properties"]["board"] = {}
    return {
        "paths": document["paths"],
        "schemas": {name: schema for name, schema in sorted(schemas.items()) if not name.startswith("Feint")},
    }


def describe_commands() -> dict[str, list[str]]:
    """Return the options of all commands, by the words of the command."""
    found: dict[str, list[str]] = {}

    def add_command(words: str, command: argparse.ArgumentParser) -> None:
        found[words] = sorted(option for action in command._actions for option in action.option_strings)
        for action in command._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, sub in action.choices.items():
                    add_command(f"{words} {name}", sub)

    add_command("gonfalon", build_parser())
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    members = (f"{json.dumps(path)}: {json.dumps(parameters)}" for path, parameters in describe_python_api().items())
    (folder / "python_api.json").write_text("{\n" + ",\n".join(members) + "\n}\n", "utf-8")
    (folder / "http_api.json").write_text(json.dumps(describe_http_api(), indent=1) + "\n", "utf-8")
    (folder / "commands.json").write_text(json.dumps(describe_commands(), indent=1) + "\n", "utf-8")
