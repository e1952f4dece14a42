"""Hooks of MkDocs: add the generated pages, and move scripts and styles out of the pages."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docs.generated import PICTURES, pages

SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
APART: Final = "assets/apart"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages and pictures."""
    for name, text in pages().items():
        if unfinished := files.get_file_from_path(name):
            files.remove(unfinished)
        files.append(File.generated(config, name, content=text))
    for name, path in PICTURES.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Move inline scripts and styles into files, because the table server forbids them in pages."""
    site = Path(config.site_dir)
    (site / "404.html").unlink()  # the server has its own, and this one's addresses hold at the root only
    (site / APART).mkdir(parents=True)
    for page in sorted(site.rglob("*.html")):
        up = "../" * (len(page.relative_to(site).parts) - 1)

        def apart(text: str, suffix: str, up: str = up) -> str:
            name = f"{APART}/{hashlib.sha256(text.encode()).hexdigest()[:16]}.{suffix}"
            (site / name).write_text(text, "utf-8")
            return up + name

        html = SCRIPT.sub(lambda found: f'<script src="{apart(found[1], "js")}"></script>', page.read_text("utf-8"))
        page.write_text(
            STYLE.sub(lambda found: f'<link rel="stylesheet" href="{apart(found[1], "css")}">', html), "utf-8"
        )
