"""Files that people name have a size limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon.core.files.reading import FileError, read_text


def test_a_text_is_read_without_mark_and_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(path) == "one\ntwo\nthree\n"


def test_the_limit_is_the_size_of_the_largest_file(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 1_048_577)
    assert len(read_text(path, 1_048_577)) == 1_048_577
    with pytest.raises(FileError, match=r"large is larger than 1 MB\.$"):
        read_text(path, 1_048_576)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device without an end")
def test_a_device_without_an_end_is_left_at_the_limit() -> None:
    with pytest.raises(FileError, match=r"^/dev/full is not an ordinary file\.$"):
        read_text(Path("/dev/full"), 1 << 20)
