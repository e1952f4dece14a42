"""The deck and formations of Jinkei: reading and checking. All faults of a file are reported together."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import CardData, CardFile, Raw
from gonfalon.games.jinkei.rules.actions import KINDS
from gonfalon.games.jinkei.rules.setup import MAX_HAND, REINFORCEMENTS, Formation

FILE: Final = Path(__file__).with_name("formations.toml")
FORM: Final = 1
TYPES: Final = ("sword", "shield", "bow")
SPACE: Final = re.compile(r"(#)|([.T2])(\+1|\+2|W)?")
COLOUR: Final = re.compile(r"[a-z]+")
TWO_CARDS_TYPE: Final = "bow"
BLANKS: Final = {"sword": 2, "shield": 2, "bow": 3}
NUMBERS: Final = {"rounds": (3, 1, 5), "hand": (7, 2, MAX_HAND)}
"""The entries of [game]: default, least and greatest value."""


@dataclass(frozen=True)
class Box(CardData):
    """A checked deck with its formations."""

    types: list[str]
    colours: list[str]
    ranks: list[int]
    achievements: list[int]
    rounds: int
    hand: int
    formations: list[Formation]


def read_standard_box() -> Raw:
    """Return the plain form of the shipped data."""
    return card_files.standard(FILE)


def read_box(source: Path | Raw | None) -> Box:
    """Return the box of a file, checked against all constraints that follow from the numbers in the rulebook.

    Args:
        source: The file or its plain form; None for the shipped data.

    Raises:
        DataError: The file has faults. The message names all of them with their lines.
    """
    file = card_files.shipped(FILE) if source is None else card_files.read(source, "formation")
    raw = file.raw
    file.check_head(FORM, ("deck", "game", "formation"))
    colours, ranks, achievements = read_deck(raw.get("deck"), file)
    rounds, hand, blanks = read_game(raw.get("game", {}), file)
    # Each round plays `hand` cards of a deck, and one more card remains in hand at the end.
    if len(ranks) * len(colours) < rounds * hand + 1:
        need = rounds * hand + 1
        file.fault(
            f"[deck]: {len(ranks) * len(colours)} cards, but {rounds} rounds of {hand} battles need {need}", "[deck]"
        )
    entries = raw.get("formation")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        file.fault("a list of [[formation]] tables is missing", "formation")
        entries = []
    # In the order of TYPES, so that the numbers of types do not depend on the order in the file.
    types = [t for t in TYPES if any(entry.get("type") == t for entry in entries)]
    formations: list[Formation] = []
    offers: list[tuple[object, object]] = []
    for number, entry in enumerate(entries):
        made = read_formation(entry, types, rounds, hand, blanks, file, number)
        formations += made
        offers.append((entry.get("type"), entry.get("round")))
    if len(types) < 2:
        file.fault("at least two types need formations, one for each player")
    for name in types:
        for round in range(1, rounds + 1):
            if not 1 <= offers.count((name, round)) <= 2:
                file.fault(f"{name} has {offers.count((name, round))} formations for round {round}, not 1 or 2")
    file.refuse()
    return Box(raw, types, colours, ranks, achievements, rounds, hand, formations)


def is_int_list(value: object) -> bool:
    """Return whether a value is a list of whole numbers from 0 to 30."""
    # `isinstance` would accept True and False.
    return isinstance(value, list) and all(type(n) is int and 0 <= n <= 30 for n in value)


def read_deck(deck: object, file: CardFile) -> tuple[list[str], list[int], list[int]]:
    """Return the colors, ranks and Achievements of [deck], with shipped values where it has faults."""
    good = read_standard_box()["deck"]
    if not isinstance(deck, dict):
        file.fault("[deck]: the table is missing", "[deck]")
        # The shipped deck replaces it, so that one run reports the faults of all tables.
        return read_deck(good, file)
    for key in deck:
        if key not in good:
            file.fault(f"[deck]: the entry {key!r} is unknown", "[deck]", str(key))
    for key in good:
        if key not in deck:
            file.fault(f"[deck]: {key} is missing", "[deck]")
    deck = {**good, **deck}
    colours, ranks, achievements = deck["colours"], deck["ranks"], deck["achievements"]
    if (
        not isinstance(colours, list)
        or len(colours) != 2
        or colours[0] == colours[1]
        or not all(isinstance(colour, str) and COLOUR.fullmatch(colour) for colour in colours)
    ):
        file.fault("[deck]: colours must be two different words of lowercase letters", "[deck]", "colours")
        colours = good["colours"]
    if not is_int_list(ranks) or ranks != sorted(set(ranks)) or not 2 <= len(ranks) <= KINDS // 2:
        file.fault("[deck]: ranks must be at least two different numbers from 0 to 30, ascending", "[deck]", "ranks")
        ranks = good["ranks"]
    if not is_int_list(achievements) or len(achievements) != len(ranks):
        file.fault("[deck]: achievements must be a number from 0 to 30 for each rank", "[deck]", "achievements")
    return colours, ranks, achievements


def read_game(game: object, file: CardFile) -> tuple[int, int, dict[str, int]]:
    """Return the rounds, hand size and Blank Cards by type of [game], with defaults where it has faults."""
    if not isinstance(game, dict):
        file.fault("[game]: must be a table", "[game]")
        game = {}
    for key in game:
        if key not in (*NUMBERS, "blanks"):
            file.fault(f"[game]: the entry {key!r} is unknown", "[game]", str(key))
    values: dict[str, int] = {}
    for key, (usual, least, most) in NUMBERS.items():
        value = game.get(key, usual)
        if type(value) is not int or not least <= value <= most:
            file.fault(f"[game]: {key} must be from {least} to {most}, not {value!r}", "[game]", key)
            value = usual
        values[key] = value
    blanks = game.get("blanks", {})
    if not isinstance(blanks, dict) or not all(
        type in TYPES and isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 9 for type, n in blanks.items()
    ):
        file.fault("[game]: blanks must give types a number of Blank Cards from 0 to 9", "[game]", "blanks")
        blanks = {}
    return values["rounds"], values["hand"], {**BLANKS, **blanks}


def read_formation(
    entry: Raw, types: list[str], rounds: int, hand: int, blanks: dict[str, int], file: CardFile, number: int
) -> list[Formation]:
    """Return the formation of an entry; an empty list if it has faults."""
    before = len(file.faults)

    def fault(what: str, key: str = "") -> None:
        file.fault(f"formation {number + 1}: {what}", "[formation]", number, *([key] if key else []))

    for key in entry:
        if key not in ("type", "round", "rows"):
            fault(f"the entry {key!r} is unknown", str(key))
    type_, round = entry.get("type"), entry.get("round")
    if type_ not in TYPES:
        fault(f"type must be one of {', '.join(TYPES)}, not {type_!r}", "type")
    if type(round) is not int or not 1 <= round <= rounds:
        fault(f"round must be from 1 to {rounds}, not {round!r}", "round")
    marks = read_marks(entry.get("rows"), fault)
    if marks is None:
        return []
    # An unknown type is a fault already, so its Blank Cards are not limited.
    for what in find_misplaced(marks, type_, hand, blanks.get(str(type_), 9)):
        fault(what, "rows")
    return [] if len(file.faults) > before else [build_formation(marks, types.index(str(type_)), int(entry["round"]))]


def build_formation(marks: list[tuple[str, str]], type_: int, round: int) -> Formation:
    """Return the formation of a type and round with the checked mark and effect of each space."""
    return Formation(
        type=type_,
        round=round,
        blank=[mark == "#" for mark, _ in marks],
        two=[mark == "2" for mark, _ in marks],
        bonus=[{"+1": 1, "+2": 2}.get(effect, 0) for _, effect in marks],
        wild=[effect == "W" for _, effect in marks],
        reveal=[mark for mark, _ in marks].index("T"),
    )


def read_marks(rows: object, fault: Callable[[str, str], None]) -> list[tuple[str, str]] | None:
    """Return the mark and the effect of each of nine spaces; None after reporting a fault."""
    if (
        not isinstance(rows, list)
        or len(rows) != 3
        or not all(isinstance(row, str) and len(row.split()) == 3 for row in rows)
    ):
        fault("rows must be three texts of three spaces each", "rows")
        return None
    words = [word for row in rows for word in row.split()]
    for word in words:
        if not SPACE.fullmatch(word):
            fault(f"{word!r} is not a space (see the comments at the top of formations.toml)", "rows")
    marks = [(m.group(1) or m.group(2), m.group(3) or "") for m in map(SPACE.fullmatch, words) if m]
    return marks if len(marks) == len(words) else None


def find_misplaced(marks: list[tuple[str, str]], type_: object, hand: int, most_blanks: int) -> list[str]:
    """Return the faults of a layout by the numbers in the rulebook."""
    spaces = [mark for mark, _ in marks]
    faults: list[str] = []
    if spaces.count("T") != 1:
        faults.append(f"exactly one space must take the revealed card (T), not {spaces.count('T')}")
    if "T" in spaces[REINFORCEMENTS:]:
        faults.append("the revealed card cannot be in the Reinforcements")
    if "2" in spaces[:REINFORCEMENTS]:
        faults.append("only a space of the Reinforcements can take two cards")
    if "2" in spaces and type_ != TWO_CARDS_TYPE:
        faults.append(f"only the type {TWO_CARDS_TYPE} can have a space for two cards")
    if spaces.count("#") > most_blanks:
        faults.append(f"{spaces.count('#')} Blank Cards, but a {type_} player has {most_blanks}")
    from_hand = 9 - spaces.count("#") - spaces.count("T") + spaces.count("2")
    if from_hand != hand - 1:
        faults.append(f"it takes {from_hand} cards from the hand, but must take {hand - 1}")
    stuck = "has Blank Cards in Vanguard and Rearguard, so its Reinforcement could never advance"
    faults += [
        f"column {column + 1} {stuck}"
        for column in range(3)
        if spaces[column] == spaces[3 + column] == "#" != spaces[6 + column]
    ]
    return faults
