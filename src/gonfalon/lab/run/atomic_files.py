"""Files that appear whole or not at all: who is killed while writing one leaves the old one, or none."""

from __future__ import annotations

import os
from pathlib import Path

from gonfalon.core.basics.errors import OptionError


def write(path: Path, body: str | bytes) -> None:
    """Write a file, text as UTF-8. Raises OSError, and leaves nothing behind then."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(body.encode() if isinstance(body, str) else body)
        part.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        part.unlink(missing_ok=True)


def check_file(path: Path) -> None:
    """Whether a file can be written, before long work is done for it. Raises OptionError."""
    if path.is_dir():
        raise OptionError(f"{path} is a folder; name a file in it.")
    if not path.parent.is_dir():
        raise OptionError(f"{path} cannot be written: there is no folder {path.parent}.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise OptionError(f"{path} cannot be written: the folder {path.parent} is not yours to write into.")


def check_new(path: Path, suffix: str) -> None:
    """Whether a file of such a kind can be written, and none is there that would be lost. Raises OptionError."""
    check_file(path)
    if path.suffix != suffix:
        raise OptionError(f"{path} should end in {suffix}, as such files do.")
    if path.exists():
        raise OptionError(f"{path} is there already: remove it, or name another file with --out.")


def check_folder(path: Path) -> None:
    """Whether a folder is there or can be made. Raises OptionError."""
    above = next(one for one in (path, *path.parents, Path()) if one.exists())
    if not above.is_dir():
        raise OptionError(f"{above} is a file; name a folder.")
    if not os.access(above, os.W_OK | os.X_OK):
        raise OptionError(f"{path} cannot be written: the folder {above} is not yours to write into.")
