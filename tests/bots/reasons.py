"""Requirements of a reason: it names the deciding factor in the words of the game and agrees with the numbers
beside it. `faults` returns its faults, and `answers` collects the reasons of every level of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations
from typing import Any, NamedTuple

from gonfalon import Rng, games
from gonfalon.bots import Basis, Bot, Budget, Choice, list_playable_levels, make
from gonfalon.bots.players.reasons import described, percent
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, State

FEW = {"feint": 60, "jinkei": 60, "generals": 8, "factionwars": 90}
"""Iterations for Strong and Expert. The other levels are fast enough."""
CLOSE = 0.00501
"""The maximum rounding error of a percentage in a sentence."""


class Answer(NamedTuple):
    """A level's choice and its question."""

    level: str
    game: Game
    view: State
    choice: Choice


@cache
def tables(name: str) -> list[Game]:
    """Return different games to take positions from."""
    kind = games.find_game_class(name)
    setups: list[dict[str, Any]] = [{}]
    if name == "feint":
        setups = [{"factions": pair} for pair in permutations(("keion", "agents", "wu", "mibits", "engineers"), 2)]
        setups = setups[::3]
    elif name == "generals":
        setups = [{"decks": pair} for pair in (("red-cliffs", "plans-of-wei"), ("alliance", "little-conqueror"))]
    elif name == "factionwars":
        setups = [{"seats": 2}, {"seats": 3}]
    return [kind(**setup) for setup in setups]


def answers(name: str, positions: int, seed: int = 1) -> Iterator[Answer]:
    """Yield the answers of all levels in a number of positions of games that Casual plays with itself."""
    rng = Rng(seed)
    number = found = 0
    while True:
        game = tables(name)[number % len(tables(name))]
        number += 1
        bots: dict[str, Bot] = {level: make(level, game) for level in list_playable_levels(game) if level != "random"}
        state = game.start()
        while not state.over:
            seat = state.turn
            if seat == CHANCE:
                state.apply(seat, state.chance(rng))
                continue
            if len(state.actions) > 1 and rng.below(3) == 0:
                view = state.mask(seat)
                for level, bot in bots.items():
                    budget = Budget(iterations=FEW[name]) if level in ("strong", "expert") else None
                    yield Answer(level, game, view, bot.choose(view, budget, Rng(found)))
                found += 1
                if found == positions:
                    return
            state.apply(seat, bots["casual"].choose(state.mask(seat), None, rng).action)


def faults(answer: Answer) -> list[str]:
    """Return the faults of a reason."""
    _, game, view, choice = answer
    why, reason = choice.why, choice.reason
    wrong = []
    if not re.fullmatch(r"[A-Z“].*\.", why):
        wrong.append("is no sentence")
    said = " ".join([why, choice.otherwise, *(case for belief in choice.beliefs for case, _ in belief.likely)])
    wrong += [
        f"says “{raw}”, which is a notation" for raw in notations(game, view) if re.search(rf"(?<!\w){raw}", said)
    ]
    told = [other.value.value for other in choice.alternatives if other.value is not None]
    if told != sorted(told, reverse=True):
        wrong.append("has alternatives that are not in the order of their chances")
    if any(a.value is None and b.value is not None for a, b in pairwise(choice.alternatives)):
        wrong.append("tells alternatives without a chance before others")
    if reason is None:
        return [*wrong, "does not say what decided"]
    return wrong + (ruled(choice) if reason.basis == Basis.RULE else weighed(answer, told))


def ruled(choice: Choice) -> list[str]:
    """Return the faults of a rule of thumb's reason, which has no probabilities."""
    wrong = []
    if choice.value is not None or choice.alternatives:
        wrong.append("tells chances that a rule of thumb does not have")
    return wrong


def weighed(answer: Answer, told: list[float]) -> list[str]:
    """Return the faults of a reason with the probabilities of its alternatives."""
    _, game, view, choice = answer
    reason, value = choice.reason, choice.value
    assert reason is not None
    if value is None:
        return ["weighs without a chance"]
    wrong = []
    best = max(told, default=0.0)
    other = None if reason.other is None else choice.chance(reason.other)
    policy, facts = dict(choice.policy), dict(reason.facts)
    if reason.basis == Basis.BETTER and best > value.value:
        wrong.append("is told as the best beside a higher chance")
    beside = reason.basis in (Basis.LEARNT, Basis.TRIED, Basis.SIGHT, Basis.POINTS, Basis.SAFE)
    if beside and (other is None or other.value < max(best, value.value)):
        wrong.append("was not weighed against the highest chance")
    if reason.basis in (Basis.MIXED, Basis.HABIT) and abs(facts["share"] - policy[choice.action]) > CLOSE:
        wrong.append("tells another policy than it has")
    if reason.basis == Basis.HABIT and reason.other is not None and (other is None or other.value <= value.value):
        wrong.append("is a habit, though the chances speak for it")
    if reason.basis == Basis.LEARNT and facts["share"] <= facts["else"]:
        wrong.append("was learnt less than the other")
    if reason.basis == Basis.TRIED and facts["tries"] <= facts["else"]:
        wrong.append("was tried less than the other")
    if reason.basis == Basis.POINTS and facts["points"] < facts["else"]:
        wrong.append("brings fewer points than the other")
    if reason.basis == Basis.SAFE and "foreseen" in facts and facts["foreseen"] <= facts["else"]:
        wrong.append("is no safer than the other")
    higher = other is not None and other.value > value.value
    if higher and re.search("leaves me|left with|did best|comes next|came next|I win", choice.why):
        wrong.append("claims to be better than a higher chance")
    if other is not None and not higher and re.search("came out higher|would do better", choice.why):
        wrong.append("claims that a lower chance is higher")
    for first, second in re.findall(r"more often \((\d+) % against (\d+) %\)", choice.why):
        if int(first) <= int(second):
            wrong.append("says more often of what is not")
    numbers = [value.value, *told, *policy.values(), *(n for n in facts.values()), *(1.0 - n for n in facts.values())]
    known = {percent(min(0.99, max(0.01, number))) for number in numbers} | {percent(number) for number in numbers}
    said = re.findall(r"\d+ %", choice.why.replace("less than 1 %", ""))
    wrong += [f"tells {number}, which nothing beside it says" for number in said if number not in known]
    if not any(name.lower() in choice.why.lower() for name in names(game, view, choice.action, reason.other)):
        wrong.append("names neither what was chosen nor what it was weighed against")
    return wrong


def names(game: Game, view: State, *actions: int | None) -> set[str]:
    """Return a game's words for actions and their subjects."""
    known = [action for action in actions if action is not None]
    words = " ".join(game.describe(view, action).partition(" ")[2] for action in known)
    return (
        {described(game, view, action).strip("“”") for action in known}
        | set(re.findall(r"[A-Z][\w’'-]{2,}", words))
        | {"passing", "Pass.", "keep these", "leave them", "stop here"}
    )


def notations(game: Game, view: State) -> set[str]:
    """Return the texts that no person should read: notations of the current actions and slugs of cards, unless they are
    words."""
    texts = {game.notation(action) for action in view.actions} | slugs(game)
    return {re.escape(text) for text in texts if not re.fullmatch(r"[a-z]+|\d+", text)}


@cache
def slugs(game: Game) -> frozenset[str]:
    """Return the names of cards in files."""
    return frozenset(str(card["slug"]) for card in game.catalogue())
