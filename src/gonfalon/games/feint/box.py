"""The card data of Feint: reading, checking, and the provenance of each number."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import CardData, CardFile, Form, Raw
from gonfalon.core.rules.page import dress_factions
from gonfalon.games.feint.rules.actions import SPOTS
from gonfalon.games.feint.rules.cards import ABILITIES, Covert, GuardianAngel, Kind, Knight
from gonfalon.games.feint.rules.state import LAST_SPACE, MAX_TOKENS

FILE: Final = Path(__file__).with_name("cards.toml")
FORM: Final = 1
TAGS: Final = ("engineer", "tower", "gang")
MAX_KINDS: Final = 400
NUMBERS: Final = ("copies", "strength", "morale")
BOX: Final = Form(
    {
        "locations": list,
        "location_copies": (1, 9),
        "capacity": (1, 99),
        "hand": (1, 20),
        "morale": (1, 99),
        "end_round": (2, LAST_SPACE),
    },
    required=("locations", "location_copies", "capacity", "hand", "morale", "end_round"),
)
LOOKS: Final[dict[str, type]] = dict.fromkeys(("colour", "glyph", "pattern", "style"), str)
FACTION: Final = Form(
    {"slug": str, "name": str, "initiative": int, "cards": list, **LOOKS},
    required=("slug", "name", "initiative", "cards"),
)
CARD: Final = Form(
    {
        "slug": str,
        "name": str,
        "copies": (0, SPOTS),
        "strength": (0, 20),
        "morale": (0, 20),
        "ability": str,
        "location": int,
        "by": int,
        "tokens": (1, MAX_TOKENS),
        "tags": list,
        "protected": bool,
        "ours": bool,
        "inferred": list,
        "rulebook": list,
    },
    required=("slug", "name", "copies", "strength", "morale"),
    numbers=(*NUMBERS, "location", "by", "tokens"),
)
RESERVED: Final = ("pass", "done", "own-first", "scrambler-first", "lower-copy")
"""Words of the notation, which cannot be slugs of cards."""


@dataclass(frozen=True)
class Box(CardData):
    """A checked set of card data."""

    locations: list[int]
    location_copies: int
    capacity: int
    hand: int
    morale: int
    end_round: int
    factions: list[Raw]


def read_standard_box() -> Raw:
    """Return the plain form of the shipped card data."""
    return card_files.standard(FILE)


def read_box(source: Path | Raw | None) -> Box:
    """Return the box of a card file, merged into the standard box.

    A faction in the file replaces the whole faction of that slug; [box] replaces single entries.

    Args:
        source: The file or its plain form; None for the shipped data.

    Raises:
        DataError: The file breaks the form. The message names all faults with their lines.
    """
    file = card_files.shipped(FILE) if source is None else card_files.read(source)
    file.check_head(FORM, ("alone", "box", "faction"))
    base = {"box": {}, "faction": []} if file.alone else read_standard_box()
    raw: Raw = {
        "form": FORM,
        "box": {**base["box"], **file.table("box")},
        "faction": file.tables_over("faction", base["faction"]),
    }
    # The first call stops at a broken form, which `check_box` relies on. The second reports the faults of the content.
    file.refuse()
    check_box(file, raw)
    file.refuse()
    return Box(raw=raw, factions=dress_factions(raw["faction"]), **{key: raw["box"][key] for key in BOX.fields})


def check_box(file: CardFile, raw: Raw) -> None:
    """Add all faults of a merged plain form to the file."""
    if file.entry(raw["box"], BOX, "[box]", "[box]"):
        numbers = raw["box"]["locations"]
        # `isinstance` would accept True and False.
        if not (2 <= len(numbers) <= 5 and all(type(n) is int and 1 <= n <= 9 for n in numbers)):
            file.fault("[box]: locations must be two to five numbers from 1 to 9", "[box]", "locations")
        elif numbers != sorted(set(numbers)):
            file.fault("[box]: locations must ascend without repetitions", "[box]", "locations")
    slugs: set[str] = set()
    ranks: set[int] = set()
    for faction in raw["faction"]:
        slug = faction["slug"]
        name, mark = f"faction {slug!r}", f"slug={slug}"
        if not file.entry(faction, FACTION, name, mark):
            continue
        if faction["initiative"] in ranks:
            file.fault(f"{name}: another faction already has initiative {faction['initiative']}", mark)
        ranks.add(faction["initiative"])
        sound = [check_card(file, card, slug, slugs) for card in faction["cards"]]
        # Cards without a valid form cannot be summed. SPOTS passes the check below, so only their own faults are
        # reported.
        count = sum(card["copies"] for card in faction["cards"]) if all(sound) else SPOTS
        if not 1 <= count <= SPOTS:
            file.fault(f"{name} has {count} cards; a deck has 1 to {SPOTS}", mark)
    if len(slugs) > MAX_KINDS:
        file.fault(f"there are {len(slugs)} different cards; at most {MAX_KINDS} are possible")


def check_card(file: CardFile, card: object, faction: str, slugs: set[str]) -> bool:
    """Add the faults of a card to the file, and its slug to `slugs`. Return False if the card has no valid form."""
    slug = card.get("slug") if isinstance(card, dict) else None
    name = f"faction {faction!r}, card {slug!r}"
    marks = (f"slug={faction}", "cards", f"slug={slug}")
    if not file.entry(card, CARD, name, *marks):
        return False
    if slug in RESERVED:
        file.fault(f"{name}: the slug {slug!r} is a word of the notation", *marks)
    if slug in slugs:
        file.fault(f"the slug {slug!r} is used by two cards", *marks)
    slugs.add(card["slug"])
    ability = card.get("ability", "")
    if ability not in ABILITIES:
        known = ", ".join(sorted(word for word in ABILITIES if word))
        file.fault(f"{name}: unknown ability {ability!r}; choose one of: {known}", *marks, "ability")
    for fault, key in find_ability_faults(card, ABILITIES.get(ability, Kind)):
        file.fault(f"{name}: {fault}", *marks, *([key] if key else []))
    return True


def find_ability_faults(card: Raw, ability: type[Kind]) -> list[tuple[str, str]]:
    """Return the faults of a card that follow from its ability, each with the key at fault (empty: a missing key)."""
    found: list[tuple[str, str]] = []
    if issubclass(ability, Knight) and "location" not in card:
        found.append(("a knight needs a location", ""))
    if "location" in card and not issubclass(ability, Knight):
        found.append(("only a knight has a location", "location"))
    if "tokens" in card and not issubclass(ability, GuardianAngel):
        found.append(("only a guardian-angel has tokens", "tokens"))
    most = ability.most
    if most and "by" not in card:
        found.append((f"the ability {ability.ability!r} needs the number by", ""))
    if "by" in card and not most:
        words = " and ".join(word for word, one in ABILITIES.items() if one.most)
        found.append((f"only the abilities {words} have the number by", "by"))
    elif "by" in card and (not -most <= card["by"] <= most or card["by"] == 0):
        found.append((f"by must be from {-most} to {most} and not 0, not {card['by']}", "by"))
    if card.get("protected") and issubclass(ability, Covert):
        found.append(("a card played face down cannot be protected", "protected"))
    odd = [tag for tag in card.get("tags", []) if tag not in TAGS]
    return found + [(f"unknown tag {tag!r}; choose from: {', '.join(TAGS)}", "tags") for tag in odd]


def pair_own_factions(box: Box) -> list[tuple[str, str]]:
    """Return each faction that a card file changes, paired with the next faction of the box.

    All factions are returned if the file changes only [box].
    """
    known = read_standard_box()["faction"]
    slugs = [faction["slug"] for faction in box.factions]
    own = [faction["slug"] for faction in box.factions if faction not in known] or slugs
    return [(slug, slugs[(slugs.index(slug) + 1) % len(slugs)]) for slug in own]


def find_provenance(card: Raw) -> dict[str, str]:
    """Return the origin of each number of a card and of its name: rulebook, inferred, reconstructed or ours."""
    return card_files.provenance(card, (*NUMBERS, *[number for number in ("by", "tokens") if number in card]))
