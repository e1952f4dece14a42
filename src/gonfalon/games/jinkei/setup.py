"""What does not change in a game of Jinkei: the deck and the formations."""

from __future__ import annotations

from typing import Final

from gonfalon.games.jinkei.actions import KINDS, PLAY, PUT

VANGUARD: Final = 0
REARGUARD: Final = 3
REINFORCEMENTS: Final = 6
ROWS: Final = ["Vanguard", "Rearguard", "Reinforcements"]
SPACES: Final = ["vg1", "vg2", "vg3", "rg1", "rg2", "rg3", "re1", "re2", "re3"]
"""The names of the spaces in the notation."""

Post = tuple[int, int, bool]
"""A space cards are played from: (space, the action that plays its card in colour 0, whether it is Wild)."""


class Formation:
    """A 3x3 formation; a space is row * 3 + column, the Vanguard first.

    The fields from `offense` on are worked out once from what is printed.
    """

    __slots__ = (
        "type",
        "round",
        "blank",
        "two",
        "bonus",
        "wild",
        "reveal",
        "offense",
        "defense",
        "front",
        "back",
        "puts_front",
        "puts_back",
        "behind",
        "pairs",
        "pairs_behind",
    )

    def __init__(
        self, type: int, round: int, blank: list[bool], two: list[bool], bonus: list[int], wild: list[bool], reveal: int
    ) -> None:
        self.type: int = type
        self.round: int = round
        self.blank: list[bool] = blank
        self.two: list[bool] = two
        self.bonus: list[int] = bonus
        self.wild: list[bool] = wild
        self.reveal: int = reveal  # the space of the card from the top of the deck
        vanguard = self._open(VANGUARD, 1, REARGUARD)
        rearguard = self._open(REARGUARD, 1, REINFORCEMENTS)
        # The rows from which a role plays, the second only when the first is empty (7-1, 7-2).
        self.offense: list[list[Post]] = [self._posts(vanguard), self._posts(rearguard)]
        self.defense: list[list[Post]] = [self._posts(rearguard), self._posts(vanguard)]
        # The spaces that take cards from the hand, ascending; a space for two stands twice.
        self.front: list[int] = self._to_fill(vanguard + rearguard)
        self.back: list[int] = self._to_fill(self._open(REINFORCEMENTS, 1, 9))
        # For each of them the action that lays kind 0 there.
        self.puts_front: list[int] = [PUT + space * KINDS for space in self.front]
        self.puts_back: list[int] = [PUT + space * KINDS for space in self.back]
        # For a gap, where its next card comes from: the nearest space behind that is not blank first.
        self.behind: list[list[int]] = [self._open(space + 3, 3, 9) for space in range(9)]
        self.pairs: list[int] = [space for space in range(9) if two[space]]
        self.pairs_behind: list[list[int]] = [[space for space in line if two[space]] for line in self.behind]

    def _open(self, start: int, step: int, stop: int) -> list[int]:
        """The spaces of a line that are not blank."""
        return [space for space in range(start, stop, step) if not self.blank[space]]

    def _posts(self, spaces: list[int]) -> list[Post]:
        """The spaces of a row, each with what every battle's options need of it."""
        return [(space, PLAY + space * 2, self.wild[space]) for space in spaces]

    def _to_fill(self, spaces: list[int]) -> list[int]:
        fill: list[int] = []
        for space in spaces:
            if space != self.reveal:
                fill += [space, space] if self.two[space] else [space]
        return fill


class Setup:
    """The deck (kind = colour * ranks + rank index), the formations, and the options."""

    __slots__ = (
        "kinds",
        "rank",
        "colour",
        "points",
        "formations",
        "offers",
        "types",
        "rounds",
        "hand",
        "games",
        "exact",
        "remember",
        "wild_binds",
    )

    def __init__(
        self,
        rank: list[int],
        colour: list[int],
        points: list[int],
        formations: list[Formation],
        types: int,
        rounds: int,
        hand: int,
        games: int,
        exact: bool,
        remember: bool,
        wild_binds: bool,
    ) -> None:
        self.kinds: int = len(rank)
        self.rank: list[int] = rank
        self.colour: list[int] = colour
        self.points: list[int] = points
        self.formations: list[Formation] = formations
        # By type, then by round - 1: the formations to choose from.
        self.offers: list[list[list[int]]] = [
            [
                [i for i in range(len(formations)) if formations[i].type == type and formations[i].round == round]
                for round in range(1, rounds + 1)
            ]
            for type in range(types)
        ]
        self.types: int = types
        self.rounds: int = rounds
        self.hand: int = hand  # cards in hand before placing, and battles of a round
        self.games: int = games
        self.exact: bool = exact
        self.remember: bool = remember  # taken cards stay known (the option memory=open)
        self.wild_binds: bool = wild_binds  # the stricter reading of ruling 13

    def choices(self, type: int, round: int) -> list[int]:
        """The formations of a type for a round."""
        return self.offers[type][round - 1]
