"""Card files: how a fault finds its line, and how files are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.core.basics.errors import DataError
from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import CardFile, Lines

TEXT = """form = 1
[box]
size = 3
[[crew]] # the first
slug="red"
size = 4
cards = [
  { slug = "ox", size = 1 },
  { slug = "hen", size = 2, tags = ["big"] },
]
[[crew]]
size = 5
"""


@pytest.mark.parametrize(
    ("marks", "line"),
    [
        (("form",), 1),
        (("box",), 2),
        (("[box]", "size"), 3),
        (("[box]", "slug=ox"), 2),
        (("[box]", "cards"), 2),
        (("slug=red", "cards", "slug=hen", "size"), 9),
        (("slug=red", "cards", "slug=cow"), 7),
        (("[crew]", 0, "size"), 6),
        (("[crew]", 0, "cards", '"big"'), 9),
        (("[crew]", 1, "size"), 12),
        (("[crew]", 1, "slug"), 11),
        (("size",), 3),
        (("price",), 0),
        ((), 0),
    ],
)
def test_marks_lead_to_a_line(marks: tuple[str | int, ...], line: int) -> None:
    assert Lines(TEXT).number(marks) == line
    assert Lines("").number(marks) == 0


def test_a_file_without_faults_is_not_refused() -> None:
    file = CardFile("a.toml", {"form": 1})
    file.check_head(1, ())
    file.refuse()
    file.check_head(2, ())
    with pytest.raises(DataError, match=r"^a\.toml: A card file begins with form = 2; this one has form = 1;"):
        file.refuse()


def test_the_plain_form_of_a_file_is_the_readers_own(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(TEXT)
    card_files.standard(path)["box"]["size"] = 9
    assert card_files.standard(path)["box"]["size"] == 3
