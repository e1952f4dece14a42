"""A battle in stills: the cards meet, then what each is worth. How it ends is the moment itself."""

from __future__ import annotations

from gonfalon.core.text.sheet import Still
from gonfalon.games.jinkei.face.board import Board
from gonfalon.games.jinkei.face.duel import Duel, Fighter


def film(board: Board, names: list[str]) -> list[Still]:
    """The stills before the verdict; none at any other time."""
    duel = board["duel"]
    if board["phase"] != "duel" or not duel or not duel["lead"] or not duel["answer"]:
        return []
    battles = [None if n == duel["number"] - 1 else winner for n, winner in enumerate(board["battles"])]
    sides = [duel["lead"], duel["answer"]]
    bare: list[Fighter] = [{**one, "sum": ""} for one in sides]
    return [
        Still(undecided({**board, "battles": battles}, duel, *bare), 0.5, "The cards meet."),
        Still(undecided({**board, "battles": battles}, duel, *sides), 0.5, worth_words(sides, names)),
    ]


def undecided(board: Board, duel: Duel, lead: Fighter, answer: Fighter) -> Board:
    """The board while nobody knows who wins."""
    return {**board, "duel": {"number": duel["number"], "lead": lead, "answer": answer, "winner": None}}


def worth_words(sides: list[Fighter], names: list[str]) -> str:
    """`You 9+1 = 10, Ada 9.`"""
    return ", ".join(f"{names[one['seat']]} {one['sum']}" for one in sides) + "."
