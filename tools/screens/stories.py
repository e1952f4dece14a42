"""What there is to see: each story comes to its screens at a server of its own, whose deals are fixed by a seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, NamedTuple

from playwright.sync_api import Page, expect

import gonfalon
from gonfalon.core.basics.decks import Deck, Decks
from tests.web.served import Served
from tools.screens.camera import WORK, Camera, Prepare
from tools.screens.seats import Seat, View, asked, over


class Story(NamedTuple):
    """How its screens are come to, and the first seed that is tried."""

    tell: Callable[[Camera, Served], None]
    seed: int


CASUAL: Final = "bot:casual"
SHELF: Final = "/games/generals/decks"
USUAL: Final = {
    "feint": ("deploy", "reinforce"),
    "factionwars": ("select",),
}
"""What is asked again and again; all else is a choice of its own."""


def tick(selector: str, *then: str) -> Prepare:
    """Something is taken up, and more is pressed."""

    def prepare(page: Page) -> None:
        for one in (selector, *then):
            page.locator(one).first.evaluate("(el) => el.click()")

    return prepare


def choice(game: str) -> Callable[[View], bool]:
    return lambda view: bool(view["decision"]) and view["decision"]["prompt"] not in USUAL[game]


# ---- before the game ----------------------------------------------------------------------------


def lobby(camera: Camera, served: Served) -> None:
    camera.still("lobby-first", "/")
    for game in ("feint", "factionwars"):
        camera.still(f"customise-{game}", "/", customise(game))
    for game in ("feint", "jinkei", "generals"):
        camera.visit(Seat(served, game, CASUAL).page)
    war = Seat(served, "factionwars", CASUAL, CASUAL, seats=3)
    war.play_until(over)
    camera.visit(war.page)
    camera.still("lobby", "/")


def customise(game: str) -> Prepare:
    def prepare(page: Page) -> None:
        page.locator(f"#g-{game} .customise").click()
        expect(page.get_by_role("dialog")).to_be_visible()

    return prepare


def decks(camera: Camera, served: Served) -> None:
    known = gonfalon.game("generals").decks()
    assert known is not None
    codes = {deck.slug: known.code(deck) for deck in known.ready()}
    shelf = {
        "Lords of the East": codes["yellow-sky"],
        "Water and Fire": codes["alliance"],
        "Iron Wall": faulty(known),
    }
    kept = [{"id": f"d{n}", "d": code, "name": name} for n, (name, code) in enumerate(shelf.items())]

    def shelve(page: Page) -> None:
        page.evaluate("(kept) => localStorage.setItem('gonfalon.decks.generals', kept)", json.dumps(kept))
        page.reload()
        expect(page.locator(".box")).to_have_count(len(kept))

    camera.still("shelf", SHELF, shelve)
    camera.still("shelf-ready", f"{SHELF}?tab=ready")
    camera.still("builder", f"{SHELF}/build?d={codes['vanguard-of-wei']}&name=The+Long+Road")


def faulty(known: Decks) -> str:
    """The code of a deck that may not be played."""
    deck = next(deck for deck in known.ready() if deck.slug == "vanguard-of-wei")
    counts = {id: count + 1 if count == 3 else count for id, count in deck.counts.items()}
    return known.code(Deck("", counts))


def gathering(camera: Camera, served: Served) -> None:
    feint, generals = Seat(served, "feint", "open"), Seat(served, "generals", "open")
    camera.still("ready", feint.page)
    with camera.open(generals.page):  # whoever invites is there
        camera.still("sit", f"/t/{generals.key}/{generals.invitation}/")


# ---- at the tables ------------------------------------------------------------------------------


def feint(camera: Camera, served: Served) -> None:
    seat = Seat(served, "feint", CASUAL, factions=["mibits", "wu"])
    seat.play_until(asked("deploy"))
    camera.still("feint-opening", seat.page)
    seat.play_until(asked("deploy", version=9))
    camera.still("feint-middle", seat.page)
    camera.still("feint-lifted", seat.page, tick('#hand input[type="radio"]:not(:disabled)[data-places*=" "]'))
    view = seat.play_until(lambda view: view["moments"] > 0)
    camera.still("feint-reveal", seat.moment(view["moments"]))
    camera.film("feint", [(seat.moment(view["moments"]), at) for at in (300, 900, 1500, 2200, 3200)])
    seat.play_until(choice("feint"))
    camera.still("feint-choice", seat.page)
    seat.play_until(over)
    camera.still("feint-end", seat.page)
    camera.still("replay", f"{seat.page}replay?at=24&as=all")


def jinkei(camera: Camera, served: Served) -> None:
    seat = Seat(served, "jinkei", CASUAL)
    seat.play_until(asked("formation"))
    camera.still("jinkei-opening", seat.page)
    seat.play_until(asked("front"))
    camera.still("jinkei-middle", seat.page, tick("#hand li button, #hand li label"))
    seat.play_until(asked("lead"))
    camera.still("jinkei-choice", seat.page)
    view = seat.play_until(lambda view: view["moments"] > 2 and asked("lead")(view))
    camera.still("jinkei-strip", seat.page)
    duel = seat.latest(view, "duel")
    camera.still("jinkei-duel", seat.moment(duel))
    camera.film("jinkei", [(seat.moment(duel), at) for at in (0, 300, 700, 1100, 1700)])
    seat.play_until(over)
    camera.still("jinkei-end", seat.page)


def generals(camera: Camera, served: Served) -> None:
    seat = Seat(served, "generals", CASUAL)
    seat.play_until(asked("main"))
    camera.still("generals-opening", seat.page)
    seat.play_until(lambda view: asked("main", 30)(view) and acts(view) > 0 and ours(view) > 1)
    camera.still("generals-middle", seat.page)
    camera.still("generals-lifted", seat.page, tick(".unit .lift"))
    seat.play_until(asked("answer"))
    camera.still("generals-choice", seat.page)
    seat.play_until(over)
    camera.still("generals-end", seat.page)


def payment(camera: Camera, served: Served) -> None:
    seat = Seat(served, "generals", CASUAL)
    seat.play_until(lambda view: asked("main")(view) and len(hand(view)) > 5)
    camera.still("generals-draft", seat.page, tick(".fan .lift.takes", ".draft [data-least]"))


def ribbon(camera: Camera, served: Served) -> None:
    """The enemy's turn, as it comes."""
    seat = Seat(served, "generals", CASUAL)
    view = seat.play_until(lambda view: asked("main")(view) and seat.choose(view) == "end")
    deeds = [f"deed-{n}" for n in range(1, 5)]
    camera.live_film("generals", seat.page, lambda: seat.act(view, "end"), deeds, at=120)


def factionwars(camera: Camera, served: Served) -> None:
    seat = Seat(served, "factionwars", CASUAL, CASUAL, seats=3)
    camera.still("factionwars-opening", seat.page)
    seat.play_until(asked("select", version=12))
    camera.still("factionwars-middle", seat.page)
    view = seat.play_until(lambda view: seat.latest(view, "cards") > 0 and seat.latest(view, "round") > 0)
    film = [("flags", 300), ("battle", 300), ("cards", 500), ("won", 400), ("round", 400)]
    camera.still("factionwars-battle", seat.moment(seat.latest(view, "won")))
    camera.film("factionwars", [(seat.moment(seat.latest(view, name)), at) for name, at in film])
    seat.play_until(choice("factionwars"))
    camera.still("factionwars-choice", seat.page)
    seat.play_until(over)
    camera.still("factionwars-end", seat.page)


def five(camera: Camera, served: Served) -> None:
    seat = Seat(served, "factionwars", *[CASUAL] * 4, seats=5)
    seat.play_until(asked("select", version=20))
    camera.still("factionwars-five", seat.page)


# ---- after the game, and before the first one -----------------------------------------------------


def after(camera: Camera, served: Served) -> None:
    """The review of a game, and playing on from what mattered in it."""
    seat = Seat(served, "jinkei", CASUAL)
    seat.play_until(over)
    camera.press(f"{seat.page}review", "Review this game", "The review of your game")
    camera.still("review", f"{seat.page}review")
    camera.still("play-on", f"{seat.page}play-on?at=20&as=0")


def learning(camera: Camera, served: Served) -> None:
    """What there is to learn and to solve."""
    camera.still("lesson", "/learn/feint/first/")
    camera.still("puzzle", "/puzzles/feint/1/")
    camera.still("library", "/library/jinkei/colour/replay?at=72&as=0")


def workshop(camera: Camera, served: Served) -> None:
    """A number on the bench, and what it does."""
    bench = "/workshop/feint/?on=patriot&n.patriot.strength=5&points=5"

    def ask(page: Page) -> None:
        page.get_by_role("button", name="Play it out").click()
        expect(page.get_by_role("heading", name="To take along")).to_be_visible(timeout=WORK)

    camera.still("workshop", bench)
    camera.still("study", bench, ask)


def hand(view: View) -> list[object]:
    found: list[object] = view["board"]["seats"][view["board"]["me"]]["hand"]
    return found


def ours(view: View) -> int:
    """How many generals one has."""
    return len(view["board"]["seats"][view["board"]["me"]]["units"])


def acts(view: View) -> int:
    """How many things generals may do."""
    return sum("#" in action["id"] for action in view["decision"]["actions"])


STORIES: Final = {
    "lobby": Story(lobby, 4),
    "decks": Story(decks, 4),
    "gathering": Story(gathering, 4),
    "feint": Story(feint, 8),
    "jinkei": Story(jinkei, 4),
    "generals": Story(generals, 4),
    "payment": Story(payment, 4),
    "ribbon": Story(ribbon, 4),
    "factionwars": Story(factionwars, 8),
    "five": Story(five, 8),
    "after": Story(after, 4),
    "learning": Story(learning, 4),
    "workshop": Story(workshop, 4),
}
