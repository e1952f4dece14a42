"""The exact best response, computed by hand and by other programs."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice, make
from gonfalon.bots.search.mixed_bot import Mixture
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.simple import SimpleGame, SimpleState
from gonfalon.core.rules.state import Action, Seat, State, Step, Together
from gonfalon.learn.benchmark import figures
from gonfalon.learn.exact import TARGET_WIDTH, MixedBot, measure_exact, measure_exploitability
from gonfalon.learn.sequence_form import Floats, SequenceForm
from tests.bots import programs

HEADS, TAILS = range(2)


class PenniesState(SimpleState):
    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.shown: list[int] = []
        self.round: int = 0

    def points(self) -> list[int]:
        same = sum(a == b for a, b in zip(self.shown[::2], self.shown[1::2], strict=True))
        return [self.round - same, same]


class Show(Together[PenniesState]):
    """Each seat has a penny. The second seat wins if both are alike."""

    prompt: ClassVar[str] = "show"

    def options_of(self, s: PenniesState, seat: Seat) -> list[Action]:
        return [] if s.answers[seat] else [HEADS, TAILS]

    def finish(self, s: PenniesState) -> None:
        s.shown += [s.answers[0][0], s.answers[1][0]]
        s.round += 1


SHOW = Show([0, 1])


class Pennies(SimpleGame[PenniesState]):
    name: ClassVar[str] = "pennies"
    title: ClassVar[str] = "Pennies"
    version: ClassVar[str] = "1"
    seat_counts: ClassVar[tuple[int, ...]] = (2,)
    state_class = PenniesState
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (Show,)
    card_names = ("Heads", "Tails")
    card_texts = ("", "")
    asks: ClassVar[dict[str, tuple[str, str]]] = {"show": ("Which?", "Show {card}.")}

    def deck(self) -> list[int]:
        return []

    def set_up(self, s: PenniesState) -> None:
        s.stack = [SHOW]


def heads(share: float) -> Any:
    def play(view: State) -> Mixture:
        assert view.viewer in (0, 1)
        return [(HEADS, share), (TAILS, 1 - share)]

    return play


@pytest.mark.parametrize(
    ("share", "gain"),
    [
        (0.5, 0.0),  # whatever one shows wins as often as it loses
        (1.0, 1.0),  # who knows what comes always wins
        (0.75, 0.5),  # wins three of four
    ],
)
def test_the_gain_of_a_perfect_opponent(share: float, gain: float) -> None:
    assert measure_exact(SequenceForm(Pennies()), heads(share)) == pytest.approx(gain)


class Coin(Bot):
    """Draws at random without a policy."""

    share = 0.5

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(HEADS if rng.random() < self.share else TAILS)


class Unfair(Coin):
    share = 0.75


@pytest.mark.parametrize(("kind", "gain"), [(Coin, 0.0), (Unfair, 0.5)])
def test_a_random_bot_is_measured_by_its_frequencies(kind: type[Coin], gain: float) -> None:
    """Asked once, either bot would seem to show the same penny always and to lose every game."""
    low, high = measure_exploitability(Pennies(), kind("coin", Pennies()), 1)
    assert low <= gain <= high
    assert 0.0 < high - low < 2 * TARGET_WIDTH


class Stated(MixedBot):
    def mixture(self, view: State) -> Mixture:
        return [(HEADS, 0.5), (TAILS, 0.5)]


def test_stated_probabilities_are_measured_exactly() -> None:
    assert measure_exploitability(Pennies(), Stated("stated", Pennies()), 1) == (0.0, 0.0)


def test_a_program_states_probabilities_too() -> None:
    tiny = games.find_game_class("feint").tiny()[0]
    ours, theirs = programs.Stated("stated", tiny), make("tests.bots.programs:Stated", tiny)
    low, high = measure_exploitability(tiny, theirs, 1)
    assert low == high
    assert measure_exploitability(tiny, ours, 1) == (low, high)


def test_a_bot_that_answers_alike_has_an_exact_figure() -> None:
    class Heads(Coin):
        share = 1.0

    assert measure_exploitability(Pennies(), Heads("heads", Pennies()), 1) == (1.0, 1.0)


def test_the_responder_sees_no_open_answer() -> None:
    """Seat 1 answers after seat 0. If it saw the answer it would always win."""
    state = Pennies().start()
    state.apply(0, HEADS)
    assert state.turn == 1
    assert measure_exact(SequenceForm(Pennies()), heads(0.5)) < 0.5


@pytest.mark.parametrize("name", ["factionwars", "feint"])
def test_a_best_response_does_no_worse_than_the_player_itself(name: str) -> None:
    """In a game for two the gains of both seats add up to at least 0, because each could copy the player."""
    tiny = next(game for game in games.find_game_class(name).tiny() if game.seats == 2)
    gains = {level: sum(measure_exploitability(tiny, make(level, tiny), 1)) / 2 for level in ("random", "greedy")}
    assert all(-1e-9 < gain <= 1 + 1e-9 for gain in gains.values())
    assert gains["random"] > 0.1


@pytest.mark.parametrize(
    ("name", "number"), [("feint", 0), ("factionwars", 0), pytest.param("generals", 1, marks=pytest.mark.long)]
)
def test_it_is_the_exploitability_that_openspiel_finds(name: str, number: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from gonfalon.bridges.openspiel import load

    tiny = games.find_game_class(name).tiny()[number]
    policy = pyspiel.UniformRandomPolicy(load(tiny))
    ours = measure_exploitability(tiny, make("random", tiny), 1)[0]
    assert ours == pytest.approx(pyspiel.exploitability(load(tiny), policy), abs=1e-9)


def test_cfr_plus_is_that_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from gonfalon.bridges.openspiel import load

    tiny = games.find_game_class("feint").tiny()[0]
    solver = pyspiel.CFRPlusSolver(load(tiny))
    for _ in range(12):
        solver.evaluate_and_update_policy()
    form = SequenceForm(tiny)
    ours = sum(form.best_responses(form.solve(12))) / 2
    assert ours > 1e-3
    assert ours == pytest.approx(pyspiel.exploitability(load(tiny), solver.average_policy()), abs=1e-6)


class Table(MixedBot):
    """Mixes by a table of behaviors."""

    def __init__(self, form: SequenceForm, behaviors: list[Floats]) -> None:
        super().__init__("table", form.game)
        self.form = form
        self.rows: dict[bytes, Mixture] = {}
        for treeplex, behavior in zip(form.seats, behaviors, strict=True):
            names = list(treeplex.views)
            for found in treeplex.sets.values():
                end = found.first + len(found.actions)
                self.rows[names[found.view]] = list(zip(found.actions, behavior[found.first : end], strict=True))

    def mixture(self, view: State) -> Mixture:
        return self.rows[self.form.prints.of(view)]


class Sampler(Bot):
    """Draws from a table without stating it."""

    def __init__(self, table: Table) -> None:
        super().__init__("sampler", table.game)
        self.table = table

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        return Choice(self.table.think(view, budget, rng).action)


def test_a_table_and_a_bot_that_draws_from_it_measure_alike() -> None:
    form = SequenceForm(games.find_game_class("factionwars").tiny()[0])
    behaviors = form.solve(200)
    table = Table(form, behaviors)
    exact = sum(form.best_responses(behaviors)) / 2
    assert 0 < exact < 0.001
    assert measure_exploitability(form.game, table, 1) == pytest.approx((exact, exact), abs=1e-12)
    low, high = measure_exploitability(form.game, Sampler(table), 1)
    assert low <= exact <= high
    assert high - low <= TARGET_WIDTH


def test_the_known_values_are_those_of_the_games() -> None:
    """Two values, and bounds of pure strategies, are derived by hand in the page of the benchmark."""
    for name, entries in figures.read_solved().items():
        value, bound = {"feint": (1 / 3, 1 / 2), "generals": (1 / 2, 73 / 140)}.get(name, (entries[0]["value"], 0.1))
        assert entries[0]["value"] == pytest.approx(value, abs=entries[0]["value ±"])
        assert entries[0]["pure"] >= bound
        for game, known in zip(games.find_game_class(name).solved(), entries, strict=True):
            assert (game.version, game.data_hash) == (known["rules"], known["cards"])
            assert 10_000 <= known["information sets"] <= 1_000_000
            assert known["exploitability"] < 0.003


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_a_solved_game_has_its_known_value(name: str) -> None:
    for game, known in zip(games.find_game_class(name).solved(), figures.read_solved()[name], strict=True):
        form = SequenceForm(game)
        assert sum(len(treeplex.sets) for treeplex in form.seats) == known["information sets"]
        high, low = form.best_responses(form.solve(100))
        assert -low - known["value ±"] <= known["value"] <= high + known["value ±"]
        assert high + low < 0.2


def test_a_game_too_large_or_shuffled_by_a_seed_is_one_sentence() -> None:
    game = games.game("jinkei")
    with pytest.raises(OptionError, match="shuffles by seeds here"):
        measure_exploitability(game, make("random", game), 1)
