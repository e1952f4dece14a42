"""What became of mutants: the figures, kept in the environment, and a page made of them and of what people judged."""

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
"""The folders of a game that hold its rules."""
VERDICTS: Final = ("equivalent", "missing")
"""Nothing that anybody could see differs; or a test is missing."""


def kept(game: str) -> Path:
    """Return where the figures of a game are kept, for `--alive` and `--judged`."""
    return Path(sys.prefix) / f"mutants-{game}-figures.json"


def read(game: str) -> dict[str, Any]:
    """The figures of a game as they were last written. Raises OSError when there are none."""
    held: dict[str, Any] = json.loads(kept(game).read_text("utf-8"))
    return held


def judged() -> dict[str, dict[str, dict[str, str]]]:
    """For each game and each mutant's id its verdict, and why."""
    return tomllib.loads((FOLDER / JUDGED).read_text("utf-8"))


def write(figures: dict[str, Any]) -> None:
    """Keep a game's figures, and write its page."""
    game = figures["game"]
    kept(game).write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    (FOLDER / f"{game}.md").write_text(page(figures, judged().get(game, {})), "utf-8")


def version(folder: Path) -> str:
    """The version of a game's rules, by its sources: a game that is loaded is no longer changed by a mutant."""
    sources = "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    [found] = re.findall(r'^    version: ClassVar\[str\] = "(\w+)"$', sources, re.MULTILINE)
    return str(found)


def unjudged(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> list[dict[str, Any]]:
    """The survivors of which nobody has said what they are."""
    return [one for one in figures["mutants"] if not one["killed"] and not verdicts.get(one["id"], {}).get("why")]


def summary(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> str:
    """How many mutants were killed, in a sentence."""
    alive = [one for one in figures["mutants"] if not one["killed"]]
    same = sum(verdicts.get(one["id"], {}).get("verdict") == "equivalent" for one in alive)
    killed = len(figures["mutants"]) - len(alive)
    differ = killed + len(alive) - same
    share = f" ({killed / differ:.0%})" if differ else ""
    gone = figures.get("gone", 0)
    more = f" {gone} more can no longer be tried, because the code that they changed is gone."
    return (
        f"{len(figures['mutants'])} mutants: {killed} killed, {same} equivalent, {differ - killed} that no test "
        f"notices. Of those that differ {killed} of {differ} are killed{share}." + more * bool(gone)
    )


def killed_share(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> float:
    """Of the mutants that change what happens how many are killed."""
    alive = [one["id"] for one in figures["mutants"] if not one["killed"]]
    same = sum(verdicts.get(id, {}).get("verdict") == "equivalent" for id in alive)
    return (len(figures["mutants"]) - len(alive)) / (len(figures["mutants"]) - same)


def tried_again(figures: dict[str, Any], ids: set[str], again: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The figures with those of these ids that could be tried again as they came out; the others are gone, because the
    rules have changed there, and are counted."""
    kept = [again.get(one["id"], one) for one in figures["mutants"] if one["id"] in again or one["id"] not in ids]
    gone = len(figures["mutants"]) - len(kept)
    return figures | {"mutants": kept, "gone": figures.get("gone", 0) + gone}


def page(figures: dict[str, Any], verdicts: dict[str, dict[str, str]]) -> str:
    """The page of a game, in Markdown."""
    mutants = figures["mutants"]
    lines = [
        f"# Mutants of {figures['game']}",
        "",
        f"{summary(figures, verdicts)} They were drawn from {figures['places']} places that can be changed, with seed "
        f"{figures['seed']}, on {figures['date']}, from the rules of version {figures['version']}, and each was tried "
        f"on the game's own tests until one failed. [What this is](README.md).",
    ]
    alive = sorted((one for one in mutants if not one["killed"]), key=place)
    if alive:
        lines += ["", "## Alive", "", "| Where | Was | Becomes | Verdict |", "|---|---|---|---|"]
        for one in alive:
            said = verdicts.get(one["id"], {})
            verdict = f"{said['verdict'].capitalize()}: {said['why']}" if said.get("why") else "Not judged yet."
            lines.append(row(one, cell(verdict)))
    lines += ["", "## Killed", "", "| Where | Was | Becomes | By |", "|---|---|---|---|"]
    lines += [row(one, code(one["by"])) for one in sorted(mutants, key=place) if one["killed"]]
    return "\n".join(lines) + "\n"


def place(one: dict[str, Any]) -> tuple[str, int, str]:
    return one["file"], one["line"], one["id"]


def row(one: dict[str, Any], last: str) -> str:
    where = f"{one['file']}:{one['line']}" + (f" `{one['inside']}`" if one["inside"] else "")
    return f"| {where} | {code(one['was'])} | {code(one['becomes'])} | {last} |"


def cell(text: str) -> str:
    return text.replace("|", r"\|")


def code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{cell(text)}{fence}"


def blanks(game: str, mutants: Iterable[dict[str, Any]]) -> str:
    """What is to be filled in for mutants that nobody has judged."""
    return "\n".join(
        f"[{game}.{one['id']}]  # {one['file']}:{one['line']} {one['inside']}: {one['was']} => {one['becomes']}\n"
        f'verdict = "missing"\nwhy = ""\n'
        for one in mutants
    )
