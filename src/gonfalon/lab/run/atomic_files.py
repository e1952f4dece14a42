"""Files that are written completely or not at all.

A process that is killed while it writes leaves the old file, or none.
"""

from __future__ import annotations

import os
from pathlib import Path

from gonfalon.core.basics.errors import OptionError


def write_file(path: Path, body: str | bytes) -> None:
    """Write a file completely or not at all; text is encoded as UTF-8.

    Raises:
        OSError: The file cannot be written. Nothing is left behind then.
    """
    # The process number keeps two writers of one file apart.
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(body.encode() if isinstance(body, str) else body)
        # A rename within one folder is atomic, so readers see the old file or the new one.
        part.replace(path)
    except OSError as error:
        # Name the wanted path in the error, not the temporary one.
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        part.unlink(missing_ok=True)


def check_file(path: Path) -> None:
    """Check that a file can be written, before long work is done for it.

    Raises:
        OptionError: The path is a folder, its folder does not exist or is not writable.
    """
    if path.is_dir():
        raise OptionError(f"{path} is a folder. Name a file in it.")
    if not path.parent.is_dir():
        raise OptionError(f"Cannot write {path}: the folder {path.parent} does not exist.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise OptionError(f"Cannot write {path}: no permission to write to the folder {path.parent}.")


def check_new_file(path: Path, suffix: str) -> None:
    """Check that a file can be written and does not exist yet.

    Args:
        path: The file.
        suffix: The suffix that its name must have, with the dot.

    Raises:
        OptionError: The path cannot be used.
    """
    check_file(path)
    if path.suffix != suffix:
        raise OptionError(f"The name of {path} must end in {suffix}.")
    if path.exists():
        raise OptionError(f"{path} already exists. Remove it, or name another file with --out.")


def check_folder(path: Path) -> None:
    """Check that a folder exists or can be created.

    Raises:
        OptionError: The path is a file, or no folder can be created there.
    """
    # The closest existing folder decides whether the missing ones can be created.
    above = next(one for one in (path, *path.parents, Path()) if one.exists())
    if not above.is_dir():
        raise OptionError(f"{above} is a file. Name a folder.")
    if not os.access(above, os.W_OK | os.X_OK):
        raise OptionError(f"Cannot write {path}: no permission to write to the folder {above}.")
