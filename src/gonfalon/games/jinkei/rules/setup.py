"""The constants of a game of Jinkei: its deck, formations and options."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.cards import HIDDEN, Unread, by_card, seen_by_all
from gonfalon.games.jinkei.rules.actions import ADVANCE, KINDS, PLAY, PUT

VANGUARD: Final = 0
REARGUARD: Final = 3
REINFORCEMENTS: Final = 6
ROWS: Final = ["Vanguard", "Rearguard", "Reinforcements"]
SPACES: Final = ["vg1", "vg2", "vg3", "rg1", "rg2", "rg3", "re1", "re2", "re3"]
"""The names of the spaces in the notation."""

MAX_HAND: Final = 9
"""The most cards of a hand before cards are placed."""

NONE: Final[list[int]] = []
PUTS: Final[list[Unread]] = [[PUT + space * KINDS + kind for kind in range(KINDS)] * 10 for space in range(9)]
"""By space, the actions that lay a kind there, indexed by the kind or by any action that lays it.

They are made once, and need no division: an action is the kind plus a multiple of KINDS.
"""
LAID: Final[list[int]] = list(range(KINDS)) * 10
"""The kind that an action lays. A division would take four times as long."""
SPACE_OF: Final[list[int]] = [a // KINDS - 1 if a < PLAY else (a - PLAY) // 2 for a in range(ADVANCE)]
"""The space on which an action lays a card, or from which it plays one."""
CALLS: Final[list[int]] = [action & 1 for action in range(ADVANCE)]
"""The color that an action of playing calls its card."""


class Row:
    """Three spaces from which cards are played, with the legal plays for all cards that can be there.

    The cards are encoded in two bits a space, the first space lowest: 0 for no card, 1 + color for a card. The legal
    actions of each code are computed once, because this took a quarter of a battle's time. States share these lists,
    which are never changed.
    """

    def __init__(self, start: int, spaces: list[int], wild: list[int]) -> None:
        self.start: int = start  # its first space
        self.spaces: list[int] = spaces  # those that are not blank
        self.wild: list[int] = wild  # those that are Wild
        self.leads: list[list[int]] = [NONE] * 64
        # Indexed by the color led, plus 2 if Wild cards are bound (ruling 13).
        self.replies: list[list[list[int]]] = [[NONE] * 64 for _ in range(4)]
        for code in range(64):
            # Each space has two bits of the code, and the value 3 does not occur.
            if all(code >> bits & 3 < 3 for bits in (0, 2, 4)):
                cards = self._standing(code)
                self.leads[code] = self._lead(cards)
                for key in range(4):
                    self.replies[key][code] = self._reply(cards, key & 1, key > 1)

    def _standing(self, code: int) -> list[tuple[int, int]]:
        """Return the spaces of a code that have a card, each with its color."""
        marks = [(space, code >> 2 * (space - self.start) & 3) for space in self.spaces]
        return [(space, mark - 1) for space, mark in marks if mark]

    def _lead(self, cards: list[tuple[int, int]]) -> list[int]:
        """Return the plays of offense (7-1)."""
        out: list[int] = []
        for space, printed in cards:
            play = PLAY + space * 2
            out += [play, play + 1] if space in self.wild else [play + printed]
        return out

    def _reply(self, cards: list[tuple[int, int]], led: int, wild_binds: bool) -> list[int]:
        """Return the answers of defense to a color (7-2)."""
        bound = False
        follow: list[int] = []
        free: list[int] = []
        for space, printed in cards:
            play = PLAY + space * 2
            if space in self.wild:
                # It can be called either color, and its printed color binds only by option (rulings 10 to 13).
                follow.append(play + led)
                free += [play, play + 1]
                if printed == led and wild_binds:
                    bound = True
            elif printed == led:
                follow.append(play + led)
                bound = True
            else:
                free.append(play + printed)
        return follow if bound else free


KNOWN_ROWS: Final[dict[str, Row]] = {}
"""All rows that were needed so far. The formations share a few of them."""


def find_row(start: int, spaces: list[int], wild: list[int]) -> Row:
    """Return the row with the given spaces that are not blank, and those that are Wild."""
    # Lists cannot be keys of a dictionary, so the key is a text.
    key = f"{start} {spaces} {wild}"
    if key not in KNOWN_ROWS:
        KNOWN_ROWS[key] = Row(start, spaces, wild)
    return KNOWN_ROWS[key]


class Formation:
    """A 3x3 formation; a space is row * 3 + column, the Vanguard first.

    The fields from `offense` on are computed once from the printed layout.
    """

    def __init__(
        self,
        *,
        type: int,
        round: int,
        blank: list[bool],
        two: list[bool],
        bonus: list[int],
        wild: list[bool],
        reveal: int,
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
        fore = find_row(VANGUARD, vanguard, [space for space in vanguard if wild[space]])
        rear = find_row(REARGUARD, rearguard, [space for space in rearguard if wild[space]])
        self.offense: list[Row] = [fore, rear]
        self.defense: list[Row] = [rear, fore]
        # The spaces that take cards from the hand, ascending; a space for two cards is listed twice.
        self.front: list[int] = self._to_fill(vanguard + rearguard)
        self.back: list[int] = self._to_fill(self._open(REINFORCEMENTS, 1, 9))
        # By gap, the spaces from which its next card comes, the nearest one first; blank spaces are left out.
        self.behind: list[list[int]] = [self._open(space + 3, 3, 9) for space in range(9)]
        self.pairs: list[int] = [space for space in range(9) if two[space]]
        self.pairs_behind: list[list[int]] = [[space for space in line if two[space]] for line in self.behind]

    def _open(self, start: int, step: int, stop: int) -> list[int]:
        """Return the spaces of a line that are not blank."""
        return [space for space in range(start, stop, step) if not self.blank[space]]

    def _to_fill(self, spaces: list[int]) -> list[int]:
        fill: list[int] = []
        for space in spaces:
            # The space `reveal` gets its card from the deck, not from the hand.
            if space != self.reveal:
                fill += [space, space] if self.two[space] else [space]
        return fill


class Setup:
    """The deck (kind = colour * ranks + rank index), the formations, and the options."""

    def __init__(
        self,
        *,
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
        given: list[int],
        starter: int,
    ) -> None:
        self.kinds: int = len(rank)
        self.rank: list[int] = rank
        self.colour: list[int] = colour
        self.points: list[int] = points
        # Ranks and points by card, for battles; and the card that a taken open card becomes (ruling 30).
        self.rank_of: list[int] = by_card(rank, 2)
        self.points_of: list[int] = by_card(points, 2)
        self.lost: Unread = list(range(seen_by_all(2) | HIDDEN)) if remember else by_card(list(range(self.kinds)), 2)
        # The part of a Row's code for a card on its first, second and third space.
        self.marks: list[list[int]] = [by_card([(1 + each) << bits for each in colour], 2) for bits in (0, 2, 4)]
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
        self.given: list[int] = given  # the types of the seats by the option `types`, or -1 for both
        self.starter: int = starter  # first player of the first game; -1: by chance (ruling 35)
        self.binds: int = 2 if wild_binds else 0  # the part of an index of `Row.replies` for `wild_binds`

    def choices(self, type: int, round: int) -> list[int]:
        """Return the formations of a type for a round."""
        return self.offers[type][round - 1]
