"""Methods accept the same parameter names in all classes."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import gonfalon


def classes() -> Iterator[type[Any]]:
    """All classes of the package."""
    for found in pkgutil.walk_packages(gonfalon.__path__, "gonfalon."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for cls in vars(module).values():
            if isinstance(cls, type) and cls.__module__ == module.__name__:
                yield cls


def function(cls: type[Any], name: str) -> Any:
    """Return a class's own callable of this name, or None."""
    found = vars(cls).get(name)
    found = found.__func__ if isinstance(found, (classmethod, staticmethod)) else found
    return found if callable(found) and not isinstance(found, type) else None


def positional(found: Any) -> list[str]:
    """Return the positional parameters, without self."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in inspect.signature(found).parameters.values() if p.kind in kinds and p.name != "self"]


def test_overrides_keep_the_names_of_parameters() -> None:
    wrong, compared = set(), 0
    for cls in classes():
        for name in vars(cls):
            mine = function(cls, name)
            if mine is None or name.startswith("__"):
                continue
            for base in cls.__mro__[1:]:
                theirs = function(base, name) if base.__module__.startswith("gonfalon.") else None
                if theirs is None:
                    continue
                compared += 1
                wanted, given = positional(theirs), positional(mine)
                if given[: len(wanted)] != wanted:
                    wrong.add(f"{cls.__module__}.{cls.__qualname__}.{name}({', '.join(given)}), not {wanted}")
    assert sorted(wrong) == []
    assert compared > 400
