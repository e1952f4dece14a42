"""How numbers were tuned, in words for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gonfalon.lab.studies.tune.tune import GAMES, STOPPED, Path, Proposal, Share, Turn

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
