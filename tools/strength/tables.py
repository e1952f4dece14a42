"""Many tables at once: the answer times of bots while people play at ten tables.

    python -m tools.strength.tables [GAME ...] [--tables 10] [--level expert] [--seconds 60] [--pause 2] [--write DIR]

starts a server like `gonfalon serve`, and at each table a client that plays random legal actions through the public API
with pauses. The server records the time from each request to a bot until its answer: waiting for a worker, thinking,
and transport. For comparison the clients record how long the server takes to accept their moves. Deliberate pauses of
the table (for readability; answer windows) do not count.
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

from gonfalon import games
from gonfalon.bots import Choice, find_level
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.state import State
from gonfalon.lab.run import machine
from gonfalon.lab.run.match import find_percentile
from gonfalon.table.bots.workers import Workers
from tools.strength import pages

WARM_UP_SECONDS: Final = 5.0
"""Seconds during which workers load their games; their answers do not count."""
PAUSE_SPREAD: Final = 0.75
"""Maximum deviation of a pause, as a share."""


class ClockedWorkers(Workers):
    """Workers that record the time of each answer."""

    path = ""
    writing = Lock()

    def think(
        self,
        codec: StateCodec,
        level: str,
        view: State,
        seed: int,
        gone: Callable[[], bool],
        asked: float | None = None,
    ) -> Choice | None:
        began = time.perf_counter() - (0.0 if asked is None else time.time() - asked)
        choice = super().think(codec, level, view, seed, gone, asked)
        spent = time.perf_counter() - began
        if choice is not None and len(view.legal(view.viewer)) > 1:
            with ClockedWorkers.writing, Path(ClockedWorkers.path).open("a", encoding="utf-8") as file:
                file.write(f"{began} {spent}\n")
        return choice


def run_server(port: int, folder: str) -> None:
    """Run the server in its own process."""
    from gonfalon.web.server import server

    ClockedWorkers.path = str(Path(folder) / "answers")
    vars(server).update(Workers=ClockedWorkers)
    server.serve(port=port, database_url=f"sqlite:///{folder}/tables.db", pace=0.0, limits=0.0)


class Client:
    """A client at its own tables, one after the other."""

    def __init__(self, number: int, port: int, game: str, level: str, pause: float, until: float) -> None:
        self.rng = Rng(number)
        self.port = port
        self.game = game
        self.level = level
        self.pause = pause
        self.until = until
        self.waits: list[float] = []
        self.ended = 0
        self.failed = ""

    def run(self) -> None:
        try:
            while time.monotonic() < self.until:
                self.play()
        except Exception as error:
            self.failed = f"{type(error).__name__}: {error}"

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[int, Any]:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"authorization": f"Bearer {token}"} if token else {}
        link.request(method, path, None if body is None else json.dumps(body), headers)
        answer = link.getresponse()
        found = answer.status, json.loads(answer.read())
        link.close()
        return found

    def play(self) -> None:
        """Play a game as far as time allows."""
        status, opened = self.ask(
            "POST", "/api/tables", body={"game": self.game, "seats": ["me", f"bot:{self.level}"], "name": "Somebody"}
        )
        if status != 201:
            raise RuntimeError(f"no table: {opened}")
        token = opened["seats"][0]["token"]
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        link.request("GET", f"/api/tables/{opened['table']}/stream", headers={"authorization": f"Bearer {token}"})
        stream = link.getresponse()
        while time.monotonic() < self.until:
            line = stream.readline()
            if not line:
                break
            if not line.strip():
                continue
            view = json.loads(line)
            if view["over"]:
                self.ended += 1
                break
            if view["decision"] is not None:
                self.answer(opened["table"], token, view)
        link.close()

    def answer(self, key: str, token: str, view: dict[str, Any]) -> None:
        """Pause, then take a random action."""
        time.sleep(self.pause * (1 + PAUSE_SPREAD * (2 * self.rng.random() - 1)))
        actions = view["decision"]["actions"]
        action = actions[int(self.rng.below(len(actions)))]["id"]
        began = time.perf_counter()
        status, _ = self.ask(
            "POST", f"/api/tables/{key}/actions", token, {"expected": view["version"], "actions": [action]}
        )
        if status == 200:
            self.waits.append(time.perf_counter() - began)


def measure_game(game: str, args: argparse.Namespace) -> dict[str, Any]:
    """Measure one game at all tables."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.strength.tables", "--serve", folder, "--port", str(args.port)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            if not server.stdout.readline():
                raise SystemExit("The server did not start. See above.")
            begins = time.perf_counter() + WARM_UP_SECONDS
            until = time.monotonic() + WARM_UP_SECONDS + args.seconds
            clients = [Client(n, args.port, game, args.level, args.pause, until) for n in range(args.tables)]
            threads = [Thread(target=client.run) for client in clients]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            server.terminate()
            server.wait()
        path = Path(folder) / "answers"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        clocked = [tuple(map(float, line.split())) for line in lines]
        answers = [spent for asked, spent in clocked if asked >= begins]
    failed = [client.failed for client in clients if client.failed]
    if failed:
        raise SystemExit(f"{len(failed)} clients failed: {failed[0]}")
    waits = [wait for client in clients for wait in client.waits]
    limit = find_level(args.level).seconds
    return {
        "game": game,
        "date": date.today().isoformat(),
        "machine": machine.describe_machine(),
        "build": machine.describe_build(),
        "commit": machine.read_commit(),
        "level": args.level,
        "tables": args.tables,
        "pause": args.pause,
        "seconds": args.seconds,
        "answers": len(answers),
        "games": sum(client.ended for client in clients),
        "limit": 1000 * limit,
        "p50": round(1000 * find_percentile(answers, 0.5), 1),
        "p95": round(1000 * find_percentile(answers, 0.95), 1),
        "most": round(1000 * max(answers, default=0.0), 1),
        "moves": len(waits),
        "moves_p95": round(1000 * find_percentile(waits, 0.95), 1),
        "kept": bool(answers) and find_percentile(answers, 0.95) <= 1.05 * limit,
    }


def format_page(run: dict[str, Any]) -> str:
    """Return the run as a Markdown page."""
    cells = [run["level"], f"{run['answers']:,}", run["p50"], run["p95"], run["most"], f"{run['limit']:.0f}"]
    cells += ["kept" if run["kept"] else "**missed**", run["moves_p95"]]
    lines = [
        f"# Many tables of {games.find_game_class(run['game']).title}",
        "",
        f"{run['date']}; {run['machine']}, {run['build']}.",
        "",
        f"At {run['tables']} tables a client plays against a bot, for {run['seconds']:g} s, with about "
        f"{run['pause']:g} s for each move. Wall times in ms: a bot's time from the request until its "
        "answer, compared with the limit of its level; a client's time until the server has accepted the move.",
        "",
        "| level | answers | p50 | p95 | most | limit | | a client's move, p95 |",
        "|---|---|---|---|---|---|---|---|",
        f"| {' | '.join(map(str, cells))} |",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(prog="tools.strength.tables", description="Bots' answers while ten tables play.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--tables", type=int, default=10, metavar="N")
    parser.add_argument("--level", default="expert")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N", help="for each game")
    parser.add_argument("--pause", type=float, default=2.0, metavar="SECONDS", help="pause before each move")
    parser.add_argument("--port", type=int, default=8975)
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write GAME-tables.md into a folder")
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        run_server(args.port, args.serve)
        return 0
    for game in args.games or games.names():
        found = measure_game(game, args)
        print(format_page(found), flush=True)
        if args.write:
            pages.write_page(args.write, f"{game}-tables", format_page(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
