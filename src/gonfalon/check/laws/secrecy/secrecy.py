"""Laws of secrecy: nothing that a viewer is sent depends on cards that they have not seen.

A leak has three ways. The view may contain a secret: the kit deals all unseen cards and secret deck lists again, and
compares everything that is sent to the viewer. The course of the game may reveal it, through numbers in events, the
order of a zone or the fields of a step: the kit plays two games side by side that differ in two swapped unseen cards,
or in a card of a secret list. Or the rules may mark a card as seen that no event showed: new knowledge must have a
source in the viewer's log.
"""

from __future__ import annotations

from collections import Counter

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.formats.copies import dump_without_log
from gonfalon.check.laws.rules.flow import format_action
from gonfalon.check.observe import (
    collect_texts,
    compute_needed_bits,
    describe_difference,
    describe_events,
    find_difference,
    find_text_difference,
    list_viewers,
    list_zones,
    make_deal_key,
    name_card,
    name_viewer,
    take_snapshot,
)
from gonfalon.check.play import Bench, Case
from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import deal_unseen, same_steps
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, SPECTATOR, TOGETHER, Action, Event, Seat, State

CONTINUED_DECISIONS = 30
"""Number of decisions for which twin games are played side by side."""


# ---- leaks in the view ------------------------------------------------------------------------------


def redeal_unseen(game: Game, state: State, viewer: int, rng: Rng) -> tuple[Game, State] | None:
    """Return a twin position with another deal of the cards and deck lists that the viewer has not seen, and its game.

    Returns:
        None if no deal was found.
    """
    beliefs = state.mask(viewer).beliefs()
    for _ in range(20):  # a deal may contradict a constraint on a card, such as "played face down"
        twin = state.clone()
        if beliefs is not None:
            twin.assume(beliefs.draw_any(rng))
        try:
            deal_unseen(twin, compute_needed_bits(game, viewer), rng)
        except ValueError:
            continue
        return game.with_secrets_of(twin), twin
    return None


def collect_sent(
    bench: Bench, game: Game, state: State, viewer: int, others: list[tuple[Seat, Action]] | None = None
) -> dict[str, str]:
    """Return all texts that a viewer is sent of a full state, by topic: the core's and those of the bench's senders."""
    out = collect_texts(game, state.mask(viewer), others)
    for sender in bench.senders:
        out.update(sender(game, state, viewer))
    return out


def check_redeal(bench: Bench, case: Case) -> int:
    """Dealing the unseen cards anew changes nothing that is sent to a viewer.

    Mistake:
        `board`, `prompt` or a refusal reads a hidden card or the length of a secret list.
    Cure:
        Compute everything from the view.
    """
    rng = case.rng("redeal")
    game = case.game
    checked = 0
    for at in case.picks(rng, 1):
        state = case.states[at]
        others = [(seat, action) for seat in range(game.seats) for action in sample_actions(case, rng)]
        for viewer in list_viewers(game):
            redealt = redeal_unseen(game, state, viewer, rng)
            if redealt is None:
                raise LawBrokenError("no deal of the unseen cards fits the position", at)
            other, twin = redealt
            a, b = state.mask(viewer), twin.mask(viewer)
            path = find_difference(a, b) or find_start_difference(game, other, viewer)
            if path:
                raise LawBrokenError(f"the view of {name_viewer(viewer)} contains a secret: {path}", at)
            found = find_text_difference(
                collect_sent(bench, game, state, viewer, others), collect_sent(bench, other, twin, viewer, others)
            )
            if found:
                raise LawBrokenError(f"the data sent to {name_viewer(viewer)} depends on unseen cards: {found}", at)
            checked += 1
    return checked + check_moments(case, rng)


def find_start_difference(game: Game, other: Game, viewer: int) -> str:
    """Return the path to a difference of two games in a viewer's first view; empty if there is none.

    The games differ in secrets of other seats. Later positions share the tables of the first one.
    """
    return "" if other is game else find_difference(game.start().mask(viewer), other.start().mask(viewer))


def sample_actions(case: Case, rng: Rng) -> list[int]:
    """Return a few random actions of this game, whose refusals are compared."""
    own = [action for seat, action in case.decisions if seat != CHANCE]
    return [own[int(rng.below(len(own)))] for _ in range(4)] if own else []


def check_views_blank(bench: Bench, case: Case) -> int:
    """A view hides exactly the cards that its viewer has not seen.

    Mistake:
        A zone is missing from `ordered_zones` and `unordered_zones`, or `mask` is overridden.
    Cure:
        List every zone once, and hide other secrets in `hide`.
    """
    rng = case.rng("blank")
    checked = 0
    for at in case.picks(rng, 12):
        state = case.states[at]
        all_zones = list_zones(state)
        filled = [zone for zone in all_zones if zone]  # empty zones may share one list
        if len({id(zone) for zone in filled}) != len(filled):
            raise LawBrokenError("a zone is listed twice", at)
        for _, pool in state.pools():
            for zone in pool:
                if not any(zone is listed for listed in all_zones):
                    raise LawBrokenError("a zone of a deck is in neither ordered_zones nor unordered_zones", at)
        sets = len(state.ordered_zones())
        for viewer in list_viewers(case.game):
            need = compute_needed_bits(case.game, viewer)
            view = state.mask(viewer)
            for number, (zone, shown) in enumerate(zip(all_zones, list_zones(view), strict=True)):
                wanted = [card if card & need == need else card | HIDDEN for card in zone]
                if number >= sets:
                    wanted.sort()
                if shown != wanted:
                    raise LawBrokenError(
                        f"zone {number} of {name_viewer(viewer)}'s view shows more or fewer cards than seen", at
                    )
            if view.mask(viewer).dump() != view.dump():
                raise LawBrokenError(f"masking the view of {name_viewer(viewer)} again changes it", at)
            for event in view.log or []:
                check_event(event, viewer, need, at)
            checked += 1
    return checked


def check_event(event: Event, viewer: int, need: int, at: int) -> None:
    """Check that an event of a masked log is meant for its viewer, and shows only cards that they have seen."""
    _, audience, _, card, _, _ = event
    if audience != -1 and (viewer < 0 or not audience >> viewer & 1):
        raise LawBrokenError(f"the log of {name_viewer(viewer)} contains an event for other viewers", at)
    if card & KIND != HIDDEN and card & need != need:
        raise LawBrokenError(f"the log of {name_viewer(viewer)} shows a card that they have not seen", at)


def check_no_seeds(bench: Bench, case: Case) -> int:
    """No view or text contains the seed of a shuffle.

    Mistake:
        A step or the state keeps the seed after the shuffle.
    Cure:
        Use the seed in `choose` and do not store it.
    """
    seeds = case.seeds()
    texts = [str(seed) for seed in seeds]
    rng = case.rng("seeds")
    checked = 0
    for at in [*case.picks(rng, 1), len(case.states) - 1]:
        for viewer in list_viewers(case.game):
            held = {"view itself": repr(take_snapshot(case.states[at].mask(viewer), False))}
            for what, text in (collect_sent(bench, case.game, case.states[at], viewer) | held).items():
                for seed, word in zip(seeds, texts, strict=True):
                    # The digits of a short seed may occur in another number by accident.
                    if len(word) > 8 and (word in text or str(seed + 1) in text):
                        raise LawBrokenError(f"the {what} of {name_viewer(viewer)} contains the seed of a shuffle", at)
            checked += 1
    return checked


def check_answers_secret(bench: Bench, case: Case) -> int:
    """While several seats answer at once, no seat sees anything of another seat's answer.

    Mistake:
        A step writes into the state in `options_after` instead of `finish`.
    Cure:
        Apply answers in `finish`, after the last one.
    """
    rng = case.rng("answers")
    game = case.game
    places = [at for at, state in enumerate(case.states) if state.stack and state.stack[-1].seat == TOGETHER]
    checked = 0
    for _ in range(1 if places else 0):
        at = places[int(rng.below(len(places)))]
        state = case.states[at]
        for answering in [decision.seat for decision in state.decisions()]:
            others = [viewer for viewer in list_viewers(game) if viewer != answering]
            before = {viewer: collect_sent(bench, game, state, viewer) for viewer in others}
            views = {viewer: state.mask(viewer) for viewer in others}
            twin = state.clone()
            for _ in range(40):
                legal = twin.legal(answering)
                if not legal:
                    break
                twin.apply(answering, legal[int(rng.below(len(legal)))])
                if not twin.answers[answering]:
                    break  # the last answer was in, and all were carried out
                for viewer in others:
                    now = twin.mask(viewer)
                    path = find_difference(views[viewer], now)
                    found = path or find_text_difference(before[viewer], collect_sent(bench, game, twin, viewer))
                    if found:
                        raise LawBrokenError(
                            f"seat {answering}'s unfinished answer shows to {name_viewer(viewer)}: {found}", at
                        )
                    checked += 1
    if not checked:
        bench.note = "no decision was asked of several seats at once"
    return checked


# ---- leaks in the course of the game ----------------------------------------------------------------


def replace_deck_list(game: Game, state: State, viewer: int, rng: Rng) -> tuple[Game, State] | None:
    """Return a twin position with another secret deck list, and its game.

    Either all unseen cards are dealt again, or one of them is replaced.

    Returns:
        None for every second call, if there is no secret list, or if no twin was found.
    """
    beliefs = state.mask(viewer).beliefs()
    # Answers that other seats have begun may be illegal with another deck.
    if beliefs is None or rng.below(2) or any(state.answers[seat] for seat in range(state.seats) if seat != viewer):
        return None
    if rng.below(2):
        redealt = redeal_unseen(game, state, viewer, rng)
        return redealt if redealt is not None and settle_again(redealt[1]) else None
    need = compute_needed_bits(game, viewer)
    twin = state.clone()
    twin.own()
    drawn = beliefs.draw_any(rng)
    lists = [deck[:] for deck, _ in twin.pools()]
    number = int(rng.below(len(lists)))
    pool = twin.pools()[number][1]
    places = [(zone, i) for zone in pool for i in range(len(zone)) if zone[i] & need != need]
    if not places or drawn[number] == lists[number]:
        return None
    zone, i = places[int(rng.below(len(places)))]
    new = drawn[number][int(rng.below(len(drawn[number])))]
    lists[number][lists[number].index(zone[i] & KIND)] = new
    zone[i] = zone[i] & ~KIND | new
    twin.assume(lists)
    try:
        return (game.with_secrets_of(twin), twin) if settle_again(twin) else None
    except OptionError:
        return None  # no such deck is legal


def swap_unseen(game: Game, state: State, viewer: int, rng: Rng) -> tuple[Game, State] | None:
    """Return a twin position with two cards swapped that the viewer has not seen, and its game; None without one."""
    # Answers that other seats have begun may be illegal after the swap.
    if any(state.answers[seat] for seat in range(state.seats) if seat != viewer):
        return None
    need = compute_needed_bits(game, viewer)
    twin = state.clone()
    twin.own()
    pools = []
    # Forgotten cards were seen once and a score may follow from them, so they are not secret.
    forgotten = {id(zone) for zone in twin.forgotten()}
    for _, pool in twin.pools():
        kept = [zone for zone in pool if id(zone) not in forgotten]
        places = [(zone, i) for zone in kept for i in range(len(zone)) if zone[i] & need != need]
        if len({zone[i] & KIND for zone, i in places}) > 1:
            pools.append(places)
    if not pools:
        return None
    places = pools[int(rng.below(len(pools)))]
    # Zones have equal chances, so that small hands are tested as often as large piles.
    held = list({id(zone): zone for zone, _ in places}.values())
    zone = held[int(rng.below(len(held)))]
    within = [i for z, i in places if z is zone]
    # The ends of a pile are the cards that move next.
    i = within[(0, -1)[int(rng.below(2))] if rng.below(2) else int(rng.below(len(within)))]
    card = zone[i]
    near = [(z, j) for z, j in places if z is zone and z[j] & KIND != card & KIND]
    far = [(z, j) for z, j in places if z[j] & KIND != card & KIND]
    choice = near if near and rng.below(3) else far
    other_zone, j = choice[int(rng.below(len(choice)))]
    other = other_zone[j]
    for one, kind in ((card, other & KIND), (other, card & KIND)):
        constraint = state.constraint(one)
        if constraint and not state.admits(constraint, kind):
            return None
    zone[i], other_zone[j] = card & ~KIND | other & KIND, other & ~KIND | card & KIND
    return (game, twin) if settle_again(twin) else None


def settle_again(twin: State) -> bool:
    """Settle a position after its cards were changed. Return whether the same question is asked."""
    steps, log = twin.stack[:], twin.log
    # The twin keeps the log of the original, so settling must not add to it.
    twin.log = None
    twin.settle()
    twin.log = log
    return same_steps(twin.stack, steps)


def list_pending_steps(state: State) -> list[tuple[str, int]]:
    """Return the pending steps by their classes and seats."""
    return [(type(step).__name__, step.seat) for step in state.stack]


def check_twin_games(bench: Bench, case: Case) -> int:
    """Two games that differ only in unseen cards look the same until a card is shown or a result is announced.

    Mistake:
        A number in an event, the order of a zone, or a choice that is skipped depends on a hidden card.
    Cure:
        Show the card, sort the zone, or ask the seat in both cases. An announced result must show on the table as well,
        for example as a score.
    """
    rng = case.rng("twins")
    game = case.game
    checked = 0
    for at in case.picks(rng, 2):
        viewer = list_viewers(game)[int(rng.below(game.seats + 1))]
        found = replace_deck_list(game, case.states[at], viewer, rng) or swap_unseen(game, case.states[at], viewer, rng)
        if found is None:
            continue
        other, twin = found
        state = case.states[at].clone()
        heard = len(state.mask(viewer).log or [])
        for now in range(at, min(at + CONTINUED_DECISIONS, len(case.decisions))):
            seat, action = case.decisions[now]
            if not twin.is_legal(seat, action):
                break
            state.moments, twin.moments = [], []
            state.apply(seat, action)
            twin.apply(seat, action)
            if not compare_games(bench, (game, other), viewer, state, twin, heard, now + 1, rng):
                break
            compare_moments(game, viewer, state.moments, twin.moments, now + 1)
            checked += 1
    return checked


def compare_moments(game: Game, viewer: int, here: list[State], there: list[State], at: int) -> None:
    """Check that the moments of two games that look alike also look alike."""
    if len(here) != len(there):
        raise LawBrokenError(
            f"the number of moments shows {name_viewer(viewer)} which of two unseen cards was which", at
        )
    for one, other in zip(here, there, strict=True):
        a, b = one.mask(viewer), other.mask(viewer)
        if a.dump() != b.dump():
            tail = f"which of two unseen cards was which: {describe_difference(game, a, b)}"
            raise LawBrokenError(f"a moment shows {name_viewer(viewer)} {tail}", at)


def check_moments(case: Case, rng: Rng) -> int:
    """Check that another deal of the unseen cards changes nothing of the moments between two decisions.

    Returns:
        The number of views checked.
    """
    game = case.game
    state = game.start(log=True)
    found: list[State] = []
    state.moments = found
    places: list[int] = []
    for at, (seat, action) in enumerate(case.decisions):
        state.apply(seat, action)
        places += [at] * (len(found) - len(places))
    checked = 0
    for i in [int(rng.below(len(found)))] if found else []:
        for viewer in list_viewers(game):
            redealt = redeal_unseen(game, found[i], viewer, rng)
            if redealt is None:
                raise LawBrokenError("no deal of the unseen cards fits a moment", places[i])
            other, twin = redealt
            path = find_difference(found[i].mask(viewer), twin.mask(viewer))
            if path:
                raise LawBrokenError(
                    f"the view of a moment of {name_viewer(viewer)} contains a secret: {path}", places[i]
                )
            difference = find_text_difference(
                collect_texts(game, found[i].mask(viewer)), collect_texts(other, twin.mask(viewer))
            )
            if difference:
                raise LawBrokenError(
                    f"a moment sent to {name_viewer(viewer)} depends on unseen cards: {difference}", places[i]
                )
            checked += 1
    return checked


def compare_games(
    bench: Bench, games: tuple[Game, Game], viewer: int, state: State, twin: State, heard: int, at: int, rng: Rng
) -> bool:
    """Compare two games that looked alike before their latest decision.

    Args:
        bench: The bench, for its senders.
        games: The two games.
        viewer: The viewer of both.
        state: The position of the first game.
        twin: The position of the second game.
        heard: The number of events that are known to agree.
        at: The number of decisions, for a failure.
        rng: Chooses the positions whose texts are compared too.

    Returns:
        False if the games may differ from now on, because a swapped card was seen or another seat is asked.
    """
    a, b = state.mask(viewer), twin.mask(viewer)
    here, there = make_deal_key(a), make_deal_key(b)
    if [sorted(zone) for zone in here] != [sorted(zone) for zone in there]:
        return False
    if state.over and [deck for deck, _ in a.pools()] != [deck for deck, _ in b.pools()]:
        return False  # deck lists are public at the end
    new, other = (a.log or [])[heard:], (b.log or [])[heard:]
    parted = find_parting(new, other)
    if new != other and is_announcement(new, other, parted, tables_differ=False):
        return False  # a card is shown
    tail = f"shows {name_viewer(viewer)} which of two unseen cards was which"
    if list_pending_steps(a) != list_pending_steps(b):
        if games[0].window(state) != games[1].window(twin):
            raise LawBrokenError(f"a window that opens {tail}", at)
        return False
    if new != other and is_announcement(new, other, parted, dump_without_log(a) != dump_without_log(b)):
        return False
    if here != there:
        raise LawBrokenError(f"the order of a zone {tail}", at)
    if new != other:
        raise LawBrokenError(f"the log {tail}: {describe_events(games[0], new, other, parted)}", at)
    if find_difference(a, b) or a.dump() != b.dump():
        raise LawBrokenError(f"{describe_difference(games[0], a, b)} {tail}", at)
    if not rng.below(4):
        found = find_text_difference(
            collect_sent(bench, games[0], state, viewer), collect_sent(bench, games[1], twin, viewer)
        )
        if found:
            raise LawBrokenError(f"the data sent {tail}: {found}", at)
    return True


def find_parting(one: list[Event], other: list[Event]) -> int:
    """Return the place of the first event in which two logs differ, or the length of the shorter one."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(one), len(other)))


def is_announcement(one: list[Event], other: list[Event], at: int, tables_differ: bool) -> bool:
    """Return whether two logs may differ at an event: it shows a card, or announces a result that the table confirms.

    A comparison of hidden cards may announce its loser or a tie. Then the event's code or seat differs, and so does a
    score, or the seat that leads. If the tables are equal, or if only a number in the event differs, the log leaks.
    """
    if at < min(len(one), len(other)) and one[at][:3] == other[at][:3]:
        return one[at][3] != other[at][3]
    return tables_differ


def count_known(game: Game, state: State, viewer: int) -> Counter[int]:
    """Return the number of cards of each kind that the viewer has seen."""
    need = compute_needed_bits(game, viewer)
    return Counter(card & KIND for _, pool in state.pools() for zone in pool for card in zone if card & need == need)


def check_knowledge(bench: Bench, case: Case) -> int:
    """A seat knows a card only if an event showed it, and knows what an event showed.

    Mistake:
        A rule sets a seen bit without an event, or shows a card in an event and leaves the bit unset.
    Cure:
        Set `SEEN[seat]` and call `tell` or `tell_only` together.
    """
    for viewer in list_viewers(case.game):
        knew, heard = Counter[int](), 0
        for at, state in enumerate(case.states):
            view = state.mask(viewer)
            log = view.log or []
            knows = count_known(case.game, state, viewer)
            shown = Counter(event[3] & KIND for event in log[heard:] if event[3] & KIND != HIDDEN)
            if at:
                for kind, count in (knows - knew).items():
                    # A spectator knows a card once all seats do, and the event may be for the last seat alone.
                    if count > shown[kind] and viewer != SPECTATOR:
                        raise LawBrokenError(
                            f"{name_viewer(viewer)} knows a card ({name_card(case.game, kind)}) that no event showed",
                            at,
                        )
                if state.asked() != [CHANCE]:
                    for kind in shown:
                        if not knows[kind]:
                            card = name_card(case.game, kind)
                            raise LawBrokenError(
                                f"an event showed {name_viewer(viewer)} a card ({card}), but it is not marked as seen",
                                at,
                            )
            knew, heard = knows, len(log)
    return len(case.states)


def check_public_views(bench: Bench, case: Case) -> int:
    """Actions with the same `public` number give other viewers the same view.

    Mistake:
        `public` hides a card that the rules reveal at once; or a card leaves a hand unseen, and another seat that has
        looked at the hand still knows the rest of it.
    Cure:
        Return the action itself where others see it; or clear what others know of the hand (`SimpleState.forget`).
    """
    rng = case.rng("public")
    game = case.game
    checked = 0
    for at in case.picks(rng, 6):
        state = case.states[at]
        for decision in state.decisions():
            if decision.seat == CHANCE:
                continue
            for viewer in list_viewers(game):
                if viewer == decision.seat:
                    continue
                groups: dict[int, list[int]] = {}
                for action in decision.actions:
                    groups.setdefault(game.public(state, decision.seat, action, viewer), []).append(action)
                for group in groups.values():
                    for action in group[1:]:
                        compare_public_actions(case, at, viewer, decision.seat, group[0], action)
                        checked += 1
    return checked


def compare_public_actions(case: Case, at: int, viewer: int, seat: int, one: int, two: int) -> None:
    """Check that two actions with the same `public` number give a viewer the same view."""
    a, b = case.states[at].clone(), case.states[at].clone()
    a.apply(seat, one)
    b.apply(seat, two)
    heard = len(case.states[at].mask(viewer).log or [])
    x, y = a.mask(viewer), b.mask(viewer)
    together = case.states[at].stack[-1].seat == TOGETHER
    if list_pending_steps(x) != list_pending_steps(y) or (together and not (a.answers[seat] and b.answers[seat])):
        return  # another step followed, or the last answer was given and all were shown
    first, second = ((view.log or [])[heard:] for view in (x, y))
    # The first event of a move must be the same; a later one may show a card or announce a result.
    parted = find_parting(first, second)
    by_right = (
        first != second
        and parted > 0
        and is_announcement(first, second, parted, dump_without_log(x) != dump_without_log(y))
    )
    # A spectator knows a card once all seats do, without an event for the spectator.
    by_right = by_right or (viewer == SPECTATOR and make_deal_key(x) != make_deal_key(y))
    if not by_right and x.dump() != y.dump():
        names = f"{format_action(case.game, one)} and {format_action(case.game, two)}"
        raise LawBrokenError(
            f"public() does not distinguish {names} for {name_viewer(viewer)}, but their views differ: "
            f"{describe_difference(case.game, x, y)}",
            at,
        )


LAWS = [
    Law("a view is blank where its viewer has not seen", "views", check_views_blank),
    Law("dealing the unseen anew changes nothing that is sent", "views", check_redeal, share=2.5),
    Law("games that differ only in the unseen look the same", "positions", check_twin_games, share=2.5),
    Law("an unfinished answer is hidden from other seats", "views", check_answers_secret, share=1.5),
    Law("knowledge has a source", "positions", check_knowledge),
    Law("actions with one public number give one view", "pairs", check_public_views, share=0.5),
    Law("no view contains a seed", "views", check_no_seeds, share=0.4),
]
