"""A Ray cluster of two workers on this machine, started by the commands of the documentation."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "pages" / "howto" / "lab.md"


class Local(NamedTuple):
    """The cluster's address and process group."""

    address: str
    group: int


def settings() -> dict[str, str]:
    """Return the variables that the page exports."""
    exported = re.search(r"^export (.+)$", PAGE.read_text("utf-8"), re.M)
    assert exported is not None
    return dict(word.split("=", 1) for word in exported[1].split())


def command(port: int) -> list[str]:
    """Return the command that the page shows, with another port."""
    start = re.search(r"^ray (start --head .+)$", PAGE.read_text("utf-8"), re.M)
    assert start is not None
    words = [re.sub(r"^--port=.*", f"--port={port}", word) for word in start[1].split()]
    return [sys.executable, "-m", "ray.scripts.scripts", *words]


@contextmanager
def cluster() -> Iterator[Local]:
    """A cluster that ends all processes it started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = mkdtemp(prefix="ray", dir="/tmp")  # the names of its sockets must be short
    inside = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    ray = subprocess.Popen(
        [*command(port), f"--temp-dir={folder}", "--include-log-monitor=false", "--no-monitor", "--block"],
        env={**os.environ, **settings(), "PYTHONPATH": inside},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert ray.stdout is not None
    try:
        said = ""
        for line in ray.stdout:
            said += line
            if "Ray runtime started" in line:
                break
        else:
            raise AssertionError(said)
        yield Local(f"127.0.0.1:{port}", ray.pid)
    finally:
        os.killpg(ray.pid, signal.SIGKILL)
        ray.stdout.close()
        ray.wait()
        shutil.rmtree(folder, ignore_errors=True)


def processes(group: int) -> dict[int, str]:
    """Return the processes of the cluster, including workers, with their names."""
    found = dict[int, str]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            numbers = stat.read_text().rpartition(")")[2].split()
            name = (stat.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:  # it has just ended
            continue
        if int(numbers[3]) == group:  # of its session
            found[int(stat.parent.name)] = name
    return found
