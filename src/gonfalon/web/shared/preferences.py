"""Preferences of a device: the player's name, tips, and for each game the level, faction and deck of the last table.

They are stored in a cookie, so that the lobby offers them again with or without script, and the server stores nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, quote_plus, urlencode

from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.text.untrusted import printable
from gonfalon.table.seats.names import clean_name
from gonfalon.web.shared.context import is_secure

COOKIE: Final = "likes"
DAYS: Final = 400
LONGEST: Final = 400
"""Maximum characters of a value; a longer one is not stored."""
MOST: Final = 3000
"""Maximum characters of all values. A browser stores 4 kB in a cookie."""


@dataclass(frozen=True)
class Likes:
    """The last choices, by `GAME.FIELD` of the lobby's form; `name` and `tips` for every game."""

    chosen: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.chosen.get("name", "")

    @property
    def tips(self) -> str:
        """Whether prompts show tips: `on`, `off`, or empty for the first games only."""
        return self.chosen.get("tips", "")

    def with_tips(self, wish: str) -> Likes:
        """Return the preferences with tips on or off."""
        return Likes({key: value for key, value in self.chosen.items() if key != "tips"} | {"tips": wish})

    def of(self, game: str, field: str) -> str:
        """Return the last choices in a game's form."""
        return self.chosen.get(f"{game}.{field}", "")

    def also(self, game: str, fields: Mapping[str, str]) -> Likes:
        """Return the preferences with the choices of a form, the latest last."""
        new = {f"{game}.{field}": value for field, value in fields.items()}
        if fields.get("name"):
            new["name"] = fields["name"]
        new = {key: value for key, value in new.items() if value and len(value) <= LONGEST and key != f"{game}.name"}
        return Likes({key: value for key, value in self.chosen.items() if key not in new} | new)

    def called(self, name: str) -> Likes:
        """Return the preferences with another name of the player; an empty name is removed."""
        rest = {key: value for key, value in self.chosen.items() if key != "name"}
        name = clean_name(name)
        return Likes(rest | ({"name": name} if name else {}))


def read_preferences(request: Request) -> Likes:
    """Return the preferences of a visitor's device. An invalid cookie gives none."""
    text = request.cookies.get(COOKIE, "")
    if len(text) > MOST or not text.isascii():
        return Likes({})
    pairs = [(key, value) for key, value in parse_qsl(text) if len(value) <= LONGEST and printable(value) == value]
    return Likes(dict(pairs)).called(dict(pairs).get("name", ""))


def store_preferences(request: Request, response: Response, likes: Likes) -> None:
    """Store preferences in the cookie. The oldest are dropped if there are too many."""
    chosen = list(likes.chosen.items())
    # Browsers drop a cookie that is too long without a message.
    while len(text := urlencode(chosen, quote_via=quote_plus)) > MOST:
        chosen.pop(0)
    response.set_cookie(COOKIE, text, max_age=DAYS * 86_400, httponly=True, samesite="lax", secure=is_secure(request))
