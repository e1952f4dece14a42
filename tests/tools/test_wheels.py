"""The line about a built wheel."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

from tools.wheels import describe_wheel


def test_a_wheel_is_described_by_its_tags(tmp_path: Path) -> None:
    path = tmp_path / "gonfalon-1.0.0-cp311-cp311-linux_x86_64.whl"
    with ZipFile(path, "w") as wheel:
        wheel.writestr("gonfalon/__init__.py", b" " * 3000)
        wheel.writestr("gonfalon-1.0.0.dist-info/METADATA", b"")
    size = path.stat().st_size // 1000
    assert describe_wheel(path) == f"{path.name}: Python cp311, ABI cp311, platform linux_x86_64; {size} kB, 2 files"
    plain = path.rename(tmp_path / "gonfalon-1.0.0-py3-none-any.whl")
    assert "Python py3, ABI none, platform any" in describe_wheel(plain)
