"""Laws of copies, replays and records: the same decisions make the same game."""

from __future__ import annotations

import json
from collections.abc import Callable

from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_exception
from gonfalon.check.observe import find_difference, list_viewers, name_viewer, take_snapshot
from gonfalon.check.play import Bench, Case, play_to_end
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import load
from gonfalon.core.files.state_codec import state_from_text, state_to_text
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import OPEN, State


def check_clones(bench: Bench, case: Case) -> int:
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
            check_clone(case, at, state, rng, deep=checked == 1)
        if at < len(case.decisions):
            state.apply(*case.decisions[at])
    return checked


def check_clone(case: Case, at: int, state: State, rng: Rng, deep: bool) -> None:
    """Check the clones and views of one position.

    Args:
        case: The game.
        at: The number of the position.
        state: The position.
        rng: Plays the clones to their ends.
        deep: Whether to compare everything that the position refers to, which is slow.
    """
    dump, picture = state.dump(), take_snapshot(state, deep)
    twin = state.clone()
    if type(twin) is not type(state):
        raise LawBrokenError("a clone is of another class", at)
    if twin.dump() != dump:
        raise LawBrokenError("a clone's dump differs from its original's", at)
    # The dump may lack a field, so the attributes are compared as well.
    path = find_difference(state, twin)
    if path:
        raise LawBrokenError(f"a clone differs from its original in {path}", at)
    play_to_end(twin, rng, case.game.bound)
    if state.dump() != dump or take_snapshot(state, deep) != picture:
        raise LawBrokenError("playing a clone on changed its original", at)
    # Two clones can share a list with each other, although the original has its own.
    twin = state.clone()
    first, second = take_snapshot(twin, deep), state.clone()
    play_to_end(second, rng, case.game.bound)
    if take_snapshot(twin, deep) != first or twin.dump() != dump:
        raise LawBrokenError("playing one of two clones on changed the other", at)
    for viewer in list_viewers(case.game):
        view = state.mask(viewer)
        if state.dump() != dump or take_snapshot(state, deep) != picture:
            raise LawBrokenError(f"masking for {name_viewer(viewer)} changed the state", at)
        if view.clone().dump() != view.dump():
            raise LawBrokenError("a view's clone differs from the view", at)


def check_replays(bench: Bench, case: Case) -> int:
    """Equal decisions lead to equal positions, logs and views, with and without a log.

    Mistake:
        A rule reads the log, a global variable, the clock, or the order of a set.
    Cure:
        Keep everything the rules need in the state, and iterate over lists in a fixed order.
    """
    rng = case.rng("replay")
    picks = set(case.picks(rng, 6)) | {len(case.states) - 1}
    # Rules that read the log play differently without one.
    state, quiet = case.game.start(log=True), case.game.start(log=False)
    for at in range(len(case.states)):
        if at in picks:
            then = case.states[at]
            if state.dump() != then.dump():
                raise LawBrokenError("the same decisions led to another state", at)
            for viewer in list_viewers(case.game):
                if state.mask(viewer).dump() != then.mask(viewer).dump():
                    raise LawBrokenError(f"the same decisions showed {name_viewer(viewer)} another view", at)
            if dump_without_log(state) != dump_without_log(quiet):
                raise LawBrokenError("without a log the game takes another course", at)
        if at < len(case.decisions):
            state.apply(*case.decisions[at])
            quiet.apply(*case.decisions[at])
    return 1


def check_state_text(bench: Bench, case: Case) -> int:
    """A state or view can be written as text and read again, and the text of a view holds no more than the view.

    Mistake:
        A rule adds an attribute that `__init__` does not set, or a step keeps an argument under another name.
    Cure:
        Set every field in `__init__`, and name each attribute of a step like the argument of its constructor.
    """
    game = case.game
    rng = case.rng("thaw")
    other = rebuild_game(game)
    checked = 0
    for at in case.picks(rng, 1):
        state = case.states[at].clone()
        # Reading makes states of the game without secrets, so the original must be one too.
        state.rules = game.without_secrets()
        for viewer in (OPEN, *list_viewers(game)):
            view = state if viewer == OPEN else state.mask(viewer)
            what = "a full state" if viewer == OPEN else f"the view of {name_viewer(viewer)}"
            text = state_to_text(view)[1]
            try:
                again = state_from_text(other, text)
            except GonfalonError as error:
                raise LawBrokenError(f"{what} cannot be read from its text: {error}", at) from None
            path = (
                find_difference(view, again)
                if type(again) is type(view) and again.dump() == view.dump()
                else "its dump"
            )
            if path:
                raise LawBrokenError(f"{what} differs after being written and read: {path}", at)
            # Another position with the same view must give the same text. Otherwise the text reveals the position.
            if viewer != OPEN and state_to_text(sample_same_view(bench, view, rng, game))[1] != text:
                raise LawBrokenError(f"the text of {what} holds more than the view", at)
            checked += 1
        twin = state_from_text(other, state_to_text(state)[1])
        # Play both to the end, as a field that the text lacks may matter only later.
        ends = []
        for start in (state, twin):
            play_to_end(start, Rng(at), game.bound)
            ends.append(start.dump())
        if ends[0] != ends[1]:
            raise LawBrokenError("a state that was written and read takes another course", at)
    return checked


def rebuild_game(game: Game) -> Game:
    """Return a game that is rebuilt from its options, as a pickle is.

    Raises:
        LawBrokenError: It is a different game.
    """
    make, given = game.__reduce__()
    other = make(*given)
    identity = (game.seats, game.data_hash, game.shown_options())
    if not isinstance(other, Game) or (other.seats, other.data_hash, other.shown_options()) != identity:
        raise LawBrokenError("a game rebuilt from its options is a different one")
    return other


def sample_same_view(bench: Bench, view: State, rng: Rng, game: Game) -> State:
    """Return the same view, masked from another position that fits it."""
    world: State = bench.sampler(view).sample(rng)
    world.rules = game.without_secrets()
    return world.mask(view.viewer)


def dump_without_log(state: State) -> list[object]:
    """Return the dump of a state without its log."""
    dump = state.dump()
    # The log is at index 5.
    return [*dump[:5], *dump[6:]]


def check_play_out(bench: Bench, case: Case) -> int:
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
            raise LawBrokenError("play_out() plays differently from the core's loop", at)
    return len(picks)


def make_finder(game: Game) -> Callable[..., Game]:
    """Return the `find` argument of `load` for a game that may not be installed."""

    def find(name: str, **options: object) -> Game:
        if name != game.name:
            raise GonfalonError(f"The record names the game {name!r}.")
        return type(game)(**options)

    return find


def check_records(bench: Bench, case: Case) -> int:
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
            raise LawBrokenError("a record's text is not the JSON of the record", len(case.decisions))
        again = load(text, make_finder(case.game))
    except GonfalonError as error:
        raise LawBrokenError(f"a record cannot be read: {format_exception(error)}", len(case.decisions)) from None
    if again.decisions != case.decisions or again.names != record.names or again.result != record.result:
        raise LawBrokenError("a record read back has other decisions, names or results", len(case.decisions))
    if again.dumps() != text:
        raise LawBrokenError("a record read back has another text", len(case.decisions))
    try:
        replayed = again.replay()
    except GonfalonError as error:
        raise LawBrokenError(f"a record does not replay: {format_exception(error)}", len(case.decisions)) from None
    if replayed.dump() != end.dump():
        raise LawBrokenError("a record read back replays to another state", len(case.decisions))
    return 1


LAWS = [
    Law("clones are equal and independent", "positions", check_clones, base=True),
    Law("the same decisions make the same game", "games", check_replays, base=True),
    Law("a record round-trips and replays", "games", check_records),
    Law("random play equals that of the core", "games", check_play_out, share=0.2),
    Law("a state's text restores the state", "positions", check_state_text, share=0.5),
]
