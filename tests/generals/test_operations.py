"""The operations of the effect language, each tested with own cards: the meaning of every entry.

The tests of an operation are named after it, such as `test_draw_...`. Those of events, conditions, filters, costs and
kinds of abilities follow at the end. The cards are an owner's own, as loaded by `--option cards=FILE`.
"""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.core.basics.cards import KIND
from gonfalon.core.basics.errors import DataError
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.testing import rule
from tests.generals.scenario import Table, chance, pay, tag

SELF = {"ref": "self"}
HOST = {"ref": "host"}
FIVE = ("Militia", "Archers", "Feather Fan", "Red Hare", "Wooden Oxen")

Op = dict[str, Any]
Ability = dict[str, Any]
Raw = dict[str, Any]


def raw(id: str, name: str, type: str, abilities: list[Ability], more: dict[str, Any]) -> Raw:
    card = {"id": id, "name": name, "type": type, "faction": "NONE", "text": "For a test.", "abilities": abilities}
    return {**card, **({} if type == "commandment" else {"cost": 0}), **more}


def decree(*do: Op, **more: Any) -> Raw:
    """Return a Strategy called Decree."""
    return raw("X01", "Decree", "strategy", [{"kind": "play", "do": list(do)}], more)


def scheme(*do: Op, **more: Any) -> Raw:
    """Return Tactics called Scheme."""
    more = {"subtypes": ["tactics"], "requires": [["executor"]], **more}
    return raw("X02", "Scheme", "strategy", [{"kind": "tactic", "do": list(do)}], more)


def hero(*abilities: Ability, **more: Any) -> Raw:
    """Return a general called Ma Dai, of Might 4 and Wits 4."""
    return raw("X03", "Ma Dai", "character", list(abilities), {"might": 4, "wits": 4, **more})


def mace(*abilities: Ability, **more: Any) -> Raw:
    """Return an Armament called Iron Mace."""
    return raw("X04", "Iron Mace", "equipment", list(abilities), {"subtypes": ["armament"], **more})


def rain(to: str, *do: Op, **more: Any) -> Raw:
    """Return a Counter called Sudden Rain."""
    return raw("X05", "Sudden Rain", "counter", [{"kind": "response", "to": [to], "do": list(do)}], more)


def mandate(*abilities: Ability, **more: Any) -> Raw:
    """Return a Commandment called Mandate."""
    return raw("D90", "Mandate", "commandment", list(abilities), more)


def active(*do: Op, **more: Any) -> Ability:
    return {"kind": "active", "cost": {"hand": 0}, "do": list(do), **more}


def static(*do: Op, **more: Any) -> Ability:
    return {"kind": "static", "do": list(do), **more}


def trigger(when: dict[str, Any], *do: Op, **more: Any) -> Ability:
    return {"kind": "trigger", "when": when, "do": list(do), **more}


def draw(n: int | str = 1, who: str = "you", **more: Any) -> Op:
    return {"op": "draw", "n": n, "who": who, **more}


def deplete(n: int = 1, who: str = "enemy", by: str = "card") -> Op:
    return {"op": "deplete", "n": n, "who": who, "by": by}


def modify(stat: str, by: Any, target: dict[str, Any], until: str = "turn", **more: Any) -> Op:
    return {"op": "modify", "stat": stat, "by": by, "target": target, "until": until, **more}


def foes(count: int | str = "all", **more: Any) -> dict[str, Any]:
    return {"side": "enemy", "zone": "any", "count": count, **more}


def friends(count: int | str = "all", **more: Any) -> dict[str, Any]:
    return {"side": "friend", "zone": "any", "count": count, **more}


def table_of(*cards: Raw, mine: str = "D06", theirs: str = "D06", **more: Any) -> Table:
    """Return a table with these additional cards, none of which is in a RESOURCE."""
    table = Table(cards=list(cards), commandments=(mine, theirs), **more)
    standard = len(table.game.pool.cards) - len(cards)
    for seat, player in enumerate((table.may, table.david)):
        out, deck = table.state.out[seat], table.state.deck[seat]
        out += [card & KIND for card in deck]
        deck.clear()
        out.sort(key=lambda card: card & KIND < standard)
        player.resource(size=30)
    return table


def decreed(*do: Op, **more: Any) -> Table:
    """Return a table where May holds only a Decree and both sides have an army."""
    table = table_of(decree(*do, **more))
    table.may.has("Xu Chu", "Guan Yu", at="BORDER").has("Xun Yu").holds("Decree")
    table.david.has("Cao Ren", "Sima Yi", at="ENEMY_BORDER").has("Zhou Tai")
    return table


# ---- draw ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "mine", "theirs"), [("you", 2, 0), ("enemy", 0, 2)])
def test_draw_is_for_you_or_the_enemy(who: str, mine: int, theirs: int) -> None:
    table = decreed(draw(2, who))
    table.may.does("decree")
    assert (len(table.may.hand), len(table.david.hand)) == (mine, theirs)
    assert (table.may.resources, table.david.resources) == (30 - mine, 30 - theirs)


def test_draw_tells_the_card_to_who_drew_it() -> None:
    table = table_of(decree(draw(1)))
    table.may.holds("Decree").resource("Red Hare", size=3).does("decree")
    assert "You draw Red Hare." in table.may.reads()
    assert not any("Red Hare" in line for line in table.david.reads())


@rule("generals", 53)
@pytest.mark.parametrize("who", ["you", "enemy"])
def test_draw_from_an_empty_resource_loses(who: str) -> None:
    table = decreed(draw(2, who))
    player, other = (table.may, table.david) if who == "you" else (table.david, table.may)
    player.resource(size=1)
    table.may.does("decree")
    assert table.winner is other


@rule("generals", 53)
def test_draw_that_is_optional_may_be_stopped_at_any_card() -> None:
    table = decreed(draw(3, optional=True))
    table.may.does("decree", "yes", "no")
    assert (len(table.may.hand), table.may.asked) == (1, "main")
    empty = decreed(draw(3, optional=True))
    empty.may.resource(size=1).does("decree", "yes")
    assert (len(empty.may.hand), empty.may.asked, empty.over) == (1, "main", False)


def test_draw_takes_a_stored_number() -> None:
    table = decreed({"op": "discard", "n": 2, "who": "enemy", "choose": "random", "store": "k"}, draw("k"))
    table.david.holds("Plunder")
    table.may.does("decree")
    chance(table)
    assert (len(table.may.hand), table.david.hand) == (1, []), "one was there, one is drawn"


# ---- discard ---------------------------------------------------------------------------------------------------------


def discard(choose: str, who: str = "enemy", n: int = 2, **more: Any) -> Op:
    return {"op": "discard", "n": n, "who": who, "choose": choose, **more}


LOOK: Op = {"op": "reveal", "zone": "hand", "who": "enemy", "n": "all", "to": "you"}


def test_discard_chosen_by_the_owner() -> None:
    table = decreed(discard("owner"))
    table.david.holds("Plunder", "Archers", "Red Hare")
    table.may.does("decree")
    table.david.does("plunder", "archers")
    assert (table.david.hand, table.david.discards) == (["Red Hare"], ["Archers", "Plunder"])


def test_discard_by_chance() -> None:
    table = decreed(discard("random"))
    table.david.holds("Plunder", "Archers", "Red Hare")
    table.may.does("decree")
    chance(table)
    assert (len(table.david.hand), len(table.david.discards)) == (1, 2)


@rule("generals", 65)
def test_discard_by_chance_tells_its_owner_which_card_it_was() -> None:
    """The owner sees the card for two turns, because DISCARD is hidden from its owner too."""
    table = decreed(discard("random", n=1))
    table.david.holds("Red Hare", "Militia")
    table.may.does("decree")
    table.chance("red-hare")
    assert "You lose Red Hare." in table.david.reads()
    assert "David loses Red Hare." not in table.may.reads()
    table.may.ends()
    table.david.ends()
    table.may.ends()
    assert "You lose Red Hare." not in table.david.reads()


@rule("generals", 65)
def test_discard_chosen_by_the_other_player_shows_both_the_card() -> None:
    table = decreed(LOOK, discard("you", n=1))
    table.david.holds("Red Hare", "Militia")
    table.may.does("decree", "red-hare")
    assert "You lose Red Hare." in table.david.reads()
    assert "David loses Red Hare." in table.may.reads()
    watched = table.state.mask(SPECTATOR)
    assert not any("Red Hare" in table.game.words(event, watched, ["May", "David"]) for event in watched.log or [])


def test_discard_chosen_by_you_from_a_hand_you_have_seen() -> None:
    table = decreed(LOOK, discard("you", filter={"type": "equipment"}))
    table.david.holds("Plunder", "Archers", "Red Hare", "Militia")
    table.may.does("decree")
    assert set(table.may.choices) == {"archers", "red-hare", "militia"}
    table.may.does("red-hare", "archers")
    assert table.david.hand == ["Militia", "Plunder"]


def test_discard_upto_may_be_fewer() -> None:
    owner = decreed(discard("owner", "you", n=3, upto=True))
    owner.may.holds("Plunder", "Archers", "Red Hare")
    owner.may.does("decree", "archers", "done")
    assert owner.may.hand == ["Plunder", "Red Hare"]
    none = decreed(discard("owner", "you", n=3, upto=True))
    none.may.holds("Plunder", "Archers").does("decree", "done")
    assert none.may.hand == ["Archers", "Plunder"]


def test_discard_upto_may_be_fewer_when_you_choose() -> None:
    table = decreed(LOOK, discard("you", n=2, upto=True))
    table.david.holds("Plunder", "Archers", "Red Hare")
    table.may.does("decree", "archers", "done")
    assert table.david.hand == ["Plunder", "Red Hare"]


def test_discard_stores_how_many_really_went_of_those_you_could_choose() -> None:
    """Two Strategies are required, and one is available."""
    table = decreed(LOOK, discard("you", n=2, filter={"type": "strategy"}, store="k"), draw("k"))
    table.david.holds("Plunder", "Archers", "Red Hare")
    table.may.does("decree", "plunder")
    assert table.david.hand == ["Archers", "Red Hare"]
    assert (len(table.may.hand), table.may.resources) == (1, 29)


# ---- deplete ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "mine", "theirs"), [("you", 27, 30), ("enemy", 30, 27)])
def test_deplete_is_for_you_or_the_enemy(who: str, mine: int, theirs: int) -> None:
    table = decreed(deplete(3, who))
    table.may.does("decree")
    assert (table.may.resources, table.david.resources) == (mine, theirs)


def test_deplete_of_your_own_by_a_general_can_lose() -> None:
    table = table_of(hero(active(deplete(3, "you", "general"))))
    table.may.has("Ma Dai").resource(size=2)
    table.may.does("ma-dai#1", "active:1")
    assert table.winner is table.david


# ---- modify ----------------------------------------------------------------------------------------------------------


def test_modify_might_of_all_that_fit() -> None:
    table = decreed(modify("might", -2, foes(zone="ENEMY_BORDER|BORDER")))
    table.may.does("decree")
    assert [table.david.might(name) for name in ("Cao Ren", "Sima Yi", "Zhou Tai")] == [2, 1, 5]
    assert table.may.might("Xu Chu") == 5


@rule("generals", 45)
@pytest.mark.parametrize(("until", "then"), [("turn", 7), ("enemy_turn_end", 8)])
def test_modify_until_the_end_of_the_turn_or_of_the_enemys_next(until: str, then: int) -> None:
    table = decreed(modify("might", 1, friends(name="Guan Yu"), until))
    table.may.does("decree")
    assert table.may.might("Guan Yu") == 8
    table.may.ends()
    assert table.may.might("Guan Yu") == then
    table.david.ends()
    assert table.may.might("Guan Yu") == 7


@rule("generals", 45)
def test_modify_from_a_counter_lasts_through_the_enemys_next_turn() -> None:
    """Played on David's turn 4, it lasts through his next turn, turn 6."""
    calm = modify("might", -1, foes(name="Guan Yu"), "enemy_turn_end")
    table = table_of(rain("strategy", {"op": "negate"}, calm), ask=True)
    table.may.holds("Sudden Rain", *FIVE[:2])
    table.david.has("Guan Yu").holds("East Wind", *FIVE[:2])
    table.turn(table.david, 4)
    table.david.does("east-wind")
    table.may.does("sudden-rain")
    while table.david.asked == "answer":
        table.david.passes()
    found = []
    for player in (table.david, table.may, table.david):
        found.append(table.david.might("Guan Yu"))
        player.ends()
    assert found == [6, 6, 6]
    assert table.david.might("Guan Yu") == 7


def test_modify_set_overrides_additions() -> None:
    table = decreed(modify("might", {"set": 2}, friends()), modify("might", 3, friends()))
    table.may.does("decree")
    assert [table.may.might(name) for name in ("Xu Chu", "Guan Yu", "Xun Yu")] == [2, 2, 2]
    assert table.david.might("Cao Ren") == 4


@pytest.mark.parametrize("by", ["general", "equipment", "commandment"])
@pytest.mark.parametrize("owner", [0, 1])
def test_modify_set_of_a_card_in_play_counts_for_all_it_means(by: str, owner: int) -> None:
    """The enemy's generals have Might 2, even with a Militia, for either owner of the card. The owner's generals keep
    theirs."""
    ability = static(modify("might", {"set": 2}, {"side": "enemy"}, "while"))
    card = {"general": hero(ability), "equipment": mace(ability), "commandment": mandate(ability)}[by]
    ids = ["D06", "D06"]
    if by == "commandment":
        ids[owner] = "D90"
    table = table_of(card, mine=ids[0], theirs=ids[1])
    mine, theirs = (table.may, table.david) if owner == 0 else (table.david, table.may)
    mine.has("Xu Chu", gear=("Iron Mace",) if by == "equipment" else ())
    theirs.has("Guan Yu").has("Zhou Tai", gear=("Militia",))
    if by == "general":
        mine.has("Ma Dai")
    assert (theirs.might("Guan Yu"), theirs.might("Zhou Tai"), mine.might("Xu Chu")) == (2, 2, 5)


def test_modify_set_by_a_troop_is_for_its_bearer_where_he_stands() -> None:
    here = {"if": [["zone", HOST, "BORDER"]]}
    band = raw("X06", "Band", "equipment", [static(modify("might", {"set": 1}, HOST, "while"), **here)], {})
    table = table_of({**band, "subtypes": ["troop"]})
    table.may.has("Cao Cao").has("Xu Chu", at="BORDER", gear=("Band",)).has("Guan Yu", gear=("Band",))
    assert [table.may.might(name) for name in ("Xu Chu", "Guan Yu")] == [1, 7]
    table.may.does("guan-yu#1", "@border")
    assert [table.may.might(name) for name in ("Xu Chu", "Guan Yu")] == [1, 1]


def test_modify_by_the_count_of_generals() -> None:
    table = table_of(hero(static(modify("might", {"count": {"side": "enemy"}}, SELF, "while"))))
    table.may.has("Ma Dai")
    assert table.may.might("Ma Dai") == 4
    table.david.has("Xu Chu", "Cao Ren")
    assert table.may.might("Ma Dai") == 6


def test_modify_against_certain_opponents() -> None:
    """+3 against Wits of 6 or more: 7 against Sima Yi, 4 against Xu Chu."""
    card = hero(static(modify("might", 3, SELF, "while", context="melee_attacker", opponent=[["wits", ">=", 6]])))
    wise = table_of(card)
    wise.may.has("Ma Dai", at="BORDER")
    wise.david.has("Sima Yi", at="ENEMY_BORDER", gear=("Green Dragon Blade", "Militia"))
    wise.may.does("ma-dai#1", "sima-yi#2")
    assert wise.david.fallen == ["Sima Yi"], "7 against 3 + 2 + 1"
    strong = table_of(card)
    strong.may.has("Ma Dai", at="BORDER")
    strong.david.has("Xu Chu", at="ENEMY_BORDER")
    strong.may.does("ma-dai#1", "xu-chu#2")
    assert strong.may.fallen == ["Ma Dai"]


def test_modify_of_a_static_ability_reads_printed_numbers() -> None:
    """Generals of Might 4 or less get +1. A Militia does not exclude any of them."""
    table = table_of(hero(static(modify("might", 1, {"side": "friend", "where": [["might", "<=", 4]]}, "while"))))
    table.may.has("Ma Dai", "Xu Chu").has("Cao Ren", gear=("Militia",))
    assert [table.may.might(name) for name in ("Ma Dai", "Cao Ren", "Xu Chu")] == [5, 6, 5]


def test_modify_siege_and_its_nth() -> None:
    table = table_of(hero(static(modify("siege", 3, {"side": "friend"}, "while", nth=2))))
    table.may.has("Ma Dai").has("Xu Chu", "Cao Ren", at="ENEMY_BORDER").has("Xun Yu", at="ENEMY_BORDER")
    table.may.does("xu-chu#1", "siege")
    assert table.david.resources == 25
    table.may.does("cao-ren#1", "siege")
    assert table.david.resources == 25 - 4 - 3
    table.may.does("xun-yu#1", "siege")
    assert table.david.resources == 18 - 1


def test_modify_upkeep_of_generals_and_of_a_player() -> None:
    table = decreed(
        modify("upkeep", 2, friends(name="Guan Yu")),
        modify("upkeep_total", 3, {"ref": "enemy"}),
        modify("upkeep_total", -1, {"ref": "you"}),
    )
    before = (table.may.upkeep(), table.david.upkeep())
    assert before == (2, 3), "Xun Yu's relief"
    table.may.does("decree")
    assert (table.may.upkeep(), table.david.upkeep()) == (2 + 2 - 1, 6)
    table.may.ends()
    assert table.david.upkeep() == 3


def test_modify_tactic_targets() -> None:
    table = table_of(mace(static(modify("tactic_targets", 1, HOST, "while"))))
    table.may.has("Sima Yi", at="BORDER", gear=("Iron Mace",)).holds("Tactics - Ambush", "Militia")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-ambush", "sima-yi#1", "xu-chu#2", "cao-ren#2")
    assert sorted(table.david.fallen) == ["Cao Ren", "Xu Chu"]


def test_modify_recruit_cost_of_your_cards_by_faction_name_and_print() -> None:
    cheap = [
        static(modify("recruit_cost", -1, {"ref": "your_cards", "faction": ["WU", "SHU"]}, "while")),
        static(modify("recruit_cost", -1, {"ref": "your_cards", "name": "Lu Bu"}, "while")),
        static(modify("recruit_cost", 1, {"ref": "your_cards", "where": [["printed_might", ">=", 7]]}, "while")),
    ]
    table = table_of(mandate(*cheap), mine="D90")
    assert [table.may.cost(name) for name in ("Sun Ce", "Guan Yu", "Lu Bu", "Cao Cao", "Red Hare")] == [2, 4, 5, 4, 2]
    assert table.david.cost("Sun Ce") == 3


def test_modify_execution_cost_of_the_next_card() -> None:
    table = decreed(modify("execution_cost", -1, {"ref": "next_card", "type": ["equipment", "strategy"]}))
    table.may.holds("Reward the Army", "Archers", "Feather Fan")
    table.may.does("decree")
    assert [table.may.cost(name) for name in ("Archers", "Reward the Army", "Empty Fort", "Sun Ce")] == [0, 0, 2, 3]
    table.may.does("archers", "xu-chu#1")
    assert (table.may.hand, table.may.cost("Reward the Army")) == (["Feather Fan", "Reward the Army"], 1)


@pytest.mark.parametrize(
    ("stat", "ref"), [("recruit_cost", "your_cards"), ("plot", "next_card"), ("upkeep_total", "you")]
)
def test_modify_sets_only_numbers_of_generals(stat: str, ref: str) -> None:
    with pytest.raises(DataError, match="only a number of a general can be set"):
        decreed(modify(stat, {"set": 1}, {"ref": ref}))


# ---- move ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["FORTRESS", "BORDER", "ENEMY_BORDER"])
def test_move_puts_a_general_in_a_zone(to: str) -> None:
    table = table_of(decree({"op": "move", "target": friends(1), "to": to}))
    table.may.has("Xu Chu", "Cao Ren").holds("Decree")
    table.may.does("decree", "xu-chu#1")
    assert (table.may.place("Xu Chu"), table.may.place("Cao Ren")) == (to, "FORTRESS")
    assert table.may.may_do("xu-chu#1", "@border" if to != "BORDER" else "@fortress"), "it was not his move"


def test_move_sends_enemies_home() -> None:
    table = table_of(decree({"op": "move", "target": foes(zone="BORDER"), "to": "ENEMY_FORTRESS"}))
    table.may.holds("Decree")
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER").has("Xun Yu", at="BORDER")
    table.may.does("decree")
    assert [table.david.place(name) for name in ("Xu Chu", "Cao Ren", "Xun Yu")] == ["FORTRESS", "FORTRESS", "BORDER"]


def test_move_by_an_effect_sets_no_landing_off() -> None:
    table = table_of(decree({"op": "move", "target": friends(name="Sun Ce"), "to": "ENEMY_BORDER"}))
    table.may.has("Sun Ce").holds("Decree")
    table.may.does("decree")
    assert (table.may.place("Sun Ce"), table.david.resources) == ("ENEMY_BORDER", 30)


# ---- plot ------------------------------------------------------------------------------------------------------------


def plot(target: dict[str, Any], bonus: int = 0, success: Any = "casualty", by: Any = None) -> Op:
    return {"op": "plot", "by": by or {"ref": "executor"}, "target": target, "bonus": bonus, "success": success}


@rule("generals", 21)
@pytest.mark.parametrize(("bonus", "fallen"), [(0, []), (1, ["Xun Yu"]), (2, ["Sima Yi", "Xun Yu"]), (-6, [])])
def test_plot_with_a_bonus(bonus: int, fallen: list[str]) -> None:
    """Wits 6 meet 6 and 7, and Cao Ren's 3 elsewhere."""
    table = table_of(scheme(plot(foes(zone="same"), bonus)))
    table.may.has("Guo Jia", at="BORDER").holds("Scheme")
    table.david.has("Xun Yu", "Sima Yi", at="ENEMY_BORDER").has("Cao Ren")
    table.may.does("scheme", "guo-jia#1")
    assert sorted(table.david.fallen) == fallen


@pytest.mark.parametrize(("sage", "fallen"), [("Cao Ren", []), ("Sima Yi", ["Xun Yu"])])
def test_plot_by_one_of_the_targets_of_the_answered_act(sage: str, fallen: list[str]) -> None:
    """The executor's Wits are 6, Cao Ren's 3 and Sima Yi's 7."""
    back = plot({"ref": "executor"}, by={"ref": "choose:targeted"})
    table = table_of(rain("tactical_strike", {"op": "negate"}, back), ask=True)
    table.may.has("Cao Ren", "Sima Yi", "Zhuge Liang", at="BORDER").holds("Sudden Rain", "Militia")
    table.david.has("Xun Yu", at="ENEMY_BORDER").holds("Tactics - Water", *FIVE[:2])
    table.turn(table.david)
    table.david.does("tactics-water", "xun-yu#2", "sima-yi#1", "cao-ren#1")
    table.may.does("sudden-rain")
    assert set(table.may.choices) == {"cao-ren#1", "sima-yi#1"}
    table.may.does(tag(table.may, sage))
    while table.david.asked == "answer":
        table.david.passes()
    assert (table.david.fallen, table.may.fallen) == (fallen, [])


def test_plot_whose_success_makes_two_targets_fight() -> None:
    table = table_of(scheme(plot(foes(2, plot_only="lowest_wits", zone="one_of:any"), success="duel_targets")))
    table.may.has("Guo Jia").holds("Scheme")
    table.david.has("Xu Chu", "Zhuge Liang").has("Cao Ren", at="BORDER")
    table.may.does("scheme", "guo-jia#1")
    while table.may.asked == "target":
        table.may.does(table.may.choices[0])
    assert table.david.fallen == ["Zhuge Liang"], "5 against 1; his Wits of 8 were not plotted against"


def test_plot_whose_success_is_a_list_of_operations_on_those_hit() -> None:
    """Wits 6: Xu Chu (1) and Cao Ren (3) are hit, Xun Yu (6) is not."""
    curse = modify("might", -3, {"ref": "hit"})
    table = table_of(
        scheme(plot(foes(), success=[curse, {"op": "move", "target": {"ref": "hit"}, "to": "ENEMY_FORTRESS"}]))
    )
    table.may.has("Guo Jia").holds("Scheme")
    table.david.has("Xu Chu", "Cao Ren", "Xun Yu", at="ENEMY_BORDER")
    table.may.does("scheme", "guo-jia#1")
    assert [table.david.might(name) for name in ("Xu Chu", "Cao Ren", "Xun Yu")] == [2, 1, 1]
    assert [table.david.place(name) for name in ("Xu Chu", "Xun Yu")] == ["FORTRESS", "ENEMY_BORDER"]
    assert table.david.fallen == []


# ---- kill ------------------------------------------------------------------------------------------------------------


def test_kill_of_one_that_is_chosen() -> None:
    table = decreed({"op": "kill", "target": foes(1, where=[["wits", ">=", 7]])})
    table.may.does("decree")
    assert (table.david.fallen, table.david.field) == (["Sima Yi"], ["Cao Ren", "Zhou Tai"])


@rule("generals", 15)
def test_kill_of_all_counts_as_no_defeat() -> None:
    table = decreed({"op": "kill", "target": foes()})
    table.may.has("Cao Cao").does("decree")
    assert sorted(table.david.fallen) == ["Cao Ren", "Sima Yi", "Zhou Tai"]
    assert table.may.hand == []
    theirs = decreed({"op": "kill", "target": foes()})
    theirs.turn(theirs.david).david.has("Cao Cao").holds("Decree").does("decree")
    assert sorted(theirs.may.fallen) == ["Guan Yu", "Xu Chu", "Xun Yu"]
    assert (theirs.david.hand, theirs.state.felled) == ([], 0), "nor has Tactics felled them"


# ---- duel ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "fallen"),
    [("Guan Yu", "Cao Ren", "theirs"), ("Xun Yu", "Cao Ren", "mine"), ("Xu Chu", "Zhou Tai", "both")],
)
def test_duel_of_a_friend_and_an_enemy(mine: str, theirs: str, fallen: str) -> None:
    table = decreed({"op": "duel", "a": friends(1), "b": foes(1)})
    table.may.does("decree", tag(table.may, mine), tag(table.david, theirs))
    assert table.may.fallen == ([mine] if fallen in ("mine", "both") else [])
    assert table.david.fallen == ([theirs] if fallen in ("theirs", "both") else [])


@rule("generals", 15)
def test_duel_won_is_a_defeat_of_the_enemy() -> None:
    table = decreed({"op": "duel", "a": friends(1), "b": foes(1)})
    table.may.has("Cao Cao").does("decree", "guan-yu#1", "cao-ren#2")
    assert (len(table.may.hand), table.david.resources) == (1, 30), "Cao Cao draws; Guan Yu was no attacker"


def test_duel_of_a_general_with_himself_is_none() -> None:
    """The first of all friends is on both sides of the duel."""
    table = decreed({"op": "duel", "a": friends(), "b": friends()})
    table.may.does("decree")
    assert (table.may.fallen, len(table.may.field)) == ([], 3)


def test_duel_of_two_in_one_zone() -> None:
    one = {"side": "enemy", "zone": "any", "count": 1, "store": "x"}
    other = {"side": "enemy", "zone": "same_as:x", "count": 1, "other_than": "x"}
    table = decreed({"op": "duel", "a": one, "b": other})
    table.may.does("decree")
    assert set(table.may.choices) == {"cao-ren#2", "sima-yi#2"}, "Zhou Tai is alone"
    table.may.does("sima-yi#2")
    assert table.david.fallen == ["Sima Yi"]


# ---- negate ----------------------------------------------------------------------------------------------------------


def test_negate_knows_the_executor_and_the_attacked() -> None:
    strike = rain("tactical_strike", {"op": "negate"}, {"op": "kill", "target": {"ref": "executor"}})
    table = table_of(strike, ask=True)
    table.may.has("Xu Chu", at="BORDER").holds("Sudden Rain", "Plunder")
    table.david.has("Xun Yu", "Guo Jia", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia")
    table.turn(table.david)
    table.david.does("tactics-ambush", "guo-jia#2")
    table.may.does("sudden-rain")
    while table.david.asked == "answer":
        table.david.passes()
    assert (table.david.fallen, table.may.fallen) == (["Guo Jia"], [])
    melee = rain("melee", {"op": "negate"}, modify("might", 5, {"ref": "attacked"}))
    table = table_of(melee, ask=True)
    table.may.has("Xu Chu", "Cao Ren", at="BORDER").holds("Sudden Rain", "Plunder")
    table.david.has("Lu Bu", at="ENEMY_BORDER").holds("Militia")
    table.turn(table.david)
    table.david.does("lu-bu#2", "cao-ren#1")
    table.may.does("sudden-rain")
    while table.david.asked == "answer":
        table.david.passes()
    assert (table.may.might("Cao Ren"), table.may.might("Xu Chu")) == (9, 5)


# ---- search ----------------------------------------------------------------------------------------------------------


def search(n: int, show: bool, **filter: Any) -> Op:
    return {"op": "search", "zone": "RESOURCE", "filter": filter, "n": n, "to": "hand", "show": show}


@rule("generals", 66)
@pytest.mark.parametrize("show", [True, False])
def test_search_takes_cards_that_fit_shown_or_not(show: bool) -> None:
    table = table_of(decree(search(2, show, type="equipment", subtype="armament")))
    table.may.holds("Decree").resource("Red Hare", "Archers", "Plunder", "Feather Fan", "Wooden Oxen", size=5)
    table.may.does("decree")
    assert set(table.may.choices) == {"done", "red-hare", "feather-fan", "wooden-oxen"}
    table.may.does("red-hare", "feather-fan")
    chance(table)
    assert (table.may.hand, table.may.resources) == (["Feather Fan", "Red Hare"], 3)
    assert any("Red Hare" in line for line in table.david.reads()) is show


def test_search_for_other_cards_is_another_position() -> None:
    """Tables that differ in the cards that can be taken alone have different dumps."""
    dumps = set()
    for most in (1, 2):
        table = table_of(decree(search(1, True, where=[["printed_cost", "<=", most]])))
        table.may.holds("Decree").resource("Red Hare", "Archers", "Plunder", size=3)
        table.may.does("decree")
        dumps.add(str(table.state.dump()))
    assert len(dumps) == 2


def test_search_may_stop_and_needs_no_find() -> None:
    table = table_of(decree(search(2, True, name="Red Hare")))
    table.may.holds("Decree").resource("Red Hare", "Archers", size=2)
    table.may.does("decree", "done")
    chance(table)
    assert (table.may.hand, table.may.resources, table.may.asked) == ([], 2, "main")
    empty = table_of(decree(search(2, True, name="Red Hare")))
    empty.may.holds("Decree").resource(size=0).does("decree")
    assert (empty.may.asked, empty.over) == ("main", False)


# ---- reveal ----------------------------------------------------------------------------------------------------------


def test_reveal_of_your_own_hand_leaks_nothing() -> None:
    table = decreed({**LOOK, "who": "you"})
    table.may.holds("Plunder", "Red Hare").does("decree")
    assert not any("Plunder" in line for line in table.david.reads())


# ---- recover ---------------------------------------------------------------------------------------------------------

GONE: Op = {"op": "exile", "target": {"ref": "this"}}


@pytest.mark.parametrize(("lying", "back"), [(5, 3), (2, 2), (0, 0)])
def test_recover_puts_random_cards_under_resource(lying: int, back: int) -> None:
    table = table_of(decree({"op": "recover", "n": 3, "choose": "random"}, GONE))
    table.may.holds("Decree").discarded(*FIVE[:lying]).resource("Cao Cao", size=1)
    table.may.does("decree")
    chance(table)
    assert (table.may.resources, len(table.may.discards)) == (1 + back, lying - back)
    assert table.names(table.state.deck[0])[-1] == "Cao Cao", "they went under it"


@rule("generals", 65)
def test_recover_keeps_the_card_secret() -> None:
    table = table_of(decree({"op": "recover", "n": 1, "choose": "random"}, GONE))
    table.may.holds("Decree").discarded("Red Hare").does("decree")
    chance(table)
    assert table.may.discards == []
    for player in (table.may, table.david):
        assert not any("Red Hare" in line for line in player.reads())


# ---- bounce ----------------------------------------------------------------------------------------------------------


@rule("generals", 39)
def test_bounce_returns_generals_to_their_owners_hands() -> None:
    table = table_of(decree({"op": "bounce", "target": {"side": "enemy", "zone": "BORDER", "count": "all"}}))
    table.may.has("Xu Chu", at="BORDER").holds("Decree")
    table.david.has("Cao Ren", at="ENEMY_BORDER", gear=("Red Hare", "Militia")).has("Sima Yi", at="BORDER")
    table.may.does("decree")
    assert (table.david.hand, table.david.field) == (["Cao Ren"], ["Sima Yi"])
    assert (table.david.discards, table.may.field) == (["Militia", "Red Hare"], ["Xu Chu"])


# ---- exile -----------------------------------------------------------------------------------------------------------


def test_exile_of_the_card_itself() -> None:
    strategy = decreed(GONE)
    strategy.may.does("decree")
    assert (strategy.may.exiled, strategy.may.discards) == (["Decree"], [])
    landing = {"event": "moves", "subject": HOST}
    gear = table_of(mace(trigger(landing, GONE)))
    gear.may.has("Xu Chu", gear=("Iron Mace",)).does("xu-chu#1", "@border")
    assert (gear.may.exiled, gear.may.gear, gear.may.field) == (["Iron Mace"], [], ["Xu Chu"])
    general = table_of(hero(active(GONE)))
    general.may.has("Ma Dai").does("ma-dai#1", "active:1")
    assert (general.may.exiled, general.may.field) == (["Ma Dai"], [])


# ---- ready -----------------------------------------------------------------------------------------------------------


def test_ready_for_an_attack_only() -> None:
    table = decreed({"op": "ready", "target": friends(1), "for": "attack"})
    table.may.does("guan-yu#1", "cao-ren#2", "decree", "guan-yu#1")
    assert not table.may.may_do("guan-yu#1", "@fortress")
    table.may.does("guan-yu#1", "sima-yi#2")
    assert sorted(table.david.fallen) == ["Cao Ren", "Sima Yi"]
    assert not table.may.may_do("guan-yu#1")


# ---- prevent ---------------------------------------------------------------------------------------------------------


def prevent(what: str, target: dict[str, Any], until: str = "turn") -> Op:
    return {"op": "prevent", "what": what, "target": target, "until": until}


def test_prevent_moving_and_attacking() -> None:
    table = table_of(decree(prevent("move_or_attack", foes(1), "enemy_turn_end")))
    table.may.has("Xun Yu", at="BORDER").holds("Decree")
    table.david.has("Xu Chu", "Zhang Bao", at="ENEMY_BORDER").holds("Militia", "Archers", "Tactics - Ambush")
    table.may.does("decree", "zhang-bao#2").ends()
    assert not table.david.may_do("zhang-bao#2", "@border")
    assert not table.david.may_do("zhang-bao#2", "xun-yu#1")
    assert not table.david.may_do("tactics-ambush", "zhang-bao#2")
    assert table.david.may_do("zhang-bao#2", "active:1"), "an active effect is neither"
    assert table.david.may_do("xu-chu#2", "@border")


@pytest.mark.parametrize(
    ("what", "by_tactics", "by_active"), [("targeted_by_tactics", False, True), ("targeted_by_active", True, False)]
)
def test_prevent_being_targeted(what: str, by_tactics: bool, by_active: bool) -> None:
    table = table_of(hero(static(prevent(what, {"side": "friend", "other": True}, "while"))))
    table.may.has("Ma Dai").has("Xu Chu", at="BORDER")
    table.david.has("Zhang Bao", "Xun Yu", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia")
    table.turn(table.david)
    assert table.david.may_do("tactics-ambush", "xun-yu#2") is by_tactics
    assert table.david.may_do("zhang-bao#2", "active:1") is by_active
    assert table.david.may_do("zhang-bao#2", "xu-chu#1")


@pytest.mark.parametrize(
    ("card", "counter"),
    [("Reward the Army", "strategy"), ("Tactics - Ambush", "tactical_strike"), ("Archers", "equip")],
)
def test_prevent_counters_against_your_cards(card: str, counter: str) -> None:
    sort = {"type": ["strategy", "equipment"]}
    for covered in (True, False):
        cards = [rain(counter, {"op": "negate"})]
        if covered:
            cards.append(mandate(static(prevent("countered", {"ref": "your_cards", **sort}, "while"))))
        table = table_of(*cards, mine="D90" if covered else "D06", ask=True)
        table.may.has("Guo Jia", "Xun Yu", at="BORDER").holds(card, "Militia")
        table.david.has("Xu Chu", at="ENEMY_BORDER").holds("Sudden Rain", "Plunder")
        table.may.does(card.lower().replace(" - ", "-").replace(" ", "-"))
        while table.may.asked in ("executor", "bearer", "target", "pay"):
            table.may.does(table.may.choices[0])
        assert (table.david.asked == "answer") is not covered


def test_prevent_counters_against_a_counter() -> None:
    """David's Countermand cannot be answered by Iron Discipline."""
    sure = mandate(static(prevent("countered", {"ref": "your_cards", "type": "counter"}, "while")))
    table = table_of(sure, theirs="D90", ask=True)
    table.may.has("Xu Chu").holds("Reward the Army", "Iron Discipline", "Militia", "Archers")
    table.david.holds("Countermand", "Plunder", "Red Hare")
    table.may.does("reward-the-army", "militia")
    table.david.does("countermand")
    pay(table.david)
    assert table.may.asked == "main"
    assert table.may.might("Xu Chu") == 5


# ---- permit ----------------------------------------------------------------------------------------------------------


def permit(what: str, target: dict[str, Any], until: str = "turn") -> Op:
    return {"op": "permit", "what": what, "target": target, "until": until}


def test_permit_a_melee_after_a_move() -> None:
    table = table_of(decree(permit("melee_after_move", friends(1))))
    table.may.has("Xu Chu", "Guan Yu").holds("Decree")
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    table.may.does("decree", "xu-chu#1", "xu-chu#1", "@border", "guan-yu#1", "@border")
    assert table.may.may_do("xu-chu#1", "cao-ren#2")
    assert not table.may.may_do("guan-yu#1", "cao-ren#2")


def test_permit_ignoring_the_blocking_rule() -> None:
    table = table_of(hero(static(permit("ignore_block", {"side": "friend", "faction": "WEI"}, "while"))))
    table.may.has("Ma Dai", "Xu Chu", "Guan Yu")
    table.david.has("Cao Ren", at="ENEMY_BORDER")
    assert table.may.may_do("xu-chu#1", "@enemy-border")
    assert not table.may.may_do("guan-yu#1", "@enemy-border")


def test_permit_recruiting_to_the_border_for_a_turn() -> None:
    table = table_of(decree(permit("recruit_to_border", {"ref": "you"})))
    table.may.holds("Decree", "Zhou Cang", "Militia", "Zhang Bao", "Archers")
    table.may.does("decree", "zhou-cang", "@border", "militia")
    assert table.may.place("Zhou Cang") == "BORDER"
    table.may.ends()
    table.david.ends()
    table.may.does("zhang-bao")
    pay(table.may)
    assert table.may.place("Zhang Bao") == "FORTRESS"


# ---- substitute ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("optional", [True, False])
def test_substitute_falls_for_another(optional: bool) -> None:
    when = {"event": "to_casualty", "subject": {"side": "friend", "other": True, "name": "Xun Yu"}}
    card = hero({"kind": "replace", "when": when, "optional": optional, "do": [{"op": "substitute", "target": SELF}]})
    table = table_of(card)
    table.may.has("Ma Dai").has("Xun Yu", "Cao Ren", at="BORDER")
    table.david.has("Lu Bu", "Guan Yu", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("guan-yu#2", "cao-ren#1")
    assert table.may.fallen == ["Cao Ren"], "he stands in for Xun Yu alone"
    table.david.does("lu-bu#2", "xun-yu#1")
    assert (table.may.asked == "replace") is optional
    if optional:
        table.may.does("ma-dai#1")
    assert table.may.fallen == ["Cao Ren", "Ma Dai"]
    assert table.may.field == ["Xun Yu"]


def test_substitute_that_falls_triggers_his_own_fall_and_counts_as_defeated() -> None:
    """Only Ma Dai falls, replacing the losers of two fights. He is gone by the second."""
    when = {"event": "to_casualty", "subject": {"side": "friend", "zone": "same", "other": True}, "cause": "enemy"}
    stand = {"kind": "replace", "when": when, "do": [{"op": "substitute", "target": SELF}]}
    table = table_of(hero(stand, trigger({"event": "to_casualty", "subject": SELF}, draw(2))))
    table.may.has("Ma Dai", "Xun Yu", "Cao Ren", at="BORDER")
    table.david.has("Lu Bu", "Guan Yu", at="ENEMY_BORDER")
    table.turn(table.david)
    table.david.does("lu-bu#2", "xun-yu#1")
    assert (table.may.fallen, len(table.may.hand)) == (["Ma Dai"], 2)
    table.david.does("guan-yu#2", "xun-yu#1")
    assert table.may.fallen == ["Ma Dai", "Xun Yu"]
    assert table.may.field == ["Cao Ren"]


# ---- recruit ---------------------------------------------------------------------------------------------------------


def recruit(n: int, to: str, upto: bool = True, **filter: Any) -> Op:
    return {"op": "recruit", "zone": "hand", "filter": filter, "n": n, "upto": upto, "to": to, "cost": "free"}


@pytest.mark.parametrize("to", ["FORTRESS", "BORDER", "ENEMY_BORDER"])
def test_recruit_brings_matching_generals_for_free(to: str) -> None:
    table = table_of(decree(recruit(2, to, faction="SHU")))
    table.may.holds("Decree", "Guan Yu", "Zhang Fei", "Ma Chao", "Cao Cao", "Militia")
    table.may.does("decree")
    assert set(table.may.choices) == {"guan-yu", "zhang-fei", "ma-chao", "done"}
    table.may.does("guan-yu", "ma-chao")
    assert table.may.asked == "main"
    assert (table.may.place("Guan Yu"), table.may.place("Ma Chao")) == (to, to)
    assert table.may.hand == ["Cao Cao", "Militia", "Zhang Fei"]


def test_recruit_goes_on_to_its_number() -> None:
    """Three of four cards are recruited, and the first of all cards may be among them."""
    table = table_of(decree(recruit(3, "FORTRESS")))
    names = ["Ma Chao", "Cao Cao", "Zhang Fei", "Guan Yu"]
    assert 0 in [table.may.unit(name) for name in names]
    table.may.holds("Decree", *names).does("decree", "cao-cao", "ma-chao", "guan-yu")
    assert (table.may.asked, table.may.hand) == ("main", ["Zhang Fei"])


def test_recruit_that_must_be_done_leaves_no_choice() -> None:
    table = table_of(decree(recruit(1, "FORTRESS", upto=False, faction="SHU")))
    table.may.holds("Decree", "Guan Yu", "Cao Cao")
    table.may.does("decree")
    if table.may.asked == "recruit":
        assert table.may.choices == ["guan-yu"]
        table.may.does("guan-yu")
    assert table.may.field == ["Guan Yu"]


def test_recruit_fires_triggers() -> None:
    table = table_of(decree(recruit(1, "FORTRESS")), hero(trigger({"event": "recruited", "subject": SELF}, draw(2))))
    table.may.holds("Decree", "Ma Dai").does("decree", "ma-dai")
    assert (table.may.field, len(table.may.hand)) == (["Ma Dai"], 2)


# ---- mark ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("on", ["self", "this"])
def test_mark_on_a_general_is_counted(on: str) -> None:
    mark = {"op": "mark", "on": {"ref": on}, "n": 2}
    table = table_of(
        hero(active(mark), static(modify("might", 3, SELF, "while"), **{"if": [["marks", SELF, ">=", 2]]}))
    )
    table.may.has("Ma Dai")
    table.david.has("Ma Dai")
    assert table.may.might("Ma Dai") == 4
    table.may.does("ma-dai#1", "active:1")
    assert (table.may.might("Ma Dai"), table.david.might("Ma Dai")) == (7, 4)


def test_mark_on_equipment_and_on_its_bearer_are_two_things() -> None:
    for on, gone in (("this", True), ("host", False)):
        moved = {"event": "moves", "subject": HOST}
        bonus = static(modify("might", 1, HOST, "while"), **{"if": [["marks", {"ref": on}, "==", 1]]})
        table = table_of(mace(trigger(moved, {"op": "mark", "on": {"ref": on}, "n": 1}), bonus))
        table.may.has("Xu Chu", gear=("Iron Mace",)).does("xu-chu#1", "@border")
        assert table.may.might("Xu Chu") == 6
        table.state.unequip(table.may.unit("Xu Chu"), True)
        table.may.has("Cao Ren").holds("Iron Mace").does("iron-mace", "xu-chu#1")
        assert table.may.might("Xu Chu") == (5 if gone else 6)


# ---- choose ----------------------------------------------------------------------------------------------------------


def test_choose_names_a_general_for_later_operations() -> None:
    table = decreed(
        {"op": "choose", "target": foes(1), "store": "prey"},
        modify("might", -1, {"ref": "prey"}),
        {"op": "move", "target": {"ref": "prey"}, "to": "ENEMY_FORTRESS"},
    )
    table.may.does("decree", "cao-ren#2")
    assert (table.david.might("Cao Ren"), table.david.place("Cao Ren")) == (3, "FORTRESS")
    assert (table.david.might("Sima Yi"), table.david.place("Sima Yi")) == (3, "ENEMY_BORDER")


def test_choose_several_and_not_the_same_again() -> None:
    table = decreed(
        {"op": "choose", "target": friends(2), "store": "pair"},
        {"op": "choose", "target": friends(1, other_than="pair"), "store": "third"},
        modify("might", 1, {"ref": "pair"}),
        modify("might", 3, {"ref": "third"}),
    )
    table.may.does("decree", "xu-chu#1", "guan-yu#1")
    assert table.may.asked == "main", "Xun Yu alone is left"
    assert [table.may.might(name) for name in ("Xu Chu", "Guan Yu", "Xun Yu")] == [6, 8, 4]


def test_choose_without_a_target_makes_the_card_useless() -> None:
    table = decreed({"op": "choose", "target": foes(1, faction="QUN"), "store": "prey"}, draw(1))
    assert not table.may.may_do("decree")


# ---- if --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("enemies", "drawn", "burnt"), [((), 0, 2), (("Xu Chu",), 1, 0)])
def test_if_then_or_else(enemies: tuple[str, ...], drawn: int, burnt: int) -> None:
    there = [["count", {"side": "enemy"}, ">=", 1]]
    table = table_of(decree({"op": "if", "cond": there, "then": [draw(1)], "else": [deplete(2)]}))
    table.may.holds("Decree")
    table.david.has(*enemies)
    table.may.does("decree")
    assert (len(table.may.hand), table.david.resources) == (drawn, 30 - burnt)


def test_if_without_else_and_with_several_conditions() -> None:
    both = [["count", {"side": "enemy"}, ">=", 1], ["hand", "you", ">=", 1]]
    for held, drawn in (((), 0), (("Militia",), 2)):
        table = decreed({"op": "if", "cond": both, "then": [draw(2)]}, deplete(1))
        table.may.holds(*held).does("decree")
        assert (len(table.may.hand), table.david.resources) == (len(held) + drawn, 29)


# ---- delayed ---------------------------------------------------------------------------------------------------------


def delayed(until: str, when: dict[str, Any], *do: Op, **more: Any) -> Op:
    return {"op": "delayed", "until": until, "ability": trigger(when, *do, **more)}


def test_delayed_lasts_for_the_turn() -> None:
    table = decreed(delayed("turn", {"event": "moves", "subject": {"side": "friend"}}, draw(1)))
    table.may.holds(*FIVE[:2]).does("xu-chu#1", "@fortress", "decree")
    assert len(table.may.hand) == 2, "what was before does not count"
    table.may.does("guan-yu#1", "@fortress", "xun-yu#1", "@border")
    assert len(table.may.hand) == 4
    table.may.ends()
    table.david.holds(*FIVE[:2]).ends()
    before = len(table.may.hand)
    table.may.does("guan-yu#1", "@border")
    assert len(table.may.hand) == before


def test_delayed_until_the_end_of_the_enemys_turn_hears_him() -> None:
    table = decreed(delayed("enemy_turn_end", {"event": "moves", "subject": {"side": "enemy"}}, draw(1)))
    table.may.holds(*FIVE[:2]).does("decree").ends()
    before = len(table.may.hand)
    table.david.does("cao-ren#2", "@border", "sima-yi#2", "@border")
    assert len(table.may.hand) == before + 2


def test_delayed_limit_resets_each_turn() -> None:
    """The limit is once per turn: once on May's turn, once on David's."""
    moves = {"event": "moves", "subject": {"side": "friend"}}
    theirs = {"event": "moves", "subject": {"side": "enemy"}}
    table = decreed(
        delayed("enemy_turn_end", moves, deplete(1), limit="1/turn"),
        delayed("enemy_turn_end", theirs, deplete(1), limit="1/turn"),
        delayed("enemy_turn_end", {"event": "turn_start", "whose": "enemy"}, deplete(5)),
    )
    table.may.holds(*FIVE[:2]).does("decree", "xu-chu#1", "@fortress", "guan-yu#1", "@fortress")
    assert table.david.resources == 29
    table.may.ends()
    assert table.david.resources == 29 - 5 - 1, "and a card drawn"
    table.david.does("cao-ren#2", "@border", "sima-yi#2", "@border")
    assert table.david.resources == 22


@pytest.mark.parametrize("ref", ["prey", "executor", "hit"])
def test_delayed_knows_no_earlier_target(ref: str) -> None:
    later = delayed("turn", {"event": "moves", "subject": {"side": "friend"}}, modify("might", 1, {"ref": ref}))
    with pytest.raises(DataError, match=r"abilities 1 \(tactic\), do 2 \(delayed\)"):
        table_of(scheme({"op": "choose", "target": foes(1), "store": "prey"}, later))


# ---- win -------------------------------------------------------------------------------------------------------------


@rule("generals", 64)
@pytest.mark.parametrize("who", ["you", "enemy"])
def test_win_ends_the_game_at_once(who: str) -> None:
    table = decreed({"op": "win", "who": who, "reason": "so it is decreed"}, draw(1))
    table.may.does("decree")
    assert table.winner is (table.may if who == "you" else table.david)
    assert table.may.hand == []


# ---- events ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "attack", "defence"), [("attacker", 1, 0), ("defender", 0, 1), (None, 1, 1)])
def test_event_wins_melee_by_role(role: str | None, attack: int, defence: int) -> None:
    when = {"event": "wins_melee", "subject": SELF, **({"role": role} if role else {})}
    for attacks, drawn in ((True, attack), (False, defence)):
        table = table_of(hero(trigger(when, draw(1))))
        table.may.has("Ma Dai", "Xu Chu", at="BORDER")
        table.david.has("Lu Su", "Sima Yi", at="ENEMY_BORDER")
        if attacks:
            table.may.does("ma-dai#1", "lu-su#2", "xu-chu#1", "sima-yi#2")
        else:
            table.turn(table.david)
            table.david.does("lu-su#2", "ma-dai#1", "sima-yi#2", "xu-chu#1")
        assert len(table.may.hand) == drawn


@pytest.mark.parametrize(("cause", "melee", "plot", "own"), [("enemy", 1, 1, 0), ("melee", 1, 0, 0), (None, 1, 1, 1)])
def test_event_to_casualty_by_cause(cause: str | None, melee: int, plot: int, own: int) -> None:
    when = {"event": "to_casualty", "subject": SELF, **({"cause": cause} if cause else {})}
    card = hero(trigger(when, draw(1)))
    fought = table_of(card)
    fought.may.has("Ma Dai", at="BORDER")
    fought.david.has("Lu Bu", at="ENEMY_BORDER")
    fought.turn(fought.david)
    fought.david.does("lu-bu#2", "ma-dai#1")
    assert len(fought.may.hand) == melee
    fooled = table_of(card)
    fooled.may.has("Ma Dai", at="BORDER")
    fooled.david.has("Xun Yu", at="ENEMY_BORDER").holds("Tactics - Ambush", "Militia")
    fooled.turn(fooled.david)
    fooled.david.does("tactics-ambush", "xun-yu#2")
    assert len(fooled.may.hand) == plot
    killed = table_of(card, decree({"op": "kill", "target": friends(1)}))
    killed.may.has("Ma Dai").holds("Decree").does("decree")
    assert (killed.may.fallen, len(killed.may.hand)) == (["Ma Dai"], own)


@pytest.mark.parametrize(("least", "drawn"), [(1, 1), (4, 1), (5, 0)])
def test_event_siege_done_with_at_least_so_many_cards(least: int, drawn: int) -> None:
    table = table_of(hero(trigger({"event": "siege_done", "subject": SELF, "min_depleted": least}, draw(1))))
    table.may.has("Ma Dai", "Lu Bu", at="ENEMY_BORDER").does("ma-dai#1", "siege", "lu-bu#1", "siege")
    assert len(table.may.hand) == drawn


@pytest.mark.parametrize(("least", "drawn"), [(1, 1), (2, 1), (3, 0)])
def test_event_tactic_done_with_at_least_so_many_defeated(least: int, drawn: int) -> None:
    table = table_of(hero(trigger({"event": "tactic_done", "subject": SELF, "min_defeated": least}, draw(1)), wits=5))
    table.may.has("Ma Dai", at="BORDER").holds("Tactics - Fire", *FIVE[:3])
    table.david.has("Xu Chu", "Cao Ren", "Xun Yu", at="ENEMY_BORDER")
    table.may.does("tactics-fire", "ma-dai#1")
    assert len(table.david.fallen) == 2
    assert len(table.may.hand) == drawn


@pytest.mark.parametrize("to", ["FORTRESS", "BORDER", "ENEMY_BORDER"])
def test_event_moves_to_a_zone_of_the_owner(to: str) -> None:
    """May's cards see David's moves from May's side. His BORDER is her ENEMY'S BORDER."""
    table = table_of(
        hero(trigger({"event": "moves", "subject": {"side": "friend"}, "to": to}, deplete(1, by="general")))
    )
    table.may.has("Ma Dai").has("Xu Chu", at="ENEMY_BORDER").has("Cao Ren")
    table.may.does("xu-chu#1", "@fortress", "cao-ren#1", "@border", "ma-dai#1", "@enemy-border")
    assert table.david.resources == 29


@pytest.mark.parametrize(("event", "whose"), [(e, w) for e in ("turn_start", "end_phase") for w in ("you", "enemy")])
def test_event_of_a_turn_is_yours_or_the_enemys(event: str, whose: str) -> None:
    table = table_of(mandate(trigger({"event": event, "whose": whose}, deplete(7))), mine="D90", theirs="D05")
    table.may.holds("Militia", "Archers")
    for player in (table.may, table.david):
        before = table.david.resources
        if event == "turn_start":
            table.begins(player, 3 if player is table.may else 4)
            burnt = before - table.david.resources - (1 if player is table.david else 0)
        else:
            table.turn(player)
            player.ends()
            burnt = before - table.david.resources - (1 if player is table.may else 0)
        assert burnt == (7 if (player is table.may) == (whose == "you") else 0)


def test_event_defeats_counts_each_victim() -> None:
    table = table_of(hero(trigger({"event": "defeats", "subject": SELF}, draw(1)), wits=5))
    table.may.has("Ma Dai", at="BORDER").holds("Tactics - Water", *FIVE[:2])
    table.david.has("Xu Chu", "Cao Ren", at="ENEMY_BORDER")
    table.may.does("tactics-water", "ma-dai#1", "xu-chu#2", "cao-ren#2")
    while table.may.asked == "order":
        table.may.does(table.may.choices[0])
    assert len(table.may.hand) == 2


# ---- conditions ------------------------------------------------------------------------------------------------------


def under(cond: list[Any]) -> Raw:
    return hero(static(modify("might", 1, SELF, "while"), **{"if": [cond]}))


@pytest.mark.parametrize(
    ("sign", "holds"),
    [("==", [0, 1, 0]), ("!=", [1, 0, 1]), ("<", [1, 0, 0]), ("<=", [1, 1, 0]), (">", [0, 0, 1]), (">=", [0, 1, 1])],
)
def test_condition_count_by_each_comparison(sign: str, holds: list[int]) -> None:
    """0, 1 and 2 enemies compared with 1."""
    table = table_of(under(["count", {"side": "enemy"}, sign, 1]))
    table.may.has("Ma Dai")
    found = [table.may.might("Ma Dai") - 4]
    for name in ("Xu Chu", "Cao Ren"):
        table.david.has(name)
        found.append(table.may.might("Ma Dai") - 4)
    assert found == holds


def test_condition_zone_of_one_or_several() -> None:
    table = table_of(under(["zone", SELF, "BORDER|ENEMY_BORDER"]))
    for place, might in (("FORTRESS", 4), ("BORDER", 5), ("ENEMY_BORDER", 5)):
        table = table_of(under(["zone", SELF, "BORDER|ENEMY_BORDER"]))
        table.may.has("Ma Dai", at=place)
        table.david.has("Ma Dai", at=place)
        assert (table.may.might("Ma Dai"), table.david.might("Ma Dai")) == (might, might), "each from his own side"


def test_condition_name_of_a_bearer() -> None:
    table = table_of(mace(static(modify("might", 1, HOST, "while"), **{"if": [["name", HOST, "Xu Chu"]]})))
    table.may.has("Xu Chu", gear=("Iron Mace",))
    table.david.has("Cao Ren", gear=("Iron Mace",))
    assert (table.may.might("Xu Chu"), table.david.might("Cao Ren")) == (6, 4)


@pytest.mark.parametrize(("who", "mine", "theirs"), [("you", 5, 4), ("enemy", 4, 5)])
def test_condition_hand_of_a_player(who: str, mine: int, theirs: int) -> None:
    table = table_of(under(["hand", who, "<=", 1]))
    table.may.has("Ma Dai").holds("Plunder")
    table.david.has("Ma Dai").holds("Plunder", "Red Hare")
    assert (table.may.might("Ma Dai"), table.david.might("Ma Dai")) == (mine, theirs)


def test_condition_all_named_in_a_zone() -> None:
    table = table_of(under(["all_named_in", ["Xu Chu", "Cao Ren"], "BORDER"]))
    table.may.has("Ma Dai").has("Xu Chu", at="BORDER")
    table.david.has("Cao Ren", at="BORDER")
    assert table.may.might("Ma Dai") == 4
    table.may.has("Cao Ren")
    assert table.may.might("Ma Dai") == 4
    table.may.does("cao-ren#1", "@border")
    assert table.may.might("Ma Dai") == 5


@rule("generals", 10)
def test_condition_not_recruited_this_turn() -> None:
    table = table_of(under(["not_recruited_this_turn", SELF]))
    table.may.has("Ma Dai", new=True)
    table.david.has("Ma Dai")
    assert (table.may.might("Ma Dai"), table.david.might("Ma Dai")) == (4, 5)


def test_condition_required_to_play_a_card() -> None:
    table = decreed(draw(1), requires=[["hand", "enemy", ">=", 2]])
    assert not table.may.may_do("decree")
    table.david.holds("Plunder", "Red Hare")
    assert table.may.may_do("decree")


# ---- filters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filter", "found"),
    [
        ({"side": "enemy"}, {"Cao Ren", "Sima Yi", "Zhou Tai"}),
        ({"side": "enemy", "zone": "ENEMY_FORTRESS"}, {"Zhou Tai"}),
        ({"side": "friend", "zone": "FORTRESS|ENEMY_BORDER"}, {"Xun Yu"}),
        ({"side": "friend", "faction": "WEI"}, {"Xu Chu", "Xun Yu"}),
        ({"side": "enemy", "faction": ["WU", "SHU"]}, {"Zhou Tai"}),
        ({"side": "friend", "name": ["Xu Chu", "Guan Yu", "Cao Ren"]}, {"Xu Chu", "Guan Yu"}),
        ({"side": "enemy", "where": [["might", ">=", 4], ["wits", "<", 3]]}, {"Zhou Tai"}),
        ({"side": "enemy", "where": [["printed_wits", "==", 7]]}, {"Sima Yi"}),
        ({"side": "friend", "where": [["printed_cost", "!=", 2]]}, {"Guan Yu"}),
        ({"side": "enemy", "where": [["foes_in_zone", "==", 0]]}, {"Zhou Tai"}),
    ],
)
def test_filter_says_which_generals(filter: dict[str, Any], found: set[str]) -> None:
    """May has Xu Chu and Guan Yu at her BORDER and Xun Yu at home. David has Cao Ren and Sima Yi there and Zhou Tai at
    home."""
    table = decreed({"op": "exile", "target": {**filter, "count": "all"}})
    table.may.does("decree")
    assert set(table.may.exiled) | set(table.david.exiled) - {"Decree"} == found


def test_filter_on_might_reads_the_current_and_on_print_the_printed_number() -> None:
    for field, found in (("might", ["Cao Ren"]), ("printed_might", [])):
        table = table_of(decree({"op": "kill", "target": foes(where=[[field, ">=", 6]])}))
        table.may.holds("Decree")
        table.david.has("Cao Ren", gear=("Green Dragon Blade",)).has("Xu Chu")
        table.may.does("decree")
        assert table.david.fallen == found


def test_filter_on_generals_that_moved() -> None:
    table = decreed({"op": "kill", "target": friends(where=[["moved_this_turn", "==", True]])})
    table.may.does("xun-yu#1", "@border", "guan-yu#1", "cao-ren#2", "decree")
    assert table.may.fallen == ["Xun Yu"]
    still = decreed({"op": "exile", "target": friends(where=[["moved_this_turn", "==", False]])})
    still.may.does("xun-yu#1", "@border", "decree")
    assert still.may.field == ["Xun Yu"]


@pytest.mark.parametrize(("zone", "found"), [("same", 1), ("same_or_adjacent", 3), ("any", 4), ("CASUALTY", 2)])
def test_filter_zones_around_a_general(zone: str, found: int) -> None:
    """Ma Dai is at May's BORDER with one enemy. Two more are in the adjacent zones, one is two zones away, two have
    fallen."""
    table = table_of(hero(static(modify("might", {"count": {"side": "enemy", "zone": zone}}, SELF, "while"))))
    table.may.has("Ma Dai", at="BORDER")
    table.david.has("Xu Chu", at="ENEMY_BORDER").has("Cao Ren", "Sima Yi", at="BORDER").has("Zhou Tai")
    table.david.lost("Lu Bu", "Guan Yu")
    assert table.may.might("Ma Dai") == 4 + found


def test_filter_upto_takes_one_at_least() -> None:
    table = decreed({"op": "kill", "target": foes(2, upto=True)})
    table.may.does("decree")
    assert "done" not in table.may.choices
    table.may.does("cao-ren#2", "done")
    assert table.david.fallen == ["Cao Ren"]


# ---- costs -----------------------------------------------------------------------------------------------------------


@rule("generals", 28)
def test_cost_of_a_card_in_cards_resource_and_generals() -> None:
    table = table_of(decree(draw(1, "enemy"), cost={"hand": 1, "resource": 2, "sacrifice": 1}))
    table.may.has("Xu Chu", "Cao Ren").holds("Decree", "Militia", "Archers")
    table.may.does("decree", "militia", "xu-chu#1")
    assert (table.may.hand, table.may.resources, table.may.fallen) == (["Archers"], 28, ["Xu Chu"])
    assert len(table.david.hand) == 1


@pytest.mark.parametrize("lacks", ["hand", "resource", "sacrifice"])
def test_cost_must_be_paid_in_full(lacks: str) -> None:
    table = table_of(decree(draw(1, "enemy"), cost={"hand": 1, "resource": 2, "sacrifice": 1}))
    table.may.holds("Decree", *([] if lacks == "hand" else ["Militia"]))
    table.may.has(*([] if lacks == "sacrifice" else ["Xu Chu"]))
    table.may.resource(size=1 if lacks == "resource" else 2)
    assert not table.may.may_do("decree")


@pytest.mark.parametrize("cost", [{"hand": 1}, {"resource": 2}, {"sacrifice": 1}])
def test_cost_of_an_active_effect(cost: dict[str, int]) -> None:
    table = table_of(hero(active(modify("might", 1, SELF), cost=cost)))
    table.may.has("Ma Dai").resource(size=1)
    assert not table.may.may_do("ma-dai#1", "active:1"), "and he cannot pay with himself"
    table.may.has("Xu Chu").holds("Militia").resource(size=2)
    table.may.does("ma-dai#1", "active:1")
    assert table.may.might("Ma Dai") == 5
    left = (len(table.may.hand), table.may.resources, table.may.fallen)
    assert left == (1 - cost.get("hand", 0), 2 - cost.get("resource", 0), ["Xu Chu"] * cost.get("sacrifice", 0))


# ---- what is an attack -----------------------------------------------------------------------------------------------


@rule("generals", 9)
@pytest.mark.parametrize("counts", [True, False])
def test_active_effect_that_counts_as_the_attack(counts: bool) -> None:
    more = {"counts_as": "attack"} if counts else {}
    table = table_of(hero(active(draw(1), **more)))
    table.may.has("Ma Dai", at="BORDER")
    table.david.has("Xun Yu", at="ENEMY_BORDER")
    table.may.does("ma-dai#1", "active:1")
    assert table.may.may_do("ma-dai#1", "xun-yu#2") is not counts


def test_trigger_limit_is_per_turn_and_copy() -> None:
    landed = {"event": "recruited", "subject": {"side": "friend", "other": True}}
    table = table_of(hero(trigger(landed, deplete(1, by="general"), limit="2/turn")))
    table.may.has("Ma Dai").holds("Zhou Cang", "Zhang Bao", "Zhang Liang", "Militia", "Archers", "Red Hare")
    table.may.does("zhang-liang", "militia", "zhang-bao")
    pay(table.may)
    table.may.does("zhou-cang")
    pay(table.may)
    assert len(table.may.field) == 4
    assert table.david.resources == 28
