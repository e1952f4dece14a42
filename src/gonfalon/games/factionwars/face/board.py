"""The board of Faction Wars: the model that its template, its sheet and the API read, and its builders."""

from __future__ import annotations

from typing import TypedDict

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.page import GameEnd, find_end
from gonfalon.core.rules.state import Seat
from gonfalon.games.factionwars.face import messages
from gonfalon.games.factionwars.face.armies import FinalScore, SeatBoard, Worth, build_final, build_seat, build_worth
from gonfalon.games.factionwars.face.cards import Counted, Face, build_face, count_cards
from gonfalon.games.factionwars.face.scenes import Scene, build_scenes, find_revealed_picks
from gonfalon.games.factionwars.face.words import FactionWords
from gonfalon.games.factionwars.rules.actions import TAKE
from gonfalon.games.factionwars.rules.state import FactionState


class Place(TypedDict):
    """A place of the line-up with its card; `was` is the card that it had before it was resolved."""

    place: int
    id: str
    card: Face | None
    was: Face | None
    gone: bool
    taken_by: Seat | None
    selected_by: list[Seat]
    worth: Worth | None


class Deck(TypedDict):
    """The recruit deck and its discard pile."""

    count: int
    discard_count: int
    discard: list[Counted]
    depleted: int
    depletions: int


class Board(TypedDict):
    """The whole table as one viewer sees it."""

    viewer: int
    me: Seat | None
    players: int
    reconstructed: bool
    round: int
    last_round: bool
    last_why: str | None
    phase: str
    my_pick: int | None
    lineup: list[Place]
    resolving: int | None
    table: list[Face]
    deck: Deck
    bonus: list[Face]
    factions: list[dict[str, str]]
    seats: list[SeatBoard]
    scenes: list[Scene]
    final: list[FinalScore] | None
    outcome: GameEnd | None


def build_board(game: FactionWords, s: FactionState) -> Board:
    """Return the board of a view."""
    me = s.viewer if s.viewer >= 0 else None
    armies = [s.count_owned(seat) for seat in range(game.seats)]
    return {
        "viewer": s.viewer,
        "me": me,
        "players": game.seats,
        "reconstructed": game.later,
        "round": s.round,
        "last_round": s.last >= 0,
        "last_why": messages.WHY_LAST[s.last] if s.last >= 0 else None,
        "phase": s.moment or (s.stack[-1].prompt if s.stack else "over"),
        "my_pick": find_own_pick(s),
        "lineup": build_lineup(game, s, me, armies),
        "resolving": s.place + 1 if s.place >= 0 and not s.over else None,
        "table": [build_face(game, card) for card in s.table],
        "deck": {
            "count": len(s.deck),
            "discard_count": len(s.discard),
            "discard": count_cards(game, s.discard),
            "depleted": s.depleted,
            "depletions": game.setup.depletions,
        },
        "bonus": [build_face(game, card) for card in s.bonus],
        "factions": [
            {key: faction.get(key, "") for key in ("slug", "name", "colour", "pattern")}
            for faction in game.box.factions
        ],
        "seats": [build_seat(game, s, seat, armies) for seat in range(game.seats)],
        "scenes": build_scenes(game, s),
        "final": build_final(game, s, armies) if s.winners else None,
        "outcome": find_end(s),
    }


def build_lineup(game: FactionWords, view: FactionState, me: Seat | None, armies: list[list[int]]) -> list[Place]:
    """Return the places of the line-up: the card, the seats that selected it (once revealed), its worth to the
    viewer."""
    places = view.list_places()
    lay = {pick["place"]: pick["card"] for pick in find_revealed_picks(game, view)} if view.claims else {}
    taken = {scene["place"]: scene["winner"] for scene in build_scenes(game, view)} if view.claims else {}
    shown: list[Place] = []
    for place in range(game.setup.size):
        card = view.lineup[places.index(place)] if place in places else None
        shown.append(
            {
                "place": place + 1,
                "id": game.notation(TAKE + place),
                "card": None if card is None else build_face(game, card),
                "was": lay.get(place + 1) if card is None else None,
                "gone": place in view.list_gone_places(),
                "taken_by": taken.get(place + 1),
                "selected_by": [seat for seat in range(game.seats) if view.picks[seat] == place],
                "worth": build_worth(game, view, me, card & KIND, armies)
                if me is not None and card is not None
                else None,
            }
        )
    return shown


def find_own_pick(view: FactionState) -> int | None:
    """Return the place that the viewer has selected while other seats still choose, counted from 1, or None."""
    if view.viewer < 0 or view.moment or not view.stack or view.stack[-1] is not view.setup.select:
        return None
    answer = view.answers[view.viewer]
    return answer[0] - TAKE + 1 if answer else None
