"""`gonfalon games`: the installed games."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gonfalon.cli import messages
from gonfalon.cli.arguments import Commands
from gonfalon.core.text.untrusted import print_json, print_text

if TYPE_CHECKING:
    from gonfalon.core.rules.game import Game, Option


def add_games(subparsers: Commands) -> None:
    """Add `games` to the commands."""
    sub = subparsers.add_parser("games", help="list the installed games", description="List the installed games.")
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=run_games)


def run_games(args: argparse.Namespace) -> int:
    """Run `gonfalon games`. Return the exit code."""
    from gonfalon.games import load_games

    faults: list[str] = []
    found = load_games(faults.append).values()
    for fault in faults:
        print_text(messages.BAD_INPUT.format(message=fault), file=sys.stderr)
    if args.json:
        print_json([encode_game(cls) for cls in found], indent=1)
        return 0
    for cls in found:
        seats = " or ".join(str(count) for count in cls.seat_counts)
        print_text(f"{cls.name}: {cls.title} ({seats} seats, rules version {cls.version})")
        if cls.tagline:
            print_text(f"  {cls.tagline}")
        for option in cls.options_spec:
            default = option.default
            if isinstance(default, tuple):
                default = ",".join(str(part) for part in default)
            elif isinstance(default, bool):
                default = "yes" if default else "no"
            shown = "" if default is None else f"; default {default}"
            print_text(f"  --option {option.name}=...  {option.label} ({describe_values(option)}{shown})")
    return 0


def describe_values(option: Option) -> str:
    """Return the valid values of an option in words."""
    if option.choices:
        return ", ".join(str(value).lower() for value, _ in option.choices)
    if option.file:
        return "a file"
    known = {
        "bool": "yes or no",
        "int": f"a number {option.bounds()}".strip(),
        "tuple": "a list",
        "str": "a text",
        "NoneType": "anything",
    }
    kind = type(option.default).__name__
    return known.get(kind, kind)


def encode_game(cls: type[Game]) -> dict[str, object]:
    """Return a game as JSON for `games --json`."""
    return {
        "name": cls.name,
        "title": cls.title,
        "tagline": cls.tagline,
        "version": cls.version,
        "seats": list(cls.seat_counts),
        "options": [
            {
                "name": option.name,
                "label": option.label,
                "help": option.help,
                "default": list(option.default) if isinstance(option.default, tuple) else option.default,
                "choices": [{"value": value, "label": label} for value, label in option.choices],
                "least": option.least,
                "most": option.most,
                "file": option.file,
                "public": option.public,
            }
            for option in cls.options_spec
        ],
    }
