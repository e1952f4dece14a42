"""The card data of Faction Wars: reading and checking. All faults of a file are reported together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeGuard

from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import CardData, CardFile, Form, Raw, hash_data
from gonfalon.core.rules.page import dress_factions
from gonfalon.games.factionwars.rules.actions import MAX_KINDS, MAX_PLACES
from gonfalon.games.factionwars.rules.cards import Kind
from gonfalon.games.factionwars.rules.neutrals import NEUTRALS, Bystander
from gonfalon.games.factionwars.rules.recruits import RECRUITS
from gonfalon.games.factionwars.rules.scoring.goals import GOALS

FILE: Final = Path(__file__).with_name("cards.toml")
FORM_NUMBER: Final = 1
SEAT_COUNTS: Final = (2, 3, 4, 5)
SYMBOLS: Final = ("rock", "paper", "scissors")
NUMBER_KEYS: Final = ("copies", "battle", "points")
Abilities = dict[str, type[Kind]]
LISTS: Final = ("faction", "neutral", "conscript", "goal")
MAX_EXTRA_PLACES: Final = 2
BOUNDS_BY_SEATS: Final = {"count": (1, 30), "bonus": (0, 50)}
"""The least and the greatest value of the numbers that a goal may give for each number of players."""
BOX: Final = Form(
    {
        "extra": (0, MAX_EXTRA_PLACES),
        "later_extra": (0, 2),
        "open_bonus": (0, 9),
        "chain": (1, 1000),
        "depletions": list,
    }
)
PRINTED: Final[dict[str, type | tuple[int, int]]] = {
    "slug": str,
    "name": str,
    "copies": (0, 60),
    "battle": (0, 20),
    "ours": bool,
    "rulebook": list,
    "inferred": list,
}
FACTION: Final = Form(
    {"slug": str, "name": str, "colour": str, "glyph": str, "pattern": str, "style": str, "cards": list},
    required=("slug", "name", "cards"),
)
CARD: Final = Form(
    {**PRINTED, "later": (0, 60), "points": (-20, 20), "ability": str},
    required=("slug", "name", "copies"),
    numbers=NUMBER_KEYS,
)
CONSCRIPT: Final = Form({**PRINTED, "symbol": str}, required=("slug", "name", "copies", "battle"), numbers=NUMBER_KEYS)
GOAL: Final = Form(
    {
        "slug": str,
        "name": str,
        "rule": str,
        "faction": str,
        "count": object,
        "value": int,
        "abilities": list,
        "bonus": object,
    },
    required=("slug", "name", "rule", "bonus"),
)


@dataclass(frozen=True)
class Box(CardData):
    """A checked set of card data.

    `cards` are those of the recruit deck in the order of their kinds: recruits without Bonus Cards, Bonus Cards, other
    cards. A card of a faction has the index of its faction as "of", other cards have -1.
    """

    extra: int
    later_extra: int
    depletions: list[int]
    open_bonus: int
    chain: int
    factions: list[Raw]
    cards: list[Raw]
    conscripts: list[Raw]
    goals: list[Raw]

    def hash_with(self, seats: int) -> str:
        """Return a short hash of the data that apply with a number of players."""
        # Lists by number of players become one number: a network does not depend on other table sizes.
        goals = [
            goal | {key: find_goal_number(goal, key, seats) for key in BOUNDS_BY_SEATS.keys() & goal}
            for goal in self.goals
        ]
        box = self.raw["box"] | {"depletions": self.depletions[seats - SEAT_COUNTS[0]]}
        return hash_data(self.raw | {"goal": goals, "box": box})


def read_standard() -> Raw:
    """Return the plain form of the card data that come with the program."""
    return card_files.standard(FILE)


def read_box(source: Path | Raw | None) -> Box:
    """Return the box of a card file, laid over the standard one.

    Args:
        source: A file, its plain form, or None for the standard data.

    Raises:
        DataError: The file has faults; the message lists all of them.
    """
    file = card_files.shipped(FILE) if source is None else card_files.read(source)
    file.check_head(FORM_NUMBER, ("alone", "box", *LISTS))
    base = read_standard()
    raw: Raw = {"form": FORM_NUMBER, "box": {**base["box"], **file.table("box")}}
    for key in LISTS:
        raw[key] = file.tables_over(key, [] if file.alone else base[key])
    file.refuse()
    cards = check_data(file, raw)
    file.refuse()
    # Kinds are numbered recruits, Bonus Cards, others; the stable sort keeps the order of the file within each.
    cards.sort(key=lambda card: 2 if card["of"] < 0 else int(card.get("ability") == "bonus"))
    lists = {"factions": dress_factions(raw["faction"]), "conscripts": raw["conscript"], "goals": raw["goal"]}
    return Box(raw=raw, cards=cards, **lists, **raw["box"])


def check_data(file: CardFile, raw: Raw) -> list[Raw]:
    """Report all faults of a plain form to its file, and return the cards of the recruit deck.

    Each card has the index of its faction as "of", or -1.
    """
    _check_box(file, raw["box"])
    slugs: set[str] = set()
    factions = [faction for faction in raw["faction"] if _check_faction(file, faction, slugs)]
    cards = [{**card, "of": at} for at, f in enumerate(factions) for card in f["cards"] if isinstance(card, dict)]
    cards += [
        {**card, "of": -1}
        for card in raw["neutral"]
        if _check_card(file, card, (f"neutral card {_quote_slug(card)}", _mark_entry(card)), NEUTRALS, slugs)
    ]
    for card in raw["conscript"]:
        _check_conscript(file, card, slugs)
    names = [faction.get("slug") for faction in factions]
    for goal in raw["goal"]:
        _check_goal(file, goal, names, slugs)
    count = len(cards) + len(raw["conscript"]) + len(raw["goal"])
    if count > MAX_KINDS:
        file.fault(f"there are {count} different cards; at most {MAX_KINDS} are possible")
    if not factions:
        file.fault("there is no faction", "[faction]")
    # Sums mean nothing while single entries have faults.
    if not file.faults:
        for key in ("copies", "later"):
            if not sum(card.get(key, card["copies"]) for card in cards if card.get("ability") != "war"):
                file.fault("there is no card in the recruit deck" + (" of the later revision" * (key == "later")))
        if not sum(card["copies"] for card in raw["conscript"]):
            file.fault("everybody needs at least one conscript", "[conscript]")
    return cards


def _check_box(file: CardFile, box: Raw) -> None:
    if not file.entry(box, BOX, "[box]", "[box]"):
        return
    times = box["depletions"]
    if len(times) != len(SEAT_COUNTS) or not all(type(n) is int and 1 <= n <= 9 for n in times):
        file.fault("[box] depletions must be four numbers from 1 to 9, for 2, 3, 4, 5 players", "[box]", "depletions")
    assert max(SEAT_COUNTS) + MAX_EXTRA_PLACES < MAX_PLACES


def _quote_slug(entry: object) -> str:
    return repr(entry.get("slug")) if isinstance(entry, dict) else repr(entry)


def _mark_entry(entry: object) -> str:
    return f"slug={entry.get('slug')}" if isinstance(entry, dict) else ""


def _check_entry(entry: object, file: CardFile, form: Form, slugs: set[str], name: str, *marks: str) -> TypeGuard[Raw]:
    """Check an entry and its slug, which has to be unique. Return whether its fields have the right types."""
    good = file.entry(entry, form, name, *marks)
    if isinstance(entry, dict) and isinstance(entry.get("slug"), str):
        if entry["slug"] in slugs:
            file.fault(f"{name}: another entry has that slug too", *marks)
        slugs.add(entry["slug"])
    return good


def _check_faction(file: CardFile, faction: Raw, slugs: set[str]) -> bool:
    name, mark = f"faction {_quote_slug(faction)}", _mark_entry(faction)
    if not _check_entry(faction, file, FACTION, slugs, name, mark):
        return False
    good = True
    for card in faction["cards"]:
        where = (f"{name}, card {_quote_slug(card)}", mark, "cards", _mark_entry(card))
        good = _check_card(file, card, where, RECRUITS, slugs) and good
    return good


def _check_card(file: CardFile, card: object, where: tuple[str, ...], abilities: Abilities, slugs: set[str]) -> bool:
    """Check a card of the recruit deck. `abilities` are those that its list may have. Return whether it is good."""
    name, *marks = where
    if not _check_entry(card, file, CARD, slugs, name, *marks):
        return False
    ability = card.get("ability", "")
    if ability not in abilities:
        there_are = ", ".join(word for word in abilities if word)
        file.fault(f"{name}: there is no ability {ability!r} here; there are: {there_are}", *marks, "ability")
        return False
    if abilities is RECRUITS:
        for key in ("battle", "points"):
            if key not in card:
                file.fault(f"{name} lacks its {key}", *marks)
                return False
    if not abilities[ability].prints_points and card.get("points"):
        file.fault(f"{name}: its points come from its ability, so points must be 0", *marks, "points")
    if abilities[ability] is Bystander and card.get("points", 0) > 0:
        file.fault(f"{name}: a Bystander is a penalty, so points must not be above 0", *marks, "points")
    return True


def _check_conscript(file: CardFile, card: Raw, slugs: set[str]) -> None:
    name, mark = f"conscript {_quote_slug(card)}", _mark_entry(card)
    if not _check_entry(card, file, CONSCRIPT, slugs, name, mark):
        return
    if card.get("symbol") not in (None, *SYMBOLS):
        file.fault(f"{name}: symbol is one of {', '.join(SYMBOLS)}, not {card['symbol']!r}", mark, "symbol")


def _check_goal(file: CardFile, goal: Raw, factions: list[object], slugs: set[str]) -> None:
    name, mark = f"goal {_quote_slug(goal)}", _mark_entry(goal)
    if not _check_entry(goal, file, GOAL, slugs, name, mark):
        return
    rule = goal["rule"]
    if rule not in GOALS:
        file.fault(f"{name}: there is no rule {rule!r}; there are: {', '.join(GOALS)}", mark, "rule")
        return
    needs = GOALS[rule].needs
    for key in needs:
        if key not in goal:
            file.fault(f"{name}: the rule {rule} needs {key}", mark)
    for key in ("faction", "count", "value", "abilities"):
        if key in goal and key not in needs:
            file.fault(f"{name}: the rule {rule} has no {key}", mark, key)
    if "faction" in goal and goal["faction"] not in factions:
        file.fault(f"{name}: there is no faction {goal['faction']!r}", mark, "faction")
    for ability in goal.get("abilities", []):
        if ability not in RECRUITS or not ability:
            file.fault(f"{name}: {ability!r} is no ability of a recruit", mark, "abilities")
    for key, (least, most) in BOUNDS_BY_SEATS.items():
        if key in goal:
            numbers = goal[key] if isinstance(goal[key], list) else [goal[key]] * len(SEAT_COUNTS)
            if len(numbers) != len(SEAT_COUNTS) or not all(type(n) is int and least <= n <= most for n in numbers):
                wanted = f"a number from {least} to {most}, or four of them for 2, 3, 4, 5 players"
                file.fault(f"{name}: {key} is {wanted}", mark, key)


def find_goal_number(goal: Raw, key: str, seats: int) -> int:
    """Return the bonus of a goal, or the number of cards it requires, with a number of players; 0 without an entry."""
    number = goal.get(key, 0)
    return int(number[seats - SEAT_COUNTS[0]]) if isinstance(number, list) else int(number)


def list_provenance(card: Raw) -> dict[str, str]:
    """Return the origin of a card's name and of each number: rulebook, inferred, reconstructed or ours."""
    return card_files.provenance(card, NUMBER_KEYS)
