"""An arranged table of Jinkei, in the words of the rulebook's examples.

May is the first player (seat 0), David her opponent (seat 1). Formations are made for each test, so
that no test depends on reconstructed layouts:

table = Table(may=[".+2 . .", "# . .", ". # ."], david=[". . .", ".+1 . .", "# # ."])
table.may.stands(vg1="blue8", re1="blue12")
table.david.stands(rg1="blue9")
table.attacks(table.may)
table.may.plays("vg1:blue")
"""

from __future__ import annotations

from typing import Any

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.games.jinkei import Jinkei
from gonfalon.games.jinkei.rules.setup import REINFORCEMENTS, SPACES, Formation, Setup
from gonfalon.games.jinkei.rules.state import BOTH, JinkeiState
from gonfalon.games.jinkei.rules.steps import FORM_UP, SCORE, START_GAME, stack_battles
from gonfalon.testing import scenario

PLAIN = [". . .", ". . .", ". . ."]
"""A formation of open spaces, without effects."""


def formation(rows: list[str], type: int, round: int = 1) -> Formation:
    """Return a formation in the signs of formations.toml. It need not pass the validator."""
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


class Player(scenario.Player["Table", JinkeiState]):
    """One side of the table. Arranging methods return the player, so that they can be chained."""

    # ---- arranging ------------------------------------------------------------------------------

    def stands(self, **laid: str) -> Player:
        """Put exactly these cards into the formation: vg1="red5", re2="red5 blue1". They are open in Vanguard and
        Rearguard, and face down among the Reinforcements."""
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
        """Make the hand exactly these cards."""
        self.table.back_to_deck(self.seat, self.state.hand[self.seat])
        self.state.hand[self.seat] = [self.table.fetch(self.seat, card) | SEEN[self.seat] for card in cards]
        return self

    def top_card(self, card: str) -> Player:
        """Set the top of the deck."""
        kind = self.table.fetch(self.seat, card)
        self.state.deck[self.seat] = [*self.state.deck[self.seat], kind]
        return self

    # ---- acting ---------------------------------------------------------------------------------

    plays = scenario.Player.does
    lays = scenario.Player.does
    chooses = scenario.Player.does

    # ---- looking --------------------------------------------------------------------------------

    @property
    def hand(self) -> list[str]:
        return sorted(self.table.names(self.state.hand[self.seat]))

    @property
    def taken(self) -> list[str]:
        """The cards the player has taken this round, without the battle on the table."""
        taken = self.state.taken
        return sorted(self.table.names(taken[2 * self.seat] + taken[2 * self.seat + 1]))

    def at(self, space: str) -> str:
        """The cards of a space, joined by blanks."""
        return " ".join(self.table.names(self.state.spaces[self.seat][SPACES.index(space)]))

    def sees(self, player: Player, space: str) -> str:
        """Return this player's view of a space of a player's formation, with `?` for a face-down card."""
        return " ".join(self.table.names(self.view.spaces[player.seat][SPACES.index(space)]))


class Table(scenario.Table[Jinkei, JinkeiState, Player]):
    """A round with formations set and all other cards in the decks, before any question."""

    def __init__(
        self,
        may: list[str] | None = None,
        david: list[str] | None = None,
        *,
        battles: int = 7,
        rounds: int = 1,
        **options: Any,
    ) -> None:
        game = Jinkei(**options)
        plain = game.setup
        made = [formation(may or PLAIN, 0), formation(david or PLAIN, 1)]
        game.setup = Setup(
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
            given=plain.given,
            starter=plain.starter,
        )
        super().__init__(game, Player)
        self.state.play(-1, self.game.parse("first:0"))
        self.state.play(-1, self.game.parse("seed:1"))
        self.state.type = [0, 1]
        self.state.form_up(0, 1)
        self.state.round = 1
        self.state.stack.clear()
        self.state.settle()
        self.forget()

    # ---- arranging ------------------------------------------------------------------------------

    def kind(self, name: str) -> int:
        return self.game.names.index(name)

    def fetch(self, seat: int, name: str) -> int:
        """Take a card out of the deck."""
        kind = self.kind(name)
        assert kind in self.state.deck[seat]
        self.state.deck[seat] = [card for card in self.state.deck[seat] if card != kind]
        return kind

    def back_to_deck(self, seat: int, zone: list[int]) -> None:
        """Put a zone's cards under the deck, unknown. The caller replaces the zone."""
        self.state.deck[seat] = [*[card & KIND for card in zone], *self.state.deck[seat]]

    def attacks(self, player: Player, battle: int = 1) -> Table:
        """Let this player attack, and remove the battle on the table. The round's earlier battles count as May's."""
        self.state.sweep()
        self.state.battles[:] = [0] * (battle - 1)
        self.state.first = player.seat if battle % 2 else 1 - player.seat
        self.state.stack[:] = [SCORE, *stack_battles(player.seat, self.game.setup.hand - battle + 1)]
        self.state.settle()
        return self

    def forms_up(self) -> Table:
        """Start the choice and placement of formations after the draw."""
        self.state.formation = [-1, -1]
        self.state.stack[:] = [SCORE, *stack_battles(self.state.first, self.game.setup.hand), *FORM_UP]
        self.state.settle()
        return self

    def new_game(self) -> Table:
        """Continue the match with the next game."""
        self.state.stack[:] = [START_GAME]
        self.state.settle()
        return self

    # ---- looking --------------------------------------------------------------------------------

    def name(self, card: int) -> str:
        return self.game.names[card]

    @property
    def winner(self) -> Player | None:
        """The winner of the last battle, or None for a tie."""
        last = self.state.battles[-1]
        return None if last == 2 else self.people[last]
