"""What is each card worth in its deck? Plain cards stand in for it, and the share of victories that is lost is its
worth.

Nothing else tells it. Winners see more of their cards, so whatever was drawn or played in games that were won looks
good, the best and the worst card alike.

There are two ways. *By lot* a lot decides anew for each block of games which cards of each deck are replaced, and a
regression tells all cards apart: every game tells of every card. *One at a time* each card is replaced by itself, in
the very deals that the whole deck plays too, which is the better way where games stay alike after so small a change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Final

from gonfalon import games
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.files.card_files import Raw
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.blocks import Arm, Block, Row, rounds_of
from gonfalon.lab.run.match import matchups, sides_of
from gonfalon.lab.run.sequential import LEAST, Track
from gonfalon.lab.run.session import Crew
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.overrides import Variant, plain
from gonfalon.lab.studies.randomization import Lots
from gonfalon.lab.studies.swaps import Slot, in_tables, slots, stand_ins, swapped
from gonfalon.lab.studies.whatif.whatif import Question, belief, check_players, scores

LOT: Final = "lot"
ONE: Final = "one"


@dataclass(frozen=True)
class Worth:
    """What a copy of a card adds to the share of victories of its deck, against a plain card, with half of the 95 %
    interval. `games` tell of it."""

    side: str
    card: str
    name: str
    copies: int
    worth: float
    half: float
    games: int

    @property
    def sure(self) -> bool:
        """Whether the interval leaves 0 out."""
        return abs(self.worth) > self.half


@dataclass(frozen=True)
class Values:
    """What a study of cards has found, by one kind of players."""

    game: str
    title: str
    version: str
    data: str
    players: str
    believe: str
    seed: int
    way: str
    plain: list[str]
    """What stood in, in words."""
    precision: float
    reached: bool
    games: int
    spent: float
    cards: list[Worth]
    digest: str
    stopped: bool = False
    """Whether somebody has stopped it."""


@dataclass(frozen=True)
class Study:
    """What is asked: the options of the game, by whom it is played, which sides, which way, how closely."""

    game: str
    options: Options
    players: str
    sides: tuple[str, ...] = ()
    """All, where none is named."""
    way: str = ""
    """Where none is named: by lot where a side's cards are its own, one at a time in decks out of one pool."""
    precision: float = 0.02
    most: int = 100_000
    seed: int = 0


Telling = Callable[[int, float, int], None]
"""Hears how many games were played, the widest interval, and how many more games the next wave has."""


class Play:
    """The games of a study: who plays them, and what they come to."""

    def __init__(self, study: Study, crew: Crew, tell: Telling | None) -> None:
        self.study = study
        self.crew = crew
        self.tell = tell
        self.game: Game = games.game(study.game, **study.options)
        self.raw: Raw = plain(self.game)
        self.games: int = 0
        self.spent: float = 0.0
        self.stopped: bool = False
        self.digest = sha256()

    def wave(self, names: list[tuple[Arm, int]]) -> list[Block]:
        """Play these blocks."""
        blocks = self.crew.play(names)
        for block in blocks:
            self.games += len(block.rows)
            self.spent += block.spent
            self.digest.update(block.digest.encode())
        return blocks

    def say(self, widest: float, more: int) -> None:
        """Tell how far it is."""
        if self.tell is not None:
            self.tell(self.games, widest, more)

    def setups(self, sides: Sequence[str]) -> list[Options]:
        """The matchups in which one of these sides plays, from either seat."""
        return setups_of(self.study, sides)

    def arm(self, setups: Sequence[Options], raw: Raw) -> Arm:
        """These matchups with other data. Only who plays differs between them, so one game pins them all."""
        study = self.study
        whole = games.game(study.game, **{**setups[0], data_option(self.game): raw}).pinned()
        chosen = [{key: value for key, value in setup.items() if key not in study.options} for setup in setups]
        written = tuple(json.dumps({**whole, **choice}, sort_keys=True) for choice in chosen)
        return Arm(study.game, written, study.players, study.seed)


def value(
    study: Study,
    workers: Workers = 1,
    folder: Path | None = None,
    tell: Telling | None = None,
) -> Values:
    """Play until every card is known as closely as was asked, the most games are played, or somebody stops it. Raises
    OptionError, and KeyboardInterrupt where nothing is known by then."""
    game = games.game(study.game, **study.options)
    known = sides_known(study, game)
    before = Variant(study.options)
    check_players(Question(study.game, study.players, before, before), study.options, study.options)
    way = study.way or (LOT if in_tables(plain(game), next(iter(known))) else ONE)
    if study.most < (least := least_of(study, way, known)):
        raise OptionError(
            f"It takes {least:,} games before anything can be told of these cards; {study.most:,} are too few. With "
            "--side NAME it takes fewer."
            if len(known) > 1
            else f"It takes {least:,} games before anything can be told of these cards; {study.most:,} are too few."
        )
    with Crew(workers, folder) as crew:
        play = Play(study, crew, tell)
        found = by_lot(play, known) if way == LOT else one_by_one(play, known)
    return Values(
        game=study.game,
        title=game.title,
        version=game.version,
        data=game.data_hash,
        players=study.players,
        believe=belief(study.players),
        seed=study.seed,
        way=way,
        plain=stand_ins(game, [slot for own in known.values() for slot in own]),
        precision=study.precision,
        reached=all(worth.half <= study.precision for worth in found),
        games=play.games,
        spent=round(play.spent, 2),
        cards=found,
        digest=play.digest.hexdigest()[:32],
        stopped=play.stopped,
    )


def setups_of(study: Study, sides: Collection[str]) -> list[Options]:
    """The matchups of a study in which one of these sides plays."""
    met = matchups(study.game, study.options)
    return [setup for setup in met if set(sides) & set(sides_of(games.game(study.game, **setup)))]


def least_of(study: Study, way: str, known: dict[str, list[Slot]]) -> int:
    """How many games it takes before anything can be told: lots enough to tell the cards apart, or of each side the
    whole deck and each card by itself, in rounds enough for an interval."""
    if way == LOT:
        width = len(setups_of(study, known))
        return Lots(known, study.seed).least * rounds_of(width) * width
    told = 0
    for side, own in known.items():
        width = len(setups_of(study, [side]))
        told += (1 + len(own)) * ceil(LEAST / rounds_of(width)) * rounds_of(width) * width
    return told


def sides_known(study: Study, game: Game) -> dict[str, list[Slot]]:
    """The cards of the sides that are asked for. Raises OptionError."""
    known = slots(game)
    for side in study.sides:
        if side not in known:
            there = ", ".join(known)
            raise OptionError(f"{game.title} has no side {side[:60]!r} whose cards can be valued; there are: {there}.")
    own = {side: known[side] for side in study.sides or known}
    if study.way == LOT and not in_tables(plain(game), next(iter(own))):
        raise OptionError(f"In {game.title} decks share their cards, so these are valued one at a time, not by lot.")
    return own


def share_of(rows: Sequence[Row], side: str) -> float:
    """What a side scored in some games."""
    return fmean(score for row in rows for score in scores(row, side))


def by_lot(play: Play, known: dict[str, list[Slot]]) -> list[Worth]:
    """All cards of all sides at once."""
    study, setups, lots = play.study, play.setups(list(known)), Lots(known, play.study.seed)
    got: dict[str, list[float]] = {side: [] for side in known}
    told: dict[str, int] = dict.fromkeys(known, 0)
    more, found = lots.least, list[Worth]()
    while more:
        wave = []
        for number in range(lots.drawn, lots.drawn + more):
            raw = play.raw
            for side, taken in lots.draw().items():
                raw = swapped(play.game, raw, side, taken)
            wave.append((play.arm(setups, raw), number))
        try:
            blocks = play.wave(wave)
        except KeyboardInterrupt:
            if not found:
                raise
            play.stopped = True
            break
        for block in blocks:
            for side, shares in got.items():
                shares.append(share_of(block.rows, side))
                told[side] += sum(row.sides.count(side) for row in block.rows)
        found = [
            Worth(side, slot.word, slot.name, slot.copies, worth, half, told[side])
            for side, own in known.items()
            for slot, (worth, half) in zip(own, lots.regress(side, got[side], len(got[side]) / told[side]), strict=True)
        ]
        widest = max(worth.half for worth in found)
        lacking = ceil(lots.drawn * min(1.0, (widest / study.precision) ** 2 - 1))
        each = play.games / lots.drawn
        more = max(0, min(lacking, int((study.most - play.games) / each)))
        play.say(widest, round(more * each))
    return found


def one_by_one(play: Play, known: dict[str, list[Slot]]) -> list[Worth]:
    """One side after the other, each card by itself."""
    found: list[Worth] = []
    for number, (side, own) in enumerate(known.items()):
        share = (play.study.most - play.games) // (len(known) - number)
        try:
            found += one_side(play, side, own, play.games + share)
        except KeyboardInterrupt:
            if not found:
                raise
            play.stopped = True
        if play.stopped:
            break
    return found


class Swap:
    """A card that is replaced: the arm, its blocks so far, and what is lost in each round."""

    def __init__(self, slot: Slot, arm: Arm) -> None:
        self.slot = slot
        self.arm = arm
        self.blocks: int = 0
        self.lost: Track = Track(grain=1 / (len(arm.setups) * slot.together))

    def add(self, whole: Block, without: Block) -> None:
        """Take the next block in, beside the same deals of the whole deck."""
        self.blocks += 1
        width, side = len(self.arm.setups), self.slot.side
        for at in range(0, len(whole.rows), width):
            kept, lost = (share_of(block.rows[at : at + width], side) for block in (whole, without))
            self.lost.add((kept - lost) / self.slot.together)

    def lacking(self, precision: float) -> int:
        """How many blocks it still needs, at most as many as it has."""
        if self.lost.n < LEAST:
            return ceil((LEAST - self.lost.n) / self.arm.rounds)
        return max(0, min(self.blocks, ceil(self.blocks * ((self.lost.half() / precision) ** 2 - 1))))


def one_side(play: Play, side: str, own: list[Slot], most: int) -> list[Worth]:
    """The cards of a side, each by itself against the whole deck, until all are known or so many games are played."""
    setups = play.setups([side])
    base, whole = play.arm(setups, play.raw), list[Block]()
    swaps = [
        Swap(slot, play.arm(setups, swapped(play.game, play.raw, side, {slot.word: slot.together}))) for slot in own
    ]
    precision = play.study.precision
    size = base.rounds * len(setups)
    while any(more := [swap.lacking(precision) for swap in swaps]):
        if swaps[0].blocks:
            share = (most - play.games) / (size * (sum(more) + max(more)))
            more = [int(n * min(1.0, share)) for n in more]
            if not any(n > 0 for n in more):
                break
        need = max(swap.blocks + n for swap, n in zip(swaps, more, strict=True))
        names = [(swap, swap.blocks + n) for swap, count in zip(swaps, more, strict=True) for n in range(count)]
        try:
            whole += play.wave([(base, number) for number in range(len(whole), need)])
            blocks = play.wave([(swap.arm, n) for swap, n in names])
        except KeyboardInterrupt:
            if not swaps[0].blocks:
                raise
            play.stopped = True
            break
        for (swap, number), block in zip(names, blocks, strict=True):
            swap.add(whole[number], block)
        play.say(max(swap.lost.half() for swap in swaps), size * sum(swap.lacking(precision) for swap in swaps))
    return [
        Worth(
            side,
            s.slot.word,
            s.slot.name,
            s.slot.copies,
            round(s.lost.mean, 5),
            round(s.lost.half(), 5),
            s.lost.n * len(setups),
        )
        for s in swaps
    ]


# ---- telling --------------------------------------------------------------------------------------------------


def sides_in(values: Values) -> list[str]:
    """The sides of a study, in their order."""
    return list(dict.fromkeys(worth.side for worth in values.cards))


def ranked(values: Values, side: str) -> list[Worth]:
    """The cards of a side, the best first."""
    return sorted((worth for worth in values.cards if worth.side == side), key=lambda worth: -worth.worth)


BY_HAND: Final = "Stopped by hand: the intervals are those of studies that end by themselves, and may be too narrow."
HOW: Final = {
    LOT: "A lot decides for each block of games which cards are replaced, and a regression tells them apart.",
    ONE: "Each card is replaced by itself, in the deals that the whole deck plays too.",
}


def lines(values: Values, names: dict[str, str]) -> list[str]:
    """A study as lines of text."""
    told = [
        f"{values.title}, played by {values.players}, who {values.believe}",
        f"{values.games:,} games in {values.spent:.0f} s of CPU time. {HOW[values.way]}",
        f"What stands in: {'; '.join(values.plain)}.",
    ]
    if values.stopped:
        told.append(BY_HAND)
    if not values.reached:
        told.append(f"Not every card is known to ±{100 * values.precision:g} points: more games are needed.")
    for side in sides_in(values):
        told += ["", f"{names.get(side, side):<32}{'copies':>7}   points of victories a copy"]
        told += [
            f"  {w.name:<30}{w.copies:>7}{100 * w.worth:>+10.1f} ±{100 * w.half:.1f}{'' if w.sure else '  (not sure)'}"
            for w in ranked(values, side)
        ]
    return [*told, "", f"Digest {values.digest}: the same with any number of workers."]
