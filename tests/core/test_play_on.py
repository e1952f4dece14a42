"""Games played on from a position of another: their start and their knowledge of it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import GonfalonError, OptionError, RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.play_on import OVER, continue_record, find_position, next_decision
from gonfalon.core.files.record import Record, load
from gonfalon.core.files.start_position import ANEW, DAMAGED, OTHER_SHAPE, TRUE, describe_start, find_start
from gonfalon.core.files.verify import PLAYED_ON, verify_record
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import BEGUN
from gonfalon.testing import check_record, random_record
from tests.table.duel import Duel, Position

NAMES = ["May", "David"]
GAMES = ("feint", "jinkei", "generals", "factionwars")


def duel(*decisions: str, second: int = 2) -> Record:
    """Return a Duel in which both keep their cards. May's are those of seed 1, David's those of another."""
    texts = [(-1, "seed:1"), (-1, f"seed:{second}"), (0, "done"), (1, "done"), *enumerate(decisions)]
    game = Duel()
    return Record(game, NAMES, [(seat, game.parse(text)) for seat, text in texts])


def hands(game: Game) -> list[list[int]]:
    """Return the kinds in the initial hands."""
    state = game.start()
    assert isinstance(state, Position)
    return [sorted(card & KIND for card in hand) for hand in state.hands]


@pytest.mark.parametrize("name", GAMES)
def test_it_starts_from_the_seats_view_and_plays_to_the_end(name: str) -> None:
    record = random_record(games.game(name), 5)
    for at in (0, len(record.decisions) // 2):
        for cards in (ANEW, TRUE):
            game = continue_record(record, 1, at, cards, Rng(at))
            seen = find_position(record, 1, at).mask(1)
            begins = game.start(log=True)
            assert begins.mask(1).dump() == seen.dump()
            assert game.start().log is None
            if cards == TRUE:
                assert begins.dump() == find_position(record, 1, at).dump()
            record_of_it = random_record(game, at)
            check_record(record_of_it)
            # With its card data pinned, as archives are made.
            body = record_of_it.to_json() | {"options": game.pinned()}
            assert load(json.dumps(body), games.game).replay().dump() == record_of_it.replay().dump()


@pytest.mark.parametrize("name", GAMES)
def test_no_view_and_no_bot_holds_the_position(name: str) -> None:
    record = random_record(games.game(name), 6)
    game = continue_record(record, 0, len(record.decisions) // 2, TRUE, Rng(1))
    view = game.start().mask(0)
    assert isinstance(view.rules, Game)
    for known in (view.rules, game.without_secrets()):
        assert BEGUN not in known.options
    assert BEGUN not in pickle.dumps(view).decode("latin-1")
    assert "position" not in repr(game)


def test_true_cards_and_redealt_cards() -> None:
    record = duel()
    before = find_position(record, 0, 4)
    assert isinstance(before, Position)
    assert hands(continue_record(record, 0, 4, TRUE, Rng(1)))[1] == sorted(card & KIND for card in before.hands[1])
    anew = [hands(continue_record(record, 0, 4, ANEW, Rng(seed))) for seed in range(20)]
    assert len({tuple(mine) for mine, _ in anew}) == 1, "what May holds she keeps"
    assert len({tuple(other) for _, other in anew}) > 1
    assert all(set(other) <= {10, 11, 12, 13, 14, 15} for _, other in anew)


def test_nothing_is_in_it_that_the_seat_could_not_know() -> None:
    one, other = duel(second=2), duel(second=3)
    assert one.replay().mask(0).dump() == other.replay().mask(0).dump()
    assert one.replay().dump() != other.replay().dump(), "they differ in what David holds"
    for seed in range(5):
        found = [continue_record(record, 0, 4, ANEW, Rng(seed)) for record in (one, other)]
        assert found[0].shown_options() == found[1].shown_options()
        assert describe_start(find_start(found[0]), NAMES) == describe_start(find_start(found[1]), NAMES)
    true = [continue_record(record, 0, 4, TRUE, Rng(1)).shown_options() for record in (one, other)]
    assert true[0] != true[1], "the control"


def test_the_decision_that_is_taken_again_has_the_number_of_the_record() -> None:
    # Two deals, her own answer, and David's with which the exchange ends: the fifth is the next. A moment on the way to
    # the fifth stands before it too.
    assert (next_decision(4), next_decision(4.02)) == (5, 5)
    told = describe_start(find_start(continue_record(duel(), 0, 4, ANEW, Rng(1))), NAMES)
    assert told == ("Played on from decision 5 of a finished game, as May saw it. Hidden cards were dealt again.")
    # Nobody saw May's answer but herself: David goes on from before it.
    assert find_position(duel(), 1, 3).mask(1).dump() == find_position(duel(), 1, 2).mask(1).dump()


def test_a_finished_position_cannot_be_played_on() -> None:
    record = random_record(Duel(), 3)
    with pytest.raises(OptionError, match=OVER):
        continue_record(record, 0, len(record.decisions), TRUE, Rng(1))


def test_its_cards_are_not_proved() -> None:
    record = random_record(continue_record(duel(), 0, 4, ANEW, Rng(1)), 2)
    with pytest.raises(RecordError, match=PLAYED_ON):
        verify_record(record)


def test_it_can_be_played_on_again_and_restarted() -> None:
    first = random_record(continue_record(duel(), 0, 4, ANEW, Rng(1)), 2)
    again = continue_record(first, 1, 2, TRUE, Rng(1))
    assert again.start(log=True).dump() == find_position(first, 1, 2).dump()
    assert again.afresh().start().dump() == Duel().start().dump()


def forge_start(**parts: Any) -> str:
    """Return a record with a forged start."""
    body = json.loads(random_record(continue_record(duel(), 0, 4, TRUE, Rng(1)), 2).dumps())
    body["options"][BEGUN] |= parts
    return json.dumps(body)


def find(name: str, **options: Any) -> Game:
    return Duel(**options)


def test_a_damaged_beginning_is_one_sentence() -> None:
    whole = json.loads(continue_record(duel(), 0, 4, TRUE, Rng(1)).options[BEGUN]["position"])
    for name, value in [("piles", [[0], [1]]), ("stack", []), ("viewer", 0), ("hands", 7), ("seats", "x"), ("new", 1)]:
        with pytest.raises(RecordError, match=DAMAGED):
            load(forge_start(position=json.dumps(whole | {name: value})), find)
    for parts in ({"position": "{"}, {"seat": 2}, {"step": -1}, {"cards": "mine"}, {"more": 1}):
        with pytest.raises(RecordError, match=DAMAGED):
            load(forge_start(**parts), find)
    with pytest.raises(RecordError, match=OTHER_SHAPE):
        load(forge_start(shape="0" * 16), find)
    with pytest.raises(GonfalonError, match=DAMAGED):
        Duel(begun="yes").start()
