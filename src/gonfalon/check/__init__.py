"""The conformance kit: any game, ours or a stranger's, is run against the laws.

    from gonfalon.check import run
    results = run(MyGame, seconds=20, report=print)
    assert all(result.ok for result in results)

The kit knows a game only through the core: it plays `Game.samples()` at random and goes through the
trees of `Game.tiny()`. Two optional methods give it a second opinion on what it cannot know:
`Game.invariants` and `Game.reference`. Law by law: see the modules of this package.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gonfalon.check.kit import LAWS, run
from gonfalon.check.law import Broken, Law, LawResult
from gonfalon.check.play import Sender
from gonfalon.core.game import Game
from gonfalon.games import kind

__all__ = ["LAWS", "Broken", "Law", "LawResult", "Sender", "main", "run"]


def main(
    name: str,
    seconds: float = 20.0,
    options: dict[str, Any] | None = None,
    senders: Iterable[Sender] = (),
) -> int:
    """`gonfalon check NAME`: a line for each law; 1 when one is broken. `senders`: see `run`.

    With `options` only those of the game's samples are played that agree with them, or else the game with
    just these options. Raises OptionError when there is no such game or option.
    """
    game = kind(name)
    chosen: type[Game] | list[Game] = game
    if options:
        wanted = game(**options)
        agree = [one for one in game.samples() if all(one.options[key] == wanted.options[key] for key in options)]
        chosen = agree or [wanted]
    # Compiled rules in an endless loop cannot be stopped from inside.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        faulthandler.dump_traceback_later(seconds * 5 + 300, exit=True)
    try:
        results = run(chosen, seconds, lambda line: print(line, flush=True), senders=senders)
    finally:
        faulthandler.cancel_dump_traceback_later()
    broken = [result for result in results if not result.ok]
    for number, result in enumerate(broken, start=1):
        if result.record:
            path = Path(tempfile.gettempdir()) / f"gonfalon-check-{name}-{os.getpid()}-{number}.json"
            path.write_text(result.record, encoding="utf-8")
            print(f"     {result.law}: replay with  gonfalon replay {path} --all")
    held = sum(result.ok and not result.skipped for result in results)
    print(f"{game.title}: {held} laws hold, {len(broken)} broken.", file=sys.stderr if broken else sys.stdout)
    return 1 if broken else 0
