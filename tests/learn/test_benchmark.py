"""The frozen benchmark: cards that are equal, cards that are refused, and what a leaderboard is made of."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice
from gonfalon.bots.network import Net, load, save
from gonfalon.cli import main
from gonfalon.core.errors import OptionError
from gonfalon.core.rng import Rng
from gonfalon.core.state import State
from gonfalon.learn.benchmark import board
from gonfalon.learn.benchmark.card import by_game, hash_of, read
from gonfalon.learn.benchmark.protocol import DECISIONS, PAIRS, VERSION

SCORE = {"score": 0.25, "low": 0.125, "high": 0.5}
ENTRY: dict[str, Any] = {
    "rules": "2",
    "cards": "x",
    "network": "n",
    "options": {},
    "pairs": PAIRS,
    "exploitability": {"tiny 0": 0.5},
    "against": dict.fromkeys(("random", "greedy", "club"), SCORE),
    "tasks": {
        "hash": "t",
        "tasks": 2,
        "loss": {"mean": 0.031, "low": 0.02, "high": 0.042},
        "loss to the end": {"mean": 0.04, "low": -0.01, "high": 0.09},
        "agreement": 0.5,
    },
    "response": {"decisions": DECISIONS, "pairs": PAIRS, "begun as": "", **SCORE},
}


def card(agent: str, entry: dict[str, Any] | None = None) -> dict[str, Any]:
    games = {"feint": ENTRY | (entry or {})}
    found = {"benchmark": VERSION, "seed": 1, "agent": agent, "file": "", "games": games}
    return {**found, "hash": hash_of(found), "machine": {"build": "compiled"}}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exploiter that learns from less at once."""
    monkeypatch.setattr("gonfalon.learn.benchmark.response.BATCH", 64)
    monkeypatch.setattr("gonfalon.learn.benchmark.response.PART", 32)
    monkeypatch.setattr("gonfalon.learn.benchmark.response.LANES", 2)


@pytest.mark.usefixtures("small")
def test_two_runs_write_equal_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / "one.json", tmp_path / "two.json"]
    asked = ["benchmark", "feint", "--agent", "random", "--pairs", "2", "--decisions", "100"]
    for path in paths:
        assert main([*asked, "--write", str(path)]) == 0
    one, two = (json.loads(path.read_text("utf-8")) for path in paths)
    assert one == two
    found = one["games"]["feint"]
    assert found["against"].keys() == {"random", "greedy", "club"}
    assert found["rules"] == "2"
    assert found["response"]["decisions"] == 100
    assert found["response"]["score"] > 0.5  # a trained network against chance
    assert one["hash"] == hash_of(one)
    capsys.readouterr()
    assert main(["benchmark", "board", *map(str, paths)]) == 0
    said = capsys.readouterr().out
    assert said.count("| random (2 deals, exploiter of 100 decisions) | ") == 2
    assert said.count(one["hash"]) == 2


@pytest.mark.usefixtures("small")
def test_an_exploiter_may_learn_against_somebody_quicker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The card and the leaderboard say so, and without it, or with somebody else, that card is not gone on with."""
    path = tmp_path / "card.json"
    asked = ["benchmark", "jinkei", "--agent", "casual", "--parts", "response", "--pairs", "2", "--decisions", "64"]
    asked += ["--write", str(path)]
    assert main([*asked, "--sparring", "random"]) == 0
    found = read(path)["games"]["jinkei"]["response"]
    assert found["learnt against"] == "random"
    assert found["begun as"] == "the player"
    assert main(["benchmark", "board", str(path)]) == 0
    assert "| casual (2 deals, exploiter of 64 decisions against random) | " in capsys.readouterr().out
    assert main(asked) == 2
    assert main([*asked, "--sparring", "gentle"]) == 2
    assert capsys.readouterr().err.count("with another sparring player") == 2
    assert main([*asked, "--sparring", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err


def test_a_sparring_player_from_a_file_is_told_by_its_hash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of the same name may be another player tomorrow."""
    path, sparring = tmp_path / "card.json", tmp_path / "sparring.npz"
    held = games.kind("feint").folder / "bots" / "network.npz"
    sparring.write_bytes(held.read_bytes())
    asked = ["benchmark", "feint", "--agent", "random", "--parts", "response", "--pairs", "2", "--decisions", "64"]
    asked += ["--sparring", str(sparring), "--write", str(path)]
    assert main(asked) == 0
    shown = sha256(held.read_bytes()).hexdigest()[:16]
    assert read(path)["games"]["feint"]["response"]["learnt against"] == f"{sparring} ({shown})"
    assert main(asked) == 0
    net = load(sparring)
    save(sparring, Net(net.policy, net.value, {**net.about, "made": "anew"}))
    assert main(asked) == 2
    assert "with another sparring player" in capsys.readouterr().err


def test_a_bot_that_has_changed_is_another_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two bots of one name had one card, and the second was told the first one's figures."""
    monkeypatch.syspath_prepend(str(tmp_path))
    code, path = tmp_path / "misers.py", tmp_path / "miser.json"
    code.write_text("from gonfalon.bots.uniform import RandomBot as Miser\n", "utf-8")
    asked = ["benchmark", "jinkei", "--parts", "exact", "--write", str(path)]
    own = "from gonfalon.bots.uniform import RandomBot\n\n\nclass Miser(RandomBot):\n    pass\n"
    code.write_text(own, "utf-8")
    assert main([*asked, "--agent", "misers:Miser"]) == 0
    assert read(path)["file"] == sha256(own.encode()).hexdigest()[:16]
    assert main([*asked, "--agent", "misers:Miser"]) == 0
    assert "all that was asked for stood there already" in capsys.readouterr().err
    code.write_text(own + "    # and now otherwise\n", "utf-8")
    assert main([*asked, "--agent", "misers:Miser"]) == 2
    assert "before the file of misers:Miser changed" in capsys.readouterr().err


@pytest.mark.long
def test_what_needs_no_deals_asks_for_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "card.json"
    asked = ["benchmark", "jinkei", "--agent", "random", "--write", str(path)]
    assert main([*asked, "--parts", "exact"]) == 0
    assert main([*asked, "--parts", "score", "--pairs", "2"]) == 0
    assert read(path)["games"]["jinkei"]["pairs"] == 2
    kept = path.read_bytes()
    capsys.readouterr()
    assert main([*asked, "--parts", "score", "--pairs", "3"]) == 2
    told = capsys.readouterr()
    assert "measured in jinkei with other pairs: 2, not 3." in told.err
    assert told.out == "", "nothing was written"
    assert path.read_bytes() == kept


@pytest.mark.parametrize("words", [["--html", "x.html"], ["--seed", "5"], ["--count", "3"], ["--parts", ""]])
def test_what_would_do_nothing_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "jinkei", *words]) == 2
    assert "gonfalon: " in capsys.readouterr().err


def test_parts_are_measured_alone(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    assert main(["benchmark", "feint", "--agent", "random", "--parts", "exact", "--write", str(path)]) == 0
    found = read(path)["games"]["feint"]
    assert "exploitability" in found
    assert not {"against", "response", "tasks"} & set(found)


def test_a_network_has_no_exact_figure_and_its_card_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tiny configurations have cards that it has not learnt. Nor has it learnt the other games."""
    network, path = tmp_path / "own.npz", tmp_path / "card.json"
    network.write_bytes((games.kind("feint").folder / "bots" / "network.npz").read_bytes())
    assert main(["benchmark", "--agent", str(network), "--parts", "exact", "--write", str(path)]) == 0
    said = capsys.readouterr().err
    assert "jinkei is left out" in said
    entries = read(path)["games"]
    assert list(entries) == ["feint"]
    why = "The network has not learnt the tiny configurations of Warriors of Jogu: Feint."
    assert entries["feint"]["left out"] == {"exact": why}
    assert said.count(why) == 1
    assert f"own.npz: {why}" in "\n".join(board.markdown([read(path)]))
    assert f"own.npz: {why}" in board.page([read(path), card("club", entries["feint"])])


def test_a_card_is_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    asked = ["benchmark", "feint", "--agent", "random", "--pairs", "2"]
    assert main([*asked, "--parts", "exact,tasks", "--write", str(once)]) == 0
    for part in ("tasks", "exact", "tasks"):
        assert main([*asked, "--parts", part, "--write", str(twice)]) == 0
    assert json.loads(once.read_text("utf-8")) == json.loads(twice.read_text("utf-8"))
    assert capsys.readouterr().err.count("decision tasks") == 2
    assert main(["benchmark", "feint", "--agent", "greedy", "--write", str(once)]) == 2
    assert "another player, random" in capsys.readouterr().err


def test_where_no_card_can_be_written_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "card.json"):
        assert main(["benchmark", "feint", "--agent", "random", "--write", str(path)]) == 2
        assert "folder" in capsys.readouterr().err


def test_a_page_shows_each_figure_with_its_interval_and_the_hash() -> None:
    cards = [card("club"), card("<b>", {"pairs": PAIRS + 1})]
    page = board.page(cards)
    assert page.count("25.0 % <small>(12.5 to 50.0)</small>") == 2 * 4
    assert page.count("3.1 points <small>(2.0 to 4.2)</small>") == 2
    assert "50 %" in page
    assert "0.500" in page
    for one in cards:
        assert one["hash"] in page
    assert f"&lt;b&gt; <small>{PAIRS + 1} deals</small>" in page
    assert "<b>best response</b>" in page
    few = board.page([card("club", {"response": None, "tasks": None})])
    assert "<b>best response</b>" not in few, "no such column is there"
    assert "<b>against</b>" in few
    assert "<script" not in page
    assert 'src="' not in page
    assert "url(" not in page


def test_the_better_score_comes_first() -> None:
    better = {"against": {"club": SCORE | {"score": 0.75}}}
    unscored = {"against": None, "tasks": ENTRY["tasks"] | {"loss": {"mean": 0.01, "low": 0.0, "high": 0.02}}}
    cards = [card("lossy", {"against": None}), card("careful", unscored), card("weak"), card("strong", better)]
    (entries,) = by_game(cards).values()
    assert [one["agent"] for one, _ in entries] == ["strong", "weak", "careful", "lossy"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"benchmark": VERSION + 5}, f"is of version {VERSION + 5} of the benchmark, and this is {VERSION}"),
        ({"agent": "expert"}, "was changed"),
        ({"games": None}, "was changed"),
    ],
)
def test_a_card_that_is_not_ours_is_refused(change: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    path.write_text(json.dumps(card("random")), "utf-8")
    assert read(path) == card("random")
    path.write_text(json.dumps(card("random") | change), "utf-8")
    with pytest.raises(OptionError, match=complaint):
        read(path)


@pytest.mark.parametrize(
    "change",
    [
        {"games": []},
        {"games": {"feint": 1}},
        {"games": {"feint": {}}},
        {"games": {"feint": ENTRY | {"against": {"club": 1}}}},
        {"games": {"feint": ENTRY | {"against": {"club": SCORE | {"low": None}}}}},
        {"games": {"feint": ENTRY | {"tasks": {"hash": ["t"]}}}},
        {"games": {"feint": ENTRY | {"pairs": "many"}}},
        {"games": {"feint": ENTRY | {"exploitability": {"tiny 0": "0.5"}}}},
        {"games": {"feint": ENTRY | {"left out": ["exact"]}}},
        {"agent": ["random"]},
        {"machine": 5},
    ],
)
def test_a_card_of_another_form_is_one_sentence(
    change: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever wrote it, with the hash that belongs to it."""
    path = tmp_path / "card.json"
    found = card("random") | change
    path.write_text(json.dumps(found | {"hash": hash_of(found)}), "utf-8")
    for words in (["board", str(path)], ["feint", "--agent", "random", "--parts", "exact", "--write", str(path)]):
        assert main(["benchmark", *words]) == 2
        assert capsys.readouterr().err.count("is no card of the benchmark") == 1


def test_what_was_measured_before_a_player_failed_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The part that went well is written, and printed where no file is named."""
    path = tmp_path / "card.json"
    asked = ["benchmark", "feint", "--agent", f"{__name__}:Tired", "--parts", "exact,score", "--pairs", "2"]
    assert main([*asked, "--write", str(path)]) == 2
    said = capsys.readouterr()
    assert said.err.count("is tired") == 1
    assert read(path)["games"]["feint"]["exploitability"]
    assert list(tmp_path.iterdir()) == [path]
    assert main(asked) == 2
    assert json.loads(capsys.readouterr().out) == read(path)


class Tired(Bot):
    """Answers in tiny games only."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        if not self.game.options["exact"]:
            raise ValueError("is tired")
        return Choice(view.legal(view.viewer)[0], "It comes first.")


def test_a_card_is_whole_at_every_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is killed while it is written leaves the one of before."""
    path = tmp_path / "card.json"
    asked = ["benchmark", "feint", "--agent", "random", "--write", str(path)]
    assert main([*asked, "--parts", "exact"]) == 0
    before = path.read_bytes()

    def killed(self: Path, body: bytes) -> int:
        with self.open("wb") as file:
            file.write(body[:40])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", killed)
    assert main([*asked, "--parts", "tasks"]) == 130
    assert path.read_bytes() == before


def test_where_a_card_cannot_lie_is_told_before_it_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nowhere" / "card.json"
    assert main(["benchmark", "feint", "--agent", "random", "--parts", "exact", "--write", str(path)]) == 2
    assert capsys.readouterr().err.splitlines() == [f"gonfalon: There is no folder {path.parent} to write into."]


@pytest.mark.parametrize("text", ["", "[]", "{}", "\xff"])
def test_what_is_no_card_is_one_sentence(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "card.json"
    path.write_text(text, "latin-1")
    assert main(["benchmark", "board", str(path)]) == 2
    assert "card" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rules": "3"}, "different rules"),
        ({"network": "m"}, "different rules, cards or networks"),
        ({"tasks": ENTRY["tasks"] | {"hash": "u"}}, "different decision tasks"),
    ],
)
def test_cards_of_other_rules_are_not_compared(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        board.markdown([card("random"), card("greedy", change)])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["jinkei", "--agent", "champion"], "champion"),
        (["jinkei", "--parts", "luck"], "no part 'luck'"),
        (["board"], "required: CARD. (`gonfalon benchmark board --help`"),
        (["tasks"], "required: GAME. (`gonfalon benchmark tasks --help`"),
        (["tasks", "chess"], "chess"),
        (["chess"], "chess"),
        (["jinkei", "--parts", ","], "no part ''"),
        (["jinkei", "--pairs", "0"], "number of deals"),
        (["jinkei", "--decisions", "0"], "number of decisions"),
        (["tasks", "jinkei", "--count", "0"], "number of tasks"),
        (["tasks", "jinkei", "--html", "page.html"], "--html page.html"),
        (["board", "card.json", "--pairs", "5"], "--pairs 5"),
        (["jinkei", "--count", "5"], "--count 5"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", *words]) == 2
    assert complaint in capsys.readouterr().err
