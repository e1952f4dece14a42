"""Generals as a game with options: the factory of its states and the home of its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from gonfalon.core.cards import HIDDEN
from gonfalon.core.decks import Deck, DeckError, Decks
from gonfalon.core.errors import NotationError, OptionError
from gonfalon.core.game import Game, Option, Part, Zone
from gonfalon.core.rng import Rng
from gonfalon.core.shuffles import DealCard, Shuffle, push_shuffle
from gonfalon.core.state import OPEN, SPECTATOR, Action, Event, Seat, State, Step
from gonfalon.games.generals import judge as second
from gonfalon.games.generals import observation, oracle
from gonfalon.games.generals.cards import decks, files, tiny
from gonfalon.games.generals.cards.crowd import CROWDS
from gonfalon.games.generals.cards.pool import TYPES
from gonfalon.games.generals.cards.trials import trials
from gonfalon.games.generals.effects import on_cards, run
from gonfalon.games.generals.effects.bounds import bound_of
from gonfalon.games.generals.effects.compiler import Compiler
from gonfalon.games.generals.face import view as views
from gonfalon.games.generals.face import words
from gonfalon.games.generals.rules import (
    acts,
    casualties,
    chance,
    counters,
    declarations,
    events,
    questions,
    triggers,
    turn,
)
from gonfalon.games.generals.rules.actions import (
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
from gonfalon.games.generals.rules.chance import TOSS
from gonfalon.games.generals.rules.setup import Setup
from gonfalon.games.generals.rules.state import BOTH, GeneralsState
from gonfalon.games.generals.rules.turn import OPEN as OPENING
from gonfalon.games.generals.rules.zones import AWAY, WORDS

PLAIN: Final[dict[Action, str]] = {
    END: "end",
    PASS: "pass",
    DONE: "done",
    YES: "yes",
    NO: "no",
    SIEGE: "siege",
}
SMALL: Final = (events.MOVED, events.ACTIVATED, events.PAID, events.RECRUITED, events.EQUIPPED)
"""What may be taken back: a move, an effect that is not paid for yet, a payment and where it has led a card. What was
shown, and what an attack or an effect has done, stays."""
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
    invented: ClassVar[str] = "Most cards were made for this program; they are not the published ones."
    version: ClassVar[str] = "3"
    folder: ClassVar[Path] = Path(__file__).parent
    takes_back: ClassVar[bool] = True
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (
        *(acts.Activate, acts.Bearer, acts.Equip, acts.Executor, acts.Melee, acts.Placement, acts.Recruit),
        *(acts.Siege, acts.Strategy, acts.Strike, acts.StrikeDone),
        *(DealCard, chance.RandomDiscard, chance.Recover, Shuffle, chance.Toss),
        *(questions.DiscardOwn, questions.MayDraw, questions.Pay, questions.PayResource, questions.Pick),
        *(questions.Sacrifice, declarations.Declare, declarations.Launch),
        *(on_cards.DiscardSeen, on_cards.RecruitPick, on_cards.SearchPick, casualties.Fall, run.Run),
        *(triggers.InOrder, triggers.Triggers),
        *(turn.ChooseAct, turn.DrawPhase, turn.Excess, turn.HandLimit, turn.Main, turn.Mulligan, turn.NewHand),
        *(turn.NextTurn, turn.Open, turn.StartTurn, turn.Upkeep),
        *(counters.Answer, counters.Counter, counters.UseUp),
    )
    step_numbers: ClassVar[tuple[int, int]] = (8, 48)
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option(
            "decks",
            ("vanguard-of-wei", "brothers-in-arms"),
            "Decks",
            "the deck of each seat: a ready-made one, or a deck's code or text",
            public=False,
        ),
        Option(
            "lists",
            "closed",
            "Deck lists",
            "whether each knows only their own list, or both may read both (ruling 65)",
            (("closed", "Closed: factions are announced, the rest shows in play"), ("open", "Open to both")),
        ),
        Option("announced", None, "Announced", "what everybody knows of decks whose lists are closed", public=False),
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
        compiled = standard() if self.options["cards"] is None else Compiler(files.load(self.options["cards"]))
        self.pool = compiled.pool
        self.data_hash = self.pool.hash
        if self.options["cards"] is not None:
            self.options["cards"] = self.pool.alone
        self.kinds = compiled.kinds
        self.closed: bool = self.options["lists"] == "closed"
        self.lists: list[Deck] = [] if self.options["announced"] is not None else self._lists()
        """The decks; none in a game without secrets."""
        self.announced: list[decks.Announced] = self._announced()
        self.setup = self._set_up(compiled)
        self.measures = observation.Measure(self.setup)
        self.bound = bound_of(self.setup)
        self._outside: Generals | None = None

    def pinned(self) -> dict[str, Any]:
        return {**self.shown_options(), "cards": self.pool.alone}

    def _lists(self) -> list[Deck]:
        chosen = self.options["decks"]
        if len(chosen) != 2:
            raise OptionError(f"Option decks names two decks, one for each seat, not {len(chosen)}.")
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

    def _announced(self) -> list[decks.Announced]:
        told = self.options["announced"]
        if told is None:
            return [decks.announced(self.pool, deck) for deck in self.lists]
        if not self.closed or not isinstance(told, (list, tuple)) or len(told) != 2:
            raise OptionError("Option announced tells of two decks whose lists are closed; it is for programs.")
        self.options["decks"] = ()
        try:
            found = [decks.read_announced(self.pool, one) for one in told]
            for known in found:
                decks.prior(self.pool, known)
        except DeckError as error:
            raise OptionError(f"Option announced: {error}") from None
        return found

    def _set_up(self, compiled: Compiler) -> Setup:
        options, pool = self.options, self.pool
        priors = [decks.prior(pool, known) for known in self.announced]
        if not self.closed:
            for seat_prior, deck in zip(priors, self.lists, strict=True):
                seat_prior.kinds = sorted(set(pool.resource(deck)))
        counted = [self.counted(seat) for seat in (0, 1)]
        return Setup(
            compiled.kinds,
            compiled.mods,
            compiled.rules,
            compiled.delayed,
            self.closed,
            priors,
            [decks.limit_of(pool, count) for count in counted],
            counted,
            pool.opening,
            options["exact"],
            options["strict_blocking"],
            options["counter_chain"],
            options["mulligan"],
            options["strategy_overdeplete_loses"],
        )

    def counted(self, seat: Seat) -> int:
        """How many of the factions that a seat announces count for its hand limit (ruling 57)."""
        return len([code for code in self.announced[seat].factions if self.options["qun_counts"] or code != "QUN"])

    # ---- what is whose secret ---------------------------------------------------------------------

    def without_secrets(self) -> Generals:
        """The decks are told by what is announced, where their lists are closed."""
        if not self.closed or not self.lists:
            return self
        if self._outside is None:
            told = [decks.told_announced(self.pool, known) for known in self.announced]
            self._outside = type(self)(**{**self.options, "decks": (), "announced": told})
        return self._outside

    def with_secrets_of(self, state: State) -> Generals:
        """Its lists, where they differ, are those of decks without a name."""
        lists = _generals(state).lists
        tools = decks.GeneralsDecks(self.pool)
        words = []
        for seat, deck in enumerate(self.lists):
            ids = [self.pool.cards[kind].id for kind in [*lists[seat], self.setup.commands[seat]]]
            counts = dict(Counter(ids))
            words.append(self.options["decks"][seat] if counts == deck.counts else tools.code(Deck("", counts)))
        return self if words == list(self.options["decks"]) else type(self)(**{**self.options, "decks": words})

    def possible_lists(self, view: State) -> list[tuple[float, list[list[int]]]] | None:
        return second.possible_lists(self, _generals(view))

    def start(self, log: bool = False) -> GeneralsState:
        setup = self.setup
        units = setup.units
        lists = [self.pool.resource(deck) for deck in self.lists] or [[], []]
        s = GeneralsState(
            setup,
            [OPENING],
            hand=[[], []],
            deck=[kinds[:] if kinds else [HIDDEN] * setup.sizes[seat] for seat, kinds in enumerate(lists)],
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
        s.lists = lists
        if log:
            s.log = []
        s.stack.append(TOSS)
        push_shuffle(s, 3, exact=setup.exact, quick=False)
        if self.lists:
            s.settle()
        else:
            s.viewer = SPECTATOR
            s.ask_viewer()
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
        return words.sentence(self, event, view.viewer, names)

    def prompt(self, view: State, names: list[str]) -> str:
        return words.prompt(self, _generals(view), names)

    def ending(self, view: State, names: list[str]) -> str:
        return words.ending(self, _generals(view), names)

    def describe(self, view: State, action: Action) -> str:
        return words.describe(self, _generals(view), action)

    def board(self, view: State) -> dict[str, Any]:
        return views.board(self, _generals(view))

    def text(self, view: State, names: list[str]) -> str:
        return views.text(self, _generals(view), names)

    def controls(self, view: State) -> dict[str, Any]:
        return views.controls(self, _generals(view))

    def card(self, text: str) -> dict[str, Any] | None:
        card = self.pool.find(text)
        return views.printed(self, card.kind) if card is not None else None

    def catalogue(self) -> list[dict[str, Any]]:
        order = sorted(self.pool.cards, key=lambda card: (TYPES.index(card.type), card.kind))
        return [views.printed(self, card.kind) for card in order]

    def rule_of_thumb(self) -> Any:
        from gonfalon.games.generals.bots.rule_of_thumb import Heuristic

        return Heuristic(self)

    def players(self) -> dict[str, Any]:
        from gonfalon.games.generals.bots.levels import players

        return players()

    def network_input(self) -> Any:
        from gonfalon.games.generals.bots.levels import sense

        return sense(self)

    def stays(self, event: Event) -> bool:
        return event[0] not in SMALL

    def window(self, view: State) -> str | None:
        """A Counter window, which opens whatever the hand holds (ruling 40)."""
        return "Counter" if view.stack and view.stack[-1].prompt == "answer" else None

    def turn(self, view: State) -> int:
        return _generals(view).number

    def seat_names(self) -> list[str]:
        if self.closed:
            return ["Player 1", "Player 2"]
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
        played = {CARD + kind for kinds in self.setup.may for kind in kinds}
        played.add(CARD)  # what `public` shows of a hidden card
        return [a for a in super().all_actions() if a not in (FIRST, FIRST + 1) and (a < CARD or a in played)]

    def all_chances(self) -> list[Action]:
        return [FIRST, FIRST + 1, *(action for action in self.all_actions() if action >= CARD)]

    def zones(self) -> list[Zone]:
        return observation.zones(self.setup)

    def joining(self, deck: str) -> list[int]:
        return observation.kinds_of(self.setup)

    def parts(self) -> list[Part]:
        return self.measures.parts

    def measure(self, view: State, me: Seat) -> list[int]:
        return self.measures.of(_generals(view), me)

    def invariants(self, state: State) -> list[str]:
        return second.invariants(self, _generals(state))

    def reference(self, state: State, seat: int) -> list[Action] | None:
        return second.reference(self, _generals(state), seat)

    def judge(self, before: State, seat: int, action: Action, after: State) -> list[str]:
        return oracle.judge(self, _generals(before), seat, action, _generals(after))

    @classmethod
    def lobby(cls) -> dict[str, Any]:
        """What a page needs beside the decks: the banners of the factions."""
        keys = ("slug", "name", "colour", "glyph", "pattern", "style")
        return {"banners": [{key: getattr(f, key) for key in keys} for f in standard().pool.factions]}

    @classmethod
    def tiny(cls) -> list[Self]:
        return [cls(cards=raw, decks=("red", "blue"), exact=True) for raw in tiny.TINY]

    @classmethod
    def samples(cls) -> list[Self]:
        """All nine decks, every option, decks drawn by lot, which hold the cards that no ready-made one does, and
        crowds."""
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
            cls(decks=(slugs[2], slugs[5]), lists="open"),
            cls(decks=(lots[1], lots[6]), lists="open", exact=True),
            *[cls(cards=raw, decks=("a", "b"), strict_blocking=strict) for raw, strict in CROWDS],
        ]

    @classmethod
    def samples_with(cls, options: dict[str, Any]) -> Sequence[Self]:
        """With a card file the decks in it and others that hold its cards."""
        if options.get("cards") is None or "decks" in options:
            return super().samples_with(options)
        pairs = trials(cls(**options).pool, standard().pool)
        return [cls(**options, decks=pair) for pair in pairs]


@cache
def standard() -> Compiler:
    """The cards that come with the program, compiled once: they never change."""
    return Compiler(files.load())


def _generals(state: State) -> GeneralsState:
    assert isinstance(state, GeneralsState)
    return state
