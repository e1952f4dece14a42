"""The words of Feint: what each viewer reads, and that nothing he may not know is among it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.errors import NotationError
from gonfalon.core.game import names_for
from gonfalon.core.rng import Rng
from gonfalon.core.state import SPECTATOR
from gonfalon.games.feint import Feint
from gonfalon.games.feint.rules import events as ev
from gonfalon.games.feint.rules.cards import ABILITIES
from gonfalon.games.feint.rules.state import BOTH, DOWN, FeintState
from gonfalon.testing import rule
from tests.feint.scenario import Table, card

NAMES = ["May", "David"]
VIEWERS = [0, 1, SPECTATOR]

# ---- the log ----------------------------------------------------------------------------------------


@cache
def small() -> Feint:
    ox, veil = card("ox", 6), card("veil", 1, "covert")
    cards = {
        "form": 1,
        "faction": [
            {"slug": "keion", "name": "Guards of Keion", "initiative": 5, "cards": [ox, veil]},
        ],
    }
    return Feint(cards=cards, factions=("keion", "wu"))


def kind(slug: str) -> int:
    return small().kind_of[slug].id


SENTENCES: list[tuple[int, str | None, int, int, str, str]] = [
    # code, card, a, b, as May reads what she does, as others read it
    (ev.ROUND, None, 3, 0, "Round 3. You are the start player.", "Round 3. May is the start player."),
    (ev.DISCARDED, "ox", 0, 0, "You discard Ox.", "May discards Ox."),
    (ev.DREW, None, 1, 0, "You draw 1 card.", "May draws 1 card."),
    (ev.DREW, None, 7, 0, "You draw 7 cards.", "May draws 7 cards."),
    (ev.DREW_CARD, "ox", 0, 0, "You draw Ox.", "May draws Ox."),
    (ev.PLAYED, "ox", 3, 0, "You play Ox to Location 5.", "May plays Ox to Location 5."),
    (ev.ANNOUNCED, "ox", 0, 0, "You announce Ox; David chooses its Location.", ""),
    (ev.PASSED, None, 0, 0, "You pass.", "May passes."),
    (ev.STAY, "ox", 3, 0, "Ox gets a Stay token.", "Ox gets a Stay token."),
    (ev.STAY, "ox", 3, 2, "Ox gets 3 Stay tokens.", "Ox gets 3 Stay tokens."),
    (ev.MORALE, None, -2, 21, "You lose 2 Morale, which leaves 21.", "May loses 2 Morale, which leaves 21."),
    (ev.MORALE, None, 4, 27, "You gain 4 Morale, which leaves 27.", "May gains 4 Morale, which leaves 27."),
    (
        ev.MOVED,
        "ox",
        0,
        4,
        "Your Ox moves from Location 2 to Location 6.",
        "May's Ox moves from Location 2 to Location 6.",
    ),
    (
        ev.HEALED,
        "ox",
        0,
        0,
        "You put Ox from your discard pile under your draw pile.",
        "May puts Ox from their discard pile under their draw pile.",
    ),
    (
        ev.RETURNED,
        "ox",
        2,
        0,
        "You put Ox from Location 4 under your draw pile.",
        "May puts Ox from Location 4 under their draw pile.",
    ),
    (
        ev.MILLED,
        "ox",
        0,
        0,
        "Ox is discarded from the top of your draw pile.",
        "Ox is discarded from the top of May's draw pile.",
    ),
    (
        ev.SPARED,
        "ox",
        0,
        0,
        "Ox is Protected and goes back on top of your draw pile.",
        "Ox is Protected and goes back on top of May's draw pile.",
    ),
    (ev.STRUCK, "ox", 0, 0, "Ox is discarded from your hand.", "Ox is discarded from May's hand."),
    (
        ev.SHIELDED,
        "ox",
        0,
        0,
        "Ox in your hand is shown; it is Protected and stays.",
        "Ox in May's hand is shown; it is Protected and stays.",
    ),
    (
        ev.LOOKED,
        None,
        3,
        0,
        "You look at the top 3 cards of your draw pile.",
        "May looks at the top 3 cards of their draw pile.",
    ),
    (
        ev.LOOKED,
        None,
        1,
        0,
        "You look at the top 1 card of your draw pile.",
        "May looks at the top 1 card of their draw pile.",
    ),
    (ev.LOOKED_CARD, "ox", 0, 0, "You see Ox.", "May sees Ox."),
    (
        ev.BOTTOMED,
        None,
        0,
        0,
        "You put one of them under your draw pile.",
        "May puts one of them under their draw pile.",
    ),
    (ev.BOTTOMED, "ox", 0, 0, "You put Ox under your draw pile.", "May puts Ox under their draw pile."),
    (ev.KEPT, None, 0, 0, "You leave them as they are.", "May leaves them as they are."),
    (
        ev.BOMBED,
        "ox",
        3,
        0,
        "Your Ox at Location 5 is bombed and discarded.",
        "May's Ox at Location 5 is bombed and discarded.",
    ),
    (ev.SPENT, "ox", 3, 0, "Ox discards itself.", "Ox discards itself."),
    (
        ev.ADDED,
        "ox",
        0,
        0,
        "Your Ox makes Location 2 a Battle Location.",
        "May's Ox makes Location 2 a Battle Location.",
    ),
    (
        ev.BARRED,
        "ox",
        1,
        0,
        "Your Ox: Location 3 is no Battle Location.",
        "May's Ox: Location 3 is no Battle Location.",
    ),
    (
        ev.EARTH,
        "ox",
        3,
        4,
        "Your Ox finds 4 spare Capacity at Location 5.",
        "May's Ox finds 4 spare Capacity at Location 5.",
    ),
    (ev.BATTLE, None, 3, 0, "Battle at Location 5.", "Battle at Location 5."),
    (ev.RATING, None, 3, 6, "You: Strength 6 × 5 = 30.", "May: Strength 6 × 5 = 30."),
    (ev.TOTAL, None, 32, 0, "You reach a Strategy Rating of 32.", "May reaches a Strategy Rating of 32."),
    (ev.WON, None, 0, 0, "You win the round.", "May wins the round."),
    (
        ev.COST,
        None,
        4,
        0,
        "Your cards at all Locations are worth 4 Morale.",
        "May's cards at all Locations are worth 4 Morale.",
    ),
    (ev.STAYED, "ox", 3, 0, "Your Ox stays at Location 5.", "May's Ox stays at Location 5."),
    (
        ev.SHUFFLED,
        None,
        0,
        0,
        "You shuffle your Location discard pile into a new draw pile.",
        "May shuffles their Location discard pile into a new draw pile.",
    ),
    (
        ev.END,
        "ox",
        8,
        0,
        "Your Ox moves the end marker: the game lasts 8 rounds.",
        "May's Ox moves the end marker: the game lasts 8 rounds.",
    ),
    (ev.NO_EFFECT, None, 0, 0, "That has no effect.", "That has no effect."),
]


@pytest.mark.parametrize("sentence", SENTENCES, ids=[f"{i}" for i in range(len(SENTENCES))])
def test_each_event_has_its_sentence(sentence: tuple[int, str | None, int, int, str, str]) -> None:
    code, slug, a, b, own, others = sentence
    shown = HIDDEN if slug is None else kind(slug) | BOTH
    game = small()
    event = (code, -1, 0, shown, a, b)
    assert game.words(event, game.start().mask(0), ["You", "David"]) == own
    if others:
        assert game.words(event, game.start().mask(SPECTATOR), NAMES) == others


def test_no_event_is_without_a_sentence() -> None:
    codes = {number for name, number in vars(ev).items() if name.isupper() and not name.startswith("BY_")}
    told = {sentence[0] for sentence in SENTENCES}
    elsewhere = {ev.SCOUTED, ev.PEEKED, ev.BARED, ev.LOCATION, ev.TURNED, ev.OVER}
    assert told | elsewhere == codes


def test_you_is_written_small_inside_a_sentence() -> None:
    """The reader is the second person named."""
    game = small()
    view = game.start().mask(1)
    names = ["May", "You"]
    announced = (ev.ANNOUNCED, -1, 0, kind("ox") | BOTH, 0, 0)
    assert game.words(announced, view, names) == "May announces Ox; you choose its Location."
    tie = (ev.WON, -1, 1, HIDDEN, 1, 0)
    assert game.words(tie, view, names) == "You win the round. It is a tie, and you are the start player."
    assert game.words(tie, view, NAMES) == "David wins the round. It is a tie, and David is the start player."
    over = (ev.OVER, -1, 0, HIDDEN, ev.BY_MORALE, 0)
    assert game.words(over, view, names) == "May wins the game: you have no Morale left."


def test_the_end_is_told_with_its_reason() -> None:
    game = small()
    view = game.start().mask(SPECTATOR)
    told = [
        game.words((ev.OVER, -1, 0, HIDDEN, how, 0), view, NAMES)
        for how in (ev.BY_MORALE, ev.BY_ROUNDS, ev.BY_FINAL_ROUND)
    ]
    assert told == [
        "May wins the game: David has no Morale left.",
        "May wins the game: more victory points.",
        "May wins the game: victory points are tied, and the winner of the final round decides.",
    ]


def test_location_cards_are_named_to_those_who_have_seen_them() -> None:
    game = small()
    five = 3 | BOTH
    view = game.start().mask(0)
    told = {
        code: [game.words((code, -1, 0, shown, 0, 0), view, ["You", "David"]) for shown in (five, HIDDEN)]
        for code in (ev.SCOUTED, ev.PEEKED)
    }
    assert told == {
        ev.SCOUTED: ["You draw a Location Card: Location 5.", "You draw a Location Card."],
        ev.PEEKED: ["You look at your next Location Card: Location 5.", "You look at your next Location Card."],
    }
    assert game.words((ev.BARED, -1, 0, five, 0, 0), view, NAMES) == "May reveals their Location Card: Location 5."
    assert game.words((ev.LOCATION, -1, 0, five, 0, 0), view, NAMES) == "May's Location Card is 5."


@rule("feint", 26)
def test_a_face_down_card_is_named_to_its_owner_alone() -> None:
    game = small()
    view = game.start().mask(0)
    veil = kind("veil") | DOWN

    def told(code: int, shown: int, name: str, a: int = 0, b: int = 0) -> str:
        return game.words((code, -1, 0, shown, a, b), view, [name, "David"])

    assert told(ev.PLAYED, veil, "You", 3) == "You play a card face down to Location 5 (Veil)."
    assert told(ev.PLAYED, HIDDEN | DOWN, "May", 3) == "May plays a card face down to Location 5."
    assert told(ev.MOVED, veil, "You", 3, 4) == "Your face-down card (Veil) moves from Location 5 to Location 6."
    assert told(ev.MOVED, HIDDEN | DOWN, "May", 3, 4) == "May's face-down card moves from Location 5 to Location 6."
    assert told(ev.TURNED, kind("veil") | BOTH, "May", 3) == "May's face-down card at Location 5 is Veil."


def test_the_log_of_a_round_as_each_of_them_reads_it() -> None:
    table = Table(may=[card("ox", 6), card("veil", 2, "covert")], david=[card("hen", 3)])
    table.may.holds("ox", "veil").scouted(5)
    table.david.holds("hen", "blue-filler").scouted(2)
    table.deploys(table.may)
    table.may.plays("ox@2")
    table.david.plays("hen@5")
    table.may.plays("veil@5")
    assert table.may.log() == [
        "You play Ox to Location 2.",
        "David plays Hen to Location 5.",
        "You play a card face down to Location 5 (Veil).",
    ]
    assert table.david.log() == [
        "May plays Ox to Location 2.",
        "You play Hen to Location 5.",
        "May plays a card face down to Location 5.",
    ]
    table.david.passes()
    told = table.may.log()[3:]
    assert told[: told.index("David loses 1 Morale, which leaves 22.") + 1] == [
        "David passes.",
        "You pass.",
        "Your Location Card is 5.",
        "David's Location Card is 2.",
        "Your face-down card at Location 5 is Veil.",
        "Battle at Location 2.",
        "You: Strength 6 × 2 = 12.",
        "David: Strength 0 × 2 = 0.",
        "Battle at Location 5.",
        "You: Strength 2 × 5 = 10.",
        "David: Strength 3 × 5 = 15.",
        "You reach a Strategy Rating of 22.",
        "David reaches a Strategy Rating of 15.",
        "You win the round.",
        "David's cards at all Locations are worth 1 Morale.",
        "David loses 1 Morale, which leaves 22.",
    ]


# ---- prompts and descriptions, step by step ---------------------------------------------------------

BOMB = card("bomb", 1, "bomb-tower", tags=("tower",), copies=2)
SMITH = card("smith", 1, tags=("engineer",), copies=2)


def asked_of_may() -> dict[str, Table]:
    """For each step a table on which May is asked."""
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


PROMPTS = {
    "deploy": ("Your turn: play a card to a Location, or pass.", "May is to play a card or pass."),
    "reinforce": ("Your choice: choose cards to discard, then draw to 7.", None),
    "play-one": ("Your choice: play one card from your hand.", "May is to play one more card."),
    "conjure": ("Your choice: play one card from your discard pile.", "May is to play a card from the discard pile."),
    "medic": (
        "Your choice: choose a discard that goes under your draw pile, or stop.",
        "May is to choose discards to take back.",
    ),
    "trojan": (
        "Your choice: choose a card of yours that goes under your draw pile.",
        "May is to choose a card to take back.",
    ),
    "support": (
        "Your choice: choose one of the cards you saw for the bottom of your draw pile, or leave them.",
        "May is to arrange the draw pile.",
    ),
    "bomb": (
        "Your choice: choose the card that the Bomb Tower discards.",
        "May is to choose what the Bomb Tower discards.",
    ),
    "scramble": (
        "Your choice: choose where Scram at Location 4 moves.",
        "May is to choose where Scram at Location 4 moves.",
    ),
    "storm": ("Your choice: choose the Location of Storm.", "May is to choose the Location of Storm."),
    "order": ("Your choice: choose what happens first.", "May is to choose what happens first."),
}


@pytest.mark.parametrize("step", sorted(PROMPTS))
def test_each_step_asks_its_player_and_tells_the_others(step: str) -> None:
    table = asked_of_may()[step]
    assert table.asked() == (0, step)
    mine, theirs = PROMPTS[step]
    game = table.game
    assert game.prompt(table.may.view, ["You", "David"]) == mine
    if theirs is not None:
        assert game.prompt(table.david.view, ["May", "You"]) == theirs
        assert game.prompt(table.spectator, NAMES) == theirs


DESCRIPTIONS = {
    "deploy": {
        "pass": "Pass for the rest of this round.",
        "ox@5": "Play Ox to Location 5.",
        "veil@2": "Play Veil face down to Location 2.",
        "storm": "Announce Storm; your opponent chooses its Location.",
    },
    "reinforce": {"done": "Draw to 7.", "ox": "Discard Ox.", "veil": "Discard Veil."},
    "play-one": {"ox@6": "Play Ox to Location 6."},
    "conjure": {"ox@6": "Play Ox to Location 6."},
    "medic": {"done": "Stop here.", "ox": "Put Ox under your draw pile."},
    "trojan": {
        "#3.1": "Take back Ox from Location 3.",
        "#4.1": "Take back the face-down card (Veil) from Location 4.",
    },
    "support": {
        "done": "Leave the cards as they are.",
        "ox": "Put the upper Ox under your draw pile.",
        "lower-copy": "Put the lower Ox under your draw pile.",
        "veil": "Put Veil under your draw pile.",
    },
    "bomb": {"#2.1": "Discard Hen at Location 2.", "#2.2": "Discard face-down card 2 at Location 2."},
    "scramble": {f"@{n}": f"Move it to Location {n}." for n in (2, 3, 5, 6)},
    "storm": {f"@{n}": f"Send it to Location {n}." for n in (2, 3, 4, 5, 6)},
    "order": {"own-first": "First the ability of Angel.", "scrambler-first": "First the Scrambler."},
}


@pytest.mark.parametrize("step", sorted(DESCRIPTIONS))
def test_each_action_is_described_in_the_imperative(step: str) -> None:
    table = asked_of_may()[step]
    view = table.may.view
    legal = {table.game.notation(action): table.game.describe(view, action) for action in view.actions}
    for notation, text in DESCRIPTIONS[step].items():
        assert legal[notation] == text
    if step not in ("deploy", "play-one", "conjure"):
        assert set(legal) == set(DESCRIPTIONS[step]), "and there are no others"


def test_discards_that_are_marked_are_counted() -> None:
    table = asked_of_may()["reinforce"]
    done = table.game.parse("done")
    table.may.does("ox")
    assert "\nMarked to discard: Ox" in table.game.text(table.may.view, ["You", "David"])
    assert table.game.describe(table.may.view, done) == "Discard 1 card and draw to 7."
    table.may.does("veil")
    assert table.game.describe(table.may.view, done) == "Discard 2 cards and draw to 7."


def test_the_simultaneous_step_keeps_everybody_informed() -> None:
    table = asked_of_may()["reinforce"]
    assert table.game.prompt(table.spectator, NAMES) == "Both players discard, then draw."
    assert table.game.prompt(table.david.view, ["May", "You"]).startswith("Your choice")
    table.may.does("done")
    assert table.game.prompt(table.may.view, ["You", "David"]) == "Waiting for the others to discard and draw."
    assert table.game.prompt(table.spectator, NAMES) == "Both players discard, then draw."


def test_nobody_is_asked_when_chance_or_the_end_has_the_word() -> None:
    table = Table(may=[card("fire", 1, "master-of-fire"), card("knife", 1, "assassin")])
    table.may.holds("fire", "knife").morale_is(2)
    table.david.holds("blue-filler", "blue-filler")
    table.deploys(table.may).may.plays("knife@2")
    for viewer in VIEWERS:
        view = table.state.mask(viewer)
        assert table.game.prompt(view, names_for(table.game, viewer, NAMES)) == "The cards are being shuffled."
    table.chance("blue-filler").david.passes()
    table.may.plays("fire@2")
    assert table.game.prompt(table.may.view, ["You", "David"]) == "David wins the game."
    assert table.game.prompt(table.david.view, ["May", "You"]) == "You win the game."


@rule("feint", 64)
def test_the_other_reading_of_the_scrambler_is_asked_in_its_own_words() -> None:
    table = Table(may=[card("scram", 1, "scrambler")], david=[card("hen", 2)], scrambler="played")
    table.may.holds("red-filler").has("scram", at=4)
    table.david.holds("hen", "hen")
    table.deploys(table.david).david.plays("hen@4")
    asked = table.game.prompt(table.may.view, ["You", "David"])
    assert asked == "Your choice: choose where Hen at Location 4 moves."


# ---- refusals name the ruling -----------------------------------------------------------------------

REFUSED = {
    "reinforce": ("pass", "ruling 3"),
    "play-one": ("pass", "ruling 61"),
    "conjure": ("pass", "ruling 59"),
    "medic": ("pass", "ruling 63"),
    "trojan": ("done", "67"),
    "support": ("pass", "ruling 74"),
    "bomb": ("done", "75"),
    "scramble": ("@4", "ruling 64"),
    "storm": ("pass", "ruling 60"),
    "order": ("done", "ruling 38"),
    "deploy": ("done", "Deployment phase"),
}


@pytest.mark.parametrize("step", sorted(REFUSED))
def test_each_step_refuses_with_its_rule(step: str) -> None:
    notation, words = REFUSED[step]
    table = asked_of_may()[step]
    reason = table.may.why_not(notation)
    assert words in reason
    assert reason.endswith("."), "a sentence"
    if step != "reinforce":
        assert table.david.why_not(notation) == "It is not your decision now."


def test_a_legal_action_has_no_reason_against_it() -> None:
    for table in asked_of_may().values():
        for action in table.state.legal(0):
            assert table.state.why_not(0, action) is None


def test_a_card_that_is_not_there_is_refused_without_telling_where_it_is() -> None:
    """Whether the ox is in David's hand or in May's draw pile, the refusal is the same."""
    table = asked_of_may()["deploy"]
    rule = "On your turn you play a card to a Location or pass (Deployment phase)."
    assert table.may.why_not("red-filler@3") == f"There is no Red Filler in your hand. {rule}"
    assert table.may.why_not("hen@3") == f"There is no Hen in your hand. {rule}"


def test_after_the_end_there_is_nothing_to_refuse() -> None:
    table = Table(may=[card("fire", 1, "master-of-fire")])
    table.may.holds("fire").morale_is(1)
    table.david.holds("blue-filler")
    table.deploys(table.may).may.plays("fire@2")
    assert table.may.why_not("pass") == "The game is over."


# ---- notation ---------------------------------------------------------------------------------------


@cache
def notated() -> list[Feint]:
    return [Feint(), small(), *Feint.tiny()]


@pytest.mark.parametrize("number", range(4))
def test_every_action_is_read_back_from_its_notation(number: int) -> None:
    """All action numbers there are: 5 words, 2 tosses, and for L Locations and K cards L places, 40 L
    spots and K (L + 1) cards with and without a Location."""
    game = notated()[number]
    texts: dict[str, int] = {}
    for action in range(-3, 216 + 6 * len(game.cards) + 10):
        try:
            text = game.notation(action)
        except NotationError:
            continue
        assert game.parse(text) == action, text
        assert text not in texts
        texts[text] = action
    locations, cards = len(game.box.locations), len(game.cards)
    assert len(texts) == 3 + 5 + 2 + locations + 40 * locations + cards * (locations + 1)


@given(st.integers(min_value=0, max_value=2**62 - 1))
def test_every_seed_is_read_back(seed: int) -> None:
    game = small()
    action = game.parse(f"seed:{seed}")
    assert action < 0
    assert game.notation(action) == f"seed:{seed}"


def test_the_notation_is_what_the_rulebook_would_write() -> None:
    game = Feint()
    for text in (
        "pass",
        "done",
        "own-first",
        "scrambler-first",
        "lower-copy",
        "@5",
        "#5.2",
        "patriot",
        "patriot@5",
        "seed:123",
    ):
        assert game.notation(game.parse(text)) == text
    assert game.parse("  Patriot@5 ") == game.parse("patriot@5"), "typed by a person"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "@",
        "#",
        "play",
        "patriot@7",
        "patriot@",
        "patriot@five",
        "@1",
        "#5",
        "#5.0",
        "#5.41",
        "#9.1",
        "seed:",
        "seed:-1",
        "seed:x",
        "first:2",
        "patriot 5",
        "nobody@5",
    ],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Feint().parse(text)


# ---- no hidden name ---------------------------------------------------------------------------------


@cache
def named_apart() -> Feint:
    """Forty different cards a side, each name a word of its own, every ability among them."""
    factions = []
    for side, slug in enumerate(("red", "blue")):
        abilities = [*ABILITIES, "covert", "covert", "covert", "engineer", "engineer", "scrambler", "gangan", "medic"]
        abilities += ["support-tower", "saboteur", "assassin", "good-for-something"]
        abilities += [""] * (40 - len(abilities))
        cards = []
        for number, ability in enumerate(abilities):
            tags = {"engineer": ("engineer",), "gangan": ("gang",)}.get(ability, ())
            made = card(
                f"zq{side}x{number:02}z",
                1 + number % 4,
                ability,
                copies=1,
                morale=0,
                tags=("tower",) if "tower" in ability else tags,
                protected=number % 3 == 0 and ability != "covert",
                location=4 if ability == "knight" else None,
                by=1 if ability in ("capacity", "rounds") else None,
            )
            cards.append(made)
        factions.append({"slug": slug, "name": slug.title(), "initiative": 101 + side, "cards": cards})
    return Feint(cards={"form": 1, "faction": factions}, factions=("red", "blue"))


def known(state: FeintState, viewer: int) -> set[int]:
    """The Faction Cards that a viewer has seen."""
    need = state.need(viewer)
    pools = [zones for deck, zones in state.pools() if len(deck) == 40]
    return {c & KIND for zones in pools for zone in zones for c in zone if c & need == need}


def test_forty_cards_a_side_with_every_ability() -> None:
    game = named_apart()
    for side in (0, 1):
        cards = [c for c in game.cards if c["slug"].startswith(f"zq{side}")]
        assert len(cards) == 40
        assert {c.get("ability", "") for c in cards} == set(ABILITIES)


@settings(max_examples=12)
@given(st.integers(min_value=0, max_value=2**32))
def test_no_text_names_a_card_that_its_reader_has_never_seen(seed: int) -> None:
    """Board, text, prompt, log, controls and descriptions of a whole random game, for both players and a
    spectator."""
    game = named_apart()
    state = game.start(log=True)
    rng = Rng(seed)
    slugs = {game.kind_of[c["slug"]].id: c["slug"] for c in game.cards if c["slug"].startswith("zq")}
    ever: dict[int, set[int]] = {viewer: set() for viewer in VIEWERS}
    read = 0
    for step in range(400):
        for viewer in VIEWERS:
            ever[viewer] |= known(state, viewer)
        if step % 4 == seed % 4 or state.over:
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
