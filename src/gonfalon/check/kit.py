"""The runner of the kit: checks each law and divides the time among them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from gonfalon.check.law import Law, LawBrokenError, LawResult, LawUncheckedError, explain_failure
from gonfalon.check.laws.formats import batches, builds, copies, dumps, serialization
from gonfalon.check.laws.formats import pages as page_laws
from gonfalon.check.laws.rules import (
    actions,
    chance,
    endless_loops,
    flow,
    numbers,
    options,
    public,
    purity,
    reasons,
    trees,
    unordered_zones,
)
from gonfalon.check.laws.secrecy import deals, honesty, log, midgame, play_on, reviews, secrecy
from gonfalon.check.laws.secrecy import displays as shown
from gonfalon.check.play import Bench, Case, Coverage, Pages, Requests, Sampler, Sender, reset_shared_lists
from gonfalon.check.reference_rules import ReferenceRules, load_reference_rules
from gonfalon.check.watchdog import EndlessLoopError, Watchdog
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat

LAWS: list[Law] = [
    # Laws on which others rely come first, because a broken one skips the rest.
    *flow.LAWS[:1],
    *copies.LAWS[:2],
    *flow.LAWS[1:],
    *copies.LAWS[2:],
    *serialization.LAWS,
    *dumps.LAWS,
    *log.LAWS,
    *endless_loops.LAWS,
    *options.LAWS,
    *actions.LAWS,
    *purity.LAWS,
    *shown.LAWS,
    *page_laws.LAWS,
    *numbers.LAWS,
    *secrecy.LAWS,
    *batches.LAWS,
    *unordered_zones.LAWS,
    *public.LAWS,
    *chance.LAWS,
    *deals.LAWS,
    *midgame.LAWS,
    *trees.LAWS,
    *honesty.LAWS,
    *reasons.LAWS,
    *reviews.LAWS,
    *play_on.LAWS,
    *builds.LAWS,
]
"""All laws, in the order of the report."""

ENDS_LAW = flow.LAWS[0]
SHORT_LAW_FACTOR: Final = 0.15
"""Factor on the time spent by a law that has seen fewer than `MIN_GAMES` games, so that it is scheduled sooner."""
MIN_GAMES: Final = 6
"""Number of games that each law must see before a pass counts. A law with `once` set needs one for each configuration.
"""


def run(
    games: Game | type[Game] | Iterable[Game],
    seconds: float = 20.0,
    report: Callable[[str], None] | None = None,
    *,
    sampler: Sampler = worlds,
    record: Callable[..., Record] = Record,
    senders: Iterable[Sender] = (),
    stuck_after: float = 30.0,
    first_only: bool = False,
    rounds: int = 2,
    laws: Iterable[Law] = LAWS,
    seen: Coverage | None = None,
    pages: Pages | None = None,
    requests: Requests | None = None,
    reference: ReferenceRules[Any] | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[LawResult]:
    """Check a game against the laws.

    The seeds are fixed, so a broken law is found again with the same seed.

    Args:
        games: A class is checked in its `samples()`, in those of its reference rules and in its `tiny()` games. A game,
            or several, are checked as they are, together with `tiny()` of their class.
        seconds: CPU time of this process, so that a busy machine does not shorten the check.
        report: Receives a line for each law: of a broken or skipped law at once, of all others at the end.
        sampler: Deals worlds of a view. A game's author can have another sampler checked.
        record: Makes an empty record. A game's author can have another class checked.
        senders: Further functions that send text to a viewer, such as those of the server.
        stuck_after: CPU seconds after which a look at one case counts as an endless loop.
        first_only: Stop at the first broken law.
        rounds: Number of games that each law sees even if the time is over.
        laws: The laws to check.
        seen: Receives the number of games, positions and decisions.
        pages: Opens the web pages of a table.
        requests: Sends actions to a table.
        reference: Reference rules in place of the installed ones.
        progress: Receives a sentence before each look at a case: the time, the number of games, and the law.

    Returns:
        The result of each law, in the order of `laws`.

    Raises:
        ValueError: There is no game to check.
    """
    began = time.process_time()
    if isinstance(games, type):
        reference = reference or load_reference_rules(games.name)
        played, tiny = [*reference.build_samples(games), *games.samples()], games.tiny()
    else:
        played = [games] if isinstance(games, Game) else list(games)
        tiny = type(played[0]).tiny() if played else []
    if not played:
        raise ValueError("there is no game to check")
    reference = reference or load_reference_rules(played[0].name)
    # A look at one case gets a small share of the time, so that every law has its turns.
    bench = Bench(
        played, tiny, max(0.25, seconds / 40), sampler, record, list(senders), seen, pages, requests, reference
    )
    runner = Runner(bench, list(laws), stuck_after, first_only, report, progress)
    try:
        runner.run(began + seconds, rounds)
    finally:
        # Otherwise each run would leave a thread behind.
        runner.watchdog.close()
    bench.seen.cpu = time.process_time() - began
    bench.seen.missing = runner.describe_missing()
    runner.finish_report()
    return runner.results


class Runner:
    """A run of the kit: the laws, their results and the time that each has had."""

    def __init__(
        self,
        bench: Bench,
        laws: list[Law],
        stuck_after: float,
        first_only: bool,
        report: Callable[[str], None] | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.bench = bench
        self.laws = laws
        self.first_only = first_only
        self.report = report
        self.progress = progress
        self.began = time.process_time()
        self.reported: set[int] = set()
        """Numbers of the laws whose lines are reported."""
        self.watchdog = Watchdog(stuck_after)
        self.results = [LawResult(law.name, law.unit) for law in laws]
        self.looked = [0] * len(self.laws)
        """Number of cases that each law has seen."""
        self.next_case = [0] * len(self.laws)
        self.sound = False
        """Whether any game has ended properly."""
        self.newest = {False: -1, True: -1}
        """Number of the newest case that any law has seen, for full (False) and tiny (True) games."""
        self.open = [True] * len(self.laws)
        for i, law in enumerate(laws):
            if law.tiny and not bench.tiny:
                self.skip(i, "the game has no tiny configurations")

    def block(self, why: str) -> None:
        """Skip all laws that have checked nothing yet, because a law on which they rely is broken."""
        for i in range(len(self.laws)):
            if self.open[i] and not self.results[i].checked:
                self.skip(i, f"not checked, because this law is broken: {why}")
                self.results[i].blocked = why

    def skip(self, i: int, why: str) -> None:
        """Skip a law, with the reason as its note."""
        self.open[i] = False
        self.results[i].note = why
        self.results[i].skipped = True

    def run(self, deadline: float, rounds: int) -> None:
        """Check each law `rounds` times, then continue with the law that has had the least time until the deadline."""
        for _ in range(rounds):
            for i in range(len(self.laws)):
                if self.open[i] and not self.check_next(i):
                    return
        # If no full game ended properly, the other laws have examined nothing that can be trusted.
        if not self.sound:
            self.block(ENDS_LAW.name)
            return
        while time.process_time() < deadline:
            ready = [i for i in range(len(self.laws)) if self.open[i]]
            if not ready or not self.check_next(min(ready, key=self.urgency)):
                return

    def check_next(self, i: int) -> bool:
        """Report the progress, check one more case of a law, and report the laws that are finished.

        Returns:
            False if the other laws can no longer be trusted.
        """
        if self.progress is not None:
            self.progress(self.describe_progress(i))
        trusted = self.check_case(i)
        for number in [number for number in range(len(self.laws)) if not self.open[number]]:
            self.report_law(number)
        return trusted

    def describe_progress(self, i: int) -> str:
        """Return the time, the number of games and the law that is checked now, in a sentence."""
        short = sum(map(self.is_short, range(len(self.laws))))
        return (
            f"{time.process_time() - self.began:.0f} s, {self.bench.seen.games:,} games, {len(self.laws) - short} of "
            f"{len(self.laws)} laws have seen enough; now: {self.laws[i].name}"
        )

    def report_law(self, i: int) -> None:
        """Report the lines of a law, once."""
        result = self.results[i]
        if self.report is None or result.blocked or i in self.reported:
            return
        self.reported.add(i)
        for line in [result.line(), *(explain_failure(self.laws[i]) if result.failure else [])]:
            self.report(line)

    def finish_report(self) -> None:
        """Report all laws that are not reported yet, and the number of those that could not be checked."""
        for i in range(len(self.laws)):
            self.report_law(i)
        blocked = [result.blocked for result in self.results if result.blocked]
        if blocked and self.report is not None:
            self.report(f"--   {len(blocked)} more laws were not checked, because this law is broken: {blocked[0]}")

    def urgency(self, i: int) -> float:
        """Return the CPU time that a law has had, relative to its share. The law with the lowest value is next."""
        return self.results[i].spent / self.laws[i].share * (SHORT_LAW_FACTOR if self.is_short(i) else 1.0)

    def is_short(self, i: int) -> bool:
        """Return whether a law has seen too few games to prove anything."""
        return self.open[i] and self.looked[i] < MIN_GAMES  # a law with `once` is closed after its last configuration

    def choose_case(self, i: int) -> int:
        """Return the number of the next case for a law.

        Fast laws see all games. A slow law skips games, so that it finds the most recent ones in the cache, and still
        takes the configurations in turn.
        """
        law, number = self.laws[i], self.next_case[i]
        configurations = len(self.bench.tiny if law.tiny else self.bench.games)
        behind = self.newest[law.tiny] - number
        if not law.once and behind > 0:
            number += behind // configurations * configurations
        self.newest[law.tiny] = max(self.newest[law.tiny], number)
        self.next_case[i] = number + 1
        self.looked[i] += 1
        if law.once and number + 1 >= configurations:
            self.open[i] = False
        return number

    def describe_missing(self) -> str:
        """Return a clause about the laws that saw too few games; empty when all saw enough, or when a law is broken."""
        if any(result.failure for result in self.results):
            return ""
        short = [i for i in range(len(self.laws)) if self.is_short(i)]
        if not short:
            return ""
        least = min(short, key=lambda i: self.looked[i])
        return (
            f"{len(short)} of {len(self.laws)} laws saw fewer than {MIN_GAMES} games; "
            f"{self.laws[least].name!r} saw {self.looked[least]}"
        )

    def check_case(self, i: int) -> bool:
        """Check one more case of a law. Return False if the other laws can no longer be trusted."""
        law, result = self.laws[i], self.results[i]
        number = self.choose_case(i)
        self.bench.note = ""
        began = time.process_time()
        case: Case | None = None
        found = 0
        try:
            with self.watchdog:
                # The case is played under the watchdog as well, because its rules may loop.
                case = self.bench.case(number, law.tiny)
                if (case.crash is not None or case.endless) and ENDS_LAW in self.laws:
                    # A game without an end is evidence for this law only.
                    i, law, result = self.laws.index(ENDS_LAW), ENDS_LAW, self.results[self.laws.index(ENDS_LAW)]
                    if result.failure:
                        return True
                elif not law.tiny:
                    self.sound = True
                found = law.check(self.bench, case)
                result.checked += found
        except LawBrokenError as broken:
            self.fail(i, case, str(broken), broken.at, broken.further)
        except LawUncheckedError as unchecked:
            self.skip(i, str(unchecked))
        except EndlessLoopError as stuck:
            self.fail(i, case, str(stuck), None)
        except Exception as error:
            # The kit does not raise for sound games, so the exception is a finding about the game.
            self.fail(i, case, f"checking it raised {flow.format_exception(error)}", None)
        # The lists are restored at once. Otherwise the next law would be blamed.
        if reset_shared_lists():
            self.fail(i, case, "the rules changed a shared empty list of the core, NO_ACTIONS or NO_ANSWERS", None)
        result.spent += time.process_time() - began
        # "Nothing to check here" stays as the note only while the law has found nothing to check in any game.
        if self.bench.note and (found or not result.checked):
            result.note = self.bench.note
        elif found:
            result.note = ""
        if result.failure and (law.base or self.first_only):
            self.block(law.name)
            return False
        return True

    def fail(
        self, i: int, case: Case | None, what: str, at: int | None, further: Sequence[tuple[Seat, Action]] = ()
    ) -> None:
        """Close a law with a failure, and write a record of the game up to it.

        Args:
            i: The number of the law.
            case: The case that broke it; None if the case could not be made.
            what: The failure in words, without a period.
            at: The number of decisions after which it was seen; None if the place does not matter.
            further: Decisions from there that replace the case's own.
        """
        result = self.results[i]
        self.open[i] = False
        result.note = ""
        if case is None:
            result.failure = what + "."
            return
        result.seed, result.game = case.seed, case.game
        where = f"seed {case.seed}" + (f", after {at} decisions" if at is not None else "")
        settings = format_options(case.game)
        result.failure = f"{name_seats(case.game, what)} ({where}{', ' + settings if settings else ''})."
        try:
            leading = Record(case.game, case.game.seat_names())
            for decision in [*case.decisions[: len(case.decisions) if at is None else at], *further]:
                leading.add(*decision)
            result.record = leading.dumps()
        except Exception:
            result.record = ""  # a record needs notation, which may be the thing that is broken


def name_seats(game: Game, text: str) -> str:
    """Return a text with the names of seats added to their numbers."""
    names = game.seat_names()

    def named(found: re.Match[str]) -> str:
        seat = int(found[1])
        return f"{names[seat]}{found[2] or ''} (seat {seat})" if seat < len(names) else found[0]

    return re.sub(r"\bseat (\d+)\b('s)?", named, text)


def format_options(game: Game) -> str:
    """Return the options that differ from their defaults, for a failure message."""
    spec = {option.name: option.default for option in game.options_spec}
    out = []
    for name, value in game.options.items():
        if value != spec.get(name):
            shown = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            out.append(f"{name}={shown}" if len(shown) <= 40 else f"{name}=...")
    return " ".join(out)
