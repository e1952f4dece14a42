"""What a review shows: beside the board, as a summary, and what was hidden. It knows no terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from gonfalon.bots.reasons import percent
from gonfalon.core.english import unbroken
from gonfalon.core.sheet import Line, Piece, clipped, fitted
from gonfalon.core.state import OPEN, Seat
from gonfalon.review.files import Believed, Decided
from gonfalon.review.report import (
    HOW_JUDGED,
    NOT_CERTAIN,
    cards_in_words,
    in_all,
    is_sure,
    judged_by,
    mattered,
    not_certain,
)
from gonfalon.review.story import chances, likeliest, other_cases, perhaps
from gonfalon.terminal import columns
from gonfalon.terminal.columns import even
from gonfalon.terminal.curve import bar, column, curve, rated, two_ways
from gonfalon.terminal.frame import Frame, Key, Looks, Spot, keys_line
from gonfalon.terminal.reviewed import SIGNS, Reviewed, told_of

ROOMY: Final = 22
"""From so many lines on the curve beside the board is higher."""
TALL: Final = 36
"""The same of a page."""
LEAST: Final = 4
"""Fewer decisions are no list."""
SCALE: Final = 5
"""Columns left of a large curve."""
ENTRY: Final = "entry"
STEP: Final = "~"
"""How what touches a decision begins."""


class Entry(NamedTuple):
    """A paragraph to which the cursor goes; some lead to a decision."""

    lines: list[Line]
    leads_to: int | None = None


def wrap(text: str, width: int) -> list[str]:
    """A text in lines, with no percent sign parted from its number."""
    return columns.wrap(unbroken(text), width)


def wrapped(text: str, width: int, look: str = "") -> list[Line]:
    """A text in lines."""
    return [[Piece(line, look)] for line in wrap(text, width)]


def apart(left: Piece, right: Piece, width: int) -> Line:
    """Two pieces at the ends of a line."""
    return [*fitted([left], max(0, width - len(right.text))), right]


# ---- beside the board --------------------------------------------------------------------------------


def panel(past: Reviewed, width: int, height: int) -> list[Line]:
    """The curve, what is said of the decision of this step, what could be thought, and the decisions around it."""
    chance = past.chance()
    title = Piece(f"{past.name(past.subject)} to win", "title")
    lines = [apart(title, Piece("" if chance is None else percent(chance), "ask bold"), width)]
    lines += curve(past.chances(), past.last, width, 5 if height >= ROOMY else 3, past.signs(), past.place)
    lines.append([Piece("─" * width, "line")])
    told = said_here(past, width)
    room = height - len(lines)
    if len(told) > room:
        told = [*told[: room - 1], [Piece("… ", "soft"), Piece("i", "key"), Piece(" reads on", "soft")]]
    lines += told
    believed = belief_lines(past, width)
    if len(believed) < height - len(lines):
        lines += [[], *believed] if believed else []
    room = height - len(lines) - 1
    return [*lines, [], *around(past, width, room)] if room >= LEAST else lines


def said_here(past: Reviewed, width: int) -> list[Line]:
    """What is said of the decision of this step."""
    one, whose = past.judged(), past.whose()
    if one is not None:
        head = f"Decision {one['at'] + 1}, {past.name(one['seat'])}"
        lines = [[Piece(head, "soft")]]
        for text, look in told_of(past, one):
            lines += wrapped(text, width, look)
    elif whose is None:
        lines = []
    elif past.decision in past.by_at:
        lines = wrapped(f"{past.name(whose)} decided this. v looks at it from their side.", width, "soft")
    elif past.progress is not None and whose in past.found["seats"]:
        lines = wrapped("This has not been judged yet.", width, "soft")
    else:
        lines = wrapped(f"{past.name(whose)} decided this; that is not reviewed.", width, "soft")
    return [*lines, *wrapped(past.brought(), width, "soft")]


def belief_lines(past: Reviewed, width: int) -> list[Line]:
    """What could be thought here of what was hidden."""
    whose = f"{past.name(past.subject)}: " if past.viewer == OPEN else ""
    return [line for one in past.beliefs() for line in cases(one, width, whose)]


def cases(one: Believed, width: int, whose: str = "") -> list[Line]:
    """The likeliest cases as bars; the true one says so, and stands there however unlikely it was."""
    shown = likeliest(one)
    wide = min(max(len(case["text"]) for case in shown) + 2, width // 2)
    lines: list[Line] = [[Piece(clipped(capital(whose + one["about"]), width), "title")]]
    for case in shown:
        true = case["text"] == one["truth"]
        label = f"{'●' if true else ' '} {case['text']}"
        lines.append(rated(label, case["chance"], width, "bold" if true else "soft", wide))
    if others := other_cases(one):
        lines.append([Piece(clipped(f"  {others}", width), "soft")])
    return lines


def around(past: Reviewed, width: int, most: int) -> list[Line]:
    """The decisions around this one, each with its mark."""
    some = in_view(past)
    n = sum(one["at"] <= past.place for one in some) - 1
    first = max(0, min(n - most // 2, len(some) - most))
    return [step_line(past, one, width, one["at"] == past.decision) for one in some[first : first + most]]


def in_view(past: Reviewed) -> list[Decided]:
    """The decisions that the viewer may read: all of them with open eyes, else their own."""
    return [one for one in past.found["decisions"] if past.viewer in (OPEN, one["seat"])]


def note_steps(frame: Frame) -> None:
    """Where the decisions beside the board are."""
    for y, line in enumerate(frame.lines):
        x = 0
        for piece in line:
            if piece.touch.startswith(STEP):
                frame.spots.append(Spot(y, x, len(piece.text), Key(ENTRY, piece.touch, 0), piece.touch, ""))
            x += len(piece.text)


def step_line(past: Reviewed, one: Decided, width: int, here: bool) -> Line:
    """A decision in a line, with the chance that it left."""
    value = Piece("" if one["value"] is None else f"{percent(one['value']):>5}", "soft")
    look = "bold" if here else "bad" if one["mark"] else "soft"
    text = Piece(f"{'▸' if here else ' '}{past.in_short(one)}", look, f"{STEP}{one['at']}")
    return apart(text, value, width)


# ---- pages -------------------------------------------------------------------------------------------


def summary(past: Reviewed, width: int) -> list[Entry]:
    """The review in paragraphs: what is said of a seat's decisions to that seat, and to open eyes."""
    found, inner = past.found, min(width, 110)
    entries: list[Entry] = []
    if past.progress is not None:
        n, count = past.progress
        told = f"Judged {n} of {count} decisions. What has been found so far: "
        entries.append(Entry([[Piece(told, "ask"), Piece(bar(n / max(count, 1), 20), "ask")]]))
    told_to = [sums for sums in found["sums"] if past.viewer in (OPEN, sums["seat"])]
    if not told_to:
        entries.append(Entry([[], *wrapped(told_as(past, found["seats"]), inner, "soft")]))
    for sums in sorted(told_to, key=lambda sums: sums["seat"] != past.subject):
        entries.append(Entry([[], *wrapped(in_all(found, sums), inner, "title")]))
        points = [point["at"] for point in found["story"] if point["seat"] == sums["seat"]]
        head: list[Line] = [[Piece(f"{mattered(found, sums['seat'])}:", "soft")]]
        for at in points:
            entries.append(Entry([*head, *story_lines(past, past.by_at[at], inner)], at))
            head = []
        entries += perhaps_lines(past, sums["seat"], inner)
        rest = [one for one in found["decisions"] if one["seat"] == sums["seat"] and one["mark"]]
        rest = [one for one in rest if one["at"] not in points]
        if rest:
            entries.append(Entry([[Piece("Marked as well:", "soft")]]))
        entries += [Entry(short_lines(past, one, inner), one["at"]) for one in rest]
    if past.progress is None:
        entries += cards(past, inner)
        entries.append(Entry([[], [Piece(HOW_JUDGED, "title")]]))
        entries += [Entry(wrapped(paragraph, inner, "soft")) for paragraph in judged_by(found)]
    return entries


def told_as(past: Reviewed, seats: Sequence[Seat]) -> str:
    """That the viewer has to become one of these seats."""
    return f"This is told as {' or '.join(past.name(seat) for seat in seats)} sees it: v changes the viewer."


def story_lines(past: Reviewed, one: Decided, width: int) -> list[Line]:
    """A decision that mattered."""
    head: Line = [Piece(f" {SIGNS[one['mark']]} ", "bad"), Piece(f"Decision {one['at'] + 1}  ", "bold")]
    head += [Piece(f"{one['mark']}, gave away {past.lost(one)}", "bad")]
    lines = [head]
    why = f"{chances(one)} {one['why']}".rstrip()
    for label, text in (("Chosen", one["text"]), ("Better", one["better"]), ("", why)):
        if text:
            rows = wrap(text, width - 11)
            lines.append([Piece(f"   {label:<8}", "soft"), Piece(rows[0], "good" if label == "Better" else "")])
            lines += [[Piece(" " * 11), Piece(row, "good" if label == "Better" else "")] for row in rows[1:]]
    return lines


def perhaps_lines(past: Reviewed, seat: Seat, width: int) -> list[Entry]:
    """The decisions that may have lost something, with a heading over the first."""
    entries: list[Entry] = []
    head: list[Line] = [[Piece(f"{NOT_CERTAIN}:", "soft")]]
    for one in not_certain(past.found, seat):
        rows = wrap(perhaps(one, is_sure(past.found)), width - 11)
        lines: list[Line] = [[Piece(f"   {one['at'] + 1:>4}    ", "bold"), Piece(rows[0])]]
        lines += [[Piece(" " * 11), Piece(row)] for row in rows[1:]]
        entries.append(Entry([*head, *lines], one["at"]))
        head = []
    return entries


def short_lines(past: Reviewed, one: Decided, width: int) -> list[Line]:
    """A marked decision in a line or two."""
    text = f"{one['text']} Gave away {past.lost(one)}. Better: {one['better']} {chances(one)}"
    rows = wrap(text, width - 11)
    lead: Line = [Piece(f" {SIGNS[one['mark']]} ", "bad"), Piece(f"{one['at'] + 1:>4}    ", "bold")]
    return [[*lead, Piece(rows[0])], *([Piece(" " * 11), Piece(row)] for row in rows[1:])]


def cards(past: Reviewed, width: int) -> list[Entry]:
    """What the cards brought, in words and step by step."""
    entries = [Entry([[], [Piece("The cards", "title")]])]
    entries += [Entry(wrapped(sentence, width)) for sentence in cards_in_words(past.found)]
    values = [(at, line["seat0"]) for at, line in past.luck.items()]
    if values:
        first, second = past.name(0), past.name(1)
        lines = two_ways(values, past.last, width, 2)
        lines.append([Piece(f"Full, above the line: for {first}; dotted, below it: for {second}.", "soft")])
        entries.append(Entry(lines))
    return entries


def hidden(past: Reviewed, width: int) -> list[Entry]:
    """What was hidden from the subject: how likely the truth could seem, and what could be thought here."""
    name, inner = past.name(past.subject), min(width, 110)
    if past.progress is not None:
        return [Entry(wrapped("What could be thought is told once all decisions have been judged.", inner, "soft"))]
    if past.viewer not in (OPEN, past.subject):
        return [Entry(wrapped(told_as(past, [past.subject]), inner, "soft"))]
    found = past.hidden()
    if not found:
        return [Entry(wrapped(f"Nothing is told of what {name} could think of hidden things.", inner, "soft"))]
    now = {one["about"]: one for one in past.beliefs()}
    entries = []
    for about, points in found.items():
        lines = [[], [Piece(f"{capital(about)}: how likely the truth could seem to {name}", "title")]]
        lines += scaled(points, past, inner, 3, begins=past.changes(about))
        if about in now:
            lines += [[Piece(" " * SCALE), *line] for line in cases(now[about], min(inner - SCALE, 60))[1:]]
        entries.append(Entry(lines))
    return entries


def scaled(
    points: Sequence[tuple[int, float]],
    past: Reviewed,
    width: int,
    rows: int,
    signs: bool = False,
    begins: Collection[int] = (),
) -> list[Line]:
    """A curve with its scale."""
    found = past.signs() if signs else {}
    lines = curve(points, past.last, width - SCALE, rows, found, past.place, begins)
    labels = {0: "100 ", rows // 2: " 50 ", rows - 1: "  0 "}
    return [[Piece(f"{labels.get(n, ''):<{SCALE}}", "soft"), *line] for n, line in enumerate(lines)]


def ticks(past: Reviewed, width: int) -> Line:
    """Where each part of the game begins, below a curve."""
    text = [" "] * width
    free = 0
    for step, name in past.chapters():
        word = name.rpartition(" ")[2]
        x = column(past.steps[step][3], past.last, width)
        if word.isdecimal() and x >= free and x + len(word) <= width:
            text[x : x + len(word)] = word
            free = x + len(word) + 1
    return [Piece(" " * SCALE), Piece("".join(text), "soft")]


def page(past: Reviewed, entries: Sequence[Entry], at: int, looks: Looks, width: int, height: int) -> Frame:
    """A page under the curve, scrolled so that the entry of the cursor can be read; what could not be done stands above
    the keys."""
    frame = Frame(width, height)
    frame.lines += [fitted(line, width) for line in top_lines(past, width, height)]
    low = [*wrapped(f" {looks.status}", width - 1, "bad"), keys_line(looks, width)]
    room = height - len(frame.lines) - len(low)
    rows = [(line, n, first) for n, one in enumerate(entries) for first, line in enumerate(one.lines)]
    mine = [y for y, (_, n, _) in enumerate(rows) if n == at] or [0]
    begin = max(0, min(mine[0] - room // 3, len(rows) - room))
    begin = max(begin, min(mine[-1] - room + 1, mine[0]))
    for line, n, first in rows[begin : begin + room]:
        here = n == at and bool(line)
        frame.lines.append(fitted([Piece(" ▌" if here else "  ", "ask"), *line], width))
        if line:
            frame.spots.append(Spot(len(frame.lines) - 1, 0, width, Key(ENTRY, str(n), first), "", ""))
    frame.lines += [fitted([], width) for _ in range(height - len(low) - len(frame.lines))]
    frame.lines += [fitted(line, width) for line in low]
    return frame


def top_lines(past: Reviewed, width: int, height: int) -> list[Line]:
    """The title, and the curve over the whole width."""
    found = past.found
    chance = past.chance()
    inner = width - 4
    names = even(" against ".join(found["names"]))
    head: Line = [Piece(f" {found['title']} ", "banner"), Piece(f"  {names}  ", "bold")]
    sentence = f"The chance to win, as {past.name(past.subject)} could see it"
    number = f"{past.number(past.at)} of {past.last} decisions{past.between(past.at)}" + (
        "" if chance is None else f"  {percent(chance)}"
    )
    roomy = height >= TALL
    lines = [
        [*head, Piece(even(found["ending"]) if past.progress is None else "", "soft")],
        [Piece("  "), *apart(Piece(sentence, "title"), Piece(number, "ask bold"), inner)],
        *([Piece("  "), *line] for line in scaled(past.chances(), past, inner, 9 if roomy else 5, signs=True)),
        [Piece("  "), *ticks(past, inner - SCALE)],
    ]
    if roomy:
        legend = [Piece(f"{sign} {mark}   ", "soft") for mark, sign in SIGNS.items()]
        lines.append([Piece(" " * (SCALE + 2)), *legend])
    return lines


def capital(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]
