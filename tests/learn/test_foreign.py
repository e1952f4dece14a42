"""The data given to a third-party player reveals neither the deal nor the others' secrets."""

from __future__ import annotations

from typing import Any, cast

import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.players.bot import BotError
from gonfalon.bots.players.driver import BOTS, Driver
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.core.basics.rng import WORD, Rng
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.learn.benchmark.agents import make_agent
from gonfalon.learn.benchmark.spiel import SEED_BOUND
from gonfalon.vector import Vector
from gonfalon.vector.networks import UntrainedError
from tests.learn.conftest import Program
from tests.learn.test_agents import asked

DEAL = 0x1234_5678_9ABC_DEF
HANDED: list[tuple[Rng, Game]] = []
MADE: list[tuple[int, str]] = []


class Nosy(Bot):
    """Keeps all data that it is given."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        HANDED.append((rng.clone(), self.game))
        return Choice(view.legal(view.viewer)[0], "Whatever.")


class Broken(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        raise ValueError("no idea")


class Curt(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return cast("Choice", view.legal(view.viewer)[0])


class Vague(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(cast("int", "pass"), "In words.")


class Beginner(Bot):
    def __init__(self, name: str, game: Game) -> None:
        raise UntrainedError("Not that game.")


class Cheating(Bot):
    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(-77, "Nobody will notice.")


def nosy_of_spiel(game: Any, seat: int, seed: int) -> Any:
    import pyspiel

    MADE.append((seed, str(game)))
    return pyspiel.make_uniform_random_bot(seat, seed)


@pytest.fixture(autouse=True)
def forgetful() -> None:
    HANDED.clear()
    MADE.clear()


def recover_seed(rng: Rng) -> int:
    """Return the seed of a generator. Its words allow running it backwards."""
    a, b, c, count = (int(word, 16) for word in repr(rng).strip("<>").split()[1:])
    while count > 1:
        before = b * pow(9, -1, 1 << 32) & WORD
        shifted, b_before = a, a
        for _ in range(4):
            b_before = shifted ^ b_before >> 9
        total = (c - (before << 21 | before >> 11)) & WORD
        count -= 1
        a, b, c = (total - b_before - count) & WORD, b_before, before
    return b << 32 | a


def words_of(*seeds: int) -> set[int]:
    """Return all output of the generators of these seeds for a long time, in every encoding."""
    found = set(seeds)
    for seed in seeds:
        rng = Rng(seed)
        for _ in range(3000):
            found |= {rng.clone().seed(), rng.clone().below(SEED_BOUND), rng.word()}
    return found


def test_a_generator_runs_backwards() -> None:
    """The tests below depend on this."""
    rng = Rng(DEAL)
    for _ in range(100):
        rng.word()
    assert recover_seed(rng) == DEAL


def in_a_match(bot: Bot) -> list[int]:
    """Return the seeds of all generators of a game with the bot, the deal's first."""
    driver = Driver(Record(bot.game), [bot, bot], DEAL)
    driver.advance()
    streams = Rng(DEAL ^ BOTS)
    return [DEAL, DEAL ^ BOTS, streams.seed(), streams.seed()]


def against_a_learner(bot: Bot) -> list[int]:
    vector = Vector(bot.game, 1, 5, "spread", bot, shown=())
    vector.reset()
    assert vector.part is not None
    seed = vector.part.lanes.seeds[0]
    while not vector.dones[0]:
        vector.step([0])
    return [seed, seed ^ BOTS]


@pytest.mark.parametrize("play", [in_a_match, against_a_learner])
@pytest.mark.parametrize("kind", ["module", "openspiel", "http"])
def test_the_chance_of_a_player_is_none_of_the_deal(kind: str, play: Any, program: str) -> None:
    if kind == "openspiel":
        pytest.importorskip("pyspiel")
    texts = {"module": f"{__name__}:Nosy", "openspiel": f"openspiel:{__name__}:nosy_of_spiel", "http": program}
    seeds = play(make_agent(texts[kind], games.game("feint")))
    handed = {question["seed"] for question in Program.heard} | {seed for seed, _ in MADE}
    for rng, _ in HANDED:
        handed |= {recover_seed(rng), rng.clone().seed(), int(rng.clone().below(SEED_BOUND))}
    assert len(handed) > 3
    assert not handed & words_of(*seeds)


@pytest.mark.parametrize("kind", ["module", "openspiel", "http"])
def test_a_closed_list_stays_closed(kind: str, program: str) -> None:
    """A player gets the same data with any deck of the other seat."""
    if kind == "openspiel":
        pytest.importorskip("pyspiel")
    game, view = asked("generals")
    dealt = redeal_unseen(game, worlds(view).sample(Rng(1)), view.viewer, Rng(2))
    assert dealt is not None
    twin, _ = dealt
    assert twin.options["decks"] != game.options["decks"]
    texts = {"module": f"{__name__}:Nosy", "openspiel": f"openspiel:{__name__}:nosy_of_spiel", "http": program}
    for table in (game, twin):
        make_agent(texts[kind], table).choose(view, None, Rng(1))
    told = [one.shown_options() for _, one in HANDED] + [text for _, text in MADE] + Program.heard
    assert len(told) == 2
    assert told[0] == told[1]


def test_an_error_in_a_bot_gives_one_sentence() -> None:
    game, view = asked("feint")
    with pytest.raises(
        BotError, match=r"Broken failed in a decision \(ValueError: no idea; test_foreign.py, line \d+\)"
    ):
        make_agent(f"{__name__}:Broken", game).choose(view, None, Rng(1))
    with pytest.raises(BotError, match=r"Curt answered \d+, which is not a Choice of an action\."):
        make_agent(f"{__name__}:Curt", game).choose(view, None, Rng(1))
    with pytest.raises(BotError, match="Vague chose 'pass', which is not an action's number"):
        make_agent(f"{__name__}:Vague", game).choose(view, None, Rng(1))
    with pytest.raises(UntrainedError, match=r"^Not that game\.$"):  # and benchmark leaves it out, as with a network
        make_agent(f"{__name__}:Beginner", game)
    with pytest.raises(BotError, match="Cheating"):
        make_agent(f"{__name__}:Cheating", game).choose(view, None, Rng(1))
