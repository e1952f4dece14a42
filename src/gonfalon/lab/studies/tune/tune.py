"""What should the numbers be? Single steps, each measured, that bring every side into a band.

A search that does it all by itself takes the luckiest of many noisy effects for the best, so here a designer chooses.
In each turn all sides are measured by each kind of players. Of the side that lies furthest off, among those of which
something is free, every number that is free is tried one up, or one down where up leads away: the same deals with the
step and without. The best half goes on to new deals, then the best few to others, so that what is told of them is not
the luck they were chosen for.
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
from gonfalon.lab.run.match import MIX, WORD, matchups, sides_of
from gonfalon.lab.run.sequential import LEAST, Track
from gonfalon.lab.run.session import Crew
from gonfalon.lab.studies.overrides import Variant, variant
from gonfalon.lab.studies.tune.steps import Step, steps_of
from gonfalon.lab.studies.whatif.whatif import (
    Effect,
    Pairs,
    Question,
    check_players,
    effects_of_sides,
    everybody,
    paired,
    parties,
    scores,
    setups_of,
)

FEW: Final = 5
"""So many steps are proposed in a turn."""
AIM: Final = 0.7
"""Shares are led into this part of the band, for they are known with an interval only."""
SCREEN: Final = 4
"""Blocks by which all steps are tried; twice as many for the better half."""
LAST: Final = 4 * SCREEN
"""Those for the few, and once more for the one of them that is taken."""
CHUNK: Final = 64
"""After so many blocks it is told how far it is."""
REACHED, GAMES, STEPS, NONE, STOPPED = "reached", "games", "steps", "none", "stopped"
"""Why a way ended: all lie in the band, the most games were played, as many steps were taken as were allowed, none was
taken in the last turn, or somebody has stopped it."""


@dataclass(frozen=True)
class Share:
    """What a side scores over all opponents, by one kind of players, with half of the 95 % interval."""

    side: str
    players: str
    share: float
    half: float


@dataclass(frozen=True)
class Proposal:
    """A step, what it does to the side that it is for, by each kind of players, and how far off the aim all sides
    would then lie in sum."""

    step: Step
    side: str
    effects: dict[str, Effect]
    off: float


@dataclass(frozen=True)
class Turn:
    """One turn: all shares, the side that lies furthest off, how many steps were tried, the best, and which was taken;
    none where there was none, or nobody chose one. `again` is what the one that was taken does on fresh deals."""

    shares: list[Share]
    side: str
    tried: int
    proposals: list[Proposal]
    taken: Step | None
    games: int
    again: Proposal | None = None
    short: list[Proposal] = field(default_factory=list)
    """Where no step is proposed, the best of those that bring all sides no nearer."""


@dataclass(frozen=True)
class Tuning:
    """What is asked."""

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
    """At most so many steps."""

    def off(self, share: float, part: float = 1.0) -> float:
        """How far a share lies outside the band, or outside its middle part."""
        middle, half = (self.low + self.high) / 2, part * (self.high - self.low) / 2
        return max(0.0, abs(share - middle) - half)


@dataclass(frozen=True)
class Path:
    """The whole way: each turn, and the shares that it came to, on deals that none of the turns has seen."""

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
    """The hashes of the data."""
    turns: list[Turn]
    steps: list[str]
    """What was changed, as `--set` takes it."""
    shares: list[Share]
    games: int
    spent: float
    digest: str
    ended: str = NONE
    most: int = 0

    @property
    def reached(self) -> bool:
        """Whether every share lies in the band."""
        return all(self.low <= share.share <= self.high for share in self.shares)

    @property
    def sure(self) -> bool:
        """Whether every interval does."""
        return all(self.low <= s.share - s.half and s.share + s.half <= self.high for s in self.shares)

    @property
    def missed(self) -> bool:
        """Whether a side surely lies outside: all of its interval does."""
        return any(s.share + s.half < self.low or s.share - s.half > self.high for s in self.shares)


Choice = Callable[[Turn], Step | None]
"""Who chooses among the proposals of a turn."""
Hearing = Callable[[Turn], None]
"""Hears of a turn."""
Telling = Callable[[str, int], None]
"""Hears what is being done, and how many games were played."""


@dataclass
class Field:
    """Where it is played: the games so far, and what all turns share."""

    tuning: Tuning
    crew: Crew
    tell: Telling
    games: int = 0
    spent: float = 0.0
    seeds: int = 0
    digests: list[str] = field(default_factory=list)

    def seed(self) -> int:
        """A seed for deals that nothing has been chosen by."""
        self.seeds += 1
        return Rng((self.tuning.seed + self.seeds * MIX) & WORD).seed()

    def wave(self, what: str, names: list[tuple[Arm, int]]) -> dict[tuple[str, int], Block]:
        """Play blocks, each once, and tell how far that is."""
        once = {(arm.hash, number): (arm, number) for arm, number in names}
        left, blocks = list(once), dict[tuple[str, int], Block]()
        while left:
            now, left = left[:CHUNK], left[CHUNK:]
            for key, block in zip(now, self.crew.play([once[key] for key in now]), strict=True):
                blocks[key] = block
                self.games += len(block.rows)
                self.spent += block.spent
                self.digests.append(block.digest)
            self.tell(f"{what}, {len(blocks)} of {len(once)} blocks", self.games)
        return blocks


def tune(tuning: Tuning, choose: Choice, crew: Crew, tell: Telling, hear: Hearing) -> Path:
    """Turn by turn, until all shares lie in the band, nobody chooses a step, the most games are played, or somebody
    stops it. `hear` is told each turn. Raises OptionError, and KeyboardInterrupt where no share is known by then."""
    start = variant(tuning.game, tuning.options)
    check(tuning)
    place, now, turns = Field(tuning, crew, tell), start, list[Turn]()
    taken, shares, why = list[Step](), list[Share](), NONE
    try:
        while True:
            shares = measure(place, now)
            worst = max(shares, key=lambda share: tuning.off(share.share))
            if why := over(place, worst, len(taken)):
                break
            turn = propose(place, start, now, shares, furthest(place, start, shares))
            step = choose(turn) if turn.proposals else None
            again = None if step is None else tried(place, now, [step], shares, turn.side, LAST)[0]
            turns.append(replace(turn, taken=step, games=place.games, again=again))
            hear(turns[-1])
            if step is None:
                why = NONE
                break
            taken.append(step)
            now = changed(tuning, taken)
        if taken:
            shares = measure(place, now)  # to stop by deals and to tell them too would flatter
    except KeyboardInterrupt:
        if not shares:
            raise
        why = STOPPED
    return replace(ended(place, start, now, turns, taken, shares), ended=why)


def furthest(place: Field, start: Variant, shares: Sequence[Share]) -> str:
    """The side that lies furthest off of those of which something is free; of all where nothing is."""
    tuning = place.tuning
    game = games.game(tuning.game, **start.options)
    moved = [s for s in shares if tuning.off(s.share) and steps_of(game, tuning.free, {s.side})]
    return max(moved or shares, key=lambda share: tuning.off(share.share)).side


def over(place: Field, worst: Share, taken: int) -> str:
    """Why no further turn is made; empty where one is."""
    tuning = place.tuning
    if not tuning.off(worst.share):
        return REACHED
    if place.games >= tuning.most:
        return GAMES
    return STEPS if taken == tuning.turns else ""


def check(tuning: Tuning) -> None:
    """Whether there is anything to tune, and whether these players can judge it. Raises OptionError."""
    game = games.game(tuning.game, **tuning.options)
    met = matchups(tuning.game, tuning.options, given=True)
    sides = {side for setup in met for side in sides_of(games.game(tuning.game, **setup))}
    if game.seats != 2 or len(met) < 2:
        raise OptionError(
            f"{game.title} has no factions, decks or types that could be brought into a band here; "
            f"`gonfalon lab balance {tuning.game}` tells who wins with what."
        )
    if not steps_of(game, tuning.free, sides) and tuning.turns:
        raise OptionError(
            f"Nothing that is free ({', '.join(tuning.free)}) is a number of one side in {game.title}, so there is "
            f"nothing to tune; free something with --free. `gonfalon lab balance {tuning.game}` tells who wins."
        )
    same = Variant(tuning.options)
    for level in tuning.players:
        check_players(Question(tuning.game, level, same, same), tuning.options, tuning.options)


def changed(tuning: Tuning, taken: Sequence[Step]) -> Variant:
    """The game after these steps."""
    return variant(tuning.game, tuning.options, [step.text for step in taken])


def ended(
    place: Field, start: Variant, now: Variant, turns: list[Turn], taken: list[Step], shares: list[Share]
) -> Path:
    """The whole way."""
    tuning = place.tuning
    both = [games.game(tuning.game, **which.options) for which in (start, now)]
    last = {step.path: step for step in taken}
    return Path(
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


def measure(place: Field, now: Variant) -> list[Share]:
    """What every side scores by every kind of players, as closely as was asked, on fresh deals."""
    tuning, setups, seed = place.tuning, matchups(place.tuning.game, now.options, given=True), place.seed()
    arms = {level: Arm.of(tuning.game, setups, level, seed) for level in tuning.players}
    width = len(setups)
    tracks: dict[tuple[str, str], Track] = {}
    done = 0
    more = ceil(LEAST / next(iter(arms.values())).rounds)
    each = sum(arm.rounds * width for arm in arms.values())
    if not place.games and tuning.most < more * each:
        raise OptionError(
            f"It takes {more * each:,} games before anything can be told of these sides; {tuning.most:,} are too few."
        )
    while more:
        names = [(arm, number) for arm in arms.values() for number in range(done, done + more)]
        blocks = place.wave("all sides", names)
        for level, arm in arms.items():
            rows = [row for number in range(done, done + more) for row in blocks[arm.hash, number].rows]
            for at in range(0, len(rows), width):
                add_round(tracks, level, rows[at : at + width])
        done += more
        widest = max(track.half() for track in tracks.values())
        lacking = ceil(done * min(1.0, (widest / tuning.precision) ** 2 - 1))
        more = max(0, min(lacking, (tuning.most - place.games) // each))
    return [Share(side, level, round(t.mean, 4), round(t.half(), 4)) for (level, side), t in tracks.items()]


def add_round(tracks: dict[tuple[str, str], Track], level: str, rows: Sequence[Row]) -> None:
    """Take in a round, which holds each matchup once."""
    for side in dict.fromkeys(side for row in rows for side in parties(row)):
        got = [score for row in rows for score in scores(row, side)]
        tracks.setdefault((level, side), Track(grain=1 / len(got))).add(fmean(got))


# ---- what could be done -----------------------------------------------------------------------------------------


class Trial:
    """A step that is tried by one kind of players: the arms without it and with it, and the deals of both."""

    def __init__(self, place: Field, now: Variant, after: Variant, level: str, seed: int) -> None:
        both = setups_of(Question(place.tuning.game, level, now, after))
        self.after = after
        self.arms: list[Arm] = paired(place.tuning.game, both, level, seed)
        self.pairs = Pairs()

    def names(self, count: int) -> list[tuple[Arm, int]]:
        """The blocks that it plays."""
        return [(arm, number) for number in range(count) for arm in self.arms]

    def take(self, blocks: dict[tuple[str, int], Block], count: int) -> None:
        """Take them in."""
        for number in range(count):
            without, within = (blocks[arm.hash, number] for arm in self.arms)
            self.pairs.add(without, within, len(self.arms[0].setups))

    def effects(self) -> dict[str, Effect]:
        """What the step does to each side."""
        sides = everybody(self.pairs)
        own = [side for side in sides if side in self.after.touched]
        return {effect.what: effect for effect in effects_of_sides(self.pairs, sides, own)}


def propose(place: Field, start: Variant, now: Variant, shares: list[Share], side: str) -> Turn:
    """The best steps for a side."""
    game = games.game(place.tuning.game, **now.options)
    both = ((up, up.turned()) for up in steps_of(game, place.tuning.free, {side}))
    firsts = [step for step in (next((s for s in ways if playable(place, now, s)), None) for ways in both) if step]
    known = tried(place, now, firsts, shares, side, SCREEN)
    need = 0.5 * (place.tuning.low + place.tuning.high) - fmean(s.share for s in shares if s.side == side)
    leads = {p.step: fmean(e.difference for e in p.effects.values()) * need for p in known}
    turned = [step if leads.get(step, 0.0) > 0 else step.turned() for step in firsts]
    size = {step.path: abs(lead) for step, lead in leads.items()}
    better = sorted(turned, key=lambda step: -size.get(step.path, 0.0))[: max(FEW, (len(turned) + 1) // 2)]
    better = [step for step in better if playable(place, now, step)]
    for count, blocks in ((FEW, 2 * SCREEN), (FEW, LAST)):
        known = sorted(tried(place, now, better, shares, side, blocks), key=lambda proposal: proposal.off)[:count]
        better = [proposal.step for proposal in known]
    before = sum(place.tuning.off(share.share, AIM) for share in shares)
    better_off = [p for p in known if p.off < before]
    return Turn(shares, side, len(firsts), better_off, None, place.games, short=[] if better_off else known)


def playable(place: Field, now: Variant, step: Step) -> bool:
    """Whether the game's own reader of data lets it be."""
    try:
        return bool(variant(place.tuning.game, now.options, [step.text]).changes)
    except (DataError, OptionError):
        return False


def tried(
    place: Field, now: Variant, steps: Iterable[Step], shares: list[Share], side: str, count: int
) -> list[Proposal]:
    """What steps do, on deals of their own."""
    seed, trials = place.seed(), dict[tuple[Step, str], Trial]()
    base = Variant(now.options)
    for step in steps:
        after = variant(place.tuning.game, {}, [step.text], base=base)
        for level in place.tuning.players:
            trials[step, level] = Trial(place, base, after, level, seed)
    names = [name for trial in trials.values() for name in trial.names(count)]
    blocks = place.wave(f"{len(trials)} {'trial' if len(trials) == 1 else 'trials'} for {side}", names)
    effects = dict[Step, dict[str, dict[str, Effect]]]()
    for (step, level), trial in trials.items():
        trial.take(blocks, count)
        effects.setdefault(step, {})[level] = trial.effects()
    return [
        Proposal(step, side, {level: moved[side] for level, moved in found.items()}, left_off(place, shares, found))
        for step, found in effects.items()
    ]


def left_off(place: Field, shares: list[Share], found: dict[str, dict[str, Effect]]) -> float:
    """How far off the aim all sides would lie after a step, in sum."""
    moved = (
        share.share + (found[share.players][share.side].difference if share.side in found[share.players] else 0.0)
        for share in shares
    )
    return round(sum(place.tuning.off(value, AIM) for value in moved), 5)


def as_json(path: Path) -> dict[str, object]:
    """The way as JSON has it."""
    return {**asdict(path), "reached": path.reached, "sure": path.sure}
