"""Pages from templates: Jinja's environment, static addresses, and what a table's template is given."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import jinja2
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from gonfalon import bots
from gonfalon.bots import levels_for
from gonfalon.core.decks import Decks
from gonfalon.core.game import Game, Option, names_for
from gonfalon.table import Table, Who
from gonfalon.table.who import WATCH, invitation

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"


class Renderer:
    """Templates of the site, and of each game under its name: `feint/table.html`."""

    def __init__(self, kinds: dict[str, type[Game]]) -> None:
        self.kinds: dict[str, type[Game]] = kinds
        games = {name: jinja2.FileSystemLoader(kind.folder) for name, kind in kinds.items()}
        self.env = jinja2.Environment(
            loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader(HERE / "templates"), jinja2.PrefixLoader(games)]),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        # One mark for the whole folder, in the path: scripts that import each other stay together.
        self.static_root: str = "/static/" + folder_mark(STATIC)
        self.css: dict[str, str] = {name: game_css(kind) for name, kind in kinds.items()}
        self.games: list[dict[str, Any]] = [lobby_game(kind) for _, kind in sorted(kinds.items())]
        """The lobby's games."""
        self.decks: dict[str, Decks] = decks_of(kinds)
        """What the games whose players bring decks know about them."""
        self.env.globals["static"] = self.static
        self.env.globals["blazons"] = blazons(kinds)
        self.env.globals["guides"] = [(kinds[name].title, guide_url(name)) for name in sorted(kinds)]
        self._boards: WeakKeyDictionary[Table, dict[str, tuple[tuple[int, int], str]]] = WeakKeyDictionary()

    def static(self, name: str) -> str:
        """The address of a static file, good for ever."""
        return f"{self.static_root}/{name}"

    def page(self, template: str, code: int = 200, **context: Any) -> HTMLResponse:
        return HTMLResponse(self.env.get_template(template).render(context), code)

    def board(self, table: Table, who: Who, token: str, base: str) -> str:
        """The live part of a table's page (kept until it changes)."""
        kept = self._boards.setdefault(table, {})
        mark = table.mark(who.viewer)
        if token not in kept or kept[token][0] != mark:
            context = table_context(self, table, who, token, base)
            kept[token] = (mark, self.env.get_template("_table.html").render(context))
        return kept[token][1]


def table_context(
    render: Renderer, table: Table, who: Who, token: str, base: str, refusal: str | None = None
) -> dict[str, Any]:
    """What table.html and _table.html are given. All of it follows from the viewer's masked state."""
    shown = table.shown(who.viewer)
    game, here = table.game, f"/t/{table.key}/{token}"
    over = shown["over"]
    names = names_for(game, who.viewer, shown["names"])
    asked = shown["decision"] is not None
    controls = game.controls(table.view(who.viewer)) if asked else {"mode": None, "cards": {}, "choices": []}
    return {
        "page_title": f"{title(table)} · Gonfalon",
        "table": {"key": table.key, "title": title(table), "game": game.name, "game_title": game.title},
        "live_url": here + "/live",
        "game_template": f"{game.name}/table.html",
        "game_css": render.css[game.name],
        "board": shown["board"],
        "decision": shown["decision"],
        "me": who.viewer if who.seated else None,
        "ui": {
            "pass": False,
            "confirm_pass": None,
            **controls,
            "form_url": here + "/act",
            "token_hidden": {"expected": shown["version"]},
            "names": names,
            "waiting": None if asked or over else shown["prompt"],
            "can_take_back": shown["can_take_back"],
        },
        "log": shown["log"],
        "invite": invite(table, who, token, base),
        "refusal": refusal,
        "over": None if over is None else over | {"rematch_url": here + "/rematch" if who.seated else None},
        "menu": {
            "guide_url": guide_url(game.name),
            "record_url": here + "/record.json" if over else None,
            "replay_url": None,
            "concede_url": here + "/concede" if who.seated and not over else None,
        },
    }


def title(table: Table) -> str:
    """What a table is called in lists and headings."""
    return f"{table.game.title} · {' against '.join(table.names)}"


def invite(table: Table, who: Who, token: str, base: str) -> dict[str, str] | None:
    """The links to give away, for whoever opened a table at which a seat is free."""
    if not who.seated or not table.free_seats() or not table.invites(invitation(token)):
        return None
    return {
        "url": f"{base}/t/{table.key}/{invitation(token)}",
        "spectator_url": f"{base}/t/{table.key}/{WATCH}",
    }


def guide_url(game: str) -> str:
    """Where a game's rules stand."""
    return f"/games/{game}/guide"


def base_url(connection: HTTPConnection) -> str:
    """This server's address as the visitor's browser knows it."""
    url = connection.url
    return f"{url.scheme.replace('ws', 'http', 1)}://{url.netloc}"


def lobby_game(kind: type[Game]) -> dict[str, Any]:
    """What the lobby shows of a game: its public options, and what its `lobby()` adds."""
    return {
        "name": kind.name,
        "title": kind.title,
        "seats": " or ".join(str(n) for n in kind.seat_counts),
        "tagline": kind.tagline,
        "guide_url": guide_url(kind.name),
        "factions": [],
        "bots": [
            {"value": f"bot:{level}", "title": bot.title, "about": bot.about, "icon": bot.icon}
            for level in reversed(levels_for(kind()))
            for bot in [bots.kind(level)]
        ],
        "options": [lobby_option(o) for o in kind.options_spec if o.public and not isinstance(o.default, tuple)],
        **lobby_of(kind),
        "bring": lobby_decks(kind),
    }


def lobby_of(kind: type[Game]) -> dict[str, Any]:
    """A game's own part of the lobby (`factions` to pick from); games need none."""
    found = getattr(kind, "lobby", None)
    lobby: dict[str, Any] = dict(found()) if found is not None else {}
    if "factions" in lobby:
        lobby["factions"] = [{"text": faction.get("style", ""), **faction} for faction in lobby["factions"]]
    return lobby


def offered(option: Option) -> bool:
    """Whether a page or a program may set an option: public ones, and lists (a value a seat), which the
    game's own part of the lobby asks for; never files."""
    return (option.public or isinstance(option.default, tuple)) and not option.file


def decks_of(kinds: dict[str, type[Game]]) -> dict[str, Decks]:
    """The games with decks, by name."""
    found = {name: kind().decks() for name, kind in kinds.items()}
    return {name: decks for name, decks in found.items() if decks is not None}


def builder_url(game: str) -> str:
    """Where a game's decks are built."""
    return f"/games/{game}/decks"


def lobby_decks(kind: type[Game]) -> dict[str, Any] | None:
    """The ready-made decks to choose from, and where one's own are built; None for a game without decks."""
    decks = kind().decks()
    if decks is None:
        return None
    ready = [{"value": decks.word(deck), "label": deck.name} for deck in decks.ready()]
    return {"option": decks.option, "ready": ready, "url": builder_url(kind.name)}


def blazons(kinds: dict[str, type[Game]]) -> dict[str, tuple[str, str]]:
    """Pattern and glyph of every faction of every game."""
    lobbies = [lobby_of(kind) for kind in kinds.values()]
    factions = [faction for lobby in lobbies for key in ("factions", "banners") for faction in lobby.get(key, [])]
    return {f["slug"]: (f.get("pattern") or "plain", f.get("glyph") or "gonfalon") for f in factions}


def lobby_option(option: Option) -> dict[str, Any]:
    """An option as a form asks for it."""
    default = option.default
    kind = "bool" if isinstance(default, bool) else "int" if isinstance(default, int) else "str"
    choices = [{"value": value, "label": label} for value, label in option.choices]
    return {
        "name": option.name,
        "label": option.label,
        "help": option.help,
        "choices": choices or None,
        "default": default,
        "type": "choice" if choices else kind,
    }


def game_css(kind: type[Game]) -> str:
    """The address of a game's stylesheet, which changes with it."""
    file = kind.folder / "table.css"
    mark = hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file.is_file() else "none"
    return f"/games/{kind.name}/table.css?v={mark}"


def folder_mark(folder: Path) -> str:
    """A short hash of all files of a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def package_version() -> str:
    """The installed version, empty in a bare checkout."""
    try:
        return version("gonfalon")
    except PackageNotFoundError:
        return ""
