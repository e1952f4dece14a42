"""Studies on a Ray cluster: the same digest when a worker is killed, and an error message when the cluster is gone."""

from __future__ import annotations

import importlib.util
import os
import pickle
import re
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import Future
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from gonfalon.core.basics.errors import OptionError
from gonfalon.lab.run import cluster, sources
from gonfalon.lab.run.cluster import OTHER_VERSION, RayPool, read_result, run_item
from gonfalon.lab.run.progress import ProgressReporter
from gonfalon.lab.run.workers import Cluster
from gonfalon.lab.studies.whatif import whatif
from gonfalon.lab.studies.whatif.whatif import Progress
from tests.lab import cluster as local
from tests.lab.test_whatif import question
from tests.lab.test_workers import square

needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
AT_WORK = ("ray::run_item", "ray::IDLE")
"""The names of Ray's workers, busy or idle."""
INVALID = "RPC error: InvalidAuthToken: Authentication token is missing or incorrect."


@pytest.fixture(scope="module")
def token() -> Iterator[str]:
    """A token in the home directory, where Ray writes it, and the settings of the documentation."""
    found = "0123456789abcdef" * 2
    file = Path.home() / ".ray" / "auth_token"
    file.parent.mkdir()
    file.write_text(found)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in local.settings().items():
            patch.setenv(name, value)
        yield found
    shutil.rmtree(file.parent)


@pytest.fixture(scope="module")
def ray(token: str) -> Iterator[local.Local]:
    with local.cluster() as found:
        yield found


@needs_ray
def test_the_digest_is_the_same_where_a_worker_of_the_cluster_is_killed(ray: local.Local) -> None:
    asked = question("patriot.strength=1", precision=0.001, most=640)
    killed = list[int]()

    def kill_a_worker(_: Progress) -> None:
        if not killed:
            names = {name: pid for pid, name in local.processes(ray.group).items()}
            killed.append(next(names[name] for word in AT_WORK for name in names if name.startswith(word)))
            os.kill(killed[0], signal.SIGKILL)

    found = whatif.compare_variants(asked, Cluster(ray.address), tell=kill_a_worker)
    assert killed
    assert found.digest == whatif.compare_variants(asked).digest


@needs_ray
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"RAY_AUTH_MODE": "disabled"}, INVALID),
        (
            {"RAY_AUTH_TOKEN_PATH": "/nowhere"},
            "RAY_AUTH_TOKEN_PATH is set but file cannot be opened or is empty: /nowhere.",
        ),
    ],
    ids=["disabled", "missing"],
)
def test_ray_says_why_a_cluster_refuses_a_token(
    ray: local.Local, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(OptionError, match="requires a token: set RAY_AUTH_MODE=token, and") as raised:
        RayPool(ray.address)
    assert str(raised.value).endswith(f'Message of Ray: "{said}"')


def short_lived(pipe: Connection, address: str) -> None:
    """A proxy that Ray ends after four blocks."""
    pipe.send(2)
    for _ in range(4):
        number, asked = pipe.recv()
        pipe.send((number, "", run_item(sources.hash_package(), asked)))
    os.kill(os.getpid(), signal.SIGKILL)


def test_of_a_cluster_that_is_gone_all_is_kept_that_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question("patriot.strength=1", precision=0.001, most=320)
    monkeypatch.setattr(cluster, "check_cluster", lambda _: None)
    monkeypatch.setattr(cluster, "relay_items", short_lived)
    rest = f"; finished games are kept in {tmp_path}, and the same command continues from there."
    with (
        pytest.raises(OptionError, match=re.escape(f"The connection to the Ray cluster at somewhere:1 was lost{rest}")),
        ProgressReporter(tmp_path),
    ):
        whatif.compare_variants(asked, Cluster("somewhere:1"), tmp_path)
    assert len(list(tmp_path.iterdir())) == 4
    assert whatif.compare_variants(asked, 1, tmp_path).digest == whatif.compare_variants(asked).digest


def full(pipe: Connection, address: str) -> None:
    """A proxy that answers twice and disappears before the answers are read."""
    pipe.send(2)
    asked = [pipe.recv() for _ in range(2)]
    for number, what in asked:
        pipe.send((number, "", run_item(sources.hash_package(), what)))


def test_answers_that_have_come_are_read_though_no_more_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "check_cluster", lambda _: None)
    monkeypatch.setattr(cluster, "relay_items", full)
    listen = RayPool.listen
    monkeypatch.setattr(RayPool, "listen", lambda _: None)
    pool = RayPool("somewhere:1")
    come = [pool.submit(square, n) for n in (2, 3)]
    pool.process.join()
    lost = [pool.submit(square, 4) for _ in range(3)]
    listen(pool)
    assert [future.result(0) for future in come] == [4, 9]
    late = pool.submit(square, 5)
    for future in (*lost, late):
        assert str(future.exception(0)) == "The connection to the Ray cluster at somewhere:1 was lost."
    pool.close()


def test_a_missing_ray_or_cluster_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    with pytest.raises(OptionError, match=r"No Ray cluster found at 127\.0\.0\.1:1"):
        RayPool("127.0.0.1:1")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(OptionError, match=r"pip install 'gonfalon\[ray\]'"):
        RayPool("127.0.0.1:1")


@needs_ray
def test_a_machine_with_other_sources_does_nothing() -> None:
    future = Future[bytes]()
    future.set_result(run_item("others", pickle.dumps((square, 3))))
    assert read_result(future) == (OTHER_VERSION, b"")
    own = run_item(sources.hash_package(), pickle.dumps((square, 3)))
    assert pickle.loads(own) == 9
