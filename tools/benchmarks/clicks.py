"""Time from a click to the next board, in the player's own page and in the other player's.

    python -m tools.benchmarks.clicks [GAME ...] [--moves 40] [--write FILE]

Two players sit at one table, each in a window of a real Chromium. Both pages record when a form is sent (by a click or
a key) and when the first frame after a change of the board is drawn. In simultaneous decisions the other's board
changes with the last answer only, and counts only then. The reference for each move is the shortest possible request
from the same page: a round trip to /healthz.
"""

from __future__ import annotations

import argparse
import os
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import TimeoutError as Late

from gonfalon import games
from gonfalon.lab.run import machine
from gonfalon.lab.run.match import find_percentile
from tests.browser.conftest import DISABLED, find_chromium
from tests.browser.player import Player
from tests.browser.test_factionwars import Warlord
from tests.browser.test_generals import General
from tests.browser.test_jinkei import Commander
from tests.web.served import Served, serving

MARKS: Final = """
const told = { sent: 0, shown: [] };
window.clicks = told;
const now = () => performance.timeOrigin + performance.now();
addEventListener("submit", () => { told.sent = now(); }, true);
document.addEventListener("DOMContentLoaded", () => {
  const board = () => {
    const table = document.getElementById("table"), field = document.querySelector('#act input[name="expected"]');
    return `${field?.value} ${table?.dataset.moments} ${table?.dataset.moment}`;
  };
  let last = board();
  new MutationObserver(() => {
    if (board() === last) return;
    last = board();
    requestAnimationFrame(() => setTimeout(() => told.shown.push(now())));
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
});
"""
SHOWN: Final = "(sent) => window.clicks.shown.some((at) => at > sent)"
AFTER: Final = "(sent) => window.clicks.shown.find((at) => at > sent) - sent"
ROUND_TRIP: Final = """async () => {
  const begun = performance.now();
  await (await fetch("/healthz", { cache: "no-store" })).text();
  return performance.now() - begun;
}"""
STANDS: Final = """() => document.querySelector('form[action$="rematch"]') ? "over"
  : document.body.classList.contains("staged") ? "moment"
  : document.querySelector(".prompt.mine") ? "asked" : "waits" """
MAX_GAME_SECONDS: Final = 240
"""Maximum number of seconds for the moves of a game."""
SECRET_AFTER_MS: Final = 600
"""Milliseconds after which a move counts as still secret from the other player."""


class Times(NamedTuple):
    """Times of moves in milliseconds."""

    own: list[float]
    other: list[float]
    reference: list[float]


def move_in_feint(player: Player) -> None:
    player.play_on(1)


def move_in_generals(player: Player) -> None:
    assert isinstance(player, General)
    player.checks = False
    player.play_until_over(1)


def move_in_factionwars(player: Player) -> None:
    assert isinstance(player, Warlord)
    player.answer()


PlayerKind = tuple[Callable[..., Player], Callable[[Player], None]]
PLAYER_KINDS: Final[dict[str, PlayerKind]] = {
    "factionwars": (Warlord, move_in_factionwars),
    "feint": (Player, move_in_feint),
    "generals": (General, move_in_generals),
    "jinkei": (Commander, move_in_feint),
}
"""The player class of each game, and a function that makes one move."""


def measure_moves(browser: Browser, served: Served, game: str, moves: int) -> Times:
    """Play until both seats have seen this number of moves, and return the times."""
    times = Times([], [], [])
    until = time.monotonic() + MAX_GAME_SECONDS
    while min(len(times.own), len(times.other)) < moves:
        contexts = [browser.new_context(viewport={"width": 1280, "height": 800}) for _ in range(2)]
        make = PLAYER_KINDS[game][0]
        people = [make(context, 3 + n) if make is not General else make(context) for n, context in enumerate(contexts)]
        sit_down(served, game, people)
        while min(len(times.own), len(times.other)) < moves:
            if time.monotonic() > until:
                return times
            states = [player.page.evaluate(STANDS) for player in people]
            if "over" in states:
                break
            for player, state in zip(people, states, strict=True):
                if state == "moment":
                    player.press("Escape")
            if "moment" in states or "asked" not in states:
                people[0].page.wait_for_timeout(20)
                continue
            acting = states.index("asked")
            time_move(people[acting], people[1 - acting], PLAYER_KINDS[game][1], times)
        for context in contexts:
            context.close()
    return times


def sit_down(served: Served, game: str, people: list[Player]) -> None:
    """Open a table for two and seat both players."""
    options = {"seats": 2} if game == "factionwars" else {}
    _, opened, _ = served.ask("POST", "/api/tables", {"game": game, "options": options, "seats": ["me", "open"]})
    friend = {"name": "Bo", "nonce": "n" * 40}
    _, seat, _ = served.ask("POST", f"/api/tables/{opened['table']}/seats", friend, opened["invitation"])
    for player, token in zip(people, (opened["seats"][0]["token"], seat["token"]), strict=True):
        player.page.add_init_script(MARKS)
        player.page.goto(f"http://127.0.0.1:{served.port}/t/{opened['table']}/{token}/")
        player.page.wait_for_selector('#net[data-state="on"]')


def time_move(player: Player, other: Player, move: Callable[[Player], None], times: Times) -> None:
    """Make one move and record when each page shows its result."""
    before = player.page.evaluate("window.clicks.sent")
    move(player)
    sent = player.page.evaluate("window.clicks.sent")
    if sent == before:
        return
    for page, found, patience in ((player.page, times.own, 20_000), (other.page, times.other, SECRET_AFTER_MS)):
        with suppress(Late):
            page.wait_for_function(SHOWN, arg=sent, timeout=patience)
            found.append(page.evaluate(AFTER, sent))
    times.reference.append(player.page.evaluate(ROUND_TRIP))


# ---- the page -----------------------------------------------------------------------------------


def format_row(name: str, times: Times) -> str:
    """Return a table row: medians and 95th percentiles, and the median of the own page in round trips."""
    cells = [f"{median(found):.0f} / {find_percentile(found, 0.95):.0f}" for found in times]
    ratio = median(times.own) / median(times.reference)
    return f"| {name} | {' | '.join(cells)} | {ratio:.1f} | {len(times.own)}, {len(times.other)} |"


def format_page(found: dict[str, Times]) -> str:
    """Return the measurements as a page of the documentation."""
    return "\n".join(
        [
            "# From a click to the board",
            "",
            "Two players sit at one table, each in their own window. How long does it take from the click that "
            "sends a move until a frame with the new board is drawn, in the same window and in the other one? The "
            "reference is the shortest request from the same page, a round trip to `/healthz`.",
            "",
            f"Measured on {date.today().isoformat()} with {machine.describe_machine()}; {machine.describe_build()}; "
            f"commit {machine.read_commit()}. "
            f"The load of the last minute was {os.getloadavg()[0]:.0f}. If it exceeds the number of cores, "
            "all figures are too long, and the round trips show by how much. "
            "`python -m tools.benchmarks.clicks --write docs/pages/why/clicks.md` repeats the measurement.",
            "",
            "| Milliseconds, median / 95th percentile | own board | other’s board | round trip | own board in round "
            "trips | moves |",
            "|---|---|---|---|---|---|",
            *(format_row(games.find_game_class(name).title, times) for name, times in found.items()),
            "",
            "Moving cards are animated, and the first frame of the animation counts. In simultaneous decisions "
            "the other’s board changes with the last answer only, so fewer moves count there. "
            "An answer to a Counter of Generals takes effect when its window ends, always up to 3.2 seconds "
            "later.",
            "",
        ]
    )


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.benchmarks.clicks", description="From a click to the board.")
    parser.add_argument("games", nargs="*", metavar="GAME", default=sorted(PLAYER_KINDS))
    parser.add_argument("--moves", type=int, default=40, metavar="N", help="moves that both seats see")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where the page goes")
    args = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("Chromium is missing: there is no /usr/bin/chromium, and none on PATH.")
    flags = [f"--disable-features={DISABLED.replace(' ', ',')}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    found: dict[str, Times] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), find_free_port()) as served,
        sync_playwright() as p,
    ):
        browser = p.chromium.launch(executable_path=chromium, args=flags)
        for game in args.games:
            found[game] = measure_moves(browser, served, game, args.moves)
            print(format_row(game, found[game]), flush=True)
        browser.close()
    if args.write:
        args.write.write_text(format_page(found), "utf-8")


if __name__ == "__main__":
    main()
