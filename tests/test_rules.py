"""The coverage of rulings is correct."""

from pathlib import Path

import pytest

from gonfalon.testing import rule
from tools.rulings import report_coverage

GUIDE = "# Toy\n\n**1.** One.\n**2.** Two, see **1.** above.\n**3.** Three.\n"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    game = tmp_path / "games" / "toy"
    game.mkdir(parents=True)
    (game / "__init__.py").touch()
    (game / "guide.md").write_text(GUIDE)
    (tmp_path / "tests" / "deep").mkdir(parents=True)
    return tmp_path


def report_tests(house: Path, *tests: str) -> tuple[list[str], bool]:
    (house / "tests" / "deep" / "test_toy.py").write_text("\n".join(tests))
    return report_coverage(house / "games", house / "tests")


def test_all_rulings_cited(house: Path) -> None:
    assert report_tests(house, '@rule("toy", 1, 3)\ndef test_a(): ...', '@rule("toy", 2)\nclass TestB: ...') == (
        ["toy 3/3"],
        True,
    )


def test_a_starred_ruling_is_one_too(house: Path) -> None:
    (house / "games" / "toy" / "guide.md").write_text(GUIDE.replace("**2.**", r"**2.\***"))
    assert report_tests(house, '@rule("toy", 1, 3)\ndef test_a(): ...') == (["toy 2/3 missing: 2"], False)


def test_missing_rulings_are_named(house: Path) -> None:
    assert report_tests(house, '@rule("toy", 2)\nasync def test_a(): ...') == (["toy 1/3 missing: 1, 3"], False)


@pytest.mark.parametrize(
    ("test", "fault"),
    [
        ('@rule("toy", 1, 2, 3)\ndef helper(): ...', "tests/deep/test_toy.py:1: helper is not a test"),
        ('@rule("toy", ONE)\ndef test_a(): ...', "tests/deep/test_toy.py:1: a ruling must be a literal number"),
        ('@rule("toy")\ndef test_a(): ...', 'tests/deep/test_toy.py:1: write @rule("game", number, ...)'),
        (
            '@rule("toy", 1, 2, 3, 9)\ndef test_a(): ...',
            "toy: tests/deep/test_toy.py:1 cites ruling 9, which does not exist",
        ),
        ('@rule("chess", 1)\ndef test_a(): ...', "tests/deep/test_toy.py:1: there is no game chess"),
    ],
)
def test_wrong_citations_are_faults(house: Path, test: str, fault: str) -> None:
    lines, good = report_tests(house, test)
    assert fault in lines
    assert not good


@pytest.mark.parametrize(
    ("guide", "fault"),
    [
        ("**1.** One.\n**3.** Three.\n", "toy: ruling 2 is missing"),
        ("**1.** One.\n**1.** Again.\n", "toy: ruling 1 occurs twice"),
        ("Nothing.\n", "toy: no numbered rulings"),
    ],
)
def test_wrong_numbering_is_a_fault(house: Path, guide: str, fault: str) -> None:
    (house / "games" / "toy" / "guide.md").write_text(guide)
    lines, good = report_tests(house, '@rule("toy", 1, 3)\ndef test_a(): ...')
    assert fault in lines
    assert not good


def test_the_marker_carries_the_numbers() -> None:
    assert rule("toy", 1, 2).mark.args == ("toy", 1, 2)
