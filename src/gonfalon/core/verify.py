"""Whether the proof of a record holds: a sentence for each thing that was checked.

Nothing is believed but what a device kept of its own (`Mine`): without it a server that made up a whole game with a
proof of its own would not be found out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gonfalon.core.english import many, of
from gonfalon.core.errors import RecordError
from gonfalon.core.proof import (
    Proof,
    chain,
    closed,
    commitment,
    deal_mark,
    digest,
    draw,
    hashes,
    is_hash,
    read,
    setup_mark,
    signs,
)
from gonfalon.core.record import Record
from gonfalon.core.rules import BEGUN
from gonfalon.core.state import CHANCE, Action, Seat
from gonfalon.core.text import isolate

FORMAT: Final = "gonfalon-share"
UNPROVED: Final = "This record carries no proof, so its shuffles cannot be checked."
PLAYED_ON: Final = (
    "This game was played on from a position of another one, so its cards are not proved to be dealt by the server."
)


class Finding(NamedTuple):
    """One thing that was checked, or None in place of an answer: one that is worth knowing."""

    holds: bool | None
    text: str


class Drawn(NamedTuple):
    """A decision of chance in a record: the `number` of the decision counted from 1, the `nth` of chance counted from
    0, what it was among, what it `gave`, and what it had to give."""

    number: int
    nth: int
    actions: list[Action]
    weights: list[int]
    gave: Action
    due: Action


class Mine(NamedTuple):
    """What somebody's own device has kept: the commitment, the closed shares and the set-up as they were shown to it,
    and the shares that it added."""

    commitment: str
    closed: tuple[str | None, ...]
    setup: str
    shares: tuple[tuple[Seat, str], ...]


def proof_of(record: Record) -> Proof:
    """The proof of a record. Raises RecordError."""
    if BEGUN in record.game.options:
        raise RecordError(PLAYED_ON)
    if record.proof is None:
        raise RecordError(UNPROVED)
    return read(record.proof, record.game.seats)


def proved(findings: Sequence[Finding]) -> bool:
    """Whether everything holds that was checked."""
    return all(finding.holds is not False for finding in findings)


def examine(record: Record, mine: Mine | None = None) -> list[Finding]:
    """All that there is to check. Raises RecordError when the record carries no proof that can be read."""
    proof, names = proof_of(record), record.names
    named = list(map(isolate, names if len(names) == record.game.seats else record.game.seat_names()))
    return [
        *of_secret(record.game.name, proof),
        *of_shares(proof, named),
        of_setup(record, proof),
        *of_draws(record, proof),
        *([] if mine is None else of_mine(proof, mine, named)),
    ]


def of_secret(game: str, proof: Proof) -> Iterator[Finding]:
    """Whether the server kept to its commitment."""
    if commitment(game, proof.attempt, proof.secret) == proof.commitment:
        yield Finding(True, "The server's secret is the one that it had sealed before anybody added a share.")
    else:
        yield Finding(False, "The server's secret is not the one that it had sealed.")
    if proof.attempt > 1:
        yield Finding(
            None,
            f"The cards were dealt at attempt {proof.attempt}: {many(proof.attempt - 1, 'time')} before, somebody left "
            "while the shares were being opened.",
        )


def of_shares(proof: Proof, names: Sequence[str]) -> Iterator[Finding]:
    """Whether everybody else did."""
    for seat, (shut, share) in enumerate(zip(proof.closed, proof.opened, strict=True)):
        name = names[seat]
        if shut is None and share is None:
            yield Finding(None, f"{name} added no share.")
        elif share is None:
            yield Finding(False, f"{name} had sealed a share, and it is missing.")
        elif shut is None:
            yield Finding(False, f"A share was added for {name} that nobody had sealed.")
        elif closed(proof.commitment, seat, share) == shut:
            yield Finding(True, f"{of(name)} share is the one that their device had sealed.")
        else:
            yield Finding(False, f"{of(name)} share is not the one that their device had sealed.")
    if not any(proof.opened):
        yield Finding(False, "Nobody added a share, so the server alone could choose how the cards fell.")


def of_setup(record: Record, proof: Proof) -> Finding:
    """Whether the game is the one that was set up before anybody could know how its cards would fall."""
    if proof.setup == setup_mark(proof.secret, record.game):
        return Finding(True, "Options, rules and cards are those that were sealed before any share was opened.")
    return Finding(False, "Options, rules or cards are not those that were sealed before any share was opened.")


def of_draws(record: Record, proof: Proof) -> Iterator[Finding]:
    """Whether chance gave what it had to, and everything went by the rules."""
    found: list[Drawn] = []
    try:
        found += draws(record, proof)
        record.replay()
    except RecordError as error:
        yield Finding(False, str(error))
    else:
        if record.ended is None:
            yield Finding(True, "Every decision is legal by the rules, and the game ends as the record says.")
        else:
            yield Finding(True, "Every decision is legal by the rules. Who ended the game early is not proved.")
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
        yield Finding(None, "Chance decided nothing in this game.")


def draws(record: Record, proof: Proof) -> Iterator[Drawn]:
    """All that chance decided, with what it had to decide. Raises RecordError at an illegal decision."""
    key, nth = proof.root, 0
    for number, (state, seat, action) in enumerate(record.steps(), start=1):
        if seat == CHANCE and state.turn == CHANCE:
            actions, weights = list(state.legal(CHANCE)), list(state.weights())
            yield Drawn(number, nth, actions, weights, action, draw(key, nth, actions, weights))
            nth += 1


def of_mine(proof: Proof, mine: Mine, names: Sequence[str]) -> Iterator[Finding]:
    """Whether it is what somebody's own device saw and gave."""
    if mine.commitment == proof.commitment:
        yield Finding(True, "The server's seal is the one that your device was shown before the deal.")
    else:
        yield Finding(False, "The server's seal is not the one that your device was shown before the deal.")
    if (mine.closed, mine.setup) == (proof.closed, proof.setup):
        yield Finding(
            True, "Everything else that was sealed is what your device was shown before any share was opened."
        )
    else:
        yield Finding(False, "What else was sealed is not what your device was shown before any share was opened.")
    for seat, share in mine.shares:
        kept = seat < len(names) and proof.opened[seat] == share
        name = names[seat] if seat < len(names) else f"seat {seat}"
        text = "is in the deal" if kept else "is not in the deal"
        yield Finding(kept, f"The share that your device added for {name} {text}.")


def read_mine(text: str) -> Mine:
    """What a device has kept, from the file that its page saved. Raises RecordError."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise RecordError(f'This is no file of shares: its "format" is not "{FORMAT}".')
    shut, shares = body.get("closed"), body.get("shares")
    listed = hashes(shut, len(shut)) if isinstance(shut, list) else None
    hashed = is_hash(body.get("commitment")) and is_hash(body.get("setup"))
    if not hashed or listed is None or not isinstance(shares, list):
        raise RecordError("This file of a device's shares is damaged.")
    for one in shares:
        if not isinstance(one, list) or len(one) != 2 or type(one[0]) is not int or one[0] < 0 or not is_hash(one[1]):
            raise RecordError("This file of a device's shares is damaged.")
    return Mine(str(body["commitment"]), listed, str(body["setup"]), tuple((seat, share) for seat, share in shares))


def deal_signs(proof: Proof) -> str:
    """Eight signs that stand for what everybody was shown before the deal."""
    return signs(deal_mark(proof.commitment, proof.closed, proof.setup))


def game_signs(record: Record) -> str:
    """Eight signs that stand for the whole game: what it was, its proof, and every decision."""
    proof, game = proof_of(record), record.game
    sealed = deal_mark(proof.commitment, proof.closed, proof.setup)
    mark = digest("game", sealed, proof.secret, list(proof.opened), setup_mark(proof.secret, game))
    for seat, action in record.decisions:
        mark = chain(mark, seat, game.notation(action))
    return signs(mark)
