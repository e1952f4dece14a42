"""The board, controls and cards of Generals for pages, terminals and programs, computed from a masked state."""

from __future__ import annotations

from typing import cast

from gonfalon.core.basics.decks import Decks
from gonfalon.core.rules.page import Arms, Page, Shown
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.generals.cards.decks import GeneralsDecks
from gonfalon.games.generals.cards.pool import TYPES
from gonfalon.games.generals.face import drafts
from gonfalon.games.generals.face.board import Banner, Board, build_banner, build_board
from gonfalon.games.generals.face.cards import Printed, printed_card
from gonfalon.games.generals.face.controls import Controls, build_controls
from gonfalon.games.generals.face.film import StagedBoard, build_film
from gonfalon.games.generals.face.sheet import draw_sheet
from gonfalon.games.generals.face.words import GeneralsWords
from gonfalon.games.generals.ruleset import as_generals_state, compile_standard


class GeneralsPage(GeneralsWords, Page):
    """The board, the controls and the cards of Generals."""

    counts = "RESOURCE"

    def board(self, view: State) -> Board:
        return build_board(self, as_generals_state(view))

    def controls(self, view: State) -> Controls:
        return build_controls(self, as_generals_state(view))

    def arms(self, seat: Seat) -> Arms:
        faction = self.pool.faction(self.announced[seat].factions[0])
        return {"colour": faction.colour, "pattern": faction.pattern, "glyph": faction.glyph}

    def chapter(self, view: State) -> str:
        s = as_generals_state(view)
        return f"Turn {s.number}" if s.number else ""

    def score(self, view: State) -> list[int]:
        return [len(deck) for deck in as_generals_state(view).deck]

    def arranged(self, view: State, actions: list[Action]) -> list[Action]:
        return drafts.arrange_actions(as_generals_state(view), actions)

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        return draw_sheet(cast("StagedBoard", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        return build_film(cast("Board", board), cast("Board | None", before), names)

    def card(self, text: str) -> Printed | None:
        card = self.pool.find(text)
        return printed_card(self, card.kind) if card is not None else None

    def catalogue(self) -> list[Printed]:
        order = sorted(self.pool.cards, key=lambda card: (TYPES.index(card.type), card.kind))
        return [printed_card(self, card.kind) for card in order]

    @classmethod
    def lobby(cls) -> dict[str, list[Banner]]:
        """Return the banners of the factions, which the page of a new table needs beside the decks."""
        return {
            "banners": [
                {**build_banner(faction), "style": faction.style} for faction in compile_standard().pool.factions
            ]
        }

    def decks(self) -> Decks:
        return GeneralsDecks(self.pool, self.options["qun_counts"])
