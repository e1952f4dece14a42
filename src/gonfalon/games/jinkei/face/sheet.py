"""The table of Jinkei in a terminal: two formations that face each other, and the battle between them."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# A card with `back` False has all keys of a face; pyright does not know that.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.sheet import (
    BACK,
    Line,
    Piece,
    Sheet,
    clip_text,
    drop_pieces,
    fit_line,
    flow_pieces,
    join_columns,
    length,
    mark,
)
from gonfalon.games.jinkei.face.board import FIGHTING, Board, FormationChoice, SeatBoard, Space
from gonfalon.games.jinkei.face.cards import Face
from gonfalon.games.jinkei.face.duel import Fighter

ROWS: Final = ("Van", "Rear", "Reinf")
"""Short names of Vanguard, Rearguard and Reinforcements."""
SIGNS: Final = {"triangle": "▲", "circle": "●"}
COLOURS: Final = {"red": "red", "blue": "blue"}
LABEL: Final = 6


def draw_sheet(board: Board, names: list[str], width: int, height: int) -> Sheet:
    """Draw the board. From a height of 24 lines the spaces have frames; with height 0 all known cards are listed."""
    me = board["me"] or 0  # spectators see the table from the first seat
    is_airy = height >= 24
    theirs, mine = board["seats"][1 - me], board["seats"][me]
    is_own = board["me"] is not None
    above, below = (draw_seat(seat, names[seat["seat"]], width, bool(height), is_own) for seat in (theirs, mine))
    if board["phase"] == "formation" and is_own:
        body = [[], *draw_choices(mine["choices"], width, is_airy), []]
    else:
        body = [*draw_formation(theirs, "", width, is_airy), *draw_battles(board, names, width)]
        body += draw_formation(mine, board["phase"], width, is_airy)
    laid = [card["id"] for space in mine["spaces"] for card in space["laid"]]
    hand = [build_hand_piece(card) for card in mine["hand"] if card["id"] not in laid] if is_own else []
    return Sheet(draw_head(board, me, names), [*above, *body, *below], hand)


def draw_head(board: Board, me: int, names: list[str]) -> Line:
    """Return the line of the round and the points."""
    game = f"Game {board['game']} of {board['games']}  " if board["games"] > 1 else ""
    when = f"{game}Round {board['round']} of {board['rounds']}" if board["round"] else "Before the first round"
    points = "  ".join(f"{names[seat]} {board['seats'][seat]['score']}" for seat in (me, 1 - me))
    return [Piece(f"{when}  {points} points", "bold")]


def find_cloth(seat: SeatBoard) -> tuple[str, str]:
    """Return a seat's color and the character of its pattern."""
    return seat["colour"], mark(seat["pattern"])


def draw_seat(seat: SeatBoard, name: str, width: int, is_short: bool, is_own: bool) -> list[Line]:
    """Return a seat's banner and numbers; without `is_short` its known cards too."""
    colour, sign = find_cloth(seat)
    line = [Piece(f"{sign} {name}", f"bold {colour}")]
    if seat["formation"]:
        line.append(Piece(f"  {seat['formation']}", "bold"))
    if seat["role"]:
        line.append(Piece(f"  {seat['role']}", "bold"))
    counts = {"hand": seat["hand_count"], "deck": seat["deck_count"], "taken": seat["taken_count"]}
    line += [Piece(f"  {label} {count}", "soft") for label, count in counts.items()]
    if is_short:
        return [drop_pieces(line, width)]
    if seat["type"] and not seat["formation"]:
        line.append(Piece(f"  {seat['type']}"))
    line += [Piece("  to act")] if seat["to_act"] else []
    lines = flow_pieces(line, width, gap="")
    for label, cards in (("hand", [] if is_own else seat["hand"]), ("taken", seat["taken"])):
        pieces = [build_hand_piece(card) for card in cards if not card["back"]]
        lines += flow_pieces([Piece(f"  {label}:", "soft"), *pieces], width, indent=4) if pieces else []
    return lines


def draw_formation(seat: SeatBoard, phase: str, width: int, airy: bool) -> list[Line]:
    """Return three rows of three spaces, the Vanguard towards the middle.

    Args:
        seat: The side of the table.
        phase: The phase, if the formation is the viewer's own and can be touched; else empty.
        width: The width in columns.
        airy: Whether spaces have frames.
    """
    rows = [[space for space in seat["spaces"] if space["row"] == row] for row in range(3)]
    if not any(rows):
        return [fit_line([Piece("no formation yet", "soft")], width, True)]
    wide = (width - LABEL - 2) // 3
    lines: list[Line] = []
    for number in (0, 1, 2) if phase else (2, 1, 0):
        fights = seat["row"] == number
        name = ROWS[number]
        label = Piece(f"{'▸' if fights else ''}{name}"[: LABEL - 1], "bold" if fights else "soft")
        cells = join_columns([frame_space(space, phase, wide, airy) for space in rows[number]], [wide] * 3)
        lines += [[*fit_line([label] if n == len(cells) // 2 else [], LABEL), *cell] for n, cell in enumerate(cells)]
    return lines


def draw_space(space: Space, phase: str, width: int) -> Line:
    """Return a space on one line: its cards, or its marks if it is empty."""
    if space["blank"]:
        return [Piece("░" * (width - 1), "line")]
    cards = [*space.get("cards", []), *space.get("laid", [])]
    extra = format_marks(space, empty=not cards)
    if not cards:
        touch = f"-{space['space']}" if phase else ""
        text = extra or "·"
        text = f" {text}" if len(text) < width - 1 else text
        return [Piece(clip_text(text.ljust(width - 1), width - 1), "soft card", touch)]
    pieces = [build_card_piece(card, find_touch(space, card, phase)) for card in cards]
    if length(pieces) + len(pieces) > width:
        pieces = [piece._replace(text=format_rank(card)) for piece, card in zip(pieces, cards, strict=True)]
    line = [part for piece in pieces for part in (piece, Piece(" "))][:-1]
    return [*line, Piece(f" {extra}" if extra else "", "soft")]


def frame_space(space: Space, phase: str, width: int, airy: bool) -> list[Line]:
    """Return a space on one line, or with `airy` in a frame of three lines."""
    if not airy:
        return [draw_space(space, phase, width)]
    edge = "─" * (width - 3)
    inner = fit_line(draw_space(space, phase, width - 2), width - 3)
    return [
        [Piece(f"╭{edge}╮", "line")],
        [Piece("│", "line"), *inner, Piece("│", "line")],
        [Piece(f"╰{edge}╯", "line")],
    ]


def format_marks(space: Space, empty: bool) -> str:
    """Return the printed marks of a space; `open` only while it is `empty`."""
    signs = (
        f"+{space['bonus']}" if space["bonus"] else "",
        "two" if space["two"] else "",
        "any" if space["wild"] else "",
        "open" if space["reveal"] and empty else "",
    )
    return " ".join(sign for sign in signs if sign)


def find_touch(space: Space, card: Face, phase: str) -> str:
    """Return the notation for touching a card of the viewer's formation: its space, or the card that advances."""
    if phase not in FIGHTING or card["back"]:
        return f"-{space['space']}" if phase else ""
    return f"advance:{card['slug']}" if phase == "advance" else space["space"]


def build_card_piece(card: Face, touch: str) -> Piece:
    """Return a card: the shape of its color, and its name."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft", touch)
    return Piece(format_card(card), f"{COLOURS.get(card['colour'], '')} wash bold", touch, card["slug"])


def format_card(card: Face) -> str:
    """Return a card as text: `▲ Red 9`."""
    return f"{SIGNS.get(card['shape'], '■')} {card['name']}"


def format_rank(card: Face) -> str:
    """Return a card as short text for a narrow space: `▲ 9`, where the shape stands for the color."""
    return BACK if card["back"] else f"{SIGNS.get(card['shape'], '■')} {card['name'].split()[-1]}"


def draw_battles(board: Board, names: list[str], width: int) -> list[Line]:
    """Return the results of the round's battles, and the current battle."""
    signs: Line = [Piece("Battles ", "soft")]
    for winner in board["battles"]:
        if isinstance(winner, int):
            colour, sign = find_cloth(board["seats"][winner])
            signs.append(Piece(f"{sign} ", f"bold {colour}"))
        else:
            signs.append(Piece("· " if winner is None else "= ", "soft"))
    duel = board["duel"]
    if not duel:
        return [fit_line([], width), fit_line(signs, width, True), fit_line([], width)]
    sides = [draw_fighter(one, board, names) for one in (duel["lead"], duel["answer"]) if one]
    line = join_fighters(sides, width)
    explained = duel.get("told")
    verdict: Line = [Piece(explained["sentence"], "ask")] if explained else []
    return [fit_line(signs, width, True), fit_line(line, width, True), fit_line(verdict, width, True)]


def join_fighters(sides: list[Line], width: int) -> Line:
    """Return both cards of a battle on one line, with the longest connecting word that fits."""
    if len(sides) < 2:
        return sides[0]
    lines = [[*sides[0], Piece(between, "soft"), *sides[1]] for between in ("  against  ", " against ", " / ")]
    return next((line for line in lines if length(line) <= width), lines[-1])


def draw_fighter(fighter: Fighter, board: Board, names: list[str]) -> Line:
    """Return a card in the battle with its player and rank."""
    colour, sign = find_cloth(board["seats"][fighter["seat"]])
    return [
        Piece(f"{sign} {names[fighter['seat']]} ", f"bold {colour}"),
        Piece(format_card(fighter), f"{COLOURS.get(fighter['colour'], '')} wash bold", "", fighter["slug"]),
        Piece(f" {fighter['sum'].replace(' ', '')}" if fighter["sum"] else "", "soft"),
    ]


def draw_choices(found: list[FormationChoice], width: int, airy: bool) -> list[Line]:
    """Return the formations to choose from, side by side."""
    half = (width - 3) // max(len(found), 1)
    columns: list[list[Line]] = []
    for one in found:
        lines: list[Line] = [[Piece(one["name"], "title", one["id"])]]
        for row in range(3):
            cells = [frame_space(space, "", half // 3, airy) for space in one["spaces"] if space["row"] == row]
            lines += [*([] if airy else [[]]), *join_columns(cells, [half // 3 - 1] * 3)]
        columns.append(lines)
    return join_columns(columns, [half] * len(columns), Piece(" │ ", "line")) if columns else []


def build_hand_piece(card: Face) -> Piece:
    """Return a card of the hand."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft")
    return Piece(format_card(card), COLOURS.get(card["colour"], ""), card["slug"], card["slug"])
