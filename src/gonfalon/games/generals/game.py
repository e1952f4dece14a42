"""Generals as a game with options: the factory of its states and the home of its words."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

from gonfalon.core.decks import Deck, DeckError, Decks
from gonfalon.core.errors import NotationError, OptionError
from gonfalon.core.game import Game, Option, Part, Zone
from gonfalon.core.rng import Rng
from gonfalon.core.state import OPEN, Action, Event, Seat, State
from gonfalon.games.generals import data, decks, measure, second, tiny, view, words
from gonfalon.games.generals.actions import (
    ACTIVE,
    ACTIVES,
    CARD,
    DONE,
    END,
    FIRST,
    NO,
    ORDER,
    ORDERS,
    PASS,
    SIEGE,
    UNIT,
    YES,
    ZONE,
)
from gonfalon.games.generals.bounds import bound_of
from gonfalon.games.generals.chance import TOSS, push_shuffle
from gonfalon.games.generals.compile import Compiler
from gonfalon.games.generals.pool import TYPES
from gonfalon.games.generals.setup import Setup
from gonfalon.games.generals.state import BOTH, GeneralsState
from gonfalon.games.generals.turn import OPEN as OPENING
from gonfalon.games.generals.zones import AWAY, WORDS

PLAIN: Final[dict[Action, str]] = {
    END: "end",
    PASS: "pass",
    DONE: "done",
    YES: "yes",
    NO: "no",
    SIEGE: "siege",
}
SECRET: Final = ("pay", "excess", "discard", "search")
"""Questions whose answers, cards of the hand, nobody else sees."""


class Generals(Game):
    """A Three Kingdoms customizable card game, for two seats, each with a deck of its own.

    The rules are the rulebook's; the cards are this project's (see cards.toml), and anybody can play
    with others by `cards`. Raises OptionError and DataError.
    """

    name: ClassVar[str] = "generals"
    title: ClassVar[str] = "Generals"
    tagline: ClassVar[str] = "Raise an army of the Three Kingdoms; your deck is your realm, and every battle burns it."
    version: ClassVar[str] = "1"
    folder: ClassVar[Path] = Path(__file__).parent
    takes_back: ClassVar[bool] = True
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option(
            "decks",
            ("vanguard-of-wei", "brothers-in-arms"),
            "Decks",
            "the deck of each seat: a ready-made one, or a deck's code or text",
            public=False,
        ),
        Option("strict_blocking", False, "Strict blocking", "blockers must have moved to BORDER this turn (ruling 4)"),
        Option("counter_chain", True, "Counters can be countered", "whether a Counter can be answered (ruling 41)"),
        Option("mulligan", False, "Mulligan", "each seat may draw its first hand anew, once (ruling 51)"),
        Option(
            "strategy_overdeplete_loses",
            False,
            "Strategies can empty RESOURCE",
            "damage by a Strategy beyond RESOURCE loses as well (ruling 62)",
        ),
        Option("qun_counts", True, "Qun is a faction", "whether Qun counts for the hand limit (ruling 57)"),
        Option("exact", False, "Exact chance", "shuffles are decided card by card", public=False),
        Option("cards", None, "Card file", "an owner's own cards and decks", public=False, file=True),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seats = 2
        compiled = standard() if self.options["cards"] is None else Compiler(data.load(self.options["cards"]))
        self.pool = compiled.pool
        self.data_hash = self.pool.hash
        if self.options["cards"] is not None:
            self.options["cards"] = self.pool.raw
        self.kinds = compiled.kinds
        self.lists = self._lists()
        self.setup = self._set_up(compiled)
        self.measures = measure.Measure(self.setup)
        self.bound = bound_of(self.setup)

    def _lists(self) -> list[Deck]:
        chosen = self.options["decks"]
        if len(chosen) != 2:
            raise OptionError(f"Option decks names two decks, not {len(chosen)}.")
        tools = decks.GeneralsDecks(self.pool)
        found = []
        for seat, text in enumerate(map(str, chosen), start=1):
            faults: list[str] = []
            try:
                if "\n" in text.strip():
                    deck, faults = tools.parse(text)
                else:
                    deck = tools.find(text)
            except DeckError as error:
                raise OptionError(f"The deck of seat {seat}: {error}") from None
            faults = faults or decks.check(self.pool, deck)
            if faults:
                raise OptionError(f"The deck of seat {seat} cannot be played. {' '.join(faults)}")
            found.append(deck)
        return found

    def _set_up(self, compiled: Compiler) -> Setup:
        options, pool = self.options, self.pool
        return Setup(
            compiled.kinds,
            compiled.mods,
            compiled.rules,
            compiled.delayed,
            [pool.resource(deck) for deck in self.lists],
            [pool.commandment(deck) for deck in self.lists],
            [decks.hand_limit(pool, deck, options["qun_counts"]) for deck in self.lists],
            [len(decks.counted(pool, deck, options["qun_counts"])) for deck in self.lists],
            pool.opening,
            options["exact"],
            options["strict_blocking"],
            options["counter_chain"],
            options["mulligan"],
            options["strategy_overdeplete_loses"],
        )

    def start(self, log: bool = False) -> GeneralsState:
        setup = self.setup
        units = setup.units
        s = GeneralsState(
            setup,
            [OPENING],
            hand=[[], []],
            deck=[setup.decks[0][:], setup.decks[1][:]],
            discard=[[], []],
            casualty=[[], []],
            field=[[], []],
            gear=[[], []],
            flight=[[], []],
            out=[[], []],
            command=[[setup.commands[0] | BOTH], [setup.commands[1] | BOTH]],
            army=[[], []],
            zone=[AWAY] * units,
            flags=[0] * units,
            armament=[-1] * units,
            troop=[-1] * units,
            marks=[0] * (4 * (units + 2)),
            lasting=[],
            spent=[],
            floor=[-1, -1],
        )
        if log:
            s.log = []
        s.stack.append(TOSS)
        push_shuffle(s, 3)
        s.settle()
        return s

    # ---- notation -------------------------------------------------------------------------------

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        if action in PLAIN:
            return PLAIN[action]
        if action in (FIRST, FIRST + 1):
            return f"first:{action - FIRST}"
        if ZONE <= action < ZONE + len(WORDS):
            return f"@{WORDS[action - ZONE]}"
        if ACTIVE <= action < ACTIVE + ACTIVES:
            return f"active:{action - ACTIVE + 1}"
        if ORDER <= action < ORDER + ORDERS:
            return f"order:{action - ORDER + 1}"
        if UNIT <= action < UNIT + self.setup.units:
            u = action - UNIT
            return f"{self.kinds[self.setup.kind[u]].slug}#{self.setup.owner[u] + 1}"
        if CARD <= action < CARD + len(self.kinds):
            return self.kinds[action - CARD].slug
        raise NotationError(f"{action} is no action of Generals.")

    def parse(self, text: str) -> Action:
        text = text.strip().lower()
        for action, word in PLAIN.items():
            if text == word:
                return action
        try:
            head, colon, tail = text.partition(":")
            if colon:
                number = int(tail)
                if head == "seed" and number >= 0:
                    return -1 - number
                if head == "first" and number in (0, 1):
                    return FIRST + number
                if head == "active" and 1 <= number <= ACTIVES:
                    return ACTIVE + number - 1
                if head == "order" and 1 <= number <= ORDERS:
                    return ORDER + number - 1
                raise ValueError
            if text.startswith("@"):
                return ZONE + WORDS.index(text[1:])
            slug, mark, seat = text.partition("#")
            kind = self.pool.by_slug[slug].kind
            if not mark:
                return CARD + kind
            if seat not in ("1", "2"):
                raise ValueError
            u = self.setup.unit_of[int(seat) - 1][kind]
            if u < 0:
                raise ValueError
            return UNIT + u
        except (ValueError, KeyError):
            raise NotationError(f"{text[:60]!r} is no action of Generals.") from None

    # ---- words and views (each from a masked state) ------------------------------------------------

    def words(self, event: Event, view: State, names: list[str]) -> str:
        return words.sentence(self, event, names)

    def prompt(self, state: State, names: list[str]) -> str:
        return words.prompt(self, _generals(state), names)

    def describe(self, state: State, action: Action) -> str:
        return words.describe(self, _generals(state), action)

    def board(self, state: State) -> dict[str, Any]:
        return view.board(self, _generals(state))

    def text(self, state: State, names: list[str]) -> str:
        return view.text(self, _generals(state), names)

    def controls(self, state: State) -> dict[str, Any]:
        return view.controls(self, _generals(state))

    def card(self, text: str) -> dict[str, Any] | None:
        card = self.pool.find(text)
        return view.printed(self, card.kind) if card is not None else None

    def catalogue(self) -> list[dict[str, Any]]:
        order = sorted(self.pool.cards, key=lambda card: (TYPES.index(card.type), card.kind))
        return [view.printed(self, card.kind) for card in order]

    def heuristic(self) -> Any:
        from gonfalon.games.generals.heuristic import Heuristic

        return Heuristic(self)

    def players(self) -> dict[str, Any]:
        from gonfalon.games.generals.players import players

        return players()

    def sense(self) -> Any:
        from gonfalon.games.generals.players import sense

        return sense(self)

    def window(self, state: State) -> str | None:
        """A Counter window, which opens whatever the hand holds (ruling 40)."""
        return "Counter" if state.stack and state.stack[-1].prompt == "answer" else None

    def turn(self, state: State) -> int:
        return _generals(state).number

    def seat_names(self) -> list[str]:
        names = [deck.name or "Own deck" for deck in self.lists]
        return names if names[0] != names[1] else [f"{names[0]} ({seat + 1})" for seat in (0, 1)]

    def decks(self) -> Decks:
        return decks.GeneralsDecks(self.pool, self.options["qun_counts"])

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """A card that goes face down from a hand shows only that it went; the first kind stands for it."""
        if viewer in (seat, OPEN) or action < CARD or not state.stack:
            return action
        step = state.stack[-1]
        if step.prompt in SECRET and not (step.prompt == "search" and getattr(step, "show", False)):
            return CARD
        return action

    def all_actions(self) -> list[Action]:
        played = {CARD + kind for deck in self.setup.decks for kind in deck}
        played.add(CARD)  # what `public` shows of a hidden card
        return [a for a in super().all_actions() if a not in (FIRST, FIRST + 1) and (a < CARD or a in played)]

    def all_chances(self) -> list[Action]:
        return [FIRST, FIRST + 1, *(action for action in self.all_actions() if action >= CARD)]

    def zones(self) -> list[Zone]:
        return measure.zones()

    def parts(self) -> list[Part]:
        return self.measures.parts

    def measure(self, view: State, me: Seat) -> list[int]:
        return self.measures.of(_generals(view), me)

    def invariants(self, state: State) -> list[str]:
        return second.invariants(self, _generals(state))

    def reference(self, state: State, seat: int) -> list[Action] | None:
        return second.reference(self, _generals(state), seat)

    @classmethod
    def lobby(cls) -> dict[str, Any]:
        """What a page needs beside the decks: the banners of the factions."""
        keys = ("slug", "name", "colour", "glyph", "pattern", "style")
        return {"banners": [{key: getattr(f, key) for key in keys} for f in standard().pool.factions]}

    @classmethod
    def tiny(cls) -> list[Game]:
        return [cls(cards=raw, decks=("red", "blue"), exact=True) for raw in tiny.TINY]

    @classmethod
    def samples(cls) -> list[Game]:
        """All nine decks, every option, and decks drawn by lot, which hold the cards that no ready-made
        one does."""
        pool = standard().pool
        slugs = [deck.slug for deck in pool.decks]
        rotated = [*slugs[1:], slugs[0]]
        tools = decks.GeneralsDecks(pool)
        lots = [tools.code(decks.random_deck(pool, Rng(seed), 60)) for seed in range(1, 9)]
        return [
            *[cls(decks=pair) for pair in zip(slugs, rotated, strict=True)],
            cls(decks=(slugs[0], slugs[0]), mulligan=True),
            cls(decks=(slugs[1], slugs[6]), strict_blocking=True, counter_chain=False),
            cls(decks=(slugs[4], slugs[7]), strategy_overdeplete_loses=True, qun_counts=False),
            cls(decks=(slugs[3], slugs[8]), exact=True),
            cls(decks=(lots[0], lots[1])),
            cls(decks=(lots[2], lots[3]), mulligan=True, strict_blocking=True),
            cls(decks=(lots[4], lots[5]), strategy_overdeplete_loses=True),
            cls(decks=(lots[6], lots[7]), exact=True),
        ]


@cache
def standard() -> Compiler:
    """The cards that come with the program, compiled once: they never change."""
    return Compiler(data.load())


def _generals(state: State) -> GeneralsState:
    assert isinstance(state, GeneralsState)
    return state
