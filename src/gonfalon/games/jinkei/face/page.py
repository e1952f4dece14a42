"""The `Page` of Jinkei for pages, terminals and programs, computed from masked states only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, cast

from gonfalon.core.rules.page import Arms, Page, Round, Shown
from gonfalon.core.rules.state import OPEN, Seat, State
from gonfalon.core.text.english import inside
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.board import FIGHTING, PATTERNS, Board, build_board, find_phase
from gonfalon.games.jinkei.face.cards import Printed, build_printed_card
from gonfalon.games.jinkei.face.controls import Controls, build_controls
from gonfalon.games.jinkei.face.duel import explain_battle, find_taken_cards
from gonfalon.games.jinkei.face.film import build_stills
from gonfalon.games.jinkei.face.sheet import draw_sheet
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules import events as ev
from gonfalon.games.jinkei.rules.state import TIE, as_jinkei


class JinkeiPage(JinkeiWords, Page):
    """The board, the controls and the cards of Jinkei."""

    moment_seconds: ClassVar[Mapping[str, float]] = {"duel": 1.2}
    counts = "Points"
    rounds_count = "points of each round"
    moment_lasts: ClassVar[str] = "duel"

    def board(self, view: State) -> Board:
        return build_board(self, as_jinkei(view))

    def controls(self, view: State) -> Controls:
        return build_controls(self, as_jinkei(view))

    def arms(self, seat: Seat) -> Arms:
        return {"colour": self.seat_names()[seat].lower(), "pattern": PATTERNS[seat], "glyph": "gonfalon"}

    def chapter(self, view: State) -> str:
        s = as_jinkei(view)
        game = f"Game {s.game}, round" if s.setup.games > 1 else "Round"
        return f"{game} {s.round}" if s.round else ""

    def score(self, view: State) -> list[int]:
        """Return the points of all seats. Cards taken in the current round count in the open view only (ruling 30)."""
        s = as_jinkei(view)
        if s.winner >= 0:
            return s.totals[:]
        on = s.viewer == OPEN and find_phase(s) in FIGHTING
        now = [sum(s.setup.points_of[card] for card in find_taken_cards(s, seat)) if on else 0 for seat in (0, 1)]
        return [s.totals[seat] + sum(s.scored[seat]) + now[seat] for seat in (0, 1)]

    def rounds(self, view: State) -> list[Round]:
        points: dict[str, list[int]] = {}
        game = 0
        for code, _, seat, _, a, b in view.log or []:
            game += code == ev.GAME
            if code == ev.SCORED:
                points.setdefault(f"{game}.{a}" if self.setup.games > 1 else str(a), [0, 0])[seat] = b
        return [
            {"name": name, "values": [black, white], "winner": None if black == white else int(white > black)}
            for name, (black, white) in points.items()
        ]

    def moment_words(self, view: State, names: list[str]) -> str:
        s = as_jinkei(view)
        if s.moment == "round":
            first, second = (inside(name) for name in names)
            points, other = (scored[-1] for scored in s.scored)
            return messages.ROUND_OVER.format(number=s.round, first=first, points=points, second=second, other=other)
        battle, winner = explain_battle(self, s)["sentence"], s.judge()[0]
        if winner == TIE:
            return messages.BATTLE_TIED.format(battle=battle)
        return messages.BATTLE_WON.format(battle=battle, name=names[winner])

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        return draw_sheet(cast("Board", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        return build_stills(cast("Board", board), names)

    def touches(self, notation: str) -> tuple[str, ...]:
        """Return a card and the space that it is laid on, or a space and the color its card is called."""
        for sign in "-:":
            first, found, second = notation.partition(sign)
            if found and first not in ("advance", "deal", "first", "seed"):
                return first, found + second
        return (notation,)

    def card(self, text: str) -> Printed | None:
        wanted = re.sub(r"[\s-]", "", text.lower())
        return build_printed_card(self, self.names.index(wanted)) if wanted in self.names else None

    def catalogue(self) -> list[Printed]:
        return [build_printed_card(self, kind) for kind in range(len(self.names))]
