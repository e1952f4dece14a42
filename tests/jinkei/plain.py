"""A second implementation of Jinkei's combat in the simplest way: names in dictionaries, no precomputation.

The rules' own code is compared with it, so it must not use that code.
"""

from __future__ import annotations

from collections import Counter

COLUMNS = "123"
POINTS = {0: 0, 1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 3, 9: 3, 12: 3}
"""The rulebook's table of Achievements."""

Play = tuple[str, str]
"""A space and the called color of its card."""


def colour_of(card: str) -> str:
    return "red" if card.startswith("red") else "blue"


def rank_of(card: str) -> int:
    return int(card.removeprefix(colour_of(card)))


class Side:
    """A player's formation: the sign of every space, and the cards on it."""

    def __init__(self, signs: dict[str, str], cards: dict[str, list[str]]) -> None:
        self.signs = signs
        self.cards = cards

    @classmethod
    def of(cls, rows: list[str], **cards: str) -> Side:
        """Create a side from rows as in formations.toml, and cards as vg1="red5", re2="red5 blue1"."""
        names = [row + column for row in ("vg", "rg", "re") for column in COLUMNS]
        signs = dict(zip(names, " ".join(rows).split(), strict=True))
        return cls(signs, {name: cards.get(name, "").split() for name in names})

    def without(self, space: str, card: str) -> Side:
        cards = {name: [c for c in held if name != space or c != card] for name, held in self.cards.items()}
        return Side(self.signs, cards)

    def with_card(self, space: str, card: str) -> Side:
        return Side(self.signs, {name: [*held, card] if name == space else held for name, held in self.cards.items()})

    def is_wild(self, space: str) -> bool:
        return self.signs[space].endswith("W")

    def rank(self, space: str, card: str) -> int:
        return rank_of(card) + (int(self.signs[space][-1]) if "+" in self.signs[space] else 0)

    def row(self, *order: str) -> list[str]:
        """Return the occupied spaces of the first of these rows with any cards."""
        for row in order:
            spaces = [row + column for column in COLUMNS if self.cards[row + column]]
            if spaces:
                return spaces
        return []

    def calls(self, space: str) -> list[Play]:
        printed = colour_of(self.cards[space][0])
        return [(space, colour) for colour in ("red", "blue") if colour == printed or self.is_wild(space)]

    def attacks(self) -> list[Play]:
        return [play for space in self.row("vg", "rg") for play in self.calls(space)]

    def answers(self, led: str, binds: bool = False) -> list[Play]:
        spaces = self.row("rg", "vg")
        must = any(colour_of(self.cards[s][0]) == led and (binds or not self.is_wild(s)) for s in spaces)
        return [play for space in spaces for play in self.calls(space) if not must or play[1] == led]

    def advanced(self) -> list[tuple[str | None, Side]]:
        """Section 3.3 of our notes: yield every way to advance until no card moves, with the card chosen of two."""
        for column in COLUMNS:
            line = [row + column for row in ("vg", "rg", "re")]
            for i in (0, 1):
                if self.signs[line[i]] == "#" or self.cards[line[i]]:
                    continue
                behind = [space for space in line[i + 1 :] if self.signs[space] != "#" and self.cards[space]]
                if not behind:
                    continue
                held = self.cards[behind[0]]
                ways: list[tuple[str | None, Side]] = []
                for card in held:
                    moved = self.without(behind[0], card).with_card(line[i], card)
                    for later, side in moved.advanced():
                        ways.append((card if len(held) > 1 else later, side))
                return ways
        return [(None, self)]


def winner(lead: str, lead_rank: int, led: str, answer: str, answer_rank: int, called: str) -> str:
    """ "lead", "answer" or "tie"."""
    if {rank_of(lead), rank_of(answer)} == {0, 12}:
        return "lead" if rank_of(lead) == 0 else "answer"
    if called != led or lead_rank > answer_rank:
        return "lead"
    return "tie" if lead_rank == answer_rank else "answer"


def results(sides: tuple[Side, Side], leader: int) -> Counter[tuple[int, int]]:
    """Return all results of the remaining battles as the points of both players."""
    found: Counter[tuple[int, int]] = Counter()
    attacker, defender = sides[leader], sides[1 - leader]
    for space, led in attacker.attacks():
        card = attacker.cards[space][0]
        for spot, called in defender.answers(led):
            other = defender.cards[spot][0]
            who = winner(card, attacker.rank(space, card), led, other, defender.rank(spot, other), called)
            points = [0, 0]
            for owner, taken in ((leader, card), (1 - leader, other)):
                taker = {"lead": leader, "answer": 1 - leader, "tie": owner}[who]
                points[taker] += POINTS[rank_of(taken)]
            for _, mine in attacker.without(space, card).advanced():
                for _, theirs in defender.without(spot, other).advanced():
                    after = (mine, theirs) if leader == 0 else (theirs, mine)
                    for (a, b), count in results(after, 1 - leader).items():
                        found[a + points[0], b + points[1]] += count
    return found or Counter({(0, 0): 1})
