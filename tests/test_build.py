"""The build hooks, the running build, and the metadata of the distribution."""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml

import gonfalon
import hatch_build
from gonfalon.core import build
from hatch_build import BuildHook, MetadataHook

ROOT = Path(__file__).resolve().parents[1]
UNITS = {"rules": ["core/basics/cards.py", "core/basics/rng.py"], "players": ["bots/players/budget.py"]}


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> BuildHook:
    """A hook in its own folder, which holds only the sources."""
    monkeypatch.delenv("GONFALON_COMPILE", raising=False)
    (tmp_path / "src").symlink_to(ROOT / "src")
    (tmp_path / "dist").mkdir()
    unused: Any = None
    return BuildHook(str(tmp_path), {"units": UNITS}, unused, unused, str(tmp_path / "dist"), "wheel")


def add_to_wheel(hook: BuildHook, version: str = "standard") -> dict[str, Any]:
    """Return the data that the hook adds to a wheel."""
    data: dict[str, Any] = {"force_include": {}, "shared_data": {}, "pure_python": True, "infer_tag": False}
    hook.initialize(version, data)
    return data


def test_nothing_is_compiled_unless_asked(hook: BuildHook, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hook.dependencies() == []
    data = add_to_wheel(hook)
    assert (data["force_include"], data["pure_python"], data["infer_tag"]) == ({}, True, False)
    monkeypatch.setenv("GONFALON_COMPILE", "1")
    assert hook.dependencies() == hatch_build.COMPILER
    assert add_to_wheel(hook, "editable")["force_include"] == {}


@pytest.mark.extended
def test_it_compiles_outside_of_the_sources(hook: BuildHook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if shutil.which("cc") is None or not Path(sysconfig.get_path("include"), "Python.h").exists():
        pytest.skip("there is no C compiler here")
    monkeypatch.setenv("GONFALON_COMPILE", "1")
    monkeypatch.setenv("GONFALON_OPTIMIZE", "0")
    before = sorted(path for path in (ROOT / "src").rglob("*") if "__pycache__" not in path.parts)
    data = add_to_wheel(hook)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    assert set(data["force_include"].values()) == {
        f"gonfalon/core/basics/cards{suffix}",
        f"gonfalon/core/basics/rng{suffix}",
        f"gonfalon/bots/players/budget{suffix}",
        f"gonfalon_rules__mypyc{suffix}",
        f"gonfalon_players__mypyc{suffix}",
    }
    assert all(Path(path).is_relative_to(tmp_path / "build") for path in data["force_include"])
    assert (data["pure_python"], data["infer_tag"]) == (False, True)
    assert sorted(path for path in (ROOT / "src").rglob("*") if "__pycache__" not in path.parts) == before


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


def test_docstrings_are_inserted_behind_the_signatures() -> None:
    docstrings = {"a___b___Box": 'A "\\" –\nB', "a___b___Box___open": "Open", "a___b___f": "Has no place"}
    docstrings["a___b___Box___full"] = "Property"
    words = r"A\040\042\134\042\040\342\200\223\012B"
    expected = C_CODE.replace(r"Box(size)\n--\n\n", r"Box(size)\n--\n\n" + words)
    expected = expected.replace(r"wide\")\n--\n\n", r"wide\")\n--\n\nOpen")
    expected = expected.replace("get_full, NULL, NULL", 'get_full, NULL, PyDoc_STR("Property")')
    assert hatch_build.insert_docstrings(C_CODE, docstrings) == expected


def test_docstrings_are_found_by_full_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").mkdir()
    Path("a/b.py").write_text('class Box:\n    """A box."""\n\n    def open(self):\n        """Open\n        it."""\n')
    assert hatch_build.find_docstrings(["a/b.py"]) == {"a___b___Box": "A box.", "a___b___Box___open": "Open\nit."}


def test_the_description_on_an_index_page_needs_no_file_of_the_checkout() -> None:
    data: dict[str, Any] = {}
    MetadataHook(str(ROOT), {}).update(data)
    text = data["readme"]["text"]
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert targets
    assert [target for target in targets if not target.startswith("https://")] == []
    assert "| Feint: five Locations with the cards at them |" in text


def test_the_wheel_carries_the_licences_of_its_contents() -> None:
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


def test_the_citation_names_this_version_and_license() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == gonfalon.__version__
    # The required entries of version 1.2.0 of the format, and the others that we use.
    assert citation["cff-version"] == "1.2.0"
    assert citation.keys() >= {"authors", "message", "title"}
    assert citation.keys() - {"abstract", "authors", "keywords", "license", "message", "title", "type"} == {
        "cff-version",
        "version",
    }
    assert citation["type"] == "software"
    assert all(author.keys() == {"name"} for author in citation["authors"])
    assert " AND ".join(citation["license"]) == metadata("gonfalon")["License-Expression"]


def test_the_build_is_that_of_the_loaded_modules() -> None:
    compiled = build.compiled_modules()
    assert (build.find_build() == "compiled") == ("gonfalon.core.rules.state" in compiled)
    assert all(sys.modules[name].__file__ for name in compiled)
