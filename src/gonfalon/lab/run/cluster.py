"""Work on a Ray cluster, as if it were processes of this machine.

Ray ends a program whose cluster is gone, without a word that it could catch. So what talks to Ray is a process of its
own, the go-between, and when that ends the study says so and keeps what was done. What goes to the cluster is the name
of a function and what it is asked; the answer comes from the same Gonfalon or not at all.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import signal
import socket
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run import sources
from gonfalon.lab.run.workers import ATTEMPTS, KILLED, Lost

Item = TypeVar("Item")
Done = TypeVar("Done")

LOOK: Final = 5.0
"""Seconds between two looks whether the cluster has any processors left."""
LOOKS: Final = 6
"""So often it may have none, one time after the other."""
LOOPBACK: Final = ("127.0.0.1", "localhost")
SETTINGS: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "10",
    "RAY_gcs_server_port_wait_time_s": "5",
    "RAY_DEDUP_LOGS": "0",
}
"""Nothing is reported to anybody, and who does not answer for so long is gone."""
LOCAL: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Set to 0 it keeps Ray on the loopback address, on any system: else it takes the machine's own for that."""
ABSENT: Final = "A Ray cluster needs the extra ray: pip install 'gonfalon[ray]'."
UNREACHED: Final = "There is no Ray cluster at {address} that this machine is part of."
UNCONNECTED: Final = "Ray cannot connect to {address}: {reason}"
NO_TOKEN: Final = (
    "The Ray cluster at {address} asks for its token: set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or "
    'RAY_AUTH_TOKEN_PATH where it is not the token in ~/.ray/auth_token. Ray says: "{reason}"'
)
MAX_REASON: Final = 200
"""Characters that are quoted of an error of Ray."""
GONE: Final = "The Ray cluster at {address} is gone."
FOREIGN: Final = "A machine of the Ray cluster at {address} has another Gonfalon, or none: install the same on each."


class RayPool:
    """The workers of a cluster. Ray itself lets others do what a killed one had in hand."""

    def __init__(self, address: str) -> None:
        """Raises OptionError where there is no such cluster."""
        check(address)
        self.address = address
        self.waiting: dict[int, Future[Any]] = {}
        self.number = 0
        self.gone = False
        self.lock = Lock()
        context = get_context("spawn")
        self.pipe, end = context.Pipe()
        self.process = context.Process(target=go_between, args=(end, address), daemon=True)
        self.process.start()
        end.close()
        try:
            width: int | str = self.pipe.recv()
        except EOFError:  # Ray has ended the process
            width = 0
        if not isinstance(width, int) or width == 0:
            self.close()
            raise OptionError(width or UNREACHED.format(address=address))
        self.width: int = width
        Thread(target=self.listen, daemon=True).start()

    def submit(self, work: Callable[[Item], Done], item: Item) -> Future[Done]:
        future = Future[Done]()
        with self.lock:
            self.number += 1
            self.waiting[self.number] = future
            gone = self.gone
        if gone:
            self.lose()
        with suppress(OSError):  # then the answers that have come are still to be read
            self.pipe.send((self.number, pickle.dumps((work, item))))
        return future

    def close(self) -> None:
        self.process.terminate()
        self.process.join(LOOK)
        self.process.kill()  # Ray may wait for a cluster that is gone
        self.process.join()
        self.pipe.close()

    def listen(self) -> None:
        """Hand out the answers, until the go-between has ended."""
        try:
            while True:
                number, sentence, answer = self.pipe.recv()
                with self.lock:
                    future = self.waiting.pop(number)
                if sentence:
                    future.set_exception(Lost(sentence.format(address=self.address)))
                    continue
                found = pickle.loads(answer)
                if isinstance(found, Exception):
                    future.set_exception(found)
                else:
                    future.set_result(found)
        except (EOFError, OSError):
            self.lose()

    def lose(self) -> None:
        """Whoever waits for an answer will get none."""
        with self.lock:
            left, self.waiting, self.gone = self.waiting, {}, True
        for future in left.values():
            future.set_exception(Lost(GONE.format(address=self.address)))


def check(address: str) -> None:
    """Whether there is Ray, and anybody at the address: to ask Ray for that takes long. Raises OptionError."""
    if importlib.util.find_spec("ray") is None:
        raise OptionError(ABSENT)
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=LOOK).close()
    except (OSError, OverflowError):
        raise OptionError(UNREACHED.format(address=address)) from None


# ---- the go-between -------------------------------------------------------------------------------------------


def go_between(pipe: Connection, address: str) -> None:
    """Hand to the cluster what comes through the pipe, and answers back, until nobody is at its other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(SETTINGS)
    if address.rpartition(":")[0] in LOOPBACK:
        os.environ[LOCAL] = "0"
    nowhere = os.open(os.devnull, os.O_WRONLY)  # Ray says a lot on its own
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    import ray

    try:
        ray.init(address, log_to_driver=False)
    except Exception as error:
        pipe.send(read_refusal(error, address))
        return
    pipe.send(int(ray.cluster_resources().get("CPU", 0)))
    done = ray.remote(answer).options(num_cpus=1, max_retries=ATTEMPTS - 1)
    lock, mark, none_left = Lock(), sources.of_all(), 0

    def tell(number: int, ref: object, future: Future[bytes]) -> None:
        sentence, body = told(future)
        with lock:
            pipe.send((number, sentence, body))

    while none_left < LOOKS:
        if not pipe.poll(LOOK):
            none_left = 0 if ray.cluster_resources().get("CPU", 0) else none_left + 1
            continue
        try:
            number, asked = pipe.recv()
        except EOFError:
            return
        ref = done.remote(mark, asked)
        ref.future().add_done_callback(partial(tell, number, ref))


def read_refusal(error: BaseException, address: str) -> str:
    """Return what Ray says of a cluster that it cannot connect to, as one sentence.

    Ray quotes the traceback of the first error in the text of the last one, so only the end of that text is a reason.
    """
    while error.__cause__ is not None:
        error = error.__cause__
    text = str(error).strip()
    if "Traceback" in text:
        text = text.splitlines()[-1].rpartition(".exceptions.")[2]
    text = " ".join(text.split()) or type(error).__name__
    is_refused = "AuthenticationError" in (type(error).__name__, text.partition(":")[0])
    if is_refused:  # what follows the first sentence is the same advice as ours
        text = text.removeprefix("AuthenticationError: ").partition(".")[0] + "."
    reason = text if len(text) <= MAX_REASON else text[:MAX_REASON] + "..."
    return (NO_TOKEN if is_refused else UNCONNECTED).format(address=address, reason=reason)


def told(future: Future[bytes]) -> tuple[str, bytes]:
    """A sentence about what went wrong, or an answer."""
    from ray.exceptions import RayTaskError, WorkerCrashedError

    error = future.exception()
    if error is None:
        body = future.result()
        return ("", body) if body else (FOREIGN, b"")
    if isinstance(error, WorkerCrashedError):
        return KILLED, b""
    return FOREIGN if isinstance(error, RayTaskError) else GONE, b""


def answer(mark: str, asked: bytes) -> bytes:
    """What a worker of the cluster does. Nothing, if it has other sources than who asks."""
    if mark != sources.of_all():
        return b""
    work, item = pickle.loads(asked)
    try:
        return pickle.dumps(work(item))
    except Exception as error:  # whoever asked raises it
        return pickle.dumps(error)
