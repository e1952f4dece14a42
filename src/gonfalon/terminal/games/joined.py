"""A seat at a server's table, or a place among those who watch."""

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
from gonfalon.terminal.drawing.viewport import OVER, UNASKED, Answer, Present, SeatClock, Sight, Stage, Told
from gonfalon.terminal.games.server import Away, Remote, ServerError, nonce_for, reading_answers
from gonfalon.terminal.shares import Shares

AGREE, REFUSE = "agree to the take-back", "refuse the take-back"
WAITS: Final = (0.3, 0.6, 1.0, 2.0, 4.0)
"""Seconds until a broken connection is tried again, the last of them from then on."""
LISTENS: Final = 2.0
"""Seconds between two questions who is here, once the game is over."""
GONE: Final = "no connection, trying again"
SCENE_SECONDS: Final = 8.0
"""How long a moment is shown for which a game names no time."""
MAX_SCENES: Final = 16
"""Moments that are shown at most for one change of the table, the latest of them."""
EARLY: Final = "The table is not here yet."
AFTER: Final = ("q leaves, and tells where the replay is.", "r plays again; q leaves, and tells where the replay is.")
"""What can be done after the end, by whoever watches and by whoever plays."""


def goes_on(found: Mapping[str, Any]) -> bool:
    """Whether more comes after what a server has sent."""
    return "company" in found or found["stage"] in ("waiting", "playing")


class JoinedDesk:
    """Deals with a person's answers at a table of a server. Whoever `lingers` reads greetings after the end, too."""

    lingers = False

    def __init__(
        self, remote: Remote, game: Game | None, name: str = "", brings: str = "", watch: bool = False
    ) -> None:
        self.remote = remote
        self.rules = game
        self.name = name
        self.brings = brings
        self.watch = watch
        self.view: dict[str, Any] = {}
        self.seen: dict[str, Any] = {}
        """The view that the person has before them: they answer to that one, not to one that is only led to."""
        self.found: asyncio.Queue[Any] = asyncio.Queue()
        self.moments: int | None = None
        """How many moments there were when we looked last."""
        self.gone = False
        self.company: dict[str, Any] = {}
        """Who is here, as the server told it last."""
        self.shares = Shares(remote)
        self.mine: Path | None = None
        """The file with what this device keeps of a game whose deal is proved."""
        self.next = ""
        """The link of our seat at the next game, once there is one."""

    @property
    def game(self) -> Game | None:
        """The rules, where this machine has them."""
        return self.rules

    # ---- what comes from the server --------------------------------------------------------------

    async def run(self, stage: Stage) -> None:
        """Follow the table until the game is over, or whoever lingers has left. Raises ServerError."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self.follow, args=(loop,), daemon=True).start()
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
            late = self.view and not self.gone and found["version"] < self.view["version"]
            self.gone = False
            if late:
                continue
            self.view = found
            await self.stage_moments(stage)
            await stage.lead_to(self.sight())
            self.seen = found
            if not goes_on(found) and not self.lingers:
                return

    def follow(self, loop: asyncio.AbstractEventLoop) -> None:
        """In a thread of its own: everything that the server sends, None for a connection that broke; until the game is
        over or the person has left."""
        failed = 0
        while True:
            try:
                with reading_answers():
                    if not self.watch:
                        self.come()
                    for view in self.remote.views():
                        failed = 0
                        if view is not None and "company" not in view and not self.watch:
                            self.shares.take_part(view)
                            self.mine = self.shares.keep(view) or self.mine
                        if view is not None and not (self.put(loop, view) and goes_on(view)):
                            return self.listen(loop)
            except Away:
                pass
            except ServerError as error:
                self.put(loop, error)
                return None
            if not self.put(loop, None):
                return None
            time.sleep(WAITS[min(failed, len(WAITS) - 1)])
            failed += 1

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """After the end no more views come: ask who is here and what they say, as long as anybody lingers."""
        while self.lingers:
            time.sleep(LISTENS)
            with suppress(GonfalonError):
                self.lingers = self.put(loop, {"company": self.remote.ask("/company")})

    def put(self, loop: asyncio.AbstractEventLoop, found: object) -> bool:
        """Hand over what was found; whether anybody is still there."""
        try:
            loop.call_soon_threadsafe(self.found.put_nowait, found)
        except RuntimeError:
            return False
        return True

    def come(self) -> None:
        """Sit down where that is still to be done, and be ready. Raises ServerError and Away."""
        view = self.remote.ask()
        if view["viewer"] == "spectator":
            if self.remote.token == "watch":
                raise ServerError("This link only watches; `gonfalon watch` takes it.")
            self.remote.sit(self.name, self.brings)
            view = self.remote.ask()
        seat = view["viewer"]
        if view["stage"] == "waiting" and isinstance(seat, int) and not view["seats"][seat]["ready"]:
            self.remote.ask("/ready", {"brings": self.brings} if self.brings else {})

    async def stage_moments(self, stage: Stage) -> None:
        """Show what passed since we looked last."""
        count = self.view["moments"]
        first = count if self.moments is None else self.moments
        self.moments = count
        for number in range(max(first, count - MAX_SCENES) + 1, count + 1):
            try:
                moment = await asyncio.to_thread(self.remote.ask, f"/moments/{number}")
            except GonfalonError:
                continue
            times = self.game.moment_seconds if self.game else {}
            seconds = times.get(moment["name"], SCENE_SECONDS)
            told = [Told(line["text"], line["indent"]) for line in moment["log"]]
            sight = replace(
                self.sight(), board=moment["board"], moment=moment["text"], log=told, answers=(), over="", tip=""
            )
            await stage.hold(replace(sight, prompt=moment["text"].partition("\n")[0]), seconds, live=True)

    # ---- what is seen ----------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """Whose eyes look on."""
        return self.view["viewer"] if isinstance(self.view["viewer"], int) else SPECTATOR

    def sight(self) -> Sight:
        """What the server shows, as a screen draws it."""
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
            log=[Told(line["text"], line["indent"]) for line in view["log"]],
            over=self.ending(names),
            tip=AFTER[self.seat >= 0] if view["over"] else "",
            can_take_back=view["can_take_back"] or view["can_ask_back"],
            hints=view.get("hints", True),
            version=view["version"],
            clocks=[self.clock(one) for one in self.clocks()],
            company=self.others(),
            watching=self.company.get("watching", 0) - (self.seat < 0 and not self.gone),
            notes=[GONE] if self.gone else [],
        )

    def ending(self, names: list[str]) -> str:
        """How the game ended: between two, whoever gave up has lost it to the other."""
        over = self.view["over"]
        if not over:
            return ""
        gone = (over["ended"] or {}).get("seat")
        if len(names) != 2 or gone not in (0, 1):
            return str(over["text"])
        return f"{over['text']} {verdict([1 - gone], names)}."

    def others(self) -> list[Present]:
        """Everybody else at the table, as far as the server tells; ourselves while a greeting of ours is read."""
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

    def clock(self, told: Mapping[str, Any]) -> SeatClock:
        """A seat's clock, by our own time."""
        left, since = told["left"], told["since"]
        return SeatClock(None if left is None else left / 1000, None if since is None else since - self.remote.ahead)

    def clocks(self) -> Sequence[Mapping[str, Any]]:
        """The clocks, where the table has some."""
        clock = self.view["clock"]
        return clock["seats"] if clock else []

    def answers(self) -> list[Answer]:
        """What may be answered: to the rules, and to somebody who would like to take something back."""
        decision, request = self.view["decision"], self.view["request"]
        found = [Answer(a["id"], a["text"], self.touches(a["id"])) for a in decision["actions"]] if decision else []
        if request and not request["answer"] and request["seat"] != self.seat and self.seat >= 0:
            who = isolate(self.view["names"][request["seat"]])
            found.append(Answer(AGREE, f"Let {who} take their last decision back.", (AGREE,)))
            found.append(Answer(REFUSE, "Do not let them.", (REFUSE,)))
        return found

    def touches(self, notation: str) -> tuple[str, ...]:
        """What is touched for an action."""
        return self.game.touches(notation) if self.game else (notation,)

    # ---- what the person does --------------------------------------------------------------------

    async def send(self, path: str, body: Mapping[str, object]) -> str:
        """Ask for something; the table as it is then is shown. Why not, or nothing."""
        try:
            view = await asyncio.to_thread(self.remote.ask, path, body)
        except GonfalonError as error:
            return str(error)
        await self.found.put(view)
        return ""

    async def act(self, answer: str) -> str:
        """Send an answer; why it is refused, or nothing."""
        if not self.seen:
            return EARLY
        if answer in (AGREE, REFUSE):
            wish, request = "agree" if answer == AGREE else "refuse", self.seen["request"]
            if request is None:
                return "Nobody wants to take anything back any more."
            return await self.send("/take-back", {"wish": wish, "number": request["number"]})
        return await self.send("/actions", {"expected": self.seen["version"], "actions": [answer]})

    async def say(self, emote: str) -> str:
        """Let the others read a greeting; why not, or nothing."""
        try:
            found = await asyncio.to_thread(self.remote.ask, "/emotes", {"emote": emote})
        except GonfalonError as error:
            return str(error)
        await self.found.put({"company": found})
        return ""

    async def why_not(self, notation: str) -> str:
        """What the server says to an action that is not legal. One that is, is never sent."""
        if not self.seen:
            return EARLY
        decision = self.seen["decision"]
        if notation in (AGREE, REFUSE):
            return ""
        if decision is None:
            return OVER if self.seen["over"] else UNASKED
        if notation in {action["id"] for action in decision["actions"]}:
            return ""
        return await self.act(notation)

    async def hint(self) -> Sequence[str]:
        """What a bot would do, from what this seat sees."""
        return lines(cast(Thought, await asyncio.to_thread(self.remote.ask, "/hint", {})))

    async def take_back(self) -> str:
        """Take the last decision back, or ask the others to allow it."""
        if not self.seen:
            return EARLY
        expected = self.seen["version"]
        if self.seen["can_take_back"]:
            return await self.send("/actions", {"expected": expected, "take_back": True})
        if self.seen["can_ask_back"]:
            return await self.send("/take-back", {"wish": "ask", "expected": expected}) or "You have asked for that."
        return "There is nothing that you could take back."

    async def rematch(self) -> str:
        """Offer another game to the others, or come to the one that they offer; why not, or nothing."""
        old = f"{self.remote.base}/{self.remote.key}/{self.remote.token}"
        try:
            found = await asyncio.to_thread(self.remote.ask, "/rematch", {"nonce": nonce_for(f"{old}/next")})
        except GonfalonError as error:
            return str(error)
        self.next = str(found["page"])
        return ""
