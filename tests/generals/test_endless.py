"""No turn is endless (ruling 68) with any owner's cards: a general that returns costs a card, repeated effects are
limited, and cards that refill RESOURCE leave the game."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon import Rng, games
from gonfalon.check import run
from gonfalon.check.laws.rules.endless_loops import ENDLESS_REPETITIONS
from gonfalon.check.laws.rules.endless_loops import LAWS as CIRCLES
from gonfalon.core.basics.errors import DataError
from gonfalon.core.build import find_build
from gonfalon.core.files.record import load
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.generals import Generals
from gonfalon.games.generals.cards import checker as checking
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.testing import rule
from gonfalon_reference_rules.generals.judge import GeneralsReferenceRules
from tests.generals.folk import FOLK, QUIET, card
from tests.generals.scenario import Table, chance

SELF = {"ref": "self"}
FRIEND = {"side": "friend", "zone": "any", "other": True, "count": 1}
BOUNCE = {"op": "bounce", "target": SELF}


def general(name: str, *abilities: dict[str, Any], number: int = 50, cost: int = 0) -> dict[str, Any]:
    return card(f"X{number}", name, "character", *abilities, cost=cost, might=4, wits=3)


def active(*do: dict[str, Any], hand: int = 0) -> dict[str, Any]:
    return {"kind": "active", "cost": {"hand": hand}, "do": list(do)}


def when(event: str, *do: dict[str, Any], **more: Any) -> dict[str, Any]:
    subject = {"whose": "you"} if event in ("turn_start", "end_phase") else {"subject": SELF}
    return {"kind": "trigger", "when": {"event": event, **subject}, "do": list(do), **more}


def table_of(*cards: dict[str, Any], **options: Any) -> Table:
    return Table([*FOLK, QUIET, *cards], commandments=("X99", "X99"), **options)


# ---- who returns costs a card ----------------------------------------------------------------------------------------

PAN_FENG = general("Pan Feng", active(BOUNCE))


@rule("generals", 44, 68)
def test_a_general_that_returned_this_turn_costs_at_least_a_card() -> None:
    table = table_of(PAN_FENG)
    table.may.has("Pan Feng").does("pan-feng#1", "active:1")
    assert table.may.hand == ["Pan Feng"]
    assert cite_rule(table.may.why_not("pan-feng")) == (
        "Pan Feng returned to your hand this turn, so it costs at least 1 card. You have 0 (rulings 27, 68)."
    )
    table.may.holds("Militia", "Archers")
    assert table.may.cost("Pan Feng") == 1
    table.may.does("pan-feng", "archers")
    assert (table.may.hand, table.may.field, table.may.discards) == (["Militia"], ["Pan Feng"], ["Archers"])
    assert table.may.may_do("pan-feng#1", "active:1"), "a new card, a new use"


@rule("generals", 31, 68)
@pytest.mark.parametrize(("friends", "cost"), [(0, 3), (1, 2), (2, 1), (3, 1)])
def test_nothing_takes_the_last_card_off_his_cost(friends: int, cost: int) -> None:
    """Printed 3 and 1 less for each Shu general in play, but at least 1."""
    shu = general("Ma Dai", active(BOUNCE), cost=3)
    table = table_of({**shu, "faction": "SHU"})
    table.may.has(*("Ash", "Birch", "Cedar")[:friends], "Ma Dai").holds("Militia", "Archers", "Red Hare", "Plunder")
    table.may.does("ma-dai#1", "active:1")
    assert table.may.cost("Ma Dai") == cost
    part = {"what": "returned this turn", "by": 1}
    price = next(card["price"] for card in table.may.board["seats"][0]["hand"] if card["slug"] == "ma-dai")
    assert (price["now"], part in price["parts"]) == (cost, friends == 3)


@rule("generals", 68)
def test_it_is_so_for_the_rest_of_the_turn_only() -> None:
    """The cost is normal on the owner's next turn, also for a general that an enemy effect returned on the enemy's
    turn."""
    table = table_of(PAN_FENG)
    table.may.has("Pan Feng").does("pan-feng#1", "active:1").ends()
    table.david.ends()
    assert table.may.cost("Pan Feng") == 0
    other = table_of(PAN_FENG)
    other.david.has("Pan Feng")
    other.may.has("Reed").holds("Lure the Tiger").does("lure-the-tiger")
    assert (other.david.hand, other.david.cost("Pan Feng")) == (["Pan Feng"], 1)
    other.may.ends()
    assert other.david.cost("Pan Feng") == 0


@rule("generals", 68)
def test_no_card_brings_him_back_for_nothing() -> None:
    """Yellow Sky Rising recruits generals of cost 1 or less without payment: Zhang Bao, but not the general that just
    returned."""
    pei = {**general("Pei Yuanshao", active(BOUNCE), number=51), "faction": "QUN"}
    table = table_of(pei)
    table.may.has("Pei Yuanshao").holds("Yellow Sky Rising", "Zhang Bao", "Militia")
    table.may.does("pei-yuanshao#1", "active:1", "yellow-sky-rising", "militia")
    assert table.may.asked == "recruit"
    assert table.may.choices == ["done", "zhang-bao"]
    assert cite_rule(table.may.why_not("pei-yuanshao")) == (
        "Pei Yuanshao returned to your hand this turn and can only be recruited for its cost (ruling 68)."
    )


def mine(*cards: dict[str, Any], rest: tuple[str, ...] = (), **options: Any) -> Generals:
    """Return a game in which both seats have three of each of these cards and filler cards."""
    counts = {**{made["id"]: 3 for made in cards}, **dict.fromkeys(rest, 3)}
    deck = {"slug": "mine", "name": "Mine", "style": "", "commandment": "D04", "cards": counts}
    raw = {"form": 1, "game": {"deck_least": 1}, "card": list(cards), "deck": [deck]}
    return Generals(cards=raw, decks=("mine", "mine"), **options)


FILLING = ("W01", "W02", "W04", "W06", "W10", "W08", "W09", "R03", "A04", "R01", "P01", "T03", "C04")


# ---- what repeats itself has a limit ---------------------------------------------------------------------------------


def faults(*abilities: dict[str, Any], type: str = "character") -> list[str]:
    made = card("X50", "Pan Feng", type, *abilities, **({"might": 1, "wits": 1} if type == "character" else {}))
    try:
        files.load({"form": 1, "card": [made]})
    except DataError as error:
        return str(error).split("; ")
    return []


READY = {"op": "ready", "target": SELF, "for": "any"}
DUEL = {"op": "duel", "a": SELF, "b": {"side": "enemy", "zone": "same", "count": 1}}
KILL = {"op": "kill", "target": {"side": "enemy", "zone": "same", "count": 1}}
DRAW = {"op": "draw", "n": 1, "who": "you"}


@rule("generals", 68)
@pytest.mark.parametrize("event", ["moves", "wins_melee", "defeats", "siege_done", "end_phase"])
@pytest.mark.parametrize("op", [READY, DUEL])
def test_effects_that_ready_or_fight_have_a_limit(event: str, op: dict[str, Any]) -> None:
    [fault] = faults(when(event, op))
    assert f'{op["op"]} needs limit = "1/turn"' in fault
    assert "(ruling 68)" in fault
    assert faults(when(event, op, limit="1/turn")) == []
    assert faults(when(event, DRAW)) == []


@rule("generals", 68)
def test_a_limit_inside_is_not_enough() -> None:
    """Each move would create one more delayed ability, each of which readies a general once."""
    inner = {"op": "delayed", "until": "turn", "ability": when("moves", READY, limit="1/turn")}
    assert len(faults(when("moves", inner))) == 1
    assert faults(when("moves", inner, limit="2/turn")) == []
    bare = {"op": "delayed", "until": "turn", "ability": when("moves", READY)}
    [fault] = faults(active(bare))
    assert "delayed" in fault or "ability" in fault
    branch = {"op": "if", "cond": [["hand", "you", "==", 0]], "then": [DRAW], "else": [READY]}
    assert len(faults(when("moves", branch))) == 1
    assert faults(active(READY)) == [], "used once a turn anyway"


@rule("generals", 68)
@pytest.mark.parametrize("op", [READY, DUEL, KILL])
def test_a_general_that_stays_for_free_triggers_nothing(op: dict[str, Any]) -> None:
    """Otherwise two of them could return each other forever."""
    stays = {"kind": "replace", "when": {"event": "to_casualty", "subject": SELF}}
    [fault] = faults({**stays, "do": [op]})
    assert f'{op["op"]} needs limit = "1/turn"' in fault
    assert faults({**stays, "do": [op], "limit": "1/turn"}) == []
    assert faults({**stays, "do": [op], "optional": True, "cost": {"hand": 1}}) == []
    assert len(faults({**stays, "do": [op], "optional": True, "cost": {"hand": 0}})) == 1
    assert faults({**stays, "do": [{"op": "move", "target": SELF, "to": "FORTRESS"}]}) == []


# ---- what fills RESOURCE again is gone -------------------------------------------------------------------------------

RECOVER = {"op": "recover", "n": 3, "choose": "random"}
GONE = {"op": "exile", "target": {"ref": "this"}}
LEAVES = {"op": "exile", "target": SELF}


@rule("generals", 68)
@pytest.mark.parametrize(
    "do", [[BOUNCE, RECOVER], [LEAVES, RECOVER], [RECOVER, BOUNCE, LEAVES], [RECOVER, DRAW, LEAVES]]
)
def test_cards_that_refill_leave_the_game_afterwards(do: list[dict[str, Any]]) -> None:
    [fault] = faults(active(*do))
    assert "must follow" in fault
    assert "(ruling 68)" in fault


@rule("generals", 68)
def test_a_refill_in_a_branch_is_followed_in_that_branch() -> None:
    cond = {"op": "if", "cond": [["hand", "you", "==", 0]]}
    assert len(faults(active({**cond, "then": [RECOVER]}, LEAVES))) == 1
    assert faults(active({**cond, "then": [RECOVER, LEAVES]})) == []


@rule("generals", 60, 68)
def test_a_commandment_never_leaves_and_refills_nothing() -> None:
    [fault] = faults(when("turn_start", RECOVER, GONE), type="commandment")
    assert "Commandment never leaves" in fault


@rule("generals", 68)
def test_an_absent_general_refills_nothing() -> None:
    """He returned to the hand first, so he cannot go Out of game. A Strategy whose delayed ability refills RESOURCE is
    in DISCARD by then."""
    table = table_of(general("Pan Feng", active(BOUNCE, RECOVER, LEAVES)))
    table.may.has("Pan Feng").discarded("Militia", "Archers", "Red Hare")
    table.may.does("pan-feng#1", "active:1")
    assert (table.may.hand, table.may.resources, len(table.may.discards)) == (["Pan Feng"], 30, 3)
    later = {"kind": "trigger", "when": {"event": "siege_done", "subject": {"side": "friend"}}, "do": [RECOVER, GONE]}
    farms = card(
        "X50", "Late Farms", "strategy", {"kind": "play", "do": [{"op": "delayed", "until": "turn", "ability": later}]}
    )
    late = table_of(farms)
    late.may.has("Reed", at="ENEMY_BORDER").holds("Late Farms").discarded("Militia", "Archers", "Red Hare")
    late.may.does("late-farms", "reed#1", "siege")
    chance(late)
    assert (late.may.resources, len(late.may.discards), late.may.exiled) == (30, 4, [])


# ---- the bound -------------------------------------------------------------------------------------------------------


def slowly(state: State, rng: Rng, game: Game) -> int:
    """Return the number of decisions of a game in which no seat ends a turn while another action is legal."""
    count = 0
    end = game.parse("end")
    while not state.over:
        action = state.sample(rng)
        while action == end and len(state.actions) > 1:
            action = state.sample(rng)
        state.apply(state.turn, action)
        count += 1
        assert count <= game.bound
    return count


@rule("generals", 68)
def test_no_game_exceeds_the_bound() -> None:
    for game in [*GeneralsReferenceRules().build_samples(Generals), *Generals.samples()]:
        assert slowly(game.start(), Rng(5), game) < game.bound


@rule("generals", 68)
def test_repeatable_effects_raise_the_bound() -> None:
    """The bound depends on each cause separately, not on its frequency: a general that returns, one that is readied,
    one that refills."""
    dull = mine(general("Pan Feng"), rest=FILLING).bound
    for ability in (
        active(BOUNCE),
        when("moves", READY, limit="9/turn"),
        active(RECOVER, LEAVES),
        when("moves", {"op": "draw", "n": 9, "who": "you", "optional": True}),
    ):
        assert mine(general("Pan Feng", ability), rest=FILLING).bound > dull


# ---- and if it were not so -----------------------------------------------------------------------------------------


def named(name: str) -> dict[str, Any]:
    return {"op": "bounce", "target": {"side": "friend", "zone": "any", "name": name, "count": "all"}}


LOOPS = {
    "he returns himself": [PAN_FENG],
    "two return each other": [
        general("Pan Feng", active(named("Xing Daorong"))),
        general("Xing Daorong", active(named("Pan Feng")), number=51),
    ],
    "when they are recruited": [
        general("Pan Feng", when("recruited", {"op": "bounce", "target": FRIEND})),
        general("Xing Daorong", when("recruited", {"op": "bounce", "target": FRIEND}), number=51),
    ],
    "he moves again and again": [general("Pan Feng", when("moves", READY))],
}


@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
@pytest.mark.parametrize(
    "loop", [pytest.param(loop, marks=pytest.mark.extended if "each other" in loop else ()) for loop in LOOPS]
)
def test_the_kit_would_find_the_turn_that_does_not_end(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without these rules the recorded game repeats a thousand times or exceeds the bound."""
    monkeypatch.setattr(GeneralsState, "has_returned", lambda self, u: False)
    monkeypatch.setattr(checking.Checker, "check_limit", lambda self, ability, place: None)
    game = mine(*LOOPS[loop], rest=FILLING, lists="open")  # with fewer windows it is found sooner
    [result] = run([game], 0, laws=CIRCLES, rounds=36)
    assert "the game need not end, because this can be repeated forever" in result.failure
    assert len(load(result.record, games.game).decisions) > 2 * ENDLESS_REPETITIONS


def test_the_kit_finds_nothing_as_it_is() -> None:
    [result] = run([mine(*LOOPS["when they are recruited"], rest=FILLING)], 0, laws=CIRCLES, rounds=2)
    assert result.ok
