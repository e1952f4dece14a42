"""The scripts of a page as one: each module once, after those that it imports, and its names to itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.web.http.bundle import bundle_scripts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "ground": 'export const height = 3;\nexport function deep() { return "from"; }',
        "wall": 'import { height as high } from "./ground.js";\nexport async function wall() { return high; }',
        "gate": 'import { deep, height } from "./ground.js";\nimport { wall } from "./wall.js";\nwall(deep, height);',
        "later": 'const ring = () => import("./bell.js");\nring();',
        "odd": "export default 3;",
        "other": 'import gate from "./gate.js";',
    }.items():
        (tmp_path / f"{name}.js").write_text(text + "\n", "utf-8")
    return tmp_path


def test_each_module_comes_once_and_after_those_that_it_imports(folder: Path) -> None:
    script = bundle_scripts(folder, ["gate", "wall"])
    assert [script.count(f"const ${name} =") for name in ("ground", "wall", "gate")] == [1, 1, 1]
    assert script.index("const $ground =") < script.index("const $wall =") < script.index("const $gate =")
    assert "const { height: high } = $ground;" in script
    assert "return { height, deep };" in script
    assert "import" not in script
    assert "export" not in script


def test_scripts_needed_later_stay_separate(folder: Path) -> None:
    script = bundle_scripts(folder, ["later"])
    assert 'import("./bell.js")' in script
    assert "$bell" not in script


@pytest.mark.parametrize("name", ["odd", "other"])
def test_a_form_that_it_does_not_know_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(KeyError, match=name):
        bundle_scripts(folder, [name])
