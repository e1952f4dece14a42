"""An assistant's seat at one table, in words."""

from __future__ import annotations

import time
from contextlib import closing

from gonfalon.terminal.assistant import messages
from gonfalon.terminal.games.joined import JoinedDesk, has_more
from gonfalon.terminal.games.lines import find_notation
from gonfalon.terminal.games.own_cards import describe_table_cards
from gonfalon.terminal.games.server import Json, Remote, ServerError, reading_answers
from gonfalon.terminal.messages import GAME_OVER, NO_DECISION


class AssistantSeat:
    """A seat at a table of a server. Everything it tells follows from the server's view of this seat.

    Args:
        link: An invitation, or the link of the seat.
        name: The player's name.
        brings: The player's faction or deck.

    Raises:
        ServerError: The server refuses the link.
        ServerAwayError: The server does not answer.
    """

    def __init__(self, link: str, name: str, brings: str = "") -> None:
        self.desk = JoinedDesk(Remote(link), None, name, brings)
        self.heard = 0
        """Number of the first event that was not told."""
        with reading_answers():
            self.desk.take_seat()

    @property
    def link(self) -> str:
        """The link of the seat."""
        return self.desk.remote.page

    def look(self) -> str:
        """Return the table, the news and the question. Raises ServerError and ServerAwayError."""
        with reading_answers():
            table = str(self.desk.remote.ask("/words")["text"])
            self.read(self.desk.remote.ask())
            cards = describe_table_cards(self.desk.view.get("cards"))
            return "\n\n".join(filter(None, (table, cards, self.tell_news(), self.tell_question())))

    def read(self, view: Json) -> None:
        """Take a view as the one that the next answer refers to."""
        self.desk.view = self.desk.seen = view
        self.desk.shares.send_share(view)
        self.desk.shares.save_game(view)

    def tell_news(self) -> str:
        """Return the log since the last time. A line that has grown is told again."""
        log = self.desk.view["log"]
        lines = [f"{'  ' * line['indent']}- {line['text']}" for line in log if line["n"] >= self.heard]
        self.heard = log[-1]["n"] + 1 if log else 0
        return "\n".join((messages.NEWS, *lines)) if lines else messages.NO_NEWS

    def tell_question(self) -> str:
        """Return the numbered actions, the player that the table waits for, or the result."""
        view, answers = self.desk.view, self.desk.answers()
        if view["over"]:
            return messages.OVER.format(text=view["over"]["text"])
        if not answers:
            return messages.WAITING.format(prompt=view["prompt"])
        prompt = view["decision"]["text"] if view["decision"] else view["prompt"]
        lines = [
            messages.ACTION.format(number=number, text=answer.text, id=answer.id)
            for number, answer in enumerate(answers, 1)
        ]
        return "\n".join((messages.YOUR_TURN.format(prompt=prompt), *lines))

    def wait(self, seconds: float) -> str:
        """Return the table once the seat is asked or the game is over, or after a time. Raises ServerError and
        ServerAwayError."""
        until = time.monotonic() + seconds
        with reading_answers(), closing(self.desk.remote.views()) as views:
            for view in views:
                if view is not None and "company" not in view:
                    self.read(view)
                    if self.desk.answers() or not has_more(view):
                        break
                # A heartbeat every few seconds ends the wait at the latest. A time that is no number ends it at once.
                if not time.monotonic() < until:
                    break
        return self.look()

    async def act(self, choice: str) -> None:
        """Take an action by its number or its notation. Raises ServerError, NotationError."""
        with reading_answers():
            answers = self.desk.answers() if self.desk.seen else []
            if not answers:
                over = self.desk.seen and self.desk.seen["over"]
                raise ServerError(GAME_OVER if over else NO_DECISION)
            if refused := await self.desk.act(find_notation(choice.strip(), answers)):
                raise ServerError(refused)

    def resign(self) -> str:
        """Resign, and return the table. Raises ServerError and ServerAwayError."""
        self.desk.remote.ask("/resignation", {})
        return self.look()
