"""The board of Jinkei: the model that its template, its sheet and the API read, and its builders."""

from __future__ import annotations

from typing import Final, NotRequired, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.page import GameEnd, find_end, is_due
from gonfalon.core.rules.state import Seat
from gonfalon.games.jinkei.face.cards import Face, build_card
from gonfalon.games.jinkei.face.duel import Duel, build_duel, find_taken_cards
from gonfalon.games.jinkei.face.words import JinkeiWords, name_space
from gonfalon.games.jinkei.rules.actions import FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import SPACES, Formation
from gonfalon.games.jinkei.rules.state import TIE, JinkeiState

PATTERNS: Final = ("bendy", "barry")
"""The patterns of the seats' banners."""
FIGHTING: Final = ("lead", "answer", "advance", "duel")
"""The phases of battles."""


class LaidCard(Face):
    """A card that its owner has laid in secret, with its rank there (`9+1 = 10`) if the space has a bonus."""

    sum: str


class Space(TypedDict):
    """A space of a formation. A formation on the table has `cards`, their `sum`, and the cards `laid` in secret."""

    space: str
    name: str
    row: int
    blank: bool
    reveal: bool
    two: bool
    bonus: int
    wild: bool
    cards: NotRequired[list[Face]]
    sum: NotRequired[str | None]
    laid: NotRequired[list[LaidCard]]


class FormationOf(TypedDict):
    """A formation of a type."""

    name: str
    spaces: list[Space]


class FormationChoice(FormationOf):
    """A formation for this round; `chosen` in secret by the viewer."""

    id: str
    chosen: bool


class Type(TypedDict):
    """A type with its formations, and the seat that has taken it."""

    id: str
    name: str
    taken: Seat | None
    formations: list[FormationOf]


class SeatBoard(TypedDict):
    """A seat's side of the table. `before`: points of earlier games; `score`: points of all finished rounds."""

    seat: Seat
    colour: str
    pattern: str
    type: str | None
    formation: str | None
    spaces: list[Space]
    role: str | None
    row: int
    choices: list[FormationChoice]
    hand: list[Face]
    hand_count: int
    deck_count: int
    taken_count: int
    taken: list[Face]
    scored: list[int]
    before: int
    score: int
    to_act: bool


class Board(TypedDict):
    """The whole table as the viewer may know it."""

    viewer: int
    me: Seat | None
    game: int
    games: int
    round: int
    rounds: int
    phase: str
    starter: Seat
    battles: list[Seat | str | None]
    seats: list[SeatBoard]
    colours: list[str]
    types: list[Type]
    duel: Duel | None
    outcome: GameEnd | None


def build_board(game: JinkeiWords, s: JinkeiState) -> Board:
    """Return the board of a view."""
    asked = find_phase(s)
    fighting = asked in FIGHTING
    return {
        "viewer": s.viewer,
        "me": s.viewer if s.viewer >= 0 else None,
        "game": s.game,
        "games": s.setup.games,
        "round": s.round,
        "rounds": s.setup.rounds,
        "phase": asked,
        "starter": s.starter,
        "battles": [
            None if i >= len(s.battles) else "tie" if s.battles[i] == TIE else s.battles[i] for i in range(s.setup.hand)
        ],
        "seats": [build_seat(game, s, seat, fighting) for seat in (0, 1)],
        "colours": game.box.colours,
        "types": build_types(game, s) if asked == "type" else [],
        "duel": build_duel(game, s),
        "outcome": find_end(s),
    }


def find_phase(view: JinkeiState) -> str:
    """Return the moment, or the prompt of the decision that is due."""
    return view.moment or (view.stack[-1].prompt if view.stack else "over")


def find_offense(view: JinkeiState) -> Seat:
    """Return the seat that leads the current or next battle; at a moment the seat that led the shown one."""
    return view.attacker if view.moment else view.offense()


def build_seat(game: JinkeiWords, view: JinkeiState, seat: Seat, fighting: bool) -> SeatBoard:
    """Return a seat's side of the table."""
    form = view.form(seat) if view.formation[seat] >= 0 else None
    role = None
    row = -1
    if fighting:
        leads = find_offense(view) == seat
        role = "offense" if leads else "defense"
        playable = [] if view.moment else view.row(seat, leads)
        row = playable[0] // 3 if playable else -1
    has_type = view.type[seat] >= 0
    points, total = sum(view.scored[seat]), view.totals[seat]
    ended = view.winner >= 0  # the totals include the points of this game only after its end
    return {
        "seat": seat,
        "colour": game.seat_names()[seat].lower(),
        "pattern": PATTERNS[seat],
        "type": game.box.types[view.type[seat]] if has_type else None,
        "formation": game.formation_name(view.formation[seat]) if form else None,
        "spaces": build_spaces(game, view, seat, form) if form else [],
        "role": role,
        "row": row,
        "choices": build_choices(game, view, seat) if has_type else [],
        "hand": [build_card(game, seat, card, f"hand-{i}") for i, card in enumerate(view.hand[seat])],
        "hand_count": len(view.hand[seat]),
        "deck_count": len(view.deck[seat]),
        "taken_count": len(find_taken_cards(view, seat)),
        "taken": list_taken_cards(game, view, seat),
        "scored": view.scored[seat][:],
        "before": total - points * ended,
        "score": total + points * (not ended),
        "to_act": is_due(view, seat),
    }


def build_layout(formation: Formation) -> list[Space]:
    """Return the nine spaces of a formation."""
    return [
        {
            "space": SPACES[space],
            "name": name_space(space),
            "row": space // 3,
            "blank": formation.blank[space],
            "reveal": space == formation.reveal,
            "two": formation.two[space],
            "bonus": formation.bonus[space],
            "wild": formation.wild[space],
        }
        for space in range(9)
    ]


def build_spaces(game: JinkeiWords, view: JinkeiState, seat: Seat, form: Formation) -> list[Space]:
    """Return the spaces of a formation on the table."""
    laid = [divmod(action - PUT, KINDS) for action in view.answers[seat] if PUT <= action < PLAY]
    spaces = build_layout(form)
    for number, space in enumerate(spaces):
        cards = view.spaces[seat][number]
        known = [card & KIND for card in cards if card & KIND != HIDDEN]
        space["cards"] = [build_card(game, seat, card, f"{SPACES[number]}-{i}") for i, card in enumerate(cards)]
        space["sum"] = (format_rank_sum(view, form, number, known[0]) or None) if len(known) == 1 else None
        space["laid"] = [
            {**build_card(game, seat, kind, ""), "sum": format_rank_sum(view, form, number, kind)}
            for where, kind in laid
            if where == number
        ]
    return spaces


def format_rank_sum(view: JinkeiState, form: Formation, space: int, kind: int) -> str:
    """Return the rank of a card on a space (`9+1 = 10`); empty if it is the printed one."""
    rank, bonus = view.setup.rank[kind], form.bonus[space]
    return f"{rank}+{bonus} = {rank + bonus}" if bonus else ""


def list_taken_cards(game: JinkeiWords, view: JinkeiState, seat: Seat) -> list[Face]:
    """Return the cards that a seat took this round and that stay known (option memory=open)."""
    return [
        build_card(game, owner, card, "taken")
        for owner in (0, 1)
        for card in view.taken[seat * 2 + owner]
        if card & KIND != HIDDEN
    ]


def build_choices(game: JinkeiWords, view: JinkeiState, seat: Seat) -> list[FormationChoice]:
    """Return the two formations for this round. They are public, only the choice is secret (ruling 34)."""
    return [
        {
            "id": game.notation(FORMATION + i),
            "name": game.formation_name(formation),
            "spaces": build_layout(game.setup.formations[formation]),
            "chosen": FORMATION + i in view.answers[seat],
        }
        for i, formation in enumerate(game.setup.choices(view.type[seat], view.round))
    ]


def build_types(game: JinkeiWords, view: JinkeiState) -> list[Type]:
    """Return all types with their public formations (ruling 34), those of earlier rounds first."""
    forms = sorted(enumerate(game.setup.formations), key=lambda entry: entry[1].round)
    return [
        {
            "id": game.notation(TYPE + type),
            "name": name.title(),
            "taken": view.type.index(type) if type in view.type else None,
            "formations": [
                {"name": game.formation_name(i), "spaces": build_layout(form)} for i, form in forms if form.type == type
            ],
        }
        for type, name in enumerate(game.box.types)
    ]
