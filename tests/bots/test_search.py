"""The tree search: right where the answer is known, and without the searcher's hidden information."""

from __future__ import annotations

import pytest

from gonfalon import Game, Rng, State, worlds
from gonfalon.bots import Budget, Choice, make
from gonfalon.bots.players.budget import Clock
from gonfalon.bots.players.choice import Alternative, Estimate
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.search.search import Search
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.bots.search.trials import BATCH
from gonfalon.core.knowledge.worlds import Worlds
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.games.feint import Feint
from tests.cli.bids import Bids, BidsState


def deal_hands(game: Game, hands: list[list[int]], rounds: int = 1) -> State:
    """Three Bids with these hands."""
    state = Bids(rounds=rounds).start()
    state.apply(-1, state.chance(Rng(1)))
    assert isinstance(state, BidsState)
    state.hands = [sorted(card | 1 << (10 + seat) for card in hand) for seat, hand in enumerate(hands)]
    state.settle()
    return state


def choose(state: State, seat: int, iterations: int, seed: int = 1) -> Choice:
    bot = SearchBot("search", Bids(), Budget(iterations))
    return bot.choose(state.mask(seat), None, Rng(seed))


def test_the_highest_card_of_all_wins_for_certain() -> None:
    """No card beats a nine, so of nine, one and two only the nine is a certain win."""
    choice = choose(deal_hands(Bids(), [[1, 2, 9], [3, 4, 5], [6, 7, 8]]), 0, 300)
    assert choice.action == 9
    assert choice.value is not None
    assert choice.value.value == 1.0
    assert choice.value.low <= 1.0 <= choice.value.high
    assert choice.iterations == 300
    assert abs(sum(share for _, share in choice.policy) - 1.0) < 1e-9
    assert {other.action for other in choice.alternatives} == {1, 2}
    assert all(other.value is None or other.value.value < 1.0 for other in choice.alternatives)


def test_the_last_seat_does_not_use_the_other_hands() -> None:
    """Eight loses only to the nine, six to seven and nine. Eight is best with any distribution of the others."""
    choice = choose(deal_hands(Bids(), [[1, 2, 3], [5, 7, 9], [4, 6, 8]]), 2, 400)
    assert choice.action == 8
    other = choose(deal_hands(Bids(), [[1, 7, 9], [2, 3, 5], [4, 6, 8]]), 2, 400)
    assert choice == other


def test_two_rounds_are_planned_as_two() -> None:
    """Nine and eight win both rounds in either order. One and two win none."""
    choice = choose(deal_hands(Bids(), [[1, 8, 9], [2, 3, 4], [5, 6, 7]], rounds=2), 0, 2000)
    assert choice.action in (8, 9)
    assert choice.value is not None
    assert choice.value.value > 0.8


def view_of_feint(factions: tuple[str, str], decisions: int, seed: int = 2) -> tuple[Feint, State]:
    """Return a view of the deploying seat after this number of the rule of thumb's decisions."""
    game = Feint(factions=factions)
    state: State = game.start(log=True)
    rng = Rng(seed)
    bot = make("greedy", game)
    made = 0
    while made < decisions or state.stack[-1].prompt != "deploy":
        seat = state.turn
        if seat < 0:
            state.apply(seat, state.chance(rng))
            continue
        state.apply(seat, bot.choose(state.mask(seat), None, rng).action)
        made += 1
    return game, state.mask(state.turn)


def test_a_secret_action_of_another_seat_is_one_branch() -> None:
    """The League of Agents can play three kinds face down, which are one branch for the other seat."""
    game, view = view_of_feint(("keion", "agents"), 4)
    if view.viewer != 0:
        game, view = view_of_feint(("keion", "agents"), 5)
    assert view.viewer == 0
    heuristic = Heuristic(game)
    heuristic.prepare(view)
    search = Search(view, worlds(view).sample, heuristic, Rng(5))
    Clock(Budget(400)).run(search.iterate)
    down = {kind.id for kind in game.setup.kinds if kind.face_down}
    first = min(down)
    seen = set()
    for kid in search.root.kids.values():
        for key in kid.kids:
            if key >= 216 and (key - 216) // 6 in down:
                seen.add((key - 216) // 6)
    assert seen == {first}


def test_every_world_thought_of_has_the_bots_own_view() -> None:
    game, view = view_of_feint(("agents", "mibits"), 9)
    bot = SearchBot("search", game, Budget(iterations=100))
    seen: list[State] = []

    class Kept(Worlds):
        def sample(self, rng: Rng) -> State:
            world = super().sample(rng)
            seen.append(world.clone())
            return world

    bot.sampler = Kept
    choice = bot.choose(view, None, Rng(3))
    assert choice.worlds == len(seen) == 4 * BATCH
    for world in seen:
        assert world.mask(view.viewer).dump() == view.dump()


class Weighing(Heuristic):
    """Weights that make worlds with the nine in the next hand nine times as likely."""

    def facets(self) -> int:
        return 2

    def facet(self, world: State) -> int:
        assert isinstance(world, BidsState)
        return int(any(card & 1023 == 9 for card in world.hands[1]))

    def likelihood(self, world: State) -> float:
        return 1.0 if self.facet(world) else 1.0 / 9.0

    def about(self) -> str:
        return "who holds the nine"

    def case(self, facet: int) -> str:
        return "the next seat" if facet else "the last seat"


def test_worlds_come_as_often_as_they_are_likely() -> None:
    """Either of the others has the nine. Even chances with a weight of nine to one make nine in ten."""
    game = Bids()
    view = deal_hands(game, [[1, 2, 3], [4, 5, 9], [6, 7, 8]]).mask(0)
    heuristic = Weighing(game)
    search = Search(view, worlds(view).sample, heuristic, Rng(6), most=3200)
    Clock(Budget(3200)).run(search.iterate)
    share = search.facet_of.count(1) / len(search.facet_of)
    assert 0.86 < share < 0.94
    assert 0.86 < search.belief[1] / sum(search.belief) < 0.94
    plain = Search(view, worlds(view).sample, heuristic, Rng(6), infers=False, most=3200)
    Clock(Budget(3200)).run(plain.iterate)
    assert 0.45 < plain.facet_of.count(1) / len(plain.facet_of) < 0.55


def test_a_search_stops_on_request() -> None:
    game, view = view_of_feint(("wu", "engineers"), 5)
    bot = SearchBot("search", game, Budget(iterations=5))
    asked = [0]

    def halt() -> bool:
        asked[0] += 1
        return asked[0] >= 7

    assert bot.choose(view, Budget(iterations=10_000, halt=halt), Rng(1)).iterations == 7
    assert bot.choose(view, Budget(seconds=0.0), Rng(1)).iterations == 1
    assert Clock(Budget(iterations=3)).over(3)
    assert not Clock(Budget(iterations=3)).over(2)
    assert Clock(Budget(seconds=0.0)).over(1)
    with pytest.raises(ValueError, match="without any limit"):
        Clock(Budget())


def test_an_account_is_given() -> None:
    """Eight is the best bid, because it loses only to the nine. The report includes the belief about the nine."""
    game = Bids()
    view = deal_hands(game, [[1, 2, 8], [4, 5, 9], [3, 6, 7]]).mask(0)
    bot = SearchBot("search", game, Budget(iterations=640), Weighing(game))
    choice = bot.choose(view, None, Rng(2))
    assert choice.action == 8
    assert choice.why.endswith(".")
    assert choice.value is not None
    assert 0.0 <= choice.value.low <= choice.value.value <= choice.value.high <= 1.0
    [belief] = choice.beliefs
    assert belief.about == "who holds the nine"
    (first, high), (second, low) = belief.likely
    assert (first, second) == ("the next seat", "the last seat")
    assert 0.8 < high < 1.0
    assert abs(high + low - 1.0) < 1e-9
    assert abs(sum(share for _, share in choice.policy) - 1.0) < 1e-9
    shares = [other.share for other in choice.alternatives]
    assert shares == sorted(shares, reverse=True)


def test_luck_makes_no_alternative_better_than_the_choice() -> None:
    """The policy prefers 1 to 2, which had luck in its worlds, and was drawn although it prefers 3."""
    lucky = tuple(Alternative(action, Estimate(0.7, 0.5, 0.9), 0.3) for action in (2, 3))
    choice = Choice(1, value=Estimate(0.6, 0.4, 0.8), policy=((1, 0.4), (2, 0.1), (3, 0.5)), alternatives=lucky)
    held = choice.hold_alternatives()
    assert (held.chance(2), held.chance(3)) == (Estimate(0.6, 0.5, 0.9), Estimate(0.7, 0.5, 0.9))


def test_public_views_are_not_searched() -> None:
    bot = SearchBot("search", Bids(), Budget(iterations=5))
    with pytest.raises(Exception, match="one seat"):
        bot.choose(deal_hands(Bids(), [[1, 2, 3], [4, 5, 6], [7, 8, 9]]).mask(SPECTATOR), None, Rng(1))
