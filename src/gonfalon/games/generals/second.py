"""A second opinion on Generals for the conformance kit, worked out from the log and the card data.

Slow and plain on purpose: it shares no code with the rules, so that a slip in either shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gonfalon.core.cards import KIND
from gonfalon.core.state import Action
from gonfalon.games.generals import events as ev
from gonfalon.games.generals.state import GeneralsState

if TYPE_CHECKING:
    from gonfalon.games.generals.game import Generals

LIVE = range(4)


def invariants(game: Generals, s: GeneralsState) -> list[str]:
    """What is wrong in a full state, as sentences."""
    faults = [f"a DISCARD of seat {seat} holds a card somebody may know" for seat in (0, 1) if _known(s.discard[seat])]
    for seat in (0, 1):
        units = [u for u in range(game.setup.units) if game.setup.owner[u] == seat]
        standing = sorted(game.setup.kind[u] for u in units if s.zone[u] in LIVE)
        if standing != sorted(card & KIND for card in s.field[seat]):
            faults.append(f"seat {seat}'s generals in play are {standing}, its cards say otherwise")
        fallen = sorted(game.setup.kind[u] for u in units if s.zone[u] == -2)
        if fallen != sorted(card & KIND for card in s.casualty[seat]):
            faults.append(f"seat {seat}'s fallen are {fallen}, its CASUALTY says otherwise")
        names = [game.pool.cards[card & KIND].name for card in [*s.field[seat], *s.casualty[seat]]]
        if len(set(names)) != len(names):
            faults.append(f"seat {seat} has two generals of a name in play or CASUALTY (ruling 32)")
        worn = [kind for u in units for kind in (s.armament[u], s.troop[u]) if kind >= 0]
        if sorted(worn) != sorted(card & KIND for card in s.gear[seat]):
            faults.append(f"seat {seat}'s generals bear {worn}, its Equipment says otherwise")
        arms = [game.pool.cards[s.armament[u]].name for u in units if s.armament[u] >= 0]
        if len(set(arms)) != len(arms):
            faults.append(f"seat {seat} has two Armaments of a name in play (ruling 38)")
        if any(s.zone[u] == (3 if seat == 0 else 0) for u in units):
            faults.append(f"a general of seat {seat} is in ENEMY'S FORTRESS (ruling 3)")
        if any((s.armament[u] >= 0 or s.troop[u] >= 0) and s.zone[u] not in LIVE for u in units):
            faults.append(f"a general of seat {seat} bears Equipment out of play (ruling 39)")
    if s.log is not None:
        faults += _sums(game, s)
    return faults


def _known(zone: list[int]) -> bool:
    return any(card != card & KIND for card in zone)


def _sums(game: Generals, s: GeneralsState) -> list[str]:
    """Follow the cards of RESOURCE and of the hands by what the log tells."""
    left = [len(deck) for deck in game.setup.decks]
    hand = [0, 0]
    pile = [0, 0]
    assert s.log is not None
    for code, _, seat, _card, a, b in s.log:
        if code == ev.DREW:
            left[seat] -= a
            hand[seat] += a
        elif code == ev.DEPLETED:
            left[seat] -= a
            pile[seat] += a
        elif code in (ev.DISCARDED, ev.PAID, ev.FULL):
            hand[seat] -= a
            pile[seat] += a
        elif code == ev.DECLARED:
            hand[seat] -= 1
        elif code in (ev.USED, ev.LOST_GEAR):
            pile[seat] += 1
        elif code == ev.FOUND and a:
            left[seat] -= 1
            hand[seat] += 1
        elif code == ev.RECOVERED:
            left[seat] += a
            pile[seat] -= a
        elif code == ev.RETURNED:
            hand[seat] += 1
        elif code == ev.MULLIGAN and a:
            left[seat] += hand[seat]
            hand[seat] = 0
        elif code == ev.RECRUITED and b < 0:
            hand[seat] -= 1  # by a card's effect, not declared
    faults = []
    for seat in (0, 1):
        counted = (len(s.deck[seat]), len(s.hand[seat]), len(s.discard[seat]))
        if (left[seat], hand[seat], pile[seat]) != counted:
            told = (left[seat], hand[seat], pile[seat])
            faults.append(f"seat {seat} has RESOURCE, hand and DISCARD of {counted}, the log says {told}")
    return faults


def reference(game: Generals, s: GeneralsState, seat: int) -> list[Action] | None:
    """The legal actions of a seat worked out from the card data alone, for payments, for the acts of
    generals without active effects and special permissions, and for Counters; None for other decisions."""
    asked = s.stack[-1].prompt if s.stack else ""
    if asked in ("pay", "excess"):
        return _payments(game, s, seat)
    if asked == "act":
        return _acts(game, s, seat)
    if asked == "answer":
        return _counters(game, s, seat)
    return None


def _payments(game: Generals, s: GeneralsState, seat: int) -> list[Action]:
    """Every card after which enough are left that do not come before it in the card list."""
    left = s.stack[-1].left  # type: ignore[attr-defined]
    hand = sorted(card & KIND for card in s.hand[seat] if card & KIND >= s.floor[seat])
    fitting = {kind for kind in hand if sum(other >= kind for other in hand) >= left}
    return sorted(game.parse(game.pool.cards[kind].slug) for kind in fitting)


def _plain(game: Generals, s: GeneralsState, u: int) -> bool:
    """Whether nothing but the rulebook says what a general may do now."""
    card = game.pool.cards[game.setup.kind[u]]
    words = [op.get("op") for ability in card.abilities for op in ability["do"]]
    kinds = [ability["kind"] for ability in card.abilities]
    return "active" not in kinds and "permit" not in words and s.armament[u] < 0 and s.troop[u] < 0 and not s.lasting


def _acts(game: Generals, s: GeneralsState, seat: int) -> list[Action] | None:
    u: int = s.stack[-1].unit  # type: ignore[attr-defined]
    if not _plain(game, s, u):
        return None
    mine = [v for v in range(game.setup.units) if game.setup.owner[v] == seat and s.zone[v] in LIVE]
    theirs = [v for v in range(game.setup.units) if game.setup.owner[v] != seat and s.zone[v] in LIVE]
    near, far = (1, 2) if seat == 0 else (2, 1)
    home = 0 if seat == 0 else 3
    new, moved, attacked, again = (bool(s.flags[u] & bit) for bit in (1, 2, 4, 32))
    legal = []
    if not new and not moved and not attacked:
        places = {home: "@fortress", near: "@border"}
        blockers = [v for v in mine if s.zone[v] == near and v != u]
        if s.setup.strict_blocking:
            blockers = [v for v in blockers if s.flags[v] & 64]
        if len(blockers) >= sum(s.zone[v] == near for v in theirs):
            places[far] = "@enemy-border"
        legal += [word for zone, word in places.items() if zone != s.zone[u]]
    if not new and (again or not (moved or attacked)):
        here = [v for v in theirs if s.zone[v] == s.zone[u]]
        if s.zone[u] in (near, far):
            slugs = [game.pool.cards[game.setup.kind[v]].slug for v in here]
            legal += [f"{slug}#{2 - seat}" for slug in slugs]
        if s.zone[u] == far and not here and s.might(u) > 0:
            legal.append("siege")
    return sorted(game.parse(text) for text in legal)


def _counters(game: Generals, s: GeneralsState, seat: int) -> list[Action] | None:
    """Counters of the hand that answer the act and can be paid for; where something changes costs
    nothing is said."""
    act = s.stack[-1].act  # type: ignore[attr-defined]
    word = ("strategy", "tactical_strike", "active", "equip", "melee", "siege", "counter")[act.code]
    legal = ["pass"]
    for kind in {card & KIND for card in s.hand[seat]}:
        card = game.pool.cards[kind]
        if card.type == "counter" and word in card.abilities[0]["to"]:
            if card.requires or set(card.pay) - {"hand"}:
                return None
            if card.cost <= len(s.hand[seat]) - 1:
                legal.append(card.slug)
    return sorted(game.parse(text) for text in legal)
