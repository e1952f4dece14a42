"""Links and paths in the documents are valid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.generated import PICTURES, pages

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "src/**/*.md", ".github/**/*.md")
    for path in sorted(ROOT.glob(pattern))
]
SITE = ROOT / "docs" / "pages"
ADDED = {SITE / address for address in {*pages(), *PICTURES}}
"""The files of the documentation site besides its pages. MkDocs checks the anchors in it."""
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
PATH = re.compile(r"`((?:src|tests|docs|examples|tools|\.ci)/[a-z\d_./-]+)`")
"""A path that a document names in code form, from the root of the project."""


def prose(path: Path) -> str:
    """Return a document without its fenced blocks."""
    return FENCE.sub("", path.read_text("utf-8"))


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub generates them."""
    found = set()
    for heading in HEADING.findall(prose(path)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-"))
    return found


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    for link in LINK.findall(prose(document)):
        target, _, anchor = link.partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        path = (document.parent / target).resolve() if target else document
        if path in ADDED:
            continue
        assert path.exists(), f"{name(document)} links to {link}"
        assert path.is_relative_to(ROOT), f"{name(document)} links out of the project: {link}"
        if anchor:
            assert anchor in anchors(path), f"{name(document)} links to {link}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_paths_exist(document: Path) -> None:
    for path in PATH.findall(prose(document)):
        assert (ROOT / path).exists(), f"{name(document)} names {path}"
