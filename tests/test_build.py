"""The build hook: it compiles a copy, never fails for want of a compiler, and says what it did."""

from __future__ import annotations

import json
import os
import sys
import sysconfig
import tempfile
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest

import compile_later
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


@pytest.mark.parametrize("version", ["standard", "editable"])
def test_the_manual_page_is_made_of_the_commands(
    hook: BuildHook, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setenv("GONFALON_COMPILE", "no")
    data = built(hook, version)
    ((page, place),) = data["shared_data"].items()
    assert place == "share/man/man1/gonfalon.1"
    text = Path(page).read_text("utf-8")
    assert text.startswith(".TH GONFALON 1")
    assert r".SS gonfalon join LINK" in text
    hook.finalize(version, data, "")
    assert not Path(page).exists()


def test_a_manual_page_that_cannot_be_made_is_no_failure(
    hook: BuildHook, app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GONFALON_COMPILE", "no")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert "shared_data" not in built(hook)
    assert "without its manual page" in app.lines[0]


def test_it_can_be_forbidden_and_demanded(hook: BuildHook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GONFALON_COMPILE", "no")
    assert "GONFALON_COMPILE=no" in built(hook)["note"]["why"]
    assert hook.dependencies() == []
    monkeypatch.setenv("GONFALON_COMPILE", "must")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PlainError, match="no C compiler"):
        built(hook)


def test_what_is_kept_is_taken_and_nothing_is_compiled(
    hook: BuildHook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if hatch_build.c_compiler() is None or not Path(sysconfig.get_path("include"), "Python.h").exists():
        pytest.skip("there is no C compiler here")
    monkeypatch.setenv("GONFALON_COMPILE", "kept")
    monkeypatch.setenv("GONFALON_BUILD_CACHE", str(tmp_path / "cache"))
    assert built(hook)["note"] == {"compiled": 0, "why": hatch_build.NOT_YET}
    assert hook.dependencies() == []
    made = tmp_path / "lib"
    made.mkdir()
    (made / "cards.so").touch()
    monkeypatch.setattr(hatch_build, "cached", lambda package, way: made)
    assert "cards.so" in built(hook)["files"]


C_CODE = """
static PyTypeObject CPyType_a___b___Box_template_ = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "Box",
    .tp_doc = PyDoc_STR("Box(size)\\n--\\n\\n"),
};
static PyTypeObject CPyType_a___b___Silent_template_ = {
    .tp_doc = PyDoc_STR("Silent()\\n--\\n\\n"),
};
{"open", (PyCFunction)CPyPy_a___b___Box___open,
 METH_FASTCALL | METH_KEYWORDS, PyDoc_STR("open($self, how=\\"wide\\")\\n--\\n\\n")},
{"f", (PyCFunction)CPyPy_a___b___f, METH_FASTCALL | METH_KEYWORDS, NULL},
{"full", (getter)a___b___Box_get_full, NULL, NULL, NULL},
{"size",
 (getter)a___b___Box_get_size, (setter)a___b___Box_set_size,
 NULL, NULL},
"""


def test_docstrings_are_put_behind_the_signatures() -> None:
    found = {"a.b.Box": 'A "box" \\ – of\ncards.', "a.b.Box.open": "Open it.", "a.b.f": "Nowhere to be put."}
    found["a.b.Box.full"] = "A property."
    words = r"A \042box\042 \134 \342\200\223 of\012cards."
    expected = C_CODE.replace(r"Box(size)\n--\n\n", r"Box(size)\n--\n\n" + words)
    expected = expected.replace(r"wide\")\n--\n\n", r"wide\")\n--\n\nOpen it.")
    expected = expected.replace("get_full, NULL, NULL", 'get_full, NULL, PyDoc_STR("A property.")')
    assert hatch_build.keep_docstrings(C_CODE, found) == expected


def test_docstrings_are_found_by_full_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").mkdir()
    Path("a/b.py").write_text('class Box:\n    """A box."""\n\n    def open(self):\n        """Open\n        it."""\n')
    assert hatch_build.docstrings(["a/b.py"]) == {"a.b.Box": "A box.", "a.b.Box.open": "Open\nit."}


@pytest.fixture
def stamp(tmp_path: Path) -> Path:
    path = tmp_path / ".play"
    path.touch()
    return path


def test_compiling_later_lets_the_next_start_install(stamp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "nice", lambda by: by)
    monkeypatch.setattr(compile_later, "fill_cache", lambda: None)
    compile_later.now(stamp)
    assert not stamp.exists()


def test_compiling_later_tries_a_failure_once(
    stamp: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise PlainError("out of ink")

    monkeypatch.setattr(os, "nice", lambda by: by)
    monkeypatch.setattr(compile_later, "fill_cache", fails)
    monkeypatch.setattr(hatch_build, "can_compile", lambda: "cc")
    monkeypatch.setattr(build, "build", lambda: "plain")
    monkeypatch.setattr(build, "why_plain", lambda: hatch_build.NOT_YET)
    assert compile_later.is_waiting(stamp)
    compile_later.now(stamp)
    assert stamp.exists()
    assert not compile_later.is_waiting(stamp)
    assert "Compiling the rules failed" in capsys.readouterr().out
    failed = compile_later.beside(stamp, "failed").stat()
    os.utime(stamp, (failed.st_atime, failed.st_mtime + 1))  # installed anew since: other sources
    assert compile_later.is_waiting(stamp)


def test_nothing_is_compiled_later_where_it_cannot_be(stamp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", lambda: "plain")
    monkeypatch.setattr(build, "why_plain", lambda: "no C compiler was found when it was installed")
    assert not compile_later.is_waiting(stamp)
    monkeypatch.setattr(build, "build", lambda: "compiled")
    assert not compile_later.is_waiting(stamp)


def test_the_wheel_carries_the_licences_of_what_it_ships() -> None:
    carried = set(metadata("gonfalon").get_all("License-File") or [])
    texts = {f"LICENSES/{path.name}" for path in (ROOT / "LICENSES").iterdir()}
    assert carried == {"LICENSE", *texts}
    static = ROOT / "src" / "gonfalon" / "web" / "static"
    named = " ".join(sorted(texts)).lower()
    vendored = [path for path in (static / "vendor").rglob("*") if path.is_file() and path.name != "README.md"]
    for path in vendored:
        assert path.name.split(".")[0].lower() in named, f"{path.name} comes without its licence"
    assert "game-icons" in named  # icons.svg
    assert "mypyc" in named  # its run time is compiled into the extensions


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
