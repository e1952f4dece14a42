"""The sets of cards that a server offers at all tables: `serve --cards`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from gonfalon.web.server.house_sets import HouseSetError, read_house_sets


def write(folder: Path, name: str, text: str) -> str:
    """Write a file and return its path."""
    (folder / name).write_text(text)
    return str(folder / name)


def test_the_game_is_named_before_the_file_or_in_it(tmp_path: Path) -> None:
    lines = write(tmp_path, "hard.txt", "patriot.strength = 9\n")
    file = write(tmp_path, "long.toml", 'form = 1\ngame = "feint"  # ours\nname = "Long game"\n[box]\nmorale = 30\n')
    found = read_house_sets([f"feint={lines}", file])
    # A set without a name is named after its file.
    assert [one.name for one, _ in found.values()] == ["hard", "Long game"]
    assert [[change.path for change in one.changes] for one, _ in found.values()] == [
        ["patriot.strength"],
        ["box.morale"],
    ]


def test_the_faults_of_all_files_are_reported(tmp_path: Path) -> None:
    nameless = write(tmp_path, "a.txt", "patriot.strength = 9")
    faulty = write(tmp_path, "b.txt", 'game = "feint"\npatriot.strength = 99\npatriott.morale = 1')
    missing = str(tmp_path / "c.txt")
    with pytest.raises(HouseSetError) as raised:
        read_house_sets([nameless, faulty, f"feint={missing}"])
    first, second, third = str(raised.value).split("\n")
    assert first.startswith(f"{nameless} does not name its game.")
    assert "Line 2: Faction 'keion', card 'patriot': strength must be from 0 to 20, not 99" in second
    assert "Line 3: " in second
    assert third == f"The card file {missing} cannot be read: No such file or directory."


@pytest.mark.parametrize(
    ("word", "text", "said"),
    [
        ("chess={}", "patriot.strength = 9", "There is no game 'chess'."),
        ("feint={}", "patriot.strength = 6", "{} does not differ from the standard cards of Warriors of Jogu: Feint."),
        (
            "feint={}",
            "form = 1\n[[neutral]]\n",
            "{0}: This looks like a card file of Faction Wars. Write factionwars={0}.",
        ),
        (
            "jinkei={}",
            "patriott.x = 1\nzork = 2",
            "{}: Line 1: The data of Jinkei have no card or table 'patriott'. Line 2: ",
        ),
    ],
)
def test_a_set_that_cannot_be_offered_is_explained(tmp_path: Path, word: str, text: str, said: str) -> None:
    file = write(tmp_path, "a.txt", text)
    with pytest.raises(HouseSetError) as raised:
        read_house_sets([word.format(file)])
    assert str(raised.value).startswith(said.format(file))


def test_two_sets_need_two_names(tmp_path: Path) -> None:
    file = write(tmp_path, "a.txt", "patriot.strength = 9")
    with pytest.raises(HouseSetError, match=r"Two sets of cards for feint are called a\."):
        read_house_sets([f"feint={file}", f"feint={file}"])


def test_the_form_offers_the_house_sets_to_all(own_client: TestClient, tmp_path: Path) -> None:
    file = write(tmp_path, "a.txt", 'name = "Club night"\npatriot.strength = 9')
    store = own_client.app.state.services.tables.store  # type: ignore[attr-defined]
    (id,) = store.set_house_sets(read_house_sets([f"feint={file}"]), time.time()).values()
    form = own_client.get("/games/feint/new").text
    assert f'name="set" value="{id}"' in form
    assert "Club night" in form
    page = own_client.get(f"/cards/{id}/").text
    assert "<h1>Club night</h1>" in page
    assert "This server offers the set at all tables." in page
    table = own_client.post("/tables", data={"game": "feint", "opponent": "bot:gentle", "set": id})
    assert "Club night: 1 change" in own_client.get(table.headers["location"]).text
