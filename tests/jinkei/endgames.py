"""Last battles with hidden cards, and how well somebody's play in them stands up to the best answer."""

from __future__ import annotations

from collections.abc import Iterator

from gonfalon.bots.players.budget import Budget, Clock
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import OPEN, State
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.bots.battles import RARE, Battle
from gonfalon.games.jinkei.bots.endgame import BEST, Endgame, Knot
from gonfalon.games.jinkei.bots.precomputed import Case, Tables
from gonfalon.games.jinkei.bots.settings import Settings
from gonfalon.games.jinkei.rules.actions import PLAY
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS
from gonfalon.games.jinkei.rules.state import JinkeiState

SETTINGS = Settings(endgame=7)


def positions(game: Jinkei, left: int, seed: int) -> Iterator[JinkeiState]:
    """Positions of random games' last rounds with so many battles left, somebody about to lead, in which both have
    cards face down and nowhere two on a space."""
    rng = Rng(seed)
    while True:
        state = game.start()
        while not state.over:
            if (
                state.round == game.setup.rounds
                and state.stack[-1].prompt == "lead"
                and game.setup.hand - len(state.battles) == left
            ):
                if all(any(state.spaces[seat][REINFORCEMENTS:]) for seat in (0, 1)) and all(
                    len(cards) < 2 for spaces in state.spaces for cards in spaces
                ):
                    yield state
                break
            state.apply(state.turn, state.sample(rng))


def battle(tables: Tables, view: State, seed: int = 1) -> Battle:
    """What a player makes of a view in which it is asked to lead or to answer."""
    assert isinstance(view, JinkeiState)
    case = Case(tables, view, worlds(view).sample, Rng(seed))
    return Battle(case, SETTINGS, Clock(Budget(iterations=1)))


def endgame(tables: Tables, state: JinkeiState) -> Endgame:
    """The game that is left as who is to lead sees it, worth its points."""
    found = battle(tables, state.mask(state.turn)).endgame(points=True)
    assert found is not None
    return found


def total_value(game: Endgame, side: int, mode: int) -> float:
    """What a side gets on the average over its cases."""
    values = game.walk(game.root, side, mode, [game.chances[0][:], game.chances[1][:]])
    return sum(value * chance for value, chance in zip(values, game.chances[side], strict=True))


def exploitability(game: Endgame) -> float:
    """How much better than by the average strategies one could do against them, the mean of both sides."""
    return (total_value(game, 0, BEST) + total_value(game, 1, BEST)) / 2


def with_cards(state: JinkeiState, game: Endgame, leader: int, cases: tuple[int, int]) -> JinkeiState:
    """The position with other cards face down: a case of side 0, who is `leader`, and one of side 1."""
    twin = state.clone()
    twin.viewer = OPEN
    for side, case in enumerate(cases):
        seat = leader if side == 0 else 1 - leader
        shape = game.fighters[side].shape
        layout = shape.layouts[shape.nodes[tuple(len(cards) for cards in state.spaces[seat])]]
        cards = game.cards[side][case]
        spaces = twin.spaces[seat][:]
        away: list[int] = []
        for space in range(REINFORCEMENTS, 9):
            away += [card & KIND for card in spaces[space]]
            spaces[space] = [SEEN[seat] | cards[slot] for slot in layout[space]]
        new = [card & KIND for space in range(REINFORCEMENTS, 9) for card in spaces[space]]
        twin.spaces[seat] = spaces
        hand = [card & KIND for card in twin.hand[seat]]
        assert sorted(hand + away) == sorted({*hand, *away})
        twin.hand[seat] = [SEEN[seat] | kind for kind in sorted({*hand, *away} - set(new))]
    return twin


def follow(tables: Tables, state: JinkeiState, game: Endgame, passes: int) -> None:
    """Write into the tree what a player would do in each of its places, who thinks anew there and knows
    nothing of how it came about."""
    leader = state.turn

    def visit(knot: Knot, path: list[tuple[int, int]]) -> None:
        if not knot.options:
            return
        seat = leader if knot.actor == 0 else 1 - leader
        for i, case in enumerate(knot.cases[knot.actor]):
            other = knot.cases[1 - knot.actor][0]
            twin = with_cards(state, game, leader, (case, other) if knot.actor == 0 else (other, case))
            for who, action in path:
                twin.apply(who, action)
            assert twin.turn == seat
            mind = battle(tables, twin.mask(seat))
            own = mind.endgame(points=True) if mind.case.hidden() else None
            if own is None:
                mind.look_around()
                best = mind.best() - PLAY
                shares = [float(option == best) for option in knot.options]
            else:
                while own.passes < passes:
                    own.learn()
                led = mind.led(own)
                if led >= 0 and own.led_to(led) < RARE:
                    own.begin_reply(led)
                    while own.passes < passes:
                        own.learn()
                    led = -1
                root = own.root if led < 0 else own.root.kids[led][0]
                mix = dict(zip(root.options, own.policy(root, 0), strict=True))
                shares = [mix[option] for option in knot.options]
            for option, share in enumerate(shares):
                knot.total[option][i] = share
        for option, kids in enumerate(knot.kids):
            for kid in kids:
                visit(kid, [*path, (seat, PLAY + knot.options[option])])

    visit(game.root, [])
