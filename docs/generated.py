"""The pages that are made of the code: commands, HTTP, the effect language, the rules."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from gonfalon import cli, games
from gonfalon.check import LAWS, Law
from gonfalon.check.law import build_page
from gonfalon.games.generals.cards import language_page
from gonfalon.web.api.openapi import build_document
from gonfalon.web.lobby.guide_text import guide_text

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
"""Files that pages show, by their address on the site."""
OUTWARD: Final = re.compile(r"\[([^\]]+)\]\((?!#|\w+://)[^)]+\)")
"""A link to a file that is not on the site."""
SHOWN: Final = re.compile(r"^\{\{(film-)?([\w-]+)\}\}$", re.MULTILINE)
"""Where the page of the screens shows one of them, or a film."""


def pages() -> dict[str, str]:
    """The text of each generated page, by its address on the site."""
    found = {
        "reference/commands.md": commands(),
        "reference/http.md": http(),
        "reference/laws.md": laws(),
        "why/screens.md": SHOWN.sub(shown, (ROOT / "docs" / "screens.md").read_text("utf-8")),
        "reference/effects.md": unlinked(language_page.format_page()),
    }
    for law in LAWS:
        found[f"laws/{law.anchor}.md"] = law_page(law)
    for name in sorted(games.names()):
        found[f"rules/{name}.md"] = unlinked(guide_text(games.find_game_class(name)))
    return found


GROUPS: Final = {
    "rules": "Rules and chance",
    "formats": "Copies, files, pages and builds",
    "secrecy": "Secrecy, worlds and displays",
}
"""Titles of the packages of laws."""


def laws() -> str:
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


def law_page(law: Law) -> str:
    """Return the page of a law for the site."""
    tail = (
        f"The example changes [Duel](../learn/game.md), the game of the tutorial. `gonfalon check` prints this law as "
        f"*{law.name}*. [All laws](../reference/laws.md)."
    )
    return f"{build_page(law)}\n\n{tail}\n"


def unlinked(text: str) -> str:
    """A page that lies beside the code; what it links to there is named, and not linked."""
    return OUTWARD.sub(r"\1", text)


def shown(place: re.Match[str]) -> str:
    """A screen by day and a phone by night, and the way to the same in all other windows."""
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


def commands() -> str:
    """Every command with its arguments, as `--help` tells them."""
    lines = [
        "# Commands",
        "",
        "All commands take `--help`. Bad input gets one sentence and exit code 2. This page is made of the program.",
        "",
    ]
    for parser in every(cli.build_parser()):
        lines += [f"## {parser.prog}", "", parser.description or "", "", "```text", parser.format_usage().strip()]
        lines += ["```", ""]
        for action in parser._actions:
            if not isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
                lines.append(f"- `{called(action)}`{told(action)}")
        lines += ["", *([parser.epilog, ""] if parser.epilog else [])]
    return "\n".join(lines)


def every(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser, and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from every(one)


def called(action: argparse.Action) -> str:
    """How an argument is written."""
    value = action.metavar or action.dest.upper()
    if not action.option_strings:
        return str(value)
    return " ".join([", ".join(action.option_strings), *([] if action.nargs == 0 else [str(value)])])


def told(action: argparse.Action) -> str:
    """What an argument does."""
    return f": {action.help.replace('%%', '%')}" if action.help else ""


# ---- HTTP ---------------------------------------------------------------------------------------


def http() -> str:
    """The API as its OpenAPI document describes it."""
    info = DOCUMENT["info"]
    lines = [
        "# HTTP",
        "",
        info.get("description", ""),
        "",
        "A running server serves this description at `/openapi.json`. This page is made of it.",
        "",
    ]
    for address, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "put", "delete"):
                lines += operation_lines(method, address, operation, item.get("parameters", []))
    lines += ["## Forms", ""]
    for name, schema in DOCUMENT["components"]["schemas"].items():
        lines += [f"### {name}", "", schema.get("description", ""), "", *fields(schema), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def operation_lines(method: str, address: str, operation: dict[str, Any], shared: list[dict[str, Any]]) -> list[str]:
    """One operation: what it does, takes and answers."""
    lines = [
        f"## {method.upper()} {address}",
        "",
        operation.get("summary", ""),
        "",
        operation.get("description", ""),
        "",
    ]
    for given in [*shared, *operation.get("parameters", [])]:
        one = resolved(given)
        about = one.get("description", "")
        lines.append(f"- `{one['name']}` (in the {one['in']}){f': {about}' if about else ''}")
    body = operation.get("requestBody")
    if body:
        found = resolved(body)
        lines.append(f"- The body: {content(found)}")
        lines += [
            f"    {line}" for kind in found["content"].values() for line in fields(resolved(kind.get("schema", {})))
        ]
    lines += ["", "| Answer | |", "|---|---|"]
    for code, answer in operation["responses"].items():
        one = resolved(answer)
        lines.append(f"| {code} | {' '.join(one.get('description', '').split())} {content(one)} |")
    return [*lines, ""]


def resolved(item: dict[str, Any]) -> dict[str, Any]:
    """An item itself, where a reference to it stands."""
    found: Any = item
    if "$ref" in item:
        found = DOCUMENT
        for part in item["$ref"].removeprefix("#/").split("/"):
            found = found[part]
    result: dict[str, Any] = found
    return result


def content(item: dict[str, Any]) -> str:
    """The forms of a body."""
    return ", ".join(f"{form(kind.get('schema', {}))} as `{media}`" for media, kind in item.get("content", {}).items())


def fields(schema: dict[str, Any]) -> list[str]:
    """The fields of an object."""
    needed = schema.get("required", [])
    return [
        f"- `{name}`{'' if name in needed else ' (optional)'}: {form(field)}. {field.get('description', '')}".rstrip()
        for name, field in schema.get("properties", {}).items()
    ]


def form(schema: dict[str, Any]) -> str:
    """What kind of value a schema is, in words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(form(one) for one in schema[several])
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(map(str, kind))
    return f"list of {form(schema.get('items') or {})}" if kind == "array" else str(kind)
