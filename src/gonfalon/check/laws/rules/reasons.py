"""The law of reasons: bots say only what the board or their facts show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from time import process_time
from typing import Final

from gonfalon.bots.levels import list_playable_levels
from gonfalon.bots.levels import make as make_level
from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.secrecy.honesty import BUDGET, ask_bot, pick_questions
from gonfalon.check.play import GLANCE_SHARE, Bench, Case
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import State

MAX_POSITIONS: Final = 8
MAX_SENTENCES: Final = 2
WORLDS: Final = 2
"""The number of worlds in which an action is played to see the board after it."""


def check_reasons(bench: Bench, case: Case) -> int:
    """A bot's reason has at most two sentences, names only what its view shows, and quotes only numbers of its facts.
    Facts are on the board before or after the action, unless they are marked as counted. The text of a card is quoted
    as it is printed.

    Mistake:
        A rule of thumb praises its choice with an estimate that no player can see.
    Cure:
        Write reasons with `tell`, from facts whose names and numbers the board shows.
    """
    rng = case.rng("reasons")
    names = list_playable_levels(case.game)
    bots = [make_level(name, case.game) for name in names]
    deadline = bench.deadline(GLANCE_SHARE)
    checked = 0
    for at, seat in pick_questions(case, rng, MAX_POSITIONS):
        if checked and process_time() > deadline:
            break
        view = case.states[at].mask(seat)
        for bot in bots:
            choice = ask_bot(bot, view, BUDGET, rng.seed(), at)
            fault = next(find_faults(case.game, view, choice), "")
            if fault:
                raise LawBrokenError(f"the bot {bot.name} says “{choice.why}”, {fault}", at)
            checked += 1
    return checked


def find_faults(game: Game, view: State, choice: Choice) -> Iterator[str]:
    """Yield the faults of a reason, each as a clause."""
    names = game.seat_names()
    choice = replace(choice, why=remove_card_texts(game, choice.why))
    described = [game.describe(view, action) for action in view.legal(view.viewer)]
    board = game.text(view, names)
    shown = "\n".join([board, game.prompt(view, names), *described, *names])
    if len(re.findall(r"[.!?](?= [A-Z“]|$)", choice.why)) > MAX_SENTENCES:
        yield f"which is more than {MAX_SENTENCES} sentences"
    after = list_boards_after(game, view, choice)
    for fact in choice.reason:
        yield from find_fact_faults(fact, choice, board, after)
    yield from find_false_names(game, choice, shown + "\n".join(after))
    yield from find_false_numbers(choice, shown + "\n".join(after))


def remove_card_texts(game: Game, why: str) -> str:
    """Return a reason without quoted texts of cards, which may have any number of sentences and numbers."""
    texts = "\n".join(str(card.get("text", "")) for card in game.catalogue())
    return re.sub(r": “([^”]+)”", lambda found: "." if found[1] in texts else found[0], why)


def list_boards_after(game: Game, view: State, choice: Choice) -> list[str]:
    """Return the boards that follow from a choice in some worlds, each with those of its moments, as texts."""
    found = []
    for seed in range(WORLDS):
        world = worlds(view).sample(Rng(seed))
        moments: list[State] = []
        world.moments = moments
        world.apply(view.viewer, choice.action)
        boards = [s.mask(view.viewer) for s in (*moments, world)]
        found.append("\n".join(game.text(board, game.seat_names()) for board in boards))
    return found


def find_fact_faults(fact: Fact, choice: Choice, board: str, after: list[str]) -> Iterator[str]:
    """Yield the faults of a fact: equal values, numbers that the board does not show, or a wrong comparison."""
    if fact.value == fact.than:
        yield f"which compares equal values of {fact.quantity}"
    if fact.quantity.startswith("%"):
        percents = {round(100 * share) for belief in choice.beliefs for _, share in belief.likely}
        yield from (
            f"but no belief has {number} %" for number in (fact.value, fact.than) if number and number not in percents
        )
    elif not fact.is_counted:
        for subject, number in ((fact.subject, fact.value), (fact.other or fact.subject, fact.than or 0)):
            # A board may leave a 0 out.
            missing = number and not is_on_board(board, subject, number)
            if missing and not all(is_on_board(text, subject, number) for text in after):
                yield f"but the board does not show {number} for {subject}"


def is_on_board(board: str, subject: str, number: int) -> bool:
    """Return whether a board shows a number in a line with a subject, or in the deeper lines below it."""
    name, depth = subject.partition(" (")[0].lower(), None
    for line in board.splitlines():
        indent = len(line) - len(line.lstrip())
        if name in line.lower():
            depth = indent
        elif depth is not None and indent <= depth:
            depth = None
        if depth is not None and re.search(rf"(?<!\d){abs(number)}(?!\d)", line):
            return True
    return False


def find_false_names(game: Game, choice: Choice, shown: str) -> Iterator[str]:
    """Yield the names of cards in a reason that the view does not show."""
    why = choice.why
    for name in sorted({str(card["name"]) for card in game.catalogue() if "name" in card}, key=len, reverse=True):
        if re.search(rf"\b{re.escape(name)}\b", why):
            why = why.replace(name, "")
            if name not in shown:
                yield f"but the view shows no {name}"
    for fact in choice.reason:
        for word in re.findall(r"\w+", f"{fact.subject} {fact.other}"):
            if not re.search(rf"\b{word}\b", shown, re.IGNORECASE):
                yield f"but the view shows no {word}"


def find_false_numbers(choice: Choice, shown: str) -> Iterator[str]:
    """Yield the numbers of a reason that neither are part of a name nor belong to a fact."""
    facts = choice.reason
    why = choice.why
    for name in sorted({name for fact in facts for name in (fact.subject, fact.other) if name}, key=len, reverse=True):
        why = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", why)
    for name in re.findall(r"\b[A-Z][a-z]\w* \d+\b", why):
        if name in shown:
            why = re.sub(rf"\b{name}\b", "", why)
    known = {str(abs(number)) for fact in facts for number in (fact.value, fact.than) if number is not None}
    if not facts:
        known = set(re.findall(r"\d+", shown))
    yield from (f"but no fact has {number}" for number in re.findall(r"\d+", why) if number not in known)


LAWS = [Law("reasons quote only what players can see", "reasons", check_reasons)]
