"""Faults in the code of a game's author, as one sentence with the file and the line."""

from __future__ import annotations

import os
from collections.abc import Collection
from types import FrameType


def describe_exception(error: BaseException, packages: Collection[str]) -> str:
    """Return the type and the text of an exception, with its place in an author's code, in one line.

    Args:
        error: The exception.
        packages: The top-level packages of the authors' code.
    """
    text, place = " ".join(str(error).split()), find_place(error, packages)
    if isinstance(error, SyntaxError):
        text, place = error.msg, format_place(error.filename or "", error.lineno or 0)
    elif isinstance(error, NotImplementedError) and not text:
        frame = list_frames(error)[-1][0]
        text = f"{find_owner(frame).__name__} does not define {frame.f_code.co_name}"
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return f"{said} ({place})" if place else said


def find_place(error: BaseException, packages: Collection[str]) -> str:
    """Return the file and the line of the innermost call in one of these packages, or of a class in them that lacks the
    called method; empty if there is none."""
    frames = list_frames(error)
    for frame, line in reversed(frames):
        if is_in(str(frame.f_globals.get("__name__")), packages):
            return format_place(frame.f_code.co_filename, line)
    owner = find_owner(frames[-1][0]) if frames else object
    lacks_method = isinstance(error, NotImplementedError) and is_in(owner.__module__, packages)
    return find_definition(owner) if lacks_method else ""


def is_in(module: str, packages: Collection[str]) -> bool:
    """Return whether a module belongs to one of these top-level packages."""
    return module.partition(".")[0] in packages


def list_frames(error: BaseException) -> list[tuple[FrameType, int]]:
    """Return the calls that led to an exception, each with its line, the innermost one last."""
    found, step = [], error.__traceback__
    while step is not None:
        found.append((step.tb_frame, step.tb_lineno))
        step = step.tb_next
    return found


def find_owner(frame: FrameType) -> type:
    """Return the class of the object whose method runs in a frame."""
    owner = frame.f_locals.get("self", frame.f_locals.get("cls"))
    return owner if isinstance(owner, type) else type(owner)


def find_definition(cls: type) -> str:
    """Return the file and the line of a class; empty if they are not known."""
    # Imported here: it would slow down `import gonfalon` (tests/test_imports.py).
    from inspect import getsourcefile, getsourcelines

    try:
        return format_place(getsourcefile(cls) or "", getsourcelines(cls)[1])
    except (OSError, TypeError):
        return ""


def format_place(file: str, line: int) -> str:
    """Return `rules/steps.py, line 7`, with the whole path of a file outside of the current folder."""
    near = os.path.relpath(file)
    return f"{file if near.startswith(os.pardir) else near}, line {line}"
