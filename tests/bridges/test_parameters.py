"""Options as parameters of OpenSpiel's game strings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

from gonfalon.bridges.openspiel import load  # noqa: E402
from gonfalon.bridges.openspiel.parameters import make_game, read_value  # noqa: E402
from gonfalon.core.basics.errors import OptionError  # noqa: E402
from gonfalon.core.rules.game import Option  # noqa: E402
from tests.stranger.gonfalon_duel import Duel  # noqa: E402


class Rich(Duel):
    """A game with an option of every sort."""

    name = "rich"
    options_spec = (
        *Duel.options_spec,
        Option("word", "itself", "", ""),
        Option("free", "", "", ""),
        Option("flag", False, "", ""),
        Option("either", 1, "", "", ((1, "one"), (2, "two"))),
        Option("names", ("a", "b"), "", ""),
        Option("lists", None, "", "", file=True),
        Option("nothing", None, "", ""),
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("word", "two words"),
        ("word", "True"),
        ("word", "a,b=(c)"),
        ("word", "Zhao Yün"),
        ("either", 2),
        ("names", ("wu", "mibits")),
        ("names", ("one/two", "three")),
        ("names", ("only",)),
        ("lists", {"form": 1, "cards": [{"name": "Öx", "text": "a, b = (c)"}]}),
        ("nothing", "7"),
    ],
)
def test_every_value_comes_back(name: str, value: Any) -> None:
    game = Rich(exact=True, **{name: value})
    again = load(game)
    assert again.game.options == game.options
    assert pyspiel.load_game(str(again)).game.options == game.options


def test_a_file_is_never_read_by_name(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_text("{}", "utf-8")
    with pytest.raises(OptionError, match="not its name"):
        make_game(Rich, {"lists": str(path)})


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        (Option("copies", (1, 2), "", ""), "1/x", "a list such as 1/2"),
        (Option("word", "a", "", ""), "~###", "damaged"),
        (Option("word", "a", "", ""), "~bm8", "damaged"),
    ],
)
def test_invalid_parameters_are_refused(option: Option, value: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        read_value(option, value)
