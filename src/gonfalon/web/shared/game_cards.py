"""The cards of games in the lobby: a heraldic picture, the usual length, the arms.

A game may name them in its `lobby()` (`picture`, one of PICTURES, and `minutes`). For the games of Gonfalon they are
defined here. Any other game gets its banners on a hill.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from gonfalon.core.rules.game import Game
from gonfalon.web import messages
from gonfalon.web.shared.game_info import first_game, learn_url, lobby_of, seat_words
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import Context

PICTURES: Final = ("columns", "cards", "sunrise", "shield", "dusk")
"""The pictures that `_picture.html` draws. The last one is for any game."""


class Shown(NamedTuple):
    """The lobby's facts about a game besides its own data."""

    picture: str
    minutes: int


KNOWN: Final = {
    "feint": Shown("columns", 25),
    "jinkei": Shown("cards", 15),
    "generals": Shown("sunrise", 30),
    "factionwars": Shown("shield", 20),
}
"""The games in the order of the lobby."""
PLAIN_ARMS: Final = ({"slug": "", "colour": "crimson"}, {"slug": "", "colour": "grey"}, {"slug": "", "colour": "blue"})


@lru_cache(maxsize=1)
def list_showcases(render: Renderer) -> list[Context]:
    """Return the cards of the lobby, the games of Gonfalon first."""
    order = [name for name in KNOWN if name in render.kinds]
    order += [game["name"] for game in render.games if game["name"] not in KNOWN]
    by_name = {game["name"]: game for game in render.games}
    return [{**by_name[name], **describe_game(render.kinds[name])} for name in order]


def showcase_of(render: Renderer, kind: type[Game]) -> Context:
    """Return the card of one game."""
    return next(game for game in list_showcases(render) if game["name"] == kind.name)


def describe_game(kind: type[Game]) -> Context:
    """Return picture, length and arms of a game, its short title, and where to learn it or to invite a friend."""
    said = lobby_of(kind)
    known = KNOWN.get(kind.name)
    friend = "opponent=friend" if kind.seat_counts == (2,) else "who-1=friend"
    picture = said.get("picture") or (known.picture if known else "")
    return {
        "picture": picture if picture in PICTURES else PICTURES[-1],
        "minutes": said.get("minutes") or (known.minutes if known else None),
        "short": kind.title.rpartition(": ")[2],
        "learn_url": learn_url(kind.name) if first_game(kind) else None,
        "invite_url": f"/games/{kind.name}/new?{friend}",
        "offer_url": f"/games/{kind.name}/new?{friend}&listed=yes",
        "arms": arms_of(kind),
        "about": kind.genre or messages.CARD_GAME.format(seats=seat_words(kind.seat_counts)),
        "brief": list(kind.brief),
    }


def arms_of(kind: type[Game]) -> list[Context]:
    """Return the banners of a game."""
    said = lobby_of(kind)
    arms = [{"slug": one["slug"], "colour": one["colour"]} for one in said.get("factions") or said.get("banners") or []]
    return arms or [dict(plain) for plain in PLAIN_ARMS]
