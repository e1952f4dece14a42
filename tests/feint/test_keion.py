"""Guards of Keion: the effects of their cards, their limits, and the cards they do not affect."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.text.citations import cite_rule
from gonfalon.games.feint.rules import events
from gonfalon.testing import rule
from tests.feint.scenario import Table, card, faces


def fight_round(table: Table) -> list[int]:
    """Let both pass, and return the Battle Locations of the round that ends."""
    table.both_pass()
    battles: list[int] = table.resolution["battles"]
    return battles


def totals(table: Table) -> list[int]:
    """Return May's and David's Strategy Ratings of the last round."""
    return [side["total"] for side in table.resolution["sums"]]


def tokens(table: Table, seat: int, number: int) -> list[int]:
    """Return the Stay tokens on a seat's cards at a Location, as a spectator sees them."""
    place = next(p for p in table.game.board(table.spectator)["places"] if p["number"] == number)
    return [c["stay"] for c in faces(place["sides"][seat]["cards"])]


# ---- Guardian Angel ---------------------------------------------------------------------------------

ANGEL = card("angel", 3, "guardian-angel", morale=2)


def angels() -> Table:
    """Return a table where May holds an angel and an ox, and David a hen. The battles are at 3 and 4."""
    table = Table(may=[ANGEL, card("ox", 6)], david=[card("hen", 2, copies=9)])
    table.may.holds("angel", "ox").scouted(3)
    table.david.holds("hen").scouted(4)
    return table.deploys(table.may)


@rule("feint", 52)
def test_a_guardian_angel_stays_one_round_more_and_no_longer() -> None:
    table = angels()
    table.may.plays("angel@5")
    assert tokens(table, 0, 5) == [1]
    table.both_pass()
    assert table.state.round == 2
    assert table.may.at(5) == ["angel"], "the token is removed instead of the card"
    assert tokens(table, 0, 5) == [0], "and no new one is placed"
    assert "angel" not in table.may.discard

    table.may.does("done")
    table.david.does("done").passes()
    table.may.passes()
    assert table.state.round == 3
    assert table.may.at(5) == []
    assert table.may.discard.count("angel") == 1


@rule("feint", 22, 52)
@pytest.mark.parametrize("how", ["gathered", "scrambled", "scrambled first"])
def test_a_token_goes_with_the_card_that_is_moved(how: str) -> None:
    """A Gangan gathers the angel, or a Scrambler moves it after or before it gets its token. It stays at its new
    Location for the next round, but not for a third."""
    table = Table(
        may=[{**ANGEL, "tags": ["gang"]}, card("gangan", 1, "gangan", tags=("gang",))],
        david=[card("scram", 1, "scrambler")],
        scrambler="played",
    )
    table.may.holds("angel", "gangan", "red-filler")
    table.david.holds("blue-filler")
    if how == "gathered":
        table.deploys(table.may)
        table.may.plays("angel@5")
        table.david.passes()
        table.may.plays("gangan@3")
    else:
        table.david.has("scram", at=5)
        table.deploys(table.may)
        table.may.plays("angel@5", "own-first" if how == "scrambled" else "scrambler-first")
        table.david.answers("@3")
    assert sum(tokens(table, 0, 3)) == 1
    table.both_pass()
    assert table.state.round == 2
    assert table.may.at(3) == ["angel"]
    assert tokens(table, 0, 3) == [0]
    table.may.does("done")
    table.david.does("done")
    table.both_pass()
    assert table.may.at(3) == []


@rule("feint", 52)
def test_tokens_do_not_run_out() -> None:
    """The box holds ten tokens, but an eleventh angel still gets one."""
    table = Table(may=[card("angel", 0, "guardian-angel", copies=11)])
    for number in (2, 3, 4, 5, 6):
        table.may.has("angel", "angel", at=number, stay=True)
    table.may.holds("angel")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("angel@4")
    assert tokens(table, 0, 4) == [1, 1, 1]


@rule("feint", 48, 83)
def test_a_card_with_several_stay_tokens_loses_one_in_each_cleanup() -> None:
    """With three tokens a card from round 1 is there in rounds 2, 3 and 4, takes room and counts 3 x 5 in each."""
    table = Table(may=[card("archangel", 3, "guardian-angel", morale=2, tokens=3)], david=[card("hen", 2, copies=9)])
    table.may.holds("archangel", "red-filler").scouted(5)
    table.david.holds("hen").scouted(5)
    table.deploys(table.may)
    table.may.plays("archangel@5")
    for round in (1, 2, 3, 4):
        assert table.state.round == round
        assert tokens(table, 0, 5) == [4 - round]
        assert table.load(5) == 3
        table.may.scouted(5 if round < 3 else 2)
        table.david.scouted(2 if round < 3 else 5)
        table.both_pass()
        assert totals(table) == [15, 0]
        if round < 4:
            table.may.does("done")
            table.david.does("done")
    assert table.may.at(5) == []
    assert table.may.discard.count("archangel") == 1


# ---- Explorer ---------------------------------------------------------------------------------------

EXPLORER = card("scout", 2, "explorer")


def explored() -> Table:
    table = Table(may=[EXPLORER], david=[card("hen", 2)])
    table.may.holds("scout", "scout", "red-filler").scouted(3).next_location(6)
    table.david.holds("hen", "hen").scouted(4).next_location(5)
    table.deploys(table.may)
    table.may.plays("scout@2")
    return table


@rule("feint", 53)
def test_an_explorer_shows_the_next_location_card_to_its_owner_alone() -> None:
    table = explored()
    nexts = [
        [seat["next_location"] for seat in table.game.board(view)["seats"]]
        for view in (table.may.view, table.david.view, table.spectator)
    ]
    assert nexts == [[6, None], [None, None], [None, None]]
    assert "You look at your next Location Card: 6." in table.may.log()
    assert "May looks at their next Location Card." in table.david.log()


@rule("feint", 53)
def test_the_card_an_explorer_saw_stays_on_top_and_is_drawn_next() -> None:
    table = explored()
    assert len(table.state.pile[0]) == 9, "ten Location Cards less the one of this round"
    assert table.asked() == (1, "deploy"), "looking is no choice"
    table.both_pass()
    table.may.does("done")
    assert table.game.board(table.may.view)["seats"][0]["next_location"] == 6, "still known between the rounds"
    table.david.does("done")
    board = table.game.board(table.may.view)["seats"][0]
    assert board["location"]["number"] == 6
    assert board["next_location"] is None


# ---- Dragoon ----------------------------------------------------------------------------------------

DRAGOON = card("old-dragoon", 3, "dragoon")


@rule("feint", 44)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_a_dragoon_anywhere_makes_location_2_a_battle(number: int) -> None:
    table = Table(may=[DRAGOON])
    table.may.holds("red-filler").scouted(4).has("old-dragoon", at=number)
    table.david.holds("blue-filler").scouted(6)
    table.deploys(table.may)
    assert fight_round(table) == [2, 4, 6]


@rule("feint", 44)
@pytest.mark.parametrize(("locations", "battles"), [([2, 4, 6], [2, 4, 6]), ([3, 4, 6], [4, 6])])
def test_a_dragoon_adds_location_2_where_the_box_has_it(locations: list[int], battles: list[int]) -> None:
    """The board reports whether it adds a Battle Location."""
    table = Table(may=[DRAGOON], numbers={"locations": locations})
    table.may.holds("red-filler").scouted(4).has("old-dragoon", at=4)
    table.david.holds("blue-filler").scouted(6)
    table.deploys(table.may)
    assert fight_round(table) == battles
    assert [event[4] for event in table.happened(events.ADDED)] == ([0] if 2 in locations else [])


# ---- Knight -----------------------------------------------------------------------------------------


def knights() -> list[dict[str, Any]]:
    """Five different cards of Strength 4."""
    return [card(f"old-knight-{n}", 4, "knight", copies=1, location=n, protected=True) for n in (2, 3, 4, 5, 6)]


@rule("feint", 54)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_a_knight_goes_to_its_own_location_only(number: int) -> None:
    table = Table(may=knights())
    table.may.holds(f"old-knight-{number}")
    table.david.holds("blue-filler")
    table.deploys(table.may)
    assert table.may.legal() == ["pass", f"old-knight-{number}@{number}"]
    for other in {2, 3, 4, 5, 6} - {number}:
        assert f"only be played at Location {number} (ruling 54)" in cite_rule(
            table.may.why_not(f"old-knight-{number}@{other}")
        )
    table.may.plays(f"old-knight-{number}@{number}")
    assert table.may.at(number) == [f"old-knight-{number}"]


@rule("feint", 31, 54)
def test_nothing_of_another_card_touches_a_knight() -> None:
    """Bomb Tower, Trojan Bit and the Gangan of a full gang do not affect it. The knight's own text still does."""
    table = Table(
        may=[*knights(), card("trojan", 1, "trojan"), card("gangan", 1, "gangan", tags=("gang",)), card("ox", 1)],
        david=[card("bomb", 1, "bomb-tower", tags=("tower",)), card("smith", 1, tags=("engineer",))],
        gang="faction",
    )
    table.may.has("old-knight-5", "ox", at=5).holds("trojan", "gangan", "red-filler")
    table.david.has("smith", at=5).holds("bomb", "blue-filler")
    table.deploys(table.david)
    table.david.plays("bomb@5")
    assert table.may.at(5) == ["old-knight-5"], "the ox is the only target"
    table.may.plays("trojan@3")
    assert table.asked() == (1, "deploy"), "there was nothing to take back"
    table.david.passes()
    table.may.plays("gangan@2")
    assert table.may.at(2) == ["trojan", "gangan"] or table.may.at(2) == ["gangan", "trojan"]
    assert table.may.at(5) == ["old-knight-5"]


@rule("feint", 54, 59)
def test_a_conjured_knight_still_goes_to_its_own_location_only() -> None:
    table = Table(may=[*knights(), card("mage", 1, "conjurer")])
    table.david.holds("blue-filler")
    table.may.holds("mage").discarded("old-knight-6", "old-knight-3")
    table.deploys(table.may)
    table.may.plays("mage@2")
    assert table.may.legal() == ["old-knight-3@3", "old-knight-6@6"]


# ---- Punisher ---------------------------------------------------------------------------------------

PUNISHER = card("old-punisher", 2, "punisher")


def punished(*at: int) -> Table:
    """Return a table with May's Punishers at these Locations. The Location Cards are 4 and 6."""
    table = Table(may=[PUNISHER, card("ox", 5)], david=[DRAGOON, card("hen", 1)])
    table.may.holds("red-filler").scouted(4)
    table.david.holds("blue-filler").scouted(6)
    for number in at:
        table.may.has("old-punisher", at=number)
    return table.deploys(table.may)


@rule("feint", 43)
def test_a_punisher_overrides_the_location_cards_at_its_own_location_only() -> None:
    assert fight_round(punished(4)) == [6]
    assert fight_round(punished(6)) == [4]
    assert fight_round(punished(3)) == [4, 6], "Location 3 was none anyway"


# ---- Patriot ----------------------------------------------------------------------------------------

PATRIOT = card("old-patriot", 6, "patriot")


@rule("feint", 55)
def test_a_patriot_lays_the_location_card_open_to_the_end_of_the_round() -> None:
    table = Table(may=[PATRIOT])
    table.may.holds("old-patriot", "red-filler").scouted(5)
    table.david.holds("blue-filler", "blue-filler").scouted(3)
    table.deploys(table.may)

    def shown(view: Any) -> list[int | None]:
        return [seat["location"]["number"] for seat in table.game.board(view)["seats"]]

    assert shown(table.david.view) == [None, 3]
    table.may.plays("old-patriot@2")
    for _ in range(2):
        assert shown(table.david.view) == [5, 3]
        assert shown(table.may.view) == [5, None], "David's card is no business of the Patriot's"
        assert shown(table.spectator) == [5, None]
        if table.asked()[0] == 1:
            table.david.plays("blue-filler@3")
    table.both_pass()
    table.may.does("done")
    table.david.does("done")
    assert table.state.round == 2
    assert shown(table.david.view)[0] is None, "the next card is secret again"


@rule("feint", 55)
def test_a_patriot_shows_nothing_but_this_rounds_card() -> None:
    """Hand, draw pile and the top of the Location Draw Pile stay hidden."""
    table = Table(may=[PATRIOT])
    table.may.holds("old-patriot", "red-filler").scouted(5).next_location(6)
    table.david.holds("blue-filler")
    table.deploys(table.may)
    table.may.plays("old-patriot@2")
    view = table.david.view
    assert table.david.sees(view.hand[0]) == ["?"]
    assert set(table.david.sees(view.deck[0])) == {"?"}
    assert table.game.board(view)["seats"][0]["next_location"] is None


# ---- cards without an ability -----------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_a_plain_card_goes_anywhere_and_does_nothing_else(number: int) -> None:
    table = Table(may=[card("spearman", 3)], david=[card("hen", 2)])
    table.may.holds("spearman", "red-filler").discarded("red-filler").scouted(3)
    table.david.holds("hen").has("hen", at=number).discarded("hen")
    table.deploys(table.may)
    decks = (table.may.deck, table.david.deck)
    table.may.plays(f"spearman@{number}")
    assert table.may.at(number) == ["spearman"]
    assert table.may.hand == ["red-filler"]
    assert table.load(number) == 5
    assert table.asked() == (1, "deploy")
    assert (table.may.deck, table.david.deck) == decks
    assert (table.may.discard, table.david.discard) == (["red-filler"], ["hen"])
    assert table.david.at(number) == ["hen"]
    assert (table.may.morale, table.david.morale) == (23, 23)
    assert table.may.log() == [f"You play Spearman to {number}."]
