"""A study in a process of its own: what it is asked, and what it gives back."""

from __future__ import annotations

import io
import json
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gonfalon.core.errors import OptionError
from gonfalon.lab import asked, report, whatif
from gonfalon.lab.asked import Asked

SHORT = ("end_round=3", "patriot.strength=5")
ONE = Asked("feint", SHORT, "random", 0.3, 60.0)


def test_a_question_travels_as_json_and_equal_ones_are_the_same() -> None:
    assert Asked.loads(ONE.dumps()) == ONE
    turned = replace(ONE, sets=SHORT[::-1])
    assert turned.same(turned.question()) == ONE.same(ONE.question())
    for other in (replace(ONE, precision=0.2), replace(ONE, players="club"), replace(ONE, sets=SHORT[:1])):
        assert other.same(other.question()) != ONE.same(ONE.question())


def test_what_no_study_can_tell_is_refused_before_it_begins() -> None:
    for sets, players in (((), "random"), (SHORT, "expert")):
        with pytest.raises(OptionError):
            replace(ONE, sets=sets, players=players).question()


def test_what_is_told_on_the_way_holds_at_any_time_and_the_house_ends_it() -> None:
    """A study that may take no time ends at its first look: ten rounds in which one faction meets four others from
    both seats, all played both ways."""
    heard: list[whatif.Answer] = []

    def hear(far: whatif.Progress) -> None:
        assert far.so_far is not None
        heard.append(far.so_far())

    question = replace(ONE, sets=SHORT[1:], precision=0.001, seconds=0.0).question()
    answer = whatif.ask(question, tell=hear)
    assert (answer.ended, answer.games) == (whatif.LIMIT, 160)
    assert [(one.ended, one.games, one.digest) for one in heard] == [(whatif.STOPPED, 160, "")]
    assert whatif.from_json(json.loads(json.dumps(whatif.as_json(answer)))) == answer


def test_the_page_and_the_charts_of_an_answer_come_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer: dict[str, Any] = {part: [] for part in (*whatif.EFFECTS, "changes", "path")} | {
        name: 0 for name in whatif.Answer.__dataclass_fields__ if name not in (*whatif.EFFECTS, "changes", "path")
    }

    def pictures(folder: Path, answers: list[whatif.Answer], names: dict[str, str]) -> None:
        (folder / "club-sides.svg").write_text(f"<svg>{names['wu']}</svg>", "utf-8")

    monkeypatch.setattr(report, "pictures", pictures)
    monkeypatch.setattr(report, "page", lambda answers, names: f"<p>{answers[0].game}</p>")
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(answer | {"game": "feint"}) + "\n"))
    asked.draw()
    made = {name: b64decode(body) for name, body in json.loads(capsys.readouterr().out).items()}
    assert made == {"club-sides.svg": b"<svg>Tribe Wu</svg>", "report.html": b"<p>feint</p>"}
