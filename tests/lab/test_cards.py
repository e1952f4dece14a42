"""The worth of cards: against a known truth, with intervals that contain it, and reproducible."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.card_changes import copy_data
from gonfalon.core.files.card_files import Raw
from gonfalon.lab.run import blocks
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.studies.cards.card_values import BY_LOT, ONE_AT_A_TIME, Study, StudyRun, value_cards, value_side
from gonfalon.lab.studies.randomization import CardDraws
from gonfalon.lab.studies.swaps import Slot, find_slots, replace_cards

TRUTH: Mapping[str, float] = {"heavy-tower": 0.03, "apprentice": -0.02, "bomb-tower": 0.015}
"""The worth of a copy in simulated games. All other cards are worth nothing."""
PAIR: Options = {"factions": ("engineers", "wu")}


def copies(raw: Raw, side: str) -> dict[str, int]:
    """Return the copies of each card of a faction of Feint."""
    [faction] = [faction for faction in raw["faction"] if faction["slug"] == side]
    return {card["slug"]: card["copies"] for card in faction["cards"]}


def simulate_block(arm: Arm, number: int, folder: Path | None = None) -> Block:
    """Return a block of games with known probabilities: even, minus the worth of the engineers' missing cards."""
    rng = Rng(1 + number)
    rows = []
    for setup, text in enumerate(arm.setups):
        options = json.loads(text)
        there = copies(options["cards"], "engineers")
        whole = copies(copy_data(games.game("feint")), "engineers")
        lost = sum((whole[card] - there.get(card, 0)) * worth for card, worth in TRUTH.items())
        for round in range(arm.rounds):
            won = rng.random() < 0.5 - lost
            scores = (1.0, 0.0) if won else (0.0, 1.0)
            rows.append(Row(number * arm.rounds + round, setup, tuple(options["factions"]), scores, "x", 1, 1, 0))
    return Block(sorted(rows), 0.0)


def true_worths(study: Study, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float, float, float]]:
    """Yield each card with its worth, half of its interval, and the truth."""
    monkeypatch.setattr(blocks, "play_block", simulate_block)
    found = value_cards(study)
    assert {worth.side for worth in found.cards} == {"engineers"}
    return [(worth.card, worth.worth, worth.half, TRUTH.get(worth.card, 0.0)) for worth in found.cards]


@pytest.mark.parametrize("way", [BY_LOT, ONE_AT_A_TIME])
def test_a_known_worth_is_found_within_its_interval(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three intervals in a hundred may miss by half their width."""
    study = Study("feint", PAIR, "club", ("engineers",), way, precision=0.01, most=40_000)
    told = true_worths(study, monkeypatch)
    assert len(told) == 8
    for card, worth, half, truth in told:
        assert half <= 0.01, card
        assert abs(worth - truth) <= 1.5 * half, card
    assert [card for card, worth, half, _ in told if worth > half][:1] == ["heavy-tower"]


def test_the_intervals_of_lots_hold_the_truth_nineteen_times_in_twenty() -> None:
    """200 studies of five cards have 1,000 intervals. 950 should contain the truth, and 92 to 98 % is accepted."""
    own = [Slot("a", f"card-{n}", "", copies) for n, copies in enumerate((1, 2, 4, 6, 27))]
    truth = (0.05, -0.02, 0.0, 0.03, 0.01)
    held = 0
    for seed in range(200):
        lots, rng = CardDraws({"a": own}, seed), Rng(seed)
        shares = []
        for _ in range(40):
            taken = lots.draw()["a"]
            mean = 0.5 - sum(worth * taken.get(slot.word, 0) for slot, worth in zip(own, truth, strict=True))
            shares.append(sum(rng.random() < mean for _ in range(20)) / 20)
        found = lots.regress("a", shares, 1 / 20)
        held += sum(abs(worth - real) <= half for (worth, half), real in zip(found, truth, strict=True))
    assert 920 <= held <= 980


def test_plain_cards_stand_where_the_others_stood() -> None:
    game = games.game("feint")
    raw = copy_data(game)
    made = replace_cards(game, raw, "keion", {"patriot": 4, "explorer": 1})
    was, now = copies(raw, "keion"), copies(made, "keion")
    assert sum(now.values()) == sum(was.values()) == 40
    assert now["plain-keion"] == 5
    assert "patriot" not in now
    assert now["explorer"] == was["explorer"] - 1
    assert [f for f in made["faction"] if f["slug"] != "keion"] == [f for f in raw["faction"] if f["slug"] != "keion"]


@pytest.mark.parametrize("deck", ["vanguard-of-wei", "red-cliffs"])
def test_a_deck_of_generals_lies_as_before_but_for_the_card(deck: str) -> None:
    """A shuffle sorts a deck by the places of its cards in the data. All other cards keep theirs and thus their order.
    One of these decks has Tactics, replaced by a Strategy that needs no executor."""
    game = games.game("generals")
    raw = copy_data(game)
    before = in_order(raw, deck)
    for slot in find_slots(game)[deck]:
        made = replace_cards(game, raw, deck, {slot.word: slot.copies})
        after = in_order(made, deck)
        assert [card if card[0] != "Z" else slot.word for card in after] == before
        games.game("generals", cards=made, decks=(deck, "alliance"))


def test_a_replacement_by_an_equal_card_changes_no_game() -> None:
    """Countermand equals the replacement Counter: it negates a Strategy for one card. So each deal plays the same, and
    none of 40 games ends differently."""
    study = Study("generals", {"decks": ("vanguard-of-wei", "alliance")}, "random", precision=1.0)
    found = {slot.name: slot for slot in find_slots(games.game("generals"))["vanguard-of-wei"]}
    with BlockTeam(1, None) as crew:
        play = StudyRun(study, crew, None)
        [worth] = value_side(play, "vanguard-of-wei", [found["Countermand"]], most=1_000)
    assert worth.worth == 0.0
    assert play.games == 2 * 40


def in_order(raw: Raw, deck: str) -> list[str]:
    """Return the cards of a deck in the order before a shuffle."""
    [counts] = [table["cards"] for table in raw["deck"] if table["slug"] == deck]
    return [card["id"] for card in raw["card"] for _ in range(counts.get(card["id"], 0))]


def test_a_plain_card_is_worth_nothing_and_a_strong_one_is() -> None:
    """In real games, one card equals its replacement: Strength 4, Morale 2. Another has Strength 8 for no Morale."""
    raw = copy_data(games.game("feint"))
    own = [("alike", 20, 4, 2), ("strong", 10, 8, 0), ("weak", 10, 1, 9)]
    for faction in raw["faction"]:
        if faction["slug"] == "engineers":
            faction["cards"] = [
                {"slug": word, "name": word, "copies": copies, "strength": strength, "morale": morale}
                for word, copies, strength, morale in own
            ]
    found = value_cards(Study("feint", {**PAIR, "cards": raw}, "random", ("engineers",), precision=0.015, seed=3))
    alike, strong, _ = found.cards
    assert found.plain == ["a plain card (strength 4, morale 2)"]
    assert abs(alike.worth) <= alike.half
    assert strong.worth > strong.half


@pytest.mark.usefixtures("near")
def test_the_answer_is_the_same_with_any_number_of_workers_and_goes_on_where_it_was(tmp_path: Path) -> None:
    study = Study("feint", {**PAIR, "end_round": 3}, "random", ("wu",), precision=0.3, most=1_100)
    first = value_cards(study, folder=tmp_path)
    files = sorted(tmp_path.glob("*.json"))
    for file in files[::2]:
        file.unlink()
    again = value_cards(study, workers=2, folder=tmp_path)
    assert {**asdict(first), "spent": 0} == {**asdict(again), "spent": 0}


def test_unsuitable_players_are_reported() -> None:
    with pytest.raises(OptionError, match="Jinkei has no plain card"):
        value_cards(Study("jinkei", {}, "random"))
    with pytest.raises(OptionError, match="no side 'kei'"):
        value_cards(Study("feint", {}, "random", ("kei",)))
    with pytest.raises(OptionError, match="not by lot"):
        value_cards(Study("generals", {}, "random", way=BY_LOT))
    with pytest.raises(OptionError, match="cannot judge a change"):
        value_cards(Study("feint", {}, "expert"))


def test_no_more_games_are_played_than_were_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight cards and one side are 3 * (1 + 8) lots of 40 games, 1,080. One at a time, the full deck and each card need
    one block of 20 rounds from both seats, 9 * 40 = 360. Then blocks of 40 follow while there is room."""
    monkeypatch.setattr(blocks, "play_block", simulate_block)
    for way, least in ((BY_LOT, 1_080), (ONE_AT_A_TIME, 360)):
        study = Study("feint", PAIR, "club", ("engineers",), way, precision=0.001, most=least)
        assert value_cards(study).games == least
        with pytest.raises(OptionError, match=f"These cards need at least {least:,} games"):
            value_cards(replace(study, most=least - 1))
        assert value_cards(replace(study, most=least + 39)).games == least
        assert least < value_cards(replace(study, most=3 * least)).games <= 3 * least
    with pytest.raises(OptionError, match="With --side NAME fewer are needed"):
        value_cards(Study("feint", PAIR, "club", precision=0.001, most=100))
