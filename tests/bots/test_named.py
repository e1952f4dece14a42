"""Learned weights are read by their names, and refused when one is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon.bots import weight_files
from gonfalon.core.errors import DataError
from gonfalon.core.rng import Rng
from gonfalon.core.worlds import worlds
from gonfalon.games.feint import Feint
from gonfalon.games.feint.bots import levels

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


def test_a_section_that_is_missing_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "quick.json"
    file.write_text(json.dumps({"pass": GOOD["pass"]}))
    with pytest.raises(DataError, match="no weight 'any' under 'play'"):
        weight_files.read(file, NAMES)


def first_scores() -> list[float]:
    """What Feint's quick player makes of the first turn of a game."""
    game = Feint()
    state, rng = game.start(), Rng(3)
    while state.turn < 0:
        state.apply(-1, state.chance(rng))
    policy = levels.search_policy(game)
    view = state.mask(state.turn)
    policy.attend(view)
    return policy.scores(worlds(view).sample(rng))


def test_feints_quick_player_does_not_care_for_the_order_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = first_scores()
    body = json.loads(levels.QUICK.read_text("utf-8"))
    turned = tmp_path / "quick.json"
    turned.write_text(json.dumps({name: dict(reversed(list(part.items()))) for name, part in body.items()}))
    monkeypatch.setattr(levels, "QUICK", turned)
    assert first_scores() == before
    del body["pass"]["ahead"]
    turned.write_text(json.dumps(body))
    with pytest.raises(DataError, match="no weight 'ahead' under 'pass'"):
        first_scores()
