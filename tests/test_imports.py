"""Imported modules: `import gonfalon` and `gonfalon games` start fast because they load little. Benchmarks measure
the time itself, which here would only show how busy the machine is."""

from __future__ import annotations

import subprocess
import sys

WEB = {"anyio", "asyncio", "markdown_it", "minijinja", "sqlalchemy", "starlette", "uvicorn", "websockets"}
SLOW = {"dataclasses", "email", "importlib.metadata", "inspect", "json", "pathlib", "socket", "tomllib"}
OWN = {f"gonfalon.{name}" for name in ("bots", "check", "games.feint", "lab", "table", "terminal", "web")}


def loaded(code: str) -> set[str]:
    """Return the modules that a piece of code loads beyond Python's own start."""
    show = "import sys; print(*sys.modules, file=sys.stderr)"
    runs = [[sys.executable, "-c", f"{before}; {show}"] for before in ("pass", code)]
    bare, full = (subprocess.run(run, capture_output=True, text=True, check=True).stderr.split() for run in runs)
    return set(full) - set(bare)


def test_import_loads_the_core_and_little_else() -> None:
    found = loaded("import gonfalon")
    assert {"gonfalon.core.rules.state", "gonfalon.core.knowledge.worlds"} <= found
    assert found.isdisjoint(WEB | SLOW | OWN)
    assert len(found) < 62


def test_the_list_of_games_loads_games_and_nothing_that_plays_them() -> None:
    found = loaded("import sys; sys.argv[1:] = ['games']; from gonfalon.cli import main; main()")
    assert "gonfalon.games.feint.game" in found
    assert found.isdisjoint(WEB | {"gonfalon.bots", "gonfalon.check", "gonfalon.lab", "gonfalon.table", "gonfalon.web"})


def test_the_version_loads_no_game() -> None:
    found = loaded("import sys; sys.argv[1:] = ['--version']; from gonfalon.cli import main; main()")
    assert "gonfalon.core.build" in found
    assert found.isdisjoint(WEB | OWN)


def test_a_process_in_which_bots_think_loads_no_database_and_no_server() -> None:
    found = loaded("import gonfalon.table.bots.workers")
    assert "gonfalon.bots" in found
    assert found.isdisjoint(WEB)


def test_a_backup_alone_knows_all_tables_of_the_schema() -> None:
    found = loaded("import gonfalon.table.store.backup")
    assert {"gonfalon.table.store.store", "gonfalon.table.store.jobs.study_rows"} <= found
