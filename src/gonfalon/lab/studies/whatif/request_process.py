"""A study in its own process, for a program that follows it, such as a table server.

The first input line is the request as JSON. The first output line is the time of a game. Intermediate answers follow,
one line of JSON each; the last line is the final answer. The input line `stop` ends the study; the end of the input
ends the process. The mode `draw` turns an answer into its page and charts.
"""

from __future__ import annotations

import _thread
import base64
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, process_time
from typing import Final

from gonfalon import games
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.run.blocks import Arm, play_game
from gonfalon.lab.studies import overrides
from gonfalon.lab.studies.overrides import Variant, make_variant
from gonfalon.lab.studies.whatif import report, whatif
from gonfalon.lab.studies.whatif.whatif import Progress, Question

STOP_LINE: Final = "stop"
"""Input line that ends the study."""
PACE_KEY: Final = "pace"
"""Key of the first output line: CPU seconds for a game."""
MIN_REPORT_INTERVAL_S: Final = 0.8
"""Minimum number of seconds between two answers."""
REPORT_PAUSE_FACTOR: Final = 12.0
"""Pause after an answer, as a multiple of the time to compute it."""
NICENESS: Final = {"ask": 19, "draw": 5}
"""Niceness of the process on Unix. It is lower for pictures because a person waits for them."""
QUICK_GAME_S: Final = 0.25
"""Seconds of a first game beyond which its time is not dominated by the start."""
MIN_LIMIT_S: Final = 5.0
"""Minimum number of seconds allowed for a first interval, even if the server's limit is lower."""
CPU_LIMIT_FACTOR: Final = 4.0
"""Factor of the CPU time, beyond a minute, after which the system ends a study that does not stop itself."""


@dataclass(frozen=True)
class StudyRequest:
    """The request for a study.

    It has the changes as text (`patriot.strength=5`), the level, the precision, and the limit of CPU seconds.
    """

    game: str
    sets: tuple[str, ...]
    players: str
    precision: float
    seconds: float
    seed: int = 0

    @classmethod
    def loads(cls, text: str) -> StudyRequest:
        """Return a request read from JSON."""
        body = json.loads(text)
        return cls(**{**body, "sets": tuple(body["sets"])})

    def dumps(self) -> str:
        """Return the request as JSON."""
        return json.dumps(asdict(self))

    def make_variants(self) -> tuple[Variant, Variant]:
        """Return the game without and with the changes.

        Raises:
            OptionError: A change is not possible.
            DataError: The game cannot read the changed data.
        """
        now = make_variant(self.game, {})
        return now, make_variant(self.game, {}, self.sets, base=now)

    def make_question(self) -> Question:
        """Return the question for the study.

        Raises:
            OptionError: A change is not possible, or no study can measure it.
            DataError: The game cannot read the changed data.
        """
        question = Question(
            self.game, self.players, *self.make_variants(), self.precision, whatif.UNREACHABLE, self.seed, self.seconds
        )
        before, after = whatif.list_setups(question)
        whatif.check_players(question, before[0], after[0])
        return question

    def too_slow(self, setups: int, pace: float, room: float = 1.0) -> str:
        """Return why no first interval fits the time; empty if it fits.

        Args:
            setups: The number of matchups.
            pace: CPU seconds for a game.
            room: Factor of the allowed time.
        """
        games = 2 * setups
        if games * pace <= room * max(MIN_LIMIT_S, self.seconds):
            return ""
        quicker = {"random": "C", "club": "Choose Random, or c"}.get(self.players, "Choose Club, or c")
        return (
            f"{self.players.title()} is too slow for this change: a first result needs {games} games of about "
            f"{round(pace, 2):g} s of CPU time each, and this server allows {self.seconds:g} s for a study. {quicker}"
            "hange less at once."
        )

    def is_same_as(self, question: Question) -> str:
        """Return a key that is equal for equal requests: same rules and cards, however the changes are written."""
        both = [pin_options(self.game, one.options) for one in (question.before, question.after)]
        version = games.find_game_class(self.game).version
        whole = [self.game, version, both, self.players, self.precision, self.seconds, self.seed]
        return sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def pin_options(name: str, options: Options) -> Options:
    """Return options complete with everything that determines the game."""
    return games.game(name, **options).pinned()


# ---- in the process -------------------------------------------------------------------------------------------


class AnswerReporter:
    """Prints intermediate answers at limited intervals."""

    def __init__(self) -> None:
        self.next: float = 0.0

    def __call__(self, far: Progress) -> None:
        if (began := monotonic()) < self.next or far.so_far is None:
            return
        print_json(asdict(far.so_far()))
        # Evaluating takes longer as the study grows, so pauses grow with it.
        self.next = monotonic() + max(MIN_REPORT_INTERVAL_S, REPORT_PAUSE_FACTOR * (monotonic() - began))


def print_json(body: object) -> None:
    """Print a line of JSON."""
    print(json.dumps(body), flush=True)


def watch_input() -> None:
    """Interrupt the study on the line `stop`, and end the process at the end of the input."""
    for line in sys.stdin:
        if line.strip() == STOP_LINE:
            # The study handles it like Ctrl-C and reports its results so far.
            _thread.interrupt_main()
    # The asker is gone, and a normal exit would wait for the study.
    os._exit(1)


def answer_request() -> None:
    """Answer the request on the first input line. The games are kept in the folder named as argument."""
    asked = StudyRequest.loads(sys.stdin.readline())
    Thread(target=watch_input, daemon=True).start()
    limit_cpu_time(round(CPU_LIMIT_FACTOR * asked.seconds) + 60)
    question = asked.make_question()
    setups = whatif.list_setups(question)[1]
    pace = measure_pace(Arm.of(asked.game, setups[:1], asked.players, asked.seed))
    print_json({PACE_KEY: pace})
    if slow := asked.too_slow(len(setups), pace):
        raise OptionError(slow)
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    print_json(asdict(whatif.compare_variants(question, folder=folder, tell=AnswerReporter())))


def measure_pace(arm: Arm) -> float:
    """Return the CPU seconds for a game."""
    took = 0.0
    for number in range(2):
        # The first game includes imports and caches; repeat it if it was short.
        if took < QUICK_GAME_S:
            began = process_time()
            play_game(arm, number, 0)
            took = process_time() - began
    return round(took, 3)


def limit_cpu_time(seconds: int) -> None:
    """Let the system end this process after these CPU seconds, if it can."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def draw_answer() -> None:
    """Print the page and the charts of an answer, in base64 by file name."""
    answer = whatif.answer_from_json(json.loads(sys.stdin.readline()))
    names = overrides.map_names(answer.game, {})
    with TemporaryDirectory() as folder:
        report.write_pictures([answer], names, Path(folder))
        made = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    made["report.html"] = report.render_page([answer], names).encode()
    print_json({name: base64.b64encode(body).decode() for name, body in made.items()})


@contextmanager
def explain_errors() -> Iterator[None]:
    """Turn refusals and early interruptions into one sentence on the error stream."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit("gonfalon: The study was stopped before it had a result.")
    except GonfalonError as error:
        sys.exit(f"gonfalon: {error}")


def main() -> None:
    """Run the mode `ask` or `draw`."""
    # Windows has no `nice`.
    getattr(os, "nice", int)(NICENESS[sys.argv[1]])
    with explain_errors():
        {"ask": answer_request, "draw": draw_answer}[sys.argv[1]]()


if __name__ == "__main__":
    main()
