"""A battle as a sequence of stills: the cards meet, then their ranks appear. The result is the moment that follows."""

from __future__ import annotations

from gonfalon.core.text.sheet import Still
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.board import Board
from gonfalon.games.jinkei.face.duel import Duel, Fighter


def build_stills(board: Board, names: list[str]) -> list[Still]:
    """Return the stills before the result of a battle; an empty list at other times."""
    duel = board["duel"]
    if board["phase"] != "duel" or not duel or not duel["lead"] or not duel["answer"]:
        return []
    battles = [None if n == duel["number"] - 1 else winner for n, winner in enumerate(board["battles"])]
    sides = [duel["lead"], duel["answer"]]
    bare: list[Fighter] = [{**one, "sum": ""} for one in sides]
    return [
        Still(hide_winner({**board, "battles": battles}, duel, *bare), 0.5, messages.CARDS_MEET),
        Still(hide_winner({**board, "battles": battles}, duel, *sides), 0.5, format_worths(sides, names)),
    ]


def hide_winner(board: Board, duel: Duel, lead: Fighter, answer: Fighter) -> Board:
    """Return the board before the winner of its battle is shown."""
    return {**board, "duel": {"number": duel["number"], "lead": lead, "answer": answer, "winner": None}}


def format_worths(sides: list[Fighter], names: list[str]) -> str:
    """Return the ranks of both cards: `You 9+1 = 10, Ada 9.`"""
    first, second = (messages.STILL_RANK.format(name=names[one["seat"]], sum=one["sum"]) for one in sides)
    return messages.STILL_RANKS.format(first=first, second=second)
