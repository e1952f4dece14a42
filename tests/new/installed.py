"""A game package created and installed like with pip."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from gonfalon.cli.new import lay_out


def new_game(name: str, where: Path) -> Path:
    """Create and install a new game. Return its folder."""
    lay_out(name, where)
    install(where, name)
    return where / name


def install(where: Path, name: str) -> None:
    """Write an installer's dist-info into `where`."""
    project = tomllib.loads((where / name / "pyproject.toml").read_text("utf-8"))["project"]
    info = where / f"{name}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {project['version']}\n", "utf-8")
    [(group, points)] = project["entry-points"].items()
    lines = [f"[{group}]", *(f"{key} = {target}" for key, target in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")


def surroundings(where: Path, name: str) -> dict[str, str]:
    """Return an environment in which the game can be imported."""
    paths = [where, where / name, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "COLUMNS": "80", "NO_COLOR": "1"}


def run(arguments: list[str], environment: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python command and return its output."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
