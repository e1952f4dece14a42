"""The files of docs/mutants are whole: pages are made of the figures beside them, and each survivor is judged."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.mutants import pages

FILES = sorted(pages.FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_page_says_what_the_figures_and_the_judgements_say(path: Path) -> None:
    figures = json.loads(path.read_text("utf-8"))
    verdicts = pages.judged().get(path.stem, {})
    assert path.with_suffix(".md").read_text("utf-8") == pages.page(figures, verdicts)
    assert [one["id"] for one in pages.unjudged(figures, verdicts)] == []


def test_judgements_are_sentences() -> None:
    for game, verdicts in pages.judged().items():
        for id, said in verdicts.items():
            assert said["verdict"] in pages.VERDICTS, f"{game}.{id}"
            assert re.fullmatch(r"[A-Z`].*[.]", said["why"]), f"{game}.{id}"
