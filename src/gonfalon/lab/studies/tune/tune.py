"""Tuning of numbers: single measured steps that bring every side into a band.

An automatic search would select the luckiest of many noisy effects, so a designer chooses here. In each turn all sides
are measured with each level. For the side furthest from the band, among those with free numbers, every free number is
tried one up, or one down if up points away: the same deals with the step and without. The best half is tried on new
deals, then the best few on others, so that their reported effect is free of selection bias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from math import ceil
from statistics import fmean
from typing import Final

from gonfalon import games
from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.run.match import SEED_FACTOR, WORD_MASK, list_matchups, name_sides
from gonfalon.lab.run.sequential import MIN_DEALS, RunningMean
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.studies.overrides import Variant, make_variant
from gonfalon.lab.studies.tune.steps import Step, list_steps
from gonfalon.lab.studies.whatif.whatif import (
    Effect,
    PairedGames,
    Question,
    check_players,
    list_parties,
    list_setups,
    list_sides,
    pair_arms,
    side_effects,
    side_scores,
)

MAX_PROPOSALS: Final = 5
"""Number of steps proposed in a turn."""
AIM_PART: Final = 0.7
"""Part of the band that shares aim at, because they are only known with an interval."""
SCREENING_BLOCKS: Final = 4
"""Number of blocks for the first trial of all steps; twice as many for the better half."""
FINAL_BLOCKS: Final = 4 * SCREENING_BLOCKS
"""Number of blocks for the proposed steps, and again for the chosen one."""
PROGRESS_BLOCKS: Final = 64
"""Number of blocks between two progress reports."""
REACHED, GAMES_USED_UP, STEPS_USED_UP, NO_STEP, STOPPED = "reached", "games", "steps", "none", "stopped"
"""Reasons for the end: all sides are within the band, the games or the steps are used up, no step was chosen, or the
study was interrupted."""


@dataclass(frozen=True)
class SideShare:
    """The score of a side over all opponents with one level, with half of the 95 % interval."""

    side: str
    players: str
    share: float
    half: float


@dataclass(frozen=True)
class Proposal:
    """A step, its effect on its side for each level, and the total distance of all sides from the aim afterwards."""

    step: Step
    side: str
    effects: dict[str, Effect]
    off: float


@dataclass(frozen=True)
class Turn:
    """One turn: all shares, the side furthest from the band, the number of trials, the best steps, and the chosen one.

    `taken` is None if no step was proposed or chosen. `again` is the effect of the chosen step on fresh deals.
    """

    shares: list[SideShare]
    side: str
    tried: int
    proposals: list[Proposal]
    taken: Step | None
    games: int
    again: Proposal | None = None
    short: list[Proposal] = field(default_factory=list)
    """Best steps that bring the sides no nearer, if no step is proposed."""


@dataclass(frozen=True)
class Tuning:
    """The settings of a tuning."""

    game: str
    options: Options
    players: tuple[str, ...]
    free: tuple[str, ...]
    low: float = 0.45
    high: float = 0.55
    precision: float = 0.03
    most: int = 500_000
    seed: int = 0
    turns: int = 100
    """Maximum number of steps."""

    def measure_distance(self, share: float, part: float = 1.0) -> float:
        """Return the distance of a share from the band, or from its middle part."""
        middle, half = (self.low + self.high) / 2, part * (self.high - self.low) / 2
        return max(0.0, abs(share - middle) - half)


@dataclass(frozen=True)
class TuningResult:
    """The result: each turn, and the final shares on deals that no turn has used."""

    game: str
    title: str
    version: str
    players: list[str]
    free: list[str]
    low: float
    high: float
    precision: float
    seed: int
    before: str
    after: str
    """Hash of the changed data; `before` is that of the original data."""
    turns: list[Turn]
    steps: list[str]
    """Changes as `--set` reads them."""
    shares: list[SideShare]
    games: int
    spent: float
    digest: str
    ended: str = NO_STEP
    most: int = 0

    @property
    def reached(self) -> bool:
        """Whether every share is within the band."""
        return all(self.low <= share.share <= self.high for share in self.shares)

    @property
    def sure(self) -> bool:
        """Whether every interval is within the band."""
        return all(self.low <= s.share - s.half and s.share + s.half <= self.high for s in self.shares)

    @property
    def missed(self) -> bool:
        """Whether the whole interval of a side is outside the band."""
        return any(s.share + s.half < self.low or s.share - s.half > self.high for s in self.shares)


ChooseStep = Callable[[Turn], Step | None]
"""A function that chooses a step of a turn."""
ReportTurn = Callable[[Turn], None]
"""A function called with each turn."""
ReportProgress = Callable[[str, int], None]
"""A function called with the current activity and the number of games."""


@dataclass
class TuningRun:
    """The games of a tuning and the state shared by all turns."""

    tuning: Tuning
    crew: BlockTeam
    tell: ReportProgress
    games: int = 0
    spent: float = 0.0
    seeds: int = 0
    digests: list[str] = field(default_factory=list)

    def seed(self) -> int:
        """Return a seed for deals that no choice depends on."""
        # Deals that selected a step would flatter it, so each measurement has its own.
        self.seeds += 1
        return Rng((self.tuning.seed + self.seeds * SEED_FACTOR) & WORD_MASK).seed()

    def play_wave(self, what: str, names: list[tuple[Arm, int]]) -> dict[tuple[str, int], Block]:
        """Play blocks, each once, and report the progress."""
        # Several trials share the arm without a step, which is played only once.
        once = {(arm.hash, number): (arm, number) for arm, number in names}
        left, blocks = list(once), dict[tuple[str, int], Block]()
        while left:
            now, left = left[:PROGRESS_BLOCKS], left[PROGRESS_BLOCKS:]
            for key, block in zip(now, self.crew.play([once[key] for key in now]), strict=True):
                blocks[key] = block
                self.games += len(block.rows)
                self.spent += block.spent
                self.digests.append(block.digest)
            self.tell(f"{what}, {len(blocks)} of {len(once)} blocks", self.games)
        return blocks


def tune_game(
    tuning: Tuning, choose: ChooseStep, crew: BlockTeam, tell: ReportProgress, hear: ReportTurn
) -> TuningResult:
    """Tune a game turn by turn.

    The study ends when all shares are within the band, no step is chosen, the games are used up, or it is interrupted.

    Args:
        tuning: The settings.
        choose: Chooses a step of each turn.
        crew: The workers.
        tell: Called with the progress.
        hear: Called with each turn.

    Raises:
        OptionError: There is nothing to tune.
        KeyboardInterrupt: The study was interrupted before any share was known.
    """
    now = start = make_variant(tuning.game, tuning.options)
    check_tuning(tuning)
    place, turns = TuningRun(tuning, crew, tell), list[Turn]()
    taken, shares, why = list[Step](), list[SideShare](), ""
    try:
        while True:
            shares = measure_shares(place, now)
            if why := find_end(place, shares, len(taken)):
                break
            turns.append(take_turn(place, start, now, shares, choose))
            hear(turns[-1])
            if (step := turns[-1].taken) is None:
                break
            taken.append(step)
            now = apply_steps(tuning, taken)
        if taken:
            shares = measure_shares(place, now)  # The deals that ended the study would bias its result.
    except KeyboardInterrupt:
        if not shares:
            raise
        why = STOPPED
    return replace(summarize_tuning(place, start, now, turns, taken, shares), ended=why or NO_STEP)


def take_turn(place: TuningRun, start: Variant, now: Variant, shares: list[SideShare], choose: ChooseStep) -> Turn:
    """Propose steps, let one be chosen, and measure it again with deals that did not select it."""
    turn = propose_steps(place, start, now, shares, find_furthest(place, start, shares))
    step = choose(turn) if turn.proposals else None
    again = None if step is None else try_steps(place, now, [step], shares, turn.side, FINAL_BLOCKS)[0]
    return replace(turn, taken=step, games=place.games, again=again)


def find_furthest(place: TuningRun, start: Variant, shares: Sequence[SideShare]) -> str:
    """Return the side furthest from the band among those with free numbers; among all if none has any."""
    tuning = place.tuning
    game = games.game(tuning.game, **start.options)
    moved = [s for s in shares if tuning.measure_distance(s.share) and list_steps(game, tuning.free, {s.side})]
    return max(moved or shares, key=lambda share: tuning.measure_distance(share.share)).side


def find_end(place: TuningRun, shares: Sequence[SideShare], taken: int) -> str:
    """Return why there is no further turn; empty if there is one."""
    tuning = place.tuning
    if not any(tuning.measure_distance(share.share) for share in shares):
        return REACHED
    if place.games >= tuning.most:
        return GAMES_USED_UP
    return STEPS_USED_UP if taken == tuning.turns else ""


def check_tuning(tuning: Tuning) -> None:
    """Check that there is something to tune, and that the levels can judge it.

    Raises:
        OptionError: There is no side or no free number, or a level does not fit.
    """
    game = games.game(tuning.game, **tuning.options)
    met = list_matchups(tuning.game, tuning.options, given=True)
    sides = {side for setup in met for side in name_sides(games.game(tuning.game, **setup))}
    if game.seats != 2 or len(met) < 2:
        raise OptionError(
            f"{game.title} has no factions, decks or types to balance with this command. "
            f"`gonfalon lab balance {tuning.game}` measures win rates."
        )
    if not list_steps(game, tuning.free, sides) and tuning.turns:
        raise OptionError(
            f"No free number ({', '.join(tuning.free)}) belongs to one side of {game.title}. "
            f"Free one with --free. `gonfalon lab balance {tuning.game}` measures win rates."
        )
    same = Variant(tuning.options)
    for level in tuning.players:
        check_players(Question(tuning.game, level, same, same), tuning.options, tuning.options)


def apply_steps(tuning: Tuning, taken: Sequence[Step]) -> Variant:
    """Return the variant after these steps."""
    return make_variant(tuning.game, tuning.options, [step.text for step in taken])


def summarize_tuning(
    place: TuningRun, start: Variant, now: Variant, turns: list[Turn], taken: list[Step], shares: list[SideShare]
) -> TuningResult:
    """Return the result of a tuning."""
    tuning = place.tuning
    both = [games.game(tuning.game, **which.options) for which in (start, now)]
    last = {step.path: step for step in taken}
    return TuningResult(
        game=tuning.game,
        title=both[0].title,
        version=both[0].version,
        players=list(tuning.players),
        free=list(tuning.free),
        low=tuning.low,
        high=tuning.high,
        precision=tuning.precision,
        seed=tuning.seed,
        before=both[0].data_hash,
        after=both[1].data_hash,
        turns=turns,
        steps=[step.text for step in last.values()],
        shares=shares,
        games=place.games,
        spent=round(place.spent, 2),
        digest=sha256("".join(place.digests).encode()).hexdigest()[:32],
        most=tuning.most,
    )


# ---- how strong all are -----------------------------------------------------------------------------------------


def measure_shares(place: TuningRun, now: Variant) -> list[SideShare]:
    """Return the share of every side with every level, to the requested precision, on fresh deals."""
    tuning, setups, seed = place.tuning, list_matchups(place.tuning.game, now.options, given=True), place.seed()
    arms = {level: Arm.of(tuning.game, setups, level, seed) for level in tuning.players}
    width = len(setups)
    tracks: dict[tuple[str, str], RunningMean] = {}
    done = 0
    more = ceil(MIN_DEALS / next(iter(arms.values())).rounds)
    each = sum(arm.rounds * width for arm in arms.values())
    if not place.games and tuning.most < more * each:
        raise OptionError(f"These sides need at least {more * each:,} games; {tuning.most:,} are too few.")
    while more:
        names = [(arm, number) for arm in arms.values() for number in range(done, done + more)]
        blocks = place.play_wave("all sides", names)
        for level, arm in arms.items():
            rows = [row for number in range(done, done + more) for row in blocks[arm.hash, number].rows]
            for at in range(0, len(rows), width):
                add_round(tracks, level, rows[at : at + width])
        done += more
        widest = max(track.half_width() for track in tracks.values())
        lacking = ceil(done * min(1.0, (widest / tuning.precision) ** 2 - 1))
        more = max(0, min(lacking, (tuning.most - place.games) // each))
    return [SideShare(side, level, round(t.mean, 4), round(t.half_width(), 4)) for (level, side), t in tracks.items()]


def add_round(tracks: dict[tuple[str, str], RunningMean], level: str, rows: Sequence[Row]) -> None:
    """Add a round, which holds each matchup once."""
    for side in dict.fromkeys(side for row in rows for side in list_parties(row)):
        got = [score for row in rows for score in side_scores(row, side)]
        tracks.setdefault((level, side), RunningMean(grain=1 / len(got))).add(fmean(got))


# ---- what could be done -----------------------------------------------------------------------------------------


class StepTrial:
    """A step tried with one level: the arms without it and with it, and the deals of both."""

    def __init__(self, place: TuningRun, now: Variant, after: Variant, level: str, seed: int) -> None:
        both = list_setups(Question(place.tuning.game, level, now, after))
        self.after = after
        self.arms: list[Arm] = pair_arms(place.tuning.game, both, level, seed)
        self.pairs = PairedGames()

    def names(self, count: int) -> list[tuple[Arm, int]]:
        """Return the names of its blocks."""
        return [(arm, number) for number in range(count) for arm in self.arms]

    def take(self, blocks: dict[tuple[str, int], Block], count: int) -> None:
        """Add its blocks."""
        for number in range(count):
            without, within = (blocks[arm.hash, number] for arm in self.arms)
            self.pairs.add(without, within, len(self.arms[0].setups))

    def measure_effects(self) -> dict[str, Effect]:
        """Return the effect of the step on each side."""
        sides = list_sides(self.pairs)
        own = [side for side in sides if side in self.after.touched]
        return {effect.what: effect for effect in side_effects(self.pairs, sides, own)}


def propose_steps(place: TuningRun, start: Variant, now: Variant, shares: list[SideShare], side: str) -> Turn:
    """Return a turn with the best steps for a side."""
    game = games.game(place.tuning.game, **now.options)
    # Most steps are tried upwards first; if the game refuses that, downwards.
    both = ((up, up.reverse()) for up in list_steps(game, place.tuning.free, {side}))
    firsts = [step for step in (next((s for s in ways if is_playable(place, now, s)), None) for ways in both) if step]
    known = try_steps(place, now, firsts, shares, side, SCREENING_BLOCKS)
    need = 0.5 * (place.tuning.low + place.tuning.high) - fmean(s.share for s in shares if s.side == side)
    leads = {p.step: fmean(e.difference for e in p.effects.values()) * need for p in known}
    # A step whose effect points away from the band is reversed.
    turned = [step if leads.get(step, 0.0) > 0 else step.reverse() for step in firsts]
    size = {step.path: abs(lead) for step, lead in leads.items()}
    better = sorted(turned, key=lambda step: -size.get(step.path, 0.0))[: max(MAX_PROPOSALS, (len(turned) + 1) // 2)]
    better = [step for step in better if is_playable(place, now, step)]
    for count, blocks in ((MAX_PROPOSALS, 2 * SCREENING_BLOCKS), (MAX_PROPOSALS, FINAL_BLOCKS)):
        known = sorted(try_steps(place, now, better, shares, side, blocks), key=lambda proposal: proposal.off)[:count]
        better = [proposal.step for proposal in known]
    before = sum(place.tuning.measure_distance(share.share, AIM_PART) for share in shares)
    better_off = [p for p in known if p.off < before]
    return Turn(shares, side, len(firsts), better_off, None, place.games, short=[] if better_off else known)


def is_playable(place: TuningRun, now: Variant, step: Step) -> bool:
    """Return whether the game's own reader of data accepts a step."""
    try:
        return bool(make_variant(place.tuning.game, now.options, [step.text]).changes)
    except (DataError, OptionError):
        return False


def try_steps(
    place: TuningRun, now: Variant, steps: Iterable[Step], shares: list[SideShare], side: str, count: int
) -> list[Proposal]:
    """Return the effects of steps, on fresh deals."""
    seed, trials = place.seed(), dict[tuple[Step, str], StepTrial]()
    base = Variant(now.options)
    for step in steps:
        after = make_variant(place.tuning.game, {}, [step.text], base=base)
        for level in place.tuning.players:
            trials[step, level] = StepTrial(place, base, after, level, seed)
    names = [name for trial in trials.values() for name in trial.names(count)]
    blocks = place.play_wave(f"{len(trials)} {'trial' if len(trials) == 1 else 'trials'} for {side}", names)
    effects = dict[Step, dict[str, dict[str, Effect]]]()
    for (step, level), trial in trials.items():
        trial.take(blocks, count)
        effects.setdefault(step, {})[level] = trial.measure_effects()
    return [
        Proposal(
            step, side, {level: moved[side] for level, moved in found.items()}, total_distance(place, shares, found)
        )
        for step, found in effects.items()
    ]


def total_distance(place: TuningRun, shares: list[SideShare], found: dict[str, dict[str, Effect]]) -> float:
    """Return the total distance of all sides from the aim after a step."""
    moved = (
        share.share + (found[share.players][share.side].difference if share.side in found[share.players] else 0.0)
        for share in shares
    )
    return round(sum(place.tuning.measure_distance(value, AIM_PART) for value in moved), 5)


def to_json(path: TuningResult) -> dict[str, object]:
    """Return the result as JSON values."""
    return {**asdict(path), "reached": path.reached, "sure": path.sure}
