"""Laws of copies, replays and records: the same decisions make the same game."""

from __future__ import annotations

import json
from typing import Any

from gonfalon.check.flow import raised
from gonfalon.check.law import Broken, Law
from gonfalon.check.observe import differing, frozen, viewers, who
from gonfalon.check.play import Bench, Case, finish
from gonfalon.core.cards import HIDDEN, KIND
from gonfalon.core.errors import GonfalonError
from gonfalon.core.game import Game
from gonfalon.core.record import load
from gonfalon.core.rng import Rng
from gonfalon.core.state import State


def clones(bench: Bench, case: Case) -> int:
    """Clones equal their original, and whatever happens to one does not touch the other."""
    rng = case.rng("clone")
    picks = set(case.picks(rng, 4))
    state = case.game.start(log=True)
    checked = 0
    for at in range(len(case.states)):
        if at in picks:
            checked += 1
            clone_once(case, at, state, rng, deep=checked == 1)
        if at < len(case.decisions):
            state.apply(*case.decisions[at])
    return checked


def clone_once(case: Case, at: int, state: State, rng: Rng, deep: bool) -> None:
    """One position, cloned and masked."""
    dump, picture = state.dump(), frozen(state, deep)
    twin = state.clone()
    if type(twin) is not type(state):
        raise Broken("a clone is of another class", at)
    if twin.dump() != dump:
        raise Broken("a clone's dump differs from its original's", at)
    path = differing(state, twin)
    if path:
        raise Broken(f"a clone differs from its original in {path}", at)
    finish(twin, rng, case.game.bound)
    if state.dump() != dump or frozen(state, deep) != picture:
        raise Broken("playing a clone on changed its original", at)
    twin = state.clone()
    first, second = frozen(twin, deep), state.clone()
    finish(second, rng, case.game.bound)
    if frozen(twin, deep) != first or twin.dump() != dump:
        raise Broken("playing one of two clones on changed the other", at)
    for viewer in viewers(case.game):
        view = state.mask(viewer)
        if state.dump() != dump or frozen(state, deep) != picture:
            raise Broken(f"masking for {who(viewer)} changed the state", at)
        if view.clone().dump() != view.dump():
            raise Broken("a view's clone differs from the view", at)


def replays(bench: Bench, case: Case) -> int:
    """A replay has the same positions, logs and views, with and without a log."""
    rng = case.rng("replay")
    picks = set(case.picks(rng, 6)) | {len(case.states) - 1}
    state, quiet = case.game.start(log=True), case.game.start(log=False)
    for at in range(len(case.states)):
        if at in picks:
            then = case.states[at]
            if state.dump() != then.dump():
                raise Broken("the same decisions led to another state", at)
            for viewer in viewers(case.game):
                if state.mask(viewer).dump() != then.mask(viewer).dump():
                    raise Broken(f"the same decisions showed {who(viewer)} another view", at)
            if without_log(state) != without_log(quiet):
                raise Broken("the game goes otherwise when no log is kept", at)
        if at < len(case.decisions):
            state.apply(*case.decisions[at])
            quiet.apply(*case.decisions[at])
    return 1


def without_log(state: State) -> list[Any]:
    """A dump without the log."""
    dump = state.dump()
    return [*dump[:5], *dump[6:]]


def remembers(state: State, before: list[Any], now: list[Any]) -> bool:
    """Whether a log still says what it said; only where a game forgets cards may it say less."""
    if now[: len(before)] == before:
        return True
    if len(now) < len(before) or not state.forgotten():
        return False
    return all(old == new or says_less(old, new) for old, new in zip(before, now, strict=False))


def says_less(old: Any, new: Any) -> bool:
    """Whether an event is an older one with its card blanked and what tells of it left out (-1)."""
    if old[:3] != new[:3] or new[3] & KIND != HIDDEN:
        return False
    return all(b in (a, -1) for a, b in zip(old[4:], new[4:], strict=True))


def logs_grow(bench: Bench, case: Case) -> int:
    """What was heard stays heard, and what changes on the table is told."""
    for viewer in viewers(case.game):
        before: list[Any] = []
        table: Any = None
        for at, state in enumerate(case.states):
            view = state.mask(viewer)
            log = view.log or []
            if not remembers(state, before, log):
                raise Broken(f"the log of {who(viewer)} changed what it had said before", at)
            now = view.data()
            if table is not None and now != table and len(log) == len(before):
                raise Broken(f"the table changed for {who(viewer)} and the log told nothing of it", at)
            before, table = log, now
    return 1


def makes(game: Game) -> Any:
    """The `find` that `load` needs, for a game that need not be installed."""

    def find(name: str, **options: Any) -> Game:
        if name != game.name:
            raise GonfalonError(f"The record names the game {name!r}.")
        return type(game)(**options)

    return find


def records(bench: Bench, case: Case) -> int:
    """A record is written, read, and played again."""
    record = bench.record(case.game, case.game.seat_names())
    for decision in case.decisions:
        record.add(*decision)
    end = case.states[-1]
    record.close(end)
    text = record.dumps()
    try:
        if json.loads(text) != json.loads(json.dumps(record.to_json())):
            raise Broken("a record's text is not the JSON of the record", len(case.decisions))
        again = load(text, makes(case.game))
    except GonfalonError as error:
        raise Broken(f"a record cannot be read back: {raised(error)}", len(case.decisions)) from None
    if again.decisions != case.decisions or again.names != record.names or again.result != record.result:
        raise Broken("a record read back holds other decisions, names or results", len(case.decisions))
    if again.dumps() != text:
        raise Broken("a record read back is written otherwise", len(case.decisions))
    try:
        replayed = again.replay()
    except GonfalonError as error:
        raise Broken(f"a record does not replay: {raised(error)}", len(case.decisions)) from None
    if replayed.dump() != end.dump():
        raise Broken("a record read back replays to another state", len(case.decisions))
    return 1


LAWS = [
    Law("clones are equal and independent", "positions", clones, base=True),
    Law("the same decisions make the same game", "games", replays, base=True),
    Law("a record round-trips and replays", "games", records),
    Law("a log only grows, and tells what changes", "games", logs_grow),
]
