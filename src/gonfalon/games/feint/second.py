"""A second opinion on Feint for the conformance kit: worked out anew from the log and the card data.

Slow and plain on purpose: it shares no code with the rules, so that a slip in either shows.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gonfalon.core.cards import KIND
from gonfalon.core.state import Action
from gonfalon.games.feint import events as ev
from gonfalon.games.feint.state import DOWN, FeintState

if TYPE_CHECKING:
    from gonfalon.games.feint.game import Feint


def invariants(game: Feint, s: FeintState) -> list[str]:
    """What is wrong in a full state, as sentences."""
    faults = []
    for place, number in enumerate(game.box.locations):
        held = sum(_burden(game, card) for seat in (0, 1) for card in s.at(seat, place))
        if held != s.load[place]:
            faults.append(f"Location {number} counts {s.load[place]} of its Capacity, its cards say {held}")
    if s.log is not None:
        faults += _faults_of_log(game, s)
    return faults


def _burden(game: Feint, card: int) -> int:
    return 3 if card & DOWN else int(game.cards[card & KIND]["strength"])


def _faults_of_log(game: Feint, s: FeintState) -> list[str]:
    """Follow every card over the board, and work every Resolution and all Morale out again."""
    faults = []
    board: Counter[tuple[int, int, int]] = Counter()  # (seat, place, kind)
    battles: set[int] = set()
    barred: set[int] = set()
    morale = [game.box.morale, game.box.morale]
    totals = [0, 0]
    assert s.log is not None
    for code, _, seat, card, a, b in s.log:
        kind = card & KIND
        if code == ev.ROUND:
            battles, barred = set(), set()
        elif code == ev.PLAYED:
            board[seat, a, kind] += 1
        elif code == ev.MOVED:
            board[seat, a, kind] -= 1
            board[seat, b, kind] += 1
        elif code in (ev.RETURNED, ev.BOMBED, ev.SPENT):
            board[seat, a, kind] -= 1
        elif code == ev.LOCATION:
            battles.add(kind)
        elif code == ev.ADDED:
            battles.add(a)
        elif code == ev.BARRED:
            barred.add(a)
        elif code == ev.TOTAL:
            totals[seat] = a
            fought = battles - barred
            due = sum(
                n * game.cards[k]["strength"] * game.box.locations[p]
                for (owner, p, k), n in board.items()
                if owner == seat and p in fought
            )
            if a != due:
                faults.append(f"seat {seat}'s Strategy Rating is {a}, its cards say {due}")
        elif code == ev.WON:
            higher = 0 if totals[0] > totals[1] else 1
            if totals[0] != totals[1] and seat != higher:
                faults.append(f"seat {seat} won the round with {totals}")
        elif code == ev.COST:
            due = sum(n * game.cards[k]["morale"] for (owner, _, k), n in board.items() if owner == seat)
            if a != due:
                faults.append(f"seat {seat}'s cards cost {a} Morale, they say {due}")
            board.clear()  # all is removed; what stays is told next
        elif code == ev.STAYED:
            board[seat, a, kind] += 1
        elif code == ev.MORALE:
            morale[seat] += a
            if morale[seat] != b:
                faults.append(f"seat {seat} is told {b} Morale, the changes say {morale[seat]}")
    if morale != s.morale:
        faults.append(f"Morale is {s.morale}, the changes say {morale}")
    return faults


def reference(game: Feint, s: FeintState, seat: int) -> list[Action] | None:
    """The legal plays of a seat on its turn, from the card data alone; None for other decisions."""
    asked = s.stack[-1].prompt if s.stack else ""
    if asked not in ("deploy", "play-one", "conjure") or seat != s.turn:
        return None
    source = s.discard[seat] if asked == "conjure" else s.hand[seat]
    legal = {"pass"} if asked == "deploy" else set()
    for slug in {game.cards[card & KIND]["slug"] for card in source}:
        fitting = [number for number in game.box.locations if _fits(game, s, slug, number)]
        if game.cards[game.kind_of[slug].id].get("ability") == "storm-prodigy":
            legal |= {slug} if fitting else set()
        else:
            legal |= {f"{slug}@{number}" for number in fitting}
    return sorted(game.parse(text) for text in legal)


def _fits(game: Feint, s: FeintState, slug: str, number: int) -> bool:
    card = game.cards[game.kind_of[slug].id]
    ability = card.get("ability", "")
    place = game.box.locations.index(number)
    here = [*s.at(0, place), *s.at(1, place)]
    tags = [tag for one in here if not one & DOWN for tag in game.cards[one & KIND].get("tags", [])]
    if ability in ("tower", "support-tower", "bomb-tower"):
        return tags.count("engineer") > tags.count("tower")
    if ability == "knight" and card["location"] != number:
        return False
    if ability == "master-of-wind" and here:
        return False
    after = sum(_burden(game, one) for one in here) + (3 if ability == "covert" else card["strength"])
    return after <= (min(4, s.setup.capacity) if ability == "engineer" else s.setup.capacity)
