"""Adaptation of a network to a game with other cards than the trained ones."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.networks.card_match import CardMatch
from gonfalon.bots.networks.network import Net, NetworkDescription
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.files.kept_data import data_file, kept_data
from gonfalon.core.rules.game import Game

MAX_CHANGED_SHARE: Final = 0.5
"""The largest share of changed cards in play with which a network is used."""
_trained_games: dict[tuple[str, str, int], Game | None] = {}


class Adaptation:
    """The trained inputs and outputs whose weights the inputs and outputs of a game get."""

    def __init__(self, inputs: list[int], known: int, outputs: list[int]) -> None:
        self.inputs = inputs
        self.known = known
        self.outputs = outputs

    def apply(self, net: Net) -> Net:
        """Return the network with its weights in the order of the game's inputs and outputs."""
        return net if self is UNCHANGED else net.rearrange(self.inputs, self.known, self.outputs)


UNCHANGED: Final = Adaptation([], 0, [])
"""The adaptation to a game with the trained cards."""


def find_adaptation(game: Game, description: NetworkDescription) -> Adaptation | None:
    """Return how a network reads a game, or None if its cards or rules are too different."""
    encoder = game.network_input()
    if not isinstance(encoder, NetworkInput):
        return None
    if description.fits(game, encoder):
        return UNCHANGED
    trained = find_trained_game(game, description)
    other = trained.network_input() if trained is not None and trained.seats == game.seats else None
    if not isinstance(other, NetworkInput) or not description.suits(game, other):
        return None
    try:
        match = CardMatch(encoder.features(), other.features())
        inputs, outputs = encoder.row.gather(other.row, match), encoder.answer_layout.gather(other.answer_layout, match)
    except LookupError:  # other rules, or a role without a trained card
        return None
    if match.changed_share(encoder.kinds_in_play()) > MAX_CHANGED_SHARE:
        return None
    return Adaptation(inputs, encoder.known, outputs)


def find_trained_game(game: Game, description: NetworkDescription) -> Game | None:
    """Return a game with the cards of a network: those that come with the game, or earlier ones that it keeps."""
    cards, seats = description.about.get("cards", ""), description.seats(game)
    key = (game.name, cards, seats)
    # A missing game is cached as well, because the search reads all card data that the game keeps.
    if key not in _trained_games:
        make, options = type(game), {"seats": seats} if "seats" in game.options else {}
        games = [make(**options)]
        kept = sorted(file.stem for file in data_file(game, "").parent.glob("*.json"))
        games += [make(**options, **kept_data(games[0], data)) for data in kept]
        _trained_games[key] = next((found for found in games if found.learnt_hash == cards), None)
    return _trained_games[key]
