"""No test reads the home, the caches or the settings of its user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from gonfalon.core.folders import locate_data, locate_state

SCRIPT = """
import json, os
import tests.isolation
print(json.dumps(dict(os.environ)))
"""


def test_folders_of_the_suite_lie_in_an_empty_home() -> None:
    assert Path(os.environ["HOME"]).name.startswith("gonfalon-home-")
    assert locate_data().is_relative_to(Path.home())
    assert locate_state().is_relative_to(Path.home())
    assert not (Path.home() / ".ray").exists()


def test_settings_of_a_person_do_not_reach_the_tests(tmp_path: Path) -> None:
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("0" * 32)
    settings = {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "RAY_AUTH_TOKEN": "0" * 32,
        "RAY_ADDRESS": "192.0.2.1:6379",
        "GONFALON_DOCS": str(tmp_path),
        "PGHOST": "192.0.2.1",
        "http_proxy": "http://192.0.2.1:8080",
        "NO_COLOR": "1",
        "COLUMNS": "6",
        "LC_ALL": "tr_TR.UTF-8",
    }
    command = [sys.executable, "-c", SCRIPT]
    root = Path(__file__).resolve().parents[1]
    found = json.loads(subprocess.check_output(command, env=os.environ | settings, cwd=root, text=True))
    left = {name: found[name] for name in settings if name in found}
    assert list(left) == ["HOME"]
    assert left["HOME"] != str(tmp_path)
    assert found["PATH"] == os.environ["PATH"]
