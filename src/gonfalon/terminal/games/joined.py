"""A table at a server, as a player or spectator."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from gonfalon.bots.players.thoughts import Thought, lines
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.rules.words import Words
from gonfalon.core.text.emotes import EMOTES
from gonfalon.core.text.english import YOU, verdict
from gonfalon.core.text.untrusted import isolate
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.viewport import Answer, Present, SeatClock, Sight, Stage
from gonfalon.terminal.games.own_cards import describe_table_cards
from gonfalon.terminal.games.server import Json, Remote, ServerAwayError, ServerError, get_nonce, reading_answers
from gonfalon.terminal.shares import Shares

AGREE, REFUSE = "agree to the undo request", "refuse the undo request"
RETRY_SECONDS: Final = (0.3, 0.6, 1.0, 2.0, 4.0)
"""Seconds before each attempt to reconnect; the last value repeats."""
POLL_SECONDS: Final = 2.0
"""Seconds between questions for people at the table, after the end."""
SCENE_SECONDS: Final = 8.0
"""Seconds for which a moment is shown, unless the game names a time."""
MAX_SCENES: Final = 16
"""Maximum number of moments shown for one change of the table, the latest ones."""


def has_more(found: Json) -> bool:
    """Return whether more messages follow one from the server."""
    return "company" in found or found["stage"] in ("waiting", "playing")


class JoinedDesk:
    """The desk of a table at a server.

    Args:
        remote: The table at the server.
        game: The rules, if they are installed.
        name: The player's name.
        brings: The player's deck.
        watch: Watch instead of taking a seat.
    """

    stays_after_end = False
    """Whether greetings are received after the end."""

    def __init__(
        self, remote: Remote, game: Game | None, name: str = "", brings: str = "", watch: bool = False
    ) -> None:
        self.remote = remote
        self.rules = game
        self.name = name
        self.brings = brings
        self.watch = watch
        self.view: Json = {}
        self.seen: Json = {}
        """The view on the screen. Answers refer to it, not to one that is still being led to."""
        self.found: asyncio.Queue[Any] = asyncio.Queue()
        """Messages from the thread: views, errors, or None for a lost connection."""
        self.moments: int | None = None
        """Number of moments at the last view."""
        self.gone = False
        """Whether the connection is lost."""
        self.company: Json = {}
        """The people at the table, by the server's latest message."""
        self.shares = Shares(remote)
        self.proof_file: Path | None = None
        """The file of this device's copy of a game with a proved deal."""
        self.answered = False
        """Whether the player has answered. Until then the own cards of the table are shown."""
        self.note = ""
        """A message for the player until the first answer."""
        self.rematch_link = ""
        """The link to the player's seat in the rematch."""

    @property
    def game(self) -> Game | None:
        """The rules, if they are installed."""
        return self.rules

    # ---- messages from the server ----------------------------------------------------------------

    async def run(self, stage: Stage) -> None:
        """Follow the table until the game is over, or until the player leaves. Raises ServerError."""
        loop = asyncio.get_running_loop()
        # A daemon, so that leaving the game does not wait for the network.
        threading.Thread(target=self.receive_messages, args=(loop,), daemon=True).start()
        while True:
            found = await self.found.get()
            if isinstance(found, GonfalonError):
                raise found
            if found is None:
                self.gone = True
                if self.view:
                    stage.show(self.sight())
                continue
            if "company" in found:
                news, self.company = found["company"] != self.company, found["company"]
                if self.view and news:
                    stage.show(self.sight())
                continue
            # The response to an action can overtake the stream, whose older view must not replace it.
            late = self.view and not self.gone and found["version"] < self.view["version"]
            self.gone = False
            if late:
                continue
            self.view = found
            await self.stage_moments(stage)
            await stage.show_change(self.sight())
            self.seen = found
            if not has_more(found) and not self.stays_after_end:
                return

    def receive_messages(self, loop: asyncio.AbstractEventLoop) -> None:
        """Receive all messages of the server, in a thread, until the game is over or the player has left.

        None stands for a lost connection.
        """
        failed = 0
        while True:
            try:
                with reading_answers():
                    # Repeated after a lost connection. This device gets the same seat again.
                    if not self.watch:
                        self.take_seat()
                    for view in self.remote.views():
                        # Any message, even a heartbeat, proves that the connection works.
                        failed = 0
                        if view is not None and "company" not in view and not self.watch:
                            self.shares.send_share(view)
                            self.proof_file = self.shares.save_game(view) or self.proof_file
                        if view is not None and not (self.put(loop, view) and has_more(view)):
                            return self.poll_company(loop)
            except ServerAwayError:
                # The connection is retried below.
                pass
            except ServerError as error:
                self.put(loop, error)
                return None
            if not self.put(loop, None):
                return None
            time.sleep(RETRY_SECONDS[min(failed, len(RETRY_SECONDS) - 1)])
            failed += 1

    def poll_company(self, loop: asyncio.AbstractEventLoop) -> None:
        """Poll the people at the table after the end, when no more views arrive, until the player leaves."""
        while self.stays_after_end:
            time.sleep(POLL_SECONDS)
            with suppress(GonfalonError):
                self.stays_after_end = self.put(loop, {"company": self.remote.ask("/company")})

    def put(self, loop: asyncio.AbstractEventLoop, found: object) -> bool:
        """Hand a message to the loop. Return whether the loop still runs."""
        try:
            loop.call_soon_threadsafe(self.found.put_nowait, found)
        except RuntimeError:
            # The loop is closed, because the player has left.
            return False
        return True

    def take_seat(self) -> None:
        """Take a seat if necessary, and report ready. Raises ServerError and ServerAwayError."""
        view = self.remote.ask()
        if view["viewer"] == "spectator":
            if self.remote.token == "watch":
                raise ServerError(messages.WATCH_LINK)
            self.remote.sit(self.name, self.brings)
            view = self.remote.ask()
        elif not self.view and self.name.strip() not in ("", view["names"][view["viewer"]]):
            self.note = messages.NAME_KEPT.format(name=isolate(view["names"][view["viewer"]]))
        seat = view["viewer"]
        if view["stage"] == "waiting" and isinstance(seat, int) and not view["seats"][seat]["ready"]:
            self.remote.ask("/ready", {"brings": self.brings} if self.brings else {})

    async def stage_moments(self, stage: Stage) -> None:
        """Show the moments since the last view."""
        count = self.view["moments"]
        # Moments before the first view are not shown.
        first = count if self.moments is None else self.moments
        self.moments = count
        for number in range(max(first, count - MAX_SCENES) + 1, count + 1):
            try:
                moment = await asyncio.to_thread(self.remote.ask, f"/moments/{number}")
            except GonfalonError:
                # A moment that cannot be read is skipped, because the next view shows its result.
                continue
            times = self.game.moment_seconds if self.game else {}
            seconds = times.get(moment["name"], SCENE_SECONDS)
            told = moment["log"]
            sight = replace(
                self.sight(), board=moment["board"], moment=moment["text"], log=told, answers=(), over="", tip=""
            )
            await stage.hold(replace(sight, prompt=moment["text"].partition("\n")[0]), seconds, live=True)

    # ---- the table -------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The viewer of the table."""
        return self.view["viewer"] if isinstance(self.view["viewer"], int) else SPECTATOR

    def sight(self) -> Sight:
        """Return the server's view as a table."""
        view = self.view
        names = list(view["names"])
        if self.seat >= 0:
            names = names_for(cast(Words, self.game), self.seat, names)
        decision = view["decision"]
        return Sight(
            title=view["title"],
            viewer=self.seat,
            names=names,
            board=view["board"],
            prompt=decision["text"] if decision else view["prompt"],
            answers=self.answers(),
            log=view["log"],
            over=self.ending(names),
            cards=describe_table_cards(view.get("cards")),
            tip=self.end_tip() or ("" if self.answered else self.note or describe_table_cards(view.get("cards"))),
            can_undo=view["can_take_back"] or view["can_ask_back"],
            hints=view.get("hints", True),
            version=view["version"],
            clocks=[self.clock(one) for one in self.clocks()],
            company=self.others(),
            # The server counts this spectator as well.
            watching=self.company.get("watching", 0) - (self.seat < 0 and not self.gone),
            notes=[messages.LOST_CONNECTION] if self.gone else [],
        )

    def end_tip(self) -> str:
        """Return the keys to press after the end; empty before."""
        if not self.view["over"]:
            return ""
        return messages.END_TIP_PLAYER if self.seat >= 0 else messages.END_TIP

    def ending(self, names: list[str]) -> str:
        """Return the ending in words. If one of two players gave up, the other is named as the winner."""
        over = self.view["over"]
        if not over:
            return ""
        gone = (over["ended"] or {}).get("seat")
        if len(names) != 2 or gone not in (0, 1):
            return str(over["text"])
        return f"{over['text']} {verdict([1 - gone], names)}."

    def others(self) -> list[Present]:
        """Return the other people at the table, and the player while the player's greeting is shown."""
        if not self.company:
            return []
        told = zip(self.view["names"], self.view["seats"], self.company["seats"], self.company["says"], strict=True)
        found: list[Present] = []
        for name, seat, state, says in told:
            text = EMOTES.get(says or "", "")
            if seat["seat"] != self.seat:
                found.append(Present(name, state, seat["asked"] and state == "here", text))
            elif text:
                found.append(Present(YOU, "here", False, text))
        return found

    def clock(self, told: Json) -> SeatClock:
        """Return a seat's clock in local time."""
        left, since = told["left"], told["since"]
        # The time left is in milliseconds, and the start is by the server's clock.
        return SeatClock(None if left is None else left / 1000, None if since is None else since - self.remote.ahead)

    def clocks(self) -> Sequence[Json]:
        """Return the clocks; empty if the table has none."""
        clock = self.view["clock"]
        return clock["seats"] if clock else []

    def answers(self) -> list[Answer]:
        """Return the possible answers: to the decision, and to an undo request."""
        decision, request = self.view["decision"], self.view["request"]
        found = [Answer(a["id"], a["text"], self.touches(a["id"])) for a in decision["actions"]] if decision else []
        if request and not request["answer"] and request["seat"] != self.seat and self.seat >= 0:
            who = isolate(self.view["names"][request["seat"]])
            found.append(Answer(AGREE, messages.ALLOW_UNDO.format(player=who), (AGREE,)))
            found.append(Answer(REFUSE, messages.REFUSE_UNDO, (REFUSE,)))
        return found

    def touches(self, notation: str) -> tuple[str, ...]:
        """Return the things to touch for an action."""
        return self.game.touches(notation) if self.game else (notation,)

    # ---- actions of the player -------------------------------------------------------------------

    async def send(self, path: str, body: Mapping[str, object]) -> str:
        """Send a request, and show the table in the response. Return the reason for a refusal, or an empty text."""
        try:
            view = await asyncio.to_thread(self.remote.ask, path, body)
        except GonfalonError as error:
            return str(error)
        await self.found.put(view)
        return ""

    async def act(self, answer: str) -> str:
        """Send an answer. Return the reason for a refusal, or an empty text."""
        if not self.seen:
            return messages.NOT_ARRIVED
        if answer in (AGREE, REFUSE):
            wish, request = "agree" if answer == AGREE else "refuse", self.seen["request"]
            if request is None:
                return messages.UNDO_EXPIRED
            # With the number a late answer cannot apply to a newer request.
            return await self.send("/take-back", {"wish": wish, "number": request["number"]})
        self.answered = True
        return await self.send("/actions", {"expected": self.seen["version"], "actions": [answer]})

    async def say(self, emote: str) -> str:
        """Send a greeting. Return the reason for a refusal, or an empty text."""
        try:
            found = await asyncio.to_thread(self.remote.ask, "/emotes", {"emote": emote})
        except GonfalonError as error:
            return str(error)
        await self.found.put({"company": found})
        return ""

    async def why_not(self, notation: str) -> str:
        """Return the server's refusal of an illegal action. A legal action is not sent."""
        if not self.seen:
            return messages.NOT_ARRIVED
        decision = self.seen["decision"]
        if notation in (AGREE, REFUSE):
            return ""
        if decision is None:
            return messages.GAME_OVER if self.seen["over"] else messages.NO_DECISION
        if notation in {action["id"] for action in decision["actions"]}:
            return ""
        # An illegal action changes nothing, and the server's refusal contains the reason.
        return await self.act(notation)

    async def hint(self) -> Sequence[str]:
        """Return the choice of a bot, by this seat's view."""
        return lines(cast(Thought, await asyncio.to_thread(self.remote.ask, "/hint", {})))

    async def undo(self) -> str:
        """Undo the last decision, or ask the other players to allow it."""
        if not self.seen:
            return messages.NOT_ARRIVED
        expected = self.seen["version"]
        if self.seen["can_take_back"]:
            return await self.send("/actions", {"expected": expected, "take_back": True})
        if self.seen["can_ask_back"]:
            return await self.send("/take-back", {"wish": "ask", "expected": expected}) or messages.UNDO_ASKED
        return messages.NO_UNDO

    async def rematch(self) -> str:
        """Offer a rematch, or accept one. Return the reason for a refusal, or an empty text."""
        old = f"{self.remote.base}/{self.remote.key}/{self.remote.token}"
        try:
            # The nonce is saved for the old seat, so a repeated request gets the same new seat.
            found = await asyncio.to_thread(self.remote.ask, "/rematch", {"nonce": get_nonce(f"{old}/next")})
        except GonfalonError as error:
            return str(error)
        self.rematch_link = str(found["page"])
        return ""
