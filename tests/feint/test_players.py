"""The levels of Feint: their play in arranged positions. They are legal and honest, give reasons, and are
reproducible."""

from __future__ import annotations

import pytest

from gonfalon import Rng, worlds
from gonfalon.bots import Budget, Choice, make
from gonfalon.bots.players.budget import Clock
from gonfalon.bots.search.search import Search
from gonfalon.check import run
from gonfalon.check.laws.secrecy import honesty
from gonfalon.games.feint import Feint
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.feint.rules.state import FeintState
from tests.feint.scenario import Player, Table, card

LEVELS = ["gentle", "casual", "club", "strong", "expert"]
SEARCHING = ["strong", "expert"]


def choose_answer(player: Player, level: str, iterations: int = 120, seed: int = 1) -> Choice:
    """Return a level's answer for a player."""
    bot = make(level, player.table.game)
    return bot.choose(player.view, Budget(iterations=iterations), Rng(seed))


def write_choice(player: Player, choice: Choice) -> str:
    return player.table.game.notation(choice.action)


# ---- what every level sees ----------------------------------------------------------------------------


def duel(foe_at: int = 6) -> Table:
    """Return a table where David has passed with a hen of Strength 3 at a Location. May, whose Location is 5, holds an
    ox of 6 and a mouse of 1. No more plays follow. May wins only with the ox at 5 (30 to at most 18). The mouse
    there (5) loses to a hen at a battle at 6 (18)."""
    table = Table(may=[card("ox", 6), card("mouse", 1)], david=[card("hen", 3)])
    table.may.holds("ox", "mouse").scouted(5)
    table.david.holds().has("hen", at=foe_at).scouted(foe_at)
    table.deploys(table.may)
    table.state.passed = 2
    return table.settle()


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_the_card_that_wins_the_round(level: str) -> None:
    table = duel()
    choice = choose_answer(table.may, level)
    assert write_choice(table.may, choice) in ("ox@5", "ox@6"), (
        "6 times 6 beats 3 times 6 too, should the battle be there"
    )
    assert choice.why.endswith(".")


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_spends_cards_on_a_won_round(level: str) -> None:
    """May has already won the round, and David has passed. A further card can only be lost."""
    table = Table(may=[card("ox", 6, morale=3)], david=[])
    table.may.holds("ox", "ox", "red-filler").has("ox", at=5).scouted(5)
    table.david.holds().scouted(4)
    table.deploys(table.may)
    table.state.passed = 2
    table.settle()
    assert {write_choice(table.may, choose_answer(table.may, level, 40, seed)) for seed in range(12)} == {"pass"}


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_gives_a_reason_and_beliefs(level: str) -> None:
    table = duel()
    choice = choose_answer(table.may, level)
    [belief] = choice.beliefs
    assert belief.about == "their Location Card"
    assert {case for case, _ in belief.likely} <= {"2", "3", "4", "5", "6"}
    assert abs(sum(chance for _, chance in belief.likely) - 1.0) < 1e-6
    chances = [chance for _, chance in belief.likely]
    assert chances == sorted(chances, reverse=True)
    if level in SEARCHING:
        assert choice.value is not None
        assert choice.reason
        assert choice.alternatives


# ---- what only some of them see -----------------------------------------------------------------------


def believed(level: str, player: Player) -> dict[str, float]:
    [belief] = choose_answer(player, level, 300).beliefs
    return dict(belief.likely)


def test_an_open_location_is_known_to_all() -> None:
    """David's Patriot has revealed his card."""
    table = Table(may=[card("ox", 6)], david=[card("loyal", 6, "patriot")])
    table.may.holds("ox", "ox").scouted(3)
    table.david.holds("loyal", "blue-filler").scouted(2)
    table.deploys(table.david)
    table.david.plays("loyal@6")
    for level in LEVELS:
        assert believed(level, table.may) == {"2": 1.0}


# ---- the small questions ------------------------------------------------------------------------------


OX, NURSE = card("ox", 6, copies=12), card("nurse", 2, "medic", protected=True)


def reinforcement(deck: int) -> Table:
    """Begin the last round but one with two cards in May's hand and this number of Oxen in her draw pile."""
    table = Table(may=[OX, card("mouse", 1, morale=4)], end_round=3)
    table.may.holds("ox", "mouse").stacked(*["ox"] * deck, only=True)
    return table.reinforces()


def test_a_card_worth_less_than_the_next_ones_is_discarded() -> None:
    table = reinforcement(11)
    assert write_choice(table.may, choose_answer(table.may, "greedy")) == "mouse"


def test_no_card_is_discarded_when_the_draw_pile_is_short() -> None:
    """Five of the six Oxen are drawn to a hand of 7, and the next round needs the last one."""
    table = reinforcement(6)
    assert write_choice(table.may, choose_answer(table.may, "greedy")) == "done"


def test_a_medic_takes_back_the_best_card() -> None:
    table = Table(may=[OX, NURSE, card("mouse", 1)])
    table.may.holds("nurse", "mouse").discarded("mouse", "ox").scouted(5)
    table.deploys(table.may).may.plays("nurse@4")
    assert write_choice(table.may, choose_answer(table.may, "greedy")) == "ox"


def test_the_worst_card_goes_under_the_draw_pile() -> None:
    tower = card("support", 3, "support-tower", tags=("tower",), protected=True)
    table = Table(may=[card("ox", 6), tower, card("smith", 1, tags=("engineer",)), card("mouse", 1, morale=4)])
    table.may.holds("support", "ox").has("smith", at=4).stacked("ox", "mouse", "ox").scouted(5)
    table.deploys(table.may).may.plays("support@4")
    assert write_choice(table.may, choose_answer(table.may, "greedy")) == "mouse"


# ---- the parts ----------------------------------------------------------------------------------------


def test_scores_read_only_the_knowledge_of_the_seat() -> None:
    """All questions have the same scores in the view of the seat and in every world of that view."""
    rng = Rng(4)
    looked: set[str] = set()
    for factions in (("agents", "mibits"), ("engineers", "wu"), ("mibits", "keion"), ("engineers", "agents")):
        game = Feint(factions=factions)
        heuristic = FeintHeuristic(game)
        state = game.start(log=True)
        while not state.over:
            seat = state.turn
            if seat < 0:
                state.apply(seat, state.chance(rng))
                continue
            legal = state.legal(seat)
            prompt = state.stack[-1].prompt
            if len(legal) > 1 and (prompt not in looked or rng.below(20) == 0):
                mine = heuristic.scores(state)
                assert len(mine) == len(legal)
                view = state.mask(seat)
                assert heuristic.scores(view) == mine
                sampler = worlds(view)
                for _ in range(3):
                    assert heuristic.scores(sampler.sample(rng)) == mine
                looked.add(prompt)
            state.apply(seat, legal[int(rng.below(len(legal)))])
    assert looked >= {"deploy", "reinforce", "medic", "support", "play-one", "trojan"}


def test_the_heuristic_shows_others_the_same_of_an_action_as_the_game() -> None:
    """This covers all actions of the League of Agents, face down or open, from both sides."""
    game = Feint(factions=("agents", "engineers"))
    heuristic = FeintHeuristic(game)
    state = game.start()
    rng = Rng(8)
    compared = 0
    while not state.over and compared < 300:
        seat = state.turn
        if seat >= 0:
            for action in state.actions:
                for viewer in (0, 1):
                    assert heuristic.public(state, seat, action, viewer) == game.public(state, seat, action, viewer)
                compared += 1
        legal = state.actions
        state.apply(seat, state.chance(rng) if seat < 0 else legal[int(rng.below(len(legal)))])
    assert compared >= 300


def test_a_search_ends_with_the_round() -> None:
    table = duel()
    heuristic = FeintHeuristic(table.game)
    view = table.may.view
    heuristic.prepare(view)
    search = Search(view, worlds(view).sample, heuristic, Rng(2))
    Clock(Budget(20)).run(search.iterate)
    world = search.worlds[0].clone()
    assert isinstance(world, FeintState)
    assert not heuristic.is_leaf(world)
    world.apply(0, 0)
    assert heuristic.is_leaf(world)
    assert world.round == view.round + 1
    assert sum(heuristic.win_chances(world)) == pytest.approx(1.0)


def test_an_owners_cards_and_short_games_are_no_trouble() -> None:
    """The file has abilities that no card uses, and costs beyond the box's own."""
    table = Table(may=[card("ox", 6, morale=20)], david=[card("hen", 3, "covert")], end_round=2)
    table.may.holds("ox").scouted(5)
    table.david.holds("hen").scouted(4)
    table.deploys(table.may)
    for level in LEVELS:
        assert choose_answer(table.may, level, 20).why


def test_no_level_knows_more_than_its_seat() -> None:
    results = run(Feint(factions=("agents", "keion")), 6.0, laws=honesty.LAWS, rounds=1)
    assert [result.law for result in results if result.failure] == []
