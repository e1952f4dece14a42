"""What can become of a formation as its cards are played.

Where cards can still go depends on the formation alone, so the moves of one side are worked out once.
"""

from __future__ import annotations

from typing import Final

from gonfalon.games.jinkei.rules.setup import Formation

Layout = tuple[tuple[int, ...], ...]
"""For each space the slots of the cards on it; slots number a side's cards by their spaces at the root."""

VANGUARD: Final = (0, 1, 2)
REARGUARD: Final = (3, 4, 5)


class Node:
    """What is left of one side: `leads` and `replies` are (move, the nodes after it), several where
    one of two cards advances."""

    __slots__ = ("id", "layout", "leads", "replies")

    def __init__(self, id: int, layout: Layout) -> None:
        self.id: int = id
        self.layout: Layout = layout
        self.leads: list[tuple[int, list[Node]]] = []
        self.replies: list[tuple[int, list[Node]]] = []


class Side:
    """All that can become of a formation from one occupancy on. A move is (slot, space)."""

    __slots__ = ("form", "root", "moves", "nodes")

    def __init__(self, form: Formation, counts: tuple[int, ...]) -> None:
        self.form: Formation = form
        self.moves: list[tuple[int, int]] = []
        self.nodes: dict[Layout, Node] = {}
        slots = iter(range(sum(counts)))
        self.root: Node = self.node(tuple(tuple(next(slots) for _ in range(count)) for count in counts), {})

    def node(self, layout: Layout, numbers: dict[tuple[int, int], int]) -> Node:
        found = self.nodes.get(layout)
        if found is not None:
            return found
        node = self.nodes[layout] = Node(len(self.nodes), layout)
        after: dict[int, list[Node]] = {}
        for rows, out in (((VANGUARD, REARGUARD), node.leads), ((REARGUARD, VANGUARD), node.replies)):
            for row in rows:
                for space in row:
                    if layout[space]:
                        move = (layout[space][0], space)
                        if move not in numbers:
                            numbers[move] = len(self.moves)
                            self.moves.append(move)
                        if space not in after:
                            after[space] = [self.node(next, numbers) for next in self.played(layout, space)]
                        out.append((numbers[move], after[space]))
                if out:
                    break
        return node

    def played(self, layout: Layout, space: int) -> list[Layout]:
        """What a side may look like once the card of a space has gone and those behind have advanced."""
        found = [[*layout[:space], layout[space][1:], *layout[space + 1 :]]]
        gap = space
        for source in range(space + 3, 9, 3):
            if self.form.blank[source] or not layout[source]:
                continue
            more: list[list[tuple[int, ...]]] = []
            for spaces in found:
                for slot in spaces[source]:
                    next = spaces[:]
                    next[gap] = (slot,)
                    next[source] = tuple(other for other in spaces[source] if other != slot)
                    more.append(next)
            found = more
            gap = source
        return [tuple(spaces) for spaces in found]
