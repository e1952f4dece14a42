"""The text form of records, for people and mails: an entry or a decision on each line.

    Format: gonfalon-record 1
    Game: feint
    Rules: 3
    Data: 5f0cd2a41b8e9c37
    Option factions: ["keion", "agents"]
    Seat 0: May
    Seat 1: David
    Result winners: [0]

    1. chance: seed:4711
    2. May: patriot@5 ; May deploys Patriot to Location 5.

The value of an entry is JSON if it reads as JSON, otherwise the text itself. A decision has its number, its seat (a
name, `seat N` or `chance`) and its notation. `;` begins a remark, which readers skip.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gonfalon.core.basics.errors import RecordError
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import CHANCE, OPEN
from gonfalon.core.text.untrusted import escape_json, one_line

if TYPE_CHECKING:
    from gonfalon.core.files.record import Record

SCHEMA: Final = Path(__file__).with_name("record.schema.json")
"""The JSON schema of the JSON form."""
Body = dict[str, Any]
"""A record as JSON."""
OPENING: Final = re.compile(r"\ufeff?\s*Format: *([\w-]+) +(\d{1,6}) *(?:\r?\n|$)")
"""The first line, by which the form is recognized."""
ENTRY: Final = re.compile(r"([A-Z][a-z]+)(?: ([\w-]{1,64}))?:(.*)")
DECISION: Final = re.compile(r"(\d{1,7})\. +(.+)")
SEAT: Final = re.compile(r"seat (-?\d{1,6})")
TEXTS: Final = ("Game", "Rules", "Data")
"""Entries that are texts even if they read as JSON."""
PARTS: Final = {"Option": "options", "Result": "result", "Ended": "ended", "Proof": "proof", "Clock": "clock"}
"""Entries with a line for each of their own entries."""
CHANCE_LABEL: Final = "chance"
REMARK: Final = " ; "


# ---- writing -----------------------------------------------------------------------------------------------------


def write_record_text(body: Body, remarks: Iterable[str] = ()) -> str:
    """Return the text form of a record.

    Args:
        body: The record as JSON.
        remarks: A remark for each decision, empty for none.
    """
    head = [f"Format: {body['format']} {body['format_version']}"]
    head += [f"{key}: {write_text(body[key.lower()])}" for key in TEXTS]
    for word, key in PARTS.items():
        head += write_part(word, body.get(key))
    names = body["names"]
    head += [f"Seat {seat}: {write_text(name)}" for seat, name in enumerate(names)]
    said = [*remarks]
    said += [""] * (len(body["decisions"]) - len(said))
    rows = [
        f"{number}. {label_seat(seat, names)}: {write_notation(notation)}"
        + (f"{REMARK}{one_line(text)}" if text else "")
        for number, ((seat, notation), text) in enumerate(zip(body["decisions"], said, strict=True), start=1)
    ]
    return "\n".join([*head, "", *rows]) + "\n"


def write_part(word: str, part: Mapping[str, object] | None) -> list[str]:
    """Return the lines of an entry with entries of its own; none without it."""
    if part is None or (word == "Option" and not part):
        return []
    # Names of any origin may not fit into a line.
    if not part or not all(re.fullmatch(r"[\w-]{1,64}", name) for name in part):
        return [f"{word}: {write_json(part)}"]
    return [f"{word} {name}: {write_value(value)}" for name, value in part.items()]


def write_json(value: object) -> str:
    """Return a value as JSON in one line, without characters that a terminal would execute."""
    return escape_json(json.dumps(value, ensure_ascii=False))


def write_value(value: object) -> str:
    """Return a value as JSON, or as the text itself if it is a text that does not read as JSON."""
    return write_json(value) if not isinstance(value, str) or read_value(value) != value else write_text(value)


def write_text(text: str) -> str:
    """Return a text as it is if it fits into a line, else as JSON."""
    plain = text.isprintable() and text.strip() == text != "" and not text.startswith('"')
    return text if plain else write_json(text)


def write_notation(notation: str) -> str:
    """Return the notation of an action, as JSON if it contains the beginning of a remark."""
    return write_json(notation) if REMARK in f"{notation} " else write_text(notation)


def label_seat(seat: int, names: Sequence[str]) -> str:
    """Return the name of a seat in the lines of decisions: its own if that is unambiguous, else `seat N`."""
    if seat == CHANCE:
        return CHANCE_LABEL
    name = names[seat] if 0 <= seat < len(names) else ""
    clear = write_text(name) == name and ": " not in f"{name} " and names.count(name) == 1
    return name if clear and name != CHANCE_LABEL and not SEAT.fullmatch(name) else f"seat {seat}"


def describe_decisions(record: Record) -> list[str]:
    """Return for each decision of a record the log lines that it caused, joined, with all cards open.

    Raises:
        RecordError: A decision is illegal.
    """
    game = record.game
    names = record.names if len(record.names) == game.seats else game.seat_names()
    found: list[str] = []
    state, heard = game.start(log=True), 0
    for _ in record.fold(state):
        found.append(" ".join(line["text"] for line in list_lines(game, state.mask(OPEN), names, heard)))
        heard = len(state.log or ())
    found.append(" ".join(line["text"] for line in list_lines(game, state.mask(OPEN), names, heard)))
    # The first text is about the start of the game.
    return found[1:]


# ---- reading -----------------------------------------------------------------------------------------------------


def is_record_text(text: str) -> bool:
    """Return whether a text begins like the text form of a record."""
    return OPENING.match(text) is not None


def read_record_text(text: str) -> Body:
    """Return the record of a text as JSON, without judging its entries. Raises RecordError, which names the line."""
    found = OPENING.match(text)
    if found is None:
        raise RecordError('This is not a record: its first line is not "Format: gonfalon-record 1".')
    body: Body = {"format": found[1], "format_version": int(found[2]), "options": {}, "names": []}
    rows: list[tuple[int, str]] = []
    start = text[: found.end()].count("\n")
    for number, line in enumerate(text[found.end() :].split("\n"), start=start + 1):
        line = line.strip()
        decision, entry = DECISION.fullmatch(line), ENTRY.fullmatch(line)
        if decision is not None:
            if int(decision[1]) != len(rows) + 1:
                raise RecordError(
                    f"Line {number} of this record has decision {decision[1]} in place of {len(rows) + 1}: "
                    "a line is missing or repeated."
                )
            rows.append((number, decision[2]))
        elif entry is not None:
            read_entry(body, number, entry[1], entry[2], entry[3].strip())
        elif line and not line.startswith(";"):
            raise RecordError(f"Line {number} of this record is neither an entry nor a decision.")
    body["decisions"] = [read_decision(number, row, body["names"]) for number, row in rows]
    return body


def read_entry(body: Body, number: int, word: str, name: str | None, value: str) -> None:
    """Add the entry of a line to a record. Raises RecordError."""
    place: Body = body
    key, found = PARTS.get(word, word.lower()), read_value(value)
    if word in TEXTS and name is None:
        found = read_text(value)
    elif word == "Seat" and name == str(len(body["names"])):
        body["names"].append(read_text(value))
        return
    elif word == "Option" and name is None and not body["options"]:
        # The options are present from the beginning.
        del body["options"]
    elif word in PARTS and name is not None and isinstance(body.setdefault(key, {}), dict):
        place, key = body[key], name
    elif word not in PARTS or name is not None:
        raise RecordError(f"Line {number} of this record is neither an entry nor a decision.")
    if key in place:
        raise RecordError(f"Line {number} of this record repeats an entry.")
    place[key] = found


def read_value(text: str) -> object:
    """Return the value of an entry: JSON, or else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def read_text(text: str) -> str:
    """Return the text of an entry, which may be JSON."""
    found = read_value(text) if text.startswith('"') else text
    return found if isinstance(found, str) else text


def read_decision(number: int, row: str, names: Sequence[str]) -> list[int | str]:
    """Return the decision of a line, in the form of a record. Raises RecordError."""
    label, colon, rest = row.partition(": ")
    seat = SEAT.fullmatch(label)
    if label == CHANCE_LABEL:
        place = CHANCE
    elif seat is not None:
        place = int(seat[1])
    elif colon and names.count(label) == 1:
        place = names.index(label)
    else:
        raise RecordError(f"Line {number} of this record has a decision without a known seat.")
    rest = rest.strip()
    if rest.startswith('"'):
        try:
            found, _ = json.JSONDecoder().raw_decode(rest)
        except (ValueError, RecursionError):
            raise RecordError(f"Line {number} of this record cannot be read.") from None
        return [place, str(found)]
    return [place, f"{rest} ".partition(REMARK)[0].strip()]
