"""Pages from templates: static addresses, and shared parts of the context."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from functools import cache
from itertools import chain, repeat
from typing import Final
from weakref import WeakKeyDictionary

from markupsafe import Markup
from starlette.responses import HTMLResponse

from gonfalon.core.basics.decks import Decks
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.log import Line
from gonfalon.table import messages
from gonfalon.table.live.views import Drawn
from gonfalon.table.store.admin_rows import ServerState
from gonfalon.web.http.templates import Templates, Unkept
from gonfalon.web.shared.card_pictures import list_pictures, list_sheets
from gonfalon.web.shared.game_info import decks_of, first_game, guide_url, list_blazons, lobby_game, shelf_url
from gonfalon.web.shared.generic_board import build_texts
from gonfalon.web.shared.static_files import STATIC, find_sheets, find_symbols, folder_mark, joined_scripts
from gonfalon.web.shared.template_context import FACE, HERE, PLAIN, Context, has_part

logger: Final = logging.getLogger("gonfalon.web")


class Renderer:
    """The templates of the server, and of each game under its name: `feint/table.html`."""

    def __init__(self, kinds: dict[str, type[Game]]) -> None:
        self.kinds: dict[str, type[Game]] = kinds
        self.templates = Templates(HERE / "templates", {name: kind.folder / FACE for name, kind in kinds.items()})
        portraits = list_sheets(kinds.values())
        # One mark for the whole folder, in the path: scripts that import each other stay together.
        self.static_root: str = "/static/" + folder_mark(STATIC, portraits)
        self.sheets: dict[str, str] = find_sheets() | find_symbols(portraits)
        self.joined: dict[str, str] = joined_scripts(kinds) | portraits
        """The bundled scripts of pages and the portraits of cards, by name."""
        self.css: dict[str, str | None] = {name: self.game_css(kind) for name, kind in kinds.items()}
        self.games: list[Context] = [lobby_game(kind) for _, kind in sorted(kinds.items())]
        """The games of the lobby."""
        self.decks: dict[str, Decks] = decks_of(kinds)
        """The decks of the games that have some."""
        self.cards_urls: dict[str, str | None] = {game["name"]: game["cards_url"] for game in self.games}
        self.templates.share("static", self.static)
        self.templates.share("picture", cache(self.picture))
        self.templates.share("pictures", list_pictures(kinds))
        self.templates.share("blazons", list_blazons(kinds))
        self.templates.share("workshop", True)
        self.templates.share("parts", Unkept())
        self.templates.share("docs", False)
        self.share_state(ServerState())
        self.templates.share("decks_url", next((shelf_url(name) for name in self.decks), None))
        guides = [(kinds[name].title, guide_url(kinds[name])) for name in sorted(kinds)]
        self.templates.share("guides", [(title, url) for title, url in guides if url])
        self.choices: dict[str, list[Context]] = {}
        """The choices of seats, by game, once computed."""
        self.examples: dict[str, str] = {}
        """The examples of own cards, by game, once made."""
        self._game_links: dict[str, Context] = {}
        self._cards: WeakKeyDictionary[Game, Markup] = WeakKeyDictionary()

    def share_state(self, state: ServerState) -> None:
        """Show the operator's notice, and maintenance, on all pages from now on."""
        self.templates.share("server_notice", state.notice)
        self.templates.share("server_maintenance", messages.MAINTENANCE if state.maintenance else "")

    def static(self, name: str) -> str:
        """Return the permanent address of a static file."""
        return f"{self.static_root}/{name}"

    def picture(self, name: str) -> str:
        """Return the address of an icon or a portrait. Card files may give unknown names: for them a gonfalon's."""
        name = name if name in self.sheets else "gonfalon"
        return f"{self.static(self.sheets[name])}#{name}"

    def own(self, kind: Game | type[Game], part: str, default: str) -> str:
        """Return a game's own template of a part of its page, or the default one."""
        return f"{kind.name}/{part}" if has_part(kind.folder, part) else default

    def game_css(self, kind: type[Game]) -> str | None:
        """Return the address of a game's stylesheet, which changes with its content; None if it has none."""
        file = kind.folder / FACE / "table.css"
        if file.is_file():
            return f"/games/{kind.name}/table.css?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        return self.static("plain.css") if self.own(kind, "table.html", PLAIN) == PLAIN else None

    def game_links(self, kind: type[Game]) -> Context:
        """Return the addresses of a game's rules, lessons and cards; None for those that it does not have."""
        if kind.name not in self._game_links:
            first = first_game(kind)
            self._game_links[kind.name] = {
                "guide_url": guide_url(kind),
                "learn_url": first and first["url"],
                "cards_url": self.cards_urls.get(kind.name),
            }
        return self._game_links[kind.name]

    def table_js(self, game: Game) -> str:
        """Return the address of the scripts of a game's table."""
        own = f"{game.name}-table.js"
        return self.static(own if own in self.joined else "table.js")

    def page(self, template: str, code: int = 200, **context: object) -> HTMLResponse:
        return HTMLResponse(self.templates.draw(template, context), code)

    def lesson_js(self, game: Game) -> str:
        """Return the address of the scripts of a game's lessons."""
        own = f"{game.name}-lesson.js"
        return self.static(own if own in self.joined else "lessons.js")

    def log(self, lines: Iterable[Line], drawn: Drawn, past_url: str = "") -> list[str]:
        """Return the rendered log. Lines in `drawn` are not rendered again. `past_url` shows the table after a line."""
        # Changed in place, because the list is a cache of the table.
        drawn[:] = [
            old if old is not None and old[0] == line else (line, self.line(line, past_url))
            for line, old in zip(lines, chain(drawn, repeat(None)), strict=False)
        ]
        return [html for _, html in drawn]

    def line(self, line: Line, past_url: str = "") -> str:
        """Return a rendered sentence of the log."""
        return self.templates.draw("_log_line.html", {"e": line, "past_url": past_url})

    def cards(self, game: Game, changed: Context | None = None) -> Markup:
        """Return the printed text of a game's cards, shown beside every board; it is equal for all viewers
        and states.

        Args:
            game: The game.
            changed: The changed figures of own cards, by the slug of the card.
        """
        if game not in self._cards:
            html = ""
            if (game.folder / FACE / "cards.html").is_file():
                context = {"cards": game.all_cards(), "guide": guide_url(game), "changed": changed or {}}
                html = self.templates.draw(f"{game.name}/cards.html", context)
            elif self.own(game, "table.html", PLAIN) == PLAIN:
                context = {"cards": build_texts(game), "changed": changed or {}}
                html = self.templates.draw("_plain_cards.html", context)
            self._cards[game] = Markup(html)
        return self._cards[game]
