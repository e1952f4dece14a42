"""Stills of a moment: flags land, and in a battle the cards are turned one by one. The result is the moment itself."""

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import Still
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.board import Board
from gonfalon.games.factionwars.face.scenes import Lane, Scene, Turned
from gonfalon.games.factionwars.rules import moments

TURN_SECONDS: Final = 0.35
"""The time between two cards."""


def build_stills(board: Board, names: list[str]) -> list[Still]:
    """Return the stills of a moment; none if it has no parts."""
    if board["phase"] == moments.FLAGS:
        covered: Board = {**board, "lineup": [{**place, "selected_by": []} for place in board["lineup"]]}
        return [Still(covered, 0.5, messages.ALL_HAVE_CHOSEN)]
    if board["phase"] != moments.CARDS or not board["scenes"]:
        return []
    *earlier, scene = board["scenes"]
    reveal = len(scene["reveals"])
    turned = [card for lane in scene["lanes"] for card in lane["cards"] if card["reveal"] == reveal]
    turned.sort(key=lambda card: card["order"])
    # Symbols are shown together, as rock, paper, scissors is played.
    together = any(card["card"].get("symbol") for card in turned)
    stills: list[Still] = []
    for count in [len(turned)] if together else range(1, len(turned) + 1):
        shown: Board = {**board, "scenes": [*earlier, hide_result(scene, reveal, count)]}
        stills.append(
            Still(shown, TURN_SECONDS, describe_turned(turned if together else turned[count - 1 : count], names))
        )
    return stills


def hide_result(scene: Scene, reveal: int, count: int) -> Scene:
    """Return a battle with the first `count` cards of its latest reveal, and without its result."""
    return {**scene, "winner": None, "lost": None, "lanes": [cut_lane(lane, reveal, count) for lane in scene["lanes"]]}


def cut_lane(lane: Lane, reveal: int, count: int) -> Lane:
    """Return a fighter's row with the first `count` cards of a reveal. A fighter that was out before stays out."""
    cards = [card for card in lane["cards"] if card["reveal"] < reveal or card["order"] <= count]
    fights = any(card["reveal"] == reveal for card in lane["cards"])
    shown: Lane = {**lane, "cards": cards, "won": False}
    return {**shown, "verdict": "", "out": False} if fights else shown


def describe_turned(turned: list[Turned], names: list[str]) -> str:
    """Return a sentence that names the turned cards and their owners."""
    return ", ".join(f"{names[one['seat']]}: {one['card'].get('name', '')}" for one in turned) + "."
