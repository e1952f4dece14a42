"""The process of a program: `python -m gonfalon.bots.outside.child`, which a table starts.

It reads the messages of `protocol` from standard input and answers on standard output. What the program prints goes to
standard error. The process ends with its owner.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from traceback import extract_tb, print_exc
from typing import BinaryIO, Final

from gonfalon import games
from gonfalon.bots.outside import messages
from gonfalon.bots.outside.faults import FaultError
from gonfalon.bots.outside.loading import hash_source, make_bot
from gonfalon.bots.outside.protocol import UNTRAINED, Message
from gonfalon.bots.players.bot import Bot, UntrainedError, is_choice
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice, Fault
from gonfalon.bots.search.mixed_bot import MixedBot
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec

PACKAGE: Final = Path(__file__).parents[2]
"""The folder of our own code."""


class Player:
    """The bots of a program."""

    def __init__(self) -> None:
        self.text = ""
        """The notation of the program."""
        self.bots: dict[int, tuple[StateCodec, Bot]] = {}

    def answer(self, message: Message) -> dict[str, object]:
        """Return the answer to a message."""
        if "start" in message:
            self.text = message["start"]
            sys.path[:] = message["path"]
            return {"started": True}
        return self.make(message) if "make" in message else self.choose(message)

    def make(self, message: Message) -> dict[str, object]:
        """Make the bot of a game."""
        try:
            game = games.game(message["game"], **message["options"])
            bot = make_bot(self.text, game)
        except UntrainedError as error:
            return {"fault": UNTRAINED, "detail": str(error)}
        except GonfalonError as error:
            return {"fault": Fault.CRASHED, "detail": str(error)}
        self.bots[message["make"]] = StateCodec(game), bot
        return {"made": message["make"], "mixed": isinstance(bot, MixedBot), "source": hash_source(self.text)}

    def choose(self, message: Message) -> dict[str, object]:
        """Let a bot choose."""
        codec, bot = self.bots[message["choose"]]
        view = codec.decode_view(message["view"])
        budget = set_budget(bot, message["iterations"], message["seconds"])
        try:
            choice = bot.think(view, budget, Rng(message["seed"]))
            if not is_choice(choice):
                raise FaultError(Fault.UNREADABLE, messages.NOT_CHOICE.format(answer=f"{choice!r:.60}"))
            legal = codec.decode_view(message["view"]).legal(view.viewer)
            if choice.action not in legal:
                why = messages.NOT_LEGAL.format(action=write_action(bot, choice))
                raise FaultError(Fault.ILLEGAL, why)
            choice = replace(choice, why=choice.why or bot.words(view, choice), reason=())
            return {"choice": asdict(choice)}
        except FaultError as error:
            return {"fault": error.fault, "detail": error.detail}
        except Exception as error:  # The program may raise anything.
            print_exc()
            return {"fault": Fault.CRASHED, "detail": describe_error(error)}


def set_budget(bot: Bot, iterations: int | None, seconds: float | None) -> Budget:
    """Return the bot's own budget with the given limits."""
    budget = bot.budget
    if iterations is not None:
        budget = replace(budget, iterations=iterations)
    return budget if seconds is None else replace(budget, seconds=seconds)


def write_action(bot: Bot, choice: Choice) -> str:
    """Return the notation of an action, or its number if it has none."""
    try:
        return bot.game.notation(choice.action)
    except Exception:  # The number may be anything, and the game may be a stranger's.
        return f"{choice.action!r:.40}"


def describe_error(error: Exception) -> str:
    """Return the type, the text and the place of an error."""
    frames = extract_tb(error.__traceback__)
    # The author's own line says more than the line of ours that it called.
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(PACKAGE)]
    where = (own or frames)[-1]
    return f"{type(error).__name__}: {error}; {Path(where.filename).name}, line {where.lineno}"


def open_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes to the owner, and keep the program from using them."""
    given, taken = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return given, taken


def read_lines(pipe: BinaryIO, keep: Callable[[bytes], None]) -> None:
    """Read the messages, and end this process with its owner, even in the middle of a thought."""
    for line in pipe:
        keep(line)
    os._exit(0)


def main() -> None:
    """Answer the messages of the owner."""
    given, taken = open_pipes()
    lines: Final[SimpleQueue[bytes]] = SimpleQueue()
    Thread(target=read_lines, args=(given, lines.put), daemon=True).start()
    player = Player()
    while True:
        answer = player.answer(json.loads(lines.get()))
        try:
            line = json.dumps(answer)
        except (TypeError, ValueError, RecursionError):  # The program may put anything into its choice.
            line = json.dumps({"fault": Fault.UNREADABLE, "detail": messages.NOT_WRITTEN})
        taken.write(line.encode() + b"\n")
        taken.flush()


if __name__ == "__main__":
    main()
