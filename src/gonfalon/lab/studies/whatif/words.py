"""What a study has found, in words for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gonfalon.lab.studies.whatif.whatif import PRECISE, STOPPED, Answer, Effect

BY_HAND: Final = "Stopped by hand: the intervals are the wider ones, which hold whenever one stops."
WORTH_TELLING: Final = 1.5


def why_stopped(answer: Answer) -> str:
    """Why the study ended there, as a sentence."""
    asked = f"±{100 * answer.precision:g}"
    if answer.ended == PRECISE:
        return f"Stopped at the precision that was asked for, {asked} points."
    if answer.ended == STOPPED:
        return BY_HAND
    return (
        f"The precision of {asked} points was not reached: it would take about {answer.needed:,} games. "
        "The intervals are those of what was played."
    )


def half_of(answer: Answer, effect: Effect) -> float:
    """Half the interval that may be told."""
    return effect.at_any_time if answer.ended == STOPPED else effect.half


def saved(answer: Answer) -> str:
    """What it saved to play the same deals with both, as a sentence; empty where that is hardly anything."""
    times = answer.sides[0].saved if answer.sides else 0.0
    return f"Separate deals would have taken {times:g} times as many games." if times >= WORTH_TELLING else ""


def named(effect: Effect, names: Mapping[str, str]) -> Effect:
    """An effect that is called as people call it."""
    return replace(effect, what=" against ".join(names.get(word, word) for word in effect.what.split(" against ")))


def too_few(answer: Answer) -> str:
    """What is said of matchups that are not told; nothing where all are."""
    if not answer.untold:
        return ""
    more = "more " if answer.matchups else ""
    return f"Of {answer.untold} {more}matchup{'s' if answer.untold > 1 else ''} there are too few games."


def lines(answer: Answer, names: Mapping[str, str]) -> list[str]:
    """An answer as lines of text. `names`: how people call factions and decks."""
    sides, met = ([named(effect, names) for effect in effects] for effects in (answer.sides, answer.matchups))
    told = [
        f"{answer.title}, played by {answer.players}, who {answer.believe}",
        f"{answer.games // 2:,} deals, each with both, in {answer.spent:.0f} s of CPU time. {why_stopped(answer)}",
        "",
        *table("share of victories, %", answer, sides, 100.0),
    ]
    if answer.matchups:
        told += ["", *table("matchup, %", answer, met, 100.0)]
    if answer.untold:
        told += [*([] if answer.matchups else [""]), too_few(answer)]
    told += ["", *table("length", answer, answer.length, 1.0), "", *table("ended by, %", answer, answer.endings, 100.0)]
    if answer.first:
        told += ["", *table("victories of, %", answer, answer.first, 100.0)]
    return [
        *told,
        "",
        *([saving] if (saving := saved(answer)) else []),
        f"Digest {answer.digest}: the same with any number of workers.",
    ]


def table(head: str, answer: Answer, effects: list[Effect], scale: float) -> list[str]:
    """Effects as lines with columns."""
    wide = max([len(head), *[len(effect.what) for effect in effects]]) + 2
    told = [f"{head:<{wide}}{'before':>9}{'after':>9}{'difference':>16}"]
    for effect in effects:
        moved = f"{scale * effect.difference:+.1f} ±{scale * half_of(answer, effect):.1f}"
        old, new = ("" if value is None else f"{scale * value:.1f}" for value in (effect.before, effect.after))
        told.append(f"{effect.what:<{wide}}{old:>9}{new:>9}{moved:>16}")
    return told
