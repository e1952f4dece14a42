"""The targets of a card: generals that are chosen, and generals that are meant without a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gonfalon.games.generals.effects.filters import Filter, Ref
from gonfalon.games.generals.effects.frame import ACTIVE, TACTIC, UNSET, Frame
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.cards import NO_ACTIVE_AT, NO_CONTEXT, NO_TACTICS_AT, TARGETS

if TYPE_CHECKING:
    from gonfalon.games.generals.rules.state import GeneralsState

ALL: Final = 0


def is_protected(s: GeneralsState, f: Frame, u: int) -> bool:
    """Return whether a general cannot be a target of this ability."""
    # Only the other player's choice is restricted; players may always choose their own generals.
    if f.mode == TACTIC:
        return s.setup.owner[u] != f.seat and bool(stats.find_rule_bits(s, u) & NO_TACTICS_AT)
    if f.mode == ACTIVE:
        return s.setup.owner[u] != f.seat and bool(stats.find_rule_bits(s, u) & NO_ACTIVE_AT)
    return False


class Choice:
    """A choice of generals, in ascending order, so that each set is one answer.

    Attributes:
        variable: The variable that stores the chosen generals.
        filter: The generals to choose from.
        count: The number to choose. ALL chooses every general of a zone.
        upto: Whether fewer may be chosen, but at least one.
        one_zone: Whether all must be in one zone.
        same_as: The variable of an earlier choice whose zone is used; -1 for none.
        other_than: The variable of an earlier choice whose generals are excluded; -1 for none.
        paired: Whether a later choice uses the zone of this one.
        more: Whether the executor's number of targets is added.
        among_targets: Whether to choose among the targets of the answered act.
    """

    def __init__(
        self,
        variable: int,
        filter: Filter | None,
        count: int,
        *,
        upto: bool = False,
        one_zone: bool = False,
        same_as: int = -1,
        other_than: int = -1,
        more: bool = False,
        among_targets: bool = False,
    ) -> None:
        self.variable: int = variable
        self.filter: Filter | None = filter
        self.count: int = count
        self.upto: bool = upto
        self.one_zone: bool = one_zone
        self.same_as: int = same_as
        self.other_than: int = other_than
        self.paired: bool = False
        self.more: bool = more
        self.among_targets: bool = among_targets

    def list_candidates(self, s: GeneralsState, f: Frame) -> list[int]:
        """Return all generals that may be chosen, ascending."""
        if self.among_targets:
            return sorted([u for u in f.targets if s.zone[u] >= 0 and s.setup.owner[u] == f.seat])
        assert self.filter is not None
        found = self.filter.units(s, f)
        if f.mode and found:
            found = [u for u in found if not is_protected(s, f, u)]
        if self.same_as >= 0:
            first = f.vars[self.same_as]
            if first != UNSET and first:
                found = [u for u in found if s.zone[u] == s.zone[first[0]]]
        if self.other_than >= 0:
            found = [u for u in found if u not in f.vars[self.other_than]]
        # A later choice must find a general in the same zone.
        if self.paired and found:
            zones = [s.zone[u] for u in found]
            found = [u for u in found if zones.count(s.zone[u]) > 1]
        return found

    def most(self, s: GeneralsState, f: Frame) -> int:
        """Return the largest number of generals that may be chosen."""
        if self.more and f.me >= 0:
            return self.count + max(0, stats.compute_stat(s, TARGETS, f.me, NO_CONTEXT, -1))
        return self.count

    @property
    def least(self) -> int:
        """The smallest number of generals that must be chosen."""
        return 1 if self.upto else self.count

    def possible(self, s: GeneralsState, f: Frame) -> bool:
        """Return whether enough generals can be chosen; at least one is always needed (ruling 26)."""
        # The earlier choice comes first; this one is checked again when it is due.
        if self.other_than >= 0 and f.vars and f.vars[self.other_than] == UNSET:
            return True
        found = self.list_candidates(s, f)
        if not found:
            return False
        least = self.least
        if least <= 1:
            return True
        if not self.one_zone:
            return len(found) >= least
        zones = [s.zone[u] for u in found]
        return any(zones.count(zone) >= least for zone in zones)

    def next(self, s: GeneralsState, f: Frame, picked: list[int]) -> list[int]:
        """Return the generals that may be chosen after those picked."""
        found = self.list_candidates(s, f)
        one_zone = self.one_zone or self.most(s, f) > self.count
        if picked:
            last = picked[-1]
            # Ascending order: each set of targets is one sequence of actions.
            found = [u for u in found if u > last and (not one_zone or s.zone[u] == s.zone[last])]
        # A pick is legal only if enough candidates come after it, so that no choice leads to a dead end.
        wanted = self.least - len(picked) - 1
        if wanted <= 0:
            return found
        out: list[int] = []
        for i in range(len(found)):
            left = 0
            for j in range(i + 1, len(found)):
                if not one_zone or s.zone[found[j]] == s.zone[found[i]]:
                    left += 1
            if left >= wanted:
                out.append(found[i])
        return out


class Target:
    """The generals that an operation affects: a known one (`ref`), chosen ones (`variable`), or all that fit a filter
    when it runs."""

    def __init__(self, ref: Ref | None, variable: int, filter: Filter | None) -> None:
        self.ref: Ref | None = ref
        self.variable: int = variable
        self.filter: Filter | None = filter

    def units(self, s: GeneralsState, f: Frame) -> list[int]:
        """Return the affected generals that are still in play (ruling 47)."""
        if self.variable >= 0:
            return [u for u in f.vars[self.variable] if u >= 0 and s.zone[u] >= 0]
        if self.ref is not None:
            u = self.ref.unit(f)
            return [u] if u >= 0 and s.zone[u] >= 0 else []
        assert self.filter is not None
        found = self.filter.units(s, f)
        if f.mode and found:
            found = [u for u in found if not is_protected(s, f, u)]
        return found

    def is_empty(self, s: GeneralsState, f: Frame) -> bool:
        """Return whether there is no general to affect. Chosen generals count even if they have left play since."""
        return self.variable < 0 and not self.units(s, f)
