"""The lab writes files completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gonfalon import cli
from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.charts import charts
from gonfalon.lab.data import tables as data
from gonfalon.lab.run import atomic_files
from gonfalon.lab.studies.whatif import whatif


def test_where_nothing_can_be_written_that_is_said_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "import_libraries", lambda: None)
    monkeypatch.setattr(data, "import_polars", lambda: None)
    monkeypatch.setattr(whatif, "compare_variants", None)
    (file := tmp_path / "file").write_text("here")
    (shut := tmp_path / "shut").mkdir(0o500)
    atomic_files.check_file(file)
    atomic_files.check_file(tmp_path / "new")
    atomic_files.check_folder(tmp_path / "new" / "newer")
    atomic_files.check_folder(Path("new"))
    for path, says in ((tmp_path, "is a folder. Name a file in it"), (tmp_path / "none" / "x", "does not exist")):
        with pytest.raises(OptionError, match=says):
            atomic_files.check_file(path)
    for path in (file, file / "under"):
        with pytest.raises(OptionError, match=f"{file} is a file. Name a folder"):
            atomic_files.check_folder(path)
    if os.geteuid():
        with pytest.raises(OptionError, match="not yours"):
            atomic_files.check_folder(shut / "new")
        with pytest.raises(OptionError, match="not yours"):
            atomic_files.check_file(shut / "new")
    change = ["lab", "whatif", "feint", "--set", "patriot.strength=5", "--players", "random"]
    for words, says in (
        (["--keep", str(file)], "is a file. Name a folder"),
        (["--parquet", str(tmp_path)], "is a folder. Name a file in it"),
        (["--html", str(tmp_path)], "is a folder. Name a file in it"),
        (["--pictures", str(file)], "is a file. Name a folder"),
    ):
        assert cli.main([*change, *words]) == cli.BAD_INPUT
        assert says in capsys.readouterr().err
    asked = ["lab", "data", "feint", "--players", "random", "--games", "2", "--out", str(file)]
    assert cli.main(asked) == cli.BAD_INPUT
    assert "is a file. Name a folder" in capsys.readouterr().err


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "page.html"
    atomic_files.write_file(file, "old")
    put = Path.write_bytes

    def half(path: Path, data: bytes) -> int:
        put(path, data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(OSError, match="No space"):
        atomic_files.write_file(file, "new and long")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("page.html", "old")]
    monkeypatch.undo()
    atomic_files.write_file(file, "näu")
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [("page.html", "näu")]
