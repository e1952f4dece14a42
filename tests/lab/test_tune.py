"""Tuning: the right step in games with known probabilities, on deals that were not used to choose it."""

from __future__ import annotations

import io
import json
from hashlib import sha256
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.cli import main
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.lab.run import blocks
from gonfalon.lab.run.blocks import Arm, Block, Row
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.studies.overrides import make_variant
from gonfalon.lab.studies.tune.command import ask_at_terminal
from gonfalon.lab.studies.tune.report import describe_end, format_choice, render_page, summarize_result
from gonfalon.lab.studies.tune.steps import DEFAULT_FREE, Step, list_steps
from gonfalon.lab.studies.tune.tune import Proposal, SideShare, Tuning, TuningRun, Turn, find_furthest, tune_game
from gonfalon.lab.studies.tune.tune import TuningResult as Way

BEHIND = 0.37
"""The engineers' unmodified win rate in simulated games."""
WORTH = {("heavy-tower", "strength"): 0.10, ("apprentice", "strength"): 0.04, ("bomb-tower", "morale"): -0.06}
"""The effect of one more of a number on that win rate. Other numbers have no effect."""
FREE = tuple(f"{card}.{number}" for card, number in WORTH)


def chance(options: Options) -> float:
    """Return the engineers' win rate with these cards."""
    data = options["cards"]
    assert isinstance(data, dict)
    [own] = [faction["cards"] for faction in data["faction"] if faction["slug"] == "engineers"]
    usual = {"heavy-tower": {"strength": 6}, "apprentice": {"strength": 2}, "bomb-tower": {"morale": 1}}
    cards = {card["slug"]: card for card in own}
    share: float = BEHIND + sum(worth * (cards[card][key] - usual[card][key]) for (card, key), worth in WORTH.items())
    return share


def simulate_block(arm: Arm, number: int, folder: Path | None = None) -> Block:
    """Return a block of games. The luck of a deal does not depend on the cards."""
    rows = []
    for setup, text in enumerate(arm.setups):
        options = json.loads(text)
        sides = tuple(options["factions"])
        share = chance(options) if "engineers" in sides else 0.5
        luck = Rng(int.from_bytes(sha256(f"{arm.seed} {number} {setup}".encode()).digest()[:8], "big"))
        for round in range(arm.rounds):
            won = luck.random() < share
            first = won == (sides[0] == "engineers") if "engineers" in sides else won
            rows.append(Row(number * arm.rounds + round, setup, sides, (float(first), float(not first)), "x", 1, 1, 0))
    return Block(sorted(rows), 0.0)


def way(monkeypatch: pytest.MonkeyPatch, *free: str, **more: int) -> Way:
    """Return the path of always taking the best step."""
    monkeypatch.setattr(blocks, "play_block", simulate_block)
    tuning = Tuning("feint", {}, ("club",), free, seed=more.get("seed", 1), turns=more.get("turns", 9))
    with BlockTeam(1, None) as crew:
        return tune_game(tuning, lambda turn: turn.proposals[0].step, crew, lambda what, games: None, lambda turn: None)


def test_one_step_does_where_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """37 % and 10 points are 47 %, inside 45 to 55. 4 or 6 points are not enough."""
    found = way(monkeypatch, *FREE)
    assert found.steps == ["heavy-tower.strength=7"]
    assert found.reached
    [turn] = found.turns
    assert (turn.side, turn.tried) == ("engineers", 3)
    assert turn.again is not None
    for effect in (turn.proposals[0].effects["club"], turn.again.effects["club"]):
        assert abs(effect.difference - 0.10) <= 1.5 * effect.half
    [share] = [share for share in found.shares if share.side == "engineers"]
    assert abs(share.share - 0.47) <= 1.5 * share.half <= 1.5 * 0.03


def test_a_number_whose_rise_does_harm_is_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Morale 1 to 0 adds 6 points, Strength 2 to 3 only 4. Both together are 47 %."""
    found = way(monkeypatch, "bomb-tower.morale", "apprentice.strength", seed=2)
    assert found.steps == ["bomb-tower.morale=0", "apprentice.strength=3"]
    assert found.reached


def test_a_number_that_cannot_rise_is_tried_one_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.lab.studies.tune.tune.is_playable", lambda place, now, step: step.after <= 1)
    found = way(monkeypatch, "bomb-tower.morale", turns=1)
    assert found.steps == ["bomb-tower.morale=0"]


def test_a_step_that_is_taken_is_measured_on_deals_that_chose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[int] = []
    chosen_by: set[int] = set()

    def play(arm: Arm, number: int, folder: Path | None = None) -> Block:
        dealt.append(arm.seed)
        return simulate_block(arm, number)

    def choose(turn: Turn) -> Step:
        chosen_by.update(dealt)
        dealt.clear()
        return turn.proposals[0].step

    def hear(turn: Turn) -> None:
        assert turn.again is not None
        assert turn.again.step == turn.taken
        assert len(set(dealt)) == 1
        assert not chosen_by & set(dealt)
        assert "On fresh deals: club +" in format_choice(turn)

    monkeypatch.setattr(blocks, "play_block", play)
    tuning = Tuning("feint", {}, ("club",), ("heavy-tower.strength",), precision=0.1, seed=1, turns=1)
    with BlockTeam(1, None) as crew:
        found = tune_game(tuning, choose, crew, lambda what, games: None, hear)
    assert "was chosen. Its effect on fresh deals: club +" in render_page(found, {})


def test_it_ends_after_as_many_steps_as_were_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = way(monkeypatch, "apprentice.strength", turns=1)
    assert found.steps == ["apprentice.strength=3"]
    assert not found.reached
    assert summarize_result(found) == "At least one side is clearly outside 45 to 55 %."
    assert (found.ended, describe_end(found)) == ("steps", "")


def test_the_turn_is_for_a_side_of_which_something_is_free() -> None:
    """The engineers are 25 points off without free numbers, Wu is ten off, the Guards are in the band."""
    start = make_variant("feint", {})
    shares = [SideShare(side, "club", at, 0.01) for side, at in (("engineers", 0.2), ("wu", 0.65), ("keion", 0.5))]
    with BlockTeam(1, None) as crew:
        place = TuningRun(
            Tuning("feint", {}, ("club",), ("wu-elder.strength", "patriot.morale")), crew, lambda *_: None
        )
        assert find_furthest(place, start, shares) == "wu"
        place = TuningRun(Tuning("feint", {}, ("club",), ("patriot.morale",)), crew, lambda *_: None)
        assert find_furthest(place, start, shares) == "engineers"


def test_published_numbers_are_not_free() -> None:
    """The Engineer Units' Strength is inferred, so only their Morale may change. Copies may never change."""
    steps = list_steps(games.game("feint"), DEFAULT_FREE, {"engineers"})
    assert {step.path for step in steps} == {
        *(f"engineer-unit-{n}.morale" for n in (1, 2, 3)),
        *(f"{card}.{key}" for card in ("heavy-tower", "support-tower", "bomb-tower", "apprentice", "workshop-guard")
          for key in ("strength", "morale")),
    }  # fmt: skip
    with pytest.raises(OptionError, match="no number 'hevy-tower'"):
        list_steps(games.game("feint"), ["hevy-tower"], {"engineers"})
    decks = list_steps(games.game("generals"), ["xiahou-dun"], {"vanguard-of-wei"})
    assert {step.path for step in decks} == {f"xiahou-dun.{key}" for key in ("cost", "might", "wits")}


def test_the_change_is_a_file_that_whatif_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(blocks, "play_block", simulate_block)
    out, page = tmp_path / "change.toml", tmp_path / "tune.html"
    words = ["--players", "club", "--take", "1", "--seed", "1", "--out", str(out), "--html", str(page), "--json"]
    assert main(["lab", "tune", "feint", *words, *[w for word in FREE for w in ("--free", word)]]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["steps"] == ["heavy-tower.strength=7"]
    assert told["turns"][0]["taken"]["origin"] == "reconstructed"
    assert out.read_text("utf-8").endswith("\nheavy-tower.strength=7\n")
    assert "Heavy Tower: strength 6 (reconstructed) → 7" in page.read_text("utf-8")
    assert main(["lab", "whatif", "feint", "--b", str(out), "--precision", "5"]) == 0
    assert "heavy-tower.strength: 6 (reconstructed) -> 7" in capsys.readouterr().out


def test_invalid_requests_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    for words, sentence in (
        (["factionwars", "--take", "1"], "no factions, decks or types to balance"),
        (["jinkei", "--take", "1"], "No free number (reconstructed, ours) belongs to one side of"),
        (["feint"], "No terminal to choose"),
        (["feint", "--free", "nonsense"], "Warriors of Jogu: Feint has no number 'nonsense' to free"),
        (["feint", "--take", "1", "--target", "60..70"], "a band must have the form 45..55"),
        (["feint", "--take", "1", "--players", "expert"], "cannot judge a change"),
    ):
        assert main(["lab", "tune", *words]) == 2
        assert sentence in capsys.readouterr().err


def test_types_that_are_chosen_in_the_game_are_measured_as_if_given() -> None:
    """Layouts are not numbers, so there is no step to try, but there are shares."""
    tuning = Tuning("jinkei", {}, ("random",), DEFAULT_FREE, low=0.0, high=0.01, precision=0.5, turns=0)
    with BlockTeam(1, None) as crew:
        found = tune_game(tuning, lambda turn: None, crew, lambda what, games: None, lambda turn: None)
    assert {share.side for share in found.shares} == {"sword", "shield", "bow"}
    assert sum(share.share for share in found.shares) == pytest.approx(1.5, abs=0.001)
    assert (found.turns, found.ended) == ([], "steps")


def test_the_user_may_mistype_and_may_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """9 and x are not steps, 2 is the second. An empty line or the end of the input chooses none."""
    steps = list_steps(games.game("feint"), ["heavy-tower"], {"engineers"})
    turn = Turn([], "engineers", 2, [Proposal(step, "engineers", {}, 0.0) for step in steps], None, 0)
    shown: list[Turn] = []
    choose = ask_at_terminal(shown.append)
    monkeypatch.setattr("sys.stdin", io.StringIO("9\nx\n2\n\n"))
    assert [choose(turn), choose(turn), choose(turn)] == [steps[1], None, None]
    assert shown == [turn] * 3
