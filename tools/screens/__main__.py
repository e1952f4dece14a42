"""Pictures of every screen, into docs/pictures/screens: `python -m tools.screens [--only WORD] [--into FOLDER]`."""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tools.screens.run import run_story
from tools.screens.stories import STORIES

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "screens"


def main() -> None:
    parser = argparse.ArgumentParser(prog="screens", description="Take pictures of every screen.")
    parser.add_argument("--only", default="", metavar="WORD", help="only stories whose names contain this")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER", help="folder of the pictures")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="number of processes")
    args = parser.parse_args()
    folder: Path = args.into
    folder.mkdir(parents=True, exist_ok=True)
    if not args.only:
        for old in folder.glob("*.webp"):
            old.unlink()
    names = [name for name in STORIES if args.only in name]
    with ProcessPoolExecutor(min(args.workers, len(names)), get_context("spawn")) as workers:
        for line in workers.map(run_story, names, repeat(folder)):
            print(line, flush=True)
    sizes = [path.stat().st_size for path in folder.glob("*.webp")]
    print(f"{len(sizes)} pictures of {sum(sizes) / 1e6:.1f} MB in all, {max(sizes, default=0) / 1e3:.0f} kB at most.")


if __name__ == "__main__":
    main()
