"""Where and with what something was measured, for the files that say so."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from gonfalon.core.build import sentence


def machine() -> str:
    """The cores, the processor and the Python of this machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{os.cpu_count()} cores of {name}, {platform.python_implementation()} {platform.python_version()}"


def build() -> str:
    """Which build runs."""
    return sentence()


def commit() -> str:
    """The commit of the checkout that this runs in, with a + where its sources have been changed since; empty
    elsewhere."""
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
