"""Laws of displays: the table, in words and for pages, and every replay can be shown to all viewers at any moment."""

from __future__ import annotations

import contextlib
import json
from typing import Final

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.rules.flow import named, raised
from gonfalon.check.observe import everybody, who
from gonfalon.check.play import Bench, Case
from gonfalon.core.files.replay import sights
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.picture import of_state
from gonfalon.core.rules.state import OPEN, State

COLUMNS: Final = 80
"""Maximum width of the text."""


def everything_is_shown(bench: Bench, case: Case) -> int:
    """Prompts, actions, events, board and text can be produced for every viewer, with at most 80 columns.

    Mistake:
        A sentence or a name is looked up for a blank card, or two actions have the same description.
    Cure:
        Handle `HIDDEN` cards in every text, and describe each action differently.
    """
    rng = case.rng("shown")
    game = case.game
    checked = 0
    for at in case.picks(rng, 1):
        for viewer in everybody(game):
            view = case.states[at].mask(viewer)
            try:
                show(game, view)
            except Broken as broken:
                raise Broken(f"for {who(viewer)} {broken}", at) from None
            except Exception as error:
                raise Broken(f"showing the table to {who(viewer)} raised {raised(error)}", at) from error
            checked += 1
    return checked


def show(game: Game, view: State) -> None:
    """Produce everything that is shown of a view, and check it."""
    names = names_for(game, view.viewer)
    prompt = game.prompt(view, names)
    if not view.over:
        one_line("the prompt", prompt)
    said: dict[str, int] = {}
    for action in view.legal(view.viewer) if view.viewer >= 0 else []:
        sentence = game.describe(view, action)
        one_line(f"the description of {named(game, action)}", sentence)
        if said.setdefault(sentence, action) != action:
            raise Broken(f"{named(game, said[sentence])} and {named(game, action)} are both described as {sentence!r}")
    log = view.log or []
    sentences = [game.words(event, view, names) for event in log]
    for sentence in filter(None, sentences):
        one_line("an event", sentence)
    if len(log) >= 60 and not any(sentences[-60:]):
        raise Broken("none of the last 60 events has words")
    for what, make in (("board", game.board), ("controls", game.controls)):
        with contextlib.suppress(NotImplementedError):
            plain(what, make(view))
    with contextlib.suppress(NotImplementedError):
        for line in game.text(view, names).splitlines():
            if len(line) > COLUMNS:
                raise Broken(f"the text is wider than {COLUMNS} columns: {line!r}")
            if not line.isprintable():
                raise Broken(f"the text has characters that are unsafe in a terminal: {line!r}")
    of_state(view)


def one_line(what: str, sentence: str) -> None:
    """Check that a sentence is one printable line."""
    if not sentence.strip():
        raise Broken(f"{what} is empty")
    if not sentence.isprintable():
        raise Broken(f"{what} is not one printable line: {sentence!r}")


def plain(what: str, thing: object) -> None:
    """Check that data for pages and programs is JSON whose keys are texts."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            if not isinstance(key, str):
                raise Broken(f"the {what} has a key that is not a text, so JSON changes it: {key!r}")
            plain(what, value)
    elif isinstance(thing, (list, tuple)):
        for value in thing:
            plain(what, value)
    else:
        try:
            json.dumps(thing)
        except TypeError:
            raise Broken(f"the {what} holds a {type(thing).__name__}, which JSON does not know") from None


def replays_are_shown(bench: Bench, case: Case) -> int:
    """Every replay can be shown, and shows each viewer what they saw in the game.

    Mistake:
        A text depends on an object that exists only while the game is played.
    Cure:
        Build texts from the view alone.
    """
    rng = case.rng("replays")
    game = case.game
    record = bench.record(game, game.seat_names())
    for decision in case.decisions:
        record.add(*decision)
    checked = 0
    everyone = everybody(game)
    for viewer in {everyone[int(rng.below(len(everyone)))], OPEN}:
        names = names_for(game, viewer)
        chosen = {int(rng.below(len(case.states))), 0}
        number = 0
        for sight in sights(record, viewer):
            if sight.action is not None and not game.notation(sight.action):
                raise Broken(f"step {sight.number} of the replay for {who(viewer)} has an action without a notation")
            if sight.moment or number in chosen or sight.decisions == len(case.decisions):
                view = sight.state.mask(viewer)
                if not sight.moment and view.dump() != case.states[sight.decisions].mask(viewer).dump():
                    raise Broken(f"the replay shows {who(viewer)} a different table from the game", sight.decisions)
                try:
                    show(game, view)
                except Exception as error:
                    raise Broken(
                        f"showing the replay to {who(viewer)} raised {raised(error)}", sight.decisions
                    ) from error
                game.prompt(view, names)
            number += not sight.moment
            checked += 1
        if viewer == OPEN and number != len(case.states):
            raise Broken(f"the open replay has {number} steps for {len(case.states)} positions")
    return checked


LAWS = [
    Law("all that is shown can be produced", "views", everything_is_shown),
    Law("every replay shows what was seen", "steps", replays_are_shown),
]
