"""`gonfalon benchmark`: a player measured by a protocol that is frozen, on a card that can be cited.

Two figures so far: how much a perfect opponent gains against it in tiny configurations of a game, exactly, and its
score against fixed levels over fixed deals. Both follow from the seed, so two runs write the same card. A card of
another version of the protocol, of other rules or other card data is never compared with this one.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from gonfalon import games
from gonfalon.core.build import sentence
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.options import Options
from gonfalon.lab.match import entrant, match
from gonfalon.learn.exact import exploitability, frozen

VERSION: Final = 1
SEED: Final = 20261125
PAIRS: Final = 200
"""Deals against each level, each played from all seats."""
LEVELS: Final = ("random", "greedy", "club")
OPTIONS: Final[Mapping[str, Options]] = {"factionwars": {"seats": 2}}
"""Of the games that are played for a score; all other options are the default ones."""
Card = dict[str, Any]


def card_of(agent: str, names: list[str], pairs: int, workers: int) -> Card:
    """Measure a player in games. Raises OptionError."""
    found = {name: figures(agent, name, pairs, workers) for name in names}
    card: Card = {"benchmark": VERSION, "seed": SEED, "agent": agent, "games": found}
    card["hash"] = hash_of(card)
    card["machine"] = {"build": sentence(), "python": platform.python_version(), "machine": platform.machine()}
    return card


def figures(agent: str, name: str, pairs: int, workers: int) -> Card:
    """All figures of one game."""
    kind = games.kind(name)
    options = OPTIONS.get(name, {})
    game = games.game(name, **options)
    entrant(agent, game)
    exact = {}
    for number, tiny in enumerate(kind.tiny()):
        if tiny.seats == 2:
            exact[f"tiny {number}"] = round(exploitability(tiny, player(agent, tiny)), 6)
    scores = {}
    for level in LEVELS:
        result = match(agent, level, name, options, pairs, SEED, workers)
        scores[level] = {"score": round(result.score, 4), "low": round(result.low, 4), "high": round(result.high, 4)}
    about = {"rules": game.version, "cards": game.data_hash, "options": dict(options), "pairs": pairs}
    return {**about, "exploitability": exact, "against": scores}


def player(agent: str, game: Game) -> Any:
    """A player in a tiny game."""
    return frozen(entrant(agent, game), SEED)


def hash_of(card: Card) -> str:
    """What stands for all figures of a card, whatever machine they were measured on."""
    measured = {key: value for key, value in card.items() if key not in ("hash", "machine")}
    return hashlib.sha256(json.dumps(measured, sort_keys=True).encode()).hexdigest()[:16]


def read(path: Path) -> Card:
    """A card from a file. Raises OptionError for what is none, was changed, or is of another version."""
    try:
        card = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError(f"{path} cannot be read as a card of the benchmark ({type(error).__name__}).") from None
    if not isinstance(card, dict) or not {"benchmark", "agent", "games", "hash"} <= set(card):
        raise OptionError(f"{path} is no card of the benchmark.")
    if card["benchmark"] != VERSION:
        raise OptionError(f"{path} is of version {card['benchmark']!s:.20} of the benchmark, and this is {VERSION}.")
    if card["hash"] != hash_of(card):
        raise OptionError(f"{path} was changed: its figures do not have the hash that it names.")
    return card


def leaderboard(cards: list[Card]) -> list[str]:
    """The lines of a page in Markdown: a table for each game, the best score against the strongest level first."""
    lines = [f"# Leaderboard, benchmark {VERSION}"]
    for name in sorted({name for card in cards for name in card["games"]}):
        entries = [(card, card["games"][name]) for card in cards if name in card["games"]]
        rules = {(entry["rules"], entry["cards"], entry["pairs"]) for _, entry in entries}
        if len(rules) > 1:
            raise OptionError(f"These cards were measured with different rules, cards or numbers of deals of {name}.")
        exact = list(entries[0][1]["exploitability"])
        heads = [
            "Agent",
            *[f"against {level}" for level in LEVELS],
            *[f"exploitability, {what}" for what in exact],
            "Card",
        ]
        lines += ["", f"## {name}", "", f"| {' | '.join(heads)} |", f"|---{'|---:' * (len(heads) - 2)}|---|"]
        entries.sort(key=lambda entry: -entry[1]["against"][LEVELS[-1]]["score"])
        for card, entry in entries:
            against = [entry["against"][level] for level in LEVELS]
            scores = [f"{100 * s['score']:.1f} % ({100 * s['low']:.1f} to {100 * s['high']:.1f})" for s in against]
            gains = [f"{entry['exploitability'][what]:.3f}" for what in exact]
            lines.append(f"| {' | '.join([card['agent'], *scores, *gains, card['hash']])} |")
    return lines


def main(agent: str, names: list[str], pairs: int, workers: int, write: Path | None, cards: list[Path]) -> int:
    """The command `gonfalon benchmark`."""
    if cards:
        print("\n".join(leaderboard([read(path) for path in cards])))
        return 0
    text = json.dumps(card_of(agent, names or games.names(), pairs, workers), indent=1)
    if write is None:
        print(text)
    else:
        write.write_text(text + "\n", "utf-8")
        print(f"Wrote {write}.")
    return 0
