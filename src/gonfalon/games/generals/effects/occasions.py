"""The events of the effect language, which an ability may wait for. The rules report them as `Happening`s."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gonfalon.games.generals.cards.checks import Check
from gonfalon.games.generals.effects import forms
from gonfalon.games.generals.effects.language import Occasion
from gonfalon.games.generals.effects.vocabulary import CAUSES, ROLES

FIELDS: Final[dict[str, Check]] = {
    "subject": forms.any_generals,
    "whose": forms.player,
    "role": forms.one_of(*ROLES),
    "cause": forms.one_of(*CAUSES),
    "to": forms.place,
    "min_depleted": forms.count,
    "min_defeated": forms.count,
}
"""The check of each entry of an event."""
SUBJECT: Final[Mapping[str, str]] = {"subject": ""}
WHOSE: Final[Mapping[str, str]] = {"whose": ""}

Occasion("defeats", "a general wins a melee or kills with Tactics; once for each enemy defeated", SUBJECT)
Occasion(
    "wins_melee",
    "a general wins a melee",
    {**SUBJECT, "role": "`attacker` or `defender`; without it either, or a `duel`"},
)
Occasion("siege_done", "a Siege was carried out", {**SUBJECT, "min_depleted": ""})
Occasion("tactic_done", "a Tactical Strike was carried out", {"subject": "its executor", "min_defeated": ""})
Occasion(
    "to_casualty",
    "a general goes to CASUALTY, but not as a cost",
    {**SUBJECT, "cause": "`enemy` or `melee`; without it any cause"},
)
Occasion("moves", "a general makes its move of the turn", {**SUBJECT, "to": "a zone"})
Occasion("recruited", "a general comes into play from the hand", SUBJECT)
Occasion("turn_start", "a turn begins, before the draw", WHOSE)
Occasion("end_phase", "a turn ends, before Upkeep", WHOSE)
