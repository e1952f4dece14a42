"""Runs a game's tests against its mutants, each in a process of its own that is forked when all else is loaded.

A mutant is put in by an import hook: no file is touched, so any number can run at once, beside other work on the
sources. Tests come in the order in which they may find something: those that nobody has measured yet, then those that
reach the changed lines, the best finders for their time first, then all the others. The first failure ends it. So
does a test that takes many times its usual CPU time; seconds of a busy machine do not count.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import pkgutil
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Final

import coverage
import pytest
from hypothesis import Phase, settings

import gonfalon.bots
import gonfalon.core
from tools.mutants.making import ROOT, Mutant, digest, rules_of

SHARED: Final = ("tests/check/test_games.py", "tests/core/test_loops.py")
"""Tests of each game that stand with those of the others: the laws, and the loops of random play."""
MEMORY: Final = 6 << 30
TIMES: Final = 4
SPARE: Final = 5.0
"""A test may take so many times the CPU time that it was measured with, and so many seconds more."""
LOOKED: Final = 1.0
"""For so many seconds of CPU time it is noted which lines a test reaches."""
START: Final = 0.02
"""Seconds of CPU time that each test takes at least."""
UNKNOWN: Final = 60.0
"""Seconds of CPU time for a test that nobody has measured."""


@dataclass
class Measured:
    """What the rules as they are do with the tests: seconds of CPU time, and which tests reach which line."""

    seconds: dict[str, float] = field(default_factory=dict)
    reach: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """For each module by its file's name and each line of it, tests as indices of `seconds`."""


@dataclass(frozen=True)
class Result:
    """What became of a mutant."""

    killed: bool
    by: str
    """The test that failed, or what else ended it."""
    seconds: float


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from other text than its file's."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self.text = mutant.source

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.text.encode(), self.path)
        return code


class Finder(importlib.abc.MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.path, loader=Loader(self.mutant))


class Plugin:
    """What pytest is told: which tests in which order, and how long each may take."""

    def __init__(self, game: str, order: list[str], known: dict[str, float], report: int, quick: bool = False) -> None:
        self.game = game
        self.quick = quick
        self.place = {test: i for i, test in enumerate(order)}
        self.known = known
        self.report = report
        self.test = "collection"

    def say(self, what: str) -> None:
        os.write(self.report, f"{what}\n".encode())

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        own = (f"tests/{self.game}/", f"[{self.game}")
        kept = [item for item in items if item.nodeid.startswith(own[0]) or own[1] in item.nodeid]
        if self.quick:
            kept = [item for item in kept if item.nodeid in self.place or item.nodeid not in self.known]
        items[:] = sorted(kept, key=lambda item: self.place.get(item.nodeid, -1))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.test = item.nodeid
        signal.signal(signal.SIGPROF, self.late)
        signal.setitimer(signal.ITIMER_PROF, self.known.get(item.nodeid, UNKNOWN) * TIMES + SPARE)
        began = time.process_time()
        result = yield
        self.measured(item.nodeid, time.process_time() - began)
        signal.setitimer(signal.ITIMER_PROF, 0)
        return result

    def measured(self, test: str, seconds: float) -> None:
        pass

    def late(self, number: int, frame: FrameType | None) -> None:
        self.say(f"endless: {self.test}")
        os._exit(3)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.say(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.say(f"{report.nodeid} cannot be collected")


class Measuring(Plugin):
    """Notes how long each test takes and what it reaches."""

    def __init__(self, game: str, report: int, covered: coverage.Coverage) -> None:
        super().__init__(game, [], {}, report)
        self.covered = covered
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.covered.start()
        self.covered.switch_context(nodeid)
        # What a long test reaches it mostly does so soon, and to look takes longer than to test.
        signal.signal(signal.SIGVTALRM, self.enough)
        signal.setitimer(signal.ITIMER_VIRTUAL, LOOKED)

    def enough(self, number: int, frame: FrameType | None) -> None:
        self.covered.stop()

    def measured(self, test: str, seconds: float) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.covered.stop()
        self.seconds[test] = seconds


def load() -> None:
    """All that a process needs and that no mutant is in."""
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for package in (gonfalon.core, gonfalon.bots):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    for name in ("gonfalon.check", "gonfalon.web", "numpy", "playwright.sync_api"):
        importlib.import_module(name)
    # Modules and tests are compiled once, and not again in each process.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(sys.prefix) / "pycache")
    # What fails is not made smaller, and each run tries the same examples.
    settings.register_profile("mutants", settings.get_profile("default"), deadline=None, max_examples=50)
    settings.register_profile(
        "mutants", settings.get_profile("mutants"), derandomize=True, phases=(Phase.explicit, Phase.generate)
    )
    os.environ.update(HYPOTHESIS_PROFILE="mutants", OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")


def tests_of(game: str) -> list[str]:
    return [f"tests/{game}", *SHARED]


def pytest_run(game: str, plugin: Plugin) -> int:
    options = ["-x", "-q", "--tb=no", "--no-header", "-o", "timeout=0", "-p", "no:cacheprovider", "-p", "no:xdist"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is loaded already
    return int(pytest.main([*options, *tests_of(game)], plugins=[plugin]))


def quiet() -> None:
    """The tests write nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)


def measure(game: str, kept: Path) -> Measured:
    """Run the tests as they are, unless that was done for these rules. Raises RuntimeError when one fails."""
    state = digest(*(path.read_text("utf-8") for path in rules_of(game)))
    with contextlib.suppress(OSError, ValueError):
        held = json.loads(kept.read_text("utf-8"))
        if held.pop("rules") == state:
            return Measured(**held)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            quiet()
            covered = coverage.Coverage(
                data_file=None, config_file=False, include=[str(path) for path in rules_of(game)]
            )
            plugin = Measuring(game, writer, covered)
            status = pytest_run(game, plugin)
            if not status:
                kept.write_text(json.dumps({"rules": state, **vars(found(game, plugin))}), "utf-8")
            os._exit(status)
        except BaseException:
            os.write(writer, traceback.format_exc().encode())
            os._exit(9)
    os.close(writer)
    with os.fdopen(reader) as said:
        why = said.read()
    if os.waitpid(child, 0)[1]:
        raise RuntimeError(f"The tests fail without any mutant: {why}")
    return measure(game, kept)


def found(game: str, plugin: Measuring) -> Measured:
    numbers = {test: i for i, test in enumerate(plugin.seconds)}
    reach: dict[str, dict[str, list[int]]] = {}
    data = plugin.covered.get_data()
    for path in rules_of(game):
        lines = data.contexts_by_lineno(str(path))
        reach[path.name] = {
            str(line): sorted(numbers[test] for test in tests if test in numbers) for line, tests in lines.items()
        }
    return Measured(plugin.seconds, reach)


def reaching(mutant: Mutant, measured: Measured) -> set[str]:
    """The tests that were seen to reach a mutant's line; none when all do as they load the module."""
    if not mutant.inside:
        return set()
    here = measured.reach.get(mutant.path.name, {})
    # Of a statement over several lines not each need be one that a measurement counts.
    line = next((str(line) for line in range(mutant.line, 0, -1) if str(line) in here), "")
    names = list(measured.seconds)
    return {names[i] for i in here.get(line, ())}


def ordered(mutant: Mutant, measured: Measured, finders: Counter[str]) -> list[str]:
    """The tests that are known: those that reach the line, those that find most for the time they take first."""
    near = reaching(mutant, measured)
    found = {test: (finders[test] + 1) / (seconds + START) for test, seconds in measured.seconds.items()}
    return sorted(found, key=lambda test: (test not in near, -found[test]))


def short(mutant: Mutant, measured: Measured) -> set[str]:
    """The short tests that reach the line, or all short ones: they were looked at to their end."""
    tests = {test for test, seconds in measured.seconds.items() if seconds < LOOKED}
    return tests & reaching(mutant, measured) or tests


def start(game: str, mutant: Mutant, order: list[str], measured: Measured, report: Path, quick: bool) -> int:
    """Fork a process for a mutant; what it finds is written to `report`."""
    child = os.fork()
    if child:
        return child
    try:
        quiet()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.meta_path.insert(0, Finder(mutant))
        writer = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os._exit(pytest_run(game, Plugin(game, order, measured.seconds, writer, quick)))
    except BaseException:
        os._exit(9)


def run(
    game: str, mutants: list[Mutant], measured: Measured, workers: int, quick: bool
) -> Iterator[tuple[Mutant, Result]]:
    """Each mutant with what became of it, as they come. `quick`: only the short tests that reach it are tried."""
    finders: Counter[str] = Counter()
    waiting = list(reversed(mutants))
    running: dict[int, tuple[Mutant, Path]] = {}
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < workers:
                mutant = waiting.pop()
                report = Path(folder) / mutant.id
                order = ordered(mutant, measured, finders)
                if quick:
                    some = short(mutant, measured)
                    order = [test for test in order if test in some]
                running[start(game, mutant, order, measured, report, quick)] = (mutant, report)
            child, status, used = os.wait4(-1, 0)
            mutant, report = running.pop(child)
            said = report.read_text("utf-8").partition("\n")[0] if report.exists() else ""
            if status and not said:
                said = f"status {os.waitstatus_to_exitcode(status)}"
            if said in measured.seconds:
                finders[said] += 1
            yield mutant, Result(status != 0, said, round(used.ru_utime + used.ru_stime, 1))
