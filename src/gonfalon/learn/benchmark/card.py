"""Cards: what the benchmark has measured of a player, with a hash that stands for all its figures.

All but what stands under `machine` follows from the seed, so two runs write the same card. A card of another version of
the protocol is refused, and cards of other rules or card data are not compared.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from gonfalon import __version__, games
from gonfalon.core.build import sentence
from gonfalon.core.errors import OptionError
from gonfalon.core.files import read_text
from gonfalon.core.game import Game
from gonfalon.lab.match import game_of, matchups
from gonfalon.learn.benchmark import figures
from gonfalon.learn.benchmark.agents import agent, file_of
from gonfalon.learn.benchmark.figures import SPARRING, Told, known_as
from gonfalon.learn.benchmark.protocol import OPTIONS, SEED, VERSION
from gonfalon.review.held import NETWORK as HELD
from gonfalon.review.held import held_hash

Card = dict[str, Any]
SCORE: Final = ("score", "low", "high")
LOSS: Final = ("mean", "low", "high")
UNHASHED: Final = ("hash", "machine")
NEEDED: Final = {"benchmark", "agent", "file", "games", "hash"}
KEYS: Final = {"exact": "exploitability", "score": "against", "tasks": "tasks", "response": "response"}
"""What the figures of each part are called."""
OTHER: Final = {SPARRING: "another sparring player", "network": "another network"}
"""How a difference is told whose word does not tell it well."""
PLAYED: Final = {"against", "response"}
"""The figures for which deals are played."""
LEFT_OUT: Final = "left out"
"""Where an entry tells why it has no figure of a part."""
WORDS: Final = {
    "exact": "what a perfect opponent gains in tiny games",
    "score": "against fixed levels",
    "tasks": "decision tasks",
    "response": "an exploiter learns",
}
SAME: Final = ("rules", "cards", "network")
"""What cards must have in common to be compared in a game."""


def begun(text: str) -> Card:
    """A card on which nothing stands yet."""
    return {
        "benchmark": VERSION,
        "seed": SEED,
        "agent": text,
        "file": file_of(text),
        "games": {},
    }


def fill(
    card: Card,
    names: list[str],
    parts: Collection[str],
    pairs: int,
    decisions: int,
    workers: int,
    tell: Told,
    sparring: str = "",
) -> Iterator[Card]:
    """Measure what a card lacks. It is yielded after each part, so that what was interrupted can be gone on with.
    Raises OptionError."""
    text = card["agent"]
    for name in names:
        agent(text, game_of(name, OPTIONS.get(name, {})))
        if sparring:
            agent(sparring, game_of(name, OPTIONS.get(name, {})))
        check(card, name, pairs, decisions, sparring)
    for name in names:
        entry = card["games"].setdefault(name, about(name, pairs))
        if not PLAYED & entry.keys():
            entry["pairs"] = pairs
        options = OPTIONS.get(name, {})
        works: dict[str, Callable[[], Any]] = {
            "exact": partial(figures.exact, text, name),
            "score": partial(figures.against_levels, text, name, options, pairs, workers),
            "tasks": partial(figures.on_tasks, text, name),
            "response": partial(figures.response, text, name, options, decisions, pairs, workers, tell, sparring),
        }
        for part, work in works.items():
            if part in parts and KEYS[part] not in entry:
                tell(f"{name}: {WORDS[part]}")
                try:
                    entry[KEYS[part]] = work()
                except figures.LeftOut as why:
                    tell(f"{name}: {why}")
                    entry[KEYS[part]] = None
                    entry.setdefault(LEFT_OUT, {})[part] = str(why)
                yield closed(card)
    yield closed(card)


def closed(card: Card) -> Card:
    """A card with its hash, and what it was measured on."""
    machine = {
        "gonfalon": __version__,
        "build": sentence(),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    return {**card, "hash": hash_of(card), "machine": machine}


def about(name: str, pairs: int) -> Card:
    """What a game is measured on."""
    options = OPTIONS.get(name, {})
    game: Game = game_of(name, matchups(name, options)[0])
    return {
        "rules": game.version,
        "cards": game.data_hash,
        "network": held_hash(game, HELD),
        "options": dict(options),
        "pairs": pairs,
    }


def check(card: Card, name: str, pairs: int, decisions: int, sparring: str = "") -> None:
    """Raises OptionError where a card cannot be gone on with in a game."""
    entry = card["games"].get(name)
    if entry is None:
        return
    now, then = about(name, pairs), {**entry}
    if not PLAYED & entry.keys():
        del now["pairs"]  # of the other parts none asks for deals
    if trained := entry.get("response"):
        now |= {"decisions": decisions, SPARRING: known_as(sparring)}
        then |= {"decisions": trained["decisions"], SPARRING: trained.get(SPARRING, "")}
    for what, value in now.items():
        if then.get(what) != value:
            raise OptionError(
                f"The card that is there was measured in {name} with {OTHER.get(what, f'other {what}')}: "
                f"{then.get(what) or 'none'}, not {value or 'none'}. Write another one, or ask for the same."
            )


def hash_of(card: Card) -> str:
    """What stands for all figures of a card, whatever machine they were measured on."""
    kept = {key: value for key, value in card.items() if key not in UNHASHED}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


def read(path: Path) -> Card:
    """A card from a file. Raises OptionError for what is none, was changed, or is of another version."""
    try:
        card = json.loads(read_text(path))
    except FileNotFoundError:
        raise OptionError(f"There is no file {path}.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise OptionError(f"{path} cannot be read as a card of the benchmark ({type(error).__name__}).") from None
    none = OptionError(f"{path} is no card of the benchmark.")
    if not isinstance(card, dict) or not set(card) >= NEEDED:
        raise none
    if card["benchmark"] != VERSION:
        raise OptionError(f"{path} is of version {card['benchmark']!r:.20} of the benchmark, and this is {VERSION}.")
    if card["hash"] != hash_of(card):
        raise OptionError(f"{path} was changed: its figures do not have the hash that it names.")
    if not whole(card):
        raise none
    return card


def whole(card: Card) -> bool:
    """Whether a card has the form of one: anybody may write one, with a hash that fits."""
    entries = card["games"]
    return (
        isinstance(card["agent"], str)
        and isinstance(card.get("machine", {}), dict)
        and isinstance(entries, dict)
        and all(map(whole_entry, entries.values()))
    )


def whole_entry(entry: Any) -> bool:
    """Whether that is what a card tells of a game."""
    if not isinstance(entry, dict) or not isinstance(entry.get("pairs"), int):
        return False
    exact, against, tasks, trained, why = (
        entry.get(what) or {} for what in ("exploitability", "against", "tasks", "response", LEFT_OUT)
    )
    return (
        all(isinstance(entry.get(what), str) for what in SAME)
        and all(isinstance(one, dict) for one in (exact, against, tasks, trained, why))
        and told(exact, exact)
        and all(told(one, SCORE) for one in against.values())
        and (not trained or told(trained, (*SCORE, "decisions", "pairs")))
        and isinstance(trained.get(SPARRING, ""), str)
        and (not tasks or (isinstance(tasks.get("hash"), str) and told(tasks, ("tasks", "agreement"))))
        and all(told(tasks[what], LOSS) for what in ("loss", "loss to the end") if what in tasks)
        and all(isinstance(one, str) for one in why.values())
    )


def told(figure: Any, names: Iterable[str]) -> bool:
    """Whether a figure has these numbers."""
    return isinstance(figure, dict) and all(isinstance(figure.get(name), (int, float)) for name in names)


def by_game(cards: list[Card]) -> dict[str, list[tuple[Card, Card]]]:
    """For each game the cards that tell of it with what they tell, the best player first.
    Raises OptionError for what cannot be compared."""
    found: dict[str, list[tuple[Card, Card]]] = {}
    for name in sorted({name for card in cards for name in card["games"]}, key=games_first):
        entries = [(card, card["games"][name]) for card in cards if name in card["games"]]
        if len({tuple(entry.get(what, "") for what in SAME) for _, entry in entries}) > 1:
            raise OptionError(f"These cards were measured with different rules, cards or networks of {name}.")
        hashes = {entry["tasks"]["hash"] for _, entry in entries if entry.get("tasks")}
        if len(hashes) > 1:
            raise OptionError(f"These cards were measured with different decision tasks of {name}.")
        found[name] = sorted(entries, key=lambda both: (*order(both[1]), both[0]["agent"]))
    return found


def order(entry: Card) -> tuple[bool, float, float]:
    """The best mean score against the fixed levels first; then who has none, the least loss in tasks first."""
    scores = [one["score"] for one in (entry.get("against") or {}).values()]
    loss = ((entry.get("tasks") or {}).get("loss") or {}).get("mean", 1.0)
    return not scores, -sum(scores), loss


def games_first(name: str) -> tuple[bool, str]:
    """Installed games in front of others."""
    return name not in games.names(), name
