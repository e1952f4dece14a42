"""The worth of each card in its deck: the share of victories that is lost when plain cards replace it.

Simpler statistics do not measure it. Winners see more of their cards, so cards that were drawn or played in won games
look good, the best and the worst alike.

There are two methods. *By lot*, chance decides for each block of games which cards of each deck are replaced, and a
regression separates the cards, so every game contributes to every card. *One at a time*, each card is replaced alone,
in the deals that the complete deck plays too; this is better if games stay similar after such a small change.
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
from gonfalon.core.files.card_changes import copy_data
from gonfalon.core.files.card_files import Raw
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.lab.run.blocks import Arm, Block, Row, count_rounds
from gonfalon.lab.run.match import list_matchups, name_sides
from gonfalon.lab.run.sequential import MIN_DEALS, RunningMean
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.run.workers import Workers
from gonfalon.lab.studies.overrides import Variant
from gonfalon.lab.studies.randomization import CardDraws
from gonfalon.lab.studies.swaps import Slot, describe_replacements, find_slots, owns_cards, replace_cards
from gonfalon.lab.studies.whatif.whatif import Question, check_players, describe_reliability, side_scores

BY_LOT: Final = "lot"
"""Method that replaces random cards in each block."""
ONE_AT_A_TIME: Final = "one"
"""Method that replaces one card at a time."""


@dataclass(frozen=True)
class CardWorth:
    """The share of victories that a copy of a card adds compared with a plain card, with half of the 95 % interval."""

    side: str
    card: str
    name: str
    copies: int
    worth: float
    half: float
    games: int

    @property
    def sure(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.worth) > self.half


@dataclass(frozen=True)
class CardValues:
    """The result of a study of cards with one level."""

    game: str
    title: str
    version: str
    data: str
    players: str
    believe: str
    seed: int
    way: str
    plain: list[str]
    """Descriptions of the plain cards."""
    precision: float
    reached: bool
    games: int
    spent: float
    cards: list[CardWorth]
    digest: str
    stopped: bool = False
    """Whether the study was interrupted."""


@dataclass(frozen=True)
class Study:
    """The settings of a study of cards."""

    game: str
    options: Options
    players: str
    sides: tuple[str, ...] = ()
    """Sides whose cards are valued; empty for all."""
    way: str = ""
    """Method; by default by lot if a side owns its cards, and one at a time if decks share a pool."""
    precision: float = 0.02
    most: int = 100_000
    seed: int = 0


ReportProgress = Callable[[int, float, int], None]
"""A function called with the games so far, the widest interval, and the number of games in the next wave."""


class StudyRun:
    """The games of a study and their counts."""

    def __init__(self, study: Study, crew: BlockTeam, tell: ReportProgress | None) -> None:
        self.study = study
        self.crew = crew
        self.tell = tell
        self.game: Game = games.game(study.game, **study.options)
        self.raw: Raw = copy_data(self.game)
        self.games: int = 0
        self.spent: float = 0.0
        self.stopped: bool = False
        self.digest = sha256()

    def play_wave(self, names: list[tuple[Arm, int]]) -> list[Block]:
        """Play these blocks."""
        blocks = self.crew.play(names)
        for block in blocks:
            self.games += len(block.rows)
            self.spent += block.spent
            self.digest.update(block.digest.encode())
        return blocks

    def report(self, widest: float, more: int) -> None:
        """Report the progress."""
        if self.tell is not None:
            self.tell(self.games, widest, more)

    def list_setups(self, sides: Sequence[str]) -> list[Options]:
        """Return the matchups in which one of these sides plays, from either seat."""
        return list_setups(self.study, sides)

    def make_arm(self, setups: Sequence[Options], raw: Raw) -> Arm:
        """Return the arm of these matchups with other data.

        Their games differ only in the sides, so one game pins them all.
        """
        study = self.study
        # Pinning is slow, and only the sides differ between the matchups.
        whole = games.game(study.game, **{**setups[0], data_option(self.game): raw}).pinned()
        chosen = [{key: value for key, value in setup.items() if key not in study.options} for setup in setups]
        written = tuple(json.dumps({**whole, **choice}, sort_keys=True) for choice in chosen)
        return Arm(study.game, written, study.players, study.seed)


def value_cards(
    study: Study, workers: Workers = 1, folder: Path | None = None, tell: ReportProgress | None = None
) -> CardValues:
    """Play until every card has the precision, the games are used up, or the study is interrupted.

    Raises:
        OptionError: An option or side is unknown, or there are too few games.
        KeyboardInterrupt: The study was interrupted before the first wave was done.
    """
    game = games.game(study.game, **study.options)
    known = find_sides(study, game)
    before = Variant(study.options)
    check_players(Question(study.game, study.players, before, before), study.options, study.options)
    way = study.way or (BY_LOT if owns_cards(copy_data(game), next(iter(known))) else ONE_AT_A_TIME)
    check_games(study, way, known)
    with BlockTeam(workers, folder) as crew:
        play = StudyRun(study, crew, tell)
        found = value_by_lot(play, known) if way == BY_LOT else value_one_by_one(play, known)
    return CardValues(
        game=study.game,
        title=game.title,
        version=game.version,
        data=game.data_hash,
        players=study.players,
        believe=describe_reliability(study.players),
        seed=study.seed,
        way=way,
        plain=describe_replacements(game, [slot for own in known.values() for slot in own]),
        precision=study.precision,
        reached=all(worth.half <= study.precision for worth in found),
        games=play.games,
        spent=round(play.spent, 2),
        cards=found,
        digest=play.digest.hexdigest()[:32],
        stopped=play.stopped,
    )


def check_games(study: Study, way: str, known: dict[str, list[Slot]]) -> None:
    """Check that a study has enough games.

    Raises:
        OptionError: There are too few games.
    """
    least = min_games(study, way, known)
    if study.most < least:
        advice = " With --side NAME fewer are needed." if len(known) > 1 else ""
        raise OptionError(f"These cards need at least {least:,} games; {study.most:,} are too few.{advice}")


def list_setups(study: Study, sides: Collection[str]) -> list[Options]:
    """Return the matchups of a study in which one of these sides plays."""
    met = list_matchups(study.game, study.options)
    return [setup for setup in met if set(sides) & set(name_sides(games.game(study.game, **setup)))]


def min_games(study: Study, way: str, known: dict[str, list[Slot]]) -> int:
    """Return the number of games needed before anything can be reported.

    By lot these are enough blocks to separate the cards. One at a time they are enough rounds for an interval, with the
    complete deck of each side and with each card replaced.
    """
    if way == BY_LOT:
        width = len(list_setups(study, known))
        return CardDraws(known, study.seed).least * count_rounds(width) * width
    told = 0
    for side, own in known.items():
        width = len(list_setups(study, [side]))
        told += (1 + len(own)) * ceil(MIN_DEALS / count_rounds(width)) * count_rounds(width) * width
    return told


def find_sides(study: Study, game: Game) -> dict[str, list[Slot]]:
    """Return the cards of the selected sides.

    Raises:
        OptionError: A side has no cards to value, or the method does not fit the game.
    """
    known = find_slots(game)
    for side in study.sides:
        if side not in known:
            there = ", ".join(known)
            raise OptionError(
                f"{game.title} has no side {side[:60]!r} whose cards can be valued. Possible sides: {there}."
            )
    own = {side: known[side] for side in study.sides or known}
    if study.way == BY_LOT and not owns_cards(copy_data(game), next(iter(own))):
        raise OptionError(
            f"The decks of {game.title} share their cards, so cards can only be valued one at a time, not by lot."
        )
    return own


def mean_score(rows: Sequence[Row], side: str) -> float:
    """Return the score of a side in some games."""
    return fmean(score for row in rows for score in side_scores(row, side))


def value_by_lot(play: StudyRun, known: dict[str, list[Slot]]) -> list[CardWorth]:
    """Value all cards of all sides at once."""
    study, setups, lots = play.study, play.list_setups(list(known)), CardDraws(known, play.study.seed)
    got: dict[str, list[float]] = {side: [] for side in known}
    told: dict[str, int] = dict.fromkeys(known, 0)
    more, found = lots.least, list[CardWorth]()
    while more:
        wave = []
        for number in range(lots.draw_count, lots.draw_count + more):
            raw = play.raw
            for side, taken in lots.draw().items():
                raw = replace_cards(play.game, raw, side, taken)
            wave.append((play.make_arm(setups, raw), number))
        try:
            blocks = play.play_wave(wave)
        except KeyboardInterrupt:
            if not found:
                raise
            play.stopped = True
            break
        for block in blocks:
            for side, shares in got.items():
                shares.append(mean_score(block.rows, side))
                told[side] += sum(row.sides.count(side) for row in block.rows)
        found = [
            CardWorth(side, slot.word, slot.name, slot.copies, worth, half, told[side])
            for side, own in known.items()
            for slot, (worth, half) in zip(own, lots.regress(side, got[side], len(got[side]) / told[side]), strict=True)
        ]
        widest = max(worth.half for worth in found)
        # At most double the blocks in a wave, since the width is only an estimate.
        lacking = ceil(lots.draw_count * min(1.0, (widest / study.precision) ** 2 - 1))
        each = play.games / lots.draw_count
        more = max(0, min(lacking, int((study.most - play.games) / each)))
        play.report(widest, round(more * each))
    return found


def value_one_by_one(play: StudyRun, known: dict[str, list[Slot]]) -> list[CardWorth]:
    """Value one side after the other, each card alone."""
    found: list[CardWorth] = []
    for number, (side, own) in enumerate(known.items()):
        # Games that one side does not need are left for the next ones.
        share = (play.study.most - play.games) // (len(known) - number)
        try:
            found += value_side(play, side, own, play.games + share)
        except KeyboardInterrupt:
            if not found:
                raise
            play.stopped = True
        if play.stopped:
            break
    return found


class CardTrial:
    """A replaced card: its arm, its blocks so far, and the loss in each round."""

    def __init__(self, slot: Slot, arm: Arm) -> None:
        self.slot = slot
        self.arm = arm
        self.blocks: int = 0
        self.lost: RunningMean = RunningMean(grain=1 / (len(arm.setups) * slot.replaced_copies))

    def add(self, whole: Block, without: Block) -> None:
        """Add the next block, with the same deals of the complete deck."""
        self.blocks += 1
        width, side = len(self.arm.setups), self.slot.side
        for at in range(0, len(whole.rows), width):
            # Both arms play the same deals, so most of the luck cancels in the difference.
            kept, lost = (mean_score(block.rows[at : at + width], side) for block in (whole, without))
            self.lost.add((kept - lost) / self.slot.replaced_copies)

    def count_missing_blocks(self, precision: float) -> int:
        """Return the number of missing blocks, at most the number of existing ones."""
        if self.lost.n < MIN_DEALS:
            return ceil((MIN_DEALS - self.lost.n) / self.arm.rounds)
        return max(0, min(self.blocks, ceil(self.blocks * ((self.lost.half_width() / precision) ** 2 - 1))))

    def summarize(self) -> CardWorth:
        """Return the worth of the card so far."""
        slot, worth, half = self.slot, round(self.lost.mean, 5), round(self.lost.half_width(), 5)
        return CardWorth(slot.side, slot.word, slot.name, slot.copies, worth, half, self.lost.n * len(self.arm.setups))


def value_side(play: StudyRun, side: str, own: list[Slot], most: int) -> list[CardWorth]:
    """Value the cards of a side against the complete deck, until all are precise or `most` games are played."""
    # One arm with the complete deck serves as the reference for all cards.
    setups = play.list_setups([side])
    base, whole = play.make_arm(setups, play.raw), list[Block]()
    swaps = [
        CardTrial(
            slot, play.make_arm(setups, replace_cards(play.game, play.raw, side, {slot.word: slot.replaced_copies}))
        )
        for slot in own
    ]
    precision = play.study.precision
    size = base.rounds * len(setups)
    while any(more := [swap.count_missing_blocks(precision) for swap in swaps]):
        # The remaining games are shared among the cards in proportion to what each lacks.
        if swaps[0].blocks:
            share = (most - play.games) / (size * (sum(more) + max(more)))
            more = [int(n * min(1.0, share)) for n in more]
            if not any(n > 0 for n in more):
                break
        need = max(swap.blocks + n for swap, n in zip(swaps, more, strict=True))
        names = [(swap, swap.blocks + n) for swap, count in zip(swaps, more, strict=True) for n in range(count)]
        try:
            whole += play.play_wave([(base, number) for number in range(len(whole), need)])
            blocks = play.play_wave([(swap.arm, n) for swap, n in names])
        except KeyboardInterrupt:
            if not swaps[0].blocks:
                raise
            play.stopped = True
            break
        for (swap, number), block in zip(names, blocks, strict=True):
            swap.add(whole[number], block)
        play.report(
            max(swap.lost.half_width() for swap in swaps),
            size * sum(swap.count_missing_blocks(precision) for swap in swaps),
        )
    return [swap.summarize() for swap in swaps]


# ---- output --------------------------------------------------------------------------------------------------


def list_sides(values: CardValues) -> list[str]:
    """Return the sides of a study in order."""
    return list(dict.fromkeys(worth.side for worth in values.cards))


def rank_cards(values: CardValues, side: str) -> list[CardWorth]:
    """Return the cards of a side, the best first."""
    return sorted((worth for worth in values.cards if worth.side == side), key=lambda worth: -worth.worth)


INTERRUPTED_NOTE: Final = (
    "Interrupted: the intervals may be too narrow, because they assume that the study ends by itself."
)
"""Note on the intervals of an interrupted study."""
METHOD_NOTES: Final = {
    BY_LOT: "Random cards are replaced in each block of games, and a regression separates their effects.",
    ONE_AT_A_TIME: "Each card is replaced alone, in the deals that the complete deck plays too.",
}
"""Descriptions of the methods."""


def format_lines(values: CardValues, names: dict[str, str]) -> list[str]:
    """Return a study as lines of text."""
    told = [
        f"{values.title}, played by {values.players}. Note: {values.players} {values.believe}",
        f"{values.games:,} games in {values.spent:.0f} s of CPU time. {METHOD_NOTES[values.way]}",
        f"Replacement: {'; '.join(values.plain)}.",
    ]
    if values.stopped:
        told.append(INTERRUPTED_NOTE)
    if not values.reached:
        told.append(f"Not every card reached ±{100 * values.precision:g} points. More games are needed.")
    for side in list_sides(values):
        told += ["", f"{names.get(side, side):<32}{'copies':>7}   points per copy"]
        told += [
            f"  {w.name:<30}{w.copies:>7}{100 * w.worth:>+10.1f} ±{100 * w.half:.1f}{'' if w.sure else '  (not sure)'}"
            for w in rank_cards(values, side)
        ]
    return [*told, "", f"Digest {values.digest}: the same with any number of workers."]
