"""Worlds: full states that are consistent with a view. Bots search in them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from gonfalon.core.basics.beliefs import Beliefs
from gonfalon.core.basics.cards import KIND, Unread
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import OPEN, AnyStep, Card, State

MAX_DEALS: Final = 10_000
"""The number of rejected deals after which sampling fails."""
LONG: Final = 4
"""The minimum number of cards at which a completely unseen zone is dealt with one slice."""
NO_LIST: Final[list[int]] = []
"""The list of a deck that is not known."""
CROSSED_OUT: Final[list[Card]] = []
"""Replaces a zone in a list of zones after it has been found, so that it is not found again."""


class Unseen:
    """The unseen cards of one deck, and their places. Both follow from the deck's list and the seen cards, so that a
    deal can reveal nothing else."""

    __slots__ = (
        "seen",
        "places",
        "list",
        "kinds",
        "at",
        "whole",
        "free",
        "free_rest",
        "unmarked",
        "bound",
        "bound_rest",
        "any_bound",
    )

    def __init__(self, zones: list[list[Card]], table: list[list[Card]], need: int, binding: int) -> None:
        self.seen: list[int] = []
        self.list: list[int] = NO_LIST
        # For each zone with unseen cards: its number among all zones (`table`), the indices of these cards, and their
        # bits without the kind. A card is bound if its flags admit few kinds.
        self.at: list[int] = []
        self.whole: list[bool] = []
        self.free: list[list[int]] = []
        self.free_rest: list[list[int]] = []
        self.unmarked: list[bool] = []
        self.bound: list[list[int]] = []
        self.bound_rest: list[list[int]] = []
        self.any_bound: bool = False
        self.places: int = 0
        self.kinds: list[int] = []
        for zone in zones:
            free: list[int] = []
            free_rest: list[int] = []
            bound: list[int] = []
            bound_rest: list[int] = []
            for i, card in enumerate(zone):
                if card & need == need:
                    self.seen.append(card & KIND)
                elif card & binding:
                    bound.append(i)
                    bound_rest.append(card & ~KIND)
                else:
                    free.append(i)
                    free_rest.append(card & ~KIND)
            if not free and not bound:
                continue
            unmarked = not any(free_rest)
            self.at.append(cross_out_zone(zone, table))
            self.whole.append(unmarked and len(free) == len(zone) >= LONG)
            self.free.append(free)
            self.free_rest.append(free_rest)
            self.unmarked.append(unmarked)
            self.bound.append(bound)
            self.bound_rest.append(bound_rest)
            self.any_bound = self.any_bound or len(bound) > 0
            self.places += len(free) + len(bound)

    def take(self, deck: list[int]) -> None:
        """Set the deck's list and compute its unseen cards.

        Args:
            deck: The kinds of all cards of the deck. The list must not change afterwards.

        Raises:
            ValueError: The deck has fewer unseen cards than there are places.
        """
        self.list = deck
        left = [0] * (max(deck) + 1)
        for kind in deck:
            left[kind] = left[kind] + 1
        for kind in self.seen:
            left[kind] = left[kind] - 1
        kinds: list[int] = []
        for kind, count in enumerate(left):
            kinds += [kind] * count
        if self.places > len(kinds):
            raise ValueError("there are more unseen places than unseen cards")
        self.kinds = kinds

    def deal(self, state: State, table: list[list[Card]], binding: int, rng: Rng) -> None:
        """Deal the unseen cards into the zones of a clone.

        Places that admit few kinds are filled first; with one such class of places every consistent deal is equally
        likely.

        Args:
            state: The clone.
            table: All zones of the clone.
            binding: The flags that limit the kind of a hidden card (`State.binding`).
            rng: The source of randomness.
        """
        kinds = self.kinds[:]
        rng.shuffle(kinds)
        if self.any_bound:
            for number, bound in enumerate(self.bound):
                rests = self.bound_rest[number]
                for k, i in enumerate(bound):
                    table[self.at[number]][i] = rests[k] | take_first_fit(state, rests[k] & binding, kinds)
            # Removing the first that fits has biased the order of the others.
            rng.shuffle(kinds)
        kinds.reverse()
        done: i64 = 0
        cards: Unread = kinds  # copied without unboxing: most zones have no marks
        for number, free in enumerate(self.free):
            blanks: Unread = table[self.at[number]]
            if self.whole[number]:
                stop: i64 = done + len(free)
                blanks[:] = cards[done:stop]
                done = stop
            elif self.unmarked[number]:
                for i in free:
                    blanks[i] = cards[done]
                    done += 1
            else:
                zone = table[self.at[number]]
                rests = self.free_rest[number]
                for k, i in enumerate(free):
                    zone[i] = rests[k] | kinds[done]
                    done += 1


def cross_out_zone(zone: list[Card], table: list[list[Card]]) -> int:
    """Return the index of a zone in a list of zones, compared by identity, and cross it out there.

    It is crossed out because two zones may be the same list object.
    """
    for number, other in enumerate(table):
        if other is zone:
            table[number] = CROSSED_OUT
            return number
    raise ValueError("a pool has a zone that is none of the state's")


def find_unseen(state: State, need: int) -> list[Unseen]:
    """Return the unseen cards of each deck; for a deck whose list is not known, only their places.

    Args:
        state: A state or view.
        need: The seen bits of a card that counts as seen; 0 returns an empty list.
    """
    found: list[Unseen] = []
    if not need:
        return found
    binding = state.binding()
    table = state.zones()[:]
    for deck, zones in state.pools():
        one = Unseen(zones, table, need, binding)
        if deck:
            one.take(deck)
        found.append(one)
    return found


def deal_unseen(state: State, need: int, rng: Rng) -> None:
    """Deal every card without one of the seen bits `need` again, in place."""
    deal_decks(state, find_unseen(state, need), rng)


def deal_decks(state: State, decks: list[Unseen], rng: Rng) -> None:
    """Deal unseen cards into a clone of the state in which they were found."""
    if not decks:
        return
    state.own()
    binding = state.binding()
    table = state.zones()
    for deck in decks:
        deck.deal(state, table, binding, rng)


def take_first_fit(state: State, flags: int, kinds: list[int]) -> int:
    """Remove and return the first of the shuffled kinds that a place with these flags admits."""
    for i, kind in enumerate(kinds):
        if state.admits(flags, kind):
            return kinds.pop(i)
    raise ValueError("no unseen card fits a hidden place")


@mypyc_attr(allow_interpreted_subclasses=True)
class Worlds:
    """The worlds of one view, which must not change afterwards. Every sampled world has that view: `world.mask(viewer)`
    equals it."""

    def __init__(self, view: State) -> None:
        self.view: State = view
        self.decks: list[Unseen] = [] if view.viewer == OPEN else find_unseen(view, view.need(view.viewer))
        self.beliefs: Beliefs | None = None if view.viewer == OPEN else view.beliefs()

    def __repr__(self) -> str:
        return f"Worlds({self.view!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.view,)

    def sample(self, rng: Rng) -> State:
        """Return a random full state, uniform over the deals that are consistent with the view.

        Secret deck lists are drawn first with their probabilities, and the deal is uniform given them. A deal in which
        the rules would ask another question than the pending one is rejected and dealt again.

        Raises:
            ValueError: 10,000 deals in a row were rejected.
        """
        view = self.view
        steps = view.stack
        # The viewer's own question is the same in every world; questions to others depend on the deal.
        settled = view.turn >= 0 and view.turn == view.viewer and steps[-1].seat == view.turn
        for _ in range(MAX_DEALS):
            world = view.clone()
            world.viewer = OPEN
            if self.beliefs is not None:
                lists = self.beliefs.draw(rng)
                world.assume(lists)
                for number, deck in enumerate(self.decks):
                    # Beliefs return equal lists as one object, so the unseen cards are computed again only for another
                    # list.
                    if lists[number] is not deck.list:
                        deck.take(lists[number])
            deal_decks(world, self.decks, rng)
            if settled:
                return world
            # Settling may log events that belong to a question that is not the pending one.
            log = world.log
            world.log = None
            world.settle()
            if same_steps(world.stack, steps):
                world.log = log
                return world
        raise ValueError("no world was found that fits the view")


def same_steps(a: list[AnyStep], b: list[AnyStep]) -> bool:
    """Return whether two stacks are equal. Steps are immutable, so comparing the length and the top suffices."""
    return len(a) == len(b) and (not a or a[-1] is b[-1])


def worlds(view: State) -> Worlds:
    """Return the worlds that are consistent with a view: `worlds(state.mask(0)).sample(rng)`."""
    return Worlds(view)
