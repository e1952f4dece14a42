"""Melees and Sieges as stills with the generals that fight and those that fall."""

from __future__ import annotations

from gonfalon.core.text.english import many
from gonfalon.core.text.sheet import Still
from gonfalon.games.generals.face import messages
from gonfalon.games.generals.face.board import Board
from gonfalon.games.generals.face.fights import Fight


class StagedBoard(Board, total=False):
    """A board in a still, with the generals that fight and those that are beaten."""

    fighting: list[str]
    beaten: list[str]


def build_film(board: Board, before: Board | None, names: list[str]) -> list[Still]:
    """Return the fights since the board `before`, drawn on that board."""
    # On a shared device the board before can be that of another player.
    if before is None or before["viewer"] != board["viewer"]:
        return []
    # The place in the log identifies fights that the board before has shown already.
    last = max((fight["n"] for fight in before["fights"]), default=-1)
    stills: list[Still] = []
    for fight in board["fights"]:
        if fight["n"] > last:
            stills += show_melee(fight, before) if len(fight["units"]) > 1 else [show_siege(fight, before, names)]
    return stills


def show_melee(fight: Fight, board: Board) -> list[Still]:
    """Return the stills of a melee: both generals with their Might, then the winner."""
    (one, other), (x, y) = fight["names"], fight["score"]
    # The board before still shows the attack as declared, so the act is removed.
    met: StagedBoard = {**board, "act": None, "fighting": fight["units"], "beaten": []}
    done: StagedBoard = {**met, "beaten": fight["beaten"]}
    begins = messages.STILL_MELEE.format(attacker=one, defender=other, might=x, other=y)
    ends = messages.MELEE_TIED.format(attacker=x, defender=y)
    if x != y:
        ends = messages.STILL_WON.format(attacker=x, defender=y, general=one if x > y else other)
    return [Still(met, 0.8, begins), Still(done, 0.7, ends)]


def show_siege(fight: Fight, board: Board, names: list[str]) -> Still:
    """Return the still of a Siege, with the RESOURCE that it depletes."""
    shown: StagedBoard = {**board, "act": None, "fighting": fight["units"], "beaten": []}
    doer, foe = names[fight["seat"]], names[1 - fight["seat"]]
    loses = messages.DEPLETED.format(name=foe, cards=many(fight["score"][0], "card"))
    return Still(shown, 0.9, f"{messages.LAYS_SIEGE.format(name=doer, general=fight['names'][0])} {loses}")
