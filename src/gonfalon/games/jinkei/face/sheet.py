"""Jinkei's table in characters: two formations that face each other, and the battle between them."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, beside, clipped, fitted, flowing, length, mark, whole
from gonfalon.games.jinkei.face.board import FIGHTING, Board, FormationChoice, SeatBoard, Space
from gonfalon.games.jinkei.face.cards import Face
from gonfalon.games.jinkei.face.duel import Fighter

ROWS: Final = ("Van", "Rear", "Reinf")
"""Vanguard, Rearguard, Reinforcements."""
SIGNS: Final = {"triangle": "▲", "circle": "●"}
COLOURS: Final = {"red": "red", "blue": "blue"}
LABEL: Final = 6


def sheet(board: Board, names: list[str], width: int, height: int) -> Sheet:
    """Draw the board; with more height the spaces of a formation have lines between them."""
    me = board["me"] or 0
    is_airy = height >= 24
    theirs, mine = board["seats"][1 - me], board["seats"][me]
    is_own = board["me"] is not None
    above, below = (seat_lines(seat, names[seat["seat"]], width, bool(height), is_own) for seat in (theirs, mine))
    if board["phase"] == "formation" and is_own:
        body = [[], *choices(mine["choices"], width, is_airy), []]
    else:
        body = [*formation(theirs, "", width, is_airy), *battle_lines(board, names, width)]
        body += formation(mine, board["phase"], width, is_airy)
    laid = [card["id"] for space in mine["spaces"] for card in space["laid"]]
    hand = [hand_piece(card) for card in mine["hand"] if card["id"] not in laid] if is_own else []
    return Sheet(head(board, me, names), [*above, *body, *below], hand)


def head(board: Board, me: int, names: list[str]) -> Line:
    """The round and the points."""
    game = f"Game {board['game']} of {board['games']}  " if board["games"] > 1 else ""
    when = f"{game}Round {board['round']} of {board['rounds']}" if board["round"] else "Before the first round"
    points = "  ".join(f"{names[seat]} {board['seats'][seat]['score']}" for seat in (me, 1 - me))
    return [Piece(f"{when}  {points} points", "bold")]


def cloth(seat: SeatBoard) -> tuple[str, str]:
    """Return a seat's color and the character of its pattern."""
    return seat["colour"], mark(seat["pattern"])


def seat_lines(seat: SeatBoard, name: str, width: int, is_short: bool, is_own: bool) -> list[Line]:
    """Return a seat's banner and numbers; without `is_short` also what is known of its cards."""
    colour, sign = cloth(seat)
    line = [Piece(f"{sign} {name}", f"bold {colour}")]
    if seat["formation"]:
        line.append(Piece(f"  {seat['formation']}", "bold"))
    if seat["role"]:
        line.append(Piece(f"  {seat['role']}", "bold"))
    counts = {"hand": seat["hand_count"], "deck": seat["deck_count"], "taken": seat["taken_count"]}
    line += [Piece(f"  {label} {count}", "soft") for label, count in counts.items()]
    if is_short:
        return [whole(line, width)]
    if seat["type"] and not seat["formation"]:
        line.append(Piece(f"  {seat['type']}"))
    line += [Piece("  to act")] if seat["to_act"] else []
    lines = flowing(line, width, gap="")
    for label, cards in (("hand", [] if is_own else seat["hand"]), ("taken", seat["taken"])):
        pieces = [hand_piece(card) for card in cards if not card["back"]]
        lines += flowing([Piece(f"  {label}:", "soft"), *pieces], width, indent=4) if pieces else []
    return lines


def formation(seat: SeatBoard, phase: str, width: int, airy: bool) -> list[Line]:
    """Three rows of three spaces, the Vanguard towards the middle; `phase`: of one's own, which can be touched."""
    rows = [[space for space in seat["spaces"] if space["row"] == row] for row in range(3)]
    if not any(rows):
        return [fitted([Piece("no formation yet", "soft")], width, True)]
    wide = (width - LABEL - 2) // 3
    lines: list[Line] = []
    for number in (0, 1, 2) if phase else (2, 1, 0):
        fights = seat["row"] == number
        name = ROWS[number]
        label = Piece(f"{'▸' if fights else ''}{name}"[: LABEL - 1], "bold" if fights else "soft")
        cells = beside([space_lines(space, phase, wide, airy) for space in rows[number]], [wide] * 3)
        lines += [[*fitted([label] if n == len(cells) // 2 else [], LABEL), *cell] for n, cell in enumerate(cells)]
    return lines


def space_line(space: Space, phase: str, width: int) -> Line:
    """A space: its cards, or what may lie there."""
    if space["blank"]:
        return [Piece("░" * (width - 1), "line")]
    cards = [*space.get("cards", []), *space.get("laid", [])]
    extra = marks(space, empty=not cards)
    if not cards:
        touch = f"-{space['space']}" if phase else ""
        text = extra or "·"
        text = f" {text}" if len(text) < width - 1 else text
        return [Piece(clipped(text.ljust(width - 1), width - 1), "soft card", touch)]
    pieces = [card_piece(card, touch_of(space, card, phase)) for card in cards]
    if length(pieces) + len(pieces) > width:
        pieces = [piece._replace(text=rank_text(card)) for piece, card in zip(pieces, cards, strict=True)]
    line = [part for piece in pieces for part in (piece, Piece(" "))][:-1]
    return [*line, Piece(f" {extra}" if extra else "", "soft")]


def space_lines(space: Space, phase: str, width: int, airy: bool) -> list[Line]:
    """A space on one line, or in a frame of its own."""
    if not airy:
        return [space_line(space, phase, width)]
    edge = "─" * (width - 3)
    inner = fitted(space_line(space, phase, width - 2), width - 3)
    return [
        [Piece(f"╭{edge}╮", "line")],
        [Piece("│", "line"), *inner, Piece("│", "line")],
        [Piece(f"╰{edge}╯", "line")],
    ]


def marks(space: Space, empty: bool) -> str:
    """What is printed on a space; that a card lies open there is seen."""
    signs = (
        f"+{space['bonus']}" if space["bonus"] else "",
        "two" if space["two"] else "",
        "any" if space["wild"] else "",
        "open" if space["reveal"] and empty else "",
    )
    return " ".join(sign for sign in signs if sign)


def touch_of(space: Space, card: Face, phase: str) -> str:
    """What touching a card of one's own formation says: its space in a battle, the card where one advances."""
    if phase not in FIGHTING or card["back"]:
        return f"-{space['space']}" if phase else ""
    return f"advance:{card['slug']}" if phase == "advance" else space["space"]


def card_piece(card: Face, touch: str) -> Piece:
    """A card: the shape of its colour, and its rank."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft", touch)
    return Piece(face_text(card), f"{COLOURS.get(card['colour'], '')} wash bold", touch, card["slug"])


def face_text(card: Face) -> str:
    """`▲ Red 9`."""
    return f"{SIGNS.get(card['shape'], '■')} {card['name']}"


def rank_text(card: Face) -> str:
    """The same where two lie in a narrow space: the shape tells the colour."""
    return BACK if card["back"] else f"{SIGNS.get(card['shape'], '■')} {card['name'].split()[-1]}"


def battle_lines(board: Board, names: list[str], width: int) -> list[Line]:
    """The battles of the round, and the one that is on."""
    signs: Line = [Piece("Battles ", "soft")]
    for winner in board["battles"]:
        if isinstance(winner, int):
            colour, sign = cloth(board["seats"][winner])
            signs.append(Piece(f"{sign} ", f"bold {colour}"))
        else:
            signs.append(Piece("· " if winner is None else "= ", "soft"))
    duel = board["duel"]
    if not duel:
        return [fitted([], width), fitted(signs, width, True), fitted([], width)]
    sides = [fighter_line(one, board, names) for one in (duel["lead"], duel["answer"]) if one]
    line = joined(sides, width)
    told = duel.get("told")
    verdict: Line = [Piece(told["sentence"], "ask")] if told else []
    return [fitted(signs, width, True), fitted(line, width, True), fitted(verdict, width, True)]


def joined(sides: list[Line], width: int) -> Line:
    """Who fights against whom, in so many words as there is room for."""
    if len(sides) < 2:
        return sides[0]
    lines = [[*sides[0], Piece(between, "soft"), *sides[1]] for between in ("  against  ", " against ", " / ")]
    return next((line for line in lines if length(line) <= width), lines[-1])


def fighter_line(fighter: Fighter, board: Board, names: list[str]) -> Line:
    """A card in the battle."""
    colour, sign = cloth(board["seats"][fighter["seat"]])
    return [
        Piece(f"{sign} {names[fighter['seat']]} ", f"bold {colour}"),
        Piece(face_text(fighter), f"{COLOURS.get(fighter['colour'], '')} wash bold", "", fighter["slug"]),
        Piece(f" {fighter['sum'].replace(' ', '')}" if fighter["sum"] else "", "soft"),
    ]


def choices(found: list[FormationChoice], width: int, airy: bool) -> list[Line]:
    """The formations to choose from, side by side."""
    half = (width - 3) // max(len(found), 1)
    columns: list[list[Line]] = []
    for one in found:
        lines: list[Line] = [[Piece(one["name"], "title", one["id"])]]
        for row in range(3):
            cells = [space_lines(space, "", half // 3, airy) for space in one["spaces"] if space["row"] == row]
            lines += [*([] if airy else [[]]), *beside(cells, [half // 3 - 1] * 3)]
        columns.append(lines)
    return beside(columns, [half] * len(columns), Piece(" │ ", "line")) if columns else []


def hand_piece(card: Face) -> Piece:
    """A card of the hand."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft")
    return Piece(face_text(card), COLOURS.get(card["colour"], ""), card["slug"], card["slug"])
