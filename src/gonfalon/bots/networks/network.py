"""Small networks in numpy: their layers, files and descriptions.

numpy is imported with the first network, because most commands never need it.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from zipfile import ZipFile

from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.reading import MAX_FILE_BYTES
from gonfalon.core.rules.game import Game

if TYPE_CHECKING:
    import numpy.typing as npt
    from threadpoolctl import ThreadpoolController

Array: TypeAlias = "npt.NDArray[Any]"
"""Numbers in numpy."""

VERSION: Final = 1


class Layers:
    """Fully connected layers with rectified units between them, in float32."""

    def __init__(self, weights: list[Array], biases: list[Array]) -> None:
        self.weights: list[Array] = weights
        self.biases: list[Array] = biases

    def __call__(self, x: Array) -> Array:
        """Return the outputs for rows of inputs."""
        if len(x) == 1:  # BLAS uses one thread for a single row
            return self._through(x)
        with blas().limit(limits=1):
            return self._through(x)

    def _through(self, x: Array) -> Array:
        last = len(self.weights) - 1
        for i in range(last):
            x = x @ self.weights[i]
            x += self.biases[i]
            x.clip(0.0, None, out=x)
        x = x @ self.weights[last]
        x += self.biases[last]
        return x


@cache
def blas() -> ThreadpoolController:
    """Return the controller of numpy's linear algebra.

    By default it uses all cores, and with networks this small its threads mostly wait for each other. An environment
    variable would only reach a numpy that is not loaded yet, and would change all other uses of numpy, so the limit is
    set while a network is evaluated.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


class NetworkDescription:
    """The description of a network without its weights: its origin and its sizes."""

    def __init__(self, about: Mapping[str, Any], widths: tuple[int, int, int]) -> None:
        self.about = about
        """Its origin: seed, settings, game, rules and cards."""
        self.widths = widths
        """The number of inputs of the policy, of its outputs, and of inputs of the value."""

    def fits(self, game: Game, encoder: NetworkInput) -> bool:
        """Return whether it was trained with this game and these cards."""
        return self.about.get("cards") == game.learnt_hash and self.suits(game, encoder)

    def seats(self, game: Game) -> int:
        """Return the number of seats that it was trained with, for a game that may have only one."""
        return int(self.about["options"].get("seats", game.seats))

    def suits(self, game: Game, encoder: NetworkInput) -> bool:
        """Return whether it reads positions of this game and has its outputs, with any cards."""
        about = self.about
        if about.get("game") != game.name or about.get("rules") not in encoder.rules:
            return False
        return self.widths == (encoder.known, encoder.outputs, encoder.size)


class Net(NetworkDescription):
    """A policy and a value. The policy reads what a seat knows of a position, the value reads the whole position."""

    def __init__(self, policy: Layers, value: Layers, about: Mapping[str, Any]) -> None:
        super().__init__(about, (len(policy.weights[0]), len(policy.biases[-1]), len(value.weights[0])))
        self.policy = policy
        self.value = value

    def rearrange(self, inputs: list[int], known: int, outputs: list[int]) -> Net:
        """Return this network for other rows and outputs.

        Args:
            inputs: For each number of a row the input whose weights it gets.
            known: The number of these inputs that the policy reads.
            outputs: For each output of the policy the output whose weights it gets.
        """
        policy = Layers(self.policy.weights[:], self.policy.biases[:])
        value = Layers(self.value.weights[:], self.value.biases[:])
        policy.weights[0] = policy.weights[0].take(inputs[:known], axis=0)
        policy.weights[-1] = policy.weights[-1].take(outputs, axis=1)
        policy.biases[-1] = policy.biases[-1].take(outputs)
        value.weights[0] = value.weights[0].take(inputs, axis=0)
        return Net(policy, value, self.about)


def save(path: Path, net: Net) -> None:
    """Write a network to a file, its weights rounded to sixteen bits."""
    import numpy as np

    arrays: dict[str, Any] = {}
    for name, layers in (("policy", net.policy), ("value", net.value)):
        for i, (weight, bias) in enumerate(zip(layers.weights, layers.biases, strict=True)):
            arrays[f"{name}.{i}.weight"] = weight.astype(np.float16)
            arrays[f"{name}.{i}.bias"] = bias.astype(np.float16)
    about = json.dumps({"version": VERSION, **net.about}, sort_keys=True)
    arrays["about"] = np.frombuffer(about.encode(), dtype=np.uint8)
    np.savez_compressed(path, **arrays)


@cache
def load_description(path: Path) -> NetworkDescription:
    """Read the description of a network that comes with a game, without its weights and without numpy."""
    with ZipFile(path) as file:

        def shape(name: str) -> tuple[int, ...]:
            with file.open(f"{name}.npy") as array:
                # A .npy file begins with ten bytes. The last two are the length of the header that follows.
                header = array.read(int.from_bytes(array.read(10)[8:], "little"))
            found: tuple[int, ...] = ast.literal_eval(header.decode())["shape"]
            return found

        # The bytes of the array are the end of its file.
        about = json.loads(file.read("about.npy")[-shape("about")[0] :])
        # Each layer has two arrays, its weights and its biases.
        last = sum(name.startswith("policy.") for name in file.namelist()) // 2 - 1
        widths = (shape("policy.0.weight")[0], shape(f"policy.{last}.bias")[0], shape("value.0.weight")[0])
    return NetworkDescription(about, widths)


@cache
def load(path: Path) -> Net:
    """Read a network from a file.

    Raises:
        OptionError: The file is missing, too large, of another version, or not a network.
    """
    import numpy as np

    try:
        with path.open("rb") as raw, np.load(raw) as file:
            # The sizes are checked before anything is unpacked, because a small file can hold huge arrays.
            if sum(part.file_size for part in file.zip.infolist()) > MAX_FILE_BYTES:
                raise OptionError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MB.")
            about = json.loads(bytes(file["about"]).decode())
            if about.get("version") != VERSION:
                raise OptionError(f"{path.name} is a network of another version.")
            found: dict[str, Layers] = {}
            for name in ("policy", "value"):
                layers = Layers([], [])
                while f"{name}.{len(layers.weights)}.weight" in file:
                    i = len(layers.weights)
                    layers.weights.append(file[f"{name}.{i}.weight"].astype(np.float32))
                    layers.biases.append(file[f"{name}.{i}.bias"].astype(np.float32))
                found[name] = layers
    except OptionError:
        raise
    except FileNotFoundError:
        raise OptionError(f"There is no file {path}.") from None
    except Exception:  # any content of a file that a user names
        raise OptionError(f"{path} cannot be read as a network.") from None
    return Net(found["policy"], found["value"], about)
