"""The texts of Feint for each viewer, without hidden information."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.basics.cards import HIDDEN, KIND
from gonfalon.core.basics.errors import NotationError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.text.citations import cite_rule
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.games.feint.rules.state import BOTH, FeintState
from tests.feint.scenario import Table, card, card_with

NAMES = ["May", "David"]
VIEWERS = [0, 1, SPECTATOR]

# ---- the log ----------------------------------------------------------------------------------------


@cache
def small() -> Feint:
    ox, veil = card("ox", 6), card("veil", 1, "covert")
    cards = {"form": 1, "faction": [{"slug": "keion", "name": "Guards of Keion", "initiative": 5, "cards": [ox, veil]}]}
    return Feint(cards=cards, factions=("keion", "wu"))


def kind(slug: str) -> int:
    return small().kind_of[slug].id


EVENT_CODES = [number for name, number in vars(ev).items() if name.isupper() and not name.startswith("BY_")]
LOCATION_CARDS = {ev.SCOUTED, ev.PEEKED, ev.BARED, ev.LOCATION}
"""The events whose card is a Location Card."""


@pytest.mark.parametrize("code", EVENT_CODES)
def test_each_event_is_a_sentence_of_its_own(code: int) -> None:
    game = small()
    view = game.start().mask(SPECTATOR)

    def tell(code: int, names: list[str]) -> str:
        shown = (3 if code in LOCATION_CARDS else kind("ox")) | BOTH
        return game.words((code, -1, 0, shown, 1, 1), view, names)

    assert EVENT_CODES.count(code) == 1
    for names in (NAMES, ["You", "David"], ["May", "You"]):
        assert re.fullmatch(r"[A-Z][^{}]*\.", tell(code, names))
        assert tell(code, names) not in [tell(other, names) for other in EVENT_CODES if other != code]


def test_you_is_written_small_inside_a_sentence() -> None:
    """The reader is the second person named."""
    game = small()
    view = game.start().mask(1)
    names = ["May", "You"]
    announced = (ev.ANNOUNCED, -1, 0, kind("ox") | BOTH, 0, 0)
    assert game.words(announced, view, names) == "May announces Ox."
    tie = (ev.WON, -1, 1, HIDDEN, 1, 0)
    assert game.words(tie, view, names) == "You win the tie as the start player."
    assert game.words(tie, view, NAMES) == "David wins the tie as the start player."
    over = (ev.OVER, -1, 0, HIDDEN, ev.BY_MORALE, 0)
    assert game.words(over, view, names) == "May wins the game."


def test_the_log_of_a_round_as_each_of_them_reads_it() -> None:
    table = Table(may=[card("ox", 6), card("veil", 2, "covert")], david=[card("hen", 3)])
    table.may.holds("ox", "veil").scouted(5)
    table.david.holds("hen", "blue-filler").scouted(2)
    table.deploys(table.may)
    table.may.plays("ox@2")
    table.david.plays("hen@5")
    table.may.plays("veil@5")
    assert table.may.log() == ["You play Ox to 2.", "David plays Hen to 5.", "You play Veil face down to 5."]
    assert table.david.log() == ["May plays Ox to 2.", "You play Hen to 5.", "May plays a card face down to 5."]
    table.david.passes()
    told = table.may.log()[3:]
    assert told[: told.index("David's cards on the board cost 1 Morale (22 left).") + 1] == [
        "David passes.",
        "You pass.",
        "Location Cards: you 5, David 2.",
        "You turn up Veil at 5.",
        "Battle at 2: you 6 × 2 = 12, David 0 × 2 = 0.",
        "Battle at 5: you 2 × 5 = 10, David 3 × 5 = 15.",
        "You win the round, 22 to 15.",
        "David's cards on the board cost 1 Morale (22 left).",
    ]


# ---- prompts and descriptions, step by step ---------------------------------------------------------

BOMB = card("bomb", 1, "bomb-tower", tags=("tower",), copies=2)
SMITH = card("smith", 1, tags=("engineer",), copies=2)


def asked_of_may() -> dict[str, Table]:
    """Return a table with a question to May for each step."""
    tables: dict[str, Table] = {}

    def lay(prompt: str, hand: list[str], *cards: dict[str, Any]) -> Table:
        few = [{**c, "copies": 2} for c in cards]
        table = tables[prompt] = Table(may=few, david=[card("hen", 2), card("mask", 2, "covert")])
        table.may.holds(*hand)
        table.david.holds("hen", "blue-filler")
        return table

    ox, veil = card("ox", 6), card("veil", 2, "covert")
    lay("deploy", ["ox", "veil", "storm"], ox, veil, card("storm", 5, "storm-prodigy")).deploys(tables["deploy"].may)

    table = lay("reinforce", ["ox", "veil"], ox, veil)
    table.reinforces()

    table = lay("play-one", ["good", "ox"], ox, card("good", 1, "good-for-something"))
    table.may.stacked("ox")
    table.deploys(table.may).may.plays("good@2")

    table = lay("conjure", ["mage"], ox, card("mage", 1, "conjurer"))
    table.may.discarded("ox")
    table.deploys(table.may).may.plays("mage@2")

    table = lay("medic", ["nurse"], ox, card("nurse", 1, "medic"))
    table.may.discarded("ox")
    table.deploys(table.may).may.plays("nurse@2")

    table = lay("trojan", ["horse"], ox, veil, card("horse", 1, "trojan"))
    table.may.has("ox", at=3).has("veil", at=4, down=True)
    table.deploys(table.may).may.plays("horse@2")

    table = lay("support", ["loft"], ox, veil, SMITH, card("loft", 1, "support-tower", tags=("tower",)))
    table.may.has("smith", at=2).stacked("ox", "veil", "ox")
    table.deploys(table.may).may.plays("loft@2")

    table = lay("bomb", ["bomb"], BOMB, SMITH)
    table.may.has("smith", at=2)
    table.david.has("hen", at=2).has("mask", at=2, down=True)
    table.deploys(table.may).may.plays("bomb@2")

    table = tables["scramble"] = Table(may=[card("scram", 1, "scrambler")], david=[card("hen", 2)])
    table.may.holds("red-filler").has("scram", at=4)
    table.david.holds("hen", "hen")
    table.deploys(table.david).david.plays("hen@4")

    table = tables["storm"] = Table(david=[card("storm", 5, "storm-prodigy")])
    table.may.holds("red-filler")
    table.david.holds("storm", "storm")
    table.deploys(table.david).david.plays("storm")

    table = tables["order"] = Table(may=[card("angel", 1, "guardian-angel")], david=[card("scram", 1, "scrambler")])
    table.may.holds("angel", "red-filler")
    table.david.holds("blue-filler").has("scram", at=4)
    table.deploys(table.may).may.plays("angel@4")
    return tables


def test_each_step_asks_its_player_and_informs_the_others() -> None:
    for step, table in asked_of_may().items():
        assert table.asked() == (0, step)
        mine = table.game.prompt(table.may.view, ["You", "David"])
        theirs = table.game.prompt(table.spectator, NAMES)
        assert all(re.fullmatch(r"[A-Z][^{}]*[\w?]", prompt) for prompt in (mine, theirs))
        assert max(len(prompt.split()) for prompt in (mine, theirs)) <= 10
        assert mine != theirs
        assert step == "reinforce" or table.game.prompt(table.david.view, ["May", "You"]) == theirs


def test_each_action_has_a_description_of_its_own() -> None:
    for table in asked_of_may().values():
        described = [table.game.describe(table.may.view, action) for action in table.may.view.actions]
        assert len(set(described)) == len(described) >= 1
        assert all(re.fullmatch(r"[A-Z][^{}]*\.", text) for text in described)


def test_discards_that_are_marked_are_counted() -> None:
    table = asked_of_may()["reinforce"]
    done = table.game.parse("done")
    table.may.does("ox")
    assert "× 6/1 Ox" in table.game.text(table.may.view, ["You", "David"])
    assert table.game.describe(table.may.view, done) == "Discard 1 card and draw to 7."
    table.may.does("veil")
    assert table.game.describe(table.may.view, done) == "Discard 2 cards and draw to 7."


def test_the_simultaneous_step_informs_all_viewers() -> None:
    table = asked_of_may()["reinforce"]
    assert table.game.prompt(table.spectator, NAMES) == "Both players discard and draw"
    assert table.game.prompt(table.david.view, ["May", "You"]).startswith("Discard any cards")
    table.may.does("done")
    assert table.game.prompt(table.may.view, ["You", "David"]) == "Done. Waiting for David"
    assert table.game.prompt(table.spectator, NAMES) == "Both players discard and draw"


def test_no_seat_is_asked_during_chance_or_after_the_end() -> None:
    table = Table(may=[card("fire", 1, "master-of-fire"), card("knife", 1, "assassin")])
    table.may.holds("fire", "knife").morale_is(2)
    table.david.holds("blue-filler", "blue-filler")
    table.deploys(table.may).may.plays("knife@2")
    for viewer in VIEWERS:
        view = table.state.mask(viewer)
        assert table.game.prompt(view, names_for(table.game, viewer, NAMES)) == "Cards are being shuffled"
    table.chance("blue-filler").david.passes()
    table.may.plays("fire@2")
    assert table.game.prompt(table.may.view, ["You", "David"]) == "David wins the game"
    assert table.game.prompt(table.david.view, ["May", "You"]) == "You win the game"


# ---- refusals name the ruling -----------------------------------------------------------------------


def test_a_legal_action_has_no_reason_against_it() -> None:
    for table in asked_of_may().values():
        for action in table.state.legal(0):
            assert table.state.why_not(0, action) is None


def test_a_card_that_is_not_there_is_refused_without_telling_where_it_is() -> None:
    """The refusal is the same whether the ox is in David's hand or in May's draw pile."""
    table = asked_of_may()["deploy"]
    assert cite_rule(table.may.why_not("red-filler@3")) == "Red Filler is not in your hand (Deployment phase)."
    assert cite_rule(table.may.why_not("hen@3")) == "Hen is not in your hand (Deployment phase)."


# ---- notation ---------------------------------------------------------------------------------------


WRONG = ["", "@", "play", "patriot@7", "patriot@", "patriot@five", "#5", "#5.0", "#5.41", "#9.1"]
WRONG += ["seed:", "seed:-1", "seed:x", "first:2", "nobody@5"]


@pytest.mark.parametrize("text", WRONG)
def test_invalid_actions_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Feint().parse(text)


# ---- no hidden name ---------------------------------------------------------------------------------


@cache
def named_apart() -> Feint:
    """Forty different cards a side, each with a unique word as its name, covering every ability."""
    factions = []
    for side, slug in enumerate(("red", "blue")):
        abilities = [*ABILITIES, "covert", "covert", "covert", "engineer", "engineer", "scrambler", "gangan", "medic"]
        abilities += ["support-tower", "saboteur", "assassin", "good-for-something"]
        cards = [
            card_with(ability, f"zq{side}x{number:02}z", 1 + number % 4, number % 3 == 0 and ability != "covert")
            for number, ability in enumerate(abilities + [""] * (40 - len(abilities)))
        ]
        factions.append({"slug": slug, "name": slug.title(), "initiative": 101 + side, "cards": cards})
    return Feint(cards={"form": 1, "faction": factions}, factions=("red", "blue"))


def known(state: FeintState, viewer: int) -> set[int]:
    """Return the Faction Cards that a viewer has seen."""
    need = state.need(viewer)
    pools = [zones for deck, zones in state.pools() if len(deck) == 40]
    return {c & KIND for zones in pools for zone in zones for c in zone if c & need == need}


@settings(max_examples=4)
@given(st.integers(min_value=0, max_value=2**32))
def test_no_text_names_a_card_that_its_reader_has_never_seen(seed: int) -> None:
    """Board, text, prompt, log, controls and descriptions of a random game, for both players and a spectator."""
    game = named_apart()
    state = game.start(log=True)
    rng = Rng(seed)
    slugs = {game.kind_of[c["slug"]].id: c["slug"] for c in game.cards if c["slug"].startswith("zq")}
    ever: dict[int, set[int]] = {viewer: set() for viewer in VIEWERS}
    read = 0
    for step in range(400):
        for viewer in VIEWERS:
            ever[viewer] |= known(state, viewer)
        if step % 6 == seed % 6 or state.over:
            for viewer in VIEWERS:
                view = state.mask(viewer)
                assert isinstance(view, FeintState)
                assert view.log is not None
                names = names_for(game, viewer, NAMES)
                text = json.dumps(
                    [
                        game.board(view),
                        game.text(view, names),
                        game.prompt(view, names),
                        game.controls(view),
                        [game.words(event, view, names) for event in view.log],
                        [game.describe(view, action) for action in view.actions],
                    ]
                ).lower()
                for kind_, slug in slugs.items():
                    if slug in text:
                        read += 1
                        assert kind_ in ever[viewer], f"{slug} shows to viewer {viewer}"
        if state.over:
            break
        state.apply(state.turn, state.sample(rng))
    assert read, "names were there to be read"
