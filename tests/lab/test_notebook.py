"""Long studies in parts: they go on where they were broken off, and end when their time is up."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from gonfalon.core.errors import DataError, OptionError
from gonfalon.lab.notebook import Found, Notebook, Part, work_through

STUDY = {"study": "squares", "seed": 3}


def square(folder: Path, n: int) -> Found:
    """Leaves a mark where it has worked."""
    (folder / f"{n}").write_text("done")
    return {"square": n * n}


def parts(folder: Path, count: int) -> list[Part]:
    return [Part(f"square {n}", -n, partial(square, folder, n)) for n in range(count)]


def test_a_study_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    kept, one, other = tmp_path / "kept", tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    heard: list[tuple[str, int, int]] = []
    found = work_through(parts(one, 2), Notebook(kept, STUDY), 1, report=lambda *told: heard.append(told))
    assert list(found.items()) == [("square 0", {"square": 0}), ("square 1", {"square": 1})]
    assert heard == [("square 1", 1, 2), ("square 0", 2, 2)], "what lies first in the study comes first"
    with kept.open("a") as file:
        file.write('["square 2", {"squ')  # the process was ended while it wrote
    found = work_through(parts(other, 4), Notebook(kept, STUDY), 2)
    assert [one["square"] for one in found.values()] == [0, 1, 4, 9]
    assert sorted(file.name for file in other.iterdir()) == ["2", "3"]
    assert list(Notebook(kept, STUDY).found) in (
        ["square 1", "square 0", "square 3", "square 2"],
        ["square 1", "square 0", "square 2", "square 3"],
    )


def test_the_parts_of_another_study_are_not_counted(tmp_path: Path) -> None:
    Notebook(tmp_path / "kept", STUDY)
    for study in (STUDY | {"seed": 4}, {"study": "cubes", "seed": 3}):
        with pytest.raises(OptionError, match="another study"):
            Notebook(tmp_path / "kept", study)
    (tmp_path / "letter").write_text("Dear May")
    with pytest.raises(OptionError, match="or none"):
        Notebook(tmp_path / "letter", STUDY)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    work_through(parts(tmp_path, 2), Notebook(kept, STUDY), 1)
    head, first, second, _ = kept.read_bytes().split(b"\n")
    for damage in (first[:9], b"[1]", b"\xff\xfe", b'["square 0", 3]'):
        kept.write_bytes(b"\n".join([head, second, damage, b""]))
        with pytest.raises(DataError, match="damaged in line 3: take it out, or name another file"):
            Notebook(kept, STUDY)


def test_when_the_time_is_up_no_part_is_begun(tmp_path: Path) -> None:
    assert work_through(parts(tmp_path, 3), Notebook(None, STUDY), 1, seconds=0.0) == {}
    assert list(tmp_path.iterdir()) == []
