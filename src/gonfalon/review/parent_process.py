"""Worker processes that end with their parent."""

from __future__ import annotations

import multiprocessing
import os
from threading import Thread


def end_with_parent() -> None:
    """Let this process end when its parent is killed, because a killed parent cannot end it."""

    def watch() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            # Only a hard exit ends the process, because its main thread may be deep in a thought.
            os._exit(1)

    Thread(target=watch, daemon=True).start()
