"""Pages that are generated from the code: commands, HTTP, laws, tasks, the effect language, the rules."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from docs import language_page
from gonfalon import cli, games
from gonfalon.bridges.tasks import TASKS, make_task
from gonfalon.check import LAWS, Law
from gonfalon.check.law import build_page
from gonfalon.core.arrays.guide_text import format_table, guide_text, observation_rows
from gonfalon.web.api.openapi import build_document
from tools import curves

ROOT: Final = Path(__file__).resolve().parents[1]
DOCUMENT: Final[dict[str, Any]] = build_document([games.find_game_class(name) for name in games.names()])
SOURCE: Final = ROOT / "src" / "gonfalon"
SCREENS: Final = ROOT / "docs" / "pictures" / "screens"
PICTURES: Final = {
    "mark.svg": SOURCE / "web" / "static" / "mark.svg",
    **{f"pictures/{path.name}": path for path in sorted((ROOT / "docs" / "pictures").glob("*.svg"))},
    **{f"pictures/terminal/{path.name}": path for path in sorted((SCREENS.parent / "terminal").glob("*.svg"))},
    **{f"pictures/screens/{path.name}": path for path in sorted(SCREENS.glob("*.webp"))},
}
"""Pictures on pages, by their addresses on the site."""
OUTWARD: Final = re.compile(r"\[([^\]]+)\]\((?!#|\w+://)[^)]+\)")
"""A link to a file that is not on the site."""
SHOWN: Final = re.compile(r"^\{\{(film-)?([\w-]+)\}\}$", re.MULTILINE)
"""Place of a screen, or of a film, on the page of screens."""


def pages() -> dict[str, str]:
    """The text of each generated page, by its address on the site."""
    found = {
        "reference/commands.md": build_commands_page(),
        "reference/http.md": build_http_page(),
        "reference/laws.md": build_laws_index(),
        "reference/tasks.md": build_tasks_page(),
        "why/screens.md": SHOWN.sub(show_screen, (ROOT / "docs" / "screens.md").read_text("utf-8")),
        "reference/effects.md": remove_links(language_page.format_page()),
    }
    for law in LAWS:
        found[f"laws/{law.anchor}.md"] = build_law_page(law)
    for name in sorted(games.names()):
        found[f"rules/{name}.md"] = remove_links(guide_text(games.find_game_class(name)))
    return found


def build_tasks_page() -> str:
    """Return the page of the named tasks with the parts of their observations and their known scores."""
    lines = [(ROOT / "docs" / "pages" / "reference" / "tasks.md").read_text("utf-8")]
    if curves.PICTURE.exists():
        lines += ["![Learning curves](../pictures/curves.svg)", ""]
    for name, task in sorted(TASKS.items()):
        game = make_task(name)
        lines += [
            f"## {name.split('/')[1]}",
            "",
            f"{task.about} [Rules of {game.title}](../rules/{task.game}.md), version {game.version}.",
            "",
            *build_scores(name),
            "Parts of an observation, in their order:",
            "",
            format_table(observation_rows(game)),
            "",
        ]
    return "\n".join(lines)


def build_scores(name: str) -> list[str]:
    """Return the table of the measured scores of a task: levels, networks after their training, and weights."""
    rows = [
        (f"{row['level']}, {row['deals']} deals", row["opponent"], float(row["score"]), float(row["half"]), "")
        for row in curves.read(curves.LEVELS)
        if row["task"] == name
    ]
    points = [point for point in curves.list_points() if point.task == name]
    changes = {(c.method, c.opponent): format_share(c.mean, c.half) for c in curves.list_changes() if c.task == name}
    for method in dict.fromkeys(point.method for point in points):
        own = [point for point in points if point.method == method]
        last = max(point.decisions for point in own)
        for at, label in ((0, "untrained"), (last, f"{last:,} decisions")):
            rows += [
                (f"{method}, {label}", p.opponent, p.mean, p.half, changes.get((method, p.opponent), "") if at else "")
                for p in own
                if p.decisions == at
            ]
    rows += [
        (f"`{row['file']}`, {row['games']} games", row["opponent"], float(row["score"]), float(row["half"]), "")
        for row in curves.read(curves.PLAYED)
        if row["task"] == name
    ]
    if not rows:
        return []
    head = ["| Player | against | score, % | last change |", "|---|---|---:|---:|"]
    return [*head, *(f"| {who} | {other} | {format_share(m, h)} | {change} |" for who, other, m, h, change in rows), ""]


def format_share(mean: float, half: float) -> str:
    """Return a share with its interval in percent."""
    return f"{100 * mean:.1f} ± {100 * half:.1f}"


GROUPS: Final = {
    "rules": "Rules and chance",
    "formats": "Copies, files, pages and builds",
    "secrecy": "Secrecy, worlds and displays",
}
"""Titles of the packages of laws."""


def build_laws_index() -> str:
    """Return the index of the kit's laws."""
    lines = [
        "# Laws of the kit",
        "",
        "`gonfalon check GAME` tests these laws. Each page explains a law, shows a wrong game that breaks it, and "
        "gives the cure. `gonfalon check --explain LAW` prints the page in the terminal.",
        "",
    ]
    for group, title in GROUPS.items():
        lines += [f"## {title}", ""]
        lines += [
            f"- [{law.name[0].upper()}{law.name[1:]}](../laws/{law.anchor}.md): {law.sections[0]}"
            for law in LAWS
            if group in law.check.__module__.split(".")
        ]
        lines.append("")
    return "\n".join(lines)


def build_law_page(law: Law) -> str:
    """Return the page of a law for the site."""
    tail = (
        f"The example changes [Duel](../learn/game.md), the game of the tutorial. `gonfalon check` prints this law as "
        f"*{law.name}*. [All laws](../reference/laws.md)."
    )
    return f"{build_page(law)}\n\n{tail}\n"


def remove_links(text: str) -> str:
    """Return a page without its links to files that are not on the site."""
    return OUTWARD.sub(r"\1", text)


def show_screen(place: re.Match[str]) -> str:
    """Return a screen in light colors, a phone in dark ones, and links to all other sizes."""
    film, name = place.groups()
    at = "../pictures/screens/"
    if film:
        return "\n\n".join(
            f"![{name} at {width}]({at}film-{name}-{width}.webp){{ loading=lazy }}" for width in (1280, 390)
        )
    pictures = (("1280-light", 490), ("390-dark", 180))
    looks = [f"![{name} at {look}]({at}{name}-{look}.webp){{ width={width} loading=lazy }}" for look, width in pictures]
    links = [
        f"{size} " + " ".join(f"[{look}]({at}{name}-{size}-{look}.webp)" for look in ("light", "dark"))
        for size in ("1280", "1920", "390", "360")
    ]
    return " ".join(looks) + "\n\n" + " · ".join(links)


# ---- commands -----------------------------------------------------------------------------------


def build_commands_page() -> str:
    """Return the page of all commands with their arguments."""
    lines = [
        "# Commands",
        "",
        "All commands take `--help`. Bad input gets one sentence and exit code 2. The page is generated.",
        "",
    ]
    for parser in list_parsers(cli.build_parser()):
        lines += [f"## {parser.prog}", "", parser.description or "", "", "```text", parser.format_usage().strip()]
        lines += ["```", ""]
        for action in parser._actions:
            if not isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
                lines.append(f"- `{format_argument(action)}`{format_help(action)}")
        lines += ["", *([parser.epilog, ""] if parser.epilog else [])]
    return "\n".join(lines)


def list_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from list_parsers(one)


def format_argument(action: argparse.Action) -> str:
    """Return an argument as it is written."""
    value = action.metavar or action.dest.upper()
    if not action.option_strings:
        return str(value)
    return " ".join([", ".join(action.option_strings), *([] if action.nargs == 0 else [str(value)])])


def format_help(action: argparse.Action) -> str:
    """Return the help of an argument, after a colon; empty without one."""
    return f": {action.help.replace('%%', '%')}" if action.help else ""


# ---- HTTP ---------------------------------------------------------------------------------------


def build_http_page() -> str:
    """Return the page of the HTTP interface, from its OpenAPI document."""
    info = DOCUMENT["info"]
    lines = [
        "# HTTP",
        "",
        info.get("description", ""),
        "",
        "A running server serves this description at `/openapi.json`. This page is generated from it.",
        "",
    ]
    for address, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "put", "delete"):
                lines += format_operation(method, address, operation, item.get("parameters", []))
    lines += ["## Forms", ""]
    for name, schema in DOCUMENT["components"]["schemas"].items():
        lines += [f"### {name}", "", schema.get("description", ""), "", *format_fields(schema), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def format_operation(method: str, address: str, operation: dict[str, Any], shared: list[dict[str, Any]]) -> list[str]:
    """Return the lines of an operation: its purpose, parameters, body and answers."""
    lines = [
        f"## {method.upper()} {address}",
        "",
        operation.get("summary", ""),
        "",
        operation.get("description", ""),
        "",
    ]
    for given in [*shared, *operation.get("parameters", [])]:
        one = resolve(given)
        about = one.get("description", "")
        lines.append(f"- `{one['name']}` (in the {one['in']}){f': {about}' if about else ''}")
    body = operation.get("requestBody")
    if body:
        found = resolve(body)
        lines.append(f"- The body: {format_content(found)}")
        lines += [
            f"    {line}"
            for kind in found["content"].values()
            for line in format_fields(resolve(kind.get("schema", {})))
        ]
    lines += ["", "| Answer | |", "|---|---|"]
    for code, answer in operation["responses"].items():
        one = resolve(answer)
        lines.append(f"| {code} | {' '.join(one.get('description', '').split())} {format_content(one)} |")
    return [*lines, ""]


def resolve(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item of the document, or the one that it refers to."""
    found: Any = item
    if "$ref" in item:
        found = DOCUMENT
        for part in item["$ref"].removeprefix("#/").split("/"):
            found = found[part]
    result: dict[str, Any] = found
    return result


def format_content(item: dict[str, Any]) -> str:
    """Return the schemas of a body, each with its media type."""
    return ", ".join(
        f"{format_schema(kind.get('schema', {}))} as `{media}`" for media, kind in item.get("content", {}).items()
    )


def format_fields(schema: dict[str, Any]) -> list[str]:
    """Return a line for each field of an object."""
    needed = schema.get("required", [])
    return [
        f"- `{name}`{'' if name in needed else ' (optional)'}: "
        f"{format_schema(field)}. {field.get('description', '')}".rstrip()
        for name, field in schema.get("properties", {}).items()
    ]


def format_schema(schema: dict[str, Any]) -> str:
    """Return the type of a schema in words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(format_schema(one) for one in schema[several])
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(map(str, kind))
    return f"list of {format_schema(schema.get('items') or {})}" if kind == "array" else str(kind)
