"""Many tables at once: do bots answer within their time while people play at ten tables?

    python -m tools.strength.tables [GAME ...] [--tables 10] [--level expert] [--seconds 60] [--pause 2] [--write DIR]

starts a server as `gonfalon serve` does, and at each table a client that plays through the public API as somebody
who takes a moment, and then does anything legal. What is clocked, in the server, is each question to a bot from
when it is put until its answer is there: waiting for a worker, thinking, the way to the worker and back. Beside it
stands how long clients waited for the server to take their own moves. A pause that the table makes on purpose (so
that people can follow; answer windows) is no part of it.
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
from gonfalon.bots import Choice, kind
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.state import State
from gonfalon.lab.run import machine
from gonfalon.lab.run.match import percentile
from gonfalon.table.bots.workers import Workers
from tools.strength import pages

WARM: Final = 5.0
"""Seconds in which the workers load their games; what is asked then does not count."""
SPREAD: Final = 0.75
"""How much shorter or longer than the pause a moment may be, as a part of it."""


class Clocked(Workers):
    """Workers that write down how long each answer took."""

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
            with Clocked.writing, Path(Clocked.path).open("a", encoding="utf-8") as file:
                file.write(f"{began} {spent}\n")
        return choice


def serve(port: int, folder: str) -> None:
    """The server, in a process of its own."""
    from gonfalon.web.server import server

    Clocked.path = str(Path(folder) / "answers")
    vars(server).update(Workers=Clocked)
    server.serve(port=port, database_url=f"sqlite:///{folder}/tables.db", pace=0.0, limits=0.0)


class Client:
    """Somebody at a table of its own, again and again."""

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
        """A game, or as much of it as there is time for."""
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
        """Take a moment, then do anything."""
        time.sleep(self.pause * (1 + SPREAD * (2 * self.rng.random() - 1)))
        actions = view["decision"]["actions"]
        action = actions[int(self.rng.below(len(actions)))]["id"]
        began = time.perf_counter()
        status, _ = self.ask(
            "POST", f"/api/tables/{key}/actions", token, {"expected": view["version"], "actions": [action]}
        )
        if status == 200:
            self.waits.append(time.perf_counter() - began)


def measure(game: str, args: argparse.Namespace) -> dict[str, Any]:
    """One game at all tables."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.strength.tables", "--serve", folder, "--port", str(args.port)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            if not server.stdout.readline():
                raise SystemExit("The server does not start; see above.")
            begins = time.perf_counter() + WARM
            until = time.monotonic() + WARM + args.seconds
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
    limit = kind(args.level).seconds
    return {
        "game": game,
        "date": date.today().isoformat(),
        "machine": machine.machine(),
        "build": machine.build(),
        "commit": machine.commit(),
        "level": args.level,
        "tables": args.tables,
        "pause": args.pause,
        "seconds": args.seconds,
        "answers": len(answers),
        "games": sum(client.ended for client in clients),
        "limit": 1000 * limit,
        "p50": round(1000 * percentile(answers, 0.5), 1),
        "p95": round(1000 * percentile(answers, 0.95), 1),
        "most": round(1000 * max(answers, default=0.0), 1),
        "moves": len(waits),
        "moves_p95": round(1000 * percentile(waits, 0.95), 1),
        "kept": bool(answers) and percentile(answers, 0.95) <= 1.05 * limit,
    }


def page(run: dict[str, Any]) -> str:
    """The run as a page in Markdown."""
    cells = [run["level"], f"{run['answers']:,}", run["p50"], run["p95"], run["most"], f"{run['limit']:.0f}"]
    cells += ["kept" if run["kept"] else "**missed**", run["moves_p95"]]
    lines = [
        f"# Many tables of {games.kind(run['game']).title}",
        "",
        f"{run['date']}; {run['machine']}, {run['build']}.",
        "",
        f"At {run['tables']} tables somebody plays against a bot, for {run['seconds']:g} s, and takes about "
        f"{run['pause']:g} s for each move. Times are by the clock, in ms: a bot's from when it is asked until its "
        "answer is there, against what its level may take; a person's until the server has taken the move.",
        "",
        "| level | answers | p50 | p95 | most | may take | | a person's move, p95 |",
        "|---|---|---|---|---|---|---|---|",
        f"| {' | '.join(map(str, cells))} |",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(prog="tools.strength.tables", description="Bots' answers while ten tables play.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--tables", type=int, default=10, metavar="N")
    parser.add_argument("--level", default="expert")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N", help="for each game")
    parser.add_argument("--pause", type=float, default=2.0, metavar="SECONDS", help="the moment that people take")
    parser.add_argument("--port", type=int, default=8975)
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write GAME-tables.md into a folder")
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.port, args.serve)
        return 0
    for game in args.games or games.names():
        found = measure(game, args)
        print(page(found), flush=True)
        if args.write:
            pages.write(args.write, f"{game}-tables", page(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
