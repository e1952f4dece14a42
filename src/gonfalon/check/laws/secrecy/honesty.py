"""Laws of honesty: a bot of any level knows no more than its seat.

Each decision is put to two bots. One has seen views of other seats before, and receives the view that was masked from
the position. The other is new, and receives the view of a twin position with another deal of the hidden cards, which
has been through JSON, so it refers to nothing else. Both answers must agree in every number and word. A bot that cheats
shows that the test is sensitive: it searches the true position and must be caught.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from time import process_time
from typing import Final

from gonfalon import games
from gonfalon.bots.levels import LEVELS, list_playable_levels
from gonfalon.bots.levels import make as make_level
from gonfalon.bots.players.bot import Bot
from gonfalon.bots.players.budget import Budget
from gonfalon.bots.players.choice import Choice
from gonfalon.bots.search.searcher import SearchBot
from gonfalon.check.law import Law, LawBrokenError
from gonfalon.check.laws.rules.flow import format_action, format_exception
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.check.observe import find_difference, list_viewers, make_deal_key, name_viewer
from gonfalon.check.play import GLANCE_SHARE, Bench, Case
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.knowledge.worlds import Worlds, worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import NO_ACTIONS, OPEN, Seat, State

BUDGET: Final = Budget(iterations=12)
"""Budget of all bots: enough to reach all their code. Their strength does not matter here."""
CHEAT_BUDGET: Final = Budget(iterations=24)
"""Budget of the cheating bot, large enough that a different world leads to a different answer."""
MAX_POSITIONS: Final = 8
"""Maximum number of positions of a case."""
MIN_CONTROL_POSITIONS: Final = 30
"""Number of positions after which the cheating bot must have been caught in more than half."""


class CheckedWorlds(Worlds):
    """Worlds that are checked as they are dealt: each must have the view it was dealt from."""

    def __init__(self, view: State) -> None:
        super().__init__(view)
        self.inner: Worlds = worlds(view)

    def sample(self, rng: Rng) -> State:
        """Return a world. Raises LawBrokenError if its view differs."""
        world = self.inner.sample(rng)
        if world.mask(self.view.viewer).dump() != self.view.dump():
            raise LawBrokenError(
                f"a bot of {name_viewer(self.view.viewer)} searches a world whose view differs from its own"
            )
        return world


class CheatingBot(SearchBot):
    """The control: a search whose worlds are all the true one."""

    def __init__(self, game: Game) -> None:
        super().__init__("cheat", game, CHEAT_BUDGET)
        self.truth: State | None = None
        """The true position."""
        self.sampler = self.open

    def open(self, view: State) -> Worlds:
        """Return the true position as the only world."""
        assert self.truth is not None
        truth = self.truth.mask(OPEN)
        # The begun answers of other seats may be illegal in a twin position.
        truth.answers = [truth.answers[seat] if seat == view.viewer else NO_ACTIONS for seat in range(truth.seats)]
        truth.settle()
        return Worlds(truth)


def send_as_json(codec: StateCodec, view: State) -> State:
    """Return a view as it arrives in another process."""
    return codec.decode_view(json.loads(json.dumps(codec.encode_view(view))))


def check_views_as_json(bench: Bench, case: Case) -> int:
    """A view is unchanged after being sent as JSON.

    Mistake:
        A step keeps an argument of its constructor under another name.
    Cure:
        Name each attribute of a step like its argument, and keep numbers, texts and lists in it.
    """
    rng = case.rng("travel")
    codec = StateCodec(case.game)
    checked = 0
    for at in case.picks(rng, 2):
        for viewer in list_viewers(case.game):
            view = case.states[at].mask(viewer)
            try:
                again = send_as_json(codec, view)
            except Exception as error:
                raise LawBrokenError(
                    f"the view of {name_viewer(viewer)} cannot be sent as JSON: {format_exception(error)}", at
                ) from error
            path = "dump" if again.dump() != view.dump() else find_difference(view, again)
            if path:
                raise LawBrokenError(f"the view of {name_viewer(viewer)} arrives from JSON with another {path}", at)
            checked += 1
    return checked


def pick_questions(case: Case, rng: Rng, count: int) -> list[tuple[int, Seat]]:
    """Return some decisions of seats that have a choice, each as the number of the position and the seat."""
    picked = case.picks(rng, count)
    rng.shuffle(picked)
    found = []
    for at in picked:
        asked = [d.seat for d in case.states[at].decisions() if d.seat >= 0 and len(d.actions) > 1]
        found += [(at, seat) for seat in asked]
    return found


def ask_bot(bot: Bot, view: State, budget: Budget, seed: int, at: int) -> Choice:
    """Return a bot's answer, after checking its form: legal actions, a reason, probabilities, an unchanged view."""
    seat, dump = view.viewer, view.dump()
    name = f"the bot {bot.name} of {name_viewer(seat)}"
    try:
        choice = bot.choose(view, budget, Rng(seed))
    except LawBrokenError as broken:
        # Raised by `CheckedWorlds`, which does not know the number of the position.
        raise LawBrokenError(str(broken), at) from None
    except Exception as error:
        raise LawBrokenError(f"{name} raised {format_exception(error)}", at) from error
    if not choice.why.strip():
        raise LawBrokenError(f"{name} gives no reason", at)
    if view.dump() != dump:
        raise LawBrokenError(f"{name} changed its view", at)
    legal = view.legal(seat)
    for action in [*(action for action, _ in choice.policy), *(other.action for other in choice.alternatives)]:
        if action not in legal:
            raise LawBrokenError(f"{name} considers {format_action(bot.game, action)}, which is illegal", at)
    if choice.policy and abs(sum(share for _, share in choice.policy) - 1.0) > 1e-6:
        raise LawBrokenError(f"the probabilities of the actions of {name} do not add up to 1", at)
    if choice.value is not None and not 0.0 <= choice.value.low <= choice.value.value <= choice.value.high <= 1.0:
        raise LawBrokenError(f"{name} gives an invalid chance to win", at)
    return choice


def find_choice_difference(a: Choice, b: Choice) -> str:
    """Return the name of the first field in which two answers differ; empty if they are equal."""
    one, two = asdict(a), asdict(b)
    return next((name for name in one if one[name] != two[name]), "")


def check_bots_in_twins(bench: Bench, case: Case) -> int:
    """Every bot answers alike in positions that differ only in what its seat has not seen.

    Mistake:
        A rule of thumb reads the state behind the view, or remembers another seat's view.
    Cure:
        Decide from the view that `choose` receives, and keep nothing between calls.
    """
    game = case.game
    unknown = [name for name in game.players() or () if name not in LEVELS]
    if unknown:
        raise LawBrokenError(f"the game supplies bots for {unknown[0]!r}, which is not a level")
    rng = case.rng("twins")
    names = list_playable_levels(game)
    used = {name: make_level(name, game) for name in names}
    # These bots are used for all seats, so a bot that remembers a view would be caught.
    for bot in used.values():
        bot.sampler = CheckedWorlds
    deadline = bench.deadline(GLANCE_SHARE)
    checked = 0
    for at, seat in pick_questions(case, rng, MAX_POSITIONS):
        # At least one position is examined, even on a slow machine.
        if checked and process_time() > deadline:
            break
        state = case.states[at]
        redealt = redeal_unseen(game, state, seat, rng)
        if redealt is None:
            continue
        for name in names:
            compare_answers(name, used[name], state, redealt, seat, rng.seed(), at)
            checked += 1
    bench.note = ", ".join(names)
    bench.alike += checked // len(names)
    return checked


def compare_answers(
    name: str, bot: Bot, state: State, redealt: tuple[Game, State], seat: Seat, seed: int, at: int
) -> None:
    """Check that a used bot in a position and a new bot in its twin position give the same answer.

    Args:
        name: The level of the bot.
        bot: The bot that has seen views of other seats.
        state: The position.
        redealt: The twin position, with its game.
        seat: The seat to decide.
        seed: The seed of both bots' chance.
        at: The number of decisions, for a failure.
    """
    other, twin = redealt
    first = ask_bot(bot, state.mask(seat), BUDGET, seed, at)
    # The twin position can belong to a game with other deck lists.
    fresh = make_level(name, other)
    secret = find_difference(bot.game, fresh.game)
    if secret:
        raise LawBrokenError(f"the game in the bot {name} contains a secret: {secret}", at)
    second = ask_bot(fresh, send_as_json(StateCodec(other), twin.mask(seat)), BUDGET, seed, at)
    what = find_choice_difference(first, second)
    if what:
        raise LawBrokenError(
            f"the bot {name} of {name_viewer(seat)} depends on what it has not seen: its {what} differs", at
        )


def check_cheat_caught(bench: Bench, case: Case) -> int:
    """A bot that looks at the true position is caught, so the comparison of twin positions is sensitive.

    Mistake:
        The game hides so little that knowing the truth changes nothing.
    Cure:
        Look at the samples: at least one should hide cards that matter.
    """
    rng = case.rng("control")
    game = case.game
    deadline = bench.deadline(GLANCE_SHARE)
    before = bench.tried
    for at, seat in pick_questions(case, rng, MAX_POSITIONS):
        if bench.tried > before and process_time() > deadline:
            break
        state = case.states[at]
        redealt = redeal_unseen(game, state, seat, rng)
        # A position with the same deal cannot expose a cheat.
        if redealt is None or make_deal_key(redealt[1]) == make_deal_key(state):
            continue
        twin = redealt[1]
        seed = rng.seed()
        answers = []
        for position in (state, twin):
            bot = CheatingBot(game)
            bot.truth = position
            answers.append(ask_bot(bot, position.mask(seat), CHEAT_BUDGET, seed, at))
        if all(choice.value is not None and choice.value.value in (0.0, 1.0) for choice in answers):
            continue  # the winner is already certain, so hidden cards do not matter
        bench.tried += 1
        bench.caught += bool(find_choice_difference(*answers))
    if bench.tried >= MIN_CONTROL_POSITIONS and 2 * bench.caught <= bench.tried:
        raise LawBrokenError(
            f"a bot that searches the true position is caught in only {bench.caught} of {bench.tried} positions"
        )
    if bench.tried:
        bench.note = f"caught in {100 * bench.caught / bench.tried:.0f} %"
    return bench.tried - before


def compare_in_twin_worlds(
    name: str, count: int, options: Options | None = None, report: Callable[[str], None] = print
) -> bool:
    """Compare the answers of every level of a game in twin worlds, with the cheating bot as a control.

    Args:
        name: The name of an installed game.
        count: The number of decisions. They come from fixed seeds.
        options: Options of the game.
        report: Receives the lines of the result.

    Returns:
        Whether all answers agreed and the cheating bot was caught.

    Raises:
        OptionError: There is no such game or option.
    """
    kind = games.find_game_class(name)
    bench = Bench([kind(**options)] if options else kind.samples(), [], float("inf"))
    number = 0
    differing = ""
    while bench.alike < count and not differing:
        case = bench.case(number, False)
        number += 1
        try:
            check_bots_in_twins(bench, case)
            check_cheat_caught(bench, case)
        except LawBrokenError as broken:
            where = "" if broken.at is None else f", after {broken.at} decisions"
            differing = f"{broken} (seed {case.seed}{where})"
    if differing:
        report(f"FAIL {differing}.")
    else:
        report_agreement(bench, number, report)
    return not differing


def report_agreement(bench: Bench, count: int, report: Callable[[str], None]) -> None:
    """Report the numbers of a comparison of `count` games in which all answers agreed."""
    names = ", ".join(list_playable_levels(bench.games[0]))
    kinds = f"{bench.alike} decisions of {count} random games, each put to {names}"
    report(f"ok   {kinds}: 0 differ in twin worlds, in any number or word.")
    share = bench.caught / bench.tried if bench.tried else 0.0
    report(f"     The bot that looks at the true position was caught in {bench.caught} of {bench.tried} ({share:.0%}).")


LAWS = [
    Law("views are unchanged after JSON", "views", check_views_as_json, share=0.5),
    Law("every level answers alike in twin worlds", "decisions", check_bots_in_twins, share=2.0),
    Law("a bot that looks at the true position is caught", "positions", check_cheat_caught, share=0.5),
]
