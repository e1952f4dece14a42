"""A study in its own process: its question and its answer."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run import blocks
from gonfalon.lab.run.sequential import RunningMean
from gonfalon.lab.studies.whatif import request_process, whatif
from gonfalon.lab.studies.whatif.request_process import StudyRequest

SHORT = ("end_round=3", "patriot.strength=5")
ONE = StudyRequest("feint", SHORT, "random", 0.3, 60.0)


def test_a_question_travels_as_json_and_equal_ones_are_the_same() -> None:
    assert StudyRequest.loads(ONE.dumps()) == ONE
    turned = replace(ONE, sets=SHORT[::-1])
    assert turned.is_same_as(turned.make_question()) == ONE.is_same_as(ONE.make_question())
    for other in (replace(ONE, precision=0.2), replace(ONE, players="club"), replace(ONE, sets=SHORT[:1])):
        assert other.is_same_as(other.make_question()) != ONE.is_same_as(ONE.make_question())


def test_interim_results_are_valid_at_any_time_and_the_server_ends_a_study() -> None:
    """A study without any time ends at its first look, after a block of five rounds in which one faction meets four
    others from both seats, all played both ways."""
    heard: list[whatif.Answer] = []

    def hear(far: whatif.Progress) -> None:
        assert far.so_far is not None
        heard.append(far.so_far())

    question = replace(ONE, sets=SHORT[1:], precision=0.001, seconds=0.0).make_question()
    answer = whatif.compare_variants(question, tell=hear)
    assert (answer.ended, answer.games) == (whatif.LIMIT_REACHED, 80)
    assert [(one.ended, one.games, one.digest) for one in heard] == [(whatif.STOPPED, 80, "")]
    assert whatif.answer_from_json(json.loads(json.dumps(asdict(answer)))) == answer


def test_few_rounds_use_their_deals() -> None:
    """By hand: of 12 deals in two rounds the last 3 change from won to lost, so the difference is -3/12 and a deal's
    variance is (3 - 12/16) / 11 = 0.2045. Rounds would give only two values. A study without a time limit waits for
    ten rounds."""
    pairs = whatif.PairedGames(singly=True)
    won, lost = (blocks.Row(0, 0, ("a", "b"), scores, "won", 1, 1, 0) for scores in ((1.0, 0.0), (0.0, 1.0)))
    pairs.before = [[won] * 6, [won] * 6]
    pairs.after = [[won] * 6, [won] * 3 + [lost] * 3]
    effect = pairs.measure_effect("a", lambda row: whatif.side_scores(row, "a"))
    assert effect is not None
    assert (effect.difference, effect.before, effect.after) == (-0.25, 1.0, 0.75)
    track = RunningMean()
    for value in [0.0] * 9 + [-1.0] * 3:
        track.add(value)
    assert effect.half == round(track.half_width(), 5)
    assert round(track.variance, 4) == 0.2045
    pairs.before, pairs.after = [rows[:4] for rows in pairs.before], [rows[:4] for rows in pairs.after]
    assert pairs.measure_effect("a", lambda row: whatif.side_scores(row, "a")) is None, "eight deals tell nothing"
    answer = whatif.compare_variants(replace(ONE, sets=SHORT[1:], precision=0.9, seconds=1e9).make_question())
    assert answer.games == 160


def asking(question: StudyRequest, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Answer a question as a separate process would."""
    monkeypatch.setattr("sys.stdin", io.StringIO(question.dumps() + "\n"))
    monkeypatch.setattr("sys.argv", ["-c", "ask", *words])
    monkeypatch.setattr(request_process, "watch_input", lambda: None)
    monkeypatch.setattr(request_process, "limit_cpu_time", lambda seconds: None)
    request_process.answer_request()


def test_the_process_reports_its_pace_first_and_stops_if_too_slow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(request_process, "measure_pace", lambda arm: 100.0)
    with pytest.raises(OptionError, match="Random is too slow for this change: a first result needs 40 games"):
        asking(ONE, monkeypatch)
    assert json.loads(capsys.readouterr().out) == {"pace": 100.0}


def test_games_before_a_kill_are_not_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asking(ONE, monkeypatch, str(tmp_path))
    first = capsys.readouterr().out.splitlines()[-1]
    made = len(list(tmp_path.glob("*-*.json")))
    monkeypatch.setattr("gonfalon.lab.run.session.play_named_block", None)
    asking(ONE, monkeypatch, str(tmp_path))
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["digest"] == json.loads(first)["digest"]
    assert made > 1
