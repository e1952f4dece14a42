"""The walk-throughs of the HTTP API and of bot accounts print the output they show."""

from __future__ import annotations

import doctest
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.examples import FLAGS, ROOT, blocks
from tests.missing import missing
from tests.web.served import serving

PAGES = ROOT / "docs" / "pages" / "howto"
MARK = "---- next block ----"
BIN = Path(sys.executable).parent
SERVE = """
import sys
from gonfalon.web import serve
serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0, bot_accounts=True)
"""


@pytest.mark.long
@pytest.mark.parametrize("page", ["http.md", "programs.md"])
def test_a_walk_through_prints_its_shown_output(page: str, tmp_path: Path, free_port: Callable[[], int]) -> None:
    for program in ("curl", "jq", "bash", "timeout"):
        if shutil.which(program) is None:
            missing(f"{program} is not installed")
    found = blocks(PAGES / page, "bash", "json", "text")
    scripts = [block for block in found if block.language == "bash"]
    port = free_port()
    with serving(tmp_path, port, SERVE):
        text = f"\necho '{MARK}'\n".join(block.text for block in scripts)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=tmp_path,
            env=os.environ | {"SERVER": f"http://127.0.0.1:{port}", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
    outputs = done.stdout.split(f"{MARK}\n")
    assert len(outputs) == len(scripts), done.stdout + done.stderr
    for block, said in zip(scripts, outputs, strict=True):
        after = found[found.index(block) + 1] if block is not found[-1] else block
        promised = after.text if after.language in ("json", "text") else ""
        assert doctest.OutputChecker().check_output(promised, said, FLAGS), f"line {block.line}: {said}"
