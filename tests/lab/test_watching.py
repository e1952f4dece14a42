"""The output of a study that the user interrupts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gonfalon.cli import INTERRUPTED, main
from gonfalon.lab.run.blocks import Block, BlockName
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.studies.balance import balance
from gonfalon.lab.studies.whatif import whatif
from gonfalon.lab.studies.whatif.whatif import STOPPED, Progress

NO_FOLDER = "no games are kept; with --keep FOLDER the same command could continue.\n"


def broken_off(words: list[str], capsys: pytest.CaptureFixture[str], code: int = INTERRUPTED) -> str:
    assert main(["lab", *words]) == code
    return capsys.readouterr().err


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_study_reports_saved_results_and_how_to_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def study(*asked: object) -> None:
        tell = asked[8]
        assert callable(tell)
        tell(1234, 0.1, 50)
        raise KeyboardInterrupt

    monkeypatch.setattr(balance, "study_balance", study)
    said = broken_off(["balance", "feint"], capsys)
    assert said == f"Interrupted after 1,234 games; {NO_FOLDER}"
    said = broken_off(["balance", "feint", "--keep", str(tmp_path)], capsys)
    assert said == (
        f"Interrupted after 1,234 games; finished games are kept in {tmp_path}, "
        "and the same command continues from there.\n"
    )


def test_an_interrupted_change_study_reports_its_effect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The result covers one of two kinds of players. The other was not started."""

    def stop(_: object, __: str, progress: Progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gonfalon.lab.studies.whatif.command.report_progress", stop)
    words = ["--set", "patriot.strength=5", "--option", "factions=keion,wu", "--option", "end_round=2", "--json"]
    assert main(["lab", "whatif", "feint", *words, "--players", "random,club"]) == INTERRUPTED
    said = capsys.readouterr()
    [answer] = json.loads(said.out)
    assert answer["ended"] == STOPPED
    assert said.err == f"Interrupted after {answer['games']:,} games; {NO_FOLDER}"
    monkeypatch.setattr(whatif, "compare_variants", interrupted)
    assert broken_off(["whatif", "feint", *words], capsys) == f"Interrupted; {NO_FOLDER}"


def stop_after(waves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt a study after this number of waves of blocks."""
    play, played = BlockTeam.play, list[int]()

    def played_so_far(crew: BlockTeam, wave: list[BlockName]) -> list[Block]:
        played.append(len(wave))
        if len(played) > waves:
            raise KeyboardInterrupt
        return play(crew, wave)

    monkeypatch.setattr(BlockTeam, "play", played_so_far)


def test_an_interrupted_balance_study_reports_its_results(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the first wave there are two blocks of 40 games of the one pair of sides, and of each against itself. The
    intervals are the wider ones."""
    stop_after(1, monkeypatch)
    words = ["balance", "feint", "--option", "factions=keion,wu", "--option", "end_round=2", "--players", "random"]
    assert main(["lab", *words, "--precision", "1", "--json"]) == INTERRUPTED
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert (found["stopped"], found["games"]) == (True, 240)
    assert said.err == f"Interrupted after 240 games; {NO_FOLDER}"
    stop_after(0, monkeypatch)
    assert broken_off(words, capsys) == f"Interrupted; {NO_FOLDER}"


def test_a_closed_pipe_still_writes_the_files(tmp_path: Path) -> None:
    """As with `| head -1`, the pipe is closed before any output."""
    pytest.importorskip("altair")
    page = tmp_path / "patriot.html"
    asked = ["lab", "whatif", "feint", "--set", "patriot.strength=5", "--players", "random", "--precision", "40"]
    command = [sys.executable, "-m", "gonfalon", *asked, "--html", str(page)]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=250, check=False)
    os.close(writer)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "<h1>Patriot: strength 6 → 5</h1>" in page.read_text("utf-8")
