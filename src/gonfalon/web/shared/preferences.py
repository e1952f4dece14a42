"""What a device likes: its player's name, whether there are tips at prompts, and for each game the level, faction and
deck of the last table opened there.

It lies in a cookie, so that the lobby offers it again with or without script, and the server keeps nothing of it.
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
"""Characters of a single liking; a longer one is not kept."""
MOST: Final = 3000
"""Characters of all of them: a browser keeps 4 kB a cookie."""


@dataclass(frozen=True)
class Likes:
    """What was chosen last, by `GAME.FIELD` of the lobby's form; `name` and `tips` for every game."""

    chosen: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.chosen.get("name", "")

    @property
    def tips(self) -> str:
        """Whether tips stand at prompts, `on` or `off`; empty for newcomers' alone."""
        return self.chosen.get("tips", "")

    def with_tips(self, wish: str) -> Likes:
        """With tips at prompts, or without."""
        return Likes({key: value for key, value in self.chosen.items() if key != "tips"} | {"tips": wish})

    def of(self, game: str, field: str) -> str:
        """What was chosen last in a game's form."""
        return self.chosen.get(f"{game}.{field}", "")

    def also(self, game: str, fields: Mapping[str, str]) -> Likes:
        """With what a form has chosen, the latest last."""
        new = {f"{game}.{field}": value for field, value in fields.items()}
        if fields.get("name"):
            new["name"] = fields["name"]
        new = {key: value for key, value in new.items() if value and len(value) <= LONGEST and key != f"{game}.name"}
        return Likes({key: value for key, value in self.chosen.items() if key not in new} | new)

    def called(self, name: str) -> Likes:
        """With another name of the player; an empty one is forgotten."""
        rest = {key: value for key, value in self.chosen.items() if key != "name"}
        name = clean_name(name)
        return Likes(rest | ({"name": name} if name else {}))


def read(request: Request) -> Likes:
    """What the visitor's device likes; nonsense in its cookie is nothing."""
    text = request.cookies.get(COOKIE, "")
    if len(text) > MOST or not text.isascii():
        return Likes({})
    pairs = [(key, value) for key, value in parse_qsl(text) if len(value) <= LONGEST and printable(value) == value]
    return Likes(dict(pairs)).called(dict(pairs).get("name", ""))


def keep(request: Request, response: Response, likes: Likes) -> None:
    """Let the device keep this; the oldest go where it is too much."""
    chosen = list(likes.chosen.items())
    while len(text := urlencode(chosen, quote_via=quote_plus)) > MOST:
        chosen.pop(0)
    response.set_cookie(
        COOKIE,
        text,
        max_age=DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
