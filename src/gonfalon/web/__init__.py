"""The web server: pages, live updates and the public API over the live tables."""

from __future__ import annotations

from gonfalon.web.server.application import create_app
from gonfalon.web.server.check_pages import read_table_page
from gonfalon.web.server.server import serve

__all__ = ["create_app", "read_table_page", "serve"]
