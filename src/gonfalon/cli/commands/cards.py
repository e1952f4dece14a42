"""`gonfalon card` and `deck`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from gonfalon.cli.arguments import (
    Commands,
    Parser,
    UsageError,
    help_of,
    option_argument,
)
from gonfalon.cli.lookups import (
    decks_of,
    game_of,
    game_with_decks,
)
from gonfalon.core.text.untrusted import print_text


def add_cards(subparsers: Commands) -> None:
    """Add `card` and `deck` to the commands."""
    sub = subparsers.add_parser("card", help="what is printed on a card", description="What is printed on a card.")
    sub.add_argument("game", metavar="GAME")
    sub.add_argument("name", metavar="NAME", nargs="+")
    option_argument(sub)
    sub.set_defaults(run=run_card)

    deck = subparsers.add_parser(
        "deck",
        help="check, show and share decks",
        description="Check, show and share decks, of games in which you bring your own. A deck is a file, the slug of "
        "a ready-made deck, or a share code.",
    )
    deck.set_defaults(run=help_of(deck))
    tasks = deck.add_subparsers(title="tasks", metavar="TASK", parser_class=Parser)
    sub = tasks.add_parser("check", help="all that is wrong with a deck", description="All that is wrong with a deck.")
    sub.add_argument("decks", metavar="DECK", nargs="+")
    deck_arguments(sub, run_deck_check)
    sub = tasks.add_parser(
        "show",
        help="a deck as a file, with its figures",
        description="A deck in the form of a deck file, with its figures.",
    )
    sub.add_argument("deck", metavar="DECK")
    sub.add_argument("--hold", metavar="CARD", help="how likely this card has been drawn by when")
    sub.add_argument("--json", action="store_true")
    deck_arguments(sub, run_deck_show)
    about = "A deck's share code: its cards, without its name."
    sub = tasks.add_parser("code", help="a deck's share code", description=about)
    sub.add_argument("deck", metavar="DECK")
    deck_arguments(sub, run_deck_code)
    sub = tasks.add_parser("list", help="the ready-made decks", description="The ready-made decks.")
    deck_arguments(sub, run_deck_list)


def deck_arguments(sub: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the arguments of every task with decks."""
    sub.add_argument("--game", metavar="GAME", help="the game that the deck is of (default: the only one with decks)")
    option_argument(sub)
    sub.set_defaults(run=run)


def run_card(args: argparse.Namespace) -> int:
    """Run `gonfalon card`. Return the exit code."""
    from gonfalon.terminal.drawing.cards import format_card

    game = game_of(args.game, args.option)
    name = " ".join(args.name)
    found = game.card(name)
    if found is None:
        raise UsageError(f"There is no card {name!r} in {game.title}.")
    print_text(format_card(found))
    return 0


def run_deck_check(args: argparse.Namespace) -> int:
    """Run `gonfalon deck check`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.check_decks(decks_of(game_with_decks(args.game), args.option), args.decks)


def run_deck_show(args: argparse.Namespace) -> int:
    """Run `gonfalon deck show`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.show_deck(decks_of(game_with_decks(args.game), args.option), args.deck, args.hold, args.json)


def run_deck_code(args: argparse.Namespace) -> int:
    """Run `gonfalon deck code`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.print_code(decks_of(game_with_decks(args.game), args.option), args.deck)


def run_deck_list(args: argparse.Namespace) -> int:
    """Run `gonfalon deck list`. Return the exit code."""
    from gonfalon.terminal import decks

    return decks.list_ready(decks_of(game_with_decks(args.game), args.option))
