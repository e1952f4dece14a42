"""The build hook: it compiles a copy, never fails for want of a compiler, and says what it did."""

from __future__ import annotations

import json
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from gonfalon.core import build
from hatch_build import BuildHook, PlainError

ROOT = Path(__file__).resolve().parents[1]
UNITS = {"rules": ["core/cards.py", "core/rng.py"], "players": ["bots/budget.py"]}


class App:
    """Hatchling's side of the hook: what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def display_warning(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def hook(app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> BuildHook:
    for name in ("GONFALON_COMPILE", "GONFALON_BUILD_CACHE", "CC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    unused: Any = None
    return BuildHook(str(ROOT), {"units": UNITS}, unused, unused, "", "wheel", app)  # type: ignore[arg-type]


def built(hook: BuildHook, version: str = "standard") -> dict[str, Any]:
    """What the hook adds to a wheel: `files` by their names in it."""
    data: dict[str, Any] = {"force_include": {}, "pure_python": True, "infer_tag": False}
    hook.initialize(version, data)
    data["files"] = {name: Path(path) for path, name in data["force_include"].items()}
    if "gonfalon/build.json" in data["files"]:
        data["note"] = json.loads(data["files"]["gonfalon/build.json"].read_text())
    return data


def test_it_compiles_a_copy(hook: BuildHook, monkeypatch: pytest.MonkeyPatch) -> None:
    if hatch_build.c_compiler() is None or not Path(sysconfig.get_path("include"), "Python.h").exists():
        pytest.skip("there is no C compiler here")
    monkeypatch.setenv("GONFALON_OPTIMIZE", "0")
    before = sorted(path for path in (ROOT / "src").rglob("*") if "__pycache__" not in path.parts)
    data = built(hook)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    assert set(data["files"]) == {
        f"gonfalon/core/cards{suffix}",
        f"gonfalon/core/rng{suffix}",
        f"gonfalon/bots/budget{suffix}",
        f"gonfalon_rules__mypyc{suffix}",
        f"gonfalon_players__mypyc{suffix}",
        "gonfalon/build.json",
    }
    assert data["note"] == {"compiled": 3, "why": ""}
    assert (data["pure_python"], data["infer_tag"]) == (False, True)
    assert sorted(path for path in (ROOT / "src").rglob("*") if "__pycache__" not in path.parts) == before
    hook.finalize("standard", data, "")
    assert not any(path.exists() for path in data["files"].values())


def test_without_a_compiler_it_is_plain_and_says_so(
    hook: BuildHook, app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    data = built(hook)
    assert list(data["files"]) == ["gonfalon/build.json"]
    assert data["note"] == {"compiled": 0, "why": "no C compiler was found when it was installed"}
    assert data["pure_python"]
    assert app.lines == ["Gonfalon is built as plain Python: no C compiler was found when it was installed."]
    assert hook.dependencies() == []


def test_a_compiler_that_fails_is_no_failure(
    hook: BuildHook, app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho out of ink >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    data = built(hook)
    assert data["note"]["compiled"] == 0
    assert "failed" in data["note"]["why"]
    assert data["pure_python"]
    assert len(app.lines) == 1
    assert "out of ink" in capsys.readouterr().err


def test_it_can_be_forbidden_and_demanded(hook: BuildHook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GONFALON_COMPILE", "no")
    assert "GONFALON_COMPILE=no" in built(hook)["note"]["why"]
    assert hook.dependencies() == []
    monkeypatch.setenv("GONFALON_COMPILE", "must")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PlainError, match="no C compiler"):
        built(hook)


def test_an_editable_install_is_plain(hook: BuildHook) -> None:
    assert built(hook, "editable")["files"] == {}


def test_the_cache_knows_the_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GONFALON_BUILD_CACHE", str(tmp_path / "cache"))
    package = tmp_path / "gonfalon"
    for name in ("core/rng.py", "games/feint/kinds.py", "web/app.py"):
        (package / name).parent.mkdir(parents=True)
        (package / name).write_text("one = 1\n")

    def place() -> Path | None:
        return hatch_build.cached(package, "mypy 1 cc")

    first = place()
    assert first is not None
    assert first.parent == tmp_path / "cache"
    (package / "web/app.py").write_text("two = 2\n")
    assert place() == first
    (package / "games/feint/kinds.py").write_text("two = 2\n")
    assert place() != first


def test_the_cache_keeps_the_newest(tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    lib.mkdir()
    (lib / "rng.so").write_text("")
    for number in range(hatch_build.KEPT + 2):
        hatch_build.keep(lib, tmp_path / "cache" / str(number))
    kept = {path.name for path in (tmp_path / "cache").iterdir()}
    assert len(kept) == hatch_build.KEPT
    assert str(hatch_build.KEPT + 1) in kept


def test_the_note_is_read_back(tmp_path: Path) -> None:
    note = tmp_path / "build.json"
    assert build.why_plain(note) == "it runs from its sources"
    note.write_text("[]")
    assert build.why_plain(note) == "it runs from its sources"
    note.write_text('{"compiled": 0, "why": "no C compiler was found when it was installed"}')
    assert build.why_plain(note) == "no C compiler was found when it was installed"


def test_the_build_is_that_of_the_loaded_modules() -> None:
    compiled = build.compiled_modules()
    assert (build.build() == "compiled") == ("gonfalon.core.state" in compiled)
    assert all(sys.modules[name].__file__ for name in compiled)
