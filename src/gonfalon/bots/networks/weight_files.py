"""Learned weights, read from a file by their names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from gonfalon.core.basics.errors import DataError


def read(
    file: Path, names: Mapping[str, Iterable[str]], more: Mapping[str, Iterable[str]] | None = None
) -> dict[str, dict[str, float]]:
    """By section and name the weights of a JSON file, which must hold these names, in any order, and `more` if it will.

    Raises DataError, which says what is missing, unknown or no number.
    """
    sections = json.loads(file.read_text(encoding="utf-8"))
    found: dict[str, dict[str, float]] = {}
    for section, wanted in names.items():
        weights = sections.get(section, {})
        optional = (more or {}).get(section, ())
        wanted = [*wanted, *(name for name in optional if name in weights)]
        for name in wanted:
            if type(weights.get(name)) not in (int, float):
                raise DataError(f"{file.name} has no weight {name!r} under {section!r}.")
        unknown = sorted(weights.keys() - set(wanted))
        if unknown:
            raise DataError(f"{file.name} has a weight {unknown[0]!r} under {section!r} that nothing reads.")
        found[section] = {name: float(weights[name]) for name in wanted}
    return found
