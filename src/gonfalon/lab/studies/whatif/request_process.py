"""A study in a process of its own, for whoever asks for it and follows it, as a table server does.

The question comes as a line of JSON. The first line that goes out says how long a game takes. What is known by now
follows line by line, each an answer as JSON; the last one is the answer. Another line, `stop`, ends the study; when the
asker goes, it goes too. An answer that is sent to `draw` comes back as its page and its charts.
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
from gonfalon.lab.studies.overrides import Variant, variant
from gonfalon.lab.studies.whatif import report, whatif
from gonfalon.lab.studies.whatif.whatif import Progress, Question

STOP: Final = "stop"
PACE: Final = "pace"
"""What the first line tells: seconds of CPU time a game."""
TELL: Final = 0.8
"""Seconds between two things told."""
SPARE: Final = 12.0
"""To work out what is told takes at most one part in so many of the time."""
RANKS: Final = {"ask": 19, "draw": 5}
"""How nice such a process is to all others, as Unix counts it: for pictures somebody waits."""
QUICK: Final = 0.25
"""Seconds of a game by which the time of the first one says little: much of it was to get going."""
SHORT: Final = 5.0
"""Seconds that a first interval may take where a house gives less."""
BEYOND: Final = 4.0
"""So many times its CPU time, and a minute, a study that looks too seldom may take before it is ended."""


@dataclass(frozen=True)
class Asked:
    """What somebody wants to know: the changes as they are written (`patriot.strength=5`), by whom it is judged, how
    closely, and for at most how many seconds of CPU time."""

    game: str
    sets: tuple[str, ...]
    players: str
    precision: float
    seconds: float
    seed: int = 0

    @classmethod
    def loads(cls, text: str) -> Asked:
        """Out of its JSON."""
        body = json.loads(text)
        return cls(**{**body, "sets": tuple(body["sets"])})

    def dumps(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    def variants(self) -> tuple[Variant, Variant]:
        """The game as it comes and as it would be. Raises OptionError and DataError."""
        now = variant(self.game, {})
        return now, variant(self.game, {}, self.sets, base=now)

    def question(self) -> Question:
        """What is asked. Raises OptionError and DataError, also for what no study can tell."""
        question = Question(
            self.game, self.players, *self.variants(), self.precision, whatif.UNREACHABLE, self.seed, self.seconds
        )
        before, after = whatif.setups_of(question)
        whatif.check_players(question, before[0], after[0])
        return question

    def too_slow(self, setups: int, pace: float, room: float = 1.0) -> str:
        """Why there is no first interval within so many times the time, with so many matchups and seconds of CPU time a
        game; empty where there is one."""
        games = 2 * setups
        if games * pace <= room * max(SHORT, self.seconds):
            return ""
        quicker = {"random": "", "club": "let Random play, or "}.get(self.players, "let Club play, or ")
        return (
            f"{self.players.title()} is too slow for this change here: a first interval takes {games} games of about "
            f"{round(pace, 2):g} s of CPU time each, and this house gives a study {self.seconds:g} s; {quicker}change "
            "less at once."
        )

    def same(self, question: Question) -> str:
        """What is equal for equal questions: of the same rules and cards, however the changes are written."""
        both = [pinned(self.game, one.options) for one in (question.before, question.after)]
        version = games.kind(self.game).version
        whole = [self.game, version, both, self.players, self.precision, self.seconds, self.seed]
        return sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def pinned(name: str, options: Options) -> Options:
    """Options with all that decides the game."""
    return games.game(name, **options).pinned()


# ---- in the process -------------------------------------------------------------------------------------------


class Teller:
    """Tells what is known by now, if it is time."""

    def __init__(self) -> None:
        self.next: float = 0.0

    def __call__(self, far: Progress) -> None:
        if (began := monotonic()) < self.next or far.so_far is None:
            return
        tell(asdict(far.so_far()))
        self.next = monotonic() + max(TELL, SPARE * (monotonic() - began))


def tell(body: object) -> None:
    """A line to whoever has asked."""
    print(json.dumps(body), flush=True)


def listen() -> None:
    """Until one is told to stop, or nobody is there any more."""
    for line in sys.stdin:
        if line.strip() == STOP:
            _thread.interrupt_main()
    os._exit(1)


def ask() -> None:
    """Answer the question that stands on the first line, and keep what is played in the folder that is named."""
    asked = Asked.loads(sys.stdin.readline())
    Thread(target=listen, daemon=True).start()
    limit(round(BEYOND * asked.seconds) + 60)
    question = asked.question()
    setups = whatif.setups_of(question)[1]
    pace = pace_of(Arm.of(asked.game, setups[:1], asked.players, asked.seed))
    tell({PACE: pace})
    if slow := asked.too_slow(len(setups), pace):
        raise OptionError(slow)
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    tell(asdict(whatif.ask(question, folder=folder, tell=Teller())))


def pace_of(arm: Arm) -> float:
    """Seconds of CPU time that a game takes."""
    took = 0.0
    for number in range(2):
        if took < QUICK:
            began = process_time()
            play_game(arm, number, 0)
            took = process_time() - began
    return round(took, 3)


def limit(seconds: int) -> None:
    """Let the system end this process when it has taken so much CPU time, where it can."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def draw() -> None:
    """The page of an answer and its charts, by their file names, in base64."""
    answer = whatif.from_json(json.loads(sys.stdin.readline()))
    names = overrides.names_of(answer.game, {})
    with TemporaryDirectory() as folder:
        report.pictures([answer], names, Path(folder))
        made = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    made["report.html"] = report.page([answer], names).encode()
    tell({name: base64.b64encode(body).decode() for name, body in made.items()})


@contextmanager
def told_plainly() -> Iterator[None]:
    """What is refused is one sentence, and no study that was stopped too early is a fault."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit("gonfalon: This study was stopped before it could tell anything.")
    except GonfalonError as error:
        sys.exit(f"gonfalon: {error}")


def main() -> None:
    """What the process does: `ask` or `draw`."""
    getattr(os, "nice", int)(RANKS[sys.argv[1]])
    with told_plainly():
        {"ask": ask, "draw": draw}[sys.argv[1]]()


if __name__ == "__main__":
    main()
