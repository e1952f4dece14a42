"""Laws of displays: the table, in words and for pages, and every replay can be shown to all viewers at any moment."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Final

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_action, format_exception
from gonfalon.check.observe import list_all_viewers, name_viewer
from gonfalon.check.play import Bench, Case
from gonfalon.core.files.replay import replay_sights
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.picture import draw_state
from gonfalon.core.rules.state import OPEN, State

MAX_COLUMNS: Final = 80
"""Maximum width of the text."""
PLACEHOLDER: Final = re.compile(r"\{[a-z][^{}]*\}|\[[a-z]+\]")
"""A placeholder of a sentence (`core/text/templates.py`)."""


def check_displays(bench: Bench, case: Case) -> int:
    """Prompts, actions, events, board and text can be produced for every viewer, with at most 80 columns.

    Mistake:
        A sentence or a name is looked up for a blank card, two actions have the same description, or a question offers
        `aim_at` actions but its sentence for them names a {card}.
    Cure:
        Handle `HIDDEN` cards in every text, and describe each action differently.
    """
    rng = case.rng("shown")
    game = case.game
    checked = 0
    for at in case.picks(rng, 1):
        for viewer in list_all_viewers(game):
            view = case.states[at].mask(viewer)
            try:
                check_display(game, view)
            except LawBrokenError as broken:
                raise LawBrokenError(f"for {name_viewer(viewer)} {broken}", at) from None
            except Exception as error:
                raise LawBrokenError(
                    f"showing the table to {name_viewer(viewer)} raised {format_exception(error)}", at
                ) from error
            checked += 1
    return checked


def check_display(game: Game, view: State) -> None:
    """Produce everything that is shown of a view, and check it."""
    names = names_for(game, view.viewer)
    prompt = game.prompt(view, names)
    if not view.over:
        check_one_line("the prompt", prompt)
    said: dict[str, int] = {}
    for action in view.legal(view.viewer) if view.viewer >= 0 else []:
        sentence = game.describe(view, action)
        check_one_line(f"the description of {format_action(game, action)}", sentence)
        if said.setdefault(sentence, action) != action:
            pair = f"{format_action(game, said[sentence])} and {format_action(game, action)}"
            raise LawBrokenError(f"{pair} have the same description {sentence!r}")
    log = view.log or []
    sentences = [game.words(event, view, names) for event in log]
    for sentence in (*filter(None, sentences), *(line["text"] for line in list_lines(game, view, names))):
        check_one_line("an event", sentence)
    if len(log) >= 60 and not any(sentences[-60:]):
        raise LawBrokenError("none of the last 60 events has words")
    for what, make in (("board", game.board), ("controls", game.controls)):
        with contextlib.suppress(NotImplementedError):
            check_json(what, make(view))
    with contextlib.suppress(NotImplementedError):
        for line in game.text(view, names).splitlines():
            if len(line) > MAX_COLUMNS:
                raise LawBrokenError(f"the text is wider than {MAX_COLUMNS} columns: {line!r}")
            if not line.isprintable():
                raise LawBrokenError(f"the text has characters that are unsafe in a terminal: {line!r}")
    draw_state(view)


def check_one_line(what: str, sentence: str) -> None:
    """Check that a sentence is one printable line."""
    if not sentence.strip():
        raise LawBrokenError(f"{what} is empty")
    if not sentence.isprintable():
        raise LawBrokenError(f"{what} is not one printable line: {sentence!r}")
    if found := PLACEHOLDER.search(sentence):
        raise LawBrokenError(f"{what} still has the placeholder {found[0]}: {sentence!r}")


def check_json(what: str, thing: object) -> None:
    """Check that data for pages and programs is JSON whose keys are texts."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            if not isinstance(key, str):
                raise LawBrokenError(f"the {what} has a key that is not a text, so JSON changes it: {key!r}")
            check_json(what, value)
    elif isinstance(thing, (list, tuple)):
        for value in thing:
            check_json(what, value)
    else:
        try:
            json.dumps(thing)
        except TypeError:
            raise LawBrokenError(f"the {what} holds a {type(thing).__name__}, which JSON does not know") from None


def check_replays_shown(bench: Bench, case: Case) -> int:
    """Every replay can be shown, and shows each viewer what they saw in the game.

    Mistake:
        A rule or a text depends on something outside the state, such as a global list.
    Cure:
        Keep it in the state, and build texts from the view alone.
    """
    rng = case.rng("replays")
    game = case.game
    record = bench.record(game, game.seat_names())
    for decision in case.decisions:
        record.add(*decision)
    checked = 0
    everyone = list_all_viewers(game)
    for viewer in {everyone[int(rng.below(len(everyone)))], OPEN}:
        names = names_for(game, viewer)
        chosen = {int(rng.below(len(case.states))), 0}
        number = 0
        for sight in replay_sights(record, viewer):
            if sight.action is not None and not game.notation(sight.action):
                raise LawBrokenError(
                    f"step {sight.number} of the replay for {name_viewer(viewer)} has an action without a notation"
                )
            if sight.moment or number in chosen or sight.decisions == len(case.decisions):
                view = sight.state.mask(viewer)
                if not sight.moment and view.dump() != case.states[sight.decisions].mask(viewer).dump():
                    raise LawBrokenError(
                        f"the replay shows {name_viewer(viewer)} a different table from the game", sight.decisions
                    )
                try:
                    check_display(game, view)
                except Exception as error:
                    raise LawBrokenError(
                        f"showing the replay to {name_viewer(viewer)} raised {format_exception(error)}", sight.decisions
                    ) from error
                game.prompt(view, names)
            # Moments are steps of a replay between two positions, and do not count as positions.
            number += not sight.moment
            checked += 1
        if viewer == OPEN and number != len(case.states):
            raise LawBrokenError(f"the open replay has {number} steps for {len(case.states)} positions")
    return checked


LAWS = [
    Law("all that is shown can be produced", "views", check_displays),
    Law("every replay shows what was seen", "steps", check_replays_shown),
]
