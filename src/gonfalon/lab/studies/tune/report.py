"""How numbers were tuned, as one page that needs nothing else: where it began, each turn, where it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path as Folder
from typing import Final

from gonfalon.lab.charts import charts, pages
from gonfalon.lab.studies.tune.tune import GAMES, STOPPED, Path, Proposal, Share, Turn


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


def pictures(path: Path, names: dict[str, str], folder: Folder) -> None:
    """Write each chart as SVG and PNG."""
    middle = (path.low + path.high) / 2
    before = path.turns[0].shares if path.steps else []
    for when, shares in (("before", before), ("after" if path.steps else "as-it-is", path.shares)):
        for level in path.players:
            if own := intervals_of(shares, level, names):
                stem = re.sub("[^a-z0-9]+", "-", f"{level}-{when}")
                head = f"{path.title}, played by {level}: how strong each side is {when.replace('-', ' ')}"
                charts.write(folder, stem, charts.intervals(own, "share, %", middle), head)


NOTHING: Final = "Nothing of it is free that could go one up or one down; free something of it with --free."


def lines_of_turn(turn: Turn, names: dict[str, str]) -> list[str]:
    """What a turn has found."""
    side = names.get(turn.side, turn.side)
    told = [*lines_of_shares(turn.shares, names), "", f"{off(turn, side)} {tried(turn)}"]
    proposed = [f"  {n}. {line_of(proposal)}" for n, proposal in enumerate(turn.proposals, start=1)]
    return [*told, *proposed, *(f"  {line_of(proposal)}" for proposal in turn.short)]


def off(turn: Turn, side: str) -> str:
    """Which side the turn is for, by its name."""
    among = " of those of which something is free" if turn.tried else ""
    return f"{side} lies furthest off{among}."


def tried(turn: Turn) -> str:
    """What was tried for the side that lies furthest off, and whether it did any good."""
    if not turn.tried:
        return NOTHING
    count = "One number was" if turn.tried == 1 else f"{turn.tried} numbers were"
    told = f"{count} tried, one up or one down"
    if turn.proposals:
        return f"{told}; these steps did most."
    return f"{told}; no single step brings all sides nearer.{' These came nearest.' if turn.short else ''}"


def line_of(proposal: Proposal) -> str:
    """A step with what it does."""
    return f"{proposal.step}: {moved(proposal)} points; then all lie {100 * proposal.off:.1f} points off in sum"


def moved(proposal: Proposal) -> str:
    """What a step does to the side that it is for, by each kind of players."""
    return ", ".join(
        f"{players} {100 * effect.difference:+.1f} ±{100 * effect.half:.1f}"
        for players, effect in proposal.effects.items()
    )


def line_of_taken(turn: Turn) -> str:
    """Which step was taken, and what it does where it was not chosen for its luck."""
    if turn.again is None:
        return "Nothing was taken."
    return f"Taken: {turn.taken}. On fresh deals: {moved(turn.again)} points."


def lines_of_shares(shares: Sequence[Share], names: dict[str, str]) -> list[str]:
    """Shares as a table, a column for each kind of players."""
    players = list(dict.fromkeys(share.players for share in shares))
    told = [f"{'share of victories, %':<32}" + "".join(f"{level:>16}" for level in players)]
    for side in dict.fromkeys(share.side for share in shares):
        own = {share.players: share for share in shares if share.side == side}
        cells = "".join(f"{f'{100 * own[p].share:.1f} ±{100 * own[p].half:.1f}':>16}" for p in players)
        told.append(f"  {names.get(side, side):<30}{cells}")
    return told


def verdict(path: Path) -> str:
    """What it came to, as a sentence."""
    band = f"{100 * path.low:g} to {100 * path.high:g} %"
    if path.sure:
        return f"Every side lies in {band}, its interval included."
    if path.reached:
        return f"Every side lies in {band}; some intervals reach beyond."
    if path.missed:
        return f"Surely not every side lies in {band}."
    return f"Not every share lies in {band}, but the intervals leave open whether every side does."


def why_ended(path: Path) -> str:
    """That it ended for want of games, or by hand, as a sentence; else empty."""
    if path.ended == STOPPED:
        return "Stopped by hand: the shares are those that were measured last."
    if path.ended != GAMES:
        return ""
    tried = "before another step was tried" if path.turns else "before a step was tried"
    return f"The {path.most:,} games that were allowed ended {tried}: more are needed (--games)."


def lines(path: Path, names: dict[str, str]) -> list[str]:
    """What it came to."""
    steps = [f"  --set {step}" for step in path.steps] or ["  nothing was changed"]
    return [
        *lines_of_shares(path.shares, names),
        "",
        verdict(path) + (" These deals were seen by no turn." if path.steps and path.ended != STOPPED else ""),
        *([why] if (why := why_ended(path)) else []),
        *steps,
        f"{path.games:,} games in {path.spent:.0f} s of CPU time.",
        f"Digest {path.digest}: the same with any number of workers.",
    ]


def as_file(path: Path) -> str:
    """What was changed, as a file that `--b` takes."""
    told = [f"# {path.title}: {verdict(path)}", f"# Played by {', '.join(path.players)}; digest {path.digest}."]
    told += [f"# {turn.taken}" for turn in path.turns if turn.taken is not None]
    cards: dict[str, list[str]] = {}
    for step in path.steps:
        left, _, value = step.partition("=")
        word, _, key = left.rpartition(".")
        cards.setdefault(word, []).append(f"{key} = {value}")
    for word, numbers in cards.items():
        told += ["", "[[card]]", f'slug = "{word}"', *numbers]
    return "\n".join(told) + "\n"
