"""The sentences of whole games of all kinds: short prompts, and plain words without the numbers of rulings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gonfalon
from gonfalon import Rng, games
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.core.rules.words import describe_action

SOURCES = Path(gonfalon.__file__).parent
PEOPLE = ["Rosalind", "Tomas", "Ada", "May", "Bo"]
MOST_WORDS = 10
UNWANTED = re.compile(r"\(rulings? |\b(some|no|every)body\b|\bwhoever\b|\bPlayer \d\b|\b[Ss]eat \d", re.IGNORECASE)
"""What no sentence for players contains."""
SENTENCE = re.compile(r"[A-Z0-9][^{}\[\]]*\.", re.DOTALL)
DISAGREES = re.compile(r"\b[Yy]ou (is|has|\w+[^su]s)\b(?<!pass)|\b1 cards\b|\ba the\b|\bNone\b")
"""Verbs and numbers that do not agree."""


def play(name: str, seed: int) -> Iterator[tuple[Game, State, list[str]]]:
    """Yield the views of a game of each sample, with the names of the seats."""
    for number, game in enumerate(games.find_game_class(name).samples()):
        state, rng = game.start(log=True), Rng(seed + number)
        while not state.over:
            state.apply(state.turn, state.sample(rng))
            for viewer in (*range(game.seats), SPECTATOR):
                if rng.below(4) == 0 or not state.stack:
                    yield game, state.mask(viewer), names_for(game, viewer, PEOPLE[: game.seats])


@pytest.mark.parametrize("name", games.names())
def test_every_prompt_has_at_most_ten_words(name: str) -> None:
    long = set()
    for game, view, names in play(name, 1):
        prompt = game.prompt(view, names)
        # The name of a card or a player counts as one word.
        if not view.moment and len(prompt.split()) - count_name_words(game, prompt) > MOST_WORDS:
            long.add(prompt)
    assert long == set()


def count_name_words(game: Game, prompt: str) -> int:
    """Return the number of words beyond the first one in the names of cards in a prompt."""
    names = sorted({str(card["name"]) for card in game.catalogue()}, key=len, reverse=True)
    more = 0
    for name in names:
        found = prompt.count(name)
        more += found * (len(name.split()) - 1)
        prompt = prompt.replace(name, "")
    return more


@pytest.mark.parametrize("name", games.names())
def test_sentences_are_plain_and_complete(name: str) -> None:
    """Prompts, tips, actions, refusals, log and results of whole games."""
    said = set(games.find_game_class(name).tips.values())
    prompts: set[str] = set()
    for game, view, names in play(name, 2):
        prompts.add(game.prompt(view, names))
        said |= {game.ending(view, names)} - {""}
        said |= {line["text"] for line in list_lines(game, view, names, max(0, len(view.log or ()) - 20))}
        for asked in view.decisions():
            if asked.seat == view.viewer:
                said |= {describe_action(game, view, action, names) for action in asked.actions}
                said |= {str(why) for action in game.all_actions()[::7] if (why := view.why_not(asked.seat, action))}
    assert [text for text in said | prompts if UNWANTED.search(text) or DISAGREES.search(text)] == []
    assert [text for text in said if not SENTENCE.fullmatch(text)] == []


def test_every_message_is_used() -> None:
    """A message is used if another module or template has its name, or if its own module has it twice."""
    texts = {path: path.read_text("utf-8") for kind in ("py", "html") for path in SOURCES.rglob(f"*.{kind}")}
    places: dict[str, set[Path]] = {}
    for path, text in texts.items():
        for word in set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", text)):
            places.setdefault(word, set()).add(path)
    unused = [
        f"{path.relative_to(SOURCES)}: {name}"
        for path, text in texts.items()
        if path.name == "messages.py"
        for name in re.findall(r"^([A-Z][A-Z0-9_]+): ", text, re.MULTILINE)
        if places[name] == {path} and len(re.findall(rf"\b{name}\b", text)) == 1
    ]
    assert not unused, "messages that no code uses"
