"""Files that appear whole or not at all: who is killed while writing one leaves the old one, or none."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, body: str | bytes) -> None:
    """Write a file, text as UTF-8. Raises OSError, and leaves nothing behind then."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(body.encode() if isinstance(body, str) else body)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
