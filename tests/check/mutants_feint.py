"""Seeded faults of Feint: single places of its code with a plausible slip."""

from __future__ import annotations

import copy
import inspect
import textwrap
from typing import Any, Self

from gonfalon.check.kit import LAWS
from gonfalon.check.laws.rules.flow import check_reference_rules
from gonfalon.core.rules import shuffles
from gonfalon.core.rules import state as core_state
from gonfalon.games.feint import Feint, setup
from gonfalon.games.feint.face import refusals
from gonfalon.games.feint.rules import cards, phases, playing, questions, state
from gonfalon.games.feint.tiny import TINY
from gonfalon_reference_rules.feint.judge import FeintReferenceRules
from tests.check.mutants import Mutant, Patch

MUTANTS: list[Mutant] = []
TURNS: list[Mutant] = []
"""Slips in the course of a turn."""
SLOW = (
    "exact and fast shuffle agree",
    "all that is shown can be produced",
    "every level answers alike in twin worlds",
    "a bot that looks at the true position is caught",
)
"""Laws to skip for speed: tiny boxes show the first quickly, and no slip concerns texts or bots."""
OTHERS = tuple(law.name for law in LAWS if law.check is not check_reference_rules and not law.base)
"""All laws except the one with the reference rules."""


class Few(Feint):
    """A few configurations that together hold every card, so that a slip shows quickly."""

    @classmethod
    def samples(cls) -> list[Self]:
        pairs = [("keion", "agents"), ("wu", "engineers"), ("agents", "mibits"), ("engineers", "keion")]
        return [*[cls(factions=pair) for pair in pairs], cls(factions=("mibits", "wu"), scrambler="played")]

    @classmethod
    def tiny(cls) -> list[Self]:
        """One more box with two cards of a kind, in which unequal chances show."""
        raw = copy.copy(TINY[0])
        faction = dict(raw["faction"][0])
        faction["cards"] = [{**card, "copies": 2 - i} for i, card in enumerate(faction["cards"])]
        raw["faction"] = [faction, raw["faction"][1]]
        return [*super().tiny(), cls(cards=raw, exact=True, factions=("red", "blue"))]


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


def slip(name: str, module: Any, where: str, old: str, new: str) -> None:
    MUTANTS.append(Mutant(name, [edited(module, where, old, new)], game=Few, skip=SLOW))


def turn(name: str, module: Any, where: str, old: str, new: str) -> None:
    TURNS.append(Mutant(name, [edited(module, where, old, new)], game=Busy, skip=OTHERS))


slip("a battle adds the Location's number", phases, "Resolve.rate", "* s.setup.numbers", "+ s.setup.numbers")
slip("a tie goes to the other seat", phases, "Resolve.auto", "> rating[winner]", ">= rating[winner]")
slip("a Punisher bars nothing", phases, "Resolve.auto", "& ~barred", "| barred * 0")
slip("only battles cost Morale", phases, "Resolve.turn_up", "morale += kind.morale", "morale += kind.strength")
slip("the start player stays", phases, "Cleanup.auto", "s.first = OPPONENT[s.first]", "s.first = s.first")
slip("no Morale left, and the game goes on", state, "FeintState.change_morale", "<= 0", "<= -5")
slip("returns are the wrong way round", state, "FeintState.returns", "self.winner == 0", "self.winner == 1")
slip("capacity must not be reached", state, "FeintState.find_open_places", "<= most", "< most")
slip("capacity may be exceeded by one", state, "FeintState.find_open_places", "<= most", "<= most + 1")
slip("a Tower needs as many Engineers as Towers", cards, "Tower.fits", "engineers > towers", "engineers >= towers")
slip(
    "a Knight goes anywhere",
    cards,
    "Knight.plays",
    "self.place >= 0 and super().fits(s, self.place)",
    "Kind.plays(self, s, out)",
)
slip("lifting a card leaves its load", state, "FeintState.lift", "- self.burden(card)", "- 0")
slip("a Saboteur loses a Protected card", cards, "Saboteur.on_play", "deck.append(card | BOTH)", "pass")
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
    "s.tell(events.PLAYED, seat, card, place)",
    "s.tell(events.PLAYED, seat, card | BOTH, place)",
)
slip("a face-down card lies open", playing, "play_card", "card | DOWN if", "card | DOWN | BOTH if")
slip("a bad action has no reason", refusals, "explain_refusal", "return reason", "return Reason('')")
slip("two notations are one", setup, "FeintRules.notation", '"@{', '"#{')
slip(
    "exact chance forgets how many there are",
    shuffles,
    "DealCard.weights",
    "counts(",
    "(lambda zone: [1] * len(kinds(zone)))(",
)
slip("the fast shuffle forgets a pile", shuffles, "Shuffle.choose", "s.shuffled_zones()", "s.shuffled_zones()[:3]")
slip(
    "a view keeps the discards of the other seat's answer",
    refusals,
    "explain_refusal",
    "asked = s.stack[-1].prompt",
    "asked = s.stack[-1].prompt; s.round += 1",
)

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
turn(
    "what has come to another place is still to be moved",
    state,
    "FeintState.move",
    "& ~DUES",
    "& ~0",
)
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
        f"nobody orders a {ability} and a Scrambler",
        [(getattr(cards, ability), "acts", False)],
        game=Busy,
        skip=OTHERS,
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
turn(
    "a Trojan Bit draws for nothing",
    questions,
    "Swap.otherwise",
    "s.tell_idle(self.seat)",
    "s.draw(self.seat, 1)",
)
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
