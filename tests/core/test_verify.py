"""Proofs of complete games: honest ones pass, and every change is detected."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files import proof
from gonfalon.core.files.proof import Proof
from gonfalon.core.files.record import Record, load
from gonfalon.core.files.verify import (
    DeviceData,
    Finding,
    ShownGame,
    deal_signs,
    find_proof,
    game_signs,
    is_proved,
    read_device_data,
    replay_logs,
    verify_record,
)
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE

SECRET = "5e" * 32
SHARES = ("a1" * 32, "b2" * 32)


def sealed(game: Game, secret: str = SECRET, shares: tuple[str, ...] = SHARES) -> Proof:
    """Return the proof of a game whose first seats have added shares."""
    committed = proof.hash_commitment(game.name, 1, secret)
    opened = tuple(shares[seat] if seat < len(shares) else None for seat in range(game.seats))
    shut = [None if share is None else proof.hash_share(committed, seat, share) for seat, share in enumerate(opened)]
    setup = proof.hash_setup(secret, game)
    return Proof(1, committed, secret, tuple(shut), opened, setup)


def played(game: Game, kept: Proof, seed: int = 3) -> Record:
    """Return a random game whose chance follows from a proof."""
    names = ["May", "David", "Ann", "Bo", "Cy"][: game.seats]
    record, state, rng, drawn = Record(game, names), game.start(log=True), Rng(seed), 0
    while not state.over:
        if state.turn == CHANCE:
            seat, action = CHANCE, proof.derive_outcome(kept.root, drawn, state.legal(CHANCE), state.weights())
            drawn += 1
        else:
            seat = state.turn
            action = state.sample(rng)
        record.add(seat, action)
        state.apply(seat, action)
    record.close(state)
    record.proof = kept.to_json()
    return record


def honest(name: str = "feint", **options: Any) -> Record:
    game = games.game(name, **options)
    return played(game, sealed(game))


def mine(record: Record, seat: int = 0) -> DeviceData:
    """Return a seat's device data of an honest deal."""
    kept = find_proof(record)
    share = kept.opened[seat]
    assert share is not None
    return DeviceData(kept.commitment, kept.closed, kept.setup, ((seat, share),))


def failures(record: Record, own: DeviceData | None = None) -> list[str]:
    return [finding.text for finding in verify_record(record, own) if finding.holds is False]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("feint", {}),
        ("jinkei", {}),
        ("generals", {}),
        ("factionwars", {"seats": 2}),
        ("factionwars", {"seats": 5}),
        ("feint", {"exact": True}),
        ("factionwars", {"seats": 3, "exact": True}),
    ],
)
def test_an_honest_game_of_each_kind_passes(name: str, options: dict[str, Any]) -> None:
    record = honest(name, **options)
    record = load(record.dumps(), games.game)
    assert failures(record, mine(record)) == []
    assert is_proved(verify_record(record))
    told = [finding.text for finding in verify_record(record)]
    assert "May's share is the one that their device sealed." in told
    if record.game.seats > 2:
        assert Finding(None, "Ann added no share.") in verify_record(record)


def test_card_data_that_is_pinned_meanwhile_is_the_same_set_up() -> None:
    game = games.game("generals")
    pinned = games.game("generals", **game.pinned())
    assert pinned.shown_options() != game.shown_options()
    assert proof.hash_setup(SECRET, pinned) == proof.hash_setup(SECRET, game)
    others = games.game("generals", decks=("alliance", "alliance"))
    assert proof.hash_setup(SECRET, others) != proof.hash_setup(SECRET, game)


def another_outcome(record: Record) -> None:
    at = next(i for i, (_, action) in enumerate(record.decisions) if action < 0)  # a seed
    record.decisions[at] = (CHANCE, record.decisions[at][1] - 1)


def put(record: Record, **change: Any) -> None:
    assert record.proof is not None
    record.proof = record.proof | change


def another_secret(record: Record) -> None:
    put(record, secret="00" * 32)


def another_secret_and_its_commitment(record: Record) -> None:
    put(record, secret="00" * 32, commitment=proof.hash_commitment(record.game.name, 1, "00" * 32))


def a_share_left_out(record: Record) -> None:
    kept = find_proof(record)
    put(record, closed=[kept.closed[0], None], opened=[kept.opened[0], None])


def a_share_exchanged(record: Record) -> None:
    put(record, opened=["cc" * 32, SHARES[1]])


def another_share_with_its_seal(record: Record) -> None:
    kept = find_proof(record)
    put(record, closed=[proof.hash_share(kept.commitment, 0, "cc" * 32), kept.closed[1]], opened=["cc" * 32, SHARES[1]])


def shares_that_change_places(record: Record) -> None:
    kept = find_proof(record)
    put(record, closed=list(reversed(kept.closed)), opened=list(reversed(kept.opened)))


def another_setup(record: Record) -> None:
    put(record, setup="ee" * 32)


def an_attempt_not_told(record: Record) -> None:
    put(record, attempt=2)


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (another_outcome, "does not follow|do not follow"),
        (another_secret, "secret is not the one"),
        (another_secret_and_its_commitment, "May's share is not the one"),
        (a_share_left_out, "do not follow"),
        (a_share_exchanged, "May's share is not the one"),
        (another_share_with_its_seal, "do not follow"),
        (shares_that_change_places, "David's share is not the one"),
        (an_attempt_not_told, "secret is not the one"),
        (another_setup, "Options, rules or cards are not those"),
    ],
)
def test_a_tampered_shuffle_is_found(tamper: Callable[[Record], None], says: str) -> None:
    record = honest("factionwars", seats=2)
    assert not failures(record)
    tamper(record)
    assert any(part in text for text in failures(record) for part in says.split("|")), failures(record)
    assert not is_proved(verify_record(record))


def test_device_data_detects_a_forged_game() -> None:
    """A server that exchanges secret, shares and draws alike has a consistent proof, but it differs from the data of a
    device."""
    true = honest()
    game = games.game("feint")
    forged = played(game, sealed(game, "77" * 32, ("cc" * 32, "b2" * 32)))
    assert failures(forged) == []
    assert failures(forged, mine(true)) == [
        "The server's seal is not the one that your device was shown before the deal.",
        "Other sealed data are not those that your device was shown before any share was opened.",
        "The share that your device added for May is not in the deal.",
    ]


def test_one_share_that_was_sealed_and_not_opened_fails() -> None:
    record = honest()
    put(record, opened=[None, SHARES[1]])
    assert "The share that May sealed is missing." in failures(record)
    put(record, closed=[None, find_proof(record).closed[1]], opened=list(SHARES))
    assert "The share of May was never sealed." in failures(record)


def test_the_seat_of_an_early_end_is_reported_as_unproved() -> None:
    """No sealed value depends on the seat that gave up, so a record that names another seat also passes."""
    record = honest()
    whole = "Every decision is legal, and the game ends with the recorded result."
    assert whole in [finding.text for finding in verify_record(record)]
    del record.decisions[-1:]
    record.result, record.ended = None, {"seat": 1, "how": "resigned"}
    told = [finding.text for finding in verify_record(record)]
    assert whole not in told
    assert "Every decision is legal. There is no proof of who ended the game early." in told


def test_a_decision_against_the_rules_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    record = honest()
    record.decisions[-1] = (0, 999_999) if record.decisions[-1][0] == 1 else (1, 999_999)
    monkeypatch.setattr(record.game, "notation", str)
    assert any("is not legal" in text for text in failures(record))


def test_a_record_without_a_proof_says_so() -> None:
    record = honest()
    record.proof = None
    with pytest.raises(RecordError, match="has no proof"):
        verify_record(record)


def test_deal_signs_cover_public_data_only() -> None:
    """Two deals with the same commitment and closed shares have the same signs, with any draws and moves."""
    first, second = honest(), played(games.game("feint"), sealed(games.game("feint")), seed=4)
    assert deal_signs(find_proof(first)) == deal_signs(find_proof(second))
    assert game_signs(first) != game_signs(second)
    other = honest()
    another_share_with_its_seal(other)
    assert deal_signs(find_proof(other)) != deal_signs(find_proof(first))


@pytest.mark.parametrize(
    "body",
    [
        [],
        {"format": "gonfalon-record"},
        {"format": "gonfalon-share"},
        {"format": "gonfalon-share", "setup": "ee" * 32, "commitment": "aa" * 32, "closed": [1], "shares": []},
        {
            "format": "gonfalon-share",
            "setup": "ee" * 32,
            "commitment": "aa" * 32,
            "closed": [None],
            "shares": [[-1, "aa" * 32]],
        },
        {
            "format": "gonfalon-share",
            "setup": "ee" * 32,
            "commitment": "aa" * 32,
            "closed": [None],
            "shares": [[0, "aa"]],
        },
    ],
)
def test_a_damaged_file_of_shares_is_refused(body: object) -> None:
    with pytest.raises(RecordError, match="shares"):
        read_device_data(json.dumps(body))


# ---- the game that was played -------------------------------------------------------------------------------------

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("feint", {}),
    ("jinkei", {}),
    ("generals", {}),
    ("factionwars", {"seats": 3}),
]


def shown(record: Record, seat: int = 0, decisions: int | None = None) -> ShownGame:
    """Return the last data shown to a seat's device: at the end, or after a number of decisions."""
    upto = len(record.decisions) if decisions is None else decisions
    *_, log = (log for made, log, _ in replay_logs(record, seat, record.names) if decisions is None or made <= upto)
    own = [record.game.notation(action) for who, action in record.decisions[:upto] if who == seat]
    return ShownGame(seat, tuple(record.names), tuple(own), tuple(log), decisions is None)


def watched(record: Record, seat: int = 0, decisions: int | None = None) -> DeviceData:
    return mine(record, seat)._replace(told=(shown(record, seat, decisions),))


def resigned(record: Record, seat: int, decisions: int) -> Record:
    """Return the game with a seat resigning after a number of decisions."""
    kept = record.decisions[:decisions]
    return Record(record.game, record.names, kept, None, {"seat": seat, "how": "resigned"}, record.proof)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_an_honest_record_matches_the_devices_data(name: str, options: dict[str, Any]) -> None:
    record = honest(name, **options)
    half = len(record.decisions) // 2
    early = resigned(record, 1, half)
    for seat in (0, 1):
        assert failures(record, watched(record, seat)) == []
        assert failures(record, watched(record, seat, half)) == []  # it was closed before the end
        assert failures(early, watched(early, seat)) == []
    [told] = [text for holds, text in verify_record(early, watched(early)) if text.startswith("The record agrees")]
    assert "saw nothing after" not in told


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_invented_moves_to_a_true_deal_are_found(name: str, options: dict[str, Any]) -> None:
    """The true root gives the true draws, but the game differs."""
    game = games.game(name, **options)
    true, invented = played(game, sealed(game), seed=3), played(game, sealed(game), seed=4)
    assert failures(invented) == []
    assert failures(invented, mine(true)) == []  # as a device says that has kept its share alone
    for seat in (0, 1):
        assert failures(invented, watched(true, seat))
        assert failures(invented, watched(true, seat, len(true.decisions) // 2))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_record_cut_in_half_is_found(name: str, options: dict[str, Any]) -> None:
    true = honest(name, **options)
    for decisions in (len(true.decisions) // 2, len(true.decisions) - 1):
        cut = resigned(true, 1, decisions)
        assert failures(cut) == []
        for seat in (0, 1):
            assert failures(cut, watched(true, seat)), (decisions, seat)


def test_swapped_names_are_found() -> None:
    true, swapped = honest(), honest()
    swapped.names = ["David", "May"]
    assert failures(swapped) == []
    assert failures(swapped, watched(true)) == [
        "The record names David where your device was shown May.",
        "The record names May where your device was shown David.",
    ]


def test_own_decisions_count_even_if_the_log_omits_them() -> None:
    """Jinkei's log does not name the place of a Formation's card before it fights."""
    true = honest("jinkei")
    told = shown(true, 0)
    changed = told._replace(decisions=(told.decisions[1], told.decisions[0], *told.decisions[2:]))
    [failure] = failures(true, mine(true)._replace(told=(changed,)))
    assert failure.startswith("Your decision 1 at the seat of May was ")


def test_a_file_without_the_game_says_that_it_is_not_compared() -> None:
    record = honest()
    assert Finding(None, "Your device saved no moves of the game, so they are not compared.") in verify_record(
        record, mine(record)
    )


def test_a_hostile_file_or_record_is_refused_in_a_sentence() -> None:
    record = honest()
    record.ended = {"seat": "x", "how": "resigned"}
    assert any("damaged" in text for text in failures(record, watched(honest())))
    other = shown(honest())._replace(names=("A", "B", "C"), seat=2)
    assert failures(honest(), mine(honest())._replace(told=(other,))) == [
        "Your device had seat 3 of 3, which the record does not have."
    ]


def test_the_file_of_a_device_is_read_as_it_was_saved() -> None:
    record = honest()
    kept = watched(record)
    body: dict[str, Any] = {
        "format": "gonfalon-share",
        "commitment": kept.commitment,
        "closed": kept.closed,
        "setup": kept.setup,
    }
    body |= {"shares": kept.shares, "told": [one._asdict() for one in kept.told]}
    assert read_device_data(json.dumps(body)) == kept
    told = kept.told[0]._asdict()
    damaged: Any
    for damaged in ({}, [1], [{"seat": 0}], [told | {"seat": 2}], [told | {"log": [1]}]):
        with pytest.raises(RecordError, match="damaged"):
            read_device_data(json.dumps(body | {"told": damaged}))
