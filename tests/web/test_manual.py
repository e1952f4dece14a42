"""The documentation is served at /docs if it has been built. Otherwise the page says how to build it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from gonfalon.table import Tables
from gonfalon.web import create_app
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.shared.guard import CSP
from tests.web.conftest import kinds


def visit(tables: Tables, address: str) -> tuple[int, str, str]:
    """Return the status, text and policy of a page."""
    with TestClient(create_app(tables, kinds(), Limits(0))) as client:
        answer = client.get(address)
    return answer.status_code, answer.text, answer.headers["content-security-policy"]


def test_it_is_served_under_the_strict_policy(
    own_tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "learn").mkdir()
    (tmp_path / "index.html").write_text("<h1>Welcome</h1>", "utf-8")
    (tmp_path / "learn" / "play.html").write_text("<h1>Play</h1>", "utf-8")
    monkeypatch.setenv("GONFALON_DOCS", str(tmp_path))
    assert visit(own_tables, "/docs") == (200, "<h1>Welcome</h1>", CSP)
    assert visit(own_tables, "/docs/learn/play.html") == (200, "<h1>Play</h1>", CSP)
    assert visit(own_tables, "/docs/learn/none.html")[0] == 404
    assert visit(own_tables, "/docs/%2e%2e/tables.db")[0] == 404


@pytest.mark.parametrize("address", ["/docs", "/docs/learn/play.html"])
def test_unbuilt_it_says_how_to_build_it(
    own_tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("GONFALON_DOCS", str(tmp_path / "nowhere"))
    status, text, _ = visit(own_tables, address)
    assert status == 200
    assert "make docs" in text


def test_its_pictures_are_shown_where_the_system_does_not_know_their_type() -> None:
    """Python 3.11 knows WebP only from the system's files, and a browser does not show an image sent as text."""
    script = (
        "import mimetypes as m; m.knownfiles.clear(); import gonfalon.web.server.manual;"
        "print(m.guess_type('a.webp')[0])"
    )
    asked = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "image/webp"
