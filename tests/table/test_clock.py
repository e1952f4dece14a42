"""The rules of clocks alone. A pace of 100 seconds and a step of 10 has an allotment of 10. Network delays up to 0.3
seconds are not charged."""

from __future__ import annotations

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.table.game.clock import ALONE, DAY, NETWORK_DELAY_S, TOGETHER, WINDOW, Clock, Pace, load_pace, parse_pace

PACE = Pace(100, 10)


def clock(seats: int = 2, pace: Pace = PACE) -> Clock:
    return Clock(pace, seats)


def decide(one: Clock, seat: int, now: float) -> int:
    """Make a seat's decision with a network delay within the free limit."""
    spent = one.measure_time(seat, now + NETWORK_DELAY_S)
    one.charge(seat, spent, now)
    return spent


def test_small_decisions_of_one_spell_gain_one_step() -> None:
    one = clock()
    one.ask(ALONE, (0,), 0, 0)
    assert [decide(one, 0, now) for now in (3, 10, 40)] == [3000, 7000, 30000]
    assert one.left == [60000, 100000]
    one.ask(ALONE, (0,), 40, 3)  # the same question
    assert one.left[0] == 60000
    one.ask(ALONE, (1,), 40, 3)
    assert one.left == [70000, 100000]  # 100 - 40 + 10


def test_no_bank_grows_over_the_whole() -> None:
    one = clock()
    one.ask(ALONE, (0,), 0, 0)
    decide(one, 0, 4)
    one.ask(ALONE, (1,), 4, 1)
    assert one.left[0] == 100000  # not 106


def test_an_idle_player_gains_no_time() -> None:
    one = clock()
    one.ask(ALONE, (0,), 0, 0)
    decide(one, 0, 50)
    one.ask(ALONE, (1,), 50, 1)
    one.ask(ALONE, (0,), 60, 2)  # a bot has played at seat 1
    one.ask(ALONE, (1,), 70, 3)  # and at seat 0 as well
    assert one.left == [60000, 100000]


def test_the_way_is_free_up_to_its_bound() -> None:
    one = clock()
    one.ask(ALONE, (0,), 1000, 0)
    assert one.measure_time(0, 1000.2) == 0
    assert one.measure_time(0, 1001.3) == 1000
    assert one.measure_time(0, 2000) == 100000


def test_a_window_costs_nothing_before_it_closes_and_gains_nothing() -> None:
    one = clock()
    one.ask(WINDOW, (1,), 0, 0)
    one.since = 3.0  # when it closes
    assert one.sight(-2, False).hands[1].since == 3.0
    assert decide(one, 1, 3) == 0
    one.ask(ALONE, (0,), 3, 1)
    assert one.left == [100000, 100000]
    one.ask(WINDOW, (1,), 3, 2)
    one.since = 6.0
    assert decide(one, 1, 12) == 6000
    one.ask(ALONE, (1,), 12, 3)  # what the answer asks next is still the answer
    decide(one, 1, 14)
    one.ask(ALONE, (0,), 14, 4)
    assert one.left == [100000, 92000]


def test_held_cards_do_not_move_the_end_of_a_window() -> None:
    one = clock()
    one.ask(WINDOW, (1,), 0, 5)
    one.since = 3.0
    one.ask(WINDOW, (1,), 1, 5)
    assert one.since == 3.0


def test_answers_at_once_run_on_the_allotment_then_on_the_bank_and_are_settled_together() -> None:
    one = clock(3)
    one.ask(TOGETHER, (0, 1, 2), 0, 0)
    assert decide(one, 1, 5) == 0
    assert decide(one, 0, 50) == 40000
    assert one.left == [100000] * 3
    assert decide(one, 2, 25) == 15000
    one.settle(3)
    assert one.left == [60000, 100000, 85000]


def test_an_answer_in_parts_is_charged_once() -> None:
    one = clock()
    one.ask(TOGETHER, (0, 1), 0, 0)
    assert [decide(one, 0, now) for now in (12, 15, 15)] == [2000, 3000, 0]


def twins(seats: int = 3) -> tuple[Clock, Clock]:
    """Return two worlds. In the second, seat 1 has answered."""
    a, b = clock(seats), clock(seats)
    for one in (a, b):
        one.ask(ALONE, (0,), -20, 0)
        decide(one, 0, 0)
        one.ask(TOGETHER, tuple(range(seats)), 0, 1)
    decide(b, 1, 35)
    return a, b


def test_simultaneous_answers_do_not_show() -> None:
    a, b = twins()
    for viewer in (0, 2, -2):
        for waits in (False, True):
            assert a.sight(viewer, waits) == b.sight(viewer, waits)
    assert a.sight(1, True) != b.sight(1, False)


def test_expired_time_does_not_show_before_the_last_answer() -> None:
    a, b = twins()
    a.drop_flag(1)
    for viewer in (0, 2, -2):
        assert a.sight(viewer, True) == b.sight(viewer, True)
    assert a.sight(1, True).hands[1].out
    assert a.sight(1, True).hands[1].left == 0
    a.settle(4)
    for viewer in (0, 1, 2, -2):
        assert a.sight(viewer, False).hands[1].out
    assert a.left[1] == 0


def test_only_the_own_bank_runs() -> None:
    one, _ = twins()
    own, other = one.sight(2, True), one.sight(0, True)
    assert own.hands[2].since == 10.0  # a tenth of the bank after the question
    assert own.free == other.free == 10.0
    assert other.hands[2].since is None
    assert other.hands[2].runs


def test_flags_fall_after_the_bank_and_the_way() -> None:
    one = clock(3)
    one.ask(TOGETHER, (0, 1, 2), 0, 0)
    assert one.due([0, 2]) == (110 + NETWORK_DELAY_S, 0)
    assert one.due([]) is None
    one.settle(0)
    one.ask(ALONE, (2,), 50, 1)
    assert one.due([2]) == (150 + NETWORK_DELAY_S, 2)
    one.drop_flag(2)
    assert one.due([2]) is None


def test_coming_back_gives_a_step() -> None:
    one = clock()
    one.ask(ALONE, (0,), 0, 0)
    one.drop_flag(0)
    one.resume(0, 200)
    assert one.left[0] == 10000
    assert one.due([0]) == (210 + NETWORK_DELAY_S, 0)
    decide(one, 0, 203)
    one.ask(ALONE, (1,), 203, 1)
    assert one.left[0] == 7000  # no other step for this spell


def test_coming_back_without_a_step_gives_ten_seconds() -> None:
    one = clock(pace=Pace(100))
    one.drop_flag(1)
    one.resume(1, 0)
    assert one.left[1] == 10000


def test_coming_back_to_a_question_of_all_the_time_runs_from_then_on() -> None:
    one = clock()
    one.drop_flag(1)
    one.ask(TOGETHER, (0, 1), 0, 0)
    one.resume(1, 500)
    assert one.due([1]) == (510 + NETWORK_DELAY_S, 1)
    assert one.measure_time(1, 503 + NETWORK_DELAY_S) == 3000
    assert one.sight(0, True).hands[1].since is None


def test_undo_does_not_gain_a_step_twice() -> None:
    one = clock()
    one.ask(ALONE, (0,), 0, 0)
    decide(one, 0, 60)
    one.ask(ALONE, (1,), 60, 1)
    assert one.left[0] == 50000
    one.ask(ALONE, (0,), 61, 2)
    one.follow_undo(0)
    decide(one, 0, 71)
    one.ask(ALONE, (1,), 71, 1)
    assert one.left[0] == 40000  # ten seconds more were used, and no step came
    one.ask(ALONE, (0,), 71, 2)
    decide(one, 0, 72)
    one.ask(ALONE, (1,), 72, 3)
    assert one.left[0] == 49000


def test_days_restart_with_each_turn() -> None:
    one = clock(pace=Pace(3 * DAY, days=3))
    one.ask(ALONE, (0,), 0, 0)
    assert one.due([0]) == (3 * DAY + NETWORK_DELAY_S, 0)
    decide(one, 0, 2 * DAY)
    one.ask(TOGETHER, (0, 1), 2 * DAY, 1)
    assert one.left == [3000 * DAY] * 2
    assert one.sight(-2, False).free is None
    decide(one, 1, 4 * DAY)
    one.settle(3)
    assert one.left == [3000 * DAY] * 2


def test_a_copy_is_tried_on_without_the_original() -> None:
    one = clock()
    one.ask(TOGETHER, (0, 1), 0, 0)
    twin = one.clone()
    decide(twin, 0, 40)
    twin.settle(2)
    twin.drop_flag(1)
    assert one.measure_time(0, 40 + NETWORK_DELAY_S) == 30000
    assert (one.left, one.kind, one.fallen) == ([100000, 100000], TOGETHER, frozenset())


@pytest.mark.parametrize(
    ("body", "pace"),
    [
        (None, None),
        ({"bank": 600, "step": 5}, Pace(600, 5)),
        ({"bank": 600, "end": "lose"}, Pace(600, 0, "lose")),
        ({"days": 3, "end": "claim"}, Pace(3 * DAY, 0, "claim", 3)),
    ],
)
def test_paces_are_written_down_and_read_again(body: object, pace: Pace | None) -> None:
    assert parse_pace(body) == pace
    assert load_pace("" if pace is None else pace.dumps()) == pace


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"bank": 29},
        {"bank": 600, "step": -1},
        {"bank": "600"},
        {"bank": True},
        {"days": 0},
        {"days": 31},
        {"days": 1, "bank": 60},
        {"bank": 60, "end": "win"},
        {"bank": 60, "end": []},
        {"bank": 60, "more": 1},
        {"bank": 10**9},
    ],
)
def test_no_other_pace_is_taken(body: object) -> None:
    with pytest.raises(OptionError):
        parse_pace(body)
