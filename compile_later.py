"""Compiles the rules in the background, so that a first `make play` need not wait for it.

    python compile_later.py STAMP

returns at once. What was compiled goes into the cache of the build (hatch_build.py); then the file STAMP is
removed, and the next `make play` installs anew, with the compiled rules. STAMP.log has what was printed.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import hatch_build

HERE = Path(__file__).parent
NICE = 15
"""Whoever plays meanwhile comes first."""


def is_waiting(stamp: Path) -> bool:
    """Whether the rules that are installed beside this interpreter are plain only for want of compiled ones."""
    from gonfalon.core import build

    if build.build() != "plain" or build.why_plain() != hatch_build.NOT_YET:
        return False
    try:
        hatch_build.can_compile()
    except hatch_build.PlainError:
        return False
    failed = beside(stamp, "failed")
    if failed.exists() and failed.stat().st_mtime >= stamp.stat().st_mtime:
        print(f"Compiling the rules failed, so they run as plain Python; {beside(stamp, 'log')} says why.")
        return False
    return True


def beside(stamp: Path, name: str) -> Path:
    """A file beside the stamp."""
    return stamp.with_name(f"{stamp.name}.{name}")


def later(stamp: Path) -> None:
    """Start compiling in a process that outlives the terminal, where it is worth it."""
    if not is_waiting(stamp):
        return
    with beside(stamp, "log").open("a") as out:
        subprocess.Popen(
            [sys.executable, __file__, str(stamp), "now"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    print("The rules are being compiled in the background, which takes some minutes; the next `make play` uses them.")


def now(stamp: Path) -> None:
    """Compile into the cache, and let the next start install it. One process at a time does so."""
    with beside(stamp, "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        os.nice(NICE)
        try:
            fill_cache()
        except (hatch_build.PlainError, subprocess.CalledProcessError) as error:
            print(error)
            beside(stamp, "failed").touch()
        else:
            stamp.unlink(missing_ok=True)


def fill_cache() -> None:
    """Install the compiler of the lock file and let it work. Raises PlainError, CalledProcessError."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--requirement"]
    subprocess.run([*pip, str(HERE / "requirements-compile.lock")], check=True)
    package = HERE / "src" / "gonfalon"
    settings = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    units = hatch_build.sought(package, settings["targets"]["wheel"]["hooks"]["custom"]["units"])
    with tempfile.TemporaryDirectory(prefix="gonfalon-build-") as work:
        hatch_build.compiled(package, units, Path(work))


if __name__ == "__main__":
    (now if sys.argv[2:] == ["now"] else later)(Path(sys.argv[1]))
