"""`gonfalon bot create`, `list`, `token` and `remove`: the accounts in a database."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.table import Store
from gonfalon.table.accounts import AcceptRules
from gonfalon.table.links import hash_token
from tests.cli.conftest import Run


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The database of a server that has been started once."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    Store(url).close()
    return url


@pytest.mark.parametrize(
    "words",
    [
        *(
            ("bot", task, *given)
            for task, given in (("create", ["R"]), ("list", []), ("token", ["R"]), ("remove", ["R"]))
        ),
        *(("admin", task) for task in ("tables", "bans", "reports", "notice", "link")),
        *(("admin", task, "abcdef") for task in ("show", "close", "ban", "unban", "reports")),
        ("admin", "export", "abcdef", "record.json"),
        ("admin", "rename", "abcdef", "0", "May"),
        ("admin", "maintenance", "on"),
        *(("database", task) for task in ("current", "upgrade", "downgrade")),
        ("backup", "backup.json"),
    ],
    ids=" ".join,
)
def test_only_a_server_creates_a_database(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "nosuch.db"
    code, out, err = run(*words, "--database", f"sqlite:///{file}")
    assert (code, out) == (2, "")
    assert "There is no database" in err
    assert "`gonfalon serve` creates it." in err
    assert not file.exists()
    if words[0] in ("bot", "admin"):
        file.touch()
        code, _, err = run(*words, "--database", f"sqlite:///{file}")
        assert code == 2
        assert "This database has no tables yet." in err


def test_an_account_is_created_listed_and_removed(run: Run, database: str) -> None:
    given = ("--games", "feint,jinkei", "--seats", "2", "--clocks", "none", "--tables", "1", "--ask")
    code, out, err = run("bot", "create", "Rook", "--about", "Plays fast.", *given, "--database", database)
    assert (code, err) == (0, "")
    token = out.split()[-1]
    store = Store(database)
    (account,) = store.list_accounts()
    store.close()
    assert account.token == hash_token(token)
    assert account.rules == AcceptRules(("feint", "jinkei"), (2,), "none", False, 1, True)
    code, out, _ = run("bot", "list", "--database", database)
    rules = "feint and jinkei, 2 players, without a clock, 1 table at once, the program answers each challenge"
    assert out == f"Rook: {rules}. Plays fast.\n"
    assert token not in out
    code, out, _ = run("bot", "token", "Rook", "--database", database)
    assert code == 0
    assert out.split()[-1] != token
    code, out, _ = run("bot", "remove", "Rook", "--database", database)
    assert (code, out) == (0, "The account Rook is deleted.\n")
    code, out, _ = run("bot", "list", "--database", database)
    assert out == "There are no bot accounts. Create one with `gonfalon bot create NAME`.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("create", "Rook", "--seats", "two"), "Numbers of seats are written like 2,3"),
        (("create", "Rook", "--games", "chess"), "chess"),
        (("create", "\u200b"), "Choose a name of at most 14 visible letters"),
        (("create", "Rook", "--about", "x" * 121), "at most 120 characters"),
        (("token", "Rook"), "no bot account with the name Rook"),
        (("remove", "Rook"), "no bot account with the name Rook"),
    ],
)
def test_a_refusal_is_one_sentence(run: Run, database: str, words: tuple[str, ...], sentence: str) -> None:
    code, out, err = run("bot", *words, "--database", database)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_bot_needs_a_token_and_a_server(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GONFALON_BOT_TOKEN", raising=False)
    code, _, err = run("bot", "run", "random", "--server", "http://127.0.0.1:1")
    assert code == 2
    assert "--token" in err
    code, _, err = run("bot", "run", "random", "--server", "ftp://127.0.0.1", "--token", "x")
    assert code == 2
    assert "is not the address of a server" in err
