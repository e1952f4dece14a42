"""A server's table by lines: for pipes, screen readers, and terminals without a screen."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from gonfalon.core.basics.errors import GonfalonError, NotationError
from gonfalon.core.text.emotes import EMOTES
from gonfalon.core.text.english import YOU
from gonfalon.core.text.untrusted import isolate
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.drawing.viewport import Answer, Present, Sight
from gonfalon.terminal.games.joined import JoinedDesk
from gonfalon.terminal.games.typed import format_card_reply

STATES: Final = {
    "here": "is here",
    "lost": "has lost the connection",
    "away": "is away",
    "bot": "is played by a bot",
    "nobody": "is not here yet",
}
"""Words for the states of people."""
CHUNK_BYTES: Final = 4096
"""Bytes read at a time."""
NO_QUESTION: Final[tuple[int, Sequence[Answer]]] = (-1, ())
"""Stands for no question."""


class PlayerLeftError(Exception):
    """The player leaves, or the input has ended."""


class Lines:
    """A stage that writes news, and reads commands."""

    def __init__(self, desk: JoinedDesk, console: Console) -> None:
        self.desk = desk
        self.console = console
        self.sight: Sight | None = None
        self.heard = 0
        """Number of sentences of the log that have been written."""
        self.company: Sequence[Present] = ()
        self.read: asyncio.Queue[str | None] = asyncio.Queue()
        self.news = asyncio.Event()
        """Set whenever something has been shown."""
        self.asked = NO_QUESTION
        """The version and answers of the latest question."""

    async def run(self) -> None:
        """Play until the game is over, or until the player leaves. Raises ServerError and ServerAwayError."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self.read_lines, args=(loop,), daemon=True).start()
        game, person = asyncio.create_task(self.desk.run(self)), asyncio.create_task(self.run_commands())
        done, left = await asyncio.wait((game, person), return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        # Leaving is no error. Other exceptions are raised again.
        for task in done:
            if not isinstance(task.exception(), PlayerLeftError):
                task.result()
        if self.sight is not None and self.sight.over:
            await self.write_table()

    # ---- news from the server ---------------------------------------------------------------------

    def show(self, sight: Sight) -> None:
        """Write the news: arrivals and departures, events, and the question."""
        before, self.sight = self.sight, sight
        for note in sight.notes:
            if before is None or note not in before.notes:
                self.console.say(messages.REMARK.format(text=note))
        if before is not None and before.notes and not sight.notes:
            self.console.say(messages.REMARK.format(text=messages.CONNECTION_BACK))
        if before is None and sight.cards:
            self.console.say(sight.cards)
        self.write_company(sight)
        self.write_log(self.heard)
        self.heard = sight.log[-1]["n"] + 1 if sight.log else 0
        if sight.over:
            self.console.head(sight.over)
        elif before is None or (sight.prompt != before.prompt and not sight.answers):
            self.console.head(sight.prompt)
        self.news.set()

    async def hold(self, sight: Sight, seconds: float | None, live: bool = False) -> None:
        """Ignore a moment, because the log describes it."""

    async def show_change(self, sight: Sight, seconds: float = 0.0) -> None:
        """Write the news and the question."""
        self.show(sight)
        if sight.answers and self.asked != (sight.version, sight.answers):
            await self.write_table()
            self.write_question()

    def write_company(self, sight: Sight) -> None:
        """Write arrivals, departures and greetings."""
        before = {one.name: one for one in self.company}
        self.company = sight.company
        for one in sight.company:
            was = before.get(one.name)
            if one.name != YOU and (was is None or was.state != one.state):
                text = f"{isolate(one.name)} {STATES.get(one.state, one.state)}"
                self.console.say(messages.REMARK.format(text=text))
            if one.says and (was is None or was.says != one.says):
                self.console.say(f"{isolate(one.name)}: {one.says}")

    def write_log(self, begin: int) -> None:
        """Write the log from an event on. A line that has grown is written again."""
        for line in self.sight.log if self.sight else ():
            if line["n"] >= begin:
                self.console.say(f"{'  ' * line['indent']}* {line['text']}", indent="  ")

    async def write_table(self) -> None:
        """Write the server's description of the table."""
        try:
            told = await asyncio.to_thread(self.desk.remote.ask, "/words")
        except GonfalonError as error:
            self.console.say(str(error))
            return
        self.console.say(f"\n{told['text']}\n")

    def write_question(self) -> None:
        """Write the question with its answers."""
        sight = self.sight
        if sight is None:
            return
        self.asked = (sight.version, sight.answers)
        self.console.head(sight.prompt)
        self.console.menu([answer.text for answer in sight.answers])
        self.news.set()

    # ---- input --------------------------------------------------------------------------------------

    def read_lines(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read line after line in a thread.

        It bypasses Python's own buffer, whose lock could not be released when the game is over.
        """
        rest = b""
        while chunk := os.read(0, CHUNK_BYTES):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self.put(loop, line)
        if rest:
            self.put(loop, rest)
        self.put(loop, None)

    def put(self, loop: asyncio.AbstractEventLoop, line: bytes | None) -> None:
        """Hand a line to the loop."""
        text = None if line is None else line.decode(sys.stdin.encoding or "utf-8", "replace").strip()
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self.read.put_nowait, text)

    async def run_commands(self) -> None:
        """Execute line after line. Raises PlayerLeftError."""
        while True:
            line = await self.read.get()
            if line is None:
                if self.console.terminal or not self.desk.watch:
                    raise PlayerLeftError
                await asyncio.Event().wait()  # a spectator's pipe may be empty
            if not line or await self.run_command(line):
                continue
            if not await self.is_asked():
                self.console.say(messages.NO_DECISION)
                continue
            await self.send_answer(line)

    async def is_asked(self) -> bool:
        """Return whether the open question has been written; a pipe waits until it has."""
        while self.sight is None or not self.sight.answers or self.asked != (self.sight.version, self.sight.answers):
            if self.console.terminal:
                return False
            self.news.clear()
            await self.news.wait()
        return True

    async def run_command(self, line: str) -> bool:
        """Execute a line that is not an action. Return False if it may be an action."""
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        if word in ("quit", "exit", "q"):
            raise PlayerLeftError
        if word in ("help", "?"):
            hint = messages.HINT_HELP if self.sight is None or self.sight.hints else ""
            self.console.say(messages.TABLE_HELP.format(greetings=", ".join(EMOTES), hint=hint))
        elif word in ("look", "table"):
            await self.write_table()
        elif word == "log":
            self.write_log(0)
        elif word == "actions":
            self.write_question()
        elif word == "hint":
            await self.show_hint()
        elif word == "who" and self.sight:
            self.company = ()
            self.write_company(self.sight)
        elif word in ("back", "say", "card", "why"):
            self.console.say(await self.build_reply(word, rest) or messages.DONE)
        else:
            return False
        return True

    async def show_hint(self) -> None:
        """Write the choice of a bot."""
        try:
            told = await self.desk.hint()
        except GonfalonError as error:
            told = [str(error)]
        for line in told:
            self.console.say(line)

    async def build_reply(self, word: str, rest: str) -> str:
        """Return the reply to a command with an argument."""
        if word == "back":
            return await self.desk.undo()
        if word == "say":
            return await self.desk.say(rest.lower())
        if word == "card":
            return format_card_reply(self.desk.game, rest) if self.desk.game else messages.NO_RULES
        if not self.desk.seen:
            return messages.NOT_ARRIVED
        asked = rest.removeprefix("not").rstrip("?").strip()
        answers = self.sight.answers if self.sight else ()
        if answers and not asked:
            return messages.WHICH_ACTION.format(action=answers[0].id)
        try:
            return await self.desk.why_not(find_notation(asked, answers)) or messages.IS_LEGAL
        except NotationError as error:
            return str(error)

    async def send_answer(self, line: str) -> None:
        """Send an answer, and write the reason for a refusal."""
        answers = self.sight.answers if self.sight else ()
        try:
            chosen = find_notation(line, answers)
        except NotationError as error:
            self.console.say(str(error))
            return
        # Reset before the next question can arrive, which must not count as answered.
        was, self.asked = self.asked, NO_QUESTION
        if refused := await self.desk.act(chosen):
            self.console.say(refused)
            self.asked = was if self.asked == NO_QUESTION else self.asked


def find_notation(text: str, answers: Sequence[Answer]) -> str:
    """Return an action by its number or its notation. Raises NotationError for a number without an action."""
    if text.removeprefix("-").isdecimal():
        if not 0 < int(text[:9]) <= len(answers):
            raise NotationError(messages.NO_ACTION.format(number=text[:20], count=len(answers)))
        return answers[int(text[:9]) - 1].id
    return "".join(text.lower().split()) if text not in {answer.id for answer in answers} else text
