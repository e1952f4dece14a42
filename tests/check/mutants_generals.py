"""Seeded faults of Generals: single places of its rules, changed as a slip of the pen would."""

from __future__ import annotations

import sys
from typing import Any, Self

from gonfalon.check import LAWS
from gonfalon.games.generals import Generals
from gonfalon.games.generals.effects import on_generals
from gonfalon.games.generals.rules import cards, casualties, state, stats, turn
from gonfalon.games.generals.rules.acts import legal
from gonfalon_reference_rules.generals.judge import GeneralsReferenceRules
from tests.check.mutants import Mutant, Patch
from tests.check.mutants_feint import edited

MUTANTS: list[Mutant] = []
WATCHING = ("every game ends within its bound", "rules and reference rules agree")
"""No slip here is one of views, words, worlds or bots."""
SKIP = tuple(law.name for law in LAWS if law.name not in WATCHING)


class Crowded(Generals):
    """The two crowds alone, with whom a slip shows soon."""

    @classmethod
    def samples(cls) -> list[Self]:
        return [one for one in GeneralsReferenceRules().build_samples(cls) if isinstance(one, cls)]

    @classmethod
    def tiny(cls) -> list[Self]:
        return []


def everywhere(patch: Patch) -> list[Patch]:
    """The patch, in all modules of the game that have taken the function over by its name."""
    owner, name, value = patch
    original = getattr(owner, name)
    users = [module for word, module in sys.modules.items() if word.startswith("gonfalon.games.generals.")]
    return [patch] + [
        (module, name, value) for module in users if module is not owner and getattr(module, name, None) is original
    ]


def slip(name: str, module: Any, where: str, old: str, new: str) -> None:
    MUTANTS.append(Mutant(name, everywhere(edited(module, where, old, new)), game=Crowded, skip=SKIP))


# Affiliation, and who may be recruited
slip("Affiliation counts the enemy's too", stats, "count_affiliation", "s.army[seat]", "s.army[0] + s.army[1]")
slip(
    "Affiliation counts those at home alone",
    stats,
    "count_affiliation",
    "== kind.faction",
    "== kind.faction and s.zone[u] in (0, 3)",
)
slip("Affiliation counts every faction", stats, "count_affiliation", "faction[u] == kind.faction", "faction[u] != 0")
slip(
    "Affiliation counts the fallen",
    stats,
    "count_affiliation",
    "for u in s.army[seat]",
    "for u in s.setup.army_of[seat]",
)
slip("Affiliation takes off one at most", stats, "count_affiliation", "count += 1", "count = 1")
slip("Affiliation counts once too often", stats, "count_affiliation", "count = 0", "count = 1")
slip("the name of a fallen general is free", state, "GeneralsState.name_taken", "!= AWAY", ">= 0")
slip("who returned comes back for nothing", stats, "compute_cost", "least = 1", "least = 0")

# Blocking, and who may move
slip(
    "blockers do not stop a larger force",
    state,
    "GeneralsState.missing_blockers",
    "return wanted if wanted > 0 else 0",
    "return wanted if wanted == 1 else 0",
)
slip(
    "one blocker stops all", state, "GeneralsState.missing_blockers", "return wanted if", "return 1 if wanted else 0 if"
)
slip("who leaves counts as a blocker", state, "GeneralsState.missing_blockers", "v != u and ", "")
slip("strict blocking is as the other", state, "GeneralsState.missing_blockers", "not strict or", "True or")
slip("one enemy is not worth a blocker", state, "GeneralsState.missing_blockers", "if wanted == 0", "if wanted <= 1")
slip("a new general moves", legal, "can_move", "(NEW | MOVE_USED | ATTACK_USED)", "(MOVE_USED | ATTACK_USED)")
slip("who moved attacks", legal, "can_attack", "flags & MOVE_USED and", "flags & 1024 and")
slip("a new general attacks", legal, "can_attack", "if flags & NEW", "if flags & 1024")

# Sieges
slip("a Siege without Siegecraft", legal, "siege_amount", "stats.compute_stat(s, SIEGE_STAT, u, NO_CONTEXT, -1)", "0")
slip("Siegecraft in every Siege of a turn", cards, "Mod.fits", "s.sieges != self.nth", "s.sieges < self.nth")
slip("Siegecraft in the second Siege", cards, "Mod.fits", "s.sieges != self.nth", "s.sieges != self.nth + 1")
slip("a Siege by Might alone", legal, "siege_amount", "s.might(u) +", "s.setup.base[0][u] +")
slip("one defender does not stop a Siege", legal, "can_siege", "== 0", "<= 1")
slip("a Siege from BORDER", legal, "can_siege", "far = FAR[seat]", "far = NEAR[seat]")
slip("a Siege as large as RESOURCE wins", state, "GeneralsState.damage", "count > len", "count >= len")
slip("a Siege beyond RESOURCE goes on", state, "GeneralsState.damage", "lethal = count", "lethal = 0 * count")

# Plots
slip("of a plot with four one is spared", on_generals, "Plot.run", "in aimed:", "in aimed[:3]:")
slip("equal Wits are enough", on_generals, "Plot.run", "against < wits", "against <= wits")
slip("a plot's bonus is forgotten", on_generals, "Plot.run", "+ self.bonus", "")
slip("only the first falls", on_generals, "Plot.run", "strike_down(s, hits,", "strike_down(s, hits[:1],")

# Melees
slip("a tie spares the attacker", casualties, "fight_melee", "strike_down(s, [a, b]", "strike_down(s, [b]")
slip("the lower Might wins", casualties, "fight_melee", "if x > y else", "if x < y else")
slip("a Troop does not fight along", stats, "compute_stat", "worn = s.troop[u]", "worn = -1")

# The end of a turn
slip("one general needs no Upkeep", stats, "compute_upkeep_total", "in s.army[seat]:", "in s.army[seat][1:]:")
slip(
    "a fresh general needs no Upkeep",
    stats,
    "compute_upkeep_total",
    "total += compute_upkeep(s, u)",
    "total += 0 if s.flags[u] & 1 else compute_upkeep(s, u)",
)
slip("each general needs one", stats, "compute_upkeep", "return due if due > 0 else 0", "return 1")
slip("Upkeep is told and not paid", turn, "Upkeep.auto", "elif due:", "elif due < 0:")
slip("Upkeep of the last card loses", turn, "Upkeep.auto", "due > len", "due >= len")
slip("what cannot be paid is not lost", turn, "Upkeep.auto", "due > len(s.deck[seat])", "due > 99")
slip(
    "the hand limit comes before Upkeep",
    turn,
    "Main.choose",
    "s.stack.append(HAND_LIMIT[seat])\n        s.stack.append(UPKEEP[seat])",
    "s.stack.append(UPKEEP[seat])\n        s.stack.append(HAND_LIMIT[seat])",
)
slip(
    "no Upkeep on the first turn",
    turn,
    "Main.choose",
    "s.stack.append(UPKEEP[seat])",
    "s.stack.append(UPKEEP[seat]) if s.number > 1 else None",
)
slip("the second player skips a draw too", turn, "DrawPhase.auto", "s.number == 1", "s.number <= 2")
slip("the first player draws", turn, "DrawPhase.auto", "s.number == 1", "s.number == 0")
slip("nobody is ready again", turn, "NextTurn.auto", "s.flags = [0] * s.setup.units", "pass")
