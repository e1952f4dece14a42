"""The commands. Each imports what it needs: `gonfalon games` must not load a web server."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING

from gonfalon.cli.arguments import UsageError
from gonfalon.cli.lookups import (
    decks_of,
    game_of,
    game_played_on,
    game_with_decks,
    read_options,
    record_of,
)
from gonfalon.core.extras import describe_missing
from gonfalon.core.text.untrusted import print_json, print_text

if TYPE_CHECKING:
    from gonfalon.check import Pages, Requests
    from gonfalon.core.rules.game import Game, Option


def serve(args: argparse.Namespace) -> int:
    """`gonfalon` and `gonfalon serve`."""
    from gonfalon.web import serve as web_serve

    web_serve(
        host=args.host,
        port=args.port,
        database_url=args.database,
        open_browser=args.browse,
        workers=args.workers,
        think=args.think,
        limits=args.limits,
        unplayed=args.unplayed,
        abandoned=args.abandoned,
        export=args.export,
        base_url=args.base_url,
        proxies=args.trusted_proxy,
        metrics_at=args.metrics,
        log=args.log,
        study=args.workshop,
    )
    return 0


def database_current(args: argparse.Namespace) -> int:
    """`gonfalon database current`."""
    from gonfalon.table.store.engines import default_database
    from gonfalon.table.store.migrations import SCHEMA_VERSION, found_version

    found = found_version(args.database or default_database())
    if found is None:
        print_text("There are no tables in this database yet.")
    elif found == SCHEMA_VERSION:
        print_text(f"Schema version {found}, the newest.")
    else:
        print_text(f"Schema version {found}; the newest is {SCHEMA_VERSION}.")
    return 0


def database_upgrade(args: argparse.Namespace) -> int:
    """`gonfalon database upgrade`."""
    return _migrate(args, up=True)


def database_downgrade(args: argparse.Namespace) -> int:
    """`gonfalon database downgrade`: whoever has not agreed beforehand is told what is lost, and asked."""
    from gonfalon.table.store.engines import default_database
    from gonfalon.table.store.migrations import way_of
    from gonfalon.terminal.drawing.console import Console

    way = way_of(args.database or default_database(), args.version, up=False)
    if args.yes or way.found == way.wanted:
        return _migrate(args, up=False)
    console = Console()
    if not console.terminal:
        raise UsageError(
            f"This would bring the database down from schema version {way.found} to {way.wanted}, and nobody is at a "
            "terminal to agree to what is lost: give --yes."
        )
    console.say(
        f"From schema version {way.found} down to {way.wanted}. Only a backup brings back what is lost by that:"
    )
    for line in way.told():
        console.say(" ".join(line.split()))
    if (console.ask("Bring it down? (yes, or Enter for no) ") or "").lower() not in ("yes", "y"):
        console.say("Nothing was changed.")
        return 1
    args.version = way.wanted  # what was agreed to, whatever else happens meanwhile
    return _migrate(args, up=False, tell=False)


def _migrate(args: argparse.Namespace, up: bool, tell: bool = True) -> int:
    from gonfalon.table.store.engines import default_database
    from gonfalon.table.store.migrations import found_version, migrate

    url = args.database or default_database()
    said = migrate(url, args.version, up)
    print_text(f"Schema version {found_version(url)}.")
    for line in said if tell else []:
        print_text(" ".join(line.split()))
    return 0


def backup(args: argparse.Namespace) -> int:
    """`gonfalon backup`."""
    from gonfalon.table.store import backup as backups
    from gonfalon.table.store.engines import default_database

    print_text(f"{args.file} holds {backups.backup(args.database or default_database(), args.file)}.")
    return 0


def restore(args: argparse.Namespace) -> int:
    """`gonfalon restore`."""
    from gonfalon.table.store import backup as backups
    from gonfalon.table.store.engines import default_database

    print_text(f"The database holds {backups.restore(args.database or default_database(), args.file)}.")
    return 0


def play(args: argparse.Namespace) -> int:
    """`gonfalon play`."""
    from gonfalon.terminal.play import sit_down

    args.game = args.game or _game_of_record(args)
    if args.game is None:
        return _play_from_menu(args)
    record = None
    if args.record is not None and args.record.exists():
        record = record_of(args.record)
    return sit_down(
        name=args.game,
        make_game=lambda: game_of(args.game, args.option) if args.start is None else game_played_on(args),
        options_given=bool(args.option or args.start),
        record=record,
        path=args.record,
        seats=args.seat,
        levels=args.bots,
        plain=args.plain,
        seed=args.seed,
        think=args.think,
        tips=args.tips,
        motion=not args.no_motion,
    )


def _game_of_record(args: argparse.Namespace) -> str | None:
    """The game of the record from which somebody plays on, or with which they go on. Raises RecordError."""
    if args.start is None and (args.record is None or not args.record.exists()):
        return None
    return record_of(args.start or args.record, legal=False).game.name


def _play_from_menu(args: argparse.Namespace) -> int:
    """`gonfalon play` without a game."""
    from gonfalon.games import game, names
    from gonfalon.terminal.screens import run as screen

    if args.option or args.bots or args.seat or args.record or args.plain or not screen.fits():
        raise UsageError(f"Name the game to play: there are {', '.join(names())}.")
    from gonfalon.terminal.games import saved_games
    from gonfalon.terminal.games.menu import Menu
    from gonfalon.terminal.play import sit_down

    chosen = screen.menu(Menu(names(), saved_games.waiting()))
    if chosen is None:
        return 0
    waits = chosen.kept
    return sit_down(
        name=waits.record.game.name if waits else chosen.game,
        make_game=lambda: game(chosen.game, **chosen.options),
        options_given=False,
        record=waits.record if waits else None,
        path=waits.path if waits else saved_games.new_path(chosen.game),
        seats=[] if waits else [0],
        levels=screen.sitters_of(waits.record.names) if waits else ",".join(chosen.levels),
        plain=False,
        seed=args.seed,
        think=args.think,
        motion=not args.no_motion,
    )


def join(args: argparse.Namespace) -> int:
    """`gonfalon join`."""
    from gonfalon.terminal.screens import run as screen

    return screen.join(args.link, args.name, args.bring, watch=False, motion=not args.no_motion, plain=args.plain)


def watch(args: argparse.Namespace) -> int:
    """`gonfalon watch`."""
    from gonfalon.terminal.screens import run as screen

    return screen.join(args.link, "", "", watch=True, motion=not args.no_motion, plain=args.plain)


def games(args: argparse.Namespace) -> int:
    """`gonfalon games`."""
    from gonfalon.games import kind, names

    found = []
    for name in names():
        try:
            found.append(kind(name))
        except Exception as error:  # a stranger's package may fail in any way; the other games still are there
            print_text(f"gonfalon: {name} cannot be loaded: {type(error).__name__}: {error}", file=sys.stderr)
    if args.json:
        print_json([shown_game(cls) for cls in found], indent=1)
        return 0
    for cls in found:
        seats = " or ".join(str(count) for count in cls.seat_counts)
        print_text(f"{cls.name}: {cls.title} ({seats} seats, rules version {cls.version})")
        if cls.tagline:
            print_text(f"  {cls.tagline}")
        for option in cls.options_spec:
            default = option.default
            if isinstance(default, tuple):
                default = ",".join(str(part) for part in default)
            elif isinstance(default, bool):
                default = "yes" if default else "no"
            shown = "" if default is None else f"; default {default}"
            print_text(f"  --option {option.name}=...  {option.label} ({values_of(option)}{shown})")
    return 0


def values_of(option: Option) -> str:
    """What an option may hold, in words."""
    if option.choices:
        return ", ".join(str(value).lower() for value, _ in option.choices)
    if option.file:
        return "a file"
    known = {
        "bool": "yes or no",
        "int": f"a number {option.bounds()}".strip(),
        "tuple": "a list",
        "str": "a text",
        "NoneType": "anything",
    }
    kind = type(option.default).__name__
    return known.get(kind, kind)


def shown_game(cls: type[Game]) -> dict[str, object]:
    """A game as `games --json` gives it."""
    return {
        "name": cls.name,
        "title": cls.title,
        "tagline": cls.tagline,
        "version": cls.version,
        "seats": list(cls.seat_counts),
        "options": [
            {
                "name": option.name,
                "label": option.label,
                "help": option.help,
                "default": list(option.default) if isinstance(option.default, tuple) else option.default,
                "choices": [{"value": value, "label": label} for value, label in option.choices],
                "least": option.least,
                "most": option.most,
                "file": option.file,
                "public": option.public,
            }
            for option in cls.options_spec
        ],
    }


def learn(args: argparse.Namespace) -> int:
    """`gonfalon learn`."""
    from gonfalon.games import kind
    from gonfalon.terminal.games.lesson import learn as guide

    return guide(kind(args.game), args.name, args.plain)


def replay(args: argparse.Namespace) -> int:
    """`gonfalon replay`."""
    from gonfalon.core.rules.state import OPEN, SPECTATOR
    from gonfalon.terminal.play import no_seat
    from gonfalon.terminal.replay import replay as step_through

    record = record_of(args.file)
    viewer: int | None = None
    if args.seat is not None:
        if args.seat >= record.game.seats:
            raise UsageError(no_seat(record.game, args.seat))
        viewer = args.seat
    elif args.spectator:
        viewer = SPECTATOR
    elif args.all:
        viewer = OPEN
    return step_through(record, viewer, args.json, args.plain)


def review(args: argparse.Namespace) -> int:
    """`gonfalon review`."""
    from gonfalon.review.command import main as review_main
    from gonfalon.review.errors import ReviewError
    from gonfalon.review.work import result_of
    from gonfalon.terminal.play import no_seat

    record = record_of(args.file)
    try:
        result_of(record)
    except ReviewError as error:
        raise ReviewError(f"{args.file}: {error}") from None
    seats = list(range(record.game.seats))
    if args.seat is not None:
        if args.seat not in seats:
            raise UsageError(no_seat(record.game, args.seat))
        seats = [args.seat]
    draw = None
    if args.html:
        from gonfalon.web.history.review_charts import chapters_of
        from gonfalon.web.history.review_page import page

        draw = partial(page, chapters=chapters_of(record))
    return review_main(record, args.file, seats, args.seed, args.workers, args.json, draw)


def verify(args: argparse.Namespace) -> int:
    """`gonfalon verify`."""
    from gonfalon.core.files import verify as checks
    from gonfalon.core.files.reading import read_text

    record = record_of(args.file, legal=False)
    mine = None if args.mine is None else checks.read_mine(read_text(args.mine))
    findings = checks.examine(record, mine)
    for finding in findings:
        print_text(f"{({True: 'holds', False: 'FAILS', None: 'note '})[finding.holds]} {finding.text}")
    print_text(f"Signs of the deal: {checks.deal_signs(checks.proof_of(record))}")
    print_text(f"Signs of the game: {checks.game_signs(record)}")
    proved = checks.proved(findings)
    print_text("The shuffles are proved." if proved else "The shuffles are not proved.")
    return 0 if proved else 1


def check(args: argparse.Namespace) -> int:
    """`gonfalon check`."""
    from gonfalon.bridges.senders import senders
    from gonfalon.check import main as check_main
    from gonfalon.games import kind

    kind(args.game)
    options = read_options(args.game, args.option)
    if args.honesty:
        from gonfalon.check.laws.secrecy.honesty import proved

        return 0 if proved(args.game, args.honesty, options) else 1
    return check_main(args.game, args.seconds, options, senders(), *server_checks())


def server_checks() -> tuple[Pages | None, Requests | None]:
    """Return what opens pages and sends requests for the kit; None for both without the extra `server`."""
    try:
        from gonfalon.table.check_requests import send
        from gonfalon.web.server.check_pages import open_pages
    except ModuleNotFoundError as error:
        if describe_missing(error) is None:
            raise
        return None, None
    return open_pages, send


def new(args: argparse.Namespace) -> int:
    """`gonfalon new`."""
    from pathlib import Path

    from gonfalon.cli.new import lay_out, report

    lay_out(args.name, Path())
    print_text(report(args.name))
    return 0


def bench(args: argparse.Namespace) -> int:
    """`gonfalon bench`."""
    from gonfalon import bench as benches

    run = benches.vector_main if args.vector else benches.main
    return run(args.games, args.seconds, args.workers, args.json)


def card(args: argparse.Namespace) -> int:
    """`gonfalon card`."""
    from gonfalon.terminal.drawing.cards import card_text

    game = game_of(args.game, args.option)
    name = " ".join(args.name)
    found = game.card(name)
    if found is None:
        raise UsageError(f"There is no card {name!r} in {game.title}.")
    print_text(card_text(found))
    return 0


def deck_check(args: argparse.Namespace) -> int:
    """`gonfalon deck check`."""
    from gonfalon.terminal import decks

    return decks.check(decks_of(game_with_decks(args.game), args.option), args.decks)


def deck_show(args: argparse.Namespace) -> int:
    """`gonfalon deck show`."""
    from gonfalon.terminal import decks

    return decks.show(decks_of(game_with_decks(args.game), args.option), args.deck, args.hold, args.json)


def deck_code(args: argparse.Namespace) -> int:
    """`gonfalon deck code`."""
    from gonfalon.terminal import decks

    return decks.code(decks_of(game_with_decks(args.game), args.option), args.deck)


def deck_list(args: argparse.Namespace) -> int:
    """`gonfalon deck list`."""
    from gonfalon.terminal import decks

    return decks.list_ready(decks_of(game_with_decks(args.game), args.option))


def puzzles(args: argparse.Namespace) -> int:
    """`gonfalon puzzles`."""
    from gonfalon.games import kind
    from gonfalon.terminal.games.puzzle import play as solve

    return solve(kind(args.game), args.number, args.plain)
