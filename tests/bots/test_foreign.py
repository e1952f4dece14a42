"""The data given to a program of another author reveals neither the deal nor the others' secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, make
from gonfalon.bots.outside.process import PROCESSES
from gonfalon.bots.outside.process_bot import ProcessBot
from gonfalon.bots.players.driver import BOTS, Driver
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.core.basics.rng import WORD, Rng
from gonfalon.core.files.record import Record
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.vector import Vector
from tests.bots import programs
from tests.bots.conftest import Program
from tests.bots.test_notation import asked, play_to_choice

DEAL = 0x1234_5678_9ABC_DEF
SEED_BOUND = 1 << 31
"""Upper bound of OpenSpiel's seeds."""
TEXTS = {"module": "tests.bots.programs:Nosy", "openspiel": "openspiel:tests.bots.programs:nosy_of_spiel"}


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that nosy programs write. Their processes start with it."""
    PROCESSES.close()
    path = tmp_path / "notes"
    path.touch()
    monkeypatch.setenv(programs.NOTES, str(path))
    return path


def read_notes(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def recover_seed(words: list[int]) -> int:
    """Return the seed of a generator. Its words allow running it backwards."""
    a, b, c, count = words
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
    assert recover_seed([int(word, 16) for word in repr(rng).strip("<>").split()[1:]]) == DEAL


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
def test_the_chance_of_a_player_is_none_of_the_deal(kind: str, play: Any, program: str, notes: Path) -> None:
    if kind == "openspiel":
        pytest.importorskip("pyspiel")
    seeds = play(make(TEXTS.get(kind, program), games.game("feint")))
    handed = {question["seed"] for question in Program.heard}
    for noted in read_notes(notes):
        handed |= {noted["seed"] if "seed" in noted else recover_seed(noted["rng"])}
    assert len(handed) > 3
    assert not handed & words_of(*seeds)


@pytest.mark.parametrize("kind", ["module", "openspiel", "http"])
def test_a_closed_list_stays_closed(kind: str, program: str, notes: Path) -> None:
    """A player gets the same data with any deck of the other seat."""
    if kind == "openspiel":
        pytest.importorskip("pyspiel")
    game, view = asked("generals")
    dealt = redeal_unseen(game, worlds(view).sample(Rng(1)), view.viewer, Rng(2))
    assert dealt is not None
    twin, _ = dealt
    assert twin.options["decks"] != game.options["decks"]
    for table in (game, twin):
        make(TEXTS.get(kind, program), table).choose(view, None, Rng(1))
    told = [noted["options"] for noted in read_notes(notes)] + Program.heard
    assert len(told) == 2
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["feint", "generals", "jinkei", "factionwars"])
def test_twin_positions_give_the_same_bytes(name: str) -> None:
    """All messages of two positions that differ only in what the seat cannot see are equal, byte for byte."""
    game, state = play_to_choice(name)
    dealt = redeal_unseen(game, state, state.turn, Rng(9))
    assert dealt is not None
    other, twin = dealt
    assert repr(state.dump()) != repr(twin.dump())
    sent = []
    for table, position in ((game, state), (other, twin)):
        bot = make("tests.bots.programs:Last", table)
        assert isinstance(bot, ProcessBot)
        question = bot.write_question(0, position.mask(state.turn), Budget(), 7)
        sent.append((bot.body, json.dumps(question)))
    assert sent[0] == sent[1]


def test_the_process_gets_no_secret_of_its_owner(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://table:secret@db/tables")
    game, view = asked("feint")
    make("tests.bots.programs:Nosy", game).choose(view, None, Rng(1))
    (noted,) = read_notes(notes)
    assert "DATABASE_URL" not in noted["env"]
    assert noted["argv"][1:] == []


def test_no_process_gets_the_views_of_two_seats() -> None:
    game = games.game("feint")
    bot = make("tests.bots.programs:Last", game)
    Driver(Record(game), [bot, bot], 5).advance()
    children = {owner.seat: process.child.pid for owner, process in PROCESSES.open.items() if owner.text == bot.name}
    assert set(children) == {0, 1}
    assert children[0] != children[1]
