"""The whole screen as lines of characters, and the spots on it that can be selected. It knows no terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.log import Line as LogLine
from gonfalon.core.rules.page import CLOTHS
from gonfalon.core.text.default_sheet import default_sheet
from gonfalon.core.text.sheet import Line, Piece, Sheet, clip_text, drop_pieces, fit_line, flow_pieces, length
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.columns import pad_wide, wrap_columns
from gonfalon.terminal.drawing.picking import Picking
from gonfalon.terminal.drawing.viewport import Answer, Sight

BOARD, HAND, ANSWERS = "board", "hand", "answers"
REGIONS: Final = (HAND, BOARD, ANSWERS)
"""Regions of the screen, in the order of the Tab key."""
CANCEL_KEY: Final = ("Esc", "cancel")
"""The key shown only while a card is lifted."""
KEYS: Final = (
    ("↵", "choose"),
    CANCEL_KEY,
    ("?", "why not"),
    ("h", "hint"),
    ("u", "undo"),
    ("l", "log"),
    ("/", "card"),
    ("q", "leave"),
)
"""Keys and their meanings, in the order of the last line."""
MIN_HEIGHT: Final = 20
"""Minimum number of lines drawn."""
NARROW, NARROWEST = 72, 50
"""Columns below which the log is below the board, and the minimum number of columns drawn."""
MIN_PANEL_WIDTH: Final = 24
"""Minimum number of columns of the panel beside the board."""
MIN_CARD_WIDTH: Final = 6
"""Minimum width of a card in the hand."""
ROOMY_HEIGHT: Final = 32
"""Number of lines from which hand and answers get more lines."""


def drawing_size(width: int, height: int) -> tuple[int, int]:
    """Return the columns and lines to draw: a smaller terminal shows the upper left part of them."""
    return max(width, NARROWEST), max(height, 1)


class Key(NamedTuple):
    """The identity of a spot, by which it is found again in the next frame."""

    region: str
    what: str
    n: int
    """Number of the spot among those with the same region and name."""


class Spot(NamedTuple):
    """A place on the screen that can be selected."""

    y: int
    x: int
    width: int
    key: Key
    touch: str
    """Name of the thing to touch; empty for a card that can only be read."""
    card: str
    """Slug of the card; empty if there is none."""
    answer: Answer | None = None
    may: bool = False
    """Whether touching it leads to an answer now."""


@dataclass
class Frame:
    """Lines of exactly the screen's width, and the spots on them."""

    width: int
    height: int
    lines: list[Line] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    def find_spot(self, key: Key | None) -> Spot | None:
        """Return the spot with a key."""
        return next((spot for spot in self.spots if spot.key == key), None)

    def find_first(self, may: bool = True, region: str = "") -> Spot | None:
        """Return the first spot, those of the hand before others.

        Args:
            may: Return only a spot that leads to an answer.
            region: Search only this region.
        """
        for one in (region,) if region else REGIONS:
            for spot in self.spots:
                if spot.key.region == one and (spot.may or not may):
                    return spot
        return None

    def find_at(self, x: int, y: int) -> Spot | None:
        """Return the spot at a column and line."""
        return next((one for one in self.spots if one.y == y and one.x <= x < one.x + one.width), None)

    def find_nearest(self, spot: Spot, dx: int, dy: int) -> Spot:
        """Return the nearest spot in a direction, or the same spot if there is none."""
        middle = spot.x + spot.width / 2

        def far(other: Spot) -> float:
            across = other.x + other.width / 2 - middle
            down = other.y - spot.y
            return abs(across) + 8 * abs(down) if dx else abs(across) + 6 * abs(down)

        ahead = [
            one
            for one in self.spots
            if (dx and (one.x - spot.x) * dx > 0 and abs(one.y - spot.y) < 4) or (dy and (one.y - spot.y) * dy > 0)
        ]
        return min(ahead, key=far, default=spot)


@dataclass
class Looks:
    """The state of the screen that is not part of the table."""

    picking: Picking
    at: Key | None = None
    """The spot under the cursor."""
    status: str = ""
    """A message in place of the prompt."""
    clock: Callable[[int], str] = lambda seat: ""
    """Returns the time of a seat as text."""
    reading: Sequence[Line] = ()
    """Text of the card under the cursor."""
    keys: Sequence[tuple[str, str]] = KEYS


def build_frame(game: Game | None, sight: Sight, looks: Looks, width: int, height: int) -> Frame:
    """Return the whole screen as a frame.

    Args:
        game: The rules, if they are installed.
        sight: The table.
        looks: Cursor, selection and messages.
        width: Columns of the terminal.
        height: Lines of the terminal.
    """
    width, height = max(width, NARROWEST), max(height, MIN_HEIGHT)
    side = compute_panel_width(width)
    frame = Frame(width, height)
    sight = pad_names(sight)
    if sight.moment and not side:
        sight = replace(sight, prompt=" ".join(sight.moment.splitlines()), moment=sight.prompt)
    if sight.next_player:
        draw_curtain(frame, sight.next_player)
        return frame
    wide = width - side - bool(side)
    sheet = sheet_for(game, sight, wide, height - bottom_height(height))
    low, top = build_bottom(sight, looks, sheet, width, height)
    frame.lines.append(head_line(sight, sheet, looks, width))
    board = sheet.lines[:top]
    spare = top - len(board)
    above = spare // 2 if height >= ROOMY_HEIGHT else 0
    rows: list[Line] = [*[[] for _ in range(above)], *board]
    panel = side_panel(sight, looks, side, top) if side else []
    drawn = rows if side else [*rows, *below_board(sight, looks, width, top - len(rows))]
    for n in range(top):
        line = fit_line(drawn[n] if n < len(drawn) else [], wide)
        frame.lines.append([*line, Piece("│", "line"), *fit_line(panel[n], side)] if side else line)
    note_spots(frame, rows, 1, BOARD, looks.picking)
    note_spots(frame, low.hand_rows, len(frame.lines) + 1, HAND, looks.picking)
    low.note_answers(frame, len(frame.lines))
    frame.lines += [fit_line(line, width) for line in low.lines]
    return frame


def compute_panel_width(width: int) -> int:
    """Return the number of columns of the panel beside the board; 0 on a narrow screen."""
    return 0 if width < NARROW else min(max(MIN_PANEL_WIDTH, width // 4), 44)


def pad_names(sight: Sight) -> Sight:
    """Return a copy of the table with its names padded to one character for each column.

    Longer texts are adapted later.
    """
    return replace(
        sight,
        names=[pad_wide(name) for name in sight.names],
        company=[one._replace(name=pad_wide(one.name)) for one in sight.company],
        notes=[pad_wide(note) for note in sight.notes],
        next_player=pad_wide(sight.next_player),
    )


def build_bottom(sight: Sight, looks: Looks, sheet: Sheet, width: int, height: int) -> tuple[Bottom, int]:
    """Return the part below the board, and the number of lines left for the board.

    Answers without a place on the board become buttons. If there is room, a short question also has two lines, so that
    the board does not move.
    """
    top = len(sheet.lines)
    while True:
        # Cutting the board can add buttons for its spots, which cut the board again, until both fit.
        low = Bottom(sight, looks, sheet, width, height, sheet.lines[:top])
        left = height - len(low.lines) - 1
        if left >= top:
            steady = left > top and low.widen()
            return low, left - steady
        top = left


def bottom_height(height: int) -> int:
    """Return the minimum number of lines below the board."""
    return 8 if height < ROOMY_HEIGHT else 12


def sheet_for(game: Game | None, sight: Sight, width: int, height: int) -> Sheet:
    """Return the game's own drawing of the board, or a generic one; empty before there is a table."""
    if not sight.board:
        return Sheet([], [])
    if game is None:
        return default_sheet(sight.board, sight.viewer, sight.names, width, CLOTHS)
    return game.sheet(sight.board, list(sight.names), width, height)


def draw_curtain(frame: Frame, name: str) -> None:
    """Fill a frame with the request to pass the device, without anything of the table."""
    before, after = messages.PASS_DEVICE.format(player=name, key="\0").split("\0")
    text = [Piece(before, "title"), Piece(messages.ENTER, "key"), Piece(after, "title")]
    blank = fit_line([], frame.width)
    frame.lines = [blank for _ in range(frame.height)]
    frame.lines[frame.height // 2] = fit_line(text, frame.width, centred=True)


def head_line(sight: Sight, sheet: Sheet, looks: Looks, width: int) -> Line:
    """Return the line with title, part of the game, score and clocks."""
    title = sight.title if width >= NARROW else sight.title.rpartition(": ")[2]
    left = [Piece(f" {title} ", "banner"), Piece(" ")]
    left += sheet.head or ([Piece(sight.chapter, "bold")] if sight.chapter else [])
    times = [f"{name} {looks.clock(seat)}" for seat, name in enumerate(sight.names) if looks.clock(seat)]
    right = [Piece("  ".join(times), "bold")] if times else []
    if sight.notes:
        right.insert(0, Piece(f"{sight.notes[0]} ", "bad"))
    room = width - length(right) - 1
    return fit_line([*drop_pieces(left, room), *right], width)


# ---- beside the board --------------------------------------------------------------------------


def side_panel(sight: Sight, looks: Looks, width: int, height: int) -> list[Line]:
    """Return the panel beside the board: the card under the cursor or the summary of a moment, then the log."""
    inner = width - 2
    lines: list[Line] = []
    if recap := sight.moment.splitlines()[1:]:
        lines = [[Piece(f" {line}")] for text in recap for line in wrap_columns(f"• {text}", inner)][: height // 2]
        lines.append([Piece("─" * width, "line")])
    elif looks.reading:
        lines = [[Piece(" "), *line] for line in looks.reading]
        most = max(height - 5, height // 2)
        if len(lines) > most:
            lines = [*lines[: most - 1], [Piece(" … ", "soft"), Piece("/", "key"), Piece(" reads on", "soft")]]
        lines.append([Piece("─" * width, "line")])
    room = height - len(lines)
    told = log_lines(sight.log, inner)[-room:] if room > 0 else []
    return [*lines, *([Piece(" "), *line] for line in told), *([] for _ in range(room - len(told)))]


def below_board(sight: Sight, looks: Looks, width: int, height: int) -> list[Line]:
    """Return the panel below the board on a narrow screen; with a card only if the log has room too."""
    if height <= 0:
        return []
    reading = looks.reading if height > len(looks.reading) + 3 else ()
    return [[Piece("─" * width, "line")], *side_panel(sight, replace(looks, reading=reading), width, height - 1)]


def log_lines(log: Sequence[LogLine], width: int) -> list[Line]:
    """Return the log in lines. The newest sentence is highlighted."""
    lines: list[Line] = []
    for n, told in enumerate(log):
        look = "" if n == len(log) - 1 else "soft"
        lead = "  " * told["indent"]
        wrapped = wrap_columns(told["text"], max(width - len(lead) - 2, 8)) or [""]
        lines.append([Piece(f"{lead}{'· ' if told['indent'] else '• '}", "soft"), Piece(wrapped[0], look)])
        lines += [[Piece(f"{lead}  "), Piece(rest, look)] for rest in wrapped[1:]]
    return lines


# ---- people at the table -------------------------------------------------------------------------

LAMPS: Final = {"here": ("●", "good"), "lost": ("◇", "bad"), "away": ("○", "bad"), "bot": ("□", "soft")}
"""Symbols of the states of people at a server's table."""
STATES: Final = {"lost": " reconnects", "away": " away", "nobody": " not here yet"}
"""Words for the states of people."""


def company_line(sight: Sight) -> Line:
    """Return the line about the other people at a server's table: presence, thinking and greetings."""
    line: Line = []
    for one in sight.company:
        sign, look = LAMPS.get(one.state, ("·", "soft"))
        line += [Piece(f" {sign} ", look), Piece(one.name, "bold"), Piece(STATES.get(one.state, ""), look)]
        if one.says:
            line.append(Piece(f": {one.says}", "ask"))
        elif one.thinks:
            line.append(Piece(" thinks", "soft"))
    if sight.watching > 0:
        line.append(Piece(f"  {sight.watching} watching", "soft"))
    return [*line, Piece(" ")] if line else []


def fitted_end(line: Line, width: int) -> Line:
    """Return a line cut to a maximum width."""
    return fit_line(line, width) if length(line) > width else line


# ---- below the board ---------------------------------------------------------------------------


class Bottom:
    """The part below the board: hand, question, answers and keys."""

    def __init__(
        self, sight: Sight, looks: Looks, sheet: Sheet, width: int, height: int, board: Sequence[Line]
    ) -> None:
        self.width = width
        self.picking = looks.picking
        roomy = height >= ROOMY_HEIGHT
        self.hand_rows = hand_rows(sheet.hand, looks.picking, width, 4 if roomy else 2) if sheet.hand else []
        drawn = {piece.touch for line in (*board, *self.hand_rows) for piece in line if piece.touch}
        self.lines: list[Line] = []
        self.rows: list[list[tuple[Piece, Answer | None]]] = []
        title = " Your hand " if sheet.hand else ""
        others = fitted_end(company_line(sight), width - len(title) - 6)
        rule = Piece(f"──{title}".ljust(width - length(others) - 2 * bool(others), "─"), "line")
        self.lines.append([rule, *others, Piece("──", "line")] if others else [rule])
        self.lines += self.hand_rows
        held = [piece.text for line in (*board, sheet.hand) for piece in line if (piece.touch,) == looks.picking.lifted]
        tip = messages.SELECTED.format(card=held[0].strip()) if held else sight.tip
        prompt = prompt_lines(replace(sight, tip=tip), looks, width, 3 if roomy else 2)
        self.lines += prompt
        self.short = len(prompt) == 1
        self.answers_from = len(self.lines)
        self.answer_rows(self.buttons(drawn), looks.at, 8 if roomy else 3)
        self.lines.append(keys_line(looks, width))

    def widen(self) -> bool:
        """Give a question of one line a second one. Return whether it had only one."""
        if self.short:
            self.lines.insert(self.answers_from, [])
            self.answers_from += 1
        return self.short

    def buttons(self, drawn: set[str]) -> list[Answer]:
        """Return the answers that cannot be reached from the board or hand; those of the lifted card first."""
        picking = self.picking
        found = [one for one in picking.list_open() if one.parts[len(picking.lifted)] not in drawn]
        others = picking.answers if picking.lifted else []
        return [*found, *(one for one in others if one.parts[0] not in drawn and one not in found)]

    def answer_rows(self, answers: list[Answer], at: Key | None, most: int) -> None:
        """Add answers as buttons. If there are too many, only those around the cursor are shown."""
        if not answers:
            self.rows = [[]]
            self.lines.append([])
            return
        rows: list[list[tuple[Piece, Answer | None]]] = [[]]
        taken = 0
        for answer in answers:
            text = pad_wide(f" {answer.text.rstrip('.')} ")
            piece = Piece(clip_text(text, self.width - 2), "button")
            if taken and taken + len(piece.text) + 1 > self.width - 1:
                rows.append([])
                taken = 0
            rows[-1].append((piece, answer))
            taken += len(piece.text) + 1
        first = 0
        for n, row in enumerate(rows):
            if any(at == Key(ANSWERS, answer.id, 0) for _, answer in row if answer):
                first = n
        first = max(0, min(first - most // 2, len(rows) - most))
        self.rows = rows[first : first + most]
        self.lines += [[piece for pair in row for piece in (Piece(" "), pair[0])] for row in self.rows]
        if len(rows) > most:
            more = Piece(f" {first + 1}–{first + most} of {len(rows)} lines ", "soft")
            self.lines[-1] = [*fit_line(self.lines[-1], self.width - len(more.text)), more]

    def note_answers(self, frame: Frame, above: int) -> None:
        """Add the spots of the buttons to a frame."""
        for n, row in enumerate(self.rows):
            x = 1
            for piece, answer in row:
                if answer:
                    key = Key(ANSWERS, answer.id, 0)
                    y = above + self.answers_from + n
                    frame.spots.append(Spot(y, x, len(piece.text), key, "", "", answer, True))
                x += len(piece.text) + 1


def hand_rows(hand: Sequence[Piece], picking: Picking, width: int, most: int) -> list[Line]:
    """Return the cards of the hand, each with its digit, with names shortened as little as possible."""
    pieces: list[Piece] = []
    lines: list[Line] = []
    for n, piece in enumerate(hand):
        lifted = picking.lifted[:1] == (piece.touch,)
        digit = str((n + 1) % 10) if n < 10 else " "
        look = f"{piece.look} card{' lifted' if lifted else ''}"
        pieces.append(piece._replace(text=f"{digit} {piece.text} ", look=look))
    for longest in range(max((len(piece.text) for piece in pieces), default=0), 0, -1):
        lines = flow_pieces([piece._replace(text=clip_text(piece.text, longest)) for piece in pieces], width - 2, " ")
        if len(lines) <= most or longest <= MIN_CARD_WIDTH:
            break
    return [[Piece(" "), *line] for line in lines][:most]


def prompt_lines(sight: Sight, looks: Looks, width: int, most: int) -> list[Line]:
    """Return the lines with the question or the result. A refusal replaces the question."""
    if looks.status and not sight.over:
        return [[Piece(f" {text}", "bad")] for text in wrap_columns(looks.status, width - 2)[:most]]
    text = sight.over or sight.prompt
    look = "title" if sight.over else "ask" if sight.answers or sight.moment else "soft"
    lines: list[Line] = [[Piece(f" {line}", look)] for line in wrap_columns(text, width - 2)[:most]] or [[]]
    more, look = (looks.status, "bad") if looks.status else (sight.tip, "soft")
    return [*lines, *([Piece(f" {line}", look)] for line in wrap_columns(more, width - 2)[:most])]


def keys_line(looks: Looks, width: int) -> Line:
    """Return the line of keys, as many as fit. The key for leaving is always included."""
    line: Line = []
    leave = sum(len(key) + len(what) + 3 for key, what in looks.keys if key == "q")
    for key, what in looks.keys:
        leave = 0 if key == "q" else leave
        if (key, what) == CANCEL_KEY and not looks.picking.lifted:
            continue
        if length(line) + len(key) + len(what) + 3 + leave <= width:
            line += [Piece("  " if line else " "), Piece(key, "key"), Piece(f" {what}", "soft")]
    return line


def note_spots(frame: Frame, rows: Sequence[Line], above: int, region: str, picking: Picking) -> None:
    """Add the spots of some lines to a frame.

    Args:
        frame: The frame.
        rows: The lines.
        above: Number of lines above them.
        region: Their region.
        picking: The selection, which determines the spots that lead to an answer.
    """
    may = picking.list_touchable()
    seen: dict[str, int] = {}
    for y, line in enumerate(rows):
        x = 0
        for piece in line:
            what = piece.touch or piece.card
            if what and x < frame.width:
                n = seen[what] = seen.get(what, 0) + 1
                leads = piece.touch in may
                key = Key(region, what, n)
                frame.spots.append(Spot(above + y, x, len(piece.text), key, piece.touch, piece.card, None, leads))
            x += len(piece.text)
