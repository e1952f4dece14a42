"""A table of Jinkei laid out by hand, in the words of the rulebook's examples.

May is the first player (seat 0), David her opponent (seat 1). Formations are made for each test, so
that nothing depends on reconstructed layouts:

    table = Table(may=[".+2 . .", "# . .", ". # ."], david=[". . .", ".+1 . .", "# # ."])
    table.may.stands(vg1="blue8", re1="blue12")
    table.david.stands(rg1="blue9")
    table.attacks(table.may)
    table.may.plays("vg1:blue")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gonfalon.core.cards import HIDDEN, KIND, SEEN
from gonfalon.core.errors import Refusal
from gonfalon.core.state import OPEN, SPECTATOR, Event
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, SPACES, Formation, Setup
from gonfalon.games.jinkei.rules.state import BOTH, JinkeiState
from gonfalon.games.jinkei.rules.steps import FORM_UP, SCORE, START_GAME, battles

PLAIN = [". . .", ". . .", ". . ."]
"""A formation of open spaces, without effects."""


def formation(rows: list[str], type: int, round: int = 1) -> Formation:
    """A formation in the signs of formations.toml; a test's own need not meet the validator."""
    words = [word for row in rows for word in row.split()]
    assert len(words) == 9
    return Formation(
        type=type,
        round=round,
        blank=[word == "#" for word in words],
        two=[word[0] == "2" for word in words],
        bonus=[int(word[-1]) if "+" in word else 0 for word in words],
        wild=[word[-1] == "W" for word in words],
        reveal=next((i for i, word in enumerate(words) if word[0] == "T"), -1),
    )


class Player:
    """One side of the table. Arranging methods return the player, so that they can be chained."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat

    # ---- arranging ------------------------------------------------------------------------------

    def stands(self, **laid: str) -> Player:
        """Exactly these cards stand in the formation: vg1="red5", re2="red5 blue1"; open in Vanguard and
        Rearguard, face down among the Reinforcements."""
        spaces = self.state.spaces[self.seat]
        for zone in spaces:
            self.table.back_to_deck(self.seat, zone)
        spaces[:] = [[] for _ in spaces]
        for name, cards in laid.items():
            space = SPACES.index(name)
            seen = BOTH if space < REINFORCEMENTS else SEEN[self.seat]
            spaces[space] = [self.table.fetch(self.seat, card) | seen for card in cards.split()]
        return self

    def holds(self, *cards: str) -> Player:
        """The hand is exactly these cards."""
        self.table.back_to_deck(self.seat, self.state.hand[self.seat])
        self.state.hand[self.seat] = [self.table.fetch(self.seat, card) | SEEN[self.seat] for card in cards]
        return self

    def top_card(self, card: str) -> Player:
        """The top of the deck."""
        kind = self.table.fetch(self.seat, card)
        self.state.deck[self.seat] = [*self.state.deck[self.seat], kind]
        return self

    # ---- acting ---------------------------------------------------------------------------------

    def does(self, *notations: str) -> Player:
        """Take these actions, one after the other; each must be legal."""
        for notation in notations:
            self.state.play(self.seat, self.table.game.parse(notation))
        return self

    plays = does
    lays = does
    chooses = does

    # ---- looking --------------------------------------------------------------------------------

    @property
    def state(self) -> JinkeiState:
        return self.table.state

    def legal(self) -> list[str]:
        """The legal actions, in notation."""
        return [self.table.game.notation(action) for action in self.state.legal(self.seat)]

    def why_not(self, notation: str) -> str:
        """The reason of the refusal; fails when the action is legal. Checks that nothing changes."""
        before = self.state.dump()
        action = self.table.game.parse(notation)
        try:
            self.state.play(self.seat, action)
        except Refusal as refusal:
            assert self.state.dump() == before
            return str(refusal)
        raise AssertionError(f"{notation} was legal")

    @property
    def hand(self) -> list[str]:
        return sorted(self.table.names(self.state.hand[self.seat]))

    @property
    def taken(self) -> list[str]:
        """What the player has taken this round, the battle on the table left out."""
        taken = self.state.taken
        return sorted(self.table.names(taken[2 * self.seat] + taken[2 * self.seat + 1]))

    def at(self, space: str) -> str:
        """The cards of a space, joined by blanks."""
        return " ".join(self.table.names(self.state.spaces[self.seat][SPACES.index(space)]))

    def sees(self, player: Player, space: str) -> str:
        """What this player sees of a space of somebody's formation, `?` for a card face down."""
        return " ".join(self.table.names(self.view.spaces[player.seat][SPACES.index(space)]))

    @property
    def view(self) -> JinkeiState:
        """What the player may know."""
        view = self.state.mask(self.seat)
        assert isinstance(view, JinkeiState)
        return view

    @property
    def board(self) -> Mapping[str, Any]:
        return self.table.game.board(self.view)

    @property
    def controls(self) -> Mapping[str, Any]:
        return self.table.game.controls(self.view)

    def log(self) -> list[str]:
        """The log in the player's words."""
        return self.table.sentences(self.view, self.seat)


class Table:
    """A round whose formations are laid out and whose other cards are in the decks, nothing asked yet."""

    def __init__(
        self,
        may: list[str] | None = None,
        david: list[str] | None = None,
        *,
        battles: int = 7,
        rounds: int = 1,
        **options: Any,
    ) -> None:
        self.game = Jinkei(**options)
        plain = self.game.setup
        made = [formation(may or PLAIN, 0), formation(david or PLAIN, 1)]
        self.game.setup = Setup(
            rank=plain.rank,
            colour=plain.colour,
            points=plain.points,
            formations=[*made, *[formation(PLAIN, type, round) for type in (0, 1) for round in range(2, rounds + 1)]],
            types=2,
            rounds=rounds,
            hand=battles,
            games=plain.games,
            exact=plain.exact,
            remember=plain.remember,
            wild_binds=plain.wild_binds,
        )
        self.state = self.game.start(log=True)
        self.state.play(-1, self.game.parse("first:0"))
        self.state.play(-1, self.game.parse("seed:1"))
        self.state.type = [0, 1]
        self.state.form_up(0, 1)
        self.state.round = 1
        self.state.stack.clear()
        self.state.settle()
        assert self.state.log is not None
        self.state.log.clear()
        self.may = Player(self, 0)
        self.david = Player(self, 1)

    # ---- arranging ------------------------------------------------------------------------------

    def kind(self, name: str) -> int:
        return self.game.names.index(name)

    def fetch(self, seat: int, name: str) -> int:
        """A card out of the deck."""
        kind = self.kind(name)
        assert kind in self.state.deck[seat]
        self.state.deck[seat] = [card for card in self.state.deck[seat] if card != kind]
        return kind

    def back_to_deck(self, seat: int, zone: list[int]) -> None:
        """Put a zone's cards under the deck, forgotten; the zone itself is about to be replaced."""
        self.state.deck[seat] = [*[card & KIND for card in zone], *self.state.deck[seat]]

    def attacks(self, player: Player, battle: int = 1) -> Table:
        """This player attacks, and the battle on the table is taken away; the round's battles before this one
        are counted as May's."""
        self.state.sweep()
        self.state.battles[:] = [0] * (battle - 1)
        self.state.first = player.seat if battle % 2 else 1 - player.seat
        self.state.stack[:] = [SCORE, *battles(player.seat, self.game.setup.hand - battle + 1)]
        self.state.settle()
        return self

    def forms_up(self) -> Table:
        """The cards have been drawn: both choose their formations and place."""
        self.state.formation = [-1, -1]
        self.state.stack[:] = [SCORE, *battles(self.state.first, self.game.setup.hand), *FORM_UP]
        self.state.settle()
        return self

    def new_game(self) -> Table:
        """The match goes on with the next game."""
        self.state.stack[:] = [START_GAME]
        self.state.settle()
        return self

    def seed(self, number: int = 7) -> Table:
        """Answer a shuffle."""
        self.state.play(-1, self.game.parse(f"seed:{number}"))
        return self

    # ---- looking --------------------------------------------------------------------------------

    def asked(self) -> tuple[int, str]:
        """Who is asked what now: (seat, prompt)."""
        decision = self.state.decisions()[0]
        return decision.seat, decision.prompt

    def happened(self, code: int) -> list[Event]:
        """The events of a code so far (see gonfalon.games.jinkei.rules.events)."""
        assert self.state.log is not None
        return [event for event in self.state.log if event[0] == code]

    def names(self, cards: list[int]) -> list[str]:
        return ["?" if card & KIND == HIDDEN else self.game.names[card & KIND] for card in cards]

    def sentences(self, view: JinkeiState, viewer: int) -> list[str]:
        assert view.log is not None
        names = ["You" if viewer == seat else name for seat, name in enumerate(("May", "David"))]
        return [text for event in view.log if (text := self.game.words(event, view, names))]

    @property
    def winner(self) -> Player | None:
        """Who won the last battle; None for a tie."""
        last = self.state.battles[-1]
        return None if last == 2 else (self.may, self.david)[last]

    @property
    def spectator(self) -> JinkeiState:
        view = self.state.mask(SPECTATOR)
        assert isinstance(view, JinkeiState)
        return view

    @property
    def open(self) -> JinkeiState:
        view = self.state.mask(OPEN)
        assert isinstance(view, JinkeiState)
        return view
