"""Playing in the terminal, by a script that types."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gonfalon import Record, Rng, worlds
from gonfalon.bots import make
from gonfalon.bots.players.driver import Driver
from gonfalon.games.feint import Feint
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.games.saved_games import list_waiting
from gonfalon.terminal.play import LineGame
from tests.cli.conftest import Run


def test_with_bots_only_it_just_plays(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    code, out, err = run("play", "feint", "--bots", "greedy,random", "--seed", "7", "--record", path)
    assert (code, err) == (0, "")
    assert re.search(r"(Greedy|Random) wins\. .*\.", out)
    body = json.loads(path.read_text(encoding="utf-8"))
    assert body["names"] == ["Greedy", "Random"]
    assert body["result"]["winners"]
    assert list(tmp_path.iterdir()) == [path]


def test_a_seed_makes_the_game_repeatable(run: Run, tmp_path: Path) -> None:
    for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        run("play", "feint", "--bots", "greedy,greedy", "--seed", seed, "--record", tmp_path / name)
    a, b, c = ((tmp_path / name).read_text(encoding="utf-8") for name in "abc")
    assert a == b
    assert a != c


@pytest.mark.extended
def test_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    """The player always takes the last action of the list, to the end."""
    command = [sys.executable, "-m", "gonfalon", "play", "feint", "--bots", "greedy", "--seed", "11", "--plain"]
    first = subprocess.run(command, input="1\n" * 400, capture_output=True, text=True, check=True, timeout=250)
    assert first.stderr == ""
    assert re.search(r"(Victory|Defeat)\. .*\.", first.stdout)
    assert "`gonfalon review` shows the turning points" in " ".join(first.stdout.split())
    assert all(len(line) <= 80 for line in first.stdout.splitlines() if ".json" not in line)
    assert "\x1b" not in first.stdout


def test_the_commands_of_a_player(run: Run) -> None:
    typed = "\n".join(
        [
            "help",
            "look",
            "log",
            "actions",
            "card patriot",
            "card nobody",
            "card",
            "why not patriot@2",
            "why not knight-of-2@3",
            "why not 1",
            "why not",
            "why not dance",
            "99",
            "-1",
            "dance",
            "pas",
            "scrambler@9",
            "",
            "quit",
        ]
    )
    code, out, err = run("play", "feint", "--seed", "3", "--plain", typed=typed + "\n")
    assert (code, err) == (0, "")
    for part in (
        "why not ACTION",
        "You turn up your Location Card",
        "There is no card 'nobody'",
        "Which card?",
        "ruling 54",
        "This is legal",
        "Which action?",
        "There is no action 99. The actions are numbered 1 to ",
        "There is no action -1. The actions are numbered 1 to ",
        "is no action of Feint",
        "Did you mean pass?",
        "The game stops here.",  # nothing was done that could wait
    ):
        assert part in out, part


@pytest.mark.parametrize("factions", [("keion", "agents"), ("engineers", "mibits")])
def test_the_output_depends_only_on_the_players_view(
    factions: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a world that looks alike to the person the terminal shows the same."""
    game = Feint(factions=factions)
    rng = Rng(1)
    driver = Driver(Record(game), [None, make("random", game)], 1, log=True)
    for turn in range(25):
        seat = driver.advance()
        if seat is None:
            break
        shown = []
        truth = driver.state
        for state in (truth, worlds(truth.mask(seat)).sample(rng)):
            driver.state = state
            sitting = LineGame(driver, ["May", "David"], Console(), None)
            typed = "log\nwhy not patriot@3\nwhy not scrambler@2\ncard medic\n1\n"
            monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
            sitting.ask_action(seat)
            shown.append(capsys.readouterr().out)
        assert shown[0] == shown[1], turn
        driver.state = truth
        driver.act(seat, truth.mask(seat).sample(rng))


def test_an_interrupted_game_is_gone_on_with(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    base = ("play", "feint", "--seed", "3", "--record", path)
    code, out, _ = run(*base, typed="1\n1\n1\nquit\n")
    assert code == 0
    assert f"--record {path}" in " ".join(out.split())
    before = json.loads(path.read_text(encoding="utf-8"))
    assert before["result"] is None
    assert sum(seat == 0 for seat, _ in before["decisions"]) == 3
    code, out, _ = run(*base, typed="1\n" * 400)
    assert code == 0
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["decisions"][: len(before["decisions"])] == before["decisions"]
    assert after["result"] is not None


def test_a_game_that_is_left_waits_without_a_record_being_asked_for(run: Run, tmp_path: Path) -> None:
    """As on the screen: the menu offers the game, with its original bots."""
    _, out, _ = run("play", "feint", "--seed", "3", "--plain", "--bots", "gentle", typed="1\n1\nquit\n")
    [file] = (tmp_path / "home" / "gonfalon" / "games").iterdir()
    assert f"The game is saved. Continue with `gonfalon play feint --record {file}`." in " ".join(out.split())
    [one] = list_waiting()
    assert (one.path, one.record.names) == (file, ["Player", "Gentle"])
    assert sum(seat == 0 for seat, _ in one.record.decisions) == 2
    assert run("play", "feint", "--record", file, "--plain", typed="1\n" * 400)[0] == 0
    body = json.loads(file.read_text(encoding="utf-8"))
    assert (body["names"], body["result"] is None) == (["Player", "Gentle"], False)


def test_the_last_action_is_undone(run: Run) -> None:
    """A card on a space can be undone while more are to be placed, but not the answer before the cards were dealt."""
    _, out, _ = run("play", "jinkei", "--seed", "3", "--plain", typed="back\n1\nback\n1\n1\nback\nquit\n")
    first, dealt, again, _, laid, back, _ = (part.strip() for part in re.split(r"^> ", out, flags=re.MULTILINE)[1:])
    assert first == "There is nothing to undo."
    assert "You draw" in dealt
    assert again == "Too late to undo: the game has moved on."
    assert "Lay Red 8 on Vanguard 2." in laid
    assert "Lay Red 5 on Vanguard 1." in back
    [one] = list_waiting()
    assert sum(seat == 0 for seat, _ in one.record.decisions) == 2  # the type and the formation


def test_going_on_with_other_options_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    run("play", "feint", "--record", path, typed="quit\n")
    code, out, err = run("play", "feint", "--record", path, "--option", "capacity=12", typed="quit\n")
    assert (code, out) == (2, "")
    assert "other options" in err


def test_ctrl_c_keeps_the_record(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    lines = iter(["1", "1"])

    def ask(self: Console, prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(Console, "ask", ask)
    code, _, err = run("play", "feint", "--seed", "3", "--record", path)
    assert (code, err) == (130, "")
    body = json.loads(path.read_text(encoding="utf-8"))
    assert sum(seat == 0 for seat, _ in body["decisions"]) == 2


def test_a_curtain_falls_between_two_people(run: Run) -> None:
    code, out, _ = run("play", "feint", "--seed", "3", "--bots", "none", typed="\n1\n\nquit\n")
    assert code == 0
    first, second = (found.start() for found in re.finditer(r"Hand the device to Player \d, then press Enter\.", out))
    assert "\n" * 40 in out[:first]
    assert "\n" * 40 in out[first:second]
    # What one person sees ends before the other's curtain, and nothing of it comes after.
    for name in re.findall(r"Play (.+?) to Location", out[first:second]):
        assert f"Play {name} to" not in out[second:]


@pytest.mark.usefixtures("small")
def test_simultaneous_answers_are_asked_one_by_one_in_secret(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    one = "\n1\n"
    code, out, _ = run("play", "bids", "--bots", "none", "--seed", "1", "--record", path, typed=one * 9)
    assert code == 0
    before_third = out[: out.index("Hand the device to Player 3")]
    assert " bid " not in before_third
    assert "won the round" in out
    assert json.loads(path.read_text(encoding="utf-8"))["result"] is not None


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("bots", "level"), [(["--bots", "random"], "Random"), ([], "Club")])
def test_other_seats_get_bots(run: Run, bots: list[str], level: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    code, out, _ = run("play", "bids", "--seat", "1", *bots, "--record", path, typed="1\n1\n1\n")
    assert code == 0
    assert json.loads(path.read_text(encoding="utf-8"))["names"] == [f"{level} 1", "Player", f"{level} 2"]
    assert "You bid" in out


@pytest.mark.usefixtures("small")
def test_several_seats_at_this_device(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    code, out, _ = run(
        "play", "bids", "--seat", "2", "--seat", "0", "--bots", "random", "--record", path, typed="\n1\n" * 6
    )
    assert code == 0
    assert json.loads(path.read_text(encoding="utf-8"))["names"] == ["Player 1", "Random", "Player 2"]
    passed = re.findall(r"Hand the device to (Player \d)", out)
    assert passed == ["Player 1", "Player 2"] * 3
    # Behind each curtain lies one hand only.
    for part in out.split("Hand the device to ")[1:]:
        table = part[: part.index("Choose your bid")]
        assert table.count("face down") == 2, table
        assert table.count("Your hand:") == 1, table


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("--seat 0 --seat 3", ["seat 3", "0 to 2"]),
        ("--seat 0 --seat 1 --bots random,random", ["2 levels", "3 seats", "Name 1 for the other seats"]),
        ("--seat 0 --seat 1 --bots person,random,random", ["--seat 1", "random"]),
    ],
)
def test_seats_that_cannot_be_had(run: Run, given: str, says: list[str]) -> None:
    code, out, err = run("play", "bids", *given.split())
    assert (code, out) == (2, "")
    assert all(word in err for word in says), err


@pytest.mark.parametrize(
    ("plain", "term", "clears"), [(False, "xterm", True), (False, "dumb", False), (True, "xterm", False)]
)
def test_the_curtain_clears_the_screen_where_it_may(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, plain: bool, term: str, clears: bool
) -> None:
    monkeypatch.setenv("TERM", term)
    console = Console(plain)
    console.terminal = True
    console.curtain()
    out = capsys.readouterr().out
    assert ("\x1b[3J" in out) == clears  # what has scrolled away goes too
    assert ("\n" * 40 in out) != clears


def test_a_bot_that_was_trained_with_other_cards_is_announced(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text("form = 1\n[box]\nmorale = 30\n", encoding="utf-8")
    own = run("play", "feint", "--bots", "expert", "--plain", "--option", f"cards={path}", typed="")[1]
    assert "Expert was trained with other cards" in own
    assert "Expert" not in run("play", "feint", "--bots", "expert", "--plain", typed="")[1].partition("Round 1")[0]


def test_own_cards_are_named_and_used(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "box.txt"
    path.write_text('name = "Keion as printed"\npatriot.strength = 9\n')
    code, out, _ = run("play", "feint", "--cards", str(path), "--seed", "1", typed="card patriot\nquit\n")
    assert code == 0
    path.write_text(f'game = "feint"\n{path.read_text()}')
    assert run("play", "--cards", str(path), "--seed", "1", typed="card patriot\nquit\n")[1] == out
    out = " ".join(out.split())
    assert "Cards: Keion as printed. Patriot: strength 6 → 9." in out
    assert "Strength: 9 (changed from 6)" in out
