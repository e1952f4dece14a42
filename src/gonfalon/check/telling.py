"""Laws of the log: what it said stays said, and whatever changes on the table is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gonfalon.check.flow import named
from gonfalon.check.law import Broken, Law
from gonfalon.check.observe import deal_of, everybody, excerpt, viewers, who
from gonfalon.check.play import Bench, Case
from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.game import names_for
from gonfalon.core.rng import Rng
from gonfalon.core.state import CHANCE, SEED, SPECTATOR, Action, Decision, Event, State

BRANCHES: Final = 8
"""So many answers to one question are compared."""


def remembers(state: State, before: Sequence[Event], now: Sequence[Event]) -> bool:
    """Whether a log still says what it said; only where a game forgets cards may it say less."""
    if now[: len(before)] == before:
        return True
    if len(now) < len(before) or not state.forgotten():
        return False
    return all(old == new or says_less(old, new) for old, new in zip(before, now, strict=False))


def says_less(old: Event, new: Event) -> bool:
    """Whether an event is an older one with its card blanked and what tells of it left out (-1)."""
    if old[:3] != new[:3] or new[3] & KIND != HIDDEN:
        return False
    return all(b in (a, -1) for a, b in zip(old[4:], new[4:], strict=True))


def logs_grow(bench: Bench, case: Case) -> int:
    """What was heard stays heard, and what changes on the table is told."""
    for viewer in viewers(case.game):
        before: Sequence[Event] = []
        table: object = None
        for at, state in enumerate(case.states):
            view = state.mask(viewer)
            log = view.log or []
            if not remembers(state, before, log):
                raise Broken(f"the log of {who(viewer)} changed what it had said before", at)
            now = view.data()
            if table is not None and now != table and len(log) == len(before):
                raise Broken(f"the table changed for {who(viewer)} and the log told nothing of it", at)
            before, table = log, now
    return 1


def told_alike_is_alike(bench: Bench, case: Case) -> int:
    """Where different answers to a question are told in the same words, they leave the same table: what differs on
    it would be a change that nobody was told of."""
    rng = case.rng("told")
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        for decision in state.decisions():
            ends = outcomes(state, decision, rng)
            for viewer in viewers(case.game):
                if viewer == decision.seat:
                    continue
                before = state.mask(viewer)
                heard = len(before.log or [])
                groups: dict[str, tuple[Action, State]] = {}
                for action, end in ends:
                    view = end.mask(viewer)
                    if decision.actions == [SEED] and len(view.log or []) == heard and view.data() != before.data():
                        raise Broken(
                            f"a shuffle changed the table for {who(viewer)}, and the log told nothing of it", at
                        )
                    news = [(type(step).__name__, step.seat) for step in view.stack], (view.log or [])[heard:]
                    first, other = groups.setdefault(repr(news), (action, view))
                    checked += first != action
                    # A spectator learns what the last seat learns, which may have been told to it alone; and where
                    # a table forgets cards its log may not name them.
                    if (viewer == SPECTATOR or state.forgotten()) and deal_of(view) != deal_of(other):
                        continue
                    if view.data() != other.data():
                        pair = f"{named(case.game, first)} and {named(case.game, action)}"
                        where = excerpt(repr(other.data()), repr(view.data()))
                        raise Broken(
                            f"the log tells {who(viewer)} the same of {pair}, and the table is another: {where}", at
                        )
    return checked


def outcomes(state: State, decision: Decision, rng: Rng) -> list[tuple[Action, State]]:
    """What different answers lead to; of a shuffle also what it has done before anything follows from it."""
    shuffled = decision.seat == CHANCE and decision.actions == [SEED]
    count = len(decision.actions)
    if shuffled:
        actions = [-1 - rng.seed() for _ in range(BRANCHES // 2)]
    else:
        actions = [decision.actions[int(rng.below(count))] for _ in range(BRANCHES)]
    found = []
    for action in dict.fromkeys(actions):
        end = state.clone()
        end.apply(decision.seat, action)
        found.append((action, end))
        if shuffled:
            end = state.clone()
            end.stack.pop().choose(end, action)
            found.append((action, end))
    return found


def words_stay(bench: Bench, case: Case) -> int:
    """A sentence of the log is the same at the end of the game as when it was new."""
    rng = case.rng("stay")
    game = case.game
    checked = 0
    last = case.states[-1]
    for viewer in everybody(game):
        names = names_for(game, viewer)
        end = last.mask(viewer)
        for at in case.picks(rng, 4):
            view = case.states[at].mask(viewer)
            # An event itself may say less once cards are forgotten.
            for old, new in list(zip(view.log or [], end.log or [], strict=False))[-12:]:
                checked += 1
                before, after = game.words(old, view, names), game.words(new, end, names)
                if old == new and before != after:
                    raise Broken(f"the log told {who(viewer)} {before!r}, and says {after!r} later", at)
    return checked


LAWS = [
    Law("a log only grows, and tells what changes", "games", logs_grow),
    Law("what is told alike looks alike", "pairs", told_alike_is_alike),
    Law("the words of the log stay as they are", "sentences", words_stay, share=0.3),
]
