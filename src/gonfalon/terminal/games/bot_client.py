"""A bot of Gonfalon that plays at a server by a bot account.

One connection reports the questions of all tables. The bot thinks in worker processes, so that a long thought delays
neither another table nor the connection.
"""

from __future__ import annotations

import json
import multiprocessing
import secrets
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Final

from gonfalon import bots, games
from gonfalon.bots import Bot
from gonfalon.core.basics.errors import GonfalonError, OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.text.english import several
from gonfalon.core.text.untrusted import one_line
from gonfalon.review.parent_process import end_with_parent
from gonfalon.terminal import messages
from gonfalon.terminal.games.server import Server, ServerAwayError, ServerError, reading_answers

RETRY_SECONDS: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before each attempt to reconnect; the last value repeats."""
Event = Mapping[str, Any]
"""An event of the stream, as parsed JSON."""
MAX_ANSWERS: Final = 16
"""The number of questions that are answered at once; others wait."""


class BotClient:
    """Plays at all tables of a bot account.

    Args:
        server: The server, with the token of the account.
        notation: The notation of the bot (see `gonfalon.bots.make`).
        say: Prints a line about an event.
        workers: The number of processes that think.
        sleep: Waits for some seconds before the next attempt to connect.
    """

    def __init__(
        self,
        server: Server,
        notation: str,
        say: Callable[[str], None],
        workers: int = 1,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.server = server
        self.notation = notation
        self.say = say
        self.sleep = sleep
        self.tables: dict[str, Event] = {}
        """The facts of each running game."""
        # A fork could copy a lock that another thread holds, so each worker starts as a new interpreter.
        self._workers = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), end_with_parent)
        self._answers = ThreadPoolExecutor(MAX_ANSWERS)

    def run(self) -> None:
        """Play until interrupted. Raises ServerError if the server refuses the account, OptionError if no installed
        game has such a bot."""
        check_notation(self.notation)
        failed = 0
        try:
            while True:
                try:
                    with reading_answers():
                        for event in self.server.stream("/bot/stream?state=yes"):
                            failed = 0
                            if event is not None:
                                self.handle(event)
                except ServerAwayError as error:
                    self.say(str(error))
                seconds = RETRY_SECONDS[min(failed, len(RETRY_SECONDS) - 1)]
                failed += 1
                self.say(messages.BOT_RECONNECTS.format(seconds=f"{seconds:g}"))
                self.sleep(seconds)
        finally:
            self._answers.shutdown(wait=False, cancel_futures=True)
            self._workers.shutdown(wait=False, cancel_futures=True)

    def handle(self, event: Event) -> None:
        """React to an event of the stream, and print a line about it."""
        kind, table = event["type"], str(event.get("table", ""))
        if kind == "account":
            self.say(messages.BOT_CONNECTED.format(server=self.server.base, name=event["account"]["title"]))
        elif kind == "challenge":
            self._answers.submit(self.answer_challenge, event)
        elif kind == "begun":
            known, self.tables[table] = table in self.tables, event
            if not known:
                self.say(messages.BOT_BEGUN.format(table=table, game=event["game"], names=list_others(event)))
        elif kind == "turn":
            self._answers.submit(self.answer_turn, self.tables[table], event)
        elif kind == "replaced":
            self._answers.submit(self.return_seat, event)
        elif kind == "ended":
            self.tables.pop(table, None)
            self.say(messages.BOT_ENDED.format(table=table, result=one_line(event["over"]["text"])))
        elif kind == "withdrawn":
            self.tables.pop(table, None)
            self.say(messages.BOT_WITHDRAWN.format(table=table))

    def answer_challenge(self, event: Event) -> None:
        """Accept a challenge if the game is installed here."""
        table, accept = event["table"], event["game"] in games.names()
        body = {"accept": True} if accept else {"accept": False, "reason": "game"}
        try:
            self.server.ask(f"/bot/challenges/{table}", body)
        except GonfalonError as error:
            self.say(messages.BOT_FAILED.format(table=table, reason=error))
            return
        said = messages.BOT_ACCEPTS if accept else messages.BOT_DECLINES
        self.say(said.format(table=table, game=event["game"], names=list_others(event)))

    def return_seat(self, event: Event) -> None:
        """Take the seat back from the bot that has played for this one."""
        table = event["table"]
        try:
            self.server.ask(f"/tables/{table}/seats/{event['seat']}", {"by": "me"})
        except GonfalonError as error:  # a seat that was lost on time stays lost
            self.say(messages.BOT_FAILED.format(table=table, reason=error))
            return
        self.say(messages.BOT_RETURNS.format(table=table))

    def answer_turn(self, facts: Event, event: Event) -> None:
        """Let the bot think about a question, and send its choice. A failing bot plays a random action."""
        table, game, begun = event["table"], facts["game"], time.monotonic()
        try:
            action, fault = self._workers.submit(
                choose_action, self.notation, game, json.dumps(facts["options"]), event["state"], secrets.randbits(64)
            ).result()
        except Exception as error:  # a bot of the user may fail in any way
            fault = str(error) if isinstance(error, GonfalonError) else f"{type(error).__name__}: {error}"
            action = secrets.choice(event["actions"])
        if fault:
            self.say(messages.BOT_CANNOT.format(table=table, fault=one_line(fault), action=action))
        try:
            self.server.ask(f"/tables/{table}/actions", {"expected": event["version"], "actions": [action]})
        except (ServerError, ServerAwayError) as error:  # the position has changed, or the next stream asks again
            self.say(messages.BOT_FAILED.format(table=table, reason=error))
            return
        self.say(messages.BOT_PLAYS.format(table=table, action=action, seconds=f"{time.monotonic() - begun:.1f}"))


def list_others(event: Event) -> str:
    """Return the names of the other players of a table."""
    return several([one_line(name) for seat, name in enumerate(event["names"]) if seat != event["seat"]])


def check_notation(notation: str) -> None:
    """Raise OptionError unless an installed game has a bot of this notation."""
    reasons: list[OptionError] = []
    for name in games.names():
        try:
            bots.make(notation, games.game(name))
            return
        except OptionError as error:
            reasons.append(error)
    raise reasons[0]


def choose_action(notation: str, game: str, options: str, state: Mapping[str, object], seed: int) -> tuple[str, str]:
    """Return a bot's choice in a view, as a notation, and the reason if it was drawn instead. Runs in a worker
    process."""
    codec, bot = make_bot(notation, game, options)
    choice = bot.begin_game().choose(codec.decode_view(state), bot.patience, Rng(seed))
    return codec.game.notation(choice.action), choice.why if choice.fault else ""


@lru_cache(16)
def make_bot(notation: str, game: str, options: str) -> tuple[StateCodec, Bot]:
    """Return a bot for a game and the codec of its views."""
    made = games.game(game, **json.loads(options))
    return StateCodec(made), bots.make(notation, made)
