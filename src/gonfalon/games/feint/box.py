"""The card data of Feint: reading, checking, and where every number comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gonfalon.core.files import card_files
from gonfalon.core.files.card_files import CardData, CardFile, Form, Raw
from gonfalon.games.feint.rules.actions import SPOTS
from gonfalon.games.feint.rules.cards import ABILITIES, Covert, GuardianAngel, Kind, Knight
from gonfalon.games.feint.rules.state import LAST_SPACE, MOST_TOKENS

FILE: Final = Path(__file__).with_name("cards.toml")
FORM: Final = 1
TAGS: Final = ("engineer", "tower", "gang")
MOST_KINDS: Final = 400
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
        "tokens": (1, MOST_TOKENS),
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
"""Words of the notation that no card may be called by."""


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


def standard() -> Raw:
    """The plain form of the data that come with the program."""
    return card_files.standard(FILE)


def read(source: Path | Raw | None) -> Box:
    """The box of a file (or of its plain form), laid over the standard one: whole factions, single entries of [box].

    Raises DataError, which names each fault with its line, for a file that breaks the form.
    """
    file = card_files.shipped(FILE) if source is None else card_files.read(source)
    file.check_head(FORM, ("alone", "box", "faction"))
    base = {"box": {}, "faction": []} if file.alone else standard()
    raw: Raw = {
        "form": FORM,
        "box": {**base["box"], **file.table("box")},
        "faction": file.tables_over("faction", base["faction"]),
    }
    file.refuse()
    check(file, raw)
    file.refuse()
    return Box(raw=raw, factions=raw["faction"], **{key: raw["box"][key] for key in BOX.fields})


def check(file: CardFile, raw: Raw) -> None:
    """Note all faults of a whole plain form."""
    if file.entry(raw["box"], BOX, "[box]", "[box]"):
        numbers = raw["box"]["locations"]
        if not (2 <= len(numbers) <= 5 and all(type(n) is int and 1 <= n <= 9 for n in numbers)):
            file.fault("[box] locations must be two to five numbers from 1 to 9", "[box]", "locations")
        elif numbers != sorted(set(numbers)):
            file.fault("[box] locations must ascend, each once", "[box]", "locations")
    slugs: set[str] = set()
    ranks: set[int] = set()
    for faction in raw["faction"]:
        slug = faction["slug"]
        name, mark = f"faction {slug!r}", f"slug={slug}"
        if not file.entry(faction, FACTION, name, mark):
            continue
        if faction["initiative"] in ranks:
            file.fault(f"{name}: another faction has initiative {faction['initiative']} too", mark)
        ranks.add(faction["initiative"])
        sound = [check_card(file, card, slug, slugs) for card in faction["cards"]]
        count = sum(card["copies"] for card in faction["cards"]) if all(sound) else SPOTS
        if not 1 <= count <= SPOTS:
            file.fault(f"{name} has {count} cards; a deck has 1 to {SPOTS}", mark)
    if len(slugs) > MOST_KINDS:
        file.fault(f"there are {len(slugs)} different cards; at most {MOST_KINDS} are possible")


def check_card(file: CardFile, card: object, faction: str, slugs: set[str]) -> bool:
    """Note the faults of a card, whose slug joins those before. False where nothing more can be said of it."""
    slug = card.get("slug") if isinstance(card, dict) else None
    name = f"faction {faction!r}, card {slug!r}"
    marks = (f"slug={faction}", "cards", f"slug={slug}")
    if not file.entry(card, CARD, name, *marks):
        return False
    if slug in RESERVED:
        file.fault(f"{name}: the slug {slug!r} is a word of the notation", *marks)
    if slug in slugs:
        file.fault(f"card {slug!r} stands in the data twice", *marks)
    slugs.add(card["slug"])
    ability = card.get("ability", "")
    if ability not in ABILITIES:
        known = ", ".join(sorted(word for word in ABILITIES if word))
        file.fault(f"{name}: there is no ability {ability!r}; there are: {known}", *marks, "ability")
    for fault, key in misfits(card, ABILITIES.get(ability, Kind)):
        file.fault(f"{name}: {fault}", *marks, *([key] if key else []))
    return True


def misfits(card: Raw, ability: type[Kind]) -> list[tuple[str, str]]:
    """What of a card does not fit its ability, and under which key that stands."""
    found: list[tuple[str, str]] = []
    if issubclass(ability, Knight) and "location" not in card:
        found.append(("a knight needs its location", ""))
    if "location" in card and not issubclass(ability, Knight):
        found.append(("only a knight has a location", "location"))
    if "tokens" in card and not issubclass(ability, GuardianAngel):
        found.append(("only a guardian-angel has a number of tokens", "tokens"))
    most = ability.most
    if most and "by" not in card:
        found.append((f"the ability {ability.ability!r} needs its number, by", ""))
    if "by" in card and not most:
        words = " and ".join(word for word, one in ABILITIES.items() if one.most)
        found.append((f"only the abilities {words} have a number by", "by"))
    elif "by" in card and (not -most <= card["by"] <= most or card["by"] == 0):
        found.append((f"by must be from {-most} to {most} and not 0, not {card['by']}", "by"))
    if card.get("protected") and issubclass(ability, Covert):
        found.append(("a card played face down cannot be protected (ruling 27)", "protected"))
    odd = [tag for tag in card.get("tags", []) if tag not in TAGS]
    return found + [(f"there is no tag {tag!r}; there are: {', '.join(TAGS)}", "tags") for tag in odd]


def own_pairs(box: Box) -> list[tuple[str, str]]:
    """Each faction that is not as it comes with the program, against the next one of the box; all of them where only
    other numbers of the box are an owner's."""
    known = standard()["faction"]
    slugs = [faction["slug"] for faction in box.factions]
    own = [faction["slug"] for faction in box.factions if faction not in known] or slugs
    return [(slug, slugs[(slugs.index(slug) + 1) % len(slugs)]) for slug in own]


def provenance(card: Raw) -> dict[str, str]:
    """Where each number of a card, and its name, come from: rulebook, inferred, reconstructed, ours."""
    return card_files.provenance(card, (*NUMBERS, *[number for number in ("by", "tokens") if number in card]))
