"""Several actions in one request: each is judged by the seat's knowledge at the time of sending. Otherwise a refusal
would reveal the result of the first action."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.feint import Feint
from gonfalon.table.errors import Stale
from gonfalon.table.game.position import Position
from tests.table.moot import Moot


def deal_position(position: Position) -> Position:
    """Return the position at the first question to people."""
    position.draw_chance()
    return position


def refusal(position: Position, seat: int, *texts: str) -> str:
    """Return the reason a request is refused."""
    with pytest.raises(Refusal) as caught:
        position.clone().act(seat, None, [position.game.parse(text) for text in texts])
    return str(caught.value)


@pytest.mark.parametrize("game", ["factionwars", "jinkei"])
def test_a_refusal_does_not_reveal_whether_the_others_have_answered(game: str) -> None:
    """Law 5: the refusal of a second action must not reveal to the last seat that it was the last, or the result."""
    position = deal_position(Position(games.game(game)))
    while not position.together:
        seat = position.state.turn
        position.act(seat, None, position.state.actions[:1])
    first, *others = position.state.asked()
    answer = position.state.legal(first)[0]
    text = position.game.notation(answer)
    alone = refusal(position, first, text, text)
    for seat in others:
        while position.state.legal(seat):
            position.act(seat, None, position.state.legal(seat)[:1])
    assert position.state.asked() == [first, *others], "the first is the last to answer now"
    assert refusal(position, first, text, text) == alone
    assert not position.state.answers[first]


def test_nothing_is_judged_beyond_a_complete_answer() -> None:
    position = deal_position(Position(Moot()))
    seat = position.state.asked()[0]
    own = position.game.notation(position.state.legal(seat)[0])
    assert "already chosen" in refusal(position, seat, own, own)
    assert "already chosen" in refusal(position, seat, own, "k999")
    entries = position.act(seat, None, [position.game.parse(own)])
    assert [entry.text for entry in entries] == [own]


def test_actions_after_a_passed_turn_are_dropped() -> None:
    """The second action is legal in no position. It is dropped without a message, and the first counts."""
    position = deal_position(Position(Feint()))
    while position.together:
        for seat in position.state.asked():
            position.act(seat, None, [position.game.parse("done")])
    position.draw_chance()
    seat = position.state.turn
    assert seat != CHANCE
    play, other = position.state.actions[-1], position.state.actions[0]
    version = position.version(seat)
    entries = position.act(seat, version, [play, other, other])
    assert [entry.text for entry in entries if entry.seat == seat] == [position.game.notation(play)]
    assert position.repeats(seat, version, [play, other, other]), "a request sent again is known"


def test_an_old_request_is_none_sent_again_where_its_first_action_alone_was_done_elsewhere() -> None:
    """Jinkei's cards are placed one by one. A client that sends two, of which another device has sent one, gets the
    message that the table has changed, and no card is dropped silently."""
    position = deal_position(Position(games.game("jinkei")))
    while position.state.stack[-1].prompt != "front":
        seat = next(seat for seat in position.state.asked() if position.state.legal(seat))
        position.act(seat, None, position.state.legal(seat)[:1])
    seat = position.state.asked()[0]
    version, first = position.version(seat), position.state.legal(seat)[0]
    position.act(seat, version, [first])
    second = position.state.legal(seat)[0]
    assert position.repeats(seat, version, [first]), "a request sent again is known"
    assert not position.repeats(seat, version, [first, second])
    with pytest.raises(Stale, match="The position has changed"):
        position.act(seat, version, [first, second])
