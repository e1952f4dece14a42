"""`gonfalon deck` accepts files, slugs and share codes, and rejects anything else with one sentence."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.games.generals.cards import files
from gonfalon.games.generals.cards.decks import GeneralsDecks
from tests.cli.conftest import GROUP, Run

DECKS = GeneralsDecks(files.load())
WEI = DECKS.ready()[0]
FILE = DECKS.text(WEI)


@pytest.fixture(autouse=True)
def _decked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a game with decks, one without, and one that cannot be loaded."""
    found = {
        "bids": EntryPoint("bids", "tests.cli.bids:Bids", GROUP),
        "broken": EntryPoint("broken", "tests.cli.missing:Missing", GROUP),
        "decked": EntryPoint("decked", "tests.cli.decked:Decked", GROUP),
    }
    monkeypatch.setattr(games, "_find_entry_points", lambda: found)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.deck"
    path.write_text(FILE, encoding="utf-8")
    return path


def refused(answer: tuple[int, str, str], *words: str) -> None:
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.startswith("gonfalon: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    for word in words:
        assert word in err


# ---- check ----------------------------------------------------------------------------------------------------------


def test_a_legal_deck_is_called_legal_in_all_three_forms(run: Run, file: Path) -> None:
    for form in (file, "vanguard-of-wei", DECKS.code(WEI)):
        code, out, err = run("deck", "check", form)
        assert (code, err) == (0, "")
        assert "legal; cards in RESOURCE 52; commandment Siegecraft; factions Wei; hand limit 10" in " ".join(
            out.split()
        )
        assert all(len(line) <= 80 for line in out.splitlines())


def test_all_faults_of_a_deck_are_listed(run: Run, file: Path) -> None:
    file.write_text("Name: Draft\n4 Cao Cao\n1 Xu Chou\n", encoding="utf-8")
    code, out, err = run("deck", "check", file)
    assert (code, err) == (1, "")
    said = " ".join(out.split())
    assert said.startswith("Draft: not legal")
    for fault in (
        "Line 3: There is no card 'Xu Chou'; did you mean Xu Chu?",
        "Add at least 36 cards",
        "Remove 1 of the 4 copies of Cao Cao",
        "Add a Commandment",
    ):
        assert f"- {fault}" in said


# ---- show and code --------------------------------------------------------------------------------------------------


def test_show_writes_a_deck_file_and_its_figures(run: Run) -> None:
    code, out, err = run("deck", "show", "vanguard-of-wei")
    assert (code, err) == (0, "")
    assert out.startswith(FILE)
    assert f"\n# Share code (the cards, without the name): {DECKS.code(WEI)}\n" in out
    assert "RESOURCE cards by cost" in out


def test_the_output_of_show_is_valid_input(run: Run, tmp_path: Path) -> None:
    """The complete output is valid input."""
    deck, path = "red-cliffs", tmp_path / "again.deck"
    path.write_text(run("deck", "show", deck, "--hold", "Zhou Yu")[1], encoding="utf-8")
    assert run("deck", "code", path)[1] == run("deck", "code", deck)[1]
    assert run("deck", "check", path) == run("deck", "check", deck)


def test_show_json(run: Run) -> None:
    code, out, _ = run("deck", "show", "vanguard-of-wei", "--json", "--hold", "W01")
    shown = json.loads(out)
    assert code == 0
    assert shown["cards"] == WEI.counts
    assert shown["code"] == DECKS.code(WEI)
    assert (shown["size"], shown["faults"], shown["facts"]["Hand limit"]) == (52, [], "10")
    assert shown["hold"]["first"]["1"] == pytest.approx(1 - 47 * 46 * 45 / (52 * 51 * 50))


def test_code_prints_the_code_alone(run: Run, file: Path) -> None:
    assert run("deck", "code", file) == (0, DECKS.code(WEI) + "\n", "")
    assert run("deck", "code", DECKS.code(WEI).upper()) == (0, DECKS.code(WEI) + "\n", "")


# ---- nonsense -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("deck check red-clifs", ["'red-clifs'", "did you mean red-cliffs?"]),
        ("deck show nothing", ["There is no deck 'nothing'", "vanguard-of-wei"]),
        ("deck code 12n581hztr68g0jqx7w1h5w0z7vqexmxggy2aqw", ["typing error"]),
        ("deck check missing.deck", ["There is no file missing.deck"]),
        ("deck check .", [". is a folder"]),
        ("deck show red-cliffs --hold cao-cao", ["Cao Cao is not in this deck"]),
        ("deck list --game bids", ["has no decks"]),
    ],
)
def test_invalid_decks_give_one_sentence(run: Run, line: str, words: list[str]) -> None:
    refused(run(*line.split()), *words)


def test_files_that_are_no_decks(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bytes.deck").write_bytes(b"\xff\xfe\x00")
    refused(run("deck", "check", tmp_path / "bytes.deck"), "not UTF-8 text")
    (tmp_path / "prose.txt").write_text("It was a dark and stormy night.\n")
    refused(run("deck", "check", tmp_path / "prose.txt"), "contains no cards", "Line 1")
    (tmp_path / "large.deck").write_bytes(b" " * ((1 << 20) + 1))
    refused(run("deck", "check", tmp_path / "large.deck"), "larger than 1 MB")


def test_a_link_is_a_deck_and_so_is_a_file_with_a_link_or_a_code(run: Run, file: Path) -> None:
    link = f"https://example.org/games/decked/decks/build{DECKS.link(WEI)}"
    code = (0, DECKS.code(WEI) + "\n", "")
    assert run("deck", "code", link) == code
    for text in (link, DECKS.code(WEI), f"  {DECKS.code(WEI)[:20]}\n{DECKS.code(WEI)[20:]}\n"):
        file.write_text(text, encoding="utf-8")
        assert run("deck", "code", file) == code


def test_the_link_of_a_deck_is_printed_with_its_qr_code(run: Run) -> None:
    link = f"https://example.org/games/decked/decks/build?d={DECKS.code(WEI)}&name=Vanguard+of+Wei"
    words = ("deck", "link", "vanguard-of-wei", "--server", "https://example.org/")
    assert run(*words) == (0, f"{link}\n", "")
    code, out, _ = run(*words, "--qr")
    assert code == 0
    assert out.startswith(f"{link}\n")
    assert "█▀▀▀▀▀█" in out or "▄▄▄▄▄" in out
    assert run("deck", "code", link) == (0, DECKS.code(WEI) + "\n", "")


def test_unreadable_lines_are_not_dropped_from_a_code(run: Run, file: Path) -> None:
    file.write_text("3 Cao Cao\n3 Xu Chou\n1 Lu Boo\n", encoding="utf-8")
    refused(run("deck", "code", file), "Xu Chou", "Lu Boo")
    refused(run("deck", "show", file), "Xu Chou", "Lu Boo")
