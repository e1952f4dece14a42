"""The report: one page that needs nothing else, in which everything that a chart shows can be read."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gonfalon.core.errors import OptionError
from gonfalon.lab import charts, pages, report
from gonfalon.lab.balance import Figure
from gonfalon.lab.overrides import Change
from gonfalon.lab.whatif import LIMIT, STOPPED, Answer, Effect
from gonfalon.lab.whatif_words import lines

pytest.importorskip("altair")


def answer(ended: str = LIMIT) -> Answer:
    """What a study may have found, with a name that would be markup."""
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


def test_the_page_stands_alone_and_says_in_tables_what_charts_show() -> None:
    html = report.page([answer()], {"keion": "Guards & Co", "wu": "Tribe Wu"})
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
    for told in ("−7.7 ±5.9", "−8.2 ±10.4", "+6.8 ±6.0", "Guards &amp; Co", "it would take about 3,000 games"):
        assert told in text, told


@pytest.mark.parametrize("name", ["Wu", "The Vanguard of the Old Kingdom of Wei"])
def test_on_a_phone_the_letters_of_a_chart_are_as_large_and_what_it_shows_is_there(name: str) -> None:
    """A phone shows about 300 of the 320, a screen 500 of 550: a letter of 13 is 12 high on either."""
    effects = [replace(effect, what=name) for effect in answer().sides]
    html = pages.section("Who", "", charts.differences(answer(), effects, "points"), "")
    screen, phone = (ElementTree.fromstring(svg) for svg in re.findall("<svg.*?</svg>", html, re.DOTALL))
    assert (screen.get("class"), phone.get("class")) == ("screen", "phone")
    width = float(phone.get("viewBox", "").split()[2])
    assert width <= 320 < float(screen.get("viewBox", "").split()[2])
    sizes = [float(size) for size in re.findall(r'font-size="(\d+)px"', ElementTree.tostring(phone, "unicode"))]
    assert min(sizes) >= 13
    rules = [mark for mark in phone.iter() if "±" in mark.get("aria-label", "")]
    assert len(rules) == 2 * len(effects)  # each interval, and its middle


def test_the_page_gives_every_colour_of_the_charts_another_one_in_the_dark() -> None:
    found = answer()
    drawn = [
        charts.differences(found, found.sides, "points"),
        charts.shares(found.matchups, "games won, %"),
        charts.bars(found.rounds_of, "games, %", "round"),
        charts.path(found),
    ]
    for chart in drawn:
        svg = charts.svg(chart)
        ElementTree.fromstring(svg)
        colours = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+)"', svg))
        assert colours <= set(pages.DARK), colours - set(pages.DARK)
        assert "aria-label" in svg


def test_no_chart_of_shares_goes_beyond_all_of_them() -> None:
    """Half an interval of three whole shares, in each kind of chart; a share is never less than nothing."""
    found = replace(answer(), path=[(160, -0.1, 2.0, 3.0), (320, -0.077, 0.059, 0.09)])
    wide = [replace(effect, half=3.0) for effect in found.sides]
    figures = [Figure("wu", 0.5, 3.0, 2)]
    for chart, least in (
        (charts.differences(found, wide, "points"), -100.0),
        (charts.spans(figures, "points a copy", 0.0), -100.0),
        (charts.spans(figures, "share, %", 0.5), 0.0),
        (charts.path(found), -100.0),
    ):
        data = chart.to_dict()["datasets"] if "datasets" in chart.to_dict() else {"": chart.to_dict()["data"]["values"]}
        [rows] = data.values()
        assert min(row.get("least", row["low"]) for row in rows) == least
        assert max(row.get("most", row["high"]) for row in rows) == 100.0


def test_the_labels_below_a_chart_stand_apart() -> None:
    """37 points by tens are four labels, where fives were eight that ran into each other."""
    assert charts.ticks(-25.9, 11.0) == [-20, -10, 0, 10]
    assert charts.ticks(-100.0, 100.0) == [-100, -50, 0, 50, 100]
    assert charts.ticks(49.5, 50.5) == [49.6, 49.8, 50.0, 50.2, 50.4]
    found = answer()
    keion, wu, agents = found.sides
    svg = charts.svg(
        charts.differences(found, [replace(keion, difference=-0.2), replace(wu, difference=0.08), agents], "")
    )
    assert re.findall(r">(−?\d+)</text>", svg) == ["−20", "−10", "0", "10"]


def test_what_separate_deals_would_have_taken_is_told_only_where_it_is_much() -> None:
    found = answer()
    alike = replace(found, sides=[replace(found.sides[0], saved=1.49)])
    assert "Separate deals would have taken 1.5 times as many games." in report.footer([found])
    assert "Separate deals" not in report.footer([alike])
    assert "Separate deals would have taken 1.5 times as many games." in lines(found, {})
    assert not any("Separate deals" in line for line in lines(alike, {}))


def test_who_stopped_a_study_is_told_the_wider_interval() -> None:
    html = report.page([answer(STOPPED)], {})
    assert "−7.7 ±9.0" in html
    assert "−7.7 ±5.9" not in html


def test_each_chart_is_written_as_svg_and_png(tmp_path: Path) -> None:
    report.pictures(tmp_path, [answer()], {})
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 10
    assert {Path(name).suffix for name in names} == {".svg", ".png"}
    assert (tmp_path / "club-sides.png").read_bytes().startswith(b"\x89PNG")
    assert "played by club: who gains, who loses" in (tmp_path / "club-sides.svg").read_text("utf-8")


def test_without_the_packages_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(OptionError, match="gonfalon\\[lab\\]"):
        charts.needed()
