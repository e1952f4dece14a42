"""Moments in stills: the flags land, and in a battle card after card is turned. What comes of it is the moment
itself."""

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import Still
from gonfalon.games.factionwars.face.board import Board
from gonfalon.games.factionwars.face.scenes import Lane, Scene, Turned
from gonfalon.games.factionwars.rules import moments

TURNS: Final = 0.35
"""Seconds from a card to the next."""


def film(board: Board, names: list[str]) -> list[Still]:
    """The stills of a moment; none where it has no parts."""
    if board["phase"] == moments.FLAGS:
        covered: Board = {**board, "lineup": [{**place, "selected_by": []} for place in board["lineup"]]}
        return [Still(covered, 0.5, "All have chosen.")]
    if board["phase"] != moments.CARDS or not board["scenes"]:
        return []
    *earlier, scene = board["scenes"]
    reveal = len(scene["reveals"])
    turned = [card for lane in scene["lanes"] for card in lane["cards"] if card["reveal"] == reveal]
    turned.sort(key=lambda card: card["order"])
    together = any(card["card"].get("symbol") for card in turned)
    stills: list[Still] = []
    for count in [len(turned)] if together else range(1, len(turned) + 1):
        shown: Board = {**board, "scenes": [*earlier, undecided(scene, reveal, count)]}
        stills.append(Still(shown, TURNS, turn_words(turned if together else turned[count - 1 : count], names)))
    return stills


def undecided(scene: Scene, reveal: int, count: int) -> Scene:
    """A battle with so many cards of its latest reveal, before it is said how they stand."""
    return {**scene, "winner": None, "lost": None, "lanes": [lane_at(lane, reveal, count) for lane in scene["lanes"]]}


def lane_at(lane: Lane, reveal: int, count: int) -> Lane:
    """A fighter's row; whoever was out before this reveal stays out."""
    cards = [card for card in lane["cards"] if card["reveal"] < reveal or card["order"] <= count]
    fights = any(card["reveal"] == reveal for card in lane["cards"])
    shown: Lane = {**lane, "cards": cards, "won": False}
    return {**shown, "verdict": "", "out": False} if fights else shown


def turn_words(turned: list[Turned], names: list[str]) -> str:
    """Whose card is turned, and which."""
    return ", ".join(f"{names[one['seat']]}: {one['card'].get('name', '')}" for one in turned) + "."
