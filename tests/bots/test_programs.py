"""Programs of other authors in processes of their own: what costs them a move, and that it costs nothing else."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice, Fault, make
from gonfalon.bots.outside import faults
from gonfalon.bots.outside.deadline import Deadline
from gonfalon.bots.outside.process import PROCESSES
from gonfalon.bots.outside.process_bot import ProcessBot
from gonfalon.bots.outside.program import Limits
from gonfalon.bots.outside.protocol import read_choice
from gonfalon.bots.players.bot import UntrainedError
from gonfalon.bots.players.driver import Driver
from gonfalon.bots.players.thoughts import noted, thought
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from tests.bots.test_notation import asked


def make_program(name: str) -> ProcessBot:
    bot = make(f"tests.bots.programs:{name}", games.game("feint"))
    assert isinstance(bot, ProcessBot)
    return bot


def ask(bot: ProcessBot, budget: Budget | None = None) -> Choice:
    """Return the choice of a program, which must be legal in any case."""
    _, view = asked("feint")
    chosen = bot.choose(view, budget, Rng(1))
    assert chosen.action in view.legal(view.viewer)
    return chosen


@pytest.mark.parametrize(
    ("name", "fault", "words"),
    [
        ("Crashing", Fault.CRASHED, "ValueError: no idea; programs.py, line "),
        ("Dying", Fault.CRASHED, "its process ended"),
        ("Curt", Fault.UNREADABLE, " is no Choice of an action"),
        ("Vague", Fault.UNREADABLE, "Choice(action='pass'"),
        ("Cheating", Fault.ILLEGAL, " is not legal"),
        ("Inventing", Fault.ILLEGAL, "99999 is not legal"),
        ("Misusing", Fault.CRASHED, "; programs.py, line "),
        ("Endless", Fault.TOO_LONG, ""),
        ("Odd", Fault.UNREADABLE, "a wrong type, size or action in policy of the Choice"),
        ("Writing", Fault.UNREADABLE, ""),
    ],
)
def test_a_fault_costs_the_program_its_move(name: str, fault: Fault, words: str) -> None:
    bot = make_program(name)
    chosen = ask(bot)
    assert chosen.fault is fault
    assert words in chosen.detail
    assert chosen.why.endswith(", so this move was drawn at random.")
    assert "(" not in chosen.why + thought(noted(chosen)).detail, "players do not read the program's own words"
    # The same stream draws the same move.
    assert ask(bot).action == chosen.action


@pytest.mark.parametrize("name", ["Looping", "Sleeping"])
def test_a_program_without_an_answer_is_stopped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = make_program(name)
    (before,) = [process.child for owner, process in PROCESSES.open.items() if owner.text == bot.name]
    monkeypatch.setattr(ProcessBot, "limits", Limits(seconds=0.01))
    # The process that is open belongs to seat 0.
    view = next(view for _, view in (asked("feint", seed) for seed in range(20)) if view.viewer == 0)
    chosen = bot.choose(view, None, Rng(1))
    assert chosen.fault is Fault.SLOW
    assert chosen.detail == "no answer within 0.01 seconds"
    assert before.returncode == -signal.SIGKILL


def test_a_program_that_works_too_long_is_stopped_before_the_last_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessBot, "limits", Limits(work_seconds=0.05))
    chosen = ask(make_program("Looping"))
    assert chosen.fault is Fault.SLOW
    assert chosen.detail == "no answer within 0.05 seconds"


def test_a_program_on_a_busy_machine_has_more_time() -> None:
    """The process works for a tenth of the time."""
    now = [100.0]
    deadline = Deadline(60, 10, work=lambda: now[0] / 10, clock=lambda: now[0])
    checks = []
    for passed in (0.0, 9.5, 10.0, 59.99, 60.0):
        now[0] = 100.0 + passed
        checks.append((deadline.find_passed_limit(), round(deadline.count_seconds_left(), 6)))
    assert checks == [(None, 10.0), (None, 0.5), (None, 0.05), (None, 0.01), (60, 0.0)]
    # It has worked all the time.
    now[0] = 0.0
    deadline = Deadline(60, 10, work=lambda: now[0], clock=lambda: now[0])
    now[0] = 9.99
    assert deadline.find_passed_limit() is None
    now[0] = 10.0
    assert deadline.find_passed_limit() == 10


def test_a_void_question_is_no_fault() -> None:
    chosen = ask(make_program("Sleeping"), Budget(halt=lambda: True))
    assert chosen.fault is None


def test_a_program_that_dies_too_often_in_a_game_is_asked_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessBot, "limits", Limits(stops=2))
    game = games.game("feint")
    bot: Bot | None = make("tests.bots.programs:Dying", game)
    for _ in range(2):  # A new game begins with a new count.
        driver = Driver(Record(game), [bot, make("random", game)], 5)
        driver.advance()
        bot = driver.bots[0]
        found = [choice.fault for choice in driver.thoughts.values() if choice.fault]
        assert found[:3] == [Fault.CRASHED, Fault.CRASHED, Fault.STOPPED]
        assert set(found[3:]) <= {Fault.STOPPED}


def test_a_program_keeps_its_budget_in_a_new_game() -> None:
    bot = make_program("Last")
    bot.budget = Budget(seconds=2)
    fresh = bot.begin_game()
    assert fresh is not bot
    assert fresh.budget == Budget(seconds=2)


def test_a_killed_process_is_replaced() -> None:
    bot = make_program("Last")
    first = ask(bot)
    for process in [process for owner, process in PROCESSES.open.items() if owner.text == bot.name]:
        os.kill(process.child.pid, signal.SIGKILL)
        process.child.wait()
    assert ask(bot) == first
    assert first.fault is None


def test_seats_may_think_at_once() -> None:
    bot = make_program("Last")
    views = [asked("feint", seed)[1] for seed in range(8)]
    assert {view.viewer for view in views} == {0, 1}
    with ThreadPoolExecutor(4) as threads:
        chosen = list(threads.map(lambda view: bot.choose(view, None, Rng(1)), views))
    assert [choice.action for choice in chosen] == [view.legal(view.viewer)[-1] for view in views]
    assert all(choice.fault is None for choice in chosen)


def test_the_same_stream_gives_the_same_choices() -> None:
    bot = make_program("Lottery")
    _, view = asked("feint")
    drawn = [bot.choose(view, None, Rng(seed)).action for seed in range(20)]
    again = pickle.loads(pickle.dumps(bot))
    assert [again.choose(view, None, Rng(seed)).action for seed in range(20)] == drawn
    assert len(set(drawn)) > 1


def test_a_file_is_a_program_too(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("WHY = 'From the file beside.'\n")
    path = tmp_path / "mine.py"
    path.write_text(
        "from beside import WHY\nfrom gonfalon.bots import Bot, Choice\n\n\nclass Own(Bot):\n"
        "    def think(self, view, budget, rng):\n        return Choice(view.legal(view.viewer)[0], WHY)\n"
    )
    game, view = asked("feint")
    assert make(f"{path}:Own", game).choose(view, None, Rng(1)).why == "From the file beside."


def test_a_program_refuses_a_game_in_one_sentence() -> None:
    with pytest.raises(UntrainedError, match=r"^Not that game\.$"):
        make_program("Beginner")
    with pytest.raises(OptionError, match=r"^tests\.bots\.programs:NoBot makes no gonfalon\.bots\.Bot\.$"):
        make_program("NoBot")
    with pytest.raises(OptionError, match=r"^tests\.bots\.programs:Thoughtless has no method think\("):
        make_program("Thoughtless")
    with pytest.raises(OptionError, match=r"^tests\.bots\.programs:Gone could not be started \(its process ended\)\.$"):
        make_program("Gone")


def test_a_program_whose_file_is_gone_loses_its_move(tmp_path: Path) -> None:
    path = tmp_path / "vanishing.py"
    path.write_text("from tests.bots.programs import Last\n")
    game, view = asked("feint")
    bot = make(f"{path}:Last", game)
    path.unlink()
    PROCESSES.close()
    chosen = bot.choose(view, None, Rng(1))
    assert chosen.fault is Fault.CRASHED
    assert "No such file" in chosen.detail


ORPHAN = """
import os, signal
from threading import Timer
from gonfalon import Rng
from gonfalon.bots import make
from tests.bots.test_notation import asked
game, view = asked("feint")
bot = make("tests.bots.programs:Looping", game)
Timer(0.1, os.kill, [os.getpid(), signal.SIGKILL]).start()
bot.choose(view, None, Rng(1))
"""


@pytest.mark.extended
def test_a_program_ends_with_an_owner_that_is_killed(tmp_path: Path) -> None:
    """Even in the middle of a thought: it holds the writing end of a pipe, which closes with it."""
    pipe = tmp_path / "prints"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    env = os.environ | {"GONFALON_BOT_OUTPUT": str(pipe)}
    done = subprocess.run([sys.executable, "-c", ORPHAN], env=env, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert select.select([reader], [], [], 60)[0]
    assert os.read(reader, 1) == b""
    os.close(reader)


def ask_in_copy(bot: ProcessBot, answers: Connection) -> None:
    answers.send(ask(bot))


@pytest.mark.extended
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_copy_of_the_owner_has_programs_of_its_own() -> None:
    """Vectors of other libraries fork. Two owners of one process would read each other's answers."""
    bot = make_program("Last")
    first = ask(bot)
    running = {owner: process.child.pid for owner, process in PROCESSES.open.items()}
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    copy = context.Process(target=ask_in_copy, args=(bot, there))
    copy.start()
    assert here.poll(60)
    assert here.recv() == first
    copy.join()
    assert ask(bot) == first
    assert {owner: process.child.pid for owner, process in PROCESSES.open.items()} == running


def test_what_a_program_prints_goes_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PROCESSES.close()
    monkeypatch.setenv("GONFALON_BOT_OUTPUT", str(tmp_path / "prints"))
    assert ask(make_program("Last")).why == "It comes last."
    PROCESSES.close()
    assert "ValueError" not in (tmp_path / "prints").read_text()


def test_faults_are_counted_in_a_sentence() -> None:
    choices = [Choice(1), Choice(1, fault=Fault.SLOW), Choice(1, fault=Fault.CRASHED), Choice(1, fault=Fault.CRASHED)]
    counts = faults.count_faults(choices)
    assert faults.describe_faults("mine:Bot", counts) == "3 moves chosen for mine:Bot: 2 crashed, 1 slow."
    assert faults.describe_faults("mine:Bot", {"too long": 1}) == "1 move chosen for mine:Bot: 1 too long."


def test_the_first_reason_of_each_fault_is_reported() -> None:
    choices = [
        Choice(1, fault=Fault.ILLEGAL, detail="7 is not legal"),
        Choice(1, fault=Fault.CRASHED, detail="KeyError: 5; mine.py, line 24"),
        Choice(1, fault=Fault.ILLEGAL, detail="8 is not legal"),
    ]
    counts = faults.count_faults(choices[:2])
    assert faults.count_faults(choices[2:], counts) is counts
    assert faults.describe_faults("mine:Bot", counts) == (
        "3 moves chosen for mine:Bot: 1 crashed (first: KeyError: 5; mine.py, line 24), "
        "2 illegal (first: 7 is not legal). GONFALON_BOT_OUTPUT=FILE keeps the tracebacks."
    )
    # Counts of several processes keep a reason each.
    both = counts + faults.count_faults([Choice(1, fault=Fault.ILLEGAL, detail="9 is not legal")])
    assert "3 illegal (first: 7 is not legal)" in faults.describe_faults("mine:Bot", both)


@pytest.mark.parametrize(
    "changed",
    [
        {"action": True},
        {"action": 1.0},
        {"why": "x" * 501},
        {"why": 5},
        {"value": {"value": 2.0, "low": 0, "high": 1}},
        {"value": {"value": float("nan"), "low": 0, "high": 1}},
        {"policy": [[7, 0.5]]},
        {"policy": [[1, "half"]]},
        {"alternatives": [{"action": 7, "value": None, "share": 0.5}]},
        {"alternatives": [{"action": 1, "value": None, "share": 0.5}] * 9},
        {"beliefs": [{"about": "you", "likely": [["x" * 501, 0.5]]}]},
        {"iterations": -1},
        {"fault": "slow"},
        {"reason": [{"subject": "you", "quantity": "points", "value": 1}]},
    ],
)
def test_every_part_of_an_answer_is_checked(changed: dict[str, object]) -> None:
    whole: dict[str, object] = {
        "action": 1,
        "why": "Because.",
        "value": None,
        "policy": [[1, 0.5]],
        "alternatives": [],
        "beliefs": [],
        "otherwise": "",
        "iterations": 0,
        "worlds": 0,
        "reason": None,
        "fault": None,
    }
    assert read_choice({"choice": whole}, [1, 2]).action == 1
    with pytest.raises(faults.FaultError) as raised:
        read_choice({"choice": whole | changed}, [1, 2])
    assert raised.value.fault is Fault.UNREADABLE
