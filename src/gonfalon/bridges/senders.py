"""Everything that the bridges output, for the laws of secrecy in `gonfalon check`.

Each sender takes a full state and a viewer, and returns as text everything that a program playing for this viewer can
obtain.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary
from zlib import crc32

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.picture import draw_state
from gonfalon.core.rules.state import State

if TYPE_CHECKING:
    from gonfalon.bridges.openspiel.position import Position

MAX_REFUSALS: Final = 12
"""Number of actions, evenly spread over all, whose refusals are checked."""
ROOM: Final = 32
"""Maximum number of candidates."""
Sender = Callable[[Game, State, int], dict[str, str]]
"""A function that returns named outputs for a viewer of a state."""


def send_pictures(game: Game, state: State, viewer: int) -> dict[str, str]:
    """Return the picture shown in notebooks."""
    view = state.mask(viewer)
    view.rules = game
    picture = draw_state(view)
    return {"picture": picture.svg() if picture else ""}


def openspiel_sender() -> Sender:
    """Return a sender of observation strings and tensors of every kind."""
    import pyspiel

    from gonfalon.bridges.numbers import Numbers
    from gonfalon.bridges.openspiel.observer import Observer
    from gonfalon.bridges.openspiel.position import Position, SharedData

    private = pyspiel.PrivateInfoType
    kinds = [
        (public, who, recall)
        for public in (True, False)
        for who in (private.SINGLE_PLAYER, private.NONE)
        for recall in (False, True)
    ]
    homes: WeakKeyDictionary[Game, SharedData] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        home = homes.get(game)
        if home is None:
            home = homes[game] = SharedData(game, Numbers(game))
        out = {}
        for public, who, recall in kinds:
            if viewer < 0 and who == private.SINGLE_PLAYER:
                continue
            observer = Observer(home, pyspiel.IIGObservationType(recall, public, who))
            holder = StateHolder(Position(home, state))
            observer.set_from(holder, viewer)
            what = f"of OpenSpiel (public={public}, private={who}, recall={recall})"
            out[f"string {what}"] = observer.string_from(holder, viewer)
            out[f"tensor {what}"] = observer.tensor.tobytes().hex()
        return out

    return send


class StateHolder:
    """A state of OpenSpiel, as far as observers need it."""

    def __init__(self, position: Position) -> None:
        self.position = position


def pettingzoo_sender() -> Sender:
    """Return a sender of observations with masks, infos and renderings."""
    from gonfalon.bridges.pettingzoo import parallel_env, raw_env

    tables: WeakKeyDictionary[Game, list[raw_env | parallel_env]] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        if game not in tables:
            tables[game] = [raw_env(game), parallel_env(game)]
        out = {}
        for name, table in zip(("one by one", "in parallel"), tables[game], strict=True):
            table.reset(seed=1)
            table.session.full_state = state
            if viewer >= 0:
                seen = table.observe(table.possible_agents[viewer])
                out[f"observation of PettingZoo {name}"] = " ".join(value.tobytes().hex() for value in seen.values())
            out[f"text of PettingZoo {name}"] = table.session.render("ansi", viewer)
        # Pixels follow from the picture alone and are slow, so one picture in eight is enough.
        if crc32(send_pictures(game, state, viewer)["picture"].encode()) % 8 == 0:
            pixels = tables[game][0].session.render("rgb_array", viewer)
            out["pixels of PettingZoo"] = blake2b(pixels.tobytes()).hexdigest()
        return out

    return send


def gymnasium_sender() -> Sender:
    """Return a sender of observations, infos with masks and refusals, and renderings."""
    from gonfalon.bridges.gymnasium import SeatEnv

    tables: WeakKeyDictionary[Game, list[SeatEnv]] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        if viewer < 0:
            return {}
        if game not in tables:
            tables[game] = [SeatEnv(game, seat, render_mode="ansi") for seat in range(game.seats)]
        table = tables[game][viewer]
        table.session.full_state = state
        seen, info = table.look()
        masks = [info["action_mask"].tolist(), table.action_masks().tolist()]
        actions = table.session.numbers.actions
        refusals = [table.session.refusal(viewer, action) for action in actions[:: len(actions) // MAX_REFUSALS + 1]]
        return {
            "observation of Gymnasium": seen.tobytes().hex(),
            "info of Gymnasium": json.dumps([sorted(info), masks, refusals]),
            "text of Gymnasium": table.render(),
        }

    return send


def vector_sender() -> Sender:
    """Return a sender of the arrays of `gonfalon.vector`.

    They are each seat's view and last row, and for the deciding seat also its mask and candidates.
    """
    from gonfalon.bridges.numbers import Numbers
    from gonfalon.core.arrays.lanes import LEARNER, Lanes, make_memory

    found: WeakKeyDictionary[Game, Lanes] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        if viewer < 0:
            return {}
        if game not in found:
            numbers = Numbers(game)
            table = Lanes(game.start(), numbers.layout.writer, numbers.size, [[LEARNER] * game.seats], 0, 1, True)
            size, masked = numbers.size, (1 + game.seats) * numbers.size
            starts = {"observations": 0, "views": size, "masks": masked, "candidates": masked + numbers.count}
            table.write_into(make_memory(masked + numbers.count + 2 * ROOM), starts, ROOM, 0)
            found[game] = table
        table = found[game]
        asked = state.clone()
        asked.turn, asked.actions = viewer, state.legal(viewer)
        table.states[0] = asked
        out = {"last row of the vector": table.row_of(0, viewer).hex()}
        table.write_views(0)
        size = table.size
        out["view of the vector"] = bytes(memoryview(table.block))[(1 + viewer) * size : (2 + viewer) * size].hex()
        if asked.actions:
            table.show(0)
            block = bytes(memoryview(table.block))
            shown = [block[:size].hex(), block[(1 + game.seats) * size :].hex(), *table.turns, *table.counts]
            out["arrays of the vector"] = " ".join(map(str, shown))
        return out

    return send


def available_senders() -> list[Sender]:
    """Return the senders of the bridges whose extras are installed."""
    found: list[Sender] = [send_pictures]
    for make, needs in (
        (vector_sender, ("numpy",)),
        (openspiel_sender, ("numpy", "pyspiel")),
        (pettingzoo_sender, ("numpy", "pettingzoo", "gymnasium", "PIL")),
        (gymnasium_sender, ("numpy", "gymnasium", "PIL")),
    ):
        if all(find_spec(name) for name in needs):
            found.append(make())
    return found
