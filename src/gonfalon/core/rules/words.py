"""The sentences of a game. All of them are computed from a view."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.rules import Rules
from gonfalon.core.rules.state import Action, AnyStep, Card, Event, Seat, State
from gonfalon.core.text.english import YOU, add_article, many, several, verdict, whose
from gonfalon.core.text.templates import fill, find_blank_fault, find_blanks, read_number
from gonfalon.core.text.untrusted import isolate

NUMBERED: Final = re.compile(r"(?:Player|Seat) \d")
"""The default name of a seat, such as `Seat 2`."""
NEWCOMER_GAMES: Final = 3
"""The number of finished games of a kind up to which a player gets tips."""
FIRST_AIM: Final = KIND + 1
"""The action that chooses the player of seat 0. No kind of card has so high a number."""
BLANKS: Final = ("who", "whose", "card", "a", "b")
"""The placeholders that the sentence of an event may contain; those of numbers may have a meaning."""
CHOSEN: Final = ("card", "seat")
"""The placeholders that the sentence of an action may contain."""


class Words(Rules):
    """The texts of a game for people.

    In all methods `names` has one name for each seat, as the viewer reads them: the viewer's own is "You".
    """

    tagline: ClassVar[str] = ""
    """One line about the game for menus."""
    genre: ClassVar[str] = ""
    """What kind of game it is, for invitations: `a bluffing card game for two`."""
    brief: ClassVar[Sequence[str]] = ()
    """The game in three sentences, for invited friends that do not know it."""
    invented: ClassVar[str] = ""
    """A sentence for pages about the card data that are not published; empty if all are."""
    tips: ClassVar[Mapping[str, str]] = {}
    """One sentence of advice for newcomers for each `Step.prompt`. Tips do not depend on the position."""

    quiet: ClassVar[frozenset[int]] = frozenset()
    """The codes of events that need no sentence, because other events say enough. All other events need one."""

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """Return the sentence of an event in the log of a view.

        Args:
            event: An event of `view.log`. Its card is HIDDEN if the viewer did not see it.
            view: The masked state.
            names: The names of the seats as the viewer reads them.

        Returns:
            A sentence with its full stop; empty for an event that has none (`quiet`).
        """
        raise NotImplementedError

    def continues(self, event: Event, last: Event) -> bool:
        """Return whether an event belongs to the same line of the log as the one before it.

        It must follow from the masked events alone, which may lack their cards.

        Args:
            event: An event of `view.log`.
            last: The event before it.
        """
        return False

    def mark(self, event: Event) -> str:
        """Return the name of the icon for a line of the log that begins with this event, or "turn" for a line that is
        a heading; "" for neither."""
        return ""

    def line(self, events: Sequence[Event], view: State, names: list[str]) -> str:
        """Return a line of the log for one event or several that continue each other, by default their sentences.

        The events can begin in the middle of a line, because a terminal writes only those that are new.

        Args:
            events: Events of `view.log`, in their order.
            view: The masked state.
            names: The names of the seats as the viewer reads them.
        """
        return " ".join(filter(None, (self.words(event, view, names) for event in events)))

    def is_quiet(self, code: int) -> bool:
        """Return whether events of a code may have no sentence."""
        return code in self.quiet

    def kind_name(self, kind: int) -> str:
        """Return the name of a kind of card, for the messages of tools."""
        return f"a card of kind {kind}"

    def prompt(self, view: State, names: list[str]) -> str:
        """Return the question of the current decision for the viewer, or whom the game waits for, as one short
        sentence.

        Args:
            view: The masked state. `view.asked()` lists the seats that must decide.
            names: The names of the seats as the viewer reads them.
        """
        asked = view.asked()
        if not asked:
            return "The game is over."
        if view.viewer in asked:
            return "Choose an action."
        return f"Waiting for {' and '.join(names[seat] for seat in asked if seat >= 0) or 'chance'}."

    def ending(self, view: State, names: list[str]) -> str:
        """Return how the game ended, as a sentence from the viewer's side; empty while it is running.

        Args:
            view: The masked state.
            names: The names of the seats as the viewer reads them.
        """
        outcome = view.outcome()
        return "" if outcome is None else f"{verdict(outcome.winners, names)} ({outcome.how})."

    def moment_words(self, view: State, names: list[str]) -> str:
        """Return the visible event at a moment between two decisions (`State.moments`).

        By default this is the last sentence of the log.

        Args:
            view: The masked copy of the state at the moment; `view.moment` is its name.
            names: The names of the seats as the viewer reads them.

        Returns:
            One sentence. Further lines may give a summary, such as the score of a round.
        """
        for event in reversed(view.log or []):
            if sentence := self.words(event, view, names).strip():
                return sentence
        return ""

    def describe(self, view: State, action: Action) -> str:
        """Return a legal action of the viewer's decision as a sentence in the imperative, such as "Play Patriot to
        5."
        """
        return f"Choose {self.notation(action)}."

    def refusal(self, view: State, seat: Seat, action: Action) -> str:
        """Return why a seat that must decide cannot take an action, as a sentence.

        A `Reason` is a sentence with a tag and the rule behind it, which pages and programs show apart. The method is
        called for illegal actions only. The reason must follow from what the seat knows.

        Args:
            view: The seat's view, or the full state.
            seat: The seat that must decide.
            action: An action of this game that is not legal now.
        """
        return "This action is not legal now."

    def seat_names(self) -> list[str]:
        """Return the names of the seats at a table without people."""
        return [f"Seat {seat + 1}" for seat in range(self.seats)]


class TemplateWords(Words):
    """Words that fill templates (`gonfalon.core.text.templates`), which a game declares in class attributes."""

    card_names: tuple[str, ...]
    """The name of each kind of card. An action that chooses a card is its index here. People type a name in lower case
    with hyphens, so no two may be equal in that form, and none may be a mere number. A game that reads its cards from a
    file assigns this in `__init__`."""
    other_actions: ClassVar[Mapping[str, str]] = {}
    """The actions after those of the cards: for each notation a sentence in the imperative."""
    asks: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """For each name of a question (`Step.prompt`) the question as a sentence, and the sentence of choosing a card or a
    player, such as "Play the {card}." or "Challenge {seat}." A question that a seat is asked may name the fields of its
    step, such as "Which card is in {target:seat's} hand?"
    """
    sentences: ClassVar[Mapping[int, str]] = {}
    """For each code of an event its sentence, with the placeholders {who}, {card} (a Knight), {a} and {b}. A number can
    stand for players, {a:seat} or {a:seats}, or for a card, {b:kind} or {b:a kind}: "{who} [guess] that {a:seat} [have]
    {b:a kind}." Every logged event needs an entry; an empty sentence keeps it out of the log."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        does = [one for _, one in cls.asks.values()]
        for where, texts, known in (("sentences", cls.sentences.values(), BLANKS), ("asks", does, CHOSEN)):
            if fault := next(filter(None, (find_blank_fault(text, known) for text in texts)), ""):
                raise GonfalonError(f"{cls.__name__}.{where}: {fault}")

    def kind_name(self, kind: int) -> str:
        return self.card_names[kind]

    def card_word(self, card: Card) -> str:
        """Return `a Knight`, or `a card` if the viewer does not know it."""
        return add_article("card" if card & KIND == HIDDEN else self.card_names[card & KIND])

    def read_numbers(self, sentence: str, find: Callable[[str], int], names: list[str]) -> dict[str, object]:
        """Return the values of the placeholders of a sentence that are numbers, such as `a:seat`, by placeholder.

        Args:
            sentence: The sentence.
            find: Returns a number by its name.
            names: The names of the seats as the viewer reads them.
        """
        parts = {blank: blank.partition(":") for blank in find_blanks(sentence)}
        return {b: read_number(find(name), means, names, self.card_names) for b, (name, _, means) in parts.items()}

    def name_cards(self, cards: Sequence[Card]) -> str:
        """Return cards as a list, such as `a Knight and 2 cards`; the viewer does not know the last two."""
        counts = Counter(HIDDEN if card & KIND == HIDDEN else card & KIND for card in cards)
        hidden = counts.pop(HIDDEN, 0)
        known = [self.card_word(kind) if n == 1 else f"{self.card_names[kind]} ×{n}" for kind, n in counts.items()]
        return several(known + ([many(hidden, "card") if hidden > 1 else "a card"] if hidden else []))

    def continues(self, event: Event, last: Event) -> bool:
        """Return whether an event differs from the one before it in its card alone, so that one sentence names both."""
        same = (event[:3], event[4:]) == (last[:3], last[4:])
        return same and "card" in find_blanks(self.sentences.get(event[0], ""))

    def line(self, events: Sequence[Event], view: State, names: list[str]) -> str:
        """Return the sentence of events that differ in their cards alone."""
        if len(events) == 1 or type(self).words is not TemplateWords.words:
            return super().line(events, view, names)
        return self.fill_sentence(events[0], names, self.name_cards([event[3] for event in events]))

    def words(self, event: Event, view: State, names: list[str]) -> str:
        """Return the entry of `sentences` for an event of a view's log, with its placeholders filled in."""
        return self.fill_sentence(event, names, self.card_word(event[3]))

    def fill_sentence(self, event: Event, names: list[str], cards: str) -> str:
        """Return the sentence of an event, with these words for its card."""
        code, _, seat, _, a, b = event
        sentence, name = self.sentences.get(code, ""), names[seat] if seat >= 0 else ""
        values: dict[str, object] = {"who": [name], "whose": whose(name), "card": cards}
        numbers = {"a": a, "b": b}
        return fill(sentence, self.read_numbers(sentence, lambda field: numbers.get(field, 0), names) | values)

    def is_quiet(self, code: int) -> bool:
        """Return whether events of a code need no sentence: the code is in `quiet`, or its sentence is empty."""
        return code in self.quiet or self.sentences.get(code) == ""

    def prompt(self, view: State, names: list[str]) -> str:
        """Return the question of `asks` for a seat that must decide, or for other viewers the seats awaited."""
        if view.viewer in view.asked() and view.stack[-1].prompt in self.asks:
            step = view.stack[-1]
            asked = self.asks[step.prompt][0]
            values = self.read_numbers(asked, lambda field: find_field(step, field), names)
            return fill(asked, values)
        return super().prompt(view, names)

    def describe(self, view: State, action: Action) -> str:
        """Return a legal action of the viewer's decision as a sentence in the imperative."""
        if len(self.card_names) <= action < FIRST_AIM:
            return self.other_actions[self.notation(action)]
        _, does = self.asks.get(view.stack[-1].prompt, ("", "Choose the {card}."))
        if action < FIRST_AIM:
            return fill(does, {"card": self.card_names[action]})
        seat = find_aim(action)
        if seat == view.viewer:
            return fill(does.replace("{seat}", "yourself"), {"seat": [YOU]})
        return fill(does, {"seat": [self.seat_names()[seat]]})


def names_for(game: Words, viewer: int, names: list[str] | None = None) -> list[str]:
    """Return the names of the seats as one viewer reads them in sentences: the viewer's own is "You".

    Args:
        game: The game.
        viewer: A seat, SPECTATOR or OPEN.
        names: The names of the people and bots; the game's own names by default.
    """
    # A name from right to left would otherwise reorder the sentence around it.
    names = [isolate(name) for name in names or game.seat_names()]
    if viewer >= 0:
        names[viewer] = YOU
    return names


def put_names(game: Words, text: str, names: list[str]) -> str:
    """Return a text with the names of the seats in place of words such as `Player 2`."""
    known = dict(zip(game.seat_names(), names, strict=True))
    return NUMBERED.sub(lambda found: known.get(found[0], found[0]), text)


def describe_action(game: Words, view: State, action: Action, names: list[str]) -> str:
    """Return the sentence of an action with the names of the seats."""
    return put_names(game, game.describe(view, action), names)


def aim_at(seat: Seat) -> Action:
    """Return the action that chooses the player of a seat."""
    return FIRST_AIM + seat


def find_aim(action: Action) -> Seat:
    """Return the seat of the player that an action chooses."""
    return action - FIRST_AIM


def find_question_fault(steps: Iterable[type[AnyStep]], asks: Mapping[str, tuple[str, str]], where: str) -> str:
    """Return what is wrong with a table of questions, as a sentence; empty if nothing is.

    Args:
        steps: The steps of the game.
        asks: For each name of a question its sentence; the second sentence is not looked at.
        where: The name of the table.
    """
    by_prompt: dict[object, list[type[AnyStep]]] = {}
    for step in steps:
        by_prompt.setdefault(step.prompt, []).append(step)
    # A prompt may be a property of its step: then its names are not known here.
    if not by_prompt or not all(isinstance(prompt, str) for prompt in by_prompt):
        return ""
    for prompt, (sentence, _) in asks.items():
        if not prompt or prompt not in by_prompt:
            named = ", ".join(sorted(repr(name) for name in by_prompt if name))
            return f"{where} names the question {prompt!r}, but no step has this prompt; the prompts are {named}."
        for blank in find_blanks(sentence):
            name = blank.partition(":")[0]
            if lacking := [step for step in by_prompt[prompt] if name not in list_fields(step)]:
                return f"{where}[{prompt!r}] names {{{name}}}, but {lacking[0].__name__} has no field {name}."
    return ""


def list_fields(step: type[AnyStep]) -> set[str]:
    """Return the names of the fields of a step, of its methods, and of all names in its `__init__`."""
    code = getattr(vars(step).get("__init__"), "__code__", None)
    declared = {name for cls in step.__mro__ for name in getattr(cls, "__annotations__", ())}
    return {*dir(step), *declared, *(code.co_names + code.co_varnames if code else ())}


def find_field(step: AnyStep, name: str) -> int:
    """Return a field of a step that a question names. Raises GonfalonError if it has none of that name."""
    number = getattr(step, name, None)
    if isinstance(number, int):
        return number
    raise GonfalonError(f"asks[{step.prompt!r}] names {{{name}}}, but {type(step).__name__} has no number {name}.")
