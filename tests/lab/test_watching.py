"""What somebody is told who breaks a study off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon.cli import INTERRUPTED, main
from gonfalon.lab import balance, match, reviews, whatif
from gonfalon.lab.whatif import STOPPED, Progress

NO_FOLDER = "nothing is kept, but with --keep FOLDER the same command would go on where it was.\n"


def broken_off(words: list[str], capsys: pytest.CaptureFixture[str], code: int = INTERRUPTED) -> str:
    assert main(["lab", *words]) == code
    return capsys.readouterr().err


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_study_says_what_is_kept_and_how_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def study(*asked: object) -> None:
        tell = asked[8]
        assert callable(tell)
        tell(1234, 0.1, 50)
        raise KeyboardInterrupt

    monkeypatch.setattr(balance, "study", study)
    said = broken_off(["balance", "feint"], capsys)
    assert said == f"Broken off after 1,234 games; {NO_FOLDER}"
    said = broken_off(["balance", "feint", "--keep", str(tmp_path)], capsys)
    assert said == (
        f"Broken off after 1,234 games; what was played is kept in {tmp_path}, and the same command goes on from there."
        "\n"
    )


def test_what_a_change_does_is_told_even_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one of two kinds of players; the other is not begun."""

    def stop(_: object, __: str, progress: Progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gonfalon.lab.whatif_command.say", stop)
    words = ["--set", "patriot.strength=5", "--option", "factions=keion,wu", "--option", "end_round=2", "--json"]
    assert main(["lab", "whatif", "feint", *words, "--players", "random,club"]) == 0
    said = capsys.readouterr()
    [answer] = json.loads(said.out)
    assert answer["ended"] == STOPPED
    assert said.err == f"Broken off after {answer['games']:,} games; {NO_FOLDER}"
    monkeypatch.setattr(whatif, "ask", interrupted)
    assert broken_off(["whatif", "feint", *words], capsys) == f"Broken off; {NO_FOLDER}"


def test_a_check_of_reviews_and_a_match_say_it_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reviews, "measure", interrupted)
    monkeypatch.setattr(match, "match", interrupted)
    said = broken_off(["review", "jinkei"], capsys)
    assert said == "Broken off; nothing is kept, but with --keep FILE the same command would go on where it was.\n"
    said = broken_off(["review", "jinkei", "--keep", "notes"], capsys)
    assert said == "Broken off; what was played is kept in notes, and the same command goes on from there.\n"
    said = broken_off(["match", "random", "random", "--game", "jinkei"], capsys)
    assert said == "Broken off; nothing is kept, so the same command begins anew.\n"
