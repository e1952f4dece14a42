"""Lessons and exercises by lines: the notes, the table in words, and the questions."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.errors import NotationError
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import State
from gonfalon.core.rules.words import describe_action
from gonfalon.lessons import ANNOTATED, LESSON, Course, LessonStep, shelf
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.games.typed import format_card_reply, parse_action

HELP_WORDS: Final = ("help", "h", "?")
"""Words that ask for help."""


def play_lesson(kind: type[Game], name: str | None, plain: bool) -> int:
    """Run `gonfalon learn`. Return the exit code.

    Args:
        kind: The game.
        name: Name of the lesson; the first game by default.
        plain: Write one thing in each line, and no bold type.

    Raises:
        UnknownLessonError: There is no such lesson.
    """
    course, console = load_lesson(kind, name), Console(plain)
    console.head(course.noted.title)
    console.say(messages.LESSON_START)
    place = heard = 0
    told = ""
    while place < len(course.steps):
        step = course.steps[place]
        heard = write_news(console, course, step, heard)
        if step.note is not None and step.note.text != told:
            told = step.note.text
            console.say(f"{step.note.news} {told}".lstrip())
        if step.asks is None:
            if step.note is not None and place + 1 < len(course.steps) and not wait_to_continue(console):
                return 0
            place += 1
            continue
        answer = ask_answer(console, course, place)
        if answer is None:
            return 0
        place += answer
    console.say(messages.REAL_GAME.format(game=kind.name))
    return 0


def load_lesson(kind: type[Game], name: str | None) -> Course:
    """Return a lesson, by default the first game. Raises UnknownLessonError, which names the lessons of the game."""
    if name is None:
        name = next((one.name for one in shelf.list_lessons(kind) if one.kind == LESSON), None)
        if name is None:
            raise shelf.UnknownLessonError(messages.NO_FIRST_GAME.format(game=kind.title))
    try:
        return shelf.load_course(kind, name)
    except shelf.UnknownLessonError as error:
        there = ", ".join(one.name for one in shelf.list_lessons(kind) if one.kind != ANNOTATED)
        text = messages.KNOWN_LESSONS.format(fault=error, names=there) if there else str(error)
        raise shelf.UnknownLessonError(text) from None


def wait_to_continue(console: Console) -> bool:
    """Wait until the player continues. Return False if the player leaves."""
    while (line := console.ask("… ")) in HELP_WORDS:
        console.say(messages.LESSON_START)
    return line not in (None, "q", "quit")


def write_news(console: Console, course: Course, step: LessonStep, heard: int) -> int:
    """Write the events since the last step. Return the number of events written so far."""
    game, log = course.noted.game, step.view.log or []
    names = names_for(game, course.noted.seat, course.noted.record.names)
    for event in log[heard:]:
        if sentence := game.words(event, step.view, names):
            console.say(f"* {sentence}", indent="  ")
    return len(log)


def ask_answer(console: Console, course: Course, place: int) -> int | None:
    """Ask until the answer is right.

    Returns:
        The number of steps to advance; None if the player leaves.
    """
    game, view, seat = course.noted.game, course.steps[place].view, course.noted.seat
    names = names_for(game, seat, course.noted.record.names)
    legal = view.legal(seat)
    write_table(console, game, view, names)
    write_actions(console, game, view, names)
    while True:
        line = console.ask("> ")
        if line is None or line in ("q", "quit", "exit"):
            return None
        if run_command(console, game, view, names, line):
            continue
        try:
            action = parse_action(game, legal, line)
        except NotationError as error:
            console.say(messages.TYPE_HELP.format(fault=error))
            continue
        ruling = course.answer(place, [action])
        if ruling.why is None:
            return ruling.right
        console.say(ruling.why)


def write_table(console: Console, game: Game, view: State, names: list[str]) -> None:
    """Write the table in words."""
    console.say(game.text(view, names).rstrip("\n"))


def write_actions(console: Console, game: Game, view: State, names: list[str]) -> None:
    """Write the question and the legal actions."""
    console.head(game.prompt(view, names))
    console.menu([describe_action(game, view, action, names) for action in view.legal(view.viewer)])


def run_command(console: Console, game: Game, view: State, names: list[str], line: str) -> bool:
    """Execute a line that is not an action. Return False if it may be an action."""
    word, _, name = line.partition(" ")
    if not line:
        console.say(messages.TYPE_ACTION)
    elif line.lower() in HELP_WORDS:
        console.say(messages.LESSON_HELP.format(example=game.notation(view.legal(view.viewer)[-1])))
    elif line in ("look", "table"):
        write_table(console, game, view, names)
    elif line in ("actions", "list"):
        write_actions(console, game, view, names)
    elif word == "card":
        console.say(format_card_reply(game, name.strip()))
    else:
        return False
    return True
