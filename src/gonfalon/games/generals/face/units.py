"""Generals in play as data."""

from __future__ import annotations

from typing import Final, TypedDict

from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, PARTS, TROOP
from gonfalon.games.generals.face import preview, words
from gonfalon.games.generals.face.cards import CardBuilder, Face
from gonfalon.games.generals.face.deeds import Done
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.acts import legal as possible
from gonfalon.games.generals.rules.cards import NO_ACT, RULES
from gonfalon.games.generals.rules.state import ACTIVE_USED, AGAIN, ATTACK_USED, HAS_MOVED, NEW, GeneralsState
from gonfalon.games.generals.rules.zones import WORDS, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules


class Gear(Face):
    """Equipment that a general bears."""

    part: str
    marks: int


class Now(TypedDict):
    """The numbers of a general as they are."""

    might: int
    wits: int
    upkeep: int


class Unit(Face):
    """A general in play. Its `id` is the one of the notation."""

    seat: int
    zone: int
    place: str
    now: Now
    gear: list[Gear]
    marks: int
    new: bool
    moved: bool
    attacked: bool
    used: bool
    rules: list[str]
    can_act: bool
    note: str
    """What they did in the turn of now, or in the enemy's of before."""


def build_unit(game: GeneralsRules, view: GeneralsState, faces: CardBuilder, u: int) -> Unit:
    """A general in play with its numbers as they are now."""
    setup = view.setup
    seat = setup.owner[u]
    flags = view.flags[u]
    bits = stats.find_rule_bits(view, u)
    face = faces.face(seat, view.setup.kind[u], "field")
    return {
        **face,
        "id": preview.unit_id(game, u),
        "seat": seat,
        "zone": view.zone[u],
        "place": WORDS[ZONE_OF[seat][view.zone[u]]],
        "now": {"might": view.might(u), "wits": view.wits(u), "upkeep": stats.compute_upkeep(view, u)},
        "gear": [
            {**faces.face(seat, worn, "gear"), "part": word, "marks": view.marks[u * PARTS + part]}
            for word, part, worn in (("armament", ARMAMENT, view.armament[u]), ("troop", TROOP, view.troop[u]))
            if worn >= 0
        ],
        "marks": view.marks[u * PARTS + GENERAL],
        "new": bool(flags & NEW),
        "moved": bool(flags & HAS_MOVED),
        "attacked": bool(flags & ATTACK_USED),
        "used": bool(flags & ACTIVE_USED),
        "rules": [words.BARS[RULES[i]] for i in range(len(RULES)) if bits >> i & 1],
        "can_act": seat == view.active and possible.has_act(view, u),
        "note": note_flags(flags, bool(bits & NO_ACT)),
    }


NOTES: Final = (
    (AGAIN, "again"),
    (NEW, "new"),
    (ATTACK_USED, "attacked"),
    (HAS_MOVED, "moved"),
    (ACTIVE_USED, "effect"),
)


def note_flags(flags: int, held: bool) -> str:
    """What a general has done, in a word."""
    return "held" if held else next((word for bit, word in NOTES if flags & bit), "")


def note_deeds(units: list[list[Unit]], deeds: list[Done]) -> None:
    """Write what the enemy did in a turn that is over on their generals."""
    did = {deed["unit"]: f"{deed['word']} {deed['score']}".strip() for deed in deeds}
    for unit in (unit for army in units for unit in army):
        unit["note"] = unit["note"] or did.get(unit.get("id"), "")
