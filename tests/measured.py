"""Games with the cards of their networks, baselines and checks, independent of later cards."""

from __future__ import annotations

from gonfalon import games
from gonfalon.core.basics.options import Options
from gonfalon.core.files.kept_data import data_file, kept_data
from gonfalon.core.rules.game import Game
from gonfalon.review.data_files import TRUST, find_data_file
from gonfalon.review.judging.trust import read_checks


def measured_options(name: str, **options: object) -> Options:
    """Return these options, with the cards by which reviews of the game were last checked."""
    game = games.game(name, **options)
    file = find_data_file(game, TRUST)
    cards = {check["about"]["cards"] for check in read_checks(file)} if file else set()
    for kept in data_file(game, "").parent.iterdir():
        found: Options = options | kept_data(game, kept.stem)
        if game.learnt_hash not in cards and games.game(name, **found).learnt_hash in cards:
            return found
    return options


def measured(name: str, **options: object) -> Game:
    """Return the game of these options, with the cards by which reviews of it were last checked."""
    return games.game(name, **measured_options(name, **options))
