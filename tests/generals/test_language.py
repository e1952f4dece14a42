"""The effect language: the valid abilities and the errors for invalid ones."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from docs import language_page
from gonfalon.core.basics.errors import DataError
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.checker import check_card
from gonfalon.testing import rule

POOL = files.load()
PAGE = language_page.format_page()
SELF = {"ref": "self"}
FOE = {"side": "enemy", "zone": "any", "count": 1}
DRAW = {"op": "draw", "n": 1, "who": "you"}
TYPES: dict[str, dict[str, Any]] = {
    "character": {"type": "character", "cost": 2, "might": 4, "wits": 3},
    "strategy": {"type": "strategy", "cost": 1},
    "tactics": {"type": "strategy", "cost": 1, "subtypes": ["tactics"], "requires": [["executor"]]},
    "armament": {"type": "equipment", "cost": 1, "subtypes": ["armament"]},
    "troop": {"type": "equipment", "cost": 1, "subtypes": ["troop"]},
    "counter": {"type": "counter", "cost": 1},
    "commandment": {"type": "commandment"},
}


def faults(of: str, *abilities: Any, **more: Any) -> list[str]:
    """Return the errors of a card of this type, each as `place: error`, or an empty list for a playable card."""
    card = {"id": "X01", "name": "A New Card", "faction": "NONE", "text": "", **TYPES[of], **more}
    try:
        files.load({"form": 1, "card": [{**card, "abilities": list(abilities)}]})
    except DataError as error:
        said = str(error)
        assert said.startswith("The card data: ")
        assert said.endswith(".")
        return [part.removeprefix("Card X01: ") for part in said[15:-1].split("; card X01: ")]
    return []


def active(*do: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "active", "cost": {"hand": 0}, "do": list(do), **more}


def static(*do: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "static", "do": list(do), **more}


def trigger(event: str, *do: Any, **when: Any) -> dict[str, Any]:
    return {"kind": "trigger", "when": {"event": event, **when}, "do": list(do) or [DRAW]}


def play(*do: Any) -> dict[str, Any]:
    return {"kind": "play", "do": list(do)}


def response(*do: Any, to: Any = ("siege",)) -> dict[str, Any]:
    return {"kind": "response", "to": list(to), "do": [{"op": "negate"}, *do]}


def plot(**changes: Any) -> dict[str, Any]:
    form = {"by": {"ref": "executor"}, "target": FOE, "bonus": 0, "success": "casualty"}
    return {"kind": "tactic", "do": [{"op": "plot", **form, **changes}]}


def modify(**changes: Any) -> dict[str, Any]:
    return {"op": "modify", "stat": "might", "by": 1, "target": SELF, "until": "turn", **changes}


def always(**changes: Any) -> dict[str, Any]:
    return modify(**{"until": "while", **changes})


def without(table: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in keys}


# ---- the page for people --------------------------------------------------------------------------------------------


def test_the_card_at_the_head_of_the_page_can_be_played_with() -> None:
    block = re.search(r"## A card\n\n```toml\n(.*?)```", PAGE, re.S)
    assert block is not None
    pool = files.load(tomllib.loads(block.group(1)))
    assert pool.cards[-1].name == "Ma Dai"


# ---- abilities and whose they are -----------------------------------------------------------------------------------


GOOD = {
    "static": static(always(target={"side": "friend"})),
    "trigger": trigger("turn_start", whose="you"),
    "active": active(DRAW),
    "replace": {"kind": "replace", "when": {"event": "to_casualty", "subject": {"side": "friend"}}, "do": [DRAW]},
    "play": play(DRAW),
    "tactic": plot(),
    "response": response(),
}
ALLOWED = {
    "character": {"static", "trigger", "active", "replace"},
    "armament": {"static", "trigger", "replace"},
    "troop": {"static", "trigger", "replace"},
    "strategy": {"play"},
    "tactics": {"tactic"},
    "counter": {"response"},
    "commandment": {"static", "trigger"},
}


@pytest.mark.parametrize("of", ALLOWED)
@pytest.mark.parametrize("kind", GOOD)
def test_the_ability_kinds_of_each_card_type(of: str, kind: str) -> None:
    assert (faults(of, GOOD[kind]) == []) == (kind in ALLOWED[of])


@rule("generals", 18)
def test_tactics_need_their_executor() -> None:
    assert faults("tactics", plot(), requires=[]) == [
        'requires: Tactics need a general who executes them: [["executor"]] (ruling 18)'
    ]
    said = faults("strategy", play(DRAW), requires=[["executor"]])
    assert said == ["requires 1 (executor): only Tactics have an executor (ruling 18)"]
    assert "abilities 1 (tactic): only a card with the subtype" in faults("strategy", plot())[0]
    assert "abilities 1 (play): Tactics are executed" in faults("tactics", play(DRAW))[0]


def test_a_strategy_has_one_ability() -> None:
    assert faults("strategy") == ["abilities: a strategy must have exactly one ability, not 0"]
    assert faults("counter", response(), response()) == ["abilities: a counter must have exactly one ability, not 2"]
    assert faults("character") == []


@pytest.mark.parametrize(
    ("ability", "said"),
    [
        (5, "abilities must be a list of tables"),
        ({"kind": "activ"}, "not 'activ' (did you mean 'active'?)"),
        (without(active(DRAW), "cost"), "abilities 1 (active): cost is missing"),
        (active(DRAW, limit="1/turn"), "abilities 1 (active): the entry 'limit' is unknown"),
        (active({"op": "drwa"}), "(did you mean 'draw'?)"),
        (active(DRAW, cost={}), "cost: must name a price"),
        (active(DRAW, cost={"hand": -1}), "cost: hand must be a whole number from 0 to 20, not -1"),
        ({**trigger("turn_start", whose="you"), "limit": "often"}, "limit must be like \"1/turn\", not 'often'"),
        ({**GOOD["replace"], "cost": {"hand": 1}}, "a replacement with a cost must be optional: optional = true"),
        ({**GOOD["replace"], "cost": {"sacrifice": 1}}, "the entry 'sacrifice' is unknown (there are hand, resource)"),
    ],
)
def test_the_form_of_an_ability(ability: Any, said: str) -> None:
    assert said in "; ".join(faults("character", ability))


# ---- events, conditions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ability", "said"),
    [
        (trigger("defeat", subject=SELF), "when: event must be one of defeats, wins_melee"),
        (trigger("defeats"), "when: subject is missing"),
        (trigger("turn_start"), "when: whose is missing"),
        (trigger("turn_start", whose="you", role="attacker"), "the entry 'role' is unknown"),
        (trigger("defeats", subject={"side": "friend", "count": 1}), "subject: the entry 'count' is unknown"),
        (
            {**GOOD["replace"], "when": {"event": "moves", "subject": SELF}},
            "only to_casualty can be replaced, not moves",
        ),
    ],
)
def test_the_form_of_an_event(ability: Any, said: str) -> None:
    assert said in "; ".join(faults("character", ability))


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (["count", {"side": "friend", "zone": "CASUALTY", "name": "Cao Cao"}, ">=", 1], ""),
        (["zone", SELF, "BORDER|FORTRESS"], ""),
        (["name", SELF, "Guan Yu"], ""),
        (["marks", {"ref": "this"}, "!=", 3], ""),
        (["all_named_in", ["Liu Bei", "Guan Yu"], "BORDER"], ""),
        (["counts", {"side": "friend"}, ">=", 1], "a condition must be one of count, zone"),
        (["count", {"side": "friend"}, ">="], "takes generals, compare, number; it has 2"),
        (["count", {"side": "friend"}, "=>", 1], "a comparison must be one of ==, !=, <, <=, >, >=, not '=>'"),
        (["count", {"side": "friend", "count": 2}, ">=", 1], "the entry 'count' is unknown"),
        (["zone", {"ref": "this"}, "BORDER"], "ref must be one of self, not 'this'"),
        (["zone", "self", "BORDER"], 'must be a reference like { ref = "self" }'),
        (["name", SELF, "Guan Yo"], "there is no general called 'Guan Yo' (did you mean 'Guan Yu'?)"),
        (["all_named_in", "Liu Bei", "BORDER"], "needs a list of names, not 'Liu Bei'"),
        (["executor"], "only Tactics have an executor (ruling 18)"),
        ([], "a condition is a list that begins with its name, not []"),
    ],
)
def test_each_condition(condition: Any, said: str) -> None:
    found = faults("character", static(always(), **{"if": [condition]}))
    assert found == [] if not said else said in found[0]
    assert len(found) <= 1


# ---- filters and references -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ({"side": "enemy", "zone": "BORDER|ENEMY_BORDER", "count": 2, "upto": True}, ""),
        ({"side": "enemy", "zone": "one_of:any", "count": 3}, ""),
        ({"side": "enemy", "zone": "ENEMY_FORTRESS", "count": "all"}, ""),
        ({"side": "friend", "zone": "same", "other": True, "count": 1, "name": ["Liu Bei", "Cao Cao"]}, ""),
        ({"side": "enemy", "count": 1, "where": [["wits", "<=", 3], ["moved_this_turn", "==", True]]}, ""),
        (SELF, ""),
        ({"side": "enemy"}, "count is missing"),
        ({"side": "enemy", "count": 0}, "count must be a whole number from 1 to 9, not 0"),
        ({"side": "enemy", "count": "all", "upto": True}, 'upto needs a number; count is "all"'),
        ({"side": "enemy", "count": 1, "zone": "BORDERS"}, "(did you mean 'BORDER'?)"),
        ({"side": "enemy", "count": 1, "zone": "CASUALTY"}, "not 'CASUALTY'"),
        ({"side": "enemy", "count": 1, "zone": "same_as:x"}, "same_as names 'x', which was not stored before"),
        ({"side": "enemy", "count": 1, "other_than": "x"}, "other_than names 'x', which was not stored before"),
        ({"side": "enemy", "count": 1, "other": False}, "other = true excludes"),
        ({"side": "enemy", "count": 1, "where": ["might", "<=", 3]}, "where must be a list like"),
        ({"side": "enemy", "count": 1, "where": [["might", "<=", True]]}, "might must be a whole number"),
        ({"side": "enemy", "count": 1, "where": [["moved_this_turn", ">", 1]]}, "compared as == true, not > 1"),
        ({"side": "enemy", "count": 1, "store": "self"}, "store must be a name of small letters"),
        ({"ref": "host"}, "only an Equipment's ability has a host"),
        ({"ref": "executor"}, "only a tactic and a response to tactical_strike have an executor"),
        ({"ref": "attacked"}, "only a response to melee has an attacked general"),
        ({"ref": "hit"}, "only the success of a plot has a hit"),
        ({"ref": "this"}, "ref must be one of self, not 'this'"),
        (5, "must be a table"),
    ],
)
def test_which_generals(target: Any, said: str) -> None:
    found = faults("character", active({"op": "kill", "target": target}))
    assert found == [] if not said else said in found[0]
    assert len(found) <= 1


def test_a_name_is_stored_before_it_is_used_and_once() -> None:
    choose = {"op": "choose", "target": FOE, "store": "x"}
    kill = {"op": "kill", "target": {"ref": "x"}}
    assert faults("strategy", play(choose, kill)) == []
    assert "no ref is possible here, not 'x'" in faults("strategy", play(kill, choose))[0]
    assert "'x' is stored twice" in faults("strategy", play(choose, choose))[0]
    inside = {"op": "if", "cond": [["hand", "you", ">=", 1]], "then": [choose], "else": [kill]}
    assert len(faults("strategy", play(inside))) == 1, "what one branch stores the other does not know"


def test_a_place_that_needs_a_general_has_one() -> None:
    near = {"side": "enemy", "zone": "same", "count": 1}
    kill = {"op": "kill", "target": near}
    assert faults("character", active(kill)) == []
    assert "zone 'same' needs a general" in faults("strategy", play(kill))[0]
    assert (
        "needs a general, but there is none"
        in faults("commandment", static(always(target={"side": "enemy", "zone": "same"})))[0]
    )
    assert "other = true excludes" in faults("strategy", play({"op": "kill", "target": {**FOE, "other": True}}))[0]
    assert faults("troop", static(always(target={"side": "friend", "zone": "same"}))) == []


def test_a_static_ability_chooses_no_target() -> None:
    assert "the entry 'count' is unknown" in faults("character", static(always(target=FOE)))[0]
    assert (
        "one_of needs a choice"
        in faults("character", static(always(target={"side": "enemy", "zone": "one_of:any"})))[0]
    )


# ---- each operation -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "ability", "said"),
    [
        # draw
        ("character", active({"op": "draw", "n": 0, "who": "you"}), "n must be a whole number from 1 to 99, not 0"),
        (
            "character",
            active({"op": "draw", "n": "k", "who": "you"}),
            "n names 'k', which no earlier discard has stored",
        ),
        # discard
        ("character", active({"op": "discard", "n": 1, "who": "enemy", "choose": "you"}), "reveal it first"),
        ("character", active({"op": "discard", "n": 1, "who": "you", "choose": "you"}), 'choose = "owner"'),
        (
            "character",
            active({"op": "discard", "n": 1, "who": "enemy", "choose": "random", "filter": {"type": "counter"}}),
            'a filter needs choose = "you"',
        ),
        # deplete
        # modify
        ("character", active(modify()), ""),
        ("character", static(always(by={"count": {"side": "friend", "zone": "same"}})), ""),
        ("character", static(always(stat="upkeep", by={"set": 0})), ""),
        ("character", active(modify(by=0)), "by must be a whole number from -20 to 20 and not 0, not 0"),
        ("character", active(modify(by={"set": 1, "count": {"side": "friend"}})), "by takes either set or count"),
        ("character", active(modify(until="while")), "until must be one of turn, enemy_turn_end, not 'while'"),
        ("character", static(modify()), "until, in a static ability, must be one of while, not 'turn'"),
        ("character", static(always(stat="wits", context="melee_attacker")), "context limits a change to a melee"),
        ("character", static(always(opponent=[["might", ">=", 6]])), "opponent needs a context"),
        ("character", static(always(nth=1)), "nth counts the Sieges of a turn"),
        ("character", static(always(stat="upkeep_total")), "ref must be one of enemy, you, not 'self'"),
        ("character", static(always(stat="upkeep_total", target={"ref": "enemy"})), ""),
        ("character", static(always(stat="plot")), "ref must be one of your_cards, next_card, not 'self'"),
        ("character", static(always(stat="plot", target={"ref": "your_cards", "subtype": ["fire", "water"]})), ""),
        ("character", static(always(stat="plot", target={"ref": "next_card"})), "cannot change next_card"),
        ("character", active(modify(stat="recruit_cost", target={"ref": "next_card", "type": "character"})), ""),
        ("character", active(modify(target={"ref": "your_cards"})), "ref must be one of self, not 'your_cards'"),
        # move
        ("character", active({"op": "move", "target": SELF, "to": "BORDER"}), ""),
        ("character", active({"op": "move", "target": SELF, "to": "ENEMY_FORTRESS"}), "(ruling 3)"),
        # plot
        ("tactics", plot(success=[{"op": "kill", "target": {"ref": "hit"}}]), ""),
        ("tactics", plot(by={"ref": "choose:targeted"}), "ref must be one of executor, not 'choose:targeted'"),
        ("tactics", plot(target={**FOE, "count": 2, "plot_only": "lowest_wits"}, success="duel_targets"), ""),
        ("character", active(plot(by=SELF)["do"][0]), "only Tactics and responses to them can plot"),
        ("counter", response(plot(by={"ref": "choose:targeted"})["do"][0], to=["tactical_strike"]), ""),
        ("counter", response(plot(by={"ref": "choose:targeted"})["do"][0], to=["siege"]), "not 'choose:targeted'"),
        # kill, duel
        # negate
        ("counter", {**response(), "do": [DRAW]}, 'a Counter negates the answered act: { op = "negate" } is missing'),
        ("character", active({"op": "negate"}), "only a response can negate"),
        ("counter", response({"op": "move", "target": {"ref": "attacked"}, "to": "BORDER"}, to=["melee"]), ""),
        (
            "counter",
            response({"op": "move", "target": {"ref": "attacked"}, "to": "BORDER"}, to=["melee", "siege"]),
            "only a response to melee",
        ),
        # search, reveal, recover
        ("strategy", play({"op": "search", "zone": "RESOURCE", "filter": {}, "n": 1, "to": "hand", "show": False}), ""),
        (
            "strategy",
            play({"op": "search", "zone": "DISCARD", "filter": {}, "n": 1, "to": "hand", "show": True}),
            "RESOURCE",
        ),
        (
            "strategy",
            play(
                {
                    "op": "search",
                    "zone": "RESOURCE",
                    "filter": {"where": [["might", ">", 3]]},
                    "n": 1,
                    "to": "hand",
                    "show": True,
                }
            ),
            "where must be one of printed_might, printed_wits, printed_cost, not 'might'",
        ),
        # exile, bounce, ready
        ("strategy", play({"op": "exile", "target": {"ref": "this"}}), ""),
        # prevent, permit
        (
            "character",
            active({"op": "prevent", "what": "countered", "target": FOE, "until": "turn"}),
            "must be a reference",
        ),
        ("character", static({"op": "permit", "what": "recruit_to_border", "target": SELF, "until": "while"}), "you"),
        ("character", static({"op": "permit", "what": "ignore_block", "target": SELF, "until": "while"}), ""),
        # substitute, recruit, mark
        ("character", active({"op": "substitute", "target": SELF}), "only a replace ability"),
        ("armament", trigger("turn_start", {"op": "mark", "on": {"ref": "host"}, "n": 2}, whose="you"), ""),
        # choose, if, delayed, win
        ("strategy", play({"op": "choose", "target": FOE}), "store is missing"),
        ("strategy", play({"op": "if", "cond": [["hand", "you", "==", 0]], "then": [DRAW]}), ""),
        ("strategy", play({"op": "if", "cond": [["hand", "you", "==", 0]], "then": [DRAW], "else": []}), ""),
        (
            "strategy",
            play({"op": "delayed", "until": "turn", "ability": active(DRAW)}),
            "a delayed ability has no active",
        ),
        ("strategy", play({"op": "delayed", "until": "turn", "ability": trigger("turn_start")}), "whose is missing"),
        # what is always so
        ("character", static(DRAW), "a static ability can only modify, prevent, permit"),
    ],
)
def test_each_operation(of: str, ability: Any, said: str) -> None:
    found = faults(of, ability)
    if said:
        assert len(found) == 1
        assert said in found[0]
    else:
        assert found == []


@rule("generals", 62)
@pytest.mark.parametrize(
    ("of", "right"),
    [
        ("character", "general"),
        ("armament", "general"),
        ("commandment", "card"),
        ("strategy", "card"),
        ("tactics", "general"),
    ],
)
def test_whose_damage_a_depletion_is(of: str, right: str) -> None:
    """Damage by a general, its Equipment or its Tactics can lose the game. Damage by other cards cannot."""
    wrong = "card" if right == "general" else "general"
    for by in (right, wrong):
        op = {"op": "deplete", "n": 1, "who": "enemy", "by": by}
        kind = {"strategy": play(op), "tactics": {"kind": "tactic", "do": [op]}}
        found = faults(of, kind.get(of, trigger("turn_start", op, whose="you")))
        assert [fault.endswith("(ruling 62)") for fault in found] == ([] if by == right else [True])


@rule("generals", 68)
def test_cards_that_refill_resource_leave_the_game() -> None:
    recover = {"op": "recover", "n": 4, "choose": "random"}
    assert "(ruling 68)" in faults("strategy", play(recover))[0]
    assert faults("strategy", play(recover, {"op": "exile", "target": {"ref": "this"}})) == []
    assert faults("character", active(recover, {"op": "exile", "target": SELF})) == []
    assert len(faults("character", active(recover, {"op": "exile", "target": FOE}))) == 1, (
        "another general's exile is not enough"
    )
    inside = {"op": "if", "cond": [["hand", "you", "==", 0]], "then": [recover]}
    assert "(ruling 68)" in faults("strategy", play(inside))[0]


def test_a_discard_stores_a_number_and_a_choice_generals() -> None:
    discard = {"op": "discard", "n": 3, "who": "you", "choose": "owner", "upto": True, "store": "k"}
    assert faults("character", active(discard, {**DRAW, "n": "k"})) == []
    kill = {"op": "kill", "target": {"ref": "k"}}
    assert "ref must be one of self, not 'k'" in faults("character", active(discard, kill))[0]
    choose = {"op": "choose", "target": FOE, "store": "k"}
    assert "n names 'k'" in faults("character", active(choose, {**DRAW, "n": "k"}))[0]


@pytest.mark.parametrize("of", TYPES)
def test_invalid_values_are_refused_without_a_crash(of: str) -> None:
    """Each part of each card's abilities is replaced by invalid values."""
    things: list[Any] = [None, -7.5, "?", [], [[]], {}, {"ref": []}, {"op": {}}, [{"kind": 1}]]
    tried = 0
    for card in POOL.cards:
        sort = card.subtypes[0] if card.subtypes else card.type
        for broken in (part for thing in things for part in _broken(card.abilities, thing) if sort == of):
            tried += 1
            for fault in check_card(replace(card, abilities=broken), {"Guan Yu"}, ["WEI"]):
                assert "\n" not in str(fault)
    assert tried > 20


def _broken(value: Any, thing: Any) -> Iterator[Any]:
    """Yield the value with each of its parts replaced once."""
    if isinstance(value, dict):
        for key in value:
            yield {**value, key: thing}
            for part in _broken(value[key], thing):
                yield {**value, key: part}
    elif isinstance(value, list):
        for at in range(len(value)):
            yield [*value[:at], thing, *value[at + 1 :]]
            for part in _broken(value[at], thing):
                yield [*value[:at], part, *value[at + 1 :]]
