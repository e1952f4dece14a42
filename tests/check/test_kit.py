"""The kit's own parts."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from gonfalon import check
from gonfalon.check import LAWS, Coverage, Law, ReferenceRules, kit, run
from gonfalon.check.laws.formats.builds import LAWS as BUILDS
from gonfalon.check.laws.rules.flow import check_reference_rules
from gonfalon.check.laws.rules.options import check_description
from gonfalon.check.laws.secrecy.deals import list_arrangements, list_deals
from gonfalon.check.observe import describe_difference, find_difference, make_deal_key, take_snapshot
from gonfalon.check.play import Bench, Case, play_case
from gonfalon.check.statistics import compare_samples, compare_with_weights, compute_p_value
from gonfalon.check.watchdog import EndlessLoopError, Watchdog
from gonfalon.core.basics.cards import FLAG, HIDDEN, KIND, SEEN
from gonfalon.core.files.record import load
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.state import Action, State
from tests.check.mutants import MUTANTS
from tests.stranger import gonfalon_duel
from tests.stranger.gonfalon_duel import Duel


@pytest.mark.parametrize(
    ("chi", "freedom", "expected"),
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (124.342113, 100, 0.05), (0.0, 3, 1.0), (29.588298, 10, 0.001)],
)
def test_p_value(chi: float, freedom: int, expected: float) -> None:
    assert compute_p_value(chi, freedom) == pytest.approx(expected, rel=1e-5)


def test_fit_separates_fair_from_unfair() -> None:
    weights = {"a": 1.0, "b": 1.0, "c": 2.0}
    assert compare_with_weights({"a": 98, "b": 105, "c": 197}, weights) > 0.5
    assert compare_with_weights({"a": 198, "b": 5, "c": 197}, weights) < 1e-6
    assert compare_with_weights({"d": 1}, weights) == 0.0


def test_alike_separates_equal_from_different() -> None:
    assert compare_samples({"a": 101, "b": 99}, {"a": 205, "b": 190}) > 0.5
    assert compare_samples({"a": 150, "b": 50}, {"a": 50, "b": 150}) < 1e-6


def test_arrangements_are_all_and_different() -> None:
    found = [tuple(one) for one in list_arrangements([1, 1, 2], [[1, 2], [1], [1, 2]])]
    assert sorted(found) == [(1, 1, 2), (2, 1, 1)]


ALONE = [law for law in LAWS if law not in BUILDS]
"""All laws but the one that starts another process."""


class Objecting(ReferenceRules[Duel]):
    """Rules that object to any move of the second seat."""

    def judge_step(self, game: Duel, before: State, seat: int, action: Action, after: State) -> list[str]:
        assert before.is_legal(seat, action)
        return ["the second seat may not move"] if seat == 1 else []


def test_reference_rules_are_asked_at_every_decision() -> None:
    [law] = [law for law in LAWS if law.check is check_reference_rules]
    [result] = run(Duel, 0, laws=[law], reference=Objecting())
    case = play_case(Duel.samples()[0], 1)
    first = next(at for at, (seat, _) in enumerate(case.decisions) if seat == 1)
    assert f"the second seat may not move (seed 1, after {first + 1} decisions" in result.failure


def test_all_deals_of_a_view() -> None:
    game = Duel.tiny()[0]
    state = play_case(game, 3).states[-2]
    view = state.mask(0)
    before = view.dump()
    deals = list_deals(view)
    assert deals is not None
    assert make_deal_key(state) in deals
    assert view.dump() == before
    blanks = sum(card & KIND == HIDDEN for zone in [*view.ordered_zones(), *view.unordered_zones()] for card in zone)
    assert all(sum(map(len, deal)) == len(game.start().pools()[0][0]) for deal in deals)
    assert blanks > 0


class Held:
    def __init__(self, inner: Any) -> None:
        self.inner = inner


def test_differing_walks_everything() -> None:
    assert find_difference(Held([1, {"a": 2}]), Held([1, {"a": 2}])) == ""
    assert find_difference(Held([1, {"a": 2}]), Held([1, {"a": 3}])) == "inner[1]['a']"
    loop: list[Any] = []
    loop.append(loop)
    assert find_difference(loop, loop[:]) == ""


def test_frozen_does_not_change() -> None:
    thing = Held([1, [2]])
    picture = take_snapshot(thing)
    thing.inner[1].append(3)
    assert take_snapshot(thing) != picture


def loop_under(dog: Watchdog) -> None:
    with dog:
        while True:
            pass


def test_watchdog_ends_a_loop() -> None:
    dog = Watchdog(0.1)
    with pytest.raises(EndlessLoopError):
        loop_under(dog)
    with dog:
        pass
    dog.close()


LOSSES = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@LOSSES
def test_watchdog_waits_for_the_garbage_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception raised in a callback of the collector is lost, and the loop would not end."""
    dog = Watchdog(0.1)
    seen = []
    looks: list[bool] = []
    is_collecting = dog.is_collecting

    def look() -> bool:
        looks.append(is_collecting())
        return looks[-1]

    def slow(phase: str, _: dict[str, int]) -> None:
        while not any(looks):
            pass
        seen.append(phase)

    monkeypatch.setattr(dog, "is_collecting", look)

    def collect() -> None:
        with dog:
            gc.collect()
            gc.callbacks.remove(slow)
            while True:
                pass

    gc.callbacks.append(slow)
    with pytest.raises(EndlessLoopError):
        collect()
    dog.close()
    assert seen == ["start", "stop"]


@LOSSES
def test_watchdog_comes_again_where_its_exception_was_lost() -> None:
    dog = Watchdog(0.1)

    class Dying:
        def __del__(self) -> None:
            while not dog.fired:
                pass
            for _ in range(1000):
                pass

    def bury() -> None:
        with dog:
            Dying()
            while True:
                pass

    with pytest.raises(EndlessLoopError):
        bury()
    dog.close()


def test_failure_comes_with_a_record() -> None:
    mutant = next(m for m in MUTANTS if m.name == "a card is lost")
    with mutant.applied():
        result = next(r for r in run(Duel, 0, rounds=20, first_only=True) if not r.ok)
        assert result.line().startswith("FAIL cards are conserved: ")
        assert f"seed {result.seed}" in result.failure
        record = load(result.record, lambda name, **options: Duel(**options))
        assert record.replay().dump() is not None


def test_every_law_has_a_meaning_a_typical_mistake_and_a_fix() -> None:
    assert [law.name for law in LAWS if len([part for part in law.sections if part.endswith(".")]) != 3] == []
    assert len({law.anchor for law in LAWS}) == len(LAWS)


def test_a_failure_speaks_in_words_and_says_where_to_read() -> None:
    mutant = next(m for m in MUTANTS if m.name == "the log names the drawn card to all")
    lines: list[str] = []
    with mutant.applied():
        run(Duel, 0, lines.append, laws=[law for law in LAWS if law.name == "knowledge has a source"])
    assert re.match(
        r"FAIL knowledge has a source: an event showed Seat \d \(seat \d\) a card \(a card of kind \d\)", lines[0]
    )
    assert lines[1].strip().startswith("Law: A seat knows a card only if an event showed it")
    page = "(on a server: /docs/laws/knowledge-has-a-source.html)"
    assert lines[-1] == f"     Example: gonfalon check --explain knowledge-has-a-source {page}"


def test_a_game_that_crashes_does_not_hide_the_other_laws() -> None:
    """Only the law of the end is broken, and all others check the games that end."""

    class Fragile(Duel):
        @starts_game
        def start(self, log: bool = False) -> gonfalon_duel.DuelState:
            if self.options["hand"] == 2:
                raise RuntimeError("no hands of two")
            return super().start(log)

    results = run([Fragile(), Fragile(hand=2)], 0, rounds=2, laws=ALONE)
    assert [result.law for result in results if not result.ok] == ["every game ends within its bound"]
    assert [result.law for result in results if result.blocked] == []
    lines: list[str] = []
    run([Fragile(hand=2)], 0, lines.append)
    assert sum("not checked" in line for line in lines) == 1
    assert re.search(r"^--   \d\d more laws were not checked, because this law is broken: every game ends", lines[-1])


def test_a_report_has_a_line_for_each_law() -> None:
    lines: list[str] = []
    results = run(Duel(hand=2), 0, lines.append, rounds=1)
    assert len(lines) == len(results) == len(LAWS)
    assert len({law.name for law in LAWS}) == len(LAWS)
    # No reference rules are installed, and nothing opens pages or sends requests.
    assert [line for line in lines if not line.startswith("ok ")] == [one.line() for one in results if one.skipped]
    assert {result.law for result in results if result.skipped} == {
        "the pages of a table open in a browser",
        "batches are judged by what their seat knew",
        "rules and reference rules agree",
    }


def test_a_broken_law_is_reported_as_soon_as_it_is_found() -> None:
    mutant = next(m for m in MUTANTS if m.name == "a card is lost")
    laws = [law for law in LAWS if law.name in ("cards are conserved", "no view contains a seed")]
    lines: list[str] = []
    with mutant.applied():
        run(Duel, 0, lines.append, rounds=20, laws=laws, progress=lambda text: lines.append(f"progress {text}"))
    kinds = [line.split()[0] for line in lines]
    assert kinds[0] == "progress"
    assert kinds.index("FAIL") < max(at for at, kind in enumerate(kinds) if kind == "progress")
    assert kinds[-1] == "ok"
    assert re.fullmatch(
        r"progress \d+ s, \d+ games, [12] of 2 laws have seen enough; now: no view contains a seed",
        [line for line in lines if line.startswith("progress")][-1],
    )


@pytest.mark.parametrize(("terminal", "written"), [(False, "third\n"), (True, "second\r      \rthird\r     \r")])
def test_progress_is_one_line_on_a_terminal_and_a_line_every_few_seconds_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool, written: str
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    now = [0.0]
    printer = check.ProgressPrinter(lambda: now[0])
    for now[0], text in ((0.1, "first"), (0.3, "second"), (5.1, "third"), (5.2, "fourth")):
        printer.show(text)
    printer.print_line("ok")
    assert capsys.readouterr() == ("ok\n", written)


def test_a_difference_of_cards_is_described_in_words() -> None:
    game = Duel()
    here, there = game.start(), game.start()
    here.hand, there.hand = [[], [HIDDEN | SEEN[1], HIDDEN | SEEN[0] | SEEN[1]]], [[], [HIDDEN | SEEN[1]] * 2]
    seen = "seen by seat 0 and seat 1 in one game, seen by seat 1 only in the other"
    assert describe_difference(game, here, there) == f"card 2 of seat 1's hand ({seen})"
    here.hand, there.hand = [[], [HIDDEN | SEEN[0]]], [[], [HIDDEN]]
    seen = "seen by seat 0 only in one game, seen by no seat in the other"
    assert describe_difference(game, here, there) == f"card 1 of seat 1's hand ({seen})"
    here.hand, there.hand = [[], [HIDDEN | FLAG]], [[], [HIDDEN]]
    flags = "with the flags 1 in one game, with the flags 0 in the other"
    assert describe_difference(game, here, there) == f"card 1 of seat 1's hand ({flags})"
    there.hand = [[], [HIDDEN | FLAG]]
    here.score = [1, 0]
    assert describe_difference(game, here, there) == "score[0]"


def test_a_seen_bit_that_reveals_a_card_is_described_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who draws a Knight looks at the next card, which all viewers notice."""
    real = gonfalon_duel.DuelState.draw

    def looking(s: gonfalon_duel.DuelState, seat: int) -> None:
        real(s, seat)
        if s.deck and s.hand[seat][-1] & KIND == 3:
            s.deck[-1] |= SEEN[seat]

    monkeypatch.setattr(gonfalon_duel.DuelState, "draw", looking)
    [law] = [law for law in LAWS if law.name == "games that differ only in the unseen look the same"]
    [result] = run(Duel, 0, rounds=200, laws=[law])
    assert re.match(
        r"card \d+ of the zone deck \(seen by Seat \d \(seat \d\) only in one game, seen by no seat in the other\) "
        r"shows Seat \d \(seat \d\) which of two unseen cards was which \(seed \d+, after \d+ decisions\)\.$",
        result.failure,
    )


def test_options_that_read_unseen_cards_are_left_to_their_law() -> None:
    """The continued game would have other options than the view, which is no fault of its start."""
    real = gonfalon_duel.Swap.options

    def leaking(self: gonfalon_duel.Swap, s: gonfalon_duel.DuelState) -> list[Action]:
        found = real(self, s)
        return found[:1] if s.deck and s.deck[-1] & KIND <= 2 else found

    names = ["a view asks what the state asks", "a continued game is alike in twin worlds"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gonfalon_duel.Swap, "options", leaking)
        results = run(Duel, 0, rounds=20, laws=[law for law in LAWS if law.name in names])
    assert [result.law for result in results if not result.ok] == names[:1]


def test_a_run_that_saw_too_little_says_how_much_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "find_game_class", lambda name: Duel)
    assert check.main("duel", 0) == 1
    said = capsys.readouterr()
    assert re.search(
        r"^-- inconclusive: \d+ of \d+ laws saw fewer than 6 games; "
        r"'[^']+' saw 1\. Allow more time with --seconds\.$",
        said.out,
        re.MULTILINE,
    )
    assert "FAIL" not in said.out
    assert re.search(r"laws hold, 0 broken; seen: \d+ games of \d+ configurations, [\d,]+ positions and ", said.err)


@pytest.mark.parametrize(("rounds", "least"), [(2, "saw 2"), (5, "saw 5"), (6, "")])
def test_six_games_a_law_are_enough(rounds: int, least: str) -> None:
    seen = Coverage()
    results = run(Duel(), 0, rounds=rounds, laws=LAWS[:2], seen=seen)
    assert all(result.ok for result in results)
    assert seen.missing.endswith(least)
    assert bool(seen.missing) == bool(least)
    assert seen.games >= rounds


def test_a_law_that_looks_once_at_each_configuration_has_looked_enough_then() -> None:
    seen = Coverage()
    [law] = [law for law in LAWS if law.check is check_description]
    run([Duel(), Duel(hand=2)], 0, rounds=1, laws=[law], seen=seen)
    assert seen.missing.endswith("saw 1")
    run([Duel(), Duel(hand=2)], 0, rounds=2, laws=[law], seen=seen)
    assert seen.missing == ""


def test_slow_laws_leave_most_games_to_quick_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six games for each slow law would take 24 of the 20 seconds."""
    now = [0.0]
    monkeypatch.setattr(kit, "time", SimpleNamespace(process_time=lambda: now[0]))

    def taking(seconds: float) -> Callable[[Bench, Case], int]:
        def look(bench: Bench, case: Case) -> int:
            looked.setdefault(seconds, []).append(case.seed)
            now[0] += seconds
            return 1

        return look

    looked: dict[float, list[int]] = {}
    seen = Coverage()
    slow = [Law(f"slow {number}", "games", taking(1.0)) for number in range(4)]
    run(
        [Duel(), Duel(hand=2), Duel(hand=4)], 20, rounds=1, laws=[*slow, Law("quick", "games", taking(0.01))], seen=seen
    )
    assert len(looked[0.01]) > 50
    assert len(looked[1.0]) >= 12
    assert seen.games == len(looked[0.01]) == len(set(looked[0.01]))
    # Each slow law takes the three configurations in turn.
    assert [seed % 3 for seed in looked[1.0]] == [(1 + look // 4) % 3 for look in range(len(looked[1.0]))]


def test_a_broken_law_is_word_enough() -> None:
    mutant = next(m for m in MUTANTS if m.name == "a card is lost")
    seen = Coverage()
    with mutant.applied():
        assert any(not result.ok for result in run(Duel, 0, rounds=1, laws=ALONE, seen=seen))
    assert seen.missing == ""


def test_a_broken_base_leaves_the_rest_unchecked() -> None:
    mutant = next(m for m in MUTANTS if m.name == "a clone shares the hands")
    with mutant.applied():
        results = run(Duel, 0, laws=ALONE)
    assert [r.law for r in results if not r.ok] == ["clones are equal and independent"]
    assert any(r.line().startswith("--") for r in results)
