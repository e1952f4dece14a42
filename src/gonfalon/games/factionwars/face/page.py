"""The page of Faction Wars for browsers, terminals and programs. All of it is computed from a masked state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, cast

from gonfalon.core.rules.page import Page, Shown
from gonfalon.core.rules.state import State
from gonfalon.core.text.sheet import Sheet, Still
from gonfalon.games.factionwars import box
from gonfalon.games.factionwars.face.armies import score_parts
from gonfalon.games.factionwars.face.board import Board, build_board
from gonfalon.games.factionwars.face.cards import CatalogueCard, Printed, build_printed, list_abilities, list_copies
from gonfalon.games.factionwars.face.controls import Controls, build_controls
from gonfalon.games.factionwars.face.film import build_stills
from gonfalon.games.factionwars.face.moment_words import describe_moment
from gonfalon.games.factionwars.face.sheet import build_sheet
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules import moments
from gonfalon.games.factionwars.rules.state import as_faction_state

MOMENT_SECONDS: Final[Mapping[str, float]] = {
    moments.FLAGS: 1.2,
    moments.CLAIMED: 0.9,
    moments.BATTLE: 0.7,
    moments.CARDS: 1.8,
    moments.WON: 1.5,
    moments.LOST: 1.5,
    moments.EFFECT: 1.3,
    moments.ROUND: 2.5,
}
"""A round with a battle of three and a tie takes about nine seconds."""


class FactionPage(FactionWords, Page):
    """The board, the controls and the cards of Faction Wars."""

    moment_seconds = MOMENT_SECONDS
    counts = "Points"

    def board(self, view: State) -> Board:
        return build_board(self, as_faction_state(view))

    def controls(self, view: State) -> Controls:
        return build_controls(self, as_faction_state(view))

    def chapter(self, view: State) -> str:
        s = as_faction_state(view)
        return f"Round {s.round}" if s.round else ""

    def score(self, view: State) -> list[int]:
        """Return the current points of all seats, with the goals that the viewer knows."""
        s = as_faction_state(view)
        armies = [s.count_owned(seat) for seat in range(self.seats)]
        return [sum(score_parts(self, s, seat, armies)) for seat in range(self.seats)]

    def moment_words(self, view: State, names: list[str]) -> str:
        return describe_moment(self, as_faction_state(view), names)

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        return build_sheet(cast("Board", board), names, width, height)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> list[Still]:
        return build_stills(cast("Board", board), names)

    def card(self, text: str) -> Printed | None:
        # People type names as they remember them: with spaces or hyphens, without apostrophes and brackets.
        wanted = re.sub(r"[\s-]+", "-", text.strip().lower().replace("'", "").replace("(", "").replace(")", ""))
        kind = self.kind_of.get(wanted)
        if kind is None:
            named = [k for k, entry in enumerate(self.entries) if entry["name"].lower() == text.strip().lower()]
            kind = named[0] if named else None
        return None if kind is None else build_printed(self, kind)

    def guide_tables(self) -> dict[str, list[list[str]]]:
        return {"abilities": list_abilities(self), "every card": list_copies(self, type(self)(revision="later"))}

    def catalogue(self) -> list[CatalogueCard]:
        arms: dict[str, CatalogueCard] = {
            f["slug"]: {"faction_name": f["name"], "colour": f["colour"]} for f in self.box.factions
        }
        cards = (build_printed(self, kind) for kind in range(len(self.entries)))
        return [{**card, **arms.get(card.get("faction") or "", {})} for card in cards]

    @classmethod
    def lobby(cls) -> Shown:
        keys = ("slug", "name", "colour", "glyph", "pattern", "style")
        return {"factions": [{key: faction.get(key, "") for key in keys} for faction in box.read_box(None).factions]}
