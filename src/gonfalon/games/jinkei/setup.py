"""What does not change in a game of Jinkei: the deck and the formations."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from gonfalon.games.jinkei.actions import KINDS, PLAY, PUT

VANGUARD: Final = 0
REARGUARD: Final = 3
REINFORCEMENTS: Final = 6
ROWS: Final = ["Vanguard", "Rearguard", "Reinforcements"]
SPACES: Final = ["vg1", "vg2", "vg3", "rg1", "rg2", "rg3", "re1", "re2", "re3"]
"""The names of the spaces in the notation."""

UNMADE: Final[list[int]] = []
LAYING: Final[list[list[list[int]]]] = [[UNMADE] * 256 * (KINDS // 8) for _ in SPACES]


def laying(space: int, kinds: i64, eights: i64) -> list[int]:
    """The actions that lay a card of these kinds (a bitmask, so many times eight bits) on a space, ascending.

    Joined from lists that are made once, for eight kinds at a time: to make them anew at each of a round's
    placements took a quarter of random play.
    """
    made = LAYING[space]
    out = UNMADE
    eight: i64 = 0
    while eight < eights:
        some: i64 = kinds & 255
        if some:
            part = made[eight << 8 | some]
            if not part:
                first = PUT + space * KINDS + int(eight) * 8
                part = [first + kind for kind in range(8) if some >> kind & 1]
                made[eight << 8 | some] = part
            out = out + part if out else part
        kinds >>= 8
        eight += 1
    return out


class Row:
    """Three spaces from which cards are played, and all that can be played of them.

    What stands there is a code of two bits a space, the first space highest: 0 nothing, 1 + colour a card.
    For each code the legal actions are worked out once, when they are first asked for; the lists are
    shared and never changed.
    """

    __slots__ = ("spaces", "wild", "leads", "replies")

    def __init__(self, spaces: list[int], wild: list[bool]) -> None:
        self.spaces: list[int] = spaces  # those that are not blank
        self.wild: list[bool] = wild  # by space of the formation
        self.leads: list[list[int]] = [UNMADE] * 64
        self.replies: list[list[int]] = [UNMADE] * 256

    def standing(self, code: int) -> list[tuple[int, int]]:
        """The spaces that hold a card, each with its colour."""
        last = len(self.spaces) - 1
        marks = [(space, code >> 2 * (last - i) & 3) for i, space in enumerate(self.spaces)]
        return [(space, mark - 1) for space, mark in marks if mark]

    def lead(self, code: int) -> list[int]:
        """What offense may play (7-1)."""
        out: list[int] = []
        for space, printed in self.standing(code):
            play = PLAY + space * 2
            out += [play, play + 1] if self.wild[space] else [play + printed]
        self.leads[code] = out
        return out

    def reply(self, code: int, led: int, binds: int) -> list[int]:
        """What defense may answer to a colour (7-2); `binds` is 2 where a Wild card's printed colour binds."""
        bound = False
        follow: list[int] = []
        free: list[int] = []
        for space, printed in self.standing(code):
            play = PLAY + space * 2
            if self.wild[space]:
                # Whatever colour it is called; as a rule its printed one binds nobody (rulings 10 to 13).
                follow.append(play + led)
                free += [play, play + 1]
                if printed == led and binds:
                    bound = True
            elif printed == led:
                follow.append(play + led)
                bound = True
            else:
                free.append(play + printed)
        out = follow if bound else free
        self.replies[code << 2 | binds | led] = out
        return out


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
        fore, rear = Row(vanguard, wild), Row(rearguard, wild)
        self.offense: list[Row] = [fore, rear]
        self.defense: list[Row] = [rear, fore]
        # The spaces that take cards from the hand, ascending; a space for two stands twice.
        self.front: list[int] = self._to_fill(vanguard + rearguard)
        self.back: list[int] = self._to_fill(self._open(REINFORCEMENTS, 1, 9))
        # For a gap, where its next card comes from: the nearest space behind that is not blank first.
        self.behind: list[list[int]] = [self._open(space + 3, 3, 9) for space in range(9)]
        self.pairs: list[int] = [space for space in range(9) if two[space]]
        self.pairs_behind: list[list[int]] = [[space for space in line if two[space]] for line in self.behind]

    def _open(self, start: int, step: int, stop: int) -> list[int]:
        """The spaces of a line that are not blank."""
        return [space for space in range(start, stop, step) if not self.blank[space]]

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
        "eights",
        "rank",
        "colour",
        "mark",
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
        "binds",
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
        self.eights: int = (len(rank) + 7) // 8  # for `laying`
        self.rank: list[int] = rank
        self.colour: list[int] = colour
        self.mark: list[int] = [1 + each for each in colour]  # for the code of a Row
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
        self.binds: int = 2 if wild_binds else 0  # the same for `Row.reply`

    def choices(self, type: int, round: int) -> list[int]:
        """The formations of a type for a round."""
        return self.offers[type][round - 1]
