"""The `Page` of Feint for pages, terminals and programs, computed from masked states only."""

from __future__ import annotations

from typing import TypedDict, cast

from gonfalon.core.rules.page import Arms, Page, Round, Shown
from gonfalon.core.rules.state import Seat, State
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.feint import box
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.face.board import Board, build_board
from gonfalon.games.feint.face.cards import (
    CatalogueCard,
    PrintedCard,
    build_catalogue_card,
    build_guide_row,
    build_printed_card,
)
from gonfalon.games.feint.face.controls import Controls, build_controls
from gonfalon.games.feint.face.film import build_stills
from gonfalon.games.feint.face.resolution import build_resolution
from gonfalon.games.feint.face.sheet import draw_sheet
from gonfalon.games.feint.face.words import FeintWords
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.setup import as_feint


class Lobby(TypedDict):
    """The factions that players choose from before a game."""

    factions: list[dict[str, str]]


class FeintPage(FeintWords, Page):
    """The board, the controls and the cards of Feint."""

    counts = "Morale"
    rounds_count = "Strategy Rating of each round"

    def board(self, view: State) -> Board:
        return build_board(self, as_feint(view))

    def controls(self, view: State) -> Controls:
        return build_controls(self, as_feint(view))

    def moment_words(self, view: State, names: list[str]) -> str:
        s = as_feint(view)
        fought = build_resolution(s)
        if fought is None:
            return ""
        winner, loser = fought["winner"], fought["loser"]
        won, lost = fought["sums"][winner]["total"], fought["sums"][loser]["total"]
        sentences = [
            messages.ROUND_WON.format(name=names[winner], number=fought["round"], won=won, lost=lost),
            "" if fought["battles"] else messages.NO_BATTLE,
            messages.ROUND_TIED if fought["tie"] else "",
            messages.MORALE_LOST.format(name=names[loser], morale=fought["lost"]),
        ]
        return " ".join(filter(None, sentences))

    def arms(self, seat: Seat) -> Arms:
        faction = self.box.factions[self.setup.factions[seat]]
        return {"colour": faction["colour"], "pattern": faction["pattern"], "glyph": faction["glyph"]}

    def chapter(self, view: State) -> str:
        s = as_feint(view)
        return f"Round {min(s.round, s.end - 1)}" if s.round else ""

    def score(self, view: State) -> list[int]:
        return as_feint(view).morale[:]

    def rounds(self, view: State) -> list[Round]:
        found: list[Round] = []
        totals = [0, 0]
        for code, _, seat, _, a, _ in view.log or []:
            if code == ev.TOTAL:
                totals[seat] = a
            elif code == ev.WON:
                found.append({"name": str(len(found) + 1), "values": totals[:], "winner": seat})
        return found

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        return draw_sheet(cast("Board", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        return build_stills(cast("Board", board), cast("Board | None", before), names)

    def touches(self, notation: str) -> tuple[str, ...]:
        """Return a card and the Location that it is played to."""
        card, at, place = notation.partition("@")
        return (card, at + place) if card and at else (notation,)

    def card(self, text: str) -> PrintedCard | None:
        kind = self.kind_of.get(text.strip().lower().replace(" ", "-"))
        return build_printed_card(self, kind) if kind else None

    def all_cards(self) -> list[CatalogueCard]:
        return [build_catalogue_card(self, kind) for kind in self.setup.kinds if kind.faction in self.setup.factions]

    def catalogue(self) -> list[CatalogueCard]:
        return [build_catalogue_card(self, kind) for kind in self.setup.kinds]

    def guide_tables(self) -> dict[str, list[list[str]]]:
        """Return a table of the cards of each faction."""
        head = ["Card", "n", "Str", "Mor", "When", "What it does", "Rulings"]
        return {
            f"cards of {faction['slug']}": [
                head,
                *(build_guide_row(self, kind) for kind in self.kind_of.values() if kind.faction == number),
            ]
            for number, faction in enumerate(self.box.factions)
        }

    @classmethod
    def lobby(cls) -> Lobby:
        keys = ("slug", "name", "colour", "glyph", "pattern", "style")
        return {
            "factions": [{key: str(faction.get(key, "")) for key in keys} for faction in box.read_box(None).factions]
        }
