"""The rule of thumb and the five levels: legal and honest everywhere, and each idea in a position computed by hand.

The positions have two battles left, so that each can be computed completely.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from gonfalon import Rng, worlds
from gonfalon.bots import Budget, make
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.state import State
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.bots.heuristic import JinkeiHeuristic
from gonfalon.games.jinkei.bots.levels import LEVELS
from gonfalon.games.jinkei.rules.actions import KINDS, PUT
from gonfalon.games.jinkei.rules.state import JinkeiState
from tests.jinkei.scenario import Player, Table

NAMES = ["greedy", *LEVELS]
SOUND = ["greedy", "club", "strong", "expert"]
"""The levels without deliberate errors."""
FEW = Budget(iterations=12)
GAMES: list[dict[str, Any]] = [{}, {"games": 2, "memory": "open", "wild": "binds"}]


def list_views(game: Jinkei, seed: int, most: int = 2) -> list[JinkeiState]:
    """Return views of a random game's seats with a choice, at most a number for each question and one in three of the
    rest."""
    rng = Rng(seed)
    state: State = game.start()
    found: dict[str, list[JinkeiState]] = {}
    while not state.over:
        if state.turn >= 0 and len(state.actions) > 1 and rng.below(3) == 0:
            view = state.mask(state.turn)
            assert isinstance(view, JinkeiState)
            some = found.setdefault(view.stack[-1].prompt, [])
            if len(some) < most:
                some.append(view)
        state.apply(state.turn, state.sample(rng))
    return [view for some in found.values() for view in some]


def chooses(name: str, player: Player) -> str:
    """Return a level's choice, which is the same with any random stream."""
    game = player.table.game
    bot = make(name, game)
    found = {game.notation(bot.choose(player.view, Budget(iterations=100), Rng(seed)).action) for seed in range(3)}
    assert len(found) == 1, found
    return found.pop()


# ---- all levels --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", GAMES)
@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_legal_has_a_reason_and_follows_from_the_view(name: str, options: dict[str, Any]) -> None:
    game = Jinkei(**options)
    codec = StateCodec(game)
    used, new, prompts = make(name, game), make(name, game), set()
    for view in list_views(game, 1):
        prompts.add(view.stack[-1].prompt)
        before = view.dump()
        choice = used.choose(view, FEW, Rng(1))
        assert view.dump() == before
        assert choice.why.endswith(".")
        assert choice.action in view.legal(view.viewer)
        again = codec.decode_view(json.loads(json.dumps(codec.encode_view(view))))
        assert new.choose(again, FEW, Rng(1)) == choice
    assert {"front", "back", "lead", "answer"} <= prompts


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", [*Jinkei.samples()[::2], *Jinkei.tiny()], ids=repr)
def test_hidden_cards_make_no_difference(name: str, game: Jinkei) -> None:
    bot = make(name, game)
    for view in list_views(game, 11, 1):
        twin = worlds(view).sample(Rng(5)).mask(view.viewer)
        assert bot.choose(twin, FEW, Rng(9)) == bot.choose(view, FEW, Rng(9))


@pytest.mark.parametrize("options", GAMES)
def test_a_world_scores_like_the_view_of_its_seat(options: dict[str, Any]) -> None:
    game = Jinkei(**options)
    heuristic = JinkeiHeuristic(game)
    for view in list_views(game, 3, 4):
        heuristic.prepare(view)
        some = [worlds(view).sample(Rng(seed)) for seed in range(3)]
        for world in some if some[0].turn == view.viewer else []:  # else another seat is asked first
            assert heuristic.scores(world) == heuristic.scores(view)


# ---- battles -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SOUND)
def test_a_battle_is_lost_to_win_the_dearer_one(name: str) -> None:
    """red9 takes red6: +5, then red1 loses to red8: -4. red1 loses to red6: -3, then red9 takes red8: +6."""
    table = Table(battles=2, rounds=2)
    table.may.stands(rg1="red9", rg2="red1")
    table.david.stands(vg1="red6", rg1="red8")
    table.attacks(table.david)
    table.david.plays("vg1:red")
    assert chooses(name, table.may) == "rg2:red"


@pytest.mark.parametrize("name", SOUND)
def test_no_12_is_led_into_a_0_that_must_follow(name: str) -> None:
    """red12 first: -3 to red0, then blue5 beats red3: -3, in all -6. red3 first: +1, then blue5 beats red12: -5,
    in all -4."""
    table = Table(battles=2, rounds=2)
    table.may.stands(vg1="red12", vg2="red3")
    table.david.stands(rg1="red0", vg1="blue5")
    table.attacks(table.may)
    assert chooses(name, table.may) == "vg2:red"


@pytest.mark.parametrize("name", SOUND)
def test_a_0_catches_a_12(name: str) -> None:
    """red0: +3, then red5 loses to red7: -4, in all -1. red5: -5, then red0 loses to red7: -2."""
    table = Table(battles=2, rounds=2)
    table.may.stands(rg1="red0", rg2="red5")
    table.david.stands(vg1="red12", rg1="red7")
    table.attacks(table.david)
    table.david.plays("vg1:red")
    assert chooses(name, table.may) == "rg1:red"


@pytest.mark.parametrize("name", [*SOUND, "casual"])
def test_a_wild_card_is_called_a_colour_that_cannot_be_followed(name: str) -> None:
    """As red, red5 loses to red9: -5; as blue it wins: +5. The other battle is the same."""
    table = Table([".W # #", ". . .", ". . ."], battles=2, rounds=2)
    table.may.stands(vg1="red5", rg1="blue1")
    table.david.stands(rg1="red9", vg1="blue12")
    table.attacks(table.may)
    assert chooses(name, table.may) == "vg1:blue"


@pytest.mark.parametrize("name", ["club", "strong", "expert"])
def test_a_search_says_how_likely_a_hidden_card_is(name: str) -> None:
    """May's Reinforcement is one of the cards unseen by David."""
    table = Table(["# # .", "# # .", "# # ."], ["# # .", "# . .", "# # ."], battles=3, memory="open")
    table.may.stands(vg3="red5", rg3="blue5", re3="red7")
    table.david.stands(vg3="red3", rg3="red9", rg2="red2", re3="blue12")
    table.attacks(table.may)
    table.may.plays("vg3:red")
    belief = make(name, table.game).choose(table.david.view, FEW, Rng(2)).beliefs[0]
    assert belief.about == "their Reinforcement 3"
    assert sum(share for _, share in belief.likely) == pytest.approx(1.0, abs=0.001)
    assert all(0.0 < share < 1.0 for _, share in belief.likely)


def test_only_the_formation_is_searched_against_the_other_answer() -> None:
    """Cards are placed one by one, and the other seat's stay hidden meanwhile."""
    game = Jinkei()
    heuristic = JinkeiHeuristic(game)
    kinds = {view.stack[-1].prompt: heuristic.is_simultaneous(view) for view in list_views(game, 4)}
    assert {prompt for prompt, is_simultaneous in kinds.items() if is_simultaneous} == {"formation"}
    assert {"front", "back", "lead", "answer"} <= set(kinds)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_kept_card_counts_while_another_round_is_to_come(rounds: int) -> None:
    """May keeps a 12 or a 1. The battle is the same."""
    chances = []
    for kept in ("red12", "red1"):
        table = Table(battles=1, rounds=rounds)
        table.may.stands(vg1="red5").holds(kept)
        table.david.stands(rg1="blue5").holds("red7")
        table.attacks(table.may)
        chances.append(JinkeiHeuristic(table.game).win_chances(table.state)[0])
    assert (chances[0] > chances[1]) == (rounds == 2)
    assert (chances[0] == chances[1]) == (rounds == 1)


# ---- laying ------------------------------------------------------------------------------------------


def test_two_cards_on_a_space_can_be_any_set() -> None:
    """Playouts place the lower one first, so that a higher one is left."""
    game = Jinkei(types=("bow", "sword"))
    heuristic, rng, pairs = JinkeiHeuristic(game), Rng(3), set()
    for view in list_views(game, 2, 40):
        if view.stack[-1].prompt == "back" and view.viewer == 0:
            s = worlds(view).sample(rng)
            heuristic.prepare(view)
            while s.stack[-1].prompt == "back" and s.turn == 0:
                action = heuristic.playout_action(s, rng)
                assert action in s.actions
                s.apply(0, action)
            pairs.add(len(s.answers[0]))
    assert pairs


def test_an_action_is_worth_the_best_way_to_lay_the_rest() -> None:
    """With two spaces and two cards, red9 gains more from the Vanguard than red1, so it is placed there first."""
    table = Table([". # #", "# . #", "# # #"], [". # #", "# . #", "# # #"], battles=2, rounds=1)
    table.may.holds("red9", "red1")
    table.david.holds("red9", "red1")
    table.forms_up()
    table.may.chooses("a")
    table.david.chooses("a")
    view = table.may.view
    heuristic = JinkeiHeuristic(table.game)
    scores = dict(zip(view.actions, heuristic.scores(view), strict=True))
    best = max(scores, key=lambda action: scores[action])
    assert (best - PUT) % KINDS == table.kind("red9")
