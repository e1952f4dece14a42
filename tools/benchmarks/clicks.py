"""From a click to the board: how long until one's own page shows the next board, and the other seat's?

    python -m tools.benchmarks.clicks [GAME ...] [--moves 40] [--write FILE]

Two people play at one table, each in a window of their own of a real Chromium. Both pages write down when a form is
sent (the click, or the key that does the same) and when a frame has been drawn after the board changed. Where all
choose at once, the other's board changes with the last answer only, and counts only then. Beside each move stands the
shortest thing that could be asked of the server in that page: a round trip to /healthz.
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
from gonfalon.lab.run.match import percentile
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
PATIENCE: Final = 240
"""Seconds for one game's moves."""
LATE: Final = 600
"""Milliseconds after which the other's board has nothing to show of a move: it is secret still."""


class Times(NamedTuple):
    """Milliseconds, move by move."""

    own: list[float]
    other: list[float]
    reference: list[float]


def one_of_feint(player: Player) -> None:
    player.play_on(1)


def one_of_generals(player: Player) -> None:
    assert isinstance(player, General)
    player.checks = False
    player.play_until_over(1)


def one_of_factionwars(player: Player) -> None:
    assert isinstance(player, Warlord)
    player.answer()


People = tuple[Callable[..., Player], Callable[[Player], None]]
PEOPLE: Final[dict[str, People]] = {
    "factionwars": (Warlord, one_of_factionwars),
    "feint": (Player, one_of_feint),
    "generals": (General, one_of_generals),
    "jinkei": (Commander, one_of_feint),
}
"""Who plays a game in a window, and how they make one move."""


def measure(browser: Browser, served: Served, game: str, moves: int) -> Times:
    """So many moves that both seats see, and as many as that takes that only one sees."""
    times = Times([], [], [])
    until = time.monotonic() + PATIENCE
    while min(len(times.own), len(times.other)) < moves:
        contexts = [browser.new_context(viewport={"width": 1280, "height": 800}) for _ in range(2)]
        make = PEOPLE[game][0]
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
            clock(people[acting], people[1 - acting], PEOPLE[game][1], times)
        for context in contexts:
            context.close()
    return times


def sit_down(served: Served, game: str, people: list[Player]) -> None:
    """A table for two, and both at it."""
    options = {"seats": 2} if game == "factionwars" else {}
    _, opened, _ = served.ask("POST", "/api/tables", {"game": game, "options": options, "seats": ["me", "open"]})
    friend = {"name": "Bo", "nonce": "n" * 40}
    _, seat, _ = served.ask("POST", f"/api/tables/{opened['table']}/seats", friend, opened["invitation"])
    for player, token in zip(people, (opened["seats"][0]["token"], seat["token"]), strict=True):
        player.page.add_init_script(MARKS)
        player.page.goto(f"http://127.0.0.1:{served.port}/t/{opened['table']}/{token}/")
        player.page.wait_for_selector('#net[data-state="on"]')


def clock(player: Player, other: Player, move: Callable[[Player], None], times: Times) -> None:
    """One move, and when each of the two saw what came of it."""
    before = player.page.evaluate("window.clicks.sent")
    move(player)
    sent = player.page.evaluate("window.clicks.sent")
    if sent == before:
        return
    for page, found, patience in ((player.page, times.own, 20_000), (other.page, times.other, LATE)):
        with suppress(Late):
            page.wait_for_function(SHOWN, arg=sent, timeout=patience)
            found.append(page.evaluate(AFTER, sent))
    times.reference.append(player.page.evaluate(ROUND_TRIP))


# ---- the page -----------------------------------------------------------------------------------


def row(name: str, times: Times) -> str:
    """A line of the table: medians and 95th percentiles, and how many round trips the median of one's own takes."""
    cells = [f"{median(found):.0f} / {percentile(found, 0.95):.0f}" for found in times]
    ratio = median(times.own) / median(times.reference)
    return f"| {name} | {' | '.join(cells)} | {ratio:.1f} | {len(times.own)}, {len(times.other)} |"


def page(found: dict[str, Times]) -> str:
    """What was measured, as a page of the documentation."""
    return "\n".join(
        [
            "# From a click to the board",
            "",
            "Two people play at one table, each in a window of their own. How long does it take from the click that "
            "sends a move until a frame with the new board is drawn, in one's own window and in the other's? Beside it "
            "stands the shortest thing that can be asked of the server from the same page, a round trip to `/healthz`.",
            "",
            f"Measured on {date.today().isoformat()} with {machine.machine()}; {machine.build()}; "
            f"commit {machine.commit()}. "
            f"At the end {os.getloadavg()[0]:.0f} processes wanted to run at once (the load of one minute): where "
            "these are more than there are cores, all figures are long, and the round trips say how long. "
            "`python -m tools.benchmarks.clicks --write docs/pages/why/clicks.md` measures anew.",
            "",
            "| Milliseconds, median / 95th percentile | own board | other’s board | round trip | own board in round "
            "trips | moves |",
            "|---|---|---|---|---|---|",
            *(row(games.kind(name).title, times) for name, times in found.items()),
            "",
            "Cards that move glide, and the first frame of the flight counts as the board. Where all choose at once, "
            "the other’s board changes with the last answer only: nothing may show before, so fewer moves count there. "
            "An answer to a Counter of Generals is done when its window ends, which takes up to 3.2 seconds whatever "
            "it is.",
            "",
        ]
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.benchmarks.clicks", description="From a click to the board.")
    parser.add_argument("games", nargs="*", metavar="GAME", default=sorted(PEOPLE))
    parser.add_argument("--moves", type=int, default=40, metavar="N", help="moves that both seats see")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where the page goes")
    args = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("This needs Chromium: no /usr/bin/chromium, and none on PATH.")
    flags = [f"--disable-features={DISABLED.replace(' ', ',')}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    found: dict[str, Times] = {}
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), free_port()) as served, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=flags)
        for game in args.games:
            found[game] = measure(browser, served, game, args.moves)
            print(row(game, found[game]), flush=True)
        browser.close()
    if args.write:
        args.write.write_text(page(found), "utf-8")


if __name__ == "__main__":
    main()
