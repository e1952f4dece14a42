"""What does this number do? Two variants of a game play the same deals, and the differences are what counts.

Both get one stream of chance for each deal, so whatever the change does not touch happens in both, and far fewer games
tell the effect than two separate studies would need. A study goes on until the effect is known as closely as was asked
(`lab/run/sequential.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from math import inf
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Any, Final

from gonfalon import games
from gonfalon.bots import make
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.run.match import decks_of, factions_of, matchups, sides_of
from gonfalon.lab.run.paired_deals import exact
from gonfalon.lab.run.sequential import LEAST, Track
from gonfalon.lab.run.session import Crew
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.overrides import Change, Entry, Variant, entries, plain

PRECISE: Final = "precise"
LIMIT: Final = "limit"
STOPPED: Final = "stopped"
EXPERT: Final = "expert"
UNREACHABLE: Final = 1_000_000_000
"""As many games as nobody waits for."""
EFFECTS: Final = ("sides", "matchups", "length", "endings", "first")
OPEN: Final = 1.0
"""Half of an interval that leaves all open."""
LOOKS: Final = 1.03
"""A study looks again when it has grown so much."""
SLOW: Final = 0.25
"""One that has had such a part of its time, and few rounds, tells of single deals: better a wide interval than none."""
BELIEF: Final = {
    "random": "plays any legal card and sees a third to a seventh of what a number does: believe it on how long games "
    "are and how they end, not on who wins.",
    "gentle": "plays with few ideas: believe the sign of an effect, not its size.",
    "casual": "plays with few ideas: believe the sign of an effect, not its size.",
    "club": "agrees with greedy and strong on what a change does, not always on who is ahead at all: believe the "
    "difference more than the shares.",
    "greedy": "agrees with club and strong on what a change does, not always on who is ahead at all: believe the "
    "difference more than the shares.",
    "strong": "tries out how it may go on, and is nearest to good players: where the others differ, believe it.",
    EXPERT: "is the strongest of them all: where the others differ, believe it.",
}
STRANGER: Final = "is not one of ours: judge its play first."
BELIEF_IN_SHARES: Final = {
    "random": "plays any legal card: who wins so says little about who wins among people.",
    "gentle": "plays with few ideas: a side that needs some looks weaker than it is.",
    "casual": "plays with few ideas: a side that needs some looks weaker than it is.",
    "club": "does not always agree with greedy and strong on who is ahead: ask them too.",
    "greedy": "does not always agree with club and strong on who is ahead: ask them too.",
}
"""Of those who see another picture where nothing was changed, and it is asked who wins."""


def belief(players: str) -> str:
    """What to believe of a study by these players."""
    return BELIEF.get(players.partition(":")[0], STRANGER)


def belief_in_shares(players: str) -> str:
    """What to believe of who wins where these players play."""
    return BELIEF_IN_SHARES.get(players.partition(":")[0], belief(players))


@dataclass(frozen=True)
class Effect:
    """A mean with both variants, and the difference with half of its 95 % interval. `at_any_time` is the same for
    whoever watched and stopped when they liked; `saved`: separate deals would have taken so many times as many."""

    what: str
    games: int
    before: float | None
    after: float | None
    difference: float
    half: float
    at_any_time: float
    saved: float


@dataclass(frozen=True)
class Question:
    """What a study is asked."""

    game: str
    players: str
    before: Variant
    after: Variant
    precision: float = 0.02
    most: int = 20_000
    """Games of both variants together."""
    seed: int = 0
    seconds: float = inf
    """The most CPU time for the games; a study ends at the first look after it."""


@dataclass(frozen=True)
class Answer:
    """What it found, by one kind of players. `sides` and `matchups` are shares of victories; a side's effect is over
    all its opponents, those with whom nothing changes included."""

    game: str
    title: str
    version: str
    players: str
    believe: str
    seed: int
    before: str
    after: str
    """The hashes of the data of the two."""
    changes: list[Change]
    precision: float
    ended: str
    """Why the study stopped: precise, limit, or stopped by somebody."""
    rounds: int
    games: int
    spent: float
    sides: list[Effect]
    matchups: list[Effect]
    length: list[Effect]
    endings: list[Effect]
    first: list[Effect]
    """Of whoever decides first; none where that goes with the side."""
    alike: float
    """The share of deals that ended alike."""
    lost: float
    won: float
    """The shares of deals that the first side lost and had won before, and the other way."""
    needed: int
    """How many games the precision takes, by what is known now."""
    digest: str
    rounds_of: dict[str, list[float]]
    """For each length of games how large a share had it before and after."""
    path: list[tuple[int, float, float, float]]
    """How the study came there: the games played, the difference it waited for, and half of both its intervals."""
    untold: int = 0
    """Of how many matchups there are too few games to tell anything."""


Value = Callable[[Row], list[float]]


@dataclass
class Pairs:
    """The deals that both variants have played, round by round."""

    before: list[list[Row]] = field(default_factory=list)
    after: list[list[Row]] = field(default_factory=list)
    spent: float = 0.0
    singly: bool = False
    """Whether each deal counts for itself, while rounds are too few. Who happens to meet whom widens the interval then,
    and it takes `LEAST` deals."""

    def add(self, before: Block, after: Block, width: int) -> None:
        """Take the blocks of a number in, which have the same rounds."""
        self.before += [before.rows[at : at + width] for at in range(0, len(before.rows), width)]
        self.after += [after.rows[at : at + width] for at in range(0, len(after.rows), width)]
        self.spent += before.spent + after.spent

    @property
    def games(self) -> int:
        """How many games that are, with both variants."""
        return 2 * sum(map(len, self.before))

    def effect(self, what: str, value: Value, part: float = 1.0) -> Effect | None:
        """The difference of a value of games, which is a list to which a game may add nothing. `part`: how much of the
        whole the matchups are in which anything changes; what lies outside them is not known then, but for the
        difference. None where no game tells of it."""
        both = [pair for pair in map(partial(self.told, value), *self.units()) if pair is not None]
        if len(both) < (LEAST if self.singly else 2):
            return None
        counted = sum(count for _, _, count in both)
        moved = Track((part * (b - a) for a, b, _ in both), grain=part * 2 * len(both) / counted)
        apart = part * part * (Track(a for a, _, _ in both).variance + Track(b for _, b, _ in both).variance)
        old, new = (fmean(pair[at] for pair in both) if part == 1.0 else None for at in (0, 1))
        return Effect(
            what,
            counted,
            None if old is None else round(old, 5),
            None if new is None else round(new, 5),
            round(moved.mean, 5),
            round(moved.half(), 5),
            round(moved.half_at_any_time(), 5),
            round(apart / moved.variance, 2) if moved.variance else 0.0,
        )

    def units(self) -> tuple[list[list[Row]], list[list[Row]]]:
        """What counts as one value, with each variant. That is a round: it holds each matchup once, so that who happens
        to meet whom is nobody's luck."""
        if not self.singly:
            return self.before, self.after
        old, new = ([[row] for rows in arm for row in rows] for arm in (self.before, self.after))
        return old, new

    def told(self, value: Value, before: list[Row], after: list[Row]) -> tuple[float, float, int] | None:
        """What a round, or a deal, tells of a value with both variants, and of how many games."""
        old, new = ([v for row in rows for v in value(row)] for rows in (before, after))
        return (fmean(old), fmean(new), len(old) + len(new)) if old and new else None


@dataclass(frozen=True)
class Progress:
    """How far a study is: the widest of the effects that it waits for, the games played and those that it takes."""

    effect: Effect
    games: int
    needed: int
    most: int
    seconds: float
    so_far: Callable[[], Answer] | None = None
    """Works out all that is known by now, with the intervals that may be told at any time."""

    @property
    def left(self) -> float:
        """How many seconds more it plays, if all goes on as before."""
        return self.seconds * max(0.0, min(self.needed, self.most) / self.games - 1.0)


Telling = Callable[[Progress], None]
Keeping = Callable[[Arm, list[Row], str], None]
"""Takes the games of an arm at the end, with what they stand for: before or after."""


def ask(
    question: Question,
    workers: Workers = 1,
    folder: Path | None = None,
    tell: Telling | None = None,
    keep: Keeping | None = None,
) -> Answer:
    """Play until the effect is known as closely as was asked, the most games are played, or somebody stops it. Raises
    OptionError and DataError."""
    arms = arms_of(question)
    pairs, digest, ended = Pairs(), sha256(), LIMIT
    look: float = LEAST
    path: list[tuple[int, float, float, float]] = []
    began = monotonic()
    with Crew(workers, folder) as crew:
        try:
            for before, after in crew.stream(arms):
                pairs.add(before, after, len(arms[0].setups))
                digest.update((before.digest + after.digest).encode())
                pairs.singly = len(pairs.before) < LEAST
                enough = pairs.games >= question.most or pairs.spent >= SLOW * question.seconds
                if len(pairs.before) < look and not (enough and tells(question, pairs)):
                    continue
                look = max(LEAST, len(pairs.before) * LOOKS)
                far = progress(question, pairs, monotonic() - began)
                path.append((far.games, far.effect.difference, far.effect.half, far.effect.at_any_time))
                if tell is not None:
                    tell(replace(far, so_far=partial(so_far, question, pairs, path)))
                if far.effect.half <= question.precision and not pairs.singly:
                    ended = PRECISE
                    break
                if pairs.games >= question.most or pairs.spent >= question.seconds:
                    break
        except KeyboardInterrupt:
            if not tells(question, pairs):
                raise
            ended = STOPPED
    if keep is not None:
        put_aside(arms, pairs, keep)
    return replace(answered(question, pairs, ended, digest.hexdigest()[:32]), path=path)


def put_aside(arms: list[Arm], pairs: Pairs, keep: Keeping) -> None:
    """Give away the games of both variants."""
    for arm, rounds, which in zip(arms, (pairs.before, pairs.after), ("before", "after"), strict=True):
        keep(arm, [row for rows in rounds for row in rows], which)


def so_far(question: Question, pairs: Pairs, path: list[tuple[int, float, float, float]]) -> Answer:
    """What a study that goes on has found by now."""
    return replace(answered(question, pairs, STOPPED, ""), path=path[:])


def tells(question: Question, pairs: Pairs) -> bool:
    """Whether anything is known of all whose effect is waited for."""
    return bool(pairs.before) and None not in awaited(question, pairs)


def awaited(question: Question, pairs: Pairs) -> list[Effect | None]:
    """The effects that a study waits for: of those whom something touches, or of all."""
    sides = everybody(pairs)
    watch = touched_of(question, pairs, sides) or sides
    return [pairs.effect(side, partial(scores, side=side)) for side in watch]


def progress(question: Question, pairs: Pairs, seconds: float) -> Progress:
    """How far a study is."""
    widest = max(found(awaited(question, pairs)), key=lambda effect: effect.half)
    needed = max(pairs.games, round(pairs.games * (widest.half / question.precision) ** 2))
    return Progress(widest, pairs.games, min(needed, UNREACHABLE), question.most, seconds)


def arms_of(question: Question) -> list[Arm]:
    """Both variants, as they are played. Raises OptionError."""
    both = setups_of(question)
    check_players(question, *[setups[0] for setups in both])
    return paired(question.game, both, question.players, question.seed)


def paired(name: str, both: tuple[list[Options], list[Options]], players: str, seed: int) -> list[Arm]:
    """Two arms that play the same deals, as far as their decks are the same."""
    coupled = exact(name, *both)
    beside = coupled[0] if coupled else None
    return [Arm.of(name, setups, players, seed, beside) for setups in coupled or both]


# ---- what is played -------------------------------------------------------------------------------------------


def setups_of(question: Question) -> tuple[list[Options], list[Options]]:
    """The matchups of both variants, each other's counterparts: those in which a changed side plays, or all where the
    change is everybody's. Raises OptionError."""
    name = question.game
    if not question.after.changes:
        raise OptionError("Nothing differs between the two, so there is nothing to find out.")
    ways = [matchups(name, variant.options) for variant in (question.before, question.after)]
    own = {"factions", "decks", "seats"}
    if any(change.path in own for change in question.after.changes) or len(ways[0]) != len(ways[1]):
        raise OptionError("Who plays must be the same with both variants; choose it with --option.")
    touched = question.after.touched
    told = [sides_of(games.game(name, **setup)) for setup in ways[0]]
    if touched and any(side in touched for sides in told for side in sides):
        kept = [at for at, sides in enumerate(told) if any(side in touched for side in sides)]
        ways = [[setups[at] for at in kept] for setups in ways]
    elif touched and (decks_of(name, {}) or factions_of(name, {})) and len(ways[0]) == 1:
        where = ", ".join(touched)
        raise OptionError(f"What changes is in {where}, and with these options nobody plays that.")
    return ways[0], ways[1]


def check_players(question: Question, before: Options, after: Options) -> None:
    """Refuse players who would not be the same with both variants. Raises OptionError."""
    level = question.players.partition(":")[0]
    bots = [make(level, games.game(question.game, **options)) for options in (before, after)]
    if level == EXPERT or type(bots[0]) is not type(bots[1]):
        raise OptionError(
            f"{level} cannot judge a change: its network was trained with one set of cards, so it would play one "
            "variant better than the other. Ask greedy, club or strong."
        )


# ---- figures --------------------------------------------------------------------------------------------------


def parties(row: Row) -> tuple[str, ...]:
    """What tells the seats of a game apart: what they brought, or else what was chosen or dealt in it."""
    return row.came if row.came and row.sides == seats_of(row.sides) else row.sides


def seats_of(sides: tuple[str, ...]) -> tuple[str, ...]:
    """What seats are called that nothing tells apart before the game (`sides_of`)."""
    return tuple(f"seat {seat}" for seat in range(len(sides)))


def brought(pairs: Pairs) -> bool:
    """Whether sides are known before the game."""
    row = pairs.before[0][0]
    return parties(row) == row.sides


def everybody(pairs: Pairs) -> list[str]:
    """All sides that have played."""
    rounds = pairs.before[:1] if brought(pairs) else pairs.before
    return list(dict.fromkeys(side for rows in rounds for row in rows for side in parties(row)))


def touched_of(question: Question, pairs: Pairs, sides: list[str]) -> list[str]:
    """The sides in which all that has changed stands; none where some of it is everybody's. Of what is chosen or dealt
    in the game, such as a goal, those that an entry of the data names in which something has changed."""
    if brought(pairs):
        return [side for side in sides if side in question.after.touched]
    both = (question.before, question.after)
    known = [entry for one in both for entry in entries(plain(games.game(question.game, **one.options)))]
    named = [set(sides) & words_of(change, known) for change in question.after.changes]
    return [side for side in sides if any(side in own for own in named)] if all(named) else []


def words_of(change: Change, known: Iterable[Entry]) -> set[str]:
    """All that the entries say which a change is about."""
    word = change.path.split(".")[0]
    return {str(value) for entry in known if word in entry.words for value in entry.table.values()}


def scores(row: Row, side: str, against: str = "") -> list[float]:
    """What a side got in a game, for each seat that had it."""
    who = parties(row)
    return [
        score
        for seat, (own, score) in enumerate(zip(who, row.scores, strict=True))
        if own == side and (not against or against in who[:seat] + who[seat + 1 :])
    ]


def answered(question: Question, pairs: Pairs, ended: str, digest: str) -> Answer:
    """All that the pairs come to."""
    sides = everybody(pairs)
    changed = touched_of(question, pairs, sides)
    both = [games.game(question.game, **variant.options) for variant in (question.before, question.after)]
    far = progress(question, pairs, 0.0)
    alike, lost, won = flipped(pairs, (changed or sides)[0])
    met = matchup_effects(pairs, changed or sides, sides)
    return Answer(
        game=question.game,
        title=both[0].title,
        version=both[0].version,
        players=question.players,
        believe=belief(question.players),
        seed=question.seed,
        before=both[0].data_hash,
        after=both[1].data_hash,
        changes=question.after.changes,
        precision=question.precision,
        ended=ended,
        rounds=len(pairs.before),
        games=far.games,
        spent=round(pairs.spent, 2),
        sides=effects_of_sides(pairs, sides, changed),
        matchups=[effect for effect in met if effect is not None],
        length=lengths(pairs),
        endings=endings(pairs),
        first=found([pairs.effect("who decides first", partial(first, where=open_beginnings(pairs)))]),
        alike=alike,
        lost=lost,
        won=won,
        needed=far.needed,
        digest=digest,
        rounds_of=spread(pairs),
        path=[],
        untold=met.count(None),
    )


def spread(pairs: Pairs) -> dict[str, list[float]]:
    """How many games had each length, as shares of both variants'; nothing where games have no turns and no rounds."""
    both = [Counter(row.length for rows in arm for row in rows) for arm in (pairs.before, pairs.after)]
    lengths = sorted({*both[0], *both[1]})
    if lengths == [0]:
        return {}
    return {str(n): [round(counts[n] / counts.total(), 4) for counts in both] for n in lengths}


def found(effects: Iterable[Effect | None]) -> list[Effect]:
    """Those of which something is known."""
    return [effect for effect in effects if effect is not None]


def effects_of_sides(pairs: Pairs, sides: list[str], changed: list[str]) -> list[Effect]:
    """What the change does to the share of each side over all its opponents, the changed sides first. One that nothing
    touches plays only some of its matchups here, if sides are known beforehand; in the others nothing can change, and
    they count as such."""
    some = bool(changed) and brought(pairs)
    order = sorted(sides, key=lambda side: side not in changed)
    parts = [1.0 if side in changed or not some else len(changed) / (len(sides) - 1) for side in order]
    return found(pairs.effect(side, partial(scores, side=side), part) for side, part in zip(order, parts, strict=True))


def matchup_effects(pairs: Pairs, rows: list[str], sides: list[str]) -> list[Effect | None]:
    """The same of each pair of sides, once; of none where all sit at every table. None for a pair that has met so
    seldom that the interval leaves all open."""
    if len(sides) <= len(pairs.before[0][0].sides):
        return []
    met = [
        (row, other)
        for row in rows
        for other in sides
        if row != other and (other not in rows or rows.index(row) < rows.index(other))
    ]
    told = [pairs.effect(f"{a} against {b}", partial(scores, side=a, against=b)) for a, b in met]
    return [effect if effect is not None and effect.half < OPEN else None for effect in told]


def lengths(pairs: Pairs) -> list[Effect]:
    """How long games are."""
    turns = pairs.effect("turns or rounds", lambda row: [float(row.length)] if row.length else [])
    return found([pairs.effect("decisions", lambda row: [float(row.decisions)]), turns])


def endings(pairs: Pairs) -> list[Effect]:
    """How often games end in each way."""
    ways = sorted({row.how for rows in (*pairs.before, *pairs.after) for row in rows})
    return found(pairs.effect(how, partial(ended_by, how)) for how in ways)


def ended_by(how: str, row: Row) -> list[float]:
    """Whether a game ended in this way."""
    return [float(row.how == how)]


def first(row: Row, where: frozenset[tuple[str, ...]]) -> list[float]:
    """What who decided first got, in the matchups where that tells of beginning."""
    return [row.scores[row.first]] if row.first >= 0 and tuple(sorted(row.sides)) in where else []


def open_beginnings(pairs: Pairs) -> frozenset[tuple[str, ...]]:
    """The matchups in which who decides first does not go with the side, with both variants: elsewhere the share of
    who decides first is that of a side. Seats that nothing tells apart are equals."""
    told = []
    for arm in (pairs.before, pairs.after):
        began: dict[tuple[str, ...], set[str]] = {}
        for row in (row for rows in arm for row in rows if row.first >= 0):
            began.setdefault(tuple(sorted(row.sides)), set()).add(row.sides[row.first])
        told.append({met for met, sides in began.items() if len(sides) > 1 or are_equals(met)})
    return frozenset(told[0] & told[1])


def are_equals(sides: tuple[str, ...]) -> bool:
    """Whether all play the same, or nothing is known that tells them apart (`sides_of`)."""
    return len(set(sides)) == 1 or sides == seats_of(sides)


def flipped(pairs: Pairs, side: str) -> tuple[float, float, float]:
    """The shares of deals in which a side got the same, less, and more than before. Who chose it in the game may not
    have done so again: such a deal is not counted."""
    both = [
        (scores(was, side), scores(now, side))
        for old, new in zip(pairs.before, pairs.after, strict=True)
        for was, now in zip(old, new, strict=True)
    ]
    moved = [b - a for was, now in both if len(was) == len(now) for a, b in zip(was, now, strict=True)]
    counts = (sum(m == 0 for m in moved), sum(m < 0 for m in moved), sum(m > 0 for m in moved))
    alike, lost, won = (round(count / max(1, len(moved)), 4) for count in counts)
    return alike, lost, won


def from_json(body: dict[str, Any]) -> Answer:
    """Return an answer from its fields as JSON has them."""
    effects = {part: [Effect(**effect) for effect in body[part]] for part in EFFECTS}
    changes = [Change(**change) for change in body["changes"]]
    path = [(games, mean, half, wide) for games, mean, half, wide in body["path"]]
    return Answer(**{**body, **effects, "changes": changes, "path": path})


BY_HAND: Final = "Stopped by hand: the intervals are the wider ones, which hold whenever one stops."
