"""The game class of Jinkei: title, options, notation, samples and the parts of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final, Self

from gonfalon.core.basics.errors import NotationError, OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.files.card_files import Raw
from gonfalon.core.rules.game import Game, Option, Part, Zone
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.rules import starts_game
from gonfalon.core.rules.shuffles import DealCard, Shuffle
from gonfalon.core.rules.state import OPEN, Action, AnyStep, Seat, State
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.jinkei import box, observation
from gonfalon.games.jinkei.face.page import JinkeiPage
from gonfalon.games.jinkei.rules import steps
from gonfalon.games.jinkei.rules.actions import ADVANCE, DEAL, FIRST, FORMATION, KINDS, LAST, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, SPACES, Setup
from gonfalon.games.jinkei.rules.state import JinkeiState, as_jinkei
from gonfalon.games.jinkei.rules.steps import START_GAME, TOSS

STARTS: Final[dict[str, Seat]] = {"chance": -1, "seat-1": 0, "seat-2": 1}
"""The first player by the value of the option; -1: by chance."""
ROWS_HELP: Final = (
    'your own formations, each with three rows of three spaces: "." takes a card, "T" the revealed card, "2" two, '
    '"#" none; "+1", "+2" and "W" (Wild) follow the space they apply to'
)
"""The form of `rows` in a formation file."""
FORGOTTEN: Final = "Taken cards are yours to remember: the log does not name them."


class Jinkei(JinkeiPage, Game):
    """A formation duel after Fukutarou's Jin-Kei Trick, for two seats.

    The layouts of the 18 formations are reconstructed (see formations.toml). An owner of the game
    replaces them with the option `formations`. The constructor raises OptionError and DataError.
    """

    name: ClassVar[str] = "jinkei"
    title: ClassVar[str] = "Jinkei"
    tagline: ClassVar[str] = "Lay out a formation in secret, then win seven battles."
    genre: ClassVar[str] = "a card duel of secret formations for two"
    brief: ClassVar[Sequence[str]] = (
        "Lay seven cards out in a formation. Your opponent does the same.",
        "Take turns to attack. The answer must follow the color, and the higher rank wins both cards.",
        "Catch strong cards, lose weak ones. Most points after three rounds wins.",
    )
    invented: ClassVar[str] = "The formations are reconstructed, not published."
    version: ClassVar[str] = "2"
    origins: ClassVar[Mapping[str, str]] = {"deck": "rulebook", "game": "rulebook"}
    minutes: ClassVar[int] = 10
    is_direct: ClassVar[bool] = True
    folder: ClassVar[Path] = Path(__file__).parent
    card_files: ClassVar[tuple[str, ...]] = (box.FILE.name,)
    steps: ClassVar[tuple[type[AnyStep], ...]] = (
        *(steps.Answer, steps.ChooseFormation, steps.ChooseType, steps.CloseUp, DealCard, steps.Lead),
        *(steps.NewDecks, steps.PlaceBack, steps.PlaceFront, steps.Score, Shuffle, steps.StartGame),
        *(steps.StartRound, steps.Toss),
    )
    step_numbers: ClassVar[tuple[int, int]] = (4, 2)
    options_spec: ClassVar[tuple[Option, ...]] = (
        Option(
            "games",
            1,
            "Length",
            "one game, or two with changed seats and summed scores",
            ((1, "one game"), (2, "a match of two games")),
        ),
        Option(
            "memory",
            "strict",
            "Cards that were taken",
            "whether taken cards stay visible",
            (("strict", "are never shown again"), ("open", "stay visible")),
        ),
        Option(
            "wild",
            "free",
            "On a Wild space the printed color",
            "whether a card of the led color on a Wild space must follow",
            (("free", "does not bind"), ("binds", "still binds")),
        ),
        Option(
            "starts",
            "chance",
            "First player",
            "the first player of the first game",
            (("chance", "chance decides"), ("seat-1", "the first seat"), ("seat-2", "the second seat")),
            added=True,
        ),
        Option("types", (), "Types", "the type of each seat, instead of a choice", public=False, added=True),
        Option("exact", False, "Exact chance", "deal shuffles card by card", public=False),
        Option("formations", None, "Formation file", ROWS_HELP, public=False, file=True),
    )

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self.seats = 2
        # With memory=strict past moments cannot be viewed again, because they show taken cards (ruling 30).
        self.moments_pass = self.options["memory"] == "strict"
        self.log_note = FORGOTTEN if self.moments_pass else ""
        self.box = box.read_box(self.options["formations"])
        self.data_hash = self.box.hash
        # A record stores the whole data, so it replays without the file.
        if self.options["formations"] is not None:
            self.options["formations"] = self.box.raw
        ranks, colours = self.box.ranks, self.box.colours
        self.names = [f"{colour}{rank}" for colour in colours for rank in ranks]
        self.setup = Setup(
            rank=[rank for _ in colours for rank in ranks],
            colour=[colour for colour in range(len(colours)) for _ in ranks],
            points=[points for _ in colours for points in self.box.achievements],
            formations=self.box.formations,
            types=len(self.box.types),
            rounds=self.box.rounds,
            hand=self.box.hand,
            games=self.options["games"],
            exact=self.options["exact"],
            remember=self.options["memory"] == "open",
            wild_binds=self.options["wild"] == "binds",
            given=self.given(),
            starter=STARTS[self.options["starts"]],
        )
        # With exact chance each card of both decks is dealt by a decision of its own.
        chance = 2 * len(self.names) if self.options["exact"] else 1
        self.bound = 1 + self.options["games"] * (chance + 2 + self.box.rounds * (2 + 5 * self.box.hand))

    def given(self) -> list[int]:
        """Return the number of the type given to each seat, or -1 for each if they choose. Raises OptionError."""
        given = self.options["types"]
        if not given:
            return [-1, -1]
        if len(given) != 2 or given[0] == given[1] or not all(type in self.box.types for type in given):
            types = ", ".join(self.box.types)
            raise OptionError(f"Option types takes two different types of {types}, for example sword,bow.")
        return [self.box.types.index(type) for type in given]

    def pinned(self) -> Options:
        return {**self.shown_options(), "formations": self.box.raw}

    @starts_game
    def start(self, log: bool = False) -> JinkeiState:
        s = JinkeiState(
            self.setup,
            [START_GAME, TOSS],
            hand=[[], []],
            deck=[list(range(self.setup.kinds)), list(range(self.setup.kinds))],
            spaces=[[[] for _ in SPACES], [[] for _ in SPACES]],
            duel=[[], []],
            taken=[[], [], [], []],
            spent=[[], []],
            type=[-1, -1],
            formation=[-1, -1],
            scored=[[], []],
            totals=[0, 0],
            battles=[],
            origin=[-1, -1],
            called=[-1, -1],
        )
        if log:
            s.log = []
        s.settle()
        return s

    def turned_out(self, state: State) -> list[str]:
        return [self.box.types[type] for type in as_jinkei(state).type]

    def given_sides(self) -> tuple[str, list[str]]:
        return "types", list(self.box.types)

    # ---- notation -------------------------------------------------------------------------------

    def notation(self, action: Action) -> str:
        if action < 0:
            return f"seed:{-1 - action}"
        if action < FORMATION and action < len(self.box.types):
            return self.box.types[action - TYPE]
        if action in (FORMATION, FORMATION + 1):
            return "ab"[action - FORMATION]
        if action in (FIRST, FIRST + 1):
            return f"first:{action - FIRST}"
        if PUT <= action < PLAY:
            space, kind = divmod(action - PUT, KINDS)
            if kind < len(self.names):
                return f"{self.names[kind]}-{SPACES[space]}"
        if PLAY <= action < PLAY + 2 * len(SPACES):
            space, colour = divmod(action - PLAY, 2)
            return f"{SPACES[space]}:{self.box.colours[colour]}"
        if ADVANCE <= action < LAST:
            word, kind = ("advance", action - ADVANCE) if action < DEAL else ("deal", action - DEAL)
            if kind < len(self.names):
                return f"{word}:{self.names[kind]}"
        raise NotationError(f"{action} is no action of Jinkei.")

    def parse(self, text: str) -> Action:
        text = text.strip().lower()
        try:
            if text in self.box.types:
                return TYPE + self.box.types.index(text)
            if text in ("a", "b"):
                return FORMATION + "ab".index(text)
            head, colon, tail = text.partition(":")
            if head == "seed":
                if int(tail) < 0:
                    raise ValueError
                return -1 - int(tail)
            if head == "first" and tail in ("0", "1"):
                return FIRST + int(tail)
            if head in ("advance", "deal"):
                return (ADVANCE if head == "advance" else DEAL) + self.names.index(tail)
            if colon:
                return PLAY + SPACES.index(head) * 2 + self.box.colours.index(tail)
            card, _, space = text.partition("-")
            return PUT + SPACES.index(space) * KINDS + self.names.index(card)
        except ValueError:
            raise NotationError(f"{text[:60]!r} is no action of Jinkei.") from None

    def public(self, state: State, seat: int, action: Action, viewer: int) -> Action:
        """Return the action as a viewer sees it: a face-down Reinforcement becomes the first card of the deck."""
        if viewer in (seat, OPEN) or not PUT + REINFORCEMENTS * KINDS <= action < PLAY:
            return action
        return action - action % KINDS

    def all_actions(self) -> list[Action]:
        # Chance answers deals and the toss, so policies need no outputs for them.
        return [action for action in super().all_actions() if action < DEAL and action not in (FIRST, FIRST + 1)]

    def all_chances(self) -> list[Action]:
        return [FIRST, FIRST + 1, *(DEAL + kind for kind in range(self.setup.kinds))]

    def zones(self) -> list[Zone]:
        return observation.list_zones()

    def parts(self) -> list[Part]:
        return observation.list_parts(self.setup)

    @property
    def measure(self) -> Callable[[State, Seat, Writer], None]:
        # Without a method of Python between, because every row calls it.
        return observation.write_numbers

    def rule_of_thumb(self) -> RuleOfThumb:
        # Imported when needed, so that a table without bots starts faster.
        from gonfalon.games.jinkei.bots.levels import rule_of_thumb

        return rule_of_thumb(self)

    def players(self) -> Mapping[str, Callable[..., object]]:
        from gonfalon.games.jinkei.bots.levels import list_levels

        return list_levels()

    def insight(self) -> object:
        from gonfalon.games.jinkei.bots.insight import JinkeiInsight

        return JinkeiInsight(self)

    @classmethod
    def tiny(cls) -> list[Self]:
        return [cls(formations=TINY, exact=True), cls(formations=TINY, exact=True, memory="open")]

    @classmethod
    def solved(cls) -> list[Self]:
        return [cls(formations=SOLVED, exact=True, types=("sword", "bow"), starts="seat-1")]

    @classmethod
    def samples(cls) -> list[Self]:
        return [
            cls(),
            cls(games=2),
            cls(games=2, types=("bow", "sword")),
            cls(memory="open", wild="binds", starts="seat-2"),
            cls(exact=True, starts="seat-1"),
        ]


TINY: Final[Raw] = {
    "form": 1,
    "deck": {"colours": ["red", "blue"], "ranks": [0, 12], "achievements": [0, 3]},
    "game": {"rounds": 1, "hand": 2, "blanks": {"sword": 7, "bow": 7}},
    "formation": [
        {"type": "sword", "round": 1, "rows": [".+1 # #", "# T #", "# # #"]},
        {"type": "bow", "round": 1, "rows": ["# .W #", "T # #", "# # #"]},
    ],
}
"""Two battles with decks of four cards, so that all its games can be enumerated."""
SOLVED: Final[Raw] = {
    **TINY,
    "deck": {**TINY["deck"], "achievements": [1, 2]},
    "game": {"rounds": 1, "hand": 3, "blanks": {"sword": 6, "bow": 6}},
    "formation": [{"type": type, "round": 1, "rows": ["T . #", "# . #", "# # #"]} for type in ("sword", "bow")],
}
"""Three battles with decks of four cards, which both players lay in secret."""
