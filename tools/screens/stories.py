"""The screens to take: each story reaches its screens at its own server, with deals fixed by a seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, NamedTuple

from playwright.sync_api import Page, expect

import gonfalon
from gonfalon.core.basics.decks import Deck, Decks
from tests.web.served import Served
from tools.screens.camera import WORK_TIMEOUT_MS, Camera, Prepare
from tools.screens.seats import Seat, View, is_asked, is_over


class Story(NamedTuple):
    """The steps to its screens, and the first seed to try."""

    tell: Callable[[Camera, Served], None]
    seed: int


CASUAL: Final = "bot:casual"
SHELF: Final = "/games/generals/decks"
USUAL_PROMPTS: Final = {
    "feint": ("deploy", "reinforce"),
    "factionwars": ("select",),
}
"""Frequent prompts; all others are special choices."""


def click_all(selector: str, *then: str) -> Prepare:
    """Return a preparation that clicks elements in order."""

    def prepare(page: Page) -> None:
        for one in (selector, *then):
            page.locator(one).first.evaluate("(el) => el.click()")

    return prepare


def wait_for_decisions(page: Page) -> None:
    """Wait until the end page shows the decisions that mattered."""
    expect(page.locator("#decisions:not([data-look])")).to_be_visible(timeout=WORK_TIMEOUT_MS)


def is_choice(game: str) -> Callable[[View], bool]:
    return lambda view: bool(view["decision"]) and view["decision"]["prompt"] not in USUAL_PROMPTS[game]


# ---- before the game ----------------------------------------------------------------------------


def take_lobby(camera: Camera, served: Served) -> None:
    camera.still("lobby-first", "/")
    for game in ("feint", "factionwars"):
        camera.still(f"customise-{game}", f"/games/{game}/new")
    for game in ("feint", "jinkei", "generals"):
        camera.visit(Seat(served, game, CASUAL).page)
    war = Seat(served, "factionwars", CASUAL, CASUAL, seats=3)
    war.play_until(is_over)
    camera.visit(war.page)
    camera.still("lobby", "/")


def take_decks(camera: Camera, served: Served) -> None:
    known = gonfalon.game("generals").decks()
    assert known is not None
    codes = {deck.slug: known.code(deck) for deck in known.ready()}
    shelf = {
        "Lords of the East": codes["yellow-sky"],
        "Water and Fire": codes["alliance"],
        "Iron Wall": make_illegal_code(known),
    }
    kept = [{"id": f"d{n}", "d": code, "name": name} for n, (name, code) in enumerate(shelf.items())]

    def shelve(page: Page) -> None:
        page.evaluate("(kept) => localStorage.setItem('gonfalon.decks.generals', kept)", json.dumps(kept))
        page.reload()
        expect(page.locator(".box")).to_have_count(len(kept))

    camera.still("shelf", SHELF, shelve)
    camera.still("builder", f"{SHELF}/build?d={codes['vanguard-of-wei']}&name=The+Long+Road")


def make_illegal_code(known: Decks) -> str:
    """Return the code of an illegal deck."""
    deck = next(deck for deck in known.ready() if deck.slug == "vanguard-of-wei")
    counts = {id: count + 1 if count == 3 else count for id, count in deck.counts.items()}
    return known.code(Deck("", counts))


def take_gathering(camera: Camera, served: Served) -> None:
    feint, generals = Seat(served, "feint", "open"), Seat(served, "generals", "open")
    camera.still("ready", feint.page)
    with camera.open(generals.page):  # The host is present.
        camera.still("sit", f"/t/{generals.key}/{generals.invitation}/")


# ---- at the tables ------------------------------------------------------------------------------


def take_feint(camera: Camera, served: Served) -> None:
    seat = Seat(served, "feint", CASUAL, factions=["mibits", "wu"])
    seat.play_until(is_asked("deploy"))
    camera.still("feint-opening", seat.page)
    seat.play_until(is_asked("deploy", version=9))
    camera.still("feint-middle", seat.page)
    camera.still("feint-lifted", seat.page, click_all('#hand input[type="radio"]:not(:disabled)[data-places*=" "]'))
    view = seat.play_until(lambda view: view["moments"] > 0)
    camera.still("feint-reveal", seat.moment(view["moments"]))
    camera.film("feint", [(seat.moment(view["moments"]), at) for at in (300, 900, 1500, 2200, 3200)])
    seat.play_until(is_choice("feint"))
    camera.still("feint-choice", seat.page)
    seat.play_until(is_over)
    camera.still("feint-end", seat.page, wait_for_decisions)
    camera.still("replay", f"{seat.page}replay?at=24&as=all")


def take_jinkei(camera: Camera, served: Served) -> None:
    seat = Seat(served, "jinkei", CASUAL)
    seat.play_until(is_asked("formation"))
    camera.still("jinkei-opening", seat.page)
    seat.play_until(is_asked("front"))
    camera.still("jinkei-middle", seat.page, click_all("#hand li button, #hand li label"))
    seat.play_until(is_asked("lead"))
    camera.still("jinkei-choice", seat.page)
    view = seat.play_until(lambda view: view["moments"] > 2 and is_asked("lead")(view))
    camera.still("jinkei-strip", seat.page)
    duel = seat.latest(view, "duel")
    camera.still("jinkei-duel", seat.moment(duel))
    camera.film("jinkei", [(seat.moment(duel), at) for at in (0, 300, 700, 1100, 1700)])
    seat.play_until(is_over)
    camera.still("jinkei-end", seat.page, wait_for_decisions)


def take_generals(camera: Camera, served: Served) -> None:
    seat = Seat(served, "generals", CASUAL)
    seat.play_until(is_asked("main"))
    camera.still("generals-opening", seat.page)
    seat.play_until(lambda view: is_asked("main", 30)(view) and count_acts(view) > 0 and count_own_generals(view) > 1)
    camera.still("generals-middle", seat.page)
    camera.still("generals-lifted", seat.page, click_all(".unit .lift"))
    seat.play_until(is_asked("answer"))
    camera.still("generals-choice", seat.page)
    seat.play_until(is_over)
    camera.still("generals-end", seat.page, wait_for_decisions)


def take_payment(camera: Camera, served: Served) -> None:
    seat = Seat(served, "generals", CASUAL)
    seat.play_until(lambda view: is_asked("main")(view) and len(find_hand(view)) > 5)
    camera.still("generals-draft", seat.page, click_all(".fan .lift.takes", ".draft [data-least]"))


def take_factionwars(camera: Camera, served: Served) -> None:
    seat = Seat(served, "factionwars", CASUAL, CASUAL, seats=3)
    camera.still("factionwars-opening", seat.page)
    seat.play_until(is_asked("select", version=12))
    camera.still("factionwars-middle", seat.page)
    view = seat.play_until(lambda view: seat.latest(view, "cards") > 0 and seat.latest(view, "round") > 0)
    film = [("flags", 300), ("battle", 300), ("cards", 500), ("won", 400), ("round", 400)]
    camera.still("factionwars-battle", seat.moment(seat.latest(view, "won")))
    camera.film("factionwars", [(seat.moment(seat.latest(view, name)), at) for name, at in film])
    seat.play_until(is_choice("factionwars"))
    camera.still("factionwars-choice", seat.page)
    seat.play_until(is_over)
    camera.still("factionwars-end", seat.page, wait_for_decisions)


def take_five(camera: Camera, served: Served) -> None:
    seat = Seat(served, "factionwars", *[CASUAL] * 4, seats=5)
    seat.play_until(is_asked("select", version=20))
    camera.still("factionwars-five", seat.page)


# ---- after the game, and before the first one -----------------------------------------------------


def take_review(camera: Camera, served: Served) -> None:
    """Take the review of a game, and a continuation from one of its positions."""
    seat = Seat(served, "jinkei", CASUAL)
    seat.play_until(is_over)
    camera.press(f"{seat.page}review", "Review this game", "The review of your game")
    camera.still("review", f"{seat.page}review")
    camera.still("play-on", f"{seat.page}play-on?at=20&as=0")


def take_learning(camera: Camera, served: Served) -> None:
    """Take the lessons and puzzles."""
    camera.still("lesson", "/learn/feint/first/?step=9")
    camera.still("puzzle", "/puzzles/feint/5/?answer=played&step=2")
    camera.still("library", "/library/jinkei/colour/replay?at=72&as=0")


def take_workshop(camera: Camera, served: Served) -> None:
    """Take a changed number in the Workshop, and its study."""
    bench = "/workshop/feint/?on=patriot&n.patriot.strength=5&points=5"

    def ask(page: Page) -> None:
        page.get_by_role("button", name="Play it out").click()
        expect(page.get_by_role("heading", name="To take along")).to_be_visible(timeout=WORK_TIMEOUT_MS)

    camera.still("workshop", bench)
    camera.still("study", bench, ask)


def find_hand(view: View) -> list[object]:
    found: list[object] = view["board"]["seats"][view["board"]["me"]]["hand"]
    return found


def count_own_generals(view: View) -> int:
    """Return the number of own generals."""
    return len(view["board"]["seats"][view["board"]["me"]]["units"])


def count_acts(view: View) -> int:
    """Return the number of acts of generals."""
    return sum("#" in action["id"] for action in view["decision"]["actions"])


STORIES: Final = {
    "lobby": Story(take_lobby, 4),
    "decks": Story(take_decks, 4),
    "gathering": Story(take_gathering, 4),
    "feint": Story(take_feint, 8),
    "jinkei": Story(take_jinkei, 4),
    "generals": Story(take_generals, 4),
    "payment": Story(take_payment, 4),
    "factionwars": Story(take_factionwars, 8),
    "five": Story(take_five, 8),
    "after": Story(take_review, 4),
    "learning": Story(take_learning, 4),
    "workshop": Story(take_workshop, 4),
}
