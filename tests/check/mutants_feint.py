"""Seeded faults of Feint: single places of its code with a plausible slip."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Self

from gonfalon.check.kit import LAWS
from gonfalon.check.laws.rules.flow import check_reference_rules
from gonfalon.core.rules import state as core_state
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import cards, phases, playing, questions, state
from gonfalon_reference_rules.feint.judge import FeintReferenceRules
from tests.check.mutants import Mutant, Patch

TURNS: list[Mutant] = []
"""Slips in the course of a turn."""
OTHERS = tuple(law.name for law in LAWS if law.check is not check_reference_rules and not law.base)
"""All laws except the one with the reference rules."""


class Busy(Feint):
    """Nested plays, Scramblers and moves all the time, in both readings."""

    @classmethod
    def samples(cls) -> list[Self]:
        return [one for one in FeintReferenceRules().build_samples(cls) if isinstance(one, cls)]

    @classmethod
    def tiny(cls) -> list[Self]:
        return []


def edited(module: Any, name: str, old: str, new: str) -> Patch:
    """Return a patch that replaces `old` by `new` in the source of a function or method."""
    owner: Any = module
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    source = textwrap.dedent(inspect.getsource(owner.__dict__[last]))
    if old not in source:
        raise LookupError(f"{name} has no {old!r} any more")
    scope: dict[str, Any] = {}
    code = "from __future__ import annotations\n" + source.replace(old, new, 1)
    exec(compile(code, f"mutant of {name}", "exec"), module.__dict__, scope)
    return owner, last, scope[last]


def turn(name: str, module: Any, where: str, old: str, new: str) -> None:
    TURNS.append(Mutant(name, [edited(module, where, old, new)], game=Busy, skip=OTHERS))


# ---- whose trigger is whose, and in which order ---------------------------------------------------------

turn(
    "any Scrambler at the place moves, be it the one that was set off or not",
    playing,
    "Scramble.index",
    "cards[i] & DUES == mark",
    "(cards[i] & DUES == mark if s.setup.moves_played else s.kinds[cards[i] & 1023].scrambles)",
)
turn(
    "with the other reading any card moves that a Scrambler was set off by",
    playing,
    "Scramble.index",
    "cards[i] & DUES == mark",
    "(cards[i] & DUE if s.setup.moves_played else cards[i] & DUES == mark)",
)
turn("what has come to another place is still to be moved", state, "FeintState.move", "& ~DUES", "& ~0")
turn(
    "an ability happens where the card was played, not where it lies then",
    playing,
    "Scramble.choose",
    "to if s.setup.moves_played else self.place",
    "self.place",
)
turn("the Scramblers go first, whatever is said", playing, "Order.choose", "action == OWN", "action == -1")
turn("one of two Scramblers stays", playing, "push_scrambles", "range(count)", "range(1)")
turn("a Protected card is moved", playing, "mark_scrambles", " or kind.protected", "")
turn(
    "a play within a play sets no Scrambler off",
    playing,
    "play_card",
    "if s.setup.scramblers else 0",
    "if s.setup.scramblers and len(s.stack) < 4 else 0",
)
turn("a single answer is asked", core_state, "Evident.options", "> 1", "> 0")
turn(
    "a Good-for-Something with one play is not asked",
    questions,
    "PlayOne.options",
    "return s.plays(s.hand[self.seat])",
    "found = s.plays(s.hand[self.seat]); return found if len(found) > 1 else []",
)
TURNS += [
    Mutant(
        f"nobody orders a {ability} and a Scrambler", [(getattr(cards, ability), "acts", False)], game=Busy, skip=OTHERS
    )
    for ability in ("GuardianAngel", "Explorer", "Patriot", "Saboteur", "Assassin", "Medic", "GanganBit", "TrojanBit")
]

# ---- what nested plays, moves and rounds leave behind -----------------------------------------------------

turn("a moved card loses its Stay token", state, "FeintState.move", "& ~DUES", "& ~DUES & ~STAY")
turn("a card that stays keeps its token", phases, "Cleanup.auto", "card & KIND | BOTH | stay, place", "card, place")
turn(
    "without a battle the first seat wins",
    phases,
    "Resolve.auto",
    "winner = s.first",
    "winner = s.first if battles else 0",
)
turn("a bomb that hits is not spent", questions, "Bomb.choose", "self.otherwise(s)", "pass")
turn("a Trojan Bit draws for nothing", questions, "Swap.otherwise", "s.tell_idle(self.seat)", "s.draw(self.seat, 1)")
turn("a Trojan Bit takes itself", questions, "Swap.answers", "if action != itself", "")
turn(
    "a returned card goes on top", questions, "Swap.choose", "s.deck[seat].insert(0, card)", "s.deck[seat].append(card)"
)
turn(
    "a Conjurer plays from the hand",
    questions,
    "Conjure.choose",
    "s.discard[self.seat]",
    "s.hand[self.seat] if len(s.hand[self.seat]) > 40 else s.discard[OPPONENT[self.seat]]",
)
turn(
    "Capacity knows nothing of a card that changes it",
    state,
    "FeintState.capacity",
    "& KIND].shift",
    "& KIND].shift * 0",
)
turn("a Gangan Bit gathers Protected cards", cards, "GanganBit.gathers", "if kind.protected:", "if False:")
