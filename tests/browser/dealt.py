"""A server in its own process that deals each test the same cards every time.

The signal USR1 restarts its chance from the words in the file `seed` beside its database. Bots hardly think, one
address can open more tables than usual, and studies do not lower their priority. Reviews are quick stand-ins.
"""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random  # noqa: TID251 (it stands for the system's)

from gonfalon.table import chance
from gonfalon.web import serve
from gonfalon.web.history import review_jobs
from gonfalon.web.lobby import deck_builder, open_table
from gonfalon.web.workshop import study_jobs
from tests.browser import judged
from tests.web.served import Served

SCRIPT = "import sys; from tests.browser.dealt import main; main(int(sys.argv[1]), sys.argv[2])"
SEED = "seed"


def deal_anew(server: Served, words: str) -> None:
    """Restart the chance of a running server from these words."""
    (server.folder / SEED).write_text(words, "utf-8")
    assert server.process is not None
    server.process.send_signal(signal.SIGUSR1)


def main(port: int, database: str) -> None:
    seed = Path(database.removeprefix("sqlite:///")).with_name(SEED)

    def begin_anew(*_: object) -> None:
        if seed.exists():
            rng = Random(seed.read_text("utf-8"))
            vars(chance).update(SYSTEM=rng)
            vars(open_table).update(DICE=rng)
            vars(deck_builder).update(SYSTEM=rng)

    signal.signal(signal.SIGUSR1, begin_anew)
    begin_anew()
    vars(review_jobs).update(COMMAND=judged.COMMAND)
    vars(study_jobs).update(COMMAND=f"import os; os.nice = int; {study_jobs.COMMAND}")
    serve(port=port, database_url=database, pace=0, think=0.05, limits=0)
