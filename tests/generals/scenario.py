"""A table of Generals for tests, with the standard cards or cards made for the test.

May (seat 0) is on her turn, David (seat 1) waits. Both decks hold two copies of every card, so every
general can be placed anywhere and every Counter window opens. Cards that a test does not place are Out of
game, unseen. Counter windows are passed automatically unless `table.ask` is set.

table = Table()
table.may.has("Guan Yu", at="BORDER").holds("Militia", "Archers")
table.david.has("Xu Chu", at="ENEMY_BORDER").resource(20)
table.may.does("guan-yu#1", "xu-chu#2")
assert table.david.fallen == ["Xu Chu"]
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Self

from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import CHANCE, OPEN, Event, Seat
from gonfalon.games.generals import Generals
from gonfalon.games.generals.rules import stats
from gonfalon.games.generals.rules.state import BOTH, GeneralsState
from gonfalon.games.generals.rules.turn import MAIN, START_TURN
from gonfalon.games.generals.rules.zones import AWAY, DEAD, ZONE_OF
from gonfalon.games.generals.ruleset import compile_standard
from gonfalon.testing import scenario

PLACES = ("FORTRESS", "BORDER", "ENEMY_BORDER", "ENEMY_FORTRESS")
COPIES = 2
MOST = 200
"""The maximum number of cards in a deck."""


class Player(scenario.Player["Table", GeneralsState]):
    """One side of the table. Arranging and acting methods return the player, so they can be chained."""

    # ---- arranging ------------------------------------------------------------------------------

    def holds(self, *names: str) -> Player:
        """Add these cards to the hand, unseen by the other seat."""
        self.state.hand[self.seat] += [self.table.fetch(self.seat, name) | SEEN[self.seat] for name in names]
        return self.settled()

    def has(self, *names: str, at: str = "FORTRESS", gear: tuple[str, ...] = (), new: bool = False) -> Player:
        """Put generals into play, recruited on an earlier turn unless `new`. The last one bears the Equipment."""
        state = self.state
        for name in names:
            u = self.unit(name)
            state.enter(u, self.table.fetch(self.seat, name), ZONE_OF[self.seat][PLACES.index(at)], True)
            if not new:
                state.flags[u] = 0
        for name in gear:
            state.equip(self.unit(names[-1]), self.table.fetch(self.seat, name) | BOTH)
        return self.settled()

    def resource(self, *top: str, size: int | None = None) -> Player:
        """Set RESOURCE to these cards, the first on top, above enough other cards to reach `size`."""
        state = self.state
        if size is not None:
            state.out[self.seat] += [card & KIND for card in state.deck[self.seat]]
            state.deck[self.seat].clear()
        wanted = [self.table.fetch(self.seat, name) for name in reversed(top)]
        while size is not None and len(state.deck[self.seat]) + len(wanted) < size:
            state.deck[self.seat].append(self.table.filler(self.seat))
        state.deck[self.seat] += wanted
        return self.settled()

    def discarded(self, *names: str) -> Player:
        """Put these cards face down on DISCARD."""
        self.state.discard[self.seat] += [self.table.fetch(self.seat, name) & KIND for name in names]
        return self.settled()

    def lost(self, *names: str) -> Player:
        """Put these generals into CASUALTY."""
        for name in names:
            self.state.casualty[self.seat].append(self.table.fetch(self.seat, name) | BOTH)
            self.state.zone[self.unit(name)] = DEAD
        return self.settled()

    def settled(self) -> Player:
        """Recompute the current question after a change of the table."""
        self.table.refresh()
        return self

    # ---- acting ---------------------------------------------------------------------------------

    def does(self, *notations: str) -> Self:
        """Take these actions in order. Each must be legal. Counter windows left open are passed, unless the table is
        set to `ask`."""
        super().does(*notations)
        self.table.pass_windows(-1, "")
        return self

    answers = does

    def passes(self) -> Player:
        return self.does("pass")

    def ends(self) -> Player:
        """End the turn."""
        return self.does("end")

    # ---- looking --------------------------------------------------------------------------------

    def unit(self, name: str) -> int:
        card = self.table.game.pool.find(name)
        assert card is not None, name
        return self.state.setup.unit_of[self.seat][card.kind]

    @property
    def choices(self) -> list[str]:
        """The legal actions, or an empty list during another seat's decision."""
        return self.legal()

    @property
    def asked(self) -> str:
        """The question this player is asked, or an empty string."""
        return self.state.stack[-1].prompt if self.state.stack and self.seat in self.state.asked() else ""

    def might(self, name: str) -> int:
        return self.state.might(self.unit(name))

    def wits(self, name: str) -> int:
        return self.state.wits(self.unit(name))

    def upkeep(self) -> int:
        return stats.compute_upkeep_total(self.state, self.seat)

    def cost(self, name: str) -> int:
        card = self.table.game.pool.find(name)
        assert card is not None, name
        return stats.compute_cost(self.state, self.seat, self.state.setup.kinds[card.kind])

    def place(self, name: str) -> str:
        """The zone of a general from its owner's side, or an empty string when it is not in play."""
        zone = self.state.zone[self.unit(name)]
        return PLACES[ZONE_OF[self.seat][zone]] if zone >= 0 else ""

    @property
    def hand(self) -> list[str]:
        return sorted(self.table.names(self.state.hand[self.seat]))

    @property
    def fallen(self) -> list[str]:
        return self.table.names(self.state.casualty[self.seat])

    @property
    def field(self) -> list[str]:
        return self.table.names(self.state.field[self.seat])

    @property
    def gear(self) -> list[str]:
        return sorted(self.table.names(self.state.gear[self.seat]))

    @property
    def exiled(self) -> list[str]:
        """The cards that left the game since the table was set up."""
        return self.table.names(self.state.out[self.seat][self.table.aside[self.seat] :])

    @property
    def resources(self) -> int:
        return len(self.state.deck[self.seat])

    @property
    def discards(self) -> list[str]:
        return sorted(self.table.names(self.state.discard[self.seat]))

    reads = scenario.Player.log


@cache
def game_with(made: str, options: str) -> Generals:
    """Return the game in which both decks hold two copies of every card, and one of the newest cards if there are too
    many. Equal tables share the game."""
    cards, commandments = json.loads(made)
    own = {card["id"]: card for card in cards}
    everything = [*[card for card in compile_standard().pool.raw["card"] if card["id"] not in own], *cards]
    lists = []
    counts = {card["id"]: COPIES for card in everything if card["type"] != "commandment"}
    newest = [id for id in reversed(counts) if id not in own]
    counts |= dict.fromkeys(newest[: max(0, COPIES * len(counts) - MOST)], 1)
    for seat, commandment in enumerate(commandments):
        deck = {"slug": f"all-{seat + 1}", "name": f"All {seat + 1}", "style": "", "commandment": commandment}
        lists.append({**deck, "cards": counts})
    raw = {"form": 1, "game": {"deck_least": 1, "deck_most": MOST}, "card": cards, "deck": lists}
    return Generals(cards=raw, decks=("all-1", "all-2"), **json.loads(options))


class Table(scenario.Table[Generals, GeneralsState, Player]):
    """A position in May's Main Phase of turn 3. `cards` are added to the standard cards. `commandments` are the ids of
    both seats' Commandments."""

    def __init__(
        self,
        cards: list[dict[str, Any]] | None = None,
        commandments: tuple[str, str] = ("D05", "D05"),
        ask: bool = False,
        resource: int = 30,
        **options: Any,
    ) -> None:
        super().__init__(game_with(json.dumps([cards or [], commandments]), json.dumps(options)), Player)
        self.ask = ask
        state = self.state
        state.stack = [MAIN[0]]
        state.number = 3
        for seat in (0, 1):
            state.out[seat] += [card & KIND for card in state.deck[seat]]
            state.deck[seat].clear()
        self.aside = [0, 0]
        for player in self.people:
            player.resource(size=resource)

    def refresh(self) -> None:
        """Recompute the current question. The log and the cards set aside count from here."""
        state = self.state
        state.settle()
        for seat in (0, 1):
            shown = [*state.hand, *state.field, *state.gear, *state.casualty, *state.flight, *state.out]
            for card in [card for zone in shown[seat::2] for card in zone]:
                if card & SEEN[1 - seat]:
                    state.learn(seat, card & KIND)
        self.forget()
        self.aside = [len(self.state.out[seat]) for seat in (0, 1)]

    def fetch(self, seat: int, name: str) -> int:
        """Take a card from those set aside, or else out of RESOURCE, where another card replaces it."""
        card = self.game.pool.find(name)
        assert card is not None, name
        out, deck = self.state.out[seat], self.state.deck[seat]
        for i in range(len(out)):
            if out[i] & KIND == card.kind:
                return out.pop(i) & KIND
        for i in range(len(deck)):
            if deck[i] & KIND == card.kind:
                deck[i] = self.filler(seat)
                return card.kind
        raise AssertionError(f"there is no further {name}")

    def filler(self, seat: int) -> int:
        """Take any card from those set aside, highest kind first, because tests rarely name those."""
        return self.state.out[seat].pop() & KIND

    def turn(self, player: Player, number: int = 3) -> Table:
        """Start this player's Main Phase."""
        self.state.active = player.seat
        self.state.number = number
        self.state.stack = [MAIN[player.seat]]
        self.refresh()
        return self

    def begins(self, player: Player, number: int = 3) -> Table:
        """Start this player's turn with its first effects and its draw."""
        self.state.number = number - 1
        self.state.stack = [START_TURN[player.seat]]
        self.refresh()
        return self

    def pass_windows(self, seat: int, notation: str) -> None:
        """Pass open Counter windows, except for a seat that is about to play a Counter."""
        while not self.ask and self.state.stack and self.state.stack[-1].prompt == "answer":
            asked = self.state.stack[-1].seat
            if asked == seat and self.state.is_legal(seat, self.game.parse(notation)):
                return
            self.state.play(asked, self.game.parse("pass"))

    def play(self, seat: Seat, notation: str) -> None:
        self.pass_windows(seat, notation)
        super().play(seat, notation)

    def name(self, card: int) -> str:
        return self.game.kinds[card].name

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def winner(self) -> Player | None:
        return None if self.state.winner < 0 else self.people[self.state.winner]

    @property
    def events(self) -> list[Event]:
        """All events so far, in the form that tools read."""
        return self.state.mask(OPEN).log or []


def tag(player: Player, name: str) -> str:
    """Return the notation of a general in actions, such as `guan-yu#1`."""
    card = player.table.game.pool.find(name)
    assert card is not None, name
    return f"{card.slug}#{player.seat + 1}"


def pay(player: Player) -> None:
    """Pay with the first cards offered."""
    while player.asked == "pay":
        player.does(player.choices[0])


def chance(table: Table) -> None:
    """Resolve chance decisions with the first legal outcome."""
    while table.state.turn == CHANCE:
        table.state.apply(CHANCE, table.state.legal(CHANCE)[0])


__all__ = ["AWAY", "Player", "Table", "chance", "pay", "tag"]
