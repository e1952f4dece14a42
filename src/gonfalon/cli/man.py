"""The manual page, made from the parsers: `python -m gonfalon.cli.man > gonfalon.1`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from gonfalon import __version__
from gonfalon.cli.parser import build_parser


def build_page() -> str:
    """Return the page in roff."""
    top = build_parser()
    lines = [
        f'.TH GONFALON 1 "" "gonfalon {__version__}" "User Commands"',
        ".SH NAME",
        r"gonfalon \- a table for war card games",
        ".SH SYNOPSIS",
        r".B gonfalon",
        r"[COMMAND ...]",
        ".SH DESCRIPTION",
        escape_roff(top.description or ""),
        ".SH OPTIONS",
        *format_options(top),
        ".SH COMMANDS",
    ]
    for name, sub in list_commands(top):
        lines += [
            f".SS gonfalon {escape_roff(format_usage(name, sub))}",
            escape_roff(sub.description or ""),
            *format_options(sub),
        ]
        if sub.epilog:
            lines += [".PP", escape_roff(sub.epilog)]
    lines += [
        ".SH EXIT STATUS",
        "0 for success, 1 if a check fails, 2 for bad input.",
    ]
    return "\n".join(lines) + "\n"


def list_commands(top: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command with its parser, subcommands included."""
    # argparse has no public list of its actions.
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                if not any(isinstance(one, argparse._SubParsersAction) for one in sub._actions):
                    yield f"{before}{name}", sub
                yield from list_commands(sub, f"{before}{name} ")


def format_usage(name: str, sub: argparse.ArgumentParser) -> str:
    """Return a command with its required arguments."""
    words = [name]
    for action in sub._actions:
        if not action.option_strings:
            word = format_placeholder(action)
            words.append(f"[{word}]" if action.nargs in ("?", "*") else f"{word} ..." if action.nargs == "+" else word)
    return " ".join(words)


def format_options(sub: argparse.ArgumentParser) -> Iterator[str]:
    """Return the options and arguments of a command with their help."""
    for action in sub._actions:
        if isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)) or not action.help:
            continue
        value = "" if action.nargs == 0 or not action.option_strings else f" {format_placeholder(action)}"
        names = ", ".join(action.option_strings) or format_placeholder(action)
        yield ".TP"
        yield rf"\fB{escape_roff(names)}\fR {escape_roff(value)}".rstrip()
        # argparse fills in placeholders such as %(default)s in the same way.
        yield escape_roff(action.help % {**vars(action), "prog": sub.prog})


def format_placeholder(action: argparse.Action) -> str:
    """Return the placeholder of a value."""
    if isinstance(action.metavar, str):
        return action.metavar
    return "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()


def escape_roff(text: str) -> str:
    """Return a text that roff prints unchanged."""
    plain = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    # A dot or quote at the beginning of a line would be a request of roff.
    return r"\&" + plain if plain[:1] in (".", "'") else plain


if __name__ == "__main__":
    print(build_page(), end="")
