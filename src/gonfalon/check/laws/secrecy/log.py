"""Laws of the log: it is never rewritten, and it reports every change of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_action
from gonfalon.check.observe import (
    describe_event,
    excerpt_difference,
    find_difference,
    list_all_viewers,
    list_viewers,
    make_deal_key,
    name_card,
    name_viewer,
)
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import CHANCE, EVERYBODY, SEED, SPECTATOR, Action, Decision, Event, State

MAX_ANSWERS: Final = 8
"""Number of answers to one question that are compared."""
ROUTINE_COUNT: Final = 3
"""Number of times that an event must have occurred without cards changing hands until it no longer explains a swap."""


def is_log_kept(state: State, before: Sequence[Event], now: Sequence[Event]) -> bool:
    """Return whether a log still contains its earlier events; only forgotten cards may have been removed from them."""
    if now[: len(before)] == before:
        return True
    if len(now) < len(before) or not state.forgotten():
        return False
    return all(old == new or is_forgotten_event(old, new) for old, new in zip(before, now, strict=False))


def is_forgotten_event(old: Event, new: Event) -> bool:
    """Return whether an event is an older one whose card is blank and whose numbers are the same or removed (-1)."""
    if old[:3] != new[:3] or new[3] & KIND != HIDDEN:
        return False
    return all(b in (a, -1) for a, b in zip(old[4:], new[4:], strict=True))


def check_log_grows(bench: Bench, case: Case) -> int:
    """The log only grows, and every change of the table comes with an event.

    Mistake:
        A rule moves a card or changes a score without `tell`, or rewrites an old event.
    Cure:
        Call `tell` at every change that players can see.
    """
    for viewer in list_viewers(case.game):
        before: Sequence[Event] = []
        table: object = None
        for at, state in enumerate(case.states):
            view = state.mask(viewer)
            log = view.log or []
            if not is_log_kept(state, before, log):
                raise LawBrokenError(f"the log of {name_viewer(viewer)} changed an earlier event", at)
            now = view.data()
            if table is not None and now != table and len(log) == len(before):
                raise LawBrokenError(
                    f"the table changed for {name_viewer(viewer)}, but the log has no event for it", at
                )
            before, table = log, now
    return 1


def check_reports(bench: Bench, case: Case) -> int:
    """Two answers that the log reports in the same words leave the same table.

    Mistake:
        A choice changes the table and its event does not say which choice it was; or a shuffle is not announced.
    Cure:
        Put what differs into the event: the card, the seat or a number.
    """
    rng = case.rng("told")
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        for decision in state.decisions():
            ends = list_outcomes(state, decision, rng)
            for viewer in list_viewers(case.game):
                if viewer == decision.seat:
                    continue
                before = state.mask(viewer)
                heard = len(before.log or [])
                groups: dict[str, tuple[Action, State]] = {}
                for action, end in ends:
                    view = end.mask(viewer)
                    if decision.actions == [SEED] and len(view.log or []) == heard and view.data() != before.data():
                        raise LawBrokenError(
                            f"a shuffle changed the table for {name_viewer(viewer)}, but the log has no event for it",
                            at,
                        )
                    # Pending steps are public, so answers that lead to different steps may differ in their tables.
                    news = [(type(step).__name__, step.seat) for step in view.stack], (view.log or [])[heard:]
                    first, other = groups.setdefault(repr(news), (action, view))
                    checked += first != action
                    # A spectator knows a card once all seats do, and the event may have been for the last seat alone.
                    # If a table forgets cards, its log may not name them.
                    if (viewer == SPECTATOR or state.forgotten()) and make_deal_key(view) != make_deal_key(other):
                        continue
                    if view.data() != other.data():
                        pair = f"{format_action(case.game, first)} and {format_action(case.game, action)}"
                        texts = excerpt_difference(repr(other.data()), repr(view.data()))
                        where = f"{find_difference(other, view)}: {texts}"
                        raise LawBrokenError(
                            f"the log reports {pair} to {name_viewer(viewer)} alike, but the tables differ: {where}",
                            at,
                        )
    return checked


def list_outcomes(state: State, decision: Decision, rng: Rng) -> list[tuple[Action, State]]:
    """Return the positions after different answers; after a shuffle also the position before later steps run."""
    shuffled = decision.seat == CHANCE and decision.actions == [SEED]
    count = len(decision.actions)
    if shuffled:
        actions = [-1 - rng.seed() for _ in range(MAX_ANSWERS // 2)]
    else:
        actions = [decision.actions[int(rng.below(count))] for _ in range(MAX_ANSWERS)]
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


def check_words_stay(bench: Bench, case: Case) -> int:
    """A sentence of the log never changes.

    Mistake:
        `words` reads the current view, such as a score, instead of the event.
    Cure:
        Put the number into the event when it happens, and read it from there.
    """
    rng = case.rng("stay")
    game = case.game
    checked = 0
    last = case.states[-1]
    for viewer in list_all_viewers(game):
        names = names_for(game, viewer)
        end = last.mask(viewer)
        for at in case.picks(rng, 4):
            view = case.states[at].mask(viewer)
            # An event may have lost its card since, if the game forgets cards.
            for old, new in list(zip(view.log or [], end.log or [], strict=False))[-12:]:
                checked += 1
                before, after = game.words(old, view, names), game.words(new, end, names)
                if old == new and before != after:
                    raise LawBrokenError(
                        f"a sentence for {name_viewer(viewer)} was {before!r}, and later is {after!r}", at
                    )
    return checked


def check_event_words(bench: Bench, case: Case) -> int:
    """Every event has a sentence for each viewer who receives it.

    Mistake:
        A new event is told, and `words` has no sentence for its code, so the change happens in silence.
    Cure:
        Add the sentence to `words` or `sentences`. List events that other sentences cover in `Game.quiet`, or give them
        an empty entry in `sentences`.
    """
    game = case.game
    checked = 0
    for viewer in list_all_viewers(game):
        view = case.states[-1].mask(viewer)
        names = names_for(game, viewer)
        for number, event in enumerate(view.log or []):
            if not game.is_quiet(event[0]) and not game.words(event, view, names).strip():
                at = next(at for at, state in enumerate(case.states) if len(state.mask(viewer).log or []) > number)
                raise LawBrokenError(f"{describe_event(game, event)} has no sentence for {name_viewer(viewer)}", at)
            checked += 1
    return checked


def check_swaps(bench: Bench, case: Case) -> int:
    """Cards that go from one seat's hand to another's are reported: each by an event with the card, or all by an event
    of their own.

    Mistake:
        A rule swaps two hands while other events are told, such as the card that was played, and none reports the swap.
    Cure:
        Tell an event for the swap to all seats, or one for each card that changes hands. An event that mostly occurs
        without cards changing hands does not count, and neither does the event of a card that was played itself.
    """
    hands = name_hands(case.game, case.states[0])
    if not any(any(names) for names in hands):
        bench.note = "no two seats have hands with the same name"
        return 0
    untold = []
    for at, (before, after) in enumerate(pairwise(case.states), start=1):
        events = (after.log or [])[len(before.log or []) :]
        moved, gone = find_changed_hands(hands, before, after)
        causes = {event: (event[0], event[3] & KIND) for event in events if event[3] & KIND not in gone}
        for cause in set(causes.values()):
            bench.swaps.setdefault(cause, [0, 0])[moved.total() > 1] += 1
        if moved.total() > 1:
            untold.append((at, moved, events, causes))
    for at, moved, events, causes in untold:
        for viewer in list_viewers(case.game):
            heard = [e for e in events if e[1] == EVERYBODY or (viewer >= 0 and e[1] >> viewer & 1)]
            unnamed = moved - Counter(event[3] & KIND for event in heard)
            if unnamed.total() > 1 and all(is_routine(bench, causes[event]) for event in heard if event in causes):
                cards = ", ".join(name_card(case.game, kind) for kind in unnamed.elements())
                raise LawBrokenError(
                    f"cards changed hands ({cards}), but no event reports it to {name_viewer(viewer)}", at
                )
    return len(case.states)


def is_routine(bench: Bench, cause: tuple[int, int]) -> bool:
    """Return whether an event mostly occurs without cards changing hands, so that it does not report a swap."""
    without, moving = bench.swaps[cause]
    return without >= ROUTINE_COUNT and without > moving


def name_hands(game: Game, state: State) -> list[list[str]]:
    """Return for each zone of each deck the name of the hands that it belongs to, or an empty name.

    Hands are zones without order that several seats have under one name. In a game that names no zones, they are the
    zones without order, if there is one for each seat.
    """
    forgotten = {id(zone) for zone in state.forgotten()}
    loose = {id(zone) for zone in state.unordered_zones()} - forgotten
    names = {}
    if named := game.zones():
        zones = zip(named, state.zones(), strict=True)
        names = {id(cards): zone.name for zone, cards in zones if id(cards) in loose and zone.seat >= 0}
    elif len(loose) == game.seats:
        names = dict.fromkeys(loose, "hand")
    return [[names.get(id(zone), "") for zone in pool] for _, pool in state.pools()]


def find_changed_hands(hands: list[list[str]], before: State, after: State) -> tuple[Counter[int], set[int]]:
    """Return the kinds that went from hand to hand, and those that left hands for other zones.

    Cards have no identity, so only cards that no other zone can have received are counted.
    """
    moved: Counter[int] = Counter()
    gone: set[int] = set()
    for names, (_, old), (_, new) in zip(hands, before.pools(), after.pools(), strict=True):
        for name in set(names) - {""}:
            lost: Counter[int] = Counter()
            others: Counter[int] = Counter()
            for own, x, y in zip(names, old, new, strict=True):
                one, two = (Counter(card & KIND for card in zone) for zone in (x, y))
                if own == name:
                    lost += one - two
                else:
                    others += two - one
            moved += lost - others
            gone |= set(lost & others)
    return moved, gone


LAWS = [
    Law("a log only grows, and reports every change", "games", check_log_grows),
    Law("what is reported alike looks alike", "pairs", check_reports),
    Law("every event has words", "events", check_event_words, share=0.3),
    Law("cards that change hands are reported", "positions", check_swaps, share=0.3),
    Law("the words of the log never change", "sentences", check_words_stay, share=0.3),
]
