"""`gonfalon baseline`: a player by a known method, in a file that `gonfalon benchmark --agent` takes. The same seed and
budget write the same file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gonfalon import games
from gonfalon.bots.uct import NAME, TRIES
from gonfalon.core.errors import OptionError
from gonfalon.core.game import Game
from gonfalon.core.options import Options
from gonfalon.core.rng import Rng
from gonfalon.lab.whole import check_new, write

if TYPE_CHECKING:
    from gonfalon.bots.network import Net

SOLVERS: Final = {"cfr+": 200, "mccfr": 5000, "mmd": 1000}
"""What solves tiny games, and in how many iterations where nobody says more."""
LEARNERS: Final = ("ppo", "ppo-search", "mmd")
"""What learns the whole game."""
NAMES: Final = ("ppo", "ppo-search", NAME, *SOLVERS)
DECISIONS: Final = 200_000
Told = Callable[[str], None]


def make(
    name: str, game: str, options: Options, tiny: bool, seed: int, budget: int | None, path: Path | None, tell: Told
) -> Path:
    """Make a player, and write it; the file. Raises OptionError, before anything long begins."""
    kind = games.kind(game)
    tables = tiny or name not in (*LEARNERS, NAME)
    if tables and name not in SOLVERS:
        raise OptionError(f"{name} solves no tiny configurations: leave --tiny out.")
    if tables and options:
        raise OptionError("Tiny configurations are solved as they are: leave --option out.")
    suffix = ".npz" if name in LEARNERS and not tables else ".json"
    path = path or Path(f"{game}-{name}{suffix}")
    check_new(path, suffix)
    if tables:
        write(path, solved(name, kind, seed, budget or SOLVERS[name], tell))
    elif name == NAME:
        from gonfalon.learn.baselines.files import written

        write(path, written(name, kind, seed, budget or TRIES, []))
    else:
        from gonfalon.bots.network import save

        save(path, trained(name, game, options, seed, budget or DECISIONS, tell))
    return path


def solved(name: str, kind: type[Game], seed: int, iterations: int, tell: Told) -> str:
    """A policy for each tiny configuration for two, as the text of a file. Raises OptionError where there is none."""
    from gonfalon.learn.baselines.files import TableBot, table, tinies, written
    from gonfalon.learn.baselines.solvers import SOLVERS as FOUND
    from gonfalon.learn.baselines.tree import Tree
    from gonfalon.learn.exact import exploitability

    tables = []
    for number, game in tinies(kind):
        solver = FOUND[name](Tree(game), Rng(seed))
        solver.run(iterations)
        mixtures = solver.mixtures()
        tables.append(table(number, game, mixtures))
        gain = exploitability(game, TableBot(name, game, mixtures).mixture)
        tell(f"{kind.name}, tiny {number}: exploitability {gain:z.6f} after {iterations} iterations")
    if not tables:
        raise OptionError(f"{kind.title} has no tiny configuration for two, so {name} cannot solve it.")
    return written(name, kind, seed, iterations, tables)


def trained(name: str, game: str, options: Options, seed: int, decisions: int, tell: Told) -> Net:
    """A network of the whole game, which is played by two unless somebody says more."""
    from gonfalon.bots.network import Net
    from gonfalon.learn.baselines.learning import TRIES as LOOKS
    from gonfalon.learn.baselines.learning import learnt
    from gonfalon.learn.benchmark.protocol import OPTIONS

    net = learnt(game, {**OPTIONS.get(game, {}), **options}, decisions, seed, name == "mmd", tell)
    about = {**net.about, "baseline": name, "seed": seed, "budget": decisions}
    return Net(net.policy, net.value, about | ({"search": LOOKS} if name == "ppo-search" else {}))
