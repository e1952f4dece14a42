"""Laws of worlds and shuffles: every possible deal occurs, at its right frequency."""

from __future__ import annotations

import time
import zlib
from collections import Counter
from collections.abc import Hashable, Iterator
from math import factorial, prod

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.chance import count_orders
from gonfalon.check.laws.rules.flow import find_deck_fault, format_exception
from gonfalon.check.observe import list_viewers, list_zones, make_deal_key, name_viewer
from gonfalon.check.play import Bench, Case, play_to_end
from gonfalon.check.statistics import SIGNIFICANCE_LEVEL, compare_samples, compare_with_weights
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import same_steps
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, OPEN, SEED, State

Key = tuple[tuple[int, ...], ...]
Feature = tuple[int | str, ...]
Table = dict[Feature, Counter[Hashable]]
MAX_DEALS = 3_000
"""Maximum number of deals that are enumerated."""
WORLDS_TO_VARY = 12
"""Number of worlds of which at least two must differ."""
MIN_DEALS = 250
"""Minimum number of deals of a full-size game that are compared, even if the time is over."""


def open_view(view: State, rng: Rng) -> State:
    """Return a view as a full state with blank cards, to be dealt. Secret deck lists are drawn from the beliefs."""
    beliefs = view.beliefs()
    return assume_decks(view, None if beliefs is None else beliefs.draw(rng))


def assume_decks(view: State, lists: list[list[int]] | None) -> State:
    """Return a view as a full state with blank cards and with these deck lists, if any."""
    world = view.clone()
    world.own()
    world.viewer, world.log = OPEN, None
    if lists is not None:
        world.assume(lists)
    return world


def list_places(state: State, need: int) -> list[tuple[list[int], list[tuple[list[int], int]]]]:
    """Return for each deck the unseen kinds, sorted, and the blank places.

    Args:
        state: A state with blank cards.
        need: The seen bits that a known card has; 0 if all cards that are not blank are known.
    """
    out = []
    for deck, pool in state.pools():
        left = Counter(deck)
        places = []
        for zone in pool:
            for i in range(len(zone)):
                if need == 0 or zone[i] & need == need:
                    left[zone[i] & KIND] -= 1
                else:
                    places.append((zone, i))
        out.append((sorted(left.elements()), places))
    return out


def count_possibilities(view: State) -> int:
    """Return an estimate of the number of deals that a view allows.

    Decks with constraints do not count. Secret deck lists are drawn once.
    """
    total = 1
    world = open_view(view, Rng(1))
    for unseen, places in list_places(world, view.need(view.viewer)):
        if any(view.constraint(zone[i]) for zone, i in places):
            continue
        for kind, count in Counter(unseen).items():
            total *= count_combinations(len(unseen), count)
            unseen = [other for other in unseen if other != kind]
        # The order within a hand does not count. With equal kinds the result is too low, never too high.
        sets = {id(zone) for zone in world.unordered_zones()}
        for count in Counter(id(zone) for zone, _ in places if id(zone) in sets).values():
            total = max(1, total // factorial(count))
    return total


def count_combinations(n: int, k: int) -> int:
    """Return the number of ways to choose k of n."""
    out = 1
    for i in range(k):
        out = out * (n - i) // (i + 1)
    return out


def check_world(case: Case, at: int, view: State, world: State) -> None:
    """Check that a world is a full state with the view it was dealt from."""
    name = name_viewer(view.viewer)
    if world.viewer != OPEN:
        raise LawBrokenError(f"a world of {name} is not an open state", at)
    wrong = find_deck_fault(world)
    if wrong:
        raise LawBrokenError(f"a world of {name} has the wrong cards: {wrong}", at)
    if any(card & KIND == HIDDEN for zone in list_zones(world) for card in zone):
        raise LawBrokenError(f"a world of {name} contains a blank card", at)
    if world.mask(view.viewer).dump() != view.dump():
        raise LawBrokenError(f"the view of {name} in a world differs from the one it was dealt from", at)
    if view.viewer >= 0 and world.legal(view.viewer) != view.legal(view.viewer):
        raise LawBrokenError(f"the legal actions of {name} in a world differ from those in the view", at)
    if not world.over and not world.decisions():
        raise LawBrokenError(f"in a world of {name} no seat has a decision and neither has chance", at)


def check_worlds(bench: Bench, case: Case) -> int:
    """Worlds have the view they were dealt from, conserve cards, vary and end.

    Mistake:
        A rule stores a hidden card in a number, so dealt cards and number disagree.
    Cure:
        Keep secrets as cards in zones, and hide other numbers in `hide`.
    """
    rng = case.rng("worlds")
    checked = 0
    for at in case.picks(rng, 4):
        state = case.states[at]
        for viewer in list_viewers(case.game):
            view = state.mask(viewer)
            dump = view.dump()
            source = bench.sampler(view)
            try:
                found = [source.sample(rng) for _ in range(3)]
            except Exception as error:
                raise LawBrokenError(
                    f"no world could be dealt for {name_viewer(viewer)}: {format_exception(error)}", at
                ) from error
            for world in found:
                check_world(case, at, view, world)
                checked += 1
            if view.dump() != dump:
                raise LawBrokenError("dealing worlds changed the view", at)
            check_world_ends(case, at, viewer, found[0], rng)
            # With this many possible worlds, twelve equal ones in a row cannot be an accident.
            if count_possibilities(view) >= 24:
                more = {make_deal_key(source.sample(rng)) for _ in range(WORLDS_TO_VARY)}
                if len(more) == 1:
                    same = "the true one" if more == {make_deal_key(state)} else "the same"
                    raise LawBrokenError(f"{WORLDS_TO_VARY} worlds of {name_viewer(viewer)} in a row were {same}", at)
    return checked


def check_world_ends(case: Case, at: int, viewer: int, world: State, rng: Rng) -> None:
    """Check that a world can be played to an end within the bound of the game. The world is used up."""
    try:
        moves = play_to_end(world, rng, case.game.bound)
    except Exception as error:
        raise LawBrokenError(
            f"playing a world of {name_viewer(viewer)} raised {format_exception(error)}", at
        ) from error
    if moves < 0:
        raise LawBrokenError(f"a world of {name_viewer(viewer)} does not end within the bound", at)


# ---- frequencies ------------------------------------------------------------------------------------


def list_arrangements(kinds: list[int], places: list[list[int]]) -> Iterator[list[int]]:
    """Yield all different ways to put kinds on places.

    Args:
        kinds: The kinds, one for each place.
        places: The kinds that each place admits, in ascending order.
    """
    left = Counter(kinds)
    chosen: list[int] = []

    def fill(at: int) -> Iterator[list[int]]:
        if at == len(places):
            yield chosen[:]
            return
        for kind in places[at]:
            if left[kind]:
                left[kind] -= 1
                chosen.append(kind)
                yield from fill(at + 1)
                chosen.pop()
                left[kind] += 1

    return fill(0)


def list_deals(view: State, lists: list[list[int]] | None = None) -> Counter[Key] | None:
    """Return every deal that fits a view, weighted by the number of arrangements that lead to it; None if too many.

    Args:
        view: The view.
        lists: Deck lists to assume in place of the secret ones.
    """
    world = assume_decks(view, lists)
    todo = list_places(world, view.need(view.viewer))
    found: Counter[Key] = Counter()
    steps = world.stack[:]
    tried = 0

    def deal(deck: int) -> bool:
        nonlocal tried
        if deck == len(todo):
            tried += 1
            twin = world.clone()
            twin.settle()
            if same_steps(twin.stack, steps):
                found[make_deal_key(twin)] += 1
            return tried <= MAX_DEALS
        unseen, places = todo[deck]
        if len(unseen) != len(places):
            raise ValueError("the unseen cards do not fill the blank places")
        kinds = sorted(set(unseen))
        admitted = []
        for zone, i in places:
            constraint = view.constraint(zone[i])
            admitted.append([k for k in kinds if not constraint or view.admits(constraint, k)])
        blanks = [zone[i] for zone, i in places]
        for chosen in list_arrangements(unseen, admitted):
            for (zone, i), blank, kind in zip(places, blanks, chosen, strict=True):
                zone[i] = blank & ~KIND | kind
            if not deal(deck + 1):
                return False
        # Restore the blanks, which the next deal of the decks before this one reads again.
        for (zone, i), blank in zip(places, blanks, strict=True):
            zone[i] = blank
        return True

    return found if deal(0) else None


def compute_expected_deals(bench: Bench, game: Game, view: State) -> dict[Key, float] | None:
    """Return the relative probability of each deal that fits a view; None if there are too many."""
    if view.beliefs() is None:
        found = list_deals(view)
        return None if found is None else {key: float(weight) for key, weight in found.items()}
    every = bench.reference.possible_decks(game, view) or []
    need = view.need(view.viewer)
    ways = [
        prod(count_orders(unseen) for unseen, _ in list_places(assume_decks(view, lists), need)) for _, lists in every
    ]
    if not every or sum(ways) > MAX_DEALS:
        return None
    total: dict[Key, float] = {}
    for (chance, lists), count in zip(every, ways, strict=True):
        # A list is drawn first and then dealt, so all its deals share its chance, even those that do not fit the view.
        for key, weight in (list_deals(view, lists) or {}).items():
            total[key] = total.get(key, 0.0) + chance * weight / count
    return total


def check_frequencies(bench: Bench, case: Case) -> int:
    """In tiny games every possible world occurs at its right frequency.

    Mistake:
        `admits` forbids a card where it may be, or the game's own sampler prefers some deals.
    Cure:
        Compare `admits` with the rules, or use the core's sampler.
    """
    rng = case.rng("frequencies")
    checked = 0
    deadline = bench.deadline()
    for at in case.picks(rng, 6):
        for viewer in list_viewers(case.game):
            if time.process_time() > deadline and checked:
                return checked
            view = case.states[at].mask(viewer)
            if count_possibilities(view) > MAX_DEALS:
                continue
            wanted = compute_expected_deals(bench, case.game, view)
            if wanted is None or len(wanted) < 2:
                continue
            if make_deal_key(case.states[at]) not in wanted:
                raise LawBrokenError(f"the view of {name_viewer(viewer)} rules out the true deal", at)
            count = 20 * len(wanted) + 100
            source = bench.sampler(view)
            counts = Counter(make_deal_key(source.sample(rng)) for _ in range(count))
            stray = [key for key in counts if key not in wanted]
            if stray:
                raise LawBrokenError(f"a world of {name_viewer(viewer)} has a deal that the view rules out", at)
            if compare_with_weights(counts, wanted) < SIGNIFICANCE_LEVEL:
                seldom = len(wanted) - len(counts)
                raise LawBrokenError(
                    f"in {count} worlds of {name_viewer(viewer)} some of the {len(wanted)} possible deals were too "
                    f"frequent, and {seldom} did not occur",
                    at,
                )
            checked += count
    return checked


# ---- the first deal ---------------------------------------------------------------------------------


def build_chance_tree(game: Game, most: int, deadline: float) -> dict[Key, tuple[float, State]] | None:
    """Return all positions at the first decision of a seat, with their probabilities.

    Args:
        game: The game.
        most: The maximum number of positions.
        deadline: The end of the time, in `time.process_time()`.

    Returns:
        None if a shuffle uses a seed, there are too many positions, or the time is over.
    """
    layer: dict[Key, tuple[float, State]] = {}
    start = game.start()
    done: dict[Key, tuple[float, State]] = {}

    def put(where: dict[Key, tuple[float, State]], state: State, chance: float) -> None:
        key = (*make_deal_key(state), tuple(zlib.crc32(repr(x).encode()) for x in (state.data(), len(state.stack))))
        old = where.get(key)
        where[key] = (chance + (old[0] if old else 0.0), state)

    put(done if start.turn != CHANCE else layer, start, 1.0)
    while layer:
        after: dict[Key, tuple[float, State]] = {}
        for chance, state in layer.values():
            if state.actions == [SEED] or time.process_time() > deadline:
                return None
            weights = state.weights()
            for action, weight in zip(state.actions, weights, strict=True):
                twin = state.clone()
                twin.apply(CHANCE, action)
                put(done if twin.turn != CHANCE else after, twin, chance * weight / sum(weights))
            if len(after) + len(done) > most:
                return None
        layer = after
    return done


def check_first_deal(bench: Bench, case: Case) -> int:
    """Worlds after the first deal have the same probabilities as the deal itself.

    Mistake:
        `weights` does not count the cards that are left, or a rule of the deal prefers some hands.
    Cure:
        Correct `weights`, or describe the constraint in `binding` and `admits`.
    """
    tree = build_chance_tree(case.game, 20_000, bench.deadline())
    if tree is None:
        bench.note = "too many deals to enumerate"
        return 0
    checked = 0
    lists = [deck for deck, _ in case.game.start().pools()]
    for viewer in list_viewers(case.game):
        groups: dict[str, tuple[State, Counter[Key]]] = {}
        for chance, state in tree.values():
            view = state.mask(viewer)
            _, deals = groups.setdefault(repr(view.dump()), (view, Counter()))
            deals[make_deal_key(state)] += chance  # type: ignore[assignment]
        for view, deals in groups.values():
            if count_possibilities(view) > MAX_DEALS:
                continue
            # Chance deals the true lists, even if they are secret.
            wanted = list_deals(view, None if view.beliefs() is None else lists)
            if wanted is None:
                continue
            total, mass = sum(wanted.values()), float(sum(deals.values()))
            for key in {*wanted, *deals}:
                if abs(wanted[key] / total - deals[key] / mass) > 1e-9:
                    raise LawBrokenError(
                        f"for {name_viewer(viewer)} a deal has the probability {deals[key] / mass:.4f}, but "
                        f"worlds have it with {wanted[key] / total:.4f}",
                        0,
                    )
            checked += len(deals)
    return checked


def build_sibling(game: Game, exact: bool) -> Game | None:
    """Return the same game with the exact shuffle, or the fast one; None if there is none."""
    if "exact" not in game.options:
        return None
    try:
        return type(game)(**{**game.options, "exact": exact})
    except (GonfalonError, TypeError):
        return None


def deal_game(game: Game, rng: Rng) -> State:
    """Return a random position at the first decision of a seat."""
    state = game.start()
    while state.turn == CHANCE:
        state.apply(CHANCE, state.chance(rng))
    return state


def count_features(table: Table, state: State) -> None:
    """Add the features of a position to a table of counts."""
    for feature in list_features(state):
        table.setdefault(feature[:-1], Counter())[feature] += 1


def list_features(state: State) -> list[Feature]:
    """Return features of a deal to compare if deals are too many to count: each place, and a hash of each zone."""
    out: list[Feature] = []
    ordered = len(state.ordered_zones())
    for number, zone in enumerate(make_deal_key(state)):
        for i, kind in enumerate(zone):
            out.append((number, i if number < ordered else kind, kind))
        out.append((number, zlib.crc32(repr(sorted(zone)).encode()) % 61))
        if number < ordered:
            out.append((number, "order", zlib.crc32(repr(zone).encode()) % 61))
    return out


def check_shuffles_agree(bench: Bench, case: Case) -> int:
    """The exact shuffle and the shuffle by a seed deal at the same frequencies.

    Mistake:
        One of them shuffles another pile or leaves a card out.
    Cure:
        Push the same zones in both with `push_shuffle`.
    """
    exact, fast = build_sibling(case.game, True), build_sibling(case.game, False)
    if exact is None or fast is None:
        bench.note = "no option named exact"
        return 0
    rng = case.rng("shuffles")
    deadline = bench.deadline(0.5)
    tree = build_chance_tree(exact, 2_000, deadline)
    count = 0
    if tree is not None:
        weights: Counter[Hashable] = Counter()
        for chance, state in tree.values():
            weights[make_deal_key(state)] += chance  # type: ignore[assignment]
        counts: Counter[Hashable] = Counter()
        for count in range(1, 20 * len(weights) + 401):
            counts[make_deal_key(deal_game(fast, rng))] += 1
            if count >= 4_000 and time.process_time() > deadline:
                break
        if any(key not in weights for key in counts):
            raise LawBrokenError("the fast shuffle deals what the exact one cannot", 0)
        if compare_with_weights(counts, dict(weights)) < SIGNIFICANCE_LEVEL:
            raise LawBrokenError("the exact and the fast shuffle deal with different frequencies", 0)
        return count
    return compare_sampled_shuffles(exact, fast, rng, deadline)


def compare_sampled_shuffles(exact: Game, fast: Game, rng: Rng, deadline: float) -> int:
    """Compare features of random deals of both shuffles, for a game whose deals cannot be enumerated."""
    one: Table = {}
    two: Table = {}
    count = 0
    while count < 4_000 and (count < MIN_DEALS or time.process_time() < deadline):
        count += 1
        for game, table in ((exact, one), (fast, two)):
            count_features(table, deal_game(game, rng))
    # Many places are tested at once, so each gets a smaller level (Bonferroni).
    limit = SIGNIFICANCE_LEVEL / max(1, len(one))
    for place in {**one, **two}:
        if compare_samples(one.get(place, Counter()), two.get(place, Counter())) < limit:
            raise LawBrokenError(f"the exact and the fast shuffle fill zone {place[0]} with different frequencies", 0)
    return count


LAWS = [
    Law("worlds have the view, conserve cards, vary and end", "worlds", check_worlds, share=2.0),
    Law("worlds of tiny games have the right frequencies", "worlds", check_frequencies, tiny=True, share=2.0),
    Law("worlds agree with the first deal", "deals", check_first_deal, tiny=True, once=True),
    Law("exact and fast shuffle agree (tiny games)", "deals", check_shuffles_agree, tiny=True, once=True),
    Law("exact and fast shuffle agree", "deals", check_shuffles_agree, once=True),
]
