"""What there is to see: each story comes to its screens at a server of its own, whose deals are fixed by a seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, NamedTuple

import gonfalon
from playwright.sync_api import Page, expect
from tests.screens.camera import Camera
from tests.screens.seats import Seat, View, asked, over
from tests.web.served import Served


class Story(NamedTuple):
    """How its screens are come to, and the first seed that is tried."""

    tell: Callable[[Camera, Served], None]
    seed: int


CASUAL: Final = "bot:casual"
BUILDER: Final = "/games/generals/decks/build"


def lobby(camera: Camera, served: Served) -> None:
    camera.still("lobby-first", "/")
    camera.still("customise-feint", "/", customise("feint"))
    camera.still("customise-factionwars", "/", customise("factionwars"))
    for game in ("feint", "jinkei", "generals"):
        camera.visit(Seat(served, game, CASUAL).page)
    war = Seat(served, "factionwars", CASUAL, CASUAL, seats=3)
    war.play_until(asked("select", version=12))
    camera.visit(war.page)
    camera.still("lobby", "/")


def customise(game: str) -> Callable[[Page], None]:
    def prepare(page: Page) -> None:
        page.locator(f"#g-{game} .customise").click()
        expect(page.get_by_role("dialog")).to_be_visible()

    return prepare


def decks(camera: Camera, served: Served) -> None:
    known = gonfalon.game("generals").decks()
    ready = known.ready()
    print([d for d in ready][:1], dir(known))


STORIES: Final = {
    "lobby": Story(lobby, 4),
    "decks": Story(decks, 4),
}
_ = (json, View, over, BUILDER)
