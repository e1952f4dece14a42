"""Training by self-play: gradients, advantages, learning success, and reproducibility from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonfalon import Rng, worlds
from gonfalon.bots.networks.batch import Batch
from gonfalon.bots.networks.network import Layers, Net, load, save
from gonfalon.bots.networks.network_input import NetworkInput, advance_to_choice, network_input_of
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.factionwars import FactionWars
from gonfalon.games.feint import Feint
from gonfalon.games.generals import Generals
from gonfalon.learn import settings as numbers
from gonfalon.learn.command import list_setups, open_player
from gonfalon.learn.layers import Learner, find_filled_columns, reduce_columns
from gonfalon.learn.ppo import Training
from gonfalon.learn.selfplay import HEURISTIC_RIVAL, NO_RIVAL, Lot, Rival, SelfPlay, Tick, Version
from gonfalon.learn.settings import Settings
from tests.cli.bids import Bids, BidsState

SMALL = Settings(thumb=0.2, decay=0.95, rivals=0.4, games=8, batch=64, part=32, renew=1, keep=2)


class Auction(Bids):
    """Bids with countable actions: the ten cards."""

    def all_actions(self) -> list[Action]:
        return list(range(10))


class BidsInput(NetworkInput):
    """Reads its hand and the number of rounds it has won, followed by the other hands."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.known = 11
        self.size = 31
        self.outputs = 10
        self.policy_layers = self.value_layers = (16,)

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        assert isinstance(s, BidsState)
        for near in range(3):
            for bid in s.hands[(seat + near) % 3]:
                if near == 0 or not bid & ~KIND & ~SEEN[(seat + near) % 3]:
                    out[at + 11 * (near > 0) + 10 * max(0, near - 1) + (bid & KIND)] = 1
        out[at + 10] = s.wins[seat]

    def answers(self, s: State) -> list[int]:
        return s.actions[:]


def test_gradients_are_those_of_small_differences() -> None:
    dice = np.random.default_rng(3)
    learner = Learner([3, 5, 4, 2], dice)
    for values in learner.parameters():
        values += dice.standard_normal(values.shape).astype(np.float32)
    x = dice.standard_normal((6, 3)).astype(np.float32)
    pull = dice.standard_normal((6, 2)).astype(np.float32)  # the loss is the sum of what comes out times this
    learner.forward(x)
    slopes = learner.slopes(pull)
    for values, slope in zip(learner.parameters(), slopes, strict=True):
        assert values.shape == slope.shape
        at = tuple(int(dice.integers(n)) for n in values.shape)
        kept = float(values[at])
        losses = []
        for step in (1e-2, -1e-2):
            values[at] = kept + step
            losses.append(float((learner.layers(x).astype(np.float64) * pull).sum()))
        values[at] = kept
        assert float(slope[at]) == pytest.approx((losses[0] - losses[1]) / 2e-2, rel=0.05, abs=0.02)


def test_columns_that_are_filled_nowhere_may_be_left_out() -> None:
    """Columns 1 and 4 are zero in all rows. Outputs and learning are equal without them, and their own weights do not
    change."""
    rows = np.array([[3, 0, 0, 1, 0], [0, 0, 2, 0, 0], [1, 0, 5, 0, 0]], dtype=np.uint8)
    pull = np.array([[0.5, -1.0], [1.0, 0.25], [-0.5, 2.0]], dtype=np.float32)
    columns = find_filled_columns(rows)
    assert columns.tolist() == [0, 2, 3]
    whole, narrow = (Learner([5, 4, 2], np.random.default_rng(3)) for _ in range(2))
    for learner in (whole, narrow):
        learner.layers.weights[1] += np.float32(0.5)  # a last layer of zeros would teach the first nothing
    begun = narrow.copy()
    assert reduce_columns(begun, columns)(rows[:, columns]) == pytest.approx(begun(rows), abs=1e-6)
    for _ in range(3):
        whole.forward(rows.astype(np.float32))
        whole.backward(pull, 0.1)
        with narrow.narrowed(columns):
            narrow.forward(rows[:, columns].astype(np.float32))
            narrow.backward(pull, 0.1)
    for mine, wanted in zip(narrow.parameters() + narrow.first, whole.parameters() + whole.first, strict=True):
        assert mine == pytest.approx(wanted, abs=1e-5)
    changed = (narrow.layers.weights[0] != begun.weights[0]).any(axis=1)
    assert changed.tolist() == [True, False, True, True, False]


def test_log_odds_become_probabilities_position_by_position() -> None:
    """Odds of 1 to 3, then of 1 to 1 to 2, for the policy's answers and the priors."""
    batch = positions()
    said = np.array([[0.0, log(3.0), 9.0], [5.0, 5.0, 5.0]])
    assert batch.owners().tolist() == [0, 0, 1, 1, 1]
    assert np.exp(batch.log_probabilities(said, batch.owners())) == pytest.approx([0.25, 0.75, 0.25, 0.25, 0.5])


def positions() -> Batch:
    """Two positions, one with two actions and one with three."""
    priors = np.array([0.0, 0.0, 0.0, 0.0, log(2.0)])
    return Batch(np.array([[1, 2], [3, 4]]), np.array([0, 1, 2, 1, 0]), priors, np.array([0, 2, 5]))


def training_of(encoder: NetworkInput, games: list[Game], seed: int, settings: Settings) -> Training:
    """Return a training that plays in this process."""
    playing = SelfPlay(encoder, games, seed, settings)
    return Training(encoder, lambda version: partial(playing.lot, version), seed, settings)


def test_advantages_include_later_rewards() -> None:
    """Seat 0 is estimated at 0.2, then at 0.5, and wins 1, with a decay of a half. Last: 1 - 0.5 = 0.5. Before: (0.5 -
    0.2) + 0.5 x 0.5 = 0.55, so the value should have been 0.75."""
    playing = SelfPlay(BidsInput(Bids()), [Auction(rounds=1)], 1, Settings(thumb=0.0, decay=0.5, rivals=0.0, games=2))
    playing.rivals = [NO_RIVAL, NO_RIVAL]
    ticks = [Tick(positions(), np.zeros(0), np.array([0.0, value])) for value in (0.2, 0.5)]
    playing.rows[1][0] = [(tick, 1, 0) for tick in ticks]
    playing.close(1, [1.0, -1.0, -1.0])
    assert playing.rows[1] == {}
    (_, _, _, last, said_last), (_, _, _, first, said_first) = playing.ready
    assert (last, said_last) == pytest.approx((0.5, 1.0))
    assert (first, said_first) == pytest.approx((0.55, 0.75))


def test_it_learns_to_bid_high_where_one_bid_is_all() -> None:
    settings = Settings(thumb=0.0, decay=0.95, rivals=0.2, games=32, batch=192, part=32, rate=2e-2, curious=0.0)
    training = training_of(BidsInput(Bids()), [Auction(rounds=1)], 1, settings)
    training.run(lambda: training.updates / 20, lambda text: None)
    encoder = BidsInput(Bids())
    s = Bids(rounds=1).start()
    rng = Rng(5)
    shares = []
    for _ in range(30):
        twin = s.clone()
        assert advance_to_choice(twin, rng)
        batch = Batch.from_states(encoder, [twin])
        said = training.policy.layers(batch.rows[:, : encoder.known].astype(np.float32))
        shares.append(float(np.exp(batch.log_probabilities(said, batch.owners()))[-1]))
    assert sum(shares) / 30 > 0.55, "of three cards the highest is bid most often"


def test_the_same_seed_learns_the_same() -> None:
    def trained(seed: int) -> Net:
        training = training_of(BidsInput(Bids()), [Auction()], seed, SMALL)
        training.run(lambda: training.updates / 3, lambda text: None)
        return training.net({})

    one, two, three = trained(1), trained(1), trained(2)
    assert same(one, two)
    assert not same(one, three)


def same(one: Net, two: Net) -> bool:
    """Return whether two networks are equal in each number."""
    arrays = [net.policy.weights + net.policy.biases + net.value.weights + net.value.biases for net in (one, two)]
    return all((x == y).all() for x, y in zip(*arrays, strict=True))


def test_a_second_process_plays_the_same_games() -> None:
    def trained(workers: int) -> Net:
        encoder = network_input_of(Feint())
        assert encoder is not None
        with open_player("feint", {"factions": ("agents", "mibits")}, 3, SMALL, workers) as order:
            training = Training(encoder, order, 3, SMALL)
            training.run(lambda: training.updates / 3, lambda text: None)
        return training.net({})

    assert same(trained(1), trained(2))


def test_a_lot_is_played_by_the_network_of_one_update_ago() -> None:
    playing = SelfPlay(BidsInput(Bids()), [Auction()], 1, SMALL)
    asked: list[int] = []

    def order(version: Version) -> Callable[[], Lot]:
        asked.append(version.updates)
        return partial(playing.lot, version)

    training = Training(BidsInput(Bids()), order, 1, SMALL)
    training.run(lambda: training.updates / 3, lambda text: None)
    assert asked == [0, 0, 1, 2]


def test_rivals_are_the_first_and_the_newest_versions() -> None:
    """There is room for two besides the first, with a new one after each update, so the older of the two is removed."""
    playing = SelfPlay(BidsInput(Bids()), [Auction()], 1, SMALL)
    versions = [Version(Layers([], []), Layers([], []), updates) for updates in range(5)]
    playing.keep_version(versions[0])  # the first one is asked for twice
    for version, kept in zip(versions, ({0}, {0, 1}, {0, 1, 2}, {0, 2, 3}, {0, 3, 4}), strict=True):
        playing.keep_version(version)
        assert playing.old[0] is versions[0].policy
        assert {id(layers) for layers in playing.old} == {id(versions[i].policy) for i in kept}


@pytest.mark.parametrize("version", [HEURISTIC_RIVAL, 0], ids=["thumb", "earlier"])
def test_training_ignores_the_answers_of_rivals(version: int) -> None:
    """The others sit in seat 0 of games 0 and 2 and in seat 1 of games 1 and 3. Training uses the other seat."""
    game = Feint(factions=("agents", "mibits"))
    encoder = network_input_of(game)
    playing = SelfPlay(encoder, [game], 1, replace(SMALL, games=4))
    for vector in playing.vectors:
        vector.reset()
    now = training_of(encoder, [game], 1, SMALL).version()
    playing.old = [now.policy]
    playing.rivals = [Rival(number % 2, version) for number in range(4)]
    for _ in range(12):
        playing.play(now)
    assert playing.finished == 0, "a game of Feint is longer"
    assert [set(rows) for rows in playing.rows] == [{1}, {0}, {1}, {0}]
    made = sum(len(made) for rows in playing.rows for made in rows.values())
    assert made < 12 * 4
    assert playing.decisions == (made if version == HEURISTIC_RIVAL else 12 * 4), "networks were asked"


@pytest.mark.parametrize(
    "games",
    [
        [Feint(factions=("agents", "mibits")), Feint(factions=("wu", "engineers"))],
        [FactionWars(seats=2)],
        [Generals(decks=("red-cliffs", "alliance")), Generals(decks=("plans-of-wei", "plans-of-wei"))],
    ],
    ids=["feint", "factionwars", "generals"],
)
def test_the_games_can_be_learnt(games: list[Game]) -> None:
    encoder = network_input_of(games[0])
    training = training_of(encoder, games, 1, SMALL)
    told: list[str] = []
    training.run(lambda: training.updates / 1, told.append)
    assert training.updates == 1
    assert "against" not in told[0]
    assert "thumb" in told[0]
    assert len(encoder.scales()) == encoder.size > encoder.known


def asked_of(encoder: NetworkInput, s: State, seat: Seat) -> tuple[list[int], list[float]]:
    """Return answers and priors. In a simultaneous decision a made-up world asks the first seat, which is not ours."""
    return (encoder.answers(s), encoder.priors(s)) if s.stack[-1].seat == seat else ([], [])


@pytest.mark.parametrize(
    "game",
    [Feint(factions=("agents", "mibits")), FactionWars(seats=3), Generals(decks=("sleeping-dragon", "flying-general"))],
    ids=["feint", "factionwars", "generals"],
)
def test_a_network_sees_the_same_in_every_world_of_a_view(game: Game) -> None:
    """Only the last bytes, the other seats' knowledge for the value, differ."""
    encoder = network_input_of(game)
    rng = Rng(3)
    state = game.start(log=True)
    looked = differ = 0
    while looked < 25 and advance_to_choice(state, rng):
        seat = state.turn
        view = state.mask(seat)
        told = [bytearray(encoder.size) for _ in range(3)]
        sampler = worlds(view)
        seen = []
        for room, s in zip(told, [state, sampler.sample(rng), view], strict=True):
            encoder.write_row(s, seat, room, 0)
            seen.append((room[: encoder.known], *asked_of(encoder, s, seat)))
        assert seen[0] == seen[1] == seen[2]
        assert max(encoder.answers(view)) < encoder.outputs
        differ += told[0] != told[1]
        looked += 1
        state.apply(seat, state.actions[int(rng.below(len(state.actions)))])
    assert looked == 25
    assert differ > 5


def test_the_command_writes_a_network_with_its_provenance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gonfalon.cli import main

    monkeypatch.setattr(numbers, "Settings", lambda thumb, decay: replace(SMALL, thumb=thumb, decay=decay))
    path = tmp_path / "feint.npz"
    assert main(["train", "feint", "--updates", "1", "--seed", "7", "--out", str(path)]) == 0
    assert "Wrote" in capsys.readouterr().out
    net = load(path)
    game = Feint()
    assert net.fits(game, network_input_of(game))
    about: Any = net.about
    assert about["seed"] == 7
    assert about["updates"] == 1
    assert about["settings"]["batch"] == 64
    assert about["settings"]["thumb"] == network_input_of(game).rule_of_thumb_share
    assert about["settings"]["decay"] == network_input_of(game).decay
    other = Net(net.policy, net.value, {**net.about, "cards": "others"})
    assert not other.fits(game, network_input_of(game))


def test_a_training_goes_on_from_a_network_of_other_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One update from a network whose numbers are all 8 leaves them near 8. A new one begins near 0."""
    from gonfalon.cli import main

    monkeypatch.setattr(numbers, "Settings", lambda thumb, decay: replace(SMALL, thumb=thumb, decay=decay))
    encoder = network_input_of(Feint())
    sizes = ([encoder.known, *encoder.policy_layers, encoder.outputs], [encoder.size, *encoder.value_layers, 1])
    made = [Learner(layers, np.random.default_rng(1)).copy() for layers in sizes]
    made[0].biases[-1][:] = made[1].biases[0][:] = 8.0
    about = {"game": "feint", "rules": Feint().version, "cards": "others", "updates": 5}
    old, new = tmp_path / "old.npz", tmp_path / "new.npz"
    save(old, Net(made[0], made[1], about))
    assert main(["train", "feint", "--updates", "1", "--from", str(old), "--out", str(new)]) == 0
    net = load(new)
    assert net.fits(Feint(), encoder)
    assert abs(net.policy.biases[-1] - 8.0).max() < 0.1
    assert abs(net.value.biases[0] - 8.0).max() < 0.1
    told: Any = net.about
    assert told["from"] == {"hash": sha256(old.read_bytes()).hexdigest(), "version": 1, **about}
    assert told["settings"]["rate"] == pytest.approx(SMALL.rate * 0.4)
    capsys.readouterr()
    new.unlink()
    # A network of another game, and a file that is none.
    assert main(["train", "generals", "--updates", "1", "--from", str(old), "--out", str(new)]) == 2
    assert "is not a network for Generals" in capsys.readouterr().err
    old.write_bytes(b"PK\x03\x04 nothing")
    load.cache_clear()
    assert main(["train", "feint", "--updates", "1", "--from", str(old), "--out", str(new)]) == 2
    assert "cannot be read as a network" in capsys.readouterr().err


def test_training_covers_all_pairings_mirror_matches_and_random_decks() -> None:
    """Nine preset decks make 72 ordered pairs and 9 mirror pairs. A third as many, 27, are random."""
    games = [game for game in list_setups("generals", {}, Rng(1)) if isinstance(game, Generals)]
    assert len(games) == 72 + 9 + 27
    ready = {deck.name for deck in games[0].decks().ready()}
    named = [tuple(deck.name for deck in game.lists) for game in games]
    assert len({names for names in named if set(names) <= ready}) == 81
    assert sum(not set(names) & ready for names in named) == 27
    again = list_setups("generals", {}, Rng(1))
    assert [game.options for game in again] == [game.options for game in games]
    assert len(list_setups("feint", {}, Rng(1))) == 20
    assert len(list_setups("generals", {"decks": ("alliance", "red-cliffs")}, Rng(1))) == 1


def test_a_game_without_senses_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    from gonfalon.cli import main

    assert main(["train", "jinkei", "--updates", "1"]) == 2
    assert "has no network input" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("out", "complaint"),
    [
        ("none/net.npz", "does not exist"),
        ("net.json", "must end in .npz"),
        ("old.npz", "already exists"),
    ],
)
def test_where_a_network_goes_is_looked_at_before_it_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str, complaint: str
) -> None:
    """The check comes first because training takes hours."""
    from gonfalon.cli import main

    (tmp_path / "old.npz").write_bytes(b"somebody's work")
    assert main(["train", "feint", "--updates", "1", "--out", str(tmp_path / out)]) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert "Training" not in told.out
    assert (tmp_path / "old.npz").read_bytes() == b"somebody's work"
