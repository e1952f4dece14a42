"""`gonfalon card` and `deck`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

from gonfalon.cli import messages
from gonfalon.cli.arguments import Commands, Parser, UsageError, add_option_argument, make_help_command
from gonfalon.cli.lookups import find_deck_game, find_decks, make_game
from gonfalon.core.text.untrusted import print_text

LOCAL: Final = "http://localhost:8000"


def add_cards(subparsers: Commands) -> None:
    """Add `card` and `deck` to the commands."""
    sub = subparsers.add_parser("card", help="show the text of a card", description="Show the text of a card.")
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("name", metavar="NAME", nargs="+")
    add_option_argument(sub)
    sub.set_defaults(run=run_card)

    deck = subparsers.add_parser(
        "deck",
        help="check, show and share decks",
        description="Check, show and share decks of games whose players bring their own. A deck is a file, the slug "
        "of a preset deck, a share code, or a link.",
    )
    deck.set_defaults(run=make_help_command(deck))
    tasks = deck.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    sub = tasks.add_parser("check", help="list the faults of a deck", description="List the faults of a deck.")
    sub.add_argument("decks", metavar="DECK", nargs="+")
    add_deck_arguments(sub, run_deck_check)
    sub = tasks.add_parser(
        "show",
        help="show a deck with its figures",
        description="Show a deck in the form of a deck file, with its figures.",
    )
    sub.add_argument("deck", metavar="DECK")
    sub.add_argument("--hold", metavar="CARD", help="the chance to have drawn this card by each turn")
    sub.add_argument("--json", action="store_true")
    add_deck_arguments(sub, run_deck_show)
    about = "Print the share code of a deck: its cards, without its name."
    sub = tasks.add_parser("code", help="print the share code of a deck", description=about)
    sub.add_argument("deck", metavar="DECK")
    add_deck_arguments(sub, run_deck_code)
    about = "Print the link to a deck in the deck builder of a server. Every server opens it, whichever it names."
    sub = tasks.add_parser("link", help="print the link to a deck", description=about)
    sub.add_argument("deck", metavar="DECK")
    sub.add_argument("--server", default=LOCAL, metavar="URL", help=f"the address of the server (default: {LOCAL})")
    sub.add_argument("--qr", action="store_true", help="print the QR code of the link as well")
    add_deck_arguments(sub, run_deck_link)
    sub = tasks.add_parser("list", help="list the preset decks", description="List the preset decks.")
    add_deck_arguments(sub, run_deck_list)


def add_deck_arguments(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the arguments of every task with decks."""
    sub.add_argument("--game", metavar="GAME", help="the game of the deck (default: the only game with decks)")
    add_option_argument(sub)
    sub.set_defaults(run=run)


def run_card(args: argparse.Namespace) -> int:
    """Run `gonfalon card`. Return the exit code."""
    from gonfalon.terminal.drawing.cards import format_card, mark_changes

    game = make_game(args.game, args.option)
    name = " ".join(args.name)
    found = game.card(name)
    if found is None:
        raise UsageError(messages.NO_CARD.format(name=repr(name), game=game.title))
    print_text(format_card(mark_changes(game, found)))
    return 0


def run_deck_check(args: argparse.Namespace) -> int:
    """Run `gonfalon deck check`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.check_decks(find_decks(find_deck_game(args.game), args.option), args.decks)


def run_deck_show(args: argparse.Namespace) -> int:
    """Run `gonfalon deck show`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.show_deck(find_decks(find_deck_game(args.game), args.option), args.deck, args.hold, args.json)


def run_deck_code(args: argparse.Namespace) -> int:
    """Run `gonfalon deck code`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.print_code(find_decks(find_deck_game(args.game), args.option), args.deck)


def run_deck_link(args: argparse.Namespace) -> int:
    """Run `gonfalon deck link`. Return the exit code."""
    from gonfalon.terminal import decks

    name = find_deck_game(args.game)
    builder = f"{args.server.rstrip('/')}/games/{name}/decks/build"
    return decks.print_link(find_decks(name, args.option), args.deck, builder, args.qr)


def run_deck_list(args: argparse.Namespace) -> int:
    """Run `gonfalon deck list`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.list_ready(find_decks(find_deck_game(args.game), args.option))
