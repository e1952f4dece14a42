"""The manual page, made of the parsers: `python -m gonfalon.cli.man > gonfalon.1`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from gonfalon import __version__
from gonfalon.cli.parser import parser


def page() -> str:
    """The page in roff."""
    top = parser()
    lines = [
        f'.TH GONFALON 1 "" "gonfalon {__version__}" "User Commands"',
        ".SH NAME",
        r"gonfalon \- a table for war card games",
        ".SH SYNOPSIS",
        r".B gonfalon",
        r"[COMMAND ...]",
        ".SH DESCRIPTION",
        escaped(top.description or ""),
        ".SH OPTIONS",
        *options(top),
        ".SH COMMANDS",
    ]
    for name, sub in commands(top):
        lines += [f".SS gonfalon {escaped(usage(name, sub))}", escaped(sub.description or ""), *options(sub)]
        if sub.epilog:
            lines += [".PP", escaped(sub.epilog)]
    lines += [
        ".SH EXIT STATUS",
        "0 when all is well, 1 when something was looked at and does not hold, 2 for bad input.",
    ]
    return "\n".join(lines) + "\n"


def commands(top: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command, and below it those that it is made of."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                if not any(isinstance(one, argparse._SubParsersAction) for one in sub._actions):
                    yield f"{before}{name}", sub
                yield from commands(sub, f"{before}{name} ")


def usage(name: str, sub: argparse.ArgumentParser) -> str:
    """Return a command with its required arguments."""
    words = [name]
    for action in sub._actions:
        if not action.option_strings:
            word = shown(action)
            words.append(f"[{word}]" if action.nargs in ("?", "*") else f"{word} ..." if action.nargs == "+" else word)
    return " ".join(words)


def options(sub: argparse.ArgumentParser) -> Iterator[str]:
    """Return the options and arguments of a command with their help."""
    for action in sub._actions:
        if isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)) or not action.help:
            continue
        value = "" if action.nargs == 0 or not action.option_strings else f" {shown(action)}"
        names = ", ".join(action.option_strings) or shown(action)
        yield ".TP"
        yield rf"\fB{escaped(names)}\fR {escaped(value)}".rstrip()
        yield escaped(action.help % {**vars(action), "prog": sub.prog})


def shown(action: argparse.Action) -> str:
    """Return the placeholder of a value."""
    if isinstance(action.metavar, str):
        return action.metavar
    return "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()


def escaped(text: str) -> str:
    """A text that roff takes as it is."""
    plain = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + plain if plain[:1] in (".", "'") else plain


if __name__ == "__main__":
    print(page(), end="")
