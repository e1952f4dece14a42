"""Bans: whether a client is excluded by its address, its device, or its link."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from gonfalon.table.links import hash_token
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.devices import read_device_key


def find_token(connection: HTTPConnection) -> str:
    """Return the token in the address of a table's page, or in the header of a program; empty if there is none."""
    path = connection.scope["path"].split("/")
    if path[1:2] == ["t"]:
        return path[3] if len(path) > 3 else ""
    return connection.headers.get("authorization", "").partition(" ")[2].strip()


def is_banned(connection: HTTPConnection) -> bool:
    """Return whether the operator has excluded a client."""
    state = services_of(connection).tables.state
    if not state.bans:
        return False
    key, token = read_device_key(connection), find_token(connection)
    host = connection.client.host if connection.client is not None else ""
    return state.is_banned(host, hash_token(key) if key else "", hash_token(token) if token else "")
