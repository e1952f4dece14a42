"""The laws of secrecy for all data that the bridges send and remember."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")

from gonfalon import games
from gonfalon.bridges import session
from gonfalon.bridges.numbers import Numbers
from gonfalon.bridges.openspiel import load
from gonfalon.bridges.openspiel.observer import Observer
from gonfalon.bridges.openspiel.position import Position
from gonfalon.bridges.pettingzoo import raw_env
from gonfalon.bridges.senders import available_senders
from gonfalon.check import run
from gonfalon.check.law import LawResult
from gonfalon.check.laws.secrecy.secrecy import LAWS, list_pending_steps, swap_unseen
from gonfalon.check.play import choose_randomly, play_case
from gonfalon.core.basics.cards import SEEN_BY_ANY
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.recall import Memory
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, State
from tests.bridges.common import EXACT, each


def failures(results: list[LawResult]) -> list[str]:
    return [result.failure for result in results if result.failure]


@pytest.mark.parametrize("name", games.names())
def test_all_that_is_sent_keeps_the_laws(name: str) -> None:
    results = run(games.find_game_class(name).samples()[1:4:2], 0, senders=available_senders(), laws=LAWS, rounds=1)
    assert failures(results) == []
    # Of secret choices there are few, and in Faction Wars none that look alike.
    idle = {result.law for result in results if not (result.checked or result.note)}
    assert idle <= {"actions with one public number give one view"}


# ---- the laws would notice --------------------------------------------------------------------------------


def open_view(self: Any, state: State, seat: int) -> Any:
    return Numbers.observe(self, state.mask(OPEN))


real_render, real_string, real_mask = session.Session.render, Observer.string_from, State.mask


def open_text(self: Any, mode: str | None, viewer: int) -> Any:
    shown = real_render(self, mode, viewer)
    return shown + repr(self.full_state.data()) if mode == "ansi" else shown


def open_string(self: Any, state: Any, player: int) -> str:
    return real_string(self, state, player) + repr(state.position.state.data())


def deck_mark(self: Any, memory: Memory) -> bytes:
    return repr(self.state.data()).encode()


@pytest.mark.parametrize(
    ("target", "name", "fault"),
    [
        (Numbers, "of_seat", open_view),
        (session.Session, "render", open_text),
        (Observer, "string_from", open_string),
        (Position, "mark", deck_mark),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_leak_is_noticed(target: Any, name: str, fault: Any) -> None:
    with patch.object(target, name, fault):
        assert failures(run(games.game("jinkei"), 0, senders=available_senders(), laws=LAWS[1:2], rounds=1))


# ---- the past -----------------------------------------------------------------------------------------------


def twins(game: Game, seed: int) -> Iterator[tuple[int, State, State, int]]:
    """Return two positions that differ in two cards a viewer has not seen since the start."""
    case = play_case(game, seed)
    rng = Rng(seed)
    for at in case.picks(rng, 4):
        for viewer in range(game.seats):
            found = swap_unseen(game, case.states[at], viewer, rng)
            if found is not None:
                twin = found[1]
                plain = case.states[at].clone()
                plain.log = twin.log = None
                yield viewer, plain, twin, at


@pytest.mark.parametrize("game", each(EXACT))
def test_the_memory_leaks_nothing(game: Game) -> None:
    """Games that differ only in unseen cards have equal memories until the viewer sees a difference."""
    home = load(game).home
    compared = 0
    for seed in range(4):
        for viewer, one, two, _ in twins(game, seed):
            a, b = Position(home, one).own(), Position(home, two).own()
            chooser = Rng(seed)
            for _ in range(25):
                if a.state.over or b.state.over:
                    break
                seat, action = choose_randomly(a.state, chooser)
                if seat != a.state.turn or b.state.turn != seat or not b.state.is_legal(seat, action):
                    break
                for position in (a, b):
                    position.line.append(action)
                    position.state.apply(seat, action)
                x, y = a.state.mask(viewer), b.state.mask(viewer)
                if x.dump() != y.dump() or list_pending_steps(x) != list_pending_steps(y):
                    break  # a swapped card was shown
                here, there = a.recall(viewer), b.recall(viewer)
                assert here.moves == there.moves
                assert here.past == there.past
                assert a.mark(here) == b.mark(there)
                compared += 1
    assert compared > 20


@pytest.mark.parametrize("game", each(EXACT))
def test_a_hidden_choice_is_not_remembered_by_others(game: Game) -> None:
    """Two choices that `Game.public` makes equal leave the same memory."""
    home = load(game).home
    pairs = 0
    for seed in range(3):
        case = play_case(game, seed)
        for at in case.picks(Rng(seed), 40):
            state = case.states[at].clone()
            state.log = None
            if state.turn < 0:
                continue
            seat = state.turn
            for viewer in range(game.seats):
                if viewer == seat:
                    continue
                groups: dict[int, list[int]] = {}
                for action in state.actions:
                    groups.setdefault(game.public(state, seat, action, viewer), []).append(action)
                for group in groups.values():
                    memories = set()
                    for action in group:
                        position = Position(home, state).own()
                        position.line.append(action)
                        position.state.apply(seat, action)
                        if position.state.turn >= 0:
                            view = position.state.mask(viewer)
                            memories.add((str(view.dump()), str(position.recall(viewer).moves)))
                    moves = {text for _, text in memories}
                    assert len(moves) <= 1
                    pairs += len(group) - 1
    assert pairs >= 0


@pytest.mark.parametrize("name", games.names())
def test_shared_knowledge_excludes_unseen_cards(name: str) -> None:
    """PettingZoo's `state()` is no viewer's: it stays the same when two unseen cards of a pile change places."""
    game = games.find_game_class(name).samples()[0]
    table = raw_env(game)
    table.reset(seed=3)
    chooser, compared = Rng(3), 0
    for _ in range(60):
        state = table.session.full_state
        if state.over:
            break
        before = table.state()
        for number, zone in enumerate(state.zones()):
            unseen = [i for i, card in enumerate(zone) if not card & SEEN_BY_ANY]
            if len({zone[i] for i in unseen}) > 1:
                twin = state.clone()
                twin.own()
                zone = twin.zones()[number]
                first = unseen[0]
                other = next(i for i in unseen if zone[i] != zone[first])
                zone[first], zone[other] = zone[other], zone[first]
                table.session.full_state = twin
                assert np.array_equal(table.state(), before)
                compared += 1
        table.session.full_state = state
        table.step(table.session.numbers.ids[state.sample(chooser)])
    assert compared > 20
