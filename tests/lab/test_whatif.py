"""The effect of a change: the same deals with both variants, reproducible answers, and no players that cannot judge."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.options import Options
from gonfalon.lab.run import sources
from gonfalon.lab.run.blocks import Arm, Row
from gonfalon.lab.run.session import BlockTeam
from gonfalon.lab.studies.overrides import make_variant
from gonfalon.lab.studies.whatif import whatif
from gonfalon.lab.studies.whatif.report import format_lines
from gonfalon.lab.studies.whatif.whatif import LIMIT_REACHED, PRECISE, PairedGames, Question

PAIR: Options = {"factions": ("keion", "agents"), "end_round": 3}
"""Short games."""


def question(*sets: str, options: Options | None = None, players: str = "random", **more: float) -> Question:
    before = make_variant("feint", PAIR if options is None else options)
    given = {"precision": 0.3, "most": 400, **more}
    return Question(
        "feint", players, before, make_variant("feint", before.options, sets), given["precision"], int(given["most"]), 1
    )


def test_both_play_the_same_deals_and_the_rest_of_a_change_that_does_nothing_is_nothing(tmp_path: Path) -> None:
    """A name is not a number. All games are the same, so every difference is 0 and all deals end alike."""
    file = tmp_path / "named.toml"
    file.write_text('[[card]]\nslug = "patriot"\nname = "Loyalist"\n', "utf-8")
    before = make_variant("feint", PAIR)
    answer = whatif.compare_variants(
        Question("feint", "random", before, make_variant("feint", PAIR, file=file, base=before), 0.01, 200, 1)
    )
    assert answer.alike == 1.0
    assert all(effect.difference == 0 for effect in (*answer.sides, *answer.length, *answer.endings))


@pytest.mark.usefixtures("near")
def test_the_answer_is_the_same_with_any_number_of_workers_and_goes_on_where_it_was(tmp_path: Path) -> None:
    asked = question("patriot.strength=1", precision=0.05, most=2_000)
    plain = whatif.compare_variants(asked)
    spawned = whatif.compare_variants(asked, workers=2, folder=tmp_path)
    files = sorted(tmp_path.glob("*.json"))
    files[0].unlink()
    files[1].write_text("{damaged")
    kept = files[2].stat().st_mtime_ns
    again = whatif.compare_variants(asked, folder=tmp_path)
    assert plain.digest == spawned.digest == again.digest
    assert {**asdict(plain), "spent": 0} == {**asdict(again), "spent": 0}
    assert files[2].stat().st_mtime_ns == kept, "what is there is not played again"
    assert plain.ended == PRECISE
    assert json.dumps(asdict(plain))


def test_blocks_of_other_studies_are_not_reused(tmp_path: Path) -> None:
    arms = [Arm.of("feint", [PAIR], "random", seed) for seed in (1, 2)]
    with BlockTeam(1, tmp_path) as crew:
        own = crew.play([(arms[0], 0)])
        (tmp_path / f"{arms[1].hash}-1.json").write_bytes((tmp_path / f"{arms[0].hash}-0.json").read_bytes())
        assert crew.play([(arms[1], 1)])[0].rows[0].round == arms[1].rounds
        assert crew.play([(arms[0], 0)]) == own


def test_games_of_other_sources_are_not_reused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other bots may play differently by the same rules."""
    arm = Arm.of("feint", [PAIR], "random", 1)
    own = arm.hash
    monkeypatch.setattr(sources, "hash_game_sources", lambda name: f"{name}, otherwise")
    assert Arm.of("feint", [PAIR], "random", 1).hash != own


def test_only_matchups_of_the_changed_side_are_played() -> None:
    before = make_variant("feint", {})
    asked = Question("feint", "random", before, make_variant("feint", {}, ["patriot.strength=5"]))
    both = whatif.list_setups(asked)
    assert len(both[0]) == 8  # Keion and each of four others, either way round
    assert all("keion" in setup["factions"] for setup in both[0])
    everybody = Question("feint", "random", before, make_variant("feint", {}, ["box.hand=6"]))
    assert len(whatif.list_setups(everybody)[0]) == 20


def test_effects_are_differences_of_rounds() -> None:
    """There are two rounds of two deals. Keion wins 1 of 2 and 0 of 2 before, 2 of 2 and 1 of 2 after. So 25 % before,
    75 % after, +50 points in both rounds. Keion is one of four opponents, so Engineers lose a quarter of that."""
    pairs = PairedGames()
    won, lost = (1.0, 0.0), (0.0, 1.0)

    def row(round: int, setup: int, scores: tuple[float, ...]) -> Row:
        return Row(round, setup, ("keion", "engineers"), scores, "rounds", 10, 3, 0)

    pairs.before = [[row(0, 0, won), row(0, 1, lost)], [row(1, 0, lost), row(1, 1, lost)]]
    pairs.after = [[row(0, 0, won), row(0, 1, won)], [row(1, 0, lost), row(1, 1, won)]]
    effect = pairs.measure_effect("keion", lambda row: whatif.side_scores(row, "keion"))
    assert effect is not None
    assert (effect.before, effect.after, effect.difference, effect.games) == (0.25, 0.75, 0.5, 8)
    part = pairs.measure_effect("engineers", lambda row: whatif.side_scores(row, "engineers"), 0.25)
    assert part is not None
    assert (part.before, part.difference) == (None, -0.125)
    assert whatif.count_flips(pairs, "keion") == (0.5, 0.0, 0.5)


def began(first: int, sides: tuple[str, ...], scores: tuple[float, ...]) -> Row:
    """Return a game begun by this seat."""
    return Row(0, 0, sides, scores, "rounds", 10, 3, first)


def test_the_first_decider_is_reported_only_if_independent_of_the_side() -> None:
    """Wu begins against Keion from either seat, so that share would be Wu's. Against the Agents each begins once, and
    the starting side won 1 of 2, then 2 of 2."""
    settled = [began(0, ("wu", "keion"), (1.0, 0.0)), began(1, ("keion", "wu"), (0.0, 1.0))]
    turns = (0, ("agents", "keion")), (0, ("keion", "agents"))
    halves = [began(*turns[0], (1.0, 0.0)), began(*turns[1], (0.0, 1.0))]
    whole = [began(*turns[0], (1.0, 0.0)), began(*turns[1], (1.0, 0.0))]
    assert whatif.find_open_beginnings(PairedGames([settled] * 2, [settled] * 2)) == frozenset()
    pairs = PairedGames([settled + halves] * 2, [settled + whole] * 2)
    where = whatif.find_open_beginnings(pairs)
    assert where == {("agents", "keion")}
    effect = pairs.measure_effect("the seat that decides first", lambda row: whatif.first_scores(row, where))
    assert effect is not None
    assert (effect.before, effect.after) == (0.5, 1.0)
    alike = [began(0, ("seat 0", "seat 1"), (1.0, 0.0)), began(0, ("wu", "wu"), (1.0, 0.0))]
    assert whatif.find_open_beginnings(PairedGames([alike], [alike])) == {("seat 0", "seat 1"), ("wu", "wu")}


def test_a_precision_that_is_not_reached_says_how_many_games_it_takes() -> None:
    answer = whatif.compare_variants(question("patriot.strength=1", precision=0.001, most=200))
    assert answer.ended == LIMIT_REACHED
    half = answer.sides[0].half
    assert answer.needed == pytest.approx(answer.games * (half / 0.001) ** 2, rel=0.01)
    assert "was not reached" in "\n".join(format_lines(answer, {}))


def test_players_that_cannot_judge_are_refused() -> None:
    with pytest.raises(OptionError, match="cannot judge a change"):
        whatif.compare_variants(question("patriot.strength=5", players="expert"))
    with pytest.raises(OptionError, match="variants are identical"):
        whatif.compare_variants(question("patriot.strength=6"))
    with pytest.raises(OptionError, match="which no seat plays"):
        whatif.compare_variants(question("medic.strength=3"))
    with pytest.raises(OptionError, match="must have the same"):
        whatif.compare_variants(question("factions=wu,agents"))


def build_row(came: tuple[str, ...], scores: tuple[float, ...]) -> Row:
    """Return a game of three whose seats differ only in the cards dealt to them."""
    return Row(0, 0, ("seat 0", "seat 1", "seat 2"), scores, "depleted", 10, 3, 0, came)


def test_dealt_cards_distinguish_otherwise_equal_seats() -> None:
    """The Hall won alone, then shared with the Host: from 1 and 0 to a half each. The Watch was dealt in only one deal,
    so it has no figure."""
    before = [
        [build_row(("hall", "host", "watch"), (1.0, 0.0, 0.0))],
        [build_row(("host", "hall", "fleet"), (0.0, 1.0, 0.0))],
    ]
    after = [
        [build_row(("hall", "host", "watch"), (0.5, 0.5, 0.0))],
        [build_row(("host", "hall", "fleet"), (0.5, 0.5, 0.0))],
    ]
    pairs = PairedGames(before, after)
    sides = whatif.list_sides(pairs)
    assert sides == ["hall", "host", "watch", "fleet"]
    told = {effect.what: effect for effect in whatif.side_effects(pairs, sides, ["hall"])}
    assert (told["hall"].before, told["hall"].after, told["hall"].games) == (1.0, 0.5, 4)
    assert told["host"].difference == 0.5
    assert "watch" not in told  # of a single pair there is no interval
    often = PairedGames(before * 10, after * 10)
    met = {effect.what: effect.difference for effect in whatif.matchup_effects(often, ["hall"], sides) if effect}
    assert met == {"hall against host": -0.5, "hall against watch": -0.5, "hall against fleet": -0.5}


def test_a_change_of_a_goal_or_a_formation_is_reported_for_its_holders() -> None:
    for name, change, whose in (
        ("factionwars", "wild-west.bonus=40", ["wild-west"]),
        ("factionwars", "gambler.points=2", []),
        ("jinkei", 'sword-1a.rows=[".+2 . .", ". T .", "# . #"]', ["sword"]),
    ):
        before = make_variant(name, {})
        asked = Question(name, "random", before, make_variant(name, {}, [change]), 0.2, 160, 1)
        answer = whatif.compare_variants(asked)
        sides = [effect.what for effect in answer.sides]
        assert not any(side.startswith("seat") for side in sides)
        came = PairedGames([[build_row(("a", "b", "c"), (1.0, 0.0, 0.0))]], [])
        assert whatif.find_touched(asked, came, sides) == whose
        assert sides[: len(whose)] == whose


def test_the_estimated_rest_ends_at_the_limit() -> None:
    """With 100 s for 1,000 games, the 9,000 more that the precision needs would be 900 s, but the maximum is 2,000."""
    effect = whatif.Effect("wu", 1_000, 0.5, 0.5, 0.0, 0.1, 0.2, 1.0)
    assert whatif.Progress(effect, 1_000, 10_000, 2_000, 100.0).left == pytest.approx(100.0)
    assert whatif.Progress(effect, 1_000, 10_000, 20_000, 100.0).left == pytest.approx(900.0)


def test_no_more_games_are_played_than_were_allowed_but_for_the_last_block() -> None:
    """Five factions meet in twenty ways, so a block has two rounds: 80 games with both variants. Of 100 games the
    second block is the last, although there are too few rounds to count each separately."""
    question = Question(
        "feint", "random", make_variant("feint", {}), make_variant("feint", {}, ["end_round=6"]), most=100
    )
    answer = whatif.compare_variants(question)
    assert (answer.games, answer.ended) == (160, LIMIT_REACHED)
    assert all(effect.half > 0 for effect in answer.sides)


def test_a_choice_may_differ_between_the_variants() -> None:
    """Sword played the first deal both times and lost it the second time. In the second deal one seat had it, then
    both."""
    both, one = ("sword", "bow"), ("sword", "sword")

    def deal(scores: tuple[float, ...], came: tuple[str, ...]) -> list[Row]:
        return [Row(0, 0, ("seat 0", "seat 1"), scores, "battles", 10, 3, 0, came)]

    before, after = [deal((1.0, 0.0), both)] * 2, [deal((0.0, 1.0), both), deal((1.0, 0.0), one)]
    assert whatif.count_flips(PairedGames(before, after), "sword") == (0.0, 1.0, 0.0)
