"""Reading of files that people name, with a size limit."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gonfalon.core.basics.errors import GonfalonError

MAX_FILE_BYTES: Final = 64 << 20
"""The maximum size of records, reviews, puzzles and studies."""
NOT_ORDINARY: Final = "{} is not an ordinary file."


class FileError(GonfalonError):
    """A file is too large, or is not text."""


def read_text(path: Path, limit: int = MAX_FILE_BYTES) -> str:
    r"""Return the text of a UTF-8 file, without a byte order mark and with line ends as `\n`.

    Reading stops at the limit, so that an endless device is refused like a large file.

    Args:
        path: A file, a device or a pipe.
        limit: The maximum size in bytes.

    Raises:
        FileError: The file is larger, is not UTF-8, or is an endless device.
        OSError: The file cannot be opened or read.
    """
    with path.open("rb") as file:
        # One byte beyond the limit is enough to recognize a file that is too large.
        found = file.read(limit + 1)
    if len(found) > limit:
        if path.is_char_device():
            raise FileError(NOT_ORDINARY.format(path))
        raise FileError(f"{path} is larger than {limit >> 20} MB.")
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"{path} is not UTF-8 text.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
