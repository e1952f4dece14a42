"""The thoughts of a bot about a move: stored with the move, and shown to people as a hint or in the replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, TypedDict

from gonfalon.bots.players.choice import Alternative, Belief, Choice, Estimate, Fact, Fault
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State
from gonfalon.core.rules.words import put_names
from gonfalon.core.text.untrusted import isolate


class Chance(TypedDict):
    """A chance to win in percent, with the ends of its 95 % interval."""

    value: int
    low: int
    high: int


class Weighed(TypedDict):
    """An action and the chance to win with it."""

    action: str
    text: str
    chance: Chance | None


class Case(TypedDict):
    """A possible case of a hidden fact, with its probability in percent."""

    text: str
    chance: int


class Believed(TypedDict):
    """A belief about a hidden fact."""

    about: str
    likely: list[Case]


class ShownFact(TypedDict):
    """A number that a reason quotes, and the one that it is compared with."""

    about: str
    value: int
    other: str
    than: int | None


class Thought(Weighed):
    """A choice in words."""

    why: Annotated[str, "The reason, in at most two sentences; empty if no fact sets the action apart."]
    facts: Annotated[list[ShownFact], "The numbers that the reason quotes."]
    alternatives: list[Weighed]
    beliefs: list[Believed]
    otherwise: str


def noted(choice: Choice) -> str:
    """Return a choice as JSON text for the store."""
    return json.dumps(asdict(replace(choice, detail="")), ensure_ascii=False)


def thought(text: str) -> Choice:
    """Return the choice that `noted` wrote."""
    return build_choice(json.loads(text))


def build_choice(held: dict[str, Any]) -> Choice:
    """Return the choice of a JSON object.

    Raises:
        KeyError, TypeError, ValueError: The object is not a choice.
    """
    # The reasons of older versions were no lists of facts.
    facts = held["reason"] if isinstance(held.get("reason"), list) else []
    return Choice(
        held["action"],
        held["why"],
        estimate(held["value"]),
        tuple((action, share) for action, share in held["policy"]),
        tuple(Alternative(a["action"], estimate(a["value"]), a["share"]) for a in held["alternatives"]),
        tuple(Belief(b["about"], tuple((case, share) for case, share in b["likely"])) for b in held["beliefs"]),
        held["otherwise"],
        held["iterations"],
        held["worlds"],
        tuple(Fact(**fact) for fact in facts),
        Fault(held["fault"]) if held.get("fault") else None,
    )


def estimate(held: dict[str, float] | None) -> Estimate | None:
    """Return an estimate from its JSON object."""
    return None if held is None else Estimate(held["value"], held["low"], held["high"])


def told(game: Game, view: State, choice: Choice, names: Sequence[str]) -> Thought:
    """Return a choice in words, as JSON, for viewers who may see this view.

    `chance` and those of the alternatives are win chances in percent with their 95 % intervals, or None; `likely` are
    percentages too. `names` are those of the seats.
    """
    isolated, plain = [isolate(name) for name in names], game.describe(view, choice.action)

    def named(text: str) -> str:
        return put_names(game, text, isolated)

    return {
        "action": game.notation(choice.action),
        "text": named(plain),
        "why": "" if choice.why == plain else named(choice.why),
        "facts": [show_fact(fact, named) for fact in choice.reason],
        "chance": percents(choice.value),
        "alternatives": [
            {
                "action": game.notation(other.action),
                "text": named(game.describe(view, other.action)),
                "chance": percents(other.value),
            }
            for other in choice.alternatives
        ],
        "beliefs": [
            {
                "about": named(belief.about),
                "likely": [{"text": named(text), "chance": round(100 * p)} for text, p in belief.likely],
            }
            for belief in choice.beliefs
        ],
        "otherwise": named(choice.otherwise),
    }


def show_fact(fact: Fact, named: Callable[[str], str]) -> ShownFact:
    """Return a fact with the names of the players."""
    about = named(f"{fact.subject}: {fact.quantity}")
    return {"about": about, "value": fact.value, "other": named(fact.other), "than": fact.than}


def percents(value: Estimate | None) -> Chance | None:
    """Return a chance and its interval in whole percent."""
    if value is None:
        return None
    return {"value": round(100 * value.value), "low": round(100 * value.low), "high": round(100 * value.high)}


def lines(words: Thought) -> list[str]:
    """Return the thoughts as lines of text, the move first."""
    found = [words["text"] + in_figures(words["chance"])]
    found += [text for text in (words["why"], words["otherwise"]) if text]
    if words["alternatives"]:
        others = (other["text"] + in_figures(other["chance"]) for other in words["alternatives"])
        found.append("Also considered: " + "; ".join(others))
    for belief in words["beliefs"]:
        cases = ", ".join(f"{case['text']} in {case['chance']} %" for case in belief["likely"])
        found.append(f"{belief['about'][:1].upper()}{belief['about'][1:]}: {cases}")
    return found


def in_figures(chance: Chance | None) -> str:
    """Return a chance to win, to be written behind a move."""
    return "" if chance is None else f" (wins {chance['value']} %, {chance['low']} to {chance['high']})"
