"""The melees and Sieges of the turn of now and of the one before, told from the view's log."""

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
    """A melee or a Siege: the attacker, in a melee also the attacked; their Might, or how much RESOURCE it cost; who
    was beaten. `n` is its place in the log."""

    n: int
    seat: int
    units: list[str]
    names: list[str]
    score: list[int]
    beaten: list[str]


TURNS: Final = 2
"""So many turns are told."""


def fights(game: GeneralsRules, view: GeneralsState) -> list[Fight]:
    """What was attacked and fought out, in its order."""
    log = view.log or []
    turns = [n for n, event in enumerate(log) if event[0] == ev.TURN]
    found: list[Fight] = []
    attack: Event | None = None
    for n in range(turns[-TURNS] if len(turns) >= TURNS else 0, len(log)):
        event = log[n]
        if event[0] in (ev.ATTACKED, ev.BESIEGED):
            attack = event
        elif event[0] == ev.TURN or (attack is not None and fails(attack, event)):
            attack = None
        elif attack is not None and ends(attack, event):
            found.append(fight(game, view, n, attack, event))
            attack = None
    return found


def fails(attack: Event, event: Event) -> bool:
    """Whether this is how an attack came to nothing: an answer to it may be negated too, or find nothing to do."""
    code, _, seat, card, act, _ = event
    if code == ev.NEGATED:
        return seat == attack[2] and act == (BY_MELEE if attack[0] == ev.ATTACKED else BY_SIEGE)
    return code == ev.FIZZLED and seat == attack[2] and card & KIND == HIDDEN


def ends(attack: Event, event: Event) -> bool:
    """Whether this is how an attack was fought out."""
    if attack[0] == ev.ATTACKED:
        return event[0] == ev.FOUGHT
    return event[0] == ev.DEPLETED and event[2] == OPPONENT[attack[2]]


def fight(game: GeneralsRules, view: GeneralsState, n: int, attack: Event, end: Event) -> Fight:
    """An attack and its end."""
    _, _, seat, card, other, _ = attack
    unit = view.setup.unit_of[seat][card & KIND]
    melee = attack[0] == ev.ATTACKED
    units = [unit, other] if melee else [unit]
    tie = end[3] & KIND == HIDDEN
    # Both seats may have the same card: the winner is told by whose they are.
    beaten = [u for u in units if tie or view.setup.owner[u] != end[2]] if melee else []
    return {
        "n": n,
        "seat": seat,
        "units": [preview.unit_id(game, u) for u in units],
        "names": [words.unit_name(game, u) for u in units],
        "score": [end[4], end[5]] if melee else [end[4]],
        "beaten": [preview.unit_id(game, u) for u in beaten],
    }
