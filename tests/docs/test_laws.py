"""Each law of the kit has a page, and the wrong game that the page shows breaks the law."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType
from typing import Final

import pytest

from docs.generated import pages
from gonfalon.check import LAWS, Law, run
from gonfalon.check.law import EXAMPLES, build_page, explain_failure
from gonfalon.cli import BAD_INPUT, main
from gonfalon.core.build import find_build
from tests.docs.wrong_games import apply_example, tutorial_game

CODE: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN: Final = {
    "the-pages-of-a-table-open-in-a-browser": "a template",
    "batches-are-judged-by-what-their-seat-knew": "a request",
    "a-bot-that-looks-at-the-true-position-is-caught": "needs many positions",
    "another-process-or-build-plays-the-same-games": "the other process does not have the changes",
}
"""Laws whose examples are not run, with the reason."""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ModuleType]]:
    with tutorial_game(tmp_path_factory.mktemp("duel")) as found:
        yield found


def test_every_law_has_a_page() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.md")} == {law.anchor for law in LAWS}
    site = pages()
    for law in LAWS:
        page = site[f"laws/{law.anchor}.md"]
        assert page.startswith(build_page(law))
        assert f"(../laws/{law.anchor}.md)" in site["reference/laws.md"]
        assert all(part in page for part in law.sections)
        assert "```" in law.example


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.anchor)
def test_a_failure_names_the_page(law: Law) -> None:
    assert f"/docs/laws/{law.anchor}.html" in explain_failure(law)[-1]
    assert f"gonfalon check --explain {law.anchor} " in explain_failure(law)[-1]


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    law = next(law for law in LAWS if law.anchor == "knowledge-has-a-source")
    assert main(["check", "--explain", law.anchor]) == 0
    assert capsys.readouterr().out.strip() == build_page(law)
    assert main(["check", "--explain", "knowledge"]) == BAD_INPUT
    assert "Did you mean knowledge-has-a-source?" in capsys.readouterr().err
    assert main(["check"]) == BAD_INPUT


@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
@pytest.mark.parametrize("law", [law for law in LAWS if law.anchor not in NOT_RUN], ids=lambda law: law.anchor)
def test_the_example_breaks_its_law(law: Law, modules: list[ModuleType]) -> None:
    [code] = CODE.findall(law.example)
    with apply_example(code, modules) as (game, reference):
        [result] = run(game, 0, rounds=40, laws=[law], reference=reference)
    assert not result.ok


@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
def test_the_game_without_a_change_breaks_none(modules: list[ModuleType]) -> None:
    laws = [law for law in LAWS if law.anchor not in NOT_RUN]
    with apply_example("", modules) as (game, _):
        assert [result.line() for result in run(game, 0, rounds=1, laws=laws) if not result.ok] == []
