"""How numbers were tuned, as one page that needs nothing else: where it began, each turn, where it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path as Folder

from gonfalon.lab.charts import charts, pages
from gonfalon.lab.studies.tune.tune import Path, Share, Turn
from gonfalon.lab.studies.tune.words import moved, off, tried, verdict, why_ended


def page(path: Path, names: dict[str, str]) -> str:
    """The page."""
    parts = [f"<p class=lead>{escape(f'{verdict(path)} {why_ended(path)}'.strip())}</p>", taken(path)]
    if path.steps:
        parts.append(f"<h2>Before</h2>{levels(path, path.turns[0].shares, names)}")
    parts.append(f"<h2>{'After' if path.steps else 'As it is'}</h2>{levels(path, path.shares, names)}")
    parts += [turn_section(number, turn, names) for number, turn in enumerate(path.turns, start=1)]
    parts.append(footer(path))
    return pages.document(f"{path.title}, played by {', '.join(path.players)}", "What should the numbers be?", parts)


def taken(path: Path) -> str:
    """The steps that were taken."""
    rows = [
        (turn.taken.name, turn.taken.path.partition(".")[2], str(turn.taken.before), str(turn.taken.after),
         turn.taken.origin)
        for turn in path.turns
        if turn.taken is not None
    ]  # fmt: skip
    if not rows:
        return "<p>Nothing was changed.</p>"
    head = ("What", "number", "before", "after", "the old one is")
    return f"<section><h3>The change</h3><div class=wide>{pages.table('Steps', head, rows)}</div></section>"


def levels(path: Path, shares: Sequence[Share], names: dict[str, str]) -> str:
    """Shares by each kind of players, drawn and as a table."""
    middle = (path.low + path.high) / 2
    told = []
    for level in path.players:
        own = intervals_of(shares, level, names)
        rows = [(side, f"{100 * share:.1f} %", f"±{100 * half:.1f}") for side, share, half in own]
        words = "Share of victories over all opponents, who count alike. In %, with the 95 % interval."
        told.append(
            pages.section(
                f"Played by {level.capitalize()}",
                words,
                charts.intervals(own, "share, %", middle),
                pages.table(
                    "Figures", ("", "share", "95 %"), rows, [not path.low <= share <= path.high for _, share, _ in own]
                ),
            )
        )
    return "".join(told)


def intervals_of(shares: Sequence[Share], level: str, names: dict[str, str]) -> list[charts.Interval]:
    """Return the shares by one kind of players as charts draw them."""
    return [(names.get(s.side, s.side), s.share, s.half) for s in shares if s.players == level]


def turn_section(number: int, turn: Turn, names: dict[str, str]) -> str:
    """What was tried in a turn, and what was taken."""
    side = names.get(turn.side, turn.side)
    words = f"<p>{escape(off(turn, side))} {tried(turn)}</p>"
    if not (steps := turn.proposals or turn.short):
        return f"<section><h3>Turn {number}</h3>{words}</section>"
    players = list(dict.fromkeys(share.players for share in turn.shares))
    rows = [
        (
            str(p.step).replace("->", "→"),
            *(
                f"{100 * p.effects[level].difference:+.1f} ±{100 * p.effects[level].half:.1f}".replace("-", "−")
                for level in players
            ),
            f"{100 * p.off:.1f}",
        )
        for p in steps
    ]
    firm = [p.step == turn.taken for p in steps]
    table = pages.table("Steps", ("", *(f"points, {level}" for level in players), "off, in sum"), rows, firm)
    return f"<section><h3>Turn {number}</h3>{words}<div class=wide>{table}</div>{measured_again(turn)}</section>"


def measured_again(turn: Turn) -> str:
    """What the step that was taken does on fresh deals."""
    if turn.again is None:
        return ""
    told = f"{turn.taken} was taken. On fresh deals it does: {moved(turn.again)} points."
    return f"<p>{escape(told.replace('->', '→').replace(' -', ' −'))}</p>"


def footer(path: Path) -> str:
    """How it was made."""
    taken = (
        "The step that was taken was measured again, and the shares are told, on deals by which nothing was chosen. "
    )
    told = (
        f"{path.games:,} games. The table of a turn flatters its best steps a little, for by it they came first. "
        f"{taken if path.steps else ''}How far all sides would lie off is reckoned up to the middle part of the band. "
        f"Rules version {path.version}, data {path.before} and {path.after}, seed {path.seed}, digest {path.digest}. "
        "Between programs: what people would make of the change may differ."
    )
    return f"<footer><p>{escape(told)}</p></footer>"


def pictures(folder: Folder, path: Path, names: dict[str, str]) -> None:
    """Write each chart as SVG and PNG."""
    middle = (path.low + path.high) / 2
    before = path.turns[0].shares if path.steps else []
    for when, shares in (("before", before), ("after" if path.steps else "as-it-is", path.shares)):
        for level in path.players:
            if own := intervals_of(shares, level, names):
                stem = re.sub("[^a-z0-9]+", "-", f"{level}-{when}")
                head = f"{path.title}, played by {level}: how strong each side is {when.replace('-', ' ')}"
                charts.write(folder, stem, charts.intervals(own, "share, %", middle), head)
