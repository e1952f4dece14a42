"""One program of another author in all places that take bots: it plays as it would in its own process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gonfalon import Record, games
from gonfalon.bots import Bot, Choice, Fault, make
from gonfalon.bots.levels import LEVELS, _added, list_added_levels, list_offered_levels
from gonfalon.bots.levels import make as make_level
from gonfalon.bots.outside.process import PROCESSES
from gonfalon.bots.players.driver import Driver
from gonfalon.cli import main
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Robot, Store, Tables
from gonfalon.table.bots.own_bots import check_own_bots, offer_own_bots
from gonfalon.table.bots.workers import Workers
from gonfalon.vector import Vector
from gonfalon.web.shared.game_info import lobby_game
from gonfalon.web.table.ending import read_news

OWN = '''
"""A bot of another author."""

from gonfalon.bots import Bot, Choice


class Middle(Bot):
    """Chooses the middle one of the legal actions."""

    def think(self, view, budget, rng):
        legal = view.legal(view.viewer)
        return Choice(legal[len(legal) // 2], "It is in the middle.")


class Failing(Middle):
    def think(self, view, budget, rng):
        raise ValueError("no idea")
'''
OPTIONS = {"factions": ("wu", "keion"), "end_round": 3}


class Middle(Bot):
    """The same bot in this process."""

    def think(self, view: Any, budget: Any, rng: Any) -> Choice:
        legal = view.legal(view.viewer)
        return Choice(legal[len(legal) // 2], "It is in the middle.")


@pytest.fixture
def own(tmp_path: Path) -> str:
    """Return the path of the file with the bots."""
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return str(path)


@pytest.fixture
def added() -> Any:
    """Remove the operator's bots of a test."""
    yield
    for name in _added:
        del LEVELS[name]
    _added.clear()


def read_json(command: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the JSON that a command prints."""
    capsys.readouterr()
    assert main(command.split()) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_in_the_terminal(own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    command = f"play feint --bots {own}:Middle,club --seed 5 --option factions=wu,keion --record {path}"
    assert main(command.split()) == 0
    body = json.loads(path.read_text())
    assert body["names"] == ["Middle", "Club"]
    game = games.game("feint", factions=("wu", "keion"))
    driver = Driver(Record(game, body["names"]), [Middle("middle", game), make("club", game)], 5, log=True)
    driver.advance()
    assert driver.record.to_json()["decisions"] == body["decisions"]
    assert main(["play", "feint", "--bots", f"{own}:Failing,random", "--seed", "5"]) == 0
    said = capsys.readouterr().out
    assert "moves chosen for Failing: " in said
    assert " crashed (first: ValueError: no idea; own.py," in said


@pytest.mark.extended
def test_in_a_match(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = "lab match feint {}:{} casual --pairs 3 --option end_round=3 --json"
    one = read_json(command.format(own, "Middle"), capsys)
    two = read_json(command.format(own, "Middle") + " --workers 2", capsys)
    assert (one["digest"], one["chosen"]) == (two["digest"], {})
    failed = read_json(command.format(own, "Failing"), capsys)
    assert list(failed["chosen"]) == ["A"]
    assert list(failed["chosen"]["A"]) == ["crashed: ValueError: no idea; own.py, line 17"]


@pytest.mark.extended
def test_in_a_ladder(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = read_json(f"lab ladder feint --players random,{own}:Middle --pairs 1 --exploit 0 --json", capsys)
    assert [rung["level"] for rung in found["rungs"]] == ["random", f"{own}:Middle"]


@pytest.mark.extended
@pytest.mark.parametrize(
    "study", ["whatif feint --set patriot.strength=5 --option factions=keion,wu", "balance feint --side wu"]
)
def test_in_studies_of_a_game(study: str, own: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = f"lab {study} --players {own}:Middle --games 240 --precision 49 --option end_round=2"
    digests = []
    for more in ("", " --workers 2"):
        assert main((command + more).split()) == 0
        digests += [line for line in capsys.readouterr().out.splitlines() if line.startswith("Digest")]
    assert len(digests) == 2
    assert digests[0] == digests[1]
    assert main(command.replace("Middle", "Failing").split()) == 0
    assert f"moves chosen for {own}:Failing: " in capsys.readouterr().err


@pytest.mark.extended
def test_kept_games_belong_to_the_text_of_a_program(own: str, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    command = f"lab balance feint --side wu --players {own}:Middle --games 120 --precision 49 --keep {folder}"
    numbers = []
    for text in (OWN, OWN, OWN.replace("// 2", "// 3")):
        Path(own).write_text(text)
        PROCESSES.close()
        assert main([*command.split(), "--option", "end_round=2"]) == 0
        numbers.append(len(list(folder.iterdir())))
    assert numbers[0] == numbers[1] < numbers[2]


@pytest.mark.extended
def test_in_the_benchmark(own: str, tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    command = ["benchmark", "feint", "--agent", f"{own}:Middle", "--parts", "score", "--pairs", "2"]
    assert main([*command, "--write", str(path)]) == 0
    body = json.loads(path.read_text())
    assert len(body["file"]) == 16
    assert set(body["games"]["feint"]["against"]) == {"random", "greedy", "club"}


def test_in_a_vector(own: str) -> None:
    game = games.game("feint", **OPTIONS)
    found = []
    for bot in (f"{own}:Middle", Middle("middle", game)):
        vector = Vector(game, 2, 5, 0, bot, shown=("masks",))
        vector.reset()
        assert vector.masks is not None
        ends = []
        for _ in range(40):
            vector.step(vector.masks.argmax(axis=1).tolist())
            ends.append((vector.dones.tolist(), vector.rewards.tolist()))
        found.append(ends)
    assert found[0] == found[1]


@pytest.mark.extended
@pytest.mark.anyio
async def test_at_a_table(own: str, tmp_path: Path, added: None) -> None:
    bots = check_own_bots([f"middle={own}:Middle", f"failing={own}:Failing"])
    assert bots[0].games == tuple(games.names())
    offer_own_bots(bots)
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    try:
        async with Tables(store, pace=0, bot_runner=Workers(1, own=bots)).open() as tables:
            game = games.game("feint", **OPTIONS)
            table, _ = await tables.open_table(game, [Robot("middle"), Robot("failing")])
            table.presence.enter([SPECTATOR])
            watch = table.watch(SPECTATOR)
            while not table.position.over:
                await watch.changed()
            record = await table.moves.record()
            thoughts = await table.bots.thoughts()
            chosen = read_news(store, table.key).chosen
    finally:
        store.close()
    assert table.names == ["Middle", "Failing"]
    by_seat: list[set[str]] = [set(), set()]
    for number, choice in thoughts.items():
        by_seat[record.decisions[number][0]].add(choice.fault or choice.why)
    assert by_seat[0] <= {"It is in the middle.", "No other action is legal."}
    assert by_seat[1] <= {Fault.CRASHED, "No other action is legal."}
    crashed = sum(choice.fault is Fault.CRASHED for choice in thoughts.values())
    assert chosen == {1: {"crashed": crashed}}
    assert crashed


@pytest.mark.extended
def test_an_operators_bot_is_a_level_of_its_games(own: str, added: None) -> None:
    (bot,) = check_own_bots([f"middle={own}:Middle"])
    offer_own_bots([bot])
    game = games.game("feint")
    assert list_added_levels(game) == ["middle"]
    assert "middle" not in list_offered_levels(game)
    assert [row["value"] for row in lobby_game(games.find_game_class("feint"))["bots"]][-2:] == [
        "bot:gentle",
        "bot:middle",
    ]
    assert type(make_level("middle", game)) is Bot  # It thinks in workers only.


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("middle", "must have the form NAME=BOT"),
        ("Middle!=club", "must have the form NAME=BOT"),
        ("Middle=club", "NAME has lower-case letters"),
        ("club=strong", "already a bot named club"),
        pytest.param(
            "lost=nowhere:Bot",
            "The bot lost plays no installed game: Cannot load nowhere:Bot",
            marks=pytest.mark.extended,
        ),
    ],
)
def test_an_operators_bot_that_cannot_play_is_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        check_own_bots([text])


def test_a_client_names_no_code(own: str) -> None:
    """Tables make levels only, whatever name a client sends."""
    for text in (f"{own}:Middle", "tests.bots.programs:Last", "http://127.0.0.1:1/", "openspiel:uniform_random"):
        with pytest.raises(OptionError, match="There is no level"):
            make_level(text, games.game("feint"))
