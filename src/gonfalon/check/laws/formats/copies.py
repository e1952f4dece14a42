"""Laws of copies, replays and records: the same decisions make the same game."""

from __future__ import annotations

import json
from collections.abc import Callable

from gonfalon.check.law import Broken, Law
from gonfalon.check.laws.rules.flow import raised
from gonfalon.check.observe import differing, frozen, viewers, who
from gonfalon.check.play import Bench, Case, finish
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import load
from gonfalon.core.files.state_codec import state_from_text, state_to_text
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, State


def clones(bench: Bench, case: Case) -> int:
    """A clone equals its original, and playing on with one changes neither the other nor the original.

    Mistake:
        `clone` copies a list of lists with `[:]`, so the inner lists are shared, or it forgets a field.
    Cure:
        Copy every list at every depth: `[zone[:] for zone in self.hand]`.
    """
    rng = case.rng("clone")
    picks = set(case.picks(rng, 1))
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
    """Check the clones and views of one position.

    Args:
        case: The game.
        at: The number of the position.
        state: The position.
        rng: Plays the clones to their ends.
        deep: Whether to compare everything that the position refers to, which is slow.
    """
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
    """The same decisions lead to the same positions, logs and views, with and without a log.

    Mistake:
        A rule reads the log, a global variable, the clock, or the order of a set.
    Cure:
        Keep everything the rules need in the state, and iterate over lists in a fixed order.
    """
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
                raise Broken("without a log the game takes another course", at)
        if at < len(case.decisions):
            state.apply(*case.decisions[at])
            quiet.apply(*case.decisions[at])
    return 1


def thaws(bench: Bench, case: Case) -> int:
    """A state or view can be written as text and read again, and the text of a view holds no more than the view.

    Mistake:
        A step or the state keeps an object that is not in `key()` or `data()`.
    Cure:
        Put every field into `data()` or `key()`, and rebuild objects from those numbers.
    """
    game = case.game
    rng = case.rng("thaw")
    make, given = game.__reduce__()
    other = make(*given)
    told = (game.seats, game.data_hash, game.shown_options())
    if not isinstance(other, Game) or (other.seats, other.data_hash, other.shown_options()) != told:
        raise Broken("a game rebuilt from its options is a different one")
    checked = 0
    for at in case.picks(rng, 1):
        state = case.states[at].clone()
        state.rules = game.without_secrets()
        for viewer in (OPEN, *viewers(game)):
            view = state if viewer == OPEN else state.mask(viewer)
            what = "a full state" if viewer == OPEN else f"the view of {who(viewer)}"
            text = state_to_text(view)[1]
            try:
                again = state_from_text(other, text)
            except GonfalonError as error:
                raise Broken(f"{what} cannot be read from its text: {error}", at) from None
            path = differing(view, again) if type(again) is type(view) and again.dump() == view.dump() else "its dump"
            if path:
                raise Broken(f"{what} differs after being written and read: {path}", at)
            if viewer != OPEN and state_to_text(world_like(bench, view, rng, game))[1] != text:
                raise Broken(f"the text of {what} holds more than the view", at)
            checked += 1
        twin = state_from_text(other, state_to_text(state)[1])
        ends = []
        for start in (state, twin):
            finish(start, Rng(at), game.bound)
            ends.append(start.dump())
        if ends[0] != ends[1]:
            raise Broken("a state that was written and read takes another course", at)
    return checked


def world_like(bench: Bench, view: State, rng: Rng, game: Game) -> State:
    """Return the same view, masked from another position that fits it."""
    world: State = bench.sampler(view).sample(rng)
    world.rules = game.without_secrets()
    return world.mask(view.viewer)


def without_log(state: State) -> list[object]:
    """Return the dump of a state without its log."""
    dump = state.dump()
    return [*dump[:5], *dump[6:]]


def plays_out(bench: Bench, case: Case) -> int:
    """A game's own `play_out` makes the same decisions as the core's loop.

    Mistake:
        The override draws random numbers in another order.
    Cure:
        Draw exactly as `State.play_out` does, or remove the override.
    """
    rng = case.rng("out")
    if type(case.states[0]).play_out is State.play_out:
        bench.note = "the game uses the core's loop"
        return 0
    picks = case.picks(rng, 3)
    for at in picks:
        one, two, seed = case.states[at].clone(), case.states[at].clone(), rng.seed()
        if one.play_out(Rng(seed)) != State.play_out(two, Rng(seed)) or one.dump() != two.dump():
            raise Broken("play_out() plays differently from the core's loop", at)
    return len(picks)


def makes(game: Game) -> Callable[..., Game]:
    """Return the `find` argument of `load` for a game that may not be installed."""

    def find(name: str, **options: object) -> Game:
        if name != game.name:
            raise GonfalonError(f"The record names the game {name!r}.")
        return type(game)(**options)

    return find


def records(bench: Bench, case: Case) -> int:
    """A record can be written, read and replayed, and its text stays the same.

    Mistake:
        A notation is ambiguous, or an option has a value that JSON changes, such as a tuple.
    Cure:
        Make `parse(notation(action)) == action` for every action, and accept lists for tuples in options.
    """
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
        raise Broken(f"a record cannot be read: {raised(error)}", len(case.decisions)) from None
    if again.decisions != case.decisions or again.names != record.names or again.result != record.result:
        raise Broken("a record read back has other decisions, names or results", len(case.decisions))
    if again.dumps() != text:
        raise Broken("a record read back has another text", len(case.decisions))
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
    Law("random play equals that of the core", "games", plays_out, share=0.2),
    Law("a state's text restores the state", "positions", thaws, share=0.5),
]
