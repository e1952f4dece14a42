"""The rules of Generals with their options chosen: decks, setup, notation. game.py adds pages and players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import ClassVar, Final, Self

from gonfalon.core.basics.cards import HIDDEN
from gonfalon.core.basics.decks import Deck, DeckError
from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.basics.options import Option, Options
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.rules import Rules, starts_game
from gonfalon.core.rules.samples import PAIRINGS
from gonfalon.core.rules.shuffles import DealCard, Shuffle, push_shuffle
from gonfalon.core.rules.state import OPEN, SPECTATOR, Action, AnyStep, Event, Seat, State
from gonfalon.games.generals.cards import decks, files
from gonfalon.games.generals.effects import on_cards, run
from gonfalon.games.generals.effects.compiler import Compiler
from gonfalon.games.generals.rules import actions, casualties, chance, events, triggers, turn
from gonfalon.games.generals.rules.acts import acts, counters, declarations, questions
from gonfalon.games.generals.rules.chance import TOSS
from gonfalon.games.generals.rules.game_length import compute_bound
from gonfalon.games.generals.rules.setup import Setup
from gonfalon.games.generals.rules.state import BOTH, GeneralsState
from gonfalon.games.generals.rules.turn import OPEN as OPENING
from gonfalon.games.generals.rules.zones import AWAY, WORDS

PLAIN_NOTATION: Final[dict[Action, str]] = {
    actions.END: "end",
    actions.PASS: "pass",
    actions.DONE: "done",
    actions.YES: "yes",
    actions.NO: "no",
    actions.SIEGE: "siege",
    **{actions.FIRST + seat: f"first:{seat}" for seat in (0, 1)},
    **{actions.ZONE + place: f"@{word}" for place, word in enumerate(WORDS)},
    **{actions.ACTIVE + number: f"active:{number + 1}" for number in range(actions.ACTIVES)},
    **{actions.ORDER + number: f"order:{number + 1}" for number in range(actions.ORDERS)},
}
"""The notation of all actions that name no card and no general."""
PLAIN_ACTIONS: Final = {word: action for action, word in PLAIN_NOTATION.items()}
UNDOABLE_EVENTS: Final = (events.MOVED, events.ACTIVATED, events.PAID, events.RECRUITED, events.EQUIPPED)
"""A decision with these events alone can be undone: a move, an effect before it is paid for, or a payment and the card
that it brought into play. Revealed cards, attacks and the results of effects are final."""
SECRET_PROMPTS: Final = ("pay", "excess", "discard", "search")
"""Questions whose answers are cards that only their owner sees."""

STARTS: Final[Mapping[str, Seat]] = {"chance": -1, "seat-1": 0, "seat-2": 1}
"""The first player by the value of the option `starts`; -1 if chance decides."""
PLAIN_CARDS: Final[Mapping[str, Raw]] = {
    "character": {"cost": 2, "might": 4, "wits": 3},
    "strategy": {"cost": 1, "abilities": [{"kind": "play", "do": [{"op": "draw", "n": 1, "who": "you"}]}]},
    "equipment": {
        "cost": 1,
        "abilities": [
            {
                "kind": "static",
                "do": [{"op": "modify", "stat": "might", "by": 1, "target": {"ref": "host"}, "until": "while"}],
            }
        ],
    },
    "counter": {"cost": 1, "abilities": [{"kind": "response", "to": ["strategy"], "do": [{"op": "negate"}]}]},
}
"""For each type, the plainest possible card: a general without text, a Strategy that draws the card it costs, an
Equipment with Might +1, a Counter that negates a Strategy. Commandments have no plain card."""


class GeneralsRules(Rules):
    """The rules of a game of Generals, with its options and decks.

    Raises:
        OptionError: An option has a value that the game does not accept, or a deck cannot be played.
        DataError: The card file has faults.
    """

    name: ClassVar[str] = "generals"
    title: ClassVar[str] = "Generals"
    version: ClassVar[str] = "3"
    origins: ClassVar[Mapping[str, str]] = {"game": "rulebook", "faction": "ours", "card": "ours", "deck": "ours"}
    minutes: ClassVar[int] = 25
    measured: ClassVar[bool] = True
    folder: ClassVar[Path] = Path(__file__).parent
    card_files: ClassVar[tuple[str, ...]] = tuple(f"cards/{file.name}" for file in files.FILES)
    steps: ClassVar[tuple[type[AnyStep], ...]] = (
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
            "the deck of each seat: a preset deck, a share code, or the text of a deck file",
            public=False,
        ),
        Option(
            "lists",
            "closed",
            "Deck lists",
            "whether both players may read both deck lists",
            (("closed", "Closed: only the factions are announced"), ("open", "Open to both")),
        ),
        Option("announced", None, "Announced", "public facts of closed lists, for programs", public=False),
        Option("strict_blocking", False, "Strict blocking", "blockers must have moved to BORDER this turn"),
        Option("counter_chain", True, "Counters can be countered", "whether a Counter can answer a Counter"),
        Option("mulligan", False, "Mulligan", "each seat may replace its first hand once"),
        Option(
            "strategy_overdeplete_loses",
            False,
            "Strategies can empty RESOURCE",
            "damage by a Strategy beyond the last card of RESOURCE loses too",
        ),
        Option("qun_counts", True, "Qun is a faction", "whether Qun counts for the hand limit"),
        Option(
            "starts",
            "chance",
            "First player",
            "the seat that takes the first turn",
            (("chance", "chance decides"), ("seat-1", "the first seat"), ("seat-2", "the second seat")),
            added=True,
        ),
        Option("exact", False, "Exact chance", "shuffles deal card by card", public=False),
        PAIRINGS,
        Option("cards", None, "Card file", "your own cards and decks", public=False, file=True),
    )

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.seats = 2
        compiled = compile_standard() if self.options["cards"] is None else Compiler(files.load(self.options["cards"]))
        self.pool = compiled.pool
        self.data_hash = self.pool.hash
        if self.options["cards"] is not None:
            # Records hold the whole merged pool, so they replay after the standard cards change.
            self.options["cards"] = self.pool.alone
        self.kinds = compiled.kinds
        self.closed: bool = self.options["lists"] == "closed"
        self.lists: list[Deck] = [] if self.options["announced"] is not None else self._lists()
        """The decks of both seats. Empty in a game without secrets."""
        self.announced: list[decks.Announcement] = self._announced()
        self.setup = self._set_up(compiled)
        self.bound = compute_bound(self.setup)
        self._outside: Self | None = None

    @property
    def learnt_hash(self) -> str:
        """The hash of everything that a trained network depends on.

        A network sees cards by their kinds and the beliefs about the other deck list as numbers of copies. Preset decks
        may therefore change.
        """
        return self.pool.cards_hash

    def pinned(self) -> Options:
        return {**self.shown_options(), "cards": self.pool.alone}

    def plain_card(self, card: Mapping[str, object], side: str) -> Raw | None:
        plain = PLAIN_CARDS.get(str(card.get("type")))
        if plain is None:
            return None
        types, codes = list(PLAIN_CARDS), [faction.code for faction in self.pool.factions]
        own = {key: card[key] for key in ("type", "faction", "subtypes") if key in card}
        subtypes = card.get("subtypes")
        # Tactics need an executor (ruling 18), which the plain Strategy has not.
        if isinstance(subtypes, list) and "tactics" in subtypes:
            del own["subtypes"]
        number = len(types) * codes.index(str(card["faction"])) + types.index(str(card["type"]))
        return {"id": f"Z{number:02}", "name": f"Plain {card['type']} {card['faction']}", **own, **plain}

    def _lists(self) -> list[Deck]:
        chosen = self.options["decks"]
        if len(chosen) != 2:
            raise OptionError(f"Option decks needs two decks, one for each seat, not {len(chosen)}.")
        tools = decks.GeneralsDecks(self.pool)
        found = []
        for seat, text in enumerate(map(str, chosen), start=1):
            try:
                deck = tools.read(text)
            except DeckError as error:
                raise OptionError(f"The deck of seat {seat}: {error}") from None
            faults = decks.check_deck(self.pool, deck)
            if faults:
                raise OptionError(f"The deck of seat {seat} cannot be played. {' '.join(faults)}")
            found.append(deck)
        return found

    def _announced(self) -> list[decks.Announcement]:
        tables = self.options["announced"]
        if tables is None:
            return [decks.announce_deck(self.pool, deck) for deck in self.lists]
        if not self.closed or not isinstance(tables, (list, tuple)) or len(tables) != 2:
            raise OptionError("Option announced needs two announcements and closed lists; it is for programs.")
        self.options["decks"] = ()
        try:
            found = [decks.read_announcement(self.pool, one) for one in tables]
            for known in found:
                decks.make_prior(self.pool, known)
        except DeckError as error:
            raise OptionError(f"Option announced: {error}") from None
        return found

    def _set_up(self, compiled: Compiler) -> Setup:
        options, pool = self.options, self.pool
        priors = [decks.make_prior(pool, known) for known in self.announced]
        if not self.closed:
            for seat_prior, deck in zip(priors, self.lists, strict=True):
                # Open lists: nothing but the list itself is possible.
                seat_prior.kinds = sorted(set(pool.resource(deck)))
        possible = [prior.kinds for prior in priors]
        for prior in priors if options["pairings"] else ():
            # With one layout for all pairings every card has a number, whichever decks are played.
            prior.kinds = list(range(len(compiled.kinds)))
        counted = [self.count_factions(seat) for seat in (0, 1)]
        setup = Setup(
            kinds=compiled.kinds,
            mods=compiled.mods,
            rules=compiled.rules,
            delayed=compiled.delayed,
            closed=self.closed,
            priors=priors,
            limits=[decks.limit_for(pool, count) for count in counted],
            factions=counted,
            opening=pool.opening,
            exact=options["exact"],
            strict_blocking=options["strict_blocking"],
            counter_chain=options["counter_chain"],
            mulligan=options["mulligan"],
            card_damage=options["strategy_overdeplete_loses"],
            starter=STARTS[options["starts"]],
        )
        for prior, kinds_of_deck in zip(priors, possible, strict=True):
            prior.kinds = kinds_of_deck
        return setup

    def card_text(self, kind: int) -> str:
        """Return the text of a card in a game with these options."""
        card = self.pool.cards[kind]
        for option in self.options_spec:
            if option.name in card.otherwise and self.options[option.name] != option.default:
                return card.otherwise[option.name]
        return card.text

    def count_factions(self, seat: Seat) -> int:
        """Return how many of a seat's announced factions count for its hand limit (ruling 57)."""
        return len([code for code in self.announced[seat].factions if self.options["qun_counts"] or code != "QUN"])

    def without_secrets(self) -> Self:
        """Return this game with announcements in place of the deck lists, if those are closed."""
        game = self.afresh()
        if not game.closed or not game.lists:
            return game
        if game._outside is None:
            tables = [decks.write_announcement(game.pool, known) for known in game.announced]
            game._outside = type(game)(**{**game.options, "decks": (), "announced": tables})
        return game._outside

    def with_secrets_of(self, state: State) -> Self:
        """Return this game with the deck lists of a state.

        A list is written as the slug of the preset deck that it equals, else as a share code. The words follow from the
        state alone, so they do not reveal whether it is the list that the seat really brought.
        """
        lists = as_generals_state(state).lists
        tools = decks.GeneralsDecks(self.pool)
        words = []
        for seat, kinds in enumerate(lists):
            ids = [self.pool.cards[kind].id for kind in [*kinds, self.setup.commands[seat]]]
            counts = dict(Counter(ids))
            # Counts of cards only: names and order of a list would reveal that it is the real one.
            known = next((deck.slug for deck in self.pool.decks if deck.counts == counts), "")
            words.append(known or tools.code(Deck("", counts)))
        return self if words == list(self.options["decks"]) else type(self)(**{**self.options, "decks": words})

    @starts_game
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
            # A game without lists cannot be dealt, so its start is a spectator's view.
            s.viewer = SPECTATOR
            s.ask_viewer()
        return s

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        if action in PLAIN_NOTATION:
            return PLAIN_NOTATION[action]
        if actions.UNIT <= action < actions.UNIT + self.setup.units:
            u = action - actions.UNIT
            return f"{self.kinds[self.setup.kind[u]].slug}#{self.setup.owner[u] + 1}"
        if actions.CARD <= action < actions.CARD + len(self.kinds):
            return self.kinds[action - actions.CARD].slug
        raise NotationError(f"{action} is not an action of Generals.")

    def parse(self, text: str) -> Action:
        text = text.strip().lower()
        if text in PLAIN_ACTIONS:
            return PLAIN_ACTIONS[text]
        try:
            if text.startswith("seed:") and int(text[5:]) >= 0:
                return -1 - int(text[5:])
            slug, mark, seat = text.partition("#")
            kind = self.pool.by_slug[slug].kind
            if not mark:
                return actions.CARD + kind
            if seat not in ("1", "2"):
                raise ValueError
            u = self.setup.unit_of[int(seat) - 1][kind]
            if u < 0:
                raise ValueError
            return actions.UNIT + u
        except (ValueError, KeyError):
            raise NotationError(f"{text[:60]!r} is not an action of Generals.") from None

    def stays(self, event: Event) -> bool:
        return event[0] not in UNDOABLE_EVENTS

    def window(self, view: State) -> str | None:
        """Return "Counter" if a Counter window is open. It opens for any hand (ruling 40)."""
        return "Counter" if view.stack and view.stack[-1].prompt == "answer" else None

    def turn(self, view: State) -> int:
        return as_generals_state(view).number

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """Return an action as a viewer sees it.

        A card that goes face down from a hand shows only that a card went. The first kind represents it.
        """
        if viewer in (seat, OPEN) or action < actions.CARD or not state.stack:
            return action
        step = state.stack[-1]
        if step.prompt in SECRET_PROMPTS and not (isinstance(step, on_cards.SearchPick) and step.show):
            return actions.CARD
        return action

    def all_actions(self) -> list[Action]:
        played = {actions.CARD + kind for kinds in self.setup.may for kind in kinds}
        played.add(actions.CARD)  # the substitute for a hidden card, see `public`
        return [
            a
            for a in super().all_actions()
            if a not in (actions.FIRST, actions.FIRST + 1) and (a < actions.CARD or a in played)
        ]

    def all_chances(self) -> list[Action]:
        return [actions.FIRST, actions.FIRST + 1, *(action for action in self.all_actions() if action >= actions.CARD)]


@cache
def compile_standard() -> Compiler:
    """Return the cards that come with the program, compiled once per process because they never change."""
    return Compiler(files.load())


def as_generals_state(state: State) -> GeneralsState:
    """Return the state with the type of this game."""
    assert isinstance(state, GeneralsState)
    return state
