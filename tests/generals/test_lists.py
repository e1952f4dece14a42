"""Closed deck lists: the known cards, the estimated rest, and no leaks of secrets. Ruling 65."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, isclose, prod
from typing import Any

import pytest

from gonfalon.bridges.numbers import Numbers
from gonfalon.check.kit import run
from gonfalon.check.law import LawBrokenError, LawResult
from gonfalon.check.laws.secrecy import deals, honesty, secrecy
from gonfalon.check.play import Bench, play_case
from gonfalon.check.reference_rules import load_reference_rules
from gonfalon.check.statistics import compare_with_weights
from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.build import find_build
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.state import OPEN, SPECTATOR, State
from gonfalon.games.generals import Generals
from gonfalon.games.generals.face.board import Board
from gonfalon.games.generals.observation import list_kinds
from gonfalon.games.generals.rules import beliefs
from gonfalon.games.generals.rules.acts import counters
from gonfalon.games.generals.rules.acts.counters import Answer
from gonfalon.games.generals.rules.acts.declarations import Act
from gonfalon.games.generals.rules.beliefs import Posterior, Prior
from gonfalon.games.generals.rules.state import GeneralsState
from gonfalon.testing import rule
from tests.generals.folk import card, plain
from tests.generals.scenario import Table, pay

PAIR = ("plans-of-wei", "alliance")
NAMES = ["Plans of Wei", "Alliance of Shu and Wu"]


def play_randomly(made: Generals, decisions: int = 40, seed: int = 1) -> GeneralsState:
    """Return a position of a random game."""
    state = play_case(made, seed).states[decisions]
    assert isinstance(state, GeneralsState)
    return state


# ---- what is known --------------------------------------------------------------------------------------------------


@rule("generals", 65)
def test_a_seat_knows_its_own_list_and_public_facts_of_the_other() -> None:
    """Plans of Wei against the Alliance: Wei, Shu and Wu are announced, and both Commandments are open."""
    made = Generals(decks=PAIR)
    pool = made.pool
    resources = [pool.resource(deck) for deck in made.lists]
    state = play_randomly(made)
    assert state.lists == resources
    for viewer, known in ((0, [resources[0], []]), (1, [[], resources[1]]), (SPECTATOR, [[], []]), (OPEN, resources)):
        seen = state.mask(viewer)
        assert isinstance(seen, GeneralsState)
        assert seen.lists == known
        board = made.board(seen)["seats"]
        assert [bool(side["list"]) for side in board] == [bool(one) for one in known]
        assert [[faction["name"] for faction in side["factions"]] for side in board] == [["Wei"], ["Shu", "Wu"]]
        assert [side["deck"] for side in board] == [name if one else "" for name, one in zip(NAMES, known, strict=True)]
    own = {entry["name"]: entry["count"] for entry in made.board(state.mask(0))["seats"][0]["list"] or []}
    assert own == dict(Counter(made.kinds[kind].name for kind in resources[0]))
    assert made.seat_names() == ["Player 1", "Player 2"]


@rule("generals", 65)
def test_a_row_holds_the_seats_own_list_in_any_order_of_calls() -> None:
    """Plans of Wei has 58 cards, the Alliance 52. The row does not depend on earlier questions to another seat."""
    made = Generals(decks=PAIR)
    numbers, state = Numbers(made), play_randomly(made)
    kinds = list_kinds(made.setup)
    first = state.lists

    def told(seat: int) -> dict[int, int]:
        row = numbers.named(numbers.of_seat(state, seat))["list"].tolist()
        return {kind: copies for kind, copies in zip(kinds, row, strict=True) if copies}

    for seat, cards in ((0, 58), (1, 52), (0, 58)):
        assert told(seat) == Counter(first[seat])
        assert sum(told(seat).values()) == cards
    state.lists = [first[1], first[1]]
    assert told(0) == Counter(first[1])
    assert not any(numbers.named(numbers.of_seat(state.mask(SPECTATOR), SPECTATOR))["list"])


@rule("generals", 65)
def test_a_list_may_hold_any_cards_of_the_announced_factions() -> None:
    made = Generals(decks=PAIR)
    factions = [{made.pool.cards[kind].faction for kind in may} for may in made.setup.may]
    assert factions == [{"WEI", "NONE"}, {"SHU", "WU", "NONE"}]
    assert all(made.pool.cards[kind].type != "commandment" for may in made.setup.may for kind in may)
    assert len(made.setup.may[0]) == sum(
        card.faction in ("WEI", "NONE") and card.type != "commandment" for card in made.pool.cards
    )


@rule("generals", 65)
def test_by_option_both_lists_may_be_read() -> None:
    made = Generals(decks=PAIR, lists="open")
    state = play_randomly(made)
    for viewer in (0, 1, SPECTATOR):
        seen = state.mask(viewer)
        assert isinstance(seen, GeneralsState)
        assert seen.lists == state.lists
        assert seen.beliefs() is None
        assert [side["deck"] for side in made.board(seen)["seats"]] == NAMES
    assert made.setup.may == [sorted(set(one)) for one in state.lists]
    assert made.seat_names() == NAMES
    assert made.without_secrets() is made


@pytest.mark.extended
def test_with_open_lists_no_law_is_broken() -> None:
    made = [one for one in Generals.samples() if one.options["lists"] == "open"]
    assert [result.line() for result in run(made[:1], 0, rounds=1, stuck_after=120) if not result.ok] == []


@rule("generals", 65)
def test_when_the_game_is_over_both_lists_may_be_read() -> None:
    made = Generals(decks=PAIR)
    state = play_case(made, 2).states[-1]
    assert state.over
    for viewer in (0, 1, SPECTATOR):
        sides = made.board(state.mask(viewer))["seats"]
        assert [side["deck"] for side in sides] == NAMES
        assert all(side["list"] for side in sides)


@pytest.mark.parametrize(
    ("announced", "why"),
    [
        ("closed", "two announcements"),
        ([{}, {}], "announcement lacks"),
        ([{"factions": ["WEI"], "cards": 50, "commandment": "militia"}] * 2, "unknown factions"),
        ([{"factions": ["WEI", "SHU"], "cards": 1, "commandment": "recruit"}] * 2, "No legal deck has"),
    ],
)
def test_invalid_announcements_are_refused(announced: Any, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        Generals(announced=announced)


@rule("generals", 65)
def test_the_game_without_its_secrets_begins_with_blank_cards() -> None:
    """A game made in another process from its shown options alone can read everything the full game writes."""
    made = Generals(decks=PAIR)
    outside = Generals(**json.loads(json.dumps(made.without_secrets().shown_options())))
    assert (outside.lists, outside.announced, outside.bound) == ([], made.announced, made.bound)
    start = outside.start()
    assert [len(deck) for deck in start.deck] == [58, 52]
    assert {card & KIND for zone in start.deck for card in zone} == {KIND}
    assert (start.viewer, start.actions, start.lists) == (SPECTATOR, [], [[], []])
    assert not any(word in json.dumps(outside.shown_options()) for word in PAIR)
    with pytest.raises(OptionError, match="closed"):
        Generals(announced=outside.options["announced"], lists="open")


# ---- what has been seen ---------------------------------------------------------------------------------------------


def known_of_may(table: Table) -> dict[str, int]:
    """Return the cards of May's list that David's board shows."""
    return {entry["name"]: entry["count"] for entry in table.david.board["seats"][0]["seen"]}


@rule("generals", 65)
def test_a_played_card_is_known_in_any_zone() -> None:
    """A recruited general, a used Strategy and a Troop with a fallen bearer are known. Cards paid are not."""
    table = plain()
    table.may.holds("Reed", "Reward the Army", "Archers", "Militia").does("reed").does("militia", "reed#1")
    assert known_of_may(table) == {"Reed": 1, "Militia": 1}
    table.may.does("reward-the-army")
    assert table.may.hand == []
    assert known_of_may(table) == {"Reed": 1, "Militia": 1, "Reward the Army": 1}
    assert table.may.discards == ["Archers", "Reward the Army"]


@rule("generals", 65)
def test_a_second_copy_is_known_as_a_second_one() -> None:
    """The first copy is in DISCARD when the second is played. A general that returned to the hand is no second copy."""
    table = plain(card("X50", "Recall", "strategy", {"kind": "play", "do": [RECALL]}))
    table.may.holds("Reward the Army", "Archers").does("reward-the-army")
    table.may.holds("Reward the Army", "Archers").does("reward-the-army")
    assert known_of_may(table) == {"Reward the Army": 2}
    table.may.holds("Recall", "Reed", "Militia").does("reed")
    table.may.does("recall", *[] if table.may.asked == "main" else ["reed#1"])
    assert table.may.hand == ["Militia", "Reed"]
    table.may.does("reed")
    assert known_of_may(table) == {"Reward the Army": 2, "Recall": 1, "Reed": 1}


RECALL = {"op": "bounce", "target": {"side": "friend", "zone": "any", "count": 1}}


@rule("generals", 65)
def test_a_copy_that_may_have_left_discard_counts_no_longer() -> None:
    """An unknown card of DISCARD goes under RESOURCE, so the next copy played may be that card."""
    ops = [{"op": "recover", "n": 1, "choose": "random"}, {"op": "exile", "target": {"ref": "this"}}]
    farm = card("X50", "Farm", "strategy", {"kind": "play", "do": ops})
    table = plain(farm)
    table.may.holds("Reward the Army", "Archers", "Farm").does("reward-the-army", "archers").does("farm")
    table.chance("archers")
    table.may.holds("Reward the Army", "Archers").does("reward-the-army")
    assert known_of_may(table) == {"Reward the Army": 1, "Farm": 1}
    reward = next(k.id for k in table.game.kinds if k.name == "Reward the Army")
    assert table.state.gone == [[reward], []]
    for viewer in (0, 1, SPECTATOR):
        seen = table.state.mask(viewer)
        assert isinstance(seen, GeneralsState)
        assert seen.gone == [[], []], "in no view"


@rule("generals", 65, 66)
def test_a_card_that_was_shown_or_looked_at_is_known() -> None:
    """Call to Arms reveals the card it finds. Sima Yi looks at a hand, and the card he discards stays known."""
    table = Table()
    table.may.holds("Call to Arms", "Archers").resource("Zhou Cang", size=5).does("call-to-arms", "zhou-cang")
    assert known_of_may(table) == {"Call to Arms": 1, "Zhou Cang": 1}
    table = Table()
    table.david.has("Sima Yi", at="BORDER").holds("Militia", "Militia")
    table.may.holds("Feigned Retreat", "Red Hare", "Red Hare")
    table.turn(table.david)
    table.david.does("sima-yi#2", "active:1")
    pay(table.david)
    assert known_of_may(table) == {"Feigned Retreat": 1, "Red Hare": 2}
    table.david.does("feigned-retreat")
    assert known_of_may(table) == {"Feigned Retreat": 1, "Red Hare": 2}
    assert table.may.hand == ["Red Hare", "Red Hare"]


# ---- what is thought ------------------------------------------------------------------------------------------------


def every_list(prior: Prior) -> dict[tuple[int, ...], float]:
    """Return all lists of a small prior with their probabilities, computed from the module's text alone."""
    fit_: dict[tuple[int, ...], float] = {}
    for deck in combinations_with_replacement(prior.kinds, prior.size):
        counts = Counter(deck)
        if max(counts.values()) <= prior.copies and all(set(mark) & set(deck) for mark in prior.marks):
            fit_[deck] = float(prod(comb(prior.copies, count) for count in counts.values()))
    total = sum(fit_.values())
    share = 0.25 if prior.ready else 1.0
    chances = {deck: share * weight / total for deck, weight in fit_.items()}
    for ready in prior.ready:
        chances[tuple(ready)] += 0.75 / len(prior.ready)
    return chances


def condition_prior(prior: Prior, seen: list[int]) -> dict[tuple[int, ...], float]:
    """Return the probabilities after these cards were seen, by counting the parts of each deck that equal
    these kinds."""
    found = {}
    for deck, chance in every_list(prior).items():
        parts = sum(sorted(part) == sorted(seen) for part in combinations(deck, len(seen)))
        if parts:
            found[deck] = chance * parts / comb(len(deck), len(seen))
    total = sum(found.values())
    return {deck: chance / total for deck, chance in found.items()}


SMALL = Prior([1, 2, 4, 7], 3, 4, 9, [[1, 2], [7]], [[1, 1, 4, 7], [2, 2, 7, 7]])
CASES = [[], [4], [1], [2, 2], [1, 1, 4], [2, 7, 7]]


@pytest.mark.parametrize("seen", CASES)
@pytest.mark.parametrize("ready", [True, False])
def test_lists_come_as_often_as_they_are_likely(seen: list[int], ready: bool) -> None:
    """Two announced factions (kinds 1, 2 and 7), kind 4 of no faction, at most three copies, four cards."""
    prior = Prior(SMALL.kinds, SMALL.copies, SMALL.size, SMALL.command, SMALL.marks, SMALL.ready if ready else [])
    wanted = condition_prior(prior, seen)
    posterior = Posterior(prior, seen)
    rng = Rng(5)
    counts = Counter(tuple(posterior.draw(rng)[:-1]) for _ in range(30 * len(wanted) + 1000))
    assert set(counts) <= set(wanted)
    assert compare_with_weights(counts, wanted) > 1e-6
    for number, deck in enumerate(prior.ready):
        # What a ready-made deck has besides its part in the others.
        alone = condition_prior(prior, seen).get(tuple(deck), 0.0)
        assert posterior.shares[number] <= alone + 1e-12
    means = [sum(chance * deck.count(kind) for deck, chance in wanted.items()) for kind in range(8)]
    if len(set(seen) & {1, 2}) and 7 in seen:  # else announced factions still have to come
        assert all(isclose(a, b) for a, b in zip(posterior.expected(8), means, strict=True))


def test_a_list_that_has_all_there_is_shows_nothing_more() -> None:
    prior = Prior([1, 2], 1, 2, 9, [], [])
    assert Posterior(prior, [1, 2]).expected(4) == [0.0, 1.0, 1.0, 0.0]


def test_worlds_have_whole_legal_decks_with_all_that_was_seen() -> None:
    made = Generals(decks=PAIR)
    rng = Rng(3)
    for decisions in (5, 60, 120):
        state = play_randomly(made, decisions, 2)
        for viewer in (0, 1, SPECTATOR):
            sampler = worlds(state.mask(viewer))
            for _ in range(40):
                world = sampler.sample(rng)
                assert isinstance(world, GeneralsState)
                twin = made.with_secrets_of(world)  # which refuses decks that are not legal
                assert twin.announced == made.announced
                for seat in (0, 1):
                    assert Counter(state.seen[seat]) <= Counter(world.lists[seat])
                    assert viewer != seat or world.lists[seat] == state.lists[seat]


def test_a_dealt_list_is_written_alike_whichever_was_brought() -> None:
    """A preset list by its name and another list by its code both come from the world alone, not from the game's
    knowledge."""
    one, other = Generals(decks=PAIR), Generals(decks=(PAIR[0], without_a_name(PAIR[1])))
    for made in (one, other):
        assert made.with_secrets_of(play_randomly(one, 60, 2)).options["decks"] == PAIR
        assert made.with_secrets_of(play_randomly(other, 60, 2)).options["decks"] == PAIR


def without_a_name(slug: str) -> str:
    """Return a preset deck as a code."""
    decks = Generals(decks=PAIR).decks()
    return decks.code(next(deck for deck in decks.ready() if deck.slug == slug))


# ---- nothing tells more: what the kit finds -------------------------------------------------------------------------


def broken(laws: list[Any], rounds: int = 1) -> list[LawResult]:
    """Return the laws that a game with closed lists breaks now."""
    made = [Generals(decks=PAIR), Generals(decks=("brothers-in-arms", "yellow-sky"))]
    return [result for result in run(made, 0, laws=laws, rounds=rounds) if not result.ok]


VIEWS = [law for law in secrecy.LAWS if law.check in (secrecy.check_redeal, secrecy.check_twin_games)]
HONESTY = [law for law in honesty.LAWS if law.check is honesty.check_bots_in_twins]


def names_the_deck(made: Generals, state: State) -> Board:
    shown = BOARD(made, state)
    for seat in shown["seats"]:
        seat["deck"] = made.lists[seat["seat"]].name if made.lists else ""
    return shown


def set_up_by_lists(made: Generals, compiled: Any) -> Any:
    setup = SET_UP(made, compiled)
    for seat, deck in enumerate(made.lists):
        setup.priors[seat].kinds = sorted(set(made.pool.resource(deck)))
    names = ["kinds", "mods", "rules", "delayed", "closed", "priors", "limits", "factions", "opening", "exact"]
    names += ["strict_blocking", "counter_chain", "mulligan", "card_damage", "starter"]
    return type(setup)(**{name: getattr(setup, name) for name in names})


def ids_of(made: Generals) -> list[str]:
    return sorted({id for deck in made.lists for id in deck.counts})


def begin_by_lists(made: Generals, **options: Any) -> None:
    BEGIN(made, **options)
    made.bound += sum(len(deck.counts) for deck in made.lists)


BOARD, SET_UP, BEGIN = Generals.board, Generals._set_up, Generals.__init__

LEAKS: dict[str, list[tuple[Any, str, Any]]] = {
    "bots and views hold the whole game": [(Generals, "without_secrets", lambda self: self)],
    "the board names the deck": [(Generals, "board", names_the_deck)],
    "seats are called by their decks": [(Generals, "seat_names", lambda self: [d.name or "Own" for d in self.lists])],
    "a page holds the cards of both decks": [(Generals, "all_cards", lambda self: [{"id": id} for id in ids_of(self)])],
    "actions are those of both decks": [
        (
            Generals,
            "all_actions",
            lambda self: sorted({1024 + k for deck in self.lists for k in self.pool.resource(deck)}),
        )
    ],
    "tensors have columns for the kinds of both decks": [(Generals, "joining", lambda self, deck: [])],
    "a game is as long as its decks allow": [(Generals, "__init__", begin_by_lists)],
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_list_that_leaks_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for target, name, value in LEAKS[leak]:
        monkeypatch.setattr(target, name, value)
    assert broken(VIEWS[:1], 2)


def test_nothing_of_that_is_so() -> None:
    assert not broken([*VIEWS, *HONESTY])


def test_a_bot_that_is_made_with_the_whole_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law catches a bot made with the full game, even an unused one. The case checks all decisions without a time
    limit, because some twins have the same lists by chance."""
    monkeypatch.setattr(Generals, "without_secrets", lambda self: self)
    bench = Bench([Generals(decks=PAIR)], [], float("inf"))
    with pytest.raises(LawBrokenError, match="contains a secret: options"):
        honesty.check_bots_in_twins(bench, bench.case(0, False))


def frequencies(number: int) -> str:
    """Return the violation of the law of frequencies in a case of the first tiny game, or an empty string."""
    made = Generals.tiny()[0]
    bench = Bench([made], [made], float("inf"), reference=load_reference_rules("generals"))
    try:
        deals.check_frequencies(bench, bench.case(number, True))
    except LawBrokenError as error:
        return str(error)
    return ""


@pytest.mark.extended
@pytest.mark.skipif(find_build() == "compiled", reason="compiled classes cannot be patched")
def test_worlds_that_think_otherwise_of_lists_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law catches worlds that give preset decks too little weight or ignore other possible lists."""
    with monkeypatch.context() as patch:
        patch.setattr(beliefs, "PRESET_SHARE", 0.5)
        assert frequencies(0)
    with monkeypatch.context() as patch:
        patch.setattr(Generals, "_set_up", set_up_by_lists)
        assert "did not occur" in frequencies(0)


@pytest.mark.extended
@pytest.mark.skipif(find_build() == "compiled", reason="compiled functions cannot be patched")
def test_a_window_that_opens_by_the_list_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window opens only if the other list has an odd number of Counters for the act. One of these lists has four
    for a Tactical Strike, the other five."""

    def by_the_list(s: GeneralsState, act: Act) -> None:
        seat = 1 - act.doer
        if s.hand[seat] and sum(s.setup.kinds[kind].answers >> act.code & 1 for kind in s.lists[seat]) % 2:
            s.stack.append(Answer(act))

    monkeypatch.setattr(counters, "open_window", by_the_list)
    [result] = run([Generals(decks=("red-cliffs", "alliance"))], 0, laws=VIEWS[1:], rounds=60)
    assert "a window that opens shows" in result.failure
