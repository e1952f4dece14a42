"""The results of mutants, stored in the environment, and a page with the results and their judgments."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "mutants"
JUDGED: Final = "judged.toml"
ROOMS: Final = ("rules", "effects")
"""Folders of a game's rules."""
VERDICTS: Final = ("equivalent", "missing")
"""Judgments of a surviving mutant: it has no observable effect, or a test is missing."""


def results_path(game: str) -> Path:
    """Return the path of a game's stored results, for `--alive` and `--judged`."""
    return Path(sys.prefix) / f"mutants-{game}-figures.json"


def read_results(game: str) -> dict[str, Any]:
    """Return the stored results of a game.

    Raises:
        OSError: There are none.
    """
    held: dict[str, Any] = json.loads(results_path(game).read_text("utf-8"))
    return held


def read_verdicts() -> dict[str, dict[str, dict[str, str]]]:
    """Return the judgment and its reason for each game and mutant."""
    return tomllib.loads((FOLDER / JUDGED).read_text("utf-8"))


def write_page(figures: dict[str, Any]) -> None:
    """Store the results of a game, and write its page."""
    game = figures["game"]
    results_path(game).write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    (FOLDER / f"{game}.md").write_text(format_page(figures, read_verdicts().get(game, {})), "utf-8")


def read_version(folder: Path) -> str:
    """Return the version of a game's rules from its sources, since a loaded game could no longer be mutated."""
    sources = "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    [found] = re.findall(r'^    version: ClassVar\[str\] = "(\w+)"$', sources, re.MULTILINE)
    return str(found)


def list_unjudged(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> list[dict[str, Any]]:
    """Return the survivors without a judgment."""
    return [one for one in figures["mutants"] if not one["killed"] and not verdicts.get(one["id"], {}).get("why")]


def summarize_results(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> str:
    """Return the counts of mutants in a sentence."""
    alive = [one for one in figures["mutants"] if not one["killed"]]
    same = sum(verdicts.get(one["id"], {}).get("verdict") == "equivalent" for one in alive)
    killed = len(figures["mutants"]) - len(alive)
    differ = killed + len(alive) - same
    share = f" ({killed / differ:.0%})" if differ else ""
    gone = figures.get("gone", 0)
    more = f" {gone} more can no longer be tried, because their code no longer exists."
    return (
        f"{len(figures['mutants'])} mutants: {killed} killed, {same} equivalent, {differ - killed} that no test "
        f"notices. Of those that differ {killed} of {differ} are killed{share}." + more * bool(gone)
    )


def killed_share(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> float:
    """Return the killed share of the mutants with an observable effect."""
    alive = [one["id"] for one in figures["mutants"] if not one["killed"]]
    same = sum(verdicts.get(id, {}).get("verdict") == "equivalent" for id in alive)
    return (len(figures["mutants"]) - len(alive)) / (len(figures["mutants"]) - same)


def merge_results(figures: dict[str, Any], ids: set[str], again: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the results with those of repeated mutants replaced.

    Mutants that no longer exist because the rules have changed are only counted.
    """
    kept = [again.get(one["id"], one) for one in figures["mutants"] if one["id"] in again or one["id"] not in ids]
    gone = len(figures["mutants"]) - len(kept)
    return figures | {"mutants": kept, "gone": figures.get("gone", 0) + gone}


def format_page(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> str:
    """Return the Markdown page of a game."""
    mutants = figures["mutants"]
    lines = [
        f"# Mutants of {figures['game']}",
        "",
        f"{summarize_results(figures, verdicts)} They were drawn from {figures['places']} places that can "
        f"be changed, with seed {figures['seed']}, on {figures['date']}, "
        f"from the rules of version {figures['version']}, and each was tried "
        f"on the game's own tests until one failed. [What this is](README.md).",
    ]
    alive = sorted((one for one in mutants if not one["killed"]), key=sort_key)
    if alive:
        lines += ["", "## Alive", "", "| Where | Was | Becomes | Verdict |", "|---|---|---|---|"]
        for one in alive:
            said = verdicts.get(one["id"], {})
            verdict = f"{said['verdict'].capitalize()}: {said['why']}" if said.get("why") else "Not judged yet."
            lines.append(format_row(one, escape_cell(verdict)))
    lines += ["", "## Killed", "", "| Where | Was | Becomes | By |", "|---|---|---|---|"]
    lines += [format_row(one, format_code(one["by"])) for one in sorted(mutants, key=sort_key) if one["killed"]]
    return "\n".join(lines) + "\n"


def sort_key(one: dict[str, Any]) -> tuple[str, int, str]:
    return one["file"], one["line"], one["id"]


def format_row(one: dict[str, Any], last: str) -> str:
    where = f"{one['file']}:{one['line']}" + (f" `{one['inside']}`" if one["inside"] else "")
    return f"| {where} | {format_code(one['was'])} | {format_code(one['becomes'])} | {last} |"


def escape_cell(text: str) -> str:
    return text.replace("|", r"\|")


def format_code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{escape_cell(text)}{fence}"


def format_blanks(game: str, mutants: Iterable[dict[str, Any]]) -> str:
    """Return a template for the judgments of mutants."""
    return "\n".join(
        f"[{game}.{one['id']}]  # {one['file']}:{one['line']} {one['inside']}: {one['was']} => {one['becomes']}\n"
        f'verdict = "missing"\nwhy = ""\n'
        for one in mutants
    )
