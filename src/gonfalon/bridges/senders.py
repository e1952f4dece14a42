"""All that the bridges send, for the laws of secrecy: `gonfalon check` holds them to the same laws as
the core. Each function takes a full state and a viewer, and gives as text whatever a program that plays
for this viewer can get hold of."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary
from zlib import crc32

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.picture import of_state
from gonfalon.core.rules.state import State

if TYPE_CHECKING:
    from gonfalon.bridges.openspiel.position import Position

REFUSED: Final = 12
"""Of so many actions, evenly spread over all, the reasons of refusals are sent."""
Sender = Callable[[Game, State, int], dict[str, str]]


def pictures(game: Game, state: State, viewer: int) -> dict[str, str]:
    """What notebooks show."""
    view = state.mask(viewer)
    view.rules = game
    picture = of_state(view)
    return {"picture": picture.svg() if picture else ""}


def openspiel() -> Sender:
    """Observation strings and tensors of every kind, structs, legal actions."""
    import pyspiel

    from gonfalon.bridges.numbers import Numbers
    from gonfalon.bridges.openspiel.observer import Observer
    from gonfalon.bridges.openspiel.position import Home, Position
    from gonfalon.bridges.openspiel.structs import observation

    private = pyspiel.PrivateInfoType
    kinds = [
        (public, who, recall)
        for public in (True, False)
        for who in (private.SINGLE_PLAYER, private.NONE)
        for recall in (False, True)
    ]
    homes: WeakKeyDictionary[Game, Home] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        home = homes.get(game)
        if home is None:
            home = homes[game] = Home(game, Numbers(game))
        out = {}
        for public, who, recall in kinds:
            if viewer < 0 and who == private.SINGLE_PLAYER:
                continue
            observer = Observer(home, pyspiel.IIGObservationType(recall, public, who))
            holder = Holder(Position(home, state))
            observer.set_from(holder, viewer)
            what = f"of OpenSpiel (public={public}, private={who}, recall={recall})"
            out[f"string {what}"] = observer.string_from(holder, viewer)
            out[f"tensor {what}"] = observer.tensor.tobytes().hex()
        if viewer >= 0:
            out["struct of OpenSpiel"] = observation(game, state.mask(viewer)).to_json()
        return out

    return send


class Holder:
    """What an observer wants to see of a state of OpenSpiel."""

    def __init__(self, position: Position) -> None:
        self.position = position


def pettingzoo() -> Sender:
    """Observations with masks, infos, renderings."""
    from gonfalon.bridges.pettingzoo import parallel_env, raw_env

    tables: WeakKeyDictionary[Game, list[raw_env | parallel_env]] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        if game not in tables:
            tables[game] = [raw_env(game), parallel_env(game)]
        out = {}
        for name, table in zip(("one by one", "in parallel"), tables[game], strict=True):
            table.reset(seed=1)
            table.session.state = state
            if viewer >= 0:
                seen = table.observe(table.possible_agents[viewer])
                out[f"observation of PettingZoo {name}"] = " ".join(value.tobytes().hex() for value in seen.values())
            out[f"text of PettingZoo {name}"] = table.session.render("ansi", viewer)
        # Pixels come from the picture alone and cost much: some pictures will do.
        if crc32(pictures(game, state, viewer)["picture"].encode()) % 8 == 0:
            pixels = tables[game][0].session.render("rgb_array", viewer)
            out["pixels of PettingZoo"] = blake2b(pixels.tobytes()).hexdigest()
        return out

    return send


def gymnasium() -> Sender:
    """Observations, infos with masks and refusals, renderings."""
    from gonfalon.bridges.gymnasium import SeatEnv

    tables: WeakKeyDictionary[Game, list[SeatEnv]] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        if viewer < 0:
            return {}
        if game not in tables:
            tables[game] = [SeatEnv(game, seat, render_mode="ansi") for seat in range(game.seats)]
        table = tables[game][viewer]
        table.session.state = state
        seen, info = table.look()
        masks = [info["action_mask"].tolist(), table.action_masks().tolist()]
        actions = table.session.numbers.actions
        refusals = [table.session.refusal(viewer, action) for action in actions[:: len(actions) // REFUSED + 1]]
        return {
            "observation of Gymnasium": seen.tobytes().hex(),
            "info of Gymnasium": json.dumps([sorted(info), masks, refusals]),
            "text of Gymnasium": table.render(),
        }

    return send


def lanes() -> Sender:
    """What `gonfalon.vector` writes: each seat's view and last row, and for the seat that is asked mask and candidates
    too."""
    from gonfalon.bridges.numbers import Numbers
    from gonfalon.core.arrays.lanes import LEARNER, Lanes

    found: WeakKeyDictionary[Game, Lanes] = WeakKeyDictionary()

    def send(game: Game, state: State, viewer: int) -> dict[str, str]:
        if viewer < 0:
            return {}
        if game not in found:
            numbers = Numbers(game)
            table = Lanes(game.start(), numbers.layout.writer, numbers.size, [[LEARNER] * game.seats], 0, 1, True)
            table.rows, table.masks, table.room = bytearray(numbers.size), bytearray(numbers.count), 32
            table.candidates = bytearray(2 * table.room)
            table.views = bytearray(game.seats * numbers.size)
            found[game] = table
        table = found[game]
        asked = state.clone()
        asked.turn, asked.actions = viewer, state.legal(viewer)
        table.states[0] = asked
        out = {"last row of the vector": table.row_of(0, viewer).hex()}
        table.write_views(0)
        out["view of the vector"] = table.views[viewer * table.size : (viewer + 1) * table.size].hex()
        if asked.actions:
            table.show(0)
            shown = [table.rows.hex(), table.masks.hex(), table.candidates.hex(), *table.turns, *table.counts]
            out["arrays of the vector"] = " ".join(map(str, shown))
        return out

    return send


def senders() -> list[Sender]:
    """Those of the bridges whose extras are installed."""
    found: list[Sender] = [pictures]
    for make, needs in (
        (lanes, ("numpy",)),
        (openspiel, ("numpy", "pyspiel")),
        (pettingzoo, ("numpy", "pettingzoo", "gymnasium", "PIL")),
        (gymnasium, ("numpy", "gymnasium", "PIL")),
    ):
        if all(find_spec(name) for name in needs):
            found.append(make())
    return found
