"""The melees and Sieges of this turn and the previous one, read from the log of a view."""

from __future__ import annotations

from typing import Final, TypedDict

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.rules.state import Event
from gonfalon.games.generals.face import preview, words
from gonfalon.games.generals.rules import events as ev
from gonfalon.games.generals.rules.cards import BY_MELEE, BY_SIEGE
from gonfalon.games.generals.rules.state import OPPONENT, GeneralsState
from gonfalon.games.generals.ruleset import GeneralsRules


class Fight(TypedDict):
    """A melee or a Siege.

    `units` are the attacker and, in a melee, the defender. `score` is their Might, or the RESOURCE that a Siege
    depleted. `n` is the place in the log.
    """

    n: int
    seat: int
    units: list[str]
    names: list[str]
    score: list[int]
    beaten: list[str]


TURNS_SHOWN: Final = 2
"""The number of turns whose fights are listed, the present one included."""


def list_fights(game: GeneralsRules, view: GeneralsState) -> list[Fight]:
    """Return the melees and Sieges that were carried out, in order."""
    log = view.log or []
    turns = [n for n, event in enumerate(log) if event[0] == ev.TURN]
    found: list[Fight] = []
    attack: Event | None = None
    for n in range(turns[-TURNS_SHOWN] if len(turns) >= TURNS_SHOWN else 0, len(log)):
        event = log[n]
        if event[0] in (ev.ATTACKED, ev.BESIEGED):
            attack = event
        elif event[0] == ev.TURN or (attack is not None and is_failure(attack, event)):
            attack = None
        elif attack is not None and is_end(attack, event):
            found.append(build_fight(game, view, n, attack, event))
            attack = None
    return found


def is_failure(attack: Event, event: Event) -> bool:
    """Return whether an event ends an attack without result. A Counter to the attack may be negated or fizzle as
    well."""
    code, _, seat, card, act, _ = event
    if code == ev.NEGATED:
        return seat == attack[2] and act == (BY_MELEE if attack[0] == ev.ATTACKED else BY_SIEGE)
    # An event with a card is about a general that could not be moved. A blank card is the attack itself.
    return code == ev.FIZZLED and seat == attack[2] and card & KIND == HIDDEN


def is_end(attack: Event, event: Event) -> bool:
    """Return whether an event is the result of an attack."""
    if attack[0] == ev.ATTACKED:
        return event[0] == ev.FOUGHT
    return event[0] == ev.DEPLETED and event[2] == OPPONENT[attack[2]]


def build_fight(game: GeneralsRules, view: GeneralsState, n: int, attack: Event, end: Event) -> Fight:
    """Return the fight of an attack and its result."""
    _, _, seat, card, other, _ = attack
    unit = view.setup.unit_of[seat][card & KIND]
    melee = attack[0] == ev.ATTACKED
    units = [unit, other] if melee else [unit]
    # The event contains the winner's card. A blank card means a tie.
    tie = end[3] & KIND == HIDDEN
    # Both seats may have the same card, so the owner identifies the winner.
    beaten = [u for u in units if tie or view.setup.owner[u] != end[2]] if melee else []
    return {
        "n": n,
        "seat": seat,
        "units": [preview.unit_id(game, u) for u in units],
        "names": [words.unit_name(game, u) for u in units],
        "score": [end[4], end[5]] if melee else [end[4]],
        "beaten": [preview.unit_id(game, u) for u in beaten],
    }
