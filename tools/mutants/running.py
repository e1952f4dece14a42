"""Runs a game's tests against its mutants, each in a process forked after everything else is loaded.

An import hook inserts the mutant. No file is changed, so many mutants can run at once, also during other work on the
sources. Tests run in the order of their chance to fail: new tests, tests that reach the changed lines, ordered by
successes per time, then all others. The first failure ends the run, and so does a test that takes many times its usual
CPU time.
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
from tools.mutants.making import ROOT, Mutant, list_rules, short_hash

SHARED_TESTS: Final = ("tests/check/test_games.py", "tests/core/test_loops.py")
"""Tests of all games that also test each game: the laws, and the loops of random play."""
MAX_MEMORY: Final = 6 << 30
"""Maximum memory of a process in bytes."""
MAX_TIME_FACTOR: Final = 4
SPARE_SECONDS: Final = 5.0
"""Extra CPU seconds of a test, beyond `TIMES` its usual time."""
COVERAGE_SECONDS: Final = 1.0
"""CPU seconds during which coverage of a test is recorded."""
MIN_TEST_SECONDS: Final = 0.02
"""Minimum CPU seconds assumed for a test."""
UNMEASURED_SECONDS: Final = 60.0
"""CPU seconds assumed for a test without a measurement."""


@dataclass
class Measured:
    """Measurements with unchanged rules: CPU seconds of tests, and the tests that reach each line."""

    seconds: dict[str, float] = field(default_factory=dict)
    reach: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """Tests as indices of `seconds`, for each line of each file."""


@dataclass(frozen=True)
class Result:
    """The result of a mutant."""

    killed: bool
    by: str
    """Name of the failed test, or another reason for the end."""
    seconds: float


class Loader(importlib.machinery.SourceFileLoader):
    """A loader that reads a module from the mutant's source."""

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
    """A pytest plugin that orders tests and limits their time."""

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
        signal.setitimer(
            signal.ITIMER_PROF, self.known.get(item.nodeid, UNMEASURED_SECONDS) * MAX_TIME_FACTOR + SPARE_SECONDS
        )
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
    """A plugin that records the time and the coverage of each test."""

    def __init__(self, game: str, report: int, covered: coverage.Coverage) -> None:
        super().__init__(game, [], {}, report)
        self.covered = covered
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.covered.start()
        self.covered.switch_context(nodeid)
        # Long tests reach most lines early, and coverage is slower than the tests.
        signal.signal(signal.SIGVTALRM, self.enough)
        signal.setitimer(signal.ITIMER_VIRTUAL, COVERAGE_SECONDS)

    def enough(self, number: int, frame: FrameType | None) -> None:
        self.covered.stop()

    def measured(self, test: str, seconds: float) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.covered.stop()
        self.seconds[test] = seconds


def import_modules() -> None:
    """Import everything that a process needs, except the rules."""
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for package in (gonfalon.core, gonfalon.bots):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    for name in ("gonfalon.check", "gonfalon.web", "numpy", "playwright.sync_api"):
        importlib.import_module(name)
    # Compile modules and tests once, not in each process.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(sys.prefix) / "pycache")
    # Skip shrinking, and use the same examples in each run.
    settings.register_profile("mutants", settings.get_profile("default"), deadline=None, max_examples=50)
    settings.register_profile(
        "mutants", settings.get_profile("mutants"), derandomize=True, phases=(Phase.explicit, Phase.generate)
    )
    os.environ.update(HYPOTHESIS_PROFILE="mutants", OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")


def list_tests(game: str) -> list[str]:
    return [f"tests/{game}", *SHARED_TESTS]


def run_pytest(game: str, plugin: Plugin) -> int:
    options = ["-x", "-q", "--tb=no", "--no-header", "-o", "timeout=0", "-p", "no:cacheprovider", "-p", "no:xdist"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is loaded already
    return int(pytest.main([*options, *list_tests(game)], plugins=[plugin]))


def silence_output() -> None:
    """Discard the output of tests."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)


def measure_tests(game: str, kept: Path) -> Measured:
    """Run the tests with unchanged rules, or return the stored measurements.

    Raises:
        RuntimeError: A test fails.
    """
    state = short_hash(*(path.read_text("utf-8") for path in list_rules(game)))
    with contextlib.suppress(OSError, ValueError):
        held = json.loads(kept.read_text("utf-8"))
        if held.pop("rules") == state:
            return Measured(**held)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            silence_output()
            covered = coverage.Coverage(
                data_file=None, config_file=False, include=[str(path) for path in list_rules(game)]
            )
            plugin = Measuring(game, writer, covered)
            status = run_pytest(game, plugin)
            if not status:
                kept.write_text(json.dumps({"rules": state, **vars(collect_measurements(game, plugin))}), "utf-8")
            os._exit(status)
        except BaseException:
            os.write(writer, traceback.format_exc().encode())
            os._exit(9)
    os.close(writer)
    with os.fdopen(reader) as said:
        why = said.read()
    if os.waitpid(child, 0)[1]:
        raise RuntimeError(f"The tests fail without any mutant: {why}")
    return measure_tests(game, kept)


def collect_measurements(game: str, plugin: Measuring) -> Measured:
    numbers = {test: i for i, test in enumerate(plugin.seconds)}
    reach: dict[str, dict[str, list[int]]] = {}
    data = plugin.covered.get_data()
    for path in list_rules(game):
        lines = data.contexts_by_lineno(str(path))
        reach[path.name] = {
            str(line): sorted(numbers[test] for test in tests if test in numbers) for line, tests in lines.items()
        }
    return Measured(plugin.seconds, reach)


def find_reaching(mutant: Mutant, measured: Measured) -> set[str]:
    """Return the tests that reach a mutant's line; none if all tests do because it runs on import."""
    if not mutant.inside:
        return set()
    here = measured.reach.get(mutant.path.name, {})
    # Coverage counts only some lines of a statement, so search upwards.
    line = next((str(line) for line in range(mutant.line, 0, -1) if str(line) in here), "")
    names = list(measured.seconds)
    return {names[i] for i in here.get(line, ())}


def order_tests(mutant: Mutant, measured: Measured, finders: Counter[str]) -> list[str]:
    """Return the measured tests: first those that reach the line, ordered by successes per time."""
    near = find_reaching(mutant, measured)
    found = {test: (finders[test] + 1) / (seconds + MIN_TEST_SECONDS) for test, seconds in measured.seconds.items()}
    return sorted(found, key=lambda test: (test not in near, -found[test]))


def find_short_tests(mutant: Mutant, measured: Measured) -> set[str]:
    """Return the short tests that reach the line, or all short ones. Their coverage is complete."""
    tests = {test for test, seconds in measured.seconds.items() if seconds < COVERAGE_SECONDS}
    return tests & find_reaching(mutant, measured) or tests


def start_mutant(game: str, mutant: Mutant, order: list[str], measured: Measured, report: Path, quick: bool) -> int:
    """Fork a process for a mutant. Its result is written to `report`."""
    child = os.fork()
    if child:
        return child
    try:
        silence_output()
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        sys.meta_path.insert(0, Finder(mutant))
        writer = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os._exit(run_pytest(game, Plugin(game, order, measured.seconds, writer, quick)))
    except BaseException:
        os._exit(9)


def run_mutants(
    game: str, mutants: list[Mutant], measured: Measured, workers: int, quick: bool
) -> Iterator[tuple[Mutant, Result]]:
    """Yield each mutant with its result. With `quick` only short tests that reach it are run."""
    finders: Counter[str] = Counter()
    waiting = list(reversed(mutants))
    running: dict[int, tuple[Mutant, Path]] = {}
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < workers:
                mutant = waiting.pop()
                report = Path(folder) / mutant.id
                order = order_tests(mutant, measured, finders)
                if quick:
                    some = find_short_tests(mutant, measured)
                    order = [test for test in order if test in some]
                running[start_mutant(game, mutant, order, measured, report, quick)] = (mutant, report)
            child, status, used = os.wait4(-1, 0)
            mutant, report = running.pop(child)
            said = report.read_text("utf-8").partition("\n")[0] if report.exists() else ""
            if status and not said:
                said = f"status {os.waitstatus_to_exitcode(status)}"
            if said in measured.seconds:
                finders[said] += 1
            yield mutant, Result(status != 0, said, round(used.ru_utime + used.ru_stime, 1))
