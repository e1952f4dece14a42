"""Knowledge of hidden cards: a seen card stays known until a hidden choice blurs it."""

from __future__ import annotations

from gonfalon.core.basics.cards import KIND
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.games.feint.rules.state import BOTH, FeintState
from gonfalon.testing import rule
from tests.feint.scenario import Player, Table, card, faces

SHIELD = card("shield", 1, protected=True)
WALL = card("wall", 2, protected=True)
VEIL = card("veil", 1, "covert")
MASK = card("mask", 5, "covert")
NURSE = card("nurse", 2, "medic", protected=True)
GOOD = card("good", 0, "good-for-something")
SMITH = card("smith", 1, tags=("engineer",))
SUPPORT = card("support", 3, "support-tower", tags=("tower",), protected=True)
MOLE = card("mole", 3, "saboteur")
KNIFE = card("knife", 2, "assassin")


def show_cards(player: Player, *slugs: str) -> None:
    """Mark these cards of the hand as seen by the opponent, through an Assassin or a known bottom of the pile."""
    hand = player.state.hand[player.seat]
    for slug in slugs:
        kind = player.table.game.kind_of[slug].id
        at = next(i for i, c in enumerate(hand) if c & KIND == kind and c & BOTH != BOTH)
        hand[at] |= BOTH


def hand(view: FeintState, player: Player) -> list[str]:
    """Return a player's hand in a view, sorted, because its order carries no information."""
    return sorted(player.sees(view.hand[player.seat]))


def pile(view: FeintState, player: Player) -> list[str]:
    """Return a player's draw pile in a view, top first."""
    return player.sees(view.deck[player.seat])[::-1]


def reinforced(table: Table) -> None:
    """End the round without discards, and let both draw."""
    table.both_pass()
    for player in (table.may, table.david):
        if player.legal():
            player.does("done")


# ---- the beginning ----------------------------------------------------------------------------------


def test_at_first_each_knows_his_own_hand_and_nothing_else_is_known() -> None:
    table = Table(may=[SHIELD], david=[MOLE])
    table.may.holds("shield", "red-filler").scouted(4)
    table.david.holds("mole").scouted(4)
    table.deploys(table.may)
    mays, davids, spectators = table.may.view, table.david.view, table.spectator
    assert hand(mays, table.may) == ["red-filler", "shield"]
    assert hand(davids, table.may) == hand(spectators, table.may) == ["?", "?"]
    assert hand(davids, table.david) == ["mole"]
    assert hand(mays, table.david) == hand(spectators, table.david) == ["?"]
    for view in (mays, davids, spectators):
        assert {*pile(view, table.may), *pile(view, table.david)} == {"?"}, "not even one's own draw pile"
        assert {c & KIND for c in view.pile[0] + view.pile[1]} == {KIND}


# ---- one's own secrets ------------------------------------------------------------------------------


@rule("feint", 74)
def test_cards_seen_by_a_support_tower_stay_known_to_its_owner_alone() -> None:
    """Three cards are known by their places, and then in the hand after they are drawn."""
    table = Table(may=[SUPPORT, SMITH, SHIELD, MOLE, KNIFE])
    table.may.holds("support", *["red-filler"] * 5).has("smith", at=4).stacked("shield", "mole", "knife", "smith")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("support@4", "mole")
    assert pile(table.may.view, table.may)[:3] == ["shield", "knife", "?"]
    assert pile(table.may.view, table.may)[-1] == "mole", "she put it there"
    assert set(pile(table.david.view, table.may)) == {"?"}
    assert set(pile(table.spectator, table.may)) == {"?"}
    board = table.game.board(table.may.view)["seats"][0]
    assert [c["slug"] for c in faces(board["known_deck"])] == ["shield", "knife", "mole"]

    reinforced(table)
    assert hand(table.may.view, table.may)[:2] == ["knife", "red-filler"]
    assert hand(table.david.view, table.may) == ["?"] * 7
    assert pile(table.may.view, table.may)[-1] == "mole"


# ---- what an effect showed to both ------------------------------------------------------------------


@rule("feint", 70)
def test_cards_that_a_saboteur_spared_are_known_on_the_pile_and_then_in_the_hand() -> None:
    table = Table(may=[MOLE], david=[SHIELD, WALL, KNIFE])
    table.may.holds("mole", "red-filler")
    table.david.holds(*["blue-filler"] * 5).stacked("shield", "wall", "knife")
    table.deploys(table.may)
    table.may.plays("mole@2")
    for view in (table.may.view, table.spectator):
        assert pile(view, table.david)[:3] == ["shield", "wall", "?"]
    reinforced(table)
    for view in (table.may.view, table.spectator):
        assert hand(view, table.david) == ["?"] * 5 + ["shield", "wall"]


@rule("feint", 35)
def test_a_protected_card_that_an_assassin_showed_stays_known_in_the_hand() -> None:
    table = Table(may=[KNIFE], david=[SHIELD])
    table.may.holds("knife", "red-filler")
    table.david.holds("shield", "shield", "blue-filler")
    table.deploys(table.may)
    table.may.plays("knife@2")
    table.chance("shield")
    for view in (table.may.view, table.spectator):
        assert hand(view, table.david) == ["?", "?", "shield"], "one of the two"
    reinforced(table)
    assert hand(table.may.view, table.david) == ["?"] * 6 + ["shield"], "into the next round"


def test_of_two_equal_cards_the_known_one_leaves_first() -> None:
    """May cannot know whether David plays the shield she saw, so afterwards she no longer counts on another."""
    table = Table(david=[SHIELD])
    table.may.holds("red-filler")
    table.david.holds("shield", "shield", "blue-filler")
    show_cards(table.david, "shield")
    table.deploys(table.david)
    assert hand(table.may.view, table.david) == ["?", "?", "shield"]
    table.david.plays("shield@3")
    assert hand(table.may.view, table.david) == ["?", "?"]


@rule("feint", 63)
def test_a_medics_cards_are_known_at_the_bottom_and_when_they_are_drawn() -> None:
    """The pile holds one other card. May draws it first, then the two that all have seen."""
    table = Table(may=[NURSE, SHIELD, MOLE, KNIFE])
    table.may.holds("nurse", *["red-filler"] * 4).stacked("shield", only=True)
    table.state.discard[0].clear()
    table.state.discard[0] += [table.game.kind_of[slug].id | BOTH for slug in ("mole", "knife")]
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("nurse@2", "mole", "knife")
    for view in (table.may.view, table.david.view, table.spectator):
        assert pile(view, table.may) == ["?", "mole", "knife"]
    reinforced(table)
    assert hand(table.may.view, table.may)[:3] == ["knife", "mole", "red-filler"]
    for view in (table.david.view, table.spectator):
        assert hand(view, table.may) == ["?"] * 5 + ["knife", "mole"]


@rule("feint", 67)
def test_a_trojan_bits_card_is_known_at_the_bottom_and_when_it_is_drawn() -> None:
    table = Table(may=[card("trojan", 1, "trojan", protected=True), SHIELD, MOLE])
    table.may.holds("trojan", "red-filler").has("mole", at=3).stacked("shield", only=True)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("trojan@2")
    assert hand(table.david.view, table.may) == ["?", "?"], "the top card, unseen"
    assert pile(table.david.view, table.may) == pile(table.spectator, table.may) == ["mole"]
    reinforced(table)
    assert table.may.deck == []
    assert hand(table.david.view, table.may) == hand(table.spectator, table.may) == ["?", "?", "mole"]


def test_a_card_drawn_from_a_known_place_is_not_named_in_the_others_log() -> None:
    """David can tell May's draw from the table. The log gives him no extra information."""
    table = Table(may=[GOOD, MOLE])
    table.may.holds("good").stacked("mole")
    table.state.deck[0][-1] |= BOTH
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("good@2")
    assert "May draws 1 card." in table.david.log()
    assert not any("Mole" in line for line in table.david.log())
    assert hand(table.david.view, table.may) == ["mole"]


# ---- forgetting -------------------------------------------------------------------------------------


@rule("feint", 69)
def test_a_face_down_play_makes_the_opponent_forget_the_covert_cards_of_that_hand() -> None:
    """David knew a veil and a shield in May's hand. She plays a card face down, which may be the veil. The shield,
    which cannot be face down, stays known."""
    for played in ("veil", "mask"):
        table = Table(may=[VEIL, MASK, SHIELD], david=[VEIL | {"slug": "hood"}])
        table.may.holds("veil", "mask", "shield", "red-filler")
        table.david.holds("hood", "blue-filler")
        show_cards(table.may, "veil", "shield")
        show_cards(table.david, "hood")
        table.deploys(table.may)
        assert hand(table.david.view, table.may) == ["?", "?", "shield", "veil"]
        table.may.plays(f"{played}@3")
        for view in (table.david.view, table.spectator):
            assert hand(view, table.may) == ["?", "?", "shield"]
            assert table.may.sees(view.at(0, table.place(3))) == ["?"]
        left = "mask" if played == "veil" else "veil"
        assert hand(table.may.view, table.may) == sorted([left, "red-filler", "shield"]), "May forgets nothing"
        assert hand(table.may.view, table.david) == ["?", "hood"], "David's hand is another matter"


@rule("feint", 69)
def test_even_a_known_covert_card_is_not_pointed_at_when_it_is_played() -> None:
    """Afterwards David only knows "a covert card". The positions look the same to him for either card."""
    views = []
    for played in ("veil", "mask"):
        table = Table(may=[VEIL, MASK])
        table.may.holds("veil", "mask")
        table.david.holds("blue-filler")
        show_cards(table.may, "veil", "mask")
        table.deploys(table.may)
        table.may.plays(f"{played}@3")
        views.append((table.david.view.dump(), table.spectator.dump()))
    assert views[0] == views[1]


def test_a_covert_card_from_the_discard_pile_is_no_secret_and_blurs_no_hand() -> None:
    """A Conjurer takes it out of a public pile, so all viewers see the card."""
    table = Table(may=[VEIL, MASK, card("mage", 1, "conjurer")])
    table.may.holds("mage", "veil").discarded("mask", "veil")
    table.david.holds("blue-filler")
    show_cards(table.may, "veil")
    table.deploys(table.may)
    table.may.plays("mage@2", "mask@3")
    assert table.may.sees(table.david.view.at(0, table.place(3))) == ["mask"]
    assert table.may.sees(table.david.view.discard[0]) == ["veil"]
    assert hand(table.david.view, table.may) == ["veil"]


@rule("feint", 74)
def test_a_support_towers_bottoming_clears_the_opponents_known_top_cards() -> None:
    """A Saboteur had spared shield and wall. May puts one of three cards at the bottom. David cannot know which, so he
    knows none of the places, while May knows all three."""
    for choice in ("shield", "wall", "mole"):
        table = Table(may=[SUPPORT, SMITH, SHIELD, WALL, MOLE])
        table.may.holds("support", "red-filler").has("smith", at=4).stacked("shield", "wall", "mole")
        table.david.holds("blue-filler")
        for depth in (1, 2):
            table.state.deck[0][-depth] |= BOTH
        table.deploys(table.may)
        assert pile(table.david.view, table.may)[:3] == ["shield", "wall", "?"]
        table.may.plays("support@4")
        assert pile(table.david.view, table.may)[:3] == ["shield", "wall", "?"], "looking moves nothing"
        table.may.answers(choice)
        assert set(pile(table.david.view, table.may)) == {"?"}
        assert set(pile(table.spectator, table.may)) == {"?"}
        rest = [slug for slug in ("shield", "wall", "mole") if slug != choice]
        assert pile(table.may.view, table.may)[:3] == [*rest, "?"]
        assert pile(table.may.view, table.may)[-1] == choice


@rule("feint", 74)
def test_a_bottoming_leaves_the_known_cards_further_down_known() -> None:
    """Cards that a Medic put at the bottom are under the three. One more card comes below them."""
    table = Table(may=[SUPPORT, SMITH, SHIELD, MOLE])
    table.may.holds("support", "red-filler").has("smith", at=4).stacked("shield")
    table.david.holds("blue-filler")
    table.state.deck[0].insert(0, table.fetch(0, "mole") | BOTH)
    table.deploys(table.may)
    table.may.plays("support@4", "shield")
    assert pile(table.david.view, table.may)[-2:] == ["mole", "?"]


@rule("feint", 74)
def test_the_public_face_of_a_bottoming_is_one_for_all_cards() -> None:
    table = Table(may=[SUPPORT, SMITH, SHIELD, MOLE, KNIFE])
    table.may.holds("support", "red-filler").has("smith", at=4).stacked("shield", "mole", "mole")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("support@4")
    actions = [table.game.parse(text) for text in ("shield", "mole", "mole@2")]
    done = table.game.parse("done")
    for viewer in (1, SPECTATOR):
        faces = {table.game.public(table.state, 0, action, viewer) for action in actions}
        assert len(faces) == 1
        assert table.game.public(table.state, 0, done, viewer) == done
        assert done not in faces
    assert [table.game.public(table.state, 0, action, 0) for action in actions] == actions


# ---- spectators -------------------------------------------------------------------------------------


def test_a_spectator_knows_only_cards_that_both_know() -> None:
    """There is one card of each sort: known to May, known to David, and seen by both."""
    table = Table(may=[SHIELD, VEIL], david=[KNIFE])
    table.may.holds("shield", "red-filler").has("veil", at=4, down=True).has("red-filler", at=4).scouted(2)
    table.david.holds("knife").scouted(6)
    show_cards(table.may, "shield")
    table.deploys(table.may)
    view = table.spectator
    assert hand(view, table.may) == ["?", "shield"]
    assert hand(view, table.david) == ["?"]
    assert table.may.sees(view.at(0, table.place(4))) == ["?", "red-filler"]
    assert [c & KIND for c in (view.scout[0][0], view.scout[1][0])] == [KIND, KIND]
    assert view.decisions() == [], "and is asked nothing"
