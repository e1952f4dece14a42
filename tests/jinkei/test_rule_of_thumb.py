"""The rule-of-thumb player: positions whose best move is worked out by hand, and its honesty.

In the positions two battles are left, so that each can be reckoned in full; sums are May's margin.
"""

from __future__ import annotations

import pytest

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import CHANCE
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.bots.battle_solver import Duel, Shapes
from gonfalon.games.jinkei.bots.rule_of_thumb import RuleOfThumb
from gonfalon.games.jinkei.rules.state import JinkeiState
from tests.jinkei.scenario import Player, Table

SEEDS = range(5)


def two_battles(may: list[str] | None = None, david: list[str] | None = None) -> Table:
    """Two battles are left of a round that is not the last, so that points are what counts."""
    return Table(may, david, battles=2, rounds=2)


def chooses(player: Player) -> str:
    """What the rule of thumb does, with any stream."""
    rule_of_thumb = RuleOfThumb(player.table.game)
    found = set()
    for seed in SEEDS:
        action, why = rule_of_thumb.choose(player.view, Rng(seed))
        assert action in player.view.legal(player.seat)
        assert why.endswith(".")
        found.add(player.table.game.notation(action))
    assert len(found) == 1, found
    return found.pop()


# ---- battles ---------------------------------------------------------------------------------------


def test_no_12_is_led_into_a_0() -> None:
    """red12 first: -3 to red0, then blue5 beats red3: -3, in all -6. red3 first: +1, then blue5 beats red12: -5,
    in all -4."""
    table = two_battles()
    table.may.stands(vg1="red12", vg2="red3")
    table.david.stands(rg1="red0", vg1="blue5")
    table.attacks(table.may)
    assert chooses(table.may) == "vg2:red"


def test_a_0_catches_a_12() -> None:
    """red0: +3, then red5 loses to red7: -4, in all -1. red5: -5, then red0 loses to red7: -2."""
    table = two_battles()
    table.may.stands(rg1="red0", rg2="red5")
    table.david.stands(vg1="red12", rg1="red7")
    table.attacks(table.david)
    table.david.plays("vg1:red")
    assert chooses(table.may) == "rg1:red"


def test_a_wild_card_is_called_what_they_cannot_follow() -> None:
    """As red, red5 loses to red9: -5; as blue it wins: +5. The other battle is the same."""
    table = two_battles([".W # #", ". . .", ". . ."])
    table.may.stands(vg1="red5", rg1="blue1")
    table.david.stands(rg1="red9", vg1="blue12")
    table.attacks(table.may)
    assert chooses(table.may) == "vg1:blue"


# ---- honesty ---------------------------------------------------------------------------------------


def asked(game: Jinkei, seed: int) -> list[JinkeiState]:
    """The views of all decisions of a random game."""
    state = game.start(log=True)
    rng = Rng(seed)
    views = []
    while not state.over:
        if state.turn >= 0:
            view = state.mask(state.turn)
            assert isinstance(view, JinkeiState)
            views.append(view)
        state.apply(state.turn, state.sample(rng))
    return views


@pytest.mark.parametrize("game", [*Jinkei.samples(), *Jinkei.tiny()], ids=repr)
def test_every_choice_is_legal_and_rests_on_the_view_alone(game: Jinkei) -> None:
    """All that is hidden dealt anew, the same stream, another player: the same choice for the same reason."""
    rule_of_thumb, other = RuleOfThumb(game), RuleOfThumb(game)
    deals = Rng(5)
    hidden = 0
    for number, view in enumerate(asked(game, 11)[::9]):
        before = view.dump()
        choice = rule_of_thumb.choose(view, Rng(number))
        assert view.dump() == before
        assert choice[0] in view.legal(view.viewer)
        assert choice[1].endswith(".")
        twin = worlds(view).sample(deals).mask(view.viewer)
        assert other.choose(twin, Rng(number)) == choice
        twin.log = None
        assert rule_of_thumb.choose(twin, Rng(number)) == choice
        hidden += any(card & KIND == HIDDEN for card in view.hand[1 - view.viewer])
    assert hidden


# ---- the solver ------------------------------------------------------------------------------------


def plain_minimax(state: JinkeiState, seat: int) -> int:
    """The margin of a seat in this round under best play, by the rules themselves."""
    if state.over or state.stack[-1].prompt not in ("lead", "answer", "advance"):
        return state.scored[seat][-1] - state.scored[1 - seat][-1]
    values = []
    mover = state.turn
    for action in state.actions:
        then = state.clone()
        then.apply(mover, action)
        values.append(plain_minimax(then, seat))
    return max(values) if mover == seat else min(values)


@pytest.mark.parametrize("wild", ["free", "binds"])
def test_the_solver_agrees_with_the_rules(wild: str) -> None:
    """Ends of random rounds with all cards open, against a search that only plays."""
    game = Jinkei(wild=wild)
    shapes = Shapes(game.setup)
    rng = Rng(4)
    count = 0
    for _ in range(6):
        state = game.start()
        while not state.over:
            if state.stack[-1].prompt == "lead" and len(state.battles) == 3:
                seat = state.turn
                so_far = state.points_of(seat) - state.points_of(1 - seat)
                (a, ours), (b, theirs) = (shapes.locate(state.formation[s], state.spaces[s]) for s in (0, 1))
                duel = Duel(game.setup, a, b)
                duel.a.put(a.kinds(ours, state.spaces[0]))
                duel.b.put(b.kinds(theirs, state.spaces[1]))
                value = duel.value(seat == 0, ours, theirs)
                duel.fresh()
                assert duel.value(seat == 0, ours, theirs) == value, "also with what it remembers"
                assert so_far + (value if seat == 0 else -value) == plain_minimax(state, seat)
                count += 1
            state.apply(state.turn, state.sample(rng))
    assert count == 18


def test_with_a_single_try_a_hand_is_laid_by_its_worth_whatever_the_other_might_have() -> None:
    """Nothing fights, so nothing of chance is in it: that is what makes it quick enough to play worlds on."""
    game = Jinkei()
    quick, state, rng = RuleOfThumb(game, tries=1), game.start(), Rng(5)
    laid = 0
    while not state.over:
        if state.turn == CHANCE:
            state.apply(CHANCE, state.chance(rng))
            continue
        view = state.mask(state.turn)
        action, _ = quick.choose(view, rng)
        if view.stack[-1].prompt in ("front", "back"):
            laid += 1
            assert {quick.choose(view, Rng(seed))[0] for seed in range(5)} == {action}
        state.apply(state.turn, action)
    assert laid > 20
