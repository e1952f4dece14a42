"""The Resolution in stills: the Location Cards, the battles, the cards that are turned up, the sums. How it ends is the
moment itself."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.core.text.english import of, several, verb
from gonfalon.core.text.sheet import Still
from gonfalon.games.feint.face.board import Back, Board, Face, Place, SeatPanel, Side
from gonfalon.games.feint.face.resolution import Resolution, Sum
from gonfalon.games.feint.rules.state import FACE_DOWN


def film(board: Board, before: Board | None, names: list[str]) -> list[Still]:
    """The stills before the verdict; none at any other time."""
    fought = board["resolution"]
    if board["phase"] != "resolution" or fought is None:
        return []
    scouted = [seat["location"]["number"] for seat in board["seats"]]
    seats = [seat_before(seat, fought, earlier(board, before, n)) for n, seat in enumerate(board["seats"])]
    won = [None if n == fought["round"] - 1 else winner for n, winner in enumerate(board["won"])]
    down: Board = {
        **board,
        "phase": "deployment",
        "won": won,
        "seats": [veiled(seat, board["me"] == n) for n, seat in enumerate(seats)],
        "places": [{**place_down(place, board["me"]), "battle": None} for place in board["places"]],
    }
    opened: Board = {**down, "seats": seats, "places": [battles(place, scouted) for place in down["places"]]}
    turned: Board = {**opened, "places": [battles(place, fought["battles"]) for place in board["places"]]}
    where = [f"{verb(name, 'have')} Location {number}" for name, number in zip(names, scouted, strict=True)]
    ahead = [f"{of(name)} Location Card is {number}." for name, number in zip(names, scouted, strict=True)]
    return [
        Still(down, 0.6, "The round is over. The Location Cards are turned.", ahead),
        Still(opened, 0.9, f"{several(where)}.", ahead),
        Still(turned, 0.7, "All cards are turned up.", ahead),
        Still(turned, 0.9, f"{'; '.join(sum_words(one, names) for one in fought['sums'])}.", ahead),
    ]


def earlier(board: Board, before: Board | None, seat: int) -> SeatPanel | None:
    """A seat as it was seen last in this round."""
    same = before is not None and before["round"] == board["round"] and before["phase"] == "deployment"
    return before["seats"][seat] if before is not None and same else None


def seat_before(seat: SeatPanel, fought: Resolution, was: SeatPanel | None) -> SeatPanel:
    """A seat before its round was won or lost."""
    lost = fought["lost"] if seat["seat"] == fought["loser"] else 0
    points = seat["vp"] - (seat["seat"] == fought["winner"])
    morale = seat["morale"] + lost if was is None else was["morale"]
    return {**seat, "vp": points, "morale": morale}


def veiled(seat: SeatPanel, own: bool) -> SeatPanel:
    """A seat before its Location Card was turned; one's own is known."""
    number = seat["location"]["number"] if own else None
    return {**seat, "location": {**seat["location"], "number": number, "revealed": False}}


def place_down(place: Place, me: int | None) -> Place:
    """A Location before its cards were turned up."""
    sides = [side_down(side, place["number"], seat == me) for seat, side in enumerate(place["sides"])]
    turned = [card for side in place["sides"] for card in side["cards"] if not card["back"] and card["turned"]]
    load = place["load"] + sum(FACE_DOWN - card["strength"] for card in turned)
    return {**place, "sides": sides, "load": load, "closed": load > place["capacity"]}


def side_down(side: Side, number: int, own: bool) -> Side:
    """A seat's cards at a Location before they were turned up: one's own are known."""
    cards = [card_down(card, own) for card in side["cards"]]
    strength = sum(card["strength"] for card in cards if not card["back"])
    hidden = sum(card["back"] for card in cards)
    return {"cards": cards, "strength": strength, "hidden": hidden, "rating": strength * number}


def card_down(card: Face | Back, own: bool) -> Face | Back:
    """A card as it was before the Resolution."""
    if card["back"] or not card["turned"]:
        return card
    if own:
        face = card.copy()
        face["down"], face["turned"], face["weight"] = True, False, FACE_DOWN
        return face
    return {"back": True, "id": "", "owner": card["owner"], "down": True, "weight": FACE_DOWN}


def battles(place: Place, numbers: Sequence[int | None]) -> Place:
    """A Location, marked where it is one of the Battle Locations."""
    return {**place, "battle": True if place["number"] in numbers else None}


def sum_words(one: Sum, names: list[str]) -> str:
    """`You 5×3 + 2×4 = 23`."""
    parts = " + ".join(f"{part['strength']}×{part['number']}" for part in one["parts"])
    return f"{names[one['seat']]} {parts} = {one['total']}" if parts else f"{names[one['seat']]} {one['total']}"
