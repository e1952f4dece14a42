"""Work on a Ray cluster, with the interface of local processes.

Ray ends a program whose cluster disappears, and the program cannot catch that. So a separate process, the go-between,
talks to Ray. When it ends, the study reports the loss and keeps its results. The cluster receives the name of a
function and its argument, and refuses them if its sources differ from those of the study.
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
from gonfalon.lab.run.workers import MAX_KILLS, WORKERS_KILLED, WorkersLostError

Item = TypeVar("Item")
Done = TypeVar("Done")

POLL_SECONDS: Final = 5.0
"""Seconds between two checks for available processors."""
MAX_EMPTY_POLLS: Final = 6
"""Number of consecutive checks without a processor after which the cluster counts as lost."""
LOOPBACK_HOSTS: Final = ("127.0.0.1", "localhost")
RAY_ENVIRONMENT: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "10",
    "RAY_gcs_server_port_wait_time_s": "5",
    "RAY_DEDUP_LOGS": "0",
}
"""Environment of Ray: no usage statistics, and short timeouts for a cluster that does not answer."""
LOOPBACK_VARIABLE: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Variable that keeps Ray on the loopback address if it is 0. By default Ray uses the address of the network."""
NO_RAY: Final = "A Ray cluster needs the extra ray: pip install 'gonfalon[ray]'."
NO_CLUSTER: Final = "No Ray cluster found at {address}. This machine must be part of it."
NO_CONNECTION: Final = "Ray cannot connect to {address}: {reason}"
NO_TOKEN: Final = (
    "The Ray cluster at {address} requires a token: set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or "
    'RAY_AUTH_TOKEN_PATH unless the token is in ~/.ray/auth_token. Message of Ray: "{reason}"'
)
MAX_REASON_LENGTH: Final = 200
"""Maximum number of characters quoted from an error of Ray."""
CLUSTER_LOST: Final = "The connection to the Ray cluster at {address} was lost."
OTHER_VERSION: Final = (
    "A machine of the Ray cluster at {address} has no Gonfalon or a different version. "
    "Install the same version on each."
)


class RayPool:
    """The workers of a cluster. Ray itself repeats the work of a killed worker."""

    def __init__(self, address: str) -> None:
        """Connect to a cluster.

        Args:
            address: The address of its head, `host:port`.

        Raises:
            OptionError: There is no cluster at the address, or it refuses the connection.
        """
        check_cluster(address)
        self.address = address
        self.waiting: dict[int, Future[Any]] = {}
        self.number = 0
        self.gone = False
        self.lock = Lock()
        # Ray starts threads, and a forked process would inherit their locks.
        context = get_context("spawn")
        self.pipe, end = context.Pipe()
        self.process = context.Process(target=relay_items, args=(end, address), daemon=True)
        self.process.start()
        # Only the child may hold this end: otherwise its death would not close the pipe.
        end.close()
        try:
            width: int | str = self.pipe.recv()
        except EOFError:  # Ray ended the process.
            width = 0
        if not isinstance(width, int) or width == 0:
            self.close()
            raise OptionError(width or NO_CLUSTER.format(address=address))
        self.width: int = width
        Thread(target=self.listen, daemon=True).start()

    def submit(self, work: Callable[[Item], Done], item: Item) -> Future[Done]:
        future = Future[Done]()
        with self.lock:
            # The future is registered before the item is sent, because the result may arrive at once.
            self.number += 1
            self.waiting[self.number] = future
            gone = self.gone
        # The loss may have been noticed before this item was added.
        if gone:
            self.fail_all()
        with suppress(OSError):  # The listener still delivers earlier results and then reports the loss.
            self.pipe.send((self.number, pickle.dumps((work, item))))
        return future

    def close(self) -> None:
        self.process.terminate()
        self.process.join(POLL_SECONDS)
        self.process.kill()  # Ray may wait for a lost cluster and ignore the first signal.
        self.process.join()
        self.pipe.close()

    def listen(self) -> None:
        """Deliver the results until the go-between ends."""
        try:
            while True:
                number, sentence, answer = self.pipe.recv()
                with self.lock:
                    future = self.waiting.pop(number)
                if sentence:
                    future.set_exception(WorkersLostError(sentence.format(address=self.address)))
                    continue
                found = pickle.loads(answer)
                if isinstance(found, Exception):
                    future.set_exception(found)
                else:
                    future.set_result(found)
        except (EOFError, OSError):
            self.fail_all()

    def fail_all(self) -> None:
        """Report the loss of the cluster to all waiting items."""
        with self.lock:
            left, self.waiting, self.gone = self.waiting, {}, True
        # An exception runs the callbacks of a future, which must not find the lock held.
        for future in left.values():
            future.set_exception(WorkersLostError(CLUSTER_LOST.format(address=self.address)))


def check_cluster(address: str) -> None:
    """Check quickly that Ray is installed and that the address accepts connections.

    Raises:
        OptionError: Ray is missing, or there is no cluster at the address.
    """
    if importlib.util.find_spec("ray") is None:
        raise OptionError(NO_RAY)
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=POLL_SECONDS).close()
    except (OSError, OverflowError):
        raise OptionError(NO_CLUSTER.format(address=address)) from None


# ---- the go-between -------------------------------------------------------------------------------------------


def relay_items(pipe: Connection, address: str) -> None:
    """Pass items from the pipe to the cluster and results back, until the other end of the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Ray reads its settings on import.
    os.environ.update(RAY_ENVIRONMENT)
    if address.rpartition(":")[0] in LOOPBACK_HOSTS:
        os.environ[LOOPBACK_VARIABLE] = "0"
    nowhere = os.open(os.devnull, os.O_WRONLY)  # Ray prints a lot on its own.
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    import ray

    try:
        ray.init(address, log_to_driver=False)
    except Exception as error:
        pipe.send(read_refusal(error, address))
        return
    pipe.send(int(ray.cluster_resources().get("CPU", 0)))
    # Ray repeats an item whose worker is killed, up to the limit of local workers.
    done = ray.remote(run_item).options(num_cpus=1, max_retries=MAX_KILLS - 1)
    lock, mark, none_left = Lock(), sources.hash_package(), 0

    def tell(number: int, ref: object, future: Future[bytes]) -> None:
        sentence, body = read_result(future)
        with lock:
            pipe.send((number, sentence, body))

    while none_left < MAX_EMPTY_POLLS:
        if not pipe.poll(POLL_SECONDS):
            # A quiet pipe is the time to check for processors; a cluster may be restarting.
            none_left = 0 if ray.cluster_resources().get("CPU", 0) else none_left + 1
            continue
        try:
            number, asked = pipe.recv()
        except EOFError:
            return
        ref = done.remote(mark, asked)
        ref.future().add_done_callback(partial(tell, number, ref))


def read_refusal(error: BaseException, address: str) -> str:
    """Return the reason why Ray cannot connect to a cluster, as one sentence.

    Ray quotes the traceback of the first error in the text of the last one, so only the end of that text is a reason.
    """
    while error.__cause__ is not None:
        error = error.__cause__
    text = str(error).strip()
    if "Traceback" in text:
        text = text.splitlines()[-1].rpartition(".exceptions.")[2]
    text = " ".join(text.split()) or type(error).__name__
    is_refused = "AuthenticationError" in (type(error).__name__, text.partition(":")[0])
    if is_refused:  # Ray's further sentences repeat the advice of `NO_TOKEN`.
        text = text.removeprefix("AuthenticationError: ").partition(".")[0] + "."
    reason = text if len(text) <= MAX_REASON_LENGTH else text[:MAX_REASON_LENGTH] + "..."
    return (NO_TOKEN if is_refused else NO_CONNECTION).format(address=address, reason=reason)


def read_result(future: Future[bytes]) -> tuple[str, bytes]:
    """Return an error message, empty if there is none, and the pickled result."""
    from ray.exceptions import RayTaskError, WorkerCrashedError

    error = future.exception()
    if error is None:
        body = future.result()
        return ("", body) if body else (OTHER_VERSION, b"")
    if isinstance(error, WorkerCrashedError):
        return WORKERS_KILLED, b""
    return OTHER_VERSION if isinstance(error, RayTaskError) else CLUSTER_LOST, b""


def run_item(mark: str, asked: bytes) -> bytes:
    """Run an item on a worker of the cluster.

    Returns:
        The pickled result or exception; nothing if the sources of the worker differ from those of the study.
    """
    if mark != sources.hash_package():
        return b""
    work, item = pickle.loads(asked)
    try:
        return pickle.dumps(work(item))
    except Exception as error:  # The study raises it again.
        return pickle.dumps(error)
