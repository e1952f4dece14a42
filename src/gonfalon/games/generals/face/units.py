"""Generals in play as data."""

from __future__ import annotations

from typing import Final, TypedDict

from gonfalon.games.generals.effects.frame import ARMAMENT, GENERAL, PARTS, TROOP
from gonfalon.games.generals.face import messages, preview, words
from gonfalon.games.generals.face.cards import CardBuilder, Face
from gonfalon.games.generals.face.deeds import Deed
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.acts import legal as possible
from gonfalon.games.generals.rules.cards import ATTACKER, NO_ACT, RULES
from gonfalon.games.generals.rules.state import ACTIVE_USED, AGAIN, ATTACK_USED, HAS_MOVED, NEW, GeneralsState
from gonfalon.games.generals.rules.zones import WORDS, ZONE_OF
from gonfalon.games.generals.ruleset import GeneralsRules


class Gear(Face):
    """Equipment that a general bears."""

    part: str
    marks: int


class Now(TypedDict):
    """The present numbers of a general."""

    might: int
    wits: int
    upkeep: int


class Doom(TypedDict):
    """The general that would beat another in a melee in the enemy's next turn, and its Might there."""

    name: str
    might: int


class Unit(Face):
    """A general in play. Its `id` is its notation."""

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
    """The latest act of the general in this turn, or in the enemy's previous turn."""
    falls_to: Doom | None
    """The strongest enemy in the zone that would beat the general, for generals of the viewer."""


def build_unit(game: GeneralsRules, view: GeneralsState, faces: CardBuilder, u: int) -> Unit:
    """Return a general in play with its present numbers."""
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
        # The zone is named from the side of the general's owner.
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
        "rules": [messages.BARS[RULES[i]] for i in range(len(RULES)) if bits >> i & 1],
        "can_act": seat == view.active and possible.has_act(view, u),
        "note": note_flags(flags, bool(bits & NO_ACT)),
        "falls_to": find_doom(game, view, u) if seat == view.viewer and view.winner < 0 else None,
    }


def find_doom(game: GeneralsRules, view: GeneralsState, u: int) -> Doom | None:
    """Return the strongest enemy in a general's zone that would beat it as the attacker, if there is one."""
    foes = [v for v in possible.list_foes(view, u) if preview.preview_melee(view, v, u).get("result") == "win"]
    if not foes:
        return None
    worst = max(foes, key=lambda v: view.might_in(v, ATTACKER, u))
    return {"name": words.unit_name(game, worst), "might": view.might_in(worst, ATTACKER, u)}


FLAG_WORDS: Final = (
    (AGAIN, "again"),
    (NEW, "new"),
    (ATTACK_USED, "attacked"),
    (HAS_MOVED, "moved"),
    (ACTIVE_USED, "effect"),
)
"""The word for each flag of a general, the most important first."""


def note_flags(flags: int, held: bool) -> str:
    """Return the state of a general this turn in a word."""
    return "held" if held else next((word for bit, word in FLAG_WORDS if flags & bit), "")


def note_deeds(units: list[list[Unit]], deeds: list[Deed]) -> None:
    """Write the acts of the enemy's latest turn on their generals."""
    did = {deed["unit"]: f"{deed['word']} {deed['score']}".strip() for deed in deeds}
    for unit in (unit for army in units for unit in army):
        # The state of this turn is more important than an act of the previous one.
        unit["note"] = unit["note"] or did.get(unit.get("id"), "")
