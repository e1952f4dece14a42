"""The laws of honesty: the kit catches bots that know too much, from any source."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from gonfalon import Rng, State, worlds
from gonfalon.bots import Alternative, Bot, Budget, Choice, Estimate
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.check.law import LawBrokenError
from gonfalon.check.laws.secrecy import honesty
from gonfalon.check.play import Bench
from gonfalon.core.knowledge.worlds import Worlds
from gonfalon.core.rules.game import Game
from tests.cli.bids import Bids, BidsState
from tests.cli.conftest import Run, run, small

__all__ = ["run", "small"]


class Plain(Bot):
    """A bot that plays the lowest card, for a reason: honest."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        return Choice(legal[0], "It is the lowest.", policy=((legal[0], 1.0),))


class Remembers(Plain):
    """A bot that accumulates its views at other seats."""

    seen: int = 0

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        self.seen += sum(view.legal(view.viewer))
        return replace(super().think(view, budget, rng), iterations=self.seen)


class Tosses(Plain):
    """A bot with its own random numbers."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return replace(super().think(view, budget, rng), iterations=secrets.randbits(30))


class Mute(Plain):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return replace(super().think(view, budget, rng), why=" ")


class Meddles(Plain):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        assert isinstance(view, BidsState)
        choice = super().think(view, budget, rng)
        view.wins[0] += 1
        return choice


class Forgets(Plain):
    """A bot whose probabilities do not add up."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        choice = super().think(view, budget, rng)
        return replace(choice, policy=((choice.action, 0.9),))


class Dreams(Plain):
    """A bot that weighs an unplayable card."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return replace(super().think(view, budget, rng), alternatives=(Alternative(77, None, 0.0),))


class Boasts(Plain):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return replace(super().think(view, budget, rng), value=Estimate(1.2, 1.0, 1.3))


class Crashes(Plain):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        raise ZeroDivisionError


class Pupils(Bids):
    """Three Bids with one bot for one level."""

    bot: ClassVar[Callable[[str, Game], Bot]]

    def players(self) -> dict[str, Any]:
        return {"club": type(self).bot}


def taught(maker: Callable[[str, Game], Bot]) -> Bench:
    """Return a bench with a game for this bot."""
    kind: Any = type("Taught", (Pupils,), {"bot": staticmethod(maker)})
    return Bench([kind()], [], 5.0)


def checked(bench: Bench, cases: int = 3) -> int:
    return sum(honesty.check_bots_in_twins(bench, bench.case(number, False)) for number in range(cases))


def searching(name: str, game: Game) -> Bot:
    return SearchBot(name, game, Budget(iterations=20))


@pytest.mark.parametrize("maker", [Plain, searching])
def test_honest_bots_are_not_accused(maker: Callable[[str, Game], Bot]) -> None:
    bench = taught(maker)
    assert checked(bench) >= 12
    assert bench.note == "random, club"


@pytest.mark.parametrize(
    ("maker", "message"),
    [
        (Remembers, "depends on what it has not seen: its iterations"),
        (Tosses, "depends on what it has not seen: its iterations"),
        (Mute, "gives no reason"),
        (Meddles, "changed its view"),
        (Forgets, "do not add up"),
        (Dreams, "is illegal"),
        (Boasts, "an invalid chance"),
        (Crashes, "raised ZeroDivisionError"),
    ],
)
def test_others_are(maker: Callable[[str, Game], Bot], message: str) -> None:
    with pytest.raises(LawBrokenError, match=message):
        checked(taught(maker))


TABLE: list[BidsState] = []


class Peeks(Plain):
    """A bot that reads the next hand from a position left in memory."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        hand = TABLE[-1].hands[(view.viewer + 1) % 3]
        return replace(super().think(view, budget, rng), worlds=sum(card & 1023 for card in hand))


def test_a_bot_that_looks_behind_the_view_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers alone reveal it, not its action."""
    mask = State.mask

    def careless(self: BidsState, viewer: int) -> State:
        TABLE.append(self)
        return mask(self, viewer)

    monkeypatch.setattr(BidsState, "mask", careless)
    with pytest.raises(LawBrokenError, match="its worlds differs"):
        checked(taught(Peeks))


def test_a_world_of_another_view_is_noticed() -> None:
    """The sampler exchanges two hands."""
    state = Bids().start()
    state.apply(-1, state.chance(Rng(4)))
    view = state.mask(0)

    class Wrong(Worlds):
        def sample(self, rng: Rng) -> State:
            world = super().sample(rng)
            assert isinstance(world, BidsState)
            mine, theirs = world.hands[:2]
            world.hands[0] = [card & 1023 | 1 << 10 for card in theirs]
            world.hands[1] = [card & 1023 | 1 << 11 for card in mine]
            return world

    watched = honesty.CheckedWorlds(view)
    watched.sample(Rng(1))
    watched.inner = Wrong(view)
    with pytest.raises(LawBrokenError, match="view differs from its own"):
        watched.sample(Rng(1))


def control(cases: int) -> Bench:
    bench = Bench([Bids()], [], 5.0)
    for number in range(cases):
        honesty.check_cheat_caught(bench, bench.case(number, False))
    return bench


def test_the_bot_that_cheats_is_caught() -> None:
    bench = control(30)
    assert bench.tried >= honesty.MIN_CONTROL_POSITIONS
    assert 2 * bench.caught > bench.tried
    assert bench.note.startswith("caught in ")


def test_a_control_that_does_not_cheat_is_no_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(honesty.CheatingBot, "open", lambda self, view: worlds(view))
    with pytest.raises(LawBrokenError, match="caught in only 0 of"):
        control(30)


def test_unknown_levels_are_refused() -> None:
    class Odd(Bids):
        def players(self) -> dict[str, Any]:
            return {"invincible": Plain}

    bench = Bench([Odd()], [], 1.0)
    with pytest.raises(LawBrokenError, match="not a level"):
        honesty.check_bots_in_twins(bench, bench.case(0, False))


@pytest.mark.usefixtures("small")
def test_a_proof_by_numbers(run: Run) -> None:
    code, out, err = run("check", "bids", "--honesty", "40")
    assert (code, err) == (0, "")
    assert re.search(r"^ok   (4\d|5\d) decisions of \d+ random games, each put to .*, expert: 0 differ", out)
    caught, tried = map(int, re.findall(r"caught in (\d+) of (\d+)", out)[0])
    assert 0 < tried < 2 * caught


@pytest.mark.usefixtures("small")
def test_a_proof_fails_with_one_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bids, "players", lambda self: {"club": Tosses})
    told: list[str] = []
    assert not honesty.compare_in_twin_worlds("bids", 40, report=told.append)
    assert told[0].startswith("FAIL the bot club of seat")
    assert "(seed 1, after " in told[0]
