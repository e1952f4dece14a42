"""The report: one self-contained page with all figures of its charts as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.card_changes import Change
from gonfalon.lab.charts import charts
from gonfalon.lab.studies.whatif import report
from gonfalon.lab.studies.whatif.whatif import LIMIT_REACHED, STOPPED, Answer, Effect

pytest.importorskip("altair")


def answer(ended: str = LIMIT_REACHED) -> Answer:
    """Return a sample result of a study with a name that would be markup."""
    return Answer(
        game="feint",
        title="Feint",
        version="2",
        players="club",
        believe="agrees with greedy: believe it.",
        seed=1,
        before="aa",
        after="bb",
        changes=[Change("patriot.strength", 6, 5, "inferred", "<Patriot>")],
        precision=0.02,
        ended=ended,
        rounds=20,
        games=320,
        spent=1.0,
        sides=[
            Effect("keion", 320, 0.541, 0.464, -0.077, 0.059, 0.09, 1.5),
            Effect("wu", 80, None, None, 0.02, 0.03, 0.04, 1.5),
            Effect("agents", 80, None, None, 0.01, 0.03, 0.04, 1.5),
        ],
        matchups=[Effect("keion against wu", 80, 0.336, 0.255, -0.082, 0.104, 0.2, 1.5)],
        length=[Effect("turns or rounds", 320, 5.6, 5.3, -0.3, 0.2, 0.3, 1.2)],
        endings=[Effect("morale", 320, 0.711, 0.78, 0.068, 0.06, 0.1, 1.2)],
        first=[],
        alike=0.7,
        lost=0.2,
        won=0.1,
        needed=3000,
        digest="d1",
        rounds_of={"3": [0.4, 0.6], "4": [0.6, 0.4]},
        path=[(160, -0.1, 0.08, 0.12), (320, -0.077, 0.059, 0.09)],
    )


def test_the_page_is_self_contained_and_has_the_charts_data_in_tables() -> None:
    html = report.render_page([answer()], {"keion": "Guards & Co", "wu": "Tribe Wu"})
    assert len(html.encode()) < 150_000
    assert "<script" not in html
    assert not re.findall(r'(?:src|href)="(?!#)', html)
    assert "&lt;Patriot&gt;: strength 6 → 5" in html
    assert "<Patriot>" not in html
    assert "inferred" in html
    sections = re.findall(r"<section>.*?</section>", html, re.DOTALL)
    assert len(sections) == 6  # the change, who, against whom, how long, how they end, how sure
    for section in sections:
        assert "<table>" in section
    text = re.sub(r"<[^>]+>", " ", html)
    for told in ("−7.7 ±5.9", "−8.2 ±10.4", "+6.8 ±6.0", "Guards &amp; Co", "it needs about 3,000 games"):
        assert told in text, told


def test_a_stopped_study_reports_the_wider_interval() -> None:
    html = report.render_page([answer(STOPPED)], {})
    assert "−7.7 ±9.0" in html
    assert "−7.7 ±5.9" not in html


def test_each_chart_is_written_as_svg_and_png(tmp_path: Path) -> None:
    report.write_pictures([answer()], {}, tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 10
    assert {Path(name).suffix for name in names} == {".svg", ".png"}
    assert (tmp_path / "club-sides.png").read_bytes().startswith(b"\x89PNG")
    assert "played by club: who gains, who loses" in (tmp_path / "club-sides.svg").read_text("utf-8")


def test_without_the_packages_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(OptionError, match="gonfalon\\[lab\\]"):
        charts.import_libraries()
