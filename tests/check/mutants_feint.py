"""Seeded faults of Feint: single places of its code, changed as a slip of the pen would."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from gonfalon.games.feint import chance, game, kinds, phases, playing, state
from tests.check.feint_referee import Refereed
from tests.check.mutants import Mutant, Patch

MUTANTS: list[Mutant] = []
SLOW = (
    "exact and fast shuffle agree",
    "all that is asked and told has words",
    "every level answers alike in twin worlds, in every number",
    "a bot that looks at the true position is caught",
)
"""Tiny boxes show the first in no time, and no slip here is one of words or bots."""


def edited(module: Any, name: str, old: str, new: str) -> Patch:
    """The patch that replaces `old` by `new` in the source of a function or method."""
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


def slip(name: str, module: Any, where: str, old: str, new: str) -> None:
    MUTANTS.append(Mutant(name, [edited(module, where, old, new)], game=Refereed, skip=SLOW))


slip("a battle adds the Location's number", phases, "Resolve.auto", "* s.setup.numbers", "+ s.setup.numbers")
slip("a tie goes to the other seat", phases, "Resolve.auto", "> rating[winner]", ">= rating[winner]")
slip("a Punisher bars nothing", phases, "Resolve.auto", "& ~barred", "| barred * 0")
slip("only battles cost Morale", phases, "Resolve.auto", "morale += kind.morale", "morale += kind.strength")
slip("the start player stays", phases, "Cleanup.auto", "s.first = OPPONENT[s.first]", "s.first = s.first")
slip("no Morale left, and the game goes on", state, "FeintState.change_morale", "<= 0", "<= -5")
slip("returns are the wrong way round", state, "FeintState.returns", "self.winner == 0", "self.winner == 1")
slip("capacity must not be reached", state, "FeintState.open", "<= most", "< most")
slip("capacity may be exceeded by one", state, "FeintState.open", "<= most", "<= most + 1")
slip("a Tower needs as many Engineers as Towers", kinds, "Tower.fits", "engineers > towers", "engineers >= towers")
slip(
    "a Knight goes anywhere",
    kinds,
    "Knight.plays",
    "self.place >= 0 and super().fits(s, self.place)",
    "Kind.plays(self, s, out)",
)
slip("lifting a card leaves its load", state, "FeintState.lift", "- self.burden(card)", "- 0")
slip("a Saboteur loses a Protected card", kinds, "Saboteur.on_play", "deck.append(card | BOTH)", "pass")
slip("a discard is offered once too often", phases, "Reinforce.options_of", "> answer.count", ">= answer.count")
slip(
    "drawn cards are told to all",
    state,
    "FeintState.draw",
    "self.tell_only(1 << seat, events.DREW_CARD, seat, card)",
    "self.tell(events.DREW_CARD, seat, card, card & 1023)",
)
slip(
    "the Location Card's number is told",
    phases,
    "Scout.auto",
    "s.tell(events.SCOUTED, seat, card)",
    "s.tell(events.SCOUTED, seat, card, card & KIND)",
)
slip(
    "the Location Card lies open and nobody says so",
    phases,
    "Scout.auto",
    "s.scout[seat] = [card]",
    "s.scout[seat] = [card | BOTH]",
)
slip(
    "a face-down card is told",
    playing,
    "play_card",
    "s.tell(events.PLAYED, seat, card & ~FRESH, place)",
    "s.tell(events.PLAYED, seat, card & ~FRESH | BOTH, place)",
)
slip("a face-down card lies open", playing, "play_card", "card | DOWN if", "card | DOWN | BOTH if")
slip("a bad action has no reason", state, "FeintState.reason", '"There is no such action in Feint."', '""')
slip("two notations are one", game, "Feint.notation", '"@{', '"#{')
slip("exact chance forgets how many there are", chance, "DealCard.weights", "rest.count(kind)", "1")
slip("the fast shuffle forgets a pile", chance, "Shuffle.choose", "range(4)", "range(3)")
slip(
    "a view keeps the discards of the other seat's answer",
    state,
    "FeintState.reason",
    "step = self.stack[-1]",
    "step = self.stack[-1]; self.round += 1",
)
