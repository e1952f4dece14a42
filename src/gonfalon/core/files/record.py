"""Records: a game, and every decision in order, chance included.

A state is a fold over the decisions, so undo, replay, crash recovery, bug reports and test fixtures are this one file.
Its JSON form (version 1):

    {"format": "gonfalon-record", "format_version": 1,
     "game": "feint", "options": {...}, "rules": "1", "data": "<hash of the card data>",
     "names": ["May", "David"],
     "decisions": [[-1, "seed:4711"], [0, "patriot@5"], ...],
     "result": {"winners": [0], "how": "rounds", "why": "..."} or null,
     "ended": null or {"seat": 1, "how": "resigned"},
     "proof": {...} (`core/files/proof.py`) if chance was proved,
     "clock": {"spec": {"bank": 900, "step": 10, "end": "bot"}, "spent": [null, 4711, ...]} if there was a clock}

The text form of the same entries is described in `core/files/record_text.py`. `load` reads both.

A decision is [seat, notation]; seat -1 is chance. `why` is a sentence with these names. `ended` is the reason why a
table stopped before the rules ended the game: a seat resigned or ran out of `time`, or the table was abandoned (seat
-1). The options of a game that continues a position of another game include `begun` (`core/files/start_position.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from gonfalon.core.basics.errors import GonfalonError, RecordError
from gonfalon.core.files.kept_data import kept_data
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import BEGUN, load_version
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.core.text.untrusted import isolate, printable

FORMAT: Final = "gonfalon-record"
"""The format of the file."""
FORMAT_VERSION: Final = 1
"""The version of the format."""
TIMED_OUT: Final = "time"
"""The ending of a game on time."""
ABANDONED: Final = "abandoned"
"""The ending of a game without a move for many days."""
HEAD: Final[Mapping[str, object]] = {"format": FORMAT, "format_version": FORMAT_VERSION}
"""The first entries of the file."""


class Record:
    """The record of a game.

    Args:
        game: The game.
        names: The names of the seats.
        decisions: Pairs of a seat, or CHANCE, and its action.
        result: Winners and kind of victory; None for a game without an end by its rules.
        ended: The reason why the table stopped early; None if it did not.
        proof: The proof of its shuffles, as JSON.
        clock: The time control and the milliseconds of each decision, as JSON.
    """

    def __init__(
        self,
        game: Game,
        names: list[str] | None = None,
        decisions: list[tuple[Seat, Action]] | None = None,
        result: dict[str, object] | None = None,
        ended: dict[str, object] | None = None,
        proof: dict[str, object] | None = None,
        clock: dict[str, object] | None = None,
    ) -> None:
        self.game: Game = game
        self.names: list[str] = names or []
        self.decisions: list[tuple[Seat, Action]] = decisions if decisions is not None else []
        self.result: dict[str, object] | None = result
        self.ended: dict[str, object] | None = ended
        self.proof: dict[str, object] | None = proof
        self.clock: dict[str, object] | None = clock
        """The time control of the table, and the milliseconds of each decision."""

    def __repr__(self) -> str:
        ended = "" if self.result is None else f", winners {self.result.get('winners')}"
        return f"<Record of {self.game!r}: {len(self.decisions)} decisions{ended}>"

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return is_over({"result": self.result, "ended": self.ended})

    def add(self, seat: Seat, action: Action) -> None:
        """Append a decision."""
        self.decisions.append((seat, action))

    def close(self, state: State) -> None:
        """Set the result from the final state."""
        self.result = build_result(self.game, state, self.names)

    def steps(self) -> Iterator[tuple[State, Seat, Action]]:
        """Yield state, seat and action before each decision. The state is one object that changes.

        Raises:
            RecordError: A decision is illegal.
        """
        return self.fold(self.game.start(log=True))

    def fold(self, state: State) -> Iterator[tuple[State, Seat, Action]]:
        """Yield the same as `steps`, and apply the decisions to a state of the caller's."""
        for number, (seat, action) in enumerate(self.decisions, start=1):
            yield state, seat, action
            try:
                if not state.is_legal(seat, action):
                    reason = state.why_not(seat, action)
                    raise RecordError(f"Decision {number} ({self.game.notation(action)}) is not legal: {reason}")
                state.apply(seat, action)
            except GonfalonError:
                raise
            except Exception:
                if BEGUN not in self.game.options:
                    raise
                # The start position comes from a file of any origin, which may be inconsistent.
                raise RecordError(f"Decision {number} cannot be applied: the position before it is damaged.") from None

    def replay(self) -> State:
        """Return the state after all decisions.

        Raises:
            RecordError: A decision is illegal, or the result differs from the recorded one.
        """
        state = self.game.start(log=True)
        for _ in self.fold(state):
            pass
        outcome = state.outcome()
        ended = None if outcome is None else (outcome.winners, outcome.how)
        if self.result is not None and (self.result.get("winners"), self.result.get("how")) != ended:
            raise RecordError("The replay ends with another result than the recorded one. The decisions are damaged.")
        return state

    def to_json(self) -> dict[str, object]:
        """Return the content of the record's file."""
        body: dict[str, object] = {
            **HEAD,
            "game": self.game.name,
            "options": self.game.shown_options(),
            "rules": self.game.rules_version,
            "data": self.game.data_hash,
            "names": self.names,
            "decisions": self.written(),
            "result": self.result,
            "ended": self.ended,
        }
        # Absent parts are left out, so records without them keep their exact text.
        more = {"proof": self.proof, "clock": self.clock}
        return body | {name: part for name, part in more.items() if part is not None}

    def written(self) -> list[list[Seat | str]]:
        """Return the decisions in notation, each with its seat."""
        return [[seat, self.game.notation(action)] for seat, action in self.decisions]

    def _repr_svg_(self) -> str | None:
        """Return a picture of the table after all decisions, for notebooks. Like the record it shows every card."""
        from gonfalon.core.rules.picture import draw_state

        picture = draw_state(self.replay())
        if picture is None:
            return None
        names = self.names or self.game.seat_names()
        picture.head = f"{self.game.title}: {', '.join(map(isolate, names))}; {len(self.decisions)} decisions"
        return picture.svg()

    def dumps(self) -> str:
        """Return the text of the record's file."""
        return write_body(self.to_json())

    def dumps_text(self, remarks: bool = False) -> str:
        """Return the text form of the record (`core/files/record_text.py`).

        Args:
            remarks: Whether each decision has a remark with the log lines that it caused.

        Raises:
            RecordError: A decision is illegal, so that it cannot be described.
        """
        from gonfalon.core.files.record_text import describe_decisions, write_record_text

        return write_record_text(self.to_json(), describe_decisions(self) if remarks else ())


def write_body(body: Mapping[str, Any]) -> str:
    """Return the text of a record's file, with one decision on each line, so that records can be compared line by
    line."""
    import json

    head = json.dumps({name: part for name, part in body.items() if name != "decisions"}, indent=1, ensure_ascii=False)
    lines = ",\n  ".join(json.dumps(decision, ensure_ascii=False) for decision in body["decisions"])
    # The head ends with a line break and a brace, which the decisions precede.
    return head[:-2] + ',\n "decisions": [\n  ' + lines + "\n ]\n}\n"


def describe_stop(why: Mapping[str, Any], viewer: int, names: list[str]) -> str:
    """Return why a table stopped before the rules ended the game, as a sentence for a viewer.

    Args:
        why: The entry `ended` of a record.
        viewer: A seat or SPECTATOR.
        names: The names of the seats.
    """
    if why["how"] == ABANDONED and not why.get("days"):
        return "The operator of the server ended the game without a result."
    if why["how"] == ABANDONED:
        return f"The game ended without a result after {why.get('days')} days without a move."
    own, name = why["seat"] == viewer, names[why["seat"]]
    if why["how"] == TIMED_OUT:
        return "You ran out of time." if own else f"{name} ran out of time."
    return "You resigned." if own else f"{name} resigned."


def build_result(game: Game, state: State, names: list[str]) -> dict[str, object] | None:
    """Return the outcome of a state in the form of a record; None while the game is running."""
    outcome = state.outcome()
    if outcome is None:
        return None
    why = game.ending(state, names if len(names) == game.seats else game.seat_names())
    return {"winners": outcome.winners, "how": outcome.how, "why": why}


def load(text: str, find: Callable[..., Game]) -> Record:
    """Return the record in the text of a file.

    Args:
        text: The text.
        find: The function that makes a game by its name and options.

    Raises:
        RecordError: The text is not a record, or the rules or card data with which it was played are not available.
    """
    body = parse_body(text)
    name, options, decisions = body.get("game"), body.get("options"), body.get("decisions")
    if not isinstance(name, str) or not isinstance(options, dict) or not isinstance(decisions, list):
        raise RecordError('This record is damaged: "game", "options" or "decisions" is missing.')
    try:
        game = load_version(find, name, options, body.get("rules"))
        # Older records are played with the card data of their time, if the game keeps them.
        if body.get("data") != game.data_hash and (kept := kept_data(game, body.get("data"))):
            game = load_version(find, name, options | kept, body.get("rules"))
    except GonfalonError as error:
        raise RecordError(f"The game of this record cannot be set up: {error}") from None
    if body.get("rules") != game.rules_version:
        raise RecordError(
            f"This record was played by rules version {body.get('rules')} of {name}; "
            f"this program has version {game.version}."
        )
    if body.get("data") != game.data_hash:
        raise RecordError("This record was played with card data that this program does not have.")
    names = read_names(body)
    result, ended, proof, clock = (body.get(name) for name in ("result", "ended", "proof", "clock"))
    if not all(isinstance(part, dict | None) for part in (result, ended, proof, clock)):
        raise RecordError('This record is damaged: "result", "ended", "proof" or "clock" is not an object.')
    record = Record(game, names, [], result, ended, proof, clock)
    for number, entry in enumerate(decisions, start=1):
        record.add(*parse_decision(game, number, entry))
    return record


def read_names(body: Mapping[str, object]) -> list[str]:
    """Return the names of a record, which may be empty. Raises RecordError."""
    names = body.get("names") or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RecordError('This record is damaged: "names" is not a list of names.')
    # `printable` leaves line breaks, which would let a name forge a line of the log.
    if any("\n" in name or printable(name) != name for name in names):
        raise RecordError("This record is damaged: a name contains a control character.")
    return names


def parse_body(text: str) -> dict[str, Any]:
    """Return the JSON of a record in either form. Raises RecordError if it is none, or has another format version."""
    import json

    from gonfalon.core.files.record_text import is_record_text, read_record_text

    try:
        body = read_record_text(text) if is_record_text(text) else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"This is not a record: it is not JSON ({error}).") from None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise RecordError('This is not a record: its "format" is not "gonfalon-record".')
    if body.get("format_version") != FORMAT_VERSION:
        raise RecordError(
            f"This record has format version {body.get('format_version')}; this program reads {FORMAT_VERSION}."
        )
    return body


def is_over(body: Mapping[str, object]) -> bool:
    """Return whether the game of a record has ended. It works before the rules are loaded."""
    return body.get("result") is not None or body.get("ended") is not None


def parse_decision(game: Game, number: int, entry: object) -> tuple[Seat, Action]:
    """Return a decision of a record, in the form of `Record.decisions`. Raises RecordError."""
    if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int or not isinstance(entry[1], str):
        raise RecordError(f"Decision {number} of this record is not of the form [seat, action].")
    try:
        return entry[0], game.parse(entry[1])
    except GonfalonError as error:
        raise RecordError(f"Decision {number} of this record cannot be read: {error}") from None
