"""The five levels of Generals: the properties of every answer and the moves that no level misses."""

from __future__ import annotations

import json

import pytest

from gonfalon import Rng, worlds
from gonfalon.bots import Budget, Choice, make
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.games.generals import Generals
from gonfalon.games.generals.bots.heuristic import GeneralsHeuristic
from tests.bots.planners import positions
from tests.generals.scenario import Player, Table, tag

LEVELS = ["gentle", "casual", "club", "strong", "expert"]
LITTLE = Budget(iterations=6)
SOME = Budget(iterations=24)


def choice(level: str, player: Player, budget: Budget = SOME, seed: int = 1) -> Choice:
    """Return a level's choice for a player at the table."""
    table = player.table
    return make(level, table.game).choose(table.state.mask(player.seat), budget, Rng(seed))


def does(level: str, player: Player, budget: Budget = SOME, seed: int = 1) -> str:
    """Return a level's choice in the notation."""
    return player.table.game.notation(choice(level, player, budget, seed).action)


@pytest.mark.parametrize("lists", ["closed", "open"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_answer_is_legal_says_why_and_follows_from_the_view(level: str, lists: str) -> None:
    """Each answer in a game with random moves in between is checked against another bot and a view parsed from JSON."""
    game = Generals(decks=("plans-of-wei", "red-cliffs"), lists=lists)
    codec = StateCodec(game)
    bot = make(level, game)
    state, rng = game.start(), Rng(5)
    prompts: dict[str, int] = {}
    while not state.over and state.number < 9:
        seat = state.turn
        if seat < 0:
            state.apply(seat, state.chance(rng))
            continue
        prompt = state.stack[-1].prompt
        if prompts.get(prompt, 0) < 2 and len(state.actions) > 1:
            prompts[prompt] = prompts.get(prompt, 0) + 1
            view = state.mask(seat)
            before, seed = view.dump(), rng.seed()
            found = bot.choose(view, LITTLE, Rng(seed))
            assert view.dump() == before
            assert found.why.endswith(".")
            again = codec.decode_view(json.loads(json.dumps(codec.encode_view(view))))
            assert make(level, game).choose(again, LITTLE, Rng(seed)) == found
            state.apply(seat, found.action)
        else:
            state.apply(seat, state.sample(rng))
    assert {"main", "act", "pay"} <= set(prompts)


@pytest.mark.parametrize("level", LEVELS)
def test_a_siege_that_wins_is_laid(level: str) -> None:
    """Might 5 at the open ENEMY'S BORDER against 4 cards of RESOURCE (ruling 24)."""
    table = Table()
    table.may.has("Xu Chu", at="ENEMY_BORDER").holds("Militia", "Archers")
    table.david.resource(size=4)
    assert does(level, table.may) == tag(table.may, "Xu Chu")
    table.may.does(tag(table.may, "Xu Chu"))
    assert does(level, table.may) == "siege"


@pytest.mark.parametrize("level", LEVELS)
def test_a_win_in_two_steps_is_seen(level: str) -> None:
    """Guan Yu (Might 7) defeats the only guard (Might 5), then Dian Wei's Siege exceeds the 2 cards of RESOURCE."""
    table = Table()
    table.may.has("Guan Yu", "Dian Wei", at="ENEMY_BORDER").holds("Militia", "Archers")
    table.david.has("Xu Chu", at="BORDER").resource(size=2)
    for _ in range(8):
        if table.state.over:
            break
        seat = table.state.turn
        table.state.apply(seat, choice(level, table.may if seat == 0 else table.david).action)
    assert table.state.over
    assert table.state.winner == 0


@pytest.mark.parametrize("level", LEVELS)
def test_the_stronger_general_strikes_and_the_weaker_does_not(level: str) -> None:
    """Might 7 against 5 wins a general at no cost, and 5 against 7 loses one."""
    table = Table()
    table.may.has("Guan Yu", at="BORDER")
    table.david.has("Xu Chu", at="ENEMY_BORDER")
    seeds = range(1, 2 if level == "gentle" else 7)
    if level not in ("gentle", "casual"):
        assert {does(level, table.may, seed=seed) for seed in seeds} == {tag(table.may, "Guan Yu")}
    table.may.does(tag(table.may, "Guan Yu"))
    assert {does(level, table.may, seed=seed) for seed in seeds} == {tag(table.david, "Xu Chu")}
    other = Table()
    other.may.has("Xu Chu", at="BORDER")
    other.david.has("Guan Yu", at="ENEMY_BORDER")
    if does(level, other.may) != "end":
        other.may.does(tag(other.may, "Xu Chu"))
        assert does(level, other.may) != tag(other.david, "Guan Yu")


@pytest.mark.parametrize("level", LEVELS)
def test_a_siege_to_come_is_stopped(level: str) -> None:
    """Might 7 is at the level's own BORDER with 5 cards of RESOURCE left, so the game is lost without a guard."""
    table = Table()
    table.may.has("Xu Chu", at="ENEMY_BORDER").resource(size=5)
    table.david.has("Guan Yu", at="ENEMY_BORDER")
    assert does(level, table.may) == tag(table.may, "Xu Chu")
    table.may.does(tag(table.may, "Xu Chu"))
    assert does(level, table.may) == "@border"


def test_strong_and_expert_report_chances_alternatives_and_beliefs() -> None:
    table = Table()
    table.may.has("Xu Chu", "Guan Yu", at="BORDER").holds("Militia", "Archers", "Cao Cao")
    table.david.has("Dian Wei", at="ENEMY_BORDER").holds("Militia", "Archers", "Liu Bei")
    for level in ("strong", "expert"):
        found = choice(level, table.may)
        assert found.value is not None
        assert found.value.low < found.value.value < found.value.high
        assert found.alternatives
        assert 0 < found.iterations <= 24
        assert sum(share for _, share in found.policy) == pytest.approx(1.0)
        (belief,) = found.beliefs
        assert belief.about == "Counters in their hand"
        assert sum(share for _, share in belief.likely) == pytest.approx(1.0, abs=1e-3)


def test_more_is_thought_about_with_more_budget() -> None:
    table = Table()
    table.may.has("Xu Chu", "Guan Yu", at="BORDER").holds("Militia", "Archers", "Cao Cao")
    few, more = (choice("strong", table.may, Budget(iterations=n)) for n in (9, 40))
    assert 0 < few.iterations <= 9 < more.iterations <= 40
    assert more.worlds > few.worlds


def test_scores_follow_from_the_seats_knowledge() -> None:
    """The worlds of a view have the view's scores, with any hidden hand and any order of the deck."""
    game = Generals(decks=("plans-of-wei", "red-cliffs"))
    heuristic = GeneralsHeuristic(game)
    rng = Rng(7)
    for prompt in ("main", "act", "pay"):
        for state in positions(game, prompt, 4, 3):
            view = state.mask(state.turn)
            heuristic.prepare(view)
            scores = heuristic.scores(view)
            assert len(scores) == len(view.actions)
            assert heuristic.scores(state) == scores
            dealer = worlds(view)
            assert [heuristic.scores(dealer.sample(rng)) for _ in range(3)] == [scores] * 3


def test_a_playout_carries_out_the_best_line() -> None:
    """Xu Chu moves to the BORDER that Guan Yu besieges without a second search for the zone."""
    table = Table()
    table.may.has("Xu Chu", at="ENEMY_BORDER").resource(size=5)
    table.david.has("Guan Yu", at="ENEMY_BORDER")
    heuristic, state = GeneralsHeuristic(table.game), table.state
    heuristic.prepare(state.mask(0))
    done = []
    for _ in range(2):
        action = heuristic.playout_action(state, Rng(1))
        done.append(table.game.notation(action))
        state.apply(0, action)
    assert done == [tag(table.may, "Xu Chu"), "@border"]
