"""A first game or an exercise in the terminal: what is told, the table in words, and a choice where one is asked."""

from __future__ import annotations

from gonfalon.core.errors import NotationError
from gonfalon.core.game import Game, names_for
from gonfalon.core.state import Action
from gonfalon.lessons import ANNOTATED, LESSON, Course, LessonStep, shelf
from gonfalon.terminal.console import Console

HELP = "Enter goes on. Where you are asked, type the number of an action or its notation; q leaves."


def learn(kind: type[Game], name: str | None, plain: bool) -> int:
    """The command `gonfalon learn`. Without a name: the first game. Raises Unknown."""
    if name is None:
        found = next((one.name for one in shelf.of_game(kind) if one.kind == LESSON), None)
        if found is None:
            raise shelf.Unknown(f"{kind.title} has no first game yet.")
        name = found
    try:
        course, console = shelf.course(kind, name), Console(plain)
    except shelf.Unknown as error:
        there = ", ".join(one.name for one in shelf.of_game(kind) if one.kind != ANNOTATED)
        raise shelf.Unknown(f"{error} There are {there}." if there else str(error)) from None
    console.head(course.noted.title)
    console.say(HELP)
    place = heard = 0
    told = ""
    while place < len(course.steps):
        step = course.steps[place]
        heard = news(console, course, step, heard)
        if step.note is not None and step.note.text != told:
            told = step.note.text
            console.say(told)
        if step.asks is None:
            if step.note is not None and place + 1 < len(course.steps) and console.ask("… ") in (None, "q", "quit"):
                return 0
            place += 1
            continue
        answer = asked(console, course, place)
        if answer is None:
            return 0
        place += answer
    console.say(f"`gonfalon play {kind.name}` begins a real game.")
    return 0


def news(console: Console, course: Course, step: LessonStep, heard: int) -> int:
    """What has happened since; returns how much of the log has been told."""
    game, log = course.noted.game, step.view.log or []
    names = names_for(game, course.noted.seat, course.noted.record.names)
    for event in log[heard:]:
        if sentence := game.words(event, step.view, names):
            console.say(f"* {sentence}", indent="  ")
    return len(log)


def asked(console: Console, course: Course, place: int) -> int | None:
    """Ask until the answer is right: how many steps it leads on; None for whoever leaves."""
    game, view, seat = course.noted.game, course.steps[place].view, course.noted.seat
    names = names_for(game, seat, course.noted.record.names)
    legal = view.legal(seat)
    console.say(game.text(view, names).rstrip("\n"))
    console.head(game.prompt(view, names))
    console.menu([game.describe(view, action) for action in legal])
    while True:
        line = console.ask("> ")
        if line is None or line in ("q", "quit"):
            return None
        if not line:
            continue
        try:
            action = action_of(game, legal, line)
        except NotationError as error:
            console.say(str(error))
            continue
        ruling = course.answer(place, [action])
        if ruling.why is None:
            return ruling.right
        console.say(ruling.why)


def action_of(game: Game, legal: list[Action], line: str) -> Action:
    """The action of a line. Raises NotationError."""
    if line.isdecimal() and len(line) < 9:
        if 0 < int(line) <= len(legal):
            return legal[int(line) - 1]
        raise NotationError(f"The actions are numbered 1 to {len(legal)}.")
    return game.parse(line)
