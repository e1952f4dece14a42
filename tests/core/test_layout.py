"""Observation tensors: the position of each number, computed by hand."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.arrays.layout import Layout
from gonfalon.core.basics.cards import FLAG, KIND, SEEN
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR, State, Step
from gonfalon.core.rules.tensor import Writer
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.factionwars.rules.claims import find_claims
from tests.factionwars.scenario import Table as FactionTable
from tests.feint.scenario import Table as FeintTable
from tests.feint.scenario import card
from tests.generals.folk import plain
from tests.stranger.gonfalon_duel import Duel


class Parts:
    """A tensor by its parts, in signed numbers."""

    def __init__(self, game: Game, view: State) -> None:
        self.layout = Layout(game)
        out = self.layout.new()
        self.layout.write(view, out)
        self.numbers = [number - 256 if number > 127 else number for number in out]

    def part(self, name: str) -> list[int]:
        number = [part.name for part in self.layout.parts].index(name)
        start = self.layout.at[number]
        return self.numbers[start : start + self.layout.parts[number].size]

    def row(self, name: str, *place: int) -> list[int]:
        """Return the numbers of the last axis at a place of the others."""
        shape = next(part.shape for part in self.layout.parts if part.name == name)
        start = 0
        for size, index in zip(shape[:-1], place, strict=True):
            start = start * size + index
        return self.part(name)[start * shape[-1] : (start + 1) * shape[-1]]


ZONES = ["deck", "discard", "@2", "@3", "@4", "@5", "@6", "hand"]


def zone(table: FeintTable, view: State, part: str, whose: int, name: str) -> dict[str, int]:
    """Return the cards that a part of Feint's tensor counts in a zone, by slug, with `""` for unseen ones."""
    parts = Parts(table.game, view)
    kinds = sorted({*table.game.setup.decks[0], *table.game.setup.decks[1]})
    names = [table.game.cards[kind]["slug"] for kind in kinds] + [""]
    row = parts.row(part, whose, ZONES.index(name))
    return {name: count for name, count in zip(names, row, strict=False) if count}


def table() -> FeintTable:
    table = FeintTable(may=[card("ox", 6), card("fox", 2, "covert")], david=[card("hen", 3)])
    table.may.holds("ox", "ox", "fox").has("fox", at=3, down=True).has("ox", at=5, stay=True)
    table.david.holds("hen").has("hen", at=5).discarded("hen")
    return table.deploys(table.may)


def test_cards_seen_by_one_seat_are_known_to_it_alone() -> None:
    made = table()
    mine, theirs = made.may.view, made.david.view
    assert zone(made, mine, "cards.known", 0, "hand") == {"ox": 2, "fox": 1}
    assert zone(made, mine, "cards.known", 0, "@3") == {"fox": 1}
    assert zone(made, mine, "cards.known", 1, "hand") == {}
    assert zone(made, theirs, "cards.known", 1, "hand") == {}
    assert zone(made, theirs, "cards.known", 1, "@3") == {}
    assert zone(made, theirs, "cards.known", 0, "hand") == {"hen": 1}


def test_partly_seen_cards_are_counted_for_all_seats() -> None:
    made = table()
    for view, me in ((made.may.view, 0), (made.david.view, 1), (made.spectator, 0)):
        assert zone(made, view, "cards.shown", me, "hand") == {"": 3}
        assert zone(made, view, "cards.shown", me, "@3") == {"": 1}
        # Twenty-eight cards of May's: five are laid out.
        assert zone(made, view, "cards.shown", me, "deck") == {"": 28 - 5}


def test_flags_are_counted_by_zone() -> None:
    made = table()
    parts = Parts(made.game, made.david.view)
    assert made.game.flags == ("face down", "under a Stay token", "about to be moved")
    assert parts.row("cards.flags", 1, ZONES.index("@3")) == [1, 0, 0]
    assert parts.row("cards.flags", 1, ZONES.index("@5")) == [0, 1, 0]
    assert parts.row("cards.flags", 0, ZONES.index("@5")) == [0, 0, 0]


def order(table: FeintTable, view: State, whose: int, name: str) -> list[tuple[str, int, int]]:
    """Return the cards that Feint's tensor lists for a zone: slug, depth, the seats that have seen it, and
    its flags."""
    kinds = sorted({*table.game.setup.decks[0], *table.game.setup.decks[1]})
    names = ["", *(table.game.cards[kind]["slug"] for kind in kinds), "?"]
    parts = Parts(table.game, view)
    rows = [name for name in ZONES if name == "deck" or name.startswith("@")]
    numbers = [parts.row("cards.order", whose, rows.index(name), place) for place in range(12)]
    return [(names[kind], depth, marks) for kind, depth, marks in numbers if kind]


def test_cards_are_listed_in_order_from_the_end() -> None:
    made = FeintTable(may=[card("ox", 2), card("fox", 2, "covert")], david=[card("hen", 3)])
    made.may.has("ox", at=5).has("fox", at=5, down=True).has("ox", at=5, stay=True)
    # Seen by: 1 the observer, 2 the other; flags from 4 on: 4 face down, 8 under a Stay token.
    assert order(made, made.may.view, 0, "@5") == [("ox", 1, 3 + 8), ("fox", 2, 1 + 4), ("ox", 3, 3)]
    assert order(made, made.david.view, 1, "@5") == [("ox", 1, 3 + 8), ("?", 2, 2 + 4), ("ox", 3, 3)]
    assert order(made, made.spectator, 0, "@5") == [("ox", 1, 3 + 8), ("?", 2, 1 + 4), ("ox", 3, 3)]
    assert order(made, made.may.view, 1, "@5") == []


def test_a_card_under_the_draw_pile_is_listed_with_its_depth() -> None:
    made = table()
    deck = made.state.deck[0]
    deck[0] |= SEEN[0]
    [(slug, depth, seen)] = order(made, made.may.view, 0, "deck")
    assert (slug, depth, seen) == (made.game.cards[deck[0] & KIND]["slug"], len(deck), 1)
    assert order(made, made.david.view, 1, "deck") == [("?", len(deck), 2)]
    assert order(made, made.spectator, 0, "deck") == [("?", len(deck), 1)]


def test_the_numbers_of_feint() -> None:
    made = table()
    made.david.morale_is(7)
    made.may.morale_is(21)
    made.state.won[:] = [0, 0, 1]
    made.state.round = 4
    made.state.passed = 2
    mine, theirs = Parts(made.game, made.may.view), Parts(made.game, made.david.view)
    assert [mine.part(name) for name in ("round", "first", "passed", "morale", "won")] == [
        [4],
        [1, 0],
        [0, 1],
        [21, 7],
        [2, 1],
    ]
    assert [theirs.part(name) for name in ("round", "first", "passed", "morale", "won")] == [
        [4],
        [0, 1],
        [1, 0],
        [7, 21],
        [1, 2],
    ]
    # Face down a card weighs 3; ox 6 and hen 3 at Location 5.
    assert mine.part("load") == theirs.part("load") == [0, 3, 0, 9, 0]


def test_the_deciding_seat_and_its_question() -> None:
    made = table()
    mine, theirs = Parts(made.game, made.may.view), Parts(made.game, made.david.view)
    classes = [step.__name__ for step in mine.layout.writer.steps]
    assert mine.part("asked") == [1, 0, 0]
    assert theirs.part("asked") == [0, 1, 0]
    for parts in (mine, theirs):
        assert [classes[i] for i, due in enumerate(parts.part("asks")) if due] == ["Deploy"]
    deploy, cleanup = classes.index("Deploy"), classes.index("Cleanup")
    assert mine.row("steps", deploy) == [1, 0, 0]
    assert theirs.row("steps", deploy) == [0, 1, 0]
    assert theirs.row("steps", cleanup) == [0, 0, 1]
    assert (mine.part("seat"), theirs.part("seat")) == ([1, 0], [0, 1])


def test_a_seat_sees_its_own_answers_in_order() -> None:
    made = FeintTable(may=[card("ox", 6)], david=[card("hen", 3)])
    made.may.holds("ox", "ox", "red-filler")
    made.reinforces()
    made.may.does("ox", "red-filler")
    actions = Layout(made.game).actions

    def answers(view: State) -> dict[str, int]:
        numbers = Parts(made.game, view).part("answers")
        return {made.game.notation(actions[i]): number for i, number in enumerate(numbers) if number}

    assert answers(made.may.view) == {"ox": 1, "red-filler": 2}
    assert answers(made.david.view) == answers(made.spectator) == answers(made.open) == {}


class Numbered(Step[State]):
    """A game with numbers beyond a signed byte, and one too many."""

    def __init__(self) -> None:
        super().__init__(0)

    def key(self) -> list[int]:
        return [-9, 191, 3]


class Piled(State):
    """A state of one zone: 130 cards that all have seen, and 200 that nobody has."""

    def zones(self) -> list[list[int]]:
        return [[SEEN[0] | SEEN[1]] * 130 + [1023] * 200]


def test_a_count_stops_where_a_signed_byte_does() -> None:
    writer = Writer(2, {Numbered: 0}, {}, 0)
    writer.shown = [[0], [0]]
    writer.make_room([[*[0] * 1023, 1]], [1, 0, 1], 9)
    writer.write_zones(Piled(2, []), 0, SEEN[0])
    assert list(writer.row)[:2] == [127, 127]
    writer.steps_at, writer.asks_at, writer.asked_at, writer.deep, writer.wide = 2, 5, 6, 1, 2
    writer.write_flow([Numbered()], 0)
    assert list(writer.row)[:2] == [256 - 9, 191]
    writer.put(1, -300)
    writer.put(2, 200)
    assert list(writer.row)[:2] == [256 - 128, 127]
    writer.clear()
    assert list(writer.row) == [0] * 9
    assert SEEN[7] < FLAG


def test_an_action_is_marked_by_its_place_not_its_number() -> None:
    """The third of four actions, and one with a number too large for a row. 4 is not an action of this game."""
    writer = Writer(2, {}, {0: 0, 3: 1, 7: 2, 1 << 20: 3}, 0)
    assert list(writer.marks_of([7, 1 << 20])) == [0, 0, 1, 1]
    for unlisted in (4, 8, 1 << 21):
        with pytest.raises(KeyError):
            writer.marks_of([unlisted])


@pytest.mark.parametrize("name", games.names())
def test_the_public_part_is_the_same_for_the_spectator(name: str) -> None:
    for game in games.find_game_class(name).samples()[:3]:
        layout = Layout(game)
        state, rng = game.start(), Rng(4)
        for _ in range(60):
            if state.over:
                break
            mine, theirs = layout.new(), layout.new()
            layout.write(state.mask(0), mine)
            layout.write(state.mask(SPECTATOR), theirs)
            assert mine[: layout.public] == theirs[: layout.public]
            state.apply(state.turn, state.sample(rng))


# ---- a game that says nothing of itself ------------------------------------------------------------------


def test_listed_actions_are_those_with_a_notation() -> None:
    class Words(Duel):
        def notation(self, action: int) -> str:
            if action in (0, 7, 4000, 8096):
                return str(action)
            return super().notation(10**6)

    assert Words().all_actions() == [0, 7, 4000, 8096]
    assert Duel(copies=(1, 1)).all_actions() == Duel(copies=(1, 1)).all_chances()


# ---- Faction Wars and Generals -------------------------------------------------------------------------------


def slugs(parts: Parts, name: str, *place: int) -> dict[str, int]:
    """Return the counts of a row by kind of Faction Wars, by slug, with `""` for unseen cards."""
    game = parts.layout.game
    assert isinstance(game, FactionWars)
    of_armies = name.startswith("army") and ".shown" in name
    kinds = [entry["slug"] for entry in game.entries[: game.setup.first_goal if of_armies else game.setup.owned]]
    return {slug: count for slug, count in zip([*kinds, ""], parts.row(name, *place), strict=False) if count}


def test_the_numbers_of_faction_wars() -> None:
    made = FactionTable(seats=3)
    made.lines_up("jarl", "outlaw", "bystander", "blade")
    made.may.owns("gambler", "outlaw").draws("marshal", "rock")
    made.state.round, made.state.depleted = 4, 1
    made.state.picks = [1, 3, 1]
    made.state.claims, made.state.done, made.state.place = find_claims(made.state.picks), 1, 1
    del made.state.lineup[1]
    ours, next_seat = Parts(made.game, made.state.mask(0)), Parts(made.game, made.state.mask(1))
    for parts, may in ((ours, 0), (next_seat, 2)):  # from David's side May sits two seats on
        assert parts.part("round") == [4, 1]
        assert parts.part("last") == [0]
        assert [slugs(parts, "lineup", place) for place in range(4)] == [
            {"jarl": 1},
            {},
            {"bystander": 1},
            {"blade": 1},
        ]
        assert parts.part("resolving") == [0, 1, 0, 0]
        assert parts.row("picks", may) == [0, 1, 0, 0]
        assert slugs(parts, "owned", may) == {"gambler": 1, "outlaw": 1, "marshal": 1}
        pile = slugs(parts, "army.shown", may, 1)
        assert {slug: count for slug, count in pile.items() if not slug.startswith("conscript")} == {
            "gambler": 1,
            "outlaw": 1,
        }
        # Of the battle deck only the order is hidden: everybody saw what came into it.
        assert slugs(parts, "army.shown", may, 0) == {"marshal": 1, "conscript-rock": 1}
    assert next_seat.row("picks", 0) == [0, 0, 0, 1]


def test_the_numbers_of_generals() -> None:
    made = plain()
    made.may.has("Ash", at="BORDER").has("Kite", at="FORTRESS", new=True)
    made.david.has("Rook", at="FORTRESS")
    made.state.number = 9
    made.state.sieges = 1
    made.state.marks[made.david.unit("Rook") * 4] = 2
    lists = [made.game.setup.army_of[seat] for seat in (0, 1)]
    ash, kite = (lists[0].index(made.may.unit(name)) for name in ("Ash", "Kite"))
    rook = lists[1].index(made.david.unit("Rook"))
    mine, theirs = Parts(made.game, made.state.mask(0)), Parts(made.game, made.state.mask(1))
    for parts, may, david in ((mine, 0, 1), (theirs, 1, 0)):
        assert parts.part("turn") == [9, 1, 0]
        assert parts.part("active") == [1 - may, may]
        # Zones from the observer's own FORTRESS on.
        assert parts.row("zone", may, ash) == ([0, 1, 0, 0] if may == 0 else [0, 0, 1, 0])
        assert parts.row("zone", david, rook) == ([0, 0, 0, 1] if may == 0 else [1, 0, 0, 0])
        assert parts.row("now", may, ash) == [5, 3]
        assert parts.row("now", david, rook) == [5, 2]
        assert parts.row("done", may, kite) == [1, 0, 0, 0, 0, 0, 0, 0]
        assert parts.row("done", may, ash) == [0] * 8
        assert parts.row("marks", david, rook) == [2, 0, 0, 0]
        assert sum(parts.part("marks")) == 2
