"""What a network sees of a game, and what its answers mean."""

from __future__ import annotations

from collections.abc import Callable

from mypy_extensions import mypyc_attr

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import Worlds, worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, Action, Seat, State


@mypyc_attr(allow_interpreted_subclasses=True)
class NetworkInput:
    """Tells a position to a network as a row of bytes, from the side of the seat that is asked.

    It is given full states, worlds or a game in training, and the first `known` bytes may hold only what
    that seat may know: the policy reads these. What follows is what the others know; only the value
    reads it, and the value is only ever asked about worlds that somebody has made up.
    """

    def __init__(self, game: Game) -> None:
        self.game: Game = game
        self.known: int = 0
        self.size: int = 0
        self.outputs: int = 0  # how many different answers there are
        self.rules: tuple[str, ...] = (game.version,)
        """Versions of the rules that a network may have learnt: these, and older ones that play much the same."""
        # Of a training that takes an hour of two cores at most:
        self.updates: int = 1800
        self.policy_layers: tuple[int, ...] = (128, 96)  # units between what comes in and what goes out
        self.value_layers: tuple[int, ...] = (96, 48)
        self.rule_of_thumb_share: float = 0.15  # the part of the games with the rule of thumb in one seat
        self.decay: float = 0.95  # what turns out later counts so much less, a decision further on (lambda)
        self.sampler: Callable[[State], Worlds] = worlds
        """Where hunches get a world from, as a bot does: from a view alone."""

    def scales(self) -> list[float]:
        """What each byte is multiplied by, so that most numbers are of the size of 1."""
        return [1.0] * self.size

    def put(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        """Write a position into `out`, which is all zeros there, from place `at` on."""
        raise NotImplementedError

    def answers(self, s: State) -> list[int]:
        """For each of `s.actions` the number of its answer; two actions may share one."""
        raise NotImplementedError

    def hunches(self, s: State) -> list[float]:
        """Log-odds of `s.actions` before any network, to which it adds its own. Asked after `put`."""
        return [0.0] * len(s.actions)


def look_all(sense: NetworkInput, states: list[State], out: bytearray) -> tuple[list[int], list[float], list[int]]:
    """Write each position from the side of who is asked into a row of `out`; the answers of all their
    actions one after the other, the log-odds of these, and how many each position has."""
    answers: list[int] = []
    hunches: list[float] = []
    counts: list[int] = []
    at = 0
    for s in states:
        sense.put(s, s.turn, out, at)
        at += sense.size
        found = sense.answers(s)
        answers += found
        hunches += sense.hunches(s)
        counts.append(len(found))
    return answers, hunches, counts


def look_anew(
    sense: NetworkInput, states: list[State], out: bytearray, seen: dict[tuple[Seat, bytes, tuple[Action, ...]], int]
) -> tuple[list[int], list[int], list[float], list[int]]:
    """Look only at what is new to whoever is asked. Returns the number of each position's look, then the same as
    `look_all` of the new looks alone, whose rows are the first in `out`. `seen` numbers looks in their order, and gets
    the new ones."""
    which: list[int] = []
    answers: list[int] = []
    hunches: list[float] = []
    counts: list[int] = []
    blank = bytes(sense.size)
    at = 0
    for s in states:
        sense.put(s, s.turn, out, at)
        look = (s.turn, bytes(out[at : at + sense.known]), tuple(s.actions))
        number = seen.get(look, -1)
        if number < 0:
            number = len(seen)
            seen[look] = number
            found = sense.answers(s)
            answers += found
            hunches += sense.hunches(s)
            counts.append(len(found))
            at += sense.size
        else:
            out[at : at + sense.size] = blank
        which.append(number)
    return which, answers, hunches, counts


def to_choice(s: State, rng: Rng) -> bool:
    """Let chance and who has no choice act until somebody has one; False at the end of the game."""
    while s.stack:
        seat = s.turn
        if seat == CHANCE:
            s.apply(seat, s.chance(rng))
        elif len(s.actions) == 1:
            s.apply(seat, s.actions[0])
        else:
            return True
    return False


def network_input_of(game: Game) -> NetworkInput:
    """What a network sees of a game. Raises OptionError for a game that is not to be learnt."""
    found = game.network_input()
    if not isinstance(found, NetworkInput):
        raise OptionError(f"{game.title} does not say how networks see it, so none can be trained for it.")
    return found
