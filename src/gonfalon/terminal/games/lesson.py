"""Lessons and exercises by lines: the notes, the table in words, and the questions."""

from __future__ import annotations

from typing import Final

from gonfalon.core.basics.errors import NotationError
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import Action, State
from gonfalon.core.rules.words import describe
from gonfalon.lessons import ANNOTATED, LESSON, Course, LessonStep, shelf
from gonfalon.terminal.drawing.cards import format_card
from gonfalon.terminal.drawing.console import Console

HELP: Final = "Enter continues. At a question type the number of an action or its notation. q leaves, ? shows help."
"""Help at the beginning."""
HELP_WORDS: Final = ("help", "h", "?")
"""Words that ask for help."""
COMMANDS: Final = """\
Type the number of an action, or its notation (for example: {example}).
  look             the table again
  actions          the legal actions again
  card NAME        what is printed on a card
  quit             leave
  help             this text"""
"""Help on the commands."""
EMPTY_LINE_REPLY: Final = "Type the number of an action or its notation, or help."
"""Reply to an empty line."""


def play_lesson(kind: type[Game], name: str | None, plain: bool) -> int:
    """Run `gonfalon learn`. Return the exit code.

    Args:
        kind: The game.
        name: Name of the lesson; the first game by default.
        plain: Write one thing in each line, and no bold type.

    Raises:
        UnknownLessonError: There is no such lesson.
    """
    if name is None:
        found = next((one.name for one in shelf.list_lessons(kind) if one.kind == LESSON), None)
        if found is None:
            raise shelf.UnknownLessonError(f"{kind.title} has no first game yet.")
        name = found
    try:
        course, console = shelf.load_course(kind, name), Console(plain)
    except shelf.UnknownLessonError as error:
        there = ", ".join(one.name for one in shelf.list_lessons(kind) if one.kind != ANNOTATED)
        raise shelf.UnknownLessonError(f"{error} There are {there}." if there else str(error)) from None
    console.head(course.noted.title)
    console.say(HELP)
    place = heard = 0
    told = ""
    while place < len(course.steps):
        step = course.steps[place]
        heard = write_news(console, course, step, heard)
        if step.note is not None and step.note.text != told:
            told = step.note.text
            console.say(told)
        if step.asks is None:
            if step.note is not None and place + 1 < len(course.steps) and not wait_to_continue(console):
                return 0
            place += 1
            continue
        answer = ask_answer(console, course, place)
        if answer is None:
            return 0
        place += answer
    console.say(f"Start a real game with `gonfalon play {kind.name}`.")
    return 0


def wait_to_continue(console: Console) -> bool:
    """Wait until the player continues. Return False if the player leaves."""
    while (line := console.ask("… ")) in HELP_WORDS:
        console.say(HELP)
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
            console.say(f"{error} Type help for help.")
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
    console.menu([describe(game, view, action, names) for action in view.legal(view.viewer)])


def run_command(console: Console, game: Game, view: State, names: list[str], line: str) -> bool:
    """Execute a line that is not an action. Return False if it may be an action."""
    word, _, name = line.partition(" ")
    if not line:
        console.say(EMPTY_LINE_REPLY)
    elif line.lower() in HELP_WORDS:
        console.say(COMMANDS.format(example=game.notation(view.legal(view.viewer)[-1])))
    elif line in ("look", "table"):
        write_table(console, game, view, names)
    elif line in ("actions", "list"):
        write_actions(console, game, view, names)
    elif word == "card":
        console.say(format_card_reply(game, name.strip()))
    else:
        return False
    return True


def format_card_reply(game: Game, name: str) -> str:
    """Return the text of a card, or the message that there is none."""
    card = game.card(name) if name else None
    if card is not None:
        return format_card(card)
    return f"There is no card {name!r} here." if name else "Which card? Type: card NAME"


def parse_action(game: Game, legal: list[Action], line: str) -> Action:
    """Return the action in a line. Raises NotationError."""
    if line.removeprefix("-").isdecimal() and len(line) < 9:
        if 0 < int(line) <= len(legal):
            return legal[int(line) - 1]
        raise NotationError(f"The actions are numbered 1 to {len(legal)}.")
    return game.parse(line)
