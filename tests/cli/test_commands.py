"""Each command works as documented."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gonfalon
from gonfalon.bridges.senders import send_pictures
from gonfalon.check import LAWS
from gonfalon.table.live.retention import POLICY
from tests.cli.conftest import Run


def test_games_json(run: Run) -> None:
    code, out, _ = run("games", "--json")
    found = {game["name"]: game for game in json.loads(out)}
    assert code == 0
    assert found["feint"]["seats"] == [2]
    assert found["feint"]["version"] == "2"
    options = {option["name"]: option for option in found["feint"]["options"]}
    assert options["cards"]["file"]
    assert (options["capacity"]["least"], options["capacity"]["most"]) == (0, 99)
    assert [choice["value"] for choice in options["scrambler"]["choices"]] == ["itself", "played"]


@pytest.mark.usefixtures("small")
def test_a_game_that_cannot_be_loaded_hides_no_other(run: Run) -> None:
    code, out, err = run("games")
    assert code == 0
    assert "bids: Three Bids (3 seats" in out
    assert "feint:" in out
    assert err.count("\n") == 1
    assert "broken cannot be loaded" in err


def test_version_and_help(run: Run) -> None:
    code, out, err = run("--version")
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"gonfalon {re.escape(gonfalon.__version__)} \((compiled|plain Python)\)\n", out)
    code, out, _ = run("--help")
    assert code == 0
    for command in ("serve", "play", "games", "replay", "check", "bench", "lab", "card"):
        assert command in out
    assert run("lab")[0] == 0


def test_card(run: Run) -> None:
    code, out, _ = run("card", "feint", "Master", "of", "Fire")
    assert code == 0
    assert "Master of Fire" in out
    assert "reconstructed" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_check_hands_over_the_game_and_the_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def kit(*args: Any) -> int:
        asked.append(args)
        return 1

    monkeypatch.setattr("gonfalon.check.main", kit)
    assert run("check", "feint", "--seconds", "2.5")[0] == 1
    assert run("check", "feint")[0] == 1
    assert [args[:3] for args in asked] == [("feint", 2.5, {}), ("feint", None, {})]
    # What the bridges send is checked as well, as far as their extras are here; notebooks' pictures always.
    assert send_pictures in asked[0][3]


def test_check_takes_single_laws(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def kit(*args: Any) -> int:
        asked.append([law.name for law in args[6]])
        return 0

    monkeypatch.setattr("gonfalon.check.main", kit)
    run("check", "feint", "--law", "knowledge-has-a-source", "--law", "cards are conserved")
    run("check", "feint")
    # All other laws rely on the first one.
    assert asked[0] == ["every game ends within its bound", "cards are conserved", "knowledge has a source"]
    assert asked[1] == [law.name for law in LAWS]
    code, _, err = run("check", "feint", "--law", "knowledge-has-a-sorce")
    assert code == 2
    assert err == "gonfalon: There is no law 'knowledge-has-a-sorce'. Did you mean knowledge-has-a-source?\n"


@pytest.mark.parametrize(
    ("argv", "given"),
    [
        ([], {"open_browser": True}),
        (["serve"], {}),
        (["serve", "--port", "81", "--database", "sqlite://"], {"port": 81, "database_url": "sqlite://"}),
        (
            ["serve", "--base-url", "https://a.example", "--log", "json"],
            {"base_url": "https://a.example", "log": "json"},
        ),
        (["serve", "--trusted-proxy", "::1", "--metrics", "9100"], {"proxies": ["::1"], "metrics_at": "9100"}),
        (["serve", "--bot", "a=mine:A", "--bot", "b=b.npz"], {"own_bots": ["a=mine:A", "b=b.npz"]}),
        (["serve", "--export", "folder"], {"export": Path("folder")}),
        (["serve", "--cards", "feint=a.toml", "--cards", "b.txt"], {"cards": ["feint=a.toml", "b.txt"]}),
    ],
)
def test_serve_starts_the_table_server(
    run: Run, monkeypatch: pytest.MonkeyPatch, argv: list[str], given: dict[str, Any]
) -> None:
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr("gonfalon.web.serve", lambda **given: asked.append(given))
    assert run(*argv)[0] == 0
    usual: dict[str, Any] = {"host": "127.0.0.1", "port": None, "database_url": None, "open_browser": False}
    usual |= {"workers": 1, "think": None, "own_bots": [], "limits": 1.0}
    usual |= {"base_url": "", "proxies": [], "metrics_at": None, "log": "text", "study": 120, "cards": []}
    usual |= {"bot_accounts": False, "reload": False}
    assert asked == [usual | POLICY._asdict() | given]


@pytest.mark.extended
def test_bench_json(run: Run) -> None:
    code, out, _ = run("bench", "feint", "--seconds", "0.02", "--json")
    assert code == 0
    report = json.loads(out)
    assert report["reference"] > 0
    figures = report["games"]["feint"]
    assert {"decisions", "games", "clones", "masks", "worlds"} <= set(figures)
    assert all(figure["per_second"] > 0 and figure["ratio"] > 0 for figure in figures.values())


def test_keyboard_interrupt_is_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("gonfalon.cli.commands.games.run_games", stop)
    assert run("games") == (130, "", "")


@pytest.mark.extended
def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m gonfalon games --json | head -c 5"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "[\n {\n"[:5]
    assert done.stderr == ""


@pytest.mark.extended
def test_the_module_runs_as_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "gonfalon", "plya"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "play" in done.stderr


@pytest.mark.extended
def test_listing_games_loads_no_server() -> None:
    code = (
        "import sys; from gonfalon.cli import main; main(['games']); "
        "sys.exit(any(name in sys.modules for name in ('starlette', 'sqlalchemy', 'minijinja', 'gonfalon.web')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_check_plays_the_samples_that_agree_with_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    from gonfalon import check

    played: list[Any] = []

    def run(chosen: Any, *rest: Any, **more: Any) -> list[Any]:
        played.append(chosen)
        return []

    monkeypatch.setattr(check, "run", run)
    check.main("factionwars", 1.0, {"seats": "4"})
    check.main("factionwars", 1.0)
    assert {game.seats for game in played[0]} == {4}
    assert len(played[0]) > 1
    assert played[1] is type(played[0][0])
