"""The effect of a change: two variants of a game play the same deals, and the differences are evaluated.

Both variants get one stream of chance for each deal, so everything that the change does not touch happens in both, and
far fewer games are needed than for two separate studies. A study continues until the effect has the requested precision
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
from gonfalon.core.files.card_changes import Change, Entry, copy_data, iter_entries
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.run.match import find_deck_option, find_faction_option, list_matchups, name_sides
from gonfalon.lab.run.paired_deals import pair_setups
from gonfalon.lab.run.sequential import MIN_DEALS, RunningMean
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.overrides import Variant

PRECISE: Final = "precise"
LIMIT_REACHED: Final = "limit"
STOPPED: Final = "stopped"
EXPERT: Final = "expert"
"""Level that cannot judge changes."""
UNREACHABLE: Final = 1_000_000_000
"""A number of games that is never reached."""
EFFECTS: Final = ("sides", "matchups", "length", "endings", "first")
"""Fields of an answer that hold effects."""
UNKNOWN_HALF_WIDTH: Final = 1.0
"""Half the width of an interval without information."""
EVALUATION_GROWTH: Final = 1.03
"""Growth of a study between two evaluations, as a factor."""
SLOW_SHARE: Final = 0.25
"""Share of the time after which a study with few rounds evaluates single deals: a wide interval is better than none."""
RELIABILITY: Final = {
    "random": "plays any legal action and shows only a third to a seventh of an effect: trust it on the length of "
    "games and their endings, not on win rates.",
    "gentle": "plays simply: trust the sign of an effect, not its size.",
    "casual": "plays simply: trust the sign of an effect, not its size.",
    "club": "agrees with greedy and strong on the effect of a change, but not always on win rates: trust the "
    "difference more than the shares.",
    "greedy": "agrees with club and strong on the effect of a change, but not always on win rates: trust the "
    "difference more than the shares.",
    "strong": "searches ahead and is closest to good players: if levels disagree, trust it.",
    EXPERT: "is the strongest level: if levels disagree, trust it.",
}
"""Reliability of each level's results about a change."""
UNKNOWN_RELIABILITY: Final = "is not part of Gonfalon: check its play first."
"""Note for levels of other packages."""
SHARE_RELIABILITY: Final = {
    "random": "plays any legal action, so its win rates say little about games between people.",
    "gentle": "plays simply: sides that are hard to play look weaker than they are.",
    "casual": "plays simply: sides that are hard to play look weaker than they are.",
    "club": "does not always agree with greedy and strong on win rates: run those too.",
    "greedy": "does not always agree with club and strong on win rates: run those too.",
}
"""Reliability of a level's win rates, if it differs from the reliability of its results about a change."""


def describe_reliability(players: str) -> str:
    """Return the reliability of a level's results about a change."""
    return RELIABILITY.get(players.partition(":")[0], UNKNOWN_RELIABILITY)


def describe_share_reliability(players: str) -> str:
    """Return the reliability of a level's win rates."""
    return SHARE_RELIABILITY.get(players.partition(":")[0], describe_reliability(players))


@dataclass(frozen=True)
class Effect:
    """A mean with both variants, and their difference with half of its 95 % interval.

    `at_any_time` is half of the interval that holds whenever the study stops. `saved` is the factor by
    which separate deals would have needed more games.
    """

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
    """The settings of a study."""

    game: str
    players: str
    before: Variant
    after: Variant
    precision: float = 0.02
    most: int = 20_000
    """Maximum number of games of both variants together."""
    seed: int = 0
    seconds: float = inf
    """Maximum CPU seconds of the games; a study ends at the first evaluation after it."""


@dataclass(frozen=True)
class Answer:
    """The result of a study with one level.

    `sides` and `matchups` are win rates. A side's effect is over all its opponents, also those against which nothing
    changes.
    """

    game: str
    title: str
    version: str
    players: str
    believe: str
    seed: int
    before: str
    after: str
    """Hash of the changed data; `before` is that of the original data."""
    changes: list[Change]
    precision: float
    ended: str
    """Reason for the end: precise, limit or stopped."""
    rounds: int
    games: int
    spent: float
    sides: list[Effect]
    matchups: list[Effect]
    length: list[Effect]
    endings: list[Effect]
    first: list[Effect]
    """Score of the seat that decides first; empty if the side determines that."""
    alike: float
    """Share of deals with the same result."""
    lost: float
    won: float
    """Share of deals that the first side won only with the change; `lost` is the share it won only without."""
    needed: int
    """Estimated number of games for the precision."""
    digest: str
    rounds_of: dict[str, list[float]]
    """Share of games with each length, before and after."""
    path: list[tuple[int, float, float, float]]
    """Course of the study: the games, the difference, and half of both its intervals."""
    untold: int = 0
    """Number of matchups with too few games for a result."""


GameValue = Callable[[Row], list[float]]
"""A function that returns the values of a game, possibly none."""


@dataclass
class PairedGames:
    """The deals that both variants have played, round by round."""

    before: list[list[Row]] = field(default_factory=list)
    after: list[list[Row]] = field(default_factory=list)
    spent: float = 0.0
    singly: bool = False
    """Whether each deal counts alone, while there are few rounds.

    The interval is wider then, and needs `LEAST` deals.
    """

    def add(self, before: Block, after: Block, width: int) -> None:
        """Add a block of each variant with the same rounds."""
        self.before += [before.rows[at : at + width] for at in range(0, len(before.rows), width)]
        self.after += [after.rows[at : at + width] for at in range(0, len(after.rows), width)]
        self.spent += before.spent + after.spent

    @property
    def games(self) -> int:
        """Number of games of both variants."""
        return 2 * sum(map(len, self.before))

    def measure_effect(self, what: str, value: GameValue, part: float = 1.0) -> Effect | None:
        """Return the difference of a value; None if no game has the value.

        Args:
            what: The name of the effect.
            value: Returns the values of a game.
            part: Share of all matchups that the change touches. If it is below 1, only the difference is known.
        """
        # Rounds without a value of either variant do not count.
        both = [pair for pair in map(partial(self.summarize_unit, value), *self.list_units()) if pair is not None]
        if len(both) < (MIN_DEALS if self.singly else 2):
            return None
        counted = sum(count for _, _, count in both)
        moved = RunningMean((part * (b - a) for a, b, _ in both), grain=part * 2 * len(both) / counted)
        apart = (
            part * part * (RunningMean(a for a, _, _ in both).variance + RunningMean(b for _, b, _ in both).variance)
        )
        old, new = (fmean(pair[at] for pair in both) if part == 1.0 else None for at in (0, 1))
        return Effect(
            what,
            counted,
            None if old is None else round(old, 5),
            None if new is None else round(new, 5),
            round(moved.mean, 5),
            round(moved.half_width(), 5),
            round(moved.half_width_any_time(), 5),
            round(apart / moved.variance, 2) if moved.variance else 0.0,
        )

    def list_units(self) -> tuple[list[list[Row]], list[list[Row]]]:
        """Return the units that count as one value, for each variant.

        A unit is a round. It holds each matchup once, so the choice of opponents adds no variance.
        """
        if not self.singly:
            return self.before, self.after
        old, new = ([[row] for rows in arm for row in rows] for arm in (self.before, self.after))
        return old, new

    def summarize_unit(self, value: GameValue, before: list[Row], after: list[Row]) -> tuple[float, float, int] | None:
        """Return the means of a value in a unit with both variants, and the number of values; None without any."""
        old, new = ([v for row in rows for v in value(row)] for rows in (before, after))
        return (fmean(old), fmean(new), len(old) + len(new)) if old and new else None


@dataclass(frozen=True)
class Progress:
    """The progress of a study: the widest of the effects it waits for, the games so far and the needed ones."""

    effect: Effect
    games: int
    needed: int
    most: int
    seconds: float
    so_far: Callable[[], Answer] | None = None
    """Computes the current answer, with the intervals that hold at any time."""

    @property
    def left(self) -> float:
        """Estimated remaining seconds."""
        return self.seconds * max(0.0, min(self.needed, self.most) / self.games - 1.0)


ReportProgress = Callable[[Progress], None]
"""A function called with the progress."""
KeepGames = Callable[[Arm, list[Row], str], None]
"""A function called at the end with the games of an arm and its name, before or after."""


def compare_variants(
    question: Question,
    workers: Workers = 1,
    folder: Path | None = None,
    tell: ReportProgress | None = None,
    keep: KeepGames | None = None,
) -> Answer:
    """Play until the effect has the precision, the games are used up, or the study is interrupted.

    Args:
        question: The settings.
        workers: A number of processes, or a cluster.
        folder: The folder that keeps the games, if any.
        tell: Called with the progress.
        keep: Called at the end with the games of each variant.

    Raises:
        OptionError: An option is unknown, or the level cannot judge the change.
        DataError: The game cannot read the changed data.
        KeyboardInterrupt: The study was interrupted before it had a result.
    """
    arms, pairs, digest, ended = make_arms(question), PairedGames(), sha256(), LIMIT_REACHED
    looks = Evaluations(question, pairs)
    with BlockTeam(workers, folder) as crew:
        try:
            for before, after in crew.stream(arms):
                pairs.add(before, after, len(arms[0].setups))
                digest.update((before.digest + after.digest).encode())
                # Single deals give a first, wider interval while there are few rounds.
                pairs.singly = len(pairs.before) < MIN_DEALS
                if looks.are_due() and (why := looks.find_end(tell)):
                    ended = why
                    break
        except KeyboardInterrupt:
            if not is_measurable(question, pairs):
                raise
            ended = STOPPED
    if keep is not None:
        pass_games(arms, pairs, keep)
    return replace(summarize_answer(question, pairs, ended, digest.hexdigest()[:32]), path=looks.path)


class Evaluations:
    """The evaluations of a running study, at growing intervals, because each reads all games."""

    def __init__(self, question: Question, pairs: PairedGames) -> None:
        self.question = question
        self.pairs = pairs
        self.began: float = monotonic()
        self.next: float = MIN_DEALS
        """Number of rounds of the next evaluation."""
        self.path: list[tuple[int, float, float, float]] = []
        """The effect after each evaluation, as in `Answer.path`."""

    def are_due(self) -> bool:
        """Return whether the next evaluation is due: in any case when games or time are nearly used up."""
        question, pairs = self.question, self.pairs
        enough = pairs.games >= question.most or pairs.spent >= SLOW_SHARE * question.seconds
        return len(pairs.before) >= self.next or (enough and is_measurable(question, pairs))

    def evaluate(self) -> Progress:
        """Return the progress."""
        self.next = max(MIN_DEALS, len(self.pairs.before) * EVALUATION_GROWTH)
        far = measure_progress(self.question, self.pairs, monotonic() - self.began)
        self.path.append((far.games, far.effect.difference, far.effect.half, far.effect.at_any_time))
        return far

    def find_end(self, tell: ReportProgress | None) -> str:
        """Evaluate, report the progress, and return why the study ends; empty if it continues."""
        far, question, pairs = self.evaluate(), self.question, self.pairs
        if tell is not None:
            tell(replace(far, so_far=partial(current_answer, question, pairs, self.path)))
        if far.effect.half <= question.precision and not pairs.singly:
            return PRECISE
        return LIMIT_REACHED if pairs.games >= question.most or pairs.spent >= question.seconds else ""


def pass_games(arms: list[Arm], pairs: PairedGames, keep: KeepGames) -> None:
    """Pass the games of both variants to `keep`."""
    for arm, rounds, which in zip(arms, (pairs.before, pairs.after), ("before", "after"), strict=True):
        keep(arm, [row for rows in rounds for row in rows], which)


def current_answer(question: Question, pairs: PairedGames, path: list[tuple[int, float, float, float]]) -> Answer:
    """Return the current answer of a running study."""
    return replace(summarize_answer(question, pairs, STOPPED, ""), path=path[:])


def is_measurable(question: Question, pairs: PairedGames) -> bool:
    """Return whether all awaited effects have a value."""
    return bool(pairs.before) and None not in awaited_effects(question, pairs)


def awaited_effects(question: Question, pairs: PairedGames) -> list[Effect | None]:
    """Return the effects that a study waits for: those of the touched sides, or of all."""
    sides = list_sides(pairs)
    watch = find_touched(question, pairs, sides) or sides
    return [pairs.measure_effect(side, partial(side_scores, side=side)) for side in watch]


def measure_progress(question: Question, pairs: PairedGames, seconds: float) -> Progress:
    """Return the progress of a study."""
    widest = max(keep_known(awaited_effects(question, pairs)), key=lambda effect: effect.half)
    needed = max(pairs.games, round(pairs.games * (widest.half / question.precision) ** 2))
    return Progress(widest, pairs.games, min(needed, UNREACHABLE), question.most, seconds)


def make_arms(question: Question) -> list[Arm]:
    """Return the arms of both variants.

    Raises:
        OptionError: The variants cannot be compared.
    """
    both = list_setups(question)
    check_players(question, *[setups[0] for setups in both])
    return pair_arms(question.game, both, question.players, question.seed)


def pair_arms(name: str, both: tuple[list[Options], list[Options]], players: str, seed: int) -> list[Arm]:
    """Return two arms that play the same deals, as far as their decks are the same."""
    coupled = pair_setups(name, *both)
    beside = coupled[0] if coupled else None
    return [Arm.of(name, setups, players, seed, beside) for setups in coupled or both]


# ---- what is played -------------------------------------------------------------------------------------------


def list_setups(question: Question) -> tuple[list[Options], list[Options]]:
    """Return the matchups of both variants in the same order.

    They are those with a changed side, or all if the change concerns all sides.

    Raises:
        OptionError: The variants do not differ, or they have different players.
    """
    name = question.game
    if not question.after.changes:
        raise OptionError("The two variants are identical.")
    ways = [list_matchups(name, variant.options) for variant in (question.before, question.after)]
    own = {"factions", "decks", "seats"}
    if any(change.path in own for change in question.after.changes) or len(ways[0]) != len(ways[1]):
        raise OptionError("Both variants must have the same players and sides. Choose them with --option.")
    touched = question.after.touched
    told = [name_sides(games.game(name, **setup)) for setup in ways[0]]
    if touched and any(side in touched for sides in told for side in sides):
        kept = [at for at, sides in enumerate(told) if any(side in touched for side in sides)]
        ways = [[setups[at] for at in kept] for setups in ways]
    # The options fix sides that do not contain the change.
    elif touched and (find_deck_option(name, {}) or find_faction_option(name, {})) and len(ways[0]) == 1:
        where = ", ".join(touched)
        raise OptionError(f"The change concerns {where}, which no seat plays with these options.")
    return ways[0], ways[1]


def check_players(question: Question, before: Options, after: Options) -> None:
    """Check that a level plays alike with both variants.

    Raises:
        OptionError: It would be two different players.
    """
    level = question.players.partition(":")[0]
    bots = [make(question.players, games.game(question.game, **options)) for options in (before, after)]
    if level == EXPERT or type(bots[0]) is not type(bots[1]):
        raise OptionError(
            f"{level} cannot judge a change: its network was trained with one set of cards, so it would play one "
            "variant better than the other. Use greedy, club or strong."
        )


# ---- figures --------------------------------------------------------------------------------------------------


def list_parties(row: Row) -> tuple[str, ...]:
    """Return the side of each seat: the one brought to the game, or else the type or goal of the game."""
    return row.came if row.came and row.sides == name_seats(row.sides) else row.sides


def name_seats(sides: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of seats without sides (`sides_of`)."""
    return tuple(f"seat {seat}" for seat in range(len(sides)))


def has_known_sides(pairs: PairedGames) -> bool:
    """Return whether sides are known before the game."""
    row = pairs.before[0][0]
    return list_parties(row) == row.sides


def list_sides(pairs: PairedGames) -> list[str]:
    """Return all sides that have played."""
    rounds = pairs.before[:1] if has_known_sides(pairs) else pairs.before
    return list(dict.fromkeys(side for rows in rounds for row in rows for side in list_parties(row)))


def find_touched(question: Question, pairs: PairedGames, sides: list[str]) -> list[str]:
    """Return the sides that contain all changes; empty if a change concerns all sides.

    For types and goals, these are the ones named by a changed entry of the data.
    """
    if has_known_sides(pairs):
        return [side for side in sides if side in question.after.touched]
    both = (question.before, question.after)
    known = [entry for one in both for entry in iter_entries(copy_data(games.game(question.game, **one.options)))]
    named = [set(sides) & list_words(change, known) for change in question.after.changes]
    return [side for side in sides if any(side in own for own in named)] if all(named) else []


def list_words(change: Change, known: Iterable[Entry]) -> set[str]:
    """Return all values of the entries that a change concerns."""
    word = change.path.split(".")[0]
    return {str(value) for entry in known if word in entry.words for value in entry.table.values()}


def side_scores(row: Row, side: str, against: str = "") -> list[float]:
    """Return the scores of a side in a game, one for each seat with that side."""
    who = list_parties(row)
    return [
        score
        for seat, (own, score) in enumerate(zip(who, row.scores, strict=True))
        if own == side and (not against or against in who[:seat] + who[seat + 1 :])
    ]


def summarize_answer(question: Question, pairs: PairedGames, ended: str, digest: str) -> Answer:
    """Return the answer from the pairs."""
    sides = list_sides(pairs)
    changed = find_touched(question, pairs, sides)
    both = [games.game(question.game, **variant.options) for variant in (question.before, question.after)]
    far = measure_progress(question, pairs, 0.0)
    alike, lost, won = count_flips(pairs, (changed or sides)[0])
    first = pairs.measure_effect(
        "the seat that decides first", partial(first_scores, where=find_open_beginnings(pairs))
    )
    met = matchup_effects(pairs, changed or sides, sides)
    return Answer(
        game=question.game,
        title=both[0].title,
        version=both[0].version,
        players=question.players,
        believe=describe_reliability(question.players),
        seed=question.seed,
        before=both[0].data_hash,
        after=both[1].data_hash,
        changes=question.after.changes,
        precision=question.precision,
        ended=ended,
        rounds=len(pairs.before),
        games=far.games,
        spent=round(pairs.spent, 2),
        sides=side_effects(pairs, sides, changed),
        matchups=[effect for effect in met if effect is not None],
        length=length_effects(pairs),
        endings=ending_effects(pairs),
        first=keep_known([first]),
        alike=alike,
        lost=lost,
        won=won,
        needed=far.needed,
        digest=digest,
        rounds_of=count_lengths(pairs),
        path=[],
        untold=met.count(None),
    )


def count_lengths(pairs: PairedGames) -> dict[str, list[float]]:
    """Return the share of games with each length for both variants; empty without turns and rounds."""
    both = [Counter(row.length for rows in arm for row in rows) for arm in (pairs.before, pairs.after)]
    lengths = sorted({*both[0], *both[1]})
    if lengths == [0]:
        return {}
    return {str(n): [round(counts[n] / counts.total(), 4) for counts in both] for n in lengths}


def keep_known(effects: Iterable[Effect | None]) -> list[Effect]:
    """Return the effects that have a value."""
    return [effect for effect in effects if effect is not None]


def side_effects(pairs: PairedGames, sides: list[str], changed: list[str]) -> list[Effect]:
    """Return the effect on each side over all its opponents, the changed sides first.

    An unchanged side plays only some of its matchups here, if sides are known before the game. In the others nothing
    can change, so they count as zero.
    """
    some = bool(changed) and has_known_sides(pairs)
    order = sorted(sides, key=lambda side: side not in changed)
    parts = [1.0 if side in changed or not some else len(changed) / (len(sides) - 1) for side in order]
    return keep_known(
        pairs.measure_effect(side, partial(side_scores, side=side), part)
        for side, part in zip(order, parts, strict=True)
    )


def matchup_effects(pairs: PairedGames, rows: list[str], sides: list[str]) -> list[Effect | None]:
    """Return the effect in each matchup, once; nothing if all sides sit at every table.

    An effect is None if the pair has met too seldom.
    """
    if len(sides) <= len(pairs.before[0][0].sides):
        return []
    met = [
        (row, other)
        for row in rows
        for other in sides
        if row != other and (other not in rows or rows.index(row) < rows.index(other))
    ]
    told = [pairs.measure_effect(f"{a} against {b}", partial(side_scores, side=a, against=b)) for a, b in met]
    return [effect if effect is not None and effect.half < UNKNOWN_HALF_WIDTH else None for effect in told]


def length_effects(pairs: PairedGames) -> list[Effect]:
    """Return the effects on the length of games."""
    turns = pairs.measure_effect("turns or rounds", lambda row: [float(row.length)] if row.length else [])
    return keep_known([pairs.measure_effect("decisions", lambda row: [float(row.decisions)]), turns])


def ending_effects(pairs: PairedGames) -> list[Effect]:
    """Return the effects on the kinds of endings."""
    ways = sorted({row.how for rows in (*pairs.before, *pairs.after) for row in rows})
    return keep_known(pairs.measure_effect(how, partial(ended_by, how)) for how in ways)


def ended_by(how: str, row: Row) -> list[float]:
    """Return whether a game ended in this way, as a number."""
    return [float(row.how == how)]


def first_scores(row: Row, where: frozenset[tuple[str, ...]]) -> list[float]:
    """Return the score of the seat that decided first, in matchups where that is not a matter of the side."""
    return [row.scores[row.first]] if row.first >= 0 and tuple(sorted(row.sides)) in where else []


def find_open_beginnings(pairs: PairedGames) -> frozenset[tuple[str, ...]]:
    """Return the matchups in which the side does not determine who decides first, with both variants.

    Elsewhere the score of deciding first would be that of a side. Seats without sides are equal.
    """
    told = []
    for arm in (pairs.before, pairs.after):
        began: dict[tuple[str, ...], set[str]] = {}
        for row in (row for rows in arm for row in rows if row.first >= 0):
            began.setdefault(tuple(sorted(row.sides)), set()).add(row.sides[row.first])
        told.append({met for met, sides in began.items() if len(sides) > 1 or are_equals(met)})
    return frozenset(told[0] & told[1])


def are_equals(sides: tuple[str, ...]) -> bool:
    """Return whether all seats play the same side, or have none (`name_sides`)."""
    return len(set(sides)) == 1 or sides == name_seats(sides)


def count_flips(pairs: PairedGames, side: str) -> tuple[float, float, float]:
    """Return the shares of deals in which the score of a side is equal, lower, and higher than before.

    If sides are chosen during the game and the choice differs, the deal is not counted.
    """
    both = [
        (side_scores(was, side), side_scores(now, side))
        for old, new in zip(pairs.before, pairs.after, strict=True)
        for was, now in zip(old, new, strict=True)
    ]
    moved = [b - a for was, now in both if len(was) == len(now) for a, b in zip(was, now, strict=True)]
    counts = (sum(m == 0 for m in moved), sum(m < 0 for m in moved), sum(m > 0 for m in moved))
    alike, lost, won = (round(count / max(1, len(moved)), 4) for count in counts)
    return alike, lost, won


def answer_from_json(body: dict[str, Any]) -> Answer:
    """Return an answer from its JSON fields."""
    effects = {part: [Effect(**effect) for effect in body[part]] for part in EFFECTS}
    changes = [Change(**change) for change in body["changes"]]
    path = [(games, mean, half, wide) for games, mean, half, wide in body["path"]]
    return Answer(**{**body, **effects, "changes": changes, "path": path})


INTERRUPTED_NOTE: Final = "Interrupted: the intervals are the wider ones that are valid at any time."
"""Note on the intervals of an interrupted study."""
