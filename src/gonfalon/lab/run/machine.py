"""The machine and the build of a measurement."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from gonfalon.core.build import name_build


def describe_machine() -> str:
    """Return the cores, the processor and the Python version of this machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{os.cpu_count()} cores of {name}, {platform.python_implementation()} {platform.python_version()}"


def describe_build() -> str:
    """Return a description of the build that runs."""
    return name_build()


def read_commit() -> str:
    """Return the commit of the current checkout.

    A "+" follows if its sources have changed since. The text is empty outside of a checkout.
    """
    # The current folder may be a checkout of another project, whose commit would mean nothing here.
    if not Path("src/gonfalon/lab/run/machine.py").exists():
        return ""
    try:
        head, changed = (
            subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.strip()
            for words in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "src"])
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return head + ("+" if changed else "")
