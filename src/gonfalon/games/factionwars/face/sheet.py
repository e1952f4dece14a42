"""The table of Faction Wars in characters: the line-up in the middle of the armies."""

# pyright: reportTypedDictNotRequiredAccess=false, reportGeneralTypeIssues=false
# What a piece has follows from what it is; a back has no face.

from __future__ import annotations

from typing import Final

from gonfalon.core.text.english import many
from gonfalon.core.text.sheet import BACK, Line, Piece, Sheet, beside, clipped, fitted, flowing, length, mark, whole
from gonfalon.games.factionwars.face.board import Board, Face, Place, Printed, Scene, SeatBoard

WORDY: Final = 80
"""From so many columns on a deck is called by its whole name."""
SCENES: Final = 3
"""So many of the latest scenes are told."""


def sheet(board: Board, names: list[str], width: int, height: int) -> Sheet:
    """The board at a width: the line-up, what has just been resolved, everybody's army."""
    arms = {faction["slug"]: (faction["colour"], mark(faction["pattern"])) for faction in board["factions"]}
    lines: list[Line] = []
    if board["last_round"]:
        told = [f"{last}: {board['last_why']}." for last in ("LAST ROUND", "LAST")]
        lines.append([Piece(told[len(told[0]) > width], "bad")])
    open_cards = (face_piece(card, arms) for card in board["bonus"])
    lines += [fitted([Piece("Open Bonus Card ", "soft"), card], width) for card in open_cards]
    lines += lineup(board, names, arms, width, height)
    scenes = board["scenes"][-SCENES:] if board["scenes"] else []
    for scene in scenes:
        lines += scene_lines(scene, names, arms, width)
    if board["table"]:
        lines += flowing([Piece("On the table:", "soft"), *(face_piece(card, arms) for card in board["table"])], width)
    me = board["me"] if board["me"] is not None else 0
    order = [*range(me, board["players"]), *range(me)]
    for seat in order:
        lines += army_lines(board["seats"][seat], names[seat], seat == board["me"], arms, width)
    return Sheet(head(board), lines)


def head(board: Board) -> Line:
    """The round and the recruit deck."""
    deck = board["deck"]
    when = f"Round {board['round']}" if board["round"] else "Before the first round"
    return [
        Piece(when, "bold"),
        Piece(f"  deck {deck['count']}  discarded {deck['discard_count']}", "soft"),
        Piece(f"  emptied {deck['depleted']} of {deck['depletions']} times", "soft"),
    ]


def look_of(card: Printed, arms: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """A card's colour and the character of its faction."""
    return arms.get(card.get("faction") or "", ("grey", mark("plain")))


def numbers(card: Printed) -> str:
    """Battle value and points."""
    if "battle" in card:
        return f" {card['battle']}/{card.get('points', 0)}"
    return f" {card['points']} points" if "points" in card else ""


def face_piece(card: Face, arms: dict[str, tuple[str, str]], touch: str = "") -> Piece:
    """A card that lies open, or its back."""
    if card["back"]:
        return Piece(f"{BACK} face down", "soft", touch)
    colour, sign = look_of(card, arms)
    return Piece(f"{sign} {card['name']}{numbers(card)}", f"{colour} wash", touch, card["slug"])


def lineup(board: Board, names: list[str], arms: dict[str, tuple[str, str]], width: int, height: int) -> list[Line]:
    """The places of the line-up, two or three side by side."""
    across = max(1, min(len(board["lineup"]), width // 38)) if height > 12 else 2
    wide = (width - across + 1) // across
    lines: list[Line] = []
    for first in range(0, len(board["lineup"]), across):
        columns = [place_lines(one, board, names, arms, wide) for one in board["lineup"][first : first + across]]
        lines += [*beside(columns, [wide] * len(columns)), *([[]] if height >= 24 else [])]
    return lines


def place_lines(
    place: Place, board: Board, names: list[str], arms: dict[str, tuple[str, str]], width: int
) -> list[Line]:
    """A place: its card, what it is worth, who has chosen it."""
    chosen = board["my_pick"] == place["place"] or (board["me"] in place["selected_by"])
    number = Piece(f"{place['place']}{'>' if chosen else ' '}", "title")
    card = place["card"] or place["was"]
    if card is None:
        return [[number, Piece("empty", "soft")]]
    line = [number, face_piece(card, arms, place["id"])]
    worth = place["worth"]
    if worth:
        line.append(Piece(f" {worth['points']:+}", "good" if worth["points"] > 0 else "soft"))
    if place["gone"]:
        taker = place["taken_by"]
        line.append(Piece(f" {names[taker]}" if taker is not None else " gone", "soft"))
    picked = [names[seat] for seat in place["selected_by"]]
    note = f"chosen by {', '.join(picked)}" if picked else ("" if card["back"] else card.get("text", ""))
    return [line, [Piece(f"   {clipped(note, width - 4)}", "soft")]]


def scene_lines(scene: Scene, names: list[str], arms: dict[str, tuple[str, str]], width: int) -> list[Line]:
    """A place that was resolved: whose battle it was, each reveal, and who won."""
    seats = [names[seat] for seat in scene["seats"]]
    won = "" if scene["winner"] is None or len(seats) < 2 else f": {names[scene['winner']]} won"
    fought = [Piece("» ", "ask"), face_piece(scene["card"], arms)]
    told = [[*fought, Piece(f" {between.join(seats)}{won}", "bold")] for between in (" against ", ", ")]
    lines = [fitted(next((line for line in told if length(line) <= width), told[-1]), width)]
    for lane in scene["lanes"]:
        cards = [face_piece(turned["card"], arms) for turned in lane["cards"]]
        verdict = Piece(lane["verdict"], "good" if lane["won"] else "soft")
        lines += flowing([Piece(f"   {names[lane['seat']]}", "bold"), *cards, verdict], width, indent=5)
    return lines


def army_lines(seat: SeatBoard, name: str, mine: bool, arms: dict[str, tuple[str, str]], width: int) -> list[Line]:
    """What a seat has recruited, by faction, and its points."""
    points = many(seat["points"], "point") if seat["points_complete"] else f"{seat['points']}+? points"
    touch = f"to:{seat['seat']}"
    line = [Piece(name, "bold ask" if mine else "bold", touch), Piece(f"  {points}", "bold")]
    goal = seat["goal"]
    if goal:
        met = "met" if goal["met"] else f"{goal['have']}/{goal['need']}"
        line.append(Piece(f"  goal {goal['name']} {met}", "good" if goal["met"] else "soft", "", goal["slug"]))
    elif seat["has_goal"]:
        line.append(Piece("  a secret goal", "soft"))
    deck = "battle deck" if width >= WORDY else "deck"
    line += [Piece(f"  {deck} {seat['battle_deck']}", "soft"), Piece(f"  pile {seat['pile_count']}", "soft")]
    pieces: list[Piece] = []
    for group in seat["factions"]:
        for held in group["cards"]:
            piece = face_piece({**held["card"], "back": False}, arms, held["card"]["slug"] if mine else "")
            pieces.append(piece._replace(text=f"{piece.text} ×{held['count']}") if held["count"] > 1 else piece)
    return [whole(line, width), *(flowing([Piece("  "), *pieces], width, " ", 3) if pieces else [])]
