"""This device's shares of proved deals, and the copy of the game that is compared with the record."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from gonfalon.core.files import proof
from gonfalon.core.files.verify import FORMAT
from gonfalon.core.folders import locate_data
from gonfalon.terminal.games.server import Json, Remote, ServerError

SEAL_PATTERN: Final = re.compile(r"[0-9a-f]{64}")
"""A commitment in hexadecimal digits."""


class Shares:
    """The shares of one seat at one table, one for each attempt, in files that `gonfalon verify --mine` reads."""

    def __init__(self, remote: Remote) -> None:
        self.remote: Remote = remote

    def send_share(self, view: Json) -> None:
        """Send a sealed share, and open it once all seats have sealed theirs.

        Args:
            view: The table, as the API returns it.

        Raises:
            ServerError: The server refuses.
            ServerAwayError: The server does not answer.
        """
        told, seat = view["proof"], view["viewer"]
        if (
            view["stage"] != "waiting"
            or not told
            or type(seat) is not int
            or not SEAL_PATTERN.fullmatch(told["commitment"])
        ):
            return
        committed, attempt, row = told["commitment"], told["attempt"], told["seats"][seat]
        kept = self.read(committed)
        share = dict(kept.get("shares", [])).get(seat)
        if not told["opening"] and not row["said"]:
            share = share or secrets.token_hex(32)
            self.write(committed, {"game": view["game"], "attempt": attempt, "shares": [[seat, share]]})
            self.post({"attempt": attempt, "closed": proof.hash_share(committed, seat, share)})
        elif (
            told["opening"]
            and share
            and not row["opened"]
            and row["closed"] == proof.hash_share(committed, seat, share)
        ):
            shut = [one["closed"] for one in told["seats"]]
            self.write(committed, {**kept, "closed": shut, "setup": told["setup"]})
            self.post({"attempt": attempt, "opened": share})

    def post(self, body: Mapping[str, object]) -> None:
        """Post a share. A refusal is ignored, because the next view shows whether it came too late."""
        with suppress(ServerError):
            self.remote.ask("/share", body)

    def save_game(self, view: Json) -> Path | None:
        """Save the game as a view shows it, if this device has a share in its deal.

        Returns:
            The path of the file; None without a share.
        """
        told, seat = view["proof"], view["viewer"]
        if (
            view["stage"] == "waiting"
            or not told
            or view["decided"] is None
            or not SEAL_PATTERN.fullmatch(told["commitment"])
        ):
            return None
        kept = self.read(told["commitment"])
        if not kept:
            return None
        game = {"seat": seat, "names": view["names"], "decisions": view["decided"]}
        log = {"log": [line["text"] for line in view["log"]], "over": view["over"] is not None}
        self.write(told["commitment"], {**kept, "told": [game | log]})
        return self.path(told["commitment"])

    def path(self, committed: str) -> Path:
        """Return the path of the file of a deal."""
        return locate_data("shares", f"{committed[:32]}.json")

    def read(self, committed: str) -> Json:
        """Return the saved data of a deal; empty if there is none, or if it is damaged."""
        try:
            found = json.loads(self.path(committed).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) and found.get("commitment") == committed else {}

    def write(self, committed: str, kept: Mapping[str, object]) -> None:
        """Save data of a deal in a file that other users cannot read."""
        path = self.path(committed)
        # The share decides the deal, so only this user may read it, and a crash must not leave half a file.
        part = path.with_suffix(".part")
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump({"format": FORMAT, "commitment": committed, **kept}, file, ensure_ascii=False)
            part.replace(path)
