"""Games with the cards that their networks have learned, independent of later cards."""

from __future__ import annotations

from gonfalon import games
from gonfalon.bots.networks.network import load
from gonfalon.core.basics.options import Options
from gonfalon.core.files.kept_data import data_file, kept_data
from gonfalon.core.rules.game import Game
from gonfalon.review.data_files import NETWORK, find_data_file


def measured_options(name: str, **options: object) -> Options:
    """Return these options, with the cards that the network of the game has learned."""
    game = games.game(name, **options)
    file = find_data_file(game, NETWORK)
    cards = load(file).about.get("cards") if file else game.learnt_hash
    for kept in data_file(game, "").parent.iterdir():
        found: Options = options | kept_data(game, kept.stem)
        if game.learnt_hash != cards and games.game(name, **found).learnt_hash == cards:
            return found
    return options


def measured(name: str, **options: object) -> Game:
    """Return the game of these options, with the cards that its network has learned."""
    return games.game(name, **measured_options(name, **options))
