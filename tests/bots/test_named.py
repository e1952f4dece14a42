"""Learned weights are read by their names, and refused when one is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon.bots.networks import weight_files
from gonfalon.core.basics.errors import DataError

NAMES = {"pass": ("any", "ahead"), "play": ("any",)}
GOOD: dict[str, Any] = {"play": {"any": 3}, "pass": {"ahead": 0.5, "any": -1.5}}


def test_the_order_in_the_file_does_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "quick.json"
    file.write_text(json.dumps(GOOD))
    found = weight_files.read(file, NAMES)
    assert found == {"pass": {"any": -1.5, "ahead": 0.5}, "play": {"any": 3.0}}
    assert list(found["pass"]) == ["any", "ahead"], "in the order in which they were asked for"


@pytest.mark.parametrize(
    ("section", "name", "value", "reason"),
    [
        ("pass", "ahead", None, "quick.json has no weight 'ahead' under 'pass'."),
        ("play", "any", "3", "quick.json has no weight 'any' under 'play'."),
        ("play", "any", True, "quick.json has no weight 'any' under 'play'."),
        ("pass", "behind", 1.0, "quick.json has a weight 'behind' under 'pass' that nothing reads."),
    ],
)
def test_what_is_missing_or_unknown_is_refused(
    tmp_path: Path, section: str, name: str, value: Any, reason: str
) -> None:
    body = json.loads(json.dumps(GOOD))
    body[section][name] = value
    if value is None:
        del body[section][name]
    file = tmp_path / "quick.json"
    file.write_text(json.dumps(body))
    with pytest.raises(DataError) as caught:
        weight_files.read(file, NAMES)
    assert str(caught.value) == reason
