"""`python -m tools.wheels`: names the wheels in `dist`, with their Python, ABI, platform and size."""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]


def describe_wheel(path: Path) -> str:
    """Return a line about a wheel. The tags are those of its name (PEP 425)."""
    python, abi, platform = path.stem.split("-")[-3:]
    with ZipFile(path) as wheel:
        count = len(wheel.namelist())
    size = path.stat().st_size // 1000
    return f"{path.name}: Python {python}, ABI {abi}, platform {platform}; {size:,} kB, {count:,} files"


def main() -> int:
    for path in sorted((ROOT / "dist").glob("*.whl")):
        print(describe_wheel(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
