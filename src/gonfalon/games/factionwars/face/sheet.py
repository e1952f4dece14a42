"""The table of Faction Wars in characters: the line-up in the middle of the armies."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from textwrap import wrap
from typing import Final

from gonfalon.core.text.english import many
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
from gonfalon.games.factionwars.face.armies import SeatBoard
from gonfalon.games.factionwars.face.board import Board, Place
from gonfalon.games.factionwars.face.cards import Counted, Face, Printed
from gonfalon.games.factionwars.face.scenes import Scene

MIN_WORDY_WIDTH: Final = 80
"""The least number of columns at which a deck has its whole name."""
MAX_SCENES: Final = 3
"""The number of the latest scenes that are drawn."""


def build_sheet(board: Board, names: list[str], width: int, height: int) -> Sheet:
    """Return the board at a width: the line-up, the latest results, and all armies.

    Args:
        board: The board of a viewer.
        names: The names of the seats.
        width: The columns.
        height: The lines, or 0 for a text with all details.
    """
    arms = {faction["slug"]: (faction["colour"], mark(faction["pattern"])) for faction in board["factions"]}
    lines: list[Line] = []
    if board["last_round"]:
        told = [f"{last}: {board['last_why']}." for last in ("LAST ROUND", "LAST")]
        lines.append([Piece(told[len(told[0]) > width], "bad")])
    open_cards = (make_face_piece(card, arms) for card in board["bonus"])
    lines += [fit_line([Piece("Open Bonus Card ", "soft"), card], width) for card in open_cards]
    lines += draw_lineup(board, names, arms, width, height)
    for scene in board["scenes"][-MAX_SCENES:] if height else []:
        lines += draw_scene(scene, names, arms, width)
    if board["table"]:
        lines += flow_pieces(
            [Piece("On the table:", "soft"), *(make_face_piece(card, arms) for card in board["table"])], width
        )
    me = board["me"] if board["me"] is not None else 0
    order = [*range(me, board["players"]), *range(me)]
    for seat in order:
        lines += draw_army(board["seats"][seat], names[seat], seat == board["me"], arms, width, bool(height))
    if not height:
        lines += [*draw_pile("Discarded", board["deck"]["discard"], arms, width), *draw_final(board, names, width)]
        lines += [[Piece("Later revision, partly reconstructed.", "soft")]] if board["reconstructed"] else []
    return Sheet(draw_header(board), lines)


def draw_pile(label: str, pile: list[Counted], arms: dict[str, tuple[str, str]], width: int) -> list[Line]:
    """Return the cards of an open pile, each with its number."""
    pieces = [make_counted_piece(held, arms) for held in pile]
    return flow_pieces([Piece(f"{label}:", "soft"), *pieces], width, indent=4) if pieces else []


def draw_final(board: Board, names: list[str], width: int) -> list[Line]:
    """Return the final scores, the highest first."""
    lines: list[Line] = []
    for row in sorted(board["final"] or [], key=lambda row: -row["total"]):
        parts = [Piece(f"{part} {points}", "soft") for part, points in row["parts"].items() if points]
        goal = row["goal"]
        if goal:
            parts.append(Piece(f"goal {goal['name']} {'met' if goal['met'] else 'not met'}", "soft"))
        sign = "*" if row["winner"] else " "
        lines += flow_pieces([Piece(f"{sign}{names[row['seat']]}: {row['total']}", "bold"), *parts], width, indent=4)
    return lines


def draw_header(board: Board) -> Line:
    """Return the round and the recruit deck."""
    deck = board["deck"]
    when = f"Round {board['round']}" if board["round"] else "Before the first round"
    return [
        Piece(when, "bold"),
        Piece(f"  deck {deck['count']}  discarded {deck['discard_count']}", "soft"),
        Piece(f"  emptied {deck['depleted']} of {deck['depletions']} times", "soft"),
    ]


def find_look(card: Printed, arms: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Return a card's colour and the character of its faction."""
    return arms.get(card.get("faction") or "", ("grey", mark("plain")))


def format_numbers(card: Printed) -> str:
    """Return the battle value and the points of a card as a text."""
    if "battle" in card:
        return f" {card['battle']}/{card.get('points', 0)}"
    return f" {card['points']} points" if "points" in card else ""


def make_face_piece(card: Face, arms: dict[str, tuple[str, str]], touch: str = "") -> Piece:
    """Return an open card, or its back."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft", touch)
    colour, sign = find_look(card, arms)
    return Piece(f"{sign} {card['name']}{format_numbers(card)}", f"{colour} wash", touch, card["slug"])


def draw_lineup(
    board: Board, names: list[str], arms: dict[str, tuple[str, str]], width: int, height: int
) -> list[Line]:
    """Return the places of the line-up, side by side if there is a height."""
    if not height:
        return [line for one in board["lineup"] for line in draw_place(one, board, names, arms, width, False)]
    across = max(1, min(len(board["lineup"]), width // 38)) if height > 12 else 2
    wide = (width - across + 1) // across
    lines: list[Line] = []
    for first in range(0, len(board["lineup"]), across):
        columns = [draw_place(one, board, names, arms, wide, True) for one in board["lineup"][first : first + across]]
        lines += [*join_columns(columns, [wide] * len(columns)), *([[]] if height >= 24 else [])]
    return lines


def draw_place(
    place: Place, board: Board, names: list[str], arms: dict[str, tuple[str, str]], width: int, is_short: bool
) -> list[Line]:
    """Return a place: its card with its worth, and a note. A short one has one line of text or of the seats at it."""
    chosen = board["my_pick"] == place["place"] or (board["me"] in place["selected_by"])
    number = Piece(f"{place['place']}{'>' if chosen else ' '}", "title")
    card = place["card"] or place["was"]
    if card is None:
        return [[number, Piece("empty", "soft")]]
    line = [number, make_face_piece(card, arms, place["id"])]
    worth = place["worth"]
    if worth:
        line.append(Piece(f" {worth['points']:+}", "good" if worth["points"] > 0 else "soft"))
    if place["gone"]:
        taker = place["taken_by"]
        line.append(Piece(f" {names[taker]}" if taker is not None else " gone", "soft"))
    picked = [names[seat] for seat in place["selected_by"]]
    chosen_by = f"chosen by {', '.join(picked)}" if picked else ""
    text = "" if card["back"] else card.get("text", "")
    if is_short:
        return [line, [Piece(f"   {clip_text(chosen_by or text, width - 4)}", "soft")]]
    notes = [wrapped for note in (chosen_by, text) for wrapped in wrap(note, width - 4)]
    return [line, *([Piece(f"   {note}", "soft")] for note in notes)]


def draw_scene(scene: Scene, names: list[str], arms: dict[str, tuple[str, str]], width: int) -> list[Line]:
    """Return a resolved place: the fighters, their cards, and the winner."""
    seats = [names[seat] for seat in scene["seats"]]
    won = "" if scene["winner"] is None or len(seats) < 2 else f": {names[scene['winner']]} won"
    fought = [Piece("» ", "ask"), make_face_piece(scene["card"], arms)]
    told = [[*fought, Piece(f" {between.join(seats)}{won}", "bold")] for between in (" against ", ", ")]
    lines = [fit_line(next((line for line in told if length(line) <= width), told[-1]), width)]
    for lane in scene["lanes"]:
        cards = [make_face_piece(turned["card"], arms) for turned in lane["cards"]]
        verdict = Piece(lane["verdict"], "good" if lane["won"] else "soft")
        lines += flow_pieces([Piece(f"   {names[lane['seat']]}", "bold"), *cards, verdict], width, indent=5)
    return lines


def draw_army(
    seat: SeatBoard, name: str, mine: bool, arms: dict[str, tuple[str, str]], width: int, is_short: bool
) -> list[Line]:
    """Return a seat's recruits by faction, and its points; without `is_short` also its goal and its piles."""
    points = many(seat["points"], "point") if seat["points_complete"] else f"{seat['points']}+? points"
    touch = f"to:{seat['seat']}"
    line = [Piece(name, "bold ask" if mine else "bold", touch), Piece(f"  {points}", "bold")]
    goal = seat["goal"]
    if goal:
        met = "met" if goal["met"] else f"{goal['have']}/{goal['need']}"
        line.append(Piece(f"  goal {goal['name']} {met}", "good" if goal["met"] else "soft", "", goal["slug"]))
    elif seat["has_goal"]:
        line.append(Piece("  a secret goal", "soft"))
    deck = "battle deck" if width >= MIN_WORDY_WIDTH else "deck"
    line += [Piece(f"  {deck} {seat['battle_deck']}", "soft"), Piece(f"  pile {seat['pile_count']}", "soft")]
    cards = [held for group in seat["factions"] for held in group["cards"]]
    pieces = [make_counted_piece(held, arms, held["card"]["slug"] if mine else "") for held in cards]
    army = flow_pieces([Piece("  "), *pieces], width, " ", 3) if pieces else []
    if is_short:
        return [drop_pieces(line, width), *army]
    line += [Piece(f"  Bystanders {seat['bystanders']}")] if seat["bystanders"] else []
    line += [Piece("  to act")] if seat["to_act"] else []
    aim = wrap(f"Goal: {goal['text'].removeprefix('Goal: ')} {goal['bonus']} points.", width - 4) if goal else []
    told = [[Piece(f"   {text}", "soft")] for text in aim]
    return [*flow_pieces(line, width, "", 2), *army, *told, *draw_pile("   pile", seat["pile"], arms, width)]


def make_counted_piece(held: Counted, arms: dict[str, tuple[str, str]], touch: str = "") -> Piece:
    """Return a card with its number."""
    piece = make_face_piece({**held["card"], "back": False}, arms, touch)
    return piece._replace(text=f"{piece.text} ×{held['count']}") if held["count"] > 1 else piece
