"""The check of a record's proof, with a sentence for each finding.

Only the data of a player's own device (`DeviceData`) is trusted. Without it the check cannot detect a server that
invented a whole game with its own proof, or other moves after a true deal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files.proof import (
    Proof,
    chain_decision,
    derive_outcome,
    format_signs,
    hash_commitment,
    hash_deal,
    hash_parts,
    hash_setup,
    hash_share,
    is_hash,
    read_hashes,
    read_proof,
)
from gonfalon.core.files.record import Record, describe_stop
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.rules import BEGUN
from gonfalon.core.rules.state import CHANCE, Action, Seat, State
from gonfalon.core.rules.words import names_for
from gonfalon.core.text.english import many, of
from gonfalon.core.text.untrusted import isolate

FORMAT: Final = "gonfalon-share"
"""The format of the file that a device saves."""
MARKS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that set the direction of writing."""
MAX_QUOTE: Final = 200
"""The number of characters of a quoted sentence."""
UNPROVED: Final = "This record has no proof, so its shuffles cannot be checked."
PLAYED_ON: Final = "This game began at a position of another game, so there is no proof of how its cards were dealt."


class Finding(NamedTuple):
    """The result of one check: whether it holds, and a sentence. None instead of a result marks a remark."""

    holds: bool | None
    text: str


class Drawn(NamedTuple):
    """A decision of chance in a record.

    `number` counts all decisions from 1, `nth` those of chance from 0. `gave` is the recorded outcome, `due` the
    required one.
    """

    number: int
    nth: int
    actions: list[Action]
    weights: list[int]
    gave: Action
    due: Action


class ShownGame(NamedTuple):
    """A game as a seat's device last saw it: the names of all seats, the seat's decisions, the log with all visible
    cards and moves, and whether the game was over."""

    seat: Seat
    names: tuple[str, ...]
    decisions: tuple[str, ...]
    log: tuple[str, ...]
    over: bool


class DeviceData(NamedTuple):
    """The data that a player's own device saved: commitment, closed shares and setup as shown, the shares that it
    added, and the game as shown at its seats."""

    commitment: str
    closed: tuple[str | None, ...]
    setup: str
    shares: tuple[tuple[Seat, str], ...]
    told: tuple[ShownGame, ...] = ()


def find_proof(record: Record) -> Proof:
    """Return the proof of a record. Raises RecordError if there is none, or if it is damaged."""
    if BEGUN in record.game.options:
        raise RecordError(PLAYED_ON)
    if record.proof is None:
        raise RecordError(UNPROVED)
    return read_proof(record.proof, record.game.seats)


def is_proved(findings: Sequence[Finding]) -> bool:
    """Return whether all checks hold."""
    return all(finding.holds is not False for finding in findings)


def verify_record(record: Record, mine: DeviceData | None = None) -> list[Finding]:
    """Return the findings of all checks.

    Args:
        record: The record of a finished game.
        mine: The data of the reader's device, if there is any.

    Raises:
        RecordError: The record has no readable proof.
    """
    proof, names = find_proof(record), record.names
    named = list(map(isolate, names if len(names) == record.game.seats else record.game.seat_names()))
    return [
        *check_secret(record.game.name, proof),
        *check_shares(proof, named),
        check_setup(record, proof),
        *check_draws(record, proof),
        *([] if mine is None else [*check_device(proof, mine, named), *check_shown_games(record, mine, named)]),
    ]


def check_secret(game: str, proof: Proof) -> Iterator[Finding]:
    """Check that the server kept its commitment."""
    if hash_commitment(game, proof.attempt, proof.secret) == proof.commitment:
        yield Finding(True, "The server's secret is the one that it sealed before any share was added.")
    else:
        yield Finding(False, "The server's secret is not the one that it sealed.")
    if proof.attempt > 1:
        yield Finding(
            None,
            f"The cards were dealt at attempt {proof.attempt}: a player left {many(proof.attempt - 1, 'time')} while "
            "shares were opened.",
        )


def check_shares(proof: Proof, names: Sequence[str]) -> Iterator[Finding]:
    """Check that all devices kept their shares."""
    for seat, (shut, share) in enumerate(zip(proof.closed, proof.opened, strict=True)):
        name = names[seat]
        if shut is None and share is None:
            yield Finding(None, f"{name} added no share.")
        elif share is None:
            yield Finding(False, f"The share that {name} sealed is missing.")
        elif shut is None:
            yield Finding(False, f"The share of {name} was never sealed.")
        elif hash_share(proof.commitment, seat, share) == shut:
            yield Finding(True, f"{of(name)} share is the one that their device sealed.")
        else:
            yield Finding(False, f"{of(name)} share is not the one that their device sealed.")
    if not any(proof.opened):
        yield Finding(False, "No player added a share, so the server alone could choose the shuffles.")


def check_setup(record: Record, proof: Proof) -> Finding:
    """Check that the game was not changed after its setup was sealed."""
    if proof.setup == hash_setup(proof.secret, record.game):
        return Finding(True, "Options, rules and cards are those sealed before any share was opened.")
    return Finding(False, "Options, rules or cards are not those sealed before any share was opened.")


def check_draws(record: Record, proof: Proof) -> Iterator[Finding]:
    """Check that chance gave the required outcomes, and that every decision is legal."""
    found: list[Drawn] = []
    try:
        found += replay_draws(record, proof)
        record.replay()
    except RecordError as error:
        yield Finding(False, str(error))
    else:
        if record.ended is None:
            yield Finding(True, "Every decision is legal, and the game ends with the recorded result.")
        else:
            yield Finding(True, "Every decision is legal. There is no proof of who ended the game early.")
    wrong = [one for one in found if one.gave != one.due]
    if wrong:
        which = f"{len(wrong)} of {many(len(found), 'draw')}" if len(found) > 1 else "The only draw"
        yield Finding(
            False,
            f"{which} of chance {'does' if len(wrong) == 1 else 'do'} not follow from the secret and the shares; the "
            f"first is decision {wrong[0].number}.",
        )
    elif found:
        which = f"All {len(found)} draws of chance follow" if len(found) > 1 else "The only draw of chance follows"
        yield Finding(True, f"{which} from the secret and the shares.")
    else:
        yield Finding(None, "This game had no random decisions.")


def replay_draws(record: Record, proof: Proof) -> Iterator[Drawn]:
    """Yield all decisions of chance with their required outcomes. Raises RecordError at an illegal decision."""
    key, nth = proof.root, 0
    for number, (state, seat, action) in enumerate(record.steps(), start=1):
        if seat == CHANCE and state.turn == CHANCE:
            actions, weights = list(state.legal(CHANCE)), list(state.weights())
            yield Drawn(number, nth, actions, weights, action, derive_outcome(key, nth, actions, weights))
            nth += 1


def check_device(proof: Proof, mine: DeviceData, names: Sequence[str]) -> Iterator[Finding]:
    """Check that the record agrees with the data of the player's device."""
    if mine.commitment == proof.commitment:
        yield Finding(True, "The server's seal is the one that your device was shown before the deal.")
    else:
        yield Finding(False, "The server's seal is not the one that your device was shown before the deal.")
    if (mine.closed, mine.setup) == (proof.closed, proof.setup):
        yield Finding(True, "All other sealed data are those that your device was shown before any share was opened.")
    else:
        yield Finding(False, "Other sealed data are not those that your device was shown before any share was opened.")
    for seat, share in mine.shares:
        kept = seat < len(names) and proof.opened[seat] == share
        name = names[seat] if seat < len(names) else f"seat {seat}"
        text = "is in the deal" if kept else "is not in the deal"
        yield Finding(kept, f"The share that your device added for {name} {text}.")


def check_shown_games(record: Record, mine: DeviceData, names: Sequence[str]) -> Iterator[Finding]:
    """Check that the record contains the games that the device was shown."""
    if not mine.told:
        yield Finding(None, "Your device saved no moves of the game, so they are not compared.")
    for told in mine.told:
        if told.seat >= record.game.seats or len(told.names) != record.game.seats:
            yield Finding(
                False, f"Your device had seat {told.seat + 1} of {len(told.names)}, which the record does not have."
            )
            continue
        for shown, name in zip(told.names, names, strict=True):
            if clean_text(shown) != clean_text(name):
                yield Finding(False, f"The record names {name} where your device was shown {isolate(shown)}.")
        try:
            yield check_shown_game(record, told)
        except RecordError as error:
            yield Finding(False, str(error))


def check_shown_game(record: Record, told: ShownGame) -> Finding:
    """Check that the record leads to the last state shown to the device. Raises RecordError."""
    own = [record.game.notation(action) for seat, action in record.decisions if seat == told.seat]
    who = f"at the seat of {isolate(told.names[told.seat])}"
    for number, shown in enumerate(told.decisions):
        found = own[number] if number < len(own) else "nothing"
        if found != shown:
            return Finding(False, f"Your decision {number + 1} {who} was {shown}; in the record it is {found}.")
    # Both logs are cleaned, because a device stores sentences as its page showed them.
    wanted = [clean_text(sentence) for sentence in told.log]
    nearest: list[str] = []
    for decisions, log, last in replay_logs(record, told.seat, list(told.names)):
        made = sum(seat == told.seat for seat, _ in record.decisions[:decisions])
        if log == wanted and made == len(told.decisions) and (last or not told.over):
            seen = f"The record agrees with your device {who}: {many(made, 'own decision')} and"
            rest = "" if last else f" Your device saw nothing after decision {decisions} of {len(record.decisions)}."
            return Finding(True, f"{seen} {many(len(log), 'line')} of the log.{rest}")
        # If no position agrees, the first difference to the closest one is quoted. Of equally close ones the latest
        # counts.
        if count_equal_lines(log, wanted) >= count_equal_lines(nearest, wanted):
            nearest = log
    place = count_equal_lines(nearest, wanted)
    shown, found = (f'"{log[place][:MAX_QUOTE]}"' if place < len(log) else "nothing more" for log in (wanted, nearest))
    return Finding(False, f"Line {place + 1} of the log {who}: your device was shown {shown}; the record has {found}.")


def replay_logs(record: Record, seat: Seat, names: list[str]) -> Iterator[tuple[int, list[str], bool]]:
    """Yield a seat's log at each step of a record: the number of decisions, the log, and whether the game was over.
    Raises RecordError."""
    found: list[str] = []
    for sight in replay_sights(record, seat, actions=False):
        found = list_log(record, sight.state, seat, names)
        yield sight.decisions, found, sight.state.over and record.ended is None
    if record.ended is not None:
        yield len(record.decisions), [*found, last_line(record, seat, names)], True


def final_log(record: Record, seat: Seat) -> list[str]:
    """Return the log of a record for a seat at the end. Raises RecordError."""
    log = list_log(record, record.replay(), seat, record.names)
    return log if record.ended is None else [*log, last_line(record, seat, record.names)]


def list_log(record: Record, state: State, seat: Seat, names: list[str]) -> list[str]:
    """Return the log of a position as a seat sees it, sentence by sentence."""
    game, view, named = record.game, state.mask(seat), names_for(record.game, seat, names)
    return [clean_text(line["text"]) for line in list_lines(game, view, named)]


def last_line(record: Record, seat: Seat, names: list[str]) -> str:
    """Return why the table stopped before the rules ended the game. Raises RecordError if that is damaged."""
    try:
        return clean_text(describe_stop(record.ended or {}, seat, names_for(record.game, seat, names)))
    except (LookupError, TypeError):
        raise RecordError('This record is damaged: "ended" is incomplete.') from None


def count_equal_lines(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal sentences before the first difference."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def clean_text(text: str) -> str:
    """Return a sentence or name without marks of the direction of writing, with single spaces."""
    return " ".join(MARKS.sub("", text).split())


def read_shown_game(body: object) -> ShownGame | None:
    """Return a game in the file of a device; None if it is damaged."""
    if not isinstance(body, dict):
        return None
    seat, over = body.get("seat"), body.get("over")
    texts = [body.get(part) for part in ("names", "decisions", "log")]
    if type(seat) is not int or type(over) is not bool or not all(map(is_texts, texts)):
        return None
    names, decisions, log = (tuple(part or ()) for part in texts)
    return ShownGame(seat, names, decisions, log, over) if 0 <= seat < len(names) else None


def is_texts(value: object) -> bool:
    """Return whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def read_device_data(text: str) -> DeviceData:
    """Return the data of a device from the file that its page saved. Raises RecordError."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise RecordError(f'This is not a file of shares: its "format" is not "{FORMAT}".')
    shut, shares = body.get("closed"), body.get("shares")
    listed = read_hashes(shut, len(shut)) if isinstance(shut, list) else None
    hashed = is_hash(body.get("commitment")) and is_hash(body.get("setup"))
    if not hashed or listed is None or not isinstance(shares, list):
        raise RecordError("This file of a device's shares is damaged.")
    for one in shares:
        if not isinstance(one, list) or len(one) != 2 or type(one[0]) is not int or one[0] < 0 or not is_hash(one[1]):
            raise RecordError("This file of a device's shares is damaged.")
    games = body.get("told", [])
    told = [read_shown_game(one) for one in games] if isinstance(games, list) else [None]
    known = tuple(one for one in told if one is not None)
    if len(known) < len(told):
        raise RecordError("This file of a device's shares is damaged.")
    return DeviceData(
        str(body["commitment"]), listed, str(body["setup"]), tuple((seat, share) for seat, share in shares), known
    )


def deal_signs(proof: Proof) -> str:
    """Return eight signs that represent everything shown before the deal."""
    return format_signs(hash_deal(proof.commitment, proof.closed, proof.setup))


def game_signs(record: Record) -> str:
    """Return eight signs that represent the whole game: setup, proof, and every decision."""
    proof, game = find_proof(record), record.game
    sealed = hash_deal(proof.commitment, proof.closed, proof.setup)
    mark = hash_parts("game", sealed, proof.secret, list(proof.opened), hash_setup(proof.secret, game))
    for seat, action in record.decisions:
        mark = chain_decision(mark, seat, game.notation(action))
    return format_signs(mark)
