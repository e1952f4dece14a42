"""What the lab writes appears whole or not at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import gonfalon.lab
from gonfalon.lab import whole

WRITES = {"write_text", "write_bytes", "write_parquet", "sink_parquet", "open"}
ELSEWHERE = {
    "cluster.py": "nowhere",
    "data.py": "in a folder or beside its name first",
    "notebook.py": "a line is added; one that is not whole is left out",
}


def calls(path: Path) -> Iterator[str]:
    """What a module writes files with."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            yield node.func.attr


def test_nothing_in_the_lab_is_written_in_any_other_way() -> None:
    folder = Path(gonfalon.lab.__file__).parent
    found = {path.name for path in folder.glob("*.py") if set(calls(path))}
    assert found - {"whole.py"} == set(ELSEWHERE)


def test_who_is_ended_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "page.html"
    whole.write(file, "old")
    put = Path.write_bytes

    def half(path: Path, data: bytes) -> int:
        put(path, data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(OSError, match="No space"):
        whole.write(file, "new and long")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("page.html", "old")]
    monkeypatch.undo()
    whole.write(file, "näu")
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [("page.html", "näu")]
