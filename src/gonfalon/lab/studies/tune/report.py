"""The self-contained page of a tuning: the shares at the start, each turn, and the shares at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path as Folder
from typing import Final

from gonfalon.lab.charts import charts, pages
from gonfalon.lab.studies.tune.tune import GAMES_USED_UP, STOPPED, Proposal, SideShare, TuningResult, Turn


def render_page(path: TuningResult, names: dict[str, str]) -> str:
    """Return the HTML page."""
    parts = [
        f"<p class=lead>{escape(f'{summarize_result(path)} {describe_end(path)}'.strip())}</p>",
        render_steps(path),
    ]
    if path.steps:
        parts.append(f"<h2>Before</h2>{render_levels(path, path.turns[0].shares, names)}")
    parts.append(f"<h2>{'After' if path.steps else 'As it is'}</h2>{render_levels(path, path.shares, names)}")
    parts += [render_turn(number, turn, names) for number, turn in enumerate(path.turns, start=1)]
    parts.append(render_footer(path))
    return pages.render_document(
        f"{path.title}, played by {', '.join(path.players)}", "What should the numbers be?", parts
    )


def render_steps(path: TuningResult) -> str:
    """Return the chosen steps as HTML."""
    rows = [
        (turn.taken.name, turn.taken.path.partition(".")[2], str(turn.taken.before), str(turn.taken.after),
         turn.taken.origin)
        for turn in path.turns
        if turn.taken is not None
    ]  # fmt: skip
    if not rows:
        return "<p>No number was changed.</p>"
    head = ("Card", "number", "before", "after", "origin of the old number")
    return f"<section><h3>The change</h3><div class=wide>{pages.render_table('Steps', head, rows)}</div></section>"


def render_levels(path: TuningResult, shares: Sequence[SideShare], names: dict[str, str]) -> str:
    """Return the shares for each level, as charts and tables."""
    middle = (path.low + path.high) / 2
    told = []
    for level in path.players:
        own = list_intervals(shares, level, names)
        rows = [(side, f"{100 * share:.1f} %", f"±{100 * half:.1f}") for side, share, half in own]
        words = "Win rate over all opponents with equal weights, in %, with the 95 % interval."
        told.append(
            pages.render_section(
                f"Played by {level.capitalize()}",
                words,
                charts.draw_intervals(own, "share, %", middle),
                pages.render_table(
                    "Figures", ("", "share", "95 %"), rows, [not path.low <= share <= path.high for _, share, _ in own]
                ),
            )
        )
    return "".join(told)


def list_intervals(shares: Sequence[SideShare], level: str, names: dict[str, str]) -> list[charts.Interval]:
    """Return the shares for one level as intervals of a chart."""
    return [(names.get(s.side, s.side), s.share, s.half) for s in shares if s.players == level]


def render_turn(number: int, turn: Turn, names: dict[str, str]) -> str:
    """Return the trials of a turn and its chosen step as HTML."""
    side = names.get(turn.side, turn.side)
    words = f"<p>{escape(describe_distance(turn, side))} {describe_trials(turn)}</p>"
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
    table = pages.render_table("Steps", ("", *(f"points, {level}" for level in players), "total distance"), rows, firm)
    return f"<section><h3>Turn {number}</h3>{words}<div class=wide>{table}</div>{render_fresh_effect(turn)}</section>"


def render_fresh_effect(turn: Turn) -> str:
    """Return the effect of the chosen step on fresh deals."""
    if turn.again is None:
        return ""
    told = f"{turn.taken} was chosen. Its effect on fresh deals: {format_effects(turn.again)} points."
    return f"<p>{escape(told.replace('->', '→').replace(' -', ' −'))}</p>"


def render_footer(path: TuningResult) -> str:
    """Return a description of the method."""
    taken = "The chosen step and the final shares were measured on fresh deals, which no choice depended on. "
    told = (
        f"{path.games:,} games. The table of a turn overstates its best steps slightly, because it selected them. "
        f"{taken if path.steps else ''}The total distance is measured to the middle part of the band. "
        f"Rules version {path.version}, data {path.before} and {path.after}, seed {path.seed}, digest {path.digest}. "
        "The games were played by bots; results of people may differ."
    )
    return f"<footer><p>{escape(told)}</p></footer>"


def write_pictures(path: TuningResult, names: dict[str, str], folder: Folder) -> None:
    """Write each chart as SVG and PNG."""
    middle = (path.low + path.high) / 2
    # Without a step both pictures would be equal, so only one is written.
    before = path.turns[0].shares if path.steps else []
    for when, shares in (("before", before), ("after" if path.steps else "as-it-is", path.shares)):
        for level in path.players:
            if own := list_intervals(shares, level, names):
                stem = re.sub("[^a-z0-9]+", "-", f"{level}-{when}")
                head = f"{path.title}, played by {level}: how strong each side is {when.replace('-', ' ')}"
                charts.write_chart(folder, stem, charts.draw_intervals(own, "share, %", middle), head)


NOTHING_FREE: Final = "It has no free number that can go up or down by one. Free one with --free."
"""Sentence for a turn without free numbers."""


def format_turn(turn: Turn, names: dict[str, str]) -> list[str]:
    """Return the result of a turn as lines of text."""
    side = names.get(turn.side, turn.side)
    told = [*format_shares(turn.shares, names), "", f"{describe_distance(turn, side)} {describe_trials(turn)}"]
    proposed = [f"  {n}. {format_proposal(proposal)}" for n, proposal in enumerate(turn.proposals, start=1)]
    return [*told, *proposed, *(f"  {format_proposal(proposal)}" for proposal in turn.short)]


def describe_distance(turn: Turn, side: str) -> str:
    """Return a sentence about the side that the turn is for."""
    among = " among the sides with free numbers" if turn.tried else ""
    return f"{side} is furthest from the band{among}."


def describe_trials(turn: Turn) -> str:
    """Return a sentence about the trials of a turn and their success."""
    if not turn.tried:
        return NOTHING_FREE
    count = "One number was" if turn.tried == 1 else f"{turn.tried} numbers were"
    told = f"{count} tried, up or down by one"
    if turn.proposals:
        return f"{told}. The best steps:"
    return f"{told}. No single step brings all sides nearer.{' The nearest:' if turn.short else ''}"


def format_proposal(proposal: Proposal) -> str:
    """Return a step with its effect."""
    total = f"total distance of all sides {100 * proposal.off:.1f} points"
    return f"{proposal.step}: {format_effects(proposal)} points; {total}"


def format_effects(proposal: Proposal) -> str:
    """Return the effect of a step on its side, for each level."""
    return ", ".join(
        f"{players} {100 * effect.difference:+.1f} ±{100 * effect.half:.1f}"
        for players, effect in proposal.effects.items()
    )


def format_choice(turn: Turn) -> str:
    """Return the chosen step with its effect on fresh deals, which is free of selection bias."""
    if turn.again is None:
        return "No step was chosen."
    return f"Chosen: {turn.taken}. On fresh deals: {format_effects(turn.again)} points."


def format_shares(shares: Sequence[SideShare], names: dict[str, str]) -> list[str]:
    """Return shares as a table with a column for each level."""
    players = list(dict.fromkeys(share.players for share in shares))
    told = [f"{'win rate, %':<32}" + "".join(f"{level:>16}" for level in players)]
    for side in dict.fromkeys(share.side for share in shares):
        own = {share.players: share for share in shares if share.side == side}
        cells = "".join(f"{f'{100 * own[p].share:.1f} ±{100 * own[p].half:.1f}':>16}" for p in players)
        told.append(f"  {names.get(side, side):<30}{cells}")
    return told


def summarize_result(path: TuningResult) -> str:
    """Return the result in a sentence."""
    band = f"{100 * path.low:g} to {100 * path.high:g} %"
    if path.sure:
        return f"Every side is within {band}, including its interval."
    if path.reached:
        return f"Every side is within {band}, but some intervals reach beyond."
    if path.missed:
        return f"At least one side is clearly outside {band}."
    return f"Not every measured share is within {band}, but the intervals allow it."


def describe_end(path: TuningResult) -> str:
    """Return a sentence if the study ran out of games or was interrupted; otherwise empty."""
    if path.ended == STOPPED:
        return "Interrupted: these are the last measured shares."
    if path.ended != GAMES_USED_UP:
        return ""
    tried = "before another step was tried" if path.turns else "before a step was tried"
    return f"The limit of {path.most:,} games was reached {tried}. Raise it with --games."


def format_lines(path: TuningResult, names: dict[str, str]) -> list[str]:
    """Return the result as lines of text."""
    steps = [f"  --set {step}" for step in path.steps] or ["  no number was changed"]
    return [
        *format_shares(path.shares, names),
        "",
        summarize_result(path) + (" (measured on fresh deals)" if path.steps and path.ended != STOPPED else ""),
        *([why] if (why := describe_end(path)) else []),
        *steps,
        f"{path.games:,} games in {path.spent:.0f} s of CPU time.",
        f"Digest {path.digest}: the same with any number of workers.",
    ]


def format_file(path: TuningResult) -> str:
    """Return the changes as a file for the option `--b`."""
    told = [
        f"# {path.title}: {summarize_result(path)}",
        f"# Played by {', '.join(path.players)}; digest {path.digest}.",
    ]
    told += [f"# {turn.taken}" for turn in path.turns if turn.taken is not None]
    return "\n".join([*told, *path.steps]) + "\n"
