"""The Resolution as a sequence of stills: Location Cards, battles, cards turned up, sums.

The result is not among them: it is the moment that follows.
"""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# pyright does not narrow Face | Back by the key `back`; mypy does.

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.core.text.sheet import Still
from gonfalon.games.feint.face import messages
from gonfalon.games.feint.face.board import Back, Board, Face, Place, SeatPanel, Side
from gonfalon.games.feint.face.resolution import Resolution, Sum
from gonfalon.games.feint.face.words import format_locations
from gonfalon.games.feint.rules.state import FACE_DOWN


def build_stills(board: Board, before: Board | None, names: list[str]) -> list[Still]:
    """Return the stills before the result of a Resolution; an empty list at other times."""
    fought = board["resolution"]
    if board["phase"] != "resolution" or fought is None:
        return []
    scouted = [seat["location"]["number"] for seat in board["seats"]]
    seats = [restore_seat(seat, fought, find_earlier_seat(board, before, n)) for n, seat in enumerate(board["seats"])]
    won = [None if n == fought["round"] - 1 else winner for n, winner in enumerate(board["won"])]
    down: Board = {
        **board,
        "phase": "deployment",
        "won": won,
        "seats": [veil_location(seat, board["me"] == n) for n, seat in enumerate(seats)],
        "places": [{**turn_place_down(place, board["me"]), "battle": None} for place in board["places"]],
    }
    opened: Board = {**down, "seats": seats, "places": [mark_battles(place, scouted) for place in down["places"]]}
    turned: Board = {**opened, "places": [mark_battles(place, fought["battles"]) for place in board["places"]]}
    revealed = format_locations(scouted, names)
    first, second = (format_sum(one, names) for one in fought["sums"])
    return [
        Still(down, 0.6, messages.ROUND_OVER, [revealed]),
        Still(opened, 0.9, revealed, [revealed]),
        Still(turned, 0.7, messages.ALL_TURNED_UP, [revealed]),
        Still(turned, 0.9, messages.STILL_SUMS.format(first=first, second=second), [revealed]),
    ]


def find_earlier_seat(board: Board, before: Board | None, seat: int) -> SeatPanel | None:
    """Return a seat of the previous board; None if that board is not of this round's Deployment."""
    same = before is not None and before["round"] == board["round"] and before["phase"] == "deployment"
    return before["seats"][seat] if before is not None and same else None


def restore_seat(seat: SeatPanel, fought: Resolution, was: SeatPanel | None) -> SeatPanel:
    """Return a seat with the points and Morale that it had before the result of the round."""
    lost = fought["lost"] if seat["seat"] == fought["loser"] else 0
    points = seat["vp"] - (seat["seat"] == fought["winner"])
    morale = seat["morale"] + lost if was is None else was["morale"]
    return {**seat, "vp": points, "morale": morale}


def veil_location(seat: SeatPanel, own: bool) -> SeatPanel:
    """Return a seat with its Location Card still face down. The viewer's own number stays visible."""
    number = seat["location"]["number"] if own else None
    return {**seat, "location": {**seat["location"], "number": number, "revealed": False}}


def turn_place_down(place: Place, me: int | None) -> Place:
    """Return a Location with the cards face down that the Resolution turned up."""
    sides = [turn_side_down(side, place["number"], seat == me) for seat, side in enumerate(place["sides"])]
    turned = [card for side in place["sides"] for card in side["cards"] if not card["back"] and card["turned"]]
    # Before they were turned up these cards counted 3 each (ruling 19).
    load = place["load"] + sum(FACE_DOWN - card["strength"] for card in turned)
    return {**place, "sides": sides, "load": load, "closed": load > place["capacity"]}


def turn_side_down(side: Side, number: int, own: bool) -> Side:
    """Return a side of a Location before its cards were turned up. The viewer's own cards stay visible."""
    cards = [turn_card_down(card, own) for card in side["cards"]]
    strength = sum(card["strength"] for card in cards if not card["back"])
    hidden = sum(card["back"] for card in cards)
    return {"cards": cards, "strength": strength, "hidden": hidden, "rating": strength * number}


def turn_card_down(card: Face | Back, own: bool) -> Face | Back:
    """Return a card as it was before the Resolution."""
    if card["back"] or not card["turned"]:
        return card
    if own:
        face = card.copy()
        face["down"], face["turned"], face["weight"] = True, False, FACE_DOWN
        return face
    return {"back": True, "id": "", "owner": card["owner"], "down": True, "weight": FACE_DOWN}


def mark_battles(place: Place, numbers: Sequence[int | None]) -> Place:
    """Return a Location, marked as a battle if its number is among the given ones."""
    return {**place, "battle": True if place["number"] in numbers else None}


def format_sum(one: Sum, names: list[str]) -> str:
    """Return a Strategy Rating as a sum: `You 5×3 + 2×4 = 23`."""
    parts = " + ".join(f"{part['strength']}×{part['number']}" for part in one["parts"])
    name, total = names[one["seat"]], one["total"]
    if not parts:
        return messages.STILL_TOTAL.format(name=name, total=total)
    return messages.STILL_SUM.format(name=name, parts=parts, total=total)
