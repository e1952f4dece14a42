"""A Scrambler's move belongs to one Scrambler and one played card from its trigger on."""

from __future__ import annotations

import pytest

from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import events
from gonfalon.games.feint.rules.cards import ABILITIES, Printed
from gonfalon.testing import rule
from tests.feint.scenario import Table, card, card_with

SCRAM = card("scram", 3, "scrambler")
MAGE = card("mage", 1, "conjurer")
GOOD = card("good", 1, "good-for-something", tags=("gang",))
BIT = card("bit", 1, "gangan", tags=("gang",))
BOMB = card("bomb", 1, "bomb-tower", tags=("tower",))
SMITH = card("smith", 1, tags=("engineer",))
HORSE = card("horse", 1, "trojan", protected=True)
HEN = card("hen", 1)
COCK = card("cock", 2)


def scrambling(*numbers: int, reading: str = "itself") -> Table:
    """Return a table where May has a Scrambler at each of these Locations. It is David's turn once he holds a card."""
    table = Table(
        may=[SCRAM],
        david=[GOOD, *({**few, "copies": 2} for few in (MAGE, BIT, BOMB, SMITH, HORSE, HEN, COCK))],
        scrambler=reading,
        capacity=30,
    )
    table.may.holds("red-filler", "red-filler")
    for number in numbers:
        table.may.has("scram", at=number)
    return table


def where(table: Table) -> dict[int, int]:
    """Return the number of May's Scramblers at each Location."""
    return {number: len(table.may.at(number)) for number in (2, 3, 4, 5, 6) if table.may.at(number)}


# ---- the Scrambler itself moves --------------------------------------------------------------------


@rule("feint", 78)
def test_a_scrambler_that_comes_later_is_left_alone() -> None:
    """David's outer mage and inner mage both go to 3, and with the inner one a hen goes to 4. The Scrambler of 4 moves
    to 3 after both mages, and that of 3 moves away once. No card was played to 3 while the newcomer was there."""
    table = scrambling(3, 4)
    table.david.holds("mage", "blue-filler").discarded("mage", "hen")
    table.deploys(table.david)
    table.david.plays("mage@3", "own-first", "mage@3", "own-first", "hen@4")
    assert table.asked() == (0, "scramble")
    table.may.answers("@3")
    assert table.asked() == (0, "scramble")
    table.may.answers("@6")
    assert where(table) == {3: 1, 6: 1}
    assert table.asked() == (0, "deploy"), "the newcomer stays"
    assert len(table.happened(events.MOVED)) == 2


@rule("feint", 78)
def test_a_scrambler_that_left_and_returned_has_used_its_move() -> None:
    """It leaves 3 for the inner mage and returns to 3 for the hen. The outer mage does not move it again."""
    table = scrambling(3)
    table.david.holds("mage", "blue-filler").discarded("mage", "hen")
    table.deploys(table.david)
    table.david.plays("mage@3", "own-first", "mage@3", "scrambler-first")
    table.may.answers("@4")
    table.david.plays("hen@4")
    table.may.answers("@3")
    assert where(table) == {3: 1}
    assert table.asked() == (0, "deploy")


@rule("feint", 78)
def test_a_bombed_scrambler_moves_no_other_in_its_place() -> None:
    """For the good of 4 its Scrambler moves to 3, where another one waits to answer the good of 3. Both are there when
    the bomb is played. It hits one, and the other moves, once."""
    table = scrambling(3, 4)
    table.david.has("smith", at=3).holds("good", "good", "bomb", "blue-filler")
    table.deploys(table.david)
    table.david.plays("good@3", "own-first", "good@4", "scrambler-first")
    table.may.answers("@3")
    table.david.plays("bomb@3", "own-first")
    assert table.may.discard == ["scram"]
    table.may.answers("@6")
    assert where(table) == {6: 1}
    assert table.asked() == (0, "deploy")


# ---- the other reading: the card just played moves ---------------------------------------------------


@rule("feint", 78)
def test_the_very_card_moves_and_acts_where_it_lies_then() -> None:
    """Two Scramblers are at 3. The good of 3 acts first and plays a bit to 3, which is moved to 2. There it gathers the
    gang, including the good, which has left the Scramblers' Location and is not moved again."""
    table = scrambling(3, 3, reading="played")
    table.david.holds("good", "bit", "blue-filler").has("bit", at=5)
    table.deploys(table.david)
    table.david.plays("good@3", "own-first", "bit@3", "scrambler-first")
    table.may.answers("@2")
    assert sorted(table.david.at(2)) == ["bit", "bit", "good"]
    assert (table.david.at(3), table.david.at(5)) == ([], [])
    assert table.asked() == (0, "deploy")


@rule("feint", 79)
@pytest.mark.parametrize("first", ["own-first", "scrambler-first"])
def test_two_scramblers_move_a_card_once(first: str) -> None:
    """After the first move the card is no longer at their Location."""
    table = scrambling(3, 3, reading="played")
    table.david.holds("bit", "blue-filler").has("bit", at=5)
    table.deploys(table.david)
    table.david.plays("bit@3", first)
    assert table.asked() == (0, "scramble")
    table.may.answers("@4")
    assert table.asked() == (0, "deploy")
    if first == "own-first":
        assert (table.david.at(3), table.david.at(4)) == (["bit"], ["bit"]), "gathered at 3, then one moved to 4"
    else:
        assert table.david.at(4) == ["bit", "bit"]


@rule("feint", 78)
@pytest.mark.parametrize(("taken", "moved"), [("#3.1", "inner"), ("#3.2", "outer")])
def test_of_two_equal_cards_each_waits_for_its_own_move(taken: str, moved: str) -> None:
    """Two equal goods at 3 each have a move to come, and so does a good at 5 between them. The horse takes one of the
    two back. The other one is moved when its own move is due, the inner before that of 5, the outer after it."""
    table = scrambling(3, 5, reading="played")
    table.david.holds("good", "good", "good", "horse", "blue-filler")
    table.deploys(table.david)
    table.david.plays("good@3", "own-first", "good@5", "own-first", "good@3", "own-first", "horse@2", taken)
    asked = []
    while table.asked() == (0, "scramble"):
        asked.append(table.game.prompt(table.may.view, ["You", "David"]))
        table.may.answers("@6")
    assert asked == [f"Move Good from {place}. Where to?" for place in ((3, 5) if moved == "inner" else (5, 3))]
    assert table.david.at(6) == ["good", "good"]
    assert table.asked() == (0, "deploy")


@rule("feint", 78)
def test_without_its_scrambler_a_card_is_not_moved() -> None:
    """The bomb of the same Location hits the only Scrambler first. Then the good has no mark."""
    table = scrambling(3, reading="played")
    table.david.has("smith", at=3).holds("good", "bomb", "blue-filler")
    table.deploys(table.david)
    table.david.plays("good@3", "own-first", "bomb@3", "own-first")
    assert (table.may.discard, table.david.discard) == (["scram"], ["bomb"])
    assert table.asked() == (0, "deploy")
    good = table.state.at(1, table.place(3))[-1]
    plain = table.state.at(1, table.place(3))[0]
    assert good >> 18 == plain >> 18, "no flag is left on it"


@rule("feint", 64, 78)
def test_of_face_down_cards_the_one_just_played_moves() -> None:
    """May cannot tell them apart, but the cards are in the order of their arrival."""
    table = Table(
        may=[SCRAM], david=[card("spy", 5, "covert"), card("mole", 1, "covert")], scrambler="played", capacity=30
    )
    table.may.holds("red-filler").has("scram", at=3)
    table.david.holds("mole", "blue-filler").has("spy", "spy", at=3, down=True)
    table.deploys(table.david)
    table.david.plays("mole@3")
    asked = table.game.prompt(table.may.view, ["You", "David"])
    assert asked == "Move the face-down card from 3. Where to?"
    table.may.answers("@2")
    assert (table.david.at(3), table.david.at(2)) == (["spy", "spy"], ["mole"])


# ---- order, tokens ------------------------------------------------------------------------------------


def acting() -> list[str]:
    """Yield every ability that acts when a card is played."""
    printed = Printed(
        slug="x", name="X", faction=0, strength=1, morale=1, tags=[], protected=False, location=2, place=0, by=1
    )
    made = {slug: make(0, printed) for slug, make in ABILITIES.items()}
    return [slug for slug, kind in made.items() if kind.acts]


@rule("feint", 38)
@pytest.mark.parametrize("ability", [word for word in ABILITIES if word])
@pytest.mark.parametrize("first", ["own-first", "scrambler-first"])
def test_the_order_is_asked_for_every_ability_that_acts(ability: str, first: str) -> None:
    """David's card with any ability goes to a Location with May's Scrambler. He only orders the effects that act."""
    table = Table(may=[{**SCRAM, "copies": 5}, HEN], david=[card_with(ability, "made"), {**SMITH, "copies": 5}, COCK])
    table.may.holds("hen", "hen").scouted(5)
    table.david.holds("made", "blue-filler").discarded("cock").scouted(6)
    for number in (2, 3, 4, 5, 6):
        table.may.has("scram", at=number)
        if "tower" in ability:
            table.david.has("smith", at=number)
    table.deploys(table.david)
    plays = [action for action in table.david.legal() if action.startswith("made")]
    if not plays:
        return  # it cannot be played where a Scrambler lies
    table.david.plays(plays[0])
    if plays == ["made"]:
        table.may.answers("@4")
    if ability not in acting():
        assert table.asked() == (0, "scramble")
        return
    assert table.asked() == (1, "order")
    assert table.david.legal() == ["own-first", "scrambler-first"]
    table.david.answers(first)
    if first == "scrambler-first":
        assert table.asked() == (0, "scramble"), "before anything of the card's own"
        told = {events.STAY, events.PEEKED, events.BARED, events.MORALE, events.DREW, events.MILLED, events.LOOKED}
        assert not told & {event[0] for event in table.state.log or []}
        table.may.answers("@6")
        assert max(where(table).values()) == 2
    else:
        assert table.asked() != (1, "order")


@pytest.mark.parametrize("reading", ["itself", "played"])
def test_the_printed_text_names_the_card_that_moves(reading: str) -> None:
    shown = Feint(factions=("mibits", "wu"), scrambler=reading).card("scrambler")
    assert shown is not None
    mover = "this card moves" if reading == "itself" else "that card moves"
    assert shown["text"].startswith(f"When your opponent plays a card here, {mover} to another Location")
    assert ("This card stays." in shown["text"]) is (reading == "played")


@rule("feint", 38)
@pytest.mark.parametrize("before", [0, 1, 2])
def test_the_own_ability_follows_whichever_card_it_is(before: int) -> None:
    """May lets David's Scrambler act first, then she loses the 2 Morale. Her faction takes the place of the first of
    the card list, so that the first kinds are covered."""
    others = [card(f"plain-{number}") for number in range(before)]
    table = Table(may=[*others, card("fire", 1, "master-of-fire")], david=[SCRAM], slugs=("engineers", "blue"))
    table.may.holds("fire", "engineers-filler").morale_is(10)
    table.david.holds("blue-filler").has("scram", at=3)
    table.deploys(table.may)
    table.may.plays("fire@3", "scrambler-first")
    assert table.may.morale == 10
    table.david.answers("@5")
    assert table.may.morale == 8
